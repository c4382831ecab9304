from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from results_made import compared, constant, fifty, long_names, six, ties, two
from snapshots import assert_snapshot
from told import sentences

import podium
from podium.errors import InferenceError
from podium.showing.plots import PLOTS, intervals
from podium.testing import check_plot

intervals_data = PLOTS["intervals"].data


def test_intervals_are_those_of_the_comparisons_best_first() -> None:
    comparisons = podium.compare(six(), "mixed-tukey", relevance=0.01)
    data = intervals_data(comparisons)
    assert data.table["first"].tolist()[:5] == ["svm"] * 5
    assert data.table["y"].tolist() == [-float(i) for i in range(15)]
    own = comparisons.table.set_index(["first", "second"])
    for row in data.table.to_dict("records"):
        kept = own.loc[(row["second"], row["first"])]  # the study has the worst first
        assert [row["estimate"], row["start"], row["end"]] == pytest.approx(
            [-kept["estimate"], -kept["upper"], -kept["lower"]]
        )
    assert data.margin == 0.01
    assert "left of zero: the first is better" in data.label
    assert not sentences(data.notes)


def test_kept_intervals() -> None:
    assert_snapshot("intervals", intervals_data(podium.compare(six(), "mixed-tukey")).table)


def test_fifty_algorithms_show_the_pairs_with_the_best_and_say_so() -> None:
    data = intervals_data(compared(fifty(), "mixed-tukey"))
    best = min((c := compared(fifty(), "mixed-tukey")).means, key=c.means.__getitem__)
    assert set(data.table["first"]) == {best}
    assert len(data.table) == 49
    assert sentences(data.notes) == [
        f"Of 1225 pairs only those with the best algorithm, {best}, are shown."
    ]


def test_without_intervals_only_points_are_shown_and_that_is_said() -> None:
    data = intervals_data(podium.compare(six(), "wilcoxon"))
    assert data.table["start"].isna().all()
    assert data.table["estimate"].notna().all()
    assert sentences(data.notes) == [
        "This procedure has no simultaneous intervals: only the differences are shown."
    ]


def test_a_one_sided_interval_is_open_and_the_control_stays_second() -> None:
    data = intervals_data(
        podium.compare(six(), "mixed-dunnett", control="rpart", alternative="greater")
    )
    assert set(data.table["second"]) == {"rpart"}
    assert data.table["open_end"].all()
    assert not data.table["open_start"].any()
    assert (data.table["end"] == data.limits[1]).all()
    assert (data.table["end"] > data.table["estimate"]).all()


def test_one_pair_is_shown_best_first_as_tables_do_and_has_no_simultaneous_intervals() -> None:
    found = compared(two(), "paired-t")
    for turn in (1, -1):
        data = intervals_data(found.best_first(found.algorithms[::turn]))
        assert data.table[["first", "second", "verdict"]].to_numpy().tolist() == [
            ["svm", "rpart", "better"]
        ]
        assert data.title.endswith("95 % interval)")


def test_higher_is_better_turns_the_label() -> None:
    comparisons = replace(podium.compare(two(), "paired-t"), higher_is_better=True)
    assert "right of zero: the first is better" in intervals_data(comparisons).label


def test_a_contrast_of_several_algorithms_keeps_its_name() -> None:
    contrasts = {"new": {"svm": 1, "lda": -0.5, "knn": -0.5}}
    data = intervals_data(podium.compare(six(), "mixed-tukey", contrasts=contrasts))
    assert data.table[["first", "second"]].to_numpy().tolist() == [["new", ""]]


def test_one_algorithm_has_nothing_to_draw() -> None:
    with pytest.raises(InferenceError, match="hold no pair to draw"):
        intervals(podium.verdicts.score_interval(six().filter(algorithm="svm")))


CASES = [long_names, *(pytest.param(r, marks=pytest.mark.long) for r in (two, ties, constant))]


@pytest.mark.parametrize("results", CASES)
def test_intervals_keep_the_laws_of_plots(results: object) -> None:
    check_plot(intervals, compared(results(), relevance=0.01))


def test_verdicts_of_all_kinds_are_drawn() -> None:
    comparisons = podium.compare(six(), "mixed-tukey", relevance=0.01)
    words = np.resize(
        ["better", "worse", "equivalent", "undecided", "non-inferior", "non-superior"], 15
    )
    check_plot(intervals, replace(comparisons, table=comparisons.table.assign(verdict=words)))


@pytest.mark.parametrize("higher", [True, False])
def test_differences_of_ranks_are_called_so_and_lie_left_where_the_first_is_better(higher):
    draw = np.random.default_rng(1)
    names = [f"d{i}" for i in range(12)]
    skill = 0.05 * np.arange(3) * (-1 if higher else 1)
    values = draw.uniform(0.3, 0.6, (12, 1)) + skill + draw.normal(0, 0.01, (12, 3))
    table = pd.DataFrame(values, columns=["a", "b", "c"])
    table.insert(0, "dataset", names)
    c = podium.compare(podium.read(table, measure="score", higher_is_better=higher))
    data = intervals_data(c)
    assert data.label == "difference in mean rank (left of zero: the first is better)"
    better = data.table[data.table["verdict"] == "better"]
    assert len(better) == 3
    assert (better["estimate"] < 0).all()
