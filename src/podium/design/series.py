"""Samples of rows in time order: the rows of the data set as they stand."""

from __future__ import annotations

import numpy as np

from podium.design.datasets import Dataset
from podium.design.splits import DRAWERS, Draw, Split, redrawn
from podium.samplings import Sampling


@DRAWERS.named("moving-block")
def _moving_block(data: Dataset, sampling: Sampling, rng: np.random.Generator, number: int) -> Draw:
    """Blocks of L consecutive rows, each equally likely, until n rows are there (Künsch 1989).

    The last block is cut to fit. Tested are the rows outside all blocks and further than the gap
    from each; without a gap, their neighbours in time have been learned from.
    """
    n, length = data.n, sampling.rows or 1

    def draw() -> Draw:
        starts = rng.integers(n - length + 1, size=-(-n // length))
        rows = (starts[:, None] + np.arange(length)).ravel()
        return Draw((Split(rows[:n], _far_from(starts, length, sampling.gap, n)),))

    return redrawn(data, number, draw)


def _far_from(starts: np.ndarray, length: int, gap: int, n: int) -> np.ndarray:
    """The rows of 0..n-1 that no block and no gap around a block covers."""
    steps = np.zeros(n + 1, dtype=np.int64)
    np.add.at(steps, np.maximum(starts - gap, 0), 1)
    np.add.at(steps, np.minimum(starts + length + gap, n), -1)
    return np.flatnonzero(np.cumsum(steps[:n]) == 0)


@DRAWERS.named("rolling-origin")
def _rolling_origin(
    data: Dataset, sampling: Sampling, rng: np.random.Generator, number: int
) -> Draw:
    """All rows before an origin, less a gap, and the next H rows.

    Sample 1 tests the last H rows, sample 2 the H rows before those, and so on: more origins leave
    the samples that there are as they are, and no row is tested twice.
    """
    horizon = sampling.rows or 1
    origin = data.n - number * horizon
    split = Split(np.arange(origin - sampling.gap), np.arange(origin, origin + horizon))
    return Draw((split,))
