"""What stands in this room (docs/make_stub.py writes this)."""

from podium.base.capability import Capability
from podium.orders.consensus import Consensus as Consensus
from podium.orders.dataset_orders import DatasetOrders as DatasetOrders
from podium.orders.distances import distance as distance
from podium.orders.ensembles import hierarchical as hierarchical
from podium.orders.ensembles import pareto as pareto
from podium.orders.statistics import Ordered as Ordered

CAPABILITY: Capability
