"""Consensus against R, complete enumeration and eugster2008; its parts against each other."""

from __future__ import annotations

import json
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

from podium.cli.consensus import command
from podium.errors import InferenceError, ResultsError, UnknownName
from podium.orders import consensus as module
from podium.orders import relaxations
from podium.orders.consensus import consensus
from podium.orders.distances import distance
from podium.orders.ensembles import FAMILIES, ensemble
from podium.orders.enumeration import Search
from podium.orders.heuristics import local_search
from podium.orders.notation import parse_order
from podium.orders.order import Order
from podium.orders.programs import Clock, chain, pieces
from podium.orders.subsets import Subsets

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


def test_the_six_linear_orders_that_eugster2008_prints():
    found = consensus([MEAN, WORST], family="linear")
    middle = ["green", "orange", "purple"]
    expected = {
        parse_order(f"blue < red < {a} < {b} < {c} < yellow")
        for a in middle
        for b in middle
        for c in middle
        if len({a, b, c}) == 3
    }
    assert set(found.orders) == expected


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
    assert {order.text for order in found.orders} == {"a < b", "b < a"}
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
    for text in ("a < b < c < d", "d < a < c < b"):
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


def test_the_scale_of_the_weights_does_not_matter():
    orders = random_orders(np.random.default_rng(6), 7, 5, "tied")
    weights = np.array([1, 2, 1, 3, 1])
    for family in FAMILIES:
        expected = consensus(orders, weights, family)
        for scale in (1e-7, 0.1, 1e6):
            found = consensus(orders, weights * scale, family)
            assert found.orders == expected.orders
            assert found.value == pytest.approx(expected.value * scale, abs=1e-8)


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


# -- larger ensembles: one route against another --------------------------------------------


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


@pytest.mark.parametrize("family", FAMILIES)
def test_branch_and_bound_agrees_with_search(family, monkeypatch):
    """With neither search nor perturbation before it, so that it has something to do."""
    settled = []
    for seed in range(20):
        orders = random_orders(np.random.default_rng(seed), 10, 3, "lin")
        monkeypatch.undo()
        expected = consensus(orders, family=family)
        monkeypatch.setattr(module, "LARGEST", {})
        monkeypatch.setattr(relaxations, "SHORT", 0)
        monkeypatch.setattr(relaxations, "_perturbed", lambda program, solution, clock: solution)
        found = consensus(orders, family=family)
        settled.append(found.method)
        assert found.value == expected.value
        assert found.orders == expected.orders
    assert "search" not in "".join(settled)
    assert "milp" in "".join(settled) or family in ("linear", "weak")


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


# -- caps, heuristics, limits ---------------------------------------------------------------


@pytest.mark.parametrize("family", ["linear", "weak"])
def test_the_optima_are_capped_and_that_is_told(family, route):
    orders = ["a < b < c < d < e", "e < d < c < b < a"]
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
    assert not consensus(["a < b", "b < a"], family="linear", limit=2).capped
    assert consensus(["a < b", "b < a"], family="linear", limit=1).capped


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


def test_local_search_leaves_no_insertion_that_would_help():
    for family in ("linear", "weak"):
        asked = ensemble(random_orders(np.random.default_rng(13), 7, 5, "tied"), None, None)
        program = asked.program(FAMILIES[family])
        better = local_search(program, asked.wins)
        for i in range(7):
            others = [j for j in range(7) if j != i]
            for other in members(family, 7) if family == "linear" else []:
                if (other[np.ix_(others, others)] == better[np.ix_(others, others)]).all():
                    assert program.cost(other) >= program.cost(better) - 1e-9


def test_a_condorcet_winner_comes_first():
    order = consensus(["a < b < c < d", "a < c < d < b", "a < d < b < c"], method="condorcet").order
    assert order.text == "a < b ≈ c ≈ d"


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
        ["a < x < b < c", "b < a < c", "c < a < b < y"], family="linear", on="intersection"
    )
    expected = consensus(["a < b < c", "b < a < c", "c < a < b"], family="linear")
    assert found.orders == expected.orders
    assert found.value == expected.value


def test_on_the_union_an_order_says_nothing_about_what_it_lacks():
    found = consensus(["a < b", "b < c", "a < c < d"], family="linear", on="union")
    assert [order.text for order in found.orders] == ["a < b < c < d"]
    assert found.value == 0
    both = consensus(["a < b", "c"], family="linear", on="union")
    assert {order.text for order in both.orders} == {"a < b < c", "a < c < b", "c < a < b"}


def test_on_the_union_the_value_counts_the_pairs_that_orders_have():
    orders = ["a < b < c", "c < b", "d < a < c", "b < d"]
    found = consensus(orders, [1, 2, 1, 1], "linear", on="union")
    for order in found.orders:
        total = sum(
            w * distance(order.restricted(o.algorithms), o)
            for w, o in zip([1, 2, 1, 1], map(parse_order, orders), strict=True)
        )
        assert total == found.value


def test_names_in_another_order_are_the_same_algorithms():
    assert consensus(["a < b < c", Order.from_ranks("cba", [3, 2, 1])]).order.text == "a < b < c"


# -- what is refused ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: consensus([]), "A consensus needs at least one order."),
        (
            lambda: consensus(["a < b", "a < c"]),
            "The orders are not of the same algorithms: order 2 lacks 'b'. Say on='intersection' "
            "to keep what all have, or on='union' to keep all algorithms.",
        ),
        (
            lambda: consensus(["a < b", "c < d"], on="intersection"),
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
        (lambda: consensus(["a < b < a"]), "The algorithm 'a' is named twice in an order."),
        (
            lambda: consensus(["a > b"]),
            "The order 'a > b' cannot be read from '> b' on. "
            "The better algorithm comes first, before a '<'.",
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
        assert consensus("a < b", family=family).order.text == "a < b"


def test_a_consensus_prints_what_was_proved_and_cannot_be_changed():
    found = consensus([MEAN, WORST, TIME], [1, 1.2, 1], "linear")
    assert repr(found) == (
        "1 linear order with distance 21.2, proved to be the least (majority).\n"
        "  blue < red < purple < orange < green < yellow"
    )
    with pytest.raises(FrozenInstanceError):
        found.value = 0


# -- the command line -----------------------------------------------------------------------


def called(capsys, *args: object) -> str:
    assert command.main([str(a) for a in args], standalone_mode=False) == 0
    return capsys.readouterr().out


@pytest.fixture
def texts(tmp_path):
    path = tmp_path / "orders.csv"
    rows = [f"{n},{t},{w}" for n, t, w in zip("mwc", (MEAN, WORST, TIME), (1, 1.2, 1), strict=True)]
    path.write_text("name,order,weight\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return path


def test_the_command_shows_the_optimum_and_that_it_is_proved(capsys, texts):
    assert called(capsys, texts, "--family", "linear") == (
        "1 linear order with distance 21.2, proved to be the least, from 3 orders (majority).\n"
        "A < B: A is better than B.\n\n"
        "  blue < red < purple < orange < green < yellow\n"
    )


def test_the_command_numbers_several_optima(capsys, texts):
    out = called(capsys, texts, "--family", "linear", "--weights", "1,1,1")
    assert "  1  blue < red < purple" in out
    assert "  2  red < blue < purple" in out


def test_the_command_writes_json(capsys, texts, tmp_path):
    called(capsys, texts, "--json", tmp_path / "out.json")
    written = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert written == json.loads(called(capsys, texts, "--json", "-"))
    assert written["value"] == 19.2
    assert written["optimal"] is True
    assert written["orders"][0]["ascii"] == "blue ~ red < orange ~ purple < green < yellow"


def test_the_command_reads_ranks_texts_and_lines(capsys, tmp_path):
    contents = {
        "ranks.csv": "a,b,c\n1,2,3\n2,1,2\n",
        "semicolons.csv": "name;a;b;c\nx;1;2;3\ny;2;1;2\n",
        "texts.csv": "order\na < b < c\nb < a ~ c\n",
        "lines.txt": "a < b < c\n\nb < a ≈ c\n",
    }
    outputs = set()
    for name, content in contents.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
        outputs.add(called(capsys, tmp_path / name, "--family", "linear"))
    assert len(outputs) == 1
    assert outputs.pop().startswith("2 linear orders with distance 3, proved to be the least")


def test_the_command_joins_orders_of_different_algorithms(capsys, tmp_path):
    path = tmp_path / "gaps.csv"
    path.write_text("a,b,c\n1,2,\n1,2,3\n")
    with pytest.raises(InferenceError, match="order 1 lacks 'c'"):
        called(capsys, path)
    assert "a < b < c\n" in called(capsys, path, "--on", "union", "--family", "linear")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "The file 'x.csv' holds no orders."),
        ("a,b\n", "The table 'x.csv' has no rows."),
        (
            "a < b\nb < < a\n",
            "Line 2 of 'x.csv': The order 'b < < a' lacks a name beside '<'. "
            "An example: svm ≈ rpart < nnet.",
        ),
        (
            "a,b\n1,first\n",
            "Line 2 of 'x.csv' has 'first' in column 'b', which is no number; a table of orders "
            "has ranks in one column per algorithm, or texts in 'order'.",
        ),
        ("a,b\n,\n", "Line 2 of 'x.csv' has no ranks."),
    ],
)
def test_a_file_that_holds_no_orders_is_refused(capsys, tmp_path, monkeypatch, content, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.csv").write_text(content)
    with pytest.raises(ResultsError) as error:
        called(capsys, "x.csv")
    assert str(error.value) == message


def test_weights_that_are_no_numbers_are_refused(capsys, texts):
    with pytest.raises(InferenceError, match=r"as in 1,1\.2,1, not '1,x,1'"):
        called(capsys, texts, "--weights", "1,x,1")
