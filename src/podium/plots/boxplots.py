"""Scores by their quantiles: Figure 2(b) of Eugster, Hothorn and Leisch (2008), and violins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from podium.plots.canvas import MANY, axes_for
from podium.plots.dotplots import dots_of
from podium.plots.kernels import bandwidth, density
from podium.plots.rows import Rows, draw_rows, rows_of, values_of
from podium.plots.scores import Scores, scores_of
from podium.plots.styles import INK
from podium.results.results import Results

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]
REACH = 1.5  # of the length of a box: how far whiskers may go (Tukey 1977)
WIDEST = 0.4  # half of a violin's width
POINTS = 101  # at which a violin's density is computed


@dataclass(frozen=True, eq=False)
class Boxes:
    """One box per algorithm, and the scores beyond its whiskers.

    `table`: row, algorithm, scores, minimum, whisker_low, lower, median, upper, whisker_high,
    maximum. `outliers`: block, algorithm, row, value, height.
    """

    table: pd.DataFrame
    outliers: pd.DataFrame
    rows: Rows


@dataclass(frozen=True, eq=False)
class Violins:
    """Boxes with the shapes around them: row, algorithm, value, density, width."""

    boxes: Boxes
    shapes: pd.DataFrame


def boxes_data(
    results: Results, measure: str | None = None, dataset: str | None = None, sort: bool = True
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
    five = np.nanquantile(values, [0, 0.25, 0.5, 0.75, 1], axis=0)
    low, high = whiskers(values, five[1], five[3])
    dots = dots_of(scores, rows)
    beyond = (dots["value"] < low[dots["row"]]) | (dots["value"] > high[dots["row"]])
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
    return Boxes(pd.DataFrame(table), dots[beyond].reset_index(drop=True), rows)


def whiskers(values: Floats, lower: Any, upper: Any) -> tuple[Floats, Floats]:
    """The last scores within reach of the box, or its end where there is none outside of it."""
    reach = REACH * (upper - lower)
    low = np.where(values >= lower - reach, values, np.inf).min(axis=0)
    high = np.where(values <= upper + reach, values, -np.inf).max(axis=0)
    return np.minimum(low, lower), np.maximum(high, upper)


def draw_boxes(data: Boxes, ax: Axes) -> Axes:
    """Draw the boxes with whiskers and outliers."""
    _draw_boxes(data, ax, thickness=0.6, colours=data.rows.colours)
    many = len(data.outliers) > MANY
    for row, dots in data.outliers.groupby("row"):
        style = data.rows.styles[row]
        ax.plot(
            dots["value"],
            dots["height"],
            style.marker,
            color=style.colour,
            markersize=3,
            alpha=0.6,
            rasterized=many,
        )
    draw_rows(ax, data.rows)
    return ax


def _draw_boxes(data: Boxes, ax: Axes, thickness: float, colours: list[str] | str) -> None:
    t = data.table
    for start, end in (("whisker_low", "lower"), ("upper", "whisker_high")):
        ax.hlines(t["row"], t[start], t[end], colors=INK, linewidths=0.8, zorder=2)
    ax.barh(
        t["row"],
        t["upper"] - t["lower"],
        left=t["lower"],
        height=thickness,
        color=colours,
        edgecolor=INK,
        linewidth=0.8,
        zorder=2.5,
    )
    ends = t["row"] - thickness / 2, t["row"] + thickness / 2
    ax.vlines(t["median"], *ends, colors=INK, linewidths=1.8, zorder=3)


def boxes(
    results: Results,
    *,
    measure: str | None = None,
    dataset: str | None = None,
    sort: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Box plots of the scores, best mean first."""
    data = boxes_data(results, measure, dataset, sort)
    return draw_boxes(data, axes_for(ax, height=data.rows.height))


def violins_data(
    results: Results, measure: str | None = None, dataset: str | None = None, sort: bool = True
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
    at = np.linspace(values.min(), values.max(), POINTS)
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
    _draw_boxes(data.boxes, ax, thickness=0.14, colours="white")
    draw_rows(ax, rows)
    return ax


def violins(
    results: Results,
    *,
    measure: str | None = None,
    dataset: str | None = None,
    sort: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Violin plots of the scores, best mean first."""
    data = violins_data(results, measure, dataset, sort)
    return draw_violins(data, axes_for(ax, height=data.boxes.rows.height))
