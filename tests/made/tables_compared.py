"""The tables of every design as they were read and compared, once for all tests of a process."""

from __future__ import annotations

from functools import cache

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
        return results, podium.compare(results, **options)
    except PodiumError as error:
        return results, error
