"""Judges corrected by people, and labels that are drawn, are those that were kept."""

from __future__ import annotations

import numpy as np
import pandas as pd
from asked import asked, prepared, rng
from snapshots import assert_kept


def judged(models=2, items=60, labelled=24, seed=3, human="human") -> pd.DataFrame:
    """A judge's scores of all items, people's of some."""
    draws = rng(seed)
    chosen = {*draws.choice(items, labelled, replace=False).tolist()}
    rows = []
    for m in range(models):
        truth = draws.normal(0.5 + 0.1 * m, 0.3, items)
        judge = truth + draws.normal(0.1 * m, 0.15, items)
        rows += [("abc"[m], f"q{i:02d}", round(judge[i], 4), round(truth[i], 4) if i in chosen
                  else np.nan) for i in range(items)]  # fmt: skip
    return pd.DataFrame(rows, columns=["model", "item", "score", human])


def some_models() -> pd.DataFrame:
    table = judged()
    table.loc[(table["model"] == "a") & (table["item"] < "q20"), "human"] = np.nan
    return table


TABLES = {
    "sets": lambda: pd.concat([judged(seed=s).assign(dataset=f"d{s}") for s in (5, 6)]),
    "undrawn": lambda: pd.DataFrame({"item": [f"q{i}" for i in range(6)], "drawn": ""}),
    "two": judged,
    "three": lambda: judged(3, seed=4),
    "few": lambda: judged(labelled=10),
    "least": lambda: judged(labelled=15),
    "below": lambda: judged(labelled=14),
    "all": lambda: judged(labelled=60),
    "none": lambda: judged(labelled=0),
    "some": some_models,
    "bare": lambda: judged()[["model", "item", "score"]],
    "plain": lambda: pd.DataFrame({"item": [f"q{i}" for i in range(20)], "length": range(20)}),
    "double": lambda: pd.DataFrame({"item": ["x", "y", "x"], "length": range(3)}),
}
LINES = [
    "analyze two.csv --judge score --human human",
    "analyze two.csv --judge score --human human --why --alpha 0.2",
    "analyze three.csv --judge score --human human --json -",
    "analyze three.csv --judge score --human human --control a",
    "analyze few.csv --judge score --human human",
    "analyze all.csv --judge score --human human",
    "analyze none.csv --judge score --human human",
    "analyze some.csv --judge score --human human",
    "analyze bare.csv --judge score --human human",
    "analyze two.csv --judge odd --human human",
    "analyze two.csv --judge score",
    "plan two.csv --judge score --human human -D 0.1",
    "plan two.csv --judge score --human human -D 0.1 --labels 30 --json -",
    "plan three.csv --judge score --human human -D 0.05 --comparisons 3",
    "plan least.csv --judge score --human human -D 0.3",
    "plan below.csv --judge score --human human -D 0.3",
    "analyze least.csv --judge score --human human",
    "plan few.csv --judge score --human human -D 0.1",
    "label plain.csv --n 5 -o drawn.csv",
    "label plain.csv --n 5 --seed 4 -o other.csv",
    "label plain.csv --n 30 -o much.csv",
    "label plain.csv --n 0 -o none-drawn.csv",
    "label double.csv --n 2 -o twice.csv",
    "label bare.csv --n 20 --human human -o bare-drawn.csv",
    "label plain.csv --n 3 --item odd -o odd.csv",
    "analyze bare-drawn.csv --judge score --human human",
    "analyze sets.csv --judge score --human human",
    "analyze sets.csv --judge score --human human --dataset d6",
    "label drawn.csv --n 3 -o again.csv",
    "label plain.csv --n 3 -o drawn.csv",
    "label undrawn.csv --n 3 -o first.csv",
]


def test_judges_and_labels_are_kept(tmp_path, monkeypatch, capsys):
    prepared(tmp_path, monkeypatch, **TABLES)
    told = {line: asked(line, capsys) for line in LINES}
    told["files"] = {
        name: (tmp_path / f"{name}.csv").read_text("utf-8").splitlines()
        for name in ("drawn", "other", "bare-drawn")
    }
    assert_kept("judges", "judges", told)
