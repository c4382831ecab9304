"""Linear discriminant analysis, with the full or the diagonal covariance matrix."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy.special import softmax
from sklearn.utils._param_validation import StrOptions

from podium.running.design.families.base import (
    CLASSIFICATION,
    COUNTS,
    FAMILIES,
    SEVERAL,
    Family,
    WeightedFamily,
    candidates,
    counted,
)

SMALL = 1e-8  # share of the total variance that is added to the variances within classes
NUMBERS = (5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)  # of variables, for tuning


@dataclass(frozen=True)
class Scores:
    """Linear scores of the classes, the largest wins."""

    slopes: np.ndarray
    intercepts: np.ndarray

    def _scores(self, Z: np.ndarray) -> np.ndarray:
        return Z @ self.slopes + self.intercepts

    def predict(self, Z: np.ndarray) -> np.ndarray:
        """Codes."""
        return self._scores(Z).argmax(axis=1)

    def predict_proba(self, Z: np.ndarray) -> np.ndarray:
        """Posterior probabilities."""
        return softmax(self._scores(Z), axis=1)


@dataclass(frozen=True)
class Moments:
    """Means and shares of the classes, and the deviations from the means."""

    means: np.ndarray
    log_shares: np.ndarray
    within: np.ndarray
    df: int

    @classmethod
    def of(
        cls, Z: np.ndarray, codes: np.ndarray, n_classes: int, weights: np.ndarray | None = None
    ) -> Moments:
        """A class without rows has share 0, so that it never wins; weights have a mean of 1."""
        belongs = np.eye(n_classes)[codes]
        if weights is not None:
            belongs *= weights[:, None]
        counts = belongs.sum(axis=0)
        means = belongs.T @ Z / np.where(counts > 0, counts, 1)[:, None]
        with np.errstate(divide="ignore"):
            log_shares = np.log(counts / counts.sum())
        df = max(len(codes) - int((counts > 0).sum()), 1)
        within = Z - means[codes]
        if weights is not None:
            within = within * np.sqrt(weights)[:, None]
        return cls(means, log_shares, within, df)


@FAMILIES.named("lda")
class Lda(WeightedFamily):
    """Linear discriminant analysis: common covariance matrix, class shares as priors.

    Within-class variances get a ridge of 1e-8 of the mean total variance: it decides nothing
    where the covariance matrix is regular, and where it is not (redundant columns, few rows,
    attributes constant within classes) the directions without variance still separate. Weights are
    those of weighted means, shares and cross-products.
    """

    only = CLASSIFICATION
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {}

    def _fitted(self, Z: np.ndarray, target: np.ndarray, seed: int) -> Scores:
        centre = np.average(Z, axis=0, weights=self._weights)
        moments = Moments.of(Z - centre, target, len(self.classes_), self._weights)
        covariance = moments.within.T @ moments.within / moments.df
        ridge = SMALL * (Z.var(axis=0).mean() or 1.0)
        covariance[np.diag_indices_from(covariance)] += ridge
        slopes = np.linalg.solve(covariance, moments.means.T)
        intercepts = moments.log_shares - np.einsum("cj,jc->c", moments.means, slopes) / 2
        return Scores(slopes, intercepts - centre @ slopes)


@FAMILIES.named("dlda")
class Dlda(Family):
    """Diagonal linear discriminant analysis of the variables with the largest F statistics.

    With two classes F is the square of the t statistic, as in Boulesteix, Hable, Lauer & Eugster
    (2013, Section 5); the method is from Dudoit, Fridlyand & Speed (2002), with class shares as
    priors. `variables` is their number, "all", or a list to choose from by cross-validation, with
    the selection repeated in each fold; by default 5, 10, 20, 50, 100, ... and all of them. The
    columns of a nominal attribute count one by one.
    """

    only = CLASSIFICATION
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "variables": [None, COUNTS, StrOptions({"all"})],
        "folds": [SEVERAL],
        "random_state": ["random_state"],
    }

    def __init__(self, variables: Any = None, folds: int = 10, random_state: Any = None) -> None:
        self.variables = variables
        self.folds = folds
        self.random_state = random_state

    def _choose(self, Z: np.ndarray, target: np.ndarray, seed: int) -> dict[str, Any]:
        p = Z.shape[1]
        given = p if self.variables == "all" else self.variables
        numbers = sorted({min(v, p) for v in candidates(given, (*NUMBERS, p))})
        parts = self._splits(target, seed)
        if len(numbers) == 1 or not parts:
            return {"variables": numbers[-1]}
        wrong = np.zeros(len(numbers))
        for train, test in counted(parts):
            scores = _nested_scores(Z[train], target[train], Z[test], numbers, len(self.classes_))
            wrong += (scores.argmax(axis=2) != target[test][:, None]).sum(axis=0)
        best = int(wrong.argmin())
        return {"variables": numbers[best], "cv": float(wrong[best] / len(target))}

    def _fitted(self, Z: np.ndarray, target: np.ndarray, seed: int) -> Scores:
        moments, variances, order = _ranked(Z, target, len(self.classes_))
        self.selected_ = order[: self.chosen_["variables"]]
        slopes = np.zeros((Z.shape[1], len(self.classes_)))
        slopes[self.selected_] = (moments.means / variances).T[self.selected_]
        intercepts = moments.log_shares - np.einsum("cj,jc->c", moments.means, slopes) / 2
        return Scores(slopes, intercepts)


def _ranked(
    Z: np.ndarray, codes: np.ndarray, n_classes: int
) -> tuple[Moments, np.ndarray, np.ndarray]:
    """Moments, variances within classes, and the variables by falling F statistic."""
    moments = Moments.of(Z, codes, n_classes)
    total = np.where(np.ptp(Z, axis=0) > 0, Z.var(axis=0), 0.0)
    within = (moments.within**2).sum(axis=0) / moments.df + SMALL * total
    between = ((moments.means[codes] - Z.mean(axis=0)) ** 2).sum(axis=0)
    variances = np.where(total > 0, within, 1.0)
    f = np.where(total > 0, between / variances, 0.0)  # up to a factor that all share
    return moments, variances, np.argsort(-f, kind="stable")


def _nested_scores(
    Z: np.ndarray, codes: np.ndarray, T: np.ndarray, numbers: list[int], n_classes: int
) -> np.ndarray:
    """Rows x numbers of variables x classes: the scores for several numbers at once."""
    moments, variances, order = _ranked(Z, codes, n_classes)
    first = order[: max(numbers)]
    away = T[:, first, None] - moments.means.T[first]
    parts = -(away**2) / (2 * variances[first, None])
    return np.cumsum(parts, axis=1)[:, np.array(numbers) - 1] + moments.log_shares
