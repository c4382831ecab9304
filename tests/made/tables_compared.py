"""The tables of every design as they were read and compared, once for all tests of a process."""

from __future__ import annotations

from functools import cache

from prints import keep_print
from tables_varied import TABLES

import podium
from podium import Comparisons, Results
from podium.errors import PodiumError


@cache
def compared(name: str, request: str) -> tuple[Results | None, Comparisons | PodiumError]:
    """Results (of a judge and people there are none) with what is said of them, or a refusal."""
    asked, options = TABLES[name], TABLES[name].requests[request]
    results = None
    try:
        if "judge" in options:
            return None, podium.compare(asked.table, **options)
        results = podium.read(asked.table, **asked.read)
        made = podium.compare(results, **options)
        texts = (repr(made), made.to_json(), made.to_csv(), made.to_markdown())
        keep_print(f"table {name}: {request}", "\n".join(texts))
        return results, made
    except PodiumError as error:
        return results, error
