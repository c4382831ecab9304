"""The bootstrap over blocks: what is drawn, how often, and the layout that a draw makes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from podium.inference.layouts import Layout
from podium.inference.procedure import Procedure
from podium.studies.adjusted import Equations, equations

CELLS = 4_000_000  # numbers that are held at a time


@dataclass(frozen=True, eq=False)
class Units:
    """The independent parts of a layout, drawn whole: its blocks, or clusters of its items.

    `sums` and `counts` are of the scores that a procedure uses: whole blocks only where it takes
    no gaps, the mean of a cluster as one score where it does not know clusters. Where it takes
    gaps and there are some, `adjusted` gives the means.
    """

    layout: Layout
    place: np.ndarray  # the unit of every block
    sums: np.ndarray  # units x algorithms
    counts: np.ndarray
    adjusted: Equations | None = None

    def __len__(self) -> int:
        return len(self.sums)

    def means(self, times: np.ndarray) -> np.ndarray:
        """Resamples x algorithms: the means when every unit is there so many times.

        NaN where no score is left, or where they cannot be adjusted for the blocks.
        """
        if self.adjusted is not None:
            return self.adjusted.means(times)
        sums, counts = times @ self.sums, times @ self.counts
        return np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)

    def drawn(self, times: np.ndarray) -> Layout:
        """The layout in which every unit is there so many times; a cluster drawn twice is two."""
        often = times[self.place]
        rows = np.repeat(np.arange(len(self.place)), often)
        clusters = self.layout.clusters
        if clusters is not None:
            first = np.cumsum(often) - often
            clusters = self.place[rows] + len(self) * (np.arange(len(rows)) - first[rows])
        return replace(
            self.layout, values=self.layout.values[rows], clusters=clusters, notes=(), labels=()
        )


def units(layout: Layout, procedure: Procedure) -> Units:
    """The units of a layout, with the scores that a procedure uses."""
    clusters = layout.clusters
    averaged = clusters is not None and not procedure.clusters
    used = ~np.isnan(layout.values)
    if averaged or not procedure.gaps:
        used = used & used.all(axis=1, keepdims=True)
    if clusters is None:
        place = np.arange(len(used))
    else:
        place = np.unique(clusters, return_inverse=True)[1]
    sums, counts = (np.zeros((place.max() + 1, used.shape[1])) for _ in range(2))
    np.add.at(sums, place, np.where(used, layout.values, 0.0))
    np.add.at(counts, place, used.astype(float))
    if averaged:
        sums, counts = sums / np.maximum(counts, 1.0), np.minimum(counts, 1.0)
    gaps = not averaged and procedure.gaps and layout.has_gaps
    return Units(layout, place, sums, counts, equations(layout.values, place) if gaps else None)


def draws(size: int, resamples: int, seed: int, cells: int = CELLS) -> Iterator[np.ndarray]:
    """How often each of `size` units is drawn in each of so many resamples, batch by batch.

    The first resamples of a seed are the same however many there are.
    """
    rng = np.random.default_rng(seed)
    batch = max(cells // size, 1)
    for start in range(0, resamples, batch):
        count = min(batch, resamples - start)
        cell = rng.integers(size, size=(count, size)) + size * np.arange(count)[:, None]
        yield np.bincount(cell.ravel(), minlength=count * size).reshape(count, size)
