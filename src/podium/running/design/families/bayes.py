"""The naive Bayes classifier for mixed attributes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from pandas.api.types import is_numeric_dtype
from scipy.special import softmax

from podium.running.design.families.base import (
    CLASSIFICATION,
    FAMILIES,
    NOT_NEGATIVE,
    SHARE,
    WeightedFamily,
)
from podium.running.design.learners.preprocessing import Preprocessor, moments


@dataclass(frozen=True)
class Densities:
    """Log shares of the classes, normal densities of numbers, log frequencies of levels."""

    log_shares: np.ndarray
    means: np.ndarray
    sds: np.ndarray
    log_frequencies: np.ndarray

    def _scores(self, Z: np.ndarray) -> np.ndarray:
        numbers, levels = Z[:, None, : self.means.shape[1]], Z[:, self.means.shape[1] :]
        logs = -(((numbers - self.means) / self.sds) ** 2) / 2 - np.log(self.sds)
        # what is missing says nothing; a level that was never learned has no column
        return self.log_shares + np.nansum(logs, axis=2) + levels @ self.log_frequencies.T

    def predict(self, Z: np.ndarray) -> np.ndarray:
        """Codes."""
        return self._scores(Z).argmax(axis=1)

    def predict_proba(self, Z: np.ndarray) -> np.ndarray:
        """Posterior probabilities."""
        return softmax(self._scores(Z), axis=1)


@FAMILIES.named("naive-bayes")
class NaiveBayes(WeightedFamily):
    """Normal densities for numbers, relative frequencies for nominal attributes, as R's e1071.

    A level's frequency in a class is (count + laplace) / (rows + laplace * levels); a frequency
    or standard deviation of 0 is replaced by `threshold` (the latter after standardising the
    attribute). A class with a single value of an attribute has the pooled standard deviation.
    Missing numbers are left out of the product; a missing nominal value is a level of its own.
    """

    only = CLASSIFICATION
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "laplace": [NOT_NEGATIVE],
        "threshold": [SHARE],
    }

    def __init__(self, laplace: float = 1.0, threshold: float = 0.001) -> None:
        self.laplace = laplace
        self.threshold = threshold

    def _learn_coding(self, X: Any) -> np.ndarray:
        numbers, nominal = _parts(X)
        self.n_features_in_ = int(np.shape(X)[1])
        largest = np.max(numbers, axis=0, initial=-np.inf, where=~np.isnan(numbers))
        smallest = np.min(numbers, axis=0, initial=np.inf, where=~np.isnan(numbers))
        self.varying_ = largest > smallest
        varying = numbers[:, self.varying_]
        self.mean_, self.sd_ = moments(varying, np.nanmean, np.nanstd)
        self.coding_ = Preprocessor().fit(nominal)
        return self._coded(X)

    def _coded(self, X: Any) -> np.ndarray:
        numbers, nominal = _parts(X)
        scaled = (numbers[:, self.varying_] - self.mean_) / self.sd_
        return np.hstack([scaled, self.coding_.transform(nominal)])

    def _fitted(self, Z: np.ndarray, target: np.ndarray, seed: int) -> Densities:
        belongs = np.eye(len(self.classes_))[target]
        if self._weights is not None:
            belongs *= self._weights[:, None]
        p = len(self.mean_)
        means, sds = self._normals(Z[:, :p], belongs, target)
        return Densities(
            np.log(belongs.mean(axis=0)), means, sds, self._frequencies(Z[:, p:], belongs)
        )

    def _normals(
        self, numbers: np.ndarray, belongs: np.ndarray, target: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Classes x attributes: means, and standard deviations with n - 1."""
        known = ~np.isnan(numbers)
        filled = np.where(known, numbers, 0.0)
        counts = belongs.T @ known
        means = belongs.T @ filled / np.maximum(counts, 1)
        squares = belongs.T @ np.where(known, (filled - means[target]) ** 2, 0.0)
        pooled = squares.sum(axis=0) / np.maximum((counts - 1).clip(0).sum(axis=0), 1)
        variances = np.where(counts > 1, squares / np.maximum(counts - 1, 1), pooled)
        sds = np.sqrt(variances)
        return means, np.where(sds > 1e-12, sds, self.threshold)

    def _frequencies(self, levels: np.ndarray, belongs: np.ndarray) -> np.ndarray:
        """Classes x levels of all nominal attributes: log frequencies."""
        sizes = [len(known) + missing for known, missing in self.coding_.levels_]
        of_attribute = np.repeat(sizes, sizes).astype(int)
        counts = belongs.T @ levels + self.laplace
        shares = counts / (belongs.sum(axis=0)[:, None] + self.laplace * of_attribute)
        return np.log(np.where(shares > 0, shares, self.threshold))


def _parts(X: Any) -> tuple[np.ndarray, pd.DataFrame]:
    """The numbers, and the nominal columns."""
    X = X if isinstance(X, pd.DataFrame) else pd.DataFrame(np.asarray(X, dtype=float))
    numeric = [is_numeric_dtype(dtype) for dtype in X.dtypes]
    return X.loc[:, numeric].to_numpy(dtype=float), X.loc[:, [not n for n in numeric]]
