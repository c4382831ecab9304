"""The looks of a study that may stop: its progress, its plan, and what each comparison took."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd

from podium.inference.comparing.comparisons import Comparisons
from podium.reports.analysis import Analysis
from podium.reports.board import board
from podium.reports.document import (
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
from podium.reports.document import hero as hero_of
from podium.sequential import words
from podium.words.facts import PAGE, Course, Sequential
from podium.words.saying import say

MOST_LINES = 12  # courses that a picture shows


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
def looks(analysis: Analysis) -> Content | None:
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
    longest = sorted(plan.courses, key=lambda course: -course.ended)[:MOST_LINES]
    series = [(_name(course), _padded(course.evidence, len(plan.looks))) for course in longest]
    bounds = [b if np.isfinite(b) else None for b in plan.boundaries or ()]
    return [Drawing("lines", {"x": list(plan.looks), "series": series,
                              "bounds": [(words.boundary_of(plan), bounds)] if bounds else [],
                              "label": words.evidence_label(plan)})]  # fmt: skip


def _name(course: Course) -> str:
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
