"""Items in strata: scores by topic, and whether differences depend on it."""

from __future__ import annotations

from collections.abc import Iterator

from podium.base.errors import PodiumError
from podium.items.strata import by_stratum
from podium.reports.analysis import Analysis, Evidence
from podium.reports.document import Choice, Part, readable, section
from podium.reports.figures import Picture, pictured, tall
from podium.words.notes.of_boards import INTERACTION, SCORES_BY_STRATUM, strata_heading

MOST_ROWS = 400


@section("strata", "By stratum", place=35)
def strata(analysis: Analysis) -> Iterator[Part]:
    """Every measure whose items are in strata; nothing where there are none."""
    for evidence in analysis.chosen:
        made = evidence.layout
        if made is not None and made.items.strata is not None:
            yield from _part(evidence, analysis)


def _part(evidence: Evidence, analysis: Analysis) -> Iterator[Part]:
    assert evidence.layout is not None
    try:
        result = by_stratum(evidence.layout, evidence.comparisons.alpha)
    except PodiumError:
        return
    rows = len(result.strata) * min(len(result.algorithms), 8)
    picture = Picture("strata", analysis.results, {"measure": evidence.measure},
                      height=tall(rows, 0.14))  # fmt: skip
    figures, not_drawn = pictured([picture], evidence.measure)
    tables = [readable(INTERACTION, result.interaction)] if len(result.interaction) else []
    if len(result.scores) <= MOST_ROWS:
        tables.insert(0, readable(SCORES_BY_STRATUM, result.scores))
    yield Part(
        title=evidence.measure,
        paragraphs=(strata_heading(result), *not_drawn),
        notes=tuple(note for note in result.notes if note not in evidence.layout.notes),
        items=(*figures, *tables),
        choice=Choice(evidence.measure),
    )
