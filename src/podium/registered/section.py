"""What was planned before the first score, and what was done otherwise."""

from __future__ import annotations

from podium.registered.planned_subgroups import planned_subgroups
from podium.registered.words import NO_DEVIATION, PLANNED_AND_DONE, SUBGROUPS, planned_paragraphs
from podium.reports.analysis import Analysis
from podium.reports.document import Block, Content, Text, readable, section
from podium.words.phrases import counted
from podium.words.saying import say
from podium.words.voices import PAGE


@section("registered", PLANNED_AND_DONE, place=10)
def registered(analysis: Analysis) -> Content | None:
    """The plan and every deviation from it; nothing where there was no plan."""
    about = analysis.first.comparisons.extras.registered if analysis.first else None
    if about is None:
        return None
    version, table = about.version, about.deviations
    texts = planned_paragraphs(
        version.fingerprint, version.time, version.plan.measure, about.exploratory
    )
    finding = f"{counted(len(table), 'deviation')} from the plan" if len(table) else NO_DEVIATION
    blocks: list[Block] = [Text(tuple(texts))]
    blocks += [readable(PLANNED_AND_DONE, table)] if len(table) else []
    return Content(finding.rstrip("."), (*blocks, *_subgroups(analysis)))


def _subgroups(analysis: Analysis) -> list[Block]:
    """The subgroups that were planned, or why they cannot be had."""
    assert analysis.first is not None
    planned = analysis.first.comparisons
    message, groups = planned_subgroups(analysis.results, planned)
    if groups is None:
        new = message.warnings[len(planned.warnings) :]
        return [Text((SUBGROUPS, *(say(note, PAGE) for note in new)))] if new else []
    tables = [readable(caption, table) for caption, table in groups._tables().items()]
    notes = [say(note, PAGE) for note in groups.notes]
    return [Text((SUBGROUPS, groups.heading, groups.statement, *notes)), *tables]
