"""What stands in this room (docs/make_stub.py writes this)."""

from podium.asking.comparison.answer import Answer as Answer
from podium.asking.comparison.verbs import Page as Page
from podium.core.base.rooms import Capability

CAPABILITY: Capability
