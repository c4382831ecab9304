"""What plots with one row per algorithm share: their rows, words and lines between rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from podium.base.formatting import short
from podium.drawing.canvas import (
    GREY,
    MANY,
    Style,
    entitle,
    names_are_hidden,
    names_beside,
    names_on,
    points,
    remark,
    styles,
)
from podium.drawing.emphasis import in_order
from podium.drawing.shown_scores import Scores
from podium.words.facts import Note

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_TICKS = 500  # of the rows of a figure; beyond them names are plain texts, which are quick


@dataclass(frozen=True, eq=False)
class Rows:
    """The rows of a plot from top to bottom, and its words.

    Row i is at height i, which counts downwards.
    """

    names: list[str]
    algorithms: list[str]  # in the study's order, which gives the styles
    label: str
    title: str = ""
    notes: tuple[Note, ...] = ()

    @property
    def styles(self) -> list[Style]:
        """The style of each row."""
        every = styles(self.algorithms)
        return [every[name] for name in self.names]

    @property
    def colours(self) -> list[str]:
        """The colour of each row."""
        return [style.colour for style in self.styles]

    @property
    def height(self) -> float:
        """The height in inches of a figure in which each row has room."""
        return 1.2 + 0.24 * max(len(self.names), 5)


def rows_of(scores: Scores, sort: bool = True) -> Rows:
    """The rows of all algorithms that have scores: best mean first, or as in the study."""
    names = in_order(best_first(scores))
    if not sort:
        names = [name for name in scores.algorithms if name in names]
    return Rows(names, scores.algorithms, scores.label, scores.title, tuple(scores.notes))


def best_first(scores: Scores) -> list[str]:
    """The algorithms that have scores, by their means; equal ones as in the study."""
    means = -scores.measure.sign * scores.table.mean().dropna()
    return [str(name) for name in means.sort_values(kind="stable").index]


def values_of(scores: Scores, rows: Rows) -> NDArray[np.float64]:
    """Blocks x rows."""
    return scores.table[rows.names].to_numpy(float)


def dots_of(scores: Scores, rows: Rows, chosen: np.ndarray | None = None) -> pd.DataFrame:
    """The scores, or those that are chosen, with their rows, row by row."""
    values = values_of(scores, rows)
    here = np.isfinite(values) if chosen is None else np.isfinite(values) & chosen
    row, block = np.nonzero(here.T)
    return pd.DataFrame(
        {
            "block": scores.table.index.to_numpy(object)[block],
            "algorithm": np.array(rows.names, object)[row],
            "row": row,
            "value": values[block, row],
            "height": row.astype(float),
        }
    )


def segments_of(dots: pd.DataFrame) -> pd.DataFrame:
    """The lines that join the dots of a block in neighbouring rows; a gap ends them.

    `dots` and the segments have the columns block, row, value and height; of the end of a segment
    these are value_end and height_end.
    """
    below = dots[["block", "row", "value", "height"]].assign(row=dots["row"] - 1)
    joined = dots[["block", "row", "value", "height"]].merge(
        below, on=["block", "row"], suffixes=("", "_end")
    )
    return joined.sort_values(["block", "row"], ignore_index=True)


def draw_rows(ax: Axes, rows: Rows) -> None:
    """The names of the rows, the label, title and remarks of a plot."""
    ax.use_sticky_edges = False  # a box of constant scores would lie on the frame
    ax.autoscale_view(scaley=False)
    ax.set_ylim(len(rows.names) - 0.4, -0.6)
    size = share_of_row(ax, rows, 0.85, _letters())
    if names_are_hidden(ax):
        ax.set_yticks([])
        ax.yaxis.set_visible(False)  # nothing of it is left to be drawn, or measured by layouts
    elif len(ax.figure.axes) * len(rows.names) > MOST_TICKS:
        names_beside(ax, rows.names, size)
    else:
        names_on(ax.yaxis, range(len(rows.names)), rows.names)
    if ax.yaxis.get_visible():
        ax.tick_params(axis="y", length=0, labelsize=size)
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.grid(axis="x", color=GREY, alpha=0.25, linewidth=0.5)
    ax.set_axisbelow(True)
    entitle(ax, rows.title, rows.label)
    longest = max(len(short(name)) for name in rows.names)
    remark(ax, rows.notes, left=10 + 6.5 * longest)  # it begins right of the names


def draw_segments(ax: Axes, segments: pd.DataFrame) -> None:
    """Thin lines between rows, fainter the more there are."""
    from matplotlib.collections import LineCollection

    starts, ends = (segments[list(c)].to_numpy(float) for c in (START, END))
    blocks = max(segments["block"].nunique(), 1)
    lines = LineCollection(
        list(np.stack([starts, ends], axis=1)),
        colors=GREY,
        linewidths=0.6,
        alpha=float(np.clip(12 / blocks, 0.06, 0.6)),
        zorder=1.5,
        rasterized=len(segments) > MANY,
    )
    ax.add_collection(lines)


START, END = ("value", "height"), ("value_end", "height_end")


def share_of_row(ax: Axes, rows: Rows, share: float, largest: float) -> float:
    """The size in points of what takes a share of a row's height, and is not too large."""
    return float(np.clip(share * points(ax)[1] / len(rows.names), 1.5, largest))


def _letters() -> float:
    from matplotlib import rcParams

    return float(rcParams["font.size"])
