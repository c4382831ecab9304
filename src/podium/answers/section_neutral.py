"""Where the data sets come from, who is who, and how much each was tuned."""

from __future__ import annotations

from collections.abc import Iterator

from podium.reading.development import development
from podium.reading.fits import fits_spent
from podium.reading.results import Results
from podium.reports.analysis import Analysis
from podium.reports.document import Item, Part, readable, section
from podium.reports.figures import Picture, pictured
from podium.words.notes.of_neutrality import NEUTRALITY, SPENT_CAPTION, disclosure


def _told(results: Results) -> bool:
    """Whether the study says anything of it, or an algorithm was tuned."""
    said = any(results.design.get(key) for key in ("frame", "roles", "development"))
    return said or len(results.fits) > 0


@section("neutral", NEUTRALITY, place=17)
def neutral(analysis: Analysis) -> Iterator[Part]:
    """The disclosure paragraph, the fits spent and the flow; nothing where nothing is said."""
    results = analysis.results
    if not _told(results):
        return
    spent = fits_spent(results)
    frame = results.design.get("frame") or {}
    told = disclosure(spent, len(development(results)), frame)
    items: list[Item] = [readable(SPENT_CAPTION, spent)]
    if frame or results.design.get("development"):
        shown, lacking = pictured([Picture("flow", results, height=3.2)])
        items, told = [*shown, *items], [*told, *lacking]
    yield Part(paragraphs=tuple(told), items=tuple(items))
