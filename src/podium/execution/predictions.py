"""What an estimator says about test rows: asked for, checked, in the order of the classes."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np

from podium.design.datasets import Dataset
from podium.design.losses import DECISION, OUTPUTS, PREDICTED, PROBABILITIES, Needs


class AlgorithmError(Exception):
    """An algorithm fitted, but what it predicted cannot be measured."""


def predictions(estimator: Any, X: Any, data: Dataset, wanted: Needs) -> dict[str, np.ndarray]:
    """What the measures need of an estimator's predictions, checked and in the order of classes."""
    values: dict[str, np.ndarray] = {}
    for kinds in wanted:
        # always the first that can be had: a score does not depend on what other measures read
        kind = next((k for k in kinds if hasattr(estimator, k)), None)
        if kind is None:
            raise AlgorithmError(f"{type(estimator).__name__} has no {' or '.join(kinds)}")
        if kind not in values:
            values[kind] = _said(estimator, kind, X, data)
    return values


def extras(
    estimator: Any, X: Any, data: Dataset, known: Mapping[str, np.ndarray]
) -> dict[str, np.ndarray]:
    """Further outputs to keep; one that cannot be had is a warning, as no measure asks for it."""
    values: dict[str, np.ndarray] = {}
    for kind in OUTPUTS:
        if kind not in known and hasattr(estimator, kind):
            try:
                values[kind] = _said(estimator, kind, X, data)
            except Exception as error:
                warnings.warn(f"{kind} is not kept: {error}", stacklevel=1)
    return values


def _said(estimator: Any, kind: str, X: Any, data: Dataset) -> np.ndarray:
    said = np.asarray(getattr(estimator, kind)(X))
    if kind == PREDICTED:
        return _predicted(said, data, len(X))
    return _by_class(said, estimator, kind, data, len(X))


def _numbers(said: np.ndarray, kind: str) -> np.ndarray:
    """Any type that means numbers, none of them missing."""
    try:
        said = said if said.dtype.kind in "biuf" else said.astype(float)
    except (TypeError, ValueError) as error:
        raise AlgorithmError(
            f"{kind} must return numbers, for classes the codes that y has: {error}"
        ) from None
    bad = np.isnan(said) if said.ndim == 1 else np.isnan(said).any(axis=1)
    if bad.any():
        raise AlgorithmError(f"{kind} returned {bad.sum()} missing values for {len(said)} rows")
    return said


def _predicted(said: np.ndarray, data: Dataset, n: int) -> np.ndarray:
    said = said[:, 0] if said.ndim == 2 and said.shape[1] == 1 else said
    if said.shape != (n,):
        raise AlgorithmError(f"predict returned an array of shape {said.shape} for {n} rows")
    said = _numbers(said, PREDICTED)
    if not data.classes:
        return said.astype(float)
    codes = said.astype(np.int64)
    if not np.array_equal(codes, said):
        raise AlgorithmError(f"predict returned {said[codes != said][0]!r}, which is no class")
    return codes


def _by_class(said: np.ndarray, estimator: Any, kind: str, data: Dataset, n: int) -> np.ndarray:
    """Columns in the order of the data set's classes, whatever the estimator's own order is.

    Of two classes, one column of decisions speaks for the second.
    """
    every = np.arange(len(data.classes))
    learned = np.asarray(getattr(estimator, "classes_", every)).astype(int)
    single = said.shape == (n,) and len(learned) == 2 and kind == DECISION
    if not single and said.shape != (n, len(learned)):
        raise AlgorithmError(f"{kind} returned an array of shape {said.shape} for {n} rows")
    said = _numbers(said, kind)
    # a class that was never learned is impossible
    full = np.full((n, len(every)), 0.0 if kind == PROBABILITIES else -np.inf)
    full[:, learned] = np.column_stack([-said, said]) if single else said
    return full[:, 1].copy() if single and len(every) == 2 else full
