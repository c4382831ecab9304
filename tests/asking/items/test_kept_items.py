"""Descriptions of items, strata and repeated answers are those that were kept."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from asked import answers, asked, items, prepared, right, rng, topics
from outcomes import outcome
from snapshots import assert_kept

import podium
from podium.showing.drawing.records import PLOTS

pytestmark = pytest.mark.numbers


def many(models: int = 12, count: int = 30) -> pd.DataFrame:
    """Models of rising ability; two are twins, some items are solved by all or nobody."""
    names = " ".join(f"m{i}" for i in range(models))
    table = right(count, tuple(np.linspace(-1.5, 1.5, models)), names, 71)
    table.loc[0, table.columns[1:]] = 1
    table.loc[1, table.columns[1:]] = 0
    table["m3"] = table["m2"]
    table.loc[5, "m3"] = 1 - table.loc[5, "m2"]
    return table


def graded() -> pd.DataFrame:
    """Scores of items between 0 and 1, lower is better, with gaps."""
    table = items()
    for i, name in enumerate(table.columns[1:]):
        table[name] = (0.2 * i + rng(80 + i).uniform(0, 0.6, len(table))).round(3)
    table.loc[[3, 7], "mid"] = np.nan
    return table


def passed(seed: int = 90, tries: int = 4) -> pd.DataFrame:
    """Tries of agents at tasks, with what they cost."""
    draws = rng(seed)
    rows = [
        (f"t{t}", agent, k + 1, int(draws.random() < chance * (t % 5) / 4),
         round(cost * draws.lognormal(0, 0.2), 4))
        for t in range(14) for agent, chance, cost in (("bold", 0.9, 2.0), ("shy", 0.6, 1.0))
        for k in range(tries)
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=["item", "model", "sample", "accuracy", "cost"])


TABLES = {"many": many, "graded": graded, "passed": passed,
          "fewitems": lambda: items().head(6),
          "onemodel": lambda: items()[["item", "big"]]}  # fmt: skip
LINES = [
    "survey items items.csv -m accuracy",
    "survey items items.csv -m accuracy --json -",
    "survey items many.csv -m accuracy",
    "survey items many.csv -m accuracy --json -",
    "survey items many.csv -m accuracy --response-model --json -",
    "survey items graded.csv -m error",
    "survey items graded.csv -m error --json -",
    "survey items clusters.csv -m accuracy",
    "survey items answers.csv -m accuracy --json -",
    "survey items fewitems.csv -m accuracy",
    "survey items onemodel.csv -m accuracy",
    "survey items survey.csv -m accuracy",
    "analyze topics.csv -m accuracy --columns stratum=topic",
    "analyze topics.csv -m accuracy --columns stratum=topic --why --alpha 0.2",
    "analyze answers.csv -m accuracy",
    "analyze passed.csv -m pass^2",
    "analyze passed.csv -m pass@2 --why",
    "analyze passed.csv -m pass^1 --json -",
]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    return prepared(tmp_path, monkeypatch, **TABLES)


@pytest.mark.parametrize("line", LINES)
def test_items_are_kept(line, folder, capsys):
    assert_kept("items", "items", asked(line, capsys), line, relative=1e-6)


def test_strata_and_pictures_of_items_are_kept():
    strata = podium.read(topics(), measure="accuracy", columns="stratum=topic")
    plain = podium.read(many(), measure="accuracy")
    told = {
        "strata": outcome(podium.items.by_stratum, strata),
        "level": outcome(podium.items.by_stratum, strata, alpha=0.2),
        "repeats": outcome(podium.items.repeats, podium.read(passed(), measure="accuracy")),
        "answers": outcome(podium.items.repeats, podium.read(answers(), measure="accuracy")),
        "strata plot": outcome(PLOTS["strata"].data, strata),
        "board": outcome(PLOTS["board"].data, podium.compare(plain)),
        "simplex": outcome(
            PLOTS["simplex"].data, podium.compare(strata, posterior=True, relevance=0.1)
        ),
    }
    assert_kept("items", "verbs", told, relative=1e-6)
