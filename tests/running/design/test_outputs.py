"""Tasks beyond classes and quantities: how their data sets are given, what algorithms give."""

from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, clone
from sklearn.cluster import AgglomerativeClustering, KMeans
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import adjusted_rand_score, silhouette_score
from sklearn.mixture import GaussianMixture
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KernelDensity

import podium
from podium.errors import DesignError
from podium.running.design.measuring.outputs import DECISION, LOG_DENSITY, PREDICTED, PROBABILITIES
from podium.running.design.studyfile import parse_study

EXAMPLES = Path(__file__).parents[3] / "examples"
RNG = np.random.default_rng(3)
X = np.r_[RNG.normal(size=(40, 2)), RNG.normal(6, 1, size=(40, 2))] * [1, 50]
LABELS = np.repeat(["low", "high"], 40)
DENSITY = podium.dataset("rows", X, task="density")
CLUSTERS = podium.dataset("rows", X, LABELS, task="clustering")
PATIENTS = pd.DataFrame(X, columns=["a", "b"]).assign(
    time=RNG.exponential(np.exp(-X[:, 0])), event=np.arange(80) % 4 > 0
)
SURVIVAL = podium.dataset("patients", PATIENTS, ["time", "event"], task="survival")


class Exponential(BaseEstimator):
    """One curve for all; the first attribute is the risk."""

    def fit(self, X, y):
        self.rate_ = y["event"].sum() / y["time"].sum()
        return self

    def predict(self, X):
        return X[:, 0]

    def predict_survival_function(self, X, times):
        return np.tile(np.exp(-self.rate_ * times), (len(X), 1))


class Blind(KMeans):
    """A clustering that would fail if it were shown the labels."""

    def fit(self, X):
        return super().fit(X)


def algorithm(recipe, **options):
    return podium.algorithm("a", recipe, **options)


def run(tmp_path, data, algorithms, *measures, sampling="cv:3", **options):
    study = podium.Study(data, algorithms, sampling=sampling, measures=measures, **options)
    results = podium.run(study, tmp_path / "s.db", quiet=True, jobs=0)
    assert (results.runs["status"] == "done").all(), results.runs
    return results


def values(results, measure):
    return results.values(measure)["value"].to_numpy()


def refusal(call):
    with pytest.raises(DesignError) as caught:
        call()
    return str(caught.value)


# -- how data sets are given --------------------------------------------------------------------


def test_a_density_has_no_target_and_leaves_out_one_that_is_given():
    table = pd.DataFrame(X, columns=["a", "b"]).assign(species=LABELS)
    named = podium.dataset("rows", table, "species", task="density")
    assert (DENSITY.p, named.p, DENSITY.classes, DENSITY.learned(np.arange(3))) == (2, 2, (), ())
    assert named.fingerprint == DENSITY.fingerprint
    beside = podium.dataset("rows", X, test=(X[:5], None), task="density")
    assert (beside.n, beside.n_test) == (80, 5)


def test_labels_of_a_clustering_are_known_and_not_learned_from():
    assert CLUSTERS.classes == ("high", "low")
    assert CLUSTERS.learned(np.arange(3)) == ()
    assert podium.dataset("rows", X, task="clustering").classes == ()


@pytest.mark.parametrize("form", ["names", "columns", "frame", "structured"])
def test_censored_times_are_given_in_many_forms(form):
    time, event = PATIENTS["time"], PATIENTS["event"]
    structured = np.array(list(zip(event, time, strict=True)), dtype=[("e", bool), ("t", float)])
    y = {
        "names": ["time", "event"],
        "columns": np.column_stack([time, event]),
        "frame": PATIENTS[["time", "event"]],
        "structured": structured,  # as scikit-survival has them: the task is known
    }[form]
    table = PATIENTS if form == "names" else PATIENTS[["a", "b"]]
    data = podium.dataset("d", table, y, task=None if form == "structured" else "survival")
    assert (data.task, data.p, data.y.dtype.names) == ("survival", 2, ("event", "time"))
    assert data.fingerprint == SURVIVAL.fingerprint
    assert np.array_equal(data.learned(np.array([5]))[0]["time"], time[[5]])


def patients(time, event):
    return lambda: podium.dataset("d", np.ones((3, 1)), np.c_[time, event], task="survival")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: podium.dataset("d", X),
            "Data set 'd' has no target: give y, or say task='density' or task='clustering'.",
        ),
        (
            lambda: podium.dataset("d", X, task="regression"),
            "Data set 'd' has no target, which regression needs.",
        ),
        (
            lambda: podium.dataset("d", X, test=(X, LABELS), task="clustering"),
            "Data set 'd': give both training and test data a target, or neither.",
        ),
        (
            lambda: podium.dataset("d", X, LABELS, task="clustering", positive="low"),
            "Data set 'd': a clustering has no positive class 'low'.",
        ),
        (
            lambda: podium.dataset("d", X, X[:, 0], task="survival"),
            "Data set 'd': the target of a survival task is time and event: two columns, or their "
            "names as in target = ['time', 'event'].",
        ),
        (
            lambda: podium.dataset("d", PATIENTS, ["time", "evnt"], task="survival"),
            "Data set 'd' has no column 'evnt' for its target. Did you mean 'event'? "
            "Columns: a, b, event.",
        ),
        (
            patients([1, 2, 3], [1, 2, 1]),
            "Data set 'd': the event is 1 (or true) where it was seen and 0 (or false) where the "
            "time is censored, not 2.",
        ),
        (patients([1, -2, 3], [1, 0, 1]), "Data set 'd': the time -2 is negative."),
        (patients([1, np.inf, 3], [1, 0, 1]), "Data set 'd': the time holds infinite values."),
        (
            patients([1, np.nan, 3], [1, 0, 1]),
            "Data set 'd': the time is missing in 1 of 3 rows (row 2). Remove these rows.",
        ),
        (
            patients([1, 2, 3], [0, 0, 0]),
            "Data set 'd' shows no event, so there is nothing to learn from.",
        ),
        (
            lambda: podium.dataset("d", X, np.zeros(80, dtype="f8,f8,f8")),
            "Data set 'd': a structured target has two fields, event (true or false) and time, "
            "not f0, f1, f2.",
        ),
    ],
)
def test_a_wrong_target_is_refused_in_words(call, message):
    assert refusal(call) == message


# -- what algorithms give -----------------------------------------------------------------------


def test_an_estimator_without_predict_says_what_it_gives():
    assert "Say what it gives: output = 'score_samples'." in refusal(
        lambda: algorithm(KernelDensity())
    )
    assert algorithm(KernelDensity(), output=LOG_DENSITY).output == LOG_DENSITY
    path = "sklearn.neighbors.KernelDensity"
    assert "output = 'score_samples'" in refusal(lambda: algorithm(path))
    assert algorithm(path, output=LOG_DENSITY, bandwidth=2.0).estimator().bandwidth == 2


@pytest.mark.parametrize(
    ("recipe", "output", "message"),
    [
        (
            AgglomerativeClustering(),
            "predict",
            "Algorithm 'a': a AgglomerativeClustering has no method 'predict'. It labels only the "
            "rows that it learns from, while left-out rows are measured: give a function of the "
            "fitted estimator and the rows as its output.",
        ),
        (
            AgglomerativeClustering(),
            "fit_predict",
            "Algorithm 'a': fit_predict labels the rows it learns from, but rows that were left "
            "out are measured. Give a function of the fitted estimator and the rows instead.",
        ),
        (
            GaussianNB(),
            LOG_DENSITY,
            "Algorithm 'a': a GaussianNB has no method 'score_samples'. "
            "Say what it gives: output = 'predict'.",
        ),
        (
            GaussianNB(),
            "proba",
            "Algorithm 'a': 'proba' is not an output. Known: predict, predict_proba, "
            "decision_function, score_samples, predict_survival_function.",
        ),
        (
            GaussianNB(),
            3,
            "Algorithm 'a': '3' is not an output. Known: predict, predict_proba, "
            "decision_function, score_samples, predict_survival_function.",
        ),
    ],
)
def test_a_wrong_output_is_refused_in_words(recipe, output, message):
    assert refusal(lambda: algorithm(recipe, output=output)) == message


def test_runs_of_before_keep_their_keys():
    """Keys that an earlier version gave to these studies."""
    x = np.arange(12.0).reshape(6, 2)
    nb = {"nb": GaussianNB(), "p": podium.algorithm("p", GaussianNB, preprocess=True)}
    classes = podium.Study(podium.dataset("a", x, [0, 1] * 3), nb, sampling="cv:2")
    line = {"lm": podium.design.pipeline(LinearRegression())}
    data = podium.dataset("b", x, x[:, 0] / 7)
    quantities = podium.Study(data, line, sampling="cv:2", measures=["squared"])
    assert [next(iter(s)).key.hex() for s in (classes, quantities)] == [
        "9f2d82af28fd5b4e8f00c645adc2ff32",
        "5fc3a0147a4f1ee1b44524b5116e832d",
    ]
    assert list(classes)[1].key.hex() == "f367ea845b4683487e057ad1c0bfea52"


def test_the_output_is_part_of_what_an_algorithm_is():
    functions = [lambda m, X: m.predict(X), lambda m, X: 1 - m.predict(X)]
    made = [algorithm(GaussianNB(), output=o) for o in (PREDICTED, PROBABILITIES, *functions)]
    assert len({a.fingerprint for a in made}) == 4
    assert algorithm(GaussianNB()).fingerprint == made[0].fingerprint


@pytest.mark.parametrize(
    ("data", "recipe", "options", "measure", "message"),
    [
        (DENSITY, GaussianMixture(), {}, "squared", "'squared' is for regression; data set 'rows' "
         "is a density estimation."),
        (SURVIVAL, LinearRegression(), {}, "concordance", "does regression; data set 'patients' is "
         "a survival analysis."),
        (podium.dataset("rows", X, task="clustering"), KMeans(2), {}, "adjusted-rand",
         "'adjusted-rand' needs true labels; data set 'rows' has none."),
        (podium.dataset("rows", X, task="clustering"), KMeans(2), {}, "sklearn:rand_score",
         "'sklearn:rand_score' needs true labels; data set 'rows' has none."),
        (podium.dataset("d", PATIENTS.assign(s=LABELS), task="clustering"), KMeans(2), {},
         "silhouette", "'silhouette' needs distances; data set 'd' has nominal or missing values."),
        (podium.dataset("d", PATIENTS.assign(s=LABELS), task="density"), KernelDensity(),
         {"preprocess": True, "output": LOG_DENSITY}, "log-likelihood", "has no density."),
        (DENSITY, KMeans(2), {}, "log-likelihood", "Algorithm 'a' has no score_samples, which the "
         "measure 'log-likelihood' needs. Choose another measure or algorithm, or give a function "
         "as its output."),
        (SURVIVAL, Exponential(), {"output": lambda m, X: m.predict(X)}, "sklearn:accuracy",
         "is for classification; data set 'patients' is a survival analysis."),
        (CLUSTERS, LogisticRegression(), {}, "adjusted-rand", "does classification; data set "
         "'rows' is a clustering."),
    ],
    ids=lambda v: v if isinstance(v, str) else "",
)  # fmt: skip
def test_what_does_not_go_together_is_refused_before_anything_runs(
    data, recipe, options, measure, message
):
    made = podium.algorithm("a", recipe, **options)
    assert message in refusal(lambda: podium.Study(data, made, sampling="cv:3", measures=[measure]))


# -- scores -------------------------------------------------------------------------------------


def test_the_log_likelihood_is_the_mean_log_density_of_the_test_rows(tmp_path):
    kernel = podium.algorithm("k", KernelDensity(), output=LOG_DENSITY)
    fixed = podium.dataset("rows", X, test=(X[::2] + 0.5, None), task="density")
    results = run(tmp_path, fixed, kernel, "log-likelihood", sampling="competition:2")
    drawn = podium.Study(fixed, kernel, sampling="competition:2", measures=["log-likelihood"])
    for number, value in enumerate(values(results, "log-likelihood"), 1):
        (split,) = drawn.sampler.sample(fixed, number)[1].splits
        expected = KernelDensity().fit(X[split.train]).score(X[::2] + 0.5) / 40
        assert value == pytest.approx(expected)


def test_preprocessing_does_not_change_the_density_of_a_normal_distribution(tmp_path):
    """A maximum likelihood normal fit follows scale and place, so its density must agree."""
    normal = GaussianMixture(reg_covar=0)
    algorithms = [
        podium.algorithm("plain", normal, output=LOG_DENSITY),
        podium.algorithm("scaled", normal, output=LOG_DENSITY, preprocess=True),
        podium.algorithm("function", normal, output=densities, preprocess=True),
        podium.algorithm("pipeline", podium.design.pipeline(normal), output=LOG_DENSITY),
    ]  # fmt: skip
    wide = run(tmp_path, DENSITY, algorithms, "log-likelihood").wide("log-likelihood")
    for name in ("scaled", "function", "pipeline"):
        assert wide[name].to_numpy() == pytest.approx(wide["plain"].to_numpy(), abs=1e-9)


def test_clusters_are_measured_on_rows_that_were_left_out(tmp_path):
    algorithms = {
        "k-means": Blind(2, random_state=0),
        "anew": podium.algorithm(
            "anew", AgglomerativeClustering(), output=lambda m, X: clone(m).fit_predict(X)
        ),
    }
    measures = ("adjusted-rand", "silhouette", "sklearn:adjusted_rand_score")
    results = run(tmp_path, CLUSTERS, algorithms, *measures)
    sampler = podium.Study(CLUSTERS, {"a": KMeans(2)}, sampling="cv:3", measures="time").sampler
    (split,) = sampler.sample(CLUSTERS, 1)[1].splits
    labels = KMeans(2, random_state=0).fit(X[split.train]).predict(X[split.test])
    rand, near, same = (results.wide(m)["k-means"].to_numpy() for m in measures)
    assert rand[0] == pytest.approx(adjusted_rand_score(LABELS[split.test], labels))
    assert near[0] == pytest.approx(silhouette_score(X[split.test], labels))
    assert np.array_equal(rand, same)


def test_a_single_cluster_has_no_silhouette(tmp_path):
    results = run(tmp_path, CLUSTERS, {"one": KMeans(1)}, "silhouette", "adjusted-rand")
    assert np.isnan(values(results, "silhouette")).all()
    assert (values(results, "adjusted-rand") == 0).all()
    assert results.runs["warnings"].sum() > 0


def test_risks_and_curves_may_come_from_methods_or_functions(tmp_path):
    def curves(model, X, times):
        return model.predict_survival_function(X, times)

    algorithms = [
        podium.algorithm("methods", Exponential()),
        podium.algorithm("pipeline", podium.design.pipeline(Exponential(), scale=False)),
        podium.algorithm("function", Exponential(), output=curves, preprocess=True),
        podium.algorithm("risk", Exponential(), output=lambda m, X: 3 * m.predict(X)),
    ]
    results = run(tmp_path, SURVIVAL, algorithms, "concordance", "integrated-brier")
    for measure in ("concordance", "integrated-brier"):
        wide = results.wide(measure)[[a.name for a in algorithms]].to_numpy()
        assert (wide == wide[:, :1]).all()
    low, high = values(results, "concordance").min(), values(results, "integrated-brier").max()
    assert low > 0.5 > high


def test_the_output_that_an_algorithm_names_goes_first_where_several_would_do(tmp_path):
    rng = np.random.default_rng(1)
    x = rng.normal(size=(60, 2))
    data = podium.dataset("d", x, (x[:, 0] + rng.normal(size=60) > 0).astype(int))

    class Contrary(GaussianNB):
        def decision_function(self, X):
            return -self.predict_proba(X)[:, 1]

    algorithms = [
        podium.algorithm("shares", Contrary()),
        podium.algorithm("decides", Contrary(), output=DECISION),
    ]
    wide = run(tmp_path, data, algorithms, "auc").wide("auc")
    assert (wide["shares"] + wide["decides"]).to_numpy() == pytest.approx(np.ones(3))


def test_times_alone_ask_for_what_the_algorithm_gives(tmp_path):
    algorithms = {
        "kernel": podium.algorithm("kernel", KernelDensity(), output=LOG_DENSITY),
        "function": podium.algorithm("function", KernelDensity(), output=lambda m, X: X[:, 0]),
    }
    assert (values(run(tmp_path, DENSITY, algorithms, "time"), "time") > 0).all()


def test_workers_give_the_scores_of_a_single_process(tmp_path):
    algorithms = {"a": Exponential(), "b": podium.algorithm("b", Exponential(), output=risk)}
    study = podium.Study(
        SURVIVAL, algorithms, sampling="bootstrap:4", measures=["concordance", "integrated-brier"]
    )
    serial = podium.run(study, tmp_path / "1.db", quiet=True, jobs=0)
    workers = podium.run(study, tmp_path / "2.db", jobs=2, quiet=True)
    pd.testing.assert_frame_equal(serial.scores, workers.scores, check_exact=True)


def densities(model, Z):
    return model.score_samples(Z)


def risk(model, X):
    return np.exp(model.predict(X))


# -- study files and examples -------------------------------------------------------------------

FILE = """
sampling = "cv:3"
measures = ["{measure}"]
[[datasets]]
name = "iris"
source = "sklearn:iris"
task = "density"
[[algorithms]]
name = "k"
estimator = "sklearn.neighbors.KernelDensity"
output = "{output}"
"""


def test_a_study_file_says_what_an_algorithm_gives():
    study = parse_study(FILE.format(measure="log-likelihood", output="score_samples"))
    assert (study.algorithms[0].output, study.datasets[0].task) == ("score_samples", "density")
    in_python = podium.algorithm("k", KernelDensity(), output="score_samples")
    assert study.algorithms[0].fingerprint == in_python.fingerprint


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"output": "score_sample"}, "study, line 11: Algorithm 'k': 'score_sample' is not an "
         "output. Did you mean 'score_samples'?"),
        ({"output": "predict"}, "study, line 10: Algorithm 'k': 'sklearn.neighbors.KernelDensity' "
         "is no estimator, as it has no method 'predict'. Say what it gives: output = "
         "'score_samples'."),
        ({"measure": "error"}, "study, line 3: The measure 'error' is for classification; data set "
         "'iris' is a density estimation."),
    ],
)  # fmt: skip
def test_a_wrong_study_file_is_refused_with_its_line(change, message):
    good = {"measure": "log-likelihood", "output": "score_samples"}
    found = refusal(lambda: parse_study(FILE.format(**{**good, **change})))
    assert found.startswith(message)


@pytest.mark.parametrize(
    ("name", "best"),
    [
        ("density", {"log-likelihood": "mixture"}),
        ("clustering", {"adjusted-rand": "mixture", "silhouette": "k-means"}),
        ("probabilities", {"log-loss": "logistic", "brier": "logistic"}),
        ("survival", {"concordance": "cox", "integrated-brier": "cox"}),
    ],
)
def test_an_example_runs_and_gives_what_its_page_says(name, best, tmp_path):
    path = EXAMPLES / f"{name}.toml"
    script = path.with_suffix(".py")
    study = podium.load_study(path) if path.exists() else runpy.run_path(str(script))["study"]()
    results = podium.run(study, tmp_path / "s.db", quiet=True, jobs=0)
    assert (results.runs["status"] == "done").all()
    for measure, expected in best.items():
        means = results.wide(measure)[[a.name for a in study.algorithms]].mean()
        higher = results.measures[measure].higher_is_better
        assert (means.idxmax() if higher else means.idxmin()) == expected
