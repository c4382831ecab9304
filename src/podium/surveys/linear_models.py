"""Linear models by characteristics of data sets: their columns, and robust least squares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress

import numpy as np
import pandas as pd
from scipy import stats
from scipy.stats import skew

from podium.base.errors import InferenceError
from podium.base.formatting import listed
from podium.base.registry import unknown

VERY_SKEWED = 1.0  # skewness from which positive numbers are better seen as logarithms
COLLINEAR = 1e-8  # what is left of a standardised column when the others are taken out
INFLATED = 10.0  # variance inflation from which characteristics are hard to tell apart
Logs = str | Sequence[str]
Column = tuple[dict[str, object], np.ndarray]  # how it was made, and its values


@dataclass(frozen=True, eq=False)
class Terms:
    """The columns of a model less the intercept, and how each was made from a characteristic.

    `table` has a row per column: term, characteristic, made (such as `log, standardised`), mean and
    sd (of the number, or of its logarithm; missing for levels) and the inflation of its variance.
    """

    matrix: np.ndarray  # data sets x terms
    table: pd.DataFrame
    logged: tuple[str, ...] = ()  # terms that are logarithms

    @property
    def names(self) -> list[str]:
        """The terms."""
        return [str(name) for name in self.table["term"]]


def terms(characteristics: pd.DataFrame, logs: Logs) -> Terms:
    """Numbers standardised, after the logarithm where asked for; levels as indicators.

    The reference of a nominal characteristic is its most frequent level, the first of ties. With
    `logs="auto"` positive numbers with a skewness above 1 get logarithms.
    """
    _check_logs(characteristics, logs)
    logged = tuple(str(n) for n, values in characteristics.items() if _is_logged(n, values, logs))
    columns, rows = [], []
    for name, values in characteristics.items():
        if _is_number(values):
            made = [_number(str(name), values, logged=str(name) in logged)]
        else:
            made = _levels(str(name), values)
        for row, column in made:
            rows.append({"characteristic": str(name), **row})
            columns.append(column)
    matrix = np.column_stack(columns)
    table = pd.DataFrame(rows)
    _check_collinear(matrix, [str(t) for t in table["term"]])
    return Terms(matrix, table.assign(inflation=inflation(matrix)), logged)


def _is_number(values: pd.Series) -> bool:
    return pd.api.types.is_numeric_dtype(values) and not pd.api.types.is_bool_dtype(values)


def _is_logged(name: object, values: pd.Series, logs: Logs) -> bool:
    """Whether the logarithm of a number is taken: as was said, or where it is very skewed."""
    if not _is_number(values):
        return False
    return _is_skewed(values.to_numpy(float)) if isinstance(logs, str) else str(name) in logs


def _number(name: str, values: pd.Series, *, logged: bool) -> Column:
    x = values.to_numpy(float)
    if not np.isfinite(x).all():
        raise InferenceError(f"The characteristic '{name}' has an infinite value.")
    if logged and x.min() <= 0:
        raise InferenceError(
            f"The characteristic '{name}' has the value {x.min():g}, which has no logarithm; leave "
            "it out of logs."
        )
    x = np.log(x) if logged else x
    mean, sd = float(x.mean()), float(x.std(ddof=1))
    if sd <= 1e-12 * np.abs(x).max():
        raise InferenceError(_constant(name, len(x)))
    made = "log, standardised" if logged else "standardised"
    return {"term": name, "made": made, "mean": mean, "sd": sd}, (x - mean) / sd


def _is_skewed(x: np.ndarray) -> bool:
    return bool(np.isfinite(x).all() and x.min() > 0 and np.ptp(x) > 0 and skew(x) > VERY_SKEWED)


def _levels(name: str, values: pd.Series) -> list[Column]:
    texts = values.map(str)
    counts = texts.value_counts(sort=False)
    reference = counts.idxmax()
    if len(counts) < 2:
        raise InferenceError(_constant(name, len(texts)))
    single = counts.index[counts == 1]
    if len(single):
        raise InferenceError(
            f"The level '{single[0]}' of the characteristic '{name}' has one data set only, from "
            "which nothing follows about others; join levels or leave that data set out."
        )
    return [
        (
            {"term": f"{name} = {level}", "made": f"against '{reference}'"}
            | dict.fromkeys(("mean", "sd"), np.nan),
            (texts == level).to_numpy(float),
        )
        for level in counts.index
        if level != reference
    ]


def _constant(name: str, count: int) -> str:
    return f"The characteristic '{name}' is the same for all {count} data sets; leave it out."


def _check_logs(characteristics: pd.DataFrame, logs: Logs) -> None:
    if isinstance(logs, str):
        if logs != "auto":
            raise InferenceError(f"logs is 'auto' or a list of characteristics, not '{logs}'.")
        return
    numbers = [str(n) for n, values in characteristics.items() if _is_number(values)]
    for name in logs:
        if name not in numbers:
            raise InferenceError(unknown("characteristic that is a number", name, numbers))


def _check_collinear(matrix: np.ndarray, names: Sequence[str]) -> None:
    """Refuse a column that follows from others, and name all of them."""
    x = _standardised(matrix)
    for j in range(1, x.shape[1]):
        weights, left = _explained(x[:, j], x[:, :j])
        if left > COLLINEAR:
            continue
        others = list(compress(names, np.abs(weights) > 1e-6))
        raise InferenceError(
            f"The characteristic '{names[j]}' follows from {listed(others)} on these data sets, "
            "so their effects cannot be separated; leave one of them out."
        )


def inflation(matrix: np.ndarray) -> np.ndarray:
    """How many times larger the variance of each effect is than without the other columns."""
    x = _standardised(matrix)
    left = [
        _explained(x[:, j], np.delete(x, j, axis=1))[1] if x.shape[1] > 1 else 1.0
        for j in range(x.shape[1])
    ]
    return 1 / np.array(left)


def _standardised(matrix: np.ndarray) -> np.ndarray:
    return np.asarray((matrix - matrix.mean(axis=0)) / matrix.std(axis=0))


def _explained(y: np.ndarray, x: np.ndarray) -> tuple[np.ndarray, float]:
    """The least squares weights of standardised columns, and the share of y that they leave."""
    weights = np.linalg.lstsq(x, y, rcond=None)[0]
    return weights, float(((y - x @ weights) ** 2).sum() / (y**2).sum())


# -- least squares with standard errors for unequal variances; arrays in, arrays out --------

ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class Fit:
    """Linear models of many variables on the same columns, the first of which is 1.

    `covariances` are HC3's (MacKinnon and White 1985). `cook` is Cook's distance (1977) of every
    row, `outside` its studentised residual from the model without it.
    """

    coefficients: np.ndarray  # terms x variables
    errors: np.ndarray  # standard errors, terms x variables
    df: int
    leverage: np.ndarray
    cook: np.ndarray  # rows x variables
    outside: np.ndarray  # rows x variables
    r2: np.ndarray
    sigma: np.ndarray  # residual standard deviation

    @property
    def statistic(self) -> np.ndarray:
        """Coefficients over their standard errors; NaN where there is nothing to judge by."""
        safe = np.where(self.errors > 0, self.errors, 1.0)
        return np.where(self.errors > 0, self.coefficients / safe, np.nan)

    @property
    def p(self) -> np.ndarray:
        """Two-sided p-values of a t with the residual degrees of freedom."""
        return np.asarray(2 * stats.t.sf(np.abs(self.statistic), self.df))

    @property
    def influential(self) -> float:
        """Cook's distance from which a row moves all estimates to the 50 % region's edge."""
        terms = len(self.coefficients)
        return float(stats.f.ppf(0.5, terms, self.df))


def leverages(X: np.ndarray) -> np.ndarray:
    """The diagonal of X (X'X)⁻¹ X'."""
    return np.asarray((np.linalg.qr(X)[0] ** 2).sum(axis=1))


def fit(X: np.ndarray, Y: np.ndarray) -> Fit:
    """The least squares fits of the columns of Y; no leverage may be 1.

    HC3 = (X'X)⁻¹ X' diag(e²/(1-h)²) X (X'X)⁻¹.
    """
    n, p = X.shape
    hat = np.linalg.pinv(X)
    coefficients = hat @ Y
    size = np.abs(Y).max(axis=0)
    residuals = Y - X @ coefficients
    residuals = np.where(np.abs(residuals) <= ROUNDING * size, 0.0, residuals)
    h = leverages(X)[:, None]
    squares = (residuals**2).sum(axis=0)
    sigma2 = squares / (n - p)
    total = ((Y - Y.mean(axis=0)) ** 2).sum(axis=0)
    spread = total > (ROUNDING * size) ** 2 * n
    return Fit(
        coefficients,
        np.sqrt(hat**2 @ (residuals / (1 - h)) ** 2),
        n - p,
        h[:, 0],
        _over(residuals**2 * h / (1 - h) ** 2, p * sigma2),
        _outside(residuals, h, squares, n - p),
        np.where(spread, 1 - squares / np.where(spread, total, 1.0), np.nan),
        np.sqrt(sigma2),
    )


def _outside(residuals: np.ndarray, h: np.ndarray, squares: np.ndarray, df: int) -> np.ndarray:
    """Residuals from the model without the row, in units of that model's error."""
    without = (squares - residuals**2 / (1 - h)) / max(df - 1, 1)
    return _over(residuals, np.sqrt(np.maximum(without, 0.0) * (1 - h)))


def _over(value: np.ndarray, unit: np.ndarray) -> np.ndarray:
    return np.where(unit > 0, value / np.where(unit > 0, unit, 1.0), 0.0)
