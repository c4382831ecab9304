"""What a rank test of two algorithms estimates, with limits that invert the test.

Wilcoxon's signed ranks count how many averages of two differences lie above zero and how many
below; rank sums count the differences of two samples likewise. The estimate that belongs to either
is the median of what is counted (Hodges and Lehmann 1963): it has the sign of the statistic, which
a difference of means need not have. The sign test counts wins, and so does its estimate.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import special

from podium.core.inference.numbers.rounding import signed_difference

MOST_POINTS = 2_000_000  # that are listed; of more the median is found by bisection
STEPS = 60  # of a bisection: as exact as numbers are
NOISE = 1e-12  # of the largest point: what two of them differ by that are one
Limits = tuple[float, float]


@dataclass(frozen=True)
class Location:
    """What is estimated of two algorithms, where that is no difference of means."""

    estimate: Callable[[np.ndarray], float]  # of two columns of scores, larger is better
    counted: Callable[[np.ndarray], Counted] | None = None  # of a test that is inverted by shifts
    # of two columns, the level on each side and the name of a null, where it has its own
    limits: Callable[[np.ndarray, float, str], Limits] | None = None
    drops_ties: bool = False  # blocks without a difference do not count
    in_scores: bool = True  # the estimate is in the measure's unit


class Counted:
    """Averages of two of the numbers, or differences of two samples: a statistic's signs."""

    def __init__(self, first: np.ndarray, second: np.ndarray | None = None) -> None:
        self._first = np.sort(first)
        self._second = None if second is None else np.sort(second)

    @property
    def size(self) -> int:
        """How many are counted."""
        n = len(self._first)
        return n * (n + 1) // 2 if self._second is None else n * len(self._second)

    def points(self) -> np.ndarray:
        """All of them, sorted; those that rounding alone tells apart stay apart."""
        x = self._first
        if self._second is not None:
            return np.sort(np.subtract.outer(x, self._second), axis=None)
        i, j = np.triu_indices(len(x))
        return np.sort((x[i] + x[j]) / 2)

    def distinct(self) -> np.ndarray:
        """The points, one of each."""
        points = self.points()
        size = float(np.abs(points).max(initial=0.0))
        return points[np.r_[True, np.diff(points) > NOISE * size]] if len(points) else points

    def beyond(self, at: float) -> tuple[int, int]:
        """How many lie below and above a number."""
        x, y = self._first, self._second
        if y is not None:
            below = len(y) * len(x) - int(np.searchsorted(y, x - at, side="right").sum())
            return below, int(np.searchsorted(y, x - at, side="left").sum())
        # every two are met twice, each with itself once
        above = len(x) ** 2 - int(np.searchsorted(x, 2 * at - x, side="right").sum())
        below = int(np.searchsorted(x, 2 * at - x, side="left").sum())
        return (below + int((x < at).sum())) // 2, (above + int((x > at).sum())) // 2

    @property
    def ends(self) -> Limits:
        """The smallest and the largest."""
        x, y = self._first, self._second
        if y is None:
            return float(x[0]), float(x[-1])
        return float(x[0] - y[-1]), float(x[-1] - y[0])

    def middle(self) -> float:
        """The median; of many that are zero that of the others, whose sign is the statistic's.

        Rounded scores differ by a step in either direction, and the averages of such two are zero:
        with 65 wins and 35 losses by one step so are most of them, though the test is sure.
        """
        if not self.size:
            return 0.0
        below, above = self.beyond(0.0)
        if self.size <= MOST_POINTS:
            points = self.points()
            result = float(np.median(points))
            return result if result or below == above else float(np.median(points[points != 0]))
        result = self._halved(0)
        if abs(result) > NOISE * max(map(abs, self.ends)) or below == above:
            return result
        return self._halved(self.size - below - above)

    def _halved(self, zeros: int) -> float:
        """The median by bisection, so many zeros left out."""

        def balance(at: float) -> int:
            below, above = self.beyond(at)
            return above - below + (zeros if at > 0 else -zeros if at < 0 else 0)

        # not both are equal where an even number leaves a gap in the middle
        ends = (bisected(lambda at: balance(at) <= 0, *self.ends),
                bisected(lambda at: balance(at) < 0, *self.ends))  # fmt: skip
        return sum(ends) / 2


def bisected(holds: Callable[[float], bool], low: float, high: float) -> float:
    """Where something begins to hold that holds from there on."""
    for _ in range(STEPS):
        middle = low + (high - low) / 2
        if holds(middle):
            high = middle
        else:
            low = middle
    return high


def inverted(counted: Counted, p: Callable[[float, int], float], level: float, side: int) -> float:
    """The limit at which a shift of the first is no longer rejected on one side, infinite if never.

    `p(shift, side)` is a one-sided p-value of a shift, against larger (1) or smaller (-1) ones. It
    changes at the points that are counted and nowhere else.
    """
    if not counted.size:
        return np.nan

    def held(shift: float) -> bool:
        return p(shift, side) > level

    low, high = counted.ends
    wide = max(high - low, abs(low), abs(high), 1e-300)
    if counted.size > MOST_POINTS:
        if held(low - wide if side > 0 else high + wide):
            return -np.inf * side
        if side > 0:
            return bisected(held, low - wide, high + wide)
        return -bisected(lambda shift: held(-shift), -high - wide, wide - low)
    points = counted.distinct()
    between = np.r_[points[0] - wide, (points[1:] + points[:-1]) / 2, points[-1] + wide]
    if side < 0:
        points, between = points[::-1], between[::-1]
    start, end = 0, len(between) - 1  # the first stretch that is not rejected
    while start < end:
        at = (start + end) // 2
        start, end = (start, at) if held(float(between[at])) else (at + 1, end)
    return float(points[start - 1]) if start else -np.inf * side


# -- of signed ranks, rank sums and signs ---------------------------------------------------------


def _averages(values: np.ndarray) -> Counted:
    return Counted(signed_difference(values))


def _uneven_averages(values: np.ndarray) -> Counted:
    difference = signed_difference(values)
    return Counted(difference[difference != 0])


def _across(values: np.ndarray) -> Counted:
    first, second = (column[~np.isnan(column)] for column in values.T)
    return Counted(first, second)


def _wins(values: np.ndarray) -> tuple[int, int]:
    difference = signed_difference(values)
    return int((difference > 0).sum()), int((difference < 0).sum())


def net_wins(values: np.ndarray) -> float:
    """Wins less losses, as a share of both; ties do not count.

    >>> net_wins(np.array([[2.0, 1.0], [2.0, 1.0], [1.0, 1.0], [1.0, 3.0]])).__round__(3)
    0.333
    """
    wins, losses = _wins(values)
    return (wins - losses) / max(wins + losses, 1)


def _limits_of_wins(values: np.ndarray, level: float, null: str) -> Limits:
    """By Clopper and Pearson (1934), or by Wilson (1927) where the test is the normal one."""
    wins, losses = _wins(values)
    n = wins + losses
    if not n:
        return np.nan, np.nan
    if null in ("asymptotic", "normal"):
        z = float(-special.ndtri(level))
        centre, reach = wins + z * z / 2, z * np.sqrt(wins * losses / n + z * z / 4)
        low, high = (centre - reach) / (n + z * z), (centre + reach) / (n + z * z)
    else:
        low = special.betaincinv(wins, losses + 1, level) if wins else 0.0
        high = special.betaincinv(wins + 1, losses, 1 - level) if losses else 1.0
    return float(2 * low - 1), float(2 * high - 1)


SIGNED_RANKS = Location(lambda v: _uneven_averages(v).middle(), _uneven_averages, drops_ties=True)
PRATT = Location(lambda v: _averages(v).middle(), _averages)
RANK_SUMS = Location(lambda v: _across(v).middle(), _across)
SIGNS = Location(net_wins, limits=_limits_of_wins, in_scores=False)
FIRST_FOLD = Location(lambda v: float(v[0, 0] - v[0, 1]))
