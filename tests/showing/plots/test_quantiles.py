"""Quantile plots: quantiles, the envelope of order statistics, and values that are no numbers."""

import numpy as np
import pytest
from scipy import stats
from snapshots import assert_snapshot
from told import sentences

from podium.errors import InferenceError
from podium.showing.plots import PLOTS, qq
from podium.testing import check_plot

qq_data = PLOTS["qq"].data

VALUES = np.random.default_rng(0).standard_t(5, 60)


def test_ordered_values_stand_at_the_quantiles_of_their_ranks():
    # R: qt(ppoints(4, a = 1/2), 5)
    table = qq_data([3.0, -1.0, 0.5, 0.0], "t:5").table
    assert table["observed"].tolist() == [-1.0, 0.0, 0.5, 3.0]
    expected = [-1.300949, -0.3367215, 0.3367215, 1.300949]
    assert table["theoretical"].to_numpy() == pytest.approx(expected, abs=1e-6)


def test_the_envelope_of_the_smallest_of_n_uniform_values_has_a_closed_form():
    # P(U(1) <= u) = 1 - (1 - u)^n
    table = qq_data(np.linspace(0.01, 0.99, 20), "uniform", level=0.9).table
    first = table.iloc[0]
    assert first["lower"] == pytest.approx(1 - 0.95 ** (1 / 20))
    assert first["upper"] == pytest.approx(1 - 0.05 ** (1 / 20))
    assert table["lower"].to_numpy() == pytest.approx(1 - table["upper"].to_numpy()[::-1])


def test_each_ordered_value_lies_in_its_envelope_as_often_as_the_level_says():
    draws = np.sort(np.random.default_rng(1).standard_normal((4000, 15)), axis=1)
    table = qq_data(draws[0], stats.norm(), level=0.8).table
    inside = (draws >= table["lower"].to_numpy()) & (draws <= table["upper"].to_numpy())
    assert np.abs(inside.mean(axis=0) - 0.8).max() < 4 * np.sqrt(0.16 / 4000)


def test_a_name_and_a_frozen_distribution_are_the_same():
    for name, frozen in (
        ("f:10:5", stats.f(10, 5)),
        ("norm", stats.norm),
        ("chi2:3", stats.chi2(df=3)),
    ):
        given = frozen() if name == "norm" else frozen
        assert qq_data(VALUES, name).table.equals(qq_data(VALUES, given).table)
    assert qq_data(VALUES, stats.chi2(df=3)).null == "chi2(df=3)"
    assert qq_data(VALUES, "t:5").null == "t(5)"


def test_missing_values_are_left_out_infinite_ones_keep_their_rank_and_both_are_said():
    data = qq_data([np.nan, 1.0, np.inf, -np.inf, 2.0], "norm")
    assert data.table["observed"].tolist() == [-np.inf, 1.0, 2.0, np.inf]
    assert sentences(data.notes)[1:] == [
        "Missing values, left out: 1.",
        "Infinite values, not drawn: 2.",
    ]
    (points,) = (line for line in qq([np.inf, 1.0], "norm").lines if line.get_marker() == "o")
    assert points.get_ydata().tolist() == [1.0]


@pytest.mark.parametrize(
    ("values", "null", "message"),
    [
        ([np.nan], "norm", "needs values of the statistic: all 1 are missing"),
        (["a"], "norm", "are numbers"),
        ([1.0], "student", "'student' is not a distribution of scipy.stats"),
        ([1.0], "t", r"'t' does not give the parameters of 't' \(df\)"),
        ([1.0], "t:five", r"'t:five' does not give the parameters of 't' \(df\)"),
        ([1.0], "t:-1", r"parameters of t\(-1\) do not give one distribution"),
        ([1.0], stats.t([2, 3]), "do not give one distribution"),
        ([1.0], 5, "is a continuous distribution of scipy.stats .* not 5"),
        ([1.0], stats.poisson(2), "is a continuous distribution"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(values, null, message):
    with pytest.raises(InferenceError, match=message):
        qq_data(values, null)


def test_a_level_is_between_0_and_1():
    with pytest.raises(InferenceError, match="between 0 and 1, not 95"):
        qq_data(VALUES, "norm", level=95)


def test_the_table_is_as_kept():
    assert_snapshot("qq", qq_data(VALUES, "t:5").table)


@pytest.mark.parametrize("values", [VALUES, [0.0], np.zeros(9), [np.inf, np.nan]])
def test_qq_keeps_the_laws_of_plots(values):
    check_plot(qq, values, "t:5")
