"""Every procedure on small layouts of its designs, with options and at edges: kept numbers."""

from __future__ import annotations

from typing import Any

import pytest
from layouts_varied import requests
from snapshots import assert_kept
from summaries import summary

from podium import compare
from podium.core.inference.comparing.known import POSTERIORS, PROCEDURES
from podium.errors import PodiumError

KNOWN = {**PROCEDURES, **POSTERIORS}


@pytest.mark.parametrize("name", [name for name in KNOWN if not KNOWN[name].needs.stops])
def test_comparisons_of_every_procedure(name: str) -> None:
    found: dict[str, Any] = {}
    for request, layout, options in requests(KNOWN[name]):
        try:
            found[request] = summary(compare(layout, name, **options))
        except PodiumError as error:
            found[request] = error
    assert_kept("inference", "comparisons", found, case=name, relative=1e-6)
