"""Power of the paired t test over blocks, and its inverses: blocks, detectable difference.

Arrays in, arrays out. With J blocks the statistic has the noncentral t distribution with J - 1
degrees of freedom and noncentrality sqrt(J) difference / sd. boulesteix2013 (section 3) shifts the
central t instead, which is up to 0.065 too low at J = 5; both are here under their names.
"""

from __future__ import annotations

from collections.abc import Callable
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtr, gammaincinv, nctdtr, stdtr, stdtrit

from podium.core.base.errors import InferenceError
from podium.core.base.registry import Registry, unknown
from podium.core.inference.bricks.adjustments import pair_level
from podium.core.questions.targets import ITEM

Floats = NDArray[np.float64]
# the probability that a t with this noncentrality and these df lies above a limit
Tail = Callable[[Floats, Floats, Floats], Floats]
ALTERNATIVES = ("two-sided", "greater", "less")
MOST = 10**7  # blocks: nobody has more
FAR = 30.0  # the shift from which on the noncentral t is integrated; its series ends near 38
TINY = 1e-300
EXTRA = 2  # blocks that a pair needs more than t says: Hall's t must agree (0 to 2, normal, 80 %)
NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(40)
WEIGHTS = WEIGHTS / WEIGHTS.sum()


class Formula(NamedTuple):
    """P(T > limit), and P(T < -limit), which a two-sided test rejects too."""

    above: Tail
    below: Tail


FORMULAS: Registry[Formula] = Registry("formula of power")


def noncentral(limit: Floats, shift: Floats, df: Floats) -> Floats:
    """P(T > limit) of the noncentral t distribution: the power of the t test."""
    above = 1.0 - nctdtr(df, np.minimum(shift, FAR), limit)
    far = np.asarray(shift) > FAR
    return np.where(far, _far(limit, shift, df), above) if far.any() else np.asarray(above)


def _far(limit: Floats, shift: Floats, df: Floats) -> Floats:
    """The same for a large shift, where the series gives no number.

    T exceeds a positive limit where chi / sqrt(df) lies below (Z + shift) / limit: this one's
    distribution function, smooth far from 0, averaged over Z by Gauss and Hermite.
    """
    df = np.asarray(df, float)[..., None]
    with np.errstate(over="ignore"):  # of an infinite ratio the probability is 1
        ratio = (NODES + np.asarray(shift)[..., None]) / np.maximum(limit, TINY)[..., None]
        below = chdtr(df, df * ratio**2)
    return np.asarray(below @ WEIGHTS)


def central(limit: Floats, shift: Floats, df: Floats) -> Floats:
    """P(T + shift > limit) of the central t distribution (boulesteix2013, section 3)."""
    return np.asarray(stdtr(df, shift - limit))


def _noncentral_below(limit: Floats, shift: Floats, df: Floats) -> Floats:
    # the series gives no number where this is 0 in double precision
    return np.nan_to_num(nctdtr(df, np.minimum(shift, FAR), -limit))


def _nothing(limit: Floats, shift: Floats, df: Floats) -> Floats:
    return np.zeros(np.broadcast_shapes(np.shape(limit), np.shape(shift)))


FORMULAS.add("noncentral", Formula(noncentral, _noncentral_below))
FORMULAS.add("central", Formula(central, _nothing))  # the paper leaves the wrong tail out


def power(
    difference: Any,
    sd: Any,
    blocks: Any,
    *,
    alpha: float = 0.05,
    alternative: str = "two-sided",
    formula: str = "noncentral",
    extra: int = 0,
) -> Floats:
    """The probability that so many blocks show a difference as significant.

    `extra` blocks are those that the test in use needs more than t does.

    >>> round(float(power(0.05, 0.1, 34)), 3)
    0.808
    """
    tails = FORMULAS[formula]
    count = np.asarray(blocks, dtype=float)
    count = np.where(count > 2, np.maximum(count - extra, 2), count)
    df = count - 1
    shift = np.sqrt(count) * np.abs(np.asarray(difference, float)) / np.asarray(sd, float)
    if alternative == "two-sided":
        limit = stdtrit(df, 1 - alpha / 2)
        return tails.above(limit, shift, df) + tails.below(limit, shift, df)
    return tails.above(stdtrit(df, 1 - alpha), shift, df)


def blocks_needed(
    difference: Any,
    sd: Any,
    target: float,
    *,
    alpha: float = 0.05,
    alternative: str = "two-sided",
    formula: str = "noncentral",
    extra: int = 0,
) -> Floats:
    """The least number of blocks (2 at least) with this power; infinite beyond ten million.

    >>> float(blocks_needed(0.05, 0.1, 0.8))
    34.0
    >>> float(blocks_needed(0.05, 0.1, 0.8, alternative="greater"))
    27.0
    """
    wanted, spread = np.broadcast_arrays(np.asarray(difference, float), np.asarray(sd, float))
    options: dict[str, Any] = {"alpha": alpha, "alternative": alternative, "formula": formula}
    low, high = np.ones(wanted.shape), np.full(wanted.shape, 2.0)
    while (short := (power(wanted, spread, high, **options) < target) & (high < MOST)).any():
        low, high = np.where(short, high, low), np.where(short, 2 * high, high)
    while (high - low > 1).any():
        middle = np.floor((low + high) / 2)
        enough = power(wanted, spread, np.maximum(middle, 2), **options) >= target
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    return np.where(high > MOST, np.inf, np.maximum(high, 2) + extra)


def detectable(
    sd: Any,
    blocks: Any,
    target: float,
    *,
    alpha: float = 0.05,
    alternative: str = "two-sided",
    formula: str = "noncentral",
    extra: int = 0,
) -> Floats:
    """The least difference that so many blocks detect with this power.

    >>> round(float(detectable(0.1, 34, 0.8)), 4)
    0.0495
    """
    spread, every = np.broadcast_arrays(np.asarray(sd, float), np.asarray(blocks, float))
    every = np.where(every > 2, np.maximum(every - extra, 2), every)
    count, which = np.unique(every, return_inverse=True)  # many pairs have as many blocks
    options: dict[str, Any] = {"alpha": alpha, "alternative": alternative, "formula": formula}
    low, high = np.zeros(count.shape), np.ones(count.shape)
    while (short := power(high, 1.0, count, **options) < target).any():
        high = np.where(short, 2 * high, high)
    for _ in range(60):  # to the last bit
        middle = (low + high) / 2
        enough = power(middle, 1.0, count, **options) >= target
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    return np.asarray(high[which].reshape(every.shape) * spread)


def extra_blocks(block: str) -> int:
    """How many blocks of a kind a pair needs more than t says."""
    return 0 if block == ITEM else EXTRA


def pair_design(alpha: float, comparisons: int, alternative: str, extra: int = 0) -> dict[str, Any]:
    """How one of so many pairs is tested: its level, its side, and what its test needs beyond t."""
    level = pair_level(alpha, comparisons, alternative == "two-sided")
    return {"alpha": level, "alternative": alternative, "extra": extra}


def check_design(
    *, alpha: float, alternative: str, target: float | None = None, formula: str = "noncentral"
) -> None:
    """Refuse levels, powers and alternatives that make no sense."""
    FORMULAS[formula]
    if alternative not in ALTERNATIVES:
        raise InferenceError(unknown("alternative", alternative, ALTERNATIVES))
    if not isinstance(alpha, Real) or not 0 < alpha < 1:
        raise InferenceError(f"The level alpha lies between 0 and 1, not {alpha!r}.")
    if target is not None and not (isinstance(target, Real) and alpha < target < 1):
        raise InferenceError(
            f"A power lies between the level {alpha:g} and 1, not {target!r}: less is had without "
            "any data, and 1 never."
        )


def sd_interval(sd: Any, blocks: Any, level: float = 0.95) -> tuple[Floats, Floats]:
    """The interval of a standard deviation of normal values, by chi-square."""
    df = np.asarray(blocks, dtype=float) - 1
    tails = np.array([(1 + level) / 2, (1 - level) / 2])
    ends = 2 * gammaincinv(df[..., None] / 2, tails)  # quantiles of chi-square
    limits = np.asarray(sd, float)[..., None] * np.sqrt(df[..., None] / ends)
    return np.asarray(limits[..., 0]), np.asarray(limits[..., 1])
