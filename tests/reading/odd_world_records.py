"""Records that tools log, and headers that people make: games, kinds, names with seeds, titles."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
from odd_world import Reading, Truth, case, csv, lines, means, rng, text
from odd_world_layouts import of, scored, wide
from odd_world_tools import averaged, drawn

LEVELS = {"svm": 0.8, "tree": 0.7, "knn": 0.6}


def timed(name: str, of_each: int, cases: dict[str, float], *more: str) -> pd.DataFrame:
    """Times of three codes in several cases."""
    r = rng(name)
    rows = [
        (a, b, i, round(level * size * float(np.exp(r.normal(0, 0.05))), 5))
        for b, size in cases.items()
        for a, level in {"ring": 1.0, "lock": 1.6, "queue": 4.0}.items()
        for i in range(of_each)
    ]
    return pd.DataFrame(rows, columns=["algorithm", "dataset", "run", "value"])


def both(frame: pd.DataFrame, higher: bool = False) -> list[Reading]:
    """Means of algorithms, over all rows."""
    return [Reading(means(frame, "algorithm", "value"), higher)]


@case
def fields_that_are_no_descriptors(folder: Path) -> Truth:
    """The letters of gradient boosting are those of a unit."""
    frame = scored({"gb": 0.88, "rf": 0.85, "lda": 0.8}, 14)
    return Truth([csv(folder / "accuracy.csv", wide(frame).reset_index())], [of(frame)])


@case
def sizes_of_instances_beside_times(folder: Path) -> Truth:
    frame = timed("instances", 1, {f"i{i}.mps": float(2**i) / 7 for i in range(14)})
    table = frame.pivot(index="dataset", columns="algorithm", values="value").reset_index()
    r = rng("sizes of instances")
    table.insert(1, "variables", r.integers(500, 90000, len(table)))
    table.insert(2, "nonzeros", r.integers(5000, 900000, len(table)))
    return Truth([csv(folder / "times.csv", table)], both(frame))


@case
def an_index_of_pandas_with_a_name(folder: Path) -> Truth:
    frame = scored(LEVELS, 12)
    table = pd.concat({"accuracy": wide(frame), "f1": wide(frame) - 0.05}, axis=1)
    table.columns.names, table.index.name = ["metric", "model"], "dataset"
    return Truth([text(folder / "pivot.csv", table.to_csv())], [of(frame)])


@case
def a_title_above_groups(folder: Path) -> Truth:
    frame = scored(LEVELS, 6)
    table = wide(frame).T
    heads = ["Table 3. Accuracy,,,,,,", ",,,,,,", "Method,Image,,,Text,,"]
    body = table.to_csv(header=True, index_label=False).splitlines()
    return Truth(
        [text(folder / "t.csv", "\n".join([*heads, "," + body[0], *body[1:]]))], [of(frame)]
    )


@case
def names_with_seeds_in_a_column(folder: Path) -> Truth:
    scores = drawn("names with seeds", 5, LEVELS)
    rows = [(f"{a}-seed{i}", v) for a, vs in scores.items() for i, v in enumerate(vs)]
    path = csv(folder / "runs.csv", pd.DataFrame(rows, columns=["run", "accuracy"]))
    return Truth([path], [Reading(averaged(scores), True)])


@case
def trials_of_a_searcher(folder: Path) -> Truth:
    r, rows, best = rng("searcher"), [], []
    for name, level in {"asha": 0.85, "random": 0.8}.items():
        for seed in range(4):
            found = [round(level - abs(float(r.normal(0, 0.05))), 4) for _ in range(10)]
            ids = {"searcher": name, "seed": seed}
            rows += [{"type": "suggest", **ids, "config": {"lr": 0.1}}]
            rows += [
                {"type": "report", **ids, "trial_id": i, "metric": "accuracy", "value": v}
                for i, v in enumerate(found)
            ]
            best.append((name, max(found)))
    held = pd.DataFrame(best, columns=["algorithm", "value"])
    return Truth([lines(folder / "log.jsonl", rows)], both(held, True))


@case
def a_header_and_an_end_without_a_kind(folder: Path) -> Truth:
    r, files, rows = rng("samples of evals"), [], []
    for name, level in LEVELS.items():
        right = [bool(r.random() < level) for _ in range(40)]
        body = [
            {"event_id": i, "sample_id": f"math.{i}", "type": "match", "data": {"correct": c}}
            for i, c in enumerate(right)
        ]
        ends = [{"spec": {"eval_name": "math"}}], [{"final_report": {"accuracy": 0.5}}]
        files.append(lines(folder / f"{name}.jsonl", [*ends[0], *body, *ends[1]]))
        rows.append((name, float(np.mean(right))))
    return Truth(files, both(pd.DataFrame(rows, columns=["algorithm", "value"]), True))


@case
def two_games_in_a_record(folder: Path) -> Truth:
    r, rows = rng("games"), []
    for name, level in {"vicuna": 0.75, "koala": 0.5, "dolly": 0.25}.items():
        for q in range(30):
            won = ["model_1" if r.random() < level else "model_2" for _ in range(2)]
            record = {"question_id": q, "model_1": name, "model_2": "base"}
            rows.append({**record, "g1_winner": won[0], "g2_winner": won[1], "turn": 1})
    names = dict.fromkeys(("vicuna", "koala", "dolly", "base"), float("nan"))
    return Truth([lines(folder / "pair.jsonl", rows)], [Reading(names, True)])


@case
def queries_by_their_place(folder: Path) -> Truth:
    frame = timed("places", 3, {f"q{i}": float(1 + i * i) for i in range(12)})
    held = {
        a: [[*q["value"]] for _, q in own.groupby("dataset", sort=False)]
        for a, own in frame.groupby("algorithm")
    }
    path = text(folder / "tpch.json", json.dumps({"scale": 1, "unit": "s", "times": held}))
    return Truth([path], both(frame))


@case
def times_that_ended_at_the_limit(folder: Path) -> Truth:
    frame = timed("limits", 1, {f"i{i}": float(i + 1) for i in range(20)})
    late = frame["value"] > 40
    table = frame.assign(value=frame["value"].where(~late, 40.0)).drop(columns="run")
    table["status"] = np.where(late, "timeout", "complete")
    path = csv(folder / "solved.csv", table.rename(columns={"value": "cpu time"}))
    return Truth([path], both(table))


@case
def marks_that_are_missing_in_a_wide_table(folder: Path) -> Truth:
    r = rng("marks")
    marks = {m: r.integers(3, 10, 40).astype(float) + k for k, m in enumerate(("gpt", "llama"))}
    table = pd.DataFrame(marks).rename_axis("prompt_id")
    table.iloc[[2, 7], 0] = np.nan
    path = text(folder / "ratings.csv", table.fillna(-1).astype(int).to_csv())
    whole = table.dropna().mean()
    return Truth([path], [Reading(dict(m), True) for m in (table.mean(), whole)])


@case
def directions_that_differ(folder: Path) -> Truth:
    frame = timed("fewer is better", 3, {"build": 90.0, "render": 30.0})
    rates = timed("more is better", 3, {"zip": 1e4, "sign": 3e3, "serve": 2e3})
    parts = [frame.assign(proportion="LIB"), rates.assign(proportion="HIB")]
    path = csv(folder / "suite.csv", pd.concat(parts))
    return Truth([path], [*both(frame), *both(rates, True)])
