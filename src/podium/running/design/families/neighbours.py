"""k nearest neighbours, k chosen by cross-validation."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy.spatial.distance import cdist

from podium.running.design.families.base import (
    COUNTS,
    FAMILIES,
    SEVERAL,
    TASK,
    WeightedFamily,
    candidates,
    counted,
    losses,
)

LARGEST = 4_000_000  # numbers held at once: more rows are taken in portions


@dataclass(frozen=True)
class Neighbours:
    """A training set that votes; `targets` has a column per class, or one of numbers."""

    Z: np.ndarray
    targets: np.ndarray
    k: int
    classifies: bool
    weights: np.ndarray | None = None  # of the votes

    def averages(self, Z: np.ndarray, ks: np.ndarray) -> np.ndarray:
        """Rows x ks x columns: means of the targets of the k nearest for several k at once."""
        return np.concatenate([self._averages(part, ks) for part in self._portions(Z)])

    def _portions(self, Z: np.ndarray) -> Iterator[np.ndarray]:
        rows = max(1, LARGEST // (self.targets.size or 1))
        yield from (Z[i : i + rows] for i in range(0, max(len(Z), 1), rows))

    def _averages(self, Z: np.ndarray, ks: np.ndarray) -> np.ndarray:
        distance = cdist(Z, self.Z, "sqeuclidean")
        order = np.argsort(distance, axis=1, kind="stable")
        near = np.take_along_axis(distance, order, axis=1)
        last = _ends_of_ties(near)[:, np.minimum(ks, near.shape[1]) - 1]
        sums = np.cumsum(self._votes[order], axis=1)
        result = np.take_along_axis(sums, last[:, :, None], axis=1)
        if self.weights is None:
            return result / (last + 1)[:, :, None]
        heard = np.take_along_axis(np.cumsum(self.weights[order], axis=1), last, axis=1)
        return result / heard[:, :, None]

    @property
    def _votes(self) -> np.ndarray:
        return self.targets if self.weights is None else self.targets * self.weights[:, None]

    def decided(self, averages: np.ndarray) -> np.ndarray:
        """Codes, or numbers; a tie goes to the class that is more frequent in the sample."""
        if not self.classifies:
            return averages[..., 0]
        return (averages + 1e-9 * self._votes.mean(axis=0)).argmax(axis=-1)

    def predict(self, Z: np.ndarray) -> np.ndarray:
        """What the neighbours say."""
        return self.decided(self.averages(Z, np.array([self.k])))[:, 0]

    def predict_proba(self, Z: np.ndarray) -> np.ndarray:
        """The shares of the classes among the neighbours."""
        return self.averages(Z, np.array([self.k]))[:, 0]


def _ends_of_ties(near: np.ndarray) -> np.ndarray:
    """The last position with the same distance as each, in rows sorted by distance."""
    n = near.shape[1]
    positions = np.broadcast_to(np.arange(n), near.shape)
    farther = np.diff(near, axis=1) > 1e-9 * near[:, 1:] + 1e-12
    ends = np.where(np.column_stack([farther, np.ones(len(near), bool)]), positions, n)
    return np.minimum.accumulate(ends[:, ::-1], axis=1)[:, ::-1]


@FAMILIES.named("knn")
class Knn(WeightedFamily):
    """k nearest neighbours in the Euclidean distance of the coded attributes.

    `k` is chosen by cross-validation between 1 and the root of n (Eugster, Hothorn & Leisch 2008,
    Appendix B.1), the smallest among equals; a number is taken as it is, a list is chosen from.
    Everybody as near as the k-th neighbour votes, as in R's class::knn. k counts rows; weights are
    those of their votes.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "k": [None, COUNTS],
        "folds": [SEVERAL],
        "task": TASK,
        "random_state": ["random_state"],
    }

    def __init__(
        self, k: Any = None, folds: int = 10, task: str | None = None, random_state: Any = None
    ) -> None:
        self.k = k
        self.folds = folds
        self.task = task
        self.random_state = random_state

    def _choose(self, Z: np.ndarray, target: np.ndarray, seed: int) -> dict[str, Any]:
        ks = candidates(self.k, range(1, math.isqrt(len(target)) + 1))
        parts = self._splits(target, seed)
        if len(ks) == 1 or not parts:
            return {"k": ks[0]}
        total = np.zeros(len(ks))
        for train, test in counted(parts):
            sample = self._sample(Z[train], target[train], 1, train)
            text = sample.decided(sample.averages(Z[test], np.array(ks)))
            lost = losses(text, target[test][:, None], classifies=self._classifies)
            total += lost.sum(axis=0) if self._weights is None else self._weights[test] @ lost
        best = int(total.argmin())
        return {"k": ks[best], "cv": float(total[best] / len(target))}

    def _fitted(self, Z: np.ndarray, target: np.ndarray, seed: int) -> Neighbours:
        return self._sample(Z, target, self.chosen_["k"])

    def _sample(
        self, Z: np.ndarray, target: np.ndarray, k: int, rows: np.ndarray | slice = slice(None)
    ) -> Neighbours:
        weights = None if self._weights is None else self._weights[rows]
        if not self._classifies:
            return Neighbours(Z, target[:, None], k, classifies=False, weights=weights)
        votes = np.eye(len(self.classes_))[target]
        return Neighbours(Z, votes, k, classifies=True, weights=weights)
