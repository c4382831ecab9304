"""Layouts: the blocks x algorithms view of results that answers one question.

Larger is better in a layout, whatever the measure. What a block is (`targets.py`) follows from how
the samples were drawn and decides, with the target, which inference is legal (`legality.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import compress

import numpy as np
import pandas as pd

from podium.facts import DETAIL, Note
from podium.measures import Measure
from podium.presentation import Presented
from podium.samplings import Sampling
from podium.targets import BLOCKS

MISSING = ("complete", "worst")


@dataclass(frozen=True, eq=False, repr=False)
class Layout(Presented):
    """Blocks x algorithms; larger is better; a missing cell is NaN."""

    values: np.ndarray
    algorithms: tuple[str, ...]
    block: str
    target: str
    measure: Measure
    sampling: Sampling | None = None
    dataset: str = ""  # the one data set, empty where blocks are data sets
    rows: int | None = None  # that samples are drawn from, where known
    size: float | None = None  # how much of a sample is learned from: rows, or a share below 1
    population: str = ""  # the area of application, in the user's words
    clusters: np.ndarray | None = None  # of items
    of_clusters: bool = False  # blocks are means of clusters of items
    training_sets: np.ndarray | None = None  # of crossed blocks
    items: np.ndarray | None = None  # of crossed blocks
    notes: tuple[Note, ...] = field(default=())
    labels: tuple[str, ...] = ()  # the blocks' names, where they are data sets
    within: np.ndarray | None = None  # the data set, by number, of each nested block
    datasets: tuple[str, ...] = ()  # the names of these

    @property
    def sign(self) -> int:
        """What turns larger-is-better back into the measure's own sign."""
        return self.measure.sign

    @property
    def block_text(self) -> str:
        """What the blocks are, in words."""
        return ("clusters of " if self.of_clusters else "") + BLOCKS[self.block].text

    @property
    def has_gaps(self) -> bool:
        """Whether a cell is missing."""
        return bool(np.isnan(self.values).any())

    @property
    def is_binary(self) -> bool:
        """Whether every score says correct or not."""
        known = self.sign * self.values[~np.isnan(self.values)]
        return bool(np.isin(known, (0.0, 1.0)).all())

    @property
    def is_binary_pair(self) -> bool:
        """Whether two algorithms are correct or not on each item, and items are independent."""
        binary = self.is_binary if len(self.values) else self.measure.unit == "share"
        return len(self.algorithms) == 2 and binary and self.clusters is None

    def lacking(self) -> tuple[tuple[str, int], ...]:
        """The algorithms that lack scores, and how many."""
        counts = np.isnan(self.values).sum(axis=0).tolist()
        return tuple((a, n) for a, n in zip(self.algorithms, counts, strict=True) if n)

    def by_dataset(self) -> np.ndarray:
        """Nested blocks averaged within their data sets; other blocks as they are."""
        if self.within is None:
            return self.values
        return averaged(self.values, self.within, len(self.datasets))

    def means(self) -> dict[str, float]:
        """The mean of every algorithm over the blocks it has, in the measure's own sign.

        Of nested blocks it is the mean over data sets, however many samples each of them has.
        """
        values = self.by_dataset()
        means = averaged(values, np.zeros(len(values), dtype=np.int64), 1)[0]
        return dict(zip(self.algorithms, (self.sign * means + 0.0).tolist(), strict=True))

    def _heading(self) -> str:
        gaps = int(np.isnan(self.values).sum())
        missing = f", {gaps} score{'s' * (gaps > 1)} missing" if gaps else ""
        return (
            f"Layout of {self.measure.name}: {len(self.values)} {self.block_text} x "
            f"{len(self.algorithms)} algorithms, target {self.target}{missing}"
        )

    def _said(self) -> list[str]:
        return [self._heading()]

    def _tables(self) -> Mapping[str, pd.DataFrame]:
        means = self.means()
        return {"Means": pd.DataFrame({"algorithm": list(means), "mean": list(means.values())})}

    def __repr__(self) -> str:
        return f"<{self._heading()}>"

    def only(self, columns: Sequence[int]) -> Layout:
        """The layout of some algorithms, by position."""
        chosen = list(columns)
        names = tuple(self.algorithms[c] for c in chosen)
        return replace(self, values=self.values[:, chosen], algorithms=names)

    def complete(self) -> Layout:
        """Without the blocks in which a cell is missing; says how many these were."""
        whole = ~np.isnan(self.values).any(axis=1)
        if whole.all():
            return self
        note = Note(
            "incomplete-blocks",
            blocks=int((~whole).sum()),
            of=len(whole),
            lacking=self.lacking(),
        )
        return self.only_blocks(whole, note)

    def begun(self) -> Layout:
        """Without the blocks in which no algorithm has a score yet; says how many these were."""
        begun = ~np.isnan(self.values).all(axis=1)
        if begun.all():
            return self
        note = Note("empty-blocks", blocks=int((~begun).sum()), of=len(begun))
        return self.only_blocks(begun, note)

    def only_blocks(self, kept: np.ndarray, note: Note) -> Layout:
        """Some blocks, with a note on the others."""

        def of(each: np.ndarray | None) -> np.ndarray | None:
            return None if each is None else each[kept]

        return replace(
            self,
            values=self.values[kept],
            clusters=of(self.clusters),
            training_sets=of(self.training_sets),
            items=of(self.items),
            within=of(self.within),
            notes=(*self.notes, note),
            labels=tuple(compress(self.labels, kept)),
        )

    def filled(self) -> Layout:
        """With the worst possible value, or else the worst one seen, in every missing cell."""
        gaps = np.isnan(self.values)
        if not gaps.any():
            return self
        bound = self.measure.bounds[0] if self.measure.higher_is_better else self.measure.bounds[1]
        worst = self.sign * bound if np.isfinite(bound) else float(np.nanmin(self.values))
        note = Note(
            "worst-case-values",
            scores=int(gaps.sum()),
            lacking=self.lacking(),
            possible=bool(np.isfinite(bound)),
            value=self.sign * worst,
        )
        values = np.where(gaps, worst, self.values)
        return replace(self, values=values, notes=(*self.notes, note))


def averaged(values: np.ndarray, within: np.ndarray, groups: int) -> np.ndarray:
    """Means within groups over the values that are there; NaN where there are none."""
    here = np.isfinite(values)
    sums, counts = np.zeros((2, groups, values.shape[1]))
    np.add.at(sums, within, np.where(here, values, 0.0))
    np.add.at(counts, within, here)
    return np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)


def clustered(made: Layout) -> Layout:
    """Items averaged within their clusters: clusters, not items, are independent."""
    if made.clusters is None:
        return made
    made = made.complete()  # means over different items are not comparable
    means = pd.DataFrame(made.values).groupby(made.clusters, sort=False).mean().to_numpy()
    note = Note("averaged", DETAIL, items=len(made.values), clusters=len(means))
    notes = (*made.notes, note)
    return replace(made, values=means, clusters=None, of_clusters=True, notes=notes, labels=())
