"""Numbers that plots decide: critical differences, ends of axes, levels of bars, columns."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from results_made import errors, read, six, wide
from told import sentences

import podium
from podium import Order
from podium.showing.drawing.shown_scores import equal_but_for_rounding, over_datasets, uneven
from podium.showing.plots import PLOTS

critical_difference_data = PLOTS["critical_difference"].data
bench_data = PLOTS["bench"].data
profiles_data = PLOTS["profiles"].data
rank_stability_data = PLOTS["rank_stability"].data

NAMES = ["lda", "knn", "nb", "nnet", "rpart", "svm"]


@pytest.mark.parametrize(
    ("procedure", "options"), [("mixed-tukey", {}), ("nemenyi", {"null": "asymptotic"})]
)
def test_the_critical_difference_does_not_depend_on_which_algorithm_comes_first(
    procedure: str, options: dict[str, str]
) -> None:
    known = critical_difference_data(podium.compare(six(), procedure, **options)).critical
    assert known > 0
    for places in ([5, 4, 3, 2, 1, 0], [2, 0, 5, 3, 1, 4]):
        turned = wide(errors(60, 6)[:, ::-1][:, places], [NAMES[i] for i in places])
        found = critical_difference_data(podium.compare(turned, procedure, **options))
        assert found.critical == pytest.approx(known)


def test_intervals_of_different_lengths_have_no_critical_difference_even_if_all_pairs_differ() -> (
    None
):
    noise = np.random.default_rng(0).normal(0, [0.001, 0.002, 0.004], (30, 3))
    comparisons = podium.compare(wide(0.2 * np.arange(1, 4) + noise, list("abc")), "paired-t")
    t = comparisons.table
    longest = (t["upper"] - t["lower"]).max() / 2
    assert (t["estimate"].abs() > 10 * longest).all()  # which would decide every pair rightly
    assert (t["p_adjusted"] <= 0.05).all()
    assert math.isnan(critical_difference_data(comparisons).critical)


@pytest.mark.parametrize("higher", [False, True])
def test_an_axis_of_means_ends_three_hundredths_of_their_range_beyond_them(higher: bool) -> None:
    comparisons = replace(podium.compare(six(), "mixed-tukey"), higher_is_better=higher)
    means = list(comparisons.means.values())
    low, high = min(means), max(means)
    room = 0.03 * (high - low)
    ends = (low - room, high + room)
    assert critical_difference_data(comparisons).limits == pytest.approx(
        ends[::-1] if higher else ends
    )


def test_bars_share_the_first_level_where_they_do_not_meet_and_reach_a_bit_beyond_their_ends() -> (
    None
):
    comparisons = podium.compare(six(), "mixed-tukey")
    names = sorted(comparisons.algorithms, key=comparisons.means.__getitem__)
    better = np.triu(np.ones((6, 6), bool), 1)
    better[0, 1] = better[2, 3] = better[3, 4] = better[4, 5] = False
    data = critical_difference_data(comparisons, order=Order(tuple(names), better))
    found = [(set(rows["algorithm"]), y) for (_, y), rows in data.members.groupby(["bar", "y"])]
    levels = {frozenset(who): y for who, y in found}
    pairs = [frozenset(names[i : i + 2]) for i in (0, 2, 3, 4)]
    assert set(levels) == set(pairs)
    # the third alone meets others, at both of its ends
    assert [levels[pair] for pair in pairs] == pytest.approx([0.8, 0.8, 1.35, 0.8])
    over = 0.008 * (data.limits[1] - data.limits[0])
    spans = data.bars.groupby("bar").agg({"start": "min", "end": "max"})
    members = data.members.groupby("bar")["position"]
    assert spans["start"].to_numpy() == pytest.approx(members.min().to_numpy() - over)
    assert spans["end"].to_numpy() == pytest.approx(members.max().to_numpy() + over)


def test_a_dot_is_in_its_algorithm_s_column_also_where_three_change_their_places() -> None:
    # by mean rank c, a, b: neither this nor the way back is an exchange of two
    data = bench_data(wide([[0.2, 0.3, 0.1], [0.25, 0.35, 0.15]], ["a", "b", "c"]))
    assert list(data.counts.index) == ["c", "a", "b"]
    column = {"c": 0, "a": 1, "b": 2}
    for row in data.dots.itertuples():
        assert row.x == pytest.approx(row.place - 0.5 + (column[row.algorithm] + 0.5) / 3)


def test_means_over_fewer_samples_are_counted_within_data_sets() -> None:
    rows = [
        (d, s, a, 0.1 * s) for d, n in (("d", 3), ("e", 5)) for s in range(1, n + 1) for a in "ab"
    ]
    for lost, said in (
        ([], []),
        ([0], ["Of 4 means 1 is over fewer samples than others on the same data set."]),
        ([0, -1], ["Of 4 means 2 are over fewer samples than others on the same data set."]),
    ):
        frame = pd.DataFrame(rows, columns=["dataset", "sample", "algorithm", "error"])
        results = read(frame.drop(frame.index[lost]))
        assert sentences(uneven(results, over_datasets(results, None, "This"))) == said


def test_ties_are_relative_and_within_rounding() -> None:
    first, second = pd.Series([0.1 + 0.2, 1e-9, 3e9]), pd.Series([0.3, 1.001e-9, 3e9 + 1])
    assert equal_but_for_rounding(first, second).tolist() == [True, False, False]


@pytest.mark.parametrize("ratio", [None, True])
def test_a_profile_at_tau_is_the_share_of_problems_within_it_counted_one_by_one(
    ratio: bool | None,
) -> None:
    values = errors(12, 3) + 0.01
    values[3, 1] = np.nan
    data = profiles_data(wide(values, list("abc")), ratio=ratio)
    best = np.nanmin(values, axis=1, keepdims=True)
    behind = values / best if ratio else values - best
    for name, column in zip("abc", behind.T, strict=True):
        steps = data.table[data.table["algorithm"] == name]
        assert steps["tau"].iloc[0] == (1 if ratio else 0)
        for tau, share in zip(steps["tau"], steps["share"], strict=True):
            assert share == pytest.approx((column <= tau).sum() / 12)
    start, last = float(bool(ratio)), np.nanmax(behind)
    assert data.limit == pytest.approx(last + (last - start) / 20)
    assert any(text.endswith("never within τ: 1.") for text in sentences(data.notes))


def test_where_all_are_always_the_best_an_axis_of_profiles_still_has_a_length() -> None:
    alike = wide(np.full((5, 2), 0.25), ["a", "b"])
    assert [profiles_data(alike, ratio=ratio).limit for ratio in (False, True)] == [1.0, 2.0]


def test_the_level_of_rank_intervals_is_told_in_percent() -> None:
    told = sentences(rank_stability_data(podium.stability(six(), resamples=100, orders=2)).notes)[0]
    assert "; lines: 95 % rank intervals;" in told
