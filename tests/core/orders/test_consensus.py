"""Consensus against R, complete enumeration and eugster2008, and what is refused."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from itertools import pairwise

import numpy as np
import pytest
from ensembles_made import (
    MEAN,
    TIME,
    WORST,
    brute_force,
    members,
    random_orders,
    random_weights,
    ranked,
    read_orders,
    reference,
    trend,
)

from podium import Order, consensus
from podium import order as parse_order
from podium.core.orders import consensus as module
from podium.core.orders import distance
from podium.core.orders.consensus import FAMILIES
from podium.errors import InferenceError, UnknownName

WITH_R = ["K4_R5_lin", "K5_R7_tied", "K5_R4_tied", "K6_R3_lin", "K6_R21_lin", "K6_R21_tied"]
ROUTES = {"subsets": {None: 12, True: 9}, "programs": {}}


@pytest.fixture(params=ROUTES)
def route(request, monkeypatch):
    """Small parts by subsets as usual, or by linear programs and search."""
    monkeypatch.setattr(module, "LARGEST", ROUTES[request.param])


# -- against R and eugster2008 --------------------------------------------------------------


@pytest.mark.parametrize("name", WITH_R)
@pytest.mark.parametrize("family", ["linear", "weak"])
def test_all_optima_are_those_of_r(name, family, route):
    found = consensus(read_orders(name), family=family)
    expected = reference("consensus.json")[name][family]
    assert found.value == expected["value"]
    assert set(found.orders) == set(map(ranked, expected["rankings"]))
    assert len(found.orders) == expected["n_optima"]
    assert found.optimal
    assert found.gap == 0
    assert not found.capped


@pytest.mark.parametrize(
    ("name", "orders", "weights"),
    [
        ("eugster_mw", [MEAN, WORST], None),
        ("eugster_mwc", [MEAN, WORST, TIME], None),
        ("eugster_mwc_weighted", [MEAN, WORST, TIME], [1, 1.2, 1]),
    ],
)
def test_the_linear_consensus_of_eugster2008(name, orders, weights, route):
    found = consensus(orders, weights, family="linear")
    expected = reference("consensus.json")[name]
    assert found.value == expected["value"]
    assert set(found.orders) == set(map(ranked, expected["rankings"]))


@pytest.mark.parametrize("name", WITH_R)
def test_borda_gives_the_order_that_r_calls_copeland(name):
    # relations: "Copeland" adds won less lost within each order, which is Borda with mean ranks;
    # its "Borda" counts ties as won, and is the same where there are none
    expected = reference("consensus.json")[name]
    order = consensus(read_orders(name), method="borda").order
    assert order == ranked(expected["copeland_ranks"])
    if name.endswith("lin"):
        assert order == ranked({a: -score for a, score in expected["borda"].items()})


# -- against complete enumeration -----------------------------------------------------------


@pytest.mark.parametrize(
    ("family", "size", "number"),
    [("linear", 4, 24), ("weak", 4, 75), ("weak", 5, 541), ("partial", 4, 219), ("strict", 4, 219)],
)
def test_the_families_have_as_many_members_as_is_known(family, size, number):
    assert len(members(family, size)) == number


@pytest.mark.parametrize("kind", ["lin", "tied", "any"])
@pytest.mark.parametrize(
    ("family", "sizes"),
    [
        ("linear", [2, 3, 4, 5, 6, 7]),
        ("weak", [2, 3, 4, 5]),
        ("partial", [2, 3, 4]),
        ("strict", [2, 3, 4]),
    ],
)
def test_all_optima_are_those_of_complete_enumeration(family, sizes, kind, route):
    rng = np.random.default_rng(len(kind) + 10 * len(sizes))
    for size in sizes:
        for _ in range(12):
            count = int(rng.integers(1, 8))
            orders = random_orders(rng, size, count, kind)
            weights = random_weights(rng, count)
            value, optima = brute_force(orders, weights, family)
            found = consensus(orders, weights, family)
            assert found.value == pytest.approx(value, abs=1e-8)
            assert set(found.orders) == optima
            assert len(found.orders) == len(optima)
            assert found.optimal
            assert not found.capped


@pytest.mark.parametrize("family", ["linear", "weak", "strict"])
def test_the_value_is_the_weighted_sum_of_distances(family):
    rng = np.random.default_rng(3)
    orders = random_orders(rng, 8, 5, "tied")
    weights = [1.0, 0.5, 2.0, 1.2, 0.1]
    found = consensus(orders, weights, family)
    for order in found.orders:
        total = sum(w * distance(order, o) for w, o in zip(weights, orders, strict=True))
        assert total == pytest.approx(found.value)


def test_an_incomparable_pair_differs_by_one_from_strict_and_by_two_from_alike():
    # a partial order may not tie: both directions differ by 1 from ≈, and incomparable by 2
    found = consensus(["a ≈ b"], family="partial")
    assert {order.text for order in found.orders} == {"a ≻ b", "b ≻ a"}
    assert found.value == 1
    # of a circle, leaving out the pair that closes it costs as much as half of turning it
    circle = Order.from_matrix("abc", [[0, 1, 0], [0, 0, 1], [1, 0, 0]])
    left = consensus([circle], family="partial")
    assert left.value == 2
    open_pairs = {order.uncompared for order in left.orders}
    assert frozenset({("a", "b"), ("a", "c")}) in open_pairs


def test_a_strict_consensus_keeps_a_semiorder_that_no_weak_order_is():
    semiorder = Order.from_matrix("abc", [[0, 0, 1], [0, 0, 0], [0, 0, 0]])
    assert consensus([semiorder], family="strict").orders == (semiorder,)
    assert consensus([semiorder], family="strict").value == 0
    assert consensus([semiorder], family="weak").value == 1


def test_larger_families_come_nearer():
    rng = np.random.default_rng(4)
    for _ in range(10):
        orders = random_orders(rng, 7, 6, "tied")
        values = [consensus(orders, family=f).value for f in ("linear", "weak", "strict")]
        assert values == sorted(values, reverse=True)
        assert consensus(orders, family="partial").value <= values[0]


# -- what every consensus fulfils -----------------------------------------------------------


@pytest.mark.parametrize("family", FAMILIES)
def test_the_consensus_of_equal_orders_is_that_order(family):
    for text in ("a ≻ b ≻ c ≻ d", "d ≻ a ≻ c ≻ b"):
        found = consensus([text] * 3, family=family)
        assert [order.text for order in found.orders] == [text]
        assert found.value == 0


def test_a_weight_counts_as_so_many_copies():
    orders = random_orders(np.random.default_rng(5), 6, 4, "tied")
    copies = [order for order, n in zip(orders, (1, 3, 2, 1), strict=True) for _ in range(n)]
    for family in FAMILIES:
        weighted, copied = consensus(orders, [1, 3, 2, 1], family), consensus(copies, family=family)
        assert weighted.value == copied.value
        assert weighted.orders == copied.orders


def test_the_scale_of_the_weights_does_not_matter(route):
    orders = random_orders(np.random.default_rng(6), 7, 5, "tied")
    weights = np.array([1, 2, 1, 3, 1])
    for family in FAMILIES:
        expected = consensus(orders, weights, family)
        for scale in (1e-12, 0.1, 1e9):
            found = consensus(orders, weights * scale, family)
            assert found.orders == expected.orders
            assert found.value == pytest.approx(expected.value * scale, rel=1e-9)
            assert found.optimal


@pytest.mark.parametrize("family", FAMILIES)
def test_reversed_orders_have_the_reversed_consensus(family, route):
    orders = random_orders(np.random.default_rng(7), 6, 5, "tied")
    turned = consensus([order.reversed() for order in orders], family=family)
    assert {o.reversed() for o in turned.orders} == set(consensus(orders, family=family).orders)


@pytest.mark.parametrize(
    ("family", "axiom"),
    [
        ("linear", "linear"),
        ("weak", "strict weak order"),
        ("partial", "strict partial order"),
        ("strict", "strict partial order"),
    ],
)
def test_optima_fulfil_the_axioms_of_their_family(family, axiom):
    for seed in range(3):
        for order in consensus(trend(14, 8, 0.6, seed, layers=5), family=family, limit=50).orders:
            assert order.axioms[axiom]


def test_a_majority_order_is_the_linear_consensus():
    orders = trend(30, 21, 0.05, 1)
    found = consensus(orders, family="linear")
    for first, second in pairwise(group[0] for group in found.order.groups):
        i, j = (found.order.algorithms.index(name) for name in (first, second))
        assert sum(order.better[i, j] for order in orders) > 10


# -- caps, heuristics, limits ---------------------------------------------------------------


@pytest.mark.parametrize("family", ["linear", "weak"])
def test_the_optima_are_capped_and_that_is_told(family, route):
    orders = ["a ≻ b ≻ c ≻ d ≻ e", "e ≻ d ≻ c ≻ b ≻ a"]
    everything = consensus(orders, family=family)
    assert not everything.capped
    assert len(everything.orders) == {"linear": 120, "weak": 541}[family]
    some = consensus(orders, family=family, limit=7)
    assert some.capped
    assert len(some.orders) == 7
    assert set(some.orders) <= set(everything.orders)
    assert some.value == everything.value
    assert repr(some).startswith("At least 7 ")


def test_just_as_many_optima_as_the_limit_are_not_capped(route):
    assert not consensus(["a ≻ b", "b ≻ a"], family="linear", limit=2).capped
    assert consensus(["a ≻ b", "b ≻ a"], family="linear", limit=1).capped


def test_a_condorcet_winner_comes_first():
    order = consensus(["a ≻ b ≻ c ≻ d", "a ≻ c ≻ d ≻ b", "a ≻ d ≻ b ≻ c"], method="condorcet").order
    assert order.text == "a ≻ b ≈ c ≈ d"


def test_without_time_the_best_so_far_is_returned_with_its_gap():
    orders = [
        Order.from_ranks([f"a{i}" for i in range(40)], np.random.default_rng(s).permutation(40))
        for s in range(5)
    ]
    found = consensus(orders, family="linear", time_limit=1e-9)
    exact = consensus(orders, family="linear")
    assert not found.optimal
    assert found.value - found.gap <= exact.value <= found.value
    assert "not proved to be the least" in repr(found)


# -- different algorithms -------------------------------------------------------------------


def test_on_the_intersection_other_algorithms_are_left_out():
    found = consensus(
        ["a ≻ x ≻ b ≻ c", "b ≻ a ≻ c", "c ≻ a ≻ b ≻ y"], family="linear", on="intersection"
    )
    expected = consensus(["a ≻ b ≻ c", "b ≻ a ≻ c", "c ≻ a ≻ b"], family="linear")
    assert found.orders == expected.orders
    assert found.value == expected.value


def test_on_the_union_an_order_says_nothing_about_what_it_lacks():
    found = consensus(["a ≻ b", "b ≻ c", "a ≻ c ≻ d"], family="linear", on="union")
    assert [order.text for order in found.orders] == ["a ≻ b ≻ c ≻ d"]
    assert found.value == 0
    both = consensus(["a ≻ b", "c"], family="linear", on="union")
    assert {order.text for order in both.orders} == {"a ≻ b ≻ c", "a ≻ c ≻ b", "c ≻ a ≻ b"}


def test_on_the_union_the_value_counts_the_pairs_that_orders_have():
    orders = ["a ≻ b ≻ c", "c ≻ b", "d ≻ a ≻ c", "b ≻ d"]
    found = consensus(orders, [1, 2, 1, 1], "linear", on="union")
    for order in found.orders:
        total = sum(
            w * distance(order.restricted(o.algorithms), o)
            for w, o in zip([1, 2, 1, 1], map(parse_order, orders), strict=True)
        )
        assert total == found.value


def test_names_in_another_order_are_the_same_algorithms():
    assert consensus(["a ≻ b ≻ c", Order.from_ranks("cba", [3, 2, 1])]).order.text == "a ≻ b ≻ c"


# -- what is refused ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: consensus([]), "A consensus needs at least one order."),
        (
            lambda: consensus(["a ≻ b", "a ≻ c"]),
            "The orders are not of the same algorithms: order 2 lacks 'b'. Say on='intersection' "
            "to keep what all have, or on='union' to keep all algorithms.",
        ),
        (
            lambda: consensus(["a ≻ b", "c ≻ d"], on="intersection"),
            "The orders have no algorithm in common; join them on='union'.",
        ),
        (
            lambda: consensus(["a"], on="unoin"),
            "'unoin' is not a way to join orders. Did you mean 'union'? "
            "Known: union, intersection.",
        ),
        (lambda: consensus(["a", "a"], [1]), "2 orders need 2 weights, not 1."),
        (lambda: consensus(["a"], ["x"]), "The weights of orders are numbers, not ['x']."),
        (
            lambda: consensus(["a", "a"], [1, -1]),
            "The weight of order 2 is -1; weights are positive numbers, and an order that shall "
            "not count is left out.",
        ),
        (
            lambda: consensus(["a", "a"], [0, 1]),
            "The weight of order 1 is 0; weights are positive numbers, and an order that shall not "
            "count is left out.",
        ),
        (
            lambda: consensus(["a", "a"], [1, float("nan")]),
            "The weight of order 2 is nan; weights are positive numbers, and an order that shall "
            "not count is left out.",
        ),
        (
            lambda: consensus(["a"], limit=0),
            "The limit of a consensus is a number of orders from 1 on, not 0.",
        ),
        (
            lambda: consensus(["a"], time_limit=0),
            "The time limit of a consensus is in seconds above 0, not 0.",
        ),
        (
            lambda: consensus(["a"], method="bordo"),
            "'bordo' is not a method of a consensus. Did you mean 'borda'? Known: exact, "
            "local-search, borda, copeland, condorcet.",
        ),
        (lambda: consensus(["a ≻ b ≻ a"]), "The algorithm 'a' is named twice in an order."),
        (
            lambda: consensus(["a ≺ b"]),
            "The order 'a ≺ b' cannot be read from '≺ b' on. "
            "The better algorithm comes first, before a '≻'.",
        ),
    ],
)
def test_what_makes_no_consensus_is_refused(call, message):
    with pytest.raises(InferenceError) as error:
        call()
    assert str(error.value) == message


def test_an_unknown_family_is_refused():
    with pytest.raises(UnknownName, match="'weal' is not a family of orders"):
        consensus(["a"], family="weal")


def test_one_algorithm_and_one_order_are_enough():
    for family in FAMILIES:
        found = consensus(["svm"], family=family)
        assert [order.text for order in found.orders] == ["svm"]
        assert found.value == 0
        assert found.optimal
        assert consensus("a ≻ b", family=family).order.text == "a ≻ b"


def test_a_consensus_prints_what_was_proved_and_cannot_be_changed():
    found = consensus([MEAN, WORST, TIME], [1, 1.2, 1], "linear")
    assert repr(found) == (
        "1 linear order with distance 21.2, proved to be the least (majority).\n"
        "  blue ≻ red ≻ purple ≻ orange ≻ green ≻ yellow"
    )
    with pytest.raises(FrozenInstanceError):
        found.value = 0
