"""Neural networks with one hidden layer, its size chosen by cross-validation."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np
from sklearn.neural_network import MLPClassifier, MLPRegressor

from podium.running.design.families.base import (
    COUNT,
    COUNTS,
    FAMILIES,
    NOT_NEGATIVE,
    SEVERAL,
    TASK,
    Family,
    Model,
    candidates,
    first_best,
    fitted,
    losses,
)


@FAMILIES.named("nnet")
class Nnet(Family):
    """A network with one hidden layer of logistic units, as R's nnet.

    The number of hidden units is chosen by cross-validation between 1 and log(n) (Eugster,
    Hothorn & Leisch 2008, Appendix B.1), the smallest among equals. `iterations` of L-BFGS from a
    random start and `decay`, the penalty on the sum of squared weights, are nnet's defaults.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "hidden": [None, COUNTS],
        "decay": [NOT_NEGATIVE],
        "iterations": [COUNT],
        "folds": [SEVERAL],
        "task": TASK,
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        hidden: Any = None,
        decay: float = 0.0,
        iterations: int = 100,
        folds: int = 10,
        task: str | None = None,
        random_state: Any = None,
    ) -> None:
        self.hidden = hidden
        self.decay = decay
        self.iterations = iterations
        self.folds = folds
        self.task = task
        self.random_state = random_state

    def _choose(self, Z: np.ndarray, target: np.ndarray, seed: int) -> dict[str, Any]:
        sizes = candidates(self.hidden, range(1, max(1, int(math.log(len(target)))) + 1))
        parts = self._splits(target, seed)
        if len(sizes) == 1 or not parts:
            return {"hidden": sizes[0]}
        starts = np.random.default_rng(seed).integers(2**31, size=(len(sizes), len(parts)))

        def loss(i: int, fold: int) -> float:
            train, test = parts[fold]
            net = self._net(Z[train], target[train], sizes[i], int(starts[i, fold]))
            values = net.predict(Z[test])
            return float(losses(values, target[test], classifies=self._classifies).sum())

        best, total = first_best(len(sizes), len(parts), loss)
        return {"hidden": sizes[best], "cv": total / len(target)}

    def _fitted(self, Z: np.ndarray, target: np.ndarray, seed: int) -> Model:
        return self._net(Z, target, self.chosen_["hidden"], seed)

    def _net(self, Z: np.ndarray, target: np.ndarray, hidden: int, seed: int) -> Any:
        kind = MLPClassifier if self._classifies else MLPRegressor
        net = kind(
            hidden_layer_sizes=(int(hidden),),
            activation="logistic",
            solver="lbfgs",
            alpha=2 * self.decay,  # scikit-learn halves the penalty
            max_iter=self.iterations,
            random_state=seed,
        )
        return fitted(net, Z, target, classifies=self._classifies)
