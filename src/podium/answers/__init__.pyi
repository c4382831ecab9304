"""What stands in this room (docs/make_stub.py writes this)."""

from podium.base.capability import Capability
from podium.answers.verbs import Page as Page

CAPABILITY: Capability
