"""The page and `compare` judge the same layout."""

from __future__ import annotations

import numpy as np
import pandas as pd

import podium
from podium.studies.analysis import analysed


def test_gaps_are_filled_before_scaling_on_the_page_too() -> None:
    rng = np.random.default_rng(4)
    rows = [(f"d{j}", a, rng.normal(i, 1)) for j in range(12) for i, a in enumerate("abc")]
    table = pd.DataFrame(rows, columns=["dataset", "algorithm", "accuracy"])
    table.loc[[2, 7], "accuracy"] = np.nan
    results = podium.read(table, measure="accuracy")
    asked = {"scale": "ranks", "missing": "worst"}
    page = analysed(results, options=asked).first
    assert page is not None
    found = podium.compare(results, **asked)
    assert found.blocks["count"] == page.comparisons.blocks["count"] == 12
    pd.testing.assert_frame_equal(page.comparisons.table, found.table)
