"""Command lines over small tables of many kinds, and all that comes of each, to be kept."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from outcomes import short
from prints import keep_print, name_test

from podium.cli.main import status_of

Table = Callable[[], pd.DataFrame]


def rng(seed: int) -> np.random.Generator:
    """Of one table; others do not change it."""
    return np.random.default_rng(seed)


def right(items: int, rates: tuple[float, ...], names: str, seed: int) -> pd.DataFrame:
    """Items x models, right (1) or wrong (0); some items are harder for all."""
    hard = rng(seed).normal(0, 0.8, (items, 1))
    shown = rng(seed + 1).normal(0, 1, (items, len(rates))) + hard < np.array(rates)
    table = pd.DataFrame(shown.astype(int), columns=names.split())
    table.insert(0, "item", [f"i{n:03d}" for n in range(items)])
    return table


def items() -> pd.DataFrame:
    """Forty items, three models."""
    return right(40, (0.9, 0.5, 0.2), "big mid old", 11)


def topics() -> pd.DataFrame:
    """The same items, of four topics."""
    table = items()
    table.insert(1, "topic", [("law", "math", "code", "art")[n % 4] for n in range(40)])
    return table


def clusters() -> pd.DataFrame:
    """Items in passages of unequal size, with gaps."""
    table = right(30, (0.8, 0.3), "big old", 21)
    table.insert(1, "cluster", [f"p{min(n // 3, 7)}" for n in range(30)])
    return table


def answers() -> pd.DataFrame:
    """Three answers to each of twelve items, two models."""
    draws = rng(31).random((12, 2, 3)) + 0.1 * np.arange(12)[:, None, None] / 12
    rows = [
        (f"q{i}", name, a + 1, int(draws[i, m, a] < (0.75, 0.5)[m]))
        for i in range(12)
        for m, name in enumerate(("new", "old"))
        for a in range(3)
    ]
    return pd.DataFrame(rows, columns=["item", "model", "sample", "accuracy"])


def survey(datasets: int = 9, seed: int = 41) -> pd.DataFrame:
    """One score per data set and algorithm."""
    hard = rng(seed).uniform(0.6, 0.9, (datasets, 1))
    values = hard + np.array([0.03, 0.0, -0.02]) + rng(seed + 1).normal(0, 0.015, (datasets, 3))
    table = pd.DataFrame(values.round(4), columns=["svm", "lda", "knn"])
    table.insert(0, "dataset", [f"d{n}" for n in range(datasets)])
    return table


def lower() -> pd.DataFrame:
    """The same as errors."""
    table = survey()
    table[["svm", "lda", "knn"]] = (1 - table[["svm", "lda", "knn"]]).round(4)
    return table


def gaps() -> pd.DataFrame:
    """The same with two scores missing."""
    table = survey()
    table.loc[[2, 5], "lda"] = np.nan
    return table


def samples(count: int = 10, datasets: int = 1, seed: int = 51) -> pd.DataFrame:
    """Errors of samples of data sets, long."""
    rows = []
    for d in range(datasets):
        shared = rng(seed + d).normal(0, 0.02, count)
        for a, name in enumerate(("svm", "lda", "knn")):
            own = rng(100 * seed + 10 * d + a).normal(0.2 + 0.02 * a * (1 - d % 2), 0.01, count)
            rows += [(f"d{d}", n + 1, name, round(v, 4)) for n, v in enumerate(own + shared)]
    return pd.DataFrame(rows, columns=["dataset", "sample", "algorithm", "error"])


TABLES: dict[str, Table] = {
    "items": items,
    "topics": topics,
    "clusters": clusters,
    "answers": answers,
    "survey": survey,
    "lower": lower,
    "gaps": gaps,
    "two": lambda: survey()[["dataset", "svm", "lda"]],
    "few": lambda: survey(4),
    "samples": samples,
    "several": lambda: samples(6, 3),
}


@cache
def _csv(table: Table) -> str:
    return table().to_csv(index=False)


def prepared(folder: Path, monkeypatch: Any, **more: Table) -> Path:
    """A folder to stand in with the tables as files, and others beside them; screens are wide."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "100")
    for name, table in (TABLES | more).items():
        (folder / f"{name}.csv").write_text(_csv(table), encoding="utf-8")
    return folder


def asked(line: str, capsys: Any) -> dict[str, Any]:
    """The status of a command line with what it says; of JSON the values."""
    capsys.readouterr()
    status = status_of(line.split())
    said = capsys.readouterr()
    keep_print(f"{name_test()}: {line}", said.out + said.err)
    result: dict[str, Any] = {"status": status}
    if said.err:
        result["err"] = said.err.splitlines()
    if "--json -" in line and said.out.startswith("{"):
        result["json"] = short(json.loads(said.out))
    else:
        result["out"] = said.out.splitlines()
    return result
