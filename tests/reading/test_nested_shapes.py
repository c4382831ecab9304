"""Known tables in nested JSON of random shape: read rightly, or asked; never otherwise at once."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from test_odd_world import find

import podium
from podium import PodiumError
from podium.reading.inferring.asking import Question

MODELS = [
    ["gpt-4o", "llama-7b", "claude"],
    ["svm", "forest", "ridge", "knn"],
    ["zorp", "blik", "quaz"],
]
TASKS = [
    ["iris", "wine", "sonar", "zoo", "spam", "adult"],
    ["frim", "grub", "holt", "jask", "kelp"],
    [f"task{i}" for i in range(8)],
]
MEASURES = [("accuracy", True), ("rmse", False), ("latency_ms", False), ("f1", True)]
NAMES = [
    ("model", "dataset"),
    ("method", "task"),
    ("system", "benchmark"),
    ("algorithm", "problem"),
]


def chosen(r: np.random.Generator, options: list[Any]) -> Any:
    return options[int(r.integers(len(options)))]


def nested(r: np.random.Generator) -> tuple[Any, dict[str, float], bool, str]:
    """A value of random shape, the means of its algorithms, the direction, and what shape it is."""
    models, tasks = chosen(r, MODELS), chosen(r, TASKS)
    measure, higher = chosen(r, MEASURES)
    model, task = chosen(r, NAMES)
    runs = int(r.integers(1, 4))
    levels = {m: r.uniform(0.4, 0.8) for m in models}
    easy = {t: r.normal(0, 0.05) for t in tasks}
    scores = {
        m: {
            t: [round(float(levels[m] + easy[t] + r.normal(0, 0.02)), 4) for _ in range(runs)]
            for t in tasks
        }
        for m in models
    }
    means = {
        m: float(np.mean([v for held in of.values() for v in held])) for m, of in scores.items()
    }
    shape = chosen(
        r, ["records", "by model", "by task", "fields", "lists", "columns", "rows of each"]
    )

    def one(m: str, t: str) -> Any:
        return scores[m][t] if runs > 1 else scores[m][t][0]

    rows = [
        {model: m, task: t, "seed": k, measure: v}
        for m in models
        for t in tasks
        for k, v in enumerate(scores[m][t])
    ]
    shapes: dict[str, Any] = {
        "records": rows,
        "by model": {m: {t: {measure: one(m, t)} for t in tasks} for m in models},
        "by task": {t: {m: {measure: one(m, t)} for m in models} for t in tasks},
        "fields": {measure: {m: {t: one(m, t) for t in tasks} for m in models}},
        "lists": [
            {model: m, "results": [{task: t, measure: one(m, t)} for t in tasks]} for m in models
        ],
        "columns": {name: [row[name] for row in rows] for name in rows[0]},
        "rows of each": {
            m: [{task: t, "seed": k, measure: v} for t in tasks for k, v in enumerate(scores[m][t])]
            for m in models
        },
    }
    value = shapes[shape]
    for _ in range(int(r.integers(0, 3))):
        about = {"version": 3, "created": "2024-05-01", "host": "node7"}
        kept = dict(list(about.items())[: int(r.integers(0, 4))])
        value = {**kept, str(chosen(r, ["results", "data", "runs", "output"])): value}
    return value, means, higher, f"{shape}, {runs} runs, {measure}"


def is_right(results: podium.Results, means: dict[str, float], higher: bool) -> bool:
    measure = next(iter(results.measures))
    wide, names = results.wide(measure), results.algorithms
    found = {m: find(m, names) for m in means}
    if results.measures[measure].higher_is_better != higher or len(names) != len(means):
        return False
    return all(
        key is not None and abs(wide[key].mean() - means[m]) < 0.005 * abs(means[m])
        for m, key in found.items()
    )


def tried(seed: int, folder: Any) -> tuple[str, str]:
    value, means, higher, shape = nested(np.random.default_rng(seed))
    path = folder / f"{seed}.json"
    path.write_text(json.dumps(value))
    try:
        results = podium.read(path)
    except PodiumError:
        return "asked", shape
    return ("right" if is_right(results, means, higher) else "wrong"), shape


@pytest.mark.parametrize("first", range(0, 40, 10))
def test_nested_json_is_read_rightly_or_asked(first, tmp_path):
    wrong = [s for i in range(first, first + 10) if (s := tried(i, tmp_path))[0] == "wrong"]
    assert not wrong


@pytest.mark.long
def test_most_nested_json_is_read(tmp_path):
    outcomes = [tried(seed, tmp_path) for seed in range(600)]
    assert not [o for o in outcomes if o[0] == "wrong"]


def test_a_question_about_nested_rows_says_nothing_of_columns_that_they_lack(tmp_path):
    """The reader of tables sees one row here, and asks about columns that nobody wrote."""
    tries = [{"passed": True, "cost_usd": 0.1}, {"passed": False, "cost_usd": 0.2}]
    tasks = {f"t{i}": tries[:: (-1) ** i] for i in range(6)}
    path = tmp_path / "mine.json"
    path.write_text(json.dumps({"version": "1", "results": {"gpt": tasks, "llama": tasks}}))
    with pytest.raises(Question) as asked:
        podium.read(path)
    assert "Best guess" in str(asked.value)
    assert "Otherwise" not in str(asked.value)


def test_zeros_of_a_branch_that_was_not_run_are_no_scores(tmp_path):
    """As fio writes them: `read` beside a `write` that is 0 throughout."""
    jobs = [
        {"case": f"c{i}", "read": {"svm": 0.5 + i / 20, "knn": 0.9 - i / 30}, "write": {"tree": 0}}
        for i in range(8)
    ]
    path = tmp_path / "mine.json"
    path.write_text(json.dumps({"version": "1", "jobs": jobs}))
    with pytest.raises(Question, match=r"ignore=[^ ]*tree"):
        podium.read(path)
