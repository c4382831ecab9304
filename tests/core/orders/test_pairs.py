"""Orders as tables of pairs, and what becomes of pairs that an order does not compare."""

from __future__ import annotations

from io import StringIO
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from relations import all_relations, named_weak_orders, order_of, relations

from podium import Order, consensus
from podium import order as parse_order
from podium.core.orders import distance, hierarchical, pareto
from podium.core.orders.distances import DISTANCES
from podium.errors import InferenceError


def again(order: Order) -> Order:
    """An order written as a CSV file and read from it."""
    text = order.pairs_table().to_csv(index=False)
    return Order.from_pairs(pd.read_csv(StringIO(text), dtype=str, keep_default_na=False))


def against(control: str, text: str) -> Order:
    """The order of a text in which only the pairs with a control are compared."""
    order = parse_order(text)
    table = order.pairs_table()
    return Order.from_pairs(table[(table["first"] == control) | (table["second"] == control)])


def test_every_relation_of_three_comes_back_with_its_cycles():
    orders = all_relations(3)
    assert [again(order) for order in orders] == orders
    assert sum(bool(order.cycles) for order in orders) == 2
    assert not any(again(order).uncompared for order in orders)


@given(relations())
def test_a_text_with_mixed_joints_comes_back_with_its_layers_and_open_pairs(order):
    text = parse_order(order.text)
    if len(text.algorithms) > 1 and text.leaves_open:
        assert again(text) == text
        assert again(text).text == text.text
        pairs = [{frozenset(pair) for pair in o.uncompared} for o in (again(text), text)]
        assert pairs[0] == pairs[1]


@given(named_weak_orders())
def test_orders_of_odd_names_come_back_from_a_table(order):
    if len(order.algorithms) > 1:
        assert Order.from_pairs(order.pairs_table()) == order


def test_the_table_keeps_the_significant_pairs_that_a_text_loses():
    order = order_of(3, "ac")
    assert order.text == "a ≈ b ≿ c"
    assert order.pairs_table()["sign"].tolist() == ["≈", "≻", "≈"]
    assert parse_order(order.text).pairs_table()["sign"].tolist() == ["≈", "≿", "≿"]
    assert consensus([again(order)], family="strict").order == order
    assert again(order) == order != parse_order(order.text)


def test_signs_in_ascii_are_read_and_pairs_without_a_row_are_not_compared():
    table = pd.DataFrame({"first": list("aab"), "second": list("bcd"), "sign": ["~", "<", ">"]})
    order = Order.from_pairs(table)
    assert order.uncompared == {("a", "d"), ("b", "c"), ("c", "d")}
    assert np.argwhere(order.better).tolist() == [[0, 2], [3, 1]]
    assert sorted(order.pairs_table()["sign"]) == ["?", "?", "?", "≈", "≻", "≻"]
    assert again(order) == order
    assert Order.from_pairs(table[:0], ["svm"]).text == "svm"


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([("a", "b", "<<")], "'<<' is not a sign of a pair."),
        ([("a", "a", "≻")], "The algorithm 'a' is compared with itself."),
        ([("a", "b", "≻"), ("b", "a", "≻")], "'b' and 'a' are compared more than once"),
        ([("a", "b", "≿"), ("b", "c", "≻")], "make no layers"),
        ([("a", np.nan, "≻")], "named by a text that is not empty, not nan"),
        ([], "An order needs at least one algorithm."),
    ],
)
def test_a_table_that_is_no_order_is_refused(rows, message):
    with pytest.raises(InferenceError, match=r"^[^\n]*$") as error:
        Order.from_pairs(pd.DataFrame(rows, columns=["first", "second", "sign"]))
    assert message in str(error.value)


def test_a_table_without_signs_is_refused():
    with pytest.raises(InferenceError, match="lacks the column 'sign'; it needs first, second"):
        Order.from_pairs(pd.DataFrame({"first": ["a"], "second": ["b"]}))


# -- what is not compared is no tie ---------------------------------------------------------


@pytest.mark.parametrize("family", ["linear", "weak", "partial", "strict"])
def test_an_order_votes_as_the_orders_of_its_compared_pairs_do(family):
    some = against("b", "a ≻ b ≈ c ≻ d")
    pieces = [some.restricted(pair) for pair in combinations("abcd", 2)]
    pieces = [piece for piece in pieces if not piece.uncompared]
    assert len(pieces) == 3
    whole = consensus([some, "d ≻ c ≻ a ≻ b"], [2, 1], family)
    apart = consensus(["d ≻ c ≻ a ≻ b", *pieces], [1, 2, 2, 2], family, on="union")
    assert whole.value == apart.value
    assert set(whole.orders) == set(apart.orders)


def test_pairs_across_a_mixed_joint_have_no_vote_and_the_consensus_says_so():
    found = consensus(["a ≈ b ≿ c", "c ≻ a ≻ b"], family="linear")
    assert (found.order.text, found.value) == ("c ≻ a ≻ b", 1)  # a ≈ b against a < b
    assert [note.code for note in found.notes] == ["no-vote"]
    assert "(all those across a ≿ in a text): 2." in repr(found)
    assert found.to_dict()["warnings"][0]["code"] == "no-vote"
    alone = consensus(["a ≈ b ≿ c"])
    assert {order.text for order in alone.orders} == {"a ≈ b ≈ c", "a ≈ b ≻ c", "c ≻ a ≈ b"}
    assert "On 2 of them none has" in alone._repr_html_()
    assert consensus(["a ≻ b"]).notes == ()


def test_incomparable_pairs_of_a_partial_consensus_are_told_to_be_no_tie():
    found = consensus(["a ≻ b", "b ≻ a"], family="partial")
    assert found.orders[0].uncompared == {("a", "b")}
    assert "incomparable, which is no tie" in repr(found)
    assert consensus(["a ≻ b"], family="partial").notes == ()


@pytest.mark.parametrize(
    ("call", "what"),
    [(hierarchical, "hierarchical order"), (pareto, "Pareto order"), (distance, "distance")],
)
def test_a_text_with_mixed_joints_is_refused_where_its_pairs_would_count(call, what):
    with pytest.raises(InferenceError) as error:
        call("a ≈ b ≿ c", "c ≻ a ≻ b")
    assert str(error.value) == (
        "The text 'a ≈ b ≿ c' does not say whether 'a' and 'c' differ significantly (≿), so there "
        f"is no {what}: take the order itself, or its table of pairs (order.pairs_table(), "
        "Order.from_pairs)."
    )


def test_no_later_order_decides_a_pair_that_an_earlier_one_did_not_compare():
    some = against("b", "a ≈ b ≈ c")
    found = hierarchical(some, "c ≻ b ≻ a")
    assert found.uncompared == {("a", "c")}
    assert found == Order.from_matrix("abc", [[0, 0, 0], [1, 0, 0], [0, 1, 0]])
    later = hierarchical("c ≻ a ≈ b", some)
    assert (later.text, later.uncompared) == ("c ≻ a ≈ b", frozenset())


def test_pareto_knows_nothing_of_pairs_unless_the_other_orders_contradict_each_other():
    some = against("b", "a ≻ b ≻ c")
    assert pareto(some, "a ≻ b ≻ c").uncompared == {("a", "c")}
    assert pareto(some, "a ≻ b ≻ c").better.sum() == 2
    assert pareto(some, "a ≻ b ≻ c", "c ≻ b ≻ a").uncompared == frozenset()


def test_pairs_that_no_order_compares_add_no_distance_and_others_are_refused():
    one, other = against("b", "a ≻ b ≻ c ≻ d"), against("b", "b ≈ a ≻ d ≻ c")
    assert distance(one, other) == 1
    with pytest.raises(InferenceError, match="Not all orders compare 'a' and 'c', which are no"):
        distance(one, "a ≻ b ≻ c ≻ d")
    for kind in DISTANCES:
        if kind.startswith("cook"):
            with pytest.raises(InferenceError, match=r", or use 'symmetric-difference'\.$"):
                distance(one, other, kind)
