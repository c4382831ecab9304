"""The section of a page on factors: what they do, with means, limits and interactions."""

from __future__ import annotations

from collections.abc import Iterator

from podium.factors.judging import Effects
from podium.factors.verbs import DECLARED, effects
from podium.factors.words import MEANS, headline
from podium.reports.analysis import Analysis, Evidence
from podium.reports.document import Choice, Part, readable, section
from podium.reports.figures import Picture, pictured, tall

MOST_ROWS = 200


@section("factors", "Factors", place=12)
def factors(analysis: Analysis) -> Iterator[Part]:
    """Of every measure, where the algorithms are combinations that were declared."""
    declared = analysis.results.design.get(DECLARED)
    for evidence in analysis.chosen if declared else ():
        yield _part(evidence, effects(analysis.results, declared, measure=evidence.measure,
                                      alpha=evidence.comparisons.alpha))  # fmt: skip


def _part(evidence: Evidence, e: Effects) -> Part:
    known = {note.code for note in evidence.comparisons.warnings}
    pictures = [Picture("effects", e, height=tall(len(e.of("main")) + 3, 0.25))]
    if len(e.of("interaction")):
        pictures.append(Picture("interaction", e, width=9.0))
    figures, not_drawn = pictured(pictures, evidence.measure)
    tables = e._tables()
    items = [readable("Effects", tables["Effects"].head(MOST_ROWS))]
    if "by" in e.means:
        levels = e.means[e.means["by"] == ""][["factor", "level", "mean"]]
        items.append(readable(MEANS, levels))
    if e.shares is not None:
        items.append(readable("Shares of the variance between combinations", e.shares.table))
    return Part(
        title=evidence.measure,
        lead=headline(e),
        paragraphs=tuple(not_drawn),
        notes=tuple(note for note in e.notes if note.code not in known),
        items=(*figures, *items),
        choice=Choice(evidence.measure),
    )
