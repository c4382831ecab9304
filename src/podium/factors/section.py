"""The section of a page on factors: what they do, with means, limits and interactions."""

from __future__ import annotations

from podium.factors.verbs import DECLARED, effects
from podium.factors.words import MEANS, headline
from podium.reports.analysis import Analysis
from podium.reports.document import Content, Text, readable, section
from podium.words.saying import say
from podium.words.voices import PAGE

MOST_ROWS = 200


@section("factors", "Factors", place=12)
def factors(analysis: Analysis) -> Content | None:
    """Of the first measure, where the algorithms are combinations that were declared."""
    declared, first = analysis.results.design.get(DECLARED), analysis.first
    if not declared or first is None:
        return None
    c = first.comparisons
    e = effects(analysis.results, declared, measure=first.measure, alpha=c.alpha)
    known = {note.code for note in c.warnings}
    tables = [readable("Effects", e._tables()["Effects"].head(MOST_ROWS))]
    if "by" in e.means:
        levels = e.means[e.means["by"] == ""][["factor", "level", "mean"]]
        tables.append(readable(MEANS, levels))
    if e.shares is not None:
        tables.append(readable("Shares of the variance between combinations", e.shares.table))
    notes = Text(tuple(say(note, PAGE) for note in e.notes if note.code not in known))
    return Content(headline(e), (*tables, notes))
