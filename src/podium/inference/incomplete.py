"""Rank sums where blocks lack algorithms: Skillings and Mack's, and Durbin's test as its case."""

from __future__ import annotations

from functools import partial

import numpy as np

from podium.inference.estimates import Estimates
from podium.inference.layouts import Layout
from podium.inference.permutations import permuted_sums
from podium.inference.scores import Score, ranks


def incomplete_sums(layout: Layout, *, scores: Score = ranks) -> Estimates:
    """Effects from scores within the algorithms that a block has (Skillings and Mack 1981).

    A block of k algorithms counts with the weight sqrt(12 / (k + 1)), so that larger blocks, which
    know more, count more. With s the sums and C their covariance given the scores (ties included),
    the effects are C⁺s with covariance C⁺: their quadratic form is Skillings and Mack's statistic,
    without gaps Friedman's, in a balanced incomplete design Durbin's. A difference of effects is
    free of whom the two algorithms met otherwise.
    """
    patterns = _patterns(layout.values, scores)
    k = layout.values.shape[1]
    sums, covariance = np.zeros(k), np.zeros((k, k))
    for present, centred in patterns:
        sums[present] += centred.sum(axis=0)
        spread = centred.var(axis=1, ddof=1).sum()
        size = centred.shape[1]
        covariance[np.ix_(present, present)] += spread * (np.eye(size) - 1 / size)
    inverse = np.linalg.pinv(covariance, hermitian=True)
    return Estimates(
        inverse @ sums,
        inverse,
        redraw=partial(_redrawn, patterns, inverse),
        redrawn_by="permutation",
    )


Pattern = tuple[np.ndarray, np.ndarray]  # the algorithms that are present, their centred scores


def _patterns(values: np.ndarray, scores: Score) -> list[Pattern]:
    """Blocks with the same algorithms together; a block of one algorithm compares nothing."""
    here = np.isfinite(values)
    found = []
    for row in np.unique(here, axis=0):
        if row.sum() > 1:
            a = scores(values[(here == row).all(axis=1)][:, row])
            weight = np.sqrt(12 / (row.sum() + 1))
            found.append((np.flatnonzero(row), weight * (a - a.mean(axis=1, keepdims=True))))
    return found


def _redrawn(
    patterns: list[Pattern], inverse: np.ndarray, count: int, rng: np.random.Generator
) -> np.ndarray:
    """Effects when labels are permuted within blocks."""
    sums = np.zeros((count, len(inverse)))
    for present, centred in patterns:
        sums[:, present] += permuted_sums(centred, count, rng)
    return np.asarray(sums @ inverse)
