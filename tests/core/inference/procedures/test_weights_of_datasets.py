"""Weights of data sets: means by shares, and what no weight is."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import podium
from podium.errors import InferenceError

NAMES = ("svm", "lda", "knn")


def survey() -> podium.Results:
    rng = np.random.default_rng(1)
    rows = [
        (d, s, a, 0.3 + 0.2 * (a == "svm") * (d == "one") + common + rng.normal(0, 0.02))
        for d in ("one", "two", "three")
        for s in range(1, 9)
        for common in [rng.normal(0, 0.05)]
        for a in NAMES
    ]
    table = pd.DataFrame(rows, columns=["dataset", "sample", "algorithm", "error"])
    return podium.read(table, sampling="bootstrap", measure="error")


def test_weighted_means_over_data_sets():
    results = survey()
    ask = {"target": "datasets", "pairs": [("svm", "lda")]}
    wide = results.wide("error").set_index("dataset")
    cells = (wide["svm"] - wide["lda"]).groupby(level=0).mean()
    weights = {"one": 2.0, "two": 1.0, "three": 0.0}
    found = podium.compare(results, "survey-fixed", weights=weights, **ask)
    shares = pd.Series(weights) / 3
    estimate = found.table["estimate"].item()
    assert estimate == pytest.approx(float((cells * shares).sum()))
    assert found.means["svm"] - found.means["lda"] == pytest.approx(estimate)
    others = podium.compare(results, "survey-fixed", weights={"one": 3}, **ask)  # count once
    told = others.table["estimate"].item()
    assert told == pytest.approx((3 * cells["one"] + cells["two"] + cells["three"]) / 5)
    alike = podium.compare(results, "survey-fixed", **ask)
    same = podium.compare(results, "survey-fixed", weights="one=5,two=5,three=5", **ask)
    width = [float((c.table["upper"] - c.table["lower"]).item()) for c in (found, alike, same)]
    assert width[1] == pytest.approx(width[2])
    # without gaps the error is that of a mean by these shares
    assert width[0] / width[1] == pytest.approx(np.sqrt((shares**2).sum() * 3))
    assert "weighed" in [note.code for note in found.warnings]


@pytest.mark.parametrize(
    ("procedure", "weights", "told"),
    [
        ("survey-fixed", {"four": 1}, "'four' is not a data set"),
        ("survey-fixed", {"one": -1}, "a number from 0 on"),
        ("survey-fixed", {"one": "much"}, "a number from 0 on, not 'much'"),
        ("survey-fixed", {"one": True}, "a number from 0 on, not True"),
        ("survey-fixed", {"one": np.inf}, "a number from 0 on, not inf"),
        ("survey-fixed", {"one": 0, "two": 0, "three": 0}, "a weight above 0"),
        ("survey-fixed", "one", "written as iris=2,glass=1"),
        ("survey-random", {"one": 1}, "counts rows alike"),
        ("paired-t", {"one": 1}, "counts rows alike"),
    ],
)
def test_wrong_weights_are_refused(procedure, weights, told):
    with pytest.raises(InferenceError, match=told):
        podium.compare(survey(), procedure, weights=weights)
