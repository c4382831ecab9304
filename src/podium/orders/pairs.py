"""Orders as tables of pairs: first, second, sign. No order loses anything in it but its means."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, combinations
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from podium.errors import InferenceError
from podium.orders import checks, layers
from podium.orders.distances import not_compared
from podium.orders.layers import Relation
from podium.registry import unknown

if TYPE_CHECKING:
    from podium.orders.order import Order

COLUMNS = ("first", "second", "sign")
BEFORE, AFTER, ALIKE, MIXED, OPEN = "<", ">", "≈", "≲", "?"
SPELLINGS = {"~": ALIKE, "=": ALIKE, "<~": MIXED}
SIGNS = (BEFORE, AFTER, ALIKE, MIXED, OPEN)
Fields = tuple[
    tuple[str, ...],
    Relation,
    None,
    frozenset[tuple[str, str]],
    tuple[tuple[str, ...], ...] | None,
]


def pairs_table(order: Order) -> pd.DataFrame:
    """One row per pair; see `Order.pairs_table`."""
    level, unknown = order.levels(), not_compared(order, order.algorithms)
    place = {name: i for i, name in enumerate(order.algorithms)}
    rows = []
    for first, second in combinations(level, 2):
        i, j = place[first], place[second]
        if unknown[i, j]:
            earlier = order.leaves_open and level[first] < level[second]
            sign = MIXED if earlier else OPEN
        else:
            sign = BEFORE if order.better[i, j] else AFTER if order.better[j, i] else ALIKE
        rows.append((first, second, sign))
    return pd.DataFrame(rows, columns=list(COLUMNS))


def read_pairs(table: pd.DataFrame, algorithms: Sequence[str] | None = None) -> Fields:
    """The fields of the order that a table of pairs tells; see `Order.from_pairs`."""
    signs = _signs(table)
    columns = [list(table[column]) for column in COLUMNS[:2]]
    seen = dict.fromkeys(chain.from_iterable(zip(*columns, strict=True)))
    names = checks.names(seen if algorithms is None else algorithms)
    first, second = (checks.places(column, names) for column in columns)
    checks.pairs(first, second, names)
    better = _relation(len(names), first, second, signs == BEFORE)
    better |= _relation(len(names), second, first, signs == AFTER)
    mixed = _relation(len(names), first, second, signs == MIXED)
    told = (signs != OPEN) & (signs != MIXED)
    rest = checks.other_pairs(first[told], second[told], names)
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


def _relation(
    size: int, first: checks.Places, second: checks.Places, holds: np.ndarray
) -> Relation:
    relation = np.zeros((size, size), dtype=bool)
    relation[first[holds], second[holds]] = True
    return relation


def _arrangement(earlier: Relation, names: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """The layers in which every algorithm stands before all that it is earlier than."""
    level = layers.levels(earlier)
    if not np.array_equal(level[:, None] < level, earlier):
        raise InferenceError(
            "The signs < and ≲ of the table of pairs make no layers: every pair of two layers has "
            "one of them; write ? for pairs about which nothing is known."
        )
    groups = (
        [a for a, at in zip(names, level, strict=True) if at == n] for n in range(level.max() + 1)
    )
    return tuple(tuple(group) for group in groups)
