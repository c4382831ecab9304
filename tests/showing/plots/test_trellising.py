from __future__ import annotations

from dataclasses import replace
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest
from results_made import fifty, long_names, several, survey, two
from snapshots import assert_snapshot

from podium.errors import ResultsError
from podium.showing.plots import (
    PLOTS,
    behind,
    bench,
    boxes,
    critical_difference,
    densities,
    full_bench,
    styles,
    summary,
    trellis,
)
from podium.showing.plots.of_scores.differences_plots import LISTED
from podium.testing import check_figure

behind_data = PLOTS["behind"].data
draw_trellis = PLOTS["trellis"].draw
trellis_data = PLOTS["trellis"].data


@pytest.fixture(autouse=True)
def _closed() -> Any:
    yield
    plt.close("all")


def without_sonar() -> Any:
    """Of one data set all scores are missing, of another those of one sample."""
    results = several()
    scores = results.scores.copy()
    gone = (scores["dataset"] == "sonar") | (
        (scores["dataset"] == "monks2") & (scores["sample"] == 3) & (scores["algorithm"] == "lda")
    )
    scores.loc[gone, "value"] = np.nan
    return replace(results, scores=scores)


def texts(figure: Any) -> str:
    said = [t for ax in figure.axes for t in ax.texts]
    below = figure.get_supxlabel()
    return " ".join([*" ".join(t.get_text() for t in said).split(), *below.split()])


@pytest.mark.parametrize("count", [1, 2, 7, 20, 100])
def test_every_data_set_has_a_place_of_its_own(count: int) -> None:
    data = trellis_data(survey(count, 2))
    assert data.panels["dataset"].tolist() == [f"data {j}" for j in range(1, count + 1)]
    assert not data.panels[["row", "column"]].duplicated().any()
    assert data.panels["row"].max() + 1 == data.rows
    assert data.panels["column"].max() + 1 == data.columns
    assert (data.rows - 1) * data.columns < count <= data.rows * data.columns
    assert data.columns <= 2 * data.rows


def test_the_laws_are_kept_with_gaps_and_a_data_set_without_scores() -> None:
    check_figure(trellis, without_sonar().filter(dataset=["monks2", "sonar"]), plot=densities)


def test_odd_names_keep_the_laws_with_one_data_set() -> None:
    check_figure(trellis, long_names(), plot=summary)


def test_panels_have_the_names_of_their_data_sets_and_their_own_scores() -> None:
    figure = trellis(several(), sort=False)
    assert [ax.get_title() for ax in figure.axes] == several().datasets
    for ax in figure.axes:
        names = [t.get_text() for t in ax.get_yticklabels()]  # once per row of panels
        first = ax.get_subplotspec().is_first_col()
        assert names == (several().algorithms if first else [])
        low, high = ax.get_xlim()
        scores = several().filter(dataset=ax.get_title()).scores["value"]
        assert low < scores.min() < scores.max() < high


def test_a_data_set_that_cannot_be_drawn_says_so_in_its_panel() -> None:
    figure = trellis(without_sonar())
    assert "There is no score of 'error' to show on sonar." in texts(figure)
    assert "monks2: 1 score is missing and not shown." in texts(figure)


def test_where_no_panel_can_be_drawn_the_figure_is_refused() -> None:
    with pytest.raises(ResultsError, match="'nope' is not a measure of these results"):
        trellis(several(), measure="nope")
    assert not plt.get_fignums()


def test_panels_share_one_legend() -> None:
    figure = trellis(several(), bench)
    assert not any(ax.get_legend() for ax in figure.axes)
    (legend,) = figure.legends
    assert {text.get_text() for text in legend.get_texts()} == set(several().algorithms)
    looks = {
        t.get_text(): h for t, h in zip(legend.get_texts(), legend.legend_handles, strict=True)
    }
    wanted = styles(several().algorithms)
    assert {name: (h.get_color(), h.get_marker()) for name, h in looks.items()} == wanted


def test_a_data_set_is_named_once_where_panels_have_parts() -> None:
    for ax in trellis(several(), bench).axes:
        titles = [one.get_title() for one in (ax, *ax.child_axes)]
        assert titles[0] in several().datasets
        assert set(titles[1:]) == {""}


def test_the_legend_of_fifty_algorithms_is_within_the_figure_and_leaves_panels_their_room() -> None:
    figure = trellis(fifty(), full_bench)
    figure.canvas.draw()
    (legend,) = figure.legends
    assert legend.get_window_extent().y0 > 0
    assert figure.axes[0].get_window_extent().width > 1.5 * figure.dpi


def test_panels_are_wider_where_names_are_long() -> None:
    assert trellis_data(long_names()).width > trellis_data(several()).width + 0.5


def test_a_remark_of_all_panels_is_said_once() -> None:
    said = texts(trellis(several(), summary))
    assert said.count("overlap is no test") == 1
    assert "monks1" not in said


def test_shared_axes_have_one_range_that_holds_all() -> None:
    own, shared = trellis(several(), shared=""), trellis(several())
    ranges = np.array([ax.get_xlim() for ax in own.axes])
    common = np.array([ax.get_xlim() for ax in shared.axes])
    assert len(np.unique(ranges, axis=0)) == 4
    np.testing.assert_allclose(common, [[ranges.min(), ranges.max()]] * 4)
    both = trellis(several(), shared="xy")
    assert all(ax.get_ylim() == own.axes[0].get_ylim() for ax in both.axes)
    parts = [ax.child_axes for ax in trellis(several(), bench, shared="y").axes]
    for alike in zip(*parts, strict=True):  # dots, then bars
        assert len({part.get_ylim() for part in alike}) == 1


def test_wrong_requests_are_refused() -> None:
    with pytest.raises(ResultsError, match="whole number of columns from 1 on, not 0"):
        trellis(two(), columns=0)
    with pytest.raises(ResultsError, match="'x', 'y', 'xy' or nothing, '', not 'z'"):
        trellis(two(), shared="z")
    for plot in ("boxes", critical_difference, 3):
        with pytest.raises(ResultsError, match="repeats a plot of one data set"):
            trellis(two(), plot)
    with pytest.raises(TypeError):  # a mistake of the caller, not of a data set
        trellis(two(), colour="red")


def test_trellis_snapshot() -> None:
    assert_snapshot("trellis", trellis_data(survey(7, 3), columns=3).panels)


def test_panels_may_be_drawn_on_a_part_of_a_figure() -> None:
    part = plt.figure(layout="constrained").subfigures(1, 2)[0]
    results = several()
    draw_trellis(trellis_data(results), part)
    assert [ax.get_title() for ax in part.axes] == results.datasets


def test_names_of_very_many_rows_are_plain_texts_where_those_of_ticks_would_be() -> None:
    figure = trellis(survey(60, 10), boxes, sort=False)
    first, *_, last = (ax for ax in figure.axes if ax.get_subplotspec().is_first_col())
    named = [label.get_text() for label in first.get_yticklabels()]
    assert [text.get_text() for text in last.texts] == named
    assert not last.get_yticks().size
    figure.canvas.draw()
    ticks, texts = first.get_yticklabels(), last.texts
    for tick, text in zip(ticks, texts, strict=True):
        assert text.get_fontsize() == pytest.approx(tick.get_fontsize())
        beside = [
            (box.x1 - ax.bbox.x0, (box.y0 - ax.bbox.y0) / ax.bbox.height)
            for ax, box in ((first, tick.get_window_extent()), (last, text.get_window_extent()))
        ]
        assert beside[0] == pytest.approx(beside[1], abs=1.0)


def test_of_many_algorithms_the_first_have_rows_and_the_others_are_ticks() -> None:
    results = survey(4, 12)
    figure = trellis(results)
    for ax in figure.axes:
        named = [label.get_text() for label in ax.get_yticklabels()]
        assert named in ([], [*trellis_data(results).order[:LISTED], "5 others"])
    assert figure.axes[0].get_yticklabels()


@pytest.mark.parametrize("higher", [False, True])
def test_gaps_are_those_of_means_to_the_best_mean(higher: bool) -> None:
    results = survey(3, 12)
    name = results.datasets[1]
    measure = replace(results.measure("error"), higher_is_better=higher)
    results = replace(results, measures={**results.measures, "error": measure})
    wide = results.wide("error")
    means = wide[wide["dataset"] == name][results.algorithms].mean()
    best = means.max() if higher else means.min()
    data = behind_data(results, dataset=name)
    every = dict(zip(data.table["algorithm"], data.table["gap"], strict=True))
    every |= dict(zip(data.others["algorithm"], data.others["gap"], strict=True))
    assert every == pytest.approx((means - best).abs().to_dict())
    assert means[data.best] == data.best_mean == best
    assert set(data.others["row"]) == {LISTED}


def test_one_more_than_listed_has_a_row_too() -> None:
    assert behind_data(survey(2, LISTED + 1), dataset=None).others.empty
    with pytest.raises(ResultsError, match="listed is a whole number from 1 on, not 0"):
        behind(two(), listed=0)
