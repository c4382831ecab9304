"""Gates over varied tables: verdicts, numbers, comments and refusals are those that were kept."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import pytest
from asked import asked, prepared, right, rng, samples, survey
from snapshots import assert_kept

pytestmark = pytest.mark.numbers


def measured(shift: float, seed: int, items: int = 60) -> pd.DataFrame:
    """A version on items: whether it was right, and what it cost."""
    hard = rng(1).normal(0, 1, items)
    own = rng(seed).normal(0, 0.8, items)
    cost = np.exp(rng(2).normal(0, 0.5, items) + rng(seed + 50).normal(0, 0.1, items) - shift)
    table = {
        "item": [f"i{n}" for n in range(items)],
        "accuracy": (hard + own + shift > -0.8).astype(int),
        "cost": cost.round(4),
        "tokens": (100 * cost + 3 * rng(seed).integers(0, 9, items)).round(),
    }
    return pd.DataFrame(table)


def one(name: str, column: str, of: pd.DataFrame) -> pd.DataFrame:
    """One algorithm of a table."""
    return of[[of.columns[0], name]].rename(columns={name: column})


def seeds(middle: float, seed: int) -> pd.DataFrame:
    """Errors of eight training runs."""
    errors = middle + rng(seed).normal(0, 0.02, 8)
    return pd.DataFrame({"seed": range(8), "error": errors.round(4)})


def versions() -> dict[str, pd.DataFrame]:
    a, b, c, d = (measured(shift, seed) for shift, seed in ((0, 3), (0.3, 4), (-0.6, 5), (0.9, 6)))
    part = b[(b["accuracy"] == 1) | (b.index % 2 == 0)]
    wide = survey(14)
    of = samples(12, 2)
    return {
        "old": a[["item", "accuracy"]], "new": b[["item", "accuracy"]],
        "bad": c[["item", "accuracy"]], "good": d[["item", "accuracy"]],
        "same": a[["item", "accuracy"]], "part": part[["item", "accuracy"]],
        "oldm": a, "newm": b, "badm": c, "goodm": d,
        "other": b.assign(item=b["item"] + "x")[["item", "accuracy"]],
        "sets1": one("lda", "accuracy", wide), "sets2": one("svm", "accuracy", wide),
        "sets3": one("knn", "accuracy", wide),
        "runs1": of[of["algorithm"] == "lda"].drop(columns="algorithm"),
        "runs2": of[of["algorithm"] == "svm"].drop(columns="algorithm"),
        "numbers1": seeds(0.3, 7), "numbers2": seeds(0.25, 8),
        "means": of[of["algorithm"] == "lda"].groupby("dataset", as_index=False)["error"].mean(),
        "oldm3": a.head(3), "newm3": b.head(3),
        "all": right(50, (0.6, 0.4, 0.7), "old new third", 60),
    }  # fmt: skip


FILES = {name: partial(versions().get, name) for name in versions()}
LINES = [
    "old.csv new.csv -m accuracy",
    "old.csv new.csv -m accuracy --margin 0.1",
    "old.csv new.csv -m accuracy --margin 5% --json -",
    "old.csv new.csv -m accuracy --margin 0.3 --alpha 0.2 --why",
    "old.csv bad.csv -m accuracy",
    "old.csv bad.csv -m accuracy --margin 0.05 --json -",
    "old.csv bad.csv -m accuracy --margin 0.2",
    "old.csv good.csv -m accuracy --margin 0.01",
    "old.csv same.csv -m accuracy --margin 0.02",
    "old.csv part.csv -m accuracy --margin 0.1 --why",
    "old.csv good.csv bad.csv new.csv -m accuracy --margin accuracy=0.1",
    "old.csv good.csv bad.csv new.csv --margin accuracy=0.25 --json -",
    "oldm.csv newm.csv --margin accuracy=0.2 --improve cost --alpha 0.1 --why",
    "oldm.csv newm.csv --margin accuracy=0.2 --improve cost",
    "oldm.csv newm.csv --margin accuracy=0.1 --margin cost=10% --why",
    "oldm.csv goodm.csv --margin accuracy=0.05 --improve any:cost,tokens --json -",
    "oldm.csv badm.csv --margin accuracy=0.05 --improve cost --json -",
    "oldm.csv goodm.csv newm.csv --margin accuracy=0.3 --improve cost",
    "sets1.csv sets2.csv -m accuracy",
    "sets1.csv sets2.csv -m accuracy --margin 1% --json -",
    "sets1.csv sets3.csv -m accuracy --margin 0.02 --why",
    "runs1.csv runs2.csv -m error --margin 0.01 --sampling simulation",
    "runs2.csv runs1.csv -m error --margin 0.03 --sampling cv:12 --json -",
    "runs2.csv runs1.csv -m error --sampling bootstrap",
    "numbers1.csv numbers2.csv -m error --margin 0.01 --why",
    "numbers2.csv numbers1.csv -m error --margin 20% --json -",
    "all.csv --control old --margin accuracy=0.15",
    "all.csv --control old --margin accuracy=5% --json -",
    "old.csv new.csv -m accuracy --margin 0.1 --markdown -",
    "old.csv bad.csv -m accuracy --comment -",
    "oldm.csv newm.csv --margin accuracy=0.2 --improve cost --comment -",
    "old.csv good.csv bad.csv new.csv -m accuracy --margin accuracy=0.1 --markdown -",
    "sets1.csv sets2.csv -m accuracy --margin 1% --comment -",
    "runs1.csv runs2.csv -m error --sampling simulation --margin 0.05 --comment -",
    "runs2.csv runs1.csv -m error --sampling simulation --comment -",
    "oldm3.csv newm3.csv --margin accuracy=0.9 --improve cost",
]
REFUSED = [
    "means.csv runs2.csv -m error --sampling simulation",
    "runs2.csv means.csv -m error --sampling simulation",
    "old.csv good.csv new.csv -m accuracy --margin 0.1",
    "runs2.csv runs1.csv -m error",
    "old.csv",
    "old.csv other.csv -m accuracy",
    "old.csv new.csv -m accuracy --margin -0.1",
    "old.csv new.csv -m accuracy --margin x",
    "old.csv new.csv -m accuracy --margin accuracy=0.1 --margin accuracy=0.2",
    "oldm.csv newm.csv --margin 0.1",
    "oldm.csv newm.csv --improve cost",
    "oldm.csv newm.csv --margin cost=0.1 --improve cost",
    "oldm.csv newm.csv --margin accuracy=0.1 --improve odd",
    "old.csv new.csv -m error",
    "old.csv nothing.csv -m accuracy",
    "all.csv -m accuracy",
    "all.csv --control odd -m accuracy",
    "all.csv new.csv -m accuracy",
    "old.csv sets1.csv -m accuracy",
    "old.csv old.csv -m accuracy",
]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    return prepared(tmp_path, monkeypatch, **FILES)


# limits of ratios are searched for
@pytest.mark.parametrize("line", LINES)
def test_gates_are_kept(line, folder, capsys):
    assert_kept("gates", "gates", asked(f"gate {line}", capsys), line, relative=1e-7)


def test_refusals_of_gates_are_kept(folder, capsys):
    assert_kept("gates", "refusals", {line: asked(f"gate {line}", capsys) for line in REFUSED})
