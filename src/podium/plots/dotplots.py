"""Every score as a dot: Figure 2(a) of Eugster, Hothorn and Leisch (2008)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from podium.orders.statistics import check_seed
from podium.plots.canvas import MANY, axes_for
from podium.plots.rows import (
    Rows,
    draw_rows,
    draw_segments,
    fitting,
    rows_of,
    segments_of,
    values_of,
)
from podium.plots.scores import Scores, scores_of
from podium.results.results import Results

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SPREAD = 0.3  # how far dots are jittered to either side of their row


@dataclass(frozen=True, eq=False)
class Dots:
    """Dots (block, algorithm, row, value, height) and the segments that join those of a block."""

    table: pd.DataFrame
    segments: pd.DataFrame  # empty unless asked for
    rows: Rows


def dots_data(
    results: Results,
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


def dots_of(scores: Scores, rows: Rows) -> pd.DataFrame:
    """The scores with their rows, row by row."""
    values = values_of(scores, rows)
    row, block = np.nonzero(np.isfinite(values.T))
    return pd.DataFrame(
        {
            "block": scores.table.index.to_numpy(object)[block],
            "algorithm": np.array(rows.names, object)[row],
            "row": row,
            "value": values[block, row],
            "height": row.astype(float),
        }
    )


def draw_dots(data: Dots, ax: Axes) -> Axes:
    """Draw the dots and, where there are any, the lines behind them."""
    draw_segments(ax, data.segments)
    size, many = fitting(ax, data.rows, 0.5, 3.7), len(data.table) > MANY
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


def dots(
    results: Results,
    *,
    measure: str | None = None,
    dataset: str | None = None,
    jitter: bool = False,
    lines: bool = False,
    sort: bool = True,
    seed: int = 0,
    ax: Axes | None = None,
) -> Axes:
    """Every score as a dot; `lines` join the scores of one sample, `jitter` parts equal ones."""
    data = dots_data(results, measure, dataset, jitter, lines, sort, seed)
    return draw_dots(data, axes_for(ax, height=data.rows.height))
