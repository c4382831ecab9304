"""What stands in this room (docs/make_stub.py writes this)."""

from podium.base.capability import Capability
from podium.gates.gates import Gate as Gate

CAPABILITY: Capability
