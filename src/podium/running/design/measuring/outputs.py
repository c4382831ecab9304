"""What algorithms say about test rows: the kinds of output, and how measures are computed of them.

A measure reads an output by its kind, which is the name of the method that gives it. An algorithm
may give it by a function of the fitted estimator and the rows instead; which kind that is follows
from the task. The formula of a measure registers itself by `@loss(name, ...)` or `@score(...)`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from podium.core.base.errors import DesignError
from podium.core.base.registry import Registry, unknown

OUTPUTS = PREDICTED, PROBABILITIES, DECISION, LOG_DENSITY, CURVES = (
    "predict",
    "predict_proba",
    "decision_function",
    "score_samples",
    "predict_survival_function",
)
# what the outputs of a task are; the first, and with two dimensions the second, is a function's
KINDS = {
    "classification": (PREDICTED, PROBABILITIES, DECISION),
    "regression": (PREDICTED,),
    "density": (LOG_DENSITY,),
    "clustering": (PREDICTED, PROBABILITIES),
    "survival": (PREDICTED, CURVES),
}

Given = str | Callable[..., Any]  # what an algorithm gives: a kind of output, or a function
Needs = tuple[
    tuple[str, ...], ...
]  # each entry: kinds of output of which the first to be had is used


class Undefined(Exception):
    """A score has no value for this test sample, e.g. AUC where it shows one class only."""


@dataclass(frozen=True)
class Output:
    """Truth and predictions for one test sample; classes are codes, columns in their order.

    `learned` is the target of the training set, for survival; `X` the rows' attributes, where a
    measure asks for them.
    """

    y: np.ndarray
    values: Mapping[str, np.ndarray]
    n_classes: int = 0
    learned: np.ndarray | None = None
    X: Any = None

    def __post_init__(self) -> None:
        for kind, text in self.values.items():  # numpy would broadcast, to a wrong score
            if len(text) != len(self.y) or (kind == PREDICTED and text.ndim != 1):
                raise ValueError(
                    f"{kind} has the shape {text.shape} for {len(self.y)} observations"
                )

    def get(self, kind: str) -> np.ndarray:
        """The predictions of one kind."""
        return self.values[kind]


def check_output(what: str, given: Any) -> None:
    """Refuse what is neither a kind of output nor a function of estimator and rows."""
    if callable(given):
        return
    if isinstance(given, str) and given == "fit_predict":
        raise DesignError(
            f"{what}: fit_predict labels the rows it learns from, but rows that were left out are "
            "measured. Give a function of the fitted estimator and the rows instead."
        )
    if given not in OUTPUTS:
        raise DesignError(f"{what}: " + unknown("output", str(given), OUTPUTS))


def kinds_given(given: Given, task: str) -> tuple[str, ...]:
    """The kinds of output that an algorithm's function may give; none where it has no function."""
    if not callable(given):
        return ()
    if task == "survival":
        return (CURVES,) if takes_times(given) else (PREDICTED,)
    return KINDS[task][:2]


def takes_times(function: Callable[..., Any]) -> bool:
    """Whether a function wants the times at which survival is asked for."""
    try:
        return "times" in inspect.signature(function).parameters
    except (TypeError, ValueError):  # compiled
        return False


# -- formulas of measures ------------------------------------------------------------------------


ATTRIBUTES, LABELS = "attributes", "labels"  # what a measure may ask for beside predictions
CLASSES, QUANTITIES, DENSITIES, CLUSTERS, SURVIVAL = (
    ("classification",),
    ("regression",),
    ("density",),
    ("clustering",),
    ("survival",),
)


@dataclass(frozen=True)
class Formula:
    """How a measure is computed of an output, what it reads and the tasks it makes sense for."""

    function: Callable[[Output], Any]
    needs: Needs
    tasks: tuple[str, ...]
    asks: tuple[str, ...] = ()


# one number per observation
LOSSES: Registry[Formula] = Registry("loss", of_rooms="measures", late=True)
SCORES: Registry[Formula] = Registry(
    "measure of a whole test sample", of_rooms="measures", late=True
)


def loss(
    name: str, reads: str, tasks: tuple[str, ...]
) -> Callable[[Callable[[Output], np.ndarray]], Callable[[Output], np.ndarray]]:
    """Register a loss per observation by the name of its measure."""

    def register(function: Callable[[Output], np.ndarray]) -> Callable[[Output], np.ndarray]:
        LOSSES.add(name, Formula(function, ((reads,),), tasks))
        return function

    return register


def score(
    name: str, reads: str | tuple[str, ...], tasks: tuple[str, ...], *asks: str
) -> Callable[[Callable[[Output], float]], Callable[[Output], float]]:
    """Register a score that is no functional of losses; of several outputs it reads the first."""
    kinds = (reads,) if isinstance(reads, str) else reads

    def register(function: Callable[[Output], float]) -> Callable[[Output], float]:
        SCORES.add(name, Formula(function, (kinds,), tasks, asks))
        return function

    return register
