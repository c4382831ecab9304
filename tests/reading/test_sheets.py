"""The numbers of samples, and samplings that agree with them or do not."""

import numpy as np
import pandas as pd
import pytest
from tables_made import folds, long

from podium import read
from podium.core.samplings import Sampling, bootstrap
from podium.errors import ResultsError


def refused(match, source, **options):
    with pytest.raises(ResultsError, match=match):
        read(source, **options)


# --- samplings ---


def test_a_sampling_that_is_not_said_stays_unknown():
    assert read(long()).sampling is None
    assert read(long().rename(columns={"sample": "id"})).sampling is None


@pytest.mark.parametrize("column", ["item", "question_id", "instance", "example", "prompt"])
def test_a_column_of_items_carries_its_sampling(column):
    results = read(long().rename(columns={"sample": column}))
    assert results.sampling == Sampling("items")
    assert [n.code for n in results.notes] == ["design-carried"]


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("bootstrap", "bootstrap:4"),
        (bootstrap(4), "bootstrap:4"),
        ("cv", "cv:4"),
        ("cv+stratified", "cv:4+stratified"),
        ("subsampling:0.9", "subsampling:4x0.9"),
        ("simulation", "simulation:4"),
        ("bootstrap-cv", "bootstrap-cv:4x?"),
        ("repeated-cv", "repeated-cv"),
        ("loo", "loo"),
        ("items", "items"),
    ],
)
def test_numbers_left_out_are_filled_in_where_the_table_tells(said, kept):
    assert str(read(long(), sampling=said).sampling) == kept


def test_numbers_that_differ_between_data_sets_stay_open():
    uneven = long().iloc[:-2]
    assert read(uneven, sampling="cv").sampling == Sampling("cv")


def test_repeats_and_folds_are_counted():
    assert str(read(folds(3, 5), sampling="repeated-cv").sampling) == "repeated-cv:3x5"
    assert str(read(folds(5, 2), sampling="5x2cv").sampling) == "5x2cv"
    assert str(read(folds(1, 7), sampling="cv").sampling) == "cv:7"


@pytest.mark.parametrize(
    ("said", "source"),
    [
        ("cv:10", long(samples=7)),
        ("bootstrap:250", long()),
        ("5x2cv", long()),
        ("holdout:0.5", long()),
        ("repeated-cv:2x5", long()),
        ("repeated-cv:2x5", folds(5, 2)),
        ("5x2cv", folds(2, 5)),
        ("cv", folds(2, 5)),
        ("repeated-cv", folds(2, 5).iloc[:-2]),
        ("cv", long(samples=1)),
    ],
)
def test_a_sampling_that_the_table_contradicts_is_refused(said, source):
    refused(f"contradicts the sampling '{said}", source, sampling=said)


def test_a_column_of_items_may_head_samples_of_any_kind_that_it_is_said_to_head():
    frame = long().rename(columns={"sample": "item"})
    bootstrap = read(frame, sampling="bootstrap", columns="sample=item")
    assert bootstrap.sampling.name == "bootstrap"
    assert read(frame, sampling="items").sampling == Sampling("items")


# --- numbers of samples ---


def test_samples_are_numbered_repeat_by_repeat():
    results = read(folds(2, 3).sample(frac=1, random_state=1), sampling="repeated-cv")
    told = folds(2, 3)["error"].tolist()
    assert sorted(results.scores["value"]) == told
    first = results.values("error").query("algorithm == 'x'").sort_values("sample")
    assert first["value"].tolist() == told[::2]


def test_numbered_labels_are_ordered_as_numbers_and_others_as_they_appear():
    values = [0.1, 0.2, 0.3]
    numbered = {"seed": [10, 9, 100], "a": values, "c": values}
    assert read(numbered, measure="error").wide("error")["a"].tolist() == [0.2, 0.1, 0.3]
    named = {"seed": ["z", "y", "x"], "a": values, "c": values}
    assert read(named, measure="error").wide("error")["a"].tolist() == values


def test_seeds_beside_folds_are_repeats():
    frame = folds(3, 4).rename(columns={"repeat": "seed"})
    assert str(read(frame, sampling="repeated-cv").sampling) == "repeated-cv:3x4"


def test_labels_may_differ_between_data_sets():
    frame = long()
    frame.loc[frame["dataset"] == "ape", "sample"] += 100
    assert str(read(frame, sampling="bootstrap").sampling) == "bootstrap:4"


def test_samples_numbered_through_all_folds_are_no_repeats():
    frame = folds(2, 3).assign(repeat=lambda f: 3 * (f["repeat"] - 1) + f["fold"])
    results = read(frame.rename(columns={"repeat": "sample"}), sampling="repeated-cv:2x3")
    assert results.scores["sample"].tolist() == np.repeat(range(1, 7), 2).tolist()


# --- samples of each algorithm's own ---

OWN = {"svm": [0.1, 0.2, 0.4, 0.3], "knn": [0.5, 0.6, 0.7]}


def column(results, algorithm):
    table = results.values("error")
    return table[table["algorithm"] == algorithm]["value"].tolist()


def ragged_sources(tmp_path):
    wide, no_block = tmp_path / "wide.csv", tmp_path / "no_block.csv"
    wide.write_text("sample,svm,knn\n1,0.1,0.5\n2,0.2,0.6\n3,0.4,0.7\n4,0.3,\n")
    no_block.write_text("svm;knn\n0,1;0,5\n0,2;0,6\n0,4;0,7\n0,3;\n")
    rows = [(a, v) for a, values in OWN.items() for v in values]
    long = pd.DataFrame(rows, columns=["method", "error"])
    seeds = [11, 12, 13, 14, 7, 8, 9]
    return [OWN, wide, no_block, long, long.assign(seed=seeds), long.sample(frac=1, random_state=3)]


@pytest.mark.parametrize("which", range(6))
def test_independent_samples_may_differ_in_number_however_they_are_written(which, tmp_path):
    source = ragged_sources(tmp_path)[which]
    results = read(source, sampling="bootstrap+independent", measure="error")
    found = [sorted(column(results, a)) for a in ("svm", "knn")]
    assert found == [sorted(OWN["svm"]), sorted(OWN["knn"])]
    assert results.runs["status"].tolist() == ["done"] * 7  # what was never drawn is not missing
    assert str(results.sampling) == "bootstrap+independent"
    counts = results.runs.groupby("algorithm", observed=True)["sample"].max()
    assert (counts["svm"], counts["knn"]) == (4, 3)


def test_equal_numbers_of_independent_samples_are_filled_in():
    equal = {"svm": [0.1, 0.2], "knn": [0.3, 0.4]}
    results = read(equal, sampling="simulation+independent", measure="error")
    assert str(results.sampling) == "simulation:2+independent"


def test_an_empty_cell_above_the_last_score_is_a_missing_run():
    frame = pd.DataFrame({"svm": [0.1, 0.2, 0.3], "knn": [np.nan, 0.4, np.nan]})
    results = read(frame, sampling="bootstrap+independent", measure="error")
    assert results.missing()[["algorithm", "sample"]].to_numpy().tolist() == [["knn", 1]]
    assert len(results.runs) == 5
    known = read(frame, sampling="bootstrap:3+independent", measure="error")
    assert len(known.missing()) == 2  # three each were drawn, so both are missing


def test_independent_samples_of_several_data_sets_and_measures_keep_apart():
    frame = pd.DataFrame(
        [("d1", "svm", 0.1, 1.0), ("d1", "svm", 0.2, 2.0), ("d1", "knn", 0.3, 3.0),
         ("d2", "svm", 0.4, 4.0), ("d2", "knn", 0.5, 5.0), ("d2", "knn", 0.6, np.nan)],
        columns=["dataset", "algorithm", "error", "rmse"],
    )  # fmt: skip
    results = read(frame, sampling="bootstrap+independent")
    assert len(results.runs) == 6
    assert results.values("rmse")["value"].isna().sum() == 1
    means = results.summary().query("measure == 'error'")["mean"].round(6).tolist()
    assert means == [0.15, 0.3, 0.4, 0.55]


def test_the_same_independent_sample_twice_is_refused():
    frame = pd.DataFrame([("svm", 1, 0.1), ("svm", 1, 0.2)], columns=["algorithm", "seed", "error"])
    with pytest.raises(ResultsError, match="has two scores of"):
        read(frame, sampling="bootstrap+independent")


def test_samples_that_nobody_shares_are_refused_with_the_way_out():
    frame = pd.DataFrame([("svm", 1, 0.1), ("knn", 2, 0.2)], columns=["algorithm", "seed", "error"])
    with pytest.raises(ResultsError, match=r"say so: --sampling bootstrap\+independent\."):
        read(frame, sampling="bootstrap")


# --- training sets x items ---


def crossing():
    cells = [(a, s, i) for a in ("svm", "knn") for s in ("x", "y") for i in (30, 4, 10)]
    frame = pd.DataFrame(cells, columns=["algorithm", "training_set", "item"])
    return frame.assign(squared=np.arange(len(frame)) / 10)


def test_items_are_crossed_with_training_sets_and_written_back():
    results = read(crossing(), sampling="training-sets")
    assert str(results.sampling) == "training-sets:2"
    assert results.facts["data"] == {
        "training_sets": ["x"] * 3 + ["y"] * 3,
        "items": ["4", "10", "30"] * 2,
    }
    again = read(results.to_pandas(), sampling="training-sets:2x50")
    assert again.facts == results.facts
    assert again.values("squared").equals(results.values("squared"))


@pytest.mark.parametrize(
    ("frame", "options", "text"),
    [
        (crossing().drop(columns="training_set"), {"sampling": "training-sets"},
         "does not say after which training set"),
        (crossing(), {"sampling": "training-sets:3x9"}, "has 2 training sets, which contradicts"),
        (pd.concat([crossing(), crossing()]), {"sampling": "training-sets"}, "has two scores of"),
    ],
)  # fmt: skip
def test_crossed_tables_that_contradict_themselves_are_refused(frame, options, text):
    with pytest.raises(ResultsError, match=text):
        read(frame, **options)


def test_a_wide_table_and_said_columns_are_crossed_too():
    wide = crossing().pivot(index=["training_set", "item"], columns="algorithm", values="squared")
    frame = wide.reset_index().rename(columns={"training_set": "part"})
    said = {"sample": "part", "item": "item"}
    results = read(frame, sampling="training-sets", measure="squared", columns=said)
    assert results.facts == read(crossing(), sampling="training-sets").facts
    long = crossing().rename(columns={"training_set": "part"})
    found = read(long, sampling="training-sets", columns={"sample": "part"})
    assert found.facts == results.facts
