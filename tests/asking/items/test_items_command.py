"""`podium survey items`, strata and pass@k on the command line."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from podium.cli.main import status_of


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
    assert status_of(["survey", "items", "items.csv", "--columns", "ignore=topic"]) == 0
    said = capsys.readouterr().out
    assert "40 items of 3 models" in said
    assert "The hardest items" in said
    assert (
        status_of(["survey", "items", "items.csv", "--columns", "ignore=topic", "--json", "-"]) == 0
    )
    facts = json.loads(capsys.readouterr().out)
    assert {each["item"] for each in facts["items"]} == {f"q{i}" for i in range(40)}
    assert facts["log_likelihood"] is None


def test_strata_come_with_the_analysis(board, capsys):
    assert status_of(["analyze", "items.csv", "--strata", "topic", "--json", "found.json"]) == 0
    said = capsys.readouterr().out
    assert "accuracy in 2 strata" in said.split("Test  ")[1]
    assert said.split("\n\n")[-1].startswith("Next ")
    with open("found.json", encoding="utf-8") as file:
        facts = json.load(file)
    assert len(facts["strata"]["scores"]) == 6
    assert 0 <= facts["strata"]["global"]["p"] <= 1
    assert status_of(["analyze", "items.csv", "--strata", "nobody"]) == 2


def test_pass_at_k_is_a_measure(board, capsys):
    said = ["analyze", "answers.csv", "--columns", "ignore=topic", "--json", "-"]
    assert status_of([*said, "--measure", "pass@2"]) == 0
    two = json.loads(capsys.readouterr().out)
    assert status_of(said) == 0
    one = json.loads(capsys.readouterr().out)
    assert two["measure"] == "pass@2"
    assert all(two["means"][name] > one["means"][name] for name in two["means"])
    assert one["answers"]["answers"] == [4, 4]
    assert status_of([*said, "--measure", "pass@5"]) == 2


def test_pass_hat_k_comes_with_pass_at_k_flaky_items_and_costs(board, capsys):
    frame = pd.read_csv("answers.csv").assign(cost=0.5).drop(columns="topic")
    frame.to_csv("costly.csv", index=False)
    said = ["analyze", "costly.csv", "--columns", "ignore=answer", "--measure", "pass^3"]
    assert status_of(said) == 0
    text = capsys.readouterr().out
    assert text.index("pass^3 ") < text.index("pass@1") < text.index("pass@3")
    assert "are flaky" in text
    assert "Cost per solved task" in text
    assert status_of([*said, "--json", "-"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["repeats"]["k"] == 3
    own = [r["mean"] for r in facts["repeats"]["rates"] if r["rate"] == "pass^3"]
    assert own == pytest.approx([*facts["means"].values()])
    costs = facts["repeats"]["costs"]
    share = frame.groupby("model")["accuracy"].mean()
    assert [c["per_solved"] for c in costs] == pytest.approx((0.5 / share).tolist())
    assert (
        status_of(["survey", "items", "costly.csv", "--columns", "ignore=answer", "--json", "-"])
        == 0
    )
    assert json.loads(capsys.readouterr().out)["repeats"]["k"] == 4
    assert (
        status_of(["survey", "items", "items.csv", "--columns", "ignore=topic", "--json", "-"]) == 0
    )
    assert "repeats" not in json.loads(capsys.readouterr().out)
