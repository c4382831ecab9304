"""Values of measures that are no means of items, and what each item adds to them.

A measure is a function T of the items' weights. The influence of item i is psi_i = n dT/dw_i; these
have mean 0, and T + psi_i are *linearised scores*: their mean is T, and the covariance of their
means is that of the measure to first order (Hampel 1974; Davison and Hinkley 1997, section 2.7).
Weights w have mean 1 and multiply the influence.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

STEP = 1e-5  # of differences of a function, relative to what it is a function of
TABLES = 256  # changed tables that are looked at together
WOODRUFF = 0.95  # level of the interval of order statistics that the density is taken from


class Influence(NamedTuple):
    """The value of a measure, and the influence of every item on it."""

    value: float
    psi: np.ndarray
    tied: float = 0.0  # the share of items whose score another one has, too

    @property
    def scores(self) -> np.ndarray:
        """The linearised scores."""
        return self.value + self.psi


def weighted_mean(x: np.ndarray, w: np.ndarray | None) -> float:
    """The mean, of items with weights where there are any."""
    return float(x.mean() if w is None else (w * x).mean())


def _by_weight(value: float, psi: np.ndarray, w: np.ndarray | None) -> Influence:
    return Influence(value, psi if w is None else w * psi)


# -- functions of means ------------------------------------------------------------------------


def mean_of(losses: np.ndarray, w: np.ndarray | None) -> Influence:
    """A mean, whose influence is the deviation from it."""
    value = weighted_mean(losses, w)
    return _by_weight(value, losses - value, w)


def ratio(above: np.ndarray, below: np.ndarray, w: np.ndarray | None = None) -> Influence:
    """The ratio of two sums: (a - T b) / mean b.

    >>> ratio(np.array([1.0, 0.0, 2.0]), np.array([4.0, 5.0, 3.0])).value
    0.25
    """
    under = weighted_mean(below, w)
    if not under:  # who asks for it says what is wrong
        return Influence(np.nan, np.full(len(above), np.nan))
    value = weighted_mean(above, w) / under
    return _by_weight(value, (above - value * below) / under, w)


def root_mean(squares: np.ndarray, w: np.ndarray | None) -> Influence:
    """The root of a mean."""
    mean = weighted_mean(squares, w)
    value = float(np.sqrt(mean))
    psi = (squares - mean) / (2 * value) if value else np.zeros(len(squares))
    return _by_weight(value, psi, w)


def explained(y: np.ndarray, p: np.ndarray, w: np.ndarray | None = None) -> Influence:
    """1 - mean (y - p)² / mean (y - ȳ)²: R² or, of probabilities, the Brier skill.

    The mean of y is where its own spread is least, so that its error does not matter.
    """
    lost = ratio((y - p) ** 2, (y - weighted_mean(y, w)) ** 2, w)
    return Influence(1 - lost.value, -lost.psi)


def correlation(y: np.ndarray, p: np.ndarray, w: np.ndarray | None = None) -> Influence:
    """Pearson's, by standard scores: zy zp - r (zy² + zp²) / 2."""
    a, b = (_standard(x, w) for x in (y, p))
    value = weighted_mean(a * b, w)
    return _by_weight(value, a * b - value * (a**2 + b**2) / 2, w)


def _standard(x: np.ndarray, w: np.ndarray | None) -> np.ndarray:
    own = x - weighted_mean(x, w)
    spread = np.sqrt(weighted_mean(own**2, w))
    return np.asarray(own / spread if spread else np.full(len(own), np.nan))


def of_table(
    truth: np.ndarray,
    values: np.ndarray,
    classes: int,
    function: Callable[[np.ndarray], np.ndarray],
    w: np.ndarray | None = None,
) -> Influence:
    """A function of the table truth x prediction; its gradient by differences.

    `function` takes tables of shares (the last two axes) and gives a number for each. All items of
    one cell have one influence: the gradient there less its mean.
    """
    cell = truth * classes + values
    shares = np.bincount(cell, w, classes**2) / len(cell)
    there = np.flatnonzero(shares)
    gradient = np.zeros(classes**2)
    for start in range(0, len(there), TABLES):
        some = there[start : start + TABLES]
        step = STEP * np.maximum(shares[some], 1e-2)
        change = np.zeros((len(some), classes**2))
        change[np.arange(len(some)), some] = step
        up, down = (
            function((shares + sign * change).reshape(-1, classes, classes)) for sign in (1, -1)
        )
        gradient[some] = (up - down) / (2 * step)
    value = float(function(shares.reshape(1, classes, classes))[0])
    return _by_weight(value, (gradient - shares @ gradient)[cell], w)


# -- ranks ------------------------------------------------------------------------------------


class Sorted(NamedTuple):
    """Items by their score, from the lowest; where ties begin and end."""

    order: np.ndarray
    first: np.ndarray  # of each item in this order, the place where its tie begins
    behind: np.ndarray  # and the place behind its end

    @classmethod
    def of(cls, scores: np.ndarray) -> Sorted:
        """By the scores."""
        order = np.argsort(scores)
        ordered = scores[order]
        begins = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
        if len(begins) == len(scores):
            return cls(order, begins, begins + 1)
        ends = np.r_[begins[1:], len(scores)]
        sizes = ends - begins
        return cls(order, np.repeat(begins, sizes), np.repeat(ends, sizes))

    @property
    def tied(self) -> float:
        """The share of items that have another with the same score."""
        return float((self.behind - self.first > 1).mean())


def auc(positive: np.ndarray, scores: np.ndarray, w: np.ndarray | None = None) -> Influence:
    """The chance that a positive item scores higher than a negative one; ties count half.

    V_i is the share of the other class on the right side of item i. With (V_i - T) n / n_c, times
    the root of (n-1)/n n_c/(n_c-1) in a class of n_c items, the usual covariance of means is that
    of DeLong, DeLong and Clarke-Pearson (1988) to the last digit.

    >>> auc(np.array([True, True, False, False]), np.array([0.9, 0.4, 0.4, 0.1])).value
    0.875
    """
    n, places = len(scores), Sorted.of(scores)
    side = positive[places.order]
    own = None if w is None else w[places.order]
    hits, every = _cumulated(side if own is None else own * side), _cumulated(own, n)
    below = (hits[places.first] + hits[places.behind]) / 2  # positive ones, ties half
    others = (every[places.first] + every[places.behind]) / 2 - below
    total, missed = float(hits[-1]), float(every[-1] - hits[-1])
    share = np.where(side, others / missed, 1 - below / total)
    mine = share[side] if own is None else (own * share)[side]
    value, count = float(mine.sum() / total), int(side.sum())
    ends = (_scale(n, count) / total, _scale(n, n - count) / missed)
    change = (share - value) * np.where(side, *ends) * float(every[-1])
    psi = np.empty(n)
    psi[places.order] = change if own is None else own * change
    return Influence(value, psi, places.tied)


def _cumulated(x: np.ndarray | None, n: int = 0) -> np.ndarray:
    """Sums of the first 0, 1, 2 ... values; of n that are all 1, where there are none."""
    if x is None:
        return np.arange(n + 1)
    return np.concatenate([[0], np.cumsum(x)])


def _scale(n: int, count: int) -> float:
    """What makes the usual covariance DeLong's, which divides by the size of a class less one."""
    return float(np.sqrt((n - 1) / n * count / max(count - 1, 1)))


def average_precision(
    positive: np.ndarray, scores: np.ndarray, w: np.ndarray | None = None
) -> Influence:
    """The mean precision at the scores of positive items; equal scores enter together.

    With R(s) the precision and F(s) the share of items at scores from s on, psi_j is
    [y_j (R(s_j) - T) + mean of y_i 1(s_i ≤ s_j) (y_j - R(s_i)) / F(s_i)] / mean y.

    >>> average_precision(np.array([True, True, False, False]), np.array([9, 2, 1, 5])).value
    0.8333333333333333
    """
    n, places = len(scores), Sorted.of(-scores)
    y = positive[places.order].astype(float)
    own = np.ones(n) if w is None else w[places.order]
    reached, hit = np.cumsum(own), np.cumsum(own * y)
    last = places.behind - 1
    precision, share = hit[last] / reached[last], reached[last] / n
    prevalence = hit[-1] / n
    value = float((own * y * precision).sum() / hit[-1])
    below = [_from_here(own * y / share, places), _from_here(own * y * precision / share, places)]
    psi = np.empty(n)
    psi[places.order] = own * (y * (precision - value) + (y * below[0] - below[1]) / n) / prevalence
    return Influence(value, psi, places.tied)


def _from_here(x: np.ndarray, places: Sorted) -> np.ndarray:
    """For every item the sum over itself, its ties and all that stand behind them."""
    sums = np.concatenate([np.cumsum(x[::-1])[::-1], [0.0]])
    return np.asarray(sums[places.first])


def mean_over(parts: list[tuple[np.ndarray, Influence]], n: int) -> Influence:
    """The mean of measures of some items each; parts are a mask of items and an influence."""
    psi = np.zeros(n)
    for mask, part in parts:
        psi[mask] += part.psi * n / mask.sum() / len(parts)
    return Influence(float(np.mean([part.value for _, part in parts])), psi)


# -- quantiles --------------------------------------------------------------------------------


def quantile(x: np.ndarray, q: float) -> Influence:
    """The q-quantile, by order statistics: (q - 1(x ≤ T)) / f.

    1/f comes from the width of Woodruff's interval (1952): of the order statistics that hold the
    quantile with 95 %, taken at the level that they really have.

    >>> quantile(np.arange(1.0, 101.0), 0.5).value
    50.5
    """
    from scipy import stats  # slow to load, and for quantiles only

    n, ordered = len(x), np.sort(x)
    reach = np.arange(1, n + 1) / n
    low = int(np.argmax(reach >= q - 1e-12))
    high = min(int(np.searchsorted(reach, q + 1e-12, side="right")), n - 1)
    value = float((ordered[low] + ordered[high]) / 2)
    law = stats.binom(n, q)
    first = max(int(law.ppf((1 - WOODRUFF) / 2)), 1)
    last = min(int(law.ppf((1 + WOODRUFF) / 2)) + 1, n)
    inside = law.cdf(last - 1) - law.cdf(first - 1)
    wide = (ordered[last - 1] - ordered[first - 1]) / (2 * stats.norm.ppf((1 + inside) / 2))
    psi = (q - (x <= value)) * wide / np.sqrt(q * (1 - q) / n)
    return Influence(value, psi - psi.mean())


# -- any function of weighted items ------------------------------------------------------------


def by_differences(
    value_at: Callable[[np.ndarray], float],
    n: int,
    w: np.ndarray | None = None,
    relative: float = STEP,
) -> Influence:
    """Of any function of the items' weights: n (T(w + h e_i) - T(w - h e_i)) / 2h."""
    own = np.ones(n) if w is None else w.astype(float).copy()
    value, psi = float(value_at(own)), np.empty(n)
    for i in range(n):
        step, kept = relative * max(own[i], 1e-2), own[i]
        own[i] = kept + step
        up = value_at(own)
        own[i] = kept - step
        psi[i] = n * (up - value_at(own)) / (2 * step)
        own[i] = kept
    return _by_weight(value, psi - weighted_mean(psi, w), w)
