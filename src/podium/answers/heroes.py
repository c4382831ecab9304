"""The first screens of pages: the board of every measure and test, and one algorithm alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from podium.answers.answer_words import (
    AGREE,
    RUNS_TITLE,
    SETTLE,
    USUAL_TREATMENT,
    agreeing,
    redrawn,
    redrawn_question,
    runs_head,
)
from podium.answers.screen import next_text
from podium.base.errors import PodiumError
from podium.inference.comparing.arranging import suited
from podium.inference.comparing.compare import compare
from podium.inference.comparing.comparisons import Comparisons
from podium.inference.layouts.layouts import Layout
from podium.inference.procedures.options import Options
from podium.reading.results import Results
from podium.reports.analysis import Analysis, Evidence
from podium.reports.board import board
from podium.reports.document import Card, Column, View, hero
from podium.verdicts.standing import standing

TREATMENTS = ("pairs", "complete", "worst")


@hero("missing", place=60, of_results=True)
def missing_runs(analysis: Analysis) -> list[View]:
    """The board where runs failed or are missing: every treatment as a view, states per run."""
    first = analysis.first
    if first is None or first.layout is None or not first.layout.labels:
        return []
    states = run_states(first.layout, analysis.results)
    if not any(set(text) - {"d"} for text in states.values()):
        return []
    views = []
    for gaps in (None, *TREATMENTS):
        try:
            c, made = _treated(first, analysis.results, gaps)
        except PodiumError:  # nothing is left, or the test takes no such treatment
            continue
        at = {"missing": gaps or USUAL_TREATMENT, "measure": first.measure}
        views.append(_with_states(board(c, made, at=at), states, made))
    others = [
        board(each.comparisons, each.layout, at={"measure": each.measure})
        for each in analysis.chosen[1:]
    ]
    return [replace(views[0], cards=tuple(cards(first, analysis))), *views[1:], *others]


def _treated(first: Evidence, results: Results, gaps: str | None) -> tuple[Comparisons, Layout]:
    if gaps is None:
        assert first.layout is not None
        return first.comparisons, first.layout
    c = first.comparisons
    options = (c.extras.options or Options()).but(gaps=gaps)
    made = suited(results, c.procedure, measure=first.measure, target=c.target, gaps=gaps)
    return compare(made, options), made


def run_states(made: Layout, results: Results) -> dict[str, str]:
    """Per algorithm a letter for each data set: done, failed or missing."""
    runs = results.runs
    done, failed = (
        {(d, a) for d, a in zip(part["dataset"].astype(str), part["algorithm"].astype(str),
                                strict=True)}
        for part in (runs[runs["status"] == status] for status in ("done", "failed"))
    )  # fmt: skip
    known = ~np.isnan(made.values)
    return {
        name: "".join(
            "f" if (d, name) in failed and (d, name) not in done else "d" if known[i, k] else "m"
            for i, d in enumerate(map(str, made.labels))
        )
        for k, name in enumerate(made.algorithms)
    }


def _with_states(view: View, states: Mapping[str, str], made: Layout) -> View:
    """Runs instead of strips."""
    columns = tuple(
        Column("runs", "runs", runs_head(len(made.labels)), RUNS_TITLE)
        if column.key == "strip" else column
        for column in view.columns
    )  # fmt: skip
    rows = tuple(
        replace(row, cells={**row.cells, "runs": states.get(row.name, "")}) for row in view.rows
    )
    return replace(view, columns=columns, rows=rows)


@hero("board", place=100)
def boards(analysis: Analysis) -> list[View]:
    """A view of every measure, and of the first one by every other test."""
    return [_view(each, analysis) for each in analysis.evidence]


def _view(evidence: Evidence, analysis: Analysis) -> View:
    c = evidence.comparisons
    first = evidence is analysis.first
    view = board(c, evidence.layout, at={"measure": evidence.measure, "test": c.procedure})
    return replace(view, cards=tuple(cards(evidence, analysis))) if first else view


def cards(evidence: Evidence, analysis: Analysis) -> Iterator[Card]:
    """Three questions that readers have next, with their answers in a sentence or two."""
    c = evidence.comparisons
    ranking = standing(c)
    if ranking is None or c.is_forced:
        return
    if text := redrawn(c, analysis.shares):
        yield Card(redrawn_question(c), text, "stability")
    others = [each for each in analysis.of(evidence.measure) if not each.is_chosen]
    if others:
        yield Card(AGREE, agreeing(evidence, others), "tests")
    if text := next_text(c, ranking, lambda: evidence.layout):
        yield Card(SETTLE, text)
