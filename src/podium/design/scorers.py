"""scikit-learn's scorers, fed with what was predicted instead of an estimator."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from podium.design.outputs import OUTPUTS, PREDICTED, Output, Undefined
from podium.errors import DesignError
from podium.registry import unknown


@dataclass(frozen=True)
class SklearnScore:
    """A scikit-learn scorer, fed with kept outputs instead of an estimator."""

    scorer: Any

    @property
    def kinds(self) -> tuple[str, ...]:
        """The outputs that it reads, of which the first to be had is used."""
        wanted = getattr(self.scorer, "_response_method", PREDICTED)
        found = (wanted,) if isinstance(wanted, str) else tuple(wanted)
        return tuple(k for k in found if k in OUTPUTS) or (PREDICTED,)

    @property
    def compares_partitions(self) -> bool:
        """Whether names of clusters do not matter to it, as to the adjusted Rand index."""
        function = getattr(self.scorer, "_score_func", None)
        return str(getattr(function, "__module__", "")).startswith("sklearn.metrics.cluster")

    def __call__(self, output: Output) -> float:
        """The score of one output, exactly as scikit-learn gives it."""
        import warnings

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                return float(self.scorer(_replay(output), np.empty((len(output.y), 0)), output.y))
            except ValueError as error:
                raise Undefined(str(error).splitlines()[0]) from error


def _replay(output: Output) -> Any:
    """An estimator that answers with what has been said before."""
    from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin

    methods = {k: _answer(k, v) for k, v in output.values.items()}
    mixin = ClassifierMixin if output.n_classes else RegressorMixin
    body = {**methods, "__sklearn_is_fitted__": lambda self: True}
    if output.n_classes:
        body["classes_"] = np.arange(output.n_classes)  # type: ignore[assignment]
    return type("Replay", (mixin, BaseEstimator), body)()


def _answer(kind: str, value: np.ndarray) -> Callable[..., np.ndarray]:
    def method(self: Any, X: Any) -> np.ndarray:
        return value

    method.__name__ = kind  # scikit-learn looks methods up by their own name
    return method


def sklearn_scorer(name: str) -> SklearnScore:
    """The scorer of this name."""
    from sklearn.metrics import get_scorer, get_scorer_names

    if name not in get_scorer_names():
        raise DesignError(
            unknown("scikit-learn scorer", name, get_scorer_names()).split(" Known:")[0]
            + " sklearn.metrics.get_scorer_names() lists them."
        )
    return SklearnScore(get_scorer(name))
