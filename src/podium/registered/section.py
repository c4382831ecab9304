"""What was planned before the first score, and what was done otherwise."""

from __future__ import annotations

from collections.abc import Iterator

from podium.registered.planned_subgroups import planned_subgroups
from podium.registered.words import NO_DEVIATION, PLANNED_AND_DONE, SUBGROUPS, planned_paragraphs
from podium.reports.analysis import Analysis
from podium.reports.document import Part, readable, section


@section("registered", PLANNED_AND_DONE, place=15)
def registered(analysis: Analysis) -> Iterator[Part]:
    """The plan and every deviation from it; nothing where there was no plan."""
    about = analysis.first.comparisons.extras.registered if analysis.first else None
    if about is None:
        return
    version = about.version
    texts = planned_paragraphs(
        version.fingerprint, version.time, version.plan.measure, about.exploratory
    )
    table = about.deviations
    rest = () if len(table) else (NO_DEVIATION,)
    items = (readable(PLANNED_AND_DONE, table),) if len(table) else ()
    yield Part(paragraphs=(*texts, *rest), items=items)
    yield from _subgroups(analysis)


def _subgroups(analysis: Analysis) -> Iterator[Part]:
    """The subgroups that were planned, or why they cannot be had."""
    assert analysis.first is not None
    planned = analysis.first.comparisons
    message, result = planned_subgroups(analysis.results, planned)
    if result is None:
        notes = tuple(message.warnings[len(planned.warnings) :])
        yield from [Part(title=SUBGROUPS, notes=notes)] * bool(notes)
        return
    tables = (readable(caption, table) for caption, table in result._tables().items())
    yield Part(
        title=SUBGROUPS,
        paragraphs=(result.heading, result.statement),
        notes=result.notes,
        items=tuple(tables),
    )
