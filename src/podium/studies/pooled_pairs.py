"""Every pair of algorithms over the studies that compared it: random effects of its own."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from podium.errors import InferenceError
from podium.facts import Note
from podium.studies.meta import LEAST_FOR_BIAS, LEAST_STUDIES, Network, egger, pooled
from podium.studies.reported_studies import Pair, Reported

ALIKE = 1e-10  # errors that differ by less, relatively, are the same


@dataclass(frozen=True, eq=False)
class Found:
    """Pairs, the rows of their studies, what is said of them, and the network if it is one."""

    pairs: pd.DataFrame
    rows: pd.DataFrame
    notes: tuple[Note, ...]
    fitted: Network | None = None
    facts: dict[str, Any] | None = None
    splits: pd.DataFrame = field(default_factory=pd.DataFrame)


def compared_pairs(studies: Sequence[Reported]) -> list[Pair]:
    """All pairs that a study compared, each once, in the order in which they appear."""
    found: dict[Pair, None] = {}
    for study in studies:
        for pair in study.pairs:
            if pair[::-1] not in found:
                found[pair] = None
    return list(found)


def of_pair(studies: Sequence[Reported], pair: Pair) -> tuple[list[str], np.ndarray, np.ndarray]:
    """The names of the studies that compared a pair, their differences and variances."""
    known = [(s.name, d) for s in studies if (d := s.difference(*pair)) is not None]
    values = np.array([d for _, d in known]).reshape(-1, 2)
    return [name for name, _ in known], values[:, 0], values[:, 1]


def study_rows(
    pair: Pair, names: list[str], y: np.ndarray, v: np.ndarray, tau2: float
) -> pd.DataFrame:
    """The studies of a pair with their weights."""
    weight = 1 / (v + tau2)
    return pd.DataFrame(
        {
            "study": names,
            "first": pair[0],
            "second": pair[1],
            "estimate": y,
            "error": np.sqrt(v),
            "weight": weight / weight.sum(),
        }
    )


def pair_by_pair(
    studies: Sequence[Reported], every: Sequence[Pair], method: str, alpha: float
) -> Found:
    """Every pair that several studies compared, pooled."""
    known = {pair: of_pair(studies, pair) for pair in every}
    several = {p: of for p, of in known.items() if len(of[0]) >= LEAST_STUDIES}
    if not several:
        raise InferenceError(
            "No two algorithms were compared by two of these studies: take them as a network "
            "(--network, network=True), or add studies."
        )
    made = [_pooled(pair, *of[1:], method, alpha) for pair, of in several.items()]
    rows = [
        study_rows(pair, *of, row["tau2"])
        for (pair, of), row in zip(several.items(), made, strict=True)
    ]
    alone = tuple(pair for pair in known if pair not in several)
    notes = (Note("pairs-of-one-study", pairs=alone),) * bool(alone)
    return Found(pd.DataFrame(made), pd.concat(rows, ignore_index=True), notes)


def _pooled(pair: Pair, y: np.ndarray, v: np.ndarray, method: str, alpha: float) -> dict[str, Any]:
    found = pooled(y, v, method=method, alpha=alpha)
    if found.error == 0:  # all studies say the very same, and their own errors are all there is
        found = pooled(y, v, method=method, alpha=alpha, hartung_knapp=False)
    return {
        "first": pair[0],
        "second": pair[1],
        "studies": found.studies,
        "estimate": found.estimate + 0.0,
        "error": found.error,
        "lower": found.lower,
        "upper": found.upper,
        "p": found.p,
        "tau2": found.tau2,
        "tau2_interval": found.tau2_interval,
        "i2": found.i2,
        "q": found.q,
        "df": found.studies - 1,
        "prediction": found.prediction,
        **small_studies(y, v),
    }


def small_studies(y: np.ndarray, v: np.ndarray) -> dict[str, float]:
    """Egger's t and p, where there are studies enough and of several sizes."""
    if len(y) < LEAST_FOR_BIAS or np.ptp(v) <= ALIKE * v.max():
        return {"egger_t": math.nan, "egger_p": math.nan}
    t, p = egger(y, np.sqrt(v))
    return {"egger_t": t, "egger_p": p}
