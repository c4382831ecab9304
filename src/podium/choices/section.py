"""Choices with covariates: what else decides who is chosen, and what that changes."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from podium.choices.words import ALL_ALIKE, COVARIATES, EFFECTS, UNADJUSTED, covariates_heading
from podium.reports.analysis import Analysis
from podium.reports.document import Choice, Part, readable, section

COLUMNS = ("covariate", "term", "about", "estimate", "standard_error", "lower", "upper", "p",
           "p_adjusted")  # fmt: skip
HEADS = {"standard_error": "s.e."}


@section("covariates", COVARIATES, place=36)
def covariates(analysis: Analysis) -> Iterator[Part]:
    """Every analysis of choices that has covariates; nothing where there are none."""
    for evidence in analysis.chosen:
        c = evidence.comparisons
        if c.extras.covariates is None:
            continue
        tables = [readable(EFFECTS, _told(c.extras.covariates.terms), HEADS)]
        if len(c.extras.covariates.tests):
            tables.append(readable(ALL_ALIKE, c.extras.covariates.tests))
        tables.append(readable(UNADJUSTED, pd.DataFrame(c.extras.covariates.by_algorithm)))
        yield Part(
            title=evidence.measure,
            paragraphs=(covariates_heading(c.alpha, c.extras.covariates.blocks),),
            items=tuple(tables),
            choice=Choice(evidence.measure),
        )


def _told(terms: pd.DataFrame) -> pd.DataFrame:
    """What fits on a page, units beside the terms; JSON has the rest."""
    names = zip(terms["term"], terms["unit"], strict=True)
    texts = [f"{term}, {unit}" if unit else term for term, unit in names]
    return terms.assign(term=texts)[list(COLUMNS)]
