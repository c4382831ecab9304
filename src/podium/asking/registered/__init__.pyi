"""What stands in this room (docs/make_stub.py writes this)."""

from podium.asking.registered.verbs import Registration as Registration
from podium.core.base.rooms import Capability

CAPABILITY: Capability
