"""The section of a page on several measures: who could be on the front."""

from __future__ import annotations

from podium.fronts.verbs import ASKED, MARGINS, front_of_results
from podium.fronts.words import headline, trades_text
from podium.reports.analysis import Analysis
from podium.reports.document import Content, Text, readable, section
from podium.words.saying import say
from podium.words.voices import PAGE


@section("front", "Front", place=13)
def front(analysis: Analysis) -> Content | None:
    """Where several measures were asked for together."""
    several = analysis.results.design.get(ASKED)
    if not several:
        return None
    result = front_of_results(several, margins=analysis.results.design.get(MARGINS))
    dominated = result.dominated.drop(columns="all")
    tables = [readable("Dominated", dominated)] if len(dominated) else []
    notes = [say(n, PAGE) for n in result.notes if n.code == "spread-costs"]
    text = Text((*trades_text(result), *notes))
    return Content(headline(result), (text, readable("Means", result.scores), *tables))
