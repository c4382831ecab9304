"""Queues, looks and studies that stop, over varied plans, are those that were kept."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import pytest
from asked import asked, prepared, rng
from outcomes import outcome
from snapshots import assert_kept

import podium
from podium import Layout, Measure
from podium.asking.comparison.analysis import analysed
from podium.asking.queues.plots import looks_data, looks_section, running
from podium.core.inference.comparing.compare import compare
from podium.core.inference.layouts import Origin
from podium.core.inference.numbers.boundaries import StoppingPlan, planned_looks
from podium.core.questions.targets import SIMULATION
from podium.core.samplings import simulation

NAMES = ("ann", "bob", "cat")


def pool(n: int = 60) -> pd.DataFrame:
    return pd.DataFrame(
        {"item": [f"q{i:02d}" for i in range(n)], "topic": [i // 5 for i in range(n)]}
    )


def answered(queue, n, chances, seed=1, names=NAMES) -> pd.DataFrame:
    """Answers to the first items of a queue."""
    draws = rng(seed)
    rows = [
        (item, name, int(draws.random() < chance))
        for item in queue["item"][:n] for name, chance in zip(names, chances, strict=True)
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=["item", "model", "accuracy"])


QUEUES = {
    "plain": {"seed": 3},
    "four looks": {"seed": 3, "looks": 4, "spending": "power2"},
    "open": {"seed": 4, "open": True},
    "margin": {"seed": 5, "relevance": 0.1, "alpha": 0.2},
    "clusters": {"seed": 6, "cluster": "topic"},
    "open clusters": {"seed": 6, "cluster": "topic", "open": True},
}
SHARES = {"early": 20, "half": 45, "whole": 60}
CHANCES = {"apart": (0.95, 0.5, 0.2), "alike": (0.6, 0.6, 0.6)}


def shown(queue, answers):
    results = podium.sequential.read_queued(answers, queue)
    found = podium.compare(results)
    analysis = analysed(results, [found])
    plan = found.extras.sequential
    return {
        "table": found.table,
        "plan": {k: v for k, v in vars(plan).items()
                 if isinstance(v, (int, float, str, bool, tuple, dict)) and k != "courses"},
        "notes": found.warnings,
        "looks": looks_data(found).lines,
        "section": outcome(looks_section, analysis),
        "views": [(v.headline, v.sentence, v.progress, v.rows) for v in running(analysis)],
    }  # fmt: skip


@pytest.mark.parametrize("name", QUEUES)
def test_queues_and_their_looks_are_kept(name):
    queue = podium.queue(pool(), NAMES, **QUEUES[name])
    told = {"order": queue["item"].tolist()[:12], "head": queue.columns.tolist()}
    for share, n in SHARES.items():
        for chance, of in CHANCES.items():
            if (share, chance) != ("half", "alike"):
                told[f"{share} {chance}"] = outcome(shown, queue, answered(queue, n, of))
    assert_kept("sequential", "queues", told, name, relative=1e-6)


def stopped(shift, n, measure, **facts):
    values = rng(2).normal(size=(80, 3)) + shift
    values[n:] = np.nan
    looks_at = planned_looks(80, 10, open=facts.get("open", False))
    plan = StoppingPlan(NAMES, "score", 80, looks_at, **facts)
    origin = Origin(sampling=simulation(80))
    made = Layout(values, NAMES, SIMULATION, "population", measure, origin=origin)
    return replace(made, stopped=replace(made.stopped, plan=plan, finished=~np.isnan(values)))


def looked(made):
    found = compare(made)
    return [found.table, looks_data(found).lines, found.warnings]


@pytest.mark.parametrize("n", [30, 60, 80])
def test_looks_at_samples_are_kept(n):
    told = {}
    for name, facts in {"budget": {}, "alpha": {"alpha": 0.2}, "power2": {"spending": "power2"},
                        "race": {"goal": "race"}}.items():  # fmt: skip
        for better in (True, False):
            measure = Measure("score", higher_is_better=better)
            made = stopped((0.0, 0.1, 0.9), n, measure, **facts)
            told[f"{name} {better}"] = outcome(looked, made)
    assert_kept("sequential", "samples", told, f"{n} of 80", relative=1e-6)


LINES = [
    "plan queue pool.csv --algorithms ann,bob -o q1.csv",
    "plan queue pool.csv --algorithms ann,bob --seed 4 --looks 5 -o q2.csv",
    "plan queue pool.csv --algorithms ann,bob,cat --open -o q3.csv",
    "plan queue pool.csv --algorithms ann,bob --open --bounds 0,10 -o q4.csv",
    "plan queue pool.csv --algorithms ann,bob --cluster topic --relevance 0.1 -o q5.csv",
    "plan queue pool.csv --algorithms ann -o q6.csv",
    "plan queue pool.csv --algorithms ann,bob --looks 0 -o q7.csv",
    "plan queue pool.csv --algorithms ann,bob --alpha 2 -o q8.csv",
    "plan queue pool.csv --algorithms ann,bob --bounds 0,1 -o q9.csv",
    "plan queue pool.csv --algorithms ann,bob --open --bounds 1,1 -o q10.csv",
    "plan queue pool.csv --algorithms ann,bob --open --looks 4 -o q11.csv",
    "plan queue pool.csv --algorithms ann,bob --item odd -o q12.csv",
    "plan queue pool.csv --algorithms ann,bob --spending odd -o q13.csv",
    "plan queue blank.csv --algorithms ann,bob -o q14.csv",
    "plan queue double.csv --algorithms ann,bob -o q15.csv",
    "plan queue pool.csv --algorithms ann,ann -o q16.csv",
    "analyze answers.csv --queue q.csv",
    "analyze answers.csv --queue q.csv --why",
    "analyze late.csv --queue q.csv",
    "analyze skipped.csv --queue q.csv",
    "analyze others.csv --queue q.csv",
    "analyze answers.csv --queue pool.csv",
    "analyze answers.csv --queue changed.csv",
    "analyze costly.csv --queue q.csv",
    "analyze costly.csv --queue q.csv -m accuracy",
]


def test_commands_of_queues_are_kept(tmp_path, monkeypatch, capsys):
    queue = podium.queue(pool(), NAMES, seed=3)
    answers = answered(queue, 45, CHANCES["apart"])
    skipped = answers[answers["item"] != queue["item"].iloc[4]]
    swapped = queue.copy()
    swapped.loc[[0, 1], "item"] = swapped.loc[[1, 0], "item"].to_numpy()
    blank = pool().assign(item=lambda t: t["item"].where(t.index != 3, None))
    frames = {
        "pool": pool(), "q": queue, "answers": answers, "skipped": skipped, "changed": swapped,
        "late": answered(queue, 60, CHANCES["alike"]), "double": pool().assign(item="same"),
        "costly": answers.assign(cost=1.5), "blank": blank,
        "others": answers.assign(item="x" + answers["item"]),
    }  # fmt: skip
    prepared(tmp_path, monkeypatch, **{name: partial(frames.get, name) for name in frames})
    told = {line: asked(line, capsys) for line in LINES}
    for name in ("q1", "q2", "q3", "q5"):
        lines = (tmp_path / f"{name}.csv").read_text("utf-8").splitlines()
        told[f"{name}.csv"] = lines[:8]
    assert_kept("sequential", "commands", json.loads(json.dumps(told)))
