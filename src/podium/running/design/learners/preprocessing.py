"""What estimators take: coded attributes, learned from the training set, and weights of rows."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, Self

import numpy as np
import pandas as pd
from pandas.api.types import is_numeric_dtype
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.pipeline import Pipeline

from podium.core.base.registry import Registry
from podium.running.design.data.identity import fingerprint

# what scikit-learn's pipelines hand on; scikit-survival teaches them more, but without times
HANDED_ON = ("fit", "predict", "predict_proba", "decision_function", "score_samples")
WEIGHT = "sample_weight"
INNER = ("estimator", "regressor", "classifier")  # what scikit-learn's wrappers call what they wrap


Moment = Callable[..., Any]  # numpy's, with and without gaps


class Preprocessor(TransformerMixin, BaseEstimator):
    """Numbers standardised after filling gaps by the median; nominal attributes one-hot coded.

    All of it is learned from the training set alone: a level or an attribute that it does not
    show gets no column, and a level met later for the first time is coded by zeros. A missing
    nominal value is a level of its own where the training set has any.
    """

    def __init__(self, scale: bool = True) -> None:
        self.scale = scale

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn medians, means, standard deviations and levels."""
        self._learn(*_parts(X))
        return self

    def transform(self, X: Any) -> np.ndarray:
        """A float matrix: the numbers first, then the levels."""
        return self._transformed(*_parts(X))

    def fit_transform(self, X: Any, y: Any = None) -> np.ndarray:
        """Both at once: taking a frame apart costs more than the arithmetic."""
        parts = _parts(X)
        self._learn(*parts)
        return self._transformed(*parts)

    def _learn(self, numbers: np.ndarray, nominal: list[pd.Categorical]) -> None:
        observed = ~np.isnan(numbers)
        self.kept_ = observed.any(axis=0)
        self.median_ = np.zeros(numbers.shape[1])
        whole = observed.all(axis=0)
        gaps = self.kept_ & ~whole  # a median that skips gaps is far slower
        self.median_[whole] = np.median(numbers[:, whole], axis=0)
        self.median_[gaps] = np.nanmedian(numbers[:, gaps], axis=0)
        filled = np.where(observed, numbers, self.median_)
        p = numbers.shape[1]
        self.mean_: np.ndarray
        self.mean_, spread = moments(filled) if self.scale else (np.zeros(p), np.ones(p))
        # a constant's computed sd may be a rounding error instead of 0
        constant = filled.max(axis=0) == filled.min(axis=0)
        self.sd_ = np.where(constant, 1.0, spread)
        self.levels_ = [_levels(column) for column in nominal]
        self.n_features_in_ = numbers.shape[1] + len(nominal)

    def _transformed(self, numbers: np.ndarray, nominal: list[pd.Categorical]) -> np.ndarray:
        filled = np.where(np.isnan(numbers), self.median_, numbers)
        scaled = ((filled - self.mean_) / self.sd_)[:, self.kept_]
        hot = [_indicators(c, *levels) for c, levels in zip(nominal, self.levels_, strict=True)]
        return np.hstack([scaled, *hot]).astype(float)

    @property
    def log_volume(self) -> float:
        """The log of the factor by which scaling shrinks volumes: the sum of the log sds."""
        return float(np.log(self.sd_[self.kept_]).sum())


class AsGiven(np.ndarray):
    """Attributes that were coded on purpose: no family standardises them again."""


class Unscaled(Preprocessor):
    """Numbers as they are, gaps filled by the median; nominal attributes one-hot coded.

    What R's formulas make of a data frame, but for a column of each first level.
    """

    def __init__(self) -> None:
        super().__init__(scale=False)

    def transform(self, X: Any) -> np.ndarray:
        """A float matrix that no family standardises."""
        return super().transform(X).view(AsGiven)

    def fit_transform(self, X: Any, y: Any = None) -> np.ndarray:
        """Both at once."""
        return super().fit_transform(X, y).view(AsGiven)


class Codes(TransformerMixin, BaseEstimator):
    """Numbers as they are, gaps filled by the median; levels as 1, 2, ... in their order.

    What R's `data.matrix` makes of a data frame: the attributes of the largest spread outweigh all
    others in a distance, and levels get an order that they do not have.
    """

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn levels and medians."""
        numbers, nominal = _parts(X)
        self.levels_ = [column.categories for column in nominal]
        coded = self._coded(numbers, nominal)
        observed = ~np.isnan(coded).all(axis=0)
        self.median_ = np.zeros(coded.shape[1])
        self.median_[observed] = np.nanmedian(coded[:, observed], axis=0)
        self.n_features_in_ = coded.shape[1]
        return self

    def transform(self, X: Any) -> np.ndarray:
        """A float matrix: the numbers first, then the codes."""
        coded = self._coded(*_parts(X))
        return np.where(np.isnan(coded), self.median_, coded).view(AsGiven)

    def _coded(self, numbers: np.ndarray, nominal: list[pd.Categorical]) -> np.ndarray:
        results = [
            levels.get_indexer(pd.Index(np.asarray(column)))
            for column, levels in zip(nominal, self.levels_, strict=True)
        ]
        codes = [np.where(at < 0, np.nan, at + 1.0)[:, None] for at in results]
        return np.hstack([numbers, *codes])


STANDARD = "standard"  # what `true` stands for
PREPROCESSINGS: Registry[Callable[[], Any]] = Registry("preprocessing")
PREPROCESSINGS.add(STANDARD, Preprocessor)
PREPROCESSINGS.add("unscaled", Unscaled)
PREPROCESSINGS.add("eugster2008", Codes)


def moments(
    columns: np.ndarray, mean: Moment = np.mean, sd: Moment = np.std
) -> tuple[np.ndarray, np.ndarray]:
    """Means and standard deviations, also of numbers whose squares are too large or too small."""
    with np.errstate(over="ignore", invalid="ignore"):
        means, sds = mean(columns, axis=0), sd(columns, axis=0)
    odd = ~np.isfinite(sds) | (sds < 1e-150)
    if odd.any():
        largest = np.nanmax(np.abs(columns[:, odd]), axis=0)
        unit = np.where(largest > 0, largest, 1.0)
        scaled = columns[:, odd] / unit
        means[odd], sds[odd] = mean(scaled, axis=0) * unit, sd(scaled, axis=0) * unit
    return means, sds


def _levels(column: pd.Categorical) -> tuple[pd.Index, bool]:
    """The levels that occur, and whether values are missing."""
    codes = np.unique(column.codes)
    return column.categories[codes[codes >= 0]], bool(codes[0] < 0)


def _indicators(column: pd.Categorical, levels: pd.Index, missing: bool) -> np.ndarray:
    """Which rows have which level, by name: the codes of another frame may mean something else."""
    codes = column.categories.get_indexer(levels)
    codes[codes < 0] = -2  # a level that this frame lacks is not a missing value, which is -1
    return column.codes[:, None] == (np.append(-1, codes) if missing else codes)


def _parts(X: Any) -> tuple[np.ndarray, list[pd.Categorical]]:
    """Numbers and nominal columns of an array or a frame."""
    if not isinstance(X, pd.DataFrame):
        return np.asarray(X, dtype=float), []
    columns = [column.array for _, column in X.items()]
    numbers = [np.asarray(c, dtype=float) for c in columns if is_numeric_dtype(c.dtype)]
    nominal = [pd.Categorical(c) for c in columns if not is_numeric_dtype(c.dtype)]
    return np.column_stack(numbers) if numbers else np.empty((len(X), 0)), nominal


def pipeline(estimator: Any, how: bool | str = True, *, scale: bool = True) -> Pipeline:
    """The estimator behind a `Preprocessor`, or a named one: it takes what estimators do not.

    Those are nominal and missing attributes.
    """
    plain = how in (True, STANDARD)
    first = Preprocessor(scale=scale) if plain else PREPROCESSINGS[str(how)]()
    return Pipeline([("preprocess", first), ("estimator", estimator)])


def has_method(estimator: Any, name: str) -> bool:
    """Whether an estimator, or the last one of a pipeline, has this method."""
    if isinstance(estimator, Pipeline) and name not in HANDED_ON:
        return has_method(estimator.steps[-1][1], name)
    return hasattr(estimator, name)


def method(estimator: Any, name: str) -> Callable[..., Any]:
    """The method of an estimator, which a pipeline hands on even where it does not know it."""
    if not isinstance(estimator, Pipeline) or name in HANDED_ON:
        return getattr(estimator, name)
    inner = method(estimator.steps[-1][1], name)

    @functools.wraps(inner)  # its signature tells what else it wants
    def behind(X: Any, *given: Any) -> Any:
        return inner(taken_apart(estimator, X)[1], *given)

    return behind


def taken_apart(estimator: Pipeline, X: Any) -> tuple[Any, Any]:
    """The last estimator of a pipeline, and the rows as it sees them."""
    rows = estimator[:-1].transform(X) if len(estimator.steps) > 1 else X
    return estimator.steps[-1][1], rows


def log_volume(estimator: Any) -> float:
    """By how much a log density is too large because a `Preprocessor` scaled the attributes.

    With z = (x - mean) / sd, log f(x) = log g(z) - sum of log sd.
    """
    first = estimator.steps[0][1] if isinstance(estimator, Pipeline) else None
    return first.log_volume if isinstance(first, Preprocessor) else 0.0


# -- weights of the rows to learn from -------------------------------------------------------------


def weight_parameter(estimator: Any) -> str:
    """The parameter of `fit` that takes weights, '' where there is none.

    A pipeline hands them to its last step only: what comes before learns without weights. What
    wraps another estimator takes weights where that one does.
    """
    if steps := getattr(estimator, "steps", None):
        name, last = steps[-1]
        inner = weight_parameter(last)
        return inner and f"{name}__{inner}"
    wrapped = [getattr(estimator, name, None) for name in INNER]
    taken = [weight_parameter(w) for w in wrapped if hasattr(w, "fit")]
    if not all(taken):
        return ""
    parameters = _fit_parameters(estimator)
    if WEIGHT in parameters:
        return WEIGHT
    hands_on = any(p.kind is p.VAR_KEYWORD for p in parameters.values())
    return taken[0] if taken and hands_on else ""


def _fit_parameters(estimator: Any) -> dict[str, inspect.Parameter]:
    try:
        return dict(inspect.signature(estimator.fit).parameters)
    except (TypeError, ValueError):  # compiled
        return {}


def weighted(estimator: Any, weights: np.ndarray | None) -> dict[str, np.ndarray]:
    """What `fit` takes beside X and y; nothing where it takes no weights."""
    parameter = "" if weights is None else weight_parameter(estimator)
    return {parameter: weights.copy()} if parameter and weights is not None else {}


def draw_shared_rows(weights: np.ndarray) -> np.ndarray:
    """Row numbers in proportion to weights, the same whenever these weights are given."""
    return in_proportion(weights, int(fingerprint(weights)[:16], 16))


def in_proportion(weights: np.ndarray, seed: int) -> np.ndarray:
    """As many row numbers as there are weights, each row as often as its share of them says.

    The numbers of copies are their expectations rounded up or down (systematic sampling), which
    adds least to the randomness of the weights.
    """
    n = len(weights)
    ends = np.cumsum(weights) * (n / weights.sum())
    steps = np.random.default_rng(seed).uniform() + np.arange(n)
    return np.minimum(np.searchsorted(ends, steps, side="right"), n - 1)
