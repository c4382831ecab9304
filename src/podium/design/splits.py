"""What a drawn sample is, how it is drawn again where it cannot be used, and who draws what.

Rows 0..n-1 are the learning sample, the rows of a separate test sample follow.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from podium.design.datasets import Dataset
from podium.errors import DesignError
from podium.registry import Registry
from podium.samplings import Sampling

MOST_REDRAWS = 1000
SINGLE_CLASS = "had a single class to learn from"
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


Drawn = TypeVar("Drawn")


def redrawn(data: Dataset, number: int, draw: Callable[[], Draw]) -> Draw:
    """The first usable sample; samples that cannot be learned from or tested are drawn again."""
    what = f"Data set '{data.name}': sample {number}"
    drawn, again = until_usable(what, draw, lambda drawn: _unusable(data, drawn))
    return replace(drawn, notes=(*again, *drawn.notes))


def until_usable(
    what: str, draw: Callable[[], Drawn], why_not: Callable[[Drawn], str]
) -> tuple[Drawn, tuple[str, ...]]:
    """The first draw that can be used, and a note where it was not the first of all."""
    for attempt in range(MOST_REDRAWS):
        drawn = draw()
        why = why_not(drawn)
        if not why:
            times = "1 time" if attempt == 1 else f"{attempt} times"
            return drawn, (f"drawn again {times} until usable",) if attempt else ()
    raise DesignError(f"{what} was drawn {MOST_REDRAWS} times and always {why}.")


def _unusable(data: Dataset, drawn: Draw) -> str:
    if not drawn.splits:
        return "had no row to test on"
    for split in drawn.splits:
        if len(split.test) == 0:
            return "had no row to test on"
        if data.classes and np.all(data.y[split.train] == data.y[split.train[0]]):
            return SINGLE_CLASS
    return ""


def noted(data: Dataset, drawn: Draw) -> Draw:
    """The sample with notes on the classes that it lacks."""
    parts = {
        "learning": [s.train for s in drawn.splits],
        # a single row has a single class, which is not worth a note
        "test": [s.test for s in drawn.splits if len(s.test) > 1],
    }
    absent = {part: _absent(data, rows) for part, rows in parts.items()}
    notes = [f"the {part} sample lacks class {names}" for part, names in absent.items() if names]
    return replace(drawn, notes=(*drawn.notes, *notes))


def _absent(data: Dataset, samples: list[np.ndarray]) -> str:
    """The classes that one of several samples lacks."""
    gone = np.zeros(len(data.classes), dtype=bool)
    for rows in samples if data.classes else []:
        gone |= np.bincount(data.y[rows], minlength=len(gone)) == 0
    return ", ".join(c for c, is_gone in zip(data.classes, gone, strict=True) if is_gone)


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
