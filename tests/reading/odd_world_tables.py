"""More result files with their truth: tables of learning, spreadsheets, tables of people."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from odd_world import Reading, Truth, case, csv, grid, lines, means, rng, text
from test_cells_and_documents import spreadsheet

# -- learning -------------------------------------------------------------------------------------


@case
def tidymodels_metrics(folder: Path) -> Truth:
    """collect_metrics(summarize = FALSE): .metric, .estimator, .estimate and ids of folds."""
    r = rng("tidy")
    frame = grid(
        "",
        ("boost_tree", "rand_forest", "lm"),
        [f"Fold{i:02}" for i in range(1, 11)],
        ("rmse", "rsq"),
        names=["wflow_id", "id", ".metric"],
    )
    level = frame["wflow_id"].map({"boost_tree": 0.8, "rand_forest": 0.7, "lm": 0.5})
    frame[".estimate"] = np.where(frame[".metric"] == "rsq", level, 10 - 5 * level) + r.normal(
        0, 0.02, len(frame)
    )
    frame[".estimator"] = "standard"
    frame[".config"] = "Preprocessor1_Model1"
    of = {m: frame[frame[".metric"] == m] for m in ("rmse", "rsq")}
    return Truth(
        [csv(folder / "metrics.csv", frame)],
        [
            Reading(means(of["rmse"], "wflow_id", ".estimate"), False, 10),
            Reading(means(of["rsq"], "wflow_id", ".estimate"), True, 10),
        ],
    )


@case
def mlr3_scores(folder: Path) -> Truth:
    """as.data.table(bmr$score()): nr, task_id, learner_id, resampling_id, iteration, classif.ce."""
    r = rng("mlr3")
    frame = grid(
        "",
        ("sonar", "spam", "iris", "zoo", "wine"),
        ("classif.ranger", "classif.rpart", "classif.featureless"),
        range(1, 6),
        names=["task_id", "learner_id", "iteration"],
    )
    frame.insert(0, "nr", np.arange(len(frame)) // 5 + 1)
    frame["resampling_id"] = "cv"
    level = frame["learner_id"].map(
        dict(zip(frame["learner_id"].unique(), (0.1, 0.2, 0.5), strict=True))
    )
    frame["classif.ce"] = np.clip(r.normal(level, 0.02), 0, 1).round(5)
    return Truth(
        [csv(folder / "bmr.csv", frame)],
        [Reading(means(frame, "learner_id", "classif.ce"), False, 5)],
    )


@case
def caret_resamples(folder: Path) -> Truth:
    """resamples()$values of caret: Resample and columns model~metric."""
    r = rng("caret")
    frame = pd.DataFrame({"Resample": [f"Fold{f:02}.Rep{k}" for k in (1, 2) for f in range(1, 6)]})
    for model, level in (("CART", 0.8), ("LDA", 0.9), ("SVM", 0.85)):
        frame[f"{model}~Accuracy"] = r.normal(level, 0.02, 10).round(4)
        frame[f"{model}~Kappa"] = r.normal(level - 0.2, 0.03, 10).round(4)
    acc = {c.split("~")[0]: frame[c].mean() for c in frame if c.endswith("~Accuracy")}
    kappa = {c.split("~")[0]: frame[c].mean() for c in frame if c.endswith("~Kappa")}
    return Truth(
        [csv(folder / "resamples.csv", frame)], [Reading(acc, True, 10), Reading(kappa, True, 10)]
    )


@case
def amlb_long(folder: Path) -> Truth:
    """AMLB: result empty and info filled where a run failed."""
    r = rng("amlb2")
    frame = grid(
        "",
        [f"task{i}" for i in range(12)],
        ("flaml", "lightauto", "constant"),
        range(4),
        names=["task", "framework", "fold"],
    )
    frame.insert(0, "id", ["openml.org/t/" + str(hash(t) % 1000) for t in frame["task"]])
    level = frame["framework"].map({"flaml": 0.8, "lightauto": 0.9, "constant": 0.5})
    frame["result"] = r.normal(level, 0.02).round(4)
    frame["metric"] = "auc"
    frame["info"] = ""
    bad = (frame["framework"] == "lightauto") & (frame["task"].str[4:].astype(int) < 8)
    frame.loc[bad, "info"] = "TimeoutError: killed"
    frame.loc[bad, "result"] = np.nan
    some = frame.groupby(["task", "fold"])["result"].transform("count") == 3
    worst = frame.copy()
    worst["result"] = frame["result"].fillna(
        frame.groupby(["task", "fold"])["result"].transform("min")
    )
    return Truth(
        [csv(folder / "results.csv", frame.drop(columns="id"))],
        [
            Reading(means(frame[some], "framework", "result", "task"), True),
            Reading(means(worst, "framework", "result", "task"), True),
            Reading(
                {
                    k: v
                    for k, v in means(frame, "framework", "result", "task").items()
                    if k != "lightauto"
                },
                True,
            ),
        ],
    )


@case
def kaggle_leaderboard(folder: Path) -> Truth:
    """A board: one score per team."""
    r = rng("kaggle")
    frame = pd.DataFrame(
        {
            "Rank": range(1, 21),
            "TeamId": r.integers(1e6, 9e6, 20),
            "TeamName": [f"Team {chr(65 + i)}" for i in range(20)],
            "LastSubmissionDate": "2024-05-01 10:00:00",
            "Score": np.sort(r.normal(0.8, 0.02, 20))[::-1].round(5),
            "SubmissionCount": r.integers(1, 200, 20),
        }
    )
    return Truth([csv(folder / "publicleaderboard.csv", frame)], may_refuse=True)


@case
def pm_cells(folder: Path) -> Truth:
    """A table of a paper: 0.82 ± 0.03 in every cell."""
    r = rng("pm")
    frame = pd.DataFrame({"Dataset": [f"UCR{i}" for i in range(14)]})
    truth = {}
    for model, level in (("ROCKET", 0.86), ("InceptionTime", 0.84), ("BOSS", 0.78)):
        m = r.normal(level, 0.05, 14).round(3)
        truth[model] = float(m.mean())
        frame[model] = [
            f"{a:.3f} ± {b:.3f}" for a, b in zip(m, r.uniform(0.001, 0.03, 14), strict=True)
        ]
    return Truth([csv(folder / "accuracy_table.csv", frame)], [Reading(truth, True, 14)])


@case
def percent_cells(folder: Path) -> Truth:
    """85.1% in cells, rows are models, columns data sets, the last one Average."""
    r = rng("pct")
    heads = [f"{n}" for n in ("CIFAR-10", "SVHN", "STL-10", "Food101", "Pets", "DTD", "Cars")]
    rows, truth = [], {}
    for model, level in (("ViT-B", 85), ("ResNet-50", 80), ("ConvNeXt", 86)):
        v = r.normal(level, 4, 7).round(1)
        truth[model] = float(v.mean())
        rows.append([model, *(f"{x}%" for x in v), f"{v.mean():.1f}%"])
    frame = pd.DataFrame(rows, columns=["Model", *heads, "Average"])
    return Truth([csv(folder / "linear_probe_accuracy.csv", frame)], [Reading(truth, True, 7)])


@case
def german_long(folder: Path) -> Truth:
    """Semicolons and decimal commas, German names of columns."""
    r = rng("german")
    frame = grid(
        "",
        [f"Datensatz {i}" for i in range(10)],
        ("Wald", "Netz"),
        names=["Datensatz", "Verfahren"],
    )
    level = frame["Verfahren"].map({"Wald": 0.12, "Netz": 0.2})
    values = r.normal(level, 0.01).round(4)
    truth = means(frame.assign(v=values), "Verfahren", "v")
    frame["Fehlerrate"] = [f"{v:.4f}".replace(".", ",") for v in values]
    return Truth([csv(folder / "ergebnisse.csv", frame, sep=";")], [Reading(truth, False, 10)])


@case
def thousands(folder: Path) -> Truth:
    """Scores of games with thousands separators, quoted."""
    r = rng("thou")
    frame = pd.DataFrame({"Game": [f"Game{i}" for i in range(15)]})
    truth = {}
    for agent, level in (("DQN", 5000), ("Rainbow", 9000), ("PPO", 6000)):
        v = r.lognormal(np.log(level), 0.3, 15).round()
        truth[agent] = float(v.mean())
        frame[agent] = [f"{x:,.0f}" for x in v]
    files = [csv(folder / "atari_scores.csv", frame)]
    return Truth(files, [Reading(truth, True, 15)], may_refuse=True)  # or decimal commas


@case
def runs_named_by_their_model(folder: Path) -> Truth:
    """Every run has a name of its own, which tells the model and a number."""
    r = rng("namedruns")
    frame = grid(
        "",
        ("cnn", "mlp"),
        range(5),
        ("train", "val", "test"),
        range(3),
        names=["model", "number", "split", "epoch"],
    )
    gain = frame["model"].map({"cnn": 0.6, "mlp": 0.65}) + 0.1 * frame["epoch"]
    noise = r.normal(0, 0.01, len(frame)) + 0.1 * (frame["split"] == "train")
    frame = frame.assign(accuracy=(gain + noise).round(4), loss=(1 - gain).round(4))
    frame.insert(0, "run", frame["model"] + "-" + frame.pop("number").astype(str))
    last = frame[(frame["split"] == "test") & (frame["epoch"] == 2)]
    return Truth(
        [csv(folder / "runs.csv", frame)], [Reading(means(last, "model", "accuracy"), True)]
    )


@case
def epochs_with_split(folder: Path) -> Truth:
    """Curves of training and validation, several runs."""
    r = rng("epochsplit")
    frame = grid(
        "",
        ("adam", "sgd"),
        (0, 1, 2, 3, 4),
        ("train", "test"),
        range(1, 11),
        names=["optimizer", "seed", "split", "epoch"],
    )
    gain = frame["optimizer"].map({"adam": 0.85, "sgd": 0.8})
    frame["accuracy"] = (
        gain
        - 0.5 / frame["epoch"]
        + 0.1 * (frame["split"] == "train")
        + r.normal(0, 0.005, len(frame))
    ).round(4)
    test = frame[frame["split"] == "test"]
    last = test[test["epoch"] == 10]
    best = test.groupby(["optimizer", "seed"], as_index=False)["accuracy"].max()
    return Truth(
        [csv(folder / "curves.csv", frame)],
        [
            Reading(means(last, "optimizer", "accuracy"), True),
            Reading(means(best, "optimizer", "accuracy"), True),
        ],
    )


@case
def d4rl_normalized(folder: Path) -> Truth:
    """Returns of agents by environment and seed, with the number of steps, constant."""
    r = rng("d4rl")
    frame = grid(
        "",
        ("CQL", "IQL", "TD3+BC"),
        ("hopper", "walker", "cheetah", "ant", "maze"),
        (0, 1, 2),
        names=["algo", "env_id", "seed"],
    )
    level = frame["algo"].map({"CQL": 60.0, "IQL": 70.0, "TD3+BC": 65.0})
    frame["total_timesteps"] = 1_000_000
    frame["normalized_score"] = r.normal(level, 5).round(2)
    return Truth(
        [csv(folder / "d4rl.csv", frame)],
        [Reading(means(frame, "algo", "normalized_score", "env_id"), True, 5)],
    )


@case
def ray_tune(folder: Path) -> Truth:
    """A folder of trials: result.json by line, params.json beside it."""
    r, rows = rng("ray"), []
    for model in ("cnn", "mlp"):
        for seed in range(6):
            name = f"train_{model}_{seed:05d}"
            level = 0.8 if model == "cnn" else 0.7
            own = []
            for step in range(1, 6):
                acc = round(float(level - 0.2 / step + r.normal(0, 0.01)), 4)
                own.append(
                    {
                        "mean_accuracy": acc,
                        "training_iteration": step,
                        "trial_id": name,
                        "time_this_iter_s": 1.5,
                        "config": {"model": model, "seed": seed},
                        "done": step == 5,
                        "timestamp": 1.7e9 + step,
                    }
                )
            rows.append(
                (model, seed, own[-1]["mean_accuracy"], max(o["mean_accuracy"] for o in own))
            )
            lines(folder / "tune" / name / "result.json", own)
    frame = pd.DataFrame(rows, columns=["model", "seed", "last", "best"])
    return Truth(
        [folder / "tune"],
        [
            Reading(means(frame, "model", "last"), True),
            Reading(means(frame, "model", "best"), True),
        ],
    )


@case
def wandb_runs_export(folder: Path) -> Truth:
    """An export of runs: Name, State, config columns and summaries; one run crashed."""
    r, rows = rng("wandbx"), []
    for arch, level in (("resnet18", 0.91), ("vit", 0.93)):
        for seed in range(6):
            crashed = arch == "vit" and seed == 4
            rows.append(
                (
                    f"{arch}-{seed}",
                    "crashed" if crashed else "finished",
                    arch,
                    seed,
                    0.1,
                    np.nan if crashed else round(float(r.normal(level, 0.004)), 4),
                    3600 + seed,
                )
            )
    frame = pd.DataFrame(
        rows, columns=["Name", "State", "arch", "seed", "lr", "test/acc", "_runtime"]
    )
    ok = frame[frame["seed"] != 4]
    worst = frame.assign(
        **{"test/acc": frame["test/acc"].fillna(frame[(frame["seed"] == 4)]["test/acc"].min())}
    )
    return Truth(
        [csv(folder / "wandb.csv", frame)],
        [
            Reading(means(frame, "arch", "test/acc"), True),
            Reading(means(ok, "arch", "test/acc"), True),
            Reading(means(worst, "arch", "test/acc"), True),
        ],
    )


@case
def classification_reports(folder: Path) -> Truth:
    """classification_report(output_dict=True) of models by data set, nested."""
    r, rows, held = rng("clfrep"), [], {}
    for model, level in (("nb", 0.7), ("lr", 0.8)):
        held[model] = {}
        for d in range(8):
            acc = round(float(r.normal(level, 0.03)), 4)
            rows.append((model, acc))
            held[model][f"set{d}"] = {
                "0": {"precision": acc - 0.01, "recall": acc, "f1-score": acc, "support": 50},
                "1": {"precision": acc + 0.01, "recall": acc, "f1-score": acc, "support": 50},
                "accuracy": acc,
            }
    frame = pd.DataFrame(rows, columns=["model", "acc"])
    return Truth(
        [text(folder / "reports.json", json.dumps(held))],
        [Reading(means(frame, "model", "acc"), True, 8)],
        may_refuse=True,
    )


@case
def scores_nested_by_fold(folder: Path) -> Truth:
    """model → data set → list of scores of folds."""
    r, rows, held = rng("nestfold"), [], {}
    for model, level in (("svc", 0.8), ("gbm", 0.85), ("knn", 0.75)):
        held[model] = {}
        for d in range(9):
            s = r.normal(level, 0.02, 5).round(4).tolist()
            rows += [(model, d, v) for v in s]
            held[model][f"data{d}"] = s
    frame = pd.DataFrame(rows, columns=["model", "d", "v"])
    return Truth(
        [text(folder / "accuracy.json", json.dumps(held))],
        [Reading(means(frame, "model", "v"), True)],
    )


@case
def nested_measures(folder: Path) -> Truth:
    """results: data set → model → measures."""
    r, rows, held = rng("nestmeas"), [], {}
    for d in range(10):
        held[f"d{d}"] = {}
        for model, level in (("a-net", 0.8), ("b-net", 0.75), ("c-net", 0.7)):
            acc, loss = (
                round(float(r.normal(level, 0.01)), 4),
                round(float(r.normal(1 - level, 0.01)), 4),
            )
            rows.append((model, acc, loss))
            held[f"d{d}"][model] = {"accuracy": acc, "log_loss": loss, "n_params": 1000}
    frame = pd.DataFrame(rows, columns=["m", "accuracy", "log_loss"])
    return Truth(
        [text(folder / "res.json", json.dumps({"created": "2025-01-01", "results": held}))],
        [
            Reading(means(frame, "m", "accuracy"), True, 10),
            Reading(means(frame, "m", "log_loss"), False, 10),
        ],
    )


# -- spreadsheets and tables of people ------------------------------------------------------------


@case
def excel_merged_header(folder: Path) -> Truth:
    """Merged cells above: measure over algorithms; a row of means at the end."""
    r, rows = rng("xlsx"), [["", "Accuracy", None, None, "F1", None, None]]
    names = ["RF", "XGB", "MLP"]
    rows.append(["Dataset", *names, *names])
    acc = {n: [] for n in names}
    f1 = {n: [] for n in names}
    for d in range(12):
        row: list[Any] = [f"set{d}"]
        for held, shift in ((acc, 0.0), (f1, -0.1)):
            for n, level in zip(names, (0.8, 0.85, 0.7), strict=True):
                v = round(float(r.normal(level + shift, 0.02)), 4)
                held[n].append(v)
                row.append(v)
        rows.append(row)
    rows.append(
        ["Mean", *[float(np.mean(acc[n])) for n in names], *[float(np.mean(f1[n])) for n in names]]
    )
    path = folder / "results.xlsx"
    path.write_bytes(spreadsheet(("Results", rows)))
    return Truth(
        [path],
        [Reading({n: float(np.mean(v)) for n, v in held.items()}, True, 12) for held in (acc, f1)],
    )


@case
def sat_competition(folder: Path) -> Truth:
    """Solver, instance, status and seconds: unsolved ones have the limit as their time."""
    r, rows = rng("sat"), []
    for solver, level in (("kissat", 5.0), ("minisat", 6.0), ("cadical", 5.4)):
        for i in range(40):
            t = float(r.lognormal(level + 0.02 * i, 1.0))
            out = t > 1000
            rows.append(
                (
                    solver,
                    f"inst{i:02}.cnf",
                    "TIMEOUT" if out else "SAT" if i % 2 else "UNSAT",
                    1000.0 if out else round(t, 2),
                )
            )
    frame = pd.DataFrame(rows, columns=["solver", "instance", "status", "cpu_time"])
    par2 = frame.assign(cpu_time=np.where(frame["status"] == "TIMEOUT", 2000.0, frame["cpu_time"]))
    done = frame[frame["status"] != "TIMEOUT"]
    everyone = frame.groupby("instance")["status"].transform(lambda s: (s != "TIMEOUT").all())
    return Truth(
        [csv(folder / "sat.csv", frame)],
        [
            Reading(means(frame, "solver", "cpu_time"), False),
            Reading(means(par2, "solver", "cpu_time"), False),
            Reading(means(frame[everyone], "solver", "cpu_time"), False),
        ],
        may_refuse=bool(len(done)),
    )


@case
def sentinel_9999(folder: Path) -> Truth:
    """9999 stands for a run that found no solution."""
    r = rng("9999")
    frame = grid(
        "",
        ("ga", "pso", "de"),
        [f"f{i}" for i in range(12)],
        range(5),
        names=["algorithm", "function", "run"],
    )
    level = frame["algorithm"].map({"ga": 3.0, "pso": 2.0, "de": 2.5})
    frame["fitness"] = r.gamma(level, 1.0).round(4)
    bad = (
        (frame["algorithm"] == "pso") & (frame["run"] == 4) & (frame["function"].isin(["f1", "f2"]))
    )
    frame.loc[bad, "fitness"] = 9999
    less = frame[~bad]
    return Truth(
        [csv(folder / "runs.csv", frame)],
        [
            Reading(means(less, "algorithm", "fitness", "function"), False),
            Reading(means(less, "algorithm", "fitness"), False),
        ],
        may_refuse=False,
    )


@case
def descriptors_beside(folder: Path) -> Truth:
    """n, p and class shares of data sets beside scores of algorithms, wide."""
    r = rng("desc")
    frame = pd.DataFrame({"dataset": [f"oml{i}" for i in range(20)]})
    frame["n"] = r.integers(100, 5000, 20)
    frame["p"] = r.integers(3, 60, 20)
    frame["n_classes"] = r.integers(2, 9, 20)
    frame["majority_share"] = r.uniform(0.2, 0.9, 20).round(3)
    truth = {}
    for a, level in (("svm", 0.8), ("rf", 0.85), ("nb", 0.7)):
        frame[a] = np.clip(r.normal(level, 0.05, 20), 0, 1).round(4)
        truth[a] = float(frame[a].mean())
    return Truth([csv(folder / "accuracies.csv", frame)], [Reading(truth, True, 20)])


@case
def descriptors_long(folder: Path) -> Truth:
    """The same, long."""
    r = rng("desclong")
    frame = grid("", [f"oml{i}" for i in range(15)], ("svm", "rf"), names=["data", "learner"])
    size = dict(zip(frame["data"].unique(), r.integers(100, 5000, 15), strict=True))
    frame["n_obs"] = frame["data"].map(size)
    frame["auc"] = np.clip(
        r.normal(frame["learner"].map({"svm": 0.8, "rf": 0.86}), 0.03), 0, 1
    ).round(4)
    frame["time_train"] = r.gamma(2, 3, len(frame)).round(3)
    return Truth(
        [csv(folder / "auc.csv", frame)], [Reading(means(frame, "learner", "auc"), True, 15)]
    )


@case
def retries(folder: Path) -> Truth:
    """A run that failed was tried again: attempts, of which the last counts."""
    r, rows = rng("retry"), []
    for agent, rate in (("alpha", 0.6), ("beta", 0.4)):
        for t in range(25):
            failed = r.random() < 0.2
            if failed:
                rows.append((agent, f"task{t}", 1, "error", np.nan))
            rows.append((agent, f"task{t}", 2 if failed else 1, "ok", float(r.random() < rate)))
    frame = pd.DataFrame(rows, columns=["agent", "task", "attempt", "status", "reward"])
    ok = frame[frame["status"] == "ok"]
    worst = frame.fillna({"reward": 0.0})
    return Truth(
        [csv(folder / "attempts.csv", frame)],
        [
            Reading(means(ok, "agent", "reward"), True, 25),
            Reading(means(worst, "agent", "reward", "task"), True, 25),
        ],
    )


@case
def versions_mixed(folder: Path) -> Truth:
    """Two versions of each library in one column of their own."""
    r = rng("vers")
    frame = grid(
        "",
        ("xgb", "lgbm"),
        ("1.7", "2.0"),
        [f"t{i}" for i in range(12)],
        names=["library", "version", "task"],
    )
    level = frame["library"].map({"xgb": 0.8, "lgbm": 0.82}) + 0.02 * (frame["version"] == "2.0")
    frame["auc"] = r.normal(level, 0.01).round(4)
    return Truth(
        [csv(folder / "libs.csv", frame)],
        [Reading(means(frame, ("library", "version"), "auc"), True, 12)],
    )


@case
def forecasting_table(folder: Path) -> Truth:
    """Models by series and horizon, with three errors."""
    r = rng("fore")
    frame = grid(
        "",
        ("arima", "ets", "nbeats"),
        [f"M{i}" for i in range(20)],
        (1, 6, 12),
        names=["model", "unique_id", "horizon"],
    )
    level = frame["model"].map({"arima": 10.0, "ets": 11.0, "nbeats": 9.0}) + frame["horizon"] / 4
    frame["smape"] = r.gamma(level, 1).round(3)
    frame["mase"] = (frame["smape"] / 9 + r.normal(0, 0.05, len(frame))).round(3)
    readings = [Reading(means(frame, "model", m), False) for m in ("smape", "mase")]
    return Truth([csv(folder / "forecasts.csv", frame)], readings)


@case
def markdown_paper_table(folder: Path) -> Truth:
    """Markdown: bold for the best, arrows for directions, two measures per method."""
    rows = [("Ours", 31.2, 0.91), ("Base", 29.8, 0.88), ("Old", 27.0, 0.85)]
    body = "\n".join(f"| {m} | {p if m != 'Ours' else f'**{p}**'} | {s} |" for m, p, s in rows)
    return Truth(
        [
            text(
                folder / "table.md",
                f"# Results\n\n| Method | PSNR ↑ | SSIM ↑ |\n|---|---|---|\n{body}\n",
            )
        ],
        may_refuse=True,
    )


@case
def opencompass_summary(folder: Path) -> Truth:
    """Data sets by rows; dataset, version, metric, mode and then models."""
    r = rng("oc")
    names = [
        "ceval",
        "mmlu",
        "gsm8k",
        "bbh",
        "hellaswag",
        "winogrande",
        "arc-c",
        "race",
        "boolq",
        "piqa",
    ]
    frame = pd.DataFrame(
        {
            "dataset": names,
            "version": [f"{i:06x}" for i in r.integers(0, 2**24, 10)],
            "metric": "accuracy",
            "mode": "gen",
        }
    )
    truth = {}
    for model, level in (("qwen-7b", 60), ("llama-7b", 45), ("yi-6b", 55)):
        frame[model] = r.normal(level, 8, 10).round(2)
        truth[model] = float(frame[model].mean())
    return Truth([csv(folder / "summary.csv", frame)], [Reading(truth, True, 10)])


@case
def open_llm_board(folder: Path) -> Truth:
    """A board with six benchmarks, an average, sizes and flags."""
    r = rng("ollm")
    heads = ["IFEval", "BBH", "MATH Lvl 5", "GPQA", "MUSR", "MMLU-PRO"]
    rows, truth = [], {}
    for i in range(12):
        v = r.normal(30 + 2 * i, 5, 6).round(2)
        truth[f"org/model-{i}"] = float(v.mean())
        rows.append(
            [
                f"org/model-{i}",
                "🟢 pretrained",
                round(v.mean(), 2),
                *v,
                round(r.uniform(1, 70), 1),
                "apache-2.0",
                True,
            ]
        )
    frame = pd.DataFrame(
        rows,
        columns=[
            "fullname",
            "Type",
            "Average ⬆️",
            *heads,
            "#Params (B)",
            "Hub License",
            "Available on the hub",
        ],
    )
    return Truth([csv(folder / "open-llm.csv", frame)], [Reading(truth, True, 6)], may_refuse=True)


@case
def mteb_results(folder: Path) -> Truth:
    """A file per task in a folder per model: scores of test in a list, main_score in it."""
    r, rows = rng("mteb"), []
    for model, level in (("e5-base", 0.7), ("bge-small", 0.66)):
        for t in range(8):
            v = round(float(r.normal(level, 0.04)), 5)
            rows.append((model, v))
            text(
                folder / "results" / model / f"Task{t}.json",
                json.dumps(
                    {
                        "task_name": f"Task{t}",
                        "mteb_version": "1.12",
                        "dataset_revision": "abc",
                        "evaluation_time": 12.5,
                        "scores": {
                            "test": [
                                {
                                    "hf_subset": "default",
                                    "languages": ["eng"],
                                    "main_score": v,
                                    "accuracy": v,
                                    "f1": v - 0.01,
                                }
                            ]
                        },
                    }
                ),
            )
    frame = pd.DataFrame(rows, columns=["m", "v"])
    f1 = {m: v - 0.01 for m, v in means(frame, "m", "v").items()}
    return Truth(
        [folder / "results"], [Reading(means(frame, "m", "v"), True, 8), Reading(f1, True, 8)]
    )


@case
def zipped_csv(folder: Path) -> Truth:
    """A zip with one table in it."""
    r = rng("zip")
    frame = grid("", [f"d{i}" for i in range(12)], ("a", "b"), names=["dataset", "algorithm"])
    frame["accuracy"] = r.normal(frame["algorithm"].map({"a": 0.8, "b": 0.7}), 0.02).round(4)
    path = folder / "scores.zip"
    with zipfile.ZipFile(path, "w") as held:
        held.writestr("scores.csv", frame.to_csv(index=False))
    return Truth(
        [path], [Reading(means(frame, "algorithm", "accuracy"), True, 12)], may_refuse=True
    )


@case
def sqlite_table(folder: Path) -> Truth:
    """A database with one table of results."""
    import sqlite3

    r = rng("sqlite")
    frame = grid("", [f"d{i}" for i in range(12)], ("a", "b"), names=["dataset", "algorithm"])
    frame["accuracy"] = r.normal(frame["algorithm"].map({"a": 0.8, "b": 0.7}), 0.02).round(4)
    path = folder / "results.db"
    held = sqlite3.connect(path)
    frame.to_sql("scores", held, index=False)
    held.close()
    return Truth([path], [Reading(means(frame, "algorithm", "accuracy"), True, 12)])


@case
def constant_split(folder: Path) -> Truth:
    """All rows are of the test set, and a column says so."""
    r = rng("const")
    frame = grid("", [f"d{i}" for i in range(12)], ("a", "b"), names=["dataset", "method"])
    frame["split"] = "test"
    frame["acc"] = r.normal(frame["method"].map({"a": 0.8, "b": 0.7}), 0.02).round(4)
    return Truth([csv(folder / "t.csv", frame)], [Reading(means(frame, "method", "acc"), True, 12)])


@case
def log_of_events(folder: Path) -> Truth:
    """Lines of a log by time: nothing to compare."""
    rows = [
        f"2025-01-01 10:00:{i:02} INFO trainer: epoch {i} loss={1 / (i + 1):.4f}" for i in range(30)
    ]
    return Truth([text(folder / "train.log", "\n".join(rows) + "\n")], may_refuse=True)


@case
def ids_that_are_numbers(folder: Path) -> Truth:
    """Models and items are numbers; the column of scores is called y."""
    r = rng("ids")
    frame = grid("", (101, 102, 103), range(1, 31), names=["model_id", "item_id"])
    p = frame["model_id"].map({101: 0.8, 102: 0.6, 103: 0.5})
    frame["correct"] = (r.random(len(frame)) < p).astype(int)
    return Truth(
        [csv(folder / "irt.csv", frame)], [Reading(means(frame, "model_id", "correct"), True, 30)]
    )


@case
def helm_instances(folder: Path) -> Truth:
    """Rows of instances by scenario, with several statistics in a column `stat`."""
    r = rng("helmi")
    frame = grid(
        "",
        ("gpt", "llama"),
        ("mmlu", "boolq", "gsm"),
        range(20),
        ("exact_match", "num_output_tokens"),
        names=["model", "scenario", "instance_id", "stat"],
    )
    level = frame["model"].map({"gpt": 0.8, "llama": 0.6})
    frame["value"] = np.where(
        frame["stat"] == "exact_match", r.random(len(frame)) < level, r.integers(5, 50, len(frame))
    ).astype(float)
    em = frame[frame["stat"] == "exact_match"]
    tokens = frame[frame["stat"] != "exact_match"]
    return Truth(
        [csv(folder / "stats.csv", frame)],
        [
            Reading(means(em, "model", "value"), True),
            Reading(means(tokens, "model", "value"), False),
        ],
    )


@case
def hpo_trials(folder: Path) -> Truth:
    """Trials of samplers: number, state, value and parameters; some pruned."""
    r = rng("hpo")
    frame = grid("", ("tpe", "random"), range(6), range(15), names=["sampler", "seed", "number"])
    frame["params_lr"] = r.uniform(0, 1, len(frame)).round(4)
    frame["value"] = (r.gamma(2, 1, len(frame)) + (frame["sampler"] == "random") * 0.5).round(4)
    frame["state"] = np.where(r.random(len(frame)) < 0.1, "PRUNED", "COMPLETE")
    done = frame[frame["state"] == "COMPLETE"]
    best = done.groupby(["sampler", "seed"], as_index=False)["value"].min()
    return Truth(
        [csv(folder / "trials.csv", frame)],
        [Reading(means(best, "sampler", "value"), False)],
        may_refuse=True,
    )


@case
def latex_booktabs(folder: Path) -> Truth:
    """A LaTeX table with multicolumn heads, bold and ± in cells, an average below."""
    r = rng("latex")
    body, a, b = [], [], []
    for d in range(10):
        x, y = r.normal(0.8, 0.03), r.normal(0.75, 0.03)
        a.append(round(x, 3)), b.append(round(y, 3))
        body.append(f"set{d} & \\textbf{{{x:.3f}}} $\\pm$ 0.01 & {y:.3f} $\\pm$ 0.02 \\\\")
    head = "\\begin{table}\\caption{Accuracy}\\begin{tabular}{lcc}\\toprule\n"
    head += "Dataset & \\multicolumn{1}{c}{Ours} & Base \\\\ \\midrule\n"
    last = f"\n\\midrule Average & {np.mean(a):.3f} & {np.mean(b):.3f} \\\\ \\bottomrule\n"
    tex = head + "\n".join(body) + last + "\\end{tabular}\\end{table}\n"
    return Truth(
        [text(folder / "table.tex", tex)],
        [Reading({"Ours": float(np.mean(a)), "Base": float(np.mean(b))}, True, 10)],
    )
