"""Performance profiles: exact steps, ratios and differences, and missing scores."""

import numpy as np
import pandas as pd
import pytest
from results_made import CASES, constant, gaps, read, several, six, survey, timed, wide
from snapshots import assert_snapshot
from told import sentences

from podium.errors import ResultsError
from podium.showing.plots import PLOTS, profiles
from podium.testing import check_plot

profiles_data = PLOTS["profiles"].data

# the others take long: every check renders four times
CHECKED = [
    pytest.param(case, marks=() if case in ("long names", "gaps") else pytest.mark.long)
    for case in CASES
]


def share(data, algorithm: str, tau: float) -> float:
    """A profile at any tau: the step that holds there."""
    steps = data.table[data.table["algorithm"] == algorithm]
    return float(steps["share"].to_numpy()[np.searchsorted(steps["tau"], tau, side="right") - 1])


def test_profiles_of_three_problems_worked_by_hand():
    results = wide([[1, 2], [4, 1], [3, 3]], ["a", "b"])
    factors = profiles_data(results, ratio=True)
    assert factors.table.to_numpy().tolist() == [
        ["a", 1.0, 2 / 3],
        ["a", 4.0, 1.0],
        ["b", 1.0, 2 / 3],
        ["b", 2.0, 1.0],
    ]
    gone = profiles_data(results)
    assert gone.table["tau"].tolist() == [0.0, 3.0, 0.0, 1.0]
    assert (factors.ratio, gone.ratio) == (True, False)
    assert factors.label == "τ: error / best error"
    assert gone.label == "τ: error behind the best"


@pytest.mark.parametrize("tau", [0.0, 0.013, 0.05, 0.3])
def test_a_profile_is_the_share_of_problems_within_tau_of_the_best(tau):
    results = survey()
    values = results.wide("error").drop(columns=["dataset", "sample"])
    data = profiles_data(results)
    for name in results.algorithms:
        within = values[name] - values.min(axis=1) <= tau
        assert share(data, name, tau) == pytest.approx(within.mean())


def test_where_higher_is_better_the_best_is_the_highest():
    table = pd.DataFrame({"sample": [1, 2], "a": [0.5, 0.75], "b": [0.75, 0.25]})
    results = read(table, measure="accuracy")
    assert profiles_data(results).table.to_numpy().tolist() == [
        ["a", 0.0, 0.5],
        ["a", 0.25, 1.0],
        ["b", 0.0, 0.5],
        ["b", 0.5, 1.0],
    ]
    with pytest.raises(ResultsError, match=r"best 'accuracy' make no sense, as higher is better"):
        profiles_data(results, ratio=True)


def test_times_are_compared_by_ratio_and_zeros_by_difference():
    assert profiles_data(timed(), measure="time").ratio
    zero = wide([[0.0, 0.1]], ["a", "b"])
    with pytest.raises(ResultsError, match="there are scores of 0, not above 0"):
        profiles_data(zero, ratio=True)
    results = timed()
    results.runs["fit_time"] = results.runs["predict_time"] = 0.0
    data = profiles_data(results, measure="time")
    assert not data.ratio
    assert data.label == "τ: time behind the best (s)"
    assert sentences(data.notes)[0].startswith("Differences, not ratios, as there are scores of 0")


def test_a_missing_score_is_never_within_tau_and_this_is_said():
    data = profiles_data(gaps())
    assert data.table.query("algorithm == 'none'")[["tau", "share"]].to_numpy().tolist() == [[0, 0]]
    assert share(data, "rpart", 1e9) == pytest.approx(13 / 15)
    assert sentences(data.notes) == ["Missing scores, which are never within τ: 18."]


def test_shares_of_the_best_sum_to_one_without_ties_and_every_profile_ends_at_one():
    data = profiles_data(six())
    assert data.table.groupby("algorithm", sort=False)["share"].last().tolist() == [1.0] * 6
    assert data.table["tau"].max() < data.limit
    tied = profiles_data(constant())
    assert tied.table["share"].tolist() == [1.0, 1.0, 0.0, 1.0]


def test_the_table_is_as_kept():
    assert_snapshot("profiles", profiles_data(several()).table)
    assert_snapshot("profiles_ratio", profiles_data(several(), dataset="sonar", ratio=True).table)


@pytest.mark.parametrize("case", CHECKED)
def test_profiles_keep_the_laws_of_plots(case):
    check_plot(profiles, CASES[case]())


def test_large_ratios_are_on_a_log_axis():
    assert profiles(timed(ratio=4.0), measure="time").get_xscale() == "log"
    assert profiles(timed(ratio=1.1), measure="time").get_xscale() == "linear"
