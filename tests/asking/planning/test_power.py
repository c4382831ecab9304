"""Power of the paired t test: against R, simulation, and the paper's own formulas."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from scipy.special import nctdtr

from podium import PodiumError
from podium.asking.planning.plan import needed_table, plan, power_table
from podium.asking.planning.power import (
    blocks_needed,
    check_design,
    detectable,
    noncentral,
    power,
    sd_interval,
)

SDS = [0.03, 0.05, 0.075, 0.1]  # the four curves of boulesteix2013, Figure 2


@pytest.mark.parametrize(
    ("blocks", "difference", "expected"),
    [(5, 1.0, 0.4013899174), (2, 3.0, 0.2607707142)],
)
def test_power_equals_that_of_r(blocks, difference, expected):
    # power.t.test(n=, delta=, sd=1, type="one.sample", strict=TRUE)$power
    assert power(difference, 1.0, blocks) == pytest.approx(expected, abs=1e-9)


def test_numbers_of_data_sets_equal_those_of_r_rounded_up():
    # power.t.test(delta=.05, sd=.1, power=.8, type="one.sample"): n = 33.37; one-sided 26.14
    assert blocks_needed(0.05, 0.1, 0.8) == 34
    assert blocks_needed(0.05, 0.1, 0.8, alternative="greater") == 27


def test_power_is_the_share_of_simulated_studies_that_reject():
    rng = np.random.default_rng(1)
    drawn = rng.normal(0.7, 1.0, (40_000, 9))
    t = np.sqrt(9) * drawn.mean(axis=1) / drawn.std(axis=1, ddof=1)
    for alternative, rejected in (
        ("two-sided", np.abs(t) > stats.t.isf(0.025, 8)),
        ("greater", t > stats.t.isf(0.05, 8)),
    ):
        found = power(0.7, 1.0, 9, alternative=alternative)
        assert abs(rejected.mean() - found) < 4 * np.sqrt(0.25 / 40_000)


def test_the_least_number_is_the_least_and_the_detectable_difference_its_inverse():
    differences = np.array([0.01, 0.03, 0.2])[:, None]
    needed = blocks_needed(differences, SDS, 0.8)
    assert (power(differences, SDS, needed) >= 0.8).all()
    larger = needed > 2
    fewer = power(differences, SDS, np.maximum(needed - 1, 2))
    assert (fewer[larger] < 0.8).all()
    found = detectable(SDS, needed, 0.8)
    assert power(found, SDS, needed) == pytest.approx(np.full(needed.shape, 0.8))


def test_power_stands_the_extremes():
    assert power(1e-9, 1.0, 10) == pytest.approx(0.05)
    assert power(100.0, 1.0, [2, 1000, 10**6]) == pytest.approx([1.0] * 3, abs=1e-2)
    assert blocks_needed(1e-6, 1.0, 0.8) == np.inf
    assert blocks_needed(1e6, 1.0, 0.8) == 2


def test_figure_2_left_fulfils_its_equation_and_the_exact_number_hardly_differs():
    """J is the least with J >= (t_{1-a,J-1} + t_{1-b,J-1})² sd² / difference²."""
    differences = np.round(np.arange(0.01, 0.105, 0.01), 2)
    said = {"alternative": "greater", "formula": "central"}
    found = needed_table(differences.tolist(), SDS, 0.8, **said).to_numpy()

    def fulfils(J):
        quantiles = stats.t.ppf(0.95, J - 1) + stats.t.ppf(0.8, J - 1)
        return quantiles**2 <= J * (differences[:, None] / SDS) ** 2 + 1e-12

    assert fulfils(found).all()
    assert not fulfils(np.maximum(found - 1, 2))[found > 2].any()
    exact = needed_table(differences.tolist(), SDS, 0.8, alternative="greater").to_numpy()
    assert np.abs(exact - found).max() <= 1
    assert exact[4].tolist() == [4, 8, 16, 27]  # of a difference of 0.05


def test_figure_2_right_is_below_the_exact_power_by_0_065_at_most():
    blocks = list(range(5, 51))
    said = {"alternative": "greater"}
    paper = power_table(0.05, SDS, blocks, formula="central", **said).to_numpy()
    exact = power_table(0.05, SDS, blocks, **said).to_numpy()
    for j, J in ((0, 5), (15, 20)):  # the formula as it is printed
        limit = np.sqrt(J) * 0.05 / np.array(SDS) - stats.t.ppf(0.95, J - 1)
        assert paper[j] == pytest.approx(stats.t.cdf(limit, J - 1))
    assert 0.05 < (exact - paper).max() < 0.066


def test_the_paper_s_formula_leaves_the_wrong_tail_out():
    found = power([0.02, 0.05], 0.1, [[5], [20]], formula="central")
    for row, J in zip(found, (5, 20), strict=True):
        shift = np.sqrt(J) * np.array([0.2, 0.5])
        assert row == pytest.approx(stats.t.sf(stats.t.ppf(0.975, J - 1) - shift, J - 1))
    assert power(1e-12, 1.0, 5, formula="central") == pytest.approx(0.025)


def test_the_interval_of_an_sd_covers_it():
    rng = np.random.default_rng(2)
    sds = rng.normal(0, 2.0, (4000, 8)).std(axis=1, ddof=1)
    low, high = sd_interval(sds, np.full(4000, 8))
    assert abs(((low < 2) & (high > 2)).mean() - 0.95) < 0.015


def test_a_plan_solves_for_what_is_not_given():
    assert plan(difference=0.05, sd=0.1).datasets == 34
    assert plan(difference=-0.05, sd=0.1, alternative="less").datasets == 27
    assert plan(difference=0.05, sd=0.1, blocks=34).power == pytest.approx(0.8078, abs=1e-4)
    back = plan(sd=0.1, blocks=34, target=0.8)
    assert (back.solved, round(back.difference, 4)) == ("difference", 0.0495)
    assert plan(difference=0.05, sd=0.1, comparisons=10).datasets > 50


def test_a_plan_says_what_it_found_and_has_a_curve():
    found = plan(difference=0.05, sd=0.1)
    assert repr(found) == (
        "34 data sets show a difference of 0.05 (sd 0.1) with power 0.808, two-sided at level 0.05."
    )
    curve = found.curve([20, 34, 50])
    assert curve["power"].is_monotonic_increasing
    assert curve["power"][1] == found.power
    assert found.to_dict()["blocks"] == 34


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"sd": 0.1}, "needs the difference that matters"),
        ({"difference": 0.1, "sd": 0.1, "blocks": 5, "target": 0.8}, "give two of them"),
        ({"difference": 0.0, "sd": 0.1}, "a number other than 0, not 0.0"),
        ({"difference": float("nan"), "sd": 0.1}, "a number other than 0, not nan"),
        ({"difference": 0.1, "sd": -1.0}, "positive, not -1.0"),
        ({"difference": 0.1, "sd": 0.1, "blocks": 1}, "from 2 to 10000000, not 1"),
        ({"difference": 0.1, "sd": 0.1, "blocks": 10**30}, "from 2 to 10000000, not 1000"),
        ({"difference": 0.1, "sd": 0.1, "target": 0.01}, "between the level 0.05 and 1, not 0.01"),
        ({"difference": 0.1, "sd": 0.1, "alternative": "more"}, "'more' is not"),
        ({"difference": 0.1, "sd": 0.1, "target": "0.8"}, "and 1, not '0.8'"),
        ({"difference": 0.1, "sd": 0.1, "alpha": "a"}, "between 0 and 1, not 'a'"),
        ({"difference": 1e-9, "sd": 1.0}, "ten million rows"),
    ],
)
def test_a_plan_that_makes_no_sense_is_refused(said, message):
    with pytest.raises(PodiumError, match=message):
        plan(**said)
    with pytest.raises(PodiumError, match="lies between 0 and 1, not 7"):
        check_design(alpha=7, alternative="greater")


def test_ten_million_blocks_are_not_too_many():
    reach = float(detectable(1.0, 10**7, 0.8))
    assert blocks_needed(reach * (1 + 1e-12), 1.0, 0.8) == 10**7
    assert blocks_needed(reach * (1 - 1e-6), 1.0, 0.8) == np.inf


@pytest.mark.parametrize("df", [1, 4, 60])
def test_far_from_the_null_the_power_goes_on_where_the_series_ends(df):
    shift = np.linspace(30.5, 36.0, 5)
    limit = stats.t.isf(1e-4, df)
    found = noncentral(np.full(5, limit), shift, np.full(5, float(df)))
    assert found == pytest.approx(1 - nctdtr(df, shift, limit), rel=1e-12)
    # scipy's series has no number from a shift of 38 on
    far = power(np.geomspace(1, 1e300, 80), 1.0, df + 1, alpha=2e-4)
    assert (np.diff(far) >= -1e-14).all()
    assert far[-1] == pytest.approx(1.0)
    assert power(1.0, 1e-300, 5, alternative="greater", alpha=0.6) == pytest.approx(1.0)


def test_tables_share_alpha_and_refuse_what_a_plan_refuses():
    alone = plan(difference=0.05, sd=0.1, comparisons=10).blocks
    assert needed_table([0.05], [0.1], comparisons=10).iloc[0, 0] == alone
    one = plan(difference=0.05, sd=0.1, blocks=20, comparisons=10).power
    assert power_table(0.05, [0.1], [20], comparisons=10).iloc[0, 0] == one
    with pytest.raises(PodiumError, match=r"sd of a plan is positive, not -1\.0"):
        needed_table([0.05], [0.1, -1.0])
    with pytest.raises(PodiumError, match=r"a number other than 0, not 0\.0"):
        power_table(0.05, [0.0, 0.1], [20])
    with pytest.raises(PodiumError, match="from 2 to 10000000, not 1"):
        power_table(0.05, [0.1], [1, 20])
