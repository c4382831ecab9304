"""Plots with one row per algorithm: they keep the laws, whatever the results."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import pandas as pd
import pytest
from matplotlib.figure import Figure
from results_made import CASES, gaps, long_names, read, several, timed, two
from snapshots import assert_snapshot

from podium.errors import ResultsError
from podium.showing.drawing.shown_scores import Rows, best_first, rows_of, scores_of, segments_of
from podium.showing.plots import boxes, densities, dots, histograms, styles, summary, times, violins
from podium.testing import check_plot

PLOTS: dict[str, Callable[..., Any]] = {
    "summary": summary,
    "dots": dots,
    "jittered dots": partial(dots, jitter=True, lines=True),
    "boxes": boxes,
    "violins": violins,
    "histograms": histograms,
    "densities": densities,
    "times": lambda results, **options: times(timed(results), **options),
}


@pytest.mark.parametrize("plot", PLOTS.values(), ids=list(PLOTS))
def test_the_laws_are_kept_with_odd_names(plot: Callable[..., Any]) -> None:
    check_plot(plot, long_names())


@pytest.mark.parametrize("plot", PLOTS.values(), ids=list(PLOTS))
def test_hard_cases_are_drawn_without_a_warning_with_all_their_names(
    plot: Callable[..., Any],
) -> None:
    for name in ("two", "gaps", "ties", "one sample", "constant"):
        results = CASES[name]()
        ax = Figure(figsize=(5, 4)).add_subplot()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            plot(results, ax=ax).figure.draw_without_rendering()
        shown = [label.get_text() for label in ax.get_yticklabels()]
        expected = len(results.algorithms) - (name == "gaps")
        assert len(set(shown)) == len(shown) == expected, name


@pytest.mark.long
@pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))
@pytest.mark.parametrize("plot", PLOTS.values(), ids=list(PLOTS))
def test_the_laws_are_kept_in_every_case(plot: Callable[..., Any], case: Callable[[], Any]) -> None:
    check_plot(plot, case())


@pytest.mark.parametrize("plot", PLOTS.values(), ids=list(PLOTS))
def test_what_is_not_shown_is_said(plot: Callable[..., Any]) -> None:
    said = " ".join(" ".join(text.get_text().split()) for text in drawn(plot, gaps()).texts)
    assert "none." in said
    assert "3 " in said
    assert "missing and not shown" in said


@pytest.mark.parametrize("plot", PLOTS.values(), ids=list(PLOTS))
def test_unknown_data_sets_and_results_without_scores_are_refused(plot: Callable[..., Any]) -> None:
    with pytest.raises(ResultsError, match=r"sonra.*Did you mean 'sonar'"):
        plot(several(), dataset="sonra")
    nothing = read(pd.DataFrame({"sample": [1, 2], "a": [None, None], "b": [None, None]}))
    with pytest.raises(ResultsError, match=r"no score of|have no times"):
        plot(nothing)


def drawn(plot: Callable[..., Any], results: Any, **options: Any) -> Any:
    return plot(results, ax=Figure().add_subplot(), **options)


def test_rows_are_best_first_in_either_direction_and_ties_as_in_the_study() -> None:
    table = pd.DataFrame({"sample": [1, 2], "c": [0.5, 0.75], "a": [0.25, 1], "b": [0.1, 0.2]})
    assert best_first(scores_of(read(table))) == ["b", "c", "a"]
    assert best_first(scores_of(read(table, measure="accuracy"))) == ["c", "a", "b"]
    assert rows_of(scores_of(read(table)), sort=False).names == ["c", "a", "b"]


def test_a_row_has_the_colour_of_its_algorithm_wherever_it_is() -> None:
    rows = Rows(["c", "a"], ["a", "b", "c"], "error")
    every = styles(["a", "b", "c"])
    assert rows.styles == [every["c"], every["a"]]
    assert rows.colours == [every["c"].colour, every["a"].colour]


def test_segments_join_neighbouring_rows_of_a_block_and_end_at_gaps() -> None:
    dots = pd.DataFrame(
        {
            "block": ["x", "x", "x", "y", "y", "y"],
            "row": [0, 1, 3, 1, 2, 3],
            "value": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6],
            "height": [0, 1.1, 3, 1, 2, 3],
        }
    )
    segments = segments_of(dots)
    assert segments[["block", "row"]].to_numpy().tolist() == [["x", 0], ["y", 1], ["y", 2]]
    ends = segments.iloc[0][["value", "height", "value_end", "height_end"]].tolist()
    assert ends == [0.1, 0.0, 0.2, 1.1]
    assert segments_of(dots[:0]).empty


def test_more_marks_than_a_page_can_hold_become_pixels(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not any(c.get_rasterized() for c in drawn(dots, two(), lines=True).collections)
    monkeypatch.setattr("podium.showing.plots.of_scores.score_plots.MANY", 20)
    monkeypatch.setattr("podium.showing.drawing.shown_scores.MANY", 20)
    assert all(c.get_rasterized() for c in drawn(dots, two(), lines=True).collections)


def test_rows_snapshot() -> None:
    rows = rows_of(scores_of(gaps()))
    assert_snapshot("rows", pd.DataFrame({"name": rows.names, "colour": rows.colours}))
