"""A gate's comment: short, with a unit and a percentage, whatever things are called."""

import numpy as np
import pandas as pd
import pytest

import podium
from podium.asking.gates.decisions import MOST_WORDS, Line, _comment_words_change, _values, words_in


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
    if factors == [1.3] * 9:  # two are called by name
        assert text.splitlines()[0].endswith(" and 7 more")
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
    shares = [f"{100 * each['accuracy'].mean():.1f} %" for each in (old, new)]
    assert f"| {shares[0]} | {shares[1]} |" in text


def test_a_change_is_of_the_old_value_in_percent_unless_it_was_0():
    line = Line("a", "seconds", 2.0, 3.0, 0.5, 1.5, is_reason=False)
    assert _comment_words_change(line) == "+50 % (+25 to +75)"
    none = Line("a", "bugs", 0.0, 3.0, 1.0, 5.0, is_reason=False)
    assert _comment_words_change(none) == "+3.0 (+1.0 to +5.0)"


@pytest.mark.parametrize(
    ("seconds", "written"),
    [(2.5, "2.5 s"), (1.0, "1 s"), (0.0015, "1.5 ms"), (0.9, "900 ms"), (1.5e-6, "1.5 µs"),
     (9e-4, "900 µs"), (1.5e-9, "1.5 ns"), (5e-10, "0.5 ns")],
)  # fmt: skip
def test_times_have_the_largest_unit_of_which_there_is_one(seconds, written):
    line = Line("a", "time", seconds, 2 * seconds, -1.0, 1.0, is_reason=False)
    assert _values(line)[0] == written


def test_what_is_no_share_of_the_old_value_is_told_in_its_own_unit():
    rng = np.random.default_rng(3)
    old, new = (pd.DataFrame({"item": range(40), "gain": rng.normal(m, 1, 40)}) for m in (-1, 2))
    asked = {"sampling": "items", "measure": "gain", "higher_is_better": True}
    text = podium.gate(old, new, margin=0.5, **asked).comment()
    change = f"{new['gain'].mean() - old['gain'].mean():.1f}"
    assert f"| {old['gain'].mean():.4g} | {new['gain'].mean():.4g} | +{change} (+" in text
    assert "%" not in text.split("change |")[1].split("One-sided")[0]


def test_a_decision_says_what_holds_it_up(tmp_path, capsys):
    from podium.cli.main import status_of

    rng = np.random.default_rng(4)
    for side, p, spent in (("old", 0.8, 1.0), ("new", 0.6, 0.5)):
        pd.DataFrame(
            {"item": range(300), "accuracy": (rng.random(300) < p).astype(int),
             "cost": spent * rng.lognormal(0, 0.2, 300)}
        ).to_csv(tmp_path / f"{side}.csv", index=False)  # fmt: skip
    asked = ["--margin", "accuracy=0.02", "--improve", "cost", "--comment", "-"]
    files = [str(tmp_path / f"{side}.csv") for side in ("old", "new")]
    assert status_of(["gate", *files, *asked]) == 3
    text = capsys.readouterr().out
    assert text.startswith("### ❌ Do not ship: accuracy\n")
    assert "| cost | " in text
    assert words_in(text) <= MOST_WORDS
