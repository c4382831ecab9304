"""Support vector machines with a Gaussian kernel, tuned on a grid."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC, SVR

from podium.running.design.families.base import (
    FAMILIES,
    POSITIVES,
    SEVERAL,
    TASK,
    Split,
    WeightedFamily,
    candidates,
    first_best,
    fitted,
    losses,
)

GAMMAS = tuple(2.0**e for e in range(-10, 6))  # Meyer, Leisch & Hornik (2003)
COSTS = tuple(2.0**e for e in range(-5, 13))
MEMORY = 256 * 2**20  # bytes of kernel matrices that are kept


@dataclass(frozen=True)
class Part:
    """Learning rows of a fold, equal ones once with a weight, and the kernel to its test rows."""

    kernel: np.ndarray
    target: np.ndarray
    weights: np.ndarray
    to_test: np.ndarray


class Kernels:
    """Gaussian kernels among the different rows of a sample: distances once, a matrix per gamma.

    Rows that agree in attributes and target are one row with that weight on its cost: the optimum
    is the same, and a bootstrap sample has at most 63 % of the rows.
    """

    def __init__(self, Z: np.ndarray, target: np.ndarray, weights: np.ndarray | None) -> None:
        table = np.column_stack([Z, target])
        _, first, self.row = np.unique(table, axis=0, return_index=True, return_inverse=True)
        self.target = target[first]
        self.weights = np.ones(len(target)) if weights is None else weights
        self.distances = cdist(Z[first], Z[first], "sqeuclidean")
        self.kept: dict[float, np.ndarray] = {}

    def at(self, gamma: float) -> np.ndarray:
        """The kernel matrix; as many as fit into `MEMORY` are kept."""
        if gamma not in self.kept:
            if len(self.kept) >= max(1, MEMORY // self.distances.nbytes):
                self.kept.pop(next(iter(self.kept)))
            self.kept[gamma] = np.exp(-gamma * self.distances)
        return self.kept[gamma]

    def part(self, gamma: float, split: Split) -> Part:
        """What learning in a fold needs."""
        train, test = split
        weights = np.bincount(self.row[train], self.weights[train], len(self.target))
        here = np.flatnonzero(weights)
        kernel = self.at(gamma)  # rows first: they lie together
        learning, tested = (kernel[rows].take(here, axis=1) for rows in (here, self.row[test]))
        return Part(learning, self.target[here], weights[here], tested)


@dataclass(frozen=True)
class Machine:
    """A fitted machine and what turns its decisions into probabilities."""

    machine: Any
    calibration: Any

    def predict(self, Z: np.ndarray) -> np.ndarray:
        """Codes, or numbers."""
        return self.machine.predict(Z)

    def predict_proba(self, Z: np.ndarray) -> np.ndarray:
        """Probabilities from decisions."""
        return self.calibration.predict_proba(_columns(self.machine.decision_function(Z)))


def _largest_share(machine: Any, part: Part) -> float:
    """The largest coefficient per unit of weight; a cost above it binds no row.

    Such a machine is the optimum of every cost from there on: the box is the only place of the
    cost in the dual problem, which is convex.
    """
    if isinstance(machine, DummyClassifier):
        return 0.0
    weights = part.weights[machine.support_]
    return float((np.abs(machine.dual_coef_) / weights).max(initial=0.0))


def _columns(decisions: np.ndarray) -> np.ndarray:
    return decisions.reshape(len(decisions), -1)


@FAMILIES.named("svm")
class Svm(WeightedFamily):
    """A support vector machine (LIBSVM) with kernel exp(-gamma ||x - z||^2).

    Cost and gamma are chosen by cross-validation on the grid of Meyer, Leisch & Hornik (2003):
    2^-5 ... 2^12 and 2^-10 ... 2^5, in powers of 2; among equals the smallest cost, then the
    smallest gamma. The search is exact, see `first_best`. Probabilities are a logistic regression
    on cross-validated decisions (Platt 2000); they need not agree with `predict`.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "costs": [None, POSITIVES],
        "gammas": [None, POSITIVES],
        "folds": [SEVERAL],
        "task": TASK,
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        costs: Any = None,
        gammas: Any = None,
        folds: int = 10,
        task: str | None = None,
        random_state: Any = None,
    ) -> None:
        self.costs = costs
        self.gammas = gammas
        self.folds = folds
        self.task = task
        self.random_state = random_state

    def _choose(self, Z: np.ndarray, target: np.ndarray, seed: int) -> dict[str, Any]:
        costs, gammas = candidates(self.costs, COSTS), candidates(self.gammas, GAMMAS)
        grid = [(cost, gamma) for cost in costs for gamma in gammas]
        splits = self._splits(target, seed)
        if len(grid) == 1 or not splits:
            return {"cost": grid[0][0], "gamma": grid[0][1]}
        kernels = Kernels(Z, target, self._weights)
        free: dict[
            tuple[float, int], tuple[float, float]
        ] = {}  # a cost that binds no row, its loss

        def loss(point: int, fold: int) -> float:
            (cost, gamma), split = grid[point], splits[fold]
            enough, known = free.get((gamma, fold), (np.inf, np.nan))
            if cost >= enough:
                return known
            part = kernels.part(gamma, split)
            machine = self._machine(part, cost)
            values = machine.predict(part.to_test)
            each = losses(values, target[split[1]], classifies=self._classifies)
            result = float((kernels.weights[split[1]] * each).sum())
            if (largest := _largest_share(machine, part)) < cost:
                free[gamma, fold] = largest, result
            return result

        best, total = first_best(len(grid), len(splits), loss)
        cost, gamma = grid[best]
        return {"cost": cost, "gamma": gamma, "cv": total / len(target)}

    def _fitted(self, Z: np.ndarray, target: np.ndarray, seed: int) -> Any:
        cost, gamma = self.chosen_["cost"], self.chosen_["gamma"]
        made = SVC(C=cost, gamma=gamma) if self._classifies else SVR(C=cost, gamma=gamma)
        w = self._weights
        machine = fitted(made, Z, target, classifies=self._classifies, sample_weight=w)
        if not isinstance(machine, SVC):
            return machine
        decisions, known = self._honest_decisions(Z, target, seed)
        if len(np.unique(target[known])) < len(self.classes_):  # too few rows for honest ones
            decisions, known = _columns(machine.decision_function(Z)), np.ones(len(Z), bool)
        w = w if w is None else w[known]
        return Machine(machine, LogisticRegression().fit(decisions[known], target[known], w))

    def _honest_decisions(
        self, Z: np.ndarray, target: np.ndarray, seed: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Decisions by machines that have not seen the row; which rows have them.

        A machine that has not seen all classes decides in another number of columns.
        """
        kernels, n_classes = Kernels(Z, target, self._weights), len(self.classes_)
        decisions = np.zeros((len(target), n_classes if n_classes > 2 else 1))
        known = np.zeros(len(target), bool)
        for split in self._splits(target, seed):
            part = kernels.part(self.chosen_["gamma"], split)
            if len(np.unique(part.target)) == n_classes:
                machine = self._machine(part, self.chosen_["cost"])
                decisions[split[1]] = _columns(machine.decision_function(part.to_test))
                known[split[1]] = True
        return decisions, known

    def _machine(self, part: Part, cost: float) -> Any:
        kind = SVC if self._classifies else SVR
        made = kind(C=cost, kernel="precomputed")
        return fitted(
            made, part.kernel, part.target, classifies=self._classifies, sample_weight=part.weights
        )
