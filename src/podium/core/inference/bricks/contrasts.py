"""Contrasts: which algorithms are set against which; rows of +1 and -1 over the algorithms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

import numpy as np

from podium.core.base.errors import InferenceError
from podium.core.base.registry import unknown

Pair = tuple[int, int]
MOST_ALGORITHMS = 1_000  # half a million pairs: ten seconds, and half a gigabyte
MOST_WEIGHTS = 100_000_000  # pairs x algorithms, eight bytes each


def check_count(count: int) -> None:
    """Refuse more algorithms than can be set against each other, before it is tried."""
    if count > MOST_ALGORITHMS:
        raise InferenceError(
            f"{count:,} algorithms make {count * (count - 1) // 2:,} pairs; Podium compares up to "
            f"{MOST_ALGORITHMS:,} algorithms. Are the columns data sets or items, and the "
            "algorithms in rows? Then add --columns algorithm=COLUMN,across=item (or "
            "across=dataset), where COLUMN has their names. Otherwise leave some out."
        )


def all_pairs(count: int) -> list[Pair]:
    """Every pair, in file order."""
    check_count(count)
    return list(combinations(range(count), 2))


def against(algorithms: Sequence[str], control: str) -> list[Pair]:
    """Every other algorithm against the control, which comes second."""
    if control not in algorithms:
        raise InferenceError(unknown("algorithm", control, list(algorithms)))
    second = list(algorithms).index(control)
    return [(i, second) for i in range(len(algorithms)) if i != second]


def named_pairs(algorithms: Sequence[str], pairs: Sequence[tuple[str, str]]) -> list[Pair]:
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


def weighted(
    algorithms: Sequence[str], contrasts: Mapping[str, Mapping[str, float] | Sequence[float]]
) -> np.ndarray:
    """A user's contrasts as rows: for each name, weights of algorithms that add up to zero.

    Weights are by name, or one for every algorithm in file order.
    """
    rows = np.zeros((len(contrasts), len(algorithms)))
    for row, (name, weights) in zip(rows, contrasts.items(), strict=True):
        for algorithm, weight in _by_name(name, weights, algorithms):
            if algorithm not in algorithms:
                raise InferenceError(unknown("algorithm", algorithm, list(algorithms)))
            row[list(algorithms).index(algorithm)] = weight
        if not np.isfinite(row).all() or not row.any() or abs(row.sum()) > 1e-9 * np.abs(row).max():
            raise InferenceError(
                f"The contrast '{name}' is wrong: its weights must add up to zero, not to "
                f"{row.sum():g}, and not all be zero."
            )
    if len(rows) == 0 or np.linalg.matrix_rank(rows) == 0:
        raise InferenceError("There is no contrast; name one, as in {'new': {'a': 1, 'b': -1}}.")
    return rows


def _by_name(
    name: str, weights: Mapping[str, float] | Sequence[float], algorithms: Sequence[str]
) -> Iterable[tuple[str, float]]:
    if isinstance(weights, Mapping):
        return weights.items()
    if len(weights) != len(algorithms):
        raise InferenceError(
            f"The contrast '{name}' has {len(weights)} weights for {len(algorithms)} algorithms."
        )
    return zip(algorithms, weights, strict=True)


def matrix(pairs: Sequence[Pair], count: int) -> np.ndarray:
    """Pairs as rows: +1 for the first, -1 for the second."""
    if len(pairs) * count > MOST_WEIGHTS:
        raise InferenceError(
            f"{len(pairs):,} pairs of {count:,} algorithms are too many to be judged together; "
            "leave the procedure out or name one that judges each pair by itself (hull), or "
            "compare all with one of them (--control NAME; in Python: control=)."
        )
    rows = np.zeros((len(pairs), count))
    if pairs:
        first, second = np.array(pairs).T
        rows[np.arange(len(pairs)), first], rows[np.arange(len(pairs)), second] = 1.0, -1.0
    return rows
