"""The ways to a consensus against each other: subsets, programs, search, heuristics."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from ensembles_made import (
    brute_force,
    members,
    random_orders,
    read_orders,
    trend,
)

from podium import Order, consensus
from podium.core.orders import consensus as module
from podium.core.orders import relaxations
from podium.core.orders.consensus import FAMILIES, ensemble
from podium.core.orders.programs import Clock, chain, local_search, pieces
from podium.core.orders.relaxations import Search, Subsets


@pytest.mark.parametrize("name", ["K10_R21_lin", "K10_R21_tied"])
@pytest.mark.parametrize("family", ["linear", "weak"])
def test_subsets_and_programs_agree(name, family, monkeypatch):
    monkeypatch.setattr(module, "LARGEST", {None: 12, True: 10})
    expected = consensus(read_orders(name), family=family)
    monkeypatch.setattr(module, "LARGEST", {})
    found = consensus(read_orders(name), family=family)
    assert "subsets" not in found.method
    assert found.value == expected.value
    assert found.orders == expected.orders


# seeds whose linear program does not settle it
@pytest.mark.parametrize(
    ("family", "size", "count", "kind", "seed"),
    [
        ("linear", 24, 5, "lin", 33),
        ("linear", 24, 5, "lin", 60),
        ("weak", 14, 5, "tied", 16),
        ("weak", 18, 5, "tied", 7),
        ("partial", 10, 3, "lin", 15),
        ("strict", 10, 3, "lin", 0),
    ],
)
def test_branch_and_bound_agrees_with_subsets_and_search(
    family, size, count, kind, seed, monkeypatch
):
    orders = random_orders(np.random.default_rng(seed), size, count, kind)
    monkeypatch.setattr(module, "LARGEST", {None: 14})
    expected = consensus(orders, family=family)
    monkeypatch.setattr(module, "LARGEST", {})
    monkeypatch.setattr(relaxations, "SHORT", 0)  # no search and no better start before it
    monkeypatch.setattr(relaxations, "_perturbed", lambda program, solution, clock: solution)
    found = consensus(orders, family=family)
    assert "milp" in found.method
    assert "milp" not in expected.method
    assert found.value == expected.value
    assert found.orders == expected.orders


def test_every_optimum_respects_the_chain_of_parts():
    for family in FAMILIES:
        asked = ensemble(trend(12, 7, 0.3, 2, layers=6), None, None)
        parts = chain(asked.program(FAMILIES[family]))
        for order in consensus(trend(12, 7, 0.3, 2, layers=6), family=family).orders:
            for earlier, later in pairwise(parts):
                assert order.better[np.ix_(earlier, later)].all()


def test_pieces_refine_the_chain():
    program = ensemble(random_orders(np.random.default_rng(8), 9, 4, "lin"), None, None).program(
        FAMILIES["linear"]
    )
    whole = {frozenset(part) for part in chain(program)}
    assert all(any(set(piece) <= part for part in whole) for piece in pieces(program))


def test_prices_bound_every_relation_from_below():
    program = ensemble(random_orders(np.random.default_rng(9), 5, 6, "tied"), None, None).program(
        FAMILIES["weak"]
    )
    rng = np.random.default_rng(10)
    rows = np.array([row for row in np.ndindex(5, 5, 5) if len(set(row)) == 3])
    prices = rng.uniform(0, 1, len(rows))
    bound = program.priced(rows, prices).floor - prices.sum()
    assert bound <= Subsets(program).cost
    values = [program.cost(better) for better in members("weak", 5)]
    assert min(values) == pytest.approx(Subsets(program).cost)


def test_a_search_with_any_prices_finds_all_optima():
    rng = np.random.default_rng(11)
    for family, both in (("weak", True), ("linear", None), ("strict", False)):
        orders = random_orders(rng, 4, 5, "tied")
        program = ensemble(orders, None, None).program(FAMILIES[family])
        assert program.both is both
        value, optima = brute_force(orders, [1] * 5, family)
        rows = np.array([row for row in np.ndindex(4, 4, 4) if len(set(row)) == 3])
        for scale in (0.0, 0.5, 3.0):
            prices = rng.uniform(0, scale, len(rows))
            search = Search(program, rows, prices, value, Clock())
            found = [Order(tuple("abcd"), better) for better in search.relations()]
            assert len(found) == len(optima)
            assert set(found) == optima
            assert search.complete


def test_uniformly_random_orders_of_30_algorithms_are_solved():
    found = consensus(random_orders_of_30(), family="linear")
    assert found.optimal
    heuristic = consensus(random_orders_of_30(), family="linear", method="local-search")
    assert found.value <= heuristic.value <= found.value + heuristic.gap


def random_orders_of_30() -> list[Order]:
    rng = np.random.default_rng(12)
    return [Order.from_ranks([f"a{i}" for i in range(30)], rng.permutation(30)) for _ in range(21)]


@pytest.mark.parametrize("family", FAMILIES)
def test_a_common_trend_of_20_algorithms_is_solved(family):
    found = consensus(trend(20, 21, 0.3, 1, layers=7), family=family)
    assert found.optimal
    assert not found.capped


@pytest.mark.parametrize(("family", "size"), [("linear", 7), ("weak", 5)])
def test_local_search_leaves_no_insertion_that_would_help(family, size):
    asked = ensemble(random_orders(np.random.default_rng(13), size, 5, "lin"), None, None)
    program = asked.program(FAMILIES[family])
    better = local_search(program, asked.wins)
    for i in range(size):
        others = np.ix_(np.arange(size) != i, np.arange(size) != i)
        moved = [m for m in members(family, size) if (m[others] == better[others]).all()]
        assert len(moved) >= size
        assert min(map(program.cost, moved)) >= program.cost(better) - 1e-9


@pytest.mark.parametrize("method", ["borda", "copeland", "condorcet", "local-search"])
@pytest.mark.parametrize("family", FAMILIES)
def test_heuristics_are_labelled_and_their_gap_holds_the_optimum(method, family):
    for seed in range(4):
        orders = random_orders(np.random.default_rng(seed), 8, 5, "tied")
        exact = consensus(orders, family=family)
        found = consensus(orders, family=family, method=method)
        assert found.method == method
        assert exact.value <= found.value <= exact.value + found.gap + 1e-9
        assert found.optimal == (found.gap == 0)
