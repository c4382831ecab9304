"""Scores: what a block's values are turned into before they are summed.

Each brick takes and returns a blocks x algorithms array; larger is better before and after.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.special import ndtri

from podium.base.errors import InferenceError
from podium.base.registry import Registry
from podium.inference.numbers import tails

Score = Callable[[np.ndarray], np.ndarray]
SCORES: Registry[Score] = Registry("score")
ROUNDING = 1e-12  # share of the scores: a smaller difference is the machine's


def raw(values: np.ndarray) -> np.ndarray:
    """The values themselves."""
    return values


def ranks(values: np.ndarray) -> np.ndarray:
    """Ranks within each block; ties get their average."""
    return tails.ranks(values, axis=1)


def aligned(values: np.ndarray) -> np.ndarray:
    """Values less their block's mean."""
    return values - values.mean(axis=1, keepdims=True)


def aligned_ranks(values: np.ndarray) -> np.ndarray:
    """Ranks of all aligned values together (Hodges and Lehmann 1962)."""
    times = values.shape[1] * values - values.sum(axis=1, keepdims=True)
    size = np.broadcast_to(values.shape[1] * _size(values)[:, None], values.shape)
    return tails.ranks(settled(times.ravel(), size.ravel())).reshape(values.shape)


def normal_scores(values: np.ndarray) -> np.ndarray:
    """Van der Waerden's scores of the ranks within each block."""
    return ndtri(ranks(values) / (values.shape[1] + 1))


def quade(values: np.ndarray) -> np.ndarray:
    """Centred ranks weighted by the rank of their block's range (Quade 1979)."""
    size = tails.ranks(settled(np.ptp(values, axis=1), _size(values)))
    return size[:, None] * (ranks(values) - (values.shape[1] + 1) / 2)


def signs(values: np.ndarray) -> np.ndarray:
    """Which of two algorithms is better: 1 and 0, or 0 and 0 for a tie."""
    difference = _difference(values, "signs")
    return np.column_stack([difference > 0, difference < 0]).astype(float)


def signed_ranks(values: np.ndarray) -> np.ndarray:
    """Wilcoxon's signed ranks of two algorithms; blocks without a difference are left out."""
    difference = _difference(values, "signed ranks")
    size = np.zeros(len(difference))
    counts = difference != 0
    size[counts] = tails.ranks(np.abs(difference[counts]))
    return np.column_stack([size * (difference > 0), size * (difference < 0)])


def pratt(values: np.ndarray) -> np.ndarray:
    """Signed ranks where blocks without a difference are ranked and then left out (Pratt 1959)."""
    difference = _difference(values, "signed ranks")
    size = tails.ranks(np.abs(difference))
    return np.column_stack([size * (difference > 0), size * (difference < 0)])


def _difference(values: np.ndarray, what: str) -> np.ndarray:
    if values.shape[1] != 2:
        raise InferenceError(
            f"A score of {what} compares exactly 2 algorithms, not {values.shape[1]}."
        )
    difference = values[:, 0] - values[:, 1]
    size = _size(values)
    return np.copysign(settled(np.abs(difference), size), difference)


def _size(values: np.ndarray) -> np.ndarray:
    """The largest score of each block, as a size."""
    return np.asarray(np.abs(values).max(axis=1))


def settled(numbers: np.ndarray, of: np.ndarray) -> np.ndarray:
    """Numbers that rounding alone tells apart, made equal; those that are but rounding, zero.

    0.3 - 0.2 and 0.2 - 0.1 are one difference to a reader and two to the machine, and ranks would
    tell them apart. `of` has the size of what each was computed from.

    >>> settled(np.array([0.3 - 0.2, 0.2 - 0.1, 0.1 + 0.2 - 0.3]), np.full(3, 0.3)).round(3)
    array([0.1, 0.1, 0. ])
    """
    noise = ROUNDING * of
    order = np.argsort(numbers, kind="stable")
    inner, near = numbers[order], noise[order]
    begins = np.ones(len(inner), dtype=bool)
    begins[1:] = np.diff(inner) > np.maximum(near[1:], near[:-1])
    table = np.empty(len(inner))
    table[order] = inner[np.maximum.accumulate(np.where(begins, np.arange(len(inner)), 0))]
    return np.where(np.abs(numbers) <= noise, 0.0, table)


for _name, _brick in {
    "raw": raw,
    "ranks": ranks,
    "aligned": aligned,
    "aligned-ranks": aligned_ranks,
    "normal-scores": normal_scores,
    "quade": quade,
    "signs": signs,
    "signed-ranks": signed_ranks,
    "pratt": pratt,
}.items():
    SCORES.add(_name, _brick)
