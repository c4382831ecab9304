"""Fronts, trades and utilities over varied tables are those that were kept."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import pytest
from asked import asked, prepared, rng
from outcomes import outcome
from snapshots import assert_kept

import podium
from podium.asking.fronts.command import front_view, picture
from podium.showing.drawing.records import PLOTS


def measured(levels, blocks=24, seed=1, block="dataset", noise=(0.05, 0.2)):
    """AUC and seconds of algorithms on blocks; both vary together over blocks."""
    draws = rng(seed)
    shared = draws.normal(0, 0.03, blocks)
    rows = [
        (f"d{i}", name, round(min(q + shared[i] + draws.normal(0, noise[0]), 0.999), 5),
         round(c * (1 + shared[i]) + draws.normal(0, noise[1]) * c, 5))
        for i in range(blocks) for name, (q, c) in levels.items()
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=[block, "algorithm", "auc", "seconds"])


def items(seed=4, n=50):
    """Whether models are right, and what they cost; one has list prices."""
    draws = rng(seed)
    parts = [
        pd.DataFrame({
            "item": [f"q{i}" for i in range(n)], "model": model,
            "accuracy": (draws.random(n) < rate).astype(int),
            "cost": np.round(cost * np.exp(draws.normal(0, spread, n)), 5),
        })
        for model, rate, cost, spread in (("big", 0.9, 5.0, 0.3), ("mid", 0.8, 2.0, 0.3),
                                          ("bad", 0.4, 3.0, 0.0), ("free", 0.3, 0.01, 0.0))
    ]  # fmt: skip
    return pd.concat(parts, ignore_index=True)


def crowd(members: int, others: int) -> pd.DataFrame:
    """Some are better the more they cost, the others cost more and are worse."""
    levels = {f"m{i}": (0.5 + 0.05 * i, 1.0 + i) for i in range(members)}
    levels |= {f"o{i}": (0.3 + 0.01 * i, 4.0 + i) for i in range(others)}
    return measured(levels, 14, 10 + members + others, noise=(0.01, 0.05))


THREE = {"a": (0.8, 1.0), "b": (0.9, 2.0), "c": (0.5, 1.8)}
TABLES = {
    "three": lambda: measured(THREE),
    "alike": lambda: measured({"a": (0.8, 1.0), "b": (0.8, 1.0), "c": (0.8, 1.02)}, 12, 2),
    "two": lambda: measured({"a": (0.8, 1.0), "b": (0.86, 1.5)}, 10, 3),
    "few": lambda: measured(THREE, 4, 5),
    "wide": lambda: measured({"a": (0.7, 1.0), "b": (0.8, 40.0), "c": (0.9, 1500.0)}, 12, 6),
    "chain": lambda: measured({n: (0.5 + 0.08 * i, 1.0 + 0.5 * i) for i, n in enumerate("abcde")},
                              15, 7),
    "one": lambda: measured({"best": (0.9, 0.5), "slow": (0.7, 2.0), "bad": (0.5, 1.0)}, 15, 8),
}  # fmt: skip


@pytest.mark.parametrize("name", TABLES)
def test_fronts_are_kept(name):
    table = TABLES[name]()
    pairs = [("a", "b"), ("b", "a"), ("a", "c")] if {*"abc"} <= {*table["algorithm"]} else []
    front = podium.fronts.front(table, "auc,seconds")
    told = {
        "front": outcome(podium.fronts.front, table, "auc,seconds"),
        "level": outcome(podium.fronts.front, table, "auc,seconds", alpha=0.2)["facts"],
        "trades": [outcome(podium.fronts.trade, table, "auc,seconds", *pair)
                   for pair in pairs],
        "view": front_view(front),
        "plot": PLOTS["front"].data(front),
    }  # fmt: skip
    assert str(picture(front))
    assert_kept("fronts", "fronts", told, name, relative=1e-8)


CROWDS = {"crowd": partial(crowd, 9, 7), "larger": partial(crowd, 9, 8),
          "ladder": partial(crowd, 7, 4)}  # fmt: skip


def test_of_crowds_some_are_named():
    told = {}
    for name, table in CROWDS.items():
        front = podium.fronts.front(table(), "auc,seconds")
        drawn = {text for text in front.algorithms if f">{text}<" in str(picture(front))}
        told[name] = {"heading": front_view(front).headline, "drawn": drawn,
                      "trades": [(t.cheap, t.dear) for t in front.trades]}  # fmt: skip
    assert_kept("fronts", "crowds", told)


def test_items_with_prices_are_kept():
    table = items()
    told = {
        "front": outcome(podium.fronts.front, table, "accuracy,cost"),
        "higher": outcome(podium.fronts.front, table, "accuracy,cost=higher"),
        "utility": podium.compare(
            podium.fronts.utility(table, {"accuracy": 1.0, "cost": -0.05})
        ).table,
    }
    assert_kept("fronts", "items", told, relative=1e-8)


LINES = [
    "analyze three.csv -m auc,seconds",
    "analyze three.csv -m auc,seconds --why --pairs",
    "analyze alike.csv -m auc,seconds",
    "analyze two.csv -m auc,seconds --alpha 0.2",
    "analyze wide.csv -m auc,seconds --all",
    "analyze chain.csv -m auc,seconds",
    "analyze one.csv -m auc,seconds",
    "analyze crowd.csv -m auc,seconds --why",
    "analyze ladder.csv -m auc,seconds",
    "analyze ladder.csv -m auc,seconds --all --pairs",
    "analyze chain.csv -m auc,seconds --margin auc=0.2",
    "analyze models.csv -m accuracy,cost",
    "analyze models.csv -m accuracy,cost --weights accuracy=1,cost=-0.05",
    "analyze models.csv -m accuracy,cost --weights accuracy=1",
    "analyze models.csv -m accuracy,cost --weights accuracy=1,cost=0",
    "analyze models.csv -m accuracy,odd",
    "analyze models.csv -m accuracy,cost --margin cost=-1",
    "analyze three.csv -m auc,seconds --control a",
    "analyze three.csv",
]


def test_screens_of_fronts_are_kept(tmp_path, monkeypatch, capsys):
    prepared(tmp_path, monkeypatch, models=items, **CROWDS, **TABLES)
    assert_kept("fronts", "screens", {line: asked(line, capsys) for line in LINES})
