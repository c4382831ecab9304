"""What stands in this room (docs/make_stub.py writes this)."""

from podium.base.rooms import Capability
from podium.orders.consensus import Consensus as Consensus
from podium.orders.consensus import hierarchical as hierarchical
from podium.orders.consensus import pareto as pareto
from podium.orders.dataset_orders import DatasetOrders as DatasetOrders
from podium.orders.decide import Ordered as Ordered
from podium.orders.distances import distance as distance

CAPABILITY: Capability
