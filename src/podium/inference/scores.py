"""Scores: what a block's values are turned into before they are summed.

Each brick takes and returns a blocks x algorithms array; larger is better before and after.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np
from scipy.special import ndtri

from podium.errors import InferenceError
from podium.inference import tails
from podium.registry import Registry

Score = Callable[[np.ndarray], np.ndarray]
SCORES: Registry[Score] = Registry("score")


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
    # K times the aligned values: dividing by K would break ties between blocks by rounding
    times = values.shape[1] * values - values.sum(axis=1, keepdims=True)
    return tails.ranks(times).reshape(values.shape)


def normal_scores(values: np.ndarray) -> np.ndarray:
    """Van der Waerden's scores of the ranks within each block."""
    return ndtri(ranks(values) / (values.shape[1] + 1))


def quade(values: np.ndarray) -> np.ndarray:
    """Centred ranks weighted by the rank of their block's range (Quade 1979)."""
    size = tails.ranks(np.ptp(values, axis=1))
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
    return values[:, 0] - values[:, 1]


def nearly_tied(values: np.ndarray) -> bool:
    """Whether differences within blocks are equal up to rounding, but not to the last bit.

    0.3 - 0.2 and 0.2 - 0.1 are one difference to a reader and two to the machine. Ranks of
    differences tell them apart, here as in R and scipy, so a user should be told.
    """
    noise = 1e-12 * float(np.abs(values).max(initial=0.0))
    for i, j in combinations(range(values.shape[1]), 2):
        gaps = np.diff(np.sort(np.abs(values[:, i] - values[:, j])))
        if np.any((gaps > 0) & (gaps < noise)):
            return True
    return False


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
