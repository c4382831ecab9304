"""Drawing the samples that `samplings.py` describes: row numbers to learn from and to test on.

Rows 0..n-1 are the learning sample, the rows of a separate test sample follow. A sample depends
on the study's seed, the data set's name, the sampling and its own number: not on the algorithm,
the number of samples or what was drawn before.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from podium.design.datasets import Dataset
from podium.design.identity import description, fingerprint, stream
from podium.design.processes import Process
from podium.errors import DesignError
from podium.registry import Registry
from podium.samplings import Sampling

MOST_REDRAWS = 1000


@dataclass(frozen=True)
class Split:
    """Rows to learn from (a row may stand there several times) and rows to test on."""

    train: np.ndarray
    test: np.ndarray


@dataclass(frozen=True)
class Draw:
    """One sample: a split, or several whose scores are averaged, and what had to be said of it."""

    splits: tuple[Split, ...]
    notes: tuple[str, ...] = ()


Drawer = Callable[[Dataset, Sampling, np.random.Generator, int], Draw]
DRAWERS: Registry[Drawer] = Registry("sampling that can be run")


class Sampler:
    """Draws the samples of a study; remembers what several samples share."""

    def __init__(self, sampling: Sampling, seed: int, splits: Any = None) -> None:
        self.sampling, self.seed, self.splits = sampling, seed, splits
        self._remembered: dict[Any, Any] = {}

    def count(self, data: Dataset | Process) -> int:
        """The number of samples of a data set."""
        if self.splits is not None:
            return len(self._given(data))
        if self.sampling.name == "loo":
            return data.n
        assert self.sampling.count is not None  # Study completes the sampling
        return self.sampling.count

    def sample(self, data: Dataset | Process, number: int) -> tuple[Dataset, Draw]:
        """Sample `number` (from 1): the data to take rows from, and the rows."""
        if isinstance(data, Process):
            drawn = data.learning_and_test(self.seed, number)
            rows = np.arange(len(drawn.y))
            return drawn, Draw((Split(rows[: data.n], rows[data.n :]),))
        if self.splits is not None:
            return data, self._given(data)[number - 1]
        return data, self._drawn(data, number)

    def _drawn(self, data: Dataset, number: int) -> Draw:
        place = self.sampling.repeat_and_fold(number)
        if place is None or self.sampling.name == "loo":
            rng = stream(self.seed, "sample", data.name, self.sampling.identity, number)
            return DRAWERS[self.sampling.name](data, self.sampling, rng, number)
        repeat, fold = place
        folds = self._folds(data, repeat)
        rows = np.arange(data.n)
        return Draw((Split(rows[folds != fold - 1], rows[folds == fold - 1]),))

    def _folds(self, data: Dataset, repeat: int) -> np.ndarray:
        key = (data.name, data.fingerprint, repeat)
        if key not in self._remembered:
            self._remembered = {
                key: _fold_numbers(
                    data,
                    self.sampling,
                    stream(self.seed, "folds", data.name, self.sampling.identity, repeat),
                )
            }
        return np.asarray(self._remembered[key])

    def _given(self, data: Dataset | Process) -> list[Draw]:
        if isinstance(data, Process):
            raise DesignError(f"Process '{data.name}' can only be sampled by simulation.")
        key = (data.name, data.fingerprint)
        if key not in self._remembered:
            self._remembered = {key: self.splits(data, self.seed)}
        given: list[Draw] = self._remembered[key]
        return given


# -- bootstrap ----------------------------------------------------------------------------------


def _resampled(data: Dataset, sampling: Sampling, rng: np.random.Generator, n: int) -> np.ndarray:
    """n of n rows with replacement; whole groups, or within classes, where asked for."""
    if sampling.grouped:
        groups = _groups(data)
        members = [np.flatnonzero(groups == g) for g in range(groups.max() + 1)]
        return np.concatenate([members[g] for g in rng.integers(len(members), size=len(members))])
    if sampling.stratified:
        rows = [np.flatnonzero(data.y[:n] == c) for c in range(len(data.classes))]
        return np.concatenate([r[rng.integers(len(r), size=len(r))] for r in rows if len(r)])
    return rng.integers(n, size=n)


def _redrawn(data: Dataset, number: int, draw: Callable[[], Draw]) -> Draw:
    """The first usable sample; samples that cannot be learned from or tested are drawn again."""
    for attempt in range(MOST_REDRAWS):
        drawn = draw()
        why = _unusable(data, drawn)
        if not why:
            times = "1 time" if attempt == 1 else f"{attempt} times"
            again = f"drawn again {times} until usable" if attempt else ""
            return replace(drawn, notes=_notes(data, drawn, again))
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


def _notes(data: Dataset, drawn: Draw, again: str) -> tuple[str, ...]:
    notes = [again] if again else []
    for part in ("train", "test"):
        gone = {c for s in drawn.splits for c in _absent(data, getattr(s, part))}
        if gone:
            noun = "learning" if part == "train" else "test"
            names = ", ".join(data.classes[c] for c in sorted(gone))
            notes.append(f"the {noun} sample lacks class {names}")
    return (*drawn.notes, *notes)


def _absent(data: Dataset, rows: np.ndarray) -> list[int]:
    if not data.classes:
        return []
    counts = np.bincount(data.y[rows], minlength=len(data.classes))
    return [int(c) for c in np.flatnonzero(counts == 0)]


def _outside(rows: np.ndarray, n: int) -> np.ndarray:
    seen = np.zeros(n, dtype=bool)
    seen[rows] = True
    return np.flatnonzero(~seen)


@DRAWERS.named("bootstrap")
def _bootstrap(data: Dataset, sampling: Sampling, rng: np.random.Generator, number: int) -> Draw:
    def draw() -> Draw:
        rows = _resampled(data, sampling, rng, data.n)
        return Draw((Split(rows, _outside(rows, data.n)),))

    return _redrawn(data, number, draw)


@DRAWERS.named("bootstrap-2n")
def _bootstrap_2n(data: Dataset, sampling: Sampling, rng: np.random.Generator, number: int) -> Draw:
    return _bootstrap(replace(data, n_test=0), sampling, rng, number)


@DRAWERS.named("competition")
def _competition(data: Dataset, sampling: Sampling, rng: np.random.Generator, number: int) -> Draw:
    test = np.arange(data.n, data.n + data.n_test)

    def draw() -> Draw:
        return Draw((Split(_resampled(data, sampling, rng, data.n), test),))

    return _redrawn(data, number, draw)


@DRAWERS.named("bootstrap-cv")
def _bootstrap_cv(data: Dataset, sampling: Sampling, rng: np.random.Generator, number: int) -> Draw:
    k = sampling.folds or 2

    def draw() -> Draw:
        rows = rng.integers(data.n, size=data.n)
        folds = rng.permutation(np.arange(data.n) % k)
        splits = []
        for fold in range(k):
            train = rows[folds != fold]
            validation = rows[folds == fold]
            # an observation on both sides is removed from the validation fold
            splits.append(Split(train, validation[~np.isin(validation, train)]))
        usable = tuple(s for s in splits if len(s.test))
        empty = len(splits) - len(usable)
        return Draw(usable, (f"{empty} of {k} validation folds were empty",) if empty else ())

    return _redrawn(data, number, draw)


# -- splits ---------------------------------------------------------------------------------------


@DRAWERS.named("subsampling")
def _subsampling(data: Dataset, sampling: Sampling, rng: np.random.Generator, number: int) -> Draw:
    learn = _learning_rows(data, sampling, rng)
    return Draw((Split(np.flatnonzero(learn), np.flatnonzero(~learn)),))


DRAWERS.add("holdout", _subsampling)


def _learning_rows(data: Dataset, sampling: Sampling, rng: np.random.Generator) -> np.ndarray:
    """Which rows are learned from, at least one and not all; groups stay together."""
    assert sampling.share is not None
    learn = np.zeros(data.n, dtype=bool)
    if sampling.grouped:
        groups = _groups(data)
        order = rng.permutation(groups.max() + 1)
        learn[np.isin(groups, order[: _portion(len(order), sampling.share)])] = True
        return learn
    order = rng.permutation(data.n)
    if not sampling.stratified:
        learn[order[: _portion(data.n, sampling.share)]] = True
        return learn
    # every class in turn, each giving its share: a step of floor(i·T + 1/2) picks row i
    order = order[np.argsort(data.y[order], kind="stable")]
    steps = np.floor(np.arange(data.n + 1) * sampling.share + 0.5)
    learn[order[np.diff(steps) > 0]] = True
    if learn.all() or not learn.any():
        learn[order[0]] ^= True
    return learn


def _portion(n: int, share: float) -> int:
    return min(max(round(n * share), 1), n - 1)


@DRAWERS.named("loo")
def _loo(data: Dataset, sampling: Sampling, rng: np.random.Generator, number: int) -> Draw:
    rows = np.arange(data.n)
    return Draw((Split(rows[rows != number - 1], rows[[number - 1]]),))


# -- folds ----------------------------------------------------------------------------------------


def _fold_numbers(data: Dataset, sampling: Sampling, rng: np.random.Generator) -> np.ndarray:
    """The fold, from 0, of every row of the learning sample; sizes differ by one at most."""
    k = sampling.folds_per_repeat or 2
    if sampling.grouped and sampling.stratified:
        return _stratified_groups(data, k, rng)
    if sampling.grouped:
        return _spread_groups(_groups(data), k, rng)
    order = rng.permutation(data.n)
    if sampling.stratified:
        order = order[np.argsort(data.y[order], kind="stable")]
    folds = np.empty(data.n, dtype=np.int64)
    folds[order] = np.arange(data.n) % k
    return folds


def _spread_groups(groups: np.ndarray, k: int, rng: np.random.Generator) -> np.ndarray:
    """Whole groups to folds: the largest first, always to the fold with the fewest rows."""
    sizes = np.bincount(groups)
    order = rng.permutation(len(sizes))
    order = order[np.argsort(-sizes[order], kind="stable")]
    rows = np.zeros(k)
    fold_of_group = np.empty(len(sizes), dtype=np.int64)
    for group in order:
        fold_of_group[group] = int(rows.argmin())
        rows[fold_of_group[group]] += sizes[group]
    return np.asarray(fold_of_group[groups])


def _stratified_groups(data: Dataset, k: int, rng: np.random.Generator) -> np.ndarray:
    from sklearn.model_selection import StratifiedGroupKFold

    splitter = StratifiedGroupKFold(k, shuffle=True, random_state=int(rng.integers(2**31)))
    folds = np.empty(data.n, dtype=np.int64)
    y = data.y[: data.n]
    try:
        for fold, (_, test) in enumerate(splitter.split(np.empty(data.n), y, _groups(data))):
            folds[test] = fold
    except ValueError as error:
        raise DesignError(
            f"Data set '{data.name}' cannot be divided into {k} stratified folds: {error}"
        ) from None
    return folds


def _groups(data: Dataset) -> np.ndarray:
    assert data.groups is not None  # Study checks
    return data.groups


# -- samples that others drew ---------------------------------------------------------------------


def given_split(what: str, n: int, train: Any, test: Any) -> Split:
    """The split that a splitter or a file gives as row numbers or masks; refused where wrong."""
    split = Split(_given_rows(what, n, train), _given_rows(what, n, test))
    if not len(split.train) or not len(split.test):
        raise DesignError(f"{what} lacks its train or test rows.")
    both = np.intersect1d(split.train, split.test)
    if len(both):
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
