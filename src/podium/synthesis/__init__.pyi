"""What stands in this room (docs/make_stub.py writes this)."""

from podium.base.rooms import Capability
from podium.synthesis.verbs import MetaAnalysis as MetaAnalysis

CAPABILITY: Capability
