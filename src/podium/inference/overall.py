"""Tests of no difference at all: one statistic for all algorithms."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import stats

from podium.comparisons import Overall
from podium.inference.estimates import Estimates
from podium.inference.layouts import Layout
from podium.inference.nulls import Null, Student

OverallTest = Callable[[Layout, Estimates, Null], Overall | None]


def quadratic(layout: Layout, e: Estimates, null: Null) -> Overall:
    """The quadratic form of the estimates; a chi-square, an F, or permuted.

    For block sums of raw scores it is B (K-1) SSA / SSW, a monotone function of statistic (3) of
    hothorn2005; for ranks it is Friedman's statistic corrected for ties; for 0/1, Cochran's Q.
    """
    k = len(e.values)
    centred = e.values - e.values.mean()
    q = float(centred @ _inverse(e) @ centred)
    df: float | tuple[float, float] = k - 1
    if not np.any(e.covariance):
        return Overall("quadratic form", 0.0, df, 1.0)
    if isinstance(null, Student) and np.isfinite(null.df).all():
        return _hotelling(q, k, float(null.df.min()))
    return Overall("quadratic form", q, df, null.quadratic(q, k - 1))


def _inverse(e: Estimates) -> np.ndarray:
    k = len(e.values)
    centring = np.eye(k) - 1 / k
    return np.linalg.pinv(centring @ e.covariance @ centring, rcond=1e-10, hermitian=True)


def _hotelling(q: float, k: int, df: float) -> Overall:
    """Hotelling's T² of k - 1 differences, whose covariance was estimated with df."""
    p, rest = k - 1, df - (k - 1) + 1
    if rest <= 0:
        return Overall("Hotelling T²", q, None, float("nan"))
    f = q * rest / (p * df)
    return Overall("Hotelling T²", f, (p, rest), float(stats.f.sf(f, p, rest)))


def mixed_f(layout: Layout, e: Estimates, null: Null) -> Overall:
    """The F test of the random block model."""
    assert e.model is not None
    f, df1, df2, p = e.model.f_test()
    return Overall("F test", f, (df1, df2), p)


def iman_davenport(layout: Layout, e: Estimates, null: Null) -> Overall:
    """F = (B-1) Q / (B (K-1) - Q) of Friedman's Q (Iman and Davenport 1980)."""
    q = quadratic(layout, e, null).statistic
    b, k = layout.values.shape
    rest = b * (k - 1) - q
    f = (b - 1) * q / rest if rest > 1e-9 * b else float("inf")
    df = (float(k - 1), float((b - 1) * (k - 1)))
    return Overall("Iman-Davenport F", f, df, float(stats.f.sf(f, *df)))


def quade_f(layout: Layout, e: Estimates, null: Null) -> Overall:
    """Quade's F; its quadratic form Q relates to it as Friedman's to Iman and Davenport's."""
    return iman_davenport(layout, e, null)._replace(procedure="Quade F")


def largest(layout: Layout, e: Estimates, null: Null) -> Overall | None:
    """No statistic of its own: the smallest adjusted p-value is the test of no difference."""
    return None
