"""What stands in this room (docs/make_stub.py writes this)."""

from podium.answers.verbs import Page as Page
from podium.base.rooms import Capability

CAPABILITY: Capability
