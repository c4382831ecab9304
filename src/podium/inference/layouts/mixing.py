"""Whether the scores of data sets mix: with scales too unlike, a mean is that of a few data sets.

Optimisation errors from 10^-8 to 10^7, or root mean squares beside areas under curves, have no mean
that says something of all of them. Then ranks within data sets are compared.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

UNLIKE = 100.0  # the 90 % quantile of spreads, or of levels, over their 10 % quantile
SOMEWHAT = 10.0
HALF = 0.5
LEAST = 3  # data sets


class Mixing(NamedTuple):
    """How unlike the scales of blocks are, and which block carries most of what varies."""

    spread: float  # of the algorithms within a block, 90 % over 10 % quantile over the blocks
    middle: float  # the same, 90 % quantile over the median
    level: float  # of the blocks' median scores, 90 % over 10 % quantile
    share: float  # of what varies beyond blocks and algorithms that the first block carries
    top: int  # its place

    @property
    def is_unlike(self) -> bool:
        """Whether means over such blocks are of a few blocks."""
        apart = self.level >= UNLIKE and self.spread >= SOMEWHAT
        alone = self.share > HALF and self.middle >= SOMEWHAT
        return self.spread >= UNLIKE or apart or alone


def mixing(values: np.ndarray) -> Mixing:
    """Of blocks x algorithms; missing cells are NaN and count nowhere."""
    known = values[(~np.isnan(values)).sum(axis=1) > 1]
    known = known[:, ~np.isnan(known).all(axis=0)]
    if len(known) < LEAST:
        return Mixing(1.0, 1.0, 1.0, 0.0, 0)
    spread = np.nanstd(known, axis=1, ddof=1)
    centred = known - np.nanmean(known, axis=1, keepdims=True)
    away = np.nanmean((centred - _median(centred)) ** 2, axis=1)
    total = float(away.sum())
    place = int(away.argmax())
    rows = np.flatnonzero((~np.isnan(values)).sum(axis=1) > 1)
    return Mixing(
        _ratio(spread, 0.1),
        _ratio(spread, 0.5),
        _ratio(np.abs(_median(known.T)), 0.1),
        float(away[place]) / total if total > 0 else 0.0,
        int(rows[place]),
    )


def _median(values: np.ndarray) -> np.ndarray:
    """Of every column, over what is there."""
    return np.asarray(np.nanmedian(values, axis=0))


def _ratio(sizes: np.ndarray, low: float) -> float:
    """The 90 % quantile over a lower one; zeros have no scale."""
    sizes = sizes[sizes > 0]
    if not len(sizes):
        return 1.0
    top, bottom = np.quantile(sizes, [0.9, low])
    return float(top / bottom)
