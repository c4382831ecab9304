"""Every pair of algorithms over the studies that compared it: random effects of its own."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from podium.base.errors import InferenceError
from podium.inference.bricks.adjustments import pair_level
from podium.synthesis.random_effects import (
    ALIKE,
    LEAST_FOR_BIAS,
    LEAST_STUDIES,
    Network,
    egger,
    pooled,
    typical,
)
from podium.synthesis.reported_studies import CONTENT, Pair, Reported, check_apart, shared_data
from podium.synthesis.three_level import three_level
from podium.synthesis.words import OTHER_DATA, TELL_DATA
from podium.words.facts import REMARK, Note

ONLY = "reml"  # the method of three levels


@dataclass(frozen=True)
class Level:
    """Alpha, and over how many pairs it holds; a pair that cannot be pooled is one of them."""

    alpha: float
    pairs: int

    @property
    def each(self) -> float:
        """The level of every pair."""
        return pair_level(self.alpha, self.pairs)


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
    pairs: dict[Pair, None] = {}
    for study in studies:
        for pair in study.pairs:
            if pair[::-1] not in pairs:
                pairs[pair] = None
    return list(pairs)


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
    studies: Sequence[Reported], every: Sequence[Pair], method: str, level: Level
) -> Found:
    """Every pair that several studies compared, pooled."""
    if _is_by_dataset(studies):
        return _by_dataset(studies, every, method, level)
    known = {pair: of_pair(studies, pair) for pair in every}
    several = {p: of for p, of in known.items() if len(of[0]) >= LEAST_STUDIES}
    if not several:
        raise InferenceError(
            "No two algorithms were compared by two of these studies: take them as a network "
            "(--network, network=True), or add studies."
        )
    made = [_pooled(pair, *of[1:], method, level) for pair, of in several.items()]
    rows = [
        study_rows(pair, *of, row["tau2"])
        for (pair, of), row in zip(several.items(), made, strict=True)
    ]
    alone = tuple(pair for pair in known if pair not in several)
    notes = (Note("pairs-of-one-study", pairs=alone),) * bool(alone)
    return Found(pd.DataFrame(made), pd.concat(rows, ignore_index=True), notes)


# -- studies that share data sets, or tell of several ---------------------------------------------


def _is_by_dataset(studies: Sequence[Reported]) -> bool:
    """Whether differences are to be taken data set by data set."""
    several_parts = any(v > 0 for s in studies for of in s.parts.values() if len(of) > 1
               for _, v in of.values())  # fmt: skip
    return several_parts or shared_data(studies) is not None


def _by_dataset(
    studies: Sequence[Reported], every: Sequence[Pair], method: str, level: Level
) -> Found:
    """Every pair by the three-level model, where its studies tell their data sets apart."""
    if method != ONLY:
        raise InferenceError(
            f"Studies that share data sets, or tell of several, are taken together by {ONLY}: "
            "leave the method out."
        )
    made = [_levels(pair, _rows_of(studies, pair), level) for pair in every]
    known = [(row, table) for row, table in made if row]
    if not known:
        raise InferenceError("No two algorithms were compared by two of these studies.")
    alone = tuple(pair for pair, (row, _) in zip(every, made, strict=True) if not row)
    notes = [Note("pairs-of-one-study", pairs=alone)] * bool(alone)
    if shared_data(studies) is not None:
        notes.append(Note("studies-share-data", REMARK, datasets=_in_several(studies)))
    tables = pd.concat([table for _, table in known], ignore_index=True)
    return Found(pd.DataFrame([row for row, _ in known]), tables, tuple(notes))


def _in_several(studies: Sequence[Reported]) -> int:
    """How many data sets more than one study has, by name or else by content."""
    times = Counter(name for study in studies for name in study.datasets)
    several = [name for name, count in times.items() if count > 1]
    return len([n for n in several if not n.startswith(CONTENT)] or several)


def _rows_of(studies: Sequence[Reported], pair: Pair) -> pd.DataFrame:
    """Study, data set, difference and variance; refused where a study does not tell data sets."""
    differences = {s: d for s in studies if (d := s.difference(*pair)) is not None}
    mine = list(differences)
    called: dict[str, str] = {}  # the name under which a content was seen first
    rows = []
    for study, result in differences.items():
        parts = study.by_dataset(*pair)
        if not parts:
            check_apart(mine, TELL_DATA)
            parts = {f"{study.name}'s own": result}
        for name, (value, variance) in parts.items():
            one = called.setdefault(study.contents.get(name, name), name)
            rows.append((study.name, one, value, variance))
    if len({row[1] for row in rows}) == 1:  # which says nothing of others
        check_apart(mine, OTHER_DATA)
    return pd.DataFrame(rows, columns=["study", "dataset", "estimate", "variance"])


def _levels(pair: Pair, rows: pd.DataFrame, level: Level) -> tuple[dict[str, Any], pd.DataFrame]:
    names = list(dict.fromkeys(rows["study"]))
    if len(names) < LEAST_STUDIES:
        return {}, pd.DataFrame()
    y, v = (rows[c].to_numpy(float) for c in ("estimate", "variance"))
    levels = three_level(y, v, rows["study"].tolist(), rows["dataset"].tolist())
    lower, upper = levels.limits(level.each)
    within = levels.dataset + levels.rest
    spread = levels.study + within + _typical_variance(v)
    row = {
        "first": pair[0],
        "second": pair[1],
        "studies": len(names),
        "datasets": rows["dataset"].nunique(),
        "estimate": levels.mean + 0.0,
        "error": levels.error,
        "lower": lower,
        "upper": upper,
        "p": levels.p,
        "tau2": levels.study,
        "tau2_dataset": levels.dataset,
        "tau2_rest": levels.rest,
        "tau2_interval": (math.nan, math.nan),
        "i2": levels.study / spread if spread > 0 else 0.0,
        "q": math.nan,
        "df": levels.df,
        "prediction": levels.limits(level.alpha, levels.study),
        "egger_t": math.nan,
        "egger_p": math.nan,
    }
    own = [_own(y[mine], v[mine] + within) for n in names for mine in [rows["study"] == n]]
    values, variances = np.array(own).T
    return row, study_rows(pair, names, values, variances, levels.study)


def _own(y: np.ndarray, v: np.ndarray) -> tuple[float, float]:
    """What a study says by itself, with its variance."""
    w = 1 / np.maximum(v, np.finfo(float).tiny)
    return float(w @ y / w.sum()), float(1 / w.sum())


def _typical_variance(v: np.ndarray) -> float:
    return typical(v) if (v > 0).all() and len(v) > 1 else 0.0


# -- one estimate of every study ------------------------------------------------------------------


def _pooled(pair: Pair, y: np.ndarray, v: np.ndarray, method: str, level: Level) -> dict[str, Any]:
    result = pooled(y, v, method=method, alpha=level.alpha, level=level.each)
    return {
        "first": pair[0],
        "second": pair[1],
        "studies": result.studies,
        "estimate": result.estimate + 0.0,
        "error": result.error,
        "lower": result.lower,
        "upper": result.upper,
        "p": result.p,
        "tau2": result.tau2,
        "tau2_interval": result.tau2_interval,
        "i2": result.i2,
        "q": result.q,
        "df": result.studies - 1,
        "prediction": result.prediction,
        **small_studies(y, v),
    }


def small_studies(y: np.ndarray, v: np.ndarray) -> dict[str, float]:
    """Egger's t and p, where there are studies enough and of several sizes."""
    if len(y) < LEAST_FOR_BIAS or np.ptp(v) <= ALIKE * v.max():
        return {"egger_t": math.nan, "egger_p": math.nan}
    t, p = egger(y, np.sqrt(v))
    return {"egger_t": t, "egger_p": p}
