"""Measures of one's own: a function of weighted items."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from podium.base.errors import InferenceError
from podium.predictions.asked import Asked, Rule
from podium.predictions.influence import Influence, by_differences
from podium.predictions.measures import RULES, SPELLED
from podium.predictions.predicted import LABELS, NUMBERS, PROBABILITIES
from podium.questions.measures import INFINITY
from podium.reading.cells.measure_names import plain

MOST_ITEMS = 20_000  # of which influence is found by differences, two values each
Function = Callable[[np.ndarray, np.ndarray, np.ndarray], float]


def add_measure(
    name: str,
    function: Function,
    *,
    higher_is_better: bool,
    reads: str = PROBABILITIES,
    bounds: tuple[float, float] = (-INFINITY, INFINITY),
) -> None:
    """Make a measure of your own known: a number from truth, predictions and weights of items.

    What each item adds to it is found by small changes of the items' weights, so that it has
    intervals and tests like any other; `podium.testing.check_weighted` holds it against its laws.

    Parameters
    ----------
    name : str
        As in `measure="name"`.
    function : a function of truth, predictions and weights
        All of one length; weights are positive, and only their ratios matter. Truth is 1 or 0 for
        probabilities of two classes, else labels or numbers.
    higher_is_better : bool
    reads : str
        labels, probabilities (of two classes) or numbers.
    bounds : tuple[float, float]

    Examples
    --------
    >>> import numpy as np, podium
    >>> def sharp(y, p, w):
    ...     return np.average(np.abs(p - 0.5), weights=w)
    >>> podium.predictions.add_measure("sharpness", sharp, higher_is_better=True, bounds=(0, 0.5))
    >>> table = {"y_true": [0, 1, 0, 1], "a": [0.1, 0.9, 0.2, 0.6], "b": [0.4, 0.6, 0.5, 0.5]}
    >>> result = podium.compare(podium.read(table, measure="sharpness"))
    >>> {name: round(value, 3) for name, value in result.means.items()}
    {'a': 0.3, 'b': 0.05}
    """
    if reads not in (LABELS, PROBABILITIES, NUMBERS):
        raise InferenceError(f"reads is labels, probabilities or numbers, not {reads!r}.")
    if not callable(function):
        raise InferenceError("A measure is a function of truth, predictions and weights.")
    if not isinstance(name, str) or not name.strip():
        raise InferenceError(f"A measure is named by a text, not {name!r}.")

    def influence(request: Asked, output: np.ndarray) -> Influence:
        return _influence(function, request, output)

    two = reads == PROBABILITIES
    RULES[name] = Rule(name, (reads,), higher_is_better, bounds, influence=influence, two=two)
    SPELLED[plain(name)] = name


def _influence(function: Function, request: Asked, output: np.ndarray) -> Influence:
    p, n = request.predictions, request.predictions.n
    if n > MOST_ITEMS:
        raise InferenceError(
            f"The influence of {n} items on '{request.typed}' would take too long by differences: "
            f"give at most {MOST_ITEMS} items."
        )
    truth, text = request.y, output
    if p.kind == PROBABILITIES:
        truth, text = request.is_positive.astype(float), request.score(output)
    elif p.kind == LABELS:
        truth, text = (np.array(p.classes, object)[x] for x in (truth, output))

    def value_at(w: np.ndarray) -> float:
        return _value(function, request.typed, truth, text, w)

    return by_differences(value_at, n, request.w)


def _value(
    function: Function, name: str, truth: np.ndarray, values: np.ndarray, w: np.ndarray
) -> float:
    try:
        value = float(function(truth, values, w.copy()))
    except Exception as error:  # a user's own function may raise anything
        raise InferenceError(
            f"The measure '{name}' cannot be computed: {type(error).__name__}: {error}."
        ) from error
    if not np.isfinite(value):
        raise InferenceError(f"The measure '{name}' is {value} for these predictions.")
    return value
