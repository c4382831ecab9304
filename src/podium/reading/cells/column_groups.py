"""How the rows of a table fall into groups by its columns."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from podium.reading.cells.columns import Tabular, distinct, number_of
from podium.reading.cells.vocabulary import Said


def groups(table: Tabular, columns: Iterable[str]) -> np.ndarray:
    """The number of each row's group: rows of a group agree in these columns."""
    cells = np.zeros(len(table.frame), np.int64)
    for column in columns:
        codes = table.codes(column)
        size = count(codes)
        cells = distinct(cells * size + codes, count(cells) * size)[1]
    return cells


def kinds(table: Tabular, columns: Sequence[str]) -> int:
    """How many groups of rows there are that agree in these columns."""
    *before, last = columns
    result, codes = groups(table, before), table.codes(last)
    size = count(codes)
    return number_of(result * size + codes, count(result) * size)


def count(values: np.ndarray) -> int:
    """How many groups there are."""
    return int(values.max(initial=-1)) + 1


def is_apart(table: Tabular, columns: Iterable[str]) -> bool:
    """Whether no two rows agree in these columns."""
    columns, rows = list(columns), len(table.frame)
    if math.prod(count(table.codes(c)) for c in columns) < rows:
        return False
    return kinds(table, columns) == rows


def is_constant(table: Tabular, column: str) -> bool:
    """Whether all rows have one cell there."""
    return count(table.codes(column)) < 2


def alike(table: Tabular, first: str, second: str) -> bool:
    """Whether two columns tell the same rows apart."""
    each = {count(table.codes(c)) for c in (first, second)}
    return len(each) == 1 and count(groups(table, (first, second))) in each


def one_each(table: Tabular, texts: Sequence[str]) -> list[str]:
    """Of columns that tell the same rows apart the one with names, or the first."""
    kept: list[str] = []
    for column in sorted(texts, key=lambda c: not table.is_text(c)):
        if not any(alike(table, column, other) for other in kept):
            kept.append(column)
    return [c for c in texts if c in kept]


# -- roles ----------------------------------------------------------------------------------


def free(columns: Iterable[str], text: Said) -> list[str]:
    """The columns of which the caller says nothing."""
    claimed = {part for names in text.values() for n in names for part in (n, *n.split("+"))}
    return [c for c in columns if c not in claimed]
