"""Layouts of tools in use that were once read wrongly: the right order, or a question."""

import numpy as np
import pandas as pd
import pytest

import podium
from podium import PodiumError, read
from podium.errors import ResultsError
from podium.reading.inferring.asking import Question, options_of

RNG = np.random.default_rng(1)


def crossed(**levels):
    """All combinations, a column each."""
    index = pd.MultiIndex.from_product(levels.values(), names=levels)
    return index.to_frame(index=False)


def refused(match, source, **options):
    with pytest.raises(ResultsError, match=match):
        read(source, **options)


def order(results, measure=None):
    name = measure or next(iter(results.measures))
    means = results.values(name).groupby("algorithm", observed=True)["value"].mean()
    return list(means.sort_values(ascending=not results.measures[name].higher_is_better).index)


def codes(results):
    return {note.code: note for note in results.notes}


# --- directions ---


def arena(column="metric_error", metric="roc_auc"):
    """TabArena's layout: `good` has the smaller errors."""
    frame = crossed(dataset=list("abcdefgh"), fold=range(3), method=["bad", "good"])
    errors = np.where(frame["method"] == "good", 0.1, 0.3) + RNG.random(len(frame)) / 100
    return frame.assign(**{column: errors, "metric": metric}, problem_type="binary")


def test_a_metric_error_is_an_error_whatever_its_metric():
    results = read(arena(), format="long-table")
    assert order(results) == order(read(arena())) == ["good", "bad"]
    assert list(results.measures) == ["roc_auc_error"]
    losses = read(arena(metric="rmse"), format="long-table")
    assert (order(losses), list(losses.measures)) == (["good", "bad"], ["rmse"])
    assert podium.decide(podium.compare(results)).groups[0] == ["good"]


@pytest.mark.parametrize("column", ["error", "test_loss"])
def test_an_error_beside_a_metric_of_which_more_is_better_is_asked_about(column):
    refused("leaves open which values are better. Say --lower-is-better", arena(column))
    lower = read(arena(column), higher_is_better=False)
    assert (order(lower), list(lower.measures)) == (["good", "bad"], ["roc_auc_error"])
    higher = read(arena(column), higher_is_better=True)
    assert (order(higher), list(higher.measures)) == (["bad", "good"], ["roc_auc"])


def test_an_accuracy_beside_a_metric_of_which_less_is_better_is_asked_about():
    refused("stands beside 'metric' = rmse", arena("accuracy", "rmse"))


def test_a_direction_that_contradicts_names_a_way_out_that_works():
    table = pd.DataFrame({"dataset": ["u", "v"], "x": [-1.0, -2.0], "y": [-3.0, -4.0]})
    refused("contradicts --higher-is-better.*--measure neg_mse", table, measure="mse",
            higher_is_better=True)  # fmt: skip
    assert order(read(table, measure="neg_mse", higher_is_better=True)) == ["x", "y"]
    refused("negative losses, use --measure neg_mse", table, measure="mse")


# --- what is no algorithm ---


def test_ids_are_no_algorithms():
    """As evaluations of OpenML: names and ids of flows and data sets, folds in a text."""
    frame = crossed(data_id=[3, 5, 7], flow_id=[11, 12])
    frame = frame.assign(
        run_id=range(6), task_id=frame["data_id"] + 50,
        flow_name=frame["flow_id"].map("f{}".format),
        data_name=frame["data_id"].map("d{}".format), function="predictive_accuracy",
        value=[0.5, 0.9, 0.4, 0.8, 0.6, 0.7], values="[0.1, 0.2]",
    )  # fmt: skip
    results = read(frame, format="long-table")
    assert (order(results), results.datasets) == (["f12", "f11"], ["d3", "d5", "d7"])
    assert list(results.measures) == ["predictive_accuracy"]
    assert codes(results)["unused-columns"].columns == ("data_id", "flow_id", "run_id", "task_id",
                                                        "values")  # fmt: skip
    wide = pd.DataFrame({"data": ["u", "v", "w"], "flow_id": [8, 9, 7], "x": 0.5, "y": 0.6})
    refused("'flow_id' is not", wide, measure="acc")


def test_numbers_of_samples_are_no_algorithms():
    wide = pd.DataFrame(RNG.random((4, 30)), columns=[str(i) for i in range(30)])
    wide.insert(0, "Resamples:", list("abcd"))
    refused("the columns 0 to 29 are numbers of samples", wide, measure="accuracy")


def test_name_and_metric_of_a_column_are_two_things():
    table = {"Resample": [f"Fold{f:02d}.Rep{r}" for r in (1, 2) for f in range(1, 6)]}
    for i, head in enumerate(["svm~Accuracy", "svm~Kappa", "gbm~Accuracy", "gbm~Kappa"]):
        table[head] = (RNG.random(10) + i) / 5
    results = read(pd.DataFrame(table), format="wide-table")
    assert (results.algorithms, list(results.measures)) == (["svm", "gbm"], ["Accuracy", "Kappa"])
    assert str(results.sampling) == "repeated-cv:2x5"
    assert codes(results)["design-carried"].column == "Resample"
    uneven = pd.DataFrame(table).drop(columns="gbm~Kappa")
    refused("not every algorithm", uneven, format="wide-table")


def test_summaries_of_many_runs_are_no_algorithms():
    table = {"command": ["fd", "find"], "mean": [0.02, 0.03], "stddev": [0.1, 0.1],
             "user": [0.01, 0.02], "system": [0.01, 0.02], "min": [0.01, 0.01]}  # fmt: skip
    refused("summaries of many scores", pd.DataFrame(table))


def test_a_leaderboard_has_nothing_to_judge_by():
    board = pd.DataFrame({"model": ["a", "b", "c"], "accuracy": [0.9, 0.8, 0.7]})
    with pytest.raises(PodiumError, match=r"has one score, which no test can compare.*podium meta"):
        podium.compare(read(board))


def test_a_column_that_mixes_metrics_is_not_averaged():
    """As results of AMLB: `result` repeats auc for some data sets, logloss for others."""
    frame = crossed(task=["two", "many"], framework=["x", "y"], fold=range(3))
    auc = np.where(frame["framework"] == "x", 0.9, 0.8)
    loss = np.where(frame["framework"] == "x", 0.2, 0.4)
    two = frame["task"] == "two"
    frame = frame.assign(
        id="t/" + frame["task"], result=np.where(two, auc, loss), auc=np.where(two, auc, np.nan),
        logloss=loss, seed=range(12), utc="2019",
    )  # fmt: skip
    results = read(frame, format="long-table")
    assert list(results.measures) == ["auc", "logloss"]
    assert order(results, "logloss") == order(results, "auc") == ["x", "y"]
    assert "seed" in codes(results)["unused-columns"].columns
    with pytest.raises(PodiumError, match="as in --measure auc"):
        podium.compare(results)
    long = frame.assign(metric=np.where(two, "auc", "logloss")).drop(columns=["auc", "logloss"])
    assert list(read(long, format="long-table").measures) == ["auc", "logloss"]


@pytest.mark.parametrize("label", ["Average", "avg", "Avg. rank", "Mean rank", "W/T/L", "Mean"])
def test_rows_that_summarise_others_are_no_data_sets(label):
    table = pd.DataFrame({"dataset": ["u", "v", label], "x": [0.1, 0.2, 9], "y": [0.3, 0.4, 1]})
    results = read(table, measure="loss")
    assert (order(results), results.datasets) == (["x", "y"], ["u", "v"])
    assert codes(results)["summary-rows"].names == (label,)
    long = table.melt("dataset", var_name="method", value_name="loss")
    assert read(long).datasets == ["u", "v"]


def test_columns_that_summarise_others_are_no_algorithms():
    table = pd.DataFrame({"dataset": ["u", "v"], "x": [0.1, 0.2], "y": [0.3, 0.4]})
    results = read(table.assign(Average=[0.2, 0.3]), measure="error")
    assert results.algorithms == ["x", "y"]
    assert codes(results)["summary-columns"].names == ("Average",)
    odd = table.assign(Mean=[0.9, 0.9])
    refused("'Mean' may be an algorithm or a summary", odd, measure="error")
    said = read(odd, measure="error", columns="ignore=Mean")
    assert said.algorithms == ["x", "y"]


# --- what columns hold ---


def test_the_algorithm_is_the_text_that_repeats_within_every_block():
    frame = crossed(dataset=["u", "v", "w"], mystery=["svm", "knn"])
    results = read(frame.assign(note=list("abcdef"), error=np.arange(6) / 10))
    assert results.algorithms == ["svm", "knn"]
    both = crossed(fold=[1, 2], who=["svm", "knn"], where=["u", "v"])
    refused("2 columns that may be the algorithm: who, where", both.assign(error=0.5))
    said = read(both.assign(error=0.5), columns="algorithm=who,dataset=where")
    assert (said.algorithms, said.datasets) == (["svm", "knn"], ["u", "v"])


def test_columns_are_joined_into_one_name():
    frame = crossed(suite=["a", "b"], task=["1", "2"], method=["x", "y"], features=["p", "q"])
    frame = frame.assign(error=np.arange(16) / 100)
    refused("'suite' is: .*--columns|differ in", frame)
    results = read(frame, columns="dataset=suite+task,algorithm=method+features")
    assert results.datasets == ["a / 1", "a / 2", "b / 1", "b / 2"]
    assert results.algorithms == ["x / p", "x / q", "y / p", "y / q"]
    refused("'tusk' is not a column", frame, columns="dataset=suite+tusk")


def test_rows_without_a_number_are_numbered_and_that_is_said():
    frame = crossed(model=["x", "y"], time=range(5)).drop(columns="time")
    results = read(frame.assign(error=np.arange(10) / 100))
    assert results.wide("error")["y"].tolist() == [0.05, 0.06, 0.07, 0.08, 0.09]
    assert codes(results)["rows-numbered"].rows == 5
    refused("has two scores", frame.assign(error=0.1).iloc[:-1])
    steps = frame.assign(step=[*range(5)] * 2, error=0.1)
    refused("scores of several steps", steps)


def test_last_words_name_the_measure():
    frame = crossed(model=["x", "y"], dataset=["u", "v"])
    results = read(frame.assign(**{"val/accuracy": 0.5, "val/loss": 0.1, "note": "hm"}))
    assert {n: m.direction for n, m in results.measures.items()} == {
        "val/accuracy": "higher", "val/loss": "lower",
    }  # fmt: skip
    assert list(read(frame.assign(**{"val/accuracy": 0.5}), measure="accuracy").measures)


# --- designs, clusters, answers ---


def answers(**columns):
    frame = crossed(model=["x", "y"], question_id=[f"q{i}" for i in range(8)])
    return frame.assign(correct=RNG.integers(0, 2, 16), **columns)


@pytest.mark.parametrize("word", ["topic", "subject", "category", "passage", "repository"])
def test_topics_of_questions_are_clusters_and_that_is_said(word):
    results = read(answers(**{word: list("aabbccdd") * 2}))
    assert results.facts["data"]["clusters"] == list("aabbccdd")
    assert codes(results)["clusters-read"].column == word
    assert "clusters" not in read(answers(topic="t"), columns="ignore=topic").facts.get("data", {})
    sets = crossed(model=["x", "y"], dataset=["u", "v"]).assign(error=0.5, **{word: "t"})
    assert codes(read(sets))["unused-columns"].columns == (word,)


def test_several_answers_to_an_item_are_averaged_within_it():
    frame = pd.concat([answers().assign(epoch=e, correct=e) for e in (0, 1)])
    results = read(frame)
    assert results.values("correct")["value"].tolist() == [0.5] * 16
    assert results.answers["count"].unique().tolist() == [2]
    assert codes(results)["answers-averaged"].most == 2
    again = read(frame.drop(columns="epoch"))
    pd.testing.assert_frame_equal(again.scores, results.scores)


@pytest.mark.parametrize(
    ("labels", "sampling"),
    [(["Fold1", "Fold2", "Fold3"], "cv:3"), (["Fold01.Rep1", "Fold02.Rep1"], "repeated-cv"),
     (["Rep1.Fold1", "Rep1.Fold2", "Rep2.Fold1", "Rep2.Fold2"], "repeated-cv:2x2")],
)  # fmt: skip
def test_labels_of_folds_carry_their_sampling(labels, sampling):
    frame = crossed(method=["x", "y"], id=labels).assign(error=0.5)
    assert str(read(frame).sampling).startswith(sampling)


def test_seeds_carry_their_sampling():
    frame = crossed(model=["x", "y"], seed=[7, 8, 9]).assign(accuracy=RNG.random(6))
    results = read(frame)
    assert results.sampling is not None
    assert results.sampling.name == "seeds"
    assert codes(results)["design-carried"].column == "seed"


def test_seeds_that_overlap_in_part_are_averaged_within_their_game():
    """Nothing is left out, and no game is said to have no score at all."""
    frame = crossed(game=[f"g{i}" for i in range(12)], agent=["x", "y"], run=range(1, 6))
    first = (frame["run"] < 4) == (frame["agent"] == "x")  # no run is shared
    frame = frame[first | (frame["game"] == "g0")]
    frame = frame.assign(score=lambda f: (f["agent"] == "x") + 1.0)
    found = podium.compare(read(frame, higher_is_better=True))
    assert found.blocks.count == 12
    said = {note.code: note for note in found.warnings}
    assert "empty-blocks" not in said
    assert "incomplete-samples" not in said
    assert said["uneven-samples"].datasets == 11


def test_a_search_saved_as_a_file_is_read(tmp_path):
    found = {"params": ["{'C': 1}", "{'C': 10}", "{'svc': SVC()}"], "param_C": [1, 10, None],
             "split0_test_score": [0.7, 0.9, 0.1], "split1_test_score": [0.8, 0.9, 0.1],
             "mean_test_score": [0.75, 0.9, 0.1], "rank_test_score": [2, 1, 3]}  # fmt: skip
    frame = pd.DataFrame(found)
    frame.to_csv(tmp_path / "cv.csv")
    for source in (frame, tmp_path / "cv.csv"):
        results = read(source, sampling="cv")
        assert order(results) == ["C=10", "C=1", "'svc': SVC()"]


# --- columns and rows that are none ---


def test_spreads_beside_scores_are_left_out():
    wide = pd.DataFrame({"dataset": list("abcd"), "svm_mean": 0.9, "svm_std": [0.1, 0.2, 0.1, 0.3],
                         "knn_mean": 0.7, "knn_std": [0.3, 0.1, 0.2, 0.1]})  # fmt: skip
    results = read(wide, measure="accuracy")
    assert results.algorithms == ["svm_mean", "knn_mean"]
    assert codes(results)["summary-columns"].names == ("svm_std", "knn_std")


@pytest.mark.parametrize("name", ["{a}_{m}", "{m} {a}", "{a}.{m}"])
def test_algorithms_and_measures_in_one_name_are_parted(name):
    columns = {name.format(a=a, m=m): [v, v + 0.1, v]
               for a, v in (("svm", 0.5), ("knn", 0.3)) for m in ("acc", "f1")}  # fmt: skip
    results = read(pd.DataFrame({"dataset": list("abc"), **columns}))
    assert (results.algorithms, list(results.measures)) == (["svm", "knn"], ["acc", "f1"])
    parts = {f"{part}_{m}": [0.5, 0.6, 0.5] for part in ("train", "test") for m in ("acc", "f1")}
    refused("only measures", pd.DataFrame({"dataset": list("abc"), **parts}))


def test_a_row_near_the_means_stays_and_is_pointed_out():
    rows = [["a", 0.91, 0.72], ["b", 0.85, 0.61], ["c", 0.77, 0.9], ["All", 0.843, 0.743]]
    results = read(pd.DataFrame(rows, columns=["dataset", "svm", "knn"]), measure="accuracy")
    assert results.datasets == ["a", "b", "c", "All"]
    assert codes(results)["row-like-means"].name == "All"
    rows[-1][1] = 0.8
    results = read(pd.DataFrame(rows, columns=["dataset", "svm", "knn"]), measure="accuracy")
    assert "row-like-means" not in codes(results)


def test_rows_can_be_algorithms_and_columns_data_sets():
    table = pd.DataFrame({"model": ["svm", "knn", "Average"], "iris": [0.9, 0.8, 0.85],
                          "zoo": [0.7, 0.5, 0.6], "Mean": [0.8, 0.65, 0.725]})  # fmt: skip
    refused("a row for every 'model'.*across=dataset", table, measure="accuracy")
    results = read(table, measure="accuracy", columns="algorithm=model,across=dataset")
    assert (results.datasets, order(results)) == (["iris", "zoo"], ["svm", "knn"])
    assert {"summary-rows", "summary-columns"} <= {*codes(results)}
    folds = read(table, measure="accuracy", sampling="cv", columns="algorithm=model,across=fold")
    assert (str(folds.sampling), order(folds)) == ("cv:2", ["svm", "knn"])
    refused("across says what", table, measure="accuracy", columns="across=planet")


def test_times_beside_numbers_of_no_name_are_asked_about():
    frame = crossed(dataset=["a", "b"], method=["x", "y"]).assign(
        outcome=[1, 2, 3, 4.5], fit_time=1
    )
    refused("has times .fit_time. and other numbers .outcome", frame)
    assert list(read(frame, measure="rmse").measures) == ["rmse"]
    assert list(read(frame, measure="fit_time").measures) == ["fit_time"]


def test_words_for_runs_that_gave_nothing_are_failures_and_dashes_are_not():
    frame = pd.DataFrame({"dataset": list("abcd"), "svm": ["0.9", "OOM", "0.8", "-"],
                          "knn": ["0.7", "0.6", "timeout", "0.5"]})  # fmt: skip
    results = read(frame, measure="accuracy")
    assert results.runs["status"].value_counts().to_dict() == {"done": 5, "failed": 2, "missing": 1}
    assert results.failures[["dataset", "exception"]].values.tolist() == [
        ["b", "OOM"], ["c", "timeout"],
    ]  # fmt: skip
    assert results.summary()[["failures", "missing"]].sum().tolist() == [2, 1]
    notes = {note.code: note for note in podium.compare(results).warnings}
    assert notes["failures"].facts["by"] == (("svm", 1), ("knn", 1))
    assert dict(notes["cells-without-score"].facts["by"]) == {"OOM": 1, "-": 1, "timeout": 1}


@pytest.mark.parametrize("name", ["flow_id", "nr", "model"])
def test_a_column_that_numbers_the_rows_is_no_algorithm(tmp_path, name):
    frame = pd.DataFrame({"knn": [5.2, 5.3, 5.1], "svm": [6.2, 6.3, 6.1], name: [0, 1, 2],
                          "where": list("abc")})  # fmt: skip
    frame.to_csv(tmp_path / "scores.csv", index=False)
    results = read(tmp_path / "scores.csv", measure="rmse", columns="dataset=where")
    assert results.algorithms == ["knn", "svm"]


def test_a_failed_run_of_a_table_counts_as_the_worst_of_its_block(tmp_path):
    frame = crossed(dataset=list("abcdefghij"), algorithm=["fragile", "solid", "plain"])
    scores = frame["algorithm"].map({"fragile": 0.9, "solid": 0.8, "plain": 0.7})
    lost = (frame["algorithm"] == "fragile") & frame["dataset"].isin(list("abcdefgh"))
    frame = frame.assign(accuracy=scores.mask(lost), status=np.where(lost, "timeout", "ok"))
    frame.to_csv(tmp_path / "scores.csv", index=False)
    compared = podium.compare(read(tmp_path / "scores.csv"))
    notes = {note.code: note for note in compared.warnings}
    assert notes["failures"].facts["policy"] == "worst"
    assert podium.decide(compared).groups[0] == ["solid"]


def test_columns_that_pandas_calls_unnamed_have_no_name():
    frame = pd.DataFrame(
        {"Unnamed: 0": [0, 1, 0, 1], "model": list("xxyy"), "acc": [0.9, 0.8, 0.7, 0.6]}
    )
    assert order(read(frame, sampling="cv")) == ["x", "y"]


def test_a_standard_error_is_no_error():
    frame = crossed(dataset=["a", "b"], method=["x", "y"]).assign(
        win_rate=[3, 2, 4, 1], standard_error=[1, 2, 1, 2.5]
    )
    refused("numbers are in: win_rate, standard_error", frame)


def test_an_accuracy_below_0_is_no_percentage():
    table = pd.DataFrame({"dataset": list("ab"), "x": [-0.3, 0.5], "y": [0.4, 0.6]})
    refused("Correct it or leave the cell empty", table, measure="accuracy")


def test_a_quantile_of_a_column_is_asked_for_by_the_name_that_works(tmp_path):
    path = tmp_path / "t.csv"
    rows = [f"{s},{q},{1 + (q * 7 + (s == 'new')) % 11}" for q in range(60) for s in ("old", "new")]
    path.write_text("\n".join(["system,query,latency", *rows]))
    with pytest.raises(ResultsError, match=r"asked for by --measure latency:p95\.$"):
        read(path, measure="latency_p95")
    assert [*read(path, measure="latency:p95").measures] == ["latency:p95"]


def test_a_column_of_texts_that_is_called_as_a_measure_is_not_averaged_over_in_silence():
    parts = [(e, how, a) for e in ("cnn", "vit") for how in ("ce", "focal") for a in ("no", "mix")]
    rows = [
        (f"d{d}", *part, round(0.6 + d / 50 + i / 100, 3))
        for d in range(8)
        for i, part in enumerate(parts)
    ]
    frame = pd.DataFrame(rows, columns=["dataset", "encoder", "loss", "aug", "accuracy"])
    with pytest.raises(ResultsError, match="3 columns that may be the algorithm") as asked:
        podium.read(frame)
    assert "algorithm=encoder+loss+aug" in str(asked.value)


# --- one score in all rows ---


SHARES = RNG.uniform(0.3, 0.9, (12, 3)).round(3)
CONSTANT = {
    "nothing solved": (["RF", "SVM", "KNN"], SHARES, "Majority", 0),
    "percent": (["RF", "SVM", "KNN"], 100 * SHARES, "Oracle", 100),
    "all solved": (["gpt-4", "gpt-5"], np.arange(24).reshape(12, 2) % 5 % 2, "claude", 1),
    "always first": (["svm", "knn", "nb"], np.tile([[2, 3, 4], [4, 2, 3]], (6, 1)), "rf", 1),
}


@pytest.mark.parametrize("case", CONSTANT)
def test_the_guess_keeps_an_algorithm_of_one_score(case, tmp_path):
    names, values, name, value = CONSTANT[case]
    table = pd.DataFrame(values, columns=names).assign(**{name: value})
    table.insert(0, "dataset", [f"d{i}" for i in range(12)])
    table.to_csv(tmp_path / "mine.csv", index=False)
    with pytest.raises(Question) as asked:
        read(tmp_path / "mine.csv")
    words = options_of(asked.value.words)
    said = {"measure": words.measure, "higher_is_better": words.higher_is_better}
    results = read(tmp_path / "mine.csv", columns=words.columns, **said)
    assert {*results.algorithms} == {*names, name}


def test_settings_of_one_value_are_no_algorithms(tmp_path):
    table = pd.DataFrame(SHARES, columns=["svm", "knn", "tree"]).assign(temperature=0, version=1)
    table.insert(0, "dataset", [f"d{i}" for i in range(12)])
    table.to_csv(tmp_path / "mine.csv", index=False)
    refused("ignore=temperature;version", tmp_path / "mine.csv")


def test_a_constant_beside_columns_that_describe_data_sets_is_one_of_them(tmp_path):
    rng = np.random.default_rng(2)
    frame = pd.DataFrame({name: rng.random(20).round(4) for name in ("PCA", "LOF", "CNN", "USAD")})
    frame.insert(0, "dataset", [f"d{i}" for i in range(20)])
    described = frame.assign(ts_len=rng.integers(900, 9000, 20), num_peaks=rng.integers(1, 9, 20))
    described.assign(seq_peaks=1).to_csv(tmp_path / "t.csv", index=False)
    refused("ignore=ts_len;num_peaks;seq_peaks", tmp_path / "t.csv")
    frame.assign(always=1.0).to_csv(tmp_path / "all.csv", index=False)
    assert "always" in podium.read(tmp_path / "all.csv", measure="auc").algorithms
