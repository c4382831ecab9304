"""Learning curves: scores by the number of rows that were learned from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from podium.core.base.errors import ResultsError
from podium.core.base.formatting import short
from podium.core.base.registry import unknown
from podium.core.questions.measures import Measure
from podium.core.results.dataset_facts import learning_curve
from podium.core.results.results import Results
from podium.core.words.facts import Note
from podium.showing.drawing.canvas import (
    Style,
    beside_legend,
    divided,
    entitle,
    legend,
    remark,
    styles,
)
from podium.showing.drawing.records import Size, checked, registered
from podium.showing.drawing.shown_scores import without_scores

if TYPE_CHECKING:
    from matplotlib.axes import Axes


from typing import TYPE_CHECKING

from podium.showing.drawing.canvas import GREY, INK, key, logarithmic
from podium.showing.drawing.shown_scores import (
    Rows,
    Scores,
    draw_rows,
    rows_of,
    scores_of,
    share_of_row,
)
from podium.showing.plots.of_scores.score_plots import row_size

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_PANELS = 12
MOST_BANDS = 8  # more bands of different algorithms cover each other


@dataclass(frozen=True, eq=False)
class LearningCurves:
    """Means by size: `table` has dataset, algorithm, size, samples, mean, se, lower, upper.

    `lower` and `upper` are one standard error from the mean, missing where there is one score.
    `bands` says whether they are drawn, `logarithmic` on which data sets sizes are on a log axis.
    """

    table: pd.DataFrame
    measure: Measure
    algorithms: tuple[str, ...]  # in the study's order
    logarithmic: dict[str, bool]
    bands: bool
    notes: tuple[Note, ...] = ()

    @property
    def label(self) -> str:
        """The measure with its direction, for an axis."""
        return f"{self.measure.name} ({self.measure.direction} is better)"

    @property
    def styles(self) -> dict[str, Style]:
        """The styles of the algorithms that have a curve."""
        shown = set(self.table["algorithm"])
        return {name: style for name, style in styles(self.algorithms).items() if name in shown}


def learning_curves_data(
    results: Results, *, measure: str | None = None, dataset: str | None = None
) -> LearningCurves:
    """Mean and standard error of one measure (the first unless said) by size of the sample.

    Several data sets have a panel each, up to twelve. The standard error is over the samples there
    are; those of one data set share rows, so it is about this data set. Sizes are on a log axis
    where the largest is more than ten times the smallest. Scores that are not finite are gaps.
    """
    measures = checked(results, Results).measures
    name = measure or next(iter(measures), "")
    table = learning_curve(_finite(results), name)
    gaps = _gaps(results, name, dataset)
    table = _of_dataset(table[table["samples"] > 0], dataset, name)
    se = table["sd"] / np.sqrt(table["samples"])
    table = table.assign(se=se, lower=table["mean"] - se, upper=table["mean"] + se)
    columns = ["dataset", "algorithm", "size", "samples", "mean", "se", "lower", "upper"]
    bands = table["algorithm"].nunique() <= MOST_BANDS and bool(table["se"].notna().any())
    return LearningCurves(
        table[columns].reset_index(drop=True),
        results.measure(name),
        tuple(results.algorithms),
        {str(d): _wide(rows["size"]) for d, rows in table.groupby("dataset", sort=False)},
        bands,
        tuple(_notes(table, results, gaps, bands)),
    )


def _finite(results: Results) -> Results:
    values = results.scores["value"].to_numpy(float)
    kept = np.where(np.isfinite(values), values, np.nan)
    return replace(results, scores=results.scores.assign(value=kept))


def _gaps(results: Results, measure: str, dataset: str | None) -> int:
    """How many runs of the data sets that are shown lack a score."""
    shown = [d for d, f in results.facts.items() if "size" in f and dataset in (None, f["of"])]
    runs, result = (
        rows[rows["dataset"].isin(shown)] for rows in (results.runs, results.values(measure))
    )
    return len(runs) - int(np.isfinite(result["value"].to_numpy(float)).sum())


def _of_dataset(table: pd.DataFrame, dataset: str | None, measure: str) -> pd.DataFrame:
    """The rows to draw, at least one and in few enough panels."""
    datasets = [str(name) for name in table["dataset"].unique()]
    if dataset is not None:
        if dataset not in datasets:
            raise ResultsError(unknown("data set with a learning curve", dataset, datasets))
        return table[table["dataset"] == dataset]
    if not datasets:
        raise ResultsError(f"There is no score of '{measure}' to show.")
    if len(datasets) > MOST_PANELS:
        raise ResultsError(
            f"The learning curves of {len(datasets)} data sets do not fit into one plot "
            f"({MOST_PANELS} do): choose one, as in dataset='{datasets[0]}'."
        )
    return table


def _wide(sizes: pd.Series) -> bool:
    return bool(sizes.max() > 10 * sizes.min() > 0)


def _notes(table: pd.DataFrame, results: Results, gaps: int, bands: bool) -> Iterator[Note]:
    drawn = set(table["algorithm"])
    yield from without_scores([name for name in results.algorithms if name not in drawn])
    if gaps:
        yield Note("plot-no-run", count=gaps)
    if bands:
        yield Note("plot-bands")
    elif len(drawn) > MOST_BANDS:
        yield Note("plot-no-bands", most=MOST_BANDS)
    if table["se"].isna().any():
        yield Note("plot-one-score")


def draw_learning_curves(data: LearningCurves, ax: Axes) -> Axes:
    """Draw one panel per data set; returns the axes that hold them all."""
    panels = _panels(ax, len(data.logarithmic), data.label)
    drawn = data.styles
    for panel, (dataset, rows) in zip(
        panels, data.table.groupby("dataset", sort=False), strict=True
    ):
        for name, curve in rows.groupby("algorithm", sort=False):
            _draw_curve(panel, curve, drawn[str(name)], data.bands)
        panel.set_xscale("log" if data.logarithmic[str(dataset)] else "linear")
        _draw_ticks(panel, sorted(rows["size"].unique()))
        entitle(panel, short(str(dataset)))
    legend(ax, drawn, fontsize="small")
    remark(ax, data.notes)
    return ax


def _panels(ax: Axes, count: int, label: str) -> list[Axes]:
    """So many axes within `ax`, those at the edges with labels; `ax` itself where it is one."""
    columns = min(count, 3)
    rows = -(-count // columns)
    made = divided(ax, [1.0] * rows, [1.0] * columns, gap=0.12).ravel() if count > 1 else [ax]
    for place, panel in enumerate(made):
        if place >= count:
            panel.set_axis_off()
        if place + columns >= count:
            entitle(panel, x="size of the training set")
        if place % columns == 0:
            entitle(panel, y=label)
    return list(made[:count])


def _draw_ticks(ax: Axes, sizes: list[float]) -> None:
    """Ticks at the sizes themselves where these are few."""
    if len(sizes) <= 6:
        ax.set_xticks(sizes, [f"{size:g}" for size in sizes])
        ax.set_xticks([], minor=True)


def _draw_curve(ax: Axes, curve: pd.DataFrame, style: Style, bands: bool) -> None:
    look: dict[str, Any] = {"color": style.colour, "marker": style.marker}
    ax.plot(curve["size"], curve["mean"], markersize=4, linewidth=1.2, **look)
    if bands:
        band = curve.dropna(subset=["se"])
        ax.fill_between(
            band["size"], band["lower"], band["upper"], color=style.colour, alpha=0.18, linewidth=0
        )


def _size(data: LearningCurves) -> Size:
    count = len(data.logarithmic)
    width, height = (6.4, 4.0) if count == 1 else (10.0, 1.0 + 2.6 * -(-count // 3))
    return beside_legend(data.algorithms, width, height)


learning_curves = registered(
    "learning_curves",
    Results,
    "scores by training size",
    learning_curves_data,
    draw_learning_curves,
    """Learning curves: the mean score by the size of the training set, a line per algorithm.

    Bands are one standard error to both sides, for up to eight algorithms. Each of several data
    sets has a panel; of more than twelve, say which with `dataset`.
    """,
    size=_size,
    title="Learning curves",
    caption="Scores by the number of rows that were learned from.",
)


# -- what the algorithms cost ---------------------------------------------------------------------

HATCH = "////"
WIDE = 30.0  # the slowest takes so many times as long as the fastest: the axis is logarithmic


@dataclass(frozen=True, eq=False)
class Times:
    """Mean seconds per algorithm: row, algorithm, scores, fit, predict, total.

    `logarithmic` says whether the fastest would vanish beside the slowest.
    """

    table: pd.DataFrame
    rows: Rows
    logarithmic: bool


def times_data(results: Results, *, dataset: str | None = None, sort: bool = True) -> Times:
    """The mean time of fitting and of predicting, fastest first.

    Where there are several data sets and none is named, the means of data sets are averaged.
    """
    total = _times(results, "time", dataset)
    rows = rows_of(total, sort)
    parts = {part: _times(results, f"{part}-time", dataset) for part in ("fit", "predict")}
    means = {part: result.table[rows.names].mean().to_numpy() for part, result in parts.items()}
    table = pd.DataFrame(
        {
            "row": range(len(rows.names)),
            "algorithm": rows.names,
            "scores": total.table[rows.names].count().to_numpy(),
            **means,
            "total": total.table[rows.names].mean().to_numpy(),
        }
    )
    positive = table["total"][table["total"] > 0]
    logarithmic = len(positive) > 0 and positive.max() > WIDE * positive.min()
    none = int((table[["fit", "predict", "total"]] <= 0).to_numpy().sum())
    return Times(table, _worded(rows, total.block, logarithmic, none), bool(logarithmic))


def _times(results: Results, measure: str, dataset: str | None) -> Scores:
    if measure in checked(results, Results).measures or results.runs["fit_time"].notna().any():
        return replace(scores_of(results, measure, dataset), noun="time")
    raise ResultsError(
        f"The results of '{results.name}' have no times: a table of scores carries none. Run the "
        "study with podium.run, which keeps the times of every run, or give a table the measures "
        "fit-time, predict-time and time."
    )


def _worded(rows: Rows, block: str, logarithmic: bool, none: int) -> Rows:
    notes = [Note("plot-logarithmic")]
    notes += [Note("plot-no-time", count=none)] if none else []
    label = f"mean seconds per {'run' if block == 'sample' else 'run, over data sets'}"
    return replace(rows, label=label, notes=(*(notes if logarithmic else ()), *rows.notes))


def draw_times(data: Times, ax: Axes) -> Axes:
    """Draw the parts as stacked bars or, on a logarithmic axis, as marks."""
    (_draw_marks if data.logarithmic else _draw_bars)(data, ax)
    draw_rows(ax, data.rows)
    _explain(data, ax)
    return ax


def _explain(data: Times, ax: Axes) -> None:
    """What the parts of a bar, or those marks that there are, mean."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    bars = [
        Patch(facecolor=GREY, edgecolor=INK, label="fit"),
        Patch(facecolor="white", edgecolor=INK, hatch=HATCH, label="predict"),
    ]
    marks = [
        Line2D([], [], linestyle="", color=INK, marker=m, markerfacecolor=face, label=part)
        for part, m, face in (("fit", "o", INK), ("predict", "o", "none"), ("total", "|", INK))
        if (data.table[part] > 0).any()
    ]
    key(ax, marks if data.logarithmic else bars)


def _draw_bars(data: Times, ax: Axes) -> None:
    t, colours = data.table, data.rows.colours
    edge: dict[str, Any] = {"height": 0.6, "edgecolor": INK, "linewidth": 0.6}
    ax.barh(t["row"], t["fit"], color=colours, **edge)
    ax.barh(t["row"], t["predict"], left=t["fit"], color="white", hatch=HATCH, **edge)
    ax.set_xlim(left=0)


def _draw_marks(data: Times, ax: Axes) -> None:
    t, size = data.table, share_of_row(ax, data.rows, 0.6, 6)
    seen = t.mask(t[["fit", "predict", "total"]] <= 0)  # a logarithm has no place for zero
    for part, marker, filled in (("predict", "o", False), ("fit", "o", True), ("total", "|", True)):
        for row, value, colour in zip(t["row"], seen[part], data.rows.colours, strict=True):
            face = colour if filled else "none"
            ax.plot(value, row, marker, color=colour, markerfacecolor=face, markersize=size)
    logarithmic(ax, "x")


times = registered(
    "times",
    Results,
    "computation times",
    times_data,
    draw_times,
    "Mean computation time of each algorithm, fastest first.",
    size=row_size,
    options={"sort": "The fastest first, or as in the study."},
    title="Times",
    caption="Seconds that fitting and predicting take in a run, on average.",
)
