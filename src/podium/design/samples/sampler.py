"""Drawing the samples of a study, at one training size or several.

A sample depends on the study's seed, the data set's name, the sampling and its own number: not on
the number of samples or what was drawn before, and on the algorithm only where the sampling is
independent. Training size is a factor: data sets that differ in how many rows are learned from. The
rows of a smaller size are among those of a larger one; the rows tested on are the same.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from podium.base.checks import is_whole
from podium.base.errors import DesignError
from podium.design.data.datasets import Dataset
from podium.design.data.identity import fingerprint, stream
from podium.design.data.processes import Process
from podium.design.samples import generators  # noqa: F401  its drawer adds itself
from podium.design.samples.drawers import halved, mixed
from podium.design.samples.drawing import DRAWINGS, Draw, Split, Wanted, drawing, noted
from podium.samplings import Sampling


class Sampler:
    """Draws the samples of a study; remembers what several samples share.

    `fits` is how often an algorithm is fitted to a sample, `sizes` says of the data sets that
    differ in size only which and how large they are, `generator` is what a parametric bootstrap
    samples from.
    """

    def __init__(
        self,
        sampling: Sampling,
        seed: int,
        splits: Any = None,
        *,
        fits: int = 1,
        sizes: Mapping[str, Size] | None = None,
        generator: Any = None,
    ) -> None:
        self.sampling, self.seed, self.splits = sampling, seed, splits
        self.fits, self.sizes, self.generator = fits, dict(sizes or {}), generator
        self._remembered: dict[Any, Any] = {}
        self._halvings: dict[Any, Any] = {}  # beside the samples that others drew
        self._renamed: dict[str, Dataset | Process] = {}

    def count(self, data: Dataset | Process) -> int:
        """The number of samples of a data set."""
        if self.splits is not None:
            return len(self._given(self._full(data)))
        if drawing(self.sampling).per_row:
            return data.n
        assert self.sampling.count is not None  # Study completes the sampling
        return self.sampling.count

    def sample(
        self, data: Dataset | Process, number: int, algorithm: str = ""
    ) -> tuple[Dataset, Draw]:
        """Sample `number` (from 1; of halvings below 0): the data to take rows from, and the rows.

        Every split stands there once for each fit. `algorithm` matters where every algorithm has
        samples of its own.
        """
        rows_of, draw = self.once(data, number, algorithm)
        return rows_of, replace(draw, splits=draw.splits * self.fits, whole=draw.whole * self.fits)

    def once(
        self, data: Dataset | Process, number: int, algorithm: str = ""
    ) -> tuple[Dataset, Draw]:
        """The same with every split once."""
        own = (algorithm,) if self.sampling.independent else ()
        full, size = self._full(data), self.sizes.get(data.name)
        draw = self._drawn(full, number, own)
        rows_of: Any = full if draw.data is None else draw.data
        if size is not None:
            of_sample = () if drawing(self.sampling).fixed_split else (number, *own)
            parts = ("sizes", full.name, self.sampling.identity, *of_sample)
            draw = shortened(rows_of, draw, size, self.sampling, stream(self.seed, *parts))
        return rows_of, noted(rows_of, draw)

    def drawn_as(self, dataset: str) -> str:
        """The data set that a data set is a smaller size of, or itself."""
        size = self.sizes.get(dataset)
        return dataset if size is None else size.of

    def _full(self, data: Dataset | Process) -> Dataset | Process:
        """The data set under the name that all of its sizes share, so that they share samples."""
        of = self.drawn_as(data.name)
        if of == data.name:
            return data
        if data.name not in self._renamed:
            self._renamed[data.name] = copy.copy(data)  # keeps the fingerprint, once computed
            object.__setattr__(self._renamed[data.name], "name", of)
        return self._renamed[data.name]

    def _drawn(self, data: Dataset | Process, number: int, own: tuple[str, ...]) -> Draw:
        remembered = self._remembered if self.splits is None else self._halvings
        wanted = Wanted(data, self.sampling, number, self.seed, own, self.generator, remembered)
        if number < 0:
            return halved(wanted)
        if self.splits is not None:
            return self._given(data)[number - 1]
        return DRAWINGS[self.sampling.name].draw(wanted)

    def _given(self, data: Dataset | Process) -> list[Draw]:
        if isinstance(data, Process):
            raise DesignError(f"Process '{data.name}' can only be sampled by simulation.")
        key = (data.name, data.fingerprint)
        if key not in self._remembered:
            self._remembered = {key: self.splits(data, self.seed)}
        given: list[Draw] = self._remembered[key]
        return given


# -- training sizes -------------------------------------------------------------------------------


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
    """A data set of whose training sets only some rows are learned from."""

    size: Size = Size("", 1.0)

    @property
    def facts(self) -> dict[str, Any]:
        """What a store keeps about the data set."""
        return super().facts | {"size": self.size.rows, "of": self.size.of}


@dataclass(frozen=True, eq=False, repr=False)
class SizedProcess(Process):
    """A process of whose training sets only some rows are learned from."""

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
        if not is_whole(size, 2) and not _is_share(size):
            raise DesignError(
                "A size is a number of rows from 2, such as 50, or a share up to 1.0, "
                f"not {size!r}."
            )
    if len({is_whole(s, 2) for s in given}) > 1:
        raise DesignError(f"sizes are all numbers of rows or all shares, not {list(given)!r}.")
    if len(set(given)) < len(given):
        raise DesignError(f"sizes holds a size twice: {list(given)!r}.")
    return tuple(sorted(given))


def _is_share(size: Any) -> bool:
    return isinstance(size, float) and 0 < size <= 1


def check_size(s: Sampling, data: Dataset | Process, splits: Any = None) -> None:
    """Refuse a size that is larger than the training sets."""
    if not isinstance(data, SIZED) or splits is not None:
        return  # samples that others drew have the sizes they have: a run says so
    size, most = data.size, int(s.sizes(data.n, data.n_test)[0])
    if size.among(most) > most:
        raise DesignError(
            f"The size {size} is larger than the {most} rows that samples of '{size.of}' learn "
            f"from with '{s}'. Choose a smaller size, or shares such as 0.5."
        )


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
    if drawing(sampling).in_time:
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
