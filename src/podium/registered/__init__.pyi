"""What stands in this room (docs/make_stub.py writes this)."""

from podium.base.rooms import Capability
from podium.registered.verbs import Registration as Registration

CAPABILITY: Capability
