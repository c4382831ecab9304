"""What plots say of scores that are not there, and that an algorithm looks the same everywhere."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from matplotlib.figure import Figure
from results_made import compared, errors, several, survey, wide
from told import sentences

import podium
from podium import Note, Results, plots
from podium.showing.drawing.canvas import remark
from podium.showing.drawing.shown_scores import scores_of
from podium.showing.plots import PLOTS, styles
from podium.showing.plots.words import listed

bench_data = PLOTS["bench"].data
profiles_data = PLOTS["profiles"].data
dataset_heat_data = PLOTS["dataset_heat"].data
score_scatter_data = PLOTS["score_scatter"].data


def holed(*gaps: tuple[int, int]) -> Results:
    """Ten samples of three algorithms without the scores in these rows and columns."""
    values = errors(10, 3)
    for gap in gaps:
        values[gap] = np.nan
    return wide(values, ["svm", "rpart", "knn"])


def silent(dataset: str) -> Results:
    """Several data sets, one without any score."""
    results = several()
    scores = results.scores
    return replace(results, scores=scores[(scores["dataset"] != dataset).to_numpy()])


def test_one_gap_is_in_the_singular() -> None:
    assert sentences(scores_of(holed((3, 1))).notes) == ["1 score is missing and not shown."]
    assert sentences(scores_of(holed((3, 1), (4, 0))).notes) == [
        "2 scores are missing and not shown."
    ]
    assert sentences(scores_of(holed()).notes) == []


def test_samples_without_any_score_are_said() -> None:
    results = holed((3, slice(None)), (8, slice(None)))
    said = "Without any score: samples 4, 9."
    assert sentences(scores_of(results).notes) == [said]
    assert sentences(bench_data(results).notes) == [said]
    assert sentences(profiles_data(results).notes) == [said]
    one = scores_of(holed((3, slice(None))))
    assert sentences(one.notes) == ["Without any score: sample 4."]


def test_data_sets_without_any_score_are_said_once() -> None:
    results, said = silent("sonar"), "Without any score: data set sonar."
    assert sentences(scores_of(results).notes) == [said]
    assert sentences(dataset_heat_data(results).notes) == [said]
    assert sentences(score_scatter_data(results, "svm", "knn").notes) == [said]


def test_long_names_and_lists_are_shortened() -> None:
    assert listed(["a" * 50 + "z" * 30]) == "a" * 14 + "…" + "z" * 13
    assert listed(list("abcdefg")) == "a, b, c, d, e and 2 more"


def drawn_with(ax: object) -> dict[str, str]:
    """The colours of algorithms in a legend."""
    legend = ax.get_legend()
    handles = zip(legend.get_texts(), legend.legend_handles, strict=True)
    return {text.get_text().removesuffix(" wins"): h.get_color() for text, h in handles}


def test_an_algorithm_has_its_colour_in_plots_of_all_kinds() -> None:
    results = survey(12, 5)
    wanted = {name: style.colour for name, style in styles(results.algorithms).items()}
    made = compared(results)
    each = podium.by_dataset(several())
    assert drawn_with(plots.bench(results, ax=axes())) == wanted
    assert drawn_with(plots.profiles(results, ax=axes())) == wanted
    for ax in (
        plots.critical_difference(made, ax=axes()),
        plots.hasse(podium.decide(made), ax=axes()),
        plots.rank_stability(podium.stability(results, resamples=100, orders=5, seed=1), ax=axes()),
    ):
        marks = {
            line.get_color() for line in ax.lines if line.get_marker() not in ("None", "o", "|")
        }
        assert marks <= set(wanted.values())
        assert len(marks) == 4  # but for the circle, which has the first colour
    graph = drawn_with(plots.survey_graph(each, ax=axes()))
    known = {name: style.colour for name, style in styles(several().algorithms).items()}
    assert graph.items() & known.items()
    assert all(known[name] == colour for name, colour in graph.items() if name in known)


def axes() -> object:
    return Figure(figsize=(6, 5), layout="constrained").add_subplot()


@pytest.mark.parametrize("columns", [1, 2, 3])
def test_a_remark_is_no_wider_than_its_column_of_axes(columns: int) -> None:
    figure = Figure(figsize=(9, 4), layout="constrained")
    ax = figure.add_subplot(1, columns, 1)
    remark(ax, [Note("plot-intervals-alone", level=0.95)] * 3)
    figure.draw_without_rendering()
    assert ax.texts[0].get_window_extent().width < figure.bbox.width / columns
