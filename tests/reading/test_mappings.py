"""scikit-learn's results and plain mappings: which scores they are, whose, and in which order."""

import numpy as np
import pandas as pd
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import (
    GridSearchCV,
    RepeatedKFold,
    cross_val_score,
)
from sklearn.tree import DecisionTreeClassifier

from podium import read
from podium.errors import ResultsError

RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(60, 3)), np.arange(60) % 2
CV = RepeatedKFold(n_splits=3, n_repeats=4, random_state=0)


def search(**options):
    grid = {"max_depth": [1, 2], "criterion": ["gini", "entropy"]}
    return GridSearchCV(DecisionTreeClassifier(random_state=0), grid, cv=CV, **options).fit(X, Y)


def refused(match, source, **options):
    with pytest.raises(ResultsError, match=match):
        read(source, **options)


def test_candidates_of_a_search_are_algorithms_named_by_their_parameters():
    found = search()
    results = read(found.cv_results_, sampling="repeated-cv:4x3")
    assert results.algorithms == [
        "criterion=gini, max_depth=1",
        "criterion=gini, max_depth=2",
        "criterion=entropy, max_depth=1",
        "criterion=entropy, max_depth=2",
    ]
    assert results.datasets == ["data"]
    wide = results.wide("score")
    for i, name in enumerate(results.algorithms):
        splits = [found.cv_results_[f"split{s}_test_score"][i] for s in range(12)]
        assert wide[name].tolist() == splits


def test_larger_scores_of_scikit_learn_are_better():
    assert read(search().cv_results_).measures["score"].higher_is_better
    losses = read(search(scoring="neg_log_loss"))
    assert losses.measures["neg_log_loss"].higher_is_better
    refused("--measure neg_mse", search().cv_results_, measure="mse")
    turned = read(search().cv_results_, measure="mse", higher_is_better=False)
    assert turned.measures["mse"].direction == "lower"


def test_a_search_names_its_measure():
    assert list(read(search(scoring="roc_auc")).measures) == ["roc_auc"]
    assert list(read(search(scoring="roc_auc"), measure="auc").measures) == ["auc"]


def test_several_scorers_are_several_measures():
    found = search(scoring=["accuracy", "roc_auc"], refit=False)
    results = read(found)
    assert list(results.measures) == ["accuracy", "roc_auc"]
    assert len(results.scores) == 4 * 12 * 2
    only = read(found, measure="auc").wide("auc")
    first = [found.cv_results_[f"split{s}_test_roc_auc"][0] for s in range(12)]
    assert only["criterion=gini, max_depth=1"].tolist() == first


def test_a_search_may_be_passed_as_object_mapping_or_frame():
    found = search()
    told = read(found.cv_results_).scores
    pd.testing.assert_frame_equal(read(found).scores, told)
    pd.testing.assert_frame_equal(read(pd.DataFrame(found.cv_results_)).scores, told)


def test_failed_fits_are_missing_runs():
    found = {"params": [{"a": 1}, {"a": 2}]}
    for split in range(2):
        found[f"split{split}_test_score"] = [0.5, np.nan]
    assert read(found).missing()["algorithm"].tolist() == ["a=2", "a=2"]


def test_candidates_drawn_twice_and_without_parameters_have_names():
    found = {"params": [{"a": 1}, {"a": 1}, {}], "split0_test_score": [1, 2, 3]}
    assert read(found).algorithms == ["a=1", "a=1 (2)", "default"]


def test_ten_splits_keep_their_order():
    found = {f"split{s}_test_score": [s, -s] for s in (*range(5, 12), *range(5))}
    results = read({"params": [{"a": 1}, {"a": 2}], **found}, sampling="cv")
    assert results.wide("score")["a=1"].tolist() == [*range(12)]


def test_a_search_without_its_candidates_is_refused():
    refused("lacks 'params'", {"split0_test_score": [1]})


def test_scores_by_algorithm_are_read_as_cross_validate_gives_them():
    found = {"a": {"fit_time": [1, 1], "test_score": [0.5, 0.6]}, "b": {"test_score": [0.7, 0.8]}}
    made = read(found, sampling="cv:2", measure="accuracy")
    assert made.wide("accuracy")[["a", "b"]].to_numpy().tolist() == [[0.5, 0.7], [0.6, 0.8]]
    with pytest.raises(ResultsError, match="'a' are no sequence"):
        read({"a": {"test_auc": [1, 2]}}, sampling="cv:2", measure="accuracy")


def test_scores_by_algorithm_are_read_as_cross_val_score_gives_them():
    models = {"tree": DecisionTreeClassifier(random_state=0), "dummy": DummyClassifier()}
    scores = {name: cross_val_score(m, X, Y, cv=CV) for name, m in models.items()}
    results = read(scores, measure="accuracy", sampling="repeated-cv:4x3")
    for name in models:
        assert results.wide("accuracy")[name].tolist() == scores[name].tolist()


def test_a_mapping_with_a_column_about_rows_is_a_table():
    columns = {"seed": [10, 9, 100], "a": [0.1, 0.2, 0.3], "b": [0.4, 0.5, 0.6]}
    wide = read(columns, measure="error").wide("error")
    assert (list(wide)[2:], wide["a"].tolist()) == (["a", "b"], [0.2, 0.1, 0.3])


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ({}, "name each algorithm once"),
        ({"a": [1, 2], "b": [1]}, "'b' has 1 scores where others have 2"),
        ({"a": 0.5, "b": 0.4}, "the scores of 'a' are no sequence of .finite. numbers: 0.5"),
        ({"a": [[1, 2], [3]], "b": [1, 2]}, "the scores of 'a' are no sequence"),
        ({"a": "text", "b": [1]}, "the scores of 'a' are no sequence"),
        ({"a": [], "b": []}, "the scores of 'a' are no sequence"),
        ({"a": [1, np.inf], "b": [1, 2]}, "the scores of 'a' are no sequence"),
        ({" ": [1, 2], "b": [1, 2]}, "name each algorithm once"),
        ({"svm ": [1, 2], "svm": [1, 2]}, "name each algorithm once"),
        ({"a": [1, 2], "b": [3, 4]}, "does not say what its scores measure"),
    ],
)
def test_a_mapping_without_comparable_scores_is_refused(source, message):
    refused(message, source)


def test_columns_cannot_be_said_of_a_mapping_of_scores():
    refused("columns is for tables", {"a": [1, 2]}, columns="ignore=a")


def test_series_are_paired_by_their_labels():
    scores = pd.Series([0.1, 0.2, 0.4], ["x", "y", "z"])
    turned = read({"a": scores, "b": scores.iloc[::-1]}, measure="error", sampling="cv:3")
    wide = turned.scores.pivot(index="sample", columns="algorithm", values="value")
    assert wide["a"].tolist() == wide["b"].tolist() == [0.1, 0.2, 0.4]
    with pytest.raises(ResultsError, match="the labels of 'b' are not those of the others"):
        read({"a": scores, "b": scores.set_axis(list("xyw"))}, measure="error", sampling="cv:3")


def test_a_masked_score_is_none():
    masked = np.ma.masked_greater([0.1, 0.2, 0.9], 0.5)
    results = read({"a": masked, "b": [0.1, 0.2, 0.3]}, measure="error", sampling="cv:3")
    assert results.values("error").groupby("algorithm", observed=True)["value"].count()["a"] == 2


@pytest.mark.parametrize("turned", [False, True])
def test_headers_of_two_rows_name_measures_in_either(turned):
    frame = pd.DataFrame(
        {"svm": [0.1, 0.2], "knn": [0.3, 0.2]}, pd.Index(["x", "y"], name="dataset")
    )
    both = pd.concat({"accuracy": frame, "time": 10 * frame}, axis=1)
    results = read(both.swaplevel(axis=1) if turned else both)
    assert (results.algorithms, list(results.measures)) == (["svm", "knn"], ["accuracy", "time"])
