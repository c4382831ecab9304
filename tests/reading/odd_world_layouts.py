"""More files of the world: other tools, other layouts, each with what is true of it."""

from __future__ import annotations

import json
import sqlite3
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from odd_world import Reading, Truth, case, csv, lines, means, rng, text

NAMES = [
    *("Adiac", "Beef", "Car", "Coffee", "FaceFour", "GunPoint", "Ham", "Herring", "Meat", "Plane"),
    *("Symbols", "Trace", "Wafer", "Wine", "Yoga"),
]


def scored(levels: Mapping[str, float], blocks: int = 12, stem: str = "") -> pd.DataFrame:
    """Scores of algorithms on data sets that differ: columns model, block and value."""
    r, rows = rng("".join(levels)), []
    for i in range(blocks):
        hard = r.normal(0, 0.08)
        for model, level in levels.items():
            value = float(np.clip(level + hard + r.normal(0, 0.03), 0.02, 0.99))
            rows.append((model, f"{stem}{i}" if stem else NAMES[i], round(value, 4)))
    return pd.DataFrame(rows, columns=["model", "block", "value"])


def wide(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.pivot(index="block", columns="model", values="value")


def of(frame: pd.DataFrame, higher: bool = True, blocks: int | None = None) -> Reading:
    return Reading(means(frame, "model", "value"), higher, blocks)


def only_names(names: Any, higher: bool = True) -> Reading:
    return Reading(dict.fromkeys(names, float("nan")), higher)


# -- tables of people ------------------------------------------------------------------------------


@case
def descriptors_behind(folder: Path) -> Truth:
    frame = scored({"SARIMA": 0.3, "Prophet": 0.35, "DeepAR": 0.25}, 15)
    r = rng("descriptors")
    table = wide(frame).assign(
        length=r.integers(100, 900, 15),
        seasonality=r.choice([1, 4, 12], 15),
        trend_strength=r.uniform(0, 1, 15).round(3),
    )
    path = text(folder / "rmse_by_series.csv", table.to_csv(index_label="series"))
    return Truth([path], [of(frame, False, 15)])


@case
def corner_of_two_words(folder: Path) -> Truth:
    frame = scored({"A2C": 0.3, "PPO": 0.6, "DQN": 0.5})
    path = text(folder / "returns.csv", wide(frame).to_csv(index_label="Game \\ Agent"))
    return Truth([path], [of(frame, True, 12)])


@case
def categories_above_models(folder: Path) -> Truth:
    """An aggregate among the rows tells that these are data sets."""
    frame = scored({"zephyr": 0.6, "openchat": 0.65, "starling": 0.7, "vicuna": 0.5}, 8, "skill")
    value = {c: dict(zip(g["model"], g["value"], strict=True)) for c, g in frame.groupby("block")}
    value["overall"] = {m: round(v, 4) for m, v in means(frame, "model", "value").items()}
    return Truth([text(folder / "by_category.json", json.dumps(value))], [of(frame, True, 8)])


@case
def confusions(folder: Path) -> Truth:
    table = pd.DataFrame(
        {"true": ["cat", "dog", "fox"], "cat": [50, 3, 2], "dog": [4, 45, 6], "fox": [1, 2, 47]}
    )
    return Truth([csv(folder / "confusion.csv", table)], [], True)


@case
def rates_and_quantiles(folder: Path) -> Truth:
    rows = "| fastapi | 1234.5 | 3.1 | 9.9 |\n| starlette | 1822.2 | 2.2 | 8.1 |\n"
    header = "| Framework | Req/s | p50 (ms) | p99 (ms) |\n|---|---:|---:|---:|\n"
    return Truth([text(folder / "results.md", "# Load test\n\n" + header + rows)], [], True)


@case
def measures_by_part_of_the_data(folder: Path) -> Truth:
    r, rows = rng("parts"), []
    for model, level in (("resnet", 0.8), ("vit", 0.78), ("mixer", 0.7)):
        for seed in range(8):
            v = round(float(level + r.normal(0, 0.01)), 4)
            rows.append({"arch": model, "seed": seed, "acc_train": v + 0.15, "acc_val": v + 0.02})
            rows[-1] |= {"acc_test": v}
    frame = pd.DataFrame(rows)
    return Truth(
        [csv(folder / "runs.csv", frame)], [Reading(means(frame, "arch", "acc_test"), True)]
    )


@case
def pandas_split(folder: Path) -> Truth:
    frame = scored({"svc": 0.8, "gbm": 0.85, "nb": 0.7})
    path = text(folder / "accuracy.json", wide(frame).to_json(orient="split"))
    return Truth([path], [of(frame, True, 12)])


@case
def matrix_beside_its_names(folder: Path) -> Truth:
    frame = scored({"svc": 0.8, "gbm": 0.85, "nb": 0.7})
    table = wide(frame).T
    value = {"metric": "f1", "models": [*table.index], "datasets": [*table.columns]}
    value["scores"] = table.to_numpy().tolist()
    return Truth([text(folder / "matrix.json", json.dumps(value))], [of(frame, True, 12)])


# -- what is compared ------------------------------------------------------------------------------


@case
def commits(folder: Path) -> Truth:
    r = rng("commits")
    rows = [
        {
            "commit": c,
            "benchmark": f"bm_{b}",
            "rep": k,
            "time_ms": level * (1 + b) * r.uniform(0.97, 1),
        }
        for c, level in (("a1b2c3d", 1.0), ("d4e5f6a", 0.9))
        for b in range(12)
        for k in range(3)
    ]
    frame = pd.DataFrame(rows)
    truth = Reading(means(frame, "commit", "time_ms"), False)
    return Truth([csv(folder / "commits.csv", frame)], [truth])


@case
def versions_that_look_like_numbers(folder: Path) -> Truth:
    r = rng("versions")
    rows = [
        {
            "version": v,
            "suite": f"s{b}",
            "run": k,
            "duration_s": level * (1 + b / 5) * r.uniform(0.97, 1),
        }
        for v, level in (("3.10", 1.0), ("3.11", 0.8), ("3.12", 0.78))
        for b in range(12)
        for k in range(3)
    ]
    frame = pd.DataFrame(rows)
    truth = Reading(means(frame, "version", "duration_s"), False)
    return Truth([csv(folder / "versions.csv", frame)], [truth])


@case
def a_parameter(folder: Path) -> Truth:
    r = rng("parameter")
    rows = [
        {
            "k": k,
            "dataset": d,
            "accuracy": round(float(0.8 - abs(k - 5) / 50 + r.normal(0, 0.02)), 4),
        }
        for k in (1, 3, 5, 7, 15)
        for d in NAMES[:12]
    ]
    frame = pd.DataFrame(rows)
    return Truth(
        [csv(folder / "knn.csv", frame)], [Reading(means(frame, "k", "accuracy"), True, 12)]
    )


@case
def systems_and_models(folder: Path) -> Truth:
    """Two columns called like algorithms: the scores hang on the models that systems run."""
    sizes = {"resnet": 90000.0, "bert": 70000.0, "dlrm": 500000.0, "gptj": 100.0}
    rows = [
        {"System": s, "Model": m, "Result": round(size * level, 1), "Units": "Samples/s"}
        for s, level in (("acme-box", 1.0), ("dell-box", 0.95), ("lambda-box", 1.02))
        for m, size in sizes.items()
    ]
    frame = pd.DataFrame(rows)
    return Truth(
        [csv(folder / "serving.csv", frame)], [Reading(means(frame, "System", "Result"), True)]
    )


@case
def names_of_what_is_tried(folder: Path) -> Truth:
    hard = {"sphere": 1, "rastrigin": 30, "cigar": 200, "hm": 5}
    r = rng("tried")
    rows = [
        {"budget": b, "loss": level * h / b * r.uniform(0.5, 1.5), "name": f, "seed": s}
        | {"optimizer_name": o}
        for o, level in (("CMA", 1.0), ("DE", 2.0), ("OnePlusOne", 1.5))
        for f, h in hard.items()
        for b in (100, 400)
        for s in (1, 2)
    ]
    frame = pd.DataFrame(rows)
    truth = Reading(means(frame, "optimizer_name", "loss"), False)
    return Truth([csv(folder / "runs.csv", frame)], [truth])


@case
def machines_crossed(folder: Path) -> Truth:
    r = rng("machines")
    rows = [
        {
            "lib": m,
            "host": h,
            "bench": f"b{b}",
            "seconds": level * speed * (1 + b) * r.uniform(0.95, 1),
        }
        for m, level in (("numpy", 1.0), ("jax", 0.6))
        for h, speed in (("laptop", 2), ("server", 1))
        for b in range(10)
    ]
    frame = pd.DataFrame(rows)
    return Truth([csv(folder / "h.csv", frame)], [Reading(means(frame, "lib", "seconds"), False)])


# -- curves, runs and folders ----------------------------------------------------------------------


def curves(levels: Mapping[str, float], seeds: int = 4, epochs: int = 8) -> pd.DataFrame:
    r, rows = rng("curves"), []
    for model, level in levels.items():
        for seed in range(seeds):
            end = level + r.normal(0, 0.01)
            for epoch in range(epochs):
                rows.append(
                    (model, seed, epoch, round(float(end * (1 - np.exp(-(epoch + 1) / 3))), 4))
                )
    return pd.DataFrame(rows, columns=["model", "seed", "epoch", "value"])


def at_the_end(frame: pd.DataFrame, higher: bool = True) -> Reading:
    return of(frame[frame["epoch"] == frame["epoch"].max()], higher)


@case
def histories_of_a_training(folder: Path) -> Truth:
    """A file for each run, `accuracy` of the training data beside `val_accuracy`."""
    frame = curves({"vgg": 0.8, "mobilenet": 0.75})
    for (model, seed), g in frame.groupby(["model", "seed"]):
        table = pd.DataFrame({"epoch": g["epoch"], "accuracy": g["value"] + 0.05})
        table = table.assign(val_accuracy=g["value"])
        csv(folder / "logs" / f"{model}_seed{seed}.csv", table)
    return Truth([folder / "logs"], [at_the_end(frame)])


@case
def versions_of_runs(folder: Path) -> Truth:
    frame = curves({"gin": 0.7, "pna": 0.75}, 3)
    for (model, seed), g in frame.groupby(["model", "seed"]):
        table = pd.DataFrame(
            {"epoch": g["epoch"], "step": 10 * g["epoch"] + 9, "val_acc": g["value"]}
        )
        csv(folder / "lightning_logs" / str(model) / f"version_{seed}" / "metrics.csv", table)
    return Truth([folder / "lightning_logs"], [at_the_end(frame)])


@case
def iterations_of_a_search(folder: Path) -> Truth:
    frame = curves({"adam": 0.3, "sgd": 0.4, "lion": 0.28})
    table = frame.rename(columns={"model": "optimizer", "epoch": "iteration", "value": "val_loss"})
    return Truth([csv(folder / "curves.csv", table)], [at_the_end(frame, False)])


@case
def configurations_beside_metrics(folder: Path) -> Truth:
    r, rows = rng("hydra"), []
    for model, level in (("gat", 0.8), ("gcn", 0.75)):
        for name in ("cora", "citeseer", "pubmed", "arxiv", "physics"):
            for seed in range(2):
                v = round(float(level + r.normal(0, 0.02)), 4)
                run = folder / "outputs" / f"run{len(rows):03d}"
                rows.append((model, name, v))
                config = {
                    "model": {"name": model, "hidden": 64},
                    "data": {"name": name},
                    "seed": seed,
                }
                text(run / "config.json", json.dumps(config))
                text(run / "metrics.json", json.dumps({"test_acc": v, "train_acc": 0.99}))
    frame = pd.DataFrame(rows, columns=["model", "block", "value"])
    return Truth([folder / "outputs"], [of(frame)])


@case
def subjects_below_models(folder: Path) -> Truth:
    """Headers hold the model's name, and files of one name stand in every folder."""
    r, rows = rng("subjects"), []
    for model, rate in (("tiny-1b", 0.3), ("mid-7b", 0.6)):
        for subject in ("anatomy", "astronomy", "law", "virology", "biology", "logic"):
            right = r.random(20) < rate
            rows += [(model, subject, x) for x in right]
            table = pd.DataFrame({f"{model}_correct": right, f"{model}_probs": r.random(20)})
            csv(folder / "results" / model / f"{subject}.csv", table)
    frame = pd.DataFrame(rows, columns=["model", "block", "value"])
    return Truth([folder / "results"], [of(frame)])


@case
def an_archive_of_tables(folder: Path) -> Truth:
    frame = scored({"svm": 0.8, "rf": 0.85, "nn": 0.82})
    with zipfile.ZipFile(folder / "results.zip", "w") as held:
        for model, g in frame.groupby("model"):
            table = g[["block", "value"]].rename(columns={"block": "dataset", "value": "accuracy"})
            held.writestr(f"{model}.csv", table.to_csv(index=False))
    return Truth([folder / "results.zip"], [of(frame, True, 12)])


@case
def an_arrow_file(folder: Path) -> Truth:
    frame = scored({"svm": 0.8, "rf": 0.85, "nn": 0.82})
    table = frame.rename(columns={"block": "dataset", "value": "accuracy"})
    table.to_feather(folder / "scores.feather")
    return Truth([folder / "scores.feather"], [of(frame, True, 12)])


@case
def a_database_with_notes(folder: Path) -> Truth:
    frame = scored({"svm": 0.8, "rf": 0.85, "nn": 0.82})
    with sqlite3.connect(folder / "runs.db") as connection:
        table = frame.rename(columns={"block": "dataset", "value": "accuracy"})
        table.to_sql("results", connection, index=False)
        pd.DataFrame({"k": ["a"], "v": ["b"]}).to_sql("meta", connection, index=False)
    return Truth([folder / "runs.db"], [of(frame, True, 12)])


# -- nested values ---------------------------------------------------------------------------------


@case
def names_that_look_like_dates(folder: Path) -> Truth:
    r, rows = rng("yaml"), []
    for model, level in (("gemma-9b", 0.6), ("qwen-7b", 0.65), ("phi-3", 0.5)):
        rows += [(model, s, round(float(level + r.normal(0, 0.02)), 4)) for s in range(5)]
    content = "".join(
        f"- model: {m}\n  seed: {s}\n  dirname: 2024-07-0{s}\n  pass_rate: {v}\n"
        for m, s, v in rows
    )
    frame = pd.DataFrame(rows, columns=["model", "seed", "value"])
    return Truth([text(folder / "runs.yml", content)], [of(frame)])


@case
def warm_ups_that_are_marked(folder: Path) -> Truth:
    r, rows = rng("warm"), []
    for name, level in (("btree", 50.0), ("skiplist", 60.0), ("hashmap", 30.0)):
        for i in range(15):
            v = float(level * (3 if i < 3 else 1) * r.uniform(0.95, 1.05))
            rows.append({"benchmark": name, "iteration": i, "isWarmup": i < 3, "nanoseconds": v})
    frame = pd.DataFrame(rows)
    truth = Reading(means(frame[~frame["isWarmup"]], "benchmark", "nanoseconds"), False)
    return Truth([text(folder / "timer.json", json.dumps({"host": "x", "all": rows}))], [truth])


@case
def kinds_of_lines(folder: Path) -> Truth:
    """A header, two kinds of lines, and a last line that has the mean of the others."""
    r, files, result = rng("kinds"), [], {}
    for model, rate in (("alpha", 0.7), ("beta", 0.5)):
        rows: list[Any] = [{"type": "header", "model": model, "created": "2024"}]
        right = [bool(r.random() < rate) for _ in range(30)]
        for i, ok in enumerate(right):
            rows.append({"type": "sampling", "sample_id": f"s.{i}", "sampled": "some text"})
            rows.append({"type": "match", "sample_id": f"s.{i}", "correct": ok})
        result[model] = float(np.mean(right))
        rows.append({"type": "report", "accuracy": result[model]})
        files.append(lines(folder / f"{model}.jsonl", rows))
    return Truth(files, [Reading(result, True, 30)])


@case
def three_levels_of_unknown_names(folder: Path) -> Truth:
    r, value, rows = rng("levels"), {}, []
    for model, level in (("zorp", 0.7), ("blik", 0.72), ("quaz", 0.65)):
        value[model] = {
            name: {f"s{k}": round(float(level + r.normal(0, 0.02)), 4) for k in range(5)}
            for name in ("frim", "grub", "holt", "jask", "kelp", "lorn")
        }
        rows += [(model, v) for held in value[model].values() for v in held.values()]
    frame = pd.DataFrame(rows, columns=["model", "value"])
    return Truth([text(folder / "accuracy.json", json.dumps(value))], [of(frame)])


@case
def seeds_beside_returns(folder: Path) -> Truth:
    r = rng("returns")
    value = {
        m: {"seeds": [*range(5)], "returns": (level + r.normal(0, 100, 5)).round(1).tolist()}
        for m, level in (("PPO", 2000), ("SAC", 2800), ("TD3", 2700))
    }
    result = {m: float(np.mean(held["returns"])) for m, held in value.items()}
    path = text(folder / "hopper.json", json.dumps({"env": "Hopper", "results": value}))
    return Truth([path], [Reading(result, True, 5)])


@case
def providers_by_their_id(folder: Path) -> Truth:
    r, rows, found = rng("providers"), [], []
    for i in range(25):
        for model, rate in (("openai:a", 0.8), ("anthropic:b", 0.7), ("mistral:c", 0.5)):
            score = float(r.random() < rate)
            found.append((model, score))
            rows.append(
                {"testIdx": i, "provider": {"id": model}, "response": {"output": "so " * 30}}
            )
            rows[-1] |= {
                "gradingResult": {"pass": bool(score), "score": score},
                "latencyMs": 100 + i,
            }
    frame = pd.DataFrame(found, columns=["model", "value"])
    value = {"version": 3, "results": {"stats": {"failures": 2}, "outputs": rows}}
    return Truth([text(folder / "out.json", json.dumps(value))], [of(frame)])


@case
def verdicts_in_words(folder: Path) -> Truth:
    r = rng("verdicts")
    rows = [
        {
            "agent": m,
            "question": f"q{i}",
            "verdict": "correct" if r.random() < rate else "incorrect",
        }
        for m, rate in (("react", 0.6), ("cot", 0.5), ("tot", 0.65))
        for i in range(40)
    ]
    frame = pd.DataFrame(rows)
    right = frame.assign(value=frame["verdict"] == "correct")
    return Truth(
        [csv(folder / "v.csv", frame)], [Reading(means(right, "agent", "value"), True, 40)]
    )


# -- battles ---------------------------------------------------------------------------------------


def games(count: int = 200) -> tuple[list[str], list[tuple[str, str, str]]]:
    r, names = rng("games"), ["orca", "wizard", "guanaco", "koala"]
    strength = dict(zip(names, (1.2, 0.6, 0.1, -0.6), strict=True))
    rows = []
    for _ in range(count):
        a, b = map(str, r.choice(names, 2, replace=False))
        won = r.random() < 1 / (1 + np.exp(strength[b] - strength[a]))
        rows.append((a, b, "tie" if r.random() < 0.1 else "a" if won else "b"))
    return names, rows


@case
def results_of_chess(folder: Path) -> Truth:
    names, rows = games()
    codes = {"a": "1-0", "b": "0-1", "tie": "1/2-1/2"}
    table = pd.DataFrame([{"White": a, "Black": b, "Result": codes[w]} for a, b, w in rows])
    return Truth([csv(folder / "games.csv", table)], [only_names(names)])


@case
def chosen_and_rejected(folder: Path) -> Truth:
    names, rows = games()
    records = [
        {
            "prompt": f"p{i}",
            "chosen_model": a if w == "a" else b,
            "rejected_model": b if w == "a" else a,
        }
        for i, (a, b, w) in enumerate(rows)
    ]
    return Truth([lines(folder / "pairs.jsonl", records)], [only_names(names)])


@case
def a_score_for_each_side(folder: Path) -> Truth:
    names, rows = games()
    points = {"a": (1.0, 0.0), "b": (0.0, 1.0), "tie": (0.5, 0.5)}
    records = [
        {"model_1": a, "model_2": b, "score_1": points[w][0], "score_2": points[w][1]}
        for a, b, w in rows
    ]
    return Truth([text(folder / "b.json", json.dumps(records))], [only_names(names)])


# -- cells and headers -----------------------------------------------------------------------------


@case
def units_in_headers(folder: Path) -> Truth:
    frame = scored({"A (ms)": 0.3, "B (ms)": 0.4, "C (ms)": 0.35})
    return Truth(
        [text(folder / "t.csv", wide(frame).to_csv(index_label="query"))], [of(frame, False)]
    )


@case
def short_words_for_timeouts(folder: Path) -> Truth:
    frame = scored({"glucose": 0.2, "minisat": 0.3, "kissat": 0.15}, 15, "i")
    late = (frame["model"] == "minisat") & (frame.index % 2 == 0)
    table = frame.rename(columns={"model": "solver", "block": "instance", "value": "runtime_s"})
    table["runtime_s"] = table["runtime_s"].astype(str).where(~late, "TO")
    names = ["glucose", "minisat", "kissat"]
    return Truth([csv(folder / "t.csv", table)], [only_names(names, False)])


@case
def rows_of_means_and_wins(folder: Path) -> Truth:
    frame = scored({"rf": 0.8, "svm": 0.75, "nb": 0.7})
    table = wide(frame).astype(str)
    table.loc["Mean ± SD"] = "0.7 ± 0.1"
    table.loc["W/T/L"] = "5/0/7"
    path = text(folder / "accuracy.csv", table.to_csv(index_label="Dataset"))
    return Truth([path], [of(frame, True, 12)])


@case
def cases_of_one_function(folder: Path) -> Truth:
    r, rows = rng("cases"), []
    for name, level in (("swiss", 20.0), ("runtime", 30.0)):
        rows += [(name, round(float(level * r.uniform(0.95, 1.05)), 2)) for _ in range(10)]
    content = "".join(f"BenchmarkMap/{n}-8\t 1000000\t {v} ns/op\t 16 B/op\n" for n, v in rows)
    frame = pd.DataFrame(rows, columns=["model", "value"])
    return Truth([text(folder / "bench.txt", f"goos: linux\n{content}PASS\n")], [of(frame, False)])
