"""What comparisons hold, as plain values that are short enough to be kept."""

from __future__ import annotations

from typing import Any

import numpy as np

from podium import Comparisons, Layout, Note
from podium.core.inference.comparing.comparisons import Method
from podium.core.inference.comparing.evidence import critical_value, demsar_value
from podium.core.inference.comparing.single import intervals
from podium.core.words.saying import say

OF_READING = ("recognised", "design-carried", "unused-columns", "procedure-chosen")
NAMES = ("first", "second", "verdict")


def summary(of: Comparisons, *, whole: bool = False) -> dict[str, Any]:
    """Numbers and codes of notes; of the test beside it the p-values; the `whole` has all facts."""
    table = of.pairs.dropna(axis="columns", how="all")
    columns = [c for c in table if c not in NAMES]
    rows = zip(of.pairs.to_dict("records"), table[columns].itertuples(index=False), strict=True)
    found: dict[str, Any] = {
        "": " ".join(columns),
        **{f"{r['first']}:{r['second']} {r['verdict']}": [*numbers] for r, numbers in rows},
        "order": order(of),
        "means": [*of.means.values()],
    }
    if of.overall is not None:
        found["overall"] = [of.overall.statistic, of.overall.df, of.overall.p, of.overall.test]
    if isinstance(of.method, Method):
        model = of.method.model.to_dict() if of.method.model else {}
        more = {"ranks": of.method.mean_ranks, "epsilon": of.method.epsilon, "elo": of.method.elo}
        found |= {name: each for name, each in (model | more).items() if each is not None}
    if of.extras.companion is not None:
        found["beside"] = of.extras.companion.table["p_adjusted"].tolist()
    if of.extras.standing is not None:
        found["standing"] = [[*each] for each in of.extras.standing.values()]
    if of.extras.falls:
        found["falls"] = of.extras.falls
    if of.mean_ranks is not None:
        found["critical"] = [critical_value(of, of.mean_ranks), demsar_value(of)]
    if not whole:
        return found | {"notes": " ".join(note.code for note in of.warnings)}
    for name in ("answers", "covariates", "sequential"):
        extra = getattr(of.extras, name)
        if extra is not None:
            found[name] = extra.to_dict()
    if of.extras.scores is not None:
        found["scores"] = of.extras.scores.select_dtypes("number")
    ahead = of.decision.rows
    return found | {
        "best mean": of.best_mean,
        "shown": [" | ".join(map(str, row)) for row in of.best_first(ahead).shown().to_numpy()],
        "statement": of.statement,
        "notes": {note.code: facts(note) for note in of.warnings if note.code not in OF_READING},
        "claim": [of.claim.said.given, of.claim.size, of.claim.few, of.target],
    }


def order(of: Comparisons) -> str:
    """The line, ranks that verdicts allow, and in brackets who leads."""
    places, lead = of.decision.places or {}, " ".join(of.decision.lead or ("nobody",))
    line = (f"{a} {'-'.join(map(str, places.get(a, '?')))}" for a in of.decision.line)
    return f"{', '.join(line)} ({lead})"


def facts(note: Note) -> dict[str, Any]:
    """How much a note matters, what is said of it, and its facts."""
    return {"severity": note.severity.name, "says": say(note), **note.facts}


def of_layout(layout: Layout) -> dict[str, Any]:
    """What a layout is of, with sums that any change of a cell moves."""
    values = np.nan_to_num(layout.values, nan=0.5)
    places = np.cos(np.arange(values.size)).reshape(values.shape)
    return {
        "block": layout.block,
        "target": layout.target,
        "of": [str(layout.measure.name), layout.sign, *layout.algorithms],
        "shape": [*layout.values.shape, int(np.isnan(layout.values).sum())],
        "cells": float((values * places).sum()),
        "means": [*layout.means().values()],
        "mixing": [*layout.mixing],
        "origin": [
            layout.origin.rows,
            layout.origin.size,
            layout.origin.runs,
            layout.origin.failed,
        ],
        "facts": [layout.is_binary, layout.is_bounded, layout.is_unmixable, layout.lacking()],
        "intervals": [list(each) for each in intervals(layout, 0.1).itertuples(index=False)],
        "failed": None if layout.failed is None else np.flatnonzero(layout.failed),
    }
