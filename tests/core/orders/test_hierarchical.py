"""Hierarchical and Pareto orders against their definitions."""

from __future__ import annotations

import numpy as np
import pytest
from ensembles_made import MEAN, random_orders
from relations import weak_orders

from podium import Order
from podium.core.orders import hierarchical, pareto
from podium.errors import InferenceError


def test_the_sequence_matters():
    assert hierarchical("a ≻ b", "b ≻ a").text == "a ≻ b"
    assert hierarchical("b ≻ a", "a ≻ b").text == "b ≻ a"


def test_of_weak_orders_it_is_the_lexicographic_weak_order():
    rng = np.random.default_rng(1)
    ranks = rng.integers(0, 3, (3, 7))
    order = hierarchical(*(Order.from_ranks("abcdefg", row) for row in ranks))
    expected = np.unique(ranks.T, axis=0, return_inverse=True)[1].ravel()
    assert order == Order.from_ranks("abcdefg", expected)


def test_breaking_ties_of_weak_orders_keeps_a_weak_order():
    orders = weak_orders(3)
    assert all(hierarchical(a, b).axioms["strict weak order"] for a in orders for b in orders)


def test_where_alike_is_not_transitive_a_circle_is_possible_and_told():
    first = Order.from_matrix("abc", [[0, 1, 0], [0, 0, 0], [0, 0, 0]])
    assert hierarchical(first, "b ≻ c ≻ a").cycles == [["a", "b", "c"]]


def test_pareto_is_at_least_as_good_in_all_and_better_in_one():
    rng = np.random.default_rng(2)
    scores = rng.integers(0, 4, (2, 8))
    order = pareto(*(Order.from_ranks("abcdefgh", -row) for row in scores))
    for i, j in np.ndindex(8, 8):
        no_worse = (scores[:, i] >= scores[:, j]).all()
        assert order.better[i, j] == (no_worse and (scores[:, i] > scores[:, j]).any())
    assert order.axioms["strict partial order"]


def test_pareto_lies_within_every_hierarchical_order():
    orders = random_orders(np.random.default_rng(3), 6, 3, "tied")
    assert not (pareto(*orders).better & ~hierarchical(*orders).better).any()
    assert not (pareto(*orders).better & ~hierarchical(*orders[::-1]).better).any()


def test_one_order_stays_as_it_is():
    assert hierarchical(MEAN) == pareto(MEAN)
    assert hierarchical(MEAN).text == MEAN


@pytest.mark.parametrize("function", [hierarchical, pareto])
def test_no_orders_and_different_algorithms_are_refused(function):
    with pytest.raises(InferenceError, match="needs at least one order"):
        function()
    with pytest.raises(InferenceError, match="not of the same algorithms"):
        function("a ≻ b", "a ≻ c")
