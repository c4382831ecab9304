"""Files as tools nobody has a recipe for, and people in a hurry, write them, with their truth."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
from odd_world import Reading, Truth, case, csv, lines, rng, text
from odd_world_tools import MODELS, averaged, drawn, read_as, table_of
from test_cells_and_documents import spreadsheet

SETS = ["abalone", "balance", "car", "ecoli", "glass", "heart", "kc1", "letter", "sonar", "zoo"]
MODELS_TOO = {"lasso": 0.7, "ridge": 0.75, "tree": 0.6}


@case
def solutions_that_are_systems(folder: Path) -> Truth:
    """`solution` names what is compared, two runs of each question beside sizes and checksums."""
    r, rows = rng("solutions"), []
    for solution, level in {"polars": 0.5, "duckdb": 0.4, "pandas": 2.5}.items():
        for q in range(10):
            for run in (1, 2):
                seconds = round(level * (1 + 0.3 * q) * np.exp(r.normal(0, 0.05)), 3)
                rows.append(("box", 17e8 + len(rows), f"sum v{q} by id{q}", solution, run, seconds))
    columns = ["nodename", "timestamp", "question", "solution", "run", "time_sec"]
    frame = pd.DataFrame(rows, columns=columns).assign(in_rows=10**7, chk="1;2")
    truth = frame.groupby("solution")["time_sec"].mean().to_dict()
    return Truth([csv(folder / "time.csv", frame)], [Reading(truth, False)])


@case
def samples_below_their_statistics(folder: Path) -> Truth:
    """Means and quantiles stand above the list of single times: the times are the scores."""
    r, records, truth = rng("samples below"), [], {}
    for name, level in {"flat_map": 400.0, "flatten": 700.0}.items():
        times = [round(float(t), 3) for t in level * np.exp(r.normal(0, 0.1, 20))]
        truth[name] = float(np.mean(times))
        statistics = {"average": truth[name], "median": float(np.median(times)), "std_dev": 1.5}
        statistics |= {"minimum": min(times), "maximum": max(times), "ips": 1e9 / truth[name]}
        data = {"samples": times, "statistics": statistics}
        records.append({"name": name, "input": "Small", "run_time_data": data})
    path = text(folder / "benchee.json", json.dumps(records))
    return Truth([path], [Reading(truth, False, 20)])


@case
def answers_below_scores(folder: Path) -> Truth:
    """Below each task's score stands a list of solutions, which have none of their own."""
    scores, files = drawn("answers below", 20), []
    for model, values in scores.items():
        tasks = {
            f"Task/{i}": {
                "dps": v,
                "profiled": [{"solution": "x", "cluster_idx": k} for k in (3, 8)],
            }
            for i, v in enumerate(values)
        }
        held = {"config": {"n_samples": 9}, "summary": {"dps": 0.5}, "eval": tasks}
        files.append(text(folder / f"{model}.json", json.dumps(held)))
    low = Reading(averaged(scores), False, 20)
    return Truth(files, [Reading(averaged(scores), True, 20), low])


@case
def a_matrix_of_pairs(folder: Path) -> Truth:
    """Each model beside each other one: nothing to compare them on."""
    names = ["opal", "slate", "amber", "flint"]
    held = {a: {b: [0.5 + i / 10, 0.5 + k / 10] for k, b in enumerate(names)} for i, a in
            enumerate(names)}  # fmt: skip
    board = {a: {"dps": 0.5 + i / 10, "win_rate": i / 4} for i, a in enumerate(names)}
    path = text(folder / "board.json", json.dumps(board | {"heatmap": held}))
    return Truth([path], [], may_refuse=True)


@case
def a_board_of_rates_and_seconds(folder: Path) -> Truth:
    """Rates, percentages and seconds of each model are no data sets."""
    rows = [
        f"- model: {m}\n  test_cases: 225\n  pass_rate_1: {20.5 + i}\n  pass_rate_2: {50.5 + i}\n"
        f"  percent_cases_well_formed: {90.5 + i}\n  user_asks: {7 * i}\n"
        f"  seconds_per_case: {30.2 - i}\n  total_cost: {i}.5\n"
        for i, m in enumerate(MODELS)
    ]
    return Truth([text(folder / "board.yml", "\n".join(rows))], [], may_refuse=True)


@case
def means_with_errors_at_sizes(folder: Path) -> Truth:
    """`Error` beside Mean and StdDev is half an interval, and no error rate."""
    r, rows, truth = rng("means at sizes"), [], {}
    for method, level in {"Linq": 50.0, "Loop": 12.0, "Span": 10.0}.items():
        for n in (10, 100, 1000):
            mean = round(level * n * np.exp(r.normal(0, 0.05)), 2)
            truth.setdefault(method, []).append(mean)
            rows.append(f"{method},{n},{mean} ns,{mean * 0.013:.3f} ns,{mean * 0.01:.3f} ns")
    path = text(folder / "report.csv", "\n".join(["Method,N,Mean,Error,StdDev", *rows]) + "\n")
    return Truth([path], [Reading(averaged(truth), False, 3)])


@case
def measures_before_names(folder: Path) -> Truth:
    table = table_of("measures before", list(MODELS))
    both = pd.concat([table.add_prefix("acc."), (table - 0.03).add_prefix("f1.")], axis=1)
    path = csv(folder / "t.csv", both.rename_axis("name").reset_index())
    return Truth([path], [read_as(table), read_as(table - 0.03)])


@case
def one_measure_behind_all_names(folder: Path) -> Truth:
    """Word error rates of test sets, beside their mean, a speed and a licence."""
    names = [f"{s} WER" for s in ("AMI", "GigaSpeech", "LS Clean", "SPGI", "TedLium", "VoxPopuli")]
    table = pd.DataFrame(drawn("wer", 6, MODELS_TOO), index=names)
    frame = table.T.rename_axis("model").reset_index()
    frame.insert(1, "Average WER", table.mean().round(2).to_numpy())
    frame = frame.assign(RTFx=[145.5, 2390.6, 30.1], License="MIT")
    return Truth([csv(folder / "asr.csv", frame)], [read_as(table, higher=False)])


@case
def times_in_german_brackets(folder: Path) -> Truth:
    r = rng("german brackets")
    table = pd.DataFrame(
        {
            f"Verfahren {c}": (k * np.exp(r.normal(0, 0.5, 8))).round(2)
            for c, k in zip("AB", (12, 9), strict=True)
        },
        index=[f"Instanz {i}" for i in range(8)],
    )
    shown = table.rename(columns=lambda c: f"{c} [s]").rename_axis("Instanz")
    path = folder / "laufzeiten.csv"
    shown.to_csv(path, sep=";", decimal=",", encoding="cp1252")
    return Truth([path], [read_as(table, higher=False)])


@case
def cells_that_were_merged(folder: Path) -> Truth:
    """A data set stands in the first row of its group only."""
    table = pd.DataFrame(drawn("merged", 10), index=SETS)
    rows = [
        (name if i == 0 else "", model, value)
        for name, row in table.iterrows()
        for i, (model, value) in enumerate(row.items())
    ]
    frame = pd.DataFrame(rows, columns=["Dataset", "Method", "Accuracy"])
    return Truth([csv(folder / "merged.csv", frame)], [read_as(table)])


@case
def remarks_beside_a_sheet(folder: Path) -> Truth:
    """A title, a header of two rows of which one column has one, a mean and a line of remarks."""
    table = pd.DataFrame(drawn("remarks beside", 10), index=SETS)
    rows = [["Table 3: accuracy", "", "", "", ""], ["Dataset", "Accuracy", "", "", "Remarks"]]
    rows += [["", *table.columns, ""]]
    rows += [
        [n, *map(str, v), "rerun" if n == "car" else ""]
        for n, v in zip(SETS, table.to_numpy(), strict=True)
    ]
    rows += [["Mean", *table.mean().round(4).astype(str), ""], ["* by KH", "", "", "", ""]]
    path = folder / "models.xlsx"
    path.write_bytes(spreadsheet(("Results", rows)))
    return Truth([path], [read_as(table)])


@case
def an_archive_without_headers(folder: Path) -> Truth:
    scores = drawn("archive", 10, {"alpha": 0.2, "beta": 0.25, "gamma": 0.3})
    path = folder / "error_rates.zip"
    with zipfile.ZipFile(path, "w") as held:
        for name, values in scores.items():
            rows = [f"{s},{v}" for s, v in zip(SETS, values, strict=True)]
            held.writestr(f"{name}.csv", "\n".join(rows) + "\n")
    return Truth([path], [Reading(averaged(scores), False, 10)])


@case
def names_of_files_in_parts(folder: Path) -> Truth:
    """`gru_weather_1.json`: what was trained, on what, and the seed."""
    r, truth = rng("parts of names"), {}
    for model, level in {"gru": 0.7, "lstm": 0.72}.items():
        for name in ("etth", "weather", "traffic"):
            for seed in (1, 2, 3):
                mse = round(float(level + r.normal(0, 0.01)), 4)
                truth.setdefault(model, []).append(mse)
                text(folder / "flat" / f"{model}_{name}_{seed}.json", json.dumps({"mse": mse}))
    return Truth([folder / "flat"], [Reading(averaged(truth), False)])


@case
def settings_beside_curves(folder: Path) -> Truth:
    """`hparams.yaml` beside `metrics.csv`, in which rows of training and validation alternate."""
    r, ends = rng("settings beside"), {}
    for model, level in {"mlp": 0.8, "cnn": 0.9}.items():
        for seed in range(3):
            rows = []
            for epoch in range(4):
                acc = round(float(level - 0.2 / (epoch + 1) + r.normal(0, 0.005)), 4)
                rows += [f"{epoch},{epoch * 10 + 5},0.5,", f"{epoch},{epoch * 10 + 9},,{acc}"]
            ends.setdefault(model, []).append(acc)
            place = folder / "logs" / model / f"version_{seed}"
            text(place / "metrics.csv", "\n".join(["epoch,step,train_loss,val_acc", *rows]) + "\n")
            text(place / "hparams.yaml", f"lr: 0.1\nseed: {seed}\n")
    return Truth([folder / "logs"], [Reading(averaged(ends), True)])


@case
def folders_that_count_runs(folder: Path) -> Truth:
    r, ends = rng("folders that count"), {}
    for model, level in {"a2c": 300.0, "ppo": 420.0}.items():
        for seed in range(4):
            curve = (level * (1 - np.exp(-np.arange(6) / 2)) + r.normal(0, 5, 6)).round(2)
            rows = [f"{v},{2048 * i}" for i, v in enumerate(curve, 1)]
            ends.setdefault(model, []).append(float(curve[-1]))
            place = folder / "logs" / f"{model}-Hopper-{seed}"
            text(place / "progress.csv", "\n".join(["eprewmean,total_timesteps", *rows]) + "\n")
    return Truth([folder / "logs"], [Reading(averaged(ends), True)])


@case
def requests_of_threads(folder: Path) -> Truth:
    """Threads share the work: they are no part of what is compared."""
    r, files, truth = rng("threads"), [], {}
    for server, level in {"nginx": 20.0, "apache": 34.0}.items():
        times = np.maximum(1, level * np.exp(r.normal(0, 0.3, 60))).astype(int)
        truth[server] = float(times.mean())
        rows = [
            (17 * 10**11 + i, t, ("home", "search")[i % 2], 200, f"Group 1-{i % 5}", 99 + i)
            for i, t in enumerate(times)
        ]  # fmt: skip
        columns = ["timeStamp", "elapsed", "label", "responseCode", "threadName", "bytes"]
        files.append(csv(folder / f"{server}.jtl", pd.DataFrame(rows, columns=columns)))
    return Truth(files, [Reading(truth, False)])


@case
def a_mapping_from_task_to_score(folder: Path) -> Truth:
    r, truth, files = rng("task to score"), {}, []
    for agent, rate in {"gpt": 0.3, "owl": 0.6, "fox": 0.45}.items():
        solved = (r.random(24) < rate).astype(float)
        truth[agent] = float(solved.mean())
        held = {str(i): float(v) for i, v in enumerate(solved)}
        files.append(text(folder / f"{agent}.json", json.dumps(held)))
    return Truth(files, [Reading(truth, True)])


@case
def answers_already_marked(folder: Path) -> Truth:
    """Answers beside the truth, and whether they are right: the latter is the score."""
    r, truth, files = rng("already marked"), {}, []
    for agent, rate in {"owl": 0.6, "fox": 0.4}.items():
        right = r.random(30) < rate
        truth[agent] = float(right.mean())
        rows = [
            {"task_id": f"t{i}", "Level": 1 + i % 3, "question": f"Where is {i}?",
             "model_answer": "x", "ground_truth": "y", "is_correct": bool(v)}
            for i, v in enumerate(right)
        ]  # fmt: skip
        files.append(lines(folder / f"{agent}.jsonl", rows))
    return Truth(files, [Reading(truth, True, 30)])


@case
def a_test_set_called_drop(folder: Path) -> Truth:
    names = ["arc", "mmlu", "drop", "boolq", "piqa", "gsm8k"]
    table = pd.DataFrame(drawn("drop", 6), index=names)
    models = [
        {
            "name": m,
            "params_b": 7 + i,
            "average": float(table[m].mean()),
            "scores": table[m].to_dict(),
        }
        for i, m in enumerate(table)
    ]
    path = text(folder / "board.json", json.dumps({"updated": "2024", "models": models}))
    return Truth([path], [read_as(table)])


@case
def an_algorithm_called_like_a_measure(folder: Path) -> Truth:
    """TPOT is an AutoML system, and a time per token; numbers of failed folds stand in brackets."""
    table = table_of("tpot", ["autoweka", "h2o", "tpot"])
    shown = table.astype(str)
    shown.iloc[3, 2] += " (2)"
    shown.iloc[7, 0] += " (1)"
    shown.insert(0, "task", [f"task-{i}" for i in range(14)])
    shown.insert(0, "type", "binary")
    return Truth([csv(folder / "score_summary.csv", shown)], [read_as(table)])


@case
def a_choice_by_the_name_of_its_column(folder: Path) -> Truth:
    r, rows, strength = rng("choices by column"), [], {"opal": 0.0, "slate": 1.2, "amber": -0.6}
    for i in range(200):
        a, b = r.choice(list(strength), 2, replace=False)
        won = r.random() < 1 / (1 + np.exp(strength[b] - strength[a]))
        rows.append((i % 40, a, b, "model_1" if won else "model_2"))
    columns = ["prompt_id", "model_1", "model_2", "human_preference"]
    path = csv(folder / "prefs.csv", pd.DataFrame(rows, columns=columns))
    nan = float("nan")
    return Truth([path], [Reading(dict.fromkeys(strength, nan), True)])
