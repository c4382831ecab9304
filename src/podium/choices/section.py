"""Choices with covariates: what else decides who is chosen, and what that changes."""

from __future__ import annotations

import pandas as pd

from podium.base.formatting import p_value
from podium.choices.words import ALL_ALIKE, COVARIATES, EFFECTS, UNADJUSTED, covariates_heading
from podium.reports.analysis import Analysis
from podium.reports.document import Content, Text, readable, section

COLUMNS = ("covariate", "term", "about", "estimate", "standard_error", "lower", "upper", "p",
           "p_adjusted")  # fmt: skip
HEADS = {"standard_error": "s.e."}


@section("covariates", COVARIATES, place=37)
def covariates(analysis: Analysis) -> Content | None:
    """The first analysis of choices that has covariates; nothing where there are none."""
    for evidence in analysis.chosen:
        c = evidence.comparisons
        effects = c.extras.covariates
        if effects is None:
            continue
        tables = [readable(EFFECTS, _table(effects.terms), HEADS)]
        if len(effects.tests):
            tables.append(readable(ALL_ALIKE, effects.tests))
        tables.append(readable(UNADJUSTED, pd.DataFrame(effects.by_algorithm)))
        heading = covariates_heading(c.alpha, effects.blocks)
        return Content(_finding(effects.terms), (Text((heading,)), *tables))
    return None


def _finding(terms: pd.DataFrame) -> str:
    """The effect with the smallest p-value."""
    row = terms.loc[terms["p"].idxmin()]
    p = p_value(float(row["p"]))
    return f"{row['term']} {float(row['estimate']):+.2f} (p {'' if p.startswith('<') else '= '}{p})"


def _table(terms: pd.DataFrame) -> pd.DataFrame:
    """What fits on a page, units beside the terms; JSON has the rest."""
    names = zip(terms["term"], terms["unit"], strict=True)
    texts = [f"{term}, {unit}" if unit else term for term, unit in names]
    return terms.assign(term=texts)[list(COLUMNS)]
