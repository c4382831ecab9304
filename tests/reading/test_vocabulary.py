"""The words of other people: columns, measures and what is said about columns."""

import numpy as np
import pytest

from podium.core.questions.measures import KNOWN
from podium.errors import ResultsError
from podium.reading.cells.vocabulary import (
    known_measure,
    role_of,
    said_columns,
    same_measure,
    summaries,
    way_out,
)


@pytest.mark.parametrize(
    ("words", "role"),
    [
        ("algorithm Method MODEL classifier learner estimator alg algo system", "algorithm"),
        ("model_name learner_id Algorithm-Name", "algorithm"),
        ("dataset data Data-Set problem task ds task_id", "dataset"),
        ("sample b B replicate split iteration iter run boot run_id", "sample"),
        ("repeat rep Repetition", "repeat"),
        ("fold FOLD_ID", "fold"),
        ("measure metric criterion metric_name", "measure"),
        ("value Score perf performance result test_score", "value"),
        ("item id ID example instance question item_id", "item"),
        ("cluster group document doc doc_id", "cluster"),
    ],
)
def test_words_are_translated_without_case_and_joints(words, role):
    assert {role_of(w) for w in words.split()} == {role}


@pytest.mark.parametrize("word", ["p", "n_oob", "svm", "accuracy", "bid", "identity", "name", ""])
def test_other_words_have_no_role(word):
    assert role_of(word) is None


@pytest.mark.parametrize("name", KNOWN)
def test_every_measure_of_podium_is_known_under_its_own_name(name):
    assert known_measure(name) == KNOWN[name]
    assert known_measure(name.replace("-", "_").upper()).spec == name


@pytest.mark.parametrize(
    ("words", "spec"),
    [
        ("acc Accuracy accuracy_score test_acc classif.acc correct", "accuracy"),
        ("err error-rate misclassification classif.ce zero_one_loss", "error"),
        ("mse mean_squared_error regr.mse", "squared"),
        ("mae", "absolute"),
        ("RMSE root_mean_squared_error", "rmse"),
        ("logloss log_loss cross-entropy", "log-loss"),
        ("brier_score", "brier"),
        ("roc_auc AUROC", "auc"),
        ("f1 F1", "f1"),
        ("neg_log_loss", "neg-log-loss"),
        ("absolute:median", "absolute:median"),
    ],
)
def test_measures_are_known_by_common_spellings(words, spec):
    assert {known_measure(w).spec for w in words.split()} == {spec}
    assert [known_measure(w).name for w in words.split()] == words.split()


@pytest.mark.parametrize(
    ("name", "direction"),
    [
        ("f1_macro", "higher"),
        ("r2", "higher"),
        ("mcc", "higher"),
        ("balanced accuracy", "higher"),
        ("perplexity", "lower"),
        ("mape", "lower"),
        ("neg_root_mean_squared_error", "higher"),
    ],
)
def test_directions_of_measures_that_podium_does_not_compute(name, direction):
    assert known_measure(name).direction == direction


def test_a_negative_loss_has_turned_bounds():
    assert known_measure("neg_brier_score").bounds == (-2, 0)


@pytest.mark.parametrize("name", ["gmean", "x", "score", "neg_accuracy", "negative", "test", ""])
def test_nobody_knows_other_measures(name):
    assert known_measure(name) is None


def test_measures_are_the_same_by_word_or_by_meaning():
    assert same_measure("acc", "Accuracy")
    assert same_measure("G-Mean", "gmean")
    assert not same_measure("acc", "error")
    assert not same_measure("mse", "neg_mse")
    assert not same_measure("x", "y")


def test_columns_are_said_by_text_or_by_mapping():
    said = {"algorithm": ["method"], "value": ["acc"], "ignore": ["a", "b c"]}
    assert said_columns("algorithm=method, value=acc,ignore=a;b c") == said
    assert said_columns({"algorithm": "method", "value": "acc", "ignore": ["a", "b c"]}) == said
    assert said_columns(None) == {}


@pytest.mark.parametrize(
    "roles",
    [{"ignore": ["a", "b c"]}, {"block": "b", "ignore": ["n_oob", "x"]}, {"dataset": "#1"}],
)
def test_a_way_out_can_be_said_again(roles):
    text = way_out(**roles).split("columns=")[1].rstrip(")")
    assert said_columns(eval(text)) == said_columns(roles)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ("algoritm=x", "'algoritm' is not a role of a column. Did you mean 'algorithm'"),
        ({"oops": "x"}, "'oops' is not a role"),
        ("method", "'method' cannot be read; write role=column"),
        ("value=", "'value=' cannot be read"),
        ("algorithm=a;b", "'algorithm' is one column, not 2"),
        (["a"], "columns is a mapping"),
    ],
)
def test_columns_that_cannot_be_understood_are_refused(columns, message):
    with pytest.raises(ResultsError, match=message):
        said_columns(columns)


def test_a_statistic_of_a_measure_below_all_others_is_no_row_but_a_name_is():
    scores = [np.array([1.0, 2, 4, 7])]
    assert summaries(["Pong", "Alien", "Qbert", "Mean HNS"], scores) == ["Mean HNS"]
    assert summaries(["svm", "knn", "nnet", "Mean Teacher"], scores) == []
