"""Handling of nominal and missing attributes, fitted inside the learning sample."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.pipeline import Pipeline


class Preprocessor(TransformerMixin, BaseEstimator):
    """Numbers standardised after filling gaps by the median; nominal attributes one-hot coded.

    All of it is learned from the learning sample alone: a level or an attribute that it does not
    show gets no column, and a level met later for the first time is coded by zeros. A missing
    nominal value is a level of its own where the learning sample has any.
    """

    def __init__(self, scale: bool = True) -> None:
        self.scale = scale

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn medians, means, standard deviations and levels."""
        numbers, codes, self.n_levels_ = self._parts(X)
        observed = ~np.isnan(numbers)
        kept = observed.any(axis=0)
        self.kept_ = kept
        self.median_ = np.zeros(numbers.shape[1])
        self.median_[kept] = np.nanmedian(numbers[:, kept], axis=0)
        filled = np.where(observed, numbers, self.median_)
        self.mean_ = filled.mean(axis=0) if self.scale else np.zeros(numbers.shape[1])
        spread = filled.std(axis=0) if self.scale else np.ones(numbers.shape[1])
        self.sd_ = np.where(spread > 0, spread, 1.0)
        self.levels_ = [np.unique(codes[:, j]) for j in range(codes.shape[1])]
        self.n_features_in_ = numbers.shape[1] + codes.shape[1]
        return self

    def transform(self, X: Any) -> np.ndarray:
        """A float matrix: the numbers first, then the levels."""
        numbers, codes, _ = self._parts(X)
        filled = np.where(np.isnan(numbers), self.median_, numbers)
        scaled = ((filled - self.mean_) / self.sd_)[:, self.kept_]
        hot = [codes[:, [j]] == levels for j, levels in enumerate(self.levels_)]
        return np.hstack([scaled, *hot]).astype(float)

    def _parts(self, X: Any) -> tuple[np.ndarray, np.ndarray, list[int]]:
        """Numbers and level codes (missing: -1) of an array or a frame."""
        if not isinstance(X, pd.DataFrame):
            X = np.asarray(X, dtype=float)
            return X, np.empty((len(X), 0), np.int64), []
        nominal = [c for c in X.columns if isinstance(X[c].dtype, pd.CategoricalDtype)]
        numbers = X.drop(columns=nominal).to_numpy(dtype=float)
        codes = [X[c].cat.codes.to_numpy(np.int64) for c in nominal]
        stacked = np.column_stack(codes) if codes else np.empty((len(X), 0), np.int64)
        return numbers, stacked, [len(X[c].cat.categories) for c in nominal]


def pipeline(estimator: Any, *, scale: bool = True) -> Pipeline:
    """The estimator behind a `Preprocessor`, so that it takes nominal and missing attributes."""
    return Pipeline([("preprocess", Preprocessor(scale=scale)), ("estimator", estimator)])
