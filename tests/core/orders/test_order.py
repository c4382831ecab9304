"""Orders as values: what is refused, equality, and orders made from others."""

from __future__ import annotations

import copy
import math
import pickle
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from relations import all_relations, order_of, relations

from podium import Order
from podium import order as parse_order
from podium.errors import InferenceError

NOTHING = np.zeros((2, 2), dtype=bool)


@pytest.mark.parametrize(
    ("names", "better", "message"),
    [
        ((), np.zeros((0, 0)), "An order needs at least one algorithm."),
        (("a", "a"), NOTHING, "The algorithm 'a' is named twice in an order."),
        (
            ("a", ""),
            NOTHING,
            "An algorithm of an order is named by a text that is not empty, not ''.",
        ),
        (
            ("a", 1),
            NOTHING,
            "An algorithm of an order is named by a text that is not empty, not 1.",
        ),
        (
            ("a", "b", "c"),
            NOTHING,
            "The relation of 3 algorithms is a 3 x 3 matrix, not one of shape (2, 2).",
        ),
        (
            ("a", "b"),
            [[0, 1], [1, 0]],
            "The algorithms 'a' and 'b' are each better than the other.",
        ),
        (("a", "b"), [[0, 0], [0, 1]], "The algorithm 'b' is better than itself."),
        (
            ("a", "b"),
            [[0, 0.5], [0, 0]],
            "The matrix of a relation holds only true and false, or 1 and 0.",
        ),
        (
            ("a", "b"),
            [[0, math.nan], [0, 0]],
            "The matrix of a relation holds only true and false, or 1 and 0.",
        ),
    ],
)
def test_contradictions_are_refused(names, better, message):
    with pytest.raises(InferenceError) as error:
        Order(names, better)
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"means": [1.0]}, "An order of 2 algorithms needs 2 means, not 1 of them."),
        ({"means": ["x", "y"]}, "The means of an order are numbers, not ['x', 'y']."),
        ({"uncompared": [("a", "c")]}, "'c' is not an algorithm of this order. Known: a, b."),
        (
            {"uncompared": [("b", "a")]},
            "The algorithms 'b' and 'a' cannot be uncompared: one is better than the other.",
        ),
        (
            {"uncompared": [("a", "a")]},
            "The algorithms 'a' and 'a' cannot be uncompared: they are one.",
        ),
        (
            {"arrangement": [["b"], ["a"]]},
            "The algorithm 'a' is better than 'b' and must be in an earlier layer.",
        ),
        (
            {"arrangement": [["a", "b"]]},
            "The algorithm 'a' is better than 'b' and must be in an earlier layer.",
        ),
        ({"arrangement": [["a"]]}, "The layers of an order must hold each of its algorithms once."),
        (
            {"arrangement": [["a"], [], ["b"]]},
            "The layers of an order must hold each of its algorithms once.",
        ),
    ],
)
def test_what_does_not_fit_the_relation_is_refused(more, message):
    with pytest.raises(InferenceError) as error:
        Order(("a", "b"), [[0, 1], [0, 0]], **more)
    assert str(error.value) == message


def test_an_order_cannot_be_changed():
    matrix = np.array([[False, True], [False, False]])
    order = Order(("a", "b"), matrix)
    matrix[0, 1] = False
    assert order.text == "a ≻ b"
    with pytest.raises(ValueError, match="read-only"):
        order.better[0, 1] = False
    with pytest.raises(FrozenInstanceError):
        order.algorithms = ("b", "a")


def test_a_copy_is_equal_and_cannot_be_changed():
    order = parse_order("b ≈ a ≿ c")
    for other in (pickle.loads(pickle.dumps(order)), copy.deepcopy(order)):
        assert other == order
        assert other.text == order.text
        assert not other.better.flags.writeable


def test_ties_are_printed_by_mean_then_name():
    names, none = ("d", "c", "b", "a"), np.zeros((4, 4))
    assert Order(names, none).text == "a ≈ b ≈ c ≈ d"
    assert Order(names, none, (1, 3, 2, 2)).text == "c ≈ a ≈ b ≈ d"
    assert Order(names, none, (math.nan, -1, -2, -math.inf)).text == "c ≈ b ≈ a ≈ d"


def test_means_do_not_make_an_order_another_one():
    matrix = [[0, 1, 0], [0, 0, 0], [0, 0, 0]]
    assert Order(tuple("abc"), matrix, (3, 2, 1)) == Order(tuple("abc"), matrix, (1, 2, 3))


@given(relations(), st.randoms(use_true_random=False))
def test_equality_and_hash_do_not_depend_on_the_order_of_names(order, random):
    names = list(order.algorithms)
    random.shuffle(names)
    again = order.restricted(names)
    assert again == order
    assert hash(again) == hash(order)
    assert again.text == order.text


def test_different_relations_differ():
    orders = all_relations(3)
    assert len(set(orders)) == len(orders) == 27
    assert parse_order("a ≻ b") != parse_order("a ≻ c")
    assert parse_order("a ≻ b") != "a ≻ b"


def test_le_is_the_complement_of_being_worse():
    order = parse_order("a ≈ b ≻ c")
    assert order.relation_le.tolist() == [[True] * 3, [True] * 3, [False, False, True]]


@given(relations())
def test_le_holds_better_and_alike(order):
    both = order.relation_le & order.relation_le.T
    assert (order.better == (order.relation_le & ~both)).all()


def test_ranks_give_a_weak_order():
    order = Order.from_ranks(["c", "b", "a", "d"], [2.5, 1, 2.5, 4])
    assert order.text == "b ≻ a ≈ c ≻ d"


@given(relations())
def test_levels_are_ranks_of_an_order_with_the_same_layers(order):
    levels = order.levels()
    weak = Order.from_ranks(list(levels), list(levels.values()))
    assert weak.groups == order.groups


@pytest.mark.parametrize("ranks", [[1, math.nan], [1], [1, None], ["x", 1]])
def test_ranks_that_are_missing_or_no_numbers_are_refused(ranks):
    with pytest.raises(InferenceError, match="ranks"):
        Order.from_ranks(["a", "b"], ranks)


def test_a_matrix_of_ones_gives_an_order():
    order = Order.from_matrix(["a", "b", "c"], [[0, 1, 1], [0, 0, 1], [0, 0, 0]])
    assert order.text == "a ≻ b ≻ c"
    assert order.better.dtype == bool


def test_a_restricted_order_keeps_pairs_means_and_layers():
    order = parse_order("a ≈ b ≿ c ≻ d ≈ e")
    assert order.restricted(["e", "b", "c"]).text == "b ≿ c ≻ e"
    assert order.restricted("d").text == "d"
    named = Order(("a", "b", "c"), np.zeros((3, 3)), (1, 2, 3), frozenset({("a", "b"), ("a", "c")}))
    part = named.restricted(["c", "a"])
    assert part.text == "c ∥ a"
    assert part.uncompared == {("c", "a")}


def test_a_relation_without_its_middle_can_be_weak():
    assert order_of(3, "ac").restricted(["a", "c"]).text == "a ≻ c"
    assert order_of(3, "ac").restricted(["b", "c"]).text == "b ≈ c"


def test_an_unknown_name_cannot_be_kept():
    with pytest.raises(InferenceError, match=r"'rpar' is not an algorithm of this order\. Did"):
        parse_order("svm ≻ rpart").restricted(["svm", "rpar"])


@given(relations())
def test_reversing_twice_gives_the_order_again(order):
    assert order.reversed().reversed() == order
    assert (order.reversed().better == order.better.T).all()


def test_the_reversed_order_has_the_worst_first():
    assert parse_order("a ≈ b ≻ c ≿ d").reversed().text == "d ≿ c ≻ b ≈ a"
    order = Order(("a", "b", "c"), [[0, 0, 1], [0, 0, 1], [0, 0, 0]], (1, 2, 0))
    assert order.text == "b ≈ a ≻ c"
    assert order.reversed().text == "c ≻ a ≈ b"
