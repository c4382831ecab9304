"""Scorers of scikit-learn as measures: by name, or made by `make_scorer`.

A scorer asks an estimator; here it is answered with what was predicted before, so that it gives
exactly what scikit-learn gives, also for predictions that were kept. Classes are codes here.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from podium.base.errors import DesignError, UnknownName
from podium.base.registry import did_you_mean, unknown
from podium.design.data.identity import description, fingerprint
from podium.design.measuring.outputs import (
    DECISION,
    OUTPUTS,
    PREDICTED,
    PROBABILITIES,
    Output,
    Undefined,
)
from podium.questions.measures import KNOWN, Measure

PREFIX = "sklearn:"  # says that scikit-learn's is meant where Podium has one of the same name
MANY_CLASSES = ("macro", "ovr")  # how scikit-learn ends the names for more than two classes
OF_CLASSES = ("pos_label", "labels")  # options by which a scorer names classes


@dataclass(frozen=True)
class SklearnScore:
    """A scikit-learn scorer, fed with kept outputs instead of an estimator."""

    scorer: Any

    @property
    def function(self) -> Any:
        """The function of truth and prediction that it calls, where it has one."""
        return getattr(self.scorer, "_score_func", None)

    @property
    def options(self) -> dict[str, Any]:
        """What that function is called with besides."""
        return getattr(self.scorer, "_kwargs", {})

    @property
    def kinds(self) -> tuple[str, ...]:
        """The outputs that it reads, of which the first to be had is used."""
        wanted = getattr(self.scorer, "_response_method", PREDICTED)
        result = (wanted,) if isinstance(wanted, str) else tuple(wanted)
        return tuple(k for k in result if k in OUTPUTS) or (PREDICTED,)

    @property
    def compares_partitions(self) -> bool:
        """Whether names of clusters do not matter to it, as to the adjusted Rand index."""
        return str(getattr(self.function, "__module__", "")).startswith("sklearn.metrics.cluster")

    def __call__(self, output: Output) -> float:
        """The score of one output, exactly as scikit-learn gives it."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                return float(self.scorer(_replay(output), np.empty((len(output.y), 0)), output.y))
            except ValueError as error:
                raise Undefined(str(error).splitlines()[0]) from error

    def refuses(self, name: str, classes: Sequence[str]) -> str:
        """Why these classes cannot be scored so; empty where they can."""
        return self._misnamed(classes) or self._fails(name, classes)

    def _misnamed(self, classes: Sequence[str]) -> str:
        """A class that the scorer names otherwise than by its code would be another one here."""
        for option in OF_CLASSES:
            given = self.options.get(option)
            for text in [] if given is None else np.atleast_1d(given).tolist():
                if not (isinstance(text, int) and list(classes[text : text + 1]) == [str(text)]):
                    return (
                        f"names a class by {option}={text!r}, while scorers see classes as codes "
                        f"0 to {len(classes) - 1}. Leave {option} out, and say which class is the "
                        "positive one by podium.dataset(..., positive=...)"
                    )
        return ""

    def _fails(self, name: str, classes: Sequence[str]) -> str:
        """What scikit-learn says of so many classes, all of them predicted rightly."""
        if not str(getattr(self.function, "__module__", "")).startswith("sklearn."):
            return ""  # a function of the user's own may need more than made-up rows
        try:
            self(_all_right(len(classes)))
        except Undefined as error:
            others = [f"'{n}'" for n in (f"{name}_{end}" for end in MANY_CLASSES) if is_scorer(n)]
            way = f"Take {' or '.join(others)}" if others else "Choose another measure"
            why = str(error).partition(". ")[0].rstrip(".")
            return f"does not take {len(classes)} classes ({why}). {way}"
        return ""


def _all_right(n: int) -> Output:
    """Right predictions of two rows of every class."""
    y = np.tile(np.arange(n), 2)
    sure = np.eye(n)[y]
    values = {PREDICTED: y, PROBABILITIES: sure, DECISION: y - 0.5 if n == 2 else sure}
    return Output(y, values, n)


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


# -- which scorer is meant -------------------------------------------------------------------------


@cache
def _names() -> tuple[str, ...]:
    from sklearn.metrics import get_scorer_names

    return tuple(get_scorer_names())


def is_scorer(name: str) -> bool:
    """Whether scikit-learn has a scorer of this name."""
    return name in _names()


def named_scorer(name: str) -> tuple[Measure, SklearnScore]:
    """The measure by scikit-learn's own name, as `f1`, or `sklearn:f1`."""
    from sklearn.metrics import get_scorer

    plain = name.removeprefix(PREFIX).strip().replace("-", "_")
    if not is_scorer(plain):
        if name.startswith(PREFIX):
            raise DesignError(
                f"'{plain}' is not a scikit-learn scorer.{did_you_mean(plain, _names())} "
                "sklearn.metrics.get_scorer_names() lists them."
            )
        known = unknown("measure", name, KNOWN).partition("Known: ")[2]
        raise UnknownName(
            f"'{name}' is not a measure.{did_you_mean(name, (*KNOWN, *_names()))} Known: "
            f"{known.rstrip('.')}, and scorers of scikit-learn such as f1, roc_auc and r2."
        )
    full = f"{PREFIX}{plain}"
    return Measure(full if name.startswith(PREFIX) else plain, True, spec=full), SklearnScore(
        get_scorer(plain)
    )


def is_made_scorer(value: Any) -> bool:
    """Whether it is what `sklearn.metrics.make_scorer` returns."""
    return callable(value) and hasattr(value, "_score_func") and hasattr(value, "_sign")


def made_scorer(scorer: Any) -> tuple[Measure, SklearnScore]:
    """The measure of a scorer; like scikit-learn's own it is `neg_...` where it turns a loss."""
    score = SklearnScore(scorer)
    called = getattr(score.function, "__name__", "score").strip("<>")
    name = ("neg_" if scorer._sign < 0 else "") + called
    content = (score.function, score.options, scorer._sign, score.kinds)
    spec = fingerprint(repr(description(content, f"Measure '{name}'")))
    return Measure(name, True, spec=spec), score
