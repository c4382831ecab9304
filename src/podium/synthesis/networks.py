"""All studies at once: a network of algorithms, what is direct in it and what is not."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from podium.base.errors import InferenceError
from podium.base.formatting import listed
from podium.inference.numbers import tails
from podium.synthesis.pooled_pairs import Found, Level, of_pair, small_studies, study_rows
from podium.synthesis.random_effects import Network, Study, network, tau2_interval
from podium.synthesis.reported_studies import Pair, Reported
from podium.words.facts import REMARK, Note

SINGULAR = 1e-10  # the least of a study's variances over its largest


def of_network(studies: Sequence[Reported], method: str, alpha: float) -> Found:
    """All pairs of a network, what is direct and what is not."""
    arms = [_arms(study) for study in studies]
    fitted = network(arms, method)
    direct = {pair: of_pair(studies, pair) for pair in combinations(fitted.algorithms, 2)}
    i2 = max(0.0, (fitted.q - fitted.df) / fitted.q) if fitted.q > 0 else 0.0
    row = partial(_row, fitted, i2, Level(alpha, len(direct)))
    pairs = pd.DataFrame([row(pair, *of[1:]) for pair, of in direct.items()])
    rows = [study_rows(p, *of, fitted.tau2) for p, of in direct.items() if of[0]]
    between = dict(zip(("q", "df", "p"), fitted.inconsistency, strict=True))
    facts = {"tau2": fitted.tau2, "q": fitted.q, "df": fitted.df, "i2": i2, "p": _p_of_q(fitted)}
    return Found(
        pairs,
        pd.concat(rows, ignore_index=True),
        tuple(_of_designs(arms, fitted)),
        fitted,
        facts | {"algorithms": fitted.algorithms, "inconsistency": between},
        pd.DataFrame(_splits(fitted, direct)),
    )


def _arms(study: Reported) -> Study:
    if study.arms is None and any(len(of) > 1 for of in study.parts.values()):
        raise InferenceError(
            f"The study '{study.name}' tells of several data sets, which a network does not tell "
            "apart: take pairs one by one (without --network), or give one estimate of every pair."
        )
    if study.arms is None:
        raise InferenceError(
            f"The study '{study.name}' reports some differences of {listed(study.algorithms)}, "
            "and how they vary together is not known: give all its pairs, or its means with "
            "covariances."
        )
    c = np.column_stack([-np.ones(len(study.algorithms) - 1), np.eye(len(study.algorithms) - 1)])
    own = np.linalg.eigvalsh(c @ study.arms.covariance @ c.T)
    if own[0] <= SINGULAR * own[-1]:
        raise InferenceError(
            f"The errors of {listed(study.algorithms)} in the study '{study.name}' cannot vary "
            "together as it says, or it has fewer blocks than algorithms: leave out an algorithm "
            "or the study, or take pairs one by one (without --network)."
        )
    return study.arms


def _p_of_q(fitted: Network) -> float:
    return float(tails.chi2_sf(fitted.q, fitted.df)) if fitted.df > 0 else math.nan


def _row(
    fitted: Network, i2: float, level: Level, pair: Pair, y: np.ndarray, v: np.ndarray
) -> dict[str, Any]:
    estimate, error = fitted.difference(*pair)
    df = float(fitted.df) if fitted.df > 0 else math.inf
    far, alone = (float(tails.t_isf(a / 2, df)) for a in (level.each, level.alpha))
    new = alone * math.sqrt(fitted.tau2 + error**2)
    return {
        "first": pair[0],
        "second": pair[1],
        "studies": len(y),
        "estimate": estimate + 0.0,
        "error": error,
        "lower": estimate - far * error,
        "upper": estimate + far * error,
        "p": 2 * float(tails.t_sf(abs(estimate) / error, df)),
        "tau2": fitted.tau2,
        "tau2_interval": tau2_interval(y, v, level.alpha) if len(y) > 1 else (math.nan, math.nan),
        "i2": i2,
        "q": fitted.q,
        "df": fitted.df,
        "prediction": (estimate - new, estimate + new),
        **small_studies(y, v),
    }


def _splits(
    fitted: Network, direct: dict[Pair, tuple[list[str], np.ndarray, np.ndarray]]
) -> Iterator[dict[str, Any]]:
    """What studies of a pair say, and what is left of the network's estimate without them.

    The network weighs both by their precisions, which gives the indirect one back (Dias and others
    2010, back-calculation).
    """
    for pair, (names, y, v) in direct.items():
        if not names:
            continue
        estimate, error = fitted.difference(*pair)
        w = 1 / (v + fitted.tau2)
        own, precision = float(w @ y / w.sum()), float(w.sum())
        rest = 1 / error**2 - precision
        known = rest > 1e-6 * precision
        indirect = (estimate / error**2 - own * precision) / rest if known else math.nan
        z = (own - indirect) / math.sqrt(1 / precision + 1 / rest) if known else math.nan
        yield {
            "first": pair[0],
            "second": pair[1],
            "studies": len(names),
            "direct": own,
            "indirect": indirect,
            "difference": own - indirect,
            "z": z,
            "p": 2 * float(tails.t_sf(abs(z), math.inf)) if known else math.nan,
        }


def _of_designs(arms: Sequence[Study], fitted: Network) -> Iterator[Note]:
    designs = {tuple(sorted(s.algorithms)) for s in arms}
    if fitted.df < 1:
        yield Note("network-without-replicates")
    elif len(designs) == len(arms):
        yield Note("designs-once", REMARK, designs=len(designs))
    q, df, p = fitted.inconsistency
    if df > 0 and p < 0.05 and len(designs) < len(arms):
        yield Note("inconsistent", q=q, df=df, p=p)


def p_scores(fitted: Network | None, higher_is_better: bool | None) -> pd.DataFrame:
    """How surely each is better than the others, on average (Rücker and Schwarzer 2015)."""
    if fitted is None or higher_is_better is None:
        return pd.DataFrame()
    names = fitted.algorithms
    sign = 1 if higher_is_better else -1
    sure = [
        float(np.mean([_surely(sign, *fitted.difference(a, b)) for b in names if b != a]))
        for a in names
    ]
    table = pd.DataFrame({"algorithm": names, "score": sure})
    return table.sort_values("score", ascending=False, kind="stable", ignore_index=True)


def _surely(sign: int, difference: float, error: float) -> float:
    return 1 - float(tails.t_sf(sign * difference / error, math.inf))
