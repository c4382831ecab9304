"""Tables of every design from reading to the decision: kept numbers, facts of notes, refusals."""

from __future__ import annotations

from typing import Any

import pytest
from snapshots import assert_kept
from summaries import of_layout, summary
from tables_compared import compared
from tables_varied import TABLES

import podium
from podium.errors import PodiumError

pytestmark = pytest.mark.numbers

OF_LAYOUTS = ("measure", "dataset", "target")


@pytest.mark.parametrize("name", list(TABLES))
def test_tables_of_every_design(name: str) -> None:
    found: dict[str, Any] = {}
    for number, (request, options) in enumerate(TABLES[name].requests.items()):
        results, result = compared(name, request)
        given = {k: v for k, v in options.items() if k in OF_LAYOUTS}
        if results is not None and (given or not number):
            try:
                found[f"layout for {request}"] = of_layout(podium.layout(results, **given))
            except PodiumError as error:
                found[f"layout for {request}"] = error
        if isinstance(result, PodiumError):
            found[request] = result
        else:
            found[request] = summary(result, whole=not number)
    assert_kept("inference", "tables", found, case=name, relative=1e-6)
