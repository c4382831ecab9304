"""What stands in this room (docs/make_stub.py writes this)."""

from podium.core.base.rooms import Capability
from podium.running.studies.verbs import write_indices as write_indices

CAPABILITY: Capability
