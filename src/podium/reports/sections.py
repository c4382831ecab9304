"""The sections of a page, in the order in which they are read; here the first, and the methods.

Each file registers what it makes in `document.SECTIONS`; what others register there comes along.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pandas as pd

from podium.inference.comparisons import Comparisons
from podium.progress import Progress
from podium.reports import (  # noqa: F401  (their sections are registered)
    section_design,
    section_order,
    section_planning,
    section_scores,
    section_surveys,
    section_tests,
)
from podium.reports.document import SECTIONS, Choice, Part, Section, Table, section
from podium.results.results import Results
from podium.studies.analysis import Analysis, Evidence, Question, analysed
from podium.wording.claims import cautionary, claim, failures, legend
from podium.wording.methods import how_to_report, methods_text, references
from podium.wording.page_scores import (
    NO_SCORES,
    NOTHING_COMPARED,
    headline,
    not_judged,
    nothing_compared,
)


def sections(
    results: Results,
    comparisons: Sequence[Comparisons] = (),
    question: Question | None = None,
    *,
    progress: Progress | None = None,
) -> list[Section]:
    """What a page of these results says, the findings first.

    Comparisons that are given come first; every other measure is compared by the procedure that
    the design calls for, or as the question asks. `progress` is told `(done, total)`.
    """
    records = sorted(SECTIONS.values(), key=lambda record: record.place)
    steps = len(records)
    tell = progress or (lambda done, total: None)
    analysis = analysed(
        results, comparisons, question, lambda done, total: tell(done, total + steps)
    )
    before = len(analysis.measures) + 2
    made = []
    for done, record in enumerate(records, 1):
        made.append(record.made(analysis))
        tell(before + done, before + steps)
    return [each for each in made if each is not None]


# -- what was found -------------------------------------------------------------------------


@section("findings", "What was found", place=10)
def findings(analysis: Analysis) -> Iterator[Part]:
    """The order and one paragraph for every measure, with what a reader must know."""
    yield from (_finding(each, analysis.results) for each in analysis.chosen)
    for measure, why in analysis.refused.items():
        title, text = not_judged(measure, why)
        notes = tuple(failures(analysis.results))
        yield Part(title, paragraphs=(text,), notes=notes, choice=Choice(measure))
    if not analysis.measures:
        yield Part(paragraphs=(NO_SCORES,))


def _finding(evidence: Evidence, results: Results) -> Part:
    c = evidence.comparisons
    signs = "" if c.is_forced else legend(evidence.order, c.relevance)
    return Part(
        title=headline(c, results),
        lead=evidence.order.text if len(c.algorithms) > 1 and not c.is_forced else "",
        paragraphs=tuple(text for text in (claim(evidence, results), signs) if text),
        notes=cautionary(evidence, results),
        choice=Choice(c.measure),
    )


# -- for a paper ----------------------------------------------------------------------------


@section("methods", "Methods", place=80)
def methods(analysis: Analysis) -> Iterator[Part]:
    """By measure: the text, how to report what was found, and the references by their numbers."""
    if not analysis.chosen:
        yield Part(paragraphs=(NOTHING_COMPARED,))
        return
    for each in analysis.chosen:
        yield from _methods_of(each, analysis.results)
    for measure in analysis.refused:
        yield Part(paragraphs=(nothing_compared(measure),), choice=Choice(measure))


def _methods_of(evidence: Evidence, results: Results) -> Iterator[Part]:
    c, order = evidence.comparisons, evidence.order
    choice = Choice(c.measure)
    yield Part("For a paper", paragraphs=methods_text(results, c, order), choice=choice)
    yield Part("How to report this", paragraphs=(how_to_report(c, order),), choice=choice)
    cited = references(results, c)
    if cited:
        numbered = pd.DataFrame({"reference": list(cited)})
        yield Part(items=(Table("References", numbered),), choice=choice)
