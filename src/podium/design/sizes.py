"""Training size as a factor: data sets that differ in how many rows are learned from.

The rows of a smaller size are among those of a larger one; the rows tested on are the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from podium.design.datasets import Dataset
from podium.design.identity import fingerprint
from podium.design.processes import Process
from podium.design.splits import Draw, Split, mixed
from podium.errors import DesignError
from podium.samplings import Sampling


@dataclass(frozen=True)
class Size:
    """How much is learned from: a number of rows, or a share of those that a sample has."""

    of: str
    rows: int | float

    def __str__(self) -> str:
        return f"{100 * self.rows:.12g}%" if isinstance(self.rows, float) else str(self.rows)

    @property
    def name(self) -> str:
        """The name of the data set of this size."""
        return f"{self.of} [{self}]"

    def among(self, n: int) -> int:
        """The number of rows out of n."""
        return max(round(n * self.rows), 1) if isinstance(self.rows, float) else self.rows


@dataclass(frozen=True, eq=False, repr=False)
class SizedDataset(Dataset):
    """A data set of whose learning samples only some rows are learned from."""

    size: Size = Size("", 1.0)

    @property
    def facts(self) -> dict[str, Any]:
        """What a store keeps about the data set."""
        return super().facts | {"size": self.size.rows, "of": self.size.of}


@dataclass(frozen=True, eq=False, repr=False)
class SizedProcess(Process):
    """A process of whose learning samples only some rows are learned from."""

    size: Size = Size("", 1.0)

    @property
    def facts(self) -> dict[str, Any]:
        """What a store keeps about the process."""
        return super().facts | {"size": self.size.rows, "of": self.size.of}


def sized(data: Dataset | Process, size: Size) -> Dataset | Process:
    """The data set in this size, under the size's name."""
    base, kind = (Process, SizedProcess) if isinstance(data, Process) else (Dataset, SizedDataset)
    content = {f.name: getattr(data, f.name) for f in fields(base)} | {"name": size.name}
    made: Dataset | Process = kind(**content, size=size)
    made.__dict__["fingerprint"] = fingerprint(data.fingerprint, "size", size.rows)
    return made


SIZED = (SizedDataset, SizedProcess)


def in_sizes(datasets: Sequence[Any], sizes: Sequence[int | float]) -> Iterator[Dataset | Process]:
    """Every data set in every size, or as it is where there are no sizes."""
    for data in datasets:
        if not sizes or not isinstance(data, (Dataset, Process)):  # the study refuses what is none
            yield data
        else:
            yield from (sized(data, Size(data.name, s)) for s in sizes)


def checked_sizes(given: Any) -> tuple[int | float, ...]:
    """Sizes in ascending order: all of them numbers of rows, or all of them shares."""
    if not isinstance(given, Sequence) or isinstance(given, str):
        raise DesignError(f"sizes is a list such as [50, 100] or [0.1, 0.5], not {given!r}.")
    for size in given:
        if not _is_rows(size) and not _is_share(size):
            raise DesignError(
                "A size is a number of rows from 2, such as 50, or a share up to 1.0, "
                f"not {size!r}."
            )
    if len({_is_rows(s) for s in given}) > 1:
        raise DesignError(f"sizes are all numbers of rows or all shares, not {list(given)!r}.")
    if len(set(given)) < len(given):
        raise DesignError(f"sizes holds a size twice: {list(given)!r}.")
    return tuple(sorted(given))


def _is_rows(size: Any) -> bool:
    return isinstance(size, int) and not isinstance(size, bool) and size >= 2


def _is_share(size: Any) -> bool:
    return isinstance(size, float) and 0 < size <= 1


def shortened(
    data: Dataset, draw: Draw, size: Size, sampling: Sampling, rng: np.random.Generator
) -> Draw:
    """The sample with fewer rows to learn from: a random part.

    Before an origin these are the latest rows. Of moving blocks they are the last ones drawn (the
    first of them cut to fit): a sample of moving blocks again, from all of the series.
    """
    splits = tuple(_shortened(data, s, size, sampling, rng) for s in draw.splits)
    return replace(draw, splits=splits)


def _shortened(
    data: Dataset, split: Split, size: Size, sampling: Sampling, rng: np.random.Generator
) -> Split:
    n = len(split.train)
    m = size.among(n)
    if m > n:
        raise DesignError(
            f"Data set '{size.name}': this sample of '{size.of}' has only {n} rows to learn from. "
            "Choose smaller sizes, or shares."
        )
    if sampling.kind.in_time:
        order = np.arange(n)[::-1]
    else:
        order = mixed(data, split.train, rng, sampling.stratified and bool(data.classes))
    chosen = np.sort(_with_two_classes(data, split.train[order], order, m))
    weights = None if split.weights is None else split.weights[chosen]
    if weights is not None:
        weights = weights * (m / weights.sum())  # a part of a flat Dirichlet is one again
    return Split(split.train[chosen], split.test, weights)


def _with_two_classes(data: Dataset, rows: np.ndarray, order: np.ndarray, m: int) -> np.ndarray:
    """The first m of the order; where these have one class, the first of another joins them.

    It takes the last one's place, so that smaller sizes stay parts of larger ones.
    """
    if not data.classes or m < 2:
        return order[:m]
    others = np.flatnonzero(data.y[rows] != data.y[rows[0]])
    if not len(others) or others[0] < m:
        return order[:m]
    return np.append(order[: m - 1], order[others[0]])
