"""The looks of a study that may stop: evidence, look by look, against the boundaries."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from podium.base.errors import InferenceError
from podium.drawing.canvas import GREY, INK, Style, beside_legend, entitle, legend, remark, styles
from podium.drawing.records import Size, checked, registered
from podium.drawing.shown_scores import titled
from podium.inference.comparing.comparisons import Comparisons
from podium.inference.procedures.sequential import edges_at
from podium.plots.words import pair_name
from podium.sequential.words import evidence_label
from podium.words.facts import Course, Note, Sequential

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_LINES = 21  # all pairs of seven algorithms; beyond, those that ran longest
HIGHEST = 1.25  # times the largest boundary; beyond, lines leave the picture


@dataclass(frozen=True, eq=False)
class Looks:
    """Evidence at every look: `lines` has name, blocks, evidence and decided.

    `bounds` has the boundaries by number of blocks: upper, and lower (of two that are alike); NaN
    where there is none.
    """

    lines: pd.DataFrame
    bounds: pd.DataFrame
    styles: dict[str, Style]
    limits: tuple[float, float]
    title: str
    labels: tuple[str, str]
    notes: tuple[Note, ...]


def looks_data(comparisons: Comparisons) -> Looks:
    """The evidence about every pair, or against every algorithm of a race, at the looks taken."""
    looked = _looked(comparisons)
    bounds = _bounds(looked)
    shown = sorted(looked.courses, key=lambda course: -course.ended)[:MOST_LINES]
    kept = [course for course in looked.courses if course in shown]
    every = comparisons.algorithms if comparisons.is_race else [_name(c) for c in kept]
    lines = pd.concat([_line(course, looked) for course in kept], ignore_index=True)
    left_out = len(looked.courses) - len(kept)
    return Looks(
        lines,
        bounds,
        styles(every),
        _limits(lines["evidence"].to_numpy(), bounds),
        titled(comparisons),
        (comparisons.blocks.noun, evidence_label(looked)),
        (
            Note("plot-looks", race=comparisons.is_race, relevance=looked.relevance),
            *([Note("plot-looks-left-out", count=left_out)] if left_out else []),
        ),
    )


def _looked(comparisons: Comparisons) -> Sequential:
    result = checked(comparisons, Comparisons).extras.sequential
    if result is None:
        raise InferenceError(
            "These scores were not looked at by a plan: looks are drawn of stores of "
            "`podium run --until decided` and `podium run --until best`."
        )
    if not result.courses:
        raise InferenceError(
            f"No look has been taken yet, and there is nothing to draw: the first needs "
            f"{result.looks[0]} finished rows."
        )
    return result


def _bounds(sequential: Sequential) -> pd.DataFrame:
    """The boundaries of all looks that were planned; of bets, of those that were taken."""
    blocks = sequential.looks[: sequential.taken] if sequential.open else sequential.looks
    upper = _edges(sequential, sequential.level)
    below = -upper if sequential.relevance else np.full(len(blocks), math.nan)
    made = pd.DataFrame({"blocks": blocks, "upper": upper, "lower": below})
    return made.replace([np.inf, -np.inf], math.nan)


def _edges(sequential: Sequential, level: float) -> np.ndarray:
    if sequential.open:
        return np.full(sequential.taken, -math.log10(level))
    return np.array(edges_at(sequential, level))


def _line(course: Course, sequential: Sequential) -> pd.DataFrame:
    blocks = list(sequential.looks[: len(course.evidence)])
    return pd.DataFrame(
        {
            "name": _name(course),
            "blocks": blocks,
            "evidence": course.evidence,
            "decided": course.decided,
        }
    )


def _name(course: Course) -> str:
    return pair_name(course.first, course.second) if course.second else course.first


def _limits(evidence: np.ndarray, bounds: pd.DataFrame) -> tuple[float, float]:
    """All lines and boundaries, but for lines far beyond these."""
    edges = bounds[["upper", "lower"]].to_numpy(float)
    high, low = np.nanmax(np.append(edges, 1.0)), np.nanmin(np.append(edges, 0.0))
    top = HIGHEST * high
    bottom = max(min(float(evidence.min()), low), -top)
    return 1.08 * bottom - 0.02 * top, float(np.clip(1.08 * evidence.max(), 1.05 * high, top))


def draw_looks(data: Looks, ax: Axes) -> Axes:
    """One line per pair up to the look that decided it; what is beyond a boundary is decided."""
    _draw_bounds(ax, data)
    for name, rows in data.lines.groupby("name", sort=False):
        style = data.styles[str(name)]
        shown = np.clip(rows["evidence"], *data.limits)
        ax.plot(rows["blocks"], shown, color=style.colour, linewidth=1.3, alpha=0.9)
        ax.plot(
            rows["blocks"].iloc[-1],
            shown.iloc[-1],
            style.marker,
            color=style.colour,
            markerfacecolor=style.colour if rows["decided"].iloc[-1] else "white",
            markersize=6.5,
            clip_on=False,
            zorder=3,
        )
    ax.set_xlim(0, 1.02 * data.bounds["blocks"].max())
    ax.set_ylim(*data.limits)
    ax.spines[["top", "right"]].set_visible(False)
    entitle(ax, data.title, *data.labels)
    legend(ax, {name: data.styles[str(name)] for name in data.lines["name"].unique()})
    remark(ax, data.notes)
    return ax


def _draw_bounds(ax: Axes, data: Looks) -> None:
    table, (low, high) = data.bounds, data.limits
    for blocks in table["blocks"]:
        ax.axvline(blocks, color=GREY, alpha=0.18, linewidth=0.6, zorder=0)
    ax.axhline(0, color=INK, linewidth=0.8)
    ax.fill_between(table["blocks"], table["upper"], high, color=GREY, alpha=0.10, linewidth=0)
    for name in ("upper", "lower"):
        ax.plot(table["blocks"], table[name], color=INK, linewidth=1.1)
    ax.fill_between(table["blocks"], low, table["lower"], color=GREY, alpha=0.10, linewidth=0)


def _size(data: Looks) -> Size:
    return beside_legend(list(data.lines["name"].unique()), 7.0, 4.2)


looks = registered(
    "looks",
    Comparisons,
    "evidence at the looks of a study that may stop",
    looks_data,
    draw_looks,
    "Evidence at every look of a study that may stop, against the boundaries.",
    size=_size,
    title="Looks and boundaries",
    caption="Evidence at every look against the boundary of {level}.",
)
