"""Ensembles of orders to test distances and consensus on, and families by complete enumeration."""

from __future__ import annotations

import json
from functools import cache
from itertools import combinations, permutations, product
from pathlib import Path

import numpy as np
import pandas as pd
from relations import NAMES

from podium import Order

REFERENCE = Path(__file__).parent.parent / "reference"

# eugster2008, section 3.3: by the mixed model, by the worst case, by computation time
MEAN = "blue ≈ red ≻ green ≻ orange ≈ purple ≈ yellow"
WORST = "blue ≻ red ≻ purple ≈ orange ≻ green ≻ yellow"
TIME = "red ≻ purple ≻ orange ≻ yellow ≻ green ≻ blue"


def reference(name: str):
    return json.loads((REFERENCE / name).read_text())


def read_orders(name: str) -> list[Order]:
    table = pd.read_csv(REFERENCE / f"orders_{name}.csv")
    return [Order.from_ranks(list(table.columns), ranks) for ranks in table.to_numpy()]


def ranked(ranking: dict[str, int]) -> Order:
    return Order.from_ranks(list(ranking), list(ranking.values()))


def random_orders(rng: np.random.Generator, size: int, count: int, kind: str) -> list[Order]:
    """Orders without ties, with ties, or relations that need not be transitive."""
    names = tuple(NAMES[:size])
    if kind == "any":
        verdicts = np.triu(rng.integers(-1, 2, (count, size, size)), 1)
        return [Order(names, v - v.T > 0) for v in verdicts]
    if kind == "tied":
        return [Order.from_ranks(names, rng.integers(0, size, size)) for _ in range(count)]
    return [Order.from_ranks(names, rng.permutation(size)) for _ in range(count)]


def random_weights(rng: np.random.Generator, count: int) -> list[float]:
    """All 1, whole numbers, or such as have no exact binary form."""
    choices = ([1.0], [1.0, 2.0, 3.0], [0.1, 0.2, 0.3, 1.2])
    return rng.choice(choices[rng.integers(3)], count).tolist()


def trend(size: int, count: int, noise: float, seed: int, layers: float = 0.0) -> list[Order]:
    """Orders of noisy values of a common trend; with layers > 0 rounded to about so many."""
    values = np.arange(size) / size + noise * np.random.default_rng(seed).normal(size=(count, size))
    if layers:
        values = np.round(values * layers)
    return [Order.from_ranks([f"a{i}" for i in range(size)], row) for row in values]


@cache
def members(family: str, size: int) -> np.ndarray:
    """All relations "better" of a family, from its axioms."""
    if family == "linear":
        ranks = np.array(list(permutations(range(size))))
        return ranks[:, :, None] < ranks[:, None, :]
    if family == "weak":
        ranks = [r for r in product(range(size), repeat=size) if set(r) == set(range(max(r) + 1))]
        return np.array(ranks)[:, :, None] < np.array(ranks)[:, None, :]
    return np.array([better for better in _asymmetric(size) if _is_transitive(better)])


def _asymmetric(size: int):
    pairs = list(combinations(range(size), 2))
    for verdicts in product((-1, 0, 1), repeat=len(pairs)):
        better = np.zeros((size, size), dtype=bool)
        for (i, j), verdict in zip(pairs, verdicts, strict=True):
            better[i, j], better[j, i] = verdict > 0, verdict < 0
        yield better


def _is_transitive(better: np.ndarray) -> bool:
    return not ((better.astype(int) @ better > 0) & ~better).any()


def brute_force(orders: list[Order], weights: list[float], family: str) -> tuple[float, set[Order]]:
    """The least value and all optima, by the definition of distance and family."""
    names = orders[0].algorithms
    all_of_them = members(family, len(names))
    if family == "partial":  # ≤ is < or the same: incomparable pairs are in it neither way
        less_or_equal = all_of_them | np.eye(len(names), dtype=bool)
    else:
        less_or_equal = ~all_of_them.transpose(0, 2, 1)
    values = sum(
        w * (less_or_equal != o.relation_le).sum(axis=(1, 2))
        for w, o in zip(weights, orders, strict=True)
    )
    least = values.min()
    return least, {Order(names, all_of_them[i]) for i in np.flatnonzero(values < least + 1e-6)}
