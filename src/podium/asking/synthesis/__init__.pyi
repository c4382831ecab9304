"""What stands in this room (docs/make_stub.py writes this)."""

from podium.asking.synthesis.verbs import MetaAnalysis as MetaAnalysis
from podium.core.base.rooms import Capability

CAPABILITY: Capability
