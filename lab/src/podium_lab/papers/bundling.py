"""Stabilised linear discriminant analysis and bundling, as hothorn2005 uses them, for two classes.

Both follow the papers and stand for those of the R package ipred. Its slda centres by means that
are recycled along the rows and takes singular vectors for eigenvectors: some classes differ. The
number of neighbours in bundling is not said.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, check_X_y, validate_data

from podium.errors import DesignError

NEIGHBOURS = 5
STEPS = 15  # of Newton's method
RIDGE = 1e-3  # of the logistic regression, for classes that can be separated


def scored(x: np.ndarray) -> np.ndarray:
    """Weights of the scores that stabilise: attributes x scores (PC-q; Läuter, Glimm & Kropf 1998).

    Principal components of the correlation matrix with an eigenvalue above 1; at least one.
    """
    spread = x.std(axis=0, ddof=1)
    used = np.flatnonzero(spread > 0)
    if not used.size:
        return np.zeros((x.shape[1], 1))
    z = (x[:, used] - x[:, used].mean(axis=0)) / spread[used]
    sizes, vectors = np.linalg.eigh(z.T @ z / (len(x) - 1))
    weights = np.zeros((x.shape[1], max(int((sizes > 1).sum()), 1)))
    weights[used] = vectors[:, ::-1][:, : weights.shape[1]] / spread[used, None]
    return weights


def ipred_scored(x: np.ndarray) -> np.ndarray:
    """The weights as ipred 0.9 computes them; kept to see how much they matter.

    Its means are recycled along the rows, attributes are not divided by their spread, and right
    singular vectors of the ratio of covariances to variances stand for eigenvectors.
    """
    n, p = x.shape
    recycled = x.mean(axis=0)[(np.arange(n)[:, None] + n * np.arange(p)) % p]
    covariance = np.cov((x - recycled).T).reshape(p, p)
    variance = np.diag(covariance)
    ratio = covariance / np.where(variance > 0, variance, 1.0)[:, None]
    _, sizes, vectors = np.linalg.svd(ratio)
    return np.asarray(vectors[: max(int((sizes > 1).sum()), 1)].T)


@dataclass(frozen=True)
class Plane:
    """A linear rule: class 1 above zero."""

    slopes: np.ndarray
    constant: float

    def heights(self, x: np.ndarray) -> np.ndarray:
        """How far rows are above."""
        values: np.ndarray = x @ self.slopes + self.constant
        return values


def stabilised(
    x: np.ndarray, y: np.ndarray, scores: Callable[[np.ndarray], np.ndarray] = scored
) -> Plane:
    """Linear discriminant analysis of the scores: pooled covariance, shares as priors."""
    weights = scores(x)
    s = x @ weights
    first, second = s[y == 0], s[y == 1]
    a, b = first.mean(axis=0), second.mean(axis=0)
    within = np.concatenate([first - a, second - b])
    slopes = np.linalg.pinv(within.T @ within / max(len(s) - 2, 1)) @ (b - a)
    constant = np.log(len(second) / len(first)) - slopes @ (a + b) / 2
    return Plane(weights @ slopes, float(constant))


def logistic(x: np.ndarray, y: np.ndarray) -> Plane:
    """Logistic regression by Newton's method, with a small ridge on standardised attributes."""
    centre, spread = x.mean(axis=0), x.std(axis=0)
    spread = np.where(spread > 0, spread, 1.0)
    z = np.column_stack([np.ones(len(x)), (x - centre) / spread])
    ridge = RIDGE * len(x) * np.eye(z.shape[1])
    w = np.zeros(z.shape[1])
    for _ in range(STEPS):
        p = 1 / (1 + np.exp(-np.clip(z @ w, -30, 30)))
        step = np.linalg.solve((z.T * (p * (1 - p))) @ z + ridge, z.T @ (y - p) - ridge @ w)
        w += step
        if np.abs(step).max() < 1e-6:
            break
    slopes = w[1:] / spread
    return Plane(slopes, float(w[0] - slopes @ centre))


@dataclass(frozen=True)
class Neighbours:
    """Shares of class 1 among the nearest of known rows, in standardised attributes."""

    rows: np.ndarray
    y: np.ndarray
    spread: np.ndarray

    @classmethod
    def of(cls, x: np.ndarray, y: np.ndarray) -> Neighbours:
        """Known rows."""
        spread = x.std(axis=0)
        spread = np.where(spread > 0, spread, 1.0)
        return cls(x / spread, y, spread)

    @classmethod
    def unscaled(cls, x: np.ndarray, y: np.ndarray) -> Neighbours:
        """Known rows, in attributes as they are: ipred's."""
        return cls(x, y, np.ones(x.shape[1]))

    def heights(self, x: np.ndarray) -> np.ndarray:
        """The shares."""
        squared = (self.rows**2).sum(axis=1) - 2 * (x / self.spread) @ self.rows.T
        k = min(NEIGHBOURS, len(self.y))
        near = np.argpartition(squared, k - 1, axis=1)[:, :k]
        values: np.ndarray = self.y[near].mean(axis=1)
        return values


def _ipred_stabilised(x: np.ndarray, y: np.ndarray) -> Plane:
    return stabilised(x, y, ipred_scored)


HELPERS: dict[str, Callable[[np.ndarray, np.ndarray], Any]] = {
    "slda": stabilised, "ipred slda": _ipred_stabilised, "logistic": logistic,
    "neighbours": Neighbours.of, "unscaled neighbours": Neighbours.unscaled,
}  # fmt: skip


class _TwoClasses(ClassifierMixin, BaseEstimator):
    """What both have in common: codes of two classes."""

    def _learned(self, X: Any, y: Any) -> tuple[np.ndarray, np.ndarray]:
        x, target = check_X_y(X, y, dtype=float)
        self.classes_, codes = np.unique(target, return_inverse=True)
        self.n_features_in_ = x.shape[1]
        if len(self.classes_) != 2:
            raise DesignError(
                f"{type(self).__name__} learns two classes, and here are {len(self.classes_)}: "
                "choose another algorithm, or a sampling that keeps both in every sample."
            )
        return x, codes

    def _asked(self, X: Any) -> np.ndarray:
        check_is_fitted(self, "classes_")
        values: np.ndarray = validate_data(self, X, reset=False, dtype=float)
        return values


class StabilisedLda(_TwoClasses):
    """Linear discriminant analysis of principal components (sLDA; Läuter 1992).

    `form` is "slda" as published, or "ipred slda" as the R package computes it.
    """

    def __init__(self, form: str = "slda") -> None:
        self.form = form

    def fit(self, X: Any, y: Any) -> Self:
        """The rule of a learning sample."""
        self.rule_ = HELPERS[self.form](*self._learned(X, y))
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Classes."""
        x = self._asked(X)
        return self.classes_[(self.rule_.heights(x) > 0).astype(int)]


Member = tuple[list[Any], DecisionTreeClassifier]


class Bundling(_TwoClasses):
    """Bagged trees with further attributes (Hothorn & Lausen 2005).

    In every bootstrap sample sLDA, logistic regression and nearest neighbours (`helpers`) learn
    from the rows that are out of bag; what they say of the rows in the bag are attributes of the
    tree, which is not pruned (`least` rows to split a node, and in a leaf). The trees' shares are
    averaged, or their votes.
    """

    def __init__(
        self,
        n_estimators: int = 250,
        helpers: Sequence[str] = ("slda", "logistic", "neighbours"),
        least: tuple[int, int] = (2, 1),
        votes: bool = False,
        random_state: Any = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.helpers = helpers
        self.least = least
        self.votes = votes
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Grow the trees."""
        x, codes = self._learned(X, y)
        rng = check_random_state(self.random_state)
        self.members_ = [self._member(x, codes, rng) for _ in range(self.n_estimators)]
        return self

    def predict_proba(self, X: Any) -> np.ndarray:
        """Mean shares of the classes, in the order of `classes_`."""
        x = self._asked(X)
        shares = np.array([_share(member, x) for member in self.members_])
        ones = (shares > 0.5 if self.votes else shares).mean(axis=0)
        return np.column_stack([1 - ones, ones])

    def predict(self, X: Any) -> np.ndarray:
        """Classes."""
        return self.classes_[(self.predict_proba(X)[:, 1] > 0.5).astype(int)]

    def _member(self, x: np.ndarray, y: np.ndarray, rng: np.random.RandomState) -> Member:
        drawn, out = _bag(y, rng)
        helpers = [HELPERS[name](x[out], y[out]) for name in self.helpers]
        split, leaf = self.least
        seed = rng.randint(2**31 - 1)
        tree = DecisionTreeClassifier(
            min_samples_split=split, min_samples_leaf=leaf, random_state=seed
        )
        return helpers, tree.fit(_widened(helpers, x[drawn]), y[drawn])


def _bag(y: np.ndarray, rng: np.random.RandomState) -> tuple[np.ndarray, np.ndarray]:
    """Rows in the bag and those out of it; both classes are among the latter, where they can be."""
    for _ in range(100):
        drawn = rng.randint(0, len(y), len(y))
        out = np.setdiff1d(np.arange(len(y)), drawn)
        if len(np.unique(y[out])) == 2 and len(out) > 3:
            return drawn, out
    return drawn, np.arange(len(y))  # a class of one row is never out of bag and in it


def _widened(helpers: list[Any], x: np.ndarray) -> np.ndarray:
    return np.column_stack([x, *(helper.heights(x) for helper in helpers)])


def _share(member: Member, x: np.ndarray) -> np.ndarray:
    helpers, tree = member
    shares: np.ndarray = tree.predict_proba(_widened(helpers, x))
    return shares[:, tree.classes_ == 1].sum(axis=1)
