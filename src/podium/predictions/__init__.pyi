"""What stands in this room (docs/make_stub.py writes this)."""

from podium.base.capability import Capability
from podium.predictions.own import add_measure as add_measure

CAPABILITY: Capability
