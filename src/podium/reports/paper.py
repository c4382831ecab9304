"""Methods: what a paper would say of how this was done, with its references."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from podium.reports.document import Choice, Part, Section, Table
from podium.studies.analysis import Analysis, Evidence
from podium.wording.methods import how_to_report, methods_text, references


def paper(analysis: Analysis) -> Section:
    """By measure: the text, how to report what was found, and the references by their numbers."""
    if not analysis.chosen:
        text = "Nothing was compared, so there are no methods to describe."
        return Section("Methods", "methods", (Part(paragraphs=(text,)),))
    parts = [part for each in analysis.chosen for part in _of_measure(each, analysis)]
    parts += [_nothing(measure) for measure in analysis.refused]
    return Section("Methods", "methods", tuple(parts))


def _of_measure(evidence: Evidence, analysis: Analysis) -> Iterator[Part]:
    c, order = evidence.comparisons, evidence.order
    choice = Choice(c.measure)
    methods = methods_text(analysis.results, c, order)
    yield Part("For a paper", paragraphs=methods, choice=choice)
    yield Part("How to report this", paragraphs=(how_to_report(c, order),), choice=choice)
    cited = references(analysis.results, c)
    if cited:
        numbered = pd.DataFrame({"reference": list(cited)})
        yield Part(items=(Table("References", numbered),), choice=choice)


def _nothing(measure: str) -> Part:
    text = f"Nothing was compared by {measure}, so there are no methods to describe."
    return Part(paragraphs=(text,), choice=Choice(measure))
