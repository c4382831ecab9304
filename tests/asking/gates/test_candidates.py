"""Several candidates against one old version: one level for all, each judged at its share."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import podium
from podium.cli.main import status_of
from podium.errors import PodiumError

GOALS: dict[str, Any] = {"margin": {"accuracy": 0.1}, "improve": "cost"}


def version(right: float, cost: float, seed: int, n: int = 300) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    hard = np.random.default_rng(0).random(n)
    answers = (hard < right).astype(int)
    costs = cost * np.exp(rng.normal(0, 0.3, n))
    return pd.DataFrame({"item": [f"q{i}" for i in range(n)], "accuracy": answers, "cost": costs})


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    of = {"old": (0.85, 1.0), "mini": (0.83, 0.3), "tiny": (0.60, 0.1), "dear": (0.88, 2.0)}
    frames = {n: version(*facts, seed=i) for i, (n, facts) in enumerate(of.items())}
    for name, frame in frames.items():
        frame.to_csv(f"{name}.csv", index=False)
    pd.concat([f.assign(model=n) for n, f in frames.items()]).to_csv("all.csv", index=False)
    return tmp_path


def test_each_candidate_is_the_decision_at_a_share_of_the_level(folder: Path) -> None:
    made = podium.gate("old.csv", {n: f"{n}.csv" for n in ("mini", "tiny", "dear")}, **GOALS)
    assert made.ships == ["mini"]
    assert (made.verdict, made.status) == ("ship", 0)
    for name, each in made.decisions.items():
        alone = podium.gate("old.csv", f"{name}.csv", alpha=0.05 / 3, **GOALS)
        assert each.to_dict()["decision"] == alone.to_dict()["decision"]
        assert made.p_adjusted(name) == pytest.approx(min(3 * each.p, 1.0))
    assert repr(made).startswith("Ship mini: accuracy is not worse by 0.1 or more, and cost falls")
    assert "Not tiny: accuracy is worse" in repr(made)
    facts = made.to_dict()
    assert facts["level"] == pytest.approx(0.05 / 3)
    assert [(c["name"], c["verdict"]) for c in facts["candidates"]] == [
        ("mini", "ship"), ("tiny", "no"), ("dear", "no"),
    ]  # fmt: skip


def test_one_file_with_all_versions_says_the_same(folder: Path) -> None:
    files = podium.gate("old.csv", {n: f"{n}.csv" for n in ("mini", "tiny", "dear")}, **GOALS)
    one = podium.gate("all.csv", control="old", **GOALS)
    for name, each in one.decisions.items():
        for part, same in zip(each.parts, files.decisions[name].parts, strict=True):
            assert (part.p, *part.limits) == pytest.approx((same.p, *same.limits))
    assert one.ships == files.ships


def test_verdicts_of_none(folder: Path) -> None:
    none = podium.gate("old.csv", {"tiny": "tiny.csv", "dear": "dear.csv"}, **GOALS)
    assert (none.verdict, none.status) == ("no", 3)
    few = version(0.83, 0.3, 1).head(20)
    open_ = podium.gate(version(0.85, 1.0, 0).head(20), {"few": few, "dear": "dear.csv"}, **GOALS)
    assert (open_.verdict, open_.status) == ("not yet", 4)
    assert repr(open_).startswith("Not yet: none of the 2 candidates is shown to be good enough.")


def test_the_command_and_its_files(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    goals = ["--margin", "accuracy=0.1", "--improve", "cost"]
    assert status_of(["gate", "old.csv", "mini.csv", "tiny.csv", *goals, "--json", "o.json"]) == 0
    screen = " ".join(capsys.readouterr().out.split())
    text = json.loads(Path("o.json").read_text("utf-8"))["text"]
    assert screen.startswith(text)
    assert "judged at 2.5 % (5 % over 2, Bonferroni)" in screen
    assert status_of(["gate", "old.csv", "tiny.csv", "dear.csv", *goals]) == 3
    assert status_of(["gate", "all.csv", "--control", "old", *goals, "--comment", "c.md"]) == 0
    comment = Path("c.md").read_text("utf-8")
    assert comment.startswith("### ✅ Ship mini: accuracy is not worse")
    assert "| tiny | ❌ no | accuracy |" in comment


@pytest.mark.parametrize(
    ("given", "options", "text"),
    [
        (("old.csv", None), GOALS, "podium gate FILE --control OLD"),
        (("all.csv", None), {**GOALS, "control": "prod"}, "Known: old, mini, tiny, dear"),
        (("all.csv", "mini.csv"), {**GOALS, "control": "old"}, "leave the second source out"),
        (("old.csv", {"mini": "mini.csv", "tiny": "tiny.csv"}), {}, "--margin accuracy=0.01"),
        (
            ("old.csv", {"mini": "mini.csv", "tiny": "tiny.csv"}),
            {**GOALS, "ledger": "l.json"},
            "one candidate at a time",
        ),
    ],
)
def test_what_is_refused(folder: Path, given: Any, options: dict[str, Any], text: str) -> None:
    with pytest.raises(PodiumError, match=text):
        podium.gate(*given, **options)


def test_a_file_given_twice_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert status_of(["gate", "old.csv", "mini.csv", "mini.csv", "--margin", "accuracy=0.1"]) == 2
    assert "'mini.csv' is given twice" in capsys.readouterr().err
