"""Terms: characteristics of data sets as the columns of a linear model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress

import numpy as np
import pandas as pd
from scipy.stats import skew

from podium.errors import InferenceError
from podium.formatting import listed
from podium.registry import unknown

VERY_SKEWED = 1.0  # skewness from which positive numbers are better seen as logarithms
COLLINEAR = 1e-8  # what is left of a standardised column when the others are taken out
INFLATED = 10.0  # variance inflation from which characteristics are hard to tell apart
Logs = str | Sequence[str]


@dataclass(frozen=True, eq=False)
class Terms:
    """The columns of a model less the intercept, and how each was made from a characteristic.

    `table` has a row per column: term, characteristic, made (such as `log, standardised`), mean and
    sd (of the number, or of its logarithm; missing for levels) and the inflation of its variance.
    """

    matrix: np.ndarray  # data sets x terms
    table: pd.DataFrame

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
    columns, rows = [], []
    for name, values in characteristics.items():
        made = _number if _is_number(values) else _levels
        for row, column in made(str(name), values, logs):
            rows.append({"characteristic": str(name), **row})
            columns.append(column)
    matrix = np.column_stack(columns)
    table = pd.DataFrame(rows)
    _check_collinear(matrix, [str(t) for t in table["term"]])
    return Terms(matrix, table.assign(inflation=inflation(matrix)))


def _is_number(values: pd.Series) -> bool:
    return pd.api.types.is_numeric_dtype(values) and not pd.api.types.is_bool_dtype(values)


def _number(name: str, values: pd.Series, logs: Logs) -> list[tuple[dict[str, object], np.ndarray]]:
    x = values.to_numpy(float)
    if not np.isfinite(x).all():
        raise InferenceError(f"The characteristic '{name}' has an infinite value.")
    logged = name in logs if not isinstance(logs, str) else _is_skewed(x)
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
    return [({"term": name, "made": made, "mean": mean, "sd": sd}, (x - mean) / sd)]


def _is_skewed(x: np.ndarray) -> bool:
    return bool(x.min() > 0 and np.ptp(x) > 0 and skew(x) > VERY_SKEWED)


def _levels(name: str, values: pd.Series, _: Logs) -> list[tuple[dict[str, object], np.ndarray]]:
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
            f"The characteristic '{names[j]}' follows from {listed(others)} on these data sets, so "
            "their effects cannot be told apart; leave one of them out."
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
