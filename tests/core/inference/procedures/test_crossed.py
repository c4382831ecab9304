"""Training sets x items: the analysis of variance behind question 7 of dietterich1998."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from layouts_made import crossed, made, noise
from layouts_made import intervals as alone
from scipy import stats

from podium import compare
from podium.core.inference.procedures.crossed import mean_squares
from podium.errors import InferenceError

pytestmark = pytest.mark.filterwarnings("error")
FIRST = [[2, 5, 1, 7, 3, 4], [6, 4, 5, 9, 7, 3], [1, 2, 2, 6, 4, 1], [3, 3, 4, 8, 2, 5]]
SECOND = [[4, 4, 3, 8, 6, 4], [7, 6, 4, 8, 9, 6], [2, 5, 3, 5, 6, 2], [5, 4, 7, 9, 4, 4]]
SCORES = np.stack([FIRST, SECOND], axis=2)  # training sets x items x algorithms
DIFFERENCE = np.array([1.0, -1.0])


def test_quasi_f_is_winer_s_from_the_analysis_of_variance_of_r() -> None:
    """R: anova(lm(y ~ alg * set * item)), (alg + alg:set:item) / (alg:set + alg:item)."""
    c = compare(crossed(SCORES), "delve-quasi-f")
    assert c.overall is not None
    assert c.overall.statistic == pytest.approx(14.6261682243)
    assert c.overall.df == pytest.approx((1.13311270482, 5.48026294795))
    assert c.table["p"][0] == pytest.approx(0.00946783678629)
    assert c.table["verdict"].tolist() == ["better"]  # losses: the first has the smaller ones


def test_mean_squares_of_differences_are_twice_those_of_r() -> None:
    m = mean_squares(crossed(SCORES))
    found = [DIFFERENCE @ s @ DIFFERENCE for s in (m.training_sets, m.items, m.rest)]
    assert found == pytest.approx([2 * 0.055555556, 2 * 1.133333333, 2 * 1.055555556])
    assert m.df == (3, 5, 15)


def test_sums_of_squares_add_up() -> None:
    y = noise(60, 1).reshape(5, 12, 1)
    m = mean_squares(crossed(y))
    squares = (m.training_sets, m.items, m.rest)
    parts = [float(s[0, 0]) * df for s, df in zip(squares, m.df, strict=True)]
    assert sum(parts) == pytest.approx(float(((y - y.mean()) ** 2).sum()))


def test_without_variation_of_items_the_t_is_that_of_training_sets() -> None:
    """Where scores differ between training sets only, their means are all there is to know."""
    d = noise(6, 2)  # losses; F has the sign of the mean difference
    layout = crossed(np.repeat(d[:, None, :], 9, axis=1))
    t = compare(layout, "crossed-t").table
    theirs = stats.ttest_rel(d[:, 0], d[:, 1])
    assert abs(t["statistic"][0]) == pytest.approx(abs(theirs.statistic))
    assert t["p"][0] == pytest.approx(theirs.pvalue)
    quasi = compare(layout, "delve-quasi-f").table
    assert quasi["statistic"][0] == pytest.approx(-(theirs.statistic**2))
    assert quasi["p"][0] == pytest.approx(theirs.pvalue)
    for column, row in enumerate(alone(layout, 0.1).itertuples()):
        own = stats.ttest_1samp(d[:, column], 0).confidence_interval(0.9)
        assert (row.lower, row.upper) == pytest.approx((own.low, own.high))
        assert row.mean == pytest.approx(d[:, column].mean())


def test_intervals_are_of_the_mean_difference_and_wider_than_those_of_either_alone() -> None:
    scores = noise(80, 2).reshape(8, 10, 2)
    t = compare(crossed(scores, measure="accuracy"), "crossed-t").table
    d = scores[:, :, 0] - scores[:, :, 1]
    assert t["estimate"][0] == pytest.approx(d.mean())
    for means in (d.mean(axis=0), d.mean(axis=1)):
        low, high = stats.ttest_1samp(means, 0).confidence_interval(0.95)
        assert t["upper"][0] - t["lower"][0] > 0.9 * (high - low)


def test_several_algorithms_are_adjusted_and_one_has_an_interval() -> None:
    layout = crossed(noise(60, 3).reshape(5, 12, 3))
    t = compare(layout, "delve-quasi-f").table
    assert (t["p_adjusted"] >= t["p"]).all()
    assert len(t) == 3
    found = alone(layout)
    assert found["method"].tolist() == ["training sets x items"] * 3
    assert (found["lower"] < found["mean"]).all()


def test_scores_without_variation_are_equal_or_unknown() -> None:
    equal = crossed(np.ones((3, 4, 2)))
    assert compare(equal, "delve-quasi-f").table["p"][0] == 1
    apart = crossed(np.ones((3, 4, 2)) * [1.0, 2.0])
    for name in ("delve-quasi-f", "crossed-t"):
        c = compare(apart, name)
        assert np.isnan(c.table["p"][0])
        assert "no-variation" in [w.code for w in c.warnings]


def test_the_crossing_must_be_complete() -> None:
    layout = crossed(SCORES)
    values = layout.values.copy()
    values[7, 1] = np.nan
    gap = "1 of 24 scores are missing, such as that of training set '1' on item '1'"
    with pytest.raises(InferenceError, match=gap):
        compare(replace(layout, values=values))
    assert compare(replace(layout, values=values), gaps="worst").table["p"].notna().all()
    with pytest.raises(InferenceError, match="and 2 items; there are 4 and 1"):
        compare(crossed(SCORES[:, :1]))
    with pytest.raises(InferenceError, match="the columns sample and item"):
        compare(made(noise(9, 2)), "delve-quasi-f", force=True)
