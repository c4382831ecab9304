"""What stands in this room (docs/make_stub.py writes this)."""

from podium.core.base.rooms import Capability
from podium.core.orders.consensus import Consensus as Consensus
from podium.core.orders.consensus import hierarchical as hierarchical
from podium.core.orders.consensus import pareto as pareto
from podium.core.orders.dataset_orders import DatasetOrders as DatasetOrders
from podium.core.orders.decide import Ordered as Ordered
from podium.core.orders.distances import distance as distance

CAPABILITY: Capability
