"""The looks of a study that may stop: as a picture against the boundaries, and on a page."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from podium.asking.comparison.analysis import Analysis
from podium.core.base.errors import InferenceError
from podium.core.inference.comparing.comparisons import Comparisons
from podium.core.inference.procedures.sequential import edges_at
from podium.core.words.facts import PAGE, Course, Note, Sequential
from podium.core.words.saying import say
from podium.running.sequential import words
from podium.running.sequential.words import evidence_label
from podium.showing.drawing.canvas import (
    GREY,
    INK,
    Style,
    beside_legend,
    entitle,
    legend,
    remark,
    styles,
)
from podium.showing.drawing.records import Size, checked, registered
from podium.showing.drawing.shown_scores import titled
from podium.showing.plots.words import pair_name
from podium.showing.reports.board import board
from podium.showing.reports.document import (
    Block,
    Column,
    Content,
    Drawing,
    Progress,
    Row,
    Table,
    Text,
    View,
    section,
)
from podium.showing.reports.document import hero as hero_of

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


# -- on a page ------------------------------------------------------------------------------------
# The looks of a study that may stop: its progress, its plan, and what each comparison took.


MOST_COURSES = 12  # courses that a picture shows


@hero_of("sequential", place=30)
def running(analysis: Analysis) -> list[View]:
    """A study with a stopping plan: how far it is, and the evidence against each boundary."""
    first = analysis.first
    if first is None or first.comparisons.extras.sequential is None:
        return []
    c, plan = first.comparisons, first.comparisons.extras.sequential
    view = board(c, first.layout, at={"measure": first.measure})
    return [replace(_with_evidence(view, c, plan), progress=_progress(c, plan))]


def _progress(c: Comparisons, plan: Sequential) -> Progress | None:
    if plan.open or not plan.budget:
        return None
    done = sum(plan.used.values()) / (plan.budget * max(len(plan.used), 1))
    looks = tuple(look / plan.budget for look in plan.looks)
    return Progress(min(done, 1.0), looks, words.saved(plan, c.blocks.noun))


def _with_evidence(view: View, c: Comparisons, plan: Sequential) -> View:
    """The board of a race has the evidence against each algorithm, and the boundary it met."""
    if not c.is_race or not view.rows or not plan.boundaries:
        return view
    courses = {course.first: course for course in plan.courses}
    rows = tuple(
        replace(row, cells={**row.cells, "evidence": _evidence(row, courses, plan)})
        for row in view.rows
    )
    *columns, last = view.columns
    evidence = Column(
        "evidence", "text", "Evidence / boundary", words.evidence_label(plan), wide=True
    )
    return replace(view, rows=rows, columns=(*columns, evidence, last))


def _evidence(row: Row, courses: dict[str, Course], plan: Sequential) -> str:
    course = courses.get(row.name)
    if course is None or not course.evidence or plan.boundaries is None:
        return ""
    look = plan.looks.index(course.ended) if course.ended in plan.looks else plan.taken - 1
    return f"{course.evidence[-1]:.1f} / {plan.boundaries[look]:.1f}"


@section("looks", words.LOOKS, place=15)
def looks_section(analysis: Analysis) -> Content | None:
    """Nothing where there was no plan to stop."""
    first = analysis.first
    if first is None or first.comparisons.extras.sequential is None:
        return None
    c, plan = first.comparisons, first.comparisons.extras.sequential
    notes = [say(note, PAGE) for note in c.warnings if note.code in words.OF_LOOKS]
    blocks: list[Block] = [
        *_drawn(plan),
        Text((words.how_to_read(plan), *notes)),
        *_tables(c, plan),
    ]
    return Content(words.saved(plan, c.blocks.noun).rstrip("."), tuple(blocks))


def _drawn(plan: Sequential) -> list[Block]:
    """Evidence at every look that was taken, with the boundaries."""
    taken = plan.looks[: plan.taken]
    if not plan.courses or len(taken) < 1:
        return []
    longest = sorted(plan.courses, key=lambda course: -course.ended)[:MOST_COURSES]
    series = [(_pair(course), _padded(course.evidence, len(plan.looks))) for course in longest]
    bounds = [b if np.isfinite(b) else None for b in plan.boundaries or ()]
    return [Drawing("lines", {"x": list(plan.looks), "series": series,
                              "bounds": [(words.boundary_of(plan), bounds)] if bounds else [],
                              "label": words.evidence_label(plan)})]  # fmt: skip


def _pair(course: Course) -> str:
    return f"{course.first} – {course.second}" if course.second else course.first


def _padded(values: tuple[float, ...], count: int) -> list[float | None]:
    known = [v if np.isfinite(v) else None for v in values[:count]]
    return [*known, *[None] * (count - len(known))]


def _tables(c: Comparisons, plan: Sequential) -> list[Block]:
    shown = pd.DataFrame(words.looks_shown(plan, c.blocks.noun))
    tables: list[Block] = []
    if plan.courses and not c.is_race:
        tables.append(Table(words.PAIRS, pd.DataFrame(words.pairs_shown(plan, c.blocks.noun))))
    runs = Table(words.RUNS, pd.DataFrame(words.runs_shown(plan, c.blocks.noun)))
    return [*tables, runs, Table(words.BOUNDARIES, shown)]
