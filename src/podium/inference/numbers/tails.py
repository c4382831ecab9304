"""Tails, quantiles and ranks from `scipy.special`: `scipy.stats` takes half a second to load."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special


def t_sf(t: ArrayLike, df: ArrayLike) -> np.ndarray:
    """P(T >= t) with so many degrees of freedom, also infinitely many."""
    return np.asarray(special.stdtr(df, -np.asarray(t, float)))


def t_isf(p: ArrayLike, df: ArrayLike) -> np.ndarray:
    """The upper p quantile of t."""
    return np.asarray(-special.stdtrit(df, p))


def f_sf(f: ArrayLike, df1: ArrayLike, df2: ArrayLike) -> np.ndarray:
    """P(F >= f)."""
    return np.asarray(special.fdtrc(df1, df2, np.maximum(f, 0.0)))


def chi2_sf(x: ArrayLike, df: ArrayLike) -> np.ndarray:
    """P(chi-square >= x)."""
    return np.asarray(special.chdtrc(df, np.maximum(x, 0.0)))


def ranks(values: np.ndarray, axis: int | None = None) -> np.ndarray:
    """Ranks from 1, of all values or along an axis; ties have the mean of their ranks.

    >>> ranks(np.array([10.0, 20.0, 10.0]))
    array([1.5, 3. , 1.5])
    """
    if axis is None:
        return _ranked(values.reshape(1, -1))[0]
    moved = np.moveaxis(values, axis, -1)
    rows = _ranked(moved.reshape(-1, moved.shape[-1])).reshape(moved.shape)
    return np.moveaxis(rows, -1, axis)


def _ranked(rows: np.ndarray) -> np.ndarray:
    """Of every row; the last of t equal values at place i has the mean rank i - (t - 1) / 2."""
    order = np.argsort(rows, axis=1, kind="stable")
    inner = np.take_along_axis(rows, order, axis=1)
    count = rows.shape[1]
    begins = np.ones(rows.shape, dtype=bool)
    begins[:, 1:] = inner[:, 1:] != inner[:, :-1]
    place = np.arange(count)
    first = np.maximum.accumulate(np.where(begins, place, 0), axis=1)
    ends = np.ones(rows.shape, dtype=bool)
    ends[:, :-1] = begins[:, 1:]
    back = np.where(ends, place, count - 1)[:, ::-1]
    last = np.minimum.accumulate(back, axis=1)[:, ::-1]
    ranked = np.empty(rows.shape)
    np.put_along_axis(ranked, order, (first + last) / 2 + 1.0, axis=1)
    return np.where(np.isnan(rows).any(axis=1, keepdims=True), np.nan, ranked)


def wilson(hits: int, n: int, alpha: float) -> tuple[float, float]:
    """Wilson's interval of a share (1927)."""
    p, z = hits / n, float(special.ndtri(0.5 + 0.5 * (1 - alpha)))
    scale = 2 * (n + z**2)
    centre = (2 * n * p + z**2) / scale
    reach = z / scale * math.sqrt(4 * n * p * (1 - p) + z**2)
    return 0.0 if hits == 0 else centre - reach, 1.0 if hits == n else centre + reach


# -- ways -----------------------------------------------------------------------------------------
# One difference judged by several t tests at once, of which the most careful counts.
#
# The p-value is the largest of all, limits are the hull of theirs: limits at a level exclude a
# value exactly where the p-value of that value is at most the level.


@dataclass(frozen=True, eq=False)
class Ways:
    """Estimates of the same differences with errors and df, tests x differences."""

    estimates: np.ndarray
    errors: np.ndarray
    df: np.ndarray

    def p(self, null: np.ndarray | float = 0.0, turn: int = 0) -> np.ndarray:
        """Of a difference `null`: two-sided (0), against larger (1) or smaller (-1).

        Two-sided it is 1 where the tests point in different directions.
        """
        t = self._t(null)
        if turn:
            return np.asarray(t_sf(turn * t, self.df).max(axis=0))
        agree = (np.sign(t) == np.sign(t[0])).all(axis=0)
        return np.where(agree, (2 * t_sf(np.abs(t), self.df)).max(axis=0), 1.0)

    def _t(self, null: np.ndarray | float) -> np.ndarray:
        away = self.estimates - null
        endless = np.where(away == 0, 0.0, np.copysign(np.inf, away))
        return np.divide(away, self.errors, out=endless, where=self.errors > 0)

    def limits(self, alpha: float, two_sided: bool = True) -> tuple[np.ndarray, np.ndarray]:
        """The least lower and the largest upper limit of all."""
        reach = t_isf(alpha / 2 if two_sided else alpha, self.df) * self.errors
        return (self.estimates - reach).min(axis=0), (self.estimates + reach).max(axis=0)
