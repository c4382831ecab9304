"""compare: snap the bricks together and wrap what comes out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from podium.comparisons import COLUMNS, Comparisons, Note
from podium.inference.contrasts import Pair
from podium.inference.found import Found
from podium.inference.layouts import BLOCKS, Layout
from podium.inference.legality import check
from podium.inference.notes import notes
from podium.inference.nulls import (
    NullBrick,
)
from podium.inference.procedures import Procedure
from podium.inference.requests import Contrasts, Request, chosen_procedure, made_request, prepared
from podium.inference.sphericity import epsilon
from podium.inference.statements import statement


def compare(
    layout: Layout,
    procedure: str | Procedure | None = None,
    *,
    null: str | NullBrick | None = None,
    adjust: str | None = None,
    control: str | None = None,
    pairs: Sequence[tuple[str, str]] | None = None,
    contrasts: Contrasts | None = None,
    alternative: str = "two-sided",
    alpha: float = 0.05,
    relevance: float = 0.0,
    missing: str = "complete",
    force: bool = False,
) -> Comparisons:
    """Evidence about pairs of algorithms; see `podium.compare` for the options."""
    chosen, reason = chosen_procedure(layout.filled() if missing == "worst" else layout, procedure)
    if procedure is None and layout.block == "dataset":
        adjust = adjust or "holm"  # valid whatever the dependence between data sets' pairs
    remarks = (*layout.notes, *check(chosen, layout, force))
    layout = prepared(replace(layout, notes=()), chosen, missing)
    request = made_request(
        layout, chosen, null, adjust, control, pairs, alternative, alpha, relevance, contrasts
    )
    found = Found(layout, chosen, request)
    said = (*remarks, *layout.notes, *reason, *notes(layout, chosen, request, found))
    return _wrapped(layout, chosen, request, found, said)


def p_adjusted(
    layout: Layout,
    procedure: Procedure,
    *,
    control: str | None = None,
    force: bool = False,
    null: str | NullBrick | None = None,
    adjust: str | None = None,
) -> tuple[Sequence[Pair], np.ndarray]:
    """The pairs and their adjusted p-values alone, for simulations."""
    check(procedure, layout, force)
    layout = prepared(layout, procedure, "complete")
    request = made_request(layout, procedure, null, adjust, control, None, "two-sided", 0.05, 0.0)
    return request.pairs, Found(layout, procedure, request).adjusted


def _wrapped(
    layout: Layout,
    procedure: Procedure,
    request: Request,
    found: Found,
    said: tuple[Note, ...],
) -> Comparisons:
    bricks = f"null: {request.null}, adjustment: {request.adjust.name}"
    return Comparisons(
        table=_table(layout, request, found),
        algorithms=layout.algorithms,
        means=layout.means(),
        measure=layout.measure.name,
        higher_is_better=layout.measure.higher_is_better,
        procedure=procedure.name,
        title=f"{procedure.title} ({bricks})",
        blocks={
            "kind": layout.block,
            "text": BLOCKS[layout.block],
            "count": len(layout.values),
            "sampling": str(layout.sampling) if layout.sampling else None,
        },
        target=layout.target,
        dataset=layout.dataset,
        statement=statement(layout, procedure.hypothesis),
        overall=found.overall(),
        alternative=request.alternative,
        alpha=request.alpha,
        relevance=request.relevance,
        warnings=said,
        details=_details(layout, procedure, request, found),
    )


def _details(
    layout: Layout, procedure: Procedure, request: Request, found: Found
) -> dict[str, object]:
    details: dict[str, object] = {
        "null": str(request.null),
        "adjustment": request.adjust.name,
        "controls": procedure.controls,
        "holds under": procedure.null,
        "reference": procedure.reference,
    }
    model = found.estimates.model
    if model is not None:
        details |= {"sigma_b": float(model.sigma_b), "sigma": float(model.sigma)}
    if procedure.spherical and not layout.has_gaps:
        details["epsilon"] = epsilon(layout.values)
    return details


def _table(layout: Layout, request: Request, found: Found) -> pd.DataFrame:
    """One row per pair, in the measure's own unit and sign."""
    sign = layout.sign
    low, high = found.limits
    own_low, own_high = (low, high) if sign > 0 else (-high, -low)
    table = pd.DataFrame(
        {
            "first": [first for first, _ in request.labels],
            "second": [second for _, second in request.labels],
            "estimate": sign * found.in_units,
            "lower": own_low,
            "upper": own_high,
            "statistic": sign * found.t,
            "p": found.evidence.p,
            "p_adjusted": np.fmax(found.adjusted, found.evidence.p),
        }
    )
    table["verdict"] = _verdicts(request, found, table["p_adjusted"].to_numpy(float))
    if request.two_sided and request.relevance > 0:
        table["p_equivalence"] = found.equivalence
    return table[[*COLUMNS, *[c for c in table if c not in COLUMNS]]]


def _verdicts(request: Request, found: Found, p: np.ndarray) -> list[str]:
    words = []
    for t, q, same in zip(found.t, p, found.equivalence, strict=True):
        if q <= request.alpha:
            if request.relevance < 0:
                words.append("non-inferior" if found.turn > 0 else "non-superior")
            else:
                words.append("better" if t > 0 else "worse")
        elif same <= request.alpha:
            words.append("equivalent")
        else:
            words.append("undecided")
    return words
