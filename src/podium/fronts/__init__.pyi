"""What stands in this room (docs/make_stub.py writes this)."""

from podium.base.rooms import Capability
from podium.fronts.dominance import Front as Front
from podium.fronts.trades import Trade as Trade
from podium.fronts.verbs import front as front
from podium.fronts.verbs import trade as trade
from podium.fronts.verbs import utility as utility

CAPABILITY: Capability
