"""What rounding alone tells apart, made equal: ranks would tell it apart."""

from __future__ import annotations

import numpy as np

from podium.core.base.errors import InferenceError

ROUNDING = 1e-12  # differences below this share of a block's largest score are none


def signed_difference(values: np.ndarray, what: str = "differences") -> np.ndarray:
    """First less second, of two columns; what rounding alone tells apart is made equal."""
    if values.shape[1] != 2:
        raise InferenceError(
            f"A score of {what} compares exactly 2 algorithms, not {values.shape[1]}."
        )
    difference = values[:, 0] - values[:, 1]
    size = compute_block_sizes(values)
    return np.copysign(settled(np.abs(difference), size), difference)


def compute_block_sizes(values: np.ndarray) -> np.ndarray:
    """The largest score of each block, as a size."""
    return np.asarray(np.abs(values).max(axis=1))


def settled(numbers: np.ndarray, group: np.ndarray) -> np.ndarray:
    """Numbers that rounding alone tells apart, made equal; those that are but rounding, zero.

    0.3 - 0.2 and 0.2 - 0.1 are one difference to a reader and two to the machine, and ranks would
    tell them apart. `of` has the size of what each was computed from.

    >>> settled(np.array([0.3 - 0.2, 0.2 - 0.1, 0.1 + 0.2 - 0.3]), np.full(3, 0.3)).round(3)
    array([0.1, 0.1, 0. ])
    """
    noise = ROUNDING * group
    order = np.argsort(numbers, kind="stable")
    inner, near = numbers[order], noise[order]
    begins = np.ones(len(inner), dtype=bool)
    begins[1:] = np.diff(inner) > np.maximum(near[1:], near[:-1])
    table = np.empty(len(inner))
    table[order] = inner[np.maximum.accumulate(np.where(begins, np.arange(len(inner)), 0))]
    return np.where(np.abs(numbers) <= noise, 0.0, table)
