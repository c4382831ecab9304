"""What stands in this room (docs/make_stub.py writes this)."""

from podium.asking.fronts.dominance import Front as Front
from podium.asking.fronts.trades import Trade as Trade
from podium.asking.fronts.verbs import front as front
from podium.asking.fronts.verbs import trade as trade
from podium.asking.fronts.verbs import utility as utility
from podium.core.base.rooms import Capability

CAPABILITY: Capability
