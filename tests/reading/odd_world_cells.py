"""Cells, headers and names as people and exports write them, each file with its truth."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
from odd_world import Reading, Truth, case, csv, rng, text
from odd_world_habits import SETS
from odd_world_tools import averaged, drawn
from test_cells_and_documents import spreadsheet

PAIRS = ["en-de", "en-fr", "de-en", "fr-en", "en-zh", "zh-en", "en-ja", "ja-en"]


def table(name: str) -> pd.DataFrame:
    """Scores of three models on ten data sets, one higher than the next throughout."""
    along = np.linspace(0.0, 0.1, len(SETS)).round(3)
    scores = pd.DataFrame(drawn(name, len(SETS)), index=pd.Index(SETS, name="dataset"))
    return scores.add(along, axis=0).round(4)


def of(scores: pd.DataFrame, higher: bool = True, blocks: int | None = None) -> Reading:
    return Reading({str(m): float(v) for m, v in scores.mean().items()}, higher, blocks)


@case
def bold_numbers_with_deviations_below(folder: Path) -> Truth:
    scores = (100 * table("bold")).round(1)
    cells = scores.map(lambda v: rf"${v}_{{\pm 0.3}}$")
    cells.iloc[:, 0] = [rf"\textbf{{{cell}}}" for cell in cells.iloc[:, 0]]
    lines = [
        " & ".join([name, *row]) + r" \\" for name, row in zip(SETS, cells.values, strict=True)
    ]
    head = " & ".join(["Dataset", *scores.columns]) + r" \\"
    body = "\n".join([r"\begin{tabular}{lccc}", head, *lines, r"\end{tabular}"])
    return Truth([text(folder / "t.tex", body)], [of(scores, True, 10)])


@case
def durations_in_words(folder: Path) -> Truth:
    """Some are below a minute."""
    scores = (600 * (table("durations") - 0.5)).round()
    cells = scores.map(lambda s: f"{s // 60:.0f}m {s % 60:.0f}s" if s >= 60 else f"{s:.0f}s")
    path = text(folder / "build_times.csv", cells.to_csv())
    return Truth([path], [of(scores, False, 10)])


@case
def durations_of_a_clock(folder: Path) -> Truth:
    scores = (9000 * table("clock")).round()
    cells = scores.map(lambda s: f"{s // 3600:02.0f}:{s % 3600 // 60:02.0f}:{s % 60:02.0f}")
    path = text(folder / "runtime.csv", cells.to_csv())
    return Truth([path], [of(scores, False, 10)])


@case
def thousands_in_short(folder: Path) -> Truth:
    scores = (2e6 * (table("thousands") - 0.4)).round(-4)
    cells = scores.map(lambda v: f"{v / 1e6:.2f}M" if v >= 1e6 else f"{v / 1e3:.0f}k")
    path = text(folder / "throughput.csv", cells.to_csv())
    return Truth([path], [of(scores, True, 10)])


@case
def a_sentinel_far_from_all_scores(folder: Path) -> Truth:
    scores = 1 - table("sentinel of one")
    cells = scores.round(4)
    cells.iloc[[1, 4], 0] = 999
    held = cells.where(cells < 9)
    path = text(folder / "rmse.csv", cells.to_csv())
    return Truth([path], [of(held, False), of(held.dropna(), False)])


@case
def a_sentinel_of_shares(folder: Path) -> Truth:
    cells = table("sentinel of shares")
    cells.iloc[[2, 5], 1] = -1
    held = cells.where(cells >= 0)
    path = text(folder / "results.csv", cells.to_csv())
    return Truth([path], [of(held), of(held.dropna())])


@case
def ages_beside_ratings(folder: Path) -> Truth:
    r = rng("ages")
    levels = {"chat": 4.0, "search": 3.2, "both": 4.4}
    ratings = pd.DataFrame(
        {name: np.clip(np.round(r.normal(level, 0.8, 24)), 1, 5) for name, level in levels.items()}
    ).astype(int)
    people = pd.DataFrame({"Participant": [f"P{i:02d}" for i in range(24)]})
    people = people.assign(Age=r.integers(19, 60, 24), Gender=["m", "f"] * 12)
    path = csv(folder / "likert.csv", pd.concat([people, ratings], axis=1))
    return Truth([path], [of(ratings, True, 24)])


@case
def judges_beside_each_other(folder: Path) -> Truth:
    """Marks from 1 to 10, of which more is better."""
    r, rows = rng("three judges"), []
    for i in range(40):
        for model, level in {"opal": 7.8, "slate": 6.9, "flint": 6.0}.items():
            marks = np.clip(np.round(r.normal(level, 1, 2)), 1, 10).astype(int)
            rows.append((f"q{i:03d}", model, *marks))
    frame = pd.DataFrame(rows, columns=["item", "model", "judge_one", "judge_two"])
    means = frame.groupby("model")[["judge_one", "judge_two"]].mean()
    readings = [Reading({str(m): float(v) for m, v in means[c].items()}, True, 40) for c in means]
    return Truth([csv(folder / "judges.csv", frame)], readings)


@case
def versions_above_routes(folder: Path) -> Truth:
    r = rng("versions above")
    words = ("users", "items", "login", "search", "cart", "pay", "order", "ship")
    routes = [f"/api/{word}" for word in words]
    levels = {"v1.0": 10, "v1.1": 9, "v2.0": 7}
    times = pd.DataFrame(
        {
            v: (level * np.arange(1, 9) * r.normal(1, 0.03, 8)).round(2)
            for v, level in levels.items()
        },
        index=pd.Index(routes, name="endpoint"),
    )
    path = text(folder / "latency_ms.csv", times.to_csv())
    return Truth([path], [of(times, False, 8)])


@case
def sizes_of_data_sets_alone(folder: Path) -> Truth:
    """Nothing in it is a score."""
    r = rng("sizes alone")
    columns = {"Instances": (100, 9000), "Features": (4, 90), "Classes": (2, 20)}
    frame = pd.DataFrame({name: r.integers(*ends, 10) for name, ends in columns.items()})
    frame.insert(0, "Dataset", SETS)
    return Truth([csv(folder / "datasets.csv", frame)], may_refuse=True)


@case
def runs_in_headers(folder: Path) -> Truth:
    first, second = table("first runs"), table("second runs")
    both = first.add_suffix("_s1").join(second.add_suffix("_s2"))
    path = text(folder / "runs.csv", both.to_csv())
    return Truth([path], [of((first + second) / 2, True, 10)])


@case
def data_sets_and_models_in_names_of_files(folder: Path) -> Truth:
    scores, files = {}, []
    for model, level in {"svm": 0.8, "tree": 0.7}.items():
        for name in ("wine", "sonar", "zoo", "iris", "glass"):
            values = drawn(f"{model} {name}", 5, {name: level})[name]
            scores.setdefault(model, []).extend(values)
            rows = "".join(f"{fold},{v}\n" for fold, v in enumerate(values))
            files.append(text(folder / f"{name}__{model}.csv", "fold,accuracy\n" + rows))
    return Truth(files, [Reading(averaged(scores), True, 5)])


@case
def folders_of_runs(folder: Path) -> Truth:
    """A folder for each model and seed, with a curve in a file of one name."""
    ends, r = {}, rng("folders of runs")
    for model, level in {"small": 0.4, "large": 0.5}.items():
        for seed in range(3):
            curve = (level * (1 - np.exp(-np.arange(1, 13) / 3)) + r.normal(0, 0.003, 12)).round(4)
            ends.setdefault(model, []).append(float(curve[-1]))
            rows = "".join(f"  {e},  {v},  {1 - v:.4f}\n" for e, v in enumerate(curve))
            header = "  epoch,  metrics/mAP50(B),  train/box_loss\n"
            text(folder / "runs" / f"{model}_seed{seed}" / "results.csv", header + rows)
    return Truth([folder / "runs"], [Reading(averaged(ends), True)])


@case
def indicators_by_their_name(folder: Path) -> Truth:
    rows = []
    for model, level in {"nsga": 0.6, "moead": 0.65, "sms": 0.7}.items():
        for problem in ("ZDT1", "ZDT2", "DTLZ1", "DTLZ2", "WFG1", "WFG4"):
            values = drawn(f"{model} {problem}", 5, {model: level})[model]
            for i, v in enumerate(values):
                rows += [(model, problem, "HV", i, v), (model, problem, "IGD+", i, 1 - v)]
    columns = ["Algorithm", "Problem", "IndicatorName", "ExecutionId", "IndicatorValue"]
    frame = pd.DataFrame(rows, columns=columns)
    means = frame.groupby(["IndicatorName", "Algorithm"])["IndicatorValue"].mean()
    readings = [Reading(means[k].to_dict(), k == "HV", 6) for k in ("HV", "IGD+")]
    return Truth([csv(folder / "summary.csv", frame)], readings)


@case
def systems_beside_models_they_run(folder: Path) -> Truth:
    """Units differ, and more of all of them is better; every row has an id."""
    r, rows = rng("systems"), []
    tasks = {"resnet": ("Samples/s", 7e5), "bert": ("Samples/s", 7e4), "llama": ("Tokens/s", 2e4)}
    tasks |= {"gptj": ("Samples/s", 300), "diffusion": ("Samples/s", 16)}
    for system, share in {"alpha": 1.0, "beta": 0.5, "gamma": 0.9}.items():
        for task, (unit, level) in tasks.items():
            result = round(level * share * r.normal(1, 0.02), 2)
            rows.append((f"6.0-{len(rows):03d}", system, task, result, unit))
    frame = pd.DataFrame(rows, columns=["ID", "System", "Model", "Result", "Units"])
    means = {str(m): float(v) for m, v in frame.groupby("System")["Result"].mean().items()}
    return Truth([csv(folder / "perf.csv", frame)], [Reading(means, True, 5)])


@case
def places_of_algorithms(folder: Path) -> Truth:
    """Scores are ranks by fold; one of the algorithms is called like a measure."""
    r = rng("places")
    rows = [(name, fold, *np.argsort(np.argsort(r.normal([1, 2, 3, 4], 0.5))) + 1)
            for name in SETS[:4] for fold in range(5)]  # fmt: skip
    frame = pd.DataFrame(rows, columns=["task", "fold", "forest", "stacker", "tpot", "constant"])
    truth = of(frame.drop(columns=["task", "fold"]), False, 4)
    return Truth([csv(folder / "leaderboard.csv", frame)], [truth])


@case
def data_sets_as_sheets(folder: Path) -> Truth:
    """In each sheet folds stand above models."""
    sheets, held = {}, []
    for name in SETS[:5]:
        scores = drawn(f"sheet {name}", 5)
        held.append(averaged(scores))
        rows = [
            [str(i), *map(str, row)] for i, row in enumerate(zip(*scores.values(), strict=True))
        ]
        sheets[name] = [["fold", *scores], *rows]
    path = folder / "folds.xlsx"
    path.write_bytes(spreadsheet(*sheets.items()))
    return Truth([path], [of(pd.DataFrame(held), True, 5)])


@case
def means_beside_deviations(folder: Path) -> Truth:
    """As pandas writes `groupby(["dataset", "model"]).agg(["mean", "std"]).unstack()`."""
    scores = table("aggregated")
    both = pd.concat({"mean": scores, "std": scores / 50}, axis=1).round(4)
    both.columns.names = [None, "model"]
    path = text(folder / "agg.csv", both.to_csv())
    return Truth([path], [of(scores, True, 10)])


@case
def aggregates_in_three_rows(folder: Path) -> Truth:
    """As pandas writes an `agg` of one measure by mean, std and count."""
    scores = table("three rows")
    rows = [",,accuracy,accuracy,accuracy", ",,mean,std,count", "model,dataset,,,"]
    rows += [f"{m},{d},{scores.loc[d, m]},0.01,5" for m in scores for d in scores.index]
    return Truth([text(folder / "agg.csv", "\n".join(rows) + "\n")], [of(scores, True, 10)])


@case
def merged_cells_of_a_pivot(folder: Path) -> Truth:
    """As pandas writes a table of two measures by data set and seed into a sheet."""
    first, second = table("pivot one"), table("pivot two")
    rows = [["", "", "f1", "", "", "accuracy", "", ""]]
    rows += [["", "model", *first.columns, *first.columns], ["dataset", "seed", *[""] * 6]]
    for name in SETS:
        for seed, scores in enumerate((first, second)):
            own = [f"{v:.4f}" for v in scores.loc[name]]
            rows.append([name if seed == 0 else "", str(seed), *own, *own])
    path = folder / "pivot.xlsx"
    path.write_bytes(spreadsheet(("Sheet1", rows)))
    return Truth([path], [of((first + second) / 2, True, 10)])


@case
def a_frame_as_pandas_prints_it(folder: Path) -> Truth:
    scores = table("printed")
    return Truth([text(folder / "out.txt", scores.to_string() + "\n")], [of(scores, True, 10)])


@case
def a_title_above_a_drawn_table(folder: Path) -> Truth:
    scores = table("titled")
    names = [f"{name:<10}" for name in scores.columns]
    rule = "=" * 12 + "  " + "  ".join(["=" * 10] * 3)
    rows = [f"{d:<12}  " + "  ".join(f"{v:<10}" for v in scores.loc[d]) for d in SETS]
    lines = ["Results", "=======", "", rule, f"{'dataset':<12}  " + "  ".join(names), rule]
    path = text(folder / "results.rst", "\n".join([*lines, *rows, rule]) + "\n")
    return Truth([path], [of(scores, True, 10)])


@case
def a_headline_above_bars(folder: Path) -> Truth:
    scores = table("headline")
    rows = ["| " + " | ".join(map(str, row)) + " |" for row in scores.reset_index().values]
    lines = ["* Results", "", "| dataset | " + " | ".join(scores.columns) + " |", "|-+-+-+-|"]
    path = text(folder / "results.org", "\n".join([*lines, *rows]) + "\n")
    return Truth([path], [of(scores, True, 10)])


@case
def pairs_of_a_mean_and_a_deviation(folder: Path) -> Truth:
    scores = table("pairs")
    value = {d: {m: [scores.loc[d, m], 0.01] for m in scores} for d in scores.index}
    path = text(folder / "means.json", json.dumps(value))
    return Truth([path], [of(scores, True, 10)])


@case
def a_search_with_two_scorers(folder: Path) -> Truth:
    """All scores of scikit-learn are better when larger, also those that a loss is named for."""
    scores = drawn("two scorers", 6, {"{'depth': 1}": 0.7, "{'depth': 3}": 0.8})
    frame = pd.DataFrame({"params": list(scores)})
    for k in range(6):
        own = [values[k] for values in scores.values()]
        frame[f"split{k}_test_acc"], frame[f"split{k}_test_nll"] = own, [v - 1.5 for v in own]
    means = dict(zip("13", averaged(scores).values(), strict=True))
    return Truth([csv(folder / "search.csv", frame)], [Reading(means, True)])


@case
def pairs_of_languages(folder: Path) -> Truth:
    levels = {"opal": 35.0, "slate": 33.0, "amber": 30.0}
    scores = pd.DataFrame(drawn("languages", 8, levels))
    scores.insert(0, "lang_pair", PAIRS)
    return Truth([csv(folder / "bleu.csv", scores)], [of(scores[[*levels]], True, 8)])


@case
def a_difference_by_its_sign(folder: Path) -> Truth:
    scores = table("sign")[["opal", "slate"]]
    cells = scores.assign(Δ=(scores["opal"] - scores["slate"]).round(4))
    return Truth([text(folder / "delta.csv", cells.to_csv())], [of(scores, True, 10)])


@case
def data_sets_above_models_by_keys(folder: Path) -> Truth:
    levels = {"svm": 0.8, "tree": 0.75, "forest": 0.85}
    scores = pd.DataFrame(drawn("keys above", 10, levels), index=SETS)
    path = text(folder / "scores.json", json.dumps(scores.to_dict("index")))
    return Truth([path], [of(scores, True, 10)])


@case
def results_of_tests(folder: Path) -> Truth:
    """Contrasts with p-values, as statistics packages print them: nothing in it is a score."""
    rows = ["contrast,estimate,SE,df,t.ratio,p.value", "a - b,0.1,0.02,18,5,0.001"]
    rows += ["a - c,0.2,0.02,18,9,0.0001", "b - c,0.1,0.03,18,3,0.02"]
    return Truth([text(folder / "contrasts.csv", "\n".join(rows) + "\n")], may_refuse=True)


@case
def sizes_behind_data_sets(folder: Path) -> Truth:
    sizes = {name: f"{name} (n={150 + i})" for i, name in enumerate(SETS)}
    scores = table("sizes behind")
    cells = scores.T.rename(columns=sizes).rename_axis("Classifier")
    return Truth([text(folder / "t.csv", cells.to_csv())], [of(scores, True, 10)])
