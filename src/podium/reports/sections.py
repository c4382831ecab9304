"""The sections of a page, in the order in which they are read; no statistics of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from podium.comparisons import Comparisons
from podium.formatting import printable
from podium.progress import Progress
from podium.reports.design import design
from podium.reports.document import Choice, Part, Section
from podium.reports.exploration import exploration
from podium.reports.inference import inference
from podium.reports.ordering import ordering
from podium.reports.paper import paper
from podium.reports.planning import planning
from podium.reports.provenance import problems, provenance
from podium.reports.surveys import surveys
from podium.results.results import Results
from podium.studies.analysis import Analysis, Evidence, analysed
from podium.wording.claims import cautionary, claim, failures, legend

Made = Callable[[Analysis], Section | None]


def sections(
    results: Results,
    comparisons: Sequence[Comparisons] = (),
    *,
    options: Mapping[str, Any] | None = None,
    progress: Progress | None = None,
) -> list[Section]:
    """What a page of these results says, the findings first.

    Comparisons that are given come first; every other measure is compared by the procedure that
    the design calls for, or by `options`, those of `compare`. `progress` is told `(done, total)`.
    """
    tell = progress or (lambda done, total: None)
    found = analysed(results, comparisons, options, lambda done, total: tell(done, total + STEPS))
    before = len(found.measures) + 2
    made = []
    for done, part in enumerate(PARTS, 1):
        section = part(found)
        made += [section] if section is not None else []
        tell(before + done, before + STEPS)
    return made


def findings(found: Analysis) -> Section:
    """The order and one paragraph for every measure, with what a reader must know."""
    parts = [_finding(each, found) for each in found.chosen]
    parts += [_nothing(measure, why, found) for measure, why in found.refused.items()]
    if not parts:
        parts = [Part(paragraphs=("There are no scores to judge.",))]
    return Section("What was found", "findings", tuple(parts))


def _finding(evidence: Evidence, found: Analysis) -> Part:
    c = evidence.comparisons
    what = "Nothing may be said" if c.is_forced else "What may be said"
    signs = "" if c.is_forced else legend(evidence.order, c.relevance)
    return Part(
        title=f"{what} {_where(c, found.results)}, by {c.measure}",
        lead=evidence.order.text if len(c.algorithms) > 1 and not c.is_forced else "",
        paragraphs=tuple(text for text in (claim(evidence, found.results), signs) if text),
        notes=cautionary(evidence, found.results),
        choice=Choice(c.measure),
    )


def _where(c: Comparisons, results: Results) -> str:
    """On which data: a single data set, or all together."""
    name = c.dataset or (results.datasets[0] if len(results.datasets) == 1 else "")
    return f"on {printable(name)}" if name else "over all data sets"


def _nothing(measure: str, why: str, found: Analysis) -> Part:
    """A measure that cannot be judged, and the reason."""
    text = f"By {measure} it cannot be said which algorithm is better. {why}"
    return Part(
        title=f"Nothing may be said by {measure}",
        paragraphs=(text,),
        notes=tuple(failures(found.results)),
        choice=Choice(measure),
    )


PARTS: tuple[Made, ...] = (
    findings,
    lambda found: design(found.results),
    lambda found: exploration(found.results),
    inference,
    ordering,
    surveys,
    planning,
    paper,
    lambda found: provenance(found.results),
    lambda found: problems(found.results),
)
STEPS = len(PARTS)
