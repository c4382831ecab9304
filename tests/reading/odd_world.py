"""Result files as tools and people write them, each with what is true of it.

`CASES` maps a name to a function that writes files into a folder and gives a `Truth`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd


@dataclass
class Truth:
    """Valid readings, any of which is right; none: nothing in it can be compared."""

    files: Sequence[Path]
    readings: Sequence[Reading] = ()
    may_refuse: bool = False
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass
class Reading:
    """Means of algorithms, and which values are better."""

    means: Mapping[str, float]
    higher: bool
    blocks: int | None = None
    failed: int | None = None


CASES: dict[str, Callable[[Path], Truth]] = {}


def case(make: Callable[[Path], Truth]) -> Callable[[Path], Truth]:
    CASES[make.__name__] = make
    return make


def rng(name: str) -> np.random.Generator:
    return np.random.default_rng(sum(map(ord, name)))


def text(path: Path, content: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8")
    return path


def lines(path: Path, rows: Sequence[Any]) -> Path:
    return text(path, "\n".join(map(json.dumps, rows)) + "\n")


def csv(path: Path, frame: pd.DataFrame, **how: Any) -> Path:
    return text(path, frame.to_csv(index=False, **how))


def means(frame: pd.DataFrame, algorithm: Any, value: str, block: str | None = None) -> dict:
    names = frame[algorithm] if isinstance(algorithm, str) else frame[algorithm[0]]
    if not isinstance(algorithm, str):
        for other in algorithm[1:]:
            names = names.astype(str) + " / " + frame[other].astype(str)
    by = frame.assign(_a=names.astype(str))
    if block:
        by = by.groupby(["_a", block], as_index=False)[value].mean()
    return by.groupby("_a")[value].mean().to_dict()


def grid(seed: str, *axes: Sequence[Any], names: Sequence[str]) -> pd.DataFrame:
    return pd.MultiIndex.from_product(axes, names=names).to_frame(index=False)


# -- harnesses of language models -----------------------------------------------------------------


@case
def swe_bench_reports(folder: Path) -> Truth:
    """A folder of logs: a report per instance, keyed by its id."""
    r, rows = rng("swe"), []
    for model, rate in (("opal-agent", 0.6), ("slate-agent", 0.35)):
        for i in range(40):
            name = f"django__django-{1000 + i}"
            ok = bool(r.random() < rate)
            rows.append((model, name, ok))
            text(
                folder / "logs" / model / name / "report.json",
                json.dumps(
                    {
                        name: {
                            "patch_is_None": False,
                            "patch_exists": True,
                            "patch_successfully_applied": True,
                            "resolved": ok,
                        }
                    }
                ),
            )
    frame = pd.DataFrame(rows, columns=["model", "id", "ok"])
    return Truth([folder / "logs"], [Reading(means(frame, "model", "ok"), True, 40)])


@case
def bigcodebench_items(folder: Path) -> Truth:
    """Status words by task, a file for each model, samples in a list."""
    r, found, files = rng("bcb"), {}, []
    for model, rate in (("amber-7b", 0.7), ("flint-7b", 0.45), ("marl-7b", 0.5)):
        items, scores = {}, []
        for i in range(30):
            statuses = ["pass" if r.random() < rate else "fail" for _ in range(2)]
            scores.append(np.mean([s == "pass" for s in statuses]))
            items[f"BigCodeBench/{i}"] = [
                {
                    "task_id": f"BigCodeBench/{i}",
                    "solution": "def f():\n  pass",
                    "status": s,
                    "details": {},
                }
                for s in statuses
            ]
        found[model] = float(np.mean(scores))
        files.append(
            text(
                folder / f"{model}_eval_results.json",
                json.dumps({"date": "2025-01-01", "eval": items}),
            )
        )
    return Truth(files, [Reading(found, True, 30)])


@case
def deepeval_tests(folder: Path) -> Truth:
    """Test results with a list of metrics each, in a file for each model."""
    r, found, files = rng("deepeval"), {}, []
    for model, level in (("gpt-4o", 0.8), ("gpt-4o-mini", 0.65)):
        cases, kept = [], []
        for i in range(25):
            s = round(float(np.clip(r.normal(level, 0.1), 0, 1)), 3)
            kept.append(s)
            cases.append(
                {
                    "name": f"test_case_{i}",
                    "input": f"Question number {i} about the world?",
                    "actualOutput": "Some long answer " * 5,
                    "success": s > 0.5,
                    "metricsData": [
                        {
                            "name": "Answer Relevancy",
                            "threshold": 0.5,
                            "success": s > 0.5,
                            "score": s,
                            "reason": "because " * 9,
                            "strictMode": False,
                            "evaluationModel": "gpt-4.1",
                            "evaluationCost": 0.001,
                        }
                    ],
                }
            )
        found[model] = float(np.mean(kept))
        files.append(text(folder / f"{model}.json", json.dumps({"testCases": cases})))
    share = {}
    for f, model in zip(files, found, strict=True):
        tests = json.loads(f.read_text())["testCases"]
        share[model] = float(np.mean([t["success"] for t in tests]))
    return Truth(files, [Reading(found, True), Reading(share, True)])


@case
def ragas_frame(folder: Path) -> Truth:
    """One table of all systems, texts in columns, four scores, some empty."""
    r = rng("ragas")
    frame = grid("", ("hybrid", "dense", "bm25"), range(30), names=["pipeline", "i"])
    frame["user_input"] = [f"What is known about topic number {i} in the corpus?" for i in frame.i]
    frame["response"] = [
        f"An answer of some length, {i}, by {p}" * 2
        for p, i in zip(frame.pipeline, frame.i, strict=True)
    ]
    level = frame["pipeline"].map({"hybrid": 0.8, "dense": 0.7, "bm25": 0.6})
    frame["faithfulness"] = np.clip(r.normal(level, 0.1), 0, 1).round(4)
    frame["context_recall"] = np.clip(r.normal(level - 0.1, 0.1), 0, 1).round(4)
    frame = frame.drop(columns="i")
    readings = [
        Reading(means(frame, "pipeline", m), True, 30) for m in ("faithfulness", "context_recall")
    ]
    return Truth([csv(folder / "ragas.csv", frame)], readings)


@case
def mtbench_judgments(folder: Path) -> Truth:
    """One judgment per line: two turns, -1 where the judge's answer could not be read."""
    r, rows = rng("mt"), []
    for model, level in (("koala-13b", 5.5), ("vicuna-33b", 7.0), ("claude-v1", 8.0)):
        for q in range(81, 121):
            for turn in (1, 2):
                score = float(np.clip(np.rint(r.normal(level, 1)), 1, 10))
                rows.append(
                    {
                        "question_id": q,
                        "model": model,
                        "judge": ["gpt-4", "single-v1"],
                        "user_prompt": "x" * 60,
                        "judgment": "Rating: [[7]] " * 5,
                        "score": -1 if r.random() < 0.04 else score,
                        "turn": turn,
                        "tstamp": 1687222812.0 + len(rows),
                    }
                )
    frame = pd.DataFrame(rows)
    kept = frame[frame["score"] >= 0]
    by_item = means(kept, "model", "score", "question_id")
    return Truth(
        [lines(folder / "gpt-4_single.jsonl", rows)],
        [Reading(means(kept, "model", "score"), True), Reading(by_item, True)],
    )


@case
def simple_evals_jsonl(folder: Path) -> Truth:
    """A JSONL per model; the model is in the name of the file, correct is true or false."""
    r, files, found = rng("simple"), [], {}
    for model, rate in (("qwen3-8b", 0.62), ("llama-3.1-8b", 0.48), ("phi-4", 0.71)):
        ok = r.random(50) < rate
        found[model] = float(ok.mean())
        files.append(
            lines(
                folder / "out" / f"{model}.jsonl",
                [
                    {
                        "id": f"mmlu-{i}",
                        "prompt": "Q " * 30,
                        "output": "A " * 30,
                        "gold": "ABCD"[i % 4],
                        "pred": "ABCD"[(i + 1) % 4],
                        "correct": bool(o),
                        "n_tokens": int(r.integers(50, 900)),
                    }
                    for i, o in enumerate(ok)
                ],
            )
        )
    return Truth([folder / "out"], [Reading(found, True, 50)])


@case
def livebench_categories(folder: Path) -> Truth:
    """Judgments with a task, a category and a score of 0 to 1 per question."""
    r, rows = rng("live"), []
    for model, level in (("m-large", 0.7), ("m-small", 0.5)):
        for cat, tasks in {"math": ("amps", "aime"), "code": ("lcb", "fix")}.items():
            for task in tasks:
                for q in range(12):
                    rows.append(
                        {
                            "question_id": f"{task}-{q}",
                            "task": task,
                            "category": cat,
                            "model": model,
                            "tstamp": 1.7e9 + len(rows),
                            "turn": 1,
                            "score": round(float(np.clip(r.normal(level, 0.2), 0, 1)), 3),
                        }
                    )
    frame = pd.DataFrame(rows)
    return Truth(
        [lines(folder / "ground_truth_judgment.jsonl", rows)],
        [Reading(means(frame, "model", "score"), True)],
    )


@case
def pairwise_winner_names(folder: Path) -> Truth:
    """Two names and the name of the winner, who may be neither."""
    r, rows = rng("pair"), []
    names = ["north", "south", "east"]
    skill = {"north": 1.2, "south": 0.0, "east": -0.8}
    for i in range(240):
        a, b = r.permutation(names)[:2]
        p = 1 / (1 + np.exp(skill[b] - skill[a]))
        won = "tie" if r.random() < 0.1 else a if r.random() < p else b
        rows.append((f"p{i % 60}", a, b, won, "rater" + str(i % 7)))
    frame = pd.DataFrame(rows, columns=["prompt_id", "system_1", "system_2", "preferred", "rater"])
    return Truth([csv(folder / "prefs.csv", frame)], [Reading({"north": np.nan}, True)])


@case
def judge_errors(folder: Path) -> Truth:
    """A judge that failed says so in a column of its own, and the score is 0."""
    r = rng("judgeerr")
    frame = grid("", ("base", "tuned"), range(40), names=["model", "sample_id"])
    level = frame["model"].map({"base": 3.0, "tuned": 3.8})
    frame["score"] = np.clip(np.rint(r.normal(level, 0.8)), 1, 5)
    bad = (r.random(len(frame)) < 0.1) & (frame["model"] == "tuned").to_numpy()
    frame["judge_error"] = np.where(bad, "RateLimitError: 429", "")
    frame.loc[bad, "score"] = np.nan
    worst = frame.assign(score=frame["score"].fillna(1.0))
    both = frame.groupby("sample_id")["score"].transform("count") == 2
    return Truth(
        [csv(folder / "judged.csv", frame)],
        [
            Reading(means(frame, "model", "score"), True),
            Reading(means(worst, "model", "score"), True),
            Reading(means(frame[both], "model", "score"), True),
        ],
    )


@case
def two_judges_disagree(folder: Path) -> Truth:
    """Each model was judged by another judge: nothing may be pooled."""
    r, rows = rng("judges"), []
    for model, judge, level in (("a1", "gpt-4", 7.0), ("b1", "claude", 6.0), ("c1", "gpt-4", 6.4)):
        for i in range(30):
            rows.append((model, f"q{i}", judge, round(float(r.normal(level, 1)), 2)))
    frame = pd.DataFrame(rows, columns=["model", "question", "judge_model", "rating"])
    some = frame[frame["judge_model"] == "gpt-4"]
    return Truth(
        [csv(folder / "ratings.csv", frame)],
        [Reading(means(some, "model", "rating"), True, 30)],
        may_refuse=True,
    )


# -- timers ---------------------------------------------------------------------------------------


@case
def microbenchmark_r(folder: Path) -> Truth:
    """microbenchmark of R: expr and nanoseconds, in random order."""
    r = rng("micro")
    frame = pd.DataFrame({"expr": np.repeat(["vapply", "loop", "map"], 50)})
    frame["time"] = r.lognormal(
        frame["expr"].map({"vapply": 9, "loop": 9.6, "map": 9.9}), 0.1
    ).round()
    frame = frame.sample(frac=1, random_state=1)
    return Truth([csv(folder / "mb.csv", frame)], [Reading(means(frame, "expr", "time"), False)])


@case
def latency_with_units(folder: Path) -> Truth:
    """Cells with their unit: 12.3 ms."""
    r = rng("units")
    frame = grid("", [f"query{i}" for i in range(12)], names=["query"])
    for engine, level in (("duck", 12.0), ("fox", 20.0), ("hen", 31.0)):
        frame[engine] = [f"{v:.1f} ms" for v in r.normal(level, 1, 12)]
    truth = {c: float(np.mean([float(v.split()[0]) for v in frame[c]])) for c in frame.columns[1:]}
    return Truth([csv(folder / "latency.csv", frame)], [Reading(truth, False, 12)])


@case
def mixed_units(folder: Path) -> Truth:
    """Cells in different units: to average the bare numbers would be wrong."""
    r, rows, raw = rng("mixed"), [], []
    for engine, level in (("duck", 0.4), ("fox", 2.0)):
        for i in range(14):
            s = float(r.lognormal(np.log(level), 0.6))
            raw.append((engine, f"q{i}", s))
            rows.append((engine, f"q{i}", f"{s * 1000:.0f} ms" if s < 1 else f"{s:.3f} s"))
    frame = pd.DataFrame(rows, columns=["engine", "query", "runtime"])
    true = pd.DataFrame(raw, columns=["engine", "query", "s"])
    return Truth(
        [csv(folder / "runtimes.csv", frame)],
        [Reading(means(true, "engine", "s"), False, 14)],
        may_refuse=True,
    )


@case
def k6_and_locust(folder: Path) -> Truth:
    """locust: percentiles of requests by name, then a row Aggregated: nothing to compare."""
    frame = pd.DataFrame(
        {
            "Type": ["GET", "POST", ""],
            "Name": ["/items", "/login", "Aggregated"],
            "Request Count": [1200, 300, 1500],
            "Failure Count": [3, 0, 3],
            "Median Response Time": [12, 45, 15],
            "Average Response Time": [13.2, 47.7, 20.1],
            "Min Response Time": [5, 20, 5],
            "Max Response Time": [120, 300, 300],
            "Requests/s": [40.1, 10.0, 50.1],
            "50%": [12, 45, 15],
            "95%": [30, 90, 66],
        }
    )
    return Truth([csv(folder / "stats.csv", frame)], may_refuse=True)


@case
def sysbench_runs(folder: Path) -> Truth:
    """Transactions per second by thread count, machine named in a column."""
    r = rng("sysb")
    frame = grid(
        "", ("mysql", "postgres"), (1, 8, 64), (1, 2, 3, 4, 5), names=["db", "threads", "run"]
    )
    level = frame["db"].map({"mysql": 900.0, "postgres": 1100.0}) * np.sqrt(frame["threads"])
    frame["tps"] = r.normal(level, 0.03 * level).round(1)
    frame["host"] = "bench01"
    return Truth(
        [csv(folder / "oltp.csv", frame)],
        [Reading(means(frame, "db", "tps", "threads"), True)],
    )


@case
def machines_mixed(folder: Path) -> Truth:
    """Each engine ran on another machine: a difference may be the machine's."""
    r, rows = rng("mach"), []
    for engine, host, level in (("v8", "m1-mini", 10.0), ("jsc", "xeon-e5", 14.0)):
        for t in range(10):
            for i in range(3):
                rows.append((engine, f"test{t}", i, host, round(float(r.normal(level, 0.5)), 3)))
    frame = pd.DataFrame(rows, columns=["engine", "benchmark", "iteration", "machine", "time_ms"])
    return Truth(
        [csv(folder / "js.csv", frame)],
        [Reading(means(frame, "engine", "time_ms"), False)],
        may_refuse=True,
    )


@case
def cargo_bench_text(folder: Path) -> Truth:
    """cargo bench of libtest: one line per function, no runs."""
    return Truth(
        [
            text(
                folder / "bench.txt",
                "running 3 tests\n"
                "test tests::fold ... bench:      12,345 ns/iter (+/- 123)\n"
                "test tests::iter ... bench:      10,001 ns/iter (+/- 99)\n"
                "test tests::loop ... bench:      15,200 ns/iter (+/- 400)\n\n"
                "test result: ok. 0 passed; 0 failed; 0 ignored; 3 measured\n",
            )
        ],
        [Reading({"fold": 12345, "iter": 10001, "loop": 15200}, False)],
        may_refuse=True,
    )


@case
def warmup_rows(folder: Path) -> Truth:
    """Iterations with a phase: warm-up rows do not count."""
    r = rng("warm")
    frame = grid(
        "",
        ("graal", "hotspot"),
        ("fop", "xalan", "h2", "pmd", "jme", "zxing"),
        range(8),
        names=["vm", "benchmark", "iteration"],
    )
    frame["phase"] = np.where(frame["iteration"] < 3, "warmup", "measurement")
    level = frame["vm"].map({"graal": 800.0, "hotspot": 900.0})
    level = level + np.where((frame["phase"] == "warmup") & (frame["vm"] == "graal"), 3000, 0)
    frame["time_ms"] = r.normal(level, 20).round(1)
    kept = frame[frame["phase"] == "measurement"]
    return Truth(
        [csv(folder / "dacapo.csv", frame)], [Reading(means(kept, "vm", "time_ms"), False)]
    )


@case
def ann_benchmarks(folder: Path) -> Truth:
    """Recall and queries per second of index parameters, many settings per algorithm."""
    r = rng("ann")
    frame = grid(
        "",
        ("hnsw", "ivf"),
        ("glove", "sift", "gist", "deep"),
        (10, 50, 100),
        names=["algorithm", "dataset", "ef"],
    )
    frame["recall"] = np.clip(
        0.6
        + frame["ef"] / 300
        + 0.05 * (frame["algorithm"] == "hnsw")
        + r.normal(0, 0.01, len(frame)),
        0,
        1,
    ).round(4)
    frame["qps"] = (5000 / frame["ef"] * r.lognormal(0, 0.1, len(frame))).round(1)
    both = means(frame, ("algorithm", "ef"), "recall")
    qps = means(frame, ("algorithm", "ef"), "qps")
    return Truth(
        [csv(folder / "ann.csv", frame)],
        [
            Reading(both, True, 4),
            Reading(qps, True, 4),
            Reading(means(frame, "algorithm", "recall"), True, 4),
        ],
    )
