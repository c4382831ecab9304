"""What a drawn sample is, how it is drawn again where it cannot be used, and who draws what.

Rows 0..n-1 are the learning sample, the rows of a separate test sample follow.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from podium.design.datasets import Dataset
from podium.errors import DesignError
from podium.registry import Registry
from podium.samplings import Sampling

MOST_REDRAWS = 1000
OPTIMISTIC = "tested on rows that were learned from, which is optimistic"


@dataclass(frozen=True)
class Split:
    """Rows to learn from (a row may stand there several times) and rows to test on.

    `weights`, one for each row to learn from, are handed to the algorithm.
    """

    train: np.ndarray
    test: np.ndarray
    weights: np.ndarray | None = None


@dataclass(frozen=True)
class Draw:
    """One sample: a split, or several whose scores are averaged, and what had to be said of it.

    Of the splits of `whole`, the apparent performance is read that some samplings correct by.
    """

    splits: tuple[Split, ...]
    notes: tuple[str, ...] = ()
    whole: tuple[Split, ...] = ()


Drawer = Callable[[Dataset, Sampling, np.random.Generator, int], Draw]
DRAWERS: Registry[Drawer] = Registry("sampling that can be run")


def redrawn(data: Dataset, number: int, draw: Callable[[], Draw]) -> Draw:
    """The first usable sample; samples that cannot be learned from or tested are drawn again."""
    for attempt in range(MOST_REDRAWS):
        drawn = draw()
        why = _unusable(data, drawn)
        if not why:
            times = "1 time" if attempt == 1 else f"{attempt} times"
            again = f"drawn again {times} until usable" if attempt else ""
            return noted(data, drawn, again)
    raise DesignError(
        f"Data set '{data.name}': sample {number} was drawn {MOST_REDRAWS} times and always {why}."
    )


def _unusable(data: Dataset, drawn: Draw) -> str:
    if not drawn.splits:
        return "had no row to test on"
    for split in drawn.splits:
        if len(split.test) == 0:
            return "had no row to test on"
        if data.classes and np.all(data.y[split.train] == data.y[split.train[0]]):
            return "had a single class to learn from"
    return ""


def noted(data: Dataset, drawn: Draw, *remarks: str) -> Draw:
    """The sample with remarks, and with the classes that it lacks."""
    notes = [r for r in remarks if r]
    for part in ("train", "test"):
        gone = {c for s in drawn.splits for c in _absent(data, getattr(s, part))}
        if gone:
            noun = "learning" if part == "train" else "test"
            names = ", ".join(data.classes[c] for c in sorted(gone))
            notes.append(f"the {noun} sample lacks class {names}")
    return replace(drawn, notes=tuple(dict.fromkeys([*drawn.notes, *notes])))


def _absent(data: Dataset, rows: np.ndarray) -> list[int]:
    if not data.classes:
        return []
    counts = np.bincount(data.y[rows], minlength=len(data.classes))
    return [int(c) for c in np.flatnonzero(counts == 0)]


def outside(rows: np.ndarray, n: int) -> np.ndarray:
    """The rows of 0..n-1 that are not among `rows`."""
    seen = np.zeros(n, dtype=bool)
    seen[rows] = True
    return np.flatnonzero(~seen)


def mixed(
    data: Dataset, rows: np.ndarray, rng: np.random.Generator, stratified: bool
) -> np.ndarray:
    """Positions of `rows` in random order; stratified, every stretch of it has all classes' shares.

    The i-th of a class's m rows is put at (i - u)/m, u uniform, of the whole way.
    """
    order = rng.permutation(len(rows))
    if not stratified:
        return order
    y = data.y[rows[order]]
    sizes = np.bincount(y)
    within = np.empty(len(rows))
    by_class = np.argsort(y, kind="stable")
    within[by_class] = np.arange(len(rows)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return np.asarray(order[np.argsort((within + rng.random(len(rows))) / sizes[y])])


def groups_of(data: Dataset) -> np.ndarray:
    """The group of every row of the learning sample."""
    assert data.groups is not None  # Study checks
    return data.groups
