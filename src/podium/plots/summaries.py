"""Mean scores with intervals: Figure 1 of Eugster, Hothorn and Leisch (2008)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from scipy.special import ndtri

from podium.errors import ResultsError
from podium.plots.canvas import axes_for
from podium.plots.given import is_share
from podium.plots.rows import Rows, draw_rows, fitting, rows_of
from podium.plots.scores import scores_of
from podium.plots.styles import INK
from podium.plots.words import listed
from podium.results.results import Results

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False)
class Summary:
    """One row per algorithm: row, algorithm, scores, mean, sd, lower, upper."""

    table: pd.DataFrame
    rows: Rows


def summary_data(
    results: Results,
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
    said = _remarks(scores.block, level, [name for name in rows.names if counts[name] < 2])
    rows = replace(rows, remarks=(*said, *rows.remarks))
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
    return Summary(pd.DataFrame(table), rows)


def _remarks(block: str, level: float, single: list[str]) -> list[str]:
    said = [
        f"Means with {100 * level:g} % intervals of each algorithm alone, as if its scores were "
        f"independent. Whether intervals overlap is no test: all algorithms share the {block}s."
    ]
    return said + (
        [f"A single score has no interval: {listed(single, most=10)}."] if single else []
    )


def draw_summary(data: Summary, ax: Axes) -> Axes:
    """Draw means as points and intervals as lines."""
    size = fitting(ax, data.rows, 0.7, 6)
    for at, style in zip(data.table.itertuples(), data.rows.styles, strict=True):
        ax.plot([at.lower, at.upper], [at.row, at.row], color=INK, linewidth=1.2, zorder=2)
        ax.plot(at.mean, at.row, style.marker, color=style.colour, markersize=size, zorder=3)
    draw_rows(ax, data.rows)
    return ax


def summary(
    results: Results,
    *,
    measure: str | None = None,
    dataset: str | None = None,
    level: float = 0.95,
    sort: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Mean scores with intervals, best first."""
    data = summary_data(results, measure, dataset, level, sort)
    return draw_summary(data, axes_for(ax, height=data.rows.height))
