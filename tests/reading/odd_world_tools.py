"""Exports of trackers, harnesses and benchmarks, each with what is true of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from odd_world import Reading, Truth, case, csv, lines, means, rng, text
from odd_world_layouts import of, scored, wide
from test_cells_and_documents import spreadsheet

MODELS = {"opal": 0.8, "slate": 0.7, "amber-8b": 0.6}


def averaged(scores: dict[str, list[float]]) -> dict[str, float]:
    return {name: float(np.mean(values)) for name, values in scores.items()}


def drawn(name: str, count: int, levels: dict[str, float] | None = None) -> dict[str, list[float]]:
    r = rng(name)
    levels = levels or MODELS
    return {
        m: [round(float(r.normal(level, 0.03)), 4) for _ in range(count)]
        for m, level in levels.items()
    }


@case
def trec_eval_by_query(folder: Path) -> Truth:
    scores, files = drawn("trec", 20), []
    for model, values in scores.items():
        rows = [f"num_ret \t{q}\t1000\nmap     \t{q}\t{v}" for q, v in enumerate(values, 301)]
        rows += [f"runid \tall\t{model}", f"map \tall\t{np.mean(values):.4f}"]
        files.append(text(folder / f"{model}.txt", "\n".join(rows) + "\n"))
    return Truth(files, [Reading(averaged(scores), True, 20)])


@case
def runs_of_retrieval(folder: Path) -> Truth:
    """`run` names systems, `qid` the queries, and two measures stand in one column."""
    scores = drawn("runs of retrieval", 20)
    rows = [(m, k, q, round(v + 0.1 * (k != "map"), 4)) for m, vs in scores.items()
            for q, v in enumerate(vs) for k in ("map", "ndcg_cut_10")]  # fmt: skip
    path = csv(folder / "q.csv", pd.DataFrame(rows, columns=["run", "metric", "qid", "score"]))
    return Truth([path], [Reading(averaged(scores), True, 20)])


@case
def chart_of_wandb(folder: Path) -> Truth:
    """Every line has the columns __MIN and __MAX beside it."""
    r, frame, ends = rng("chart"), {"Step": range(0, 60, 10)}, {}
    for model, level in {"ppo": 0.8, "sac": 0.6}.items():
        for seed in range(4):
            curve = (level * (1 - np.exp(-np.arange(6))) + r.normal(0, 0.01, 6)).round(4)
            for end in ("", "__MIN", "__MAX"):
                frame[f"{model}-seed{seed} - eval/return{end}"] = curve
            ends.setdefault(model, []).append(float(curve[-1]))
    path = csv(folder / "wandb_export_2024.csv", pd.DataFrame(frame))
    return Truth([path], [Reading(averaged(ends), True, 4)])


@case
def paths_as_headers(folder: Path) -> Truth:
    """Fields of a tracker: parameters/model, metrics/test/accuracy, and one that failed nowhere."""
    scores = drawn("paths", 6)
    rows = [
        {"sys/id": f"PRJ-{m}-{s}", "sys/failed": False, "parameters/model": m, "parameters/seed": s,
         "metrics/train/accuracy": 0.99, "metrics/test/accuracy": v}
        for m, vs in scores.items() for s, v in enumerate(vs)
    ]  # fmt: skip
    return Truth([csv(folder / "t.csv", pd.DataFrame(rows))], [Reading(averaged(scores), True, 6)])


@case
def scores_of_any_name(folder: Path) -> Truth:
    """What stands below `scores` is a score, though nobody knows its name."""
    scores = drawn("scores of any name", 15)
    rows = [
        {"id": f"{m}-{i}", "input": f"question {i}", "output": "y", "scores": {"Factuality": v},
         "metrics": {"duration": 1.2 + i, "prompt_tokens": 100}, "metadata": {"model": m}}
        for m, vs in scores.items() for i, v in enumerate(vs)
    ]  # fmt: skip
    return Truth([lines(folder / "e.jsonl", rows)], [Reading(averaged(scores), True, 15)])


@case
def settings_in_names_of_folders(folder: Path) -> Truth:
    scores = drawn("folders", 5)
    for model, values in scores.items():
        for seed, v in enumerate(values):
            path = folder / "out" / f"model={model},seed={seed}" / "metrics.json"
            text(path, json.dumps({"test_acc": v}))
    return Truth([folder / "out"], [Reading(averaged(scores), True, 5)])


@case
def settings_in_a_hidden_folder(folder: Path) -> Truth:
    scores, number = drawn("hidden", 5), 0
    for model, values in scores.items():
        for seed, v in enumerate(values):
            run = folder / "multirun" / str(number)
            text(run / ".hydra" / "config.yaml", f"model: {model}\nseed: {seed}\nlr: 0.1\n")
            text(run / "results.json", json.dumps({"test_acc": v}))
            number += 1
    return Truth([folder / "multirun"], [Reading(averaged(scores), True, 5)])


@case
def a_name_beside_an_optimizer(folder: Path) -> Truth:
    scores = drawn("functions", 12, {"CMA": 0.2, "DE": 0.4, "OnePlusOne": 0.7})
    functions = [f for f in ("sphere", "ackley", "cigar", "hm") for _ in range(3)]
    rows = [(500, o, functions[i], i % 3, v) for o, vs in scores.items() for i, v in enumerate(vs)]
    frame = pd.DataFrame(rows, columns=["budget", "optimizer_name", "name", "seed", "loss"])
    return Truth([csv(folder / "r.csv", frame)], [Reading(averaged(scores), False, 4)])


@case
def a_result_that_repeats_the_score(folder: Path) -> Truth:
    """`failed: ...` where `passed` is false: no failed run, but a wrong answer."""
    r, files, scores = rng("repeats"), [], {}
    for model, rate in MODELS.items():
        passed = [bool(r.random() < rate) for _ in range(20)]
        rows = [{"task_id": f"HE/{i}", "passed": ok, "result": "passed" if ok else "failed: x != y"}
                for i, ok in enumerate(passed)]  # fmt: skip
        rows[0]["temperature"] = 0.2
        files.append(lines(folder / f"samples_{model}.jsonl", rows))
        scores[model] = [float(ok) for ok in passed]
    return Truth(files, [Reading(averaged(scores), True, 20)])


@case
def benchmarks_called_sum_and_max(folder: Path) -> Truth:
    r, rows, found = rng("sum"), [], {}
    for name, base in {"sum": 3.0, "dot": 5.0, "max": 2.0, "sort": 50.0, "scan": 9.0}.items():
        for kernel, level in {"avx2": 1.0, "sse": 1.6, "scalar": 3.0}.items():
            times = [round(float(base * level * r.lognormal(0, 0.05)), 4) for _ in range(5)]
            rows += [(name, kernel, k, v) for k, v in enumerate(times)]
            found.setdefault(kernel, []).append(float(np.mean(times)))
    frame = pd.DataFrame(rows, columns=["benchmark", "implementation", "rep", "time_us"])
    return Truth([csv(folder / "k.csv", frame)], [Reading(averaged(found), False, 5)])


@case
def a_benchmark_called_sum_of_a_wide_table(folder: Path) -> Truth:
    base = np.array([3, 5, 4, 50, 9, 7])
    levels = {"gcc": 1.0, "clang": 0.9, "icc": 0.8}
    r = rng("wide sum")
    times = {c: (base * level * r.lognormal(0, 0.05, 6)).round(3) for c, level in levels.items()}
    frame = pd.DataFrame({"benchmark": ["sum", "dot", "axpy", "sort", "scan", "hist"], **times})
    return Truth([csv(folder / "runtime_ms.csv", frame)], [Reading(averaged(times), False, 6)])


def grouped(folder: Path, separator: str, decimal: str) -> Truth:
    """Long times with groups of digits."""
    r, rows, found = rng("grouped"), ["Datensatz;Verfahren;Laufzeit_ms"], {}
    for i in range(8):
        for name, level in {"A-Stern": 900, "Dijkstra": 24000}.items():
            v = round(float(r.lognormal(np.log(level), 0.3)), 1)
            found.setdefault(name, []).append(v)
            cell = f"{v:,.1f}".replace(".", "\0").replace(",", separator).replace("\0", decimal)
            rows.append(f"karte{i};{name};{cell}")
    path = text(folder / "zeiten.csv", "\n".join(rows) + "\n")
    return Truth([path], [Reading(averaged(found), False, 8)])


@case
def groups_by_points(folder: Path) -> Truth:
    return grouped(folder, ".", ",")


@case
def groups_by_blanks(folder: Path) -> Truth:
    return grouped(folder, "\u202f", ",")


@case
def points_that_are_decimal_in_a_file_with_semicolons(folder: Path) -> Truth:
    frame = scored({"svm": 0.8, "knn": 0.7}, 10)
    frame["value"] = frame["value"].round(3)
    named = frame.rename(columns={"block": "dataset", "value": "accuracy"})
    return Truth([csv(folder / "s.csv", named, sep=";")], [of(frame, True, 10)])


@case
def remarks_above_a_sheet(folder: Path) -> Truth:
    frame = scored({"svm": 0.8, "knn": 0.7, "nb": 0.75}, 9)
    table = wide(frame)
    rows = [["Experiment of May", *[None] * 4], ["by me", *[None] * 4], [None] * 5]
    rows += [[None, "Dataset", *table.columns]]
    rows += [[None, name, *map(float, table.loc[name])] for name in table.index]
    path = folder / "accuracy.xlsx"
    path.write_bytes(spreadsheet(("Accuracy", rows)))
    return Truth([path], [of(frame, True, 9)])


# -- tables of items -------------------------------------------------------------------------------


def answered(name: str, count: int) -> dict[str, np.ndarray]:
    r = rng(name)
    return {m: (r.random(count) < rate).astype(int) for m, rate in MODELS.items()}


@case
def epochs_that_ask_again(folder: Path) -> Truth:
    """Grades C and I of samples, each asked in two epochs, beside tokens."""
    marks = answered("epochs", 40)
    rows = [(f"lab/{m}", i // 2 + 1, i % 2 + 1, "CI"[1 - ok], 90 + i)
            for m, answers in marks.items() for i, ok in enumerate(answers)]  # fmt: skip
    names = ["model", "id", "epoch", "score_choice", "total_tokens"]
    path = csv(folder / "samples.csv", pd.DataFrame(rows, columns=names))
    return Truth([path], [Reading(averaged(marks), True, 20)])


@case
def folds_named_with_their_data(folder: Path) -> Truth:
    """A name of data and fold is a sample within its data, and no part of the algorithm."""
    scores = drawn("folds", 24, {"CatBoost": 0.86, "TabPFN": 0.84, "MLP": 0.78})
    rows = [(f"set{i // 3}__fold_{i % 3}", f"set{i // 3}", m, round(v + 0.1, 4), v)
            for m, vs in scores.items() for i, v in enumerate(vs)]  # fmt: skip
    names = ["dataset_fold_id", "dataset_name", "alg_name", "Accuracy__train", "Accuracy__test"]
    path = csv(folder / "m.csv", pd.DataFrame(rows, columns=names))
    return Truth([path], [Reading(averaged(scores), True, 8)])


@case
def ratings_by_annotators(folder: Path) -> Truth:
    r, rows, found = rng("ratings"), [], {}
    for item in range(15):
        for system, level in {"long": 4.0, "short": 3.2}.items():
            for who in ("ann1", "ann2", "ann3"):
                mark = int(np.clip(round(r.normal(level, 0.8)), 1, 5))
                found.setdefault(system, []).append(mark)
                rows.append((f"d{item}", system, who, mark))
    names = ["doc_id", "system", "annotator", "fluency"]
    path = csv(folder / "r.csv", pd.DataFrame(rows, columns=names))
    return Truth([path], [Reading(averaged(found), True, 15)])


@case
def marks_beside_a_difficulty(folder: Path) -> Truth:
    marks = answered("difficulty", 40)
    facts = {"question_id": range(1, 41), "difficulty": [i % 3 for i in range(40)]}
    path = csv(folder / "correct.csv", pd.DataFrame({**facts, **marks}))
    return Truth([path], [Reading(averaged(marks), True, 40)])


@case
def ticks_and_crosses(folder: Path) -> Truth:
    marks = answered("ticks", 20)
    rows = [["Task", *marks], ["---"] * 4]
    rows += [[f"task-{i}", *("✅" if marks[m][i] else "❌" for m in marks)] for i in range(20)]
    path = text(folder / "board.md", "".join("| " + " | ".join(row) + " |\n" for row in rows))
    return Truth([path], [Reading(averaged(marks), True, 20)])


@case
def an_algorithm_called_b(folder: Path) -> Truth:
    r = rng("ranks")
    ranks = pd.DataFrame([r.permutation(4) + 1 for _ in range(10)], columns=list("ABCD"))
    found = ranks.mean().to_dict()
    ranks.insert(0, "dataset", [f"set{i}" for i in range(10)])
    return Truth([csv(folder / "ranks.csv", ranks)], [Reading(found, False, 10)])


# -- prints, boards and repetitions ----------------------------------------------------------------


def table_of(name: str, models: Sequence[str]) -> pd.DataFrame:
    """Scores of models, best last, on fourteen data sets."""
    r = rng(name)
    sets = [f"{stem}{i}" for stem in ("adiac", "beef") for i in range(7)]
    base = r.uniform(0.5, 0.8, (14, 1)) + np.linspace(0, 0.06, len(models))
    return pd.DataFrame((base + r.normal(0, 0.02, base.shape)).round(4), sets, [*models])


def read_as(table: pd.DataFrame, higher: bool = True) -> Reading:
    return Reading({str(m): float(v) for m, v in table.mean().items()}, higher, len(table))


@case
def a_frame_as_r_prints_it(folder: Path) -> Truth:
    table = table_of("print", ["lasso", "ridge", "enet"])
    return Truth([text(folder / "accuracy.txt", table.to_string() + "\n")], [read_as(table)])


@case
def a_table_drawn_with_lines(folder: Path) -> Truth:
    table = table_of("drawn", ["lasso", "ridge", "enet"])
    rule = "+" + "+".join(["-" * 10] * 4) + "+\n"
    rows = [["dataset", *table.columns], *[[k, *map(str, v)] for k, v in table.T.items()]]
    drawn = rule + rule.join("|" + "|".join(f" {c:<9}" for c in row) + "|\n" for row in rows) + rule
    return Truth([text(folder / "accuracy.txt", drawn)], [read_as(table)])


@case
def units_in_a_column(folder: Path) -> Truth:
    """Milliseconds beside seconds: the bare numbers say the contrary."""
    r, rows = rng("units"), []
    for impl, level in (("fast", 700.0), ("slow", 1500.0)):
        for run in range(12):
            ms = float(level + r.normal(0, 30))
            cell = (round(ms, 2), "ms") if ms < 1000 else (round(ms / 1000, 5), "s")
            rows.append((impl, run, *cell, ms))
    frame = pd.DataFrame(rows, columns=["impl", "run", "time", "unit", "ms"])
    path = csv(folder / "t.csv", frame.drop(columns="ms"))
    return Truth([path], [Reading(means(frame, "impl", "ms"), False)])


@case
def units_below_the_header(folder: Path) -> Truth:
    table = table_of("below", ["gcc", "clang", "icc"]) * 100
    rows = [["benchmark", *table.columns], ["", "s", "s", "s"]]
    rows += [[k, *map(float, v)] for k, v in table.T.items()]
    path = folder / "t.xlsx"
    path.write_bytes(spreadsheet(("S", rows)))
    return Truth([path], [read_as(table, False)])


@case
def a_sheet_for_each_model(folder: Path) -> Truth:
    r, sheets, levels = rng("sheets"), [], {}
    for model, level in (("rf", 0.75), ("svm", 0.7), ("xgb", 0.8)):
        rows = [(f"set{d}", f, round(float(level + r.normal(0, 0.02)), 4))
                for d in range(6) for f in range(5)]  # fmt: skip
        sheets.append((model, [["dataset", "fold", "accuracy"], *map(list, rows)]))
        levels[model] = float(np.mean([v for *_, v in rows]))
    path = folder / "t.xlsx"
    path.write_bytes(spreadsheet(*sheets))
    return Truth([path], [Reading(levels, True)])


@case
def seeds_side_by_side(folder: Path) -> Truth:
    """Three columns hold one measure: none of them is the measure."""
    r, rows = rng("seeds"), []
    for d in range(6):
        for method, level in (("ours", 0.75), ("base", 0.7)):
            rows.append((f"set{d}", method, *(level + r.normal(0, 0.03, 3)).round(4)))
    heads = [f"acc (seed {s})" for s in range(3)]
    frame = pd.DataFrame(rows, columns=["dataset", "method", *heads])
    average = frame.assign(value=frame[heads].mean(axis=1))
    return Truth([csv(folder / "t.csv", frame)], [Reading(means(average, "method", "value"), True)])


@case
def differences_and_p_values(folder: Path) -> Truth:
    table = table_of("diff", ["baseline", "proposed"])
    more = table.assign(
        **{"p-value": 0.03, "diff": (table["proposed"] - table["baseline"]).round(4)}
    )
    path = text(folder / "accuracy.csv", more.to_csv(index_label="dataset"))
    return Truth([path], [read_as(table)])


@case
def likes_beside_scores(folder: Path) -> Truth:
    """A board of models: counts of likes are no data set, and they hide which way is up."""
    table = table_of("likes", [f"org/m{i}-7b" for i in range(15)]).iloc[:6] * 100
    board = table.round(2).T.assign(**{"Hub likes": rng("hearts").integers(0, 900, 15)})
    board.insert(0, "Average", table.mean().round(2))
    path = text(folder / "t.csv", board.to_csv(index_label="Model"))
    return Truth([path], [read_as(table.round(2))])


@case
def a_competition(folder: Path) -> Truth:
    """A row for each team, with its place: a model that many have used is no algorithm."""
    scores = np.sort(rng("teams").uniform(1, 20, 30))[::-1].round(2)
    frame = pd.DataFrame({"rank": range(1, 31), "team": [f"team{i}" for i in range(30)],
                          "tier": [f"Tier {i // 10}" for i in range(30)], "score": scores,
                          "model": [f"qwen-{7 * (1 + i % 2)}b" for i in range(30)]})  # fmt: skip
    return Truth([csv(folder / "t.csv", frame)], may_refuse=True)


@case
def a_report_for_each_class(folder: Path) -> Truth:
    r, rows = rng("classes"), []
    for model, level in (("cnn", 0.7), ("vit", 0.75)):
        for label in [*(f"class {i}" for i in range(8)), "accuracy", "macro avg"]:
            rows.append((model, label, round(float(level + r.normal(0, 0.04)), 3), 100))
    frame = pd.DataFrame(rows, columns=["model", "class", "f1-score", "support"])
    classes = frame[frame["class"].str.startswith("class")]
    readings = [Reading(means(classes, "model", "f1-score"), True, 8)]
    return Truth([csv(folder / "t.csv", frame)], readings)


@case
def a_mean_in_german(folder: Path) -> Truth:
    table = table_of("mittel", ["rpart", "ranger", "svm"])
    table.loc["Mittelwert"] = table.mean()
    path = text(folder / "accuracy.csv", table.to_csv(sep=";", decimal=",", index_label="Daten"))
    return Truth([path], [read_as(table.iloc[:-1])])


@case
def means_of_named_metrics(folder: Path) -> Truth:
    """A column `metric` whose names nobody knows, and the mean of five runs in each row."""
    r, rows = rng("metric"), []
    for d in range(8):
        for system, more in (("A", 0.0), ("B", 60.0), ("C", 130.0)):
            rows += [(f"room{d}", system, m, round(float(base + more + r.normal(0, 20)), 2), 9.0, 5)
                     for m, base in (("cpu_avg", 400), ("cpu_peak", 900))]  # fmt: skip
    heads = ["dataset", "system", "metric", "mean", "std", "n_runs"]
    frame = pd.DataFrame(rows, columns=heads)
    parts = [frame[frame["metric"] == m] for m in ("cpu_avg", "cpu_peak")]
    readings = [Reading(means(part, "system", "mean"), False, 8) for part in parts]
    return Truth([csv(folder / "t.csv", frame)], readings)


@case
def descriptors_by_their_class(folder: Path) -> Truth:
    table = table_of("archive", ["Euclidean", "DTW", "ShapeDTW"])
    more = table.assign(Class=rng("class").integers(2, 9, 14), Type="Image")
    path = text(folder / "accuracy.csv", more.to_csv(index_label="Name"))
    return Truth([path], [read_as(table)])


@case
def totals_of_iterations(folder: Path) -> Truth:
    """What criterion writes as raw.csv: total times, of more iterations from row to row."""
    r, frames, levels = rng("totals"), [], {}
    for name, level in (("old", 100.0), ("new", 80.0)):
        count = np.arange(1, 41) * 1000
        total = ((level + r.normal(0, 2, 40)) * count).round(1)
        levels[name] = float((total / count).mean())
        head = {"group": "sort", "function": name, "sample_measured_value": total, "unit": "ns"}
        frames.append(
            csv(folder / name / "raw.csv", pd.DataFrame({**head, "iteration_count": count}))
        )
    return Truth(frames, [Reading(levels, False)])


@case
def settings_in_one_text(folder: Path) -> Truth:
    """Each index was tried with several settings: none of them is a repetition of another."""
    r, rows = rng("settings"), []
    for data in ("glove", "sift", "gist", "deep"):
        for name, level in (("hnswlib", 3000.0), ("annoy", 800.0)):
            for m in (1, 5, 10, 40):
                qps, recall = level / m * r.uniform(0.9, 1.1), r.uniform(0.6, 0.99)
                rows.append((name, f"{name}(m={m})", data, round(float(qps), 2), round(recall, 4)))
    frame = pd.DataFrame(rows, columns=["algorithm", "parameters", "dataset", "qps", "k-nn"])
    named = frame.assign(whole=frame["algorithm"] + " / " + frame["parameters"])
    return Truth([csv(folder / "t.csv", frame)], [Reading(means(named, "whole", "qps"), True, 4)])


@case
def boards_of_two_groups(folder: Path) -> Truth:
    """A board for accuracy and one for robustness: these two are no data sets of one measure."""
    r, boards, heads = rng("boards"), [], ["Mean win rate", "A - EM", "B - EM"]
    for name in ("accuracy", "robustness"):
        table = pd.DataFrame(r.uniform(0, 1, (4, 3)).round(3), columns=heads)
        rows = table.assign(Model=["a", "b", "c", "d"]).to_dict("records")
        boards.append({"name": name, "rows": rows})
    return Truth([text(folder / "groups.json", json.dumps(boards))], may_refuse=True)


@case
def remarks_around_a_table(folder: Path) -> Truth:
    table = table_of("remarks", ["rf", "svm", "knn"])
    body = table.to_csv(index_label="dataset")
    whole = f"# by eval.py\n# seed 1, commit 2\n{body}\nNote: best of 5.\n# end\n"
    return Truth([text(folder / "accuracy.csv", whole)], [read_as(table)])


@case
def questions_as_columns(folder: Path) -> Truth:
    """Questions that all have answered, or nobody, count as well."""
    right = rng("questions").random((40, 3)) < [0.5, 0.7, 0.8]
    table = pd.DataFrame(right.astype(int), [f"q{i}" for i in range(40)], ["opal", "slate", "jade"])
    path = text(folder / "accuracy.csv", table.T.to_csv(index_label="model"))
    return Truth([path], [read_as(table)])


@case
def ratings_with_intervals(folder: Path) -> Truth:
    frame = pd.DataFrame({"rank": [1, 2, 3], "model": ["a", "b", "c"], "elo": [1250, 1200, 1100]})
    frame = frame.assign(ci_lower=frame["elo"] - 9, ci_upper=frame["elo"] + 9, votes=5000)
    return Truth([csv(folder / "t.csv", frame)], may_refuse=True)


@case
def times_beside_their_ratio(folder: Path) -> Truth:
    table = table_of("ratio", ["optimized_ms", "baseline_ms"]) * 100
    more = table.assign(speedup=(table["baseline_ms"] / table["optimized_ms"]).round(3))
    path = text(folder / "t.csv", more.to_csv(index_label="benchmark"))
    return Truth([path], [read_as(table, False)])


@case
def ranks_beside_scores(folder: Path) -> Truth:
    table = table_of("ranks", ["rf", "svm", "knn"])
    both = pd.concat([table, table.rank(axis=1, ascending=False).add_suffix("_rank")], axis=1)
    path = text(folder / "accuracy.csv", both.to_csv(index_label="dataset"))
    return Truth([path], [read_as(table)])


@case
def two_spellings_of_a_name(folder: Path) -> Truth:
    table = table_of("spelling", ["rf", "svm"]).rename_axis("dataset").reset_index()
    frame = table.melt("dataset", var_name="model", value_name="acc")
    frame.loc[frame.index % 2 == 0, "model"] = frame["model"].str.upper()
    return Truth([csv(folder / "t.csv", frame)], may_refuse=True)


@case
def whole_scores_of_one_player(folder: Path) -> Truth:
    """Scores of games, of which one player's are whole: it is a player like the others."""
    table = table_of("players", ["dqn", "rainbow", "ppo", "human"]) * 1000
    table = table.assign(human=table["human"].round())
    path = text(folder / "reward.csv", table.to_csv(index_label="game"))
    return Truth([path], [read_as(table)])


@case
def runs_that_are_systems(folder: Path) -> Truth:
    """`run1` is a system where no other column names one."""
    table = table_of("systems", ["run1", "run2", "run3"])
    path = text(folder / "map.csv", table.to_csv(index_label="query"))
    return Truth([path], [read_as(table)])
