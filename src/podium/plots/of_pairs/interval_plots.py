"""Simultaneous confidence intervals of differences (eugster2008, Figures 5 and 12)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from podium.drawing.canvas import GREY, INK, entitle, key, names_on, remark, row_letters
from podium.drawing.records import Plot, Size, checked, registered
from podium.drawing.shown_scores import (
    MARKS,
    asked,
    decided,
    found_by,
    of_algorithms,
    printed,
)
from podium.inference.comparing.comparisons import Comparisons
from podium.plots.words import pair_name
from podium.words.facts import Note
from podium.words.phrases import level_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_PAIRS = 200  # beyond, only those with the best algorithm are shown


@dataclass(frozen=True, eq=False)
class Intervals:
    """Differences with intervals, from the top; `start` and `end` are where lines begin and end.

    An interval of a one-sided test is open: it ends at the limit of the axis.
    """

    table: pd.DataFrame
    limits: tuple[float, float]
    margin: float
    title: str
    label: str
    notes: tuple[Note, ...]


def intervals_data(comparisons: Comparisons) -> Intervals:
    """The pairs, the best algorithms first, in the measure's own unit and sign.

    More than 200 pairs are too many to read: then those with the best algorithm.
    """
    table, notes = _rows(comparisons)
    factor = comparisons.factor
    numbers = factor * table[["estimate", "lower", "upper"]].to_numpy(float)
    limits = _limits(numbers, factor * comparisons.relevance)
    some = ~np.isnan(numbers[:, 1:]).all(axis=1)
    ends = np.where(np.isnan(numbers[:, 1:]), limits, numbers[:, 1:])
    made = pd.DataFrame(
        {
            "y": -np.arange(len(table), dtype=float),
            "first": table["first"].to_numpy(),
            "second": table["second"].to_numpy(),
            "estimate": numbers[:, 0],
            "start": np.where(some, ends[:, 0], np.nan),
            "end": np.where(some, ends[:, 1], np.nan),
            "open_start": some & np.isnan(numbers[:, 1]),
            "open_end": some & np.isnan(numbers[:, 2]),
            "verdict": table["verdict"].to_numpy(),
        }
    )
    if comparisons.asks_equivalence:
        made["inner_start"] = factor * table["equivalence_lower"].to_numpy(float)
        made["inner_end"] = factor * table["equivalence_upper"].to_numpy(float)
    return Intervals(
        made,
        limits,
        factor * abs(comparisons.relevance),
        _title(comparisons, bool(some.any())),
        _label(comparisons),
        (*notes, *_unknown(made, some)),
    )


def _rows(comparisons: Comparisons) -> tuple[pd.DataFrame, list[Note]]:
    """The rows to show, and what is left out."""
    if not of_algorithms(checked(comparisons, Comparisons)):
        return comparisons.table, []
    order = printed(decided(comparisons))
    if len(comparisons.table) > 1 == comparisons.table["second"].nunique():  # a control stays
        place = comparisons.table["first"].map({name: i for i, name in enumerate(order)})
        return comparisons.table.iloc[np.argsort(place.to_numpy(), kind="stable")], []
    table = comparisons.best_first(order).table
    if len(table) <= MOST_PAIRS:
        return table, []
    best = table[table["first"] == order[0]]
    return best, [Note("plot-best-only", pairs=len(table), algorithm=order[0])]


def _limits(numbers: np.ndarray, margin: float) -> tuple[float, float]:
    known = np.r_[numbers[np.isfinite(numbers)], 0.0, margin, -margin]
    room = 0.06 * (np.ptp(known) or 1.0)
    return float(known.min() - room), float(known.max() + room)


def _title(comparisons: Comparisons, known: bool) -> str:
    several = "simultaneous intervals" if comparisons.is_adjusted else "intervals"
    what = several if len(comparisons.table) > 1 else "interval"
    level = f", {100 * (1 - comparisons.alpha):g} % {what}" if known else ""
    if known and comparisons.asks_equivalence:
        level += f" (thick: {100 - 200 * comparisons.alpha:g} %, of equivalence)"
    return f"{found_by(comparisons)} ({asked(comparisons)}{level})"


def _label(comparisons: Comparisons) -> str:
    """What differences are of: of ranks the lower one is better, whatever the measure."""
    what = comparisons.measure
    if comparisons.mean_ranks is not None:
        what = "mean rank"
    elif comparisons.factor != 1:
        what = "Elo"
    elif comparisons.judged is not None and comparisons.judged.procedure.reports.location:
        what = level_text(comparisons.judged.procedure.reports.estimand, comparisons.measure)
    side = "right" if comparisons.sign > 0 else "left"
    return f"difference in {what} ({side} of zero: the first is better)"


def _unknown(made: pd.DataFrame, some: np.ndarray) -> list[Note]:
    notes = [] if some.any() else [Note("plot-no-intervals")]
    gone = _pairs(made[np.isnan(made["estimate"])])
    return notes + ([Note("plot-no-difference", pairs=gone)] if gone else [])


def _pairs(table: pd.DataFrame) -> tuple[tuple[str, str], ...]:
    return tuple(zip(table["first"], table["second"], strict=True))


def draw_intervals(data: Intervals, ax: Axes) -> Axes:
    """One line per pair; filled and coloured by its verdict, the relevance a band about zero."""
    if data.margin:
        ax.axvspan(-data.margin, data.margin, color=GREY, alpha=0.18, linewidth=0)
    ax.axvline(0, color=INK, linewidth=0.8)
    for verdict, rows in data.table.groupby("verdict", sort=False):
        _draw_verdict(ax, str(verdict), rows)
    names = [pair_name(*pair) for pair in _pairs(data.table)]
    names_on(ax.yaxis, data.table["y"], names, longest=48)
    ax.set_ylim(-len(data.table) + 0.4, 0.6)
    ax.set_xlim(*data.limits)
    ax.tick_params(axis="y", labelsize=row_letters(ax, len(data.table)))
    entitle(ax, data.title, data.label)
    ax.spines[["top", "right"]].set_visible(False)
    _legend(ax, data)
    remark(ax, data.notes)
    return ax


def _draw_verdict(ax: Axes, verdict: str, rows: pd.DataFrame) -> None:
    mark = MARKS[verdict]
    ax.hlines(rows["y"], rows["start"], rows["end"], color=mark.colour, linewidth=1.6)
    if "inner_start" in rows:
        inner = rows.dropna(subset=["inner_start", "inner_end"])
        ax.hlines(
            inner["y"], inner["inner_start"], inner["inner_end"], color=mark.colour, linewidth=3.2
        )
    ax.plot(
        rows["estimate"],
        rows["y"],
        mark.marker,
        color=mark.colour,
        markerfacecolor=mark.colour if mark.filled else "white",
        markersize=5,
        linestyle="",
    )
    for column, head in (("start", "<"), ("end", ">")):
        ends = rows[rows[f"open_{column}"]]
        if len(ends):  # what is empty and not clipped would widen the margins
            ax.plot(ends[column], ends["y"], head, color=mark.colour, markersize=5, clip_on=False)


LABELS = {"equivalent": "equivalent", "undecided": "inconclusive", "withheld": "withheld"}


def _legend(ax: Axes, data: Intervals) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    there = [name for name in MARKS if (data.table["verdict"] == name).any()]
    handles: list[Line2D | Patch] = []
    for name in there:
        mark = MARKS[name]
        fill = mark.colour if mark.filled else "white"
        label = LABELS.get(name, f"first {name}")
        handles.append(Line2D([], [], color=mark.colour, marker=mark.marker, mfc=fill, label=label))
    if data.margin:
        handles.append(Patch(color=GREY, alpha=0.18, label=f"within ±{data.margin:g}"))
    key(ax, handles)


def _size(data: Intervals) -> Size:
    return 7.5, 1.4 + 0.2 * max(len(data.table), 3)


intervals = registered(
    Plot(
        "intervals",
        Comparisons,
        "simultaneous intervals of the differences",
        intervals_data,
        draw_intervals,
        "Simultaneous confidence intervals of the differences of all pairs.",
        size=_size,
        title="Intervals of all differences",
        caption="First minus second in {measure}, with {limits}.",
    )
)
