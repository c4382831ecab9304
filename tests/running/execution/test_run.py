"""One run: what it measures, what becomes a failed row, and what never gets out of it."""

import asyncio
import random
import sys
import warnings
from typing import ClassVar

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import coo_array, csr_matrix
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import log_loss, roc_auc_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier

import podium
from podium import Store
from podium.running.execution.run import execute_batch
from podium.running.execution.runner import _plan
from podium.running.execution.shared import Content, share, shared_plan


def two_classes(n=40, seed=0, name="two"):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    return podium.dataset(name, X, (X[:, 0] + rng.normal(size=n) > 0).astype(int))


def three_classes(n=60, name="three"):
    rng = np.random.default_rng(1)
    y = np.arange(n) % 3
    return podium.dataset(name, rng.normal(size=(n, 2)) + y[:, None], y)


def rare_class():
    """The third class has one row, which most learning or test samples lack."""
    rng = np.random.default_rng(2)
    y = np.array([0] * 15 + [1] * 14 + [2])
    return podium.dataset("rare", rng.normal(size=(30, 2)) + y[:, None], y)


def quantities(n=40):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(n, 3))
    return podium.dataset("line", X, X @ [1.0, 2.0, 0.0] + rng.normal(size=n))


@pytest.fixture
def run(tmp_path):
    """Run a study of one or more algorithms; its store is at `run.path`."""

    def call(algorithms, data=None, sampling="bootstrap:3", **options):
        call.path = tmp_path / f"{len(list(tmp_path.iterdir()))}.db"
        if not isinstance(algorithms, dict | list):
            algorithms = {"a": algorithms}
        call.study = podium.Study(
            two_classes() if data is None else data, algorithms, sampling=sampling, **options
        )
        return podium.run(call.study, call.path, jobs=0, quiet=True)  # where nothing hides it

    return call


class Base:
    """Predicts the first class; not scikit-learn's, so that nothing helps it."""

    def fit(self, X, y):
        return self

    def predict(self, X):
        return np.zeros(len(X), int)


def only_reason(results):
    """Exception and message that all runs failed with."""
    assert (results.runs["status"] == "failed").all()
    assert len(results.scores) == 0
    reasons = {tuple(r) for r in results.failures[["exception", "message"]].to_numpy()}
    (reason,) = reasons
    return reason


# --- what becomes a failed row ---


class Raises(Base):
    def __init__(self, error=None):
        self.error = error

    def fit(self, X, y):
        raise self.error


class Unprintable(Exception):
    def __str__(self):
        raise RuntimeError("not even this")


class OddText(Exception):
    def __str__(self):
        return 7


class Deep(Base):
    def fit(self, X, y):
        return self.fit(X, y)


@pytest.mark.parametrize(
    ("error", "name", "message"),
    [
        (ValueError("boom"), "ValueError", "boom"),
        (KeyError("k"), "KeyError", "'k'"),
        (MemoryError("50 GB"), "MemoryError", "50 GB"),
        (AssertionError(), "AssertionError", ""),
        (StopIteration("x"), "StopIteration", "x"),
        (SystemExit(3), "SystemExit", "3"),
        (asyncio.CancelledError("by whom?"), "CancelledError", "by whom?"),
        (GeneratorExit("x"), "GeneratorExit", "x"),
        (Unprintable(), "Unprintable", ""),
        (OddText(), "OddText", ""),
        (ValueError("half \ud800 and \0"), "ValueError", "half ? and \\0"),
        (ValueError("<script>'\""), "ValueError", "<script>'\""),
        (ExceptionGroup("many", [ValueError("one")]), "ExceptionGroup", "many (1 sub-exception)"),
    ],
    ids=lambda e: type(e).__name__ if isinstance(e, BaseException) else "",
)
def test_an_exception_becomes_a_failed_row(error, name, message, run):
    class Fails(Base):
        def fit(self, X, y):
            raise error

    results = run({"fails": Fails(), "works": Base()})
    failures = results.failures
    assert list(failures["algorithm"]) == ["fails"] * 3
    assert list(failures["sample"]) == [1, 2, 3]
    assert set(failures["exception"]) == {name}
    assert set(failures["message"]) == {message}
    assert "in fit" in failures["traceback"].iloc[0]
    status = results.runs.groupby("algorithm", observed=True)["status"].agg(set)
    assert status.to_dict() == {"fails": {"failed"}, "works": {"done"}}
    assert set(results.scores["algorithm"]) == {"works"}


def test_endless_recursion_becomes_a_failed_row(run):
    assert only_reason(run(Deep()))[0] == "RecursionError"


def test_a_long_message_is_cut_and_a_long_traceback_keeps_its_end(run):
    results = run(LongWords())
    assert results.failures["message"].str.len().max() == 1000
    assert results.failures["traceback"].str.len().max() <= 20_000
    assert results.failures["traceback"].iloc[0].rstrip().endswith("word")


class LongWords(Base):
    def fit(self, X, y):
        raise ValueError("word" * 100_000)


class Says(Base):
    """Predicts whatever it is told."""

    def __init__(self, what):
        self.what = what

    def predict(self, X):
        return self.what(len(X))


@pytest.mark.parametrize(
    ("what", "message"),
    [
        (lambda n: np.full(n, np.nan), "predict returned {n} missing values for {n} rows"),
        (lambda n: np.zeros(n + 1), "predict returned an array of shape ({n1},) for {n} rows"),
        (lambda n: np.zeros((n, 2)), "predict returned an array of shape ({n}, 2) for {n} rows"),
        (lambda n: 0, "predict returned a single value; it must return one for each row"),
        (lambda n: None, "predict returned nothing; it must return a plain array"),
        (lambda n: np.full(n, 0.5), "predict returned np.float64(0.5), which is no class"),
    ],
    ids=["nan", "length", "columns", "number", "none", "fraction"],
)
def test_predictions_that_cannot_be_measured_become_failed_rows(what, message, run):
    results = run(Says(what), sampling="holdout:0.5")
    assert only_reason(results) == ("AlgorithmError", message.format(n=20, n1=21))


MASKED = "predict returned a masked array, whose hidden values would count"
PLAIN = "; it must return a plain array"


@pytest.mark.parametrize(
    ("what", "message"),
    [
        (lambda n: np.ma.masked_array(np.zeros(n, int), np.arange(n) > 3), MASKED + PLAIN),
        (lambda n: np.ma.masked_array(np.zeros(n, int)), MASKED + PLAIN),
        (lambda n: list(np.ma.masked_array(np.zeros((n, 1)), mask=True)), MASKED + PLAIN),
        (lambda n: csr_matrix(np.zeros((n, 1))), "predict returned a sparse matrix (csr_matrix)"),
        (lambda n: coo_array(np.zeros(n)), "predict returned a sparse matrix (coo_array)"),
        (lambda n: np.array([[0], [0, 1], *[[0]] * (n - 2)], dtype=object), "lists within"),
        (lambda n: [[0], [0, 1], *[[0]] * (n - 2)], "predict returned a list that is no array"),
        (lambda n: dict.fromkeys(range(n), 0), "predict returned a dict" + PLAIN),
        (lambda n: {0, 1}, "predict returned a set" + PLAIN),
        (lambda n: "0" * n, "predict returned a str" + PLAIN),
        (lambda n: (0 for _ in range(n)), "predict returned a generator" + PLAIN),
        (lambda n: np.zeros(n, complex), "predict returned complex numbers"),
        (lambda n: np.zeros(n, "M8[s]"), "predict returned dates"),
        (lambda n: np.zeros(n, [("class", int)]), "predict returned records"),
        (lambda n: pd.DataFrame({"a": [0] * n, "b": [1] * n}), "an array of shape (20, 2)"),
        (lambda n: pd.DataFrame({"a": ["x"] * n}), "a frame with columns that are no numbers"),
    ],
    ids=[
        *("masked", "no mask", "masked rows", "sparse matrix", "sparse array", "objects", "ragged"),
        *("mapping", "set", "text", "generator", "complex", "dates", "records", "columns", "names"),
    ],
)
def test_containers_that_are_not_what_they_seem_are_refused(what, message, run):
    exception, text = only_reason(run(Says(what), sampling="holdout:0.5"))
    assert exception == "AlgorithmError"
    assert message in text


def test_masked_probabilities_and_outputs_of_functions_are_refused(run):
    masked = np.ma.masked_array
    shares = Shares(lambda n: masked(np.full((n, 2), 0.5), np.arange(2 * n).reshape(n, 2) > 5))
    assert "masked array" in only_reason(run(shares, measures=["log-loss"]))[1]
    own = podium.algorithm("a", Base, output=lambda estimator, X: masked(np.zeros(len(X), int)))
    assert "masked array" in only_reason(run([own]))[1]


def test_class_names_for_class_codes_become_failed_rows(run):
    exception, message = only_reason(run(Says(lambda n: np.array(["yes"] * n))))
    assert exception == "AlgorithmError"
    assert message.startswith("predict must return numbers, for classes the codes that y has: ")


def test_one_missing_prediction_fails_a_regression(run):
    says = Says(lambda n: np.r_[np.nan, np.zeros(n - 1)])
    results = run(says, quantities(), "holdout:0.5", measures=["squared"])
    assert only_reason(results) == (
        "AlgorithmError",
        "predict returned 1 missing values for 20 rows",
    )


@pytest.mark.parametrize(
    "what",
    [
        lambda n: [0] * n,
        lambda n: np.zeros((n, 1)),
        lambda n: np.zeros(n, bool),
        lambda n: np.zeros(n, np.uint8),
        lambda n: np.zeros(n, np.float32),
        lambda n: np.array([0] * n, dtype=object),
        lambda n: pd.Series([0] * n, index=range(100, 100 + n)),
        lambda n: pd.Series([0] * n, dtype="Int64"),
        lambda n: pd.Series([0] * n, dtype="category"),
    ],
)
def test_predictions_of_any_type_that_mean_classes_are_taken(what, run):
    results = run({"says": Says(what), "base": Base()})
    wide = results.wide("error")
    np.testing.assert_array_equal(wide["says"], wide["base"])


class Forgets(Base):
    """Has probabilities until it is fitted."""

    def __init__(self):
        self.predict_proba = None

    def fit(self, X, y):
        del self.predict_proba
        return self


def test_a_missing_output_is_named(run):
    for measure, kinds in (("log-loss", ""), ("auc", " or decision_function")):
        reason = only_reason(run(Forgets(), measures=["error", measure]))
        assert reason == ("AlgorithmError", f"Forgets has no predict_proba{kinds}")


class Shares(Base):
    def __init__(self, what):
        self.what = what

    def predict_proba(self, X):
        return self.what(len(X))


@pytest.mark.parametrize(
    "what",
    [
        lambda n: np.full((n, 2), np.nan),
        lambda n: np.full((n, 3), 1 / 3),
        lambda n: np.full(n, 0.5),
        lambda n: np.full((n - 1, 2), 0.5),
    ],
    ids=["nan", "columns", "vector", "rows"],
)
def test_probabilities_that_cannot_be_measured_become_failed_rows(what, run):
    exception, message = only_reason(
        run(Shares(what), sampling="holdout:0.5", measures=["log-loss"])
    )
    assert exception == "AlgorithmError"
    assert message.startswith("predict_proba returned ")


def draws(n, rng):
    return rng.normal(size=(n, 2)), rng.normal(size=n)


def draws_badly(n, rng):
    if n == 33:
        raise ValueError("no such data")
    return draws(n, rng)


def gives_up(n, rng):
    if n == 33:
        raise SystemExit(3)
    return draws(n, rng)


def speaks(n, rng):
    if n == 33:
        warnings.warn("a process may warn", stacklevel=1)
        print("and print")
    return draws(n, rng)


def simulated(run, draw):
    process = podium.process("p", draw, n=33, n_test=50)
    return run(LinearRegression(), process, "simulation:2", measures=["squared"])


def test_a_process_that_raises_fails_its_runs_only(run):
    assert only_reason(simulated(run, draws_badly)) == (
        "DesignError",
        "Process 'p' cannot be sampled: ValueError: no such data.",
    )


def test_a_process_that_exits_fails_its_runs_only(run):
    only_reason(simulated(run, gives_up))


def test_a_process_that_speaks_is_not_heard(run, capfd, recwarn):
    results = simulated(run, speaks)
    assert (results.runs["status"] == "done").all()
    assert capfd.readouterr() == ("", "")
    assert [str(w.message) for w in recwarn] == []


def careless(n, rng):
    X = np.random.normal(size=(n, 2))
    return X, X[:, 0] + np.random.normal(size=n)


def test_all_algorithms_see_the_sample_of_a_process_that_uses_global_generators(run):
    process = podium.process("p", careless, n=20, n_test=30, task="regression")
    line = LinearRegression()
    first = run({"a": line}, process, "simulation:3", measures=["squared"]).wide("squared")
    again = run({"b": line, "a": line}, process, "simulation:3", measures=["squared"])
    for algorithm in ("a", "b"):
        np.testing.assert_array_equal(again.wide("squared")[algorithm], first["a"])


def test_a_user_s_own_estimator_of_scikit_learn_s_kind_can_be_run(run):
    class Majority(ClassifierMixin, BaseEstimator):
        def __init__(self, shift=0):
            self.shift = shift

        def fit(self, X, y):
            self.classes_ = np.unique(y)
            self.most_ = np.bincount(y).argmax()
            return self

        def predict(self, X):
            return np.full(len(X), self.most_)

    results = run({"own": Majority(shift=1), "dummy": DummyClassifier(strategy="most_frequent")})
    wide = results.wide("error")
    np.testing.assert_array_equal(wide["own"], wide["dummy"])


# --- warnings and prints ---


class Warns(Base):
    def fit(self, X, y):
        for _ in range(3):
            warnings.warn("this is fishy", RuntimeWarning, stacklevel=1)
        warnings.warn("old", DeprecationWarning, stacklevel=1)
        return self

    def predict(self, X):
        np.log(np.zeros(2))
        return super().predict(X)


def test_warnings_are_counted_and_not_sprayed(run, capfd, recwarn):
    results = run({"warns": Warns(), "silent": Base()})
    assert len(recwarn) == 0
    assert capfd.readouterr() == ("", "")
    table = results.warnings
    assert set(table["algorithm"]) == {"warns"}
    counts = table.groupby(["category", "message"], observed=True)["count"].sum().to_dict()
    assert counts == {
        ("RuntimeWarning", "this is fishy"): 9,
        ("DeprecationWarning", "old"): 3,
        ("RuntimeWarning", "divide by zero encountered in log"): 3,
    }
    by_run = results.runs.groupby("algorithm", observed=True)["warnings"].agg(list)
    assert by_run.to_dict() == {"warns": [5, 5, 5], "silent": [0, 0, 0]}


def test_warnings_of_a_run_that_fails_are_kept(run):
    class WarnsAndFails(Base):
        def fit(self, X, y):
            warnings.warn("I told you", stacklevel=1)
            raise ValueError("boom")

    results = run(WarnsAndFails())
    assert list(results.warnings["message"]) == ["I told you"] * 3
    assert list(results.runs["warnings"]) == [1, 1, 1]


def test_countless_different_warnings_are_cut(run):
    class Chats(Base):
        def fit(self, X, y):
            for i in range(500):
                warnings.warn(f"warning {i} " + "x" * 5000, stacklevel=1)
            return self

    results = run(Chats(), sampling="holdout:0.5")
    assert len(results.warnings) == 20
    assert results.warnings["message"].str.len().max() == 1000


def test_filters_of_the_caller_are_left_alone(run):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        filters = list(warnings.filters)
        results = run(Warns())
        assert list(warnings.filters) == filters
    assert (results.runs["status"] == "done").all()


class Prints(Base):
    def fit(self, X, y):
        print("epoch 1", flush=True)
        sys.stdout.write("epoch 2\n")
        sys.stdout.writelines(["epoch 3\n"])
        if sys.stdout.isatty():
            print("in colour")
        assert sys.stdout.writable()
        assert isinstance(sys.stdout.encoding, str | None)
        return self


def test_prints_are_swallowed_by_something_that_is_a_stream(run, capfd):
    results = run(Prints())
    assert list(results.failures["message"]) == []
    assert capfd.readouterr() == ("", "")
    print("heard")
    assert capfd.readouterr().out == "heard\n"


# --- nothing leaks from one run to the next ---


class Spoils(Base):
    """Writes into everything that it is given."""

    def fit(self, X, y):
        if isinstance(X, pd.DataFrame):
            X["more"] = 1.0
            X.iloc[:, 0] = X.iloc[0, 0]
        else:
            X[:] = 0
        y[:] = 0
        return self

    def predict(self, X):
        if isinstance(X, pd.DataFrame):
            X.iloc[:, 0] = X.iloc[0, 0]
        else:
            X[:] = 0
        return np.zeros(len(X), int)


def nominal(n=60):
    rng = np.random.default_rng(4)
    frame = pd.DataFrame({"x": rng.normal(size=n), "c": rng.choice(list("abc"), n)})
    return podium.dataset("nominal", frame, (frame["x"] + (frame["c"] == "a") > 0.3).astype(int))


@pytest.mark.parametrize("data", [two_classes, nominal])
@pytest.mark.parametrize("sampling", ["bootstrap:4", "cv:4"])
def test_estimators_that_write_into_their_data_affect_nobody(data, sampling, run):
    tree = podium.algorithm("tree", DecisionTreeClassifier(), preprocess=True)
    alone = run([tree], data(), sampling)
    given = data()
    before = (given.X.copy(), given.y.copy())
    spoiled = run([podium.algorithm("spoils", Spoils()), tree], given, sampling)
    assert len(spoiled.failures) == 0
    np.testing.assert_array_equal(spoiled.wide("error")["tree"], alone.wide("error")["tree"])
    assert (np.asarray(given.X) == np.asarray(before[0])).all()
    np.testing.assert_array_equal(given.y, before[1])


def test_a_fixed_test_sample_stays_fixed(run):
    """In a simulation and a competition all samples are tested on the same rows."""
    rng = np.random.default_rng(6)
    X, T = rng.normal(size=(30, 2)), rng.normal(size=(20, 2))
    data = podium.dataset("d", X, (X[:, 0] > 0).astype(int), test=(T, (T[:, 0] > 0).astype(int)))
    alone = run(DecisionTreeClassifier(), data, "competition:3")
    both = run({"s": Spoils(), "a": DecisionTreeClassifier()}, data, "competition:3")
    np.testing.assert_array_equal(both.wide("error")["a"], alone.wide("error")["a"])


def test_a_measure_that_writes_into_its_arguments_affects_no_other(run):
    def spoils(y, p):
        p[:] = y
        y[:] = 7
        return 0.0

    spoiling = podium.measure("spoils", spoils, higher_is_better=False)
    clean = run(DecisionTreeClassifier(), keep=["predictions"])
    before = kept_arrays(run.path)
    spoiled = run(DecisionTreeClassifier(), measures=[spoiling, "error"], keep=["predictions"])
    if len(spoiled.failures) == 0:  # a refusal to be written into would do as well
        np.testing.assert_array_equal(spoiled.wide("error")["a"], clean.wide("error")["a"])
        assert kept_arrays(run.path) == before


def kept_arrays(path):
    with Store(path, readonly=True) as store:
        return store.rows("SELECT run, split, kind, data FROM predictions ORDER BY 1, 2, 3")


def test_an_estimator_that_keeps_state_starts_afresh_in_every_run(run):
    class Remembers(Base):
        fits = 0

        def fit(self, X, y):
            self.fits += 1
            return self

        def predict(self, X):
            return np.full(len(X), self.fits - 1)

    results = run({"remembers": Remembers(), "base": Base()}, sampling="bootstrap:5")
    wide = results.wide("error")
    np.testing.assert_array_equal(wide["remembers"], wide["base"])


# --- randomness ---


class Dice(Base):
    """Random numbers from the global generators, as people write them."""

    def fit(self, X, y):
        self.offset = np.random.rand() + random.random()
        return self

    def predict(self, X):
        return (np.random.rand(len(X)) + self.offset > 1.5).astype(int)


def test_users_of_global_generators_are_deterministic(run):
    np.random.seed(1)
    random.seed(1)
    first = run({"dice": Dice(), "more": Dice()})
    np.random.seed(2)
    random.seed(2)
    second = run({"more": Dice(), "dice": Dice()})
    pd.testing.assert_frame_equal(
        first.wide("error"), second.wide("error")[["dataset", "sample", "dice", "more"]]
    )
    errors = first.wide("error")
    assert errors["dice"].nunique() == 3  # every run has numbers of its own
    assert (errors["dice"] != errors["more"]).any()


def test_the_caller_s_global_generators_are_left_alone(run):
    np.random.seed(1)
    random.seed(1)
    run(Dice())
    after = np.random.rand(), random.random()
    np.random.seed(1)
    random.seed(1)
    assert after == (np.random.rand(), random.random())


class Seeded(Base):
    """Predicts its random state."""

    def __init__(self, random_state=None):
        self.random_state = random_state

    def predict(self, X):
        return np.full(len(X), float(self.random_state))

    def get_params(self, deep=True):
        return {"random_state": self.random_state}

    def set_params(self, random_state):
        self.random_state = random_state
        return self


state = podium.measure("state", lambda y, p: p, higher_is_better=True)


def states(results):
    return results.values("state")["value"].tolist()


def test_random_state_comes_from_the_run(run):
    algorithms = {"a": Seeded(), "b": Seeded()}
    first = states(run(algorithms, quantities(), measures=[state]))
    assert len(set(first)) == 6
    assert all(s == int(s) and 0 <= s < 2**31 for s in first)
    assert states(run(algorithms, quantities(), measures=[state])) == first
    assert not set(first) & set(states(run(algorithms, quantities(), measures=[state], seed=2)))


def test_a_random_state_that_was_set_stays(run):
    assert states(run(Seeded(random_state=11), quantities(), measures=[state])) == [11.0] * 3


def test_splits_of_one_sample_have_random_states_of_their_own(run):
    values = states(run(Seeded(), quantities(), "bootstrap-cv:2x3", measures=[state]))
    assert any(v != int(v) for v in values)  # a mean of three different whole numbers


def test_a_random_forest_gives_the_same_scores_again(run):
    forest = RandomForestClassifier(5)
    one, other = (run(forest, measures=["error", "log-loss"]).scores for _ in range(2))
    pd.testing.assert_frame_equal(one, other)


# --- scores against a loop written by hand ---


@pytest.mark.parametrize(
    "sampling",
    ["bootstrap:4", "cv:4", "repeated-cv:2x3", "subsampling:3x0.7", "holdout:0.6", "5x2cv"],
)
def test_scores_against_a_loop_by_hand(sampling, run):
    data = two_classes()
    results = run(
        {"knn": KNeighborsClassifier(3), "logistic": LogisticRegression()},
        data,
        sampling,
        measures=["error", "accuracy", "log-loss", "auc"],
    )
    expected = []
    for number in range(1, run.study.samples(data) + 1):
        (split,) = run.study.sampler.sample(data, number)[1].splits
        y = data.y[split.test]
        for estimator in (KNeighborsClassifier(3), LogisticRegression()):
            estimator.fit(data.X[split.train], data.y[split.train])
            said, shares = (
                estimator.predict(data.X[split.test]),
                estimator.predict_proba(data.X[split.test]),
            )
            expected += [
                np.mean(said != y),
                np.mean(said == y),
                log_loss(y, shares, labels=[0, 1]),
                roc_auc_score(y, shares[:, 1]),
            ]
    np.testing.assert_allclose(results.scores["value"], expected, rtol=1e-12)
    errors = results.scores["measure"] == "error"
    np.testing.assert_array_equal(results.scores["value"][errors], expected[::4])


def test_scores_of_a_regression_against_a_loop_by_hand(run):
    data = quantities()
    measures = ["squared", "absolute", "rmse", "absolute:median", "absolute:quantile:0.9"]
    results = run(LinearRegression(), data, "cv:5", measures=measures)
    expected = []
    for number in range(1, 6):
        (split,) = run.study.sampler.sample(data, number)[1].splits
        fitted = LinearRegression().fit(data.X[split.train], data.y[split.train])
        loss = np.abs(data.y[split.test] - fitted.predict(data.X[split.test]))
        expected += [
            np.mean(loss**2),
            np.mean(loss),
            np.sqrt(np.mean(loss**2)),
            np.median(loss),
            np.sort(loss)[int(np.ceil(0.9 * len(loss))) - 1],
        ]
    np.testing.assert_allclose(results.scores["value"], expected, rtol=1e-12)


def test_bootstrap_cv_averages_over_its_folds(run):
    data = two_classes()
    results = run(KNeighborsClassifier(3), data, "bootstrap-cv:4x3")
    for number, value in zip(results.scores["sample"], results.scores["value"], strict=True):
        splits = run.study.sampler.sample(data, number)[1].splits
        assert len(splits) == 3
        errors = []
        for split in splits:
            assert not set(split.train) & set(split.test)
            fitted = KNeighborsClassifier(3).fit(data.X[split.train], data.y[split.train])
            errors.append(np.mean(fitted.predict(data.X[split.test]) != data.y[split.test]))
        np.testing.assert_allclose(value, np.mean(errors), rtol=1e-14)


def test_competition_tests_on_the_test_sample(run):
    rng = np.random.default_rng(8)
    X, T = rng.normal(size=(30, 2)), rng.normal(size=(25, 2))
    y, t = (X[:, 0] > 0).astype(int), (T[:, 0] > 0).astype(int)
    data = podium.dataset("d", X, y, test=(T, t))
    results = run(KNeighborsClassifier(1), data, "competition:3")
    for number, value in zip(results.scores["sample"], results.scores["value"], strict=True):
        (split,) = run.study.sampler.sample(data, number)[1].splits
        assert split.train.max() < 30
        fitted = KNeighborsClassifier(1).fit(X[split.train], y[split.train])
        assert value == np.mean(fitted.predict(T) != t)


def test_a_simulation_against_a_loop_by_hand(run):
    process = podium.process("p", draws, n=20, n_test=50)
    results = run(LinearRegression(), process, "simulation:3", measures=["squared"])
    values = []
    for number in (1, 2, 3):
        data = process.learning_and_test(run.study.seed, number)
        fitted = LinearRegression().fit(data.X[:20], data.y[:20])
        values.append(np.mean((fitted.predict(data.X[20:]) - data.y[20:]) ** 2))
    np.testing.assert_allclose(results.scores["value"], values, rtol=1e-12)


# --- classes and their columns ---


def test_a_class_that_was_never_learned_has_probability_zero(run):
    data = rare_class()
    results = run(
        LogisticRegression(),
        data,
        "bootstrap:8",
        measures=["log-loss", "brier"],
        keep=["predictions"],
    )
    assert len(results.failures) == 0
    lacking = 0
    for number in range(1, 9):
        (split,) = run.study.sampler.sample(data, number)[1].splits
        fitted = LogisticRegression().fit(data.X[split.train], data.y[split.train])
        shares = np.zeros((len(split.test), 3))
        shares[:, fitted.classes_] = fitted.predict_proba(data.X[split.test])
        lacking += len(fitted.classes_) < 3
        values = results.scores[results.scores["sample"] == number]["value"].tolist()
        said = np.clip(shares[np.arange(len(shares)), data.y[split.test]], np.finfo(float).eps, 1)
        np.testing.assert_allclose(values[0], -np.log(said).mean(), rtol=1e-12)
        expected = ((shares - np.eye(3)[data.y[split.test]]) ** 2).sum(1).mean()
        np.testing.assert_allclose(values[1], expected, rtol=1e-12)
        with Store(run.path, readonly=True) as store:
            (kept,) = store.kept(number)
        np.testing.assert_allclose(kept.arrays["predict_proba"], shares, rtol=1e-12)
    assert 0 < lacking < 8
    notes = results.warnings[results.warnings["category"] == "sample"]["message"]
    assert "the learning sample lacks class 2" in set(notes)


def test_auc_from_decisions_where_a_class_was_never_learned(run):
    """Two of three classes were learned: one column of decisions stands for two classes."""
    data = rare_class()
    results = run(LinearSVC(random_state=0), data, "bootstrap:8", measures=["auc"])
    assert list(results.failures["message"]) == []
    found = 0
    for number in range(1, 9):
        (split,) = run.study.sampler.sample(data, number)[1].splits
        value = results.scores[results.scores["sample"] == number]["value"].item()
        y = data.y[split.test]
        if len(np.unique(y)) < 3:
            assert np.isnan(value)
            continue
        estimator = LinearSVC(random_state=0)
        decision = estimator.fit(data.X[split.train], data.y[split.train]).decision_function(
            data.X[split.test]
        )
        columns = np.full((len(y), 3), -np.inf)
        if decision.ndim == 1:
            decision = np.column_stack([-decision, decision])
        columns[:, estimator.classes_] = decision
        areas = [pairs_in_order(y == c, columns[:, c]) for c in range(3)]
        np.testing.assert_allclose(value, np.mean(areas), rtol=1e-9)
        found += 1
    assert found


def pairs_in_order(positive, score):
    """The share of pairs in the right order, ties half: the area under the curve, counted."""
    one, other = score[positive][:, None], score[~positive][None, :]
    return np.mean(np.where(one == other, 0.5, one > other))


class Backwards(LogisticRegression):
    """Its classes, and with them its columns, stand in the opposite order."""

    def fit(self, X, y):
        self._inner = LogisticRegression().fit(X, y)
        self.classes_ = self._inner.classes_[::-1]
        return self

    def predict(self, X):
        return self._inner.predict(X)

    def predict_proba(self, X):
        return self._inner.predict_proba(X)[:, ::-1]

    def decision_function(self, X):
        decision = self._inner.decision_function(X)
        return -decision if decision.ndim == 1 else decision[:, ::-1]


@pytest.mark.parametrize("data", [two_classes, three_classes])
def test_columns_follow_the_estimator_s_own_order_of_classes(data, run):
    measures = ["error", "log-loss", "brier", "auc"]
    algorithms = {"forwards": LogisticRegression(), "backwards": Backwards()}
    results = run(algorithms, data(), "cv:3+stratified", measures=measures)
    for measure in measures:
        wide = results.wide(measure)
        np.testing.assert_allclose(wide["forwards"], wide["backwards"], rtol=1e-12)


@pytest.mark.parametrize("data", [two_classes, three_classes])
def test_decisions_follow_the_estimator_s_own_order_of_classes(data, run):
    algorithms = {"forwards": LinearSVC(random_state=0), "backwards": BackwardsSVC()}
    results = run(algorithms, data(), "cv:3+stratified", measures=["auc"])
    wide = results.wide("auc")
    np.testing.assert_allclose(wide["forwards"], wide["backwards"], rtol=1e-12)


class BackwardsSVC(Base):
    def fit(self, X, y):
        self.inner = LinearSVC(random_state=0).fit(X, y)
        self.classes_ = self.inner.classes_[::-1]
        return self

    def predict(self, X):
        return self.inner.predict(X)

    def decision_function(self, X):
        decision = self.inner.decision_function(X)
        return -decision if decision.ndim == 1 else decision[:, ::-1]


def test_an_undefined_score_is_missing_with_its_reason(run):
    results = run(LogisticRegression(), rare_class(), "loo", measures=["error", "auc"])
    assert results.values("auc")["value"].isna().all()
    assert results.values("error")["value"].notna().all()
    reasons = results.warnings[results.warnings["category"] == "undefined"]
    assert set(reasons["message"]) == {"auc: auc needs every class in the test sample"}
    assert len(reasons) == 30


# --- kept predictions ---


def test_kept_predictions_reproduce_the_scores(run):
    data = three_classes()
    results = run(
        LogisticRegression(),
        data,
        "bootstrap-cv:3x3",
        measures=["error", "log-loss"],
        keep=["predictions"],
    )
    with Store(run.path, readonly=True) as store:
        for run_number, sample in store.rows("SELECT id, sample FROM runs"):
            errors, logs = [], []
            splits = run.study.sampler.sample(data, sample)[1].splits
            for kept, split in zip(store.kept(run_number), splits, strict=True):
                a = kept.arrays
                np.testing.assert_array_equal(a["row"], split.test)
                np.testing.assert_array_equal(a["y"], data.y[split.test])
                errors.append(np.mean(a["y"] != a["predict"]))
                logs.append(log_loss(a["y"], a["predict_proba"], labels=[0, 1, 2]))
                assert a["decision_function"].shape == (len(a["y"]), 3)
            values = results.scores[results.scores["sample"] == sample]["value"].tolist()
            np.testing.assert_allclose(values, [np.mean(errors), np.mean(logs)], rtol=1e-12)


class BrokenExtras(Base):
    """What no measure asks for does not work."""

    def predict_proba(self, X):
        raise NotImplementedError("not fitted with probability=True")

    def decision_function(self, X):
        return np.full(len(X), np.nan)


@pytest.mark.parametrize(
    ("estimator", "data"),
    [(BrokenExtras(), two_classes), (SVC(decision_function_shape="ovo"), None)],
    ids=["broken", "ovo"],
)
def test_keeping_predictions_does_not_make_a_run_fail(estimator, data, run):
    """One against one gives six columns for four classes: nothing that can be kept by class."""
    y = np.arange(80) % 4
    four = podium.dataset("four", np.random.default_rng(0).normal(size=(80, 2)) + y[:, None], y)
    given = data() if data else four
    without = run(estimator, given)
    kept = run(estimator, given, keep=["predictions"])
    assert list(kept.failures["message"]) == []
    assert kept.warnings["message"].str.contains("decision_function is not kept: ").sum() == 3
    pd.testing.assert_frame_equal(without.scores, kept.scores)


# --- times and memory ---


def test_times_are_recorded_for_every_run_that_is_done(run):
    results = run({"a": LogisticRegression(), "bad": Raises(ValueError("x"))})
    done = results.runs["status"] == "done"
    assert (results.runs.loc[done, ["fit_time", "predict_time"]] > 0).all(axis=None)
    assert results.runs.loc[~done, ["fit_time", "predict_time"]].isna().all(axis=None)


class Hungry(Base):
    def __init__(self, megabytes=0):
        self.megabytes = megabytes

    def fit(self, X, y):
        self.size = len(np.ones(self.megabytes * 2**20, np.uint8))
        return self


def test_peak_memory_is_what_an_estimator_allocates(run):
    algorithms = {"hungry": Hungry(50), "modest": Hungry()}
    results = run(algorithms, measures=["peak-memory", "error"])
    megabytes = results.wide("peak-memory")[["hungry", "modest"]] / 2**20
    assert (megabytes["hungry"].between(49, 80)).all()
    assert (megabytes["modest"] < 20).all()
    assert results.measures["peak-memory"].unit == "bytes"
    assert len(results.values("error")) == 6


def test_peak_memory_alone_needs_no_predictions_but_a_working_estimator(run):
    results = run({"a": Hungry(1), "bad": Raises(ValueError("x"))}, measures=["peak-memory"])
    assert set(results.scores["algorithm"]) == {"a"}
    assert (results.scores["value"] >= 0).all()


def test_a_constant_regression_has_its_textbook_score(run):
    data = quantities()
    results = run(DummyRegressor(), data, "cv:4", measures=["squared"])
    for number, value in enumerate(results.scores["value"], 1):
        (split,) = run.study.sampler.sample(data, number)[1].splits
        expected = np.mean((data.y[split.test] - data.y[split.train].mean()) ** 2)
        np.testing.assert_allclose(value, expected, rtol=1e-12)


# --- weights, corrections, own samples, several fits and sizes ---


class Counting(Base):
    """Remembers how it was fitted; predicts the class of its random state."""

    fitted: ClassVar = []

    def __init__(self, random_state=None):
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        self.fitted.append((self.random_state, len(y), sample_weight))
        return self

    def predict(self, X):
        return np.full(len(X), self.random_state % 2)


@pytest.fixture
def counted():
    Counting.fitted.clear()
    return Counting.fitted


def test_weights_of_the_bayesian_bootstrap_are_those_that_an_algorithm_learns_with(run, counted):
    data = two_classes()
    run(Counting(), data, "bayesian-bootstrap:4")
    for number, (_, n, weights) in enumerate(counted, 1):
        (split,) = run.study.sampler.sample(data, number)[1].splits
        assert n == 40
        np.testing.assert_array_equal(weights, split.weights)


def test_a_weighted_fit_is_scored_as_by_hand_also_in_a_pipeline(run):
    data = quantities()
    algorithms = [
        podium.algorithm("plain", LinearRegression()),
        podium.algorithm("preprocessed", LinearRegression(), preprocess=True),
    ]
    results = run(algorithms, data, "bayesian-bootstrap:3", measures=["squared"])
    wide = results.wide("squared")
    np.testing.assert_allclose(wide["plain"], wide["preprocessed"])
    (split,) = run.study.sampler.sample(data, 2)[1].splits
    fitted = LinearRegression().fit(data.X, data.y, sample_weight=split.weights)
    np.testing.assert_allclose(wide["plain"][1], np.mean((data.y - fitted.predict(data.X)) ** 2))
    assert set(results.warnings["message"]) == {
        "tested on rows that were learned from, which is optimistic"
    }


@pytest.mark.parametrize("plus", [False, True])
def test_632_estimates_are_those_of_the_formula(run, plus):
    data = two_classes(200)
    sampling = podium.samplings.bootstrap_632(4, plus=plus)
    results = run(DecisionTreeClassifier(random_state=0, max_depth=2), data, sampling)
    whole = DecisionTreeClassifier(random_state=0, max_depth=2).fit(data.X, data.y)
    said = whole.predict(data.X)
    apparent = np.mean(said != data.y)
    gamma = np.mean(said[:, None] != data.y[None, :])
    for number, value in enumerate(results.wide("error")["a"], 1):
        (split,) = run.study.sampler.sample(data, number)[1].splits
        tree = DecisionTreeClassifier(random_state=0, max_depth=2)
        tree.fit(data.X[split.train], data.y[split.train])
        bag = np.mean(tree.predict(data.X[split.test]) != data.y[split.test])
        rate = (bag - apparent) / (gamma - apparent) if bag > apparent else 0
        assert rate <= 1
        weight = 0.632 / (1 - 0.368 * rate) if plus else 0.632
        assert value == pytest.approx((1 - weight) * apparent + weight * bag)


def test_the_whole_learning_sample_is_fitted_once_per_algorithm_and_data_set(run, counted):
    algorithms = {"a": Counting(), "b": Counting()}
    run(algorithms, [two_classes(name="x"), two_classes(30, name="y")], "bootstrap-632:5")
    assert len(counted) == 2 * 2 * (5 + 1)


def test_scores_of_632_do_not_depend_on_what_ran_before(run, tmp_path):
    """The apparent fit has random numbers of its own, so it may be remembered or not."""
    algorithms = {"tree": DecisionTreeClassifier(max_features=1, max_depth=3), "coin": Coin()}
    together = run(algorithms, sampling="bootstrap-632plus:4").scores
    alone = podium.Study(two_classes(), algorithms, sampling="bootstrap-632plus:1")
    path = tmp_path / "resumed.db"
    podium.run(alone, path, quiet=True)
    resumed = podium.run(run.study, path, quiet=True).scores
    keys = ["algorithm", "sample"]
    pd.testing.assert_frame_equal(
        together.sort_values(keys, ignore_index=True), resumed.sort_values(keys, ignore_index=True)
    )


class Coin(Base):
    """Tosses the global coin of numpy."""

    def fit(self, X, y):
        self.said = np.random.randint(2)
        return self

    def predict(self, X):
        return np.random.randint(2, size=len(X)) ^ self.said


class NotTheWhole(Base):
    def fit(self, X, y):
        warnings.warn("hm", stacklevel=1)
        if len(set(X[:, 0])) == len(X):
            raise ValueError("all rows are different")
        return self


def test_a_failed_fit_to_the_whole_learning_sample_fails_the_runs(run):
    results = run(NotTheWhole(), sampling="bootstrap-632:2")
    assert list(results.failures["message"]) == ["all rows are different"] * 2


def test_algorithms_with_independent_samples_are_scored_on_their_own(run):
    data = two_classes()
    algorithms = {
        "a": DecisionTreeClassifier(random_state=0),
        "b": DecisionTreeClassifier(random_state=0),
    }
    wide = run(algorithms, data, "bootstrap:6+independent").wide("error")
    assert not np.array_equal(wide["a"], wide["b"])
    for name in algorithms:
        for number in (1, 2):
            (split,) = run.study.sampler.sample(data, number, name)[1].splits
            tree = DecisionTreeClassifier(random_state=0)
            tree.fit(data.X[split.train], data.y[split.train])
            error = np.mean(tree.predict(data.X[split.test]) != data.y[split.test])
            assert wide[name][number - 1] == pytest.approx(error)


def test_the_score_of_several_fits_is_their_mean_and_all_are_kept(run, counted):
    results = run(Counting(), sampling="holdout:0.5", fits=4, keep=["predictions"])
    assert len({state for state, _, _ in counted}) == 4
    with Store(run.path, readonly=True) as store:
        kept = [k.arrays for k in store.kept(1)]
    errors = [np.mean(a["y"] != a["predict"]) for a in kept]
    assert len(errors) == 4
    assert results.scores["value"].item() == pytest.approx(np.mean(errors))
    assert len(set(errors)) > 1


def test_other_numbers_of_fits_need_another_store(run):
    run(DummyClassifier(), fits=2)
    again = podium.Study(two_classes(), {"a": DummyClassifier()}, sampling="bootstrap:3")
    with pytest.raises(podium.PodiumError, match="holds the sampling 'bootstrap:3, 2 fits'"):
        podium.run(again, run.path, quiet=True)


@pytest.mark.parametrize(
    ("sampling", "options"),
    [
        ("parametric-bootstrap:3x50", {}),
        ("bootstrap-whole:3", {}),
        ("moving-block:3x5x1", {}),
        ("rolling-origin:3x4", {}),
        ("training-sets:3x8", {}),
        ("bootstrap-632plus:3", {}),
        ("bayesian-bootstrap:3", {}),
        ("bootstrap:3+independent", {}),
        ("bootstrap:3", {"sizes": [0.3, 0.9]}),
        ("bootstrap:3", {"fits": 2}),
    ],
    ids=str,
)
def test_every_design_gives_the_same_scores_in_any_order_on_any_worker(run, sampling, options):
    """Every run is done again backwards, each by a plan that has just arrived at a worker."""
    algorithms = {"tree": DecisionTreeClassifier(max_features=1), "logit": LogisticRegression()}
    here = run(algorithms, sampling=sampling, **options)
    assert len(here.failures) == 0
    assert here.scores["value"].notna().all()
    study = run.study
    with share(_plan(study)) as shared:
        content = Content(shared.file.fileno())
        for one in reversed(list(study)):
            (record,) = execute_batch(shared_plan(content, 0), [one])
            wide = here.wide("error").set_index(["dataset", "sample"])
            assert wide.loc[(one.dataset, one.sample), one.algorithm] == record.scores["error"]
