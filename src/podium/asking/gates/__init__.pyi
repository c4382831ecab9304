"""What stands in this room (docs/make_stub.py writes this)."""

from podium.asking.gates.decisions import Decision as Decision
from podium.asking.gates.gates import Candidates as Candidates
from podium.asking.gates.gates import Gate as Gate
from podium.core.base.rooms import Capability

CAPABILITY: Capability
