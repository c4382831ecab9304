"""Axioms against their definitions, and the violations that are named."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from relations import all_relations, order_of, random_relation, relations, weak_orders

from podium import order as parse_order
from podium.errors import UnknownName


def defined(order) -> dict[str, bool]:
    """The axioms as a textbook has them, by quantifiers."""
    b, n = order.better, range(len(order.algorithms))

    def same(i, j):
        return not b[i, j] and not b[j, i]

    triples = [(i, j, k) for i in n for j in n for k in n]
    found = {
        "irreflexive": all(not b[i, i] for i in n),
        "asymmetric": all(not (b[i, j] and b[j, i]) for i in n for j in n),
        "transitive": all(b[i, k] or not (b[i, j] and b[j, k]) for i, j, k in triples),
        "negatively transitive": all(not b[i, k] or b[i, j] or b[j, k] for i, j, k in triples),
        "complete": all(b[i, j] or b[j, i] for i, j in permutations(n, 2)),
        "indifference transitive": all(
            same(i, k) or not (same(i, j) and same(j, k)) for i, j, k in triples
        ),
    }
    partial = found["irreflexive"] and found["transitive"]
    return found | {
        "strict partial order": partial,
        "strict weak order": found["asymmetric"] and found["negatively transitive"],
        "linear": partial and found["complete"],
    }


@given(relations(largest=6))
def test_axioms_are_what_their_definitions_say(order):
    assert order.axioms == defined(order)


def test_axioms_of_all_relations_of_three_and_four():
    # labelled strict partial, weak and linear orders: 19, 13, 6 and 219, 75, 24
    for size, numbers in ((3, (19, 13, 6)), (4, (219, 75, 24))):
        axioms = [order.axioms for order in all_relations(size)]
        kinds = ("strict partial order", "strict weak order", "linear")
        assert tuple(sum(a[kind] for a in axioms) for kind in kinds) == numbers


@given(relations())
def test_weak_is_partial_with_transitive_indifference(order):
    axioms = order.axioms
    both = axioms["strict partial order"] and axioms["indifference transitive"]
    assert axioms["strict weak order"] == both


def test_orders_made_from_ranks_are_weak():
    assert all(order.axioms["strict weak order"] for order in weak_orders(4))


def test_violations_name_the_algorithms():
    order = order_of(3, "ac")
    assert order.violations("transitive") == []
    assert order.violations("negatively transitive") == [("a", "b", "c")]
    assert order.violations("indifference transitive") == [("a", "b", "c")]
    assert order.violations("complete") == [("a", "b"), ("b", "c")]
    assert order.violations("strict weak order") == [("a", "b", "c")]
    assert order.violations("linear") == [("a", "b"), ("b", "c")]


def test_a_cycle_breaks_transitivity_three_times():
    order = order_of(3, "ab", "bc", "ca")
    assert order.violations("transitive") == [("a", "b", "c"), ("b", "c", "a"), ("c", "a", "b")]
    assert order.violation_counts["transitive"] == 3


def test_the_first_twenty_violations_are_named_and_all_are_counted():
    order = random_relation(20, 0.5, seed=3)
    n = range(20)
    b = order.better
    broken = sum(b[i, j] and b[j, k] and not b[i, k] for i in n for j in n for k in n)
    assert order.violation_counts["transitive"] == broken > 20
    assert len(order.violations("transitive")) == 20
    assert len(order.violations("transitive", limit=broken + 1)) == broken


@given(relations())
def test_violations_and_axioms_agree(order):
    for axiom, holds in order.axioms.items():
        assert holds == (order.violations(axiom) == [])


def test_an_unknown_axiom_is_refused():
    with pytest.raises(UnknownName, match="Did you mean 'transitive'"):
        parse_order("a ≻ b").violations("transitve")
