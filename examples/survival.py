"""Three survival models on a simulated process: risks by concordance, curves by their Brier score.

Run it with `python survival.py [STORE]`; it prints both comparisons and the orders that follow.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Self

import numpy as np
from scipy.optimize import minimize
from sklearn.base import BaseEstimator

import podium
from podium.running.design.data.survival import kaplan_meier, step


def trial(n: int, rng: np.random.Generator, shape: float = 1.5) -> tuple[np.ndarray, np.ndarray]:
    """Weibull times whose hazard depends on two of three attributes; some are censored."""
    X = np.column_stack([rng.integers(2, size=n), rng.normal(size=(n, 2))])
    time = (rng.exponential(size=n) * np.exp(-X[:, 0] - 0.5 * X[:, 1])) ** (1 / shape)
    censored = rng.uniform(0.2, 2.5, size=n)
    return X, np.column_stack([np.minimum(time, censored), time <= censored])


class Strata(BaseEstimator):
    """Kaplan-Meier within the values of one column."""

    def __init__(self, column: int = 0) -> None:
        self.column = column

    def fit(self, X: np.ndarray, y: np.ndarray) -> Self:
        """Estimate a curve for each value."""
        values = np.unique(X[:, self.column])
        self.curves_ = {v: kaplan_meier(y[X[:, self.column] == v]) for v in values}
        return self

    def predict_survival_function(self, X: np.ndarray, times: np.ndarray) -> np.ndarray:
        """P(T > t) for rows x times."""
        return np.array([step(*self.curves_[v], times) for v in X[:, self.column]])

    def predict(self, X: np.ndarray) -> np.ndarray:
        """The risk: one minus the mean of the curve over its own times."""
        means = {v: curve.mean() for v, (_, curve) in self.curves_.items()}
        return np.array([1 - means[v] for v in X[:, self.column]])


class Weibull(BaseEstimator):
    """Proportional hazards exp(x'b + log a + (a - 1) log t), by maximum likelihood."""

    def __init__(self, shape: float | None = None) -> None:
        self.shape = shape  # 1 is the exponential model

    def fit(self, X: np.ndarray, y: np.ndarray) -> Self:
        """Maximise the likelihood of events and censored times."""
        A, log_time = np.column_stack([np.ones(len(X)), X]), np.log(np.maximum(y["time"], 1e-9))

        def loss(b: np.ndarray) -> float:
            a = np.exp(b[0]) if self.shape is None else self.shape
            eta = A @ b[1:]
            hazard = eta + np.log(a) + (a - 1) * log_time
            return float(np.mean(np.exp(eta + a * log_time) - y["event"] * hazard))

        b = minimize(loss, np.zeros(A.shape[1] + 1), method="BFGS").x
        self.shape_ = np.exp(b[0]) if self.shape is None else self.shape
        self.b_ = b[1:]
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        """The log hazard ratio."""
        return np.asarray(self.b_[0] + X @ self.b_[1:])

    def predict_survival_function(self, X: np.ndarray, times: np.ndarray) -> np.ndarray:
        """P(T > t) for rows x times."""
        return np.exp(-np.exp(self.predict(X))[:, None] * times**self.shape_)


class Cox(BaseEstimator):
    """Proportional hazards by the partial likelihood, Breslow's ties and cumulative hazard."""

    def fit(self, X: np.ndarray, y: np.ndarray) -> Self:
        """Newton steps on the partial likelihood (Cox 1972; Breslow 1974)."""
        later = y["time"][None, :] >= y["time"][y["event"]][:, None]  # who is at risk at each event
        self.b_ = np.zeros(X.shape[1])
        for _ in range(8):
            w = later * np.exp(X @ self.b_)
            w /= w.sum(axis=1, keepdims=True)
            mean = w @ X
            score = (X[y["event"]] - mean).sum(axis=0)
            information = np.einsum("ei,ij,ik->jk", w, X, X) - mean.T @ mean
            self.b_ = self.b_ + np.linalg.solve(information, score)
        order = np.argsort(y["time"][y["event"]])
        self.times_ = y["time"][y["event"]][order]
        self.hazard_ = np.cumsum(1 / (later @ np.exp(X @ self.b_))[order])
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        """The log hazard ratio."""
        return np.asarray(X @ self.b_)

    def predict_survival_function(self, X: np.ndarray, times: np.ndarray) -> np.ndarray:
        """P(T > t) for rows x times."""
        baseline = np.append(0.0, self.hazard_)[np.searchsorted(self.times_, times, side="right")]
        return np.exp(-np.exp(self.predict(X))[:, None] * baseline)


def study() -> podium.Study:
    """Fresh learning samples of 100 patients, each tested on 500 others."""
    process = podium.process("trial", trial, task="survival", n=100, n_test=500)
    models: dict[str, Any] = {"strata": Strata(), "exponential": Weibull(1.0), "cox": Cox()}
    measures = ["concordance", "integrated-brier"]
    return podium.Study(process, models, sampling="simulation:30", measures=measures)


if __name__ == "__main__":
    store = Path(sys.argv[1] if len(sys.argv) > 1 else "survival.db")
    results = podium.run(study(), store, quiet=True)
    for measure in ("concordance", "integrated-brier"):
        print(podium.compare(results, measure=measure))
        print(podium.decide(podium.compare(results, measure=measure)))
