"""Orders of algorithms: what comparisons and statistics allow one to print.

`order` is the type; `relations` (layers, axioms, letters), `order_fields` (checks, tables of
pairs), `writing` and `notation` (text) serve it. `decide` makes an order of evidence, `statistics`
of scores. Several orders: `distances` and their clusters, `ensembles`, `consensus` with its
`programs` (`heuristics`, `relaxations`, `optima`).
"""

from podium.base.capability import Capability

CAPABILITY = Capability(
    __name__,
    needs=("inference",),
    public=(
        "consensus:Consensus",
        "consensus:consensus",
        "decide:decide",
        "distances:distance",
        "ensembles:hierarchical",
        "ensembles:pareto",
        "notation:order",
        "order:Order",
    ),
)
