"""compare: snap the bricks together and wrap what comes out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from podium.comparisons import COLUMNS, Comparisons
from podium.facts import Note
from podium.inference.contrasts import Pair
from podium.inference.estimates import Estimator
from podium.inference.found import Found
from podium.inference.layouts import Layout
from podium.inference.legality import check
from podium.inference.notes import notes
from podium.inference.nulls import NullBrick
from podium.inference.procedures import Procedure
from podium.inference.requests import (
    Contrasts,
    Request,
    chosen_procedure,
    made_request,
    prepared,
    with_estimate,
)
from podium.inference.scales import ranks_within
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
    estimate: str | Estimator | None = None,
) -> Comparisons:
    """Evidence about pairs of algorithms; see `podium.compare` for the options."""
    chosen, reason = chosen_procedure(layout.filled() if missing == "worst" else layout, procedure)
    if estimate is not None:
        chosen = with_estimate(chosen, estimate)
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
            "text": layout.block_text,
            "count": len(layout.values),
            "sampling": str(layout.sampling) if layout.sampling else None,
        },
        target=layout.target,
        dataset=layout.dataset,
        statement=_mark(said) + statement(layout, _hypothesis(procedure, request)),
        overall=found.overall(),
        alternative=request.alternative,
        alpha=request.alpha,
        relevance=request.relevance,
        warnings=said,
        details=_details(layout, procedure, request, found),
    )


def _mark(said: tuple[Note, ...]) -> str:
    forced = any(note.code == "forced" for note in said)
    return "NOT LEGAL for this design, computed by force: nothing of this may be claimed. " * forced


def _hypothesis(procedure: Procedure, request: Request) -> str:
    """What is held to be true until the scores speak against it."""
    margin = request.relevance
    both = f"(one-sided; two-sided: {procedure.hypothesis})"
    if request.alternative == "greater":
        return f"first - second is at most {margin:g} {both}"
    if request.alternative == "less":
        return f"first - second is at least {-margin + 0.0:g} {both}"
    return f"two algorithms differ by at most {margin:g}" if margin else procedure.hypothesis


def _details(
    layout: Layout, procedure: Procedure, request: Request, found: Found
) -> dict[str, object]:
    details: dict[str, object] = {
        "null": str(request.null),
        "adjustment": request.adjust.name,
        "controls": (
            procedure.controls if request.adjust.name == procedure.adjust else request.adjust.text
        ),
        "holds under": procedure.null,
        "reference": procedure.reference,
        "estimates of": procedure.of,
    }
    model = found.estimates.model
    if model is not None:
        details |= model.details
    if procedure.ranks:
        ranks = ranks_within(layout.values).mean(axis=0).tolist()
        details["mean_ranks"] = dict(zip(layout.algorithms, ranks, strict=True))
    if procedure.spherical:
        details["epsilon"] = epsilon(layout.by_dataset())
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
            "estimate": sign * found.in_units + 0.0,  # no -0.0
            "lower": own_low + 0.0,
            "upper": own_high + 0.0,
            "statistic": sign * found.t + 0.0,
            "p": found.p,
            "p_adjusted": np.fmax(found.adjusted, found.p),  # but for the noise of drawn nulls
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
