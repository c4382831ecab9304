"""The layout that a procedure is for: samples apart or averaged, on a scale, gaps filled first."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import podium
from podium import layout
from podium.core.inference.bricks.scales import ranks_within
from podium.core.inference.comparing.arranging import suited

VALUES = np.random.default_rng(0).random((4, 3, 3))  # data sets x samples x algorithms


def made(values=VALUES):
    rows = [
        (f"d{d}", s + 1, a, float(values[d, s, i]))
        for d, s, i in np.ndindex(values.shape)
        for a in ["abc"[i]]
    ]
    table = pd.DataFrame(rows, columns=["dataset", "sample", "algorithm", "error"])
    return podium.read(table.dropna(), sampling="bootstrap")


@pytest.mark.parametrize(
    ("procedure", "block", "target"),
    [
        (None, "dataset", "dataset-population"),
        ("paired-t", "dataset", "dataset-population"),
        ("survey-random", "nested", "dataset-population"),
        ("survey-fixed", "nested", "datasets"),
    ],
)
def test_samples_stay_apart_where_the_procedure_needs_them(procedure, block, target):
    found = suited(made(), procedure)
    assert (found.block, found.target) == (block, target)
    values = -VALUES.reshape(12, 3) if block == "nested" else -VALUES.mean(axis=1)
    assert found.values == pytest.approx(values)


def test_a_scale_is_of_the_layout_and_worst_scores_are_filled_in_before_it():
    plain = layout(made())
    ranked = suited(made(), scale="ranks")
    assert np.array_equal(ranked.sign * ranked.values, ranks_within(plain.values))
    assert np.array_equal(suited(made(), scale="raw").values, plain.values)
    gap = VALUES.copy()
    gap[0, :, 1] = np.nan
    assert len(suited(made(gap), scale="ranks").values) == 3  # the data set is left out
    filled = suited(made(gap), scale="ranks", gaps="worst")
    assert len(filled.values) == 4
    assert (
        filled.sign * filled.values[0, filled.algorithms.index("b")] == 2.5
    )  # as bad as the worst
    assert np.isnan(suited(made(gap), gaps="worst").values).sum() == 1  # `compare` fills these
