"""Items in strata: scores by topic, and whether differences depend on it."""

from __future__ import annotations

from podium.base.errors import PodiumError
from podium.items.description import by_stratum
from podium.reports.analysis import Analysis
from podium.reports.document import Block, Content, Text, readable, section
from podium.words.facts import PAGE
from podium.words.notes.of_surveys import INTERACTION, SCORES_BY_STRATUM, strata_heading
from podium.words.saying import say

MOST_ROWS = 400


@section("strata", "By stratum", place=36)
def strata(analysis: Analysis) -> Content | None:
    """The first measure whose items are in strata; nothing where there are none."""
    for evidence in analysis.chosen:
        layout = evidence.layout
        if layout is None or layout.items.strata is None:
            continue
        try:
            groups = by_stratum(layout, evidence.comparisons.alpha)
        except PodiumError:
            continue
        blocks: list[Block] = []
        if len(groups.scores) <= MOST_ROWS:
            blocks.append(readable(SCORES_BY_STRATUM, groups.scores))
        if len(groups.interaction):
            blocks.append(readable(INTERACTION, groups.interaction))
        notes = tuple(say(note, PAGE) for note in groups.notes if note not in layout.notes)
        return Content(strata_heading(groups).rstrip(":."), (*blocks, Text(notes)))
    return None
