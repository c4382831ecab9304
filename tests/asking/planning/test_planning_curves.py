"""Curves of plans: whole numbers, exact steps, and the plan on them."""

from dataclasses import replace

import numpy as np
import pytest
from results_made import survey
from scipy import stats
from snapshots import assert_snapshot
from told import sentences

import podium
from podium.asking.planning.power import blocks_needed, power
from podium.cli.main import status_of
from podium.errors import InferenceError
from podium.showing.plots import PLOTS, power_curve, sample_size_curve
from podium.testing import check_plot

power_curve_data = PLOTS["power_curve"].data
sample_size_curve_data = PLOTS["sample_size_curve"].data

PLAN = podium.plan(difference=0.05, sd=0.1, power=0.8)


def test_power_is_that_of_the_noncentral_t_at_whole_numbers():
    data = power_curve_data(PLAN)
    assert data.table["difference"].unique().tolist() == pytest.approx([0.025, 0.05, 0.075])
    assert data.table["blocks"].tolist() == list(range(2, 69)) * 3
    row = data.table.query("difference == 0.05 and blocks == 34").iloc[0]
    shift, limit = np.sqrt(34) * 0.5, stats.t.ppf(0.975, 33)
    expected = stats.nct.sf(limit, 33, shift) + stats.nct.cdf(-limit, 33, shift)
    assert row["power"] == pytest.approx(expected) == pytest.approx(PLAN.power)


def test_a_plan_and_its_parts_give_the_same_curves():
    parts = power_curve_data(difference=0.05, sd=0.1, power=0.8)
    assert parts.table.equals(power_curve_data(PLAN).table)
    tested = power_curve_data(
        sd=0.1, datasets=20, difference=0.1, alternative="greater", comparisons=3
    )
    row = tested.table.query("difference == 0.1 and blocks == 20").iloc[0]
    expected = power(0.1, 0.1, 20, alpha=0.05 / 3, alternative="greater")
    assert row["power"] == pytest.approx(float(expected)) == pytest.approx(tested.plan.power)


def test_given_differences_join_the_planned_one_and_large_ranges_are_thinned():
    data = power_curve_data(PLAN, differences=[0.2, 0.1], most=12)
    assert data.table["difference"].unique().tolist() == [0.05, 0.1, 0.2]
    assert data.limits == (0.0, 35.0)  # the plan's 34 data sets are in sight
    many = power_curve_data(difference=0.005, sd=0.1).table
    assert many["blocks"].nunique() <= 101
    assert 3142 in set(many["blocks"])  # the plan's own number


@pytest.mark.parametrize("target", [0.5, 0.8])
def test_steps_of_numbers_are_exactly_where_one_data_set_fewer_is_enough(target):
    table = sample_size_curve_data(PLAN).table.query("power == @target")
    numbers, least = table["blocks"].to_numpy(), table["difference"].to_numpy()
    assert (np.diff(numbers) == -1).all()
    assert least[0] == 0.025
    assert (blocks_needed(least * (1 + 1e-12), 0.1, target) == numbers).all()
    assert (blocks_needed(least[1:] * (1 - 1e-9), 0.1, target) == numbers[1:] + 1).all()
    assert blocks_needed(0.1, 0.1, target) == numbers[-1]


def test_the_plan_stands_on_the_step_of_its_power():
    data = sample_size_curve_data(PLAN)
    steps = data.table[data.table["power"] == 0.8]
    at = np.searchsorted(steps["difference"], data.plan.difference, side="right") - 1
    assert steps["blocks"].iloc[at] == data.plan.datasets == 34
    assert sentences(data.notes) == [f"Ring: {PLAN.sentence}"]


def test_many_steps_are_thinned_and_this_is_said():
    data = sample_size_curve_data(difference=0.005, sd=0.1, powers=[0.8])
    assert len(data.table) <= 400
    assert sentences(data.notes)[1] == "Of the many numbers some 400 per curve are shown."
    shown = data.table.iloc[1::60]
    least = shown["difference"].to_numpy() * (1 + 1e-12)
    assert (blocks_needed(least, 0.1, 0.8) == shown["blocks"]).all()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: power_curve_data(difference=0.1), "needs the sd of the difference"),
        (lambda: power_curve_data(PLAN, sd=0.1), "A plan says it all: leave out sd"),
        (lambda: power_curve_data(0.05), "is what podium.plan returns, not float"),
        (lambda: power_curve_data(PLAN, differences=[0]), "difference of a plan is a number other"),
        (lambda: power_curve_data(PLAN, most=1), "number of blocks is a whole number from 2"),
        (lambda: sample_size_curve_data(PLAN, powers=[]), "at least one power"),
        (lambda: sample_size_curve_data(PLAN, powers=[1.5]), "1.5"),
        (
            lambda: sample_size_curve_data(difference=1e-4, sd=0.11, datasets=50),
            "Half the difference of 0.0001 is too small",
        ),
        (lambda: sample_size_curve_data(replace(PLAN, formula="simulated")), "and no curve"),
        (lambda: power_curve_data(replace(PLAN, formula="simulated")), "and no curve"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(call, message):
    with pytest.raises(InferenceError, match=message):
        call()


def test_a_plan_has_no_other_parts():
    with pytest.raises(TypeError, match="difrence"):
        power_curve_data(difrence=1)


@pytest.mark.parametrize(("given", "labels"), [
    ((0.01 / 3,), ["0.00333", "0.05"]),
    ((0.123451, 0.123452), ["0.05", "0.123451", "0.123452"]),
])  # fmt: skip
def test_labels_have_three_digits_unless_more_are_needed_to_tell_them_apart(given, labels):
    ax = power_curve(difference=0.05, sd=0.1, power=0.8, differences=given)
    assert [t.get_text() for t in ax.get_legend().get_texts()] == [
        f"difference {label}" for label in labels
    ]


def test_the_tables_are_as_kept():
    assert_snapshot("power_curve", power_curve_data(PLAN, most=20).table)
    assert_snapshot("sample_size_curve", sample_size_curve_data(PLAN, powers=[0.8]).table)


@pytest.mark.parametrize("curve", [power_curve, sample_size_curve])
@pytest.mark.parametrize(
    "plan",
    [
        podium.plan(difference=5.0, sd=0.1),
        podium.plan(pilot=survey(), difference=0.1),
        pytest.param(PLAN, marks=pytest.mark.long),
        pytest.param(podium.plan(sd=3.0, datasets=7), marks=pytest.mark.long),
    ],
    ids=["two are enough", "pilot", "usual", "least difference"],
)
def test_curves_of_plans_keep_the_laws_of_plots(curve, plan):
    check_plot(curve, plan)


def test_the_screen_has_the_power_of_a_quarter_to_twice_as_many(capsys):
    """By the noncentral t of scipy, which the formula of power does not use."""
    assert status_of(["plan", "--difference", "0.05", "--sd", "0.1"]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines() if "." in line]
    shown = {int(row[0]): float(row[1]) for row in rows if len(row) == 2 and row[0].isdigit()}
    assert [*shown] == [8, 17, 26, 34, 51, 68]  # of 34
    for n, found in shown.items():
        limit, shift = stats.t.isf(0.025, n - 1), 0.5 * np.sqrt(n)
        both = stats.nct.sf(limit, n - 1, shift) + stats.nct.cdf(-limit, n - 1, shift)
        assert found == pytest.approx(both, abs=0.0006)
