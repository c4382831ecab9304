"""The public verbs; besides `cli` the only part that may import everything."""

from podium.api.comparing import advise, alone, compare, decide, order, order_by
from podium.api.exploring import (
    by_dataset,
    explain_differences,
    left_out,
    plan,
    plan_from_pilot,
    stability,
    subgroups,
)
from podium.api.reading import is_store, items, read
from podium.api.reporting import report
from podium.api.running import merge, run, score, write_indices

__all__ = [
    "advise",
    "alone",
    "by_dataset",
    "compare",
    "decide",
    "explain_differences",
    "is_store",
    "items",
    "left_out",
    "merge",
    "order",
    "order_by",
    "plan",
    "plan_from_pilot",
    "read",
    "report",
    "run",
    "score",
    "stability",
    "subgroups",
    "write_indices",
]
