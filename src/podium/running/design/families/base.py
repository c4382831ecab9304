"""What all families share: the coding of attributes and targets, how they speak, and tuning.

Tuning is the search for the best of several candidates by cross-validation inside the learning
sample.
"""

from __future__ import annotations

import heapq
import time
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from numbers import Integral, Real
from typing import Any, ClassVar, Protocol, Self

import numpy as np
from sklearn import config_context
from sklearn.base import BaseEstimator
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import accuracy_score, r2_score
from sklearn.utils import ClassifierTags, RegressorTags, Tags, check_random_state
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import _check_sample_weight, check_is_fitted
from threadpoolctl import ThreadpoolController

from podium.core.base.registry import Registry
from podium.running.design.learners.preprocessing import AsGiven, Preprocessor, moments

CLASSIFICATION, REGRESSION = "classification", "regression"
Split = tuple[np.ndarray, np.ndarray]  # rows to learn from and to test on, inside the sample
FAMILIES: Registry[type[Family]] = Registry("algorithm family")


class OneOrMany(Interval):
    """Scikit-learn's interval for a value to take, or a list of values to choose from."""

    def is_satisfied_by(self, val: Any) -> bool:
        """Whether there is a value, and all of them lie in the interval."""
        values = val if isinstance(val, (list, tuple, range, np.ndarray)) else [val]
        return len(values) > 0 and all(super(OneOrMany, self).is_satisfied_by(v) for v in values)

    def __str__(self) -> str:
        return f"{super().__str__()}, or a list of such"


# what parameters may be, in scikit-learn's own words: a study checks them before anything runs
COUNT = Interval(Integral, 1, None, closed="left")
COUNTS = OneOrMany(Integral, 1, None, closed="left")
POSITIVES = OneOrMany(Real, 0, None, closed="neither")
SEVERAL = Interval(Integral, 2, None, closed="left")
POSITIVE = Interval(Real, 0, None, closed="neither")
NOT_NEGATIVE = Interval(Real, 0, None, closed="left")
SHARE = Interval(Real, 0, 1, closed="neither")
TASK = [None, StrOptions({CLASSIFICATION, REGRESSION})]


class Model(Protocol):
    """A fitted core: it sees coded attributes, and classes as 0, 1, ..."""

    def predict(self, Z: np.ndarray) -> np.ndarray:
        """The code of the class, or the number, of every row."""


def _may_classify(family: Family) -> bool:
    return family.learns != REGRESSION


class Family(BaseEstimator, ABC):
    """An algorithm that does its own coding and tuning.

    Attributes are coded by `Preprocessor`: numbers standardised with gaps filled by medians,
    nominal attributes as one 0/1 column per level; a regression's target is standardised too.
    Behind a named preprocessing attributes are taken as that gives them.
    Where a family does both tasks, a target of floating-point numbers is a quantity, any other
    one holds classes; `task` says it outright, which scikit-learn's own wrappers may need.
    """

    only: ClassVar[str] = ""  # the task of a family that has just one
    task: str | None = None
    folds: int = 10
    random_state: Any = None

    @property
    def learns(self) -> str:
        """'classification', 'regression', or '' as long as no target has been seen."""
        return getattr(self, "learned_", "") or self.only or self.task or ""

    def fit(self, X: Any, y: Any) -> Self:
        """Tune, then fit to all rows with what was chosen."""
        self._validate_params()
        target = self._learn_target(np.asarray(y))
        Z = self._learn_coding(X)
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        # what the cores see is made here: checking it again in every fold costs a third of the time
        quick = config_context(assume_finite=True, skip_parameter_validation=True)
        with quick, _threads().limit(limits=1):
            start, before = time.perf_counter(), JUDGED.count
            self.chosen_ = self._choose(Z, target, seed)
            self.tuning_fits_ = JUDGED.count - before + 1
            self.tuning_time_ = time.perf_counter() - start
            self.model_ = self._fitted(Z, target, seed)
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Classes as they were in the target, or numbers."""
        check_is_fitted(self, "model_")
        values = self.model_.predict(self._coded(X))
        if self.learned_ == REGRESSION:
            return values * self.spread_ + self.centre_
        return self.classes_[values]

    @available_if(_may_classify)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> np.ndarray:
        """Probabilities in the order of `classes_`."""
        check_is_fitted(self, "model_")
        return self.model_.predict_proba(self._coded(X))  # type: ignore[attr-defined]

    def score(self, X: Any, y: Any) -> float:
        """Accuracy, or R squared."""
        judge = r2_score if self.learned_ == REGRESSION else accuracy_score
        return float(judge(y, self.predict(X)))

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.allow_nan = True
        if self.learns == CLASSIFICATION:
            tags.estimator_type, tags.classifier_tags = "classifier", ClassifierTags()
        elif self.learns == REGRESSION:
            tags.estimator_type, tags.regressor_tags = "regressor", RegressorTags()
        return tags

    # -- what a family says for itself ------------------------------------------------------

    def _choose(self, Z: np.ndarray, target: np.ndarray, seed: int) -> dict[str, Any]:
        """What tuning chose; nothing where there is nothing to tune."""
        return {}

    @abstractmethod
    def _fitted(self, Z: np.ndarray, target: np.ndarray, seed: int) -> Model:
        """The core, fitted to all rows with what was chosen."""

    # -- coding -----------------------------------------------------------------------------

    def _learn_target(self, y: np.ndarray) -> np.ndarray:
        """Codes 0, 1, ... of the classes that occur, or standardised numbers."""
        guess = REGRESSION if y.dtype.kind == "f" else CLASSIFICATION
        self.learned_ = self.only or self.task or guess
        if self.learned_ == CLASSIFICATION:
            self.classes_, codes = np.unique(y, return_inverse=True)
            return codes
        y = y.astype(float)
        self.centre_, self.spread_ = (float(m[0]) for m in moments(y[:, None]))
        if y.max() == y.min():  # the computed sd may be a rounding error
            self.spread_ = 1.0
        return (y - self.centre_) / self.spread_

    def _learn_coding(self, X: Any) -> np.ndarray:
        self.coding_ = Preprocessor(scale=not isinstance(X, AsGiven))
        self.n_features_in_ = int(np.shape(X)[1])
        return _never_empty(self.coding_.fit_transform(X))

    def _coded(self, X: Any) -> np.ndarray:
        return _never_empty(self.coding_.transform(X))

    @property
    def _classifies(self) -> bool:
        return self.learned_ == CLASSIFICATION

    def _splits(self, target: np.ndarray, seed: int) -> list[Split]:
        """The folds inside the training set: the same ones whenever they are asked for."""
        rng = np.random.default_rng(seed)
        return splits(fold_numbers(target, self.folds, rng, stratified=self._classifies))


class WeightedFamily(Family):
    """A family whose `fit` also takes weights of the rows; the coding does not look at them."""

    _weights: np.ndarray | None = None  # while fitting; their mean is 1

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Tune, then fit to all rows with what was chosen."""
        if sample_weight is not None:
            weights = _check_sample_weight(sample_weight, X, ensure_non_negative=True)
            self._weights = weights / weights.mean()
        try:
            return super().fit(X, y)
        finally:
            self.__dict__.pop("_weights", None)


@cache
def _threads() -> ThreadpoolController:
    return ThreadpoolController()


def _never_empty(Z: np.ndarray) -> np.ndarray:
    """A constant where no attribute had a value to learn from: estimators want a column."""
    return Z if Z.shape[1] else np.zeros((len(Z), 1))


def candidates(given: Any, default: Sequence[Any]) -> list[Any]:
    """The values to choose between, small ones first: what was given, one or many, or a default."""
    values = default if given is None else np.ravel(given).tolist()
    return sorted(set(values))


# -- tuning --------------------------------------------------------------------------------------


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
    results = [(np.flatnonzero(numbers != f), np.flatnonzero(numbers == f)) for f in set(numbers)]
    return [(train, test) for train, test in results if len(train)]


class Judged:
    """How many candidates have been judged on a fold in this process, for who counts fits."""

    count = 0


JUDGED = Judged()


def counted(parts: Sequence[Split]) -> Iterator[Split]:
    """Folds on which one fit judges all candidates, as of a path of pruned trees."""
    for part in parts:
        JUDGED.count += 1
        yield part


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
        JUDGED.count += 1
        heapq.heapreplace(heap, (total + loss(i, done), i, done + 1))


def losses(values: np.ndarray, target: np.ndarray, *, classifies: bool) -> np.ndarray:
    """The loss of every prediction: 0 or 1 for classes, the squared error for numbers."""
    return (values != target).astype(float) if classifies else (values - target) ** 2


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
