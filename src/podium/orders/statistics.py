"""Orders from a statistic of scores: mean, median, worst case, with a neighbourhood or intervals.

Scores are a blocks x algorithms array of which larger is better. These orders describe the sample;
they test nothing (eugster2008, section 3.1).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from podium.comparisons import Note
from podium.errors import InferenceError
from podium.orders import checks
from podium.orders.order import Order
from podium.registry import Registry

Floats = NDArray[np.float64]
Statistic = Callable[[Floats], Floats]  # of (..., blocks, algorithms), over the blocks

STATISTICS: Registry[Statistic] = Registry("statistic of scores")
ROUNDING = 1e-12  # differences below this share of the largest value are none


@STATISTICS.named("mean")
def mean(scores: Floats) -> Floats:
    """The mean over blocks."""
    return np.asarray(scores.mean(axis=-2))


@STATISTICS.named("median")
def median(scores: Floats) -> Floats:
    """The median over blocks."""
    return np.asarray(np.median(scores, axis=-2))


@STATISTICS.named("minimum")
def minimum(scores: Floats) -> Floats:
    """The worst score: its order is the minimax order."""
    return np.asarray(scores.min(axis=-2))


def m_worst(m: int) -> Statistic:
    """The m-th worst score; m = 1 is the minimum."""
    if isinstance(m, bool) or not isinstance(m, int) or m < 1:
        raise InferenceError(f"The m of the m-th worst score is a number from 1 on, not {m!r}.")

    def statistic(scores: Floats) -> Floats:
        if m > scores.shape[-2]:
            raise InferenceError(f"There is no {m}th worst of {scores.shape[-2]} scores.")
        return np.asarray(np.partition(scores, m - 1, axis=-2)[..., m - 1, :])

    return statistic


def quantile(share: float) -> Statistic:
    """A quantile over blocks, by linear interpolation; 0.05 is near the worst of 20 scores.

    eugster2008's "m-worst values for m = 12" of 250 are these quantiles.
    """
    if not 0 <= share <= 1:
        raise InferenceError(f"A quantile is of a share between 0 and 1, not {share!r}.")
    return lambda scores: np.asarray(np.quantile(scores, share, axis=-2))


@dataclass(frozen=True, eq=False)
class Ordered:
    """An order by a statistic, the statistic's values, and what a reader must know."""

    order: Order
    values: tuple[float, ...]
    notes: tuple[Note, ...] = ()


def ordered(
    scores: Any,
    algorithms: Sequence[str],
    statistic: str | Statistic = "mean",
    epsilon: float = 0.0,
) -> Ordered:
    """The order in which a is better than b iff its statistic is larger by more than epsilon.

    With epsilon > 0 the relation < stays transitive, but ≈ need not: a may be ≈ b and b ≈ c while
    a is better than c. A note says so.

    >>> ordered([[1, 2, 3.5], [1, 3, 2.5]], ["a", "b", "c"], "mean", epsilon=0.5).order
    Order('c ≈ b < a')
    """
    array, names = _scores(scores, algorithms)
    if not epsilon >= 0:
        raise InferenceError(f"The neighbourhood epsilon is at least 0, not {epsilon!r}.")
    values = _statistic(statistic)(array)
    ahead = values[:, None] - values
    order = Order(names, ahead > epsilon + ROUNDING * np.abs(values).max(), tuple(values))
    return Ordered(order, tuple(values.tolist()), tuple(_not_transitive(order)))


def ordered_by_intervals(
    scores: Any,
    algorithms: Sequence[str],
    statistic: str | Statistic = "mean",
    *,
    level: float = 0.95,
    resamples: int = 999,
    seed: int = 0,
) -> Ordered:
    """The order in which a is better than b iff its bootstrap interval lies above that of b.

    Percentile intervals over resampled blocks, the same blocks for all algorithms. Exploratory:
    intervals of single algorithms that overlap are no test of their difference.
    """
    array, names = _scores(scores, algorithms)
    if not 0 < level < 1:
        raise InferenceError(f"The level of intervals lies between 0 and 1, not {level!r}.")
    compute = _statistic(statistic)
    blocks = np.random.default_rng(seed).integers(len(array), size=(resamples, len(array)))
    drawn = np.array([compute(array[rows]) for rows in blocks])
    low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2], axis=0)
    values = compute(array)
    order = Order(names, low[:, None] > high, tuple(values))
    note = Note(
        "exploratory",
        f"This order is by {100 * level:g} % bootstrap intervals that do not overlap, which "
        "describes the scores and tests no difference.",
    )
    return Ordered(order, tuple(values.tolist()), (note, *_not_transitive(order)))


def _statistic(statistic: str | Statistic) -> Statistic:
    return STATISTICS[statistic] if isinstance(statistic, str) else statistic


def _scores(scores: Any, algorithms: Sequence[str]) -> tuple[Floats, tuple[str, ...]]:
    names = checks.names(algorithms)
    try:
        array = np.asarray(scores, dtype=float)
    except (TypeError, ValueError):
        raise InferenceError("Scores are numbers, in blocks x algorithms.") from None
    if array.ndim != 2 or array.shape[1] != len(names) or not len(array):
        raise InferenceError(
            f"Scores of {len(names)} algorithms are an array of blocks x {len(names)}, "
            f"not one of shape {array.shape}."
        )
    if not np.isfinite(array).all():
        missing = names[int(np.argwhere(~np.isfinite(array))[0][1])]
        raise InferenceError(
            f"A score of '{missing}' is missing or infinite; leave out the blocks that lack one."
        )
    return array, names


def _not_transitive(order: Order) -> list[Note]:
    broken = order.violations("indifference transitive", limit=1)
    if not broken:
        return []
    a, b, c = broken[0]
    text = f"The ≈ of this order is not transitive: {a} ≈ {b} and {b} ≈ {c}, but not {a} ≈ {c}."
    return [Note("not-transitive", text)]
