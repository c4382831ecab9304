"""Relations to test orders on: all weak orders of a few algorithms, and hypothesis strategies."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
from hypothesis import strategies as st

from podium import Order

NAMES = "abcdefghijklmnopqrstuvwxyz"


def weak_orders(size: int) -> list[Order]:
    """All weak orders of `size` algorithms: distinct rank vectors without gaps."""
    ranks = [r for r in product(range(size), repeat=size) if set(r) == set(range(max(r) + 1))]
    return [Order.from_ranks(NAMES[:size], r) for r in ranks]


def all_relations(size: int) -> list[Order]:
    """All relations a test of every pair can give: each pair is <, > or ≈."""
    pairs = list(combinations(range(size), 2))
    return [
        from_verdicts(size, dict(zip(pairs, v, strict=True)))
        for v in product((-1, 0, 1), repeat=len(pairs))
    ]


def from_verdicts(size: int, verdicts: dict[tuple[int, int], int]) -> Order:
    better = np.zeros((size, size), dtype=bool)
    for (i, j), verdict in verdicts.items():
        better[i, j], better[j, i] = verdict > 0, verdict < 0
    return Order(tuple(NAMES[:size]), better)


def order_of(size: int, *pairs: str) -> Order:
    """order_of(3, "ab") of a, b and c has a better than b and nothing else."""
    places = {(NAMES.index(a), NAMES.index(b)): 1 for a, b in pairs}
    return from_verdicts(size, places)


@st.composite
def relations(draw: st.DrawFn, largest: int = 8) -> Order:
    """Any relation, with cycles and without transitivity."""
    size = draw(st.integers(1, largest))
    pairs = list(combinations(range(size), 2))
    verdicts = draw(st.lists(st.sampled_from((-1, 0, 1)), min_size=len(pairs), max_size=len(pairs)))
    return from_verdicts(size, dict(zip(pairs, verdicts, strict=True)))


@st.composite
def named_weak_orders(draw: st.DrawFn) -> Order:
    """A weak order of algorithms with any names, printed in any order within its layers."""
    names = draw(st.lists(st.text(min_size=1, max_size=6), min_size=1, max_size=6, unique=True))
    exactly = {"min_size": len(names), "max_size": len(names)}
    ranks = draw(st.lists(st.integers(0, 3), **exactly))
    means = draw(st.lists(st.floats(-1, 1), **exactly))
    return Order(tuple(names), Order.from_ranks(names, ranks).better, tuple(means))


def random_relation(size: int, share: float, seed: int) -> Order:
    """A share of all pairs is significant, each in a random direction."""
    rng = np.random.default_rng(seed)
    significant = np.triu(rng.random((size, size)) < share, 1)
    forward = rng.random((size, size)) < 0.5
    better = (significant & forward) | (significant & ~forward).T
    return Order(tuple(f"a{i}" for i in range(size)), better)
