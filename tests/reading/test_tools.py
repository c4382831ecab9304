"""Files of other tools: what is what in them, which claim is legal, and what is refused."""

import gzip
import json
import sqlite3
import zipfile

import numpy as np
import pandas as pd
import pytest

import podium
from podium.core.base import writing as unpacking
from podium.core.samplings import CV, ITEMS, REPEATED_CV, RUNS, SEEDS, SUBSAMPLING
from podium.core.words.saying import say
from podium.errors import ResultsError
from podium.reading.formats import FORMATS, LongTable, opening
from podium.reading.formats.exchange import scores_text
from podium.reading.formats.gathering import Run, labels, last_word, runs_of

DESIGNS = {
    "lm-eval": ITEMS,
    "inspect": ITEMS,
    "helm": ITEMS,
    "every-eval-ever": ITEMS,
    "swe-bench": ITEMS,
    "alpaca-eval": ITEMS,
    "mlflow": CV,
    "wandb": SEEDS,
    "pytest-benchmark": RUNS,
    "hyperfine": RUNS,
    "google-benchmark": RUNS,
    "tensorboard": SEEDS,
    "tensorboard-csv": SEEDS,
    "sb3-monitor": SEEDS,
    "rliable": SEEDS,
    "optuna": SEEDS,
    "benchopt": RUNS,
    "amlb": CV,
    "tabarena": CV,
    "openml-evaluations": CV,
    "aeon": SUBSAMPLING,
    "weka": CV,
    "caret": CV,
    "tidymodels": CV,
}
BY_DATASET = ("mteb", "asv", "autogluon")


def made(name, tmp_path):
    """The first sample of a format, as its record writes it."""
    sample = FORMATS[name].samples[0]
    return sample.make(tmp_path), dict(sample.options)


def written(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def refused(match, source, **options):
    with pytest.raises(ResultsError, match=match) as caught:
        podium.read(source, **options)
    assert "\n" not in str(caught.value)
    assert str(caught.value).endswith(".")


# --- what a format brings ---


@pytest.mark.parametrize("name", DESIGNS)
def test_a_tool_brings_its_design(name, tmp_path):
    source, options = made(name, tmp_path)
    results = podium.read(source, **options)
    assert results.sampling.name == DESIGNS[name].name
    assert results.notes[0].code == "recognised"
    assert say(results.notes[0]).startswith(f"Read as {FORMATS[name].title}: 2 ")


@pytest.mark.parametrize("name", BY_DATASET)
def test_a_score_per_data_set_needs_no_design(name, tmp_path):
    source, options = made(name, tmp_path)
    results = podium.read(source, **options)
    assert results.sampling is None
    assert len(results.datasets) > 1


@pytest.mark.parametrize("name", [*DESIGNS, *BY_DATASET])
def test_what_is_imported_is_read_as_the_files_are(name, tmp_path):
    (tmp_path / "in").mkdir()
    source, options = made(name, tmp_path / "in")
    results = podium.read(source, **options)
    again = podium.read(written(tmp_path / "scores.csv", scores_text(results, ["in"])))
    measure = next(iter(results.measures))
    pd.testing.assert_frame_equal(again.scores, results.scores)
    assert (again.sampling, again.measures) == (results.sampling, results.measures)
    assert (again.notes, again.name) == (results.notes, results.name)
    one, two = (podium.compare(r, measure=measure).to_dict() for r in (results, again))
    assert one == two


# --- evaluations of language models ---


def test_documents_are_paired_by_hash_and_not_by_number(tmp_path):
    source, _ = made("lm-eval", tmp_path)  # whose second model has them the other way round
    wide = podium.read(source).wide("acc")
    assert wide["org/large"].tolist() == [1, 1, 1, 1, 0, 1]
    assert wide["org/small"].tolist() == [1, 0, 1, 0, 0, 1]


def lm_rows(folder, model, rows, **told):
    """The samples of a model, whose rows are doc, filter, metric and value."""
    lines = [
        {"doc_id": i, "doc_hash": doc, "resps": [], "filter": f, "metrics": [m], m: value}
        for i, (doc, f, m, value) in enumerate(rows)
    ]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    written(folder / "samples_quiz_2026-01-01T00-00-00.jsonl", text)
    results = {"results": {"quiz": {"acc,none": 0}}, "configs": {}, "model_name": model}
    written(folder / "results_2026-01-01T00-00-00.json", results | told)


def test_filters_are_measures_and_the_file_says_which_is_better(tmp_path):
    lower = {"higher_is_better": {"quiz": {"gap": False}}}
    for model, value in (("one", 1.0), ("two", 2.0)):
        rows = [(d, f, "gap", value + i) for i, d in enumerate("abc") for f in ("strict", "loose")]
        lm_rows(tmp_path / model, model, rows, **lower)
    results = podium.read(tmp_path)
    assert list(results.measures) == ["gap,strict", "gap,loose"]
    assert {m.direction for m in results.measures.values()} == {"lower"}
    assert list(podium.read(tmp_path, measure="gap,loose").measures) == ["gap,loose"]


def test_the_same_text_twice_is_two_documents(tmp_path):
    for model in ("one", "two"):
        lm_rows(tmp_path / model, model, [("a", "none", "acc", v) for v in (1, 0, 1)])
    assert len(podium.read(tmp_path).wide("acc")) == 3


def test_a_folder_names_a_model_that_no_file_names(tmp_path):
    for model in ("one", "two"):
        lm_rows(tmp_path / model, model, [("a", "none", "acc", 1), ("b", "none", "acc", 0)])
        (tmp_path / model / "results_2026-01-01T00-00-00.json").unlink()
    assert podium.read(tmp_path).algorithms == ["one", "two"]


def test_means_alone_are_refused_with_the_option_that_keeps_the_documents(tmp_path):
    lm_rows(tmp_path, "one", [("a", "none", "acc", 1)])
    (tmp_path / "samples_quiz_2026-01-01T00-00-00.jsonl").unlink()
    refused(r"means of lm-evaluation-harness alone.*--log_samples", tmp_path)


def test_one_model_in_two_files_is_refused_and_the_files_can_be_compared(tmp_path):
    for place, right in (("old", 0), ("new", 1)):
        rows = [(d, "none", "acc", right) for d in "abc"]
        lm_rows(tmp_path / place, "org/same", rows)
    refused("'org/same' has the same scores in two files.*--columns algorithm=file", tmp_path)
    found = podium.read(tmp_path, columns="algorithm=file")
    assert found.wide("acc").iloc[:, 2:].sum().to_dict() == {"new": 3, "old": 0}


def test_epochs_are_averaged_and_metadata_tells_clusters(tmp_path):
    source, _ = made("inspect", tmp_path)
    results = podium.read(source)
    assert results.wide("match")["lab/two"].tolist() == [1, 0, 0, 1, 0, 1]
    assert results.facts["sums"]["clusters"] == ["d0", "d0", "d1", "d1", "d2", "d2"]
    codes = {note.code for note in results.notes}
    assert {"clusters-recognised", "answers-averaged"} <= codes
    assert "clusters" not in podium.read(source, columns="ignore=cluster").facts["sums"]


def inspect_log(model, values, **more):
    samples = [{"id": i, "epoch": 1, "scores": {"s": {"value": v}}} for i, v in enumerate(values)]
    told = {"task": "t", "model": model, "run_id": "r", "task_id": "x"} | more
    return {"version": 2, "eval": told, "samples": samples}


def test_grades_are_numbers(tmp_path):
    written(tmp_path / "a.json", inspect_log("a", ["C", "I", "P", "N"]))
    written(tmp_path / "b.json", inspect_log("b", [True, "no", 0.25, "1"]))
    wide = podium.read(tmp_path).wide("s")
    assert wide["a"].tolist() == [1, 0, 0.5, 0]
    assert wide["b"].tolist() == [1, 0, 0.25, 1]


def test_logs_without_scores_or_with_text_are_refused(tmp_path):
    written(tmp_path / "a.json", inspect_log("a", ["C", "I"]))
    log = inspect_log("b", [])
    refused(
        "'.*b.json': no sample of this log has a score",
        [tmp_path / "a.json", written(tmp_path / "b.json", log)],
    )
    refused("no score is a number", written(tmp_path / "b.json", inspect_log("b", ["x", "y"])))


def test_a_log_by_zstandard_is_read(tmp_path):
    arrow = pytest.importorskip("pyarrow")
    log = inspect_log("a", ["C", "I", "C"])
    parts = {"header.json": {"eval": log["eval"]}, "summaries.json": log["samples"]}
    with zipfile.ZipFile(tmp_path / "a.eval", "w") as archive:
        for name, value in parts.items():
            raw = json.dumps(value).encode()
            packed = arrow.compress(raw, codec="zstd", asbytes=True)
            info = zipfile.ZipInfo(name)
            archive.writestr(info, packed)
            # as a writer of such archives would: the method and the size of what is unpacked
            info.compress_type, info.file_size = opening.ZSTANDARD, len(raw)
    assert podium.read(tmp_path / "a.eval").values("s")["value"].tolist() == [1, 0, 1]


def test_instances_of_helm_on_another_split_or_disturbed_are_left_out(tmp_path):
    source, _ = made("helm", tmp_path)
    file = next(source.rglob("per_instance_stats.json"))
    found = json.loads(file.read_text())
    wrong = {"name": "exact_match", "split": "train"}
    found[0]["stats"].append({"name": wrong, "mean": 9.0})
    disturbed = {"name": "exact_match", "split": "test", "perturbation": {"name": "typos"}}
    found[1]["stats"].append({"name": disturbed, "mean": 7.0})
    file.write_text(json.dumps(found))
    assert podium.read(source).scores["value"].max() == 1


def test_an_instance_that_a_report_does_not_list_is_not_resolved(tmp_path):
    ids = ["lib__lib-1", "lib__lib-2", "app__app-3"]
    written(tmp_path / "x" / "results" / "results.json", {"resolved": ids[:2], "no_logs": []})
    written(tmp_path / "y" / "results" / "results.json", {"resolved": ids[2:]})
    results = podium.read(tmp_path)
    assert results.wide("resolved")[["x", "y"]].sum().to_dict() == {"x": 2, "y": 1}
    assert "items-listed-by-some" in {note.code for note in results.notes}


def test_instances_that_reports_only_count_are_not_resolved(tmp_path):
    for name, solved in {"x": 3, "y": 1}.items():
        report = {
            "total_instances": 10,
            "completed_ids": [f"lib__lib-{i}" for i in range(6)],
            "resolved_ids": [f"lib__lib-{i}" for i in range(solved)],
        }
        written(tmp_path / name / "results" / "results.json", report)
    scores = podium.read(tmp_path).wide("resolved")
    assert scores[["x", "y"]].mean().to_dict() == {"x": 0.3, "y": 0.1}


@pytest.mark.parametrize(
    ("file", "text", "match"),
    [
        (
            "board.csv",
            ",win_rate,standard_error,n_total\nm,1,2,3\n",
            "is a leaderboard.*annotations",
        ),
        ("l.csv", "model,score_val,fit_time\na,1,1\nb,2,1\n", "leaderboards of several data sets"),
        (
            "h.csv",
            "command,mean,stddev,median,user,system,min,max\na,1,1,1,1,1,1,1\n",
            "export-json",
        ),
        (
            "t.csv",
            "number,value,state,datetime_start\n0,1,COMPLETE,x\n",
            "no samples of it.*storage",
        ),
        ("m.csv", "wflow_id,.metric,mean,n\na,acc,1,10\n", "summarize = FALSE"),
    ],
)
def test_what_has_no_blocks_is_refused_with_what_has_them(file, text, match, tmp_path):
    refused(match, written(tmp_path / file, text))


# --- tables that mislead ---


def test_the_result_of_amlb_is_never_mixed(tmp_path):
    source, _ = made("amlb", tmp_path)
    results = podium.read(source)
    assert list(results.measures) == ["auc", "logloss", "acc"]
    assert not results.measures["logloss"].higher_is_better
    assert set(results.values("auc")["dataset"]) == {"one"}
    text = "task,framework,fold,result,metric\n"
    text += "t,a,0,0.9,auc\nt,b,0,0.8,auc\nu,a,0,-0.3,neg_logloss\nu,b,0,-0.5,neg_logloss\n"
    new = podium.read(written(tmp_path / "new.csv", text))
    assert {n: m.higher_is_better for n, m in new.measures.items()} == {
        "auc": True,
        "neg_logloss": True,
    }


def test_the_error_of_tabarena_is_better_when_lower_whatever_the_metric(tmp_path):
    source, _ = made("tabarena", tmp_path)
    assert not podium.read(source).measures["roc_auc error"].higher_is_better
    assert list(podium.read(source, measure="metric_error").measures) == ["roc_auc error"]
    rows = [f"d,{i},{m},{0.1 + i / 100},rmse" for i in range(9) for m in "ab"]
    text = "\n".join(["dataset,fold,method,metric_error,metric", *rows])
    assert str(podium.read(written(tmp_path / "r.csv", text)).sampling) == "repeated-cv:3x3"


def test_ids_of_openml_are_no_algorithms_and_setups_are(tmp_path):
    text = "run_id,task_id,flow_id,flow_name,setup_id,function,value\n"
    text += "1,5,9,f,1,area_under_roc_curve,0.9\n2,5,9,f,2,area_under_roc_curve,0.8\n"
    text += "3,6,9,f,1,area_under_roc_curve,0.7\n4,6,9,f,2,area_under_roc_curve,0.6\n"
    results = podium.read(written(tmp_path / "e.csv", text))
    assert results.algorithms == ["f setup 1", "f setup 2"]
    assert results.datasets == ["5", "6"]


def test_resamples_of_aeon_are_no_algorithms(tmp_path):
    source, _ = made("aeon", tmp_path)
    results = podium.read(source)
    assert (results.algorithms, results.datasets) == (["HC2", "ROCKET"], ["ACSF1", "Adiac"])


def test_options_tell_schemes_of_weka_apart(tmp_path):
    text = "Key_Dataset,Key_Run,Key_Scheme,Key_Scheme_options,Percent_correct\n"
    text += "".join(f"iris,{run},lazy.IBk,-K {k},{90 - k}\n" for run in (1, 2) for k in (1, 5))
    results = podium.read(written(tmp_path / "w.csv", text))
    assert results.algorithms == ["IBk -K 1", "IBk -K 5"]
    assert results.sampling.name == SUBSAMPLING.name


def test_folds_and_repeats_of_caret_are_told_by_their_names(tmp_path):
    rows = [f"Fold{f}.Rep{r},0.{9 - r},0.{7 - f}" for r in (1, 2) for f in (1, 2, 3)]
    text = "\n".join(["Resample,a~ROC,b~ROC", *rows])
    assert podium.read(written(tmp_path / "v.csv", text)).sampling.name == REPEATED_CV.name


# --- trackers ---


def mlflow_database(path):
    with sqlite3.connect(path) as connection:
        connection.executescript(
            """CREATE TABLE experiments (experiment_id, name);
            CREATE TABLE runs (run_uuid, status, experiment_id, lifecycle_stage, start_time);
            CREATE TABLE params (run_uuid, key, value); CREATE TABLE tags (run_uuid, key, value);
            CREATE TABLE metrics (run_uuid, key, value);
            CREATE TABLE latest_metrics (run_uuid, key, value, is_nan);
            INSERT INTO experiments VALUES (0, 'all');"""
        )
        for model, start in (("svm", 0.8), ("knn", 0.6)):
            for seed in range(4):
                run, stage = f"{model}{seed}", "deleted" if seed == 3 else "active"
                row = (run, "FINISHED", 0, stage, seed)
                connection.execute("INSERT INTO runs VALUES (?, ?, ?, ?, ?)", row)
                for key, value in (("model", model), ("seed", str(seed))):
                    connection.execute("INSERT INTO params VALUES (?, ?, ?)", (run, key, value))
                metric = (run, "accuracy", start + seed / 100, 0)
                connection.execute("INSERT INTO latest_metrics VALUES (?, ?, ?, ?)", metric)
    connection.close()
    return path


def test_a_database_of_mlflow_is_read_only_and_deleted_runs_are_none(tmp_path):
    path = mlflow_database(tmp_path / "mlflow.db")
    before = path.read_bytes()
    results = podium.read(path)
    assert (results.algorithms, results.sampling.name) == (["knn", "svm"], SEEDS.name)
    assert len(results.scores) == 6
    assert path.read_bytes() == before
    packed = tmp_path / "mlflow.db.gz"
    packed.write_bytes(gzip.compress(before))
    pd.testing.assert_frame_equal(podium.read(packed).scores, results.scores)


def test_a_database_cannot_be_written_through_the_reader(tmp_path):
    with (
        pytest.raises(ResultsError, match="readonly"),
        opening.database(mlflow_database(tmp_path / "m.db")) as connection,
    ):
        connection.execute("DELETE FROM runs")


def test_roles_of_runs_are_said_where_names_do_not_tell(tmp_path):
    frame = pd.DataFrame(
        {
            "run_id": list("abcd"),
            "metrics.rmse": [1.0, 2.0, 3.0, 4.0],
            "params.depth": ["2", "2", "9", "9"],
            "params.part": ["1", "2", "1", "2"],
        }
    )
    refused("Name the column of what is compared.*--columns algorithm=params.depth,sample=", frame)
    said = {"columns": "algorithm=params.depth,sample=part", "sampling": "cv"}
    assert podium.read(frame, **said).algorithms == ["2", "9"]
    refused("'x' is not a column", frame, columns="algorithm=x")
    told = frame.rename(columns={"params.depth": "params.who"}).replace({"2": "svm", "9": "knn"})
    assert podium.read(told.assign(**{"params.fold": [1, 2, 1, 2]})).algorithms == ["svm", "knn"]


def test_runs_that_crashed_have_failed_and_those_that_run_are_left_out(tmp_path):
    source, _ = made("wandb", tmp_path)
    results = podium.read(source)
    notes = {note.code: note for note in results.notes}
    assert (results.runs["status"] == "failed").sum() == 1
    assert (notes["rows-chosen"].kept, notes["rows-chosen"].rows) == (6, 7)


@pytest.mark.parametrize("state", ["FAILED", "KILLED"])
def test_runs_of_mlflow_that_failed_count_and_open_ones_do_not(state):
    runs = [(m, s, a + s / 100) for m, a in (("svm", 0.8), ("knn", 0.6)) for s in range(4)]
    frame = pd.DataFrame(runs, columns=["params.model", "params.seed", "metrics.accuracy"])
    frame = frame.assign(run_id=list("abcdefgh"), status="FINISHED")
    frame.loc[3, ["status", "metrics.accuracy"]] = [state, np.nan]
    frame.loc[7, ["status", "metrics.accuracy"]] = ["RUNNING", 0.1]
    results = podium.read(frame)
    assert (results.algorithms, results.sampling.name) == (["svm", "knn"], SEEDS.name)
    assert (results.runs["status"] == "failed").sum() == 1
    notes = {note.code: note for note in results.notes}
    assert (notes["unfinished-runs"].left_out, notes["unfinished-runs"].of) == (1, 8)
    assert results.values("accuracy")["value"].min() == 0.6


# --- optimizers ---


def optuna_database(path, direction="MINIMIZE"):
    """Two samplers, three seeds, two trials each, in the tables of Optuna's storage."""
    values = {"tpe": ((9, 1), (8, 2), (9, 3)), "random": ((5, 9), (6, 7), (7, 6))}
    with sqlite3.connect(path) as connection:
        connection.executescript(
            """CREATE TABLE studies (study_id INTEGER, study_name TEXT);
            CREATE TABLE study_directions (study_id INTEGER, direction TEXT, objective INTEGER);
            CREATE TABLE study_user_attributes (study_id INTEGER, key TEXT, value_json TEXT);
            CREATE TABLE trials (trial_id INTEGER, number INTEGER, study_id INTEGER, state TEXT);
            CREATE TABLE trial_values (trial_id INTEGER, objective INTEGER, value REAL);"""
        )
        for study, (sampler, seed) in enumerate((n, s) for n in values for s in range(3)):
            rows = [("studies", (study, f"sphere-{sampler}-{seed}"))]
            rows += [("study_directions", (study, direction, 0))]
            for number, value in enumerate(values[sampler][seed]):
                rows += [("trials", (2 * study + number, number, study, "COMPLETE"))]
                rows += [("trial_values", (2 * study + number, 0, value))]
            for name, row in rows:
                marks = ", ".join("?" * len(row))
                connection.execute(f"INSERT INTO {name} VALUES ({marks})", row)
    connection.close()
    return path


def test_a_database_of_optuna_is_read_as_its_journal(tmp_path):
    journal, _ = made("optuna", tmp_path)
    results = podium.read(optuna_database(tmp_path / "studies.db"))
    assert results.values("best value")["value"].tolist() == [1, 5, 2, 6, 3, 6]
    pd.testing.assert_frame_equal(results.scores, podium.read(journal).scores)
    first = podium.read(tmp_path / "studies.db", step="1").values("best value")["value"]
    assert first.tolist() == [9, 5, 8, 6, 9, 7]
    most = podium.read(optuna_database(tmp_path / "most.db", "MAXIMIZE"))
    assert most.measures["best value"].higher_is_better
    assert most.values("best value")["value"].tolist() == [9, 9, 8, 7, 9, 7]


def test_attributes_of_studies_tell_more_than_their_names_and_kinds_are_not_mixed(tmp_path):
    path = optuna_database(tmp_path / "studies.db")
    with sqlite3.connect(path) as connection:
        told = [(i, key, json.dumps(v)) for i in range(3) for key, v in (("sampler", "TPE"),)]
        connection.executemany("INSERT INTO study_user_attributes VALUES (?, ?, ?)", told)
    connection.close()
    assert podium.read(path).algorithms == ["TPE", "random"]
    for change, said in (
        ("UPDATE study_directions SET direction = 'MAXIMIZE' WHERE study_id = 1", "some maximise"),
        ("INSERT INTO study_directions VALUES (1, 'MINIMIZE', 1)", "several objectives"),
    ):
        with sqlite3.connect(path) as connection:
            connection.execute(change)
        connection.close()
        refused(said, path)


# --- timings ---


def test_benchmarks_of_one_file_are_compared_in_their_groups(tmp_path):
    found = [
        {"name": f"{test}-{group}", "group": group, "stats": {"data": [start, start + 0.1]}}
        for group, start in (("g", 1.0), ("h", 2.0))
        for test in ("a", "b")
    ]
    path = written(tmp_path / "b.json", {"machine_info": {}, "benchmarks": found})
    assert podium.read(path).datasets == ["g", "h"]


def test_units_of_google_benchmark_are_seconds_and_failures_are_missing(tmp_path):
    source, _ = made("google-benchmark", tmp_path)
    assert podium.read(source).values("time")["value"].max() == 0.022
    after = json.loads((tmp_path / "after.json").read_text())
    after["benchmarks"][0]["error_occurred"] = True
    written(tmp_path / "after.json", after)
    assert podium.read(source).values("time")["value"].isna().sum() == 1


def test_samples_and_parameters_of_asv_are_read(tmp_path):
    for commit, start in (("a" * 40, 1.0), ("b" * 40, 2.0)):
        entry = [[9, 9], [["x", "y"]], [[start, start + 1], [start + 2, start + 3]]]
        told = {"commit_hash": commit, "result_columns": ["result", "params", "samples"]}
        written(tmp_path / f"{commit[:8]}.json", told | {"results": {"time_it": entry}})
    results = podium.read(tmp_path)
    assert (results.datasets, results.sampling.name) == (["time_it(x)", "time_it(y)"], RUNS.name)
    means = results.values("time").groupby(["dataset", "algorithm"], observed=True)["value"].mean()
    assert means.tolist() == [1.5, 2.5, 3.5, 4.5]


# --- curves ---


def test_which_step_counts_must_be_said_and_every_proposal_works(tmp_path):
    source, _ = made("sb3-monitor", tmp_path)
    refused("--step last, --step 20 .*--step mean, or --step best", source)
    values = {}
    for step in ("last", 20, "mean", "best", "10"):
        values[step] = podium.read(source, step=step).wide("return")["sac"].tolist()
    assert values == {"last": [8, 9], 20: [8, 9], "mean": [4.5, 5], "best": [8, 9], "10": [1, 1]}
    refused("a run ends at 20, before 30.*--step 20", source, step=30)
    refused("have no score up to 5; .*--step 10", source, step=5)
    refused("last, best, mean or a number, not 'first'", source, step="first")


def test_a_step_is_refused_where_there_are_no_curves(tmp_path):
    source, _ = made("hyperfine", tmp_path)
    refused("for curves, and these scores have none", source, step="last")


def test_names_of_runs_tell_algorithm_seed_and_data_set():
    cleanrl = runs_of(["Cart__ppo__1__17", "Cart__sac__2__18"], "Runs")
    assert cleanrl == [Run("ppo", "1", "Cart"), Run("sac", "2", "Cart")]
    assert runs_of(["ppo_0", "sac_0"], "Runs") == [Run("ppo", "0"), Run("sac", "0")]
    assert runs_of(["a/seed_3", "b/seed_3"], "Runs")[0].seed == "3"
    with pytest.raises(ResultsError, match="differ in 2 parts"):
        runs_of(["Cart_ppo_0", "Cart_sac_0", "Pole_ppo_0"], "Runs")


def test_arrays_by_steps_need_one_and_objects_are_not_unpickled(tmp_path):
    curves = np.arange(24.0).reshape(2, 3, 4)
    np.savez(tmp_path / "s.npz", a=curves, b=curves + 1)
    refused("every run is a curve", tmp_path / "s.npz")
    assert podium.read(tmp_path / "s.npz", step="last").datasets == ["task 1", "task 2", "task 3"]
    np.savez(tmp_path / "o.npz", a=np.array([{}], dtype=object))
    refused("is no plain array", tmp_path / "o.npz")


# --- JSON and several tables ---

RECORDS = [
    {"model": m, "task": t, "acc": v}
    for m, t, v in [("a", "x", 0.9), ("b", "x", 0.7), ("a", "y", 0.8), ("b", "y", 0.5)]
]


@pytest.mark.parametrize(
    "content",
    [
        RECORDS,
        {"results": RECORDS},
        {"model": list("abab"), "task": list("xxyy"), "acc": [0.9, 0.7, 0.8, 0.5]},
        pd.DataFrame(RECORDS).to_dict("split"),
        json.loads(pd.DataFrame(RECORDS).to_json()),
        "\n".join(map(json.dumps, RECORDS)),
        [
            {"model": r["model"], "about": {"task": r["task"]}, "m": {"acc": r["acc"]}}
            for r in RECORDS
        ],
    ],
    ids=["records", "below a key", "columns", "split", "pandas", "lines", "nested"],
)
def test_json_is_a_table_in_whatever_form(content, tmp_path):
    results = podium.read(written(tmp_path / "s.json", content))
    assert results.wide("acc")[["a", "b"]].to_numpy().tolist() == [[0.9, 0.7], [0.8, 0.5]]
    assert results.wide("acc").equals(podium.read(RECORDS).wide("acc"))


def test_scores_by_algorithm_are_json_too(tmp_path):
    path = written(tmp_path / "s.json", {"svm": [0.9, 0.8], "knn": [0.7, 0.9]})
    assert podium.read(path, measure="acc", sampling="cv").algorithms == ["svm", "knn"]


def test_several_files_are_algorithms_or_data_sets(tmp_path):
    for name in ("svm", "knn"):
        written(tmp_path / "by" / f"{name}.csv", "fold,accuracy\n1,0.9\n2,0.8\n")
        written(tmp_path / "of" / f"{name}.csv", "fold,a,b\n1,0.9,0.7\n2,0.8,0.5\n")
        written(tmp_path / "in" / f"{name}.json", [r | {"fold": 1} for r in RECORDS[:2]])
    by = podium.read(sorted((tmp_path / "by").iterdir()), sampling="cv")
    assert by.algorithms == ["knn", "svm"]
    of = podium.read(tmp_path / "of", measure="acc", sampling="cv")
    assert (of.algorithms, of.datasets) == (["a", "b"], ["knn", "svm"])
    assert podium.read(tmp_path / "in", columns="ignore=task").datasets == ["knn", "svm"]


def test_names_of_files_are_short_and_different(tmp_path):
    paths = [tmp_path / "a" / "metrics.json", tmp_path / "b" / "metrics.json"]
    assert list(labels(paths).values()) == ["a", "b"]
    assert list(labels([tmp_path / "x.csv", tmp_path / "y.csv.gz"]).values()) == ["x", "y"]
    mixed = [tmp_path / "a" / "m.json", tmp_path / "b" / "m.json", tmp_path / "c.json"]
    assert list(labels(mixed).values()) == ["a/m", "b/m", "c"]
    assert last_word("metrics.test/auc") == "auc"


def test_files_of_one_score_each_are_refused(tmp_path):
    paths = [written(tmp_path / f"{n}.json", {"accuracy": 0.9, "f1": 0.8}) for n in "ab"]
    refused("every file has one score of its algorithm", paths)
    refused("holds one record", paths[0])


# --- what is wrong ---


def test_a_mixture_is_refused_by_name(tmp_path):
    made("hyperfine", tmp_path)
    (tmp_path / "more").mkdir()
    made("pytest-benchmark", tmp_path / "more")
    refused(
        "may have the formats .*'hyperfine', 'pytest-benchmark'.*Give the files of one", tmp_path
    )
    table = written(tmp_path / "table.csv", "dataset,a,b\nx,1,2\n")
    refused("'.*table.csv' is no whole file of hyperfine", [tmp_path / "bench.json", table])


def test_an_empty_folder_and_one_without_scores_are_told(tmp_path):
    refused("is an empty folder: `podium formats`", tmp_path)
    written(tmp_path / "README", "words")
    refused("holds no scores that are known", tmp_path)
    refused("There is no file '.*gone'", [tmp_path / "gone", tmp_path / "README"])


def test_an_archive_that_unpacks_to_too_much_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(opening, "EXPANDED", 1 << 20)
    with zipfile.ZipFile(tmp_path / "bomb.eval", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", "{}")
        archive.writestr("summaries.json", b" " * (8 << 20))
    refused("unpacked, which is not read", tmp_path / "bomb.eval")
    (tmp_path / "bomb.json.gz").write_bytes(gzip.compress(b'[{"a": ' + b" " * (8 << 20)))
    refused("give a part of it", tmp_path / "bomb.json.gz")
    monkeypatch.setattr(unpacking, "LEAST_BOUND", 1 << 20)
    refused("unpacked it has more than 1 MB", tmp_path / "bomb.json.gz")
    monkeypatch.setattr(opening, "MEMBERS", 1)
    refused("more than 1 files in it", tmp_path / "bomb.eval")


def test_json_that_is_cut_or_nested_without_end_is_one_sentence(tmp_path):
    refused("is no whole JSON file", written(tmp_path / "a.json", '[{"model": "a"}, {"mod'))
    refused(
        "nested too deeply",
        written(tmp_path / "b.json", '{"a":' * 50_000),
    )
    long = written(tmp_path / "d.json", '{"a": [1, %s], "b": [1, 2]}' % ("9" * 5000))
    refused("holds a whole number of thousands of digits", long)
    cut = written(tmp_path / "c.jsonl", '{"a": 1}\n{"a": 2}\n{"a": \n')
    refused("line 3, is no whole JSON", cut)
    assert opening.begun("nothing") is None


def test_hundreds_of_files_are_all_read(tmp_path):
    for task in range(200):
        for model, score in (("one", 0.9), ("two", 0.5)):
            told = {"task_name": f"t{task}", "scores": {"test": [{"main_score": score}]}}
            (tmp_path / model).mkdir(exist_ok=True)
            (tmp_path / model / f"t{task}.json").write_text(json.dumps(told))
    results = podium.read(tmp_path)
    assert (len(results.datasets), results.algorithms) == (200, ["one", "two"])


def test_too_many_files_are_refused(tmp_path, monkeypatch):
    source, _ = made("mteb", tmp_path)
    monkeypatch.setattr("podium.reading.formats.record.EVERY", 3)
    monkeypatch.setattr("podium.reading.formats.reading.EVERY", 3)
    refused("more than 3 files in it", source)


def test_missing_metrics_are_missing_scores(tmp_path):
    source, _ = made("mteb", tmp_path)
    written(
        tmp_path / "lab__one" / "0123abc" / "A.json", {"task_name": "A", "scores": {"test": [{}]}}
    )
    assert podium.read(source).values("main_score")["value"].isna().sum() == 1


def test_columns_of_a_known_format_are_not_said(tmp_path):
    source, _ = made("hyperfine", tmp_path)
    refused("this format knows its own columns but algorithm", source, columns="value=mean")


def test_a_long_table_of_a_plugin_may_still_be_named_by_the_caller():
    frame = pd.DataFrame({"who": ["a", "b"] * 2, "item": [1, 1, 2, 2], "v": [1.0, 0, 1, 1]})
    record = FORMATS["json"].__class__(
        "own", "ours", lambda s: False, lambda s, o: LongTable(frame, "It", sampling="items")
    )
    results = podium.read("x", format=record, columns="algorithm=who,value=v", measure="acc")
    assert results.algorithms == ["a", "b"]


@pytest.mark.parametrize(
    ("file", "content", "match"),
    [
        ("m.json", {"task_name": "t", "scores": {"test": 5}}, "looks like MTEB results"),
        ("h.json", [{"instance_id": "i", "stats": 4}], "looks like HELM runs"),
        ("i.json", {"eval": {"task": "t", "model": "m"}, "samples": 4}, "looks like inspect_ai"),
        ("a.json", {"commit_hash": "c", "results": {"time_x": "slow"}}, "'slow' is no finite"),
        ("p.json", {"machine_info": {}, "benchmarks": 3}, "has no list 'benchmarks'"),
        ("l.json", {"results": 3, "configs": 4, "versions": 1}, "--log_samples"),
    ],
)
def test_what_is_laid_out_otherwise_is_one_sentence(file, content, match, tmp_path):
    refused(match, written(tmp_path / file, content))


def test_a_file_that_is_given_twice_is_one(tmp_path):
    source, _ = made("hyperfine", tmp_path)
    assert len(podium.read([source, source]).scores) == 6
    assert len(podium.read([tmp_path, source]).scores) == 6


def test_a_log_that_is_cut_is_no_whole_archive(tmp_path):
    made("inspect", tmp_path)
    raw = (tmp_path / "one.eval").read_bytes()
    (tmp_path / "one.eval").write_bytes(raw[: len(raw) // 2])
    refused("is no whole zip file", tmp_path / "one.eval", format="inspect")


def test_arrays_in_memory_are_read_like_their_file(tmp_path):
    source, _ = made("rliable", tmp_path)
    with np.load(source) as kept:
        arrays = {name: kept[name] for name in kept.files}
    file, memory = podium.read(source), podium.read(arrays)
    assert file.scores.equals(memory.scores)
    assert str(memory.sampling) == str(file.sampling)
    assert memory.algorithms == ["DQN", "IQN"]


def test_arrays_of_one_name_are_of_the_files_and_never_lost(tmp_path):
    for name, plus in (("dqn", 0), ("iqn", 1)):
        np.savez(tmp_path / f"{name}.npz", scores=np.ones((2, 3)) + plus)
    files = [tmp_path / "dqn.npz", tmp_path / "iqn.npz"]
    assert podium.read(files).algorithms == ["dqn", "iqn"]
    np.savez(tmp_path / "more.npz", scores=np.ones((2, 3)), other=np.ones((2, 3)))
    refused("'scores' is in two files", [files[0], tmp_path / "more.npz"])
    refused("has 3 tasks .columns. and 'b' has 2", {"a": np.ones((2, 3)), "b": np.ones((2, 2))})


def test_parameters_of_runs_are_joined(tmp_path):
    sizes = {0: ("big", 0.9), 1: ("small", 0.8)}
    rows = [
        f"r{i},FINISHED,{sizes[i % 2][1] + i / 100},svm,{sizes[i % 2][0]},{i // 2}"
        for i in range(8)
    ]
    head = "run_id,status,metrics.accuracy,params.model,params.size,params.fold"
    file = written(tmp_path / "runs.csv", "\n".join([head, *rows]))
    results = podium.read(file, columns="algorithm=params.model+params.size")
    assert results.algorithms == ["svm / big", "svm / small"]
    assert str(results.sampling) == "cv:4"


def test_a_fold_of_openml_without_a_score_keeps_its_place(tmp_path):
    text = (
        "run_id,task_id,flow_name,flow_id,data_name,function,value,values\n"
        '1,59,a(1),7,iris,predictive_accuracy,0.8,"[0.7, null, 0.9]"\n'
        '2,59,b(1),8,iris,predictive_accuracy,0.6,"[0.5, 0.7, 0.6]"\n'
    )
    results = podium.read(written(tmp_path / "e.csv", text))
    assert results.wide("predictive_accuracy")["a(1)"].fillna(-1).tolist() == [0.7, -1, 0.9]
    wrong = written(tmp_path / "f.csv", text.replace("null", "1.4"))
    refused("'a.1.', dataset 'iris', sample '2': 1.4 is no 'predictive_accuracy'", wrong)


def test_splits_of_tabarena_are_repeats_only_where_they_come_by_threes(tmp_path):
    rows = [f"d,{fold},{m},{e},roc_auc" for fold in range(5) for m, e in (("a", 0.1), ("b", 0.2))]
    file = written(
        tmp_path / "t.csv", "\n".join(["dataset,fold,method,metric_error,metric", *rows])
    )
    assert str(podium.read(file).sampling) == "cv:5"
