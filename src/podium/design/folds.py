"""Dividing the learning sample into folds."""

from __future__ import annotations

import numpy as np

from podium.design.datasets import Dataset
from podium.design.splits import groups_of
from podium.errors import DesignError
from podium.samplings import Sampling


def fold_numbers(data: Dataset, sampling: Sampling, rng: np.random.Generator) -> np.ndarray:
    """The fold, from 0, of every row of the learning sample; sizes differ by one at most."""
    k = sampling.folds_per_repeat or 2
    if sampling.grouped and sampling.stratified:
        return _stratified_groups(data, k, rng)
    if sampling.grouped:
        return _spread_groups(groups_of(data), k, rng)
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
        for fold, (_, test) in enumerate(splitter.split(np.empty(data.n), y, groups_of(data))):
            folds[test] = fold
    except ValueError as error:
        raise DesignError(
            f"Data set '{data.name}' cannot be divided into {k} stratified folds: {error}"
        ) from None
    return folds
