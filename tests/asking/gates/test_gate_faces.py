"""What gates say of themselves in one word, and which two files are refused, and why."""

from __future__ import annotations

import inspect
import json

import numpy as np
import pandas as pd
import pytest

import podium
from podium.asking.boards.board import read_ledger
from podium.asking.gates.pytest_plugin import Gatekeeper


def scored(wrong, items=200, cost=1.0):
    """Answers of which so many are wrong, and what they cost."""
    costs = cost * (1 + 0.1 * np.cos(np.arange(items)))
    right = np.arange(items) >= wrong
    return pd.DataFrame({"item": [f"q{i}" for i in range(items)], "accuracy": right * 1.0,
                         "cost": costs})  # fmt: skip


def old_and(new):
    return scored(20)[["item", "accuracy"]], new[["item", "accuracy"]]


GOALS = {"margin": {"accuracy": 0.05}, "improve": "cost"}
STRICT = GOALS | {"margin": {"accuracy": 0.001}}
VERDICTS = [
    (lambda: podium.gate(*old_and(scored(21)), margin=0.1), "not worse", 0, False),
    (lambda: podium.gate(*old_and(scored(60)), margin=0.1), "worse", 3, True),
    (lambda: podium.gate(*old_and(scored(21)), margin=0.001), "undecided", 4, False),
    (lambda: podium.gate(*old_and(scored(21))), "not shown to be worse", 0, False),
    (lambda: podium.gate(scored(20), scored(20, cost=0.5), **GOALS), "ship", 0, False),
    (lambda: podium.gate(scored(20), scored(90, cost=0.5), **GOALS), "no", 3, True),
    (lambda: podium.gate(scored(20), scored(21, cost=0.5), **STRICT), "not yet", 4, False),
    (lambda: podium.gate(scored(20), {"a": scored(20, cost=0.5), "b": scored(90)}, **GOALS),
     "ship", 0, False),
    (lambda: podium.gate(scored(20), {"a": scored(95), "b": scored(90)}, **GOALS), "no", 3, True),
    (lambda: podium.gate(scored(20), {"a": scored(21, cost=0.5), "b": scored(90)}, **STRICT),
     "not yet", 4, False),
]  # fmt: skip


@pytest.mark.parametrize(("made", "verdict", "status", "worse"), VERDICTS)
def test_verdict_status_and_being_worse_agree(made, verdict, status, worse):
    found = made()
    assert (found.verdict, found.status, found.is_worse) == (verdict, status, worse)


@pytest.mark.parametrize(
    ("gains", "verdict", "status", "says"),
    [
        ("all", "not shown to be worse", 0, ", question 1 to the 200 sealed items: yes, it holds "
         "there (level 0.025). Below: the 200 public items."),
        ("public", "not shown to be worse", 4, ", question 1 to the 200 sealed items: not shown "
         "there (level 0.025). Below: the 200 public items."),
        ("none", "worse", 3, ": the 200 public items do not pass, so the 200 sealed ones were not "
         "asked."),
    ],
)  # fmt: skip
def test_sealed_items_decide_what_public_ones_leave_open(gains, verdict, status, says, tmp_path):
    old = pd.DataFrame({"item": np.arange(400), "accuracy": (np.arange(400) % 3 > 0) * 1.0})
    ledger = tmp_path / "ledger.jsonl"
    first = podium.gate(old, old, ledger=ledger)
    assert (first.status, first.asked.looks, first.asked.passes) == (4, 1, False)
    known = read_ledger(ledger).entries[0]
    public = old["item"].astype(str).isin(known["items"][: known["public"]])
    better = {"all": 1.0, "public": public * 1.0, "none": 0.0}[gains]
    new = old.assign(accuracy=np.maximum(old["accuracy"], better))
    if gains == "none":
        new["accuracy"] *= np.arange(400) % 2
    found = podium.gate(old, new, ledger=ledger)
    assert (found.verdict, found.status) == (verdict, status)
    assert (found.asked.passes, found.asked.looks) == (gains == "all", 2)
    assert f"look 2{says}" in str(found)


def test_the_fixture_takes_what_the_verb_takes():
    own = inspect.signature(Gatekeeper.__call__).parameters
    verb = inspect.signature(podium.gate).parameters
    shared = own.keys() & verb.keys() - {"old", "new"}
    assert {"alpha", "margin", "improve", "procedure"} <= shared
    assert {name: own[name].default for name in shared} == {
        name: verb[name].default for name in shared
    }


def one(head, *rows):
    return "\n".join([head, *rows, ""])


def hyperfine(**times):
    results = [{"command": n, "mean": float(np.mean(t)), "times": t} for n, t in times.items()]
    return json.dumps({"results": results})


REFUSED = {
    "one score": (one("accuracy", "0.9"), one("accuracy", "0.8"), {}),
    "columns of algorithms": (
        one("item,model,algorithm,accuracy", "a,m,n,1", "b,m,n,0"),
        one("item,accuracy", "a,1", "b,1"), {},
    ),
    "an algorithm that is nowhere": (
        one("item,model,accuracy", "a,m,1", "b,m,0"), one("item,model,accuracy", "a,n,1", "b,n,0"),
        {"algorithm": "k"},
    ),
    "other benchmarks": (
        hyperfine(sort=[1.0, 1.1], scan=[2.0, 2.1]), hyperfine(find=[1.0, 1.1], move=[2.0, 2.2]), {}
    ),
}  # fmt: skip


@pytest.mark.parametrize(("name", "says"), [
    ("one score", "old.txt' and '.*new.txt' have one score each"),
    ("columns of algorithms", "has 2 columns that may name the algorithm: .*. Say which: "
                              ".*algorithm=model"),
    ("an algorithm that is nowhere", "'k' is not an algorithm of these files. Known: m, n"),
    ("other benchmarks", r"such as 'sort' and 'find'\)"),
])  # fmt: skip
def test_two_files_that_make_no_pair_are_named(name, says, tmp_path):
    old, new, options = REFUSED[name]
    for side, text in (("old", old), ("new", new)):
        (tmp_path / f"{side}.txt").write_text(text)
    with pytest.raises(podium.PodiumError, match=says):
        podium.gate(tmp_path / "old.txt", tmp_path / "new.txt", **options)
