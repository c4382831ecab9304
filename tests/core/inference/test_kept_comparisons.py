"""Every procedure on small layouts of its designs, with options and at edges: kept numbers."""

from __future__ import annotations

from typing import Any

import pytest
from layouts_varied import requests
from prints import keep_print
from snapshots import assert_kept
from summaries import summary

from podium import compare
from podium.core.inference.comparing.known import POSTERIORS, PROCEDURES
from podium.errors import PodiumError

pytestmark = pytest.mark.numbers

KNOWN = {**PROCEDURES, **POSTERIORS}


@pytest.mark.parametrize("name", [name for name in KNOWN if not KNOWN[name].needs.stops])
def test_comparisons_of_every_procedure(name: str) -> None:
    found: dict[str, Any] = {}
    for request, layout, options in requests(KNOWN[name]):
        try:
            made = compare(layout, name, **options)
            keep_print(f"layout for {name}: {request}", f"{made!r}\n{made.to_json()}")
            found[request] = summary(made)
        except PodiumError as error:
            found[request] = error
    assert_kept("inference", "comparisons", found, case=name, relative=1e-6)
