"""A gate's comment: short, with a unit and a percentage, whatever things are called."""

import numpy as np
import pandas as pd
import pytest

import podium
from podium.gates.decisions import MOST_WORDS, words_in


def timings(factors, names, runs=8):
    rng = np.random.default_rng(2)
    rows = [
        (name, run, 0.05 * factor * rng.lognormal(0, 0.02))
        for name, factor in zip(names, factors, strict=True)
        for run in range(runs)
    ]
    return pd.DataFrame(rows, columns=["dataset", "run", "time"])


NAMES = [f"bench {i} | of a long name with *many* words" for i in range(9)]


@pytest.mark.parametrize(
    ("factors", "margin", "title"),
    [
        ([1.3, 1.0, 0.8], "5%", "### ❌ Worse: "),
        ([1.0, 1.0, 0.8], "5%", "### ✅ No benchmark is worse by 5 % or more"),
        ([1.0, 1.0, 0.8], "1%", "### ⚠️ Cannot rule out a loss of 1 %: "),
        ([1.0, 0.9, 0.8], None, "### ✅ No loss is shown"),
        ([1.3] * 9, "5%", "### ❌ Worse: "),
    ],
)
def test_it_is_short_and_has_units(factors, margin, title):
    names = NAMES[: len(factors)]
    old, new = timings([1.0] * len(factors), names), timings(factors, names)
    made = podium.gate(old, new, margin=margin, sampling="runs")
    text = made.comment()
    assert text.startswith(title)
    assert words_in(text) <= MOST_WORDS
    assert " ms |" in text
    assert " % (" in text
    for name in names:  # nothing is left out, and no name breaks the table
        assert name.replace("|", "\\|").replace("*", "\\*") in text


def test_shares_are_percentages_and_points():
    rng = np.random.default_rng(3)
    old, new = (
        pd.DataFrame({"item": range(400), "accuracy": (rng.random(400) < p).astype(int)})
        for p in (0.8, 0.6)
    )
    text = podium.gate(old, new, margin=0.02, sampling="items").comment()
    assert text.startswith("### ❌ Worse: accuracy −")
    assert " points (" in text
    assert " % |" in text


def test_what_is_no_share_of_the_old_value_is_told_in_its_own_unit():
    rng = np.random.default_rng(3)
    old, new = (pd.DataFrame({"item": range(40), "gain": rng.normal(m, 1, 40)}) for m in (-1, 2))
    asked = {"sampling": "items", "measure": "gain", "higher_is_better": True}
    text = podium.gate(old, new, margin=0.5, **asked).comment()
    change = f"{new['gain'].mean() - old['gain'].mean():.1f}"
    assert f"| {old['gain'].mean():.4g} | {new['gain'].mean():.4g} | +{change} (+" in text
    assert "%" not in text.split("change |")[1].split("One-sided")[0]


def test_a_decision_says_what_holds_it_up(tmp_path, capsys):
    from podium.cli.main import _status

    rng = np.random.default_rng(4)
    for side, p, spent in (("old", 0.8, 1.0), ("new", 0.6, 0.5)):
        pd.DataFrame(
            {"item": range(300), "accuracy": (rng.random(300) < p).astype(int),
             "cost": spent * rng.lognormal(0, 0.2, 300)}
        ).to_csv(tmp_path / f"{side}.csv", index=False)  # fmt: skip
    asked = ["--margin", "accuracy=0.02", "--improve", "cost", "--comment", "-"]
    files = [str(tmp_path / f"{side}.csv") for side in ("old", "new")]
    assert _status(["gate", *files, *asked]) == 3
    text = capsys.readouterr().out
    assert text.startswith("### ❌ Do not ship: accuracy\n")
    assert "| cost | " in text
    assert words_in(text) <= MOST_WORDS
