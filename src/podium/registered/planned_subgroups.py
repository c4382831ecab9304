"""The subgroups of a registered plan, beside the analysis that it planned."""

from __future__ import annotations

from dataclasses import replace

from podium.base.errors import PodiumError
from podium.inference.comparing.arranging import suited
from podium.inference.comparing.comparisons import Comparisons
from podium.questions.options import COMPLETE, WORST
from podium.reading.planned_and_done import as_registered
from podium.reading.results import Results
from podium.registered.words import declared
from podium.surveys.subgroups import Subgroups, subgroups
from podium.words.facts import CAUTION, Note


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
    groups = {name: [d for d in of if d in there] for name, of in plan.subgroups.items()}
    try:
        made = suited(replace(as_registered(results), registered=None), measure=plan.measure)
        result = subgroups(
            made,
            groups,
            declared_before=declared(about.version.fingerprint),
            control=plan.control,
            pairs=plan.pairs,
            alpha=plan.alpha,
            gaps=WORST if plan.gaps == WORST else COMPLETE,
        )
    except PodiumError as error:
        note = Note("planned-subgroups", CAUTION, reason=str(error))
        return replace(comparisons, warnings=(*comparisons.warnings, note)), None
    return comparisons, result
