"""Fresh estimators: clones whose open random states are set."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

PLAIN = {type(None), bool, int, float, str}  # nobody can change these in place


@dataclass(frozen=True)
class Maker:
    """Gives fresh estimators like its template, with the random states that it leaves open set."""

    template: Any
    names: list[str]
    plain: dict[str, Any] | None

    def __call__(self, random_state: int | None) -> Any:
        """A fresh estimator."""
        values = {} if random_state is None else states(random_state, self.names)
        if self.plain is None:
            return seeded(cloned(self.template), values)
        return type(self.template)(**(self.plain | values))


def maker(template: Any) -> Maker:
    """What gives fresh estimators like this one."""
    return Maker(template, open_states(template), plain_parameters(template))


def plain_parameters(estimator: Any) -> dict[str, Any] | None:
    """The parameters of an estimator that is these numbers and texts, and nothing besides.

    Its class called with them is its clone if the constructor keeps what it is given. That is
    looked at here, once; a clone looks at it for every run, which takes as long as a short fit.
    """
    kind = type(estimator)
    if not hasattr(kind, "__sklearn_clone__"):
        return None
    from sklearn.base import BaseEstimator

    for method in ("__sklearn_clone__", "get_params", "set_params"):
        if getattr(kind, method, None) is not getattr(BaseEstimator, method):
            return None
    result = vars(estimator)
    if not all(type(v) in PLAIN for v in result.values()):
        return None
    made = cloned(estimator)
    return estimator.get_params() if type(made) is kind and vars(made) == result else None


def cloned(estimator: Any) -> Any:
    """A copy that has learned nothing."""
    if hasattr(estimator, "get_params"):
        from sklearn.base import clone

        return clone(estimator)
    return copy.deepcopy(estimator)


def parameters_of(estimator: Any, ending: str = "") -> dict[str, Any]:
    """The parameters, also of inner estimators, whose names end like this."""
    if not hasattr(estimator, "get_params"):
        return {}
    parameters = estimator.get_params(deep=True)
    return {k: v for k, v in parameters.items() if k.endswith(ending)}


def open_states(estimator: Any) -> list[str]:
    """The names of every `random_state`, also of inner estimators, that is not yet set."""
    if not hasattr(estimator, "get_params"):
        return ["random_state"] if getattr(estimator, "random_state", "none") is None else []
    result = parameters_of(estimator, "random_state")
    return sorted(
        k for k, v in result.items() if v is None and k.rpartition("__")[2] == "random_state"
    )


def states(random_state: int, names: list[str]) -> dict[str, int]:
    """A number for each random state that is left open."""
    if not names:
        return {}
    numbers = np.random.SeedSequence(random_state).generate_state(len(names)) % 2**31
    return {k: int(s) for k, s in zip(names, numbers, strict=True)}


def seeded(estimator: Any, values: Mapping[str, int]) -> Any:
    """The estimator with its random states set."""
    if not values:
        return estimator
    if hasattr(estimator, "set_params"):
        return estimator.set_params(**values)
    estimator.random_state = values["random_state"]
    return estimator
