"""The first screens of pages: the board of every measure and test, and one algorithm alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from podium.answers.answer_words import AGREE, SETTLE, agreeing, redrawn, redrawn_question
from podium.answers.screen import next_text
from podium.reports.analysis import Analysis, Evidence
from podium.reports.board import board
from podium.reports.document import Card, View, hero
from podium.verdicts.standing import standing


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
