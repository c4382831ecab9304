"""Maximal sets of ≈ algorithms and compact letters."""

from __future__ import annotations

from itertools import chain, combinations

import numpy as np
import pytest
from hypothesis import given
from relations import order_of, random_relation, relations

from podium import Order
from podium import order as parse_order
from podium.core.orders.relations import alike, covering_cliques
from podium.errors import InferenceError


def by_enumeration(order: Order) -> set[frozenset[str]]:
    """Maximal sets of mutually ≈ algorithms among all subsets."""
    n = len(order.algorithms)
    subsets = chain.from_iterable(combinations(range(n), size) for size in range(1, n + 1))
    sets = [set(s) for s in subsets if not order.better[np.ix_(s, s)].any()]
    maximal = [s for s in sets if not any(s < other for other in sets)]
    return {frozenset(order.algorithms[i] for i in s) for s in maximal}


@given(relations(largest=7))
def test_cliques_are_all_maximal_sets(order):
    assert {frozenset(clique) for clique in order.cliques} == by_enumeration(order)


@given(relations())
def test_two_algorithms_share_a_letter_iff_they_are_alike(order):
    letters = order.letters()
    same = alike(order.better)
    for i, a in enumerate(order.algorithms):
        assert letters[a]
        for j, b in enumerate(order.algorithms):
            assert bool(set(letters[a]) & set(letters[b])) == same[i, j]


@given(relations())
def test_letters_are_maximal_sets_and_not_more_than_there_are(order):
    letters = order.letters()
    sets = {
        frozenset(name for name in letters if letter in letters[name])
        for letter in set("".join(letters.values()))
    }
    assert sets <= {frozenset(clique) for clique in order.cliques}


@given(relations())
def test_letters_go_from_the_best_and_leave_no_gap(order):
    words = list(order.letters().values())
    assert words[0].startswith("a")
    seen = "".join(dict.fromkeys("".join(words)))
    assert sorted(seen) == [chr(ord("a") + i) for i in range(len(seen))]
    assert all(list(word) == sorted(word) for word in words)
    starts = [next(i for i, word in enumerate(words) if letter in word) for letter in sorted(seen)]
    assert starts == sorted(starts)


def test_letters_of_a_weak_order_are_its_layers():
    order = parse_order("svm ≈ rpart ≻ nnet ≻ lda ≈ knn ≈ nb")
    letters = {"svm": "a", "rpart": "a", "nnet": "b", "lda": "c", "knn": "c", "nb": "c"}
    assert order.letters() == letters
    assert order.cliques == order.groups


def test_alike_that_is_not_transitive_gives_several_letters():
    order = order_of(3, "ac")
    assert order.letters() == {"a": "a", "b": "ab", "c": "b"}
    assert order.cliques == [["a", "b"], ["b", "c"]]


def test_critical_differences_give_their_overlapping_bars():
    place = np.array([1.0, 1.6, 2.1, 3.0, 3.2])  # a critical difference of 1.2
    order = Order(tuple("abcde"), place[None, :] - place[:, None] > 1.2)
    assert order.cliques == [["a", "b", "c"], ["c", "d", "e"]]
    assert order.letters() == {"a": "a", "b": "a", "c": "ab", "d": "b", "e": "b"}


def test_letters_of_interval_orders_are_all_maximal_sets():
    place = np.sort(np.random.default_rng(5).random(40))
    order = Order(tuple(f"a{i:02}" for i in range(40)), place[None, :] - place[:, None] > 0.15)
    assert len(set("".join(order.letters().values()))) == len(order.cliques) > 10


def test_superfluous_sets_get_no_letter():
    # a triangle with a further triangle on each side: the three outer ones hold all pairs
    sides = ["abd", "bce", "acf"]
    same = np.eye(6, dtype=bool)
    for side in sides:
        places = ["abcdef".index(c) for c in side]
        same[np.ix_(places, places)] = True
    order = Order(tuple("abcdef"), np.triu(~same))
    assert {"".join(sorted(c)) for c in order.cliques} == {"abc", *sides}
    assert len(set("".join(order.letters().values()))) == 3


def test_seventeen_triples_have_too_many_maximal_sets_but_few_letters():
    better = np.kron(np.eye(17, dtype=bool), np.triu(np.ones((3, 3), dtype=bool), 1))
    order = Order(tuple(f"a{i}" for i in range(51)), better)  # 3^17 maximal sets
    with pytest.raises(InferenceError, match=r"51 algorithms has more than 100000 maximal sets; "):
        _ = order.cliques
    letters = order.letters()
    same = alike(order.better)
    for i, j in combinations(range(51), 2):
        shared = set(letters[f"a{i}"]) & set(letters[f"a{j}"])
        assert bool(shared) == same[i, j]
    assert len(set("".join(letters.values()))) < 60


@pytest.mark.parametrize("share", [0.3, 0.5, 2 / 3, 0.9])
def test_fifty_algorithms_have_letters_and_cliques(share):
    order = random_relation(50, share, seed=7)
    letters, _ = order.letters(), order.cliques
    _ = order.text, order.axioms, order.cycles, hash(order), order.violations("transitive")
    same = alike(order.better)
    for i, j in combinations(range(50), 2):
        a, b = order.algorithms[i], order.algorithms[j]
        assert bool(set(letters[a]) & set(letters[b])) == same[i, j]


def test_a_thousand_alike_algorithms_are_one_set():
    same = np.ones((1000, 1000), dtype=bool)
    assert covering_cliques(same) == [tuple(range(1000))]
    assert len(Order.from_ranks([f"a{i}" for i in range(1000)], [1] * 1000).cliques) == 1
