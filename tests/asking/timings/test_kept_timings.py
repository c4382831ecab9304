"""Changed times over varied tables: numbers, words and pictures are those that were kept."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from asked import asked, prepared, rng
from outcomes import outcome
from snapshots import assert_kept

import podium
from podium.asking.timings.command import changes_view


def times(factors, runs=6, noise=0.03, seed=1, start=1.0, names=("old", "new"), growing=0.0):
    """Times of two versions; each benchmark takes longer than the one before."""
    draws = rng(seed)
    rows = [
        (f"b{k}", name, run, start * (1 + k) ** 2 * (factor if name == names[1] else 1)
         * draws.lognormal(0, noise) * (1 + growing * run))
        for k, factor in enumerate(factors) for name in names for run in range(runs)
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=["dataset", "algorithm", "run", "time"])


def uneven():
    """Runs that some benchmarks have more of."""
    table = times((1.3, 0.9, 1.0, 1.5), 7, 0.05, 3)
    first = (table["dataset"] == "b1") & (table["run"] > 2)
    return table[~first & ~((table["dataset"] == "b3") & (table["run"] > 1))]


def spiky():
    """One run of each took three times as long."""
    table = times((1.1, 1.0, 0.8), 12, 0.02, 4)
    table.loc[table["run"] == 5, "time"] *= 3
    return table


def idle():
    """A clock that is too coarse."""
    table = times((1.1, 1.0), 5, seed=13)
    table.loc[3, "time"] = 0.0
    return table


TABLES = {
    "five": lambda: times((1.2, 1.0, 0.8, 0.7, 0.97)),
    "slower": lambda: times((1.3, 1.25, 1.4, 1.2), start=0.002, seed=2),
    "faster": lambda: times((0.5, 0.45, 0.3), start=3e-7, names=("main", "a branch of long name")),
    "same": lambda: times((1.0, 1.0, 1.0, 1.0), seed=5, noise=0.01),
    "one": lambda: times((1.1,), 9, seed=6),
    "two runs": lambda: times((1.3, 1.0, 0.9), 2, 0.01, 7),
    "noisy": lambda: times((1.2, 1.0, 0.9, 1.05), 5, 0.4, 8, start=100),
    "slight": lambda: times((1.004, 1.002, 1.006, 1.003), 10, 0.0005, 9),
    "far": lambda: times((9.0, 0.1, 1.0), 5, 0.05, 10),
    "growing": lambda: times((1.1, 1.0), 10, 0.01, 11, growing=0.03),
    "many": lambda: times(tuple(np.linspace(0.7, 1.4, 25)), 4, 0.05, 12),
    "names": lambda: times((1.2, 0.9)).assign(
        dataset=lambda t: t["dataset"].map(lambda name: f"{name} " + 22 * "x")
    ),
    "uneven": uneven,
    "spiky": spiky,
}
OPTIONS = [{}, {"alpha": 0.2}]


@pytest.mark.parametrize("name", TABLES)
def test_changes_are_kept(name):
    table = TABLES[name]()
    results = podium.read(table, sampling="runs")
    paired = podium.read(table, sampling="runs+paired")
    told = {
        "changes": outcome(podium.timings.changes, results),
        "level": outcome(podium.timings.changes, results, alpha=0.2),
        "pairs": outcome(podium.timings.changes, paired),
    }
    if name != "one":
        told["view"] = changes_view(podium.timings.changes(results))
    assert_kept("timings", "changes", told, name)


LINES = ["analyze five.csv --sampling runs", "analyze names.csv --sampling runs",
         "analyze slower.csv --sampling runs --why",
         "analyze faster.csv --sampling runs --pairs", "analyze same.csv --sampling runs --why",
         "analyze one.csv --sampling runs", "analyze many.csv --sampling runs --all",
         "analyze many.csv --sampling runs", "analyze noisy.csv --sampling runs --alpha 0.1",
         "analyze uneven.csv --sampling runs --why", "analyze spiky.csv --sampling runs+paired",
         "analyze slight.csv --sampling runs", "analyze far.csv --sampling runs",
         "analyze two.runs.csv --sampling runs", "analyze idle.csv --sampling runs"]  # fmt: skip


def test_screens_of_changes_are_kept(tmp_path, monkeypatch, capsys):
    tables = {n.replace(" ", "."): t for n, t in TABLES.items()}
    prepared(tmp_path, monkeypatch, idle=idle, **tables)
    assert_kept("timings", "screens", {line: asked(line, capsys) for line in LINES})
