"""Searching the best of several candidates by cross-validation inside the learning sample."""

from __future__ import annotations

import heapq
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import ConvergenceWarning

Split = tuple[np.ndarray, np.ndarray]


def fold_numbers(
    target: np.ndarray, folds: int, rng: np.random.Generator, *, stratified: bool
) -> np.ndarray:
    """The fold, from 0, of every row; sizes differ by one at most, also within each class.

    With fewer rows than folds, every row is a fold.
    """
    order = rng.permutation(len(target))
    if stratified:
        order = order[np.argsort(target[order], kind="stable")]
    numbers = np.empty(len(target), dtype=np.int64)
    numbers[order] = np.arange(len(target)) % min(folds, len(target))
    return numbers


def splits(numbers: np.ndarray) -> list[Split]:
    """The learning and test rows of every fold; none where there is one row only."""
    found = [(np.flatnonzero(numbers != f), np.flatnonzero(numbers == f)) for f in set(numbers)]
    return [(train, test) for train, test in found if len(train)]


def first_best(n: int, folds: int, loss: Callable[[int, int], float]) -> tuple[int, float]:
    """The candidate with the smallest sum of losses over the folds, the first among equals.

    As `loss(candidate, fold)` is never negative, a candidate's sum so far is a lower bound: the
    one with the lowest bound always goes on, and the first one to finish is the best. The result
    is that of the full search; most candidates never see most folds.
    """
    heap = [(0.0, i, 0) for i in range(n)]  # sorted, hence a heap
    while True:
        total, i, done = heap[0]
        if done == folds:
            return i, total
        heapq.heapreplace(heap, (total + loss(i, done), i, done + 1))


def losses(said: np.ndarray, target: np.ndarray, *, classifies: bool) -> np.ndarray:
    """The loss of every prediction: 0 or 1 for classes, the squared error for numbers."""
    return (said != target).astype(float) if classifies else (said - target) ** 2


def fitted(
    estimator: Any, Z: np.ndarray, target: np.ndarray, *, classifies: bool, **options: Any
) -> Any:
    """The estimator fitted, or a constant where the rows show a single class.

    Stopping at the largest number of iterations is part of an algorithm's definition here.
    """
    if classifies and (target == target[0]).all():
        estimator = DummyClassifier(strategy="most_frequent")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return estimator.fit(Z, target, **options)
