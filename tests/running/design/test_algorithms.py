"""Algorithms: which estimators may be named, their parameters, their seeds and fresh copies."""

import sys

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.cluster import KMeans
from sklearn.ensemble import (
    BaggingClassifier,
    RandomForestClassifier,
    StackingClassifier,
    VotingClassifier,
)
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier

from podium import algorithm
from podium.errors import DesignError
from podium.running.design.learners.algorithms import named_algorithm

FOREST = "sklearn.ensemble.RandomForestClassifier"
PROBABILITIES, DECISION = "predict_proba", "decision_function"


class Majority:
    """A user's own object: nothing but fit and predict."""

    def __init__(self, label=0, random_state=None):
        self.label, self.random_state = label, random_state

    def fit(self, X, y):
        self.label = np.bincount(y).argmax()
        return self

    def predict(self, X):
        return np.full(len(X), self.label)


class Lazy(ClassifierMixin, BaseEstimator):
    """An estimator that hands on what it does not have itself."""

    def fit(self, X, y):
        self.inner_ = GaussianNB().fit(X, y)
        return self

    def predict(self, X):
        return self.inner_.predict(X)

    def __getattr__(self, name):
        return getattr(self.__dict__["inner_"], name) if "inner_" in self.__dict__ else _no(name)


def _no(name):
    raise AttributeError(name)


def forest(trees=3, *, depth=None):
    return RandomForestClassifier(n_estimators=trees, max_depth=depth)


def says(call, *parts):
    with pytest.raises(DesignError) as caught:
        call()
    assert [p for p in parts if p not in str(caught.value)] == []


# -- what may be named -------------------------------------------------------------------------


def test_scikit_learn_needs_no_trust():
    made = named_algorithm("f", FOREST, {"n_estimators": 3})
    assert made.estimator().n_estimators == 3
    assert made.estimator_path == FOREST


def test_another_package_needs_trust(tmp_path, monkeypatch):
    (tmp_path / "someones_models.py").write_text(
        "class Model:\n"
        "    def fit(self, X, y): return self\n"
        "    def predict(self, X): return X[:, 0]\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    path = "someones_models.Model"
    says(
        lambda: named_algorithm("m", path, {}),
        "'someones_models' is not trusted",
        "add --trust someones_models",
    )
    assert "someones_models" not in sys.modules
    made = named_algorithm("m", path, {}, trust=["someones_models"])
    assert type(made.estimator()).__name__ == "Model"
    in_python = algorithm("m", path)  # where the user wrote it, no study file
    assert type(in_python.estimator()).__name__ == "Model"


def test_a_module_that_lies_here_and_is_not_found_has_a_way_out(tmp_path, monkeypatch):
    (tmp_path / "neighbours_models.py").write_text("class Model: ...\n")
    monkeypatch.chdir(tmp_path)
    trusting = {"trust": ["neighbours_models"]}
    says(lambda: named_algorithm("m", "neighbours_models.Model", {}, **trusting), "PYTHONPATH=.")


def test_in_python_a_path_is_trusted_as_the_user_wrote_it():
    assert isinstance(algorithm("nb", "sklearn.naive_bayes.GaussianNB").estimator(), GaussianNB)


def test_an_inner_splitter_or_kernel_may_be_named():
    made = named_algorithm(
        "g",
        "sklearn.model_selection.GridSearchCV",
        {
            "estimator": {"estimator": "sklearn.svm.SVC"},
            "param_grid": {"C": [1, 10]},
            "cv": {"estimator": "sklearn.model_selection.KFold", "parameters": {"n_splits": 3}},
        },
    ).estimator()
    assert (made.cv.n_splits, made.param_grid) == (3, {"C": [1, 10]})


def test_an_inner_store_may_not_be_made(tmp_path):
    inner = {"estimator": "podium.Store", "parameters": {"path": str(tmp_path / "x.db")}}
    says(
        lambda: named_algorithm("b", "sklearn.ensemble.BaggingClassifier", {"estimator": inner}),
        "'podium.Store'",
        "neither an estimator",
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("recipe", [None, 3, "", object(), StandardScaler(), StandardScaler])
def test_what_is_no_estimator_is_refused(recipe):
    says(lambda: algorithm("a", recipe), "Algorithm 'a'")


# -- parameters --------------------------------------------------------------------------------


@pytest.mark.parametrize("recipe", [SVC, SVC(), "sklearn.svm.SVC"])
def test_an_unknown_parameter_is_suggested(recipe):
    says(lambda: algorithm("a", recipe, kernal="rbf"), "'kernal'", "Did you mean 'kernel'?")


def test_an_unknown_parameter_of_a_factory_is_suggested():
    says(lambda: algorithm("a", forest, tree=3), "forest", "'tree'", "Did you mean 'trees'?")


def test_a_wrong_value_is_refused_before_any_run():
    says(lambda: algorithm("a", SVC(C=-1)), "'C' parameter of SVC", "-1")
    says(lambda: algorithm("a", make_pipeline(StandardScaler(), SVC(C=-1))), "'C' parameter")


def test_a_factory_that_fails_says_why():
    says(lambda: algorithm("a", lambda: 1 / 0), "Algorithm 'a'", "ZeroDivisionError")


def test_parameters_set_an_estimator_without_changing_it():
    given = SVC()
    assert algorithm("a", given, C=7).estimator().C == 7
    assert given.C == 1


# -- random states -----------------------------------------------------------------------------


def states(estimator):
    found = estimator.get_params(deep=True)
    return {k: v for k, v in found.items() if k.endswith("random_state")}


NESTED = make_pipeline(
    StandardScaler(),
    BaggingClassifier(DecisionTreeClassifier(), n_estimators=2),
)


@pytest.mark.parametrize("recipe", [RandomForestClassifier(), NESTED, forest])
def test_open_random_states_follow_from_the_seed(recipe):
    made = algorithm("a", recipe)
    first, again, other = (states(made.estimator(s)) for s in (1, 1, 2))
    assert first == again
    assert None not in first.values()
    assert all(first[k] != other[k] for k in first)
    assert None in states(made.estimator()).values()


def test_inner_states_differ_from_each_other():
    found = states(algorithm("a", NESTED).estimator(1))
    assert len(set(found.values())) == len(found) == 2


def test_a_random_state_that_was_set_stays():
    inner = DecisionTreeClassifier(random_state=5)
    found = states(algorithm("a", BaggingClassifier(inner)).estimator(1))
    assert found["estimator__random_state"] == 5
    assert found["random_state"] not in (None, 5)


def test_preprocessing_keeps_the_seed_of_the_estimator():
    made = algorithm("a", RandomForestClassifier(), preprocess=True)
    assert isinstance(made.estimator(), Pipeline)
    assert None not in states(made.estimator(1)).values()


# -- fresh estimators --------------------------------------------------------------------------


def test_a_users_own_object_is_copied_for_every_run():
    given = Majority()
    made = algorithm("m", given)
    first = made.estimator(1).fit(np.zeros((3, 1)), np.array([1, 1, 0]))
    assert (first.label, made.estimator(1).label, given.label) == (1, 0, 0)
    assert first.random_state == made.estimator(1).random_state is not None
    assert made.kind == ""


def test_a_factory_that_hands_out_one_object_gives_fresh_copies():
    kept = GaussianNB()
    made = algorithm("k", lambda: kept)
    made.estimator().fit(np.zeros((2, 1)), [0, 1])
    assert not hasattr(kept, "classes_")


def test_kinds():
    assert algorithm("a", SVC).kind == "classification"
    assert algorithm("a", "sklearn.linear_model.Ridge").kind == "regression"
    assert algorithm("a", make_pipeline(StandardScaler(), SVC())).kind == "classification"


# -- fingerprints ------------------------------------------------------------------------------


def test_a_fingerprint_is_about_content_not_about_the_name():
    same = [algorithm("a", SVC(C=2)), algorithm("b", SVC, C=2), algorithm("c", SVC(), C=2)]
    assert len({a.fingerprint for a in same}) == 1
    other = [algorithm("a", SVC(C=3)), algorithm("a", SVC(C=2), preprocess=True)]
    assert len({a.fingerprint for a in [*same, *other]}) == 3


def test_a_factorys_fingerprint_holds_its_parameters():
    given = [algorithm("a", forest), algorithm("a", forest, depth=2), algorithm("a", forest)]
    assert given[0].fingerprint == given[2].fingerprint != given[1].fingerprint


def test_a_generator_as_random_state_is_refused():
    says(
        lambda: algorithm("a", RandomForestClassifier(random_state=np.random.RandomState(1))),
        "random",
    )


# -- outputs that measures need ----------------------------------------------------------------


@pytest.mark.parametrize(
    "estimator",
    [
        LinearSVC(),
        SVC(),
        SGDClassifier(loss="hinge"),
        VotingClassifier([("a", GaussianNB())], voting="hard"),
        KMeans(),
        Majority(),
        make_pipeline(StandardScaler(), LinearSVC()),
        GridSearchCV(LinearSVC(), {"C": [1]}),
    ],
    ids=lambda e: type(e).__name__,
)
def test_probabilities_that_an_estimator_lacks(estimator):
    assert algorithm("a", estimator).lacks([PROBABILITIES], "classification")


@pytest.mark.parametrize(
    "estimator",
    [
        GaussianNB(),
        SGDClassifier(loss="log_loss"),
        VotingClassifier([("a", GaussianNB())], voting="soft"),
        make_pipeline(StandardScaler(), LogisticRegression()),
        GridSearchCV(LogisticRegression(), {"C": [1]}),
        BaggingClassifier(LinearSVC()),
        StackingClassifier([("a", LinearSVC())]),  # its last estimator is chosen by fit
        make_pipeline(StandardScaler(), StackingClassifier([("a", LinearSVC())])),
        Lazy(),
    ],
    ids=lambda e: type(e).__name__,
)
def test_probabilities_that_an_estimator_has_or_may_have(estimator):
    assert not algorithm("a", estimator).lacks([PROBABILITIES], "classification")


def test_one_of_several_outputs_is_enough():
    assert not algorithm("a", LinearSVC()).lacks([PROBABILITIES, DECISION], "classification")
    assert algorithm("a", KMeans()).lacks([PROBABILITIES, DECISION], "classification")
