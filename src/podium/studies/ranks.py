"""Ranks by mean, in the observed scores and in resamples of them; arrays only, larger is better.

The bootstrap of ranks: Goldstein and Spiegelhalter (1996); Hall and Miller (2009), who show that it
is rough where means are nearly tied. For benchmarks: Wiesenfarth et al. (2021).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from podium.studies.draws import CELLS, Units

LEVEL = 0.95  # of the rank intervals
ROUNDING = 1e-12  # share of the largest score: smaller differences of means are none


@dataclass(frozen=True, eq=False)
class Ranked:
    """Ranks by mean; frequencies are shares of the resamples that have ranks."""

    means: np.ndarray
    observed: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    places: np.ndarray  # algorithms x places
    same_sign: np.ndarray  # algorithms x algorithms: of the difference of means
    count: int  # of resamples with ranks
    unranked: int  # resamples in which an algorithm has no score
    adjusted: bool  # whether means are adjusted for blocks, of which some have gaps


def ranked(units: Units, batches: Iterable[np.ndarray]) -> Ranked:
    """The observed ranks and those in resamples, given as how often each unit is drawn."""
    tolerance = ROUNDING * float(np.nanmax(np.abs(units.layout.values)))
    once = units.means(np.ones((1, len(units))))
    observed = signs(once, tolerance)
    k = observed.shape[1]
    ranks, places, same, unranked = [], np.zeros((k, k)), np.zeros((k, k)), 0
    for times in _small(batches, k):
        means = units.means(times)
        known = ~np.isnan(means).any(axis=1)
        ahead = signs(means[known], tolerance)
        ranks.append(mean_ranks(ahead))
        places += place_counts(ahead)
        same += (ahead == observed).sum(axis=0)
        unranked += int((~known).sum())
    every = np.concatenate(ranks)
    count = max(len(every), 1)
    low, high = _interval(every) if len(every) else np.full((2, k), np.nan)
    return Ranked(
        once[0],
        mean_ranks(observed)[0],
        low,
        high,
        np.round(places / count, 12),  # shares of ties do not add up to whole numbers exactly
        same / count,
        len(every),
        unranked,
        units.adjusted is not None,
    )


def _small(batches: Iterable[np.ndarray], k: int) -> Iterable[np.ndarray]:
    """Batches whose K x K signs can be held."""
    most = max(CELLS // k**2, 1)
    for batch in batches:
        for start in range(0, len(batch), most):
            yield batch[start : start + most]


def signs(means: np.ndarray, tolerance: float) -> np.ndarray:
    """Resamples x algorithms x algorithms: 1 where the first mean is larger, 0 for ties, or -1."""
    ahead = means[:, :, None] - means[:, None, :]
    return (ahead > tolerance).astype(np.int8) - (ahead < -tolerance)


def mean_ranks(ahead: np.ndarray) -> np.ndarray:
    """Ranks from 1, the best; ties have the mean of their places."""
    k = ahead.shape[1]
    return (k + 1 - ahead.sum(axis=2)) / 2


def place_counts(ahead: np.ndarray) -> np.ndarray:
    """How often each algorithm has each place; ties share their places equally."""
    k = ahead.shape[1]
    above, tied = (ahead < 0).sum(axis=2), (ahead == 0).sum(axis=2)  # tied with itself too
    steps = np.zeros((k, k + 1))
    algorithm = np.broadcast_to(np.arange(k), above.shape)
    np.add.at(steps, (algorithm, above), 1 / tied)
    np.add.at(steps, (algorithm, above + tied), -1 / tied)
    return np.cumsum(steps, axis=1)[:, :k]


def _interval(ranks: np.ndarray) -> np.ndarray:
    """Percentiles that are ranks that occurred."""
    ends = [(1 - LEVEL) / 2, (1 + LEVEL) / 2]
    return np.asarray(np.quantile(ranks, ends, axis=0, method="inverted_cdf"))
