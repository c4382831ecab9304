"""Every adjustment of small sets of p-values and statistics, as it once came out."""

from __future__ import annotations

import numpy as np
import pytest
from layouts_made import made, noise
from snapshots import assert_kept

from podium import compare
from podium.core.inference.bricks.adjustments import ADJUSTMENTS
from podium.errors import InferenceError

pytestmark = pytest.mark.numbers

LAYOUTS = {
    "ties": made(noise(8, 4, 3).round()),
    "gap": made(np.where(np.arange(24).reshape(8, 3) == 5, np.nan, noise(8, 3, 4))),
    "two": made(noise(6, 2, 5)),
}


@pytest.mark.parametrize("name", list(ADJUSTMENTS))
def test_adjustments_of_pairs(name: str) -> None:
    found: dict[str, object] = {}
    for kind, layout in LAYOUTS.items():
        for alternative in ("two-sided", "less"):
            for control in (None, "b"):
                key = f"{kind} {alternative} {control or 'all'}"
                options = {"alternative": alternative, "control": control, "adjust": name}
                try:
                    table = compare(layout, "paired-t", **options).table
                except InferenceError as error:
                    found[key] = error
                else:
                    found[key] = table[["lower", "p_adjusted"]]
    assert_kept("inference", "adjustments", found, case=name)
