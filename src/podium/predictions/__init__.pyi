"""What stands in this room (docs/make_stub.py writes this)."""

from podium.base.rooms import Capability
from podium.predictions.of_columns import add_measure as add_measure

CAPABILITY: Capability
