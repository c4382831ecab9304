"""Families without tuning: logistic regression and the two baselines."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import LogisticRegression

from podium.running.design.families.base import (
    CLASSIFICATION,
    FAMILIES,
    POSITIVE,
    REGRESSION,
    Model,
    WeightedFamily,
    fitted,
)


@FAMILIES.named("logistic")
class Logistic(WeightedFamily):
    """Logistic regression, multinomial for more than two classes.

    The penalty on half the sum of squared slopes is small: it keeps them finite where the classes
    can be separated.
    """

    only = CLASSIFICATION
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {"penalty": [POSITIVE]}

    def __init__(self, penalty: float = 1e-4) -> None:
        self.penalty = penalty

    def _fitted(self, Z: np.ndarray, target: np.ndarray, seed: int) -> Model:
        model = LogisticRegression(C=1 / self.penalty, max_iter=1000)
        return fitted(model, Z, target, classifies=True, sample_weight=self._weights)


@FAMILIES.named("majority")
class Majority(WeightedFamily):
    """The most frequent class, whatever the attributes say; the first of equals."""

    only = CLASSIFICATION
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {}

    def _fitted(self, Z: np.ndarray, target: np.ndarray, seed: int) -> Model:
        return DummyClassifier(strategy="prior").fit(Z, target, self._weights)


@FAMILIES.named("mean")
class Mean(WeightedFamily):
    """The mean of the target, whatever the attributes say."""

    only = REGRESSION
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {}

    def _fitted(self, Z: np.ndarray, target: np.ndarray, seed: int) -> Model:
        return DummyRegressor().fit(Z, target, self._weights)
