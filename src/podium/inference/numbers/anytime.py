"""Evidence that may be looked at any time: e-processes, and the confidence sequences of them.

An e-process is a bet against the null whose capital E is expected to stay at 1 or below where the
null holds. Its running maximum M gives the p-value 1 / M at any time, also at one that was chosen
by looking (Ville 1939). Rows are blocks in order, columns are pairs.
"""

from __future__ import annotations

import numpy as np
from scipy.special import betaln

C = 0.5  # of the Beta(1/2, 1/2) mixture; and the largest share of the capital that is betted
GRID = 401  # means that the confidence sequence of bounded scores is tried at


def t_mixture(t: np.ndarray, n: np.ndarray, g: float) -> np.ndarray:
    """The logarithm of E of a t statistic of n blocks; effects have the prior N(0, g) in sd.

    E = (1 + ng)^(-1/2) [(1 + t² / ((n-1)(1+ng))) / (1 + t² / (n-1))]^(-n/2) (Lai 1976).

    >>> np.exp(t_mixture(np.array(0.0), np.array(5), 0.04)).round(4)
    np.float64(0.9129)
    """
    wide, df = 1 + n * g, np.maximum(n - 1, 1)
    ratio = np.log1p(t**2 / (df * wide)) - np.log1p(t**2 / df)
    return np.where(n > 1, -0.5 * np.log(wide) - n / 2 * ratio, 0.0)


def t_mixture_reach(n: np.ndarray, g: float, alpha: float) -> np.ndarray:
    """The |t| at which E reaches 1 / alpha; infinite where no t of so few blocks does."""
    wide, df = 1 + n * g, np.maximum(n - 1, 1)
    c = np.exp(-2 / n * (0.5 * np.log(wide) - np.log(alpha)))
    room = c - 1 / wide
    square = df * (1 - c) / np.where(room > 0, room, np.nan)
    return np.where((room > 0) & (n > 1), np.sqrt(square), np.inf)


def e_mcnemar(wins: np.ndarray, losses: np.ndarray) -> np.ndarray:
    """The logarithm of E of so many items that only the first, or only the second, got right.

    A Beta(1/2, 1/2) mixture over the share of wins against one half: 2^(a+b) B(a+c, b+c) / B(c, c).

    >>> np.exp(e_mcnemar(np.array(8), np.array(0))).round(2)
    np.float64(50.27)
    """
    total = wins + losses
    return np.asarray(total * np.log(2) + betaln(wins + C, losses + C) - betaln(C, C))


def bets(x: np.ndarray, means: np.ndarray, alpha: float) -> np.ndarray:
    """The logarithm of the hedged capital against each mean, block by block: blocks x means.

    `x` are scores within [0, 1]; a missing one is no bet. Bets shrink with the running variance
    (Waudby-Smith and Ramdas 2024, section 4.2, theta = c = 1/2).
    """
    there, size = ~np.isnan(x), _stakes(x, alpha)[:, None]
    off = np.where(there, x, np.nan)[:, None] - means
    with np.errstate(divide="ignore"):
        up, down = np.minimum(size, C / means), np.minimum(size, C / (1 - means))
    gains = [np.log1p(np.nan_to_num(bet * off)) for bet in (up, -down)]
    return np.asarray(np.log(0.5) + np.maximum(*(np.cumsum(gain, axis=0) for gain in gains)))


def _stakes(x: np.ndarray, alpha: float) -> np.ndarray:
    """How much is betted on every block, as far as the blocks before it tell."""
    there = ~np.isnan(x)
    seen = np.where(there, x, 0.0)
    n = np.cumsum(there)
    mean = (0.5 + np.cumsum(seen)) / (n + 1)
    spread = np.cumsum(np.where(there, (seen - mean) ** 2, 0.0))
    variance = (0.25 + spread) / (n + 1)
    before = np.concatenate([[0.25], variance[:-1]])  # a bet is placed before the score is seen
    steps = np.maximum(n, 1)
    return np.sqrt(2 * np.log(2 / alpha) / (before * steps * np.log1p(steps)))


def bet_above(x: np.ndarray, mean: float, alpha: float) -> float:
    """The p-value of no more than this mean, by bets on more: one over the largest capital.

    `x` are scores within [0, 1], in an order that was drawn; `alpha` is the level that is aimed at.

    >>> round(bet_above(np.array([1.0] * 12), 0.5, 0.01), 4)
    0.0077
    """
    bet = np.minimum(_stakes(x, alpha), C / mean)
    capital = np.cumsum(np.log1p(np.nan_to_num(bet * (x - mean))))
    return float(np.exp(-capital.max(initial=0.0)))


def betting_limits(x: np.ndarray, alpha: float, tuned: float | None = None) -> tuple[float, float]:
    """The confidence sequence at the last block: the means whose capital never reached 1 / alpha.

    Bets are those that `tuned` asks for, where it is not alpha.

    >>> low, high = betting_limits(np.tile([0.0, 1.0], 100), 0.05)
    >>> bool(low < 0.5 < high)
    True
    """
    means = np.linspace(0, 1, GRID)
    kept = means[(bets(x, means, tuned or alpha) < -np.log(alpha)).all(axis=0)]
    if not len(kept):  # between two means that were tried
        return float(np.nanmean(x)), float(np.nanmean(x))
    half = 0.5 / (GRID - 1)
    return max(0.0, float(kept[0]) - half), min(1.0, float(kept[-1]) + half)
