"""The heat map of data sets x algorithms, and two algorithms against each other."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import results_made
from orders_made import repeated
from snapshots import assert_snapshot
from told import sentences

import podium
from podium.errors import ResultsError
from podium.showing.plots import PLOTS, dataset_heat, score_scatter
from podium.testing import check_plot

dataset_heat_data = PLOTS["dataset_heat"].data
score_scatter_data = PLOTS["score_scatter"].data

TABLE = pd.DataFrame(
    {
        "dataset": ["w", "x", "y", "z"],
        "a": [0.3, 0.1, 0.3, 0.1],
        "b": [0.1, 0.2, 0.1 + 1e-17, 0.2],
        "c": [0.2, 0.3, 0.1, np.nan],
    }
)


def test_ranks_and_places_by_hand():
    data = dataset_heat_data(podium.read(TABLE, measure="error"))
    assert data.scores.columns.tolist() == ["b", "a", "c"]  # mean ranks 1.625, 2, 13/6
    assert data.mean_ranks.tolist() == pytest.approx([6.5 / 4, 8 / 4, 6.5 / 3])
    assert data.ranks.loc["y"].tolist() == [1.5, 3, 1.5]  # equal but for rounding
    assert np.isnan(data.ranks.loc["z", "c"])
    # x and z rank a before b, w and y do not
    assert {frozenset(data.scores.index[:2]), frozenset(data.scores.index[2:])} == {
        frozenset("xz"),
        frozenset("wy"),
    }
    assert sentences(data.notes) == ["1 score is missing and not shown."]
    assert_snapshot("dataset_heat", data.cells.dropna())


def test_where_higher_is_better_ranks_turn():
    complete = TABLE.drop(columns="c")
    low, high = (
        dataset_heat_data(podium.read(complete, measure=m)).ranks.sort_index()
        for m in ("error", "accuracy")
    )
    assert (low + high[low.columns]).to_numpy() == pytest.approx(3)
    dark = {
        (m, ranks): dataset_heat_data(podium.read(complete, measure=m), ranks=ranks).low_is_better
        for m in ("error", "accuracy")
        for ranks in (True, False)
    }
    assert [name for name, low in dark.items() if not low] == [("accuracy", False)]


def test_ranks_agree_with_those_of_by_dataset():
    results = results_made.several()
    theirs = podium.by_dataset(results).ranks
    ours = dataset_heat_data(results).ranks.loc[theirs.index, theirs.columns]
    assert ours.to_numpy().tolist() == theirs.to_numpy().tolist()


@pytest.mark.parametrize(("measure", "sign"), [("error", 1), ("accuracy", -1)])
def test_wins_ties_and_losses_are_counted_on_the_right_side(measure, sign):
    data = score_scatter_data(podium.read(TABLE, measure=measure), "b", "c")
    assert data.count("b") == (2 if sign > 0 else 0)
    assert data.count("c") == (0 if sign > 0 else 2)
    assert data.count("") == 1
    assert sentences(data.notes) == ["Without both scores and not shown: 1 data set."]
    ax = score_scatter(podium.read(TABLE, measure=measure), "b", "c")
    corner = {t.get_text(): t.get_position() for t in ax.texts}
    above = "b" if sign > 0 else "c"  # where c has more: good for b if these are errors
    assert corner[f"{above} better: {data.count(above)}"][0] < 0.5
    assert_snapshot(f"score_scatter_{measure}", data.table)


def test_what_cannot_be_shown_is_refused():
    results = podium.read(TABLE, measure="error")
    with pytest.raises(ResultsError, match="not 'a' twice"):
        score_scatter_data(results, "a", "a")
    with pytest.raises(ResultsError, match="'d' is not an algorithm"):
        score_scatter_data(results, "a", "d")
    with pytest.raises(ResultsError, match="several data sets"):
        dataset_heat_data(results_made.two())
    apart = pd.DataFrame({"dataset": ["x", "y"], "a": [1, np.nan], "b": [np.nan, 1]})
    with pytest.raises(ResultsError, match="scores of both 'a' and 'b'"):
        score_scatter_data(podium.read(apart, measure="error"), "a", "b")


@pytest.mark.parametrize("case", ["fifty", "long names", "gaps"])
def test_maps_of_ranks_keep_the_laws_of_plots(case):
    check_plot(dataset_heat, repeated(results_made.CASES[case]()))


@pytest.mark.parametrize("case", ["long names", "constant"])
def test_scatter_plots_keep_the_laws_of_plots(case):
    several = repeated(results_made.CASES[case]())
    check_plot(score_scatter, several, *several.algorithms[:2])


def test_maps_of_scores_keep_the_laws_of_plots():
    check_plot(dataset_heat, results_made.several(), ranks=False)


def test_numbers_fit_into_their_cells_beside_long_names():
    names = [f"a data set with a long name {j}" for j in range(9)]
    values = np.random.default_rng(1).uniform(0.1, 0.4, (9, 9))
    frame = pd.DataFrame(values, columns=[f"algorithm {j}" for j in range(9)])
    frame.insert(0, "dataset", names)
    ax = dataset_heat(podium.read(frame, measure="error"), ranks=False)
    ax.figure.canvas.draw()
    cell = ax.get_window_extent().width / 9
    widths = [text.get_window_extent().width for text in ax.texts]
    assert len(widths) == 81
    assert max(widths) < cell
