"""The distribution of each algorithm's scores: histograms, kernel densities, violins; one per row.

All rows of histograms and densities share one axis and one scale of heights. Marks below a row are
its scores; lines join the scores of one sample through the rows, which marginal distributions do
not show.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from podium.core.base.errors import ResultsError
from podium.core.results.results import Results
from podium.core.words.facts import Note
from podium.showing.drawing.canvas import MANY
from podium.showing.drawing.records import Size, registered
from podium.showing.drawing.shown_scores import (
    Rows,
    Scores,
    dots_of,
    draw_rows,
    draw_segments,
    rows_of,
    scores_of,
    segments_of,
    values_of,
)
from podium.showing.plots.of_scores.score_plots import SORT, Boxes, boxes_of, draw_box_shapes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]
Bins = int | Sequence[float] | None
TALL = 0.72  # of the distance between rows: the height of the tallest shape
RUG = 0.1  # the length of the marks below a row
MOST_BINS, MOST_ASKED = 80, 10_000
MOST_LINED = 20  # rows through which lines can be followed
LINED = 4  # rows with lines that nobody asked for
POINTS = 201  # at which a density is computed
WIDEST = 0.4  # half of a violin's width
AROUND = 101  # points at which a violin's density is computed
LINES = {"lines": "Join the scores of one sample, of up to 20 algorithms [of up to 4]."}


# -- kernels --------------------------------------------------------------------------------------


def bandwidth(values: Floats) -> float:
    """Scott's rule, sd·n^(-1/5) (Scott 1992, equation 6.42); zero for constant scores."""
    # a spread that is only rounding is none
    if len(values) < 2 or np.ptp(values) <= 1e-12 * np.abs(values).max():
        return 0.0
    return float(values.std(ddof=1)) * len(values) ** -0.2


def density(values: Floats, at: Floats, bounds: tuple[float, float]) -> Floats:
    """The Gaussian kernel density at some places within bounds.

    Mass that kernels put beyond a bound is reflected at it (Silverman 1986, section 2.10), so the
    density is that of a distribution within the bounds.
    """
    h = bandwidth(values)
    centres = [values, *(2 * bound - values for bound in bounds if math.isfinite(bound))]
    z = (at[:, None] - np.concatenate(centres)) / h
    return np.exp(-0.5 * z**2).sum(axis=1) / (len(values) * h * math.sqrt(2 * math.pi))


# -- violins --------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Violins:
    """Boxes with the shapes around them: row, algorithm, value, density, width."""

    boxes: Boxes
    shapes: pd.DataFrame


def violins_data(
    results: Results,
    *,
    measure: str | None = None,
    dataset: str | None = None,
    sort: bool = True,
) -> Violins:
    """The kernel density of each algorithm's scores over their range, with its box.

    Every shape is as wide as the others where it is widest. Constant scores are a line.
    """
    scores = scores_of(results, measure, dataset)
    rows = rows_of(scores, sort)
    columns = values_of(scores, rows).T
    shapes = [
        _shape(row[np.isfinite(row)], scores.measure.bounds).assign(row=i, algorithm=name)
        for i, (row, name) in enumerate(zip(columns, rows.names, strict=True))
    ]
    order = ["row", "algorithm", "value", "density", "width"]
    return Violins(boxes_of(scores, rows), pd.concat(shapes, ignore_index=True)[order])


def _shape(values: Floats, bounds: tuple[float, float]) -> pd.DataFrame:
    if bandwidth(values) == 0:
        line = [values[0], values[0]]
        return pd.DataFrame({"value": line, "density": np.inf, "width": WIDEST})
    at = np.linspace(values.min(), values.max(), AROUND)
    heights = density(values, at, bounds)
    widths = WIDEST * heights / heights.max()
    return pd.DataFrame({"value": at, "density": heights, "width": widths})


def draw_violins(data: Violins, ax: Axes) -> Axes:
    """Draw the shapes with their boxes inside."""
    rows = data.boxes.rows
    for row, shape in data.shapes.groupby("row"):
        ax.fill_between(
            shape["value"],
            row - shape["width"],
            row + shape["width"],
            facecolor=rows.colours[row],
            edgecolor=rows.colours[row],
            alpha=0.6,
            zorder=1.5,
        )
    draw_box_shapes(data.boxes, ax, thickness=0.14, colours="white")
    draw_rows(ax, rows)
    return ax


violins = registered(
    "violins",
    Results,
    "violin plots",
    violins_data,
    draw_violins,
    "Violin plots of the scores, best mean first.",
    size=lambda data: (6.4, data.boxes.rows.height),
    options=SORT,
)


# -- histograms and densities ---------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Distributions:
    """Outlines above the rows, the scores below them, and the segments that join these.

    `shapes`: row, algorithm, value, amount (scores in a bin, or density), height (which counts
    downwards from the row's own). `rug`: block, algorithm, row, value, height. `stepped`: whether
    an outline goes in steps from one value to the next.
    """

    shapes: pd.DataFrame
    rug: pd.DataFrame
    segments: pd.DataFrame
    rows: Rows
    stepped: bool

    @property
    def height(self) -> float:
        """The height in inches of a figure; few rows have more room each."""
        count = len(self.rows.names)
        return 1.2 + max(0.5 * min(count, MOST_LINED), 0.3 * count)


def histograms_data(
    results: Results,
    *,
    measure: str | None = None,
    dataset: str | None = None,
    bins: Bins = None,
    lines: bool | None = None,
    sort: bool = True,
) -> Distributions:
    """How many scores lie in each bin; all algorithms have the same bins.

    `bins` is their number or their edges; by default they are as wide as the rule of Freedman and
    Diaconis (1981) says for half of the algorithms. A bin holds its left edge, the last one both.
    """
    scores = scores_of(results, measure, dataset)
    rows = rows_of(scores, sort)
    columns = values_of(scores, rows).T
    edges = _edges(columns, _number(columns) if bins is None else bins)
    counts = np.array([np.histogram(row[np.isfinite(row)], edges)[0] for row in columns])
    amounts = np.pad(counts, ((0, 0), (0, 1)))  # an outline ends at zero
    shapes = [pd.DataFrame({"value": edges, "amount": row}) for row in amounts]
    outside = int(np.isfinite(columns).sum() - counts.sum())
    size = {"count": int(counts.max()), "of": columns.shape[1], "block": scores.block}
    notes = [Note("plot-tallest", **size)]
    notes += [Note("plot-outside", count=outside)] if outside else []
    return _distributions(scores, rows, shapes, notes, lines, stepped=True)


def densities_data(
    results: Results,
    *,
    measure: str | None = None,
    dataset: str | None = None,
    lines: bool | None = None,
    sort: bool = True,
) -> Distributions:
    """The Gaussian kernel density of the scores (Scott's rule), within the measure's bounds.

    Constant scores, and a single one, have no density: they are marks without a shape.
    """
    scores = scores_of(results, measure, dataset)
    rows = rows_of(scores, sort)
    columns = [row[np.isfinite(row)] for row in values_of(scores, rows).T]
    shapes = [_density(row, scores.measure.bounds) for row in columns]
    flat = tuple(n for n, row in zip(rows.names, columns, strict=True) if bandwidth(row) == 0)
    notes = [Note("plot-constant", algorithms=flat)] if flat else []
    return _distributions(scores, rows, shapes, notes, lines, stepped=False)


def _number(columns: Floats) -> int:
    """The number of bins: Freedman and Diaconis, but Sturges where he says more."""
    counts = np.isfinite(columns).sum(axis=1)
    lower, upper = np.nanquantile(columns, [0.25, 0.75], axis=1)
    width = np.median(2 * (upper - lower) / np.cbrt(counts))
    spread = np.nanmax(columns) - np.nanmin(columns)
    fine = spread / width if width > spread / MOST_BINS else 0.0  # half are nearly constant
    return math.ceil(min(max(fine, np.log2(counts.max()) + 1), MOST_BINS))


def _edges(columns: Floats, bins: Any) -> Floats:
    """Edges of bins over all scores; around equal scores they are a twentieth away."""
    low, high = float(np.nanmin(columns)), float(np.nanmax(columns))
    if high - low <= 1e-12 * max(abs(low), abs(high)):
        low, high = low - 0.05 * (abs(low) or 1), high + 0.05 * (abs(high) or 1)
    wrong = ResultsError(
        f"bins is a number of bins up to {MOST_ASKED} or their edges from left to right, "
        f"not {bins!r}."
    )
    number = isinstance(bins, Real) and 1 <= float(bins) <= MOST_ASKED
    if isinstance(bins, str) or (np.ndim(bins) == 0 and not number):
        raise wrong
    try:
        return np.histogram_bin_edges([low, high], bins, (low, high)).astype(float)
    except (ValueError, TypeError) as error:
        raise wrong from error


def _density(values: Floats, bounds: tuple[float, float]) -> pd.DataFrame:
    h = bandwidth(values)
    if h == 0:
        return pd.DataFrame({"value": values[:1], "amount": np.nan})
    low, high = max(values.min() - 3 * h, bounds[0]), min(values.max() + 3 * h, bounds[1])
    at = np.linspace(low, high, POINTS)
    return pd.DataFrame({"value": at, "amount": density(values, at, bounds)})


def _distributions(
    scores: Scores,
    rows: Rows,
    shapes: Sequence[pd.DataFrame],
    notes: Sequence[Note],
    lines: bool | None,
    stepped: bool,
) -> Distributions:
    names = [
        s.assign(row=i, algorithm=n)
        for i, (s, n) in enumerate(zip(shapes, rows.names, strict=True))
    ]
    table = pd.concat(names, ignore_index=True)[["row", "algorithm", "value", "amount"]]
    tallest = np.nanmax([*table["amount"], 1e-300])
    table["height"] = table["row"] - TALL * table["amount"] / tallest
    rug = dots_of(scores, rows)
    joined = lines is not False and len(rows.names) <= (MOST_LINED if lines else LINED)
    if lines and not joined:
        notes = [*notes, Note("plot-unlined", most=MOST_LINED)]
    rows = replace(rows, notes=(*notes, *rows.notes))
    return Distributions(table, rug, segments_of(rug if joined else rug[:0]), rows, stepped)


def draw_distributions(data: Distributions, ax: Axes) -> Axes:
    """Draw the shapes on their rows, with marks below and lines between them."""
    draw_segments(ax, data.segments)
    for row, shape in data.shapes.groupby("row"):
        ax.fill_between(
            shape["value"],
            shape["height"],
            row,
            step="post" if data.stepped else None,
            facecolor=data.rows.colours[row],
            edgecolor=data.rows.colours[row],
            alpha=0.6,
            linewidth=0.5,
            zorder=1.4,
        )
    flat = data.shapes.groupby("row")["amount"].count() == 0
    for row, marks in data.rug.groupby("row"):
        ax.vlines(
            marks["value"],
            row - (0.3 if flat[row] else 0.0),  # a mark without a shape must be seen
            row + RUG,
            colors=data.rows.colours[row],
            linewidths=2.0 if flat[row] else 0.6,
            rasterized=len(data.rug) > MANY,
            zorder=2,
        )
    draw_rows(ax, data.rows)
    ax.set_ylim(len(data.rows.names) - 0.7, -1)  # shapes stand on their rows
    return ax


def _size(data: Distributions) -> Size:
    return 6.4, data.height


histograms = registered(
    "histograms",
    Results,
    "histograms, with lines that join the scores of a sample",
    histograms_data,
    draw_distributions,
    "A histogram of each algorithm's scores, best mean first; lines join one sample's scores.",
    size=_size,
    options=SORT | LINES | {"bins": "Their number, or their edges with commas between."},
)
densities = registered(
    "densities",
    Results,
    "densities, with lines that join the scores of a sample",
    densities_data,
    draw_distributions,
    "A density of each algorithm's scores, best mean first; lines join one sample's scores.",
    size=_size,
    options=SORT | LINES,
)
