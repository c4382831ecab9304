"""The laws of a measure of weighted items."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from podium.testing.laws import law

WIDER = 1e-3  # change of a weight, beside the usual one


def check_weighted(
    function: Callable[[np.ndarray, np.ndarray, np.ndarray], float],
    truth: np.ndarray,
    predicted: np.ndarray,
) -> None:
    """Hold a measure of weighted items against its laws, on some items of your own.

    The laws:

    1. It is a finite number, and the same whenever it is asked for.
    2. Only ratios of weights matter.
    3. The order of items does not matter.
    4. An item of weight 2 counts as two items.
    5. It is smooth: changes of weights that are small, and smaller still, tell one influence.
    6. It leaves truth, predictions and weights as they are.

    Examples
    --------
    >>> import numpy as np
    >>> y, p = np.array([0.0, 1, 1, 0]), np.array([0.2, 0.9, 0.6, 0.4])
    >>> check_weighted(lambda y, p, w: np.average((y - p) ** 2, weights=w), y, p)
    """
    from podium.predictions.influence import by_differences  # a room that may be missing

    y, p = np.asarray(truth), np.asarray(predicted)
    n = len(y)
    rng = np.random.default_rng(0)
    w = rng.uniform(0.5, 2, n)
    given = y.copy(), p.copy(), w.copy()
    value = float(function(y, p, w))
    law(1, np.isfinite(value), f"it is {value}")
    law(1, float(function(y, p, w)) == value, "it gives another value when asked again")
    law(2, _same(function(y, p, 3 * w), value), "three times the weights give another value")
    order = rng.permutation(n)
    law(3, _same(function(y[order], p[order], w[order]), value), "the order of items matters")
    double = np.ones(n)
    double[0] = 2
    twice = [np.concatenate([x, x[:1]]) for x in (y, p)]
    both = function(y, p, double), function(twice[0], twice[1], np.ones(n + 1))
    law(4, _same(*both), "an item of weight 2 counts otherwise than two items")
    psi = by_differences(lambda v: function(y, p, v), n).psi
    wider = by_differences(lambda v: function(y, p, v), n, relative=WIDER).psi
    size = float(np.abs(psi).max())
    law(5, size > 0, "small changes of weights change nothing")
    law(5, np.abs(psi - wider).max() < 1e-2 * size, "small changes of weights make it jump")
    kept = all(np.array_equal(a, b) for a, b in zip(given, (y, p, w), strict=True))
    law(6, kept, "it changes what it is given")


def _same(one: float, other: float) -> bool:
    return abs(float(one) - float(other)) <= 1e-9 * max(1.0, abs(float(other)))
