"""Orders, distances and consensus of many small relations, some with cycles: kept results."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from layouts_made import made, noise
from snapshots import assert_kept

from podium import Order, compare, consensus, decide
from podium import order as read_order
from podium.core.orders import hierarchical, pareto, programs, relations
from podium.core.orders.decide import likely, order_by, significant
from podium.core.orders.distances import DISTANCES, dendrogram, distances, unlike
from podium.errors import PodiumError

NAMES = ("svm", "lda", "knn", "tree", "m 10", "m 9")


def failing(of: Any, *given: Any, **more: Any) -> Any:
    """What a function gives, or how it refuses."""
    try:
        return of(*given, **more)
    except PodiumError as error:
        return error


def relation(k: int, seed: int) -> np.ndarray:
    """Which of two is better: of some seeds an order, of others with cycles."""
    rng = np.random.default_rng(seed)
    level = rng.integers(0, 4, k)
    better = level[:, None] + (seed % 3) * rng.normal(size=(k, k)) > level + 0.8
    return np.asarray(
        better & ~(better.T & np.tri(k, dtype=bool)) & ~better.T | (better & ~better.T)
    )


def orders() -> dict[str, Order]:
    """With means and without, with pairs that were not compared, from texts, ranks, intervals."""
    found = {}
    for seed in range(8):
        k = 3 + seed % 4
        means = tuple(noise(k, 1, seed)[:, 0].round(1)) if seed % 2 else None
        better = relation(k, seed)
        alike = np.argwhere(np.triu(~(better | better.T), 1))
        unknown = [(NAMES[i], NAMES[j]) for i, j in alike[:2]] if seed in (2, 5) else []
        found[f"relation {seed}"] = Order(NAMES[:k], better, means, frozenset(unknown))
    low = np.round(noise(5, 1, 3)[:, 0], 1)
    found["ranks"] = Order.from_ranks(NAMES[:5], [2, 1, 2, 4.5, 3])
    found["intervals"] = Order.from_intervals(NAMES[:5], low, low + 0.9)
    for text in ("a ≻ b ≈ c ≿ d", "a ~ b > c", "a ∥ b ≻ c", '"a~b" ≻ c', "a"):
        found[text] = read_order(text)
    return found


def described(order: Order) -> dict[str, Any]:
    """All that an order tells of itself."""
    return {
        "texts": [order.text, order.ascii, order.to_latex(), order.signed],
        "groups": order.groups,
        "winners": order.winners,
        "levels": order.levels(),
        "cycles": order.cycles,
        "broken": {name: n for name, n in order.violation_counts.items() if n},
        "first": [order.violations(axiom, 2) for axiom in order.axioms],
        "cliques": order.cliques,
        "letters": order.letters(),
        "closure": failing(lambda: order.closure().text),
        "hasse": failing(order.hasse),
        "some": order.restricted(order.algorithms[1:] or order.algorithms).text,
        "reversed": order.reversed().text,
        "pairs": [" ".join(row) for row in order.pairs_table().to_numpy()],
        "again": Order.from_pairs(order.pairs_table()) == order if len(order.algorithms) > 1 else 1,
        "open": order.leaves_open,
    }


@pytest.mark.parametrize("name", list(orders()))
def test_orders(name: str) -> None:
    assert_kept("orders", "orders", described(orders()[name]), case=name)


def test_what_is_no_order() -> None:
    texts = [
        "",
        "b ≺ a",
        '"a b" ≻ c',
        "a ≻",
        "a b",
        "a ≻ a",
        "a ≻ b ≺ c",
        '"a',
        "a ≻ ≻ b",
        "a ≻ b > c",
    ]
    found = {text: failing(read_order, text) for text in texts}
    found = {text: e if isinstance(e, Exception) else e.text for text, e in found.items()}
    pairs = pd.DataFrame({"first": ["a", "b"], "second": ["b", "c"], "sign": ["≻", "?"]})
    wrong = {
        "twice": lambda: Order(("a", "a"), np.zeros((2, 2))),
        "empty": lambda: Order((), np.zeros((0, 0))),
        "no name": lambda: Order(("a", ""), np.zeros((2, 2))),
        "shape": lambda: Order(("a", "b"), np.zeros((2, 3))),
        "halves": lambda: Order(("a", "b"), np.full((2, 2), 0.5)),
        "both": lambda: Order(("a", "b"), 1 - np.eye(2)),
        "itself": lambda: Order(("a", "b"), np.eye(2)),
        "means": lambda: Order(("a", "b"), np.zeros((2, 2)), (1.0,)),
        "unknown": lambda: Order(("a", "b"), np.zeros((2, 2)), None, frozenset({("a", "c")})),
        "known": lambda: Order(("a", "b"), [[0, 1], [0, 0]], None, frozenset({("a", "b")})),
        "ranks": lambda: Order.from_ranks(["a", "b"], [1, np.nan]),
        "too few ranks": lambda: Order.from_ranks(["a", "b"], [1]),
        "limits": lambda: Order.from_intervals(["a", "b"], [1, 3], [2, 2]),
        "some": lambda: Order.from_ranks(["a", "b"], [1, 2]).restricted("c"),
        "sign": lambda: Order.from_pairs(pairs.assign(sign="!")),
        "pair twice": lambda: Order.from_pairs(pairs.assign(first="a", second="b")),
        "column": lambda: Order.from_pairs(pairs[["first", "sign"]]),
        "fewer": lambda: Order.from_pairs(pairs, ["a", "b"]),
    }
    found |= {name: failing(of) for name, of in wrong.items()}
    found["not compared"] = Order.from_pairs(pairs).text
    found["more"] = Order.from_pairs(pairs, ["c", "b", "a", "d"]).text
    assert_kept("orders", "refused", found)


def several(k: int, count: int, seed: int) -> list[Order]:
    """Orders of the same algorithms."""
    rng = np.random.default_rng(seed)
    return [
        Order.from_ranks(NAMES[:k], np.round(np.arange(k) / 2 + rng.normal(size=k), seed % 2))
        for _ in range(count)
    ]


def many(k: int, count: int, seed: int) -> list[Order]:
    """Orders of more algorithms than are told by all their relations."""
    rng = np.random.default_rng(seed)
    names = [f"m{i}" for i in range(k)]
    drawn = (np.round(np.arange(k) / 6 + rng.normal(size=k), 1) for _ in range(count))
    return [Order.from_ranks(names, ranks) for ranks in drawn]


def test_distances() -> None:
    read = [*several(5, 4, 1), *several(5, 3, 2), Order(NAMES[:5], relation(5, 1))]
    found: dict[str, Any] = {kind: distances(read, kind) for kind in DISTANCES}
    found["of two"] = [distances(several(2, 3, 1), kind) for kind in DISTANCES]
    for kind, matrix in list(found.items())[:2]:
        tree = dendrogram(matrix, [f"o{i}" for i in range(len(read))])
        clusters = [tree.clusters(n) for n in (1, 2, 4)]
        found[f"{kind} tree"] = [tree.merges, tree.arranged, tree.heights, clusters]
    found["unlike"] = [unlike(read[0], other) for other in read[1:4]]
    found["refused"] = [
        failing(distances, ["a ≻ b", "a ≻ c"]),
        failing(distances, ["a ≻ b", "a ∥ b"]),
        failing(distances, ["a ∥ b", "a ∥ b"], "cook-kress"),
        failing(distances, ["a ≻ b ≿ c", "a ≻ b ≈ c"]),
        failing(dendrogram, np.zeros((1, 1))),
        failing(tree.clusters, 0),
        failing(tree.clusters, 99),
    ]
    found["uncompared"] = distances(["a ∥ b ≻ c", "a ∥ b ≻ c", "c ≻ a ∥ b"])
    assert_kept("orders", "distances", found)


@pytest.mark.parametrize("family", ["linear", "weak", "partial", "strict"])
def test_consensus(family: str) -> None:
    found = {}
    for name, (given, options) in {
        "five": (several(5, 5, 1), {}),
        "ties": (several(4, 4, 2), {"limit": 3}),
        "weighed": (several(5, 3, 3), {"weights": [1, 2.5, 0.7]}),
        "two": (["a ≻ b", "b ≻ a", "a ≈ b"], {}),
        "one": (["a ≻ b ≈ c"], {}),
        "union": (["a ≻ b ≻ c", "c ≻ d", "d ≻ a"], {"on": "union"}),
        "intersection": (["a ≻ b ≻ c", "c ≻ b ≻ d"], {"on": "intersection"}),
        "not all": (["a ≻ b ≻ c", "c ≻ d"], {}),
        "nothing": (["a ≻ b", "c ≻ d"], {"on": "intersection"}),
        "uncompared": (["a ∥ b ≻ c", "b ≻ a ≻ c", "c ≻ a ≿ b"], {}),
        "searched": (several(6, 7, 5), {"method": "local-search"}),
        "circle": (["a ≻ b ≻ c ≻ d", "b ≻ c ≻ d ≻ a", "c ≻ d ≻ a ≻ b", "d ≻ a ≻ b ≻ c"], {}),
        "borda": (several(6, 7, 5), {"method": "borda"}),
        "copeland": (several(6, 7, 5), {"method": "copeland"}),
        "condorcet": (several(6, 7, 5), {"method": "condorcet"}),
        "nine": (many(9, 5, 1), {"limit": 20}),
        "thirteen": (many(13, 5, 1), {"limit": 20}),
        "sixteen": (many(16, 6, 2), {"weights": [1, 1, 1.5, 1, 0.7, 1], "limit": 4}),
        "weights": (["a ≻ b", "b ≻ a"], {"weights": [1, 0]}),
        "numbers": (["a ≻ b", "b ≻ a"], {"weights": [1]}),
        "none": ([], {}),
        "limit": (["a ≻ b"], {"limit": 0}),
        "time": (["a ≻ b"], {"time_limit": -1}),
        "way": (["a ≻ b"], {"on": "some"}),
    }.items():
        result = failing(consensus, given, family=family, **options)
        if not isinstance(result, Exception):
            result = [
                [each.text for each in result.orders[:6]],
                [len(result.orders), result.value, result.optimal, result.gap, result.capped],
                result.method,
                result.sentence,
                {note.code: dict(note.facts) for note in result.notes},
            ]
        found[name] = result
    assert_kept("orders", "consensus", found, case=family)


def test_orders_by_several_measures() -> None:
    found = {}
    for name, given in {
        "broken ties": ["a ≈ b ≻ c ≈ d", "b ≻ a ≻ d ≈ c", "d ≻ c ≻ b ≻ a"],
        "opposite": ["a ≻ b ≻ c", "c ≻ b ≻ a"],
        "random": several(5, 3, 1),
        "uncompared": ["a ∥ b ≻ c", "a ≻ b ≻ c"],
        "one": ["a ≻ b"],
        "mixed": ["a ≻ b ≿ c", "a ≻ b ≻ c"],
    }.items():
        both = failing(hierarchical, *given), failing(pareto, *given)
        found[name] = [
            e if isinstance(e, Exception) else [e.text, sorted(e.uncompared)] for e in both
        ]
    assert_kept("orders", "several", found)


def test_decisions_at_other_levels() -> None:
    found = {}
    values = noise(20, 4, 5)
    for name, (measure, options) in {
        "losses": ("squared", {"procedure": "max-modulus"}),
        "gains": ("accuracy", {"procedure": "ranks"}),
        "not worse": (
            "squared",
            {"procedure": "paired-t", "relevance": -0.3, "alternative": "less"},
        ),
        "posterior": ("squared", {"procedure": "bayes-t", "posterior": True}),
        "control": ("accuracy", {"procedure": "paired-t", "control": "b"}),
    }.items():
        c = compare(
            made(values, measure=measure), **{k: v for k, v in options.items() if k != "posterior"}
        )
        given = [(None, None), (0.001, None), (0.3, None), (None, 0.2), (0.05, 0.1), (0.2, 0.1),
                 (0, None), (None, -1)]  # fmt: skip
        results = [failing(decide, c, alpha, relevance) for alpha, relevance in given]
        found[name] = [e if isinstance(e, Exception) else e.text for e in results]
    table = pd.DataFrame(
        {
            "first": ["a", "a"],
            "second": ["b", "c"],
            "p_adjusted": [0.04, np.nan],
            "direction": [1, -1],
        }
    )
    found["tables"] = [
        failing(significant, table),
        failing(significant, table.assign(p_adjusted=1.2)),
        failing(significant, table.drop(columns="direction")),
        failing(likely, table.assign(win=[0.96, 0.1], lose=[0.0, 0.8]), 0.2),
    ]
    assert_kept("orders", "decided", found)


def test_orders_by_statistics() -> None:
    rng = np.random.default_rng(4)
    scores = np.round(rng.exponential(size=(15, 4)) + np.arange(4) / 3, 2)
    found = {}
    names = ["mean", "median", "minimum", "maximum", "worst", "worst:3", "quantile:0.9", "worst:99",
             "worst:x", "quantile", "quantile:2", "mean:3", "mode", lambda x: x.mean(axis=0) ** 2,
             lambda x: x]  # fmt: skip
    for i, name in enumerate(names):
        for higher in (True, False):
            for options in ({}, {"epsilon": 0.2}, {"intervals": 0.8, "resamples": 50, "seed": 3}):
                result = failing(
                    order_by, scores, NAMES[:4], name, higher_is_better=higher, **options
                )
                if not isinstance(result, Exception):
                    codes = [note.code for note in result.notes]
                    result = [result.order.text, result.values, result.intervals, codes]
                key = name if isinstance(name, str) else f"own {i}"
                found[f"{key} {higher} {' '.join(options)}"] = result
    wrong = {
        "epsilon": {"epsilon": -1},
        "level": {"intervals": 1.0},
        "resamples": {"intervals": 0.5, "resamples": 0},
        "seed": {"intervals": 0.5, "seed": -1},
    }
    for key, options in wrong.items():
        found[key] = failing(order_by, scores, NAMES[:4], higher_is_better=True, **options)
    for key, given in {
        "shape": scores[:, :3],
        "gap": np.where(scores > 3, np.nan, scores),
        "text": "a",
    }.items():
        found[key] = failing(order_by, given, NAMES[:4], higher_is_better=True)
    assert_kept("orders", "statistics", found)


def test_relations_and_programs() -> None:
    found: dict[str, Any] = {}
    for seed in range(6):
        better = relation(6, seed)
        wins = np.random.default_rng(seed).integers(0, 5, (6, 6)).astype(float)
        np.fill_diagonal(wins, 0)
        found[str(seed)] = {
            "closure": relations.closure(better).astype(int),
            "levels": relations.levels(better),
            "cycles": relations.in_one_cycle(better).sum(),
            "letters": relations.compact_letters(~(better | better.T)),
            "covering": relations.covering_cliques(~(better | better.T)),
            "cliques": relations.maximal_cliques(~(better | better.T)),
            "scores": [programs.borda(wins), programs.copeland(wins), programs.condorcet(wins)],
            "ranks": [programs.ranks_of(programs.borda(wins), ties=ties) for ties in (True, False)],
        }
    found["names"] = [
        failing(relations.checked_names, names) for names in (("a",), (), ("a", "a"), ("a", 1))
    ]
    assert_kept("orders", "relations", found)
