"""Tests of no difference at all: one statistic for all algorithms."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.special import gammaln

from podium.inference.bricks.estimates import Estimates
from podium.inference.bricks.nulls import Null, Student
from podium.inference.layouts.layouts import Layout
from podium.inference.numbers import tails
from podium.words.facts import Overall

QUADRATIC = "quadratic form"
LARGEST = "largest statistic"
OF_PAIR = "its statistic"  # of the only pair
OverallTest = Callable[[Layout, Estimates, Null], Overall | None]


def quadratic(layout: Layout, e: Estimates, null: Null) -> Overall:
    """The quadratic form of the estimates; a chi-square, an F, or permuted.

    For block sums of raw scores it is B (K-1) SSA / SSW, a monotone function of statistic (3) of
    hothorn2005; for ranks it is Friedman's statistic corrected for ties; for 0/1, Cochran's Q.
    """
    k = len(e.values)
    centring = np.eye(k) - 1 / k
    noise = 1e-20 * float(np.abs(e.values).max()) ** 2
    inverse, rank = _inverse(centring @ e.covariance @ centring, noise)
    centred = centring @ e.values
    q = float(centred @ inverse @ centred)
    if _is_constant(centred, inverse, e, noise):
        return Overall(QUADRATIC, float("nan"), None, float("nan"))
    if rank == 0:
        return Overall(QUADRATIC, 0.0, k - 1, 1.0)
    if isinstance(null, Student) and np.isfinite(null.df).all():
        return _hotelling(q, rank, float(null.df.min()), k)
    return Overall(QUADRATIC, q, rank, null.quadratic(q, rank))


def statistic_3(layout: Layout, e: Estimates, null: Null) -> Overall:
    """The quadratic form of raw scores, with t* of hothorn2005 of which it is a function.

    With B blocks of K algorithms the form is B (K - 1) r with r = B t* / (1 + B t*).
    """
    result = quadratic(layout, e, null)
    b, k = layout.values.shape
    r = result.statistic / (b * (k - 1))
    if not 0 <= r < 1:  # unknown, or nothing varies but the means
        return result
    return result._replace(t_star=r / (1 - r) / b)


def _inverse(matrix: np.ndarray, noise: float) -> tuple[np.ndarray, int]:
    """The pseudo-inverse, and how many directions vary: fewer where two algorithms are equal."""
    size, vectors = np.linalg.eigh(matrix)
    used = size > max(1e-10 * float(size.max()), noise)
    return (vectors[:, used] / size[used]) @ vectors[:, used].T, int(used.sum())


def _is_constant(centred: np.ndarray, inverse: np.ndarray, e: Estimates, noise: float) -> bool:
    """Whether a difference does not vary at all: then there is nothing to judge it by."""
    varying = e.covariance @ inverse @ centred
    rest = centred - (varying - varying.mean())
    return bool(np.abs(rest).max() > 1e-6 * np.abs(centred).max() and (rest @ rest) > noise)


def _hotelling(q: float, p: int, df: float, k: int) -> Overall:
    """Hotelling's T² of p differences, whose covariance was estimated with df."""
    rest = df - p + 1
    if rest <= 0 or (p >= df and p < k - 1):  # too few blocks for so many algorithms
        return Overall("Hotelling's F", q, None, float("nan"))
    f = q * rest / (p * df)
    return Overall("Hotelling's F", f, (p, rest), float(tails.f_sf(f, p, rest)))


def mixed_f(layout: Layout, e: Estimates, null: Null) -> Overall:
    """The F test of the random block model."""
    assert e.model is not None
    f, df1, df2, p = e.model.f_test()
    if max(float(np.ptp(e.values)), e.model.sigma) <= 1e-12 * float(np.abs(e.values).max()):
        return Overall("F test", 0.0, (df1, df2), 1.0)  # all algorithms have the same scores
    if e.model.sigma <= 1e-10 * float(np.abs(e.values - e.values.mean()).max()):
        return Overall("F test", float("nan"), (df1, df2), float("nan"))  # nothing varies
    return Overall("F test", f, (df1, df2), p)


def iman_davenport(layout: Layout, e: Estimates, null: Null) -> Overall:
    """F = (B-1) Q / (B (K-1) - Q) of Friedman's Q (Iman and Davenport 1980)."""
    result = quadratic(layout, e, null)
    q, p = result.statistic, result.p
    b, k = layout.values.shape
    df = (float(k - 1), float((b - 1) * (k - 1)))
    rest = b * (k - 1) - q
    f = (b - 1) * q / rest if rest > 1e-9 * b else float("inf")
    if isinstance(null, Student):  # otherwise permuted: F grows with Q
        p = float(tails.f_sf(f, *df)) if f < np.inf else _chance_of_one_order(layout.values)
    return Overall("Iman-Davenport F", f, df, p)


def _chance_of_one_order(values: np.ndarray) -> float:
    """The chance that all blocks order the algorithms as the first block does."""
    _, ties = np.unique(values[0], return_counts=True)
    orders = gammaln(values.shape[1] + 1) - gammaln(ties + 1).sum()
    return float(np.exp((1 - len(values)) * orders))


def quade_f(layout: Layout, e: Estimates, null: Null) -> Overall:
    """Quade's F; its quadratic form Q relates to it as Friedman's to Iman and Davenport's."""
    return iman_davenport(layout, e, null)._replace(procedure="Quade F")


def largest(layout: Layout, e: Estimates, null: Null) -> Overall | None:
    """No statistic of its own: the smallest adjusted p-value is the test of no difference."""
    return None
