"""What quality must be worth: net benefit of two algorithms on the same blocks.

With paired differences q of quality and c of cost, price * q - c has the variance price² V_q -
2 price C_qc + V_c. The prices at which the two are not told apart are Fieller's set (1954); below
and above it one of the two is worth more.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from podium.core.base.errors import InferenceError
from podium.core.inference.layouts import Layout
from podium.core.inference.numbers import tails
from podium.core.questions.measures import Measure
from podium.core.questions.targets import BLOCKS
from podium.core.results.measure_names import is_resource, known_measure


@dataclass(frozen=True, eq=False)
class Trade:
    """Two algorithms, of which one is better and dearer, and the price that makes them equal.

    `price` is of one unit of quality, in units of cost; between `lower` and `upper` it is open
    which of the two is worth more. `dear` is worth more above, `cheap` below; both are infinite
    where `cheap` is worth more at any price.
    """

    dear: str
    cheap: str
    quality: Measure
    cost: Measure
    gain: float  # in quality, of the dear one
    charge: float  # in cost, of the dear one
    price: float
    lower: float
    upper: float
    level: float
    means: tuple[float, float]
    covariance: np.ndarray  # of the means of both differences, quality first
    blocks: int

    def statistic(self, price: float) -> float:
        """t of the net benefit of the cheap one at a price, with one df less than blocks."""
        q, c = self.means
        spread = self.covariance
        variance = price**2 * spread[0, 0] - 2 * price * spread[0, 1] + spread[1, 1]
        return float(-(price * q - c) / math.sqrt(variance))

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "dear": self.dear,
            "cheap": self.cheap,
            "quality": self.quality.name,
            "cost": self.cost.name,
            "gain": self.gain,
            "charge": self.charge,
            "price": self.price if math.isfinite(self.price) else None,
            "lower": self.lower if math.isfinite(self.lower) else None,
            "upper": self.upper if math.isfinite(self.upper) else None,
            "level": self.level,
        }


def quality_and_cost(measures: Sequence[Measure]) -> tuple[Measure, Measure] | None:
    """Of two measures the one that is better when higher, and the one that costs."""
    if len(measures) != 2:
        return None
    quality = [m for m in measures if m.higher_is_better]
    cost = [m for m in measures if not m.higher_is_better and is_spent(m)]
    return (quality[0], cost[0]) if len(quality) == 1 and len(cost) == 1 else None


def is_spent(measure: Measure) -> bool:
    """Whether it is paid: time, money and the like, or what nobody knows; no error or loss."""
    return is_resource(measure) or known_measure(measure.name) is None


def trade_of(layouts: Mapping[str, Layout], first: str, second: str, alpha: float) -> Trade:
    """The trade between two algorithms on blocks that have both measures of both."""
    roles = quality_and_cost([layout.measure for layout in layouts.values()])
    if roles is None:
        raise InferenceError(
            "A trade is between one measure of quality (higher is better) and one of cost (lower "
            "is better): name these two, as in accuracy,cost."
        )
    quality, cost = (next(x for x in layouts.values() if x.measure is m) for m in roles)
    q, c = paired_differences(quality, cost, first, second)
    n = len(q)
    dear, cheap = (first, second) if c.mean() > 0 else (second, first)
    if c.mean() <= 0:
        q, c = -q, -c
    covariance = np.cov(np.stack([q, c])) / n
    low, high = _open_prices(float(c.mean()), float(q.mean()), covariance[::-1, ::-1], alpha, n - 1)
    return Trade(
        dear=dear,
        cheap=cheap,
        quality=roles[0],
        cost=roles[1],
        gain=float(q.mean()),
        charge=float(c.mean()),
        price=float(c.mean() / q.mean()) if q.mean() > 0 else math.inf,
        lower=low,
        upper=high,
        level=1 - alpha,
        means=(float(q.mean()), float(c.mean())),
        covariance=covariance,
        blocks=n,
    )


def _open_prices(
    charge: float, gain: float, covariance: np.ndarray, alpha: float, df: float
) -> tuple[float, float]:
    """Between which prices it is open who is worth more; both infinite: the cheap one, always.

    Where the dear one is the worse one, prices above Fieller's set speak for the cheap one, too.
    """
    low, high = fieller(charge, gain, covariance, alpha, df)
    if gain > 0 or not math.isfinite(high):
        return low, high
    return (math.inf, math.inf) if high < 0 else (math.nan, math.nan)


def paired_differences(
    quality: Layout, cost: Layout, first: str, second: str
) -> tuple[np.ndarray, np.ndarray]:
    """Differences of quality and of cost, each in its own sign, block by block."""
    same = quality.block == cost.block and len(quality.values) == len(cost.values)
    if not same or BLOCKS[quality.block].unpaired or quality.labels != cost.labels:
        raise InferenceError(
            f"'{quality.measure.name}' and '{cost.measure.name}' were not measured on the same "
            "rows, so no price can be given: front and gate do without."
        )
    results = []
    for layout in (quality, cost):
        i, j = (layout.algorithms.index(name) for name in (first, second))
        results.append(layout.sign * (layout.values[:, i] - layout.values[:, j]))
    known = ~np.isnan(results).any(axis=0)
    if known.sum() < 3:
        raise InferenceError("A trade needs three rows with both measures of both algorithms.")
    return results[0][known], results[1][known]


def fieller(
    top: float, bottom: float, covariance: np.ndarray, alpha: float, df: float
) -> tuple[float, float]:
    """Two-sided limits of top / bottom; infinite where the set has no end, NaN where it is all.

    The ratios r at which top - r bottom is not significant (Fieller 1954); `covariance` is of the
    two means, top first.
    """
    q = float(tails.t_isf(alpha / 2, df)) ** 2
    a = bottom**2 - q * covariance[1, 1]
    b = top * bottom - q * covariance[0, 1]
    c = top**2 - q * covariance[0, 0]
    root = b * b - a * c
    if root < 0 or a == 0:  # 0: neither varies
        return math.nan, math.nan
    ends = (b - math.sqrt(root)) / a, (b + math.sqrt(root)) / a
    if a > 0:
        return ends
    # the set is all but what lies between the ends; from 0 on it begins at the upper one
    low = [end for end in sorted(ends) if end > 0]
    return (low[0], math.inf) if c > 0 and low else (math.nan, math.nan)
