"""Scores as means, dots and boxes: Figures 1 and 2 of Eugster, Hothorn and Leisch (2008)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import ndtri

from podium.core.base.errors import ResultsError
from podium.core.orders.decide import check_seed
from podium.core.results.results import Results
from podium.core.words.facts import Note
from podium.showing.drawing.canvas import INK, MANY
from podium.showing.drawing.records import Size, is_share, registered
from podium.showing.drawing.shown_scores import (
    Rows,
    Scores,
    dots_of,
    draw_rows,
    draw_segments,
    rows_of,
    scores_of,
    segments_of,
    share_of_row,
    values_of,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]
SPREAD = 0.3  # how far dots are jittered to either side of their row
REACH = 1.5  # of the length of a box: how far whiskers may go (Tukey 1977)
SORT = {"sort": "The best mean first, or as in the study."}


def row_size(data: Any) -> Size:
    """The size of a figure in which each row has room."""
    return 6.4, data.rows.height


# -- means ----------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Summary:
    """One row per algorithm: row, algorithm, scores, mean, sd, lower, upper."""

    table: pd.DataFrame
    rows: Rows


def summary_data(
    results: Results,
    *,
    measure: str | None = None,
    dataset: str | None = None,
    level: float = 0.95,
    sort: bool = True,
) -> Summary:
    """The mean of each algorithm with its interval, mean ± z·sd/√B (eugster2008, section 3.1).

    An algorithm with a single score has no interval.
    """
    if not is_share(level):
        raise ResultsError(f"The level of an interval is between 0 and 1, as 0.95, not {level!r}.")
    scores = scores_of(results, measure, dataset)
    rows = rows_of(scores, sort)
    columns = scores.table[rows.names]
    counts, means, sds = columns.count(), columns.mean(), columns.std(ddof=1)
    notes = [Note("plot-intervals-alone", level=level), Note("plot-overlap", block=scores.block)]
    if single := tuple(name for name in rows.names if counts[name] < 2):
        notes.append(Note("plot-single", algorithms=single))
    half = ndtri((1 + level) / 2) * sds / np.sqrt(counts)
    table = {
        "row": range(len(rows.names)),
        "algorithm": rows.names,
        "scores": counts.to_numpy(),
        "mean": means.to_numpy(),
        "sd": sds.to_numpy(),
        "lower": (means - half).to_numpy(),
        "upper": (means + half).to_numpy(),
    }
    return Summary(pd.DataFrame(table), replace(rows, notes=(*notes, *rows.notes)))


def draw_summary(data: Summary, ax: Axes) -> Axes:
    """Draw means as points and intervals as lines."""
    size = share_of_row(ax, data.rows, 0.7, 6)
    for at, style in zip(data.table.itertuples(), data.rows.styles, strict=True):
        ax.plot([at.lower, at.upper], [at.row, at.row], color=INK, linewidth=1.2, zorder=2)
        ax.plot(at.mean, at.row, style.marker, color=style.colour, markersize=size, zorder=3)
    draw_rows(ax, data.rows)
    return ax


summary = registered(
    "summary",
    Results,
    "means with their intervals",
    summary_data,
    draw_summary,
    "Mean scores with intervals, best first.",
    size=row_size,
    options=SORT | {"level": "The level of each interval [0.95]."},
)


# -- dots -----------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Dots:
    """Dots (block, algorithm, row, value, height) and the segments that join those of a block."""

    table: pd.DataFrame
    segments: pd.DataFrame  # empty unless asked for
    rows: Rows


def dots_data(
    results: Results,
    *,
    measure: str | None = None,
    dataset: str | None = None,
    jitter: bool = False,
    lines: bool = False,
    sort: bool = True,
    seed: int = 0,
) -> Dots:
    """One dot per score, at the height of its row or, jittered, uniformly close to it."""
    check_seed(seed)
    scores = scores_of(results, measure, dataset)
    rows = rows_of(scores, sort)
    table = dots_of(scores, rows)
    if jitter:
        noise = np.random.default_rng(seed).uniform(-SPREAD, SPREAD, len(table))
        table["height"] += noise
    return Dots(table, segments_of(table if lines else table[:0]), rows)


def draw_dots(data: Dots, ax: Axes) -> Axes:
    """Draw the dots and, where there are any, the lines behind them."""
    draw_segments(ax, data.segments)
    size, many = share_of_row(ax, data.rows, 0.5, 3.7), len(data.table) > MANY
    for (_, dots), style in zip(data.table.groupby("row"), data.rows.styles, strict=True):
        ax.scatter(
            dots["value"],
            dots["height"],
            s=size**2,
            color=style.colour,
            marker=style.marker,
            alpha=0.55,
            linewidths=0,
            rasterized=many,
            zorder=2,
        )
    draw_rows(ax, data.rows)
    return ax


dots = registered(
    "dots",
    Results,
    "every score",
    dots_data,
    draw_dots,
    "Every score as a dot; `lines` join the scores of one sample, `jitter` parts equal ones.",
    size=row_size,
    options=SORT
    | {
        "jitter": "Part equal scores.",
        "lines": "Join the scores of one sample.",
        "seed": "Of the jitter [0].",
    },
)


# -- boxes ----------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Boxes:
    """One box per algorithm, and the scores beyond its whiskers.

    `table`: row, algorithm, scores, minimum, whisker_low, lower, median, upper, whisker_high,
    maximum. `outliers`: block, algorithm, row, value, height.
    """

    table: pd.DataFrame
    outliers: pd.DataFrame
    rows: Rows


def boxes_data(
    results: Results,
    *,
    measure: str | None = None,
    dataset: str | None = None,
    sort: bool = True,
) -> Boxes:
    """The five-number summary of each algorithm, its whiskers and outliers.

    Quartiles interpolate linearly (type 7 of Hyndman and Fan 1996). A whisker ends at the last
    score within 1.5 lengths of the box.
    """
    scores = scores_of(results, measure, dataset)
    return boxes_of(scores, rows_of(scores, sort))


def boxes_of(scores: Scores, rows: Rows) -> Boxes:
    """The boxes of the algorithms that rows name."""
    values = values_of(scores, rows)
    quantile = np.nanquantile if np.isnan(values).any() else np.quantile  # much quicker
    five = quantile(values, [0, 0.25, 0.5, 0.75, 1], axis=0)
    low, high = whiskers(values, five[1], five[3])
    outliers = dots_of(scores, rows, (values < low) | (values > high))
    table = {
        "row": range(len(rows.names)),
        "algorithm": rows.names,
        "scores": np.isfinite(values).sum(axis=0),
        "minimum": five[0],
        "whisker_low": low,
        "lower": five[1],
        "median": five[2],
        "upper": five[3],
        "whisker_high": high,
        "maximum": five[4],
    }
    return Boxes(pd.DataFrame(table), outliers, rows)


def whiskers(values: Floats, lower: Any, upper: Any) -> tuple[Floats, Floats]:
    """The last scores within reach of the box, or its end where there is none outside of it."""
    reach = REACH * (upper - lower)
    low = np.where(values >= lower - reach, values, np.inf).min(axis=0)
    high = np.where(values <= upper + reach, values, -np.inf).max(axis=0)
    return np.minimum(low, lower), np.maximum(high, upper)


def draw_boxes(data: Boxes, ax: Axes) -> Axes:
    """Draw the boxes with whiskers and outliers."""
    draw_box_shapes(data, ax, thickness=0.6, colours=data.rows.colours)
    looks, beyond = data.rows.styles, data.outliers
    row, value, height = (beyond[c].to_numpy() for c in ("row", "value", "height"))
    for style in dict.fromkeys(looks[i] for i in np.unique(row)):
        own = [looks[i] == style for i in row]
        ax.plot(
            value[own],
            height[own],
            style.marker,
            color=style.colour,
            markersize=3,
            alpha=0.6,
            rasterized=len(beyond) > MANY,
        )
    draw_rows(ax, data.rows)
    return ax


def draw_box_shapes(data: Boxes, ax: Axes, thickness: float, colours: list[str] | str) -> None:
    """Boxes and whiskers alone, each kind as one artist: a trellis has thousands of them."""
    from matplotlib.collections import LineCollection, PolyCollection

    names = ("row", "whisker_low", "lower", "median", "upper", "whisker_high")
    row, first, lower, median, upper, last = (data.table[c].to_numpy(float) for c in names)
    low, high = row - thickness / 2, row + thickness / 2
    whiskers = np.concatenate([_corners(first, row, lower, row), _corners(upper, row, last, row)])
    boxes = PolyCollection(
        list(_corners(lower, low, upper, low, upper, high, lower, high)),
        facecolors=colours,
        edgecolors=INK,
        linewidths=0.8,
        joinstyle="miter",
        zorder=2.5,
    )
    ax.add_collection(LineCollection(list(whiskers), colors=INK, linewidths=0.8, zorder=2))
    ax.add_collection(boxes)
    medians = list(_corners(median, low, median, high))
    ax.add_collection(LineCollection(medians, colors=INK, linewidths=1.8, zorder=3))


def _corners(*ends: Floats) -> Floats:
    """Rows x points x 2, of x and y by turns."""
    return np.stack(ends, axis=-1).reshape(len(ends[0]), -1, 2)


boxes = registered(
    "boxes",
    Results,
    "box plots",
    boxes_data,
    draw_boxes,
    "Box plots of the scores, best mean first.",
    size=row_size,
    options=SORT,
    title="Box plots",
    caption="The {measure} over {sample}s.",
)
