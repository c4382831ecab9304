"""Shaffer's and Bergmann and Hommel's p-values against the closure of all pairs, listed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from layouts_made import made, noise

from podium import compare
from podium.core.inference.bricks.adjustments import bonferroni, holm
from podium.core.inference.numbers.tails import (
    bergmann_hommel,
    shaffer,
    static_shaffer,
    true_counts,
)
from podium.errors import InferenceError


def partitions(items: list[int]) -> Iterator[list[list[int]]]:
    """All partitions of some items."""
    if not items:
        yield []
        return
    first, rest = items[0], items[1:]
    for size in range(len(rest) + 1):
        for others in combinations(rest, size):
            left = [i for i in rest if i not in others]
            yield from ([[first, *others], *parts] for parts in partitions(left))


def closure(p: np.ndarray, algorithms: int) -> np.ndarray:
    """Bonferroni's test of every set of pairs that can be true together; a pair's worst."""
    place = {pair: i for i, pair in enumerate(combinations(range(algorithms), 2))}
    worst = np.zeros(len(p))
    for parts in partitions(list(range(algorithms))):
        true = [place[pair] for part in parts for pair in combinations(part, 2)]
        if true:
            worst[true] = np.maximum(worst[true], min(1.0, len(true) * p[true].min()))
    return worst


@st.composite
def p_values(draw: st.DrawFn) -> tuple[np.ndarray, int]:
    algorithms = draw(st.integers(2, 5))
    pairs = algorithms * (algorithms - 1) // 2
    each = st.one_of(st.floats(0, 1), st.floats(0, 0.05), st.sampled_from([0.0, 0.01, 1.0]))
    return np.array(draw(st.lists(each, min_size=pairs, max_size=pairs))), algorithms


@given(p_values())
def test_bergmann_hommel_is_the_closure_and_shaffer_lies_between_it_and_holm(
    drawn: tuple[np.ndarray, int],
) -> None:
    p, algorithms = drawn
    exact, static = bergmann_hommel(p, algorithms), static_shaffer(p, algorithms)
    dynamic = shaffer(p, algorithms)
    np.testing.assert_allclose(exact, closure(p, algorithms), rtol=1e-12)
    assert (p <= exact).all()
    assert (exact <= dynamic + 1e-12).all()
    assert (dynamic <= static + 1e-12).all()
    assert (static <= holm(p) + 1e-12).all()
    assert (holm(p) <= bonferroni(p) + 1e-12).all()


def parts_of(whole: int, most: int) -> Iterator[list[int]]:
    """The ways to write a number as a sum, largest part first."""
    if whole == 0:
        yield []
    for part in range(min(whole, most), 0, -1):
        yield from ([part, *rest] for rest in parts_of(whole - part, part))


def test_shaffer_s_recursion_counts_the_pairs_that_can_be_equal_at_once() -> None:
    assert true_counts(3) == (0, 1, 3)
    assert true_counts(4) == (0, 1, 2, 3, 6)
    assert true_counts(5) == (0, 1, 2, 3, 4, 6, 10)
    assert true_counts(6) == (0, 1, 2, 3, 4, 6, 7, 10, 15)
    for k in range(1, 11):
        sums = {sum(n * (n - 1) // 2 for n in parts) for parts in parts_of(k, k)}
        assert true_counts(k) == tuple(sorted(sums))


def test_shaffer_s_factors_of_five_algorithms() -> None:
    p = 1e-6 * np.arange(1, 11)
    np.testing.assert_allclose(
        static_shaffer(p, 5) / p, np.maximum.accumulate(p * [10, 6, 6, 6, 6, 4, 4, 3, 2, 1]) / p
    )
    growing = 10.0 ** -np.arange(12, 2, -1)
    expected = [10, 6, 6, 6, 6, 4, 4, 3, 2, 1]
    np.testing.assert_allclose(static_shaffer(growing, 5) / growing, expected)


def test_shaffer_s_p_values_are_those_of_multcomp() -> None:
    """R: summary(glht(lm(y ~ g), mcp(g = "Tukey")), test = adjusted("Shaffer")), multcomp 1.4."""
    # a-b, a-c, a-d, a-e, b-c, b-d, b-e, c-d, c-e, d-e
    p = np.array([
        0.63816134433058, 0.22689109863789, 0.09456749710322, 0.00106916788480, 0.45492867237980,
        0.22178296777063, 0.00388058398306, 0.62836248762831, 0.02527767371545, 0.07294143490518,
    ])  # fmt: skip
    theirs = [
        1.0, 0.6806732959137, 0.5674049826193, 0.0106916788480, 0.6806732959137, 0.6653489033119,
        0.0232835038983, 1.0, 0.1011106948618, 0.2917657396207,
    ]  # fmt: skip
    np.testing.assert_allclose(shaffer(p, 5), theirs, rtol=1e-9)
    assert static_shaffer(p, 5)[8] > 0.15  # 6 pairs may be equal among 8, but not among these


def test_the_algorithms_names_do_not_matter() -> None:
    rng = np.random.default_rng(1)
    pairs = list(combinations(range(6), 2))
    p = rng.choice([0.001, 0.01, 0.02, 0.3], size=15)  # with ties
    renamed = rng.permutation(6)
    where = [pairs.index(tuple(sorted((renamed[a], renamed[b])))) for a, b in pairs]
    for adjust in (shaffer, bergmann_hommel):
        np.testing.assert_allclose(adjust(p[where], 6), adjust(p, 6)[where])


def test_nine_algorithms_are_closed_and_ten_fall_back_to_shaffer_and_say_so() -> None:
    rng = np.random.default_rng(2)
    nine, ten = (rng.random(k * (k - 1) // 2) ** 4 for k in (9, 10))
    assert (bergmann_hommel(nine, 9) < shaffer(nine, 9) - 1e-9).any()
    np.testing.assert_array_equal(bergmann_hommel(ten, 10), shaffer(ten, 10))
    c = compare(made(noise(40, 10), block="dataset"), "paired-t", adjust="bergmann-hommel")
    assert "beyond 9 algorithms Shaffer's" in str(c.method.to_dict()["controls"])
    assert "shaffer" in [note.code for note in c.warnings]


def test_both_are_legal_for_joint_estimates_of_all_pairs_only() -> None:
    layout = made(noise(40, 4), block="dataset")
    by_holm = compare(layout, "paired-t", adjust="holm").table["p_adjusted"]
    for adjust in ("shaffer", "bergmann-hommel", "bergmann"):
        table = compare(layout, "paired-t", adjust=adjust).table
        assert (table["p_adjusted"] <= by_holm).all()
        assert table["lower"].isna().all()  # no intervals match a step-down procedure
        with pytest.raises(InferenceError, match="scores each pair anew"):
            compare(layout, "wilcoxon", adjust=adjust)
        with pytest.raises(InferenceError, match="need all pairs"):
            compare(layout, "paired-t", adjust=adjust, control="a")
