"""Contrasts: which algorithms are set against which; rows of +1 and -1 over the algorithms."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from podium.errors import InferenceError
from podium.registry import unknown

Pair = tuple[int, int]


def all_pairs(count: int) -> list[Pair]:
    """Every pair, in file order."""
    return list(combinations(range(count), 2))


def against(algorithms: Sequence[str], control: str) -> list[Pair]:
    """Every other algorithm against the control, which comes second."""
    if control not in algorithms:
        raise InferenceError(unknown("algorithm", control, list(algorithms)))
    second = list(algorithms).index(control)
    return [(i, second) for i in range(len(algorithms)) if i != second]


def named(algorithms: Sequence[str], pairs: Sequence[tuple[str, str]]) -> list[Pair]:
    """The pairs that a user names."""
    names = list(algorithms)
    if not len(pairs) or any(isinstance(p, str) or len(p) != 2 for p in pairs):
        raise InferenceError(
            f"pairs is a list of two names each, as in [('{names[0]}', '{names[-1]}')], "
            f"not {pairs!r}."
        )
    chosen = []
    for first, second in pairs:
        for name in (first, second):
            if name not in names:
                raise InferenceError(unknown("algorithm", name, names))
        if first == second:
            raise InferenceError(f"The pair '{first}', '{second}' compares nothing.")
        chosen.append((names.index(first), names.index(second)))
    if len({frozenset(p) for p in chosen}) < len(chosen):
        raise InferenceError("A pair is named twice; name each pair once.")
    return chosen


def matrix(pairs: Sequence[Pair], count: int) -> np.ndarray:
    """Pairs as rows: +1 for the first, -1 for the second."""
    rows = np.zeros((len(pairs), count))
    for row, (first, second) in zip(rows, pairs, strict=True):
        row[first], row[second] = 1.0, -1.0
    return rows
