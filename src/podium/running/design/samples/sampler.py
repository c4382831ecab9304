"""Drawing the samples of a study, at one training size or several, and writing them as row numbers.

A sample depends on the study's seed, the data set's name, the sampling and its own number: not on
the number of samples or what was drawn before, and on the algorithm only where the sampling is
independent. Training size is a factor: data sets that differ in how many rows are learned from. The
rows of a smaller size are among those of a larger one; the rows tested on are the same.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from podium.core import samplings
from podium.core.base.errors import DesignError
from podium.core.base.options import is_whole
from podium.core.base.tables import INDICES
from podium.core.samplings import SPLITTER, Sampling, halvings, parse
from podium.running.design.data.datasets import Dataset
from podium.running.design.data.identity import description, fingerprint, stream
from podium.running.design.data.processes import Process
from podium.running.design.data.sources import read_table
from podium.running.design.samples import generators  # noqa: F401  its drawer adds itself
from podium.running.design.samples.drawers import halved, mixed, whole
from podium.running.design.samples.drawing import (
    DRAWINGS,
    FOREIGN,
    OPTIMISTIC,
    Draw,
    Split,
    Wanted,
    drawing,
    given_split,
    noted,
)


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
        size = self.drawn_as(data.name)
        if size == data.name:
            return data
        if data.name not in self._renamed:
            self._renamed[data.name] = copy.copy(data)  # keeps the fingerprint, once computed
            object.__setattr__(self._renamed[data.name], "name", size)
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


def check_size(s: Sampling, data: Dataset | Process, splits: Any) -> None:
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


# -- halving --------------------------------------------------------------------------------------
# What halvings ask of a data set, and what they must be judged by.


def check_halves(s: Sampling, data: Dataset | Process) -> None:
    """Refuse halvings of what is too small to be halved, or has several sizes."""
    if not s.halves:
        return
    if isinstance(data, SIZED):
        raise DesignError(
            f"The sampling '{s}' has halvings, which learn from 0.4 of the rows: leave out 'sizes' "
            f"or '{halvings.spelled(s.halves)}'."
        )
    assert isinstance(data, Dataset)  # no sampling of processes has halvings
    grouped = s.grouped and data.groups is not None
    units = int(data.groups.max()) + 1 if grouped and data.groups is not None else data.n
    least = halvings.EACH
    if units < least:
        noun = "groups" if s.grouped else "rows"
        raise DesignError(
            f"Halvings with {halvings.FOLDS} folds inside each half need {least} {noun}; "
            f"'{data.name}' has {units}."
        )


def halved_facts(data: Dataset) -> dict[str, Any]:
    """What a reader of halvings must know of the data, all of it of the training set."""
    X, y = data.X[: data.n], data.y[: data.n]
    hashed = pd.util.hash_pandas_object(pd.DataFrame(X), index=False)
    counts = np.bincount(y)[: len(data.classes)] if data.classes else np.empty(0)
    there = counts[counts > 0]
    return {
        "rarest": int(there.min()) if len(there) else None,  # rows of the rarest class
        "attributes": data.p,
        "distinct": int(hashed.nunique()),  # rows, by their attributes
        "grouped": data.groups is not None,
    }


# -- samples as row numbers -----------------------------------------------------------------------
# A table to publish, and what files, splitters and tasks of others hold.
#
# Published indices are the benchmark (hothorn2005, section 6).


def indices_table(
    datasets: tuple[Dataset | Process, ...], sampler: Sampler, sampling: Sampling
) -> pd.DataFrame:
    """One row per data set, sample, split, part (train, test) and row; rows are numbered from 0."""
    _check_rows_suffice(sampling)
    if sampler.sizes:
        raise DesignError(
            "Row numbers are written for one training size: leave 'sizes' out, and give it to the "
            "study that reads them."
        )
    pieces = []
    for data in datasets:
        if isinstance(data, Process):
            raise DesignError(
                f"Process '{data.name}' is simulated: it has no row numbers to export."
            )
        for number in range(1, sampler.count(data) + 1):
            _, draw = sampler.once(data, number)
            pieces += [
                pd.DataFrame(
                    {
                        "sampling": str(sampling),
                        "dataset": data.name,
                        "rows": len(data.y),
                        "sample": number,
                        "split": k,
                        "part": part,
                        "row": rows,
                    }
                )
                for k, split in enumerate(draw.splits, 1)
                for part, rows in (("train", split.train), ("test", split.test))
            ]
    return INDICES.shaped(pd.concat(pieces, ignore_index=True))


def _check_rows_suffice(sampling: Sampling) -> None:
    """Refuse a sampling whose samples are more than rows that all algorithms share."""
    own = "rows of every algorithm's own" if sampling.independent else ""
    why = drawing(sampling).unlisted or own
    if why:
        raise DesignError(
            f"The samples of '{sampling}' are {why}: a table of row numbers cannot hold them. "
            "The study's seed draws them again."
        )


# -- files ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class IndexSplits:
    """The samples that a table of row numbers holds, by data set."""

    table: pd.DataFrame
    origin: str
    sampling: Sampling

    def __call__(self, data: Dataset, seed: int) -> list[Draw]:
        """The samples of one data set, in the order of their numbers."""
        mine = self.table[self.table["dataset"] == data.name]
        if mine.empty:
            raise DesignError(f"'{self.origin}' has no samples of the data set '{data.name}'.")
        sizes = mine["rows"][mine["rows"] != len(data.y)]
        if len(sizes):
            raise DesignError(
                f"'{self.origin}' numbers {sizes.iloc[0]} rows of the data set '{data.name}', "
                f"which has {len(data.y)}: the data are not those the samples were drawn from."
            )
        numbers = set(mine["sample"])
        gone = min(set(range(1, len(numbers) + 1)) - numbers, default=None)
        if gone is not None:  # a run of sample 2 must not be what the file calls sample 3
            raise DesignError(
                f"'{self.origin}' lacks sample {gone} of '{data.name}': samples are numbered from "
                "1 without a break."
            )
        return [self._draw(data, of_sample) for _, of_sample in mine.groupby("sample")]

    def _draw(self, data: Dataset, table: pd.DataFrame) -> Draw:
        what = f"'{self.origin}': sample {table['sample'].iloc[0]} of '{data.name}'"
        splits = []
        for _, split in table.groupby("split"):
            rows = [split.loc[split["part"] == p, "row"].to_numpy() for p in ("train", "test")]
            apart = not self.sampling.optimistic
            splits.append(given_split(what, len(data.y), *rows, apart=apart))
        notes = (OPTIMISTIC,) if self.sampling.optimistic else ()
        extra = (whole(data),) if drawing(self.sampling).correction else ()
        return Draw(tuple(splits), notes, extra)


def read_indices(path: str | Path) -> tuple[Sampling, IndexSplits]:
    """The sampling and the samples that a CSV or Parquet file of indices holds."""
    path = Path(path)
    what = f"The file of indices '{path}'"
    table = INDICES.checked(_table(path), what)
    names = table["sampling"].unique()
    if not len(names):
        raise DesignError(f"{what} holds no samples.")
    if len(names) > 1:
        raise DesignError(f"{what} mixes {len(names)} samplings.")
    if not set(table["part"]) <= {"train", "test"}:
        raise DesignError(f"{what}: part must be train or test.")
    texts = table[["dataset", "part"]].astype("category")  # quicker to digest than texts
    content = fingerprint(texts, table[["sample", "split", "row"]])
    sampling = replace(parse(str(names[0])), detail=f"@{content[:12]}")
    _check_rows_suffice(sampling)
    return sampling, IndexSplits(table, path.name, sampling)


def _table(path: Path) -> pd.DataFrame:
    """The table in a file; the name of a data set is the text that stands there, even '007'."""
    table = read_table(path, "Sampling")
    if "dataset" in table and not path.name.lower().endswith((".parquet", ".pq")):
        column = [list(table).index("dataset")]
        table["dataset"] = pd.read_csv(
            path, usecols=column, dtype=str, keep_default_na=False, skipinitialspace=True
        ).iloc[:, 0]
    return table


# -- scikit-learn's splitters ---------------------------------------------------------------------


@dataclass(frozen=True)
class SplitterSplits:
    """All splits that a scikit-learn splitter makes of a data set."""

    splitter: Any

    def __call__(self, data: Dataset, seed: int) -> list[Draw]:
        """The splits; a random state that was left open follows from the study's seed."""
        splitter = copy.deepcopy(self.splitter)
        if getattr(splitter, "random_state", 0) is None:
            rng = stream(seed, SPLITTER.name, data.name)
            splitter.random_state = int(rng.integers(2**31))
        X = data.X[: data.n] if isinstance(data.X, np.ndarray) else data.X.iloc[: data.n]
        try:
            draws = [
                Draw((given_split(f"sample {number}", data.n, train, test),))
                for number, (train, test) in enumerate(
                    splitter.split(X, data.y[: data.n], data.groups), 1
                )
            ]
        except Exception as error:  # a user's splitter may raise anything
            lacking = data.groups is None and "groups" in str(error)
            raise DesignError(
                f"Data set '{data.name}' cannot be split by {self.splitter!r}: {error}"
                + " Give the group of every row, as in groups=." * lacking
            ) from None
        if not draws:
            raise DesignError(f"Data set '{data.name}': {self.splitter!r} makes no splits.")
        return draws


def splitter_sampling(splitter: Any) -> Sampling:
    """What is known of a splitter: it is a cross-validation, subsampling or something else."""
    from sklearn import model_selection as sk

    if isinstance(splitter, type):
        raise DesignError(
            f"{splitter.__name__} is a class: give a splitter, {splitter.__name__}()."
        )
    state = getattr(splitter, "__dict__", {})
    content = fingerprint(repr(description(state, type(splitter).__name__)))
    detail = f":{type(splitter).__name__}({content[:8]})"
    # TimeSeriesSplit, too, has n_splits, but its folds do not partition the rows
    if isinstance(splitter, (sk.KFold, sk.StratifiedKFold, sk.GroupKFold, sk.StratifiedGroupKFold)):
        return replace(samplings.cv(splitter.n_splits), detail=detail)
    if isinstance(splitter, (sk.RepeatedKFold, sk.RepeatedStratifiedKFold)):
        folds = splitter.cvargs["n_splits"]
        return replace(samplings.repeated_cv(splitter.n_repeats, folds), detail=detail)
    if isinstance(splitter, sk.BaseShuffleSplit):
        known = samplings.subsampling(0.5, splitter.n_splits)
        share = _training_share(splitter)
        samples = None if share is None else splitter.n_splits
        return replace(known, samples=samples, share=share, detail=detail)
    return Sampling(FOREIGN, detail=detail)


def _training_share(splitter: Any) -> float | None:
    """None where sizes are given as numbers of rows: the share then depends on the data."""
    train, test = splitter.train_size, splitter.test_size
    if train is None:
        test = splitter._default_test_size if test is None else test
        train = 1 - test if isinstance(test, float) else None
    return train if isinstance(train, float) else None
