"""Means adjusted for blocks, where not every block has every algorithm; arrays only.

Plain means over the blocks that each algorithm has compare hard blocks with easy ones. The least
squares of additive blocks and algorithms do not (Yates 1940, the intra-block analysis): with n the
cells of a block, every block adds I - 11'/n of its algorithms to the left of the normal equations
and its centred scores to the right. Without gaps these are the plain means.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

CONNECTED = 1e-9  # share of the number of blocks: a smaller eigenvalue is none


@dataclass(frozen=True, eq=False)
class Equations:
    """The parts of the normal equations that each unit of blocks adds."""

    left: np.ndarray  # units x algorithms x algorithms
    right: np.ndarray  # units x algorithms: scores less their block's mean
    shares: np.ndarray  # units x algorithms: of the block means
    totals: np.ndarray  # units: sums of block means
    blocks: np.ndarray  # units: numbers of blocks

    def means(self, times: np.ndarray) -> np.ndarray:
        """Resamples x algorithms, each unit so many times; NaN where blocks do not link them all.

        The level is that of the average block.
        """
        times = np.atleast_2d(times)
        left = np.tensordot(times, self.left, 1) + 1.0  # + 11': effects add up to zero
        least = np.linalg.eigvalsh(left)[:, 0]
        count = times @ self.blocks
        linked = least > CONNECTED * count
        left[~linked] = np.eye(left.shape[1])
        effects = np.linalg.solve(left, (times @ self.right)[:, :, None])[:, :, 0]
        within = ((times @ self.shares) * effects).sum(axis=1)
        level = (times @ self.totals - within) / np.maximum(count, 1.0)
        return np.where(linked[:, None], effects + level[:, None], np.nan)


def equations(values: np.ndarray, place: np.ndarray) -> Equations:
    """The equations of blocks x algorithms with gaps; `place` is the unit of every block."""
    here = ~np.isnan(values)
    begun = here.any(axis=1)
    values, place, here = values[begun], place[begun], here[begun]
    share = here / here.sum(axis=1, keepdims=True)
    mean = np.where(here, values, 0.0).sum(axis=1) / here.sum(axis=1)
    left = here[:, :, None] * (np.eye(here.shape[1]) - share[:, None, :])
    right = np.where(here, values - mean[:, None], 0.0)
    parts = (left, right, share, mean, np.ones(len(mean)))
    size = int(place.max()) + 1
    return Equations(*(_summed(part, place, size) for part in parts))


def _summed(part: np.ndarray, place: np.ndarray, size: int) -> np.ndarray:
    sums = np.zeros((size, *part.shape[1:]))
    np.add.at(sums, place, part)
    return sums
