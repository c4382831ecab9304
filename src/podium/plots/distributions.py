"""The distribution of each algorithm's scores: histograms and kernel densities, one per row.

All rows share one axis and one scale of heights. Marks below a row are its scores; lines join the
scores of one sample through the rows, which marginal distributions do not show.
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

from podium.errors import ResultsError
from podium.plots.canvas import MANY, axes_for
from podium.plots.dotplots import dots_of
from podium.plots.kernels import bandwidth, density
from podium.plots.rows import Rows, draw_rows, draw_segments, rows_of, segments_of, values_of
from podium.plots.scores import Scores, scores_of
from podium.plots.words import listed, plural
from podium.results.results import Results

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]
Bins = int | Sequence[float] | None
TALL = 0.72  # of the distance between rows: the height of the tallest shape
RUG = 0.1  # the length of the marks below a row
MOST_BINS, MOST_ASKED = 80, 10_000
MOST_LINED = 20  # rows through which lines can be followed
POINTS = 201  # at which a density is computed


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
    measure: str | None = None,
    dataset: str | None = None,
    bins: Bins = None,
    lines: bool = True,
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
    said = [f"The tallest bar counts {counts.max()} of {columns.shape[1]} {scores.block}s."]
    said += [f"{plural(outside, 'score', 'lies', 'lie')} outside the bins."] if outside else []
    return _distributions(scores, rows, shapes, said, lines, stepped=True)


def densities_data(
    results: Results,
    measure: str | None = None,
    dataset: str | None = None,
    lines: bool = True,
    sort: bool = True,
) -> Distributions:
    """The Gaussian kernel density of the scores (Scott's rule), within the measure's bounds.

    Constant scores, and a single one, have no density: they are marks without a shape.
    """
    scores = scores_of(results, measure, dataset)
    rows = rows_of(scores, sort)
    columns = [row[np.isfinite(row)] for row in values_of(scores, rows).T]
    shapes = [_density(row, scores.measure.bounds) for row in columns]
    flat = [n for n, row in zip(rows.names, columns, strict=True) if bandwidth(row) == 0]
    said = [f"Constant scores have no density: {listed(flat, most=10)}."] if flat else []
    return _distributions(scores, rows, shapes, said, lines, stepped=False)


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
    said: Sequence[str],
    lines: bool,
    stepped: bool,
) -> Distributions:
    named = [
        s.assign(row=i, algorithm=n)
        for i, (s, n) in enumerate(zip(shapes, rows.names, strict=True))
    ]
    table = pd.concat(named, ignore_index=True)[["row", "algorithm", "value", "amount"]]
    tallest = np.nanmax([*table["amount"], 1e-300])
    table["height"] = table["row"] - TALL * table["amount"] / tallest
    rug = dots_of(scores, rows)
    joined = lines and len(rows.names) <= MOST_LINED
    if lines and not joined:
        said = [*said, f"Lines that join samples are left out beyond {MOST_LINED} algorithms."]
    words = replace(rows, remarks=(*said, *rows.remarks))
    return Distributions(table, rug, segments_of(rug if joined else rug[:0]), words, stepped)


def _draw_distributions(data: Distributions, ax: Axes) -> Axes:
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


def draw_histograms(data: Distributions, ax: Axes) -> Axes:
    """Draw the histograms on their rows."""
    return _draw_distributions(data, ax)


def draw_densities(data: Distributions, ax: Axes) -> Axes:
    """Draw the densities on their rows."""
    return _draw_distributions(data, ax)


def histograms(
    results: Results,
    *,
    measure: str | None = None,
    dataset: str | None = None,
    bins: Bins = None,
    lines: bool = True,
    sort: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """A histogram of each algorithm's scores, best mean first; lines join one sample's scores."""
    data = histograms_data(results, measure, dataset, bins, lines, sort)
    return draw_histograms(data, axes_for(ax, height=data.height))


def densities(
    results: Results,
    *,
    measure: str | None = None,
    dataset: str | None = None,
    lines: bool = True,
    sort: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """A density of each algorithm's scores, best mean first; lines join one sample's scores."""
    data = densities_data(results, measure, dataset, lines, sort)
    return draw_densities(data, axes_for(ax, height=data.height))
