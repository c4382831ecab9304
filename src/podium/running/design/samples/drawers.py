"""The drawers: one function for every sampling, registered with what drawing it takes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from podium.core import samplings
from podium.core.base.errors import DesignError
from podium.core.samplings import halvings
from podium.running.design.data.datasets import Dataset
from podium.running.design.measuring.corrections import Correction, estimate_632, estimate_632plus
from podium.running.design.samples.drawing import (
    OPTIMISTIC,
    PROCESS,
    Draw,
    Split,
    Wanted,
    draws,
    redrawn,
)

# -- processes ------------------------------------------------------------------------------------


@draws(samplings.SIMULATED, source=PROCESS)
def _simulation(w: Wanted) -> Draw:
    drawn = w.data.learning_and_test(w.seed, w.number, *w.own)
    rows = np.arange(len(drawn.y))
    return Draw((Split(rows[: w.data.n], rows[w.data.n :]),), data=drawn)


# -- bootstraps -----------------------------------------------------------------------------------


def _resampled(w: Wanted) -> np.ndarray:
    """n of n rows with replacement; whole groups, or within classes, where asked for."""
    data, rng = w.data, w.rng
    if w.sampling.grouped:
        members = [np.flatnonzero(data.groups == g) for g in range(data.groups.max() + 1)]
        return np.concatenate([members[g] for g in rng.integers(len(members), size=len(members))])
    if w.sampling.stratified:
        rows = [np.flatnonzero(data.y[: data.n] == c) for c in range(len(data.classes))]
        return np.concatenate([r[rng.integers(len(r), size=len(r))] for r in rows if len(r)])
    return rng.integers(data.n, size=data.n)


@draws(samplings.BOOTSTRAP)
def _bootstrap(w: Wanted) -> Draw:
    def draw() -> Draw:
        rows = _resampled(w)
        return Draw((Split(rows, outside(rows, w.data.n)),))

    return redrawn(w, draw)


@draws(samplings.BOOTSTRAP_2N, test_sample=True)
def _bootstrap_2n(w: Wanted) -> Draw:
    return _bootstrap(replace(w, data=replace(w.data, n_test=0)))


@draws(samplings.COMPETITION, test_sample=True)
def _competition(w: Wanted) -> Draw:
    test = np.arange(w.data.n, len(w.data.y))
    return redrawn(w, lambda: Draw((Split(_resampled(w), test),)))


@draws(samplings.BOOTSTRAP_CV)
def _bootstrap_cv(w: Wanted) -> Draw:
    k, n = w.sampling.folds or 2, w.data.n

    def draw() -> Draw:
        rows = w.rng.integers(n, size=n)
        folds = w.rng.permutation(np.arange(n) % k)
        splits = []
        for fold in range(k):
            train, validation = rows[folds != fold], rows[folds == fold]
            # an observation on both sides is removed from the validation fold
            splits.append(Split(train, validation[~np.isin(validation, train)]))
        usable = tuple(s for s in splits if len(s.test))
        empty = len(splits) - len(usable)
        return Draw(usable, (f"{empty} of {k} validation folds were empty",) if empty else ())

    return redrawn(w, draw)


@draws(samplings.BOOTSTRAP_WHOLE)
def _bootstrap_whole(w: Wanted) -> Draw:
    every = np.arange(w.data.n)
    return redrawn(w, lambda: Draw((Split(_resampled(w), every),), (OPTIMISTIC,)))


@draws(samplings.BOOTSTRAP_632, correction=Correction(estimate_632))
@draws(samplings.BOOTSTRAP_632PLUS, correction=Correction(estimate_632plus, no_information=True))
def _bootstrap_632(w: Wanted) -> Draw:
    return replace(_bootstrap(w), whole=(whole(w.data),))


def whole(data: Dataset) -> Split:
    """The whole training set, learned from and tested on."""
    return Split(np.arange(data.n), np.arange(data.n))


@draws(samplings.BAYESIAN_BOOTSTRAP, weighted=True, own_test=True, unlisted="weights")
def _bayesian_bootstrap(w: Wanted) -> Draw:
    """All rows with weights that sum to n: n times the flat Dirichlet (Rubin 1981)."""
    n = w.data.n
    weights = w.rng.standard_exponential(n)
    weights *= n / weights.sum()
    rows = np.arange(n)
    if w.data.n_test:
        return Draw((Split(rows, np.arange(n, len(w.data.y)), weights),))
    return Draw((Split(rows, rows, weights),), (OPTIMISTIC,))


# -- random splits and training sets --------------------------------------------------------------


@draws(samplings.SUBSAMPLING, samplings.HOLDOUT)
def _subsampling(w: Wanted) -> Draw:
    learn = _learning_rows(w)
    return Draw((Split(np.flatnonzero(learn), np.flatnonzero(~learn)),))


def _learning_rows(w: Wanted) -> np.ndarray:
    """Which rows are learned from, at least one and not all; groups stay together."""
    data, share = w.data, w.sampling.share
    assert share is not None
    learn = np.zeros(data.n, dtype=bool)
    if w.sampling.grouped:
        order = w.rng.permutation(data.groups.max() + 1)
        learn[np.isin(data.groups, order[: _portion(len(order), share)])] = True
        return learn
    order = w.rng.permutation(data.n)
    if not w.sampling.stratified:
        learn[order[: _portion(data.n, share)]] = True
        return learn
    # every class in turn, each giving its share: a step of floor(i·T + 1/2) picks row i
    order = order[np.argsort(data.y[order], kind="stable")]
    steps = np.floor(np.arange(data.n + 1) * share + 0.5)
    learn[order[np.diff(steps) > 0]] = True
    if learn.all() or not learn.any():
        learn[order[0]] ^= True
    return learn


def _portion(n: int, share: float) -> int:
    return min(max(round(n * share), 1), n - 1)


@draws(samplings.SEEDS, fixed_split=True)
def _seeds(w: Wanted) -> Draw:
    """The one split that all training runs share: the data set's own, or one drawn once."""
    data, share = w.data, w.sampling.share
    if share is None:
        return Draw((Split(np.arange(data.n), np.arange(data.n, len(data.y))),))
    order = w.once(lambda rng: rng.permutation(data.n), "sample", *w.place, 0)
    learned = _portion(data.n, share)
    return Draw((Split(np.sort(order[:learned]), np.sort(order[learned:])),))


@draws(samplings.TRAINING_SETS, own_test=True)
def _training_sets(w: Wanted) -> Draw:
    """Set `number` of one division of the rows: all sets are cut from the same order."""
    data, size = w.data, w.sampling.rows or 1
    every, stratified = np.arange(data.n), w.sampling.stratified
    order = w.once(lambda rng: mixed(data, every, rng, stratified), "sample", *w.place, 0)
    last = w.number * size
    left = order[(w.sampling.samples or 0) * size :]
    test = np.arange(data.n, len(data.y)) if data.n_test else np.sort(left)
    return Draw((Split(np.sort(order[last - size : last]), test),))


# -- folds ----------------------------------------------------------------------------------------


@draws(samplings.CV, samplings.REPEATED_CV, samplings.FIVE_BY_TWO)
def _fold(w: Wanted) -> Draw:
    repeat, fold = w.sampling.repeat_and_fold(w.number) or (1, w.number)
    rows, k = np.arange(w.data.n), w.sampling.folds_per_repeat or 2
    folds = w.once(lambda rng: _fold_numbers(w, rows, k, rng), "folds", *w.place, repeat)
    return Draw((Split(rows[folds != fold - 1], rows[folds == fold - 1]),))


@draws(samplings.NESTED_CV)
def _nested_fold(w: Wanted) -> Draw:
    """Outer fold k and inner fold j of a repeat, k by k; where j is k, the outer model's own fold.

    Learned from are the rows of neither, tested on those of j.
    """
    k, n = w.sampling.folds or 2, w.data.n
    repeat, cell = divmod(w.number - 1, k * k)
    outer, inner = divmod(cell, k)
    folds = w.once(lambda rng: rng.permutation(np.arange(n) % k), "folds", *w.place, repeat + 1)
    rows = np.arange(n)
    learned = (folds != outer) & (folds != inner)
    return Draw((Split(rows[learned], rows[folds == inner]),))


def _fold_numbers(w: Wanted, rows: np.ndarray, k: int, rng: np.random.Generator) -> np.ndarray:
    """The fold, from 0, of each of some rows; sizes differ by one at most, or by a group."""
    if w.sampling.grouped:
        _, groups = np.unique(w.data.groups[rows], return_inverse=True)
        if w.sampling.stratified:
            return _stratified_groups(w.data, rows, groups, k, rng)
        return _spread_groups(groups, k, rng)
    return _spread_rows(w, rows, k, rng)


def _spread_rows(w: Wanted, rows: np.ndarray, k: int, rng: np.random.Generator) -> np.ndarray:
    order = rng.permutation(len(rows))
    if w.sampling.stratified:
        order = order[np.argsort(w.data.y[rows[order]], kind="stable")]
    folds = np.empty(len(rows), dtype=np.int64)
    folds[order] = np.arange(len(rows)) % k
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


def _stratified_groups(
    data: Dataset, rows: np.ndarray, groups: np.ndarray, k: int, rng: np.random.Generator
) -> np.ndarray:
    from sklearn.model_selection import StratifiedGroupKFold

    splitter = StratifiedGroupKFold(k, shuffle=True, random_state=int(rng.integers(2**31)))
    folds = np.empty(len(rows), dtype=np.int64)
    try:
        for fold, (_, test) in enumerate(splitter.split(rows, data.y[rows], groups)):
            folds[test] = fold
    except ValueError as error:
        raise DesignError(
            f"Data set '{data.name}' cannot be divided into {k} stratified folds: {error}"
        ) from None
    return folds


def halved(w: Wanted) -> Draw:
    """A fold inside one half of the rows; the other half is no part of it.

    Halvings depend on the seed, the data and their own number, not on the design beside them.
    """
    halving, side, fold = halvings.place(w.number)
    parts = (halvings.OPTION, w.data.name, halvings.identity(w.sampling), halving)
    sides, folds = w.once(lambda rng: _halving(w, rng), *parts)
    half = np.flatnonzero(sides == side - 1)
    inside = folds[half]
    return Draw((Split(half[inside != fold - 1], half[inside == fold - 1]),))


def _halving(w: Wanted, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """The half of every row, and its fold inside that half."""
    every = np.arange(w.data.n)
    if w.sampling.grouped:
        sides = _halved_groups(w.data.groups, rng)
    else:
        sides = _spread_rows(w, every, halvings.SIDES, rng)
    folds = np.empty(w.data.n, dtype=np.int64)
    for side in range(halvings.SIDES):
        half = np.flatnonzero(sides == side)
        folds[half] = _fold_numbers(w, half, halvings.FOLDS, rng)
    return sides, folds


def _halved_groups(groups: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Whole groups in random order, each to the half with fewer rows.

    The largest first would be the same halves again and again.
    """
    sizes = np.bincount(groups)
    side_of_group = np.zeros(len(sizes), dtype=np.int64)
    rows = [0, 0]
    for group in rng.permutation(len(sizes)):
        side_of_group[group] = int(rows[1] < rows[0])
        rows[side_of_group[group]] += int(sizes[group])
    return np.asarray(side_of_group[groups])


@draws(samplings.LOO, per_row=True)
def _loo(w: Wanted) -> Draw:
    rows = np.arange(w.data.n)
    return Draw((Split(rows[rows != w.number - 1], rows[[w.number - 1]]),))


# -- rows in time order, as they stand ------------------------------------------------------------


@draws(samplings.MOVING_BLOCK, in_time=True)
def _moving_block(w: Wanted) -> Draw:
    """Blocks of L consecutive rows, each equally likely, until n rows are there (Künsch 1989).

    The last block is cut to fit. Tested are the rows outside all blocks and further than the gap
    from each; without a gap, their neighbours in time have been learned from.
    """
    n, length = w.data.n, w.sampling.rows or 1

    def draw() -> Draw:
        starts = w.rng.integers(n - length + 1, size=-(-n // length))
        rows = (starts[:, None] + np.arange(length)).ravel()
        return Draw((Split(rows[:n], _far_from(starts, length, w.sampling.gap, n)),))

    return redrawn(w, draw)


def _far_from(starts: np.ndarray, length: int, gap: int, n: int) -> np.ndarray:
    """The rows of 0..n-1 that no block and no gap around a block covers."""
    steps = np.zeros(n + 1, dtype=np.int64)
    np.add.at(steps, np.maximum(starts - gap, 0), 1)
    np.add.at(steps, np.minimum(starts + length + gap, n), -1)
    return np.flatnonzero(np.cumsum(steps[:n]) == 0)


@draws(samplings.ROLLING_ORIGIN, in_time=True)
def _rolling_origin(w: Wanted) -> Draw:
    """All rows before an origin, less a gap, and the next H rows.

    Sample 1 tests the last H rows, sample 2 the H rows before those, and so on: more origins leave
    the samples that there are as they are, and no row is tested twice.
    """
    horizon = w.sampling.rows or 1
    origin = w.data.n - w.number * horizon
    split = Split(np.arange(origin - w.sampling.gap), np.arange(origin, origin + horizon))
    return Draw((split,))


# -- rows -----------------------------------------------------------------------------------------


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
