"""What was planned before the first score, and what was done otherwise."""

from __future__ import annotations

from dataclasses import replace

from podium.asking.comparison.analysis import Analysis
from podium.asking.registered.words import (
    NO_DEVIATION,
    PLANNED_AND_DONE,
    SUBGROUPS,
    declared,
    planned_paragraphs,
)
from podium.asking.surveys.subgroups import Subgroups, subgroups
from podium.core.base.errors import PodiumError
from podium.core.inference.comparing.arranging import suited
from podium.core.inference.comparing.comparisons import Comparisons
from podium.core.questions.options import COMPLETE
from podium.core.results.planned_and_done import as_registered
from podium.core.results.results import Results
from podium.core.words.facts import CAUTION, PAGE, Note
from podium.core.words.phrases import counted
from podium.core.words.saying import say
from podium.showing.reports.document import Block, Content, Text, readable, section

# -- planned subgroups ----------------------------------------------------------------------------
# The subgroups of a registered plan, beside the analysis that it planned.


def planned_subgroups(
    results: Results, comparisons: Comparisons
) -> tuple[Comparisons, Subgroups | None]:
    """The subgroups that a plan names, None where there are none.

    Where they cannot be had, as data sets failed, the planned comparisons say why.
    """
    about = comparisons.extras.registered
    if about is None or about.exploratory or not about.version.plan.subgroups:
        return comparisons, None
    plan, there = about.version.plan, set(results.datasets)
    assert plan.subgroups is not None
    gaps = plan.options().get("gaps")
    groups = {name: [d for d in members if d in there] for name, members in plan.subgroups.items()}
    try:
        own = replace(as_registered(results), registered=None)
        made = suited(own, measure=plan.measure, gaps=gaps)
        result = subgroups(
            made,
            groups,
            declared_before=declared(about.version.fingerprint),
            control=plan.control,
            pairs=plan.pairs,
            alpha=plan.alpha,
            gaps=gaps or COMPLETE,
        )
    except PodiumError as error:
        note = Note("planned-subgroups", CAUTION, reason=str(error))
        return replace(comparisons, warnings=(*comparisons.warnings, note)), None
    return comparisons, result


# -- section --------------------------------------------------------------------------------------


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
