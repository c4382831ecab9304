"""A user's own contrasts, and pairs."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from podium import Layout, Measure, compare
from podium.core.inference.bricks.contrasts import against, all_pairs, matrix, named_pairs, weighted
from podium.core.inference.layouts import Origin
from podium.core.samplings import parse
from podium.errors import InferenceError

NAMES = ("a", "b", "c", "d")
HALVES = {"a - bc": {"a": 1.0, "b": -0.5, "c": -0.5}, "b - c": {"b": 1, "c": -1}}


def layout(blocks: int = 40) -> Layout:
    rng = np.random.default_rng(2)
    values = rng.normal(size=(blocks, 1)) + rng.normal(size=(blocks, 4)) + [0.6, 0.1, 0, 0]
    score = Measure("score", higher_is_better=True)
    return Layout(
        values,
        NAMES,
        "simulation",
        "population",
        score,
        origin=Origin(sampling=parse("simulation")),
    )


def test_pairs_are_rows_of_plus_and_minus_one() -> None:
    assert all_pairs(3) == [(0, 1), (0, 2), (1, 2)]
    assert against(NAMES, "c") == [(0, 2), (1, 2), (3, 2)]
    assert named_pairs(NAMES, [("d", "a")]) == [(3, 0)]
    assert matrix([(3, 0)], 4).tolist() == [[-1, 0, 0, 1]]
    assert weighted(NAMES, HALVES).tolist() == [[1, -0.5, -0.5, 0], [0, 1, -1, 0]]


def test_a_contrast_by_paired_t_is_a_t_test_of_its_values() -> None:
    made = layout()
    found = compare(made, "paired-t", contrasts=HALVES).table
    for row, weights in zip(found.itertuples(), weighted(NAMES, HALVES), strict=True):
        expected = stats.ttest_1samp(made.values @ weights, 0)
        assert row.statistic == pytest.approx(expected.statistic)
        assert row.p == pytest.approx(expected.pvalue)
        assert row.estimate == pytest.approx((made.values @ weights).mean())
    assert found[["first", "second"]].to_numpy().tolist() == [["a - bc", ""], ["b - c", ""]]


def test_all_pairs_as_a_user_s_contrasts_are_all_pairs() -> None:
    made = layout()
    pairs = {f"{i}{j}": {NAMES[i]: 1, NAMES[j]: -1} for i, j in all_pairs(4)}
    for procedure in ("mixed-tukey", "nemenyi"):
        one = compare(made, procedure).table
        other = compare(made, procedure, contrasts=pairs).table
        columns = ["estimate", "statistic", "p", "p_adjusted"]
        np.testing.assert_allclose(one[columns], other[columns])


def test_repeated_contrasts_are_not_taken_for_all_pairs() -> None:
    made = layout().only([0, 1, 2])
    twice = {n: {"a": 1, "b": -1} for n in ("x", "y")} | {"z": {"a": 1, "c": -1}}
    once = {"x": {"a": 1, "b": -1}, "z": {"a": 1, "c": -1}}
    p = [
        compare(made, "mixed-tukey", contrasts=c).table["p_adjusted"].iloc[0] for c in (twice, once)
    ]
    assert p[0] == pytest.approx(p[1], abs=1e-3)  # the same maximum, by quasi-Monte-Carlo


def test_wrong_contrasts_are_refused() -> None:
    made = layout()
    for wrong, message in (
        ({"x": {"a": 1, "b": -0.5}}, "'x' is wrong: its weights must add up to zero, not to 0.5"),
        ({"x": {"a": 0, "b": 0}}, "not all be zero"),
        ({"x": {"a": 1, "e": -1}}, "'e' is not a algorithm|'e' is not an algorithm"),
        ({}, "There is no contrast"),
    ):
        with pytest.raises(InferenceError, match=message):
            compare(made, "paired-t", contrasts=wrong)
    with pytest.raises(InferenceError, match="either contrasts, or a control"):
        compare(made, "paired-t", contrasts=HALVES, control="a")
    with pytest.raises(InferenceError, match="scores each pair on its own"):
        compare(made, "wilcoxon", contrasts=HALVES)
    with pytest.raises(InferenceError, match="Closed testing is about pairs"):
        compare(made, "permutation", contrasts=HALVES)
