"""Measures that are no means of items, by each item's influence on them.

With few items of a class a few of them carry the variance, so that its degrees of freedom are far
below their number: Satterthwaite's 2 V² / Var V, which is 2n / (kurtosis - 1), and at most one less
than the items that hold the rarest class.
"""

from __future__ import annotations

import math

import numpy as np

from podium.core.inference.bricks.clustered import cluster_df
from podium.core.inference.bricks.estimates import Estimates
from podium.core.inference.bricks.quantities import VALUE, gives
from podium.core.inference.layouts import Layout
from podium.core.inference.numbers import tails

ROWS = 5_000  # that are looked at together
CANCELLED = 1e-6  # of the terms of a fourth power: below it nine digits are not left


@gives(VALUE)
def influence_means(layout: Layout) -> Estimates:
    """The measure's values, their covariance by influence, and df of each contrast by kurtosis."""
    mean = layout.values.mean(axis=0)
    if only_values(layout):
        return Estimates(mean, np.zeros((len(mean),) * 2), 1.0, in_units=True)
    units, most = influences(layout)
    covariance = units.T @ units
    return Estimates(
        mean, covariance, df=lambda rows: kurtosis_df(units, rows, most), in_units=True
    )


def only_values(layout: Layout) -> bool:
    """Whether too few items hold the rarest class for any limits."""
    result = layout.items.linearised
    return result is not None and result.rarest is not None and result.rarest < result.least


def influences(layout: Layout) -> tuple[np.ndarray, float]:
    """What each independent unit adds to the values, and the most df; squares sum to variances.

    Units are items or clusters, whose totals count (1 - n_c / n)^(-1/2) times as by CR2.
    """
    psi = layout.values - layout.values.mean(axis=0)
    n, clusters, result = len(psi), layout.items.clusters, layout.items.linearised
    if clusters is None:
        units, most = psi / math.sqrt(n * max(n - 1, 1)), n - 1.0
    else:
        place = np.unique(clusters, return_inverse=True)[1]
        sizes = np.bincount(place)
        totals = [np.bincount(place, column) for column in psi.T]
        with np.errstate(divide="ignore", invalid="ignore"):
            units = np.column_stack(totals) / np.sqrt(1 - sizes / n)[:, None] / n
        most = cluster_df(sizes) if len(sizes) > 1 else math.nan
    if result is not None and result.rarest is not None:
        most = min(most, result.rarest - 1.0)
    return units, max(most, 1.0)


def kurtosis_df(units: np.ndarray, contrasts: np.ndarray, most: float) -> np.ndarray:
    """Of each contrast, 2g / (kurtosis - 1) of its g units, from 1 to the most.

    >>> kurtosis_df(np.r_[1.0, -1.0, np.zeros(8)][:, None], np.ones((1, 1)), 9.0).round(2).tolist()
    [5.0]
    """
    second, fourth = _sums_of_pairs(units, contrasts)
    direct = np.isnan(fourth)
    if direct.any():
        second[direct], fourth[direct] = _sums(units, contrasts[direct])
    g = len(units)
    spread = g * fourth / np.maximum(second**2, 1e-300) - 1
    return np.clip(2 * g / np.maximum(spread, 1e-9), 1.0, most)


def _sums(units: np.ndarray, contrasts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sums of squares and of fourth powers of each contrast of the units."""
    second, fourth = (np.zeros(len(contrasts)) for _ in range(2))
    for start in range(0, len(units), ROWS):
        squares = (units[start : start + ROWS] @ contrasts.T) ** 2
        second += squares.sum(axis=0)
        squares *= squares
        fourth += squares.sum(axis=0)
    return second, fourth


def _sums_of_pairs(units: np.ndarray, contrasts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The same of differences, from the products of powers of all columns; else nan.

    (a - b)⁴ is a⁴ - 4a³b + 6a²b² - 4ab³ + b⁴, so that a few matrix products serve all pairs. Where
    these terms cancel (two models that are nearly one) the digits are gone, and it is nan.
    """
    second, fourth = (np.full(len(contrasts), np.nan) for _ in range(2))
    k = units.shape[1]
    if len(contrasts) < k or not _are_differences(contrasts):
        return second, fourth
    scale = np.sqrt(np.einsum("ij,ij->j", units, units)) / math.sqrt(len(units))
    if not (scale > 0).all():
        return second, fourth
    tables = {powers: np.zeros((k, k)) for powers in ((1, 1), (2, 2), (3, 1))}
    for start in range(0, len(units), ROWS):
        x = units[start : start + ROWS] / scale.max()
        square = x * x
        tables[1, 1] += x.T @ x
        tables[2, 2] += square.T @ square
        tables[3, 1] += (square * x).T @ x
    first, other = contrasts.argmax(axis=1), contrasts.argmin(axis=1)
    ones, fours = np.diag(tables[1, 1]), np.diag(tables[2, 2])
    size = fours[first] + fours[other]
    second = (ones[first] + ones[other] - 2 * tables[1, 1][first, other]) * scale.max() ** 2
    sides = tables[3, 1][first, other] + tables[3, 1][other, first]
    sums = size - 4 * sides + 6 * tables[2, 2][first, other]
    fourth[:] = np.where(sums > CANCELLED * size, sums * scale.max() ** 4, np.nan)
    return second, fourth


def _are_differences(contrasts: np.ndarray) -> bool:
    """Whether each is one column less another."""
    return bool(
        (np.count_nonzero(contrasts, axis=1) == 2).all()
        and (contrasts.max(axis=1) == 1).all()
        and (contrasts.min(axis=1) == -1).all()
    )


def own_limits(layout: Layout, alpha: float) -> tuple[float, float, float, str]:
    """Of one algorithm: value, limits and how they were made; on the logit scale between bounds."""
    value = layout.sign * float(layout.values.mean())
    low, high = layout.measure.bounds
    if only_values(layout) or value in (low, high):
        return value, math.nan, math.nan, "too few items"
    units, most = influences(layout)
    error = math.sqrt(float((units**2).sum()))
    reach = float(tails.t_isf(alpha / 2, kurtosis_df(units, np.ones((1, 1)), most)[0])) * error
    if not (math.isfinite(low) and math.isfinite(high) and low < value < high):
        return value, max(value - reach, low), min(value + reach, high), "t of influence values"
    share = (value - low) / (high - low)
    wide, centre = reach / (high - low) / (share * (1 - share)), math.log(share / (1 - share))
    ends = [low + (high - low) * _expit(x) for x in (centre - wide, centre + wide)]
    return value, ends[0], ends[1], "influence values on the logit scale"


def _expit(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x > -700 else 0.0
