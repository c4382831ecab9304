"""Orders of algorithms: what comparisons and statistics allow one to print.

`order` is the type; `relations` (layers, axioms, letters), `order_fields` (checks, tables of
pairs), `writing` and `notation` (text) serve it. `decide` makes an order of evidence, `statistics`
of scores. Several orders: `distances` and their clusters, `ensembles`, `consensus` with its
`programs` (`heuristics`, `relaxations`, `optima`).
"""

from podium.base.rooms import Capability

CAPABILITY = Capability(
    __name__,
    needs=("inference",),
    public=(
        "consensus:consensus",
        "decide:decide",
        "notation:order",
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
