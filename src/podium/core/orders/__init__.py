"""Orders of algorithms: what comparisons and statistics allow one to print.

`order` is the type and its text; `relations` (layers, axioms, letters) and `order_fields` (checks,
tables of pairs) serve it. `decide` makes an order of evidence or of scores. Several orders:
`distances` and their clusters, `dataset_orders`, `consensus` with its `programs` and `relaxations`.
"""

from podium.core.base.rooms import Capability

CAPABILITY = Capability(
    __name__,
    needs=("inference",),
    public=(
        "consensus:consensus",
        "decide:decide",
        "order:order",
        "order:Order",
    ),
    inside=(
        "consensus:Consensus",
        "dataset_orders:DatasetOrders",
        "distances:distance",
        "consensus:hierarchical",
        "consensus:pareto",
        "decide:Ordered",
    ),
)
__getattr__ = CAPABILITY.attribute
