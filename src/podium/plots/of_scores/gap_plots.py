"""How far algorithms are behind the best one of a data set: the first few, the others as ticks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from podium.base.errors import ResultsError
from podium.base.formatting import number, short
from podium.drawing.canvas import GREY, INK, write
from podium.drawing.records import Plot, registered
from podium.drawing.shown_scores import Rows, draw_rows, rows_of, scores_of, share_of_row
from podium.plots.of_scores.score_plots import SORT, row_size
from podium.reading.results import Results
from podium.words.facts import Note

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LISTED = 7  # algorithms with a row of their own
TICK = 0.36  # half the height of a tick, in rows


@dataclass(frozen=True, eq=False)
class Behind:
    """Gaps to the best mean: row, algorithm, scores, mean, gap, sd.

    Those of `others` share the row below all that are listed.
    """

    table: pd.DataFrame
    others: pd.DataFrame
    best: str
    best_mean: float
    rows: Rows


def behind_data(
    results: Results,
    *,
    measure: str | None = None,
    dataset: str | None = None,
    listed: int = LISTED,
    sort: bool = True,
) -> Behind:
    """The gap of each mean to the best one; a gap is never negative.

    Up to `listed` algorithms have a row, the first ones of the order of rows; one more than that is
    listed, too, as a row for it alone takes no less room.
    """
    if isinstance(listed, bool) or not isinstance(listed, int) or listed < 1:
        raise ResultsError(f"listed is a whole number from 1 on, not {listed!r}.")
    scores = scores_of(results, measure, dataset)
    rows = rows_of(scores, sort)
    columns = scores.table[rows.names]
    means = columns.mean()
    loss = -scores.measure.sign * means
    kept = len(rows.names) if len(rows.names) <= listed + 1 else listed
    table = pd.DataFrame(
        {
            "row": np.minimum(np.arange(len(rows.names)), kept),
            "algorithm": rows.names,
            "scores": columns.count().to_numpy(),
            "mean": means.to_numpy(),
            "gap": (loss - loss.min()).to_numpy(),
            "sd": columns.std(ddof=1).to_numpy(),
        }
    )
    label = f"{scores.measure.name} behind the best"
    notes = (Note("plot-behind", block=scores.block), *rows.notes)
    rows = replace(rows, names=rows.names[:kept], label=label, notes=notes)
    return Behind(table[:kept], table[kept:], str(loss.idxmin()), float(means[loss.idxmin()]), rows)


def draw_behind(data: Behind, ax: Axes) -> Axes:
    """Draw means as points with one standard deviation to both sides, the others as ticks."""
    size = share_of_row(ax, data.rows, 0.7, 6)
    ax.axvline(0, color=INK, linewidth=0.8, zorder=1)
    for at, style in zip(data.table.itertuples(), data.rows.styles, strict=True):
        ends, colour = [at.gap - at.sd, at.gap + at.sd], style.colour
        ax.plot(ends, [at.row, at.row], color=colour, linewidth=size / 2, alpha=0.45, zorder=2)
        ax.plot(at.gap, at.row, style.marker, color=colour, markersize=size, zorder=3)
    names = data.rows.names
    if len(data.others):
        names = [*names, f"{len(data.others)} others"]
        _draw_others(data, ax)
    draw_rows(ax, replace(data.rows, names=names))
    if len(data.others):
        ax.set_ylim(len(names), -0.6)  # room for a name below the ticks
    best = f"best {number(data.best_mean)}"
    ax.set_title(best, loc="right", color=GREY, fontsize="small", parse_math=False)
    ax.locator_params(axis="x", nbins=6)  # numbers such as −0.025 stand apart
    return ax


def _draw_others(data: Behind, ax: Axes) -> None:
    from matplotlib.collections import LineCollection

    row = len(data.table)
    first = data.others["algorithm"] == data.best
    ticks = [[(gap, row - TICK), (gap, row + TICK)] for gap in data.others["gap"]]
    colours = [INK if best else GREY for best in first]
    ax.add_collection(LineCollection(ticks, colors=colours, linewidths=1.0, zorder=2))
    if first.any():
        write(ax, 0, row + TICK, f" {short(data.best, 16)}", va="top", color=INK, fontsize="small")


behind = registered(
    Plot(
        "behind",
        Results,
        "how far each is behind the best",
        behind_data,
        draw_behind,
        "Gaps of mean scores to the best one, the first few in rows, all others as ticks.",
        size=row_size,
        options=SORT | {"listed": "Algorithms with a row of their own [7]."},
    )
)
