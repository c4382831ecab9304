"""Eugster, Hothorn & Leisch (2008): the items that can be replicated, with Figures 1 to 15.

eugster2008_data        what the paper prints, and the raw scores, from a folder that the user has
eugster2008_experiment  Table 1, sections 3.1 to 3.3
eugster2008_survey      Table 2, section 4, Appendix A.2
eugster2008_captions    what captions and text say about figures, counted
eugster2008_runs        the experiment and the survey, run anew

Each figure is one call of `podium.plots`. In the experiment a copy of lda stands for naive Bayes,
in Figures 8 to 12 naive Bayes has its printed means, and in Figures 6, 7, 14 and 15, which show
single runs, it is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import podium
from podium import plots
from podium.core.orders.dataset_orders import DatasetOrders
from podium.core.orders.distances import dendrogram as clustered
from podium.showing.plots.of_scores.trellising import draw_trellis, trellis_data
from podium_lab.papers import eugster2008_captions as captions
from podium_lab.papers import eugster2008_experiment as experiment
from podium_lab.papers import eugster2008_runs as runs
from podium_lab.papers import eugster2008_survey as model
from podium_lab.papers.eugster2008_captions import six
from podium_lab.papers.eugster2008_data import label, survey, times
from podium_lab.papers.eugster2008_modes import modes
from podium_lab.papers.eugster2008_survey import dataset_orders, model_of_six
from podium_lab.papers.replication import Asked, Cell, Item, Replication, paper

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas


LIMITS = (0.0, 0.55)  # of the bars: the largest mean error is 0.5005
EXAMPLE = ("I", "L", "T")  # the data sets of Figure 8
Draw = Callable[[Path | None, "Axes"], "Axes"]
Checks = Callable[[Path | None], Iterable[Cell]]


def _nothing(data: Path | None) -> Iterable[Cell]:
    return ()


@dataclass(frozen=True)
class Figure:
    """A figure of the paper: what it is in Podium, and what can be counted in it.

    `parts` draw it, at the size in inches that the plot has by itself; `checks` set what the
    caption or the text says beside what is drawn.
    """

    title: str
    parts: dict[str, Draw]
    size: tuple[float, float]
    note: str
    checks: Checks = _nothing

    def drawn(self, data: Path | None) -> dict[str, Callable[[Axes], Axes]]:
        """Functions that draw the parts on axes, whose figure they give its size."""
        return {name: partial(self._draw, part, data) for name, part in self.parts.items()}

    def _draw(self, part: Draw, data: Path | None, ax: Axes) -> Axes:
        cast("Canvas", ax.figure).set_size_inches(*self.size)
        return part(data, ax)


def _of(face: Callable[..., Axes], what: Callable[[Path | None], Any], **options: Any) -> Draw:
    """A plot of what a reader finds in the folder."""
    return lambda data, ax: face(what(data), ax=ax, **options)


# -- composed ---------------------------------------------------------------------------------


def _trellis(data: Path | None, ax: Axes) -> Axes:
    """Panels in the place of the axes."""
    results = survey(data)
    ax.set_axis_off()
    canvas = cast("Canvas", ax.figure)
    place = ax.get_subplotspec() or canvas.add_gridspec(1, 1)[0]
    part = cast("Canvas", canvas.add_subfigure(place))
    draw_trellis(trellis_data(results, columns=5, sort=False), part)
    return ax


def _example(data: Path | None) -> DatasetOrders:
    """Three data sets, to explain the survey plot by."""
    result = dataset_orders(data)
    names = [label(letter) for letter in EXAMPLE]
    apart = result.distances.loc[names, names]
    return replace(
        result,
        comparisons={name: result.comparisons[name] for name in names},
        orders={name: result.orders[name] for name in names},
        distances=apart,
        dendrogram=clustered(apart.to_numpy(), names),
    )


def _alike(data: Path | None) -> podium.Comparisons:
    return podium.compare(six(data), "mixed-tukey")


FIGURES = {
    "figure1": Figure(
        "Means with 95 % intervals",
        {"figure1": _of(plots.summary, six)},
        (6.4, 2.6),
        "The intervals of svm and rpart overlap, and those of knn and lda, as in the paper; that "
        "intervals overlap is no test. Their limits are those that Table 1 makes: mean ± 1.96 SD / "
        "sqrt(250). Ours names the algorithms, the paper colours them.",
        captions.limits,
    ),
    "figure2": Figure(
        "Dot plot and box plot",
        {"figure2a": _of(plots.dots, six), "figure2b": _of(plots.boxes, six)},
        (6.4, 3.2),
        "Scores run along the abscissa, algorithms are rows, best mean first. The few values that "
        "svm and rpart take (local minima) show as columns of dots; box plots show outliers.",
        captions.medians,
    ),
    "figure3": Figure(
        "Benchmark experiment plot",
        {"figure3": _of(plots.bench, six)},
        (7.2, 5.2),
        "A podium with six places, dots above bars that count. Ties are broken at random, so that "
        "a copy shares its places with lda.",
        captions.podium_places,
    ),
    "figure4": Figure(
        "Full benchmark experiment plot",
        {"figure4": _of(plots.full_bench, six)},
        (7.2, 5.2),
        "The same with a translucent line per sample, each piece in the colour of the algorithm at "
        "the lower place.",
        captions.together,
    ),
    "figure5": Figure(
        "Simultaneous intervals of the mixed model",
        {"figure5": _of(plots.intervals, _alike)},
        (7.5, 4.4),
        "The four intervals with zero are those of the paper: rpart - svm and the three among knn, "
        "lda and naive Bayes.",
        captions.zeros,
    ),
    "figure6": Figure(
        "Mean computation time",
        {"figure6": _of(plots.times, times)},
        (6.4, 2.6),
        "Seconds of the authors' machine, fitting and predicting together, on a logarithmic axis: "
        "the paper's order, without naive Bayes.",
        captions.fastest,
    ),
    "figure7": Figure(
        "Trellis of box plots",
        {"figure7": _trellis},
        (13.5, 8.5),
        "One panel per data set with its own axis of errors; five algorithms.",
        captions.panels,
    ),
    "figure8": Figure(
        "What a survey plot shows",
        {"figure8": _of(plots.survey, _example, limits=LIMITS)},
        (6.4, 4.6),
        "Three data sets instead of a sketch: light cells are places, dark bars mean errors, a "
        "missing black border a difference that is not significant.",
    ),
    "figure9": Figure(
        "Benchmark survey plot",
        {"figure9": _of(plots.survey, dataset_orders, limits=LIMITS)},
        (9.5, 5.4),
        "svm is first 13 times and never worse than third, lda 8 times first, naive Bayes 6 times "
        "first and 9 times last, as the text says. Best places are at the bottom.",
        captions.first_and_last,
    ),
    "figure10": Figure(
        "Dendrogram of the data sets",
        {"figure10": _of(plots.dendrogram, dataset_orders)},
        (7.2, 4.6),
        "Complete linkage of the distances, set beside that of the printed Table 2.",
        captions.heights,
    ),
    "figure11": Figure(
        "Benchmark survey graph",
        {"figure11": _of(plots.survey_graph, dataset_orders, levels=15)},
        (8.0, 6.0),
        "The first 15 of 24 levels of distance. liver (E) and HouseVotes84 (G), at distance 0, "
        "are one node. Data sets that svm wins and those that lda wins lie on different sides.",
        captions.levels,
    ),
    "figure12": Figure(
        "Simultaneous intervals of the survey's model",
        {"figure12": _of(plots.intervals, model_of_six)},
        (7.5, 4.4),
        "nnet - nb alone has an interval with zero; svm is far better than all others.",
        captions.open_pairs,
    ),
    "figure13": Figure(
        "Fitted values and residuals, one data set",
        {"figure13a": _of(plots.fitted, six), "figure13b": _of(plots.residuals, six)},
        (6.4, 3.2),
        "Fitted values are algorithm plus sample: narrower than Figure 2, and alike for all "
        "algorithms, where the paper sees no serious difference. Residuals lie about zero.",
        captions.skewed,
    ),
    "figure14": Figure(
        "Fitted values, 21 data sets",
        {"figure14": _of(plots.fitted, survey)},
        (10.5, 10.5),
        "One panel per data set; five algorithms. Narrower than Figure 7, where the paper sees no "
        "serious difference.",
        captions.fitted_survey,
    ),
    "figure15": Figure(
        "Residuals, 21 data sets",
        {"figure15": _of(plots.residuals, survey)},
        (10.5, 10.5),
        "Those of nnet are skewed on 11 data sets more than others, most on K, O, T and U: runs "
        "that got stuck.",
        captions.skewed_survey,
    ),
}


def figure(name: str, data: Path | None) -> tuple[list[Cell], list[str], dict[str, Any]]:
    """What is counted in a figure, what it shows beside the caption, and its drawings."""
    made = FIGURES[name]
    cells = list(made.checks(data))
    return cells, [f"{name.capitalize()}: {made.note}"], made.drawn(data)


def all_figures(data: Path | None) -> tuple[list[Cell], list[str], dict[str, Any]]:
    """All of them."""
    results = [figure(name, data) for name in FIGURES]
    cells = [cell for part, _, _ in results for cell in part]
    notes = [note for _, part, _ in results for note in part]
    return cells, notes, {name: draw for _, _, part in results for name, draw in part.items()}


# -- the items ------------------------------------------------------------------------------------

ITEMS = paper("eugster2008")
Parts = tuple[list[Cell], list[str], Mapping[str, Any]]


@dataclass(frozen=True)
class Computed:
    """An item that is computed from the data alone: nothing is simulated, nothing is kept."""

    item: str
    parts: Callable[[Path | None], Parts]

    def __call__(self, request: Asked) -> Replication:
        """The item, theirs beside ours."""
        cells, notes, drawn = self.parts(request.data)
        return Replication("eugster2008", self.item, cells, notes, figures=drawn)


def _undrawn(
    make: Callable[[Path | None], tuple[list[Cell], list[str]]], data: Path | None
) -> Parts:
    return *make(data), {}


TABLES = {
    "table1": ("Summaries on MONK-3, raw scores", experiment.table1),
    "section3.1": ("Orders by mean, minimax rule, quantile", experiment.section31),
    "section3.2": ("Friedman, all pairs by ranks, mixed model", experiment.section32),
    "section3.3": ("Hierarchical order and consensus; no data", experiment.section33),
    "table2": ("Distances between the orders of 21 data sets", model.table2),
    "section4": ("Places, consensus and model of 21 data sets", model.section4),
    "appendixA.2": ("Coefficients of the survey's model", model.appendix),
}
for _name, (_title, _make) in TABLES.items():
    ITEMS.add(_name, Item(_title, Computed(_name, partial(_undrawn, _make))))
for _name, _figure in FIGURES.items():
    ITEMS.add(_name, Item(_figure.title, Computed(_name, partial(figure, _name))))
ITEMS.add("figures", Item("All figures at once", Computed("figures", all_figures), repeats=True))
ITEMS.add("monks3", Item("The experiment run anew; 25 minutes, quick 2", runs.monks3))
ITEMS.add("survey", Item("The survey run anew; hours to days, quick 2 minutes", runs.survey))
ITEMS.add("modes", Item("Modes of scores, and samples that make one fail; quick 1 minute", modes))
