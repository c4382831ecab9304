"""Layers, joints, closure, Hasse diagram and cycles of relations."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from relations import all_relations, order_of, random_relation, relations

from podium import Order
from podium import order as parse_order
from podium.core.orders.relations import closure
from podium.errors import InferenceError


def peeled(order: Order) -> list[set[str]]:
    """Layers by the definition: take away who is not dominated, again and again."""
    left, found = set(range(len(order.algorithms))), []
    while left:
        layer = {j for j in left if not any(order.better[i, j] for i in left)}
        if not layer:
            raise ValueError("a cycle")
        found.append({order.algorithms[j] for j in layer})
        left -= layer
    return found


def reached(order: Order) -> set[tuple[int, int]]:
    """The closure by walking along the pairs."""
    pairs = {(int(i), int(j)) for i, j in np.argwhere(order.better)}
    while more := {(a, d) for a, b in pairs for c, d in pairs if b == c} - pairs:
        pairs |= more
    return pairs


@given(relations())
def test_layers_are_successive_undominated_sets(order):
    if not order.cycles:
        assert [set(group) for group in order.groups] == peeled(order)


@given(relations())
def test_members_of_a_layer_are_alike_unless_they_are_on_a_cycle(order):
    together = {frozenset((a, b)) for circle in order.cycles for a in circle for b in circle}
    place = {name: i for i, name in enumerate(order.algorithms)}
    for group in order.groups:
        for a in group:
            for b in group:
                assert not order.better[place[a], place[b]] or frozenset((a, b)) in together


@given(relations())
def test_no_algorithm_is_better_than_one_of_an_earlier_layer(order):
    level = order.levels()
    for i, j in np.argwhere(order.better):
        assert level[order.algorithms[i]] <= level[order.algorithms[j]]


@given(relations())
def test_the_text_claims_no_pair_that_is_not_in_the_relation(order):
    read = parse_order(order.text)
    for i, j in np.argwhere(read.better):
        a, b = (order.algorithms.index(read.algorithms[k]) for k in (i, j))
        assert order.better[a, b]


@given(relations())
def test_a_transitive_relation_has_a_strict_joint_iff_all_neighbouring_pairs_are_significant(order):
    if not order.axioms["transitive"]:
        return
    place = {name: i for i, name in enumerate(order.algorithms)}
    groups = [[place[name] for name in group] for group in order.groups]
    full = [bool(order.better[np.ix_(a, b)].all()) for a, b in pairwise(groups)]
    assert [joint == "≻" for joint in order.joints] == full


def test_the_joints_are_as_few_as_can_be():
    for order in all_relations(4):
        if order.cycles:
            continue
        cuts = order.joints.count("≿")
        assert cuts == fewest_cuts(order)


def fewest_cuts(order: Order) -> int:
    """By trying all ways to cut the layers into chains in which all pairs are significant."""
    groups = [[order.algorithms.index(name) for name in group] for group in order.groups]

    def full(layers: list[list[int]]) -> bool:
        return all(
            order.better[np.ix_(layers[i], layers[j])].all()
            for j in range(len(layers))
            for i in range(j)
        )

    def cuts(start: int) -> int:
        ends = [e for e in range(start + 1, len(groups) + 1) if full(groups[start:e])]
        return min(0 if e == len(groups) else 1 + cuts(e) for e in ends)

    return cuts(0)


def test_alike_that_is_not_transitive_prints_a_mixed_joint():
    order = order_of(3, "ac")  # a ≈ b ≈ c, a < c
    assert order.text == "a ≈ b ≿ c"
    assert order.ascii == "a ~ b >~ c"
    assert order.groups == [["a", "b"], ["c"]]
    assert order.winners == ["a", "b"]
    assert order.levels() == {"a": 1, "b": 1, "c": 2}


def test_a_chain_that_is_not_transitive_is_broken():
    assert order_of(3, "ab", "bc").text == "a ≻ b ≿ c"  # a < b < c would claim a < c
    assert order_of(3, "ab", "bc", "ac").text == "a ≻ b ≻ c"


def test_a_mixed_joint_does_not_weaken_the_joints_behind_it():
    assert order_of(4, "ac", "ad", "cd").text == "a ≈ b ≿ c ≻ d"  # says nothing of b and d


def test_a_cycle_is_one_layer_and_is_named():
    order = order_of(5, "ab", "bc", "ca", "ad", "bd", "cd", "de", "ae", "be", "ce")
    assert order.text == "a ≈ b ≈ c ≻ d ≻ e"
    assert order.cycles == [["a", "b", "c"]]
    assert order.axioms["transitive"] is False


def test_two_cycles_are_told_apart_and_cycles_that_meet_are_one():
    two = order_of(6, "ab", "bc", "ca", "de", "ef", "fd")
    assert two.cycles == [["a", "b", "c"], ["d", "e", "f"]]
    assert two.groups == [["a", "b", "c", "d", "e", "f"]]
    assert order_of(5, "ab", "bc", "ca", "cd", "de", "ec").cycles == [["a", "b", "c", "d", "e"]]


def test_who_is_worse_than_one_of_a_cycle_comes_after_all_of_it():
    assert order_of(4, "ab", "bc", "ca", "ad").text == "a ≈ b ≈ c ≿ d"


def test_a_relation_without_cycles_has_none():
    assert order_of(3, "ab", "bc").cycles == []


@given(relations())
def test_closure_is_what_can_be_reached(order):
    assert {(int(i), int(j)) for i, j in np.argwhere(closure(order.better))} == reached(order)


@given(relations())
def test_hasse_has_the_same_closure_and_no_pair_too_many(order):
    if order.cycles:
        return
    pairs = ["".join(pair) for pair in order.hasse()]
    size = len(order.algorithms)
    assert order_of(size, *pairs).closure() == order.closure()
    for k in range(len(pairs)):
        fewer = order_of(size, *pairs[:k], *pairs[k + 1 :])
        assert fewer.closure() != order.closure()


def test_hasse_of_a_linear_order_is_the_chain():
    assert parse_order("c ≻ a ≻ b").hasse() == [("c", "a"), ("a", "b")]


@pytest.mark.parametrize("what", ["closure", "hasse"])
def test_a_cycle_has_neither_closure_nor_hasse_diagram(what):
    with pytest.raises(InferenceError, match=r"with a cycle has no .*: a, b, c come before each"):
        getattr(order_of(3, "ab", "bc", "ca"), what)()


def test_closure_of_a_transitive_order_is_itself():
    order = parse_order("a ≈ b ≻ c ≻ d")
    assert order.closure() == order


def test_closure_makes_known_what_was_uncompared():
    better = order_of(3, "ab", "bc").better
    order = Order(("a", "b", "c"), better, uncompared=frozenset({("a", "c")}))
    assert order.closure().uncompared == frozenset()
    assert order.closure().text == "a ≻ b ≻ c"


def test_a_large_relation_has_as_many_levels_as_its_longest_chain():
    better = np.triu(random_relation(50, 0.3, seed=1).better)
    order = Order(tuple(f"a{i}" for i in range(50)), better)
    longest = np.ones(50, dtype=int)
    for j in range(50):
        longest[j] = 1 + max((longest[i] for i in range(j) if better[i, j]), default=0)
    assert [order.levels()[name] for name in order.algorithms] == longest.tolist()


def test_layers_follow_the_means_as_far_as_the_relation_allows() -> None:
    # k-nn varies so much that nobody is shown to be better, though its mean is the lowest
    names, means = ("c4.5", "cn2", "k-nn", "rf"), (0.80, 0.729, 0.679, 0.85)
    better = np.zeros((4, 4), dtype=bool)
    better[[0, 3], 1] = True
    order = Order(names, better, means)
    assert order.text == "rf ≈ c4.5 ≿ cn2 ≈ k-nn"
    assert order.winners == ["rf", "c4.5", "k-nn"]  # none is shown to be better than these
    assert order == Order(names, better)  # means are for reading
    turned = better.copy()
    turned[2, 3] = True  # against the means: the relation counts
    printed = [name for group in Order(names, turned, means).groups for name in group]
    assert printed.index("k-nn") < printed.index("rf")


def test_the_members_of_a_cycle_stay_in_one_layer_with_means() -> None:
    better = np.zeros((4, 4), dtype=bool)
    better[0, 1] = better[1, 2] = better[2, 0] = better[2, 3] = True
    order = Order(("a", "b", "c", "d"), better, (0.4, 0.3, 0.2, 0.9))
    assert [sorted(group) for group in order.groups] == [["a", "b", "c"], ["d"]]


@given(st.integers(0, 10_000), st.integers(1, 7))
def test_no_layer_stands_before_one_that_is_better(seed: int, count: int) -> None:
    rng = np.random.default_rng(seed)
    means = rng.normal(size=count)
    better = (means[:, None] > means) & (rng.random((count, count)) < 0.4)
    order = Order(tuple("abcdefg"[:count]), better, tuple(means))
    printed = [order.algorithms.index(name) for group in order.groups for name in group]
    assert list(means[printed]) == sorted(means, reverse=True)  # the best first, without exception
    for group in order.groups:
        places = [order.algorithms.index(name) for name in group]
        assert not better[np.ix_(places, places)].any()
