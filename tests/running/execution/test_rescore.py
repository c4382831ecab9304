"""Scoring kept predictions: what a measure gives later is what it would have given at first."""

import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator
from sklearn.cluster import KMeans
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KernelDensity
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

import podium
from podium import Store
from podium.cli.main import main
from podium.errors import StoreError
from podium.running.execution import predictions as rescore_module
from podium.testing.files import content

RNG = np.random.default_rng(0)
Y = np.arange(45) % 3
TWO = podium.dataset("two", RNG.normal(size=(40, 3)), np.arange(40) % 2)
THREE = podium.dataset("three", RNG.normal(size=(45, 2)) + Y[:, None], Y)
LINE = podium.dataset("line", RNG.normal(size=(40, 3)), RNG.normal(size=40))
RARE = podium.dataset("rare", RNG.normal(size=(30, 2)), [0] * 15 + [1] * 14 + [2])
ALGORITHMS = {"tree": DecisionTreeClassifier(), "logistic": LogisticRegression()}
KEEP = ["predictions"]

KERNEL = podium.algorithm("kernel", KernelDensity(), output="score_samples")
PLAIN = podium.dataset("plain", RNG.normal(size=(30, 2)), task="density")
LABELLED = podium.dataset("labelled", TWO.X, TWO.y, task="clustering")
TIMES = np.column_stack([RNG.exponential(size=40), np.arange(40) % 3 > 0])
PATIENTS = podium.dataset("patients", TWO.X, TIMES, task="survival")


class Halving(BaseEstimator):
    """A survival model that learns nothing."""

    def fit(self, X, y):
        return self

    def predict(self, X):
        return X[:, 0]

    def predict_survival_function(self, X, times):
        return 2 ** -(times * np.exp(X[:, :1]))


def late(y, risk):
    return np.sum(risk[y["event"] & (y["time"] > 0.5)])


LATE = podium.measure("late", late, higher_is_better=False)


def study(datasets=TWO, algorithms=ALGORITHMS, sampling="bootstrap:3", **options):
    return podium.Study(datasets, algorithms, sampling=sampling, **options)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "s.db"


def run(path, *args, **options):
    return podium.run(study(*args, **options), path, quiet=True)


def overflowing(y, p):
    return (100 * y - p) ** 2  # more than a byte, which kept codes fit into


OWN = podium.measure("own", overflowing, higher_is_better=False)


@pytest.mark.parametrize("sampling", ["bootstrap:3", "bootstrap-cv:2x3", "cv:4"])
@pytest.mark.parametrize(
    ("datasets", "first", "more"),
    [
        ([TWO, THREE, RARE], "error", ["accuracy", "log-loss", "brier", "auc", OWN]),
        ([TWO], "auc", ["sklearn:roc_auc", "sklearn:f1", "error:median"]),
        ([LINE], "squared", ["rmse", "absolute", "absolute:quantile:0.9", "sklearn:r2"]),
    ],
    ids=["classes", "two classes", "quantities"],
)
def test_scores_are_those_of_a_measure_that_was_asked_for_at_first(
    datasets, first, more, sampling, path
):
    algorithms = {"line": LinearRegression()} if datasets == [LINE] else ALGORITHMS
    run(path, datasets, algorithms, sampling, measures=[first], keep=KEEP)
    later = podium.score(path, more)
    at_once = run(
        path.with_name("at-once.db"), datasets, algorithms, sampling, measures=[first, *more]
    )
    pd.testing.assert_frame_equal(later.scores, at_once.scores, check_exact=True)
    assert later.measures == at_once.measures
    pd.testing.assert_frame_equal(later.summary(), at_once.summary(), check_exact=True)


@pytest.mark.parametrize("sampling", ["bootstrap:3", "bootstrap-cv:2x3"])
@pytest.mark.parametrize(
    ("data", "algorithms", "more"),
    [
        (PLAIN, [KERNEL], ["log-likelihood", "log-likelihood:median"]),
        (LABELLED, {"k": KMeans(2)}, ["adjusted-rand", "sklearn:v_measure_score"]),
        (PATIENTS, {"p": Halving()}, ["concordance", "integrated-brier", LATE]),
    ],
    ids=["density", "clustering", "survival"],
)
def test_scores_of_other_tasks_are_those_of_a_measure_that_was_asked_for_at_first(
    data, algorithms, more, sampling, path
):
    run(path, data, algorithms, sampling, measures=["time"], keep=KEEP)
    later = podium.score(path, more).scores
    at_once = run(path.with_name("at-once.db"), data, algorithms, sampling, measures=more).scores
    later = later[later["measure"].isin(at_once["measure"].unique())].reset_index(drop=True)
    assert len(later)
    pd.testing.assert_frame_equal(
        later, at_once.reset_index(drop=True), check_exact=True, check_categorical=False
    )


@pytest.mark.parametrize(
    ("data", "measure", "message"),
    [
        (
            LABELLED,
            "silhouette",
            "'silhouette' reads the attributes of the test rows, which no store keeps: name it "
            "among the study's measures and run it.",
        ),
        (
            podium.dataset("bare", LABELLED.X, task="clustering"),
            "adjusted-rand",
            "can be scored by 'adjusted-rand', which needs predict for clustering.",
        ),
        (
            LABELLED,
            podium.measure("own", np.subtract, higher_is_better=True, reads="score_samples"),
            "can be scored by 'own', which needs score_samples.",
        ),
    ],
    ids=["attributes", "labels", "output"],
)
def test_what_a_store_does_not_keep_cannot_be_scored(data, measure, message, path):
    run(path, data, {"k": KMeans(2)}, measures=["time"], keep=KEEP)
    with pytest.raises(StoreError) as caught:
        podium.score(path, measure)
    assert str(caught.value).endswith(message)


def test_scoring_again_adds_nothing(path, monkeypatch):
    monkeypatch.setattr(rescore_module, "BATCH", 4)  # several transactions
    run(path, keep=KEEP)
    first = podium.score(path, ["auc", "brier"])
    with Store(path) as store:
        before = content(store)
    again = podium.score(path, ["brier", "auc"])
    with Store(path) as store:
        assert content(store) == before
    pd.testing.assert_frame_equal(first.scores, again.scores)


def test_runs_that_come_later_lack_the_measure_until_they_are_scored(path):
    run(path, keep=KEEP)
    podium.score(path, "auc")
    more = run(path, sampling="bootstrap:5", keep=KEEP)
    assert list(more.summary().query("measure == 'auc'")["missing"]) == [2, 2]
    assert (more.runs["status"] == "done").all()  # the study never asked for it
    assert podium.score(path, "auc").summary()["missing"].sum() == 0


def test_the_definition_that_was_scored_last_counts(path):
    run(path, keep=KEEP)

    def score(function):
        own = podium.measure("own", function, higher_is_better=False)
        return set(podium.score(path, own).values("own")["value"])

    assert score(lambda y, p: 1.0) == {1.0}
    assert score(lambda y, p: 2.0) == {2.0}
    assert score(lambda y, p: 1.0) == {1.0}


def test_algorithms_without_probabilities_lack_the_measures_that_need_them(path):
    run(path, algorithms={"svc": LinearSVC(), "bayes": GaussianNB()}, keep=KEEP)
    results = podium.score(path, ["log-loss", "auc"])
    table = results.summary().set_index(["algorithm", "measure"])[["samples", "missing"]]
    assert tuple(table.loc[("svc", "log-loss")]) == (0, 3)
    assert tuple(table.loc[("svc", "auc")]) == (3, 0)  # from decisions
    assert tuple(table.loc[("bayes", "log-loss")]) == (3, 0)


def raises(y, p):
    raise ZeroDivisionError("no rows")


@pytest.mark.parametrize(
    ("measure", "message"),
    [
        ("brier", "can be scored by 'brier', which needs predict_proba for classification."),
        ("squared", "can be scored by 'squared', which needs predict for regression."),
        ("fit-time", "'fit-time' is measured while running; it cannot be computed later."),
        (
            podium.measure("bad", raises, higher_is_better=False),
            "The measure 'bad' cannot be computed: ZeroDivisionError: no rows.",
        ),
    ],
    ids=["probabilities", "task", "time", "own"],
)
def test_what_cannot_be_scored_is_refused_and_leaves_nothing(measure, message, path):
    before = run(path, algorithms={"svc": LinearSVC()}, keep=KEEP)
    with pytest.raises(StoreError) as caught:
        podium.score(path, measure)
    assert str(caught.value).endswith(message)
    assert podium.read(path).measures == before.measures


def test_without_kept_predictions_it_is_refused(path, capsys):
    run(path)
    with pytest.raises(StoreError) as caught:
        podium.score(path, "auc")
    message = (
        f"The store '{path}' keeps no predictions. "
        'Run its study with keep = ["predictions"] first.'
    )
    assert str(caught.value) == message
    with pytest.raises(SystemExit, match="2"):
        main(["store", "score", str(path), "-m", "auc"])
    assert capsys.readouterr() == ("", f"podium: {message}\n")


def test_the_command_line_scores_and_shows(path, capsys):
    run(path, keep=KEEP)
    with pytest.raises(SystemExit, match="0"):
        main(["store", "score", str(path), "-m", "auc", "-m", "sklearn:f1"])
    said = capsys.readouterr().out
    assert said.startswith("6 runs were scored by auc, sklearn:f1.\n")
    assert "auc (higher is better), bootstrap:3" in said


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (-5.0, "gave -5, which is not between 0 and 1"),
        (math.inf, "gave inf, which is no finite number"),
    ],
)
def test_impossible_scores_are_refused_and_nothing_is_written(
    value: float, said: str, tmp_path: Path
) -> None:
    X = np.random.default_rng(0).normal(size=(40, 2))
    study = podium.Study(
        podium.dataset("d", X, (X[:, 0] > 0).astype(int)),
        {"bayes": GaussianNB(), "tree": DecisionTreeClassifier()},
        sampling="bootstrap:3",
        measures=["error"],
        keep=["predictions"],
    )
    before = podium.run(study, tmp_path / "s.db", quiet=True).scores
    wrong = podium.measure("own", lambda truth, given: value, higher_is_better=False, bounds=(0, 1))
    with pytest.raises(StoreError, match=said):
        podium.score(tmp_path / "s.db", wrong)
    pd.testing.assert_frame_equal(podium.read(tmp_path / "s.db").scores, before)
