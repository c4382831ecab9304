"""Adjustments that use how hypotheses of pairs imply each other: if 1 = 2 and 2 = 3, then 1 = 3.

Which sets of pairs can be true together are the partitions of the algorithms. Both need the
p-values of all pairs, of hypotheses that do imply each other: equal means of all algorithms, not
tests that score every pair anew.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

EXHAUSTIVE_UP_TO = 9  # algorithms: 21147 partitions


@lru_cache
def true_counts(algorithms: int) -> tuple[int, ...]:
    """The numbers of pairs that can be equal at once, ascending (Shaffer 1986, recursion S(k))."""
    if algorithms < 2:
        return (0,)
    return tuple(
        sorted(
            {
                size * (size - 1) // 2 + rest
                for size in range(1, algorithms + 1)
                for rest in true_counts(algorithms - size)
            }
        )
    )


def shaffer(p: np.ndarray, algorithms: int) -> np.ndarray:
    """Shaffer's step-down p-values of all pairs (1986, S2), as R's multcomp has them.

    A pair's p-value counts as often as pairs can be equal together with it when those before it
    differ. Beyond nine algorithms these sets are too many, and the static factors stand in.
    """
    if algorithms > EXHAUSTIVE_UP_TO:
        return static_shaffer(p, algorithms)
    possible = _exhaustive(algorithms)
    sizes, order = possible.sum(axis=1), np.argsort(p, kind="stable")
    factors = np.empty(len(p))
    for value in np.unique(p):  # equal ones together, so that names do not matter
        here = p == value
        factors[here] = np.where(possible[:, here], sizes[:, None], 0).max(axis=0)
        left = ~possible[:, here].any(axis=1)
        possible, sizes = possible[left], sizes[left]
    return _stepped(p, factors[order], order)


def static_shaffer(p: np.ndarray, algorithms: int) -> np.ndarray:
    """Shaffer's p-values by the number of pairs left alone (1986, S1)."""
    possible = np.array(true_counts(algorithms))
    left = np.arange(len(p), 0, -1)  # hypotheses that are not yet rejected
    factors = np.maximum(possible[np.searchsorted(possible, left, side="right") - 1], 1)
    return _stepped(p, factors, np.argsort(p, kind="stable"))


def _stepped(p: np.ndarray, factors: np.ndarray, order: np.ndarray) -> np.ndarray:
    steps = np.maximum.accumulate(p[order] * factors)
    return np.asarray(np.minimum(steps, 1.0)[np.argsort(order, kind="stable")])


def bergmann_hommel(p: np.ndarray, algorithms: int) -> np.ndarray:
    """Bergmann and Hommel's p-values of all pairs (1988): the largest |I| min p over sets I.

    I runs over the exhaustive sets, the pairs within the parts of a partition, that contain the
    pair. Beyond nine algorithms these are too many: Shaffer's p-values, never smaller, stand in.
    """
    if algorithms > EXHAUSTIVE_UP_TO:
        return static_shaffer(p, algorithms)
    within = _exhaustive(algorithms)
    least = np.where(within, p, np.inf).min(axis=1)
    worth = within.sum(axis=1) * least
    result = np.where(within, worth[:, None], 0.0).max(axis=0)
    return np.asarray(np.minimum(result, 1.0))


@lru_cache(maxsize=2)
def _exhaustive(algorithms: int) -> NDArray[np.bool_]:
    """Partitions (but the one into single algorithms) x pairs: whether a pair is in one part."""
    labels = _labels(algorithms)
    first, second = np.array(list(combinations(range(algorithms), 2))).T
    within = labels[:, first] == labels[:, second]
    return np.asarray(within[within.any(axis=1)])


def _labels(algorithms: int) -> NDArray[np.int8]:
    """All partitions as labels: the first is 0, a new part has the least label not yet used."""
    rows = np.zeros((1, 1), dtype=np.int8)
    for _ in range(algorithms - 1):
        top = rows.max(axis=1)
        rows = np.concatenate(
            [
                np.column_stack([rows[top + 1 >= label], np.full((top + 1 >= label).sum(), label)])
                for label in range(int(top.max()) + 2)
            ]
        ).astype(np.int8)
    return rows
