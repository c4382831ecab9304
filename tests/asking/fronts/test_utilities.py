"""A weighted sum of measures is one more measure: by hand, everywhere the same, and refusals."""

from __future__ import annotations

import json
import re

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import podium
from podium.cli.main import status_of
from podium.errors import PodiumError

WEIGHTS = {"accuracy": 1.0, "cost": -0.05}


def table(n: int = 80) -> pd.DataFrame:
    rng = np.random.default_rng(4)
    parts = [
        pd.DataFrame({
            "item": [f"q{i}" for i in range(n)],
            "model": model,
            "accuracy": (rng.random(n) < right).astype(int),
            "cost": cost * np.exp(rng.normal(0, 0.3, n)),
        })
        for model, right, cost in (("big", 0.9, 5.0), ("mid", 0.85, 2.0), ("bad", 0.5, 3.0))
    ]  # fmt: skip
    return pd.concat(parts, ignore_index=True)


def test_a_utility_is_the_weighted_sum_item_by_item() -> None:
    frame = table()
    frame["worth"] = frame["accuracy"] - 0.05 * frame["cost"]
    wide = frame.pivot(index="item", columns="model", values="worth")
    made = podium.compare(podium.fronts.utility(table(), WEIGHTS))
    assert dict(made.means) == pytest.approx(wide.mean().to_dict())
    pairs = made.table.set_index(["first", "second"])["statistic"]
    for (a, b), t in pairs.items():
        assert abs(t) == pytest.approx(abs(stats.ttest_rel(wide[a], wide[b]).statistic))
    long = table().melt(["item", "model"], var_name="measure", value_name="value")
    again = podium.compare(podium.fronts.utility(long, WEIGHTS))
    assert dict(again.means) == pytest.approx(dict(made.means))


def test_screen_json_page_and_methods_say_one_thing(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    table().to_csv("models.csv", index=False)
    asked = ["models.csv", "-m", "accuracy,cost", "--weights", "accuracy=1,cost=-0.05"]
    assert status_of(["analyze", *asked, "--json", "o.json", "--methods", "m.txt"]) == 0
    screen = " ".join(capsys.readouterr().out.split())
    told = json.loads((tmp_path / "o.json").read_text("utf-8"))
    assert told["measure"] == "utility"
    assert screen.startswith(told["headline"])
    formula = "Holds for these weights: utility = accuracy − 0.05 cost."
    assert formula in screen
    assert formula in (tmp_path / "m.txt").read_text("utf-8")
    assert status_of(["report", *asked, "-o", "page.html"]) == 0
    assert told["headline"].split(" has ")[1] in (tmp_path / "page.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("weights", "text"),
    [
        ("accuracy=1", "'cost' has no weight: .* --weights accuracy=1,cost=-1"),
        ("accuracy=1,cost=-1,depth=2", "'depth' is no measure of -m"),
        ("accuracy=1,cost=0.05", "A lower 'cost' is better, .* cost=-0.05"),
        ("accuracy=1,cost=0", "one number each, .* not 'cost=0'"),
        ("much", "one number each"),
    ],
)
def test_weights_that_make_no_sum(weights, text, tmp_path, capsys) -> None:
    path = tmp_path / "models.csv"
    table().to_csv(path, index=False)
    assert status_of(["analyze", str(path), "-m", "accuracy,cost", "--weights", weights]) == 2
    assert re.search(text, " ".join(capsys.readouterr().err.split()))


def test_measures_that_are_no_means_of_items_have_no_sum() -> None:
    rng = np.random.default_rng(1)
    y = np.arange(80) % 2
    frame = pd.DataFrame({"id": range(80), "y_true": y, "a": rng.random(80), "b": rng.random(80)})
    with pytest.raises(PodiumError, match="'auc' is no mean of items"):
        podium.fronts.utility(frame, {"auc": 1, "brier": -1})


def test_on_data_sets_amounts_decide() -> None:
    rng = np.random.default_rng(2)
    rows = [(f"d{d}", m, 0.8 + rng.normal(0, 0.02), s * np.exp(rng.normal(0, 0.2)))
            for d in range(12) for m, s in (("large", 8.0), ("small", 1.0))]  # fmt: skip
    table = pd.DataFrame(rows, columns=["dataset", "algorithm", "accuracy", "seconds"])
    made = podium.compare(podium.fronts.utility(table, {"accuracy": 1, "seconds": -0.01}))
    assert made.procedure == "hull"
    assert made.table["verdict"].tolist() == ["worse"]
