"""`podium items`, strata and pass@k on the command line."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from podium.cli.main import _status


@pytest.fixture
def board(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    rows = [
        (f"m{m}", f"q{i}", "xy"[i % 2], a, int(rng.random() < 0.8 - 0.15 * m))
        for m in range(3) for i in range(40) for a in range(4)
    ]  # fmt: skip
    frame = pd.DataFrame(rows, columns=["model", "item", "topic", "answer", "accuracy"])
    frame.to_csv("answers.csv", index=False)
    frame[frame["answer"] == 0].drop(columns="answer").to_csv("items.csv", index=False)


def test_items_are_described_on_screen_and_in_json(board, capsys):
    assert _status(["items", "items.csv", "--columns", "ignore=topic"]) == 0
    said = capsys.readouterr().out
    assert "40 items of 3 models" in said
    assert "The hardest items" in said
    assert _status(["items", "items.csv", "--columns", "ignore=topic", "--json", "-"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert {each["item"] for each in facts["items"]} == {f"q{i}" for i in range(40)}
    assert facts["log_likelihood"] is None


def test_strata_come_with_the_analysis(board, capsys):
    assert _status(["analyze", "items.csv", "--strata", "topic", "--json", "found.json"]) == 0
    said = capsys.readouterr().out
    assert "accuracy in 2 strata" in said.split("More")[1]
    assert said.split("\n\n")[-1].startswith("Next ")
    with open("found.json", encoding="utf-8") as file:
        facts = json.load(file)
    assert len(facts["strata"]["scores"]) == 6
    assert 0 <= facts["strata"]["global"]["p"] <= 1
    assert _status(["analyze", "items.csv", "--strata", "nobody"]) == 2


def test_pass_at_k_is_a_measure(board, capsys):
    said = ["analyze", "answers.csv", "--columns", "ignore=topic", "--json", "-"]
    assert _status([*said, "--measure", "pass@2"]) == 0
    two = json.loads(capsys.readouterr().out)
    assert _status(said) == 0
    one = json.loads(capsys.readouterr().out)
    assert two["measure"] == "pass@2"
    assert all(two["means"][name] > one["means"][name] for name in two["means"])
    assert one["answers"]["answers"] == [4, 4]
    assert _status([*said, "--measure", "pass@5"]) == 2
