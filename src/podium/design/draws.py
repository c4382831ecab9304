"""Drawing the samples that `samplings.py` describes, or taking those that others drew.

A sample depends on the study's seed, the data set's name, the sampling and its own number: not on
the number of samples or what was drawn before, and on the algorithm only where the sampling is
independent.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from podium.design import resamples, series  # noqa: F401  their drawers add themselves
from podium.design.datasets import Dataset
from podium.design.folds import fold_numbers
from podium.design.generators import FittedGenerator, fitted
from podium.design.identity import description, fingerprint, stream
from podium.design.processes import Process
from podium.design.sizes import Size, shortened
from podium.design.splits import DRAWERS, Split, noted
from podium.design.splits import Draw as Draw
from podium.errors import DesignError
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
        self._renamed: dict[str, Dataset | Process] = {}

    def count(self, data: Dataset | Process) -> int:
        """The number of samples of a data set."""
        if self.splits is not None:
            return len(self._given(self._full(data)))
        if self.sampling.name == "loo":
            return data.n
        assert self.sampling.count is not None  # Study completes the sampling
        return self.sampling.count

    def sample(
        self, data: Dataset | Process, number: int, algorithm: str = ""
    ) -> tuple[Dataset, Draw]:
        """Sample `number` (from 1): the data to take rows from, and the rows.

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
        rows_of, draw = self._sample(full, number, own)
        if size is not None:
            parts = ("sizes", full.name, self.sampling.identity, number, *own)
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

    def _sample(
        self, data: Dataset | Process, number: int, own: tuple[str, ...]
    ) -> tuple[Dataset, Draw]:
        if isinstance(data, Process):
            drawn = data.learning_and_test(self.seed, number, *own)
            rows = np.arange(len(drawn.y))
            return drawn, Draw((Split(rows[: data.n], rows[data.n :]),))
        if self.splits is not None:
            return data, self._given(data)[number - 1]
        if self.sampling.name == "parametric-bootstrap":
            rng = self._stream(data, number, own)
            return self._generator(data).sample(data, self.sampling.rows or 1, rng)
        return data, self._drawn(data, number, own)

    def _stream(self, data: Dataset, number: int, own: tuple[str, ...]) -> np.random.Generator:
        which = 0 if self.sampling.kind.counted else number  # those are cut from one draw
        return stream(self.seed, "sample", data.name, self.sampling.identity, which, *own)

    def _drawn(self, data: Dataset, number: int, own: tuple[str, ...]) -> Draw:
        place = self.sampling.repeat_and_fold(number)
        if place is None or self.sampling.name == "loo":
            rng = self._stream(data, number, own)
            return DRAWERS[self.sampling.name](data, self.sampling, rng, number)
        repeat, fold = place
        folds = self._folds(data, repeat)
        rows = np.arange(data.n)
        return Draw((Split(rows[folds != fold - 1], rows[folds == fold - 1]),))

    def _folds(self, data: Dataset, repeat: int) -> np.ndarray:
        key = (data.name, data.fingerprint, repeat)
        if key not in self._remembered:
            rng = stream(self.seed, "folds", data.name, self.sampling.identity, repeat)
            self._remembered = {key: fold_numbers(data, self.sampling, rng)}
        return np.asarray(self._remembered[key])

    def _generator(self, data: Dataset) -> FittedGenerator:
        key = (data.name, data.fingerprint)
        if key not in self._remembered:
            rng = stream(self.seed, "generator", data.name)
            self._remembered = {key: fitted(self.generator, data, rng)}
        found: FittedGenerator = self._remembered[key]
        return found

    def _given(self, data: Dataset | Process) -> list[Draw]:
        if isinstance(data, Process):
            raise DesignError(f"Process '{data.name}' can only be sampled by simulation.")
        key = (data.name, data.fingerprint)
        if key not in self._remembered:
            self._remembered = {key: self.splits(data, self.seed)}
        given: list[Draw] = self._remembered[key]
        return given


# -- samples that others drew ---------------------------------------------------------------------


def given_split(what: str, n: int, train: Any, test: Any, *, apart: bool = True) -> Split:
    """The split that a splitter or a file gives as row numbers or masks; refused where wrong.

    `apart` is for samplings that test no row which they learn from.
    """
    split = Split(_given_rows(what, n, train), _given_rows(what, n, test))
    if not len(split.train) or not len(split.test):
        raise DesignError(f"{what} lacks its train or test rows.")
    both = np.intersect1d(split.train, split.test)
    if len(both) and apart:
        raise DesignError(f"{what} learns from row {both[0]} and tests on it too.")
    return split


def _given_rows(what: str, n: int, given: Any) -> np.ndarray:
    rows = np.asarray(given)
    if rows.dtype == bool:
        rows = np.flatnonzero(rows)
    if rows.size and (rows.ndim != 1 or rows.dtype.kind not in "iu"):
        raise DesignError(f"{what} gives {given!r:.60} for a list of row numbers.")
    beyond = rows[(rows < 0) | (rows >= n)]
    if len(beyond):
        raise DesignError(f"{what} names row {beyond[0]}; rows are numbered from 0 to {n - 1}.")
    return rows.astype(np.int64)


@dataclass(frozen=True)
class SplitterSplits:
    """All splits that a scikit-learn splitter makes of a data set."""

    splitter: Any

    def __call__(self, data: Dataset, seed: int) -> list[Draw]:
        """The splits; a random state that was left open follows from the study's seed."""
        splitter = copy.deepcopy(self.splitter)
        if getattr(splitter, "random_state", 0) is None:
            rng = stream(seed, "splitter", data.name)
            splitter.random_state = int(rng.integers(2**31))
        X = data.X[: data.n] if isinstance(data.X, np.ndarray) else data.X.iloc[: data.n]
        try:
            found = [
                Draw((given_split(f"sample {number}", data.n, train, test),))
                for number, (train, test) in enumerate(
                    splitter.split(X, data.y[: data.n], data.groups), 1
                )
            ]
        except Exception as error:  # a user's splitter may raise anything
            raise DesignError(
                f"Data set '{data.name}' cannot be split by {self.splitter!r}: {error}"
            ) from None
        if not found:
            raise DesignError(f"Data set '{data.name}': {self.splitter!r} makes no splits.")
        return found


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
        return Sampling("cv", folds=splitter.n_splits, detail=detail)
    if isinstance(splitter, (sk.RepeatedKFold, sk.RepeatedStratifiedKFold)):
        folds = splitter.cvargs["n_splits"]
        return Sampling("repeated-cv", splitter.n_repeats, folds, detail=detail)
    if isinstance(splitter, sk.BaseShuffleSplit):
        share = _training_share(splitter)
        samples = None if share is None else splitter.n_splits
        return Sampling("subsampling", samples, share=share, detail=detail)
    return Sampling("splitter", detail=detail)


def _training_share(splitter: Any) -> float | None:
    """None where sizes are given as numbers of rows: the share then depends on the data."""
    train, test = splitter.train_size, splitter.test_size
    if train is None:
        test = splitter._default_test_size if test is None else test
        train = 1 - test if isinstance(test, float) else None
    return train if isinstance(train, float) else None
