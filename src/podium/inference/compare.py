"""compare: snap the bricks together and wrap what comes out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from podium.facts import INVALID, Hypothesis
from podium.inference.comparisons import COLUMNS, Blocks, Comparisons
from podium.inference.contrasts import Pair
from podium.inference.evidence import Evidence, evidence, tested
from podium.inference.layouts import Layout
from podium.inference.legality import check, stated
from podium.inference.options import Options
from podium.inference.procedure import Procedure
from podium.inference.request import Request, chosen_procedure, made_request, prepared


def compare(layout: Layout, options: Options | None = None) -> Comparisons:
    """Evidence about pairs of algorithms."""
    asked = options or Options()
    procedure, reason = chosen_procedure(layout, asked)
    remarks = (*layout.notes, *check(procedure, layout, asked.force))
    layout = prepared(replace(layout, notes=()), procedure, asked.missing)
    request = made_request(layout, procedure, asked)
    found = evidence(layout, procedure, request)
    said = (*remarks, *layout.notes, *reason, *found.notes())
    forced = any(note.severity is INVALID for note in said)
    hypothesis = Hypothesis(procedure.hypothesis, request.alternative, request.relevance)
    return Comparisons(
        table=_table(request, found),
        algorithms=layout.algorithms,
        means=layout.means(),
        measure=layout.measure.name,
        higher_is_better=layout.measure.higher_is_better,
        procedure=procedure.name,
        method=found.method,
        blocks=blocks_of(layout),
        target=layout.target,
        dataset=layout.dataset,
        claim=stated(layout, hypothesis, forced),
        overall=found.overall,
        alternative=request.alternative,
        alpha=request.alpha,
        relevance=request.relevance,
        warnings=said,
    )


def blocks_of(layout: Layout, count: int | None = None) -> Blocks:
    """What a layout is compared on."""
    drawn = str(layout.sampling) if layout.sampling else None
    count = len(layout.values) if count is None else count
    return Blocks(layout.block, count, drawn, layout.of_clusters)


def p_adjusted(
    layout: Layout, procedure: Procedure, options: Options
) -> tuple[Sequence[Pair], np.ndarray]:
    """The pairs and their adjusted p-values alone, for simulations."""
    check(procedure, layout, options.force)
    layout = prepared(layout, procedure, options.missing)
    request = made_request(layout, procedure, options)
    return request.pairs, tested(layout, procedure, request).adjusted


def _table(request: Request, found: Evidence) -> pd.DataFrame:
    """One row per pair, in the measure's own unit and sign."""
    columns = {
        "first": [first for first, _ in request.labels],
        "second": [second for _, second in request.labels],
        **found.columns,
        "verdict": found.verdicts,
    }
    more = [name for name in columns if name not in COLUMNS]
    return pd.DataFrame(columns)[[*COLUMNS, *more]]
