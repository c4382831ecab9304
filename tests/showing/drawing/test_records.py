"""What is of the wrong kind is refused in one sentence that says where the right kind is from."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import pandas as pd
import pytest
from orders_made import four
from results_made import compared, several, six

import podium
from podium import PodiumError, plots
from podium.errors import ResultsError
from podium.showing.drawing.records import SOURCES

OTHERS = {
    "intervals": "comparisons, from podium.compare",
    "matrix": "comparisons, from podium.compare",
    "critical_difference": "comparisons, from podium.compare",
    "critical_difference_tikz": "comparisons, from podium.compare",
    "looks": "comparisons, from podium.compare",
    "hasse": "an order, from podium.decide",
    "rank_stability": "a stability, from podium.stability",
    "survey": "orders of data sets, from podium.by_dataset",
    "survey_graph": "orders of data sets, from podium.by_dataset",
    "forest": "studies taken together, from podium.meta",
    "funnel": "studies taken together, from podium.meta",
    "board": "comparisons, from podium.compare",
    "simplex": "comparisons, from podium.compare",
    "effects": "effects of factors, from podium.factors.effects",
    "interaction": "effects of factors, from podium.factors.effects",
    "front": "a front, from podium.fronts.front",
    "dendrogram": "orders of data sets, from podium.by_dataset",
}
NOT_OF_STUDIES = {"power_curve", "sample_size_curve", "qq", "styles"}
MORE = {"score_scatter": ("svm", "lda")}


@pytest.mark.parametrize("name", sorted(set(plots.__all__) - NOT_OF_STUDIES))
def test_every_plot_says_what_it_shows_and_what_it_was_given(name: str) -> None:
    open_before = plt.get_fignums()
    wanted = OTHERS.get(name, "results, from podium.read(file or table) or podium.run(study)")
    given: dict[str, Any] = {
        "the text or path 'scores.csv'": "scores.csv",
        "the text or path 'study.db'": Path("study.db"),
        "a DataFrame": pd.DataFrame({"svm": [0.1]}),
        "None": None,
        "a list": [six()],
    }
    for told, what in given.items():
        with pytest.raises(ResultsError) as refused:
            getattr(plots, name)(what, *MORE.get(name, ()))
        said = str(refused.value)
        assert said.startswith(f"This plot shows {wanted}")
        assert said.endswith(f", not {told}.")
        assert said.count(". ") == 0
    assert plt.get_fignums() == open_before


def test_results_comparisons_and_orders_are_told_apart() -> None:
    made = compared(six())
    for plot, what, told in (
        (plots.boxes, made, "not comparisons"),
        (plots.intervals, six(), "not results"),
        (plots.hasse, made, "not comparisons"),
        (plots.intervals, podium.decide(made), "not an order"),
    ):
        with pytest.raises(ResultsError, match=told):
            plot(what)
    with pytest.raises(ResultsError, match=r"shows results.* not the text or path 'x\.csv'"):
        plots.matrix(made, "x.csv")


def test_sources_are_names_of_podium() -> None:
    for _, said in SOURCES.values():
        calls = [word.split("(")[0] for word in said.split() if word.startswith("podium.")]
        assert calls
        assert all(attrgetter(call.removeprefix("podium."))(podium) for call in calls)


def test_axes_that_are_none_are_refused() -> None:
    figure, axes = plt.subplots(2, 2)
    for ax, told in (("x", "a str"), (figure, "a Figure"), (axes, "a ndarray")):
        with pytest.raises(ResultsError, match=rf"ax is the axes to draw on.*not {told}"):
            plots.boxes(six(), ax=ax)
    plt.close(figure)


def test_styles_are_of_names() -> None:
    for wrong in ("svm", None, six()):
        with pytest.raises(PodiumError, match=r"a list of names, as results\.algorithms"):
            plots.styles(wrong)


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: plots.dots(six(), jitter=True, seed=-1), "seed is a whole number from 0 on"),
        (lambda: plots.survey_graph(four(), seed="x"), "seed is a whole number from 0 on"),
        (lambda: plots.histograms(six(), bins={}), "number of bins .* not {}"),
        (lambda: plots.full_bench(six(), alpha="x"), "alpha lies above 0 and up to 1, not 'x'"),
        (lambda: plots.qq([1, 2], "norm", level="x"), "between 0 and 1, not 'x'"),
        (lambda: plots.survey(four(), limits=5), "two numbers, the smaller first, not 5"),
        (lambda: plots.survey(four(), limits=("a", 1)), "two numbers, the smaller first"),
        (lambda: plots.differences(several(), 5), "no pair to show in 5"),
        (lambda: plots.differences(several(), [5]), "two different algorithms, not 5"),
        (lambda: plots.pareto(six(), measures=5), "two different measures, .* not 5"),
        (lambda: plots.critical_difference(compared(six()), order="a ≻ b"), "shows an order"),
        (lambda: plots.trellis(several(), columns="3"), "columns from 1 on, not '3'"),
        (lambda: plots.trellis(several(), columns=float("nan")), "columns from 1 on, not nan"),
        (lambda: plots.trellis(several(), shared=5), "or nothing, '', not 5"),
        (
            lambda: plots.sample_size_curve(difference=1, sd=1, power=0.8, powers="x"),
            "at least one power, .* not 'x'",
        ),
    ],
)
def test_options_of_the_wrong_kind_are_refused_and_open_no_figure(
    call: Callable[[], object], told: str
) -> None:
    before = plt.get_fignums()
    with pytest.raises(PodiumError, match=told):
        call()
    assert plt.get_fignums() == before
