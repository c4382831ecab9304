"""Two measures: the Pareto front, directions, ties and gaps."""

from dataclasses import replace

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from results_made import CASES, gaps, six, timed, two
from snapshots import assert_snapshot
from told import sentences

import podium
from podium.core.orders import pareto as pareto_order
from podium.errors import ResultsError
from podium.showing.plots import PLOTS, pareto
from podium.testing import check_plot

pareto_data = PLOTS["pareto"].data

# the others take long: every check renders four times
CHECKED = [
    pytest.param(case, marks=() if case in ("long names", "gaps") else pytest.mark.long)
    for case in CASES
]


def measured(
    first: dict[str, list[float]], second: dict[str, list[float]], names=("error", "brier")
):
    """Results of two measures, each algorithm: scores by sample."""
    rows = [
        {"dataset": "d", "algorithm": a, "sample": b + 1, names[0]: value, names[1]: second[a][b]}
        for a, values in first.items()
        for b, value in enumerate(values)
    ]
    return podium.read(pd.DataFrame(rows), sampling="bootstrap")


def constant(points: dict[str, tuple[float, float]], names=("error", "brier")):
    first = {a: [x, x] for a, (x, _) in points.items()}
    return measured(first, {a: [y, y] for a, (_, y) in points.items()}, names)


def front(data) -> set[str]:
    return set(data.table.loc[data.table["front"], "algorithm"])


def test_the_front_and_its_steps_worked_by_hand():
    points = {"a": (0.3, 0.1), "b": (0.2, 0.2), "c": (0.1, 0.4), "d": (0.25, 0.3), "e": (0.3, 0.2)}
    data = pareto_data(constant(points))
    assert front(data) == {"a", "b", "c"}
    steps = [[0.1, 0.4], [0.2, 0.4], [0.2, 0.2], [0.3, 0.2], [0.3, 0.1]]
    assert data.steps.to_numpy() == pytest.approx(np.array(steps))


def test_algorithms_with_the_same_means_are_on_the_front_together():
    same = {"a": (0.1, 0.2), "b": (0.1, 0.2), "c": (0.1, 0.3), "d": (0.2, 0.2)}
    data = pareto_data(constant(same))
    assert front(data) == {"a", "b"}
    assert len(data.steps.drop_duplicates()) == 1


@pytest.mark.parametrize("names", [("error", "brier"), ("accuracy", "brier"), ("accuracy", "auc")])
def test_the_front_is_the_winners_of_paretos_order_whatever_the_directions(names):
    rng = np.random.default_rng(6)
    points = {f"a{i}": tuple(rng.integers(1, 9, 2) / 10) for i in range(20)}
    results = constant(points, names)
    data = pareto_data(results)
    orders = []
    for place, name in enumerate(names):
        means = {a: point[place] for a, point in points.items()}
        best = sorted(set(means.values()), reverse=results.measure(name).higher_is_better)
        layers = [" ≈ ".join(a for a in means if means[a] == value) for value in best]
        orders.append(" ≻ ".join(layers))
    assert front(data) == set(pareto_order(*orders).winners)
    shown = data.table[data.table["front"]]
    corners = set(map(tuple, data.steps.to_numpy()))
    assert set(zip(shown["x"], shown["y"], strict=True)) <= corners


def test_means_and_standard_errors_are_over_samples_with_all_scores():
    results = measured(
        {"a": [0.1, 0.2, np.nan, 0.6], "b": [0.3, 0.1, 0.1, 0.2]},
        {"a": [1.0, 1.1, 1.2, 1.3], "b": [0.2, np.nan, 0.4, 0.6]},
    )
    data = pareto_data(results)
    assert data.table["x"].tolist() == pytest.approx([0.35, 0.25])  # samples 1 and 4
    assert data.table["x_se"].tolist() == pytest.approx([0.25, 0.05])
    assert sentences(data.notes) == [
        "Samples left out as some algorithm lacks a score: 2 of 4.",
        "Bars: ± one standard error over 2 samples.",
    ]


def test_without_measures_it_is_the_first_and_the_time():
    data = pareto_data(timed())
    assert data.labels == ("error (lower is better)", "time (lower is better)")
    assert data.logarithmic == (False, False)
    assert pareto_data(timed(ratio=3.0)).logarithmic == (False, True)
    assert pareto_data(constant({"a": (0.1, 0.2)})).labels[1].startswith("brier")


def test_what_makes_no_sense_is_refused_in_one_sentence():
    with pytest.raises(ResultsError, match=r"needs two measures; .* has one and no times"):
        pareto_data(six())
    for wrong in ("error", ("error",), ("error", "error")):
        with pytest.raises(ResultsError, match="is between two different measures"):
            pareto_data(timed(), measures=wrong)
    with pytest.raises(ResultsError, match="no score of 'time' to show"):
        pareto_data(two(), measures=("error", "time"))
    untimed = timed()
    runs = untimed.runs.assign(
        fit_time=untimed.runs["fit_time"].where(untimed.runs["algorithm"] != "lda")
    )
    data = pareto_data(replace(untimed, runs=runs))
    assert "No scores: lda." in sentences(data.notes)


def test_the_tables_are_as_kept():
    data = pareto_data(timed(gaps()))
    assert_snapshot("pareto", data.table)
    assert_snapshot("pareto_steps", data.steps)


@pytest.mark.parametrize("case", CHECKED)
def test_pareto_keeps_the_laws_of_plots(case):
    check_plot(pareto, timed(CASES[case]()))


def test_a_dominated_point_is_white_inside_and_its_bars_are_behind_it():
    ax = pareto(timed(six()))
    points = [line for line in ax.lines if line.get_marker() != "None"]
    front = pareto_data(timed(six())).table["front"].tolist()
    assert [str(line.get_markerfacecolor()) == "white" for line in points] == [not f for f in front]
    assert min(line.get_zorder() for line in points) > max(c.get_zorder() for c in ax.collections)
    plt.close(ax.figure)


def test_times_stand_as_plain_numbers_on_a_log_axis():
    ax = pareto(timed(six(), ratio=1.7))
    ax.figure.draw_without_rendering()
    low, high = ax.get_ylim()
    shown = {
        t.get_text()
        for t, y in zip(ax.get_yticklabels(), ax.get_yticks(), strict=True)
        if low < y < high
    }
    assert ax.get_yscale() == "log"
    assert {"0.05", "0.1", "0.2"} <= shown
    assert not any("$" in text for text in shown)
    plt.close(ax.figure)
