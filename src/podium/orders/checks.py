"""Checks of what an order is made from: each returns the thing as it is kept, or refuses it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from podium.errors import InferenceError
from podium.orders.layers import Relation
from podium.registry import unknown

Places = NDArray[np.intp]


def names(algorithms: Iterable[str]) -> tuple[str, ...]:
    """Names that are texts, not empty and all different."""
    kept = tuple(algorithms)
    if not kept:
        raise InferenceError("An order needs at least one algorithm.")
    seen = set()
    for name in kept:
        if not isinstance(name, str) or not name:
            raise InferenceError(
                f"An algorithm of an order is named by a text that is not empty, not {name!r}."
            )
        if name in seen:
            raise InferenceError(f"The algorithm '{name}' is named twice in an order.")
        seen.add(name)
    return tuple(str(name) for name in kept)


def relation(better: Any, algorithms: Sequence[str]) -> Relation:
    """A read-only copy of a K x K matrix of true and false that does not contradict itself."""
    matrix = np.asarray(better)
    size = len(algorithms)
    if matrix.shape != (size, size):
        raise InferenceError(
            f"The relation of {size} algorithms is a {size} x {size} matrix, "
            f"not one of shape {matrix.shape}."
        )
    if not np.isin(matrix, [0, 1]).all():
        raise InferenceError("The matrix of a relation holds only true and false, or 1 and 0.")
    matrix = matrix.astype(bool)
    _refuse_contradictions(matrix, algorithms)
    matrix.flags.writeable = False
    return matrix


def _refuse_contradictions(better: Relation, algorithms: Sequence[str]) -> None:
    for i, j in np.argwhere(better & better.T)[:1]:
        if i == j:
            raise InferenceError(
                f"The algorithm '{algorithms[i]}' is said to be better than itself."
            )
        raise InferenceError(
            f"The algorithms '{algorithms[i]}' and '{algorithms[j]}' are each said to be better "
            "than the other."
        )


def numbers(values: Any, size: int, what: str) -> NDArray[np.float64]:
    """As many numbers as there are algorithms."""
    try:
        kept = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise InferenceError(f"The {what} of an order are numbers, not {values!r}.") from None
    if kept.shape != (size,):
        raise InferenceError(
            f"An order of {size} algorithms needs {size} {what}, not {kept.size} of them."
        )
    return kept


def means(values: Any, algorithms: Sequence[str]) -> tuple[float, ...] | None:
    """One number per algorithm; a missing one is allowed, as they only sort what is printed."""
    return None if values is None else tuple(numbers(values, len(algorithms), "means").tolist())


def uncompared(
    pairs: Iterable[tuple[str, str]], algorithms: Sequence[str], better: Relation
) -> frozenset[tuple[str, str]]:
    """Pairs of different algorithms of which neither is better, in the order of `algorithms`."""
    place = {name: i for i, name in enumerate(algorithms)}
    kept = set()
    for first, second in pairs:
        for name in (first, second):
            if name not in place:
                raise InferenceError(unknown("algorithm of this order", name, algorithms))
        i, j = sorted((place[first], place[second]))
        if i == j or better[i, j] or better[j, i]:
            raise InferenceError(
                f"The algorithms '{first}' and '{second}' cannot be uncompared: "
                + ("they are one." if i == j else "one is better than the other.")
            )
        kept.add((algorithms[i], algorithms[j]))
    return frozenset(kept)


def arrangement(
    layers: Iterable[Iterable[str]] | None, algorithms: Sequence[str], better: Relation
) -> tuple[tuple[str, ...], ...] | None:
    """Layers that hold every algorithm once, and none that is better than an earlier one."""
    if layers is None:
        return None
    kept = tuple(tuple(layer) for layer in layers)
    arranged = list(chain.from_iterable(kept))
    if sorted(arranged) != sorted(algorithms) or not all(kept):
        raise InferenceError("The layers of an order must hold each of its algorithms once.")
    level = {name: n for n, layer in enumerate(kept) for name in layer}
    for i, j in np.argwhere(better):
        if level[algorithms[i]] >= level[algorithms[j]]:
            raise InferenceError(
                f"The algorithm '{algorithms[i]}' is better than '{algorithms[j]}' "
                "and must be in an earlier layer."
            )
    return kept


def places(column: Iterable[str], names: Sequence[str]) -> Places:
    """The numbers of compared algorithms."""
    place = {name: i for i, name in enumerate(names)}
    kept = list(column)
    for name in kept:
        if name not in place:
            raise InferenceError(unknown("compared algorithm", name, names))
    return np.array([place[name] for name in kept], dtype=np.intp)


def pairs(first: Places, second: Places, names: Sequence[str]) -> None:
    """Refuse an algorithm against itself and a pair with two rows, which could disagree."""
    seen = set()
    for i, j in zip(first, second, strict=True):
        if i == j:
            raise InferenceError(f"The algorithm '{names[i]}' is compared with itself.")
        if frozenset((i, j)) in seen:
            raise InferenceError(
                f"The algorithms '{names[i]}' and '{names[j]}' are compared more than once; "
                "an order needs one row per pair."
            )
        seen.add(frozenset((i, j)))


def other_pairs(first: Places, second: Places, names: Sequence[str]) -> frozenset[tuple[str, str]]:
    """The pairs that are not among the given ones."""
    compared = np.eye(len(names), dtype=bool)
    compared[first, second] = compared[second, first] = True
    every = combinations(range(len(names)), 2)
    return frozenset((names[i], names[j]) for i, j in every if not compared[i, j])
