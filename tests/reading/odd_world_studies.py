"""Tables of studies with people, servers and solvers, whose headers are those of their makers."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
from odd_world import Reading, Truth, case, csv, grid, means, rng


@case
def word_error_rates_beside_transcripts(folder: Path) -> Truth:
    """The measure stands before the names in the headers, beside texts and lengths."""
    r, n = rng("transcripts"), 60
    table = pd.DataFrame({"utt_id": [f"u{i:03d}" for i in range(n)], "speaker": "s1"})
    table["speaker"] = [f"spk{i % 6}" for i in range(n)]
    for name in ("murmur", "conch"):
        table[f"hyp_{name}"] = [f"the {name} said {i}" for i in range(n)]
    table["n_words"] = r.integers(4, 20, n)
    for name, rate in (("murmur", 0.12), ("conch", 0.3)):
        table[f"wer_{name}"] = r.binomial(table["n_words"], rate) / table["n_words"]
    truth = {name: float(table[f"wer_{name}"].mean()) for name in ("murmur", "conch")}
    return Truth([csv(folder / "asr.csv", table)], [Reading(truth, False, n)])


@case
def answers_of_participants(folder: Path) -> Truth:
    """Questions of a form, its order and the age are numbers beside each other."""
    r = rng("participants")
    table = grid("people", [f"P{i:02d}" for i in range(20)], ["ours", "plain", "oracle"],
                 names=["participant", "condition"])  # fmt: skip
    table["order"] = [int(k) + 1 for _ in range(20) for k in r.permutation(3)]
    table["age"] = 20 + table["participant"].str[1:].astype(int) % 17
    for k in (1, 2, 3):
        table[f"q{k}"] = r.integers(1, 8, len(table))
    path = csv(folder / "likert.csv", table)
    return Truth([path], [Reading(means(table, "condition", "q1"), True, 20)])


@case
def best_values_beside_evaluations(folder: Path) -> Truth:
    """What was reached has a name of its own; what it took is known by its name."""
    r = rng("optimisers")
    axes = [["DE", "PSO", "CMA-ES"], [f"f{i}" for i in range(1, 7)], [10, 30], range(4)]
    table = grid("cec", *axes, names=["algo", "func", "dim", "run"])
    table["fbest"] = 10.0 ** r.uniform(-3, 1, len(table))
    table["evals"] = r.integers(1000, 100_000, len(table))
    path = csv(folder / "cec.csv", table)
    return Truth([path], [Reading(means(table, "algo", "fbest"), False)])


@case
def requests_that_servers_refused(folder: Path) -> Truth:
    """A code of 500 is a failure, and no score."""
    r, n = rng("requests"), 240
    table = pd.DataFrame({"provider": r.choice(["north", "south", "west"], n)})
    table["latency_ms"] = r.uniform(100, 900, n).round()
    table["status_code"] = [500 if i % 24 == 0 else 200 for i in range(n)]
    answered = table[table["status_code"] == 200]
    path = csv(folder / "requests.csv", table)
    return Truth([path], [Reading(means(answered, "provider", "latency_ms"), False)])


@case
def times_with_their_speedups(folder: Path) -> Truth:
    r = rng("speedups")
    table = pd.DataFrame({"Benchmark": [f"b{i}" for i in range(12)]})
    for name, low in (("baseline", 50), ("inlined", 40), ("fused", 30)):
        table[f"{name} (ms)"] = r.uniform(low, low + 20, 12).round(1)
    for k, name in enumerate(("inlined", "fused"), 1):
        table[f"speedup{k}"] = (table["baseline (ms)"] / table[f"{name} (ms)"]).round(2)
    truth = {c: float(table[f"{c} (ms)"].mean()) for c in ("baseline", "inlined", "fused")}
    return Truth([csv(folder / "speed.csv", table)], [Reading(truth, False, 12)])


@case
def users_of_three_tools(folder: Path) -> Truth:
    r = rng("usability")
    table = pd.DataFrame({"user": [f"u{i}" for i in range(24)]})
    for name in ("toolA", "toolB", "toolC"):
        table[name] = r.integers(40, 101, 24)
    truth = {name: float(table[name].mean()) for name in ("toolA", "toolB", "toolC")}
    return Truth([csv(folder / "sus.csv", table)], [Reading(truth, True, 24)])


@case
def bugs_that_tools_report(folder: Path) -> Truth:
    r = rng("bugs")
    table = pd.DataFrame({"bug_id": [f"B{i}" for i in range(60)]})
    table["project"] = r.choice(["kiosk", "ledger"], 60)
    for name, rate in (("hound", 0.5), ("lynx", 0.7), ("ferret", 0.4)):
        table[name] = r.random(60) < rate
    truth = {name: float(table[name].mean()) for name in ("hound", "lynx", "ferret")}
    return Truth([csv(folder / "tools.csv", table)], [Reading(truth, True, 60)])


@case
def a_log_of_names_and_values(folder: Path) -> Truth:
    r = rng("log")
    table = grid("log", ["opal", "slate", "jade"], [f"set{i}" for i in range(8)],
                 names=["model", "dataset"])  # fmt: skip
    table["acc"] = r.uniform(0.6, 0.9, len(table)).round(3)
    rows = [f"12:{i:02d} INFO model={m} dataset={d} acc={a}"
            for i, (m, d, a) in enumerate(table.itertuples(index=False))]  # fmt: skip
    path = folder / "eval.log"
    path.write_text("\n".join(["started", *rows, "done"]) + "\n", encoding="utf-8")
    return Truth([path], [Reading(means(table, "model", "acc"), True, 8)])


@case
def scores_between_their_limits(folder: Path) -> Truth:
    """Limits of an interval stand beside each score: they are no algorithms."""
    r = rng("limits")
    table = pd.DataFrame({"dataset": [f"d{i}" for i in range(10)]})
    for name in ("rf", "svm"):
        score = r.uniform(0.6, 0.9, 10).round(3)
        table = table.assign(
            **{name: score, f"{name}_low": score - 0.02, f"{name}_high": score + 0.03}
        )
    truth = {name: float(table[name].mean()) for name in ("rf", "svm")}
    return Truth([csv(folder / "t.csv", table)], [Reading(truth, True, 10)])
