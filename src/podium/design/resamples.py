"""Drawing from one learning sample: bootstraps, random splits, training sets, leave one out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from podium.design.datasets import Dataset
from podium.design.splits import (
    DRAWERS,
    OPTIMISTIC,
    Draw,
    Split,
    groups_of,
    mixed,
    outside,
    redrawn,
)
from podium.samplings import Sampling


def _resampled(data: Dataset, sampling: Sampling, rng: np.random.Generator, n: int) -> np.ndarray:
    """n of n rows with replacement; whole groups, or within classes, where asked for."""
    if sampling.grouped:
        groups = groups_of(data)
        members = [np.flatnonzero(groups == g) for g in range(groups.max() + 1)]
        return np.concatenate([members[g] for g in rng.integers(len(members), size=len(members))])
    if sampling.stratified:
        rows = [np.flatnonzero(data.y[:n] == c) for c in range(len(data.classes))]
        return np.concatenate([r[rng.integers(len(r), size=len(r))] for r in rows if len(r)])
    return rng.integers(n, size=n)


@DRAWERS.named("bootstrap")
def _bootstrap(data: Dataset, sampling: Sampling, rng: np.random.Generator, number: int) -> Draw:
    def draw() -> Draw:
        rows = _resampled(data, sampling, rng, data.n)
        return Draw((Split(rows, outside(rows, data.n)),))

    return redrawn(data, number, draw)


@DRAWERS.named("bootstrap-2n")
def _bootstrap_2n(data: Dataset, sampling: Sampling, rng: np.random.Generator, number: int) -> Draw:
    return _bootstrap(replace(data, n_test=0), sampling, rng, number)


@DRAWERS.named("competition")
def _competition(data: Dataset, sampling: Sampling, rng: np.random.Generator, number: int) -> Draw:
    test = np.arange(data.n, data.n + data.n_test)

    def draw() -> Draw:
        return Draw((Split(_resampled(data, sampling, rng, data.n), test),))

    return redrawn(data, number, draw)


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

    return redrawn(data, number, draw)


@DRAWERS.named("bootstrap-whole")
def _bootstrap_whole(
    data: Dataset, sampling: Sampling, rng: np.random.Generator, number: int
) -> Draw:
    every = np.arange(data.n)

    def draw() -> Draw:
        return Draw((Split(_resampled(data, sampling, rng, data.n), every),), (OPTIMISTIC,))

    return redrawn(data, number, draw)


@DRAWERS.named("bootstrap-632")
def _bootstrap_632(
    data: Dataset, sampling: Sampling, rng: np.random.Generator, number: int
) -> Draw:
    return replace(_bootstrap(data, sampling, rng, number), whole=(whole(data),))


DRAWERS.add("bootstrap-632plus", _bootstrap_632)


def whole(data: Dataset) -> Split:
    """The whole learning sample, learned from and tested on."""
    return Split(np.arange(data.n), np.arange(data.n))


@DRAWERS.named("bayesian-bootstrap")
def _bayesian_bootstrap(
    data: Dataset, sampling: Sampling, rng: np.random.Generator, number: int
) -> Draw:
    """All rows with weights that sum to n: n times the flat Dirichlet (Rubin 1981)."""
    weights = rng.standard_exponential(data.n)
    weights *= data.n / weights.sum()
    rows = np.arange(data.n)
    if data.n_test:
        return Draw((Split(rows, np.arange(data.n, len(data.y)), weights),))
    return Draw((Split(rows, rows, weights),), (OPTIMISTIC,))


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
        groups = groups_of(data)
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


@DRAWERS.named("training-sets")
def _training_sets(
    data: Dataset, sampling: Sampling, rng: np.random.Generator, number: int
) -> Draw:
    """Set `number` of one division of the rows: all sets are cut from the same order."""
    assert sampling.rows is not None
    order = mixed(data, np.arange(data.n), rng, sampling.stratified)
    last = number * sampling.rows
    left = order[(sampling.samples or 0) * sampling.rows :]
    test = np.arange(data.n, len(data.y)) if data.n_test else np.sort(left)
    return Draw((Split(np.sort(order[last - sampling.rows : last]), test),))
