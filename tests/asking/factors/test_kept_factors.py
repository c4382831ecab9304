"""Effects of factors and fractions of designs, over varied tables, are those that were kept."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest
from asked import asked, prepared, rng
from outcomes import outcome
from snapshots import assert_kept

import podium
from podium.asking.factors.plots import factors_view
from podium.showing.drawing.records import PLOTS

pytestmark = pytest.mark.numbers

ENCODERS, LOSSES, SIZES = ("cnn", "vit"), ("mse", "huber"), ("s", "m", "l")


def scored(cells, names, blocks=10, seed=1, noise=0.01, joint=0.0, block="dataset"):
    """A row per block and combination; the first factor matters, and may go with the second."""
    draws = rng(seed)
    levels = [list(dict.fromkeys(cell[i] for cell in cells)) for i in range(len(names))]
    rows = []
    for b in range(blocks):
        hard = draws.normal(0, 0.05)
        for cell in cells:
            at = [levels[i].index(level) for i, level in enumerate(cell)]
            value = 0.7 + hard + 0.03 * at[0] + 0.01 * sum(at[1:]) + joint * at[0] * at[1]
            rows.append((f"d{b}", *cell, round(min(value + draws.normal(0, noise), 0.999), 5)))
    return pd.DataFrame(rows, columns=[block, *names, "accuracy"])


TWO = list(product(ENCODERS, LOSSES))
THREE = list(product(ENCODERS, LOSSES, SIZES))
HALF = [c for c in product("01", "01", "01", "01") if sum(map(int, c)) % 2 == 0]
ABLATED = [("1", "1", "1"), ("0", "1", "1"), ("1", "0", "1"), ("1", "1", "0")]
TABLES = {
    "two": lambda: scored(TWO, ("encoder", "loss")),
    "joint": lambda: scored(TWO, ("encoder", "loss"), joint=0.05, seed=2),
    "three": lambda: scored(THREE, ("encoder", "loss", "size"), seed=3),
    "few": lambda: scored(TWO, ("encoder", "loss"), blocks=5, seed=4),
    "half": lambda: scored(HALF, ("A", "B", "C", "D"), seed=5),
    "ablation": lambda: scored(ABLATED, ("A", "B", "C"), seed=6),
    "partial": lambda: scored(THREE[:-1], ("encoder", "loss", "size"), seed=7),
    "noisy": lambda: scored(TWO, ("encoder", "loss"), noise=0.1, seed=8),
    "twenty": lambda: scored(TWO, ("encoder", "loss"), blocks=24, joint=0.02, seed=11),
    "seeds": lambda: scored(TWO, ("encoder", "loss"), seed=9, block="seed"),
}
FACTORS = {name: ",".join(table().columns[1:-1]) for name, table in TABLES.items()}


def gappy():
    table = TABLES["two"]()
    table.loc[[3, 17], "accuracy"] = np.nan
    return table


@pytest.mark.parametrize("name", TABLES)
def test_effects_are_kept(name):
    table, factors = TABLES[name](), FACTORS[name]
    effects = podium.factors.effects(table, factors, measure="accuracy")
    lower = table.assign(accuracy=1 - table["accuracy"]).rename(columns={"accuracy": "error"})
    turned = podium.factors.effects(lower, factors, measure="error", alpha=0.2)
    told = {
        "effects": outcome(podium.factors.effects, table, factors, measure="accuracy"),
        "turned": {"table": turned.table, "said": turned.above},
        "view": factors_view(effects),
        "effects plot": outcome(PLOTS["effects"].data, effects),
        "interaction plot": outcome(PLOTS["interaction"].data, effects),
    }
    assert_kept("factors", "effects", told, name, relative=1e-7)


LINES = [
    "analyze two.csv -m accuracy --factors encoder,loss",
    "analyze joint.csv -m accuracy --factors encoder,loss --why --pairs",
    "analyze three.csv -m accuracy --factors encoder,loss,size",
    "analyze three.csv -m accuracy --factors encoder,loss,size --pairs --alpha 0.2",
    "analyze few.csv -m accuracy --factors encoder,loss",
    "analyze half.csv -m accuracy --factors A,B,C,D --why",
    "analyze ablation.csv -m accuracy --factors A,B,C",
    "analyze partial.csv -m accuracy --factors encoder,loss,size --why",
    "analyze noisy.csv -m accuracy --factors encoder,loss",
    "analyze seeds.csv -m accuracy --factors encoder,loss",
    "analyze gaps2.csv -m accuracy --factors encoder,loss --why",
    "analyze names.csv -m accuracy --factors encoder-loss",
    "analyze names.csv -m accuracy",
    "analyze plus.csv -m accuracy --factors +",
    "analyze names.csv -m accuracy --factors ablation",
    "analyze two.csv -m accuracy --factors encoder",
    "analyze two.csv -m accuracy --factors encoder,odd",
    "analyze two.csv -m accuracy --factors encoder,encoder",
    "analyze names.csv -m accuracy --factors encoder-loss-size",
    "analyze two.csv -m accuracy --factors encoder,loss --control cnn",
    *(f"plan --factors {n} --runs {2**k}" for n, k in ((3, 2), (4, 3), (5, 4), (6, 3), (7, 4))),
    "plan --factors encoder,loss,size",
    "plan --factors 1", "plan --factors 30", "plan --factors 4 --runs 64", "plan --factors 9",
    "plan --factors 5 --runs 12", "plan --factors a,a",
]  # fmt: skip


def named(joiner: str = "-") -> pd.DataFrame:
    """Combinations as names of algorithms, in columns."""
    table = TABLES["two"]()
    table["algorithm"] = table["encoder"] + joiner + table["loss"]
    wide = table.pivot(index="dataset", columns="algorithm", values="accuracy")
    return wide.reset_index()


def added() -> pd.DataFrame:
    """A base and what was added to it."""
    draws = rng(10)
    hard = draws.normal(0.7, 0.05, 10)
    parts = {"base": 0.0, "base+aug": 0.02, "base+mix": 0.01, "base+aug+mix": 0.05}
    wide = {n: (hard + of + draws.normal(0, 0.01, 10)).round(5) for n, of in parts.items()}
    return pd.DataFrame({"dataset": [f"d{i}" for i in range(10)], **wide})


@pytest.mark.parametrize("line", LINES)
def test_screens_of_factors_are_kept(line, tmp_path, monkeypatch, capsys):
    prepared(tmp_path, monkeypatch, **TABLES, gaps2=gappy, names=named, plus=added)
    assert_kept("factors", "screens", asked(line, capsys), line)


def long_names() -> pd.DataFrame:
    """The words of three factors do not fit on a screen."""
    table = scored(THREE, ("encoder-of-images", "loss-on-labels", "size"), seed=12, joint=0.02)
    longer = {"cnn": "a convolutional network with pooling", "vit": "a transformer of patches",
              "mse": "the mean of squared errors",
              "huber": "the loss of Huber at 1.35"}  # fmt: skip
    return table.replace(longer)


def several() -> pd.DataFrame:
    """Many pairs of factors work together."""
    draws = rng(14)
    cells = list(product("01", repeat=4))
    rows = [
        (f"d{b}", *cell, round(0.5 + 0.02 * sum(map(int, cell)) ** 2 + draws.normal(0, 0.01), 5))
        for b in range(10) for cell in cells
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=["dataset", *"ABCD", "accuracy"])


def nested() -> pd.DataFrame:
    """Sizes belong to encoders; the largest helps."""
    sizes = {"resnet": ("18", "50"), "vit": ("base", "large", "huge")}
    cells = [(e, s, loss) for e, of in sizes.items() for s in of for loss in LOSSES]
    table = scored(cells, ("encoder", "size", "loss"), seed=13)
    table.loc[table["size"] == "huge", "accuracy"] += 0.05
    return table.round(5)


WORDS = [
    "analyze long.csv -m accuracy --factors encoder-of-images,loss-on-labels,size",
    "analyze several.csv -m accuracy --factors A,B,C,D --why",
    "analyze nested.csv -m accuracy --factors encoder,size(encoder),loss --why --pairs",
]


@pytest.mark.parametrize("width", [48, 64, 80, 120])
def test_screens_of_any_width_are_kept(width, tmp_path, monkeypatch, capsys):
    prepared(tmp_path, monkeypatch, long=long_names, several=several, nested=nested)
    monkeypatch.setenv("COLUMNS", str(width))
    told = {line: asked(line, capsys) for line in WORDS}
    assert_kept("factors", "widths", told, str(width))
    lines = [line for of in told.values() for line in of["out"]]
    assert len(lines) > 30


def test_fractions_are_kept():
    told = {
        f"{count} in {runs}": outcome(podium.factors.fraction, count, runs)
        for count in (2, 3, 4, 5, 6) for runs in (2, 4, 8, 16, None)
    }  # fmt: skip
    assert_kept("factors", "fractions", told)
