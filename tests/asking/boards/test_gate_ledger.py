"""A gate with a ledger: many tries against one test set, and no more errors than alpha."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import podium
from podium import PodiumError
from podium.asking.boards.board import read_ledger
from podium.asking.boards.gating import NEW, OLD, _p
from podium.asking.boards.questions import level_of
from podium.cli.main import status_of

ITEMS = 600


def written(path: Path, values: np.ndarray, start: int = 0) -> Path:
    rows = "".join(f"q{start + i},{v:g}\n" for i, v in enumerate(values))
    path.write_text(f"item,accuracy\n{rows}")
    return path


@pytest.fixture
def old(tmp_path: Path) -> Path:
    return written(tmp_path / "old.csv", (np.arange(ITEMS) % 2).astype(float))


def improved(share: float, seed: int = 1) -> np.ndarray:
    values = (np.arange(ITEMS) % 2).astype(float)
    values[np.random.default_rng(seed).random(ITEMS) < share] = 1
    return values


def test_a_real_gain_passes_and_the_same_scores_cost_nothing(old, tmp_path) -> None:
    new, ledger = written(tmp_path / "new.csv", improved(0.3)), tmp_path / "loop.jsonl"
    for look in (1, 2):
        made = podium.gate(old, new, ledger=ledger)
        assert (made.status, made.asked.answer, made.asked.question) == (0, "yes", 1)
        assert made.asked.looks == look
    assert made.asked.level == level_of(1, 0.05)
    assert (made.asked.public, made.asked.sealed) == (300, 300)
    assert made.table["blocks"].tolist() == [300]


def test_right_and_wrong_answers_are_judged_by_signs(old, tmp_path, monkeypatch) -> None:
    """8 gains and no loss among the sealed items: p = 2^-8 is below 0.025, a bet has 0.041."""
    monkeypatch.setattr("podium.asking.boards.gating.secrets.randbits", lambda _: 7)
    values = improved(0.0)
    values[0:192:12] = 1  # 16 items that were wrong
    made = podium.gate(old, written(tmp_path / "new.csv", values), ledger=tmp_path / "loop.jsonl")
    assert (made.asked.answer, made.asked.level) == ("yes", 0.025)


def test_what_was_tuned_to_the_public_items_does_not_pass(old, tmp_path) -> None:
    ledger = tmp_path / "loop.jsonl"
    podium.gate(old, written(tmp_path / "same.csv", improved(0.0)), ledger=ledger)
    first = read_ledger(ledger).entries[0]
    values = improved(0.0)
    values[[int(name[1:]) for name in first["items"][: first["public"]]]] = 1
    made = podium.gate(old, written(tmp_path / "tuned.csv", values), ledger=ledger)
    assert made.verdict == "not shown to be worse"
    assert made.table["new"].tolist() == [1.0]
    assert (made.status, made.asked.answer) == (4, "no")


def test_no_gain_is_not_asked_and_a_loss_is_worse(old, tmp_path) -> None:
    ledger = tmp_path / "loop.jsonl"
    same = podium.gate(old, written(tmp_path / "a.csv", improved(0.0)), ledger=ledger)
    assert (same.status, same.asked.question) == (4, None)
    lost = (np.arange(ITEMS) % 4 == 1).astype(float)
    assert podium.gate(old, written(tmp_path / "b.csv", lost), ledger=ledger).status == 3
    assert [entry["event"] for entry in read_ledger(ledger).entries] == ["gate", "look", "look"]


def test_a_margin_asks_whether_the_loss_is_smaller(old, tmp_path) -> None:
    ledger = tmp_path / "loop.jsonl"
    new = written(tmp_path / "new.csv", improved(0.0))
    made = podium.gate(old, new, margin=0.1, ledger=ledger)
    assert (made.verdict, made.status, made.asked.answer) == ("not worse", 0, "yes")
    with pytest.raises(PodiumError, match="not a share"):
        podium.gate(old, new, margin="5%", ledger=ledger)


def test_a_loss_of_the_margin_passes_at_most_as_often_as_the_level_says() -> None:
    """And half of it passes mostly: 400 sealed items, of which each may move by one."""
    level, passed = 0.2, {0.1: 0, 0.05: 0}
    rng = np.random.default_rng(4)
    names = [f"q{i}" for i in range(400)]
    for loss in passed:
        for _ in range(60):
            gain = np.where(rng.random(400) < loss, -1.0, 0.0)
            table = pd.DataFrame({OLD: 1.0, NEW: 1.0 + gain}, index=names)
            items = SimpleNamespace(table=table, blocks=pd.Series(names, names), span=1.0)
            passed[loss] += _p(items, names, 0.1, level) <= level
    assert passed[0.1] <= 60 * level
    assert passed[0.05] > 40


def test_another_test_set_or_level_is_refused(old, tmp_path) -> None:
    ledger, new = tmp_path / "loop.jsonl", written(tmp_path / "new.csv", improved(0.1))
    podium.gate(old, new, ledger=ledger)
    with pytest.raises(PodiumError, match=r"--alpha 0\.05"):
        podium.gate(old, new, alpha=0.1, ledger=ledger)
    both = [written(tmp_path / f"{n}.csv", improved(0.1)[:200]) for n in "ab"]
    lacking = "lack q200, q201, q202, q203, q204 and 395 more and have others: none\\."
    with pytest.raises(PodiumError, match=f"is of 600 items: these files {lacking}"):
        podium.gate(*both, ledger=ledger)
    more = [written(tmp_path / f"{n}.csv", np.resize(improved(0.1), 607)) for n in "ab"]
    others = "lack none and have others: q600, q601, q602, q603, q604 and 2 more\\."
    with pytest.raises(PodiumError, match=others):
        podium.gate(*more, ledger=ledger)
    few = [written(tmp_path / f"{n}.csv", improved(0.1)[:30]) for n in "cd"]
    with pytest.raises(PodiumError, match="too few"):
        podium.gate(*few, ledger=tmp_path / "few.jsonl")
    text = ledger.read_text()
    ledger.write_text(text.replace('"look"', '"lock"', 1))
    with pytest.raises(PodiumError, match="line 2"):
        podium.gate(old, new, ledger=ledger)


def test_without_the_ledger_the_gate_says_how_often_it_was_asked(old, tmp_path, capsys) -> None:
    ledger, new = tmp_path / "loop.jsonl", written(tmp_path / "new.csv", improved(0.3))
    assert "asked-before" not in [note.code for note in podium.gate(old, new).notes]
    assert status_of(["gate", str(old), str(new), "--ledger", str(ledger), "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["ledger"]["answer"] == "yes"
    assert status_of(["gate", str(old), str(new)]) == 0
    assert "have been looked at 1 time before" in " ".join(capsys.readouterr().out.split())
    assert status_of(["gate", str(old), str(new), "--ledger", str(ledger)]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    verdict, told, _ = shown.partition(f"Ledger '{ledger}', look 2, question 1 to the 300 sealed")
    assert told
    assert verdict.startswith("Not shown to be worse")
