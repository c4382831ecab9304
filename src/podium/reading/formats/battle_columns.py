"""What else a table of battles holds of each: values of either side, and groups such as judges."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Any

import numpy as np
import pandas as pd

# the sides of a name such as length_a, a_length, response-1, tokens.left
SIDES = (("a", "b"), ("1", "2"), ("left", "right"), ("first", "second"))
MOST_KINDS, MOST_GROUPS = 20, 200  # distinct values that kinds of answers, and groups, may have
LENGTH = "length"
MOST_NUMBERS = 0.5  # share of answers that are numbers, in a column of texts


def covariates(table: pd.DataFrame, taken: Collection[str]) -> dict[str, list[Any]]:
    """By name: one value of each battle, or one of either side; texts of two sides by length."""
    results: dict[str, list[Any]] = {}
    used: set[str] = set(taken)
    lengths: list[np.ndarray] = []
    for name, first, second in _sided(table.columns, taken):
        used |= {first, second}
        numbers = [pd.to_numeric(table[c], errors="coerce") for c in (first, second)]
        texts = [table[c] for c in (first, second)]
        known = all(
            n.notna().equals(_filled(t)) and n.notna().any()
            for n, t in zip(numbers, texts, strict=True)
        )
        if known:
            results[name] = np.column_stack([n.to_numpy(float) for n in numbers]).tolist()
        elif pd.unique(pd.concat(texts).astype(str)).size <= MOST_KINDS:
            results[name] = pd.concat(texts, axis=1).astype(object).to_numpy().tolist()
        elif all(n.notna().mean() < MOST_NUMBERS for n in numbers):
            lengths.append(np.column_stack([t.astype(str).str.len() for t in texts]).astype(float))
    if lengths and LENGTH not in results:
        results[LENGTH] = np.sum(lengths, axis=0).tolist()
    for column in table.columns:
        if column not in used and _is_group(table[column]):
            results[str(column)] = table[column].astype(str).tolist()
    return results


def _filled(column: pd.Series) -> pd.Series:
    return column.notna() & (column.astype(str).str.strip() != "")


def _is_group(column: pd.Series) -> bool:
    return bool(_filled(column).all()) and 1 < column.nunique() <= MOST_GROUPS


def _sided(columns: Collection[str], taken: Collection[str]) -> Iterator[tuple[str, str, str]]:
    """Columns that differ in their side alone: the name without it, and the two."""
    known = {str(c).lower(): str(c) for c in columns if c not in taken}
    for lower, column in known.items():
        parts = re.split(r"([_\W]+)", lower)
        for one, other in SIDES:
            for place in [i for i, part in enumerate(parts) if part == one]:
                turned = "".join([*parts[:place], other, *parts[place + 1 :]])
                if turned in known:
                    yield _less(parts, place), column, known[turned]


def _less(parts: list[str], place: int) -> str:
    """The name less its side, and less the word `model` that belongs to it."""
    words = [p for i, p in enumerate(parts) if i % 2 == 0 and i != place and p]
    kept = [w for w in words if w != "model"] or words
    return "_".join(kept)
