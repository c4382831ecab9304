"""What stands in this room (docs/make_stub.py writes this)."""

from podium.base.rooms import Capability
from podium.gates.decisions import Decision as Decision
from podium.gates.gates import Candidates as Candidates
from podium.gates.gates import Gate as Gate

CAPABILITY: Capability
