"""The fields of an order: each checked as it is kept, and all of them as a table of pairs.

A check returns the thing as it is kept, or refuses it. A table of pairs (first, second, sign) loses
nothing of an order but its means.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, combinations
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from podium.base.errors import InferenceError
from podium.base.registry import unknown
from podium.orders.relations import Relation, levels

Places = NDArray[np.intp]


def checked_names(algorithms: Iterable[str]) -> tuple[str, ...]:
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
            raise InferenceError(f"The algorithm '{algorithms[i]}' is better than itself.")
        raise InferenceError(
            f"The algorithms '{algorithms[i]}' and '{algorithms[j]}' are each better than the "
            "other."
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


def check_pairs(first: Places, second: Places, names: Sequence[str]) -> None:
    """Refuse an algorithm against itself and a pair with two rows, which could disagree."""
    if (same := first == second).any():
        raise InferenceError(f"The algorithm '{names[first[same][0]]}' is compared with itself.")
    pair = np.minimum(first, second) * len(names) + np.maximum(first, second)
    _, once = np.unique(pair, return_index=True)
    if len(once) < len(pair):
        again = np.setdiff1d(np.arange(len(pair)), once)[0]
        raise InferenceError(
            f"The algorithms '{names[first[again]]}' and '{names[second[again]]}' are compared "
            "more than once; an order needs one row per pair."
        )


def other_pairs(first: Places, second: Places, names: Sequence[str]) -> frozenset[tuple[str, str]]:
    """The pairs that are not among the given ones."""
    compared = np.eye(len(names), dtype=bool)
    compared[first, second] = compared[second, first] = True
    every = combinations(range(len(names)), 2)
    return frozenset((names[i], names[j]) for i, j in every if not compared[i, j])


def limits(
    names: Sequence[str], lower: Sequence[float], upper: Sequence[float]
) -> tuple[np.ndarray, np.ndarray]:
    """The ends of intervals, one for every name, in their order."""
    low, high = (numbers(ends, len(names), "limits") for ends in (lower, upper))
    for name, wrong in zip(names, ~(low <= high), strict=True):
        if wrong:
            raise InferenceError(
                f"The interval of '{name}' needs a lower limit that is not above the upper one."
            )
    return low, high


def kept_layers(
    layers: Sequence[Sequence[str]] | None, names: set[str]
) -> tuple[tuple[str, ...], ...] | None:
    """Layers less the algorithms that are not kept."""
    if layers is None:
        return None
    kept = (tuple(name for name in layer if name in names) for layer in layers)
    return tuple(layer for layer in kept if layer)


def across(layers: Sequence[Sequence[str]] | None, pairs: Iterable[tuple[str, str]]) -> bool:
    """Whether one of the pairs is of two layers."""
    level = {name: n for n, layer in enumerate(layers or ()) for name in layer}
    return bool(level) and any(level[first] != level[second] for first, second in pairs)


# -- tables of pairs ------------------------------------------------------------------------

COLUMNS = ("first", "second", "sign")
BEFORE, AFTER, ALIKE, MIXED, OPEN = "≻", "≺", "≈", "≿", "?"
SPELLINGS = {"~": ALIKE, "=": ALIKE, ">~": MIXED, "∥": OPEN, "<>": OPEN,
             "<": BEFORE, ">": AFTER, "≲": MIXED, "<~": MIXED}  # fmt: skip
# a table of an earlier version has < where the first is better and > where the second is
SIGNS = (BEFORE, AFTER, ALIKE, MIXED, OPEN)
Fields = tuple[
    tuple[str, ...],
    Relation,
    None,
    frozenset[tuple[str, str]],
    tuple[tuple[str, ...], ...] | None,
]


def pairs_table(
    level: Mapping[str, int], better: pd.DataFrame, unknown: pd.DataFrame, *, left_open: bool
) -> pd.DataFrame:
    """One row per pair; see `Order.pairs_table`. Both matrices are by name."""

    def sign(first: str, second: str) -> str:
        if unknown.at[first, second]:
            return MIXED if left_open and level[first] < level[second] else OPEN
        if better.at[first, second]:
            return BEFORE
        return AFTER if better.at[second, first] else ALIKE

    rows = [(first, second, sign(first, second)) for first, second in combinations(level, 2)]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def read_pairs(table: pd.DataFrame, algorithms: Sequence[str] | None) -> Fields:
    """The fields of the order that a table of pairs tells; see `Order.from_pairs`."""
    signs = _signs(table)
    columns = [list(table[column]) for column in COLUMNS[:2]]
    seen = dict.fromkeys(chain.from_iterable(zip(*columns, strict=True)))
    names = checked_names(seen if algorithms is None else algorithms)
    first, second = (places(column, names) for column in columns)
    check_pairs(first, second, names)
    better = _relation(len(names), first, second, signs == BEFORE)
    better |= _relation(len(names), second, first, signs == AFTER)
    mixed = _relation(len(names), first, second, signs == MIXED)
    decided = (signs != OPEN) & (signs != MIXED)
    rest = other_pairs(first[decided], second[decided], names)
    return names, better, None, rest, _arrangement(better | mixed, names) if mixed.any() else None


def _signs(table: pd.DataFrame) -> np.ndarray:
    for column in COLUMNS:
        if column not in table.columns:
            raise InferenceError(
                f"The table of pairs lacks the column '{column}'; it needs {', '.join(COLUMNS)}."
            )
    kept = [str(sign).strip() for sign in table["sign"]]
    for sign in kept:
        if sign not in SIGNS and sign not in SPELLINGS:
            raise InferenceError(unknown("sign of a pair", sign, SIGNS))
    return np.array([SPELLINGS.get(sign, sign) for sign in kept], dtype=object)


def _relation(size: int, first: Places, second: Places, holds: np.ndarray) -> Relation:
    relation = np.zeros((size, size), dtype=bool)
    relation[first[holds], second[holds]] = True
    return relation


def _arrangement(earlier: Relation, names: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """The layers in which every algorithm stands before all that it is earlier than."""
    level = levels(earlier)
    if not np.array_equal(level[:, None] < level, earlier):
        raise InferenceError(
            "The signs ≻ and ≿ of the table of pairs make no layers: every pair of two layers has "
            "one of them; write ? for pairs about which nothing is known."
        )
    groups = (
        [a for a, at in zip(names, level, strict=True) if at == n] for n in range(level.max() + 1)
    )
    return tuple(tuple(group) for group in groups)
