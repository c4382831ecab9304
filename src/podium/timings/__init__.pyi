"""What stands in this room (docs/make_stub.py writes this)."""

from podium.base.rooms import Capability
from podium.timings.ratios import Changes as Changes
from podium.timings.ratios import changes as changes

CAPABILITY: Capability
