"""Methods: what a paper would say of how this was done, with its references."""

from __future__ import annotations

import pandas as pd

from podium.reports.document import Part, Section, Table
from podium.reports.evidence import Analysis
from podium.reports.methods import how_to_report, methods_text, references


def paper(analysis: Analysis) -> Section:
    """The text, how to report the findings, and the references in the order of their numbers."""
    first = analysis.first
    if first is None:
        text = "Nothing was compared, so there are no methods to describe."
        return Section("Methods", "methods", (Part(paragraphs=(text,)),))
    c = first.comparisons
    cited = references(analysis.results, c)
    numbered = pd.DataFrame({"reference": list(cited)})
    parts = (
        Part("For a paper", paragraphs=methods_text(analysis.results, c, first.order)),
        Part("How to report this", paragraphs=(how_to_report(c, first.order),)),
        Part("References", items=(Table("References", numbered),) if cited else ()),
    )
    return Section("Methods", "methods", parts)
