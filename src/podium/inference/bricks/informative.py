"""Whether scores are missing where blocks are hard: then no test of what is there helps."""

from __future__ import annotations

import numpy as np

from podium.inference.numbers import tails

MOST = 0.05  # share of the scores that may be missing, or of runs that may have failed
ALPHA = 0.05


def missing_share(values: np.ndarray) -> float:
    """Of all cells."""
    return float(np.isnan(values).mean()) if values.size else 0.0


def goes_with_difficulty(values: np.ndarray) -> bool:
    """Whether blocks with gaps are harder, or easier, than the others (Mann and Whitney 1947).

    A block is as hard as its scores lie below the medians of their algorithms.
    """
    gaps = np.isnan(values).any(axis=1)
    known = ~np.isnan(values)
    if not gaps.any() or gaps.all() or not known.any(axis=0).all():
        return False
    away = np.where(known, values - np.nanmedian(values, axis=0), 0.0)
    level = away.sum(axis=1) / np.maximum(known.sum(axis=1), 1)
    used = known.any(axis=1)
    return _p(tails.ranks(level[used]), gaps[used]) <= ALPHA


def _p(ranks: np.ndarray, chosen: np.ndarray) -> float:
    """Of equal levels, by the normal limit of the sum of ranks; its variance allows for ties."""
    n, m = len(ranks), int(chosen.sum())
    if m in (0, n):
        return 1.0
    away = float(ranks[chosen].sum() - m * ranks.mean())
    variance = m * (n - m) / n * float(ranks.var(ddof=1))
    if variance <= 0:
        return 1.0
    return float(2 * tails.t_sf(abs(away) / np.sqrt(variance), np.inf))
