"""Rows that repeat another: how often chance is taken for copies, and how often copies are seen."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from podium.core.inference.numbers.repeats import (
    compute_agreement_by_chance,
    count_repeats,
    find_grain,
)

Draw = Callable[[np.random.Generator, int, int, int], np.ndarray]


def draw_independent(rng: np.random.Generator, items: int, rows: int, k: int) -> np.ndarray:
    """Shares of right answers of algorithms that have nothing in common."""
    return rng.binomial(items, rng.uniform(0.6, 0.9, k), (rows, k)) / items


def draw_alike(rng: np.random.Generator, items: int, rows: int, k: int) -> np.ndarray:
    """Shares of errors of algorithms that err on the same items, but for one in twenty."""
    common = rng.random((rows, items)) < 0.2
    return np.stack([(common ^ (rng.random((rows, items)) < 0.05)).mean(axis=1) for _ in range(k)],
                    axis=1)  # fmt: skip


def draw_rare(rng: np.random.Generator, items: int, rows: int, k: int) -> np.ndarray:
    """Shares of errors where there are hardly any."""
    return rng.binomial(items, 0.03, (rows, k)) / items


def draw_easy_and_hard(rng: np.random.Generator, items: int, rows: int, k: int) -> np.ndarray:
    """Nine samples in ten have one and the same error, the others many."""
    easy = rng.random((rows, 1)) < 0.9
    return np.where(easy, 1, rng.binomial(items, 0.3, (rows, k))) / items


def draw_left_out(rng: np.random.Generator, items: int, rows: int, k: int) -> np.ndarray:
    """Out-of-bag errors: each sample has its own number of test rows, the same of all."""
    sizes = rng.binomial(3 * items, 0.37, (rows, 1))
    common = rng.binomial(sizes, 0.2)
    return (common + rng.binomial(sizes, 0.05, (rows, k))) / sizes


def draw_f(rng: np.random.Generator, items: int, rows: int, k: int) -> np.ndarray:
    """F scores, each of its own denominator."""
    found = rng.binomial(items // 2, 0.8, (rows, k))
    wrong = rng.binomial(items // 2, 0.2, (rows, k))
    return 2 * found / (found + wrong + items // 2)


KINDS: list[Draw] = [
    draw_independent, draw_alike, draw_rare, draw_easy_and_hard, draw_left_out, draw_f
]  # fmt: skip


@pytest.mark.parametrize("draw", KINDS)
@pytest.mark.parametrize("items", [24, 44, 150, 1000])
def test_chance_is_hardly_ever_taken_for_copies(draw: Draw, items: int) -> None:
    """Over numbers of samples and algorithms, and of digits: 2 % would be flagged at most."""
    rng = np.random.default_rng([items, len(draw.__name__)])
    flagged = []
    for rows in (10, 30, 100, 250):
        for k in (2, 3, 5, 9):
            for digits in (15, 4, 3, 15):
                repeats = count_repeats(np.round(draw(rng, items, rows, k), digits))
                flagged.append(repeats is not None and repeats.is_beyond_chance)
    assert np.mean(flagged) <= 0.02


@pytest.mark.parametrize(
    ("items", "rows", "k", "copies"),
    [(44, 100, 6, 20), (44, 30, 10, 5), (1000, 100, 6, 5), (10**6, 10, 2, 1), (10**6, 200, 3, 1)],
)
def test_copies_are_seen_where_chance_gives_hardly_any(items, rows, k, copies):
    rng = np.random.default_rng([items, rows])
    seen = []
    for _ in range(40):
        values = draw_independent(rng, items, rows, k)
        values[-copies:] = values[:copies]
        repeats = count_repeats(values)
        seen.append(repeats is not None and repeats.is_beyond_chance)
    assert np.mean(seen) >= 0.8


@pytest.mark.parametrize(("items", "k"), [(44, 2), (44, 4), (200, 3)])
def test_the_expected_number_is_that_of_independent_binomials(items, k):
    """Two draws of a binomial agree with the sum of squared probabilities."""
    rng = np.random.default_rng(7)
    chances = [math.comb(items, x) * 0.8**x * 0.2 ** (items - x) for x in range(items + 1)]
    truth = sum(p * p for p in chances) ** k
    values = rng.binomial(items, 0.8, (2000, k)) / items
    assert compute_agreement_by_chance(values, 1 / items) == pytest.approx(truth, rel=0.25)


def test_grains_of_shares_and_of_digits():
    assert find_grain(np.array([30, 37, 41]) / 44) == 1 / 44
    assert find_grain(np.round(np.array([30, 37, 41]) / 44, 4)) == 1 / 44
    assert find_grain(np.array([0.812345, 0.798761, 0.712349])) == 1e-6
    assert find_grain(np.array([math.pi, math.e]) / 4) == 1e-15
