"""Shares of the variance between combinations: how much each factor and each pair accounts for.

Sums of squares of estimated means are too large by the trace of their covariance, which is taken
off; otherwise noise is called importance. Shares describe and decide nothing: they are told where
the whole is at least two of its jackknife standard errors above 0, with limits from 20 blocks on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd

from podium.factors.designs import Design, Term, coded
from podium.inference.layouts.layouts import Layout
from podium.inference.numbers import tails
from podium.questions.targets import BLOCKS

LEAST_BLOCKS = 5
LIMITS_FROM = 20  # blocks
CLEAR = 2.0  # standard errors that the whole is above 0


@dataclass(frozen=True, eq=False)
class Shares:
    """One row of `table` per factor, pair of factors, and what is left."""

    table: pd.DataFrame


def shares_of(design: Design, layout: Layout) -> Shares | None:
    """Of all combinations; None where too little varies, or blocks are not the same for all."""
    values = layout.values
    if BLOCKS[layout.block].unpaired or layout.items.clusters is not None:
        return None
    if len(values) < LEAST_BLOCKS or np.isnan(values).any():
        return None
    terms = _terms(len(design.factors.names))
    bases = _bases(design, terms)
    parts = squares(values, bases)
    n = len(values)
    left_out = np.array([squares(np.delete(values, b, axis=0), bases) for b in range(n)])
    total = parts.sum()
    spread = _jackknife_error(left_out.sum(axis=1))
    if total <= CLEAR * spread or total <= 0:
        return None
    error = _jackknife_error(left_out / left_out.sum(axis=1, keepdims=True))
    share = parts / total
    reach = tails.t_isf(0.025, n - 1) * error if n >= LIMITS_FROM else np.full(len(share), np.nan)
    names = [" x ".join(design.factors.names[f] for f in term) for term in terms]
    names += ["three factors and more"] * (len(share) > len(terms))
    return Shares(
        pd.DataFrame(
            {
                "term": names,
                "share": share,
                "lower": np.maximum(share - reach, 0.0),
                "upper": np.minimum(share + reach, 1.0),
            }
        )
    )


def _terms(factors: int) -> list[Term]:
    return [term for size in (1, 2) for term in combinations(range(factors), size)]


def _bases(design: Design, terms: Sequence[Term]) -> list[np.ndarray]:
    """Orthonormal columns of every term; all combinations were run, so terms are orthogonal."""
    factors = design.factors
    results = [np.linalg.qr(coded(factors.cells, term, factors.counts))[0] for term in terms]
    k = len(factors.cells)
    rest = np.eye(k) - 1 / k - sum(q @ q.T for q in results)
    left = k - 1 - sum(q.shape[1] for q in results)
    if left:
        vectors = np.linalg.eigh(rest)[1]
        results.append(vectors[:, -left:])
    return results


def squares(values: np.ndarray, bases: Sequence[np.ndarray]) -> np.ndarray:
    """Sums of squares of true means along each term: m'Pm less the trace of PV."""
    n = len(values)
    results = []
    for q in bases:
        along = values @ q
        m = along.mean(axis=0)
        results.append((m**2).sum() - along.var(axis=0, ddof=1).sum() / n)
    return np.array(results)


def _jackknife_error(left_out: np.ndarray) -> np.ndarray:
    n = len(left_out)
    return np.asarray(np.sqrt((n - 1) / n * ((left_out - left_out.mean(axis=0)) ** 2).sum(axis=0)))
