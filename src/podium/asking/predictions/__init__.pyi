"""What stands in this room (docs/make_stub.py writes this)."""

from podium.asking.predictions.of_columns import add_measure as add_measure
from podium.core.base.rooms import Capability

CAPABILITY: Capability
