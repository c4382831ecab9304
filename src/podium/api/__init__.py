"""The public verbs; besides `cli` the only part that may import everything."""

from podium.api.comparing import advise, alone, compare, decide, order, order_by
from podium.api.exploring import explained, left_out, plan, stability_of, subgroups
from podium.api.reading import is_store, read, read_items
from podium.api.reporting import report
from podium.api.running import merge, run, score, write_indices

__all__ = [
    "advise",
    "alone",
    "compare",
    "decide",
    "explained",
    "is_store",
    "left_out",
    "merge",
    "order",
    "order_by",
    "plan",
    "read",
    "read_items",
    "report",
    "run",
    "score",
    "stability_of",
    "subgroups",
    "write_indices",
]
