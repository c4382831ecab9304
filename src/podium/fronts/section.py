"""The section of a page on several measures: who could be on the front."""

from __future__ import annotations

from collections.abc import Iterator

from podium.fronts.verbs import ASKED, front_of_results
from podium.fronts.words import headline, trades_text
from podium.reports.analysis import Analysis
from podium.reports.document import Part, readable, section
from podium.reports.figures import Picture, pictured


@section("front", "Front", place=13)
def front(analysis: Analysis) -> Iterator[Part]:
    """Where several measures were asked for together."""
    several = analysis.results.design.get(ASKED)
    if not several:
        return
    found = front_of_results(several)
    figures, not_drawn = pictured([Picture("front", found, width=8.0, height=4.6)])
    dominated = found.dominated.drop(columns="all")
    tables = [readable("Dominated", dominated)] if len(dominated) else []
    yield Part(
        lead=headline(found),
        paragraphs=(*trades_text(found), *not_drawn),
        notes=tuple(n for n in found.notes if n.code == "spread-costs"),
        items=(*figures, readable("Means", found.scores), *tables),
    )
