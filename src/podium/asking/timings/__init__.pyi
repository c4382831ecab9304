"""What stands in this room (docs/make_stub.py writes this)."""

from podium.asking.timings.ratios import Changes as Changes
from podium.asking.timings.ratios import changes as changes
from podium.core.base.rooms import Capability

CAPABILITY: Capability
