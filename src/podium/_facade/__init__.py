"""The public verbs; besides `cli` the only part that may import everything."""

from podium._facade.comparing import advise, alone, compare, decide, order, order_by
from podium._facade.exploring import explained, left_out, plan, stability_of, subgroups
from podium._facade.reading import is_store, items, read
from podium._facade.reporting import report
from podium._facade.running import merge, run, score, write_indices

__all__ = [
    "advise",
    "alone",
    "compare",
    "decide",
    "explained",
    "is_store",
    "items",
    "left_out",
    "merge",
    "order",
    "order_by",
    "plan",
    "read",
    "report",
    "run",
    "score",
    "stability_of",
    "subgroups",
    "write_indices",
]
