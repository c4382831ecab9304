"""How an estimator takes weights of the rows it learns from."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

WEIGHT = "sample_weight"
INNER = ("estimator", "regressor", "classifier")  # what scikit-learn's wrappers call what they wrap


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
    """What `fit` takes beside X and y."""
    return {} if weights is None else {weight_parameter(estimator): weights.copy()}
