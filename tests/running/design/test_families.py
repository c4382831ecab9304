"""Families: their choices against slow searches, their formulas against R, small samples."""

import math
import time

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.datasets import load_diabetes, load_iris
from sklearn.ensemble import StackingClassifier
from sklearn.feature_selection import f_classif
from sklearn.model_selection import GridSearchCV, PredefinedSplit
from sklearn.neural_network import MLPClassifier
from sklearn.svm import SVC, SVR
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import podium
from podium import algorithm
from podium.cli.main import status_of
from podium.core.words.notes.of_results import DRAWN
from podium.errors import DesignError
from podium.running.design.families import FAMILIES
from podium.running.design.families.base import first_best, fold_numbers, splits
from podium.running.design.families.bayes import NaiveBayes
from podium.running.design.families.discriminants import Dlda, Lda
from podium.running.design.families.machines import Svm
from podium.running.design.families.neighbours import Knn
from podium.running.design.families.networks import Nnet
from podium.running.design.families.plain import Majority, Mean
from podium.running.design.families.trees import (
    Bagging,
    Pruned,
    Tree,
    _steps,
    one_se,
    stopping_alphas,
)
from podium.running.design.learners.preprocessing import in_proportion, weight_parameter

IRIS, SPECIES = load_iris(return_X_y=True)
FOLDS = np.arange(150) % 10
CHEAP = {  # parameters that make a family fast, nothing else
    "svm": {"costs": [1, 16], "gammas": [0.1, 1], "folds": 3},
    "nnet": {"hidden": [1, 2], "iterations": 20, "folds": 3},
    "random-forest": {"trees": 10},
    "bagging": {"trees": 10},
}
CLASSIFIERS = [n for n, f in FAMILIES.items() if f.only != "regression"]
REGRESSORS = [n for n, f in FAMILIES.items() if f.only != "classification"]


def made(name, **more):
    family = FAMILIES[name](**CHEAP.get(name, {}), **more)
    return family.set_params(random_state=1) if "random_state" in family.get_params() else family


def given_folds(family, numbers=FOLDS):
    """The family with its folds fixed, so that other programs can use the same ones."""
    kind = type(family.__name__, (family,), {"_splits": lambda self, t, s: splits(numbers)})
    kind.__init__ = family.__init__  # scikit-learn reads the parameters there
    return kind


def mixed(n, seed=0):
    """Numbers with gaps, a constant, a nominal attribute with gaps, and two classes."""
    rng = np.random.default_rng(seed)
    level = rng.choice(["a", "b", "c"], n)
    number = rng.normal(size=n)
    y = ((level == "a") + number > 0.5).astype(np.int64)
    y[:2] = 0, 1
    frame = pd.DataFrame({"x": number, "one": 1.0, "f": pd.Categorical(level)})
    frame.loc[rng.random(n) < 0.1, "x"] = np.nan
    frame.loc[rng.random(n) < 0.1, "f"] = None
    return frame, y


# -- searching ---------------------------------------------------------------------------------


def test_the_early_search_finds_the_first_best_of_the_full_search():
    rng = np.random.default_rng(0)
    for _ in range(200):
        table = rng.integers(0, 4, size=(6, 4))  # many ties
        assert _searched(table) == (table.sum(axis=1).argmin(), table.sum(axis=1).min())


def _searched(table):
    asked = set()

    def loss(candidate, fold):
        assert (candidate, fold) not in asked
        asked.add((candidate, fold))
        return table[candidate, fold]

    return first_best(*table.shape, loss)


def test_folds_are_even_within_classes():
    y = np.repeat([0, 1, 2], [23, 14, 1])
    numbers = fold_numbers(y, 5, np.random.default_rng(0), stratified=True)
    assert np.ptp(np.bincount(numbers)) <= 1
    assert all(np.ptp(np.bincount(numbers[y == c], minlength=5)) <= 1 for c in (0, 1, 2))
    assert len(splits(fold_numbers(y[:3], 5, np.random.default_rng(0), stratified=False))) == 3


# -- nearest neighbours ------------------------------------------------------------------------


def neighbour_says(Z, y, z, k, quantity):
    distance = ((Z - z) ** 2).sum(axis=1)
    votes = y[distance <= np.sort(distance)[min(k, len(y)) - 1] + 1e-9]
    if quantity:
        return votes.mean()
    shares = [(np.mean(votes == c), np.mean(y == c), -c) for c in np.unique(y)]
    return -max(shares)[2]


@pytest.mark.parametrize("quantity", [False, True])
def test_k_is_that_of_a_brute_force_search(quantity):
    rng = np.random.default_rng(3)
    X = rng.integers(0, 4, size=(45, 2)).astype(float)  # ties everywhere
    y = X.sum(axis=1) + rng.normal(0, 1, 45) if quantity else rng.integers(0, 3, 45)
    numbers = np.arange(45) % 4
    knn = given_folds(Knn, numbers)().fit(X, y)
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    target = (y - y.mean()) / y.std() if quantity else y
    totals = {}
    for k in range(1, 7):
        said = [
            neighbour_says(Z[numbers != f], target[numbers != f], z, k, quantity)
            for z, f in zip(Z, numbers, strict=True)
        ]
        loss = (target - said) ** 2 if quantity else target != said
        totals[k] = np.mean(loss)
    best = min(totals, key=lambda k: (round(totals[k], 12), k))
    assert knn.chosen_ == {"k": best, "cv": pytest.approx(totals[best])}
    by_hand = [neighbour_says(Z, y, z, best, quantity) for z in Z]
    np.testing.assert_allclose(knn.predict(X), by_hand)


def test_everybody_as_near_as_the_kth_neighbour_votes():
    X, y = np.array([[0.0], [1], [1], [1], [5]]), np.array([0, 1, 1, 0, 0])
    proba = Knn(k=2).fit(X, y).predict_proba(np.array([[0.0]]))
    np.testing.assert_allclose(proba, [[0.5, 0.5]])
    assert Knn(k=2).fit(X, y).predict(np.array([[0.0]])) == 0  # the more frequent class


def test_portions_change_nothing(monkeypatch):
    whole = Knn(random_state=1).fit(IRIS, SPECIES).predict_proba(IRIS)
    monkeypatch.setattr("podium.running.design.families.neighbours.LARGEST", 2000)
    np.testing.assert_array_equal(Knn(random_state=1).fit(IRIS, SPECIES).predict_proba(IRIS), whole)


# -- the pruned tree ---------------------------------------------------------------------------


def test_weakest_links_by_hand():
    # root 0 (risk 10) has children 1 (risk 4; leaves 2: 1, 3: 0) and 4 (risk 3; leaves 5: 2, 6: 0)
    left, right = np.array([1, 2, -1, -1, 5, -1, -1]), np.array([4, 3, -1, -1, 6, -1, -1])
    risk = np.array([10, 4, 1, 0, 3, 2, 0])
    # node 4: (3 - 2) / 1; then node 1: (4 - 1) / 1 = 3 and the root (10 - 4) / 2 = 3 go together
    np.testing.assert_allclose(stopping_alphas(left, right, risk), [3, 3, 0, 0, 1, 0, 0])


@pytest.mark.parametrize("grower", [DecisionTreeClassifier, DecisionTreeRegressor])
def test_weakest_links_against_scikit_learn(grower):
    """Its path uses the impurity as the risk; refitting at every price is the slow loop."""
    X, y = load_diabetes(return_X_y=True)
    y = (y > 140).astype(int) if grower is DecisionTreeClassifier else y
    full = grower(min_samples_leaf=7, random_state=0).fit(X, y)
    tree = full.tree_
    risk = tree.weighted_n_node_samples * tree.impurity / len(y)
    alphas = stopping_alphas(tree.children_left, tree.children_right, risk)
    path = full.cost_complexity_pruning_path(X, y).ccp_alphas
    np.testing.assert_allclose(np.unique(alphas.round(9)), np.unique(path.clip(0).round(9)))
    prices = np.sqrt(path[1:-1] * path[2:])[:: len(path) // 12]
    classifies = grower is DecisionTreeClassifier
    pruned = Pruned(tree, alphas, tree.value[:, 0, :], classifies)
    said = pruned.decided(pruned.at(X, prices))
    for i, price in enumerate(prices):
        slow = grower(min_samples_leaf=7, random_state=0, ccp_alpha=price).fit(X, y)
        np.testing.assert_allclose(said[:, i], slow.predict(X))
        assert pruned.leaves(price) == slow.get_n_leaves()


# R 4.2.2, rpart 4.1.19: rpart(f, iris, control = rpart.control(cp = 0, xval = rep(1:10, 15)))
# $cptable without nsplit's neighbour "rel error"; f = Species ~ . and
# f = Petal.Width ~ Sepal.Length + Sepal.Width + Petal.Length
RPART_CLASSES = [
    (0.50, 0, 1.0, 0.057735026919),
    (0.44, 1, 0.5, 0.057735026919),
    (0.00, 2, 0.1, 0.030550504633),
]
RPART_NUMBERS = [
    (7.87378835916e-01, 0, 1.0011468736297, 0.0667381322150),
    (1.33615989147e-01, 1, 0.2143569191174, 0.0235111091163),
    (1.25740284025e-02, 2, 0.0832399960820, 0.0103069036832),
    (8.61799651480e-03, 3, 0.0911197716829, 0.0122357674984),
    (8.24963140189e-03, 4, 0.0914197678511, 0.0124557497903),
    (3.67744169476e-03, 5, 0.0849733020266, 0.0121919624166),
    (1.44347504555e-03, 6, 0.0774194701370, 0.0112957014446),
    (1.00150244619e-03, 7, 0.0717969116657, 0.0108321831912),
    (8.47832758681e-04, 8, 0.0705987308674, 0.0104814203457),
    (1.76020641941e-04, 9, 0.0679582556346, 0.0100536693072),
    (5.60649080651e-05, 10, 0.0676205956544, 0.0100285572196),
    (0.00000000000e00, 11, 0.0676428783601, 0.0100263411949),
]


@pytest.mark.parametrize(
    ("X", "y", "root", "table", "leaves"),
    [
        (IRIS, SPECIES, 2 / 3, RPART_CLASSES, 3),
        (IRIS[:, :3], IRIS[:, 3], 1.0, RPART_NUMBERS, 7),  # 0.0774 <= 0.0676 + 0.0100
    ],
)
def test_the_pruning_table_is_that_of_rpart(X, y, root, table, leaves):
    tree = given_folds(Tree)(random_state=0).fit(X, y)
    Z, target = tree._coded(X), tree._learn_target(y)
    grown = tree._grown(Z, target, 0)
    path = _steps(grown.alphas)
    errors = tree._errors(path, Z, target, 0)
    ours = zip(
        path / root,
        [grown.leaves(a) - 1 for a in path],
        errors.mean(axis=0) / root,
        errors.std(axis=0) / math.sqrt(150) / root,
        strict=True,
    )
    np.testing.assert_allclose(list(ours), table[::-1], rtol=1e-9, atol=1e-12)
    assert tree.chosen_["leaves"] == leaves


def test_the_one_se_rule_by_hand():
    errors = np.zeros((100, 4))  # large trees first
    for column, wrong in enumerate([14, 10, 12, 14]):
        errors[:wrong, column] = 1
    assert one_se(errors) == 2  # 0.10 + sqrt(0.1 * 0.9 / 100) = 0.13
    assert one_se(np.zeros((5, 3))) == 2


# -- support vector machines -------------------------------------------------------------------


@pytest.mark.parametrize("quantity", [False, True])
def test_cost_and_gamma_are_those_of_a_grid_search(quantity):
    rng = np.random.default_rng(5)
    rows = rng.integers(0, 150, 90)  # a bootstrap sample: equal rows are merged
    X, y = IRIS[rows, 1:3], IRIS[rows, 3] if quantity else SPECIES[rows]
    numbers = np.arange(90) % 5
    grid = {"C": [0.125, 1, 8, 64, 512], "gamma": [0.01, 0.1, 1, 10]}
    svm = given_folds(Svm, numbers)(costs=grid["C"], gammas=grid["gamma"]).fit(X, y)
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    target = (y - y.mean()) / y.std() if quantity else y
    slow = GridSearchCV(
        SVR() if quantity else SVC(),
        grid,
        cv=PredefinedSplit(numbers),
        scoring="neg_mean_squared_error" if quantity else "accuracy",
    ).fit(Z, target)
    loss = -slow.best_score_ if quantity else 1 - slow.best_score_
    chosen = {"cost": slow.best_params_["C"], "gamma": slow.best_params_["gamma"]}
    assert svm.chosen_ == chosen | {"cv": pytest.approx(loss, rel=1e-3)}
    said = slow.predict(Z) * (y.std() if quantity else 1) + (y.mean() if quantity else 0)
    np.testing.assert_allclose(svm.predict(X), said, rtol=1e-9)


def test_the_probabilities_of_a_machine_favour_what_it_predicts():
    svm = made("svm").fit(IRIS, SPECIES)
    proba = svm.predict_proba(IRIS)
    np.testing.assert_allclose(proba.sum(axis=1), 1)
    assert np.mean(proba.argmax(axis=1) == svm.predict(IRIS)) > 0.97


# -- networks and ensembles --------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:lbfgs failed to converge")
def test_the_number_of_hidden_units_is_that_of_a_full_search():
    X, y = mixed(60)
    net = given_folds(Nnet, np.arange(60) % 3)(hidden=[1, 2, 3], random_state=4).fit(X, y)
    seed = int(np.random.RandomState(4).randint(2**31 - 1))
    starts = np.random.default_rng(seed).integers(2**31, size=(3, 3))
    Z, wrong = net._coded(X), np.zeros(3)
    options = {"activation": "logistic", "solver": "lbfgs", "alpha": 0, "max_iter": 100}
    for i, size in enumerate((1, 2, 3)):
        for f, (train, test) in enumerate(splits(np.arange(60) % 3)):
            slow = MLPClassifier((size,), random_state=starts[i, f], **options)
            wrong[i] += (slow.fit(Z[train], y[train]).predict(Z[test]) != y[test]).sum()
    assert net.chosen_ == {"hidden": wrong.argmin() + 1, "cv": wrong.min() / 60}
    assert Nnet(random_state=1).fit(X, y).chosen_["hidden"] <= math.log(60)


def test_bagging_looks_at_all_attributes_and_a_forest_at_some():
    forests = [made(n).fit(IRIS, SPECIES).model_ for n in ("bagging", "random-forest")]
    assert [f.estimators_[0].max_features_ for f in forests] == [4, 2]
    assert len(forests[0].estimators_) == 10
    assert Bagging().trees == 250


# -- discriminants and Bayes -------------------------------------------------------------------


def test_lda_against_r():
    # R 4.2.2, MASS 7.3-58.2: predict(lda(Species ~ ., iris), iris[rows, ])$posterior
    rows = np.array([51, 71, 84, 120, 135]) - 1
    virginica = [
        0.000110587759018,
        0.746771775261821,
        0.856608091921243,
        0.779201015694686,
        0.933977471051205,
    ]
    proba = Lda().fit(IRIS, SPECIES).predict_proba(IRIS[rows])
    np.testing.assert_allclose(proba[:, 2], virginica, rtol=1e-5)


def test_lda_does_not_mind_redundant_columns_and_sees_perfect_ones():
    X, y = np.column_stack([IRIS, IRIS[:, 0] + IRIS[:, 1]]), SPECIES
    plain = Lda().fit(IRIS, y).predict_proba(IRIS)
    np.testing.assert_allclose(Lda().fit(X, y).predict_proba(X), plain, atol=1e-5)
    perfect = np.column_stack([IRIS[:, :1], y == 1])
    assert Lda().fit(perfect, (y == 1).astype(int)).score(perfect, y == 1) == 1


def test_dlda_is_the_closed_formula_on_the_chosen_variables():
    X, y = load_diabetes(return_X_y=True)
    y = (y > 140).astype(int)
    dlda = Dlda(variables=4).fit(X, y)
    best = np.argsort(-f_classif(X, y)[0])[:4]
    assert sorted(dlda.selected_) == sorted(best)
    Z = X[:, best]
    means = np.array([Z[y == c].mean(axis=0) for c in (0, 1)])
    variance = ((Z - means[y]) ** 2).sum(axis=0) / (len(y) - 2)
    scores = [-((Z - m) ** 2 / variance).sum(axis=1) / 2 for m in means]
    scores = np.column_stack(scores) + np.log(np.bincount(y) / len(y))
    by_hand = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(dlda.predict_proba(X), by_hand, rtol=1e-5)


def test_the_number_of_variables_is_that_of_a_slow_search():
    X, y = load_diabetes(return_X_y=True)
    y = np.digitize(y, [100, 200])
    numbers = np.arange(len(y)) % 7
    tuned = given_folds(Dlda, numbers)(variables=[1, 2, 3, 5, 8]).fit(X, y)
    wrong = {}
    for v in (1, 2, 3, 5, 8):
        wrong[v] = sum(
            (Dlda(variables=v).fit(X[train], y[train]).predict(X[test]) != y[test]).sum()
            for train, test in splits(numbers)
        )
    best = min(wrong, key=lambda v: (wrong[v], v))
    assert tuned.chosen_ == {"variables": best, "cv": wrong[best] / len(y)}
    assert Dlda(variables="all").fit(X, y).chosen_ == {"variables": 10}


def robots():
    x = [1.0, 1.5, 2.2, 3.1, 2.9, 4.0, 3.5, np.nan]
    f = pd.Categorical(list("aababbcb"))
    return pd.DataFrame({"x": x, "f": f}), np.array([0, 0, 0, 0, 1, 1, 1, 1])


@pytest.mark.parametrize(
    ("laplace", "ones"),
    [
        # R 4.2.2, e1071 1.7-13: predict(naiveBayes(d, y, laplace = l), new, type = "raw")[, 2]
        (0, [6.37130118688e-05, 9.34257899481e-01, 9.90684288192e-01]),
        (1, [0.0118059063185, 0.9045252059750, 0.4596826606636]),
    ],
)
def test_naive_bayes_against_r(laplace, ones):
    new = pd.DataFrame({"x": [2, 3.3, 2.5], "f": pd.Categorical(["a", "b", "c"])})
    proba = NaiveBayes(laplace=laplace).fit(*robots()).predict_proba(new)
    np.testing.assert_allclose(proba[:, 1], ones, rtol=1e-9)


def test_naive_bayes_by_hand_leaves_out_what_it_does_not_know():
    bayes = NaiveBayes(laplace=0.5).fit(*robots())
    new = pd.DataFrame({"x": [np.nan, np.nan], "f": pd.Categorical(["b", "new"])})
    odds = (3 + 0.5) / (1 + 0.5)  # equal shares, equal rows, three levels
    np.testing.assert_allclose(
        bayes.predict_proba(new), [[1 / (1 + odds), odds / (1 + odds)], [0.5, 0.5]]
    )


# -- every family ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_every_classifier_is_deterministic_and_clones(name):
    X, y = mixed(40)
    start = time.perf_counter()
    first, second = made(name).fit(X, y), clone(made(name)).fit(X, y)
    assert 0 <= first.tuning_time_ + second.tuning_time_ <= time.perf_counter() - start
    np.testing.assert_array_equal(first.predict_proba(X), second.predict_proba(X))
    assert first.chosen_ == second.chosen_
    assert first.get_params() == made(name).get_params()
    assert is_classifier(first)
    assert first.predict_proba(X).shape == (40, 2)
    np.testing.assert_allclose(first.predict_proba(X).sum(axis=1), 1)
    assert name == "majority" or first.score(X, y) > 0.75


@pytest.mark.parametrize("name", REGRESSORS)
def test_every_regression_predicts_on_the_scale_of_its_target(name):
    X, _ = mixed(60)
    y = 1000 + 10 * (X["f"].astype(object) == "a").to_numpy() + X["x"].fillna(0).to_numpy()
    fitted = made(name).fit(X, y)
    assert is_regressor(fitted)
    assert not hasattr(fitted, "predict_proba")
    assert name == "mean" or fitted.score(X, y) > 0.8
    again = made(name).fit(X, (y - 1000) * 3)
    np.testing.assert_allclose((fitted.predict(X) - 1000) * 3, again.predict(X), atol=0.5)
    assert np.isfinite(made(name).fit(X[:5], np.full(5, 3.0)).predict(X)).all()


SMALL = {
    "two rows": (np.array([[0.0, 1], [1, 1]]), [0, 1]),
    "a class of one row": (np.array([[0.0, 1], [1, 1], [2, 1], [2, 3]]), [0, 0, 0, 1]),
    "three classes in four rows": (np.arange(8.0).reshape(4, 2), [0, 1, 2, 2]),
    "constant columns": (np.ones((6, 2)), [0, 1, 0, 1, 0, 1]),
    "nothing known": (np.full((6, 1), np.nan), [0, 1, 1, 1, 0, 1]),
    "a class that is absent": (np.arange(12.0).reshape(6, 2), [0, 2, 0, 2, 2, 2]),
    "one class": (np.arange(6.0).reshape(3, 2), [1, 1, 1]),
    "mixed": mixed(9),
}


@pytest.mark.parametrize("sample", SMALL)
@pytest.mark.parametrize("name", CLASSIFIERS)
@pytest.mark.filterwarnings("error")
def test_every_classifier_survives_small_samples(name, sample):
    X, y = SMALL[sample][0], np.array(SMALL[sample][1])
    fitted = made(name).fit(X, y)
    assert set(fitted.predict(X)) <= set(y)
    proba = fitted.predict_proba(X)
    assert proba.shape == (len(y), len(set(y)))
    assert np.isfinite(proba).all()


def test_whole_grids_survive_two_rows():
    for name in ("svm", "knn", "nnet", "dlda"):
        assert FAMILIES[name](random_state=0).fit(*SMALL["two rows"]).chosen_


def test_the_target_says_which_task_it_is():
    X = IRIS[:30]
    whole = np.arange(30) % 3
    assert is_classifier(Knn().fit(X, whole))
    assert is_regressor(Knn().fit(X, whole.astype(float)))
    assert is_classifier(Knn(task="classification").fit(X, whole.astype(float)))
    assert not is_classifier(Knn())
    assert is_classifier(Majority())
    assert is_regressor(Mean())


def test_families_work_inside_scikit_learn_when_they_say_their_task():
    parts = [("knn", Knn(task="classification")), ("tree", Tree(task="classification"))]
    stacked = StackingClassifier(parts, Lda(), cv=3).fit(IRIS, SPECIES)
    assert stacked.score(IRIS, SPECIES) > 0.9


# -- by name -----------------------------------------------------------------------------------


def test_a_family_is_named_in_python_too():
    assert isinstance(algorithm("anything", "svm", folds=5).estimator(), Svm)
    assert algorithm("a", "knn").estimator(7).random_state is not None


@pytest.mark.parametrize(
    ("path", "parameters", "words"),
    [
        ("svn", {}, ["'svn'", "Did you mean 'svm'?", "sklearn.svm.SVC"]),
        ("knn", {"k": 0}, ["'k' parameter of Knn", "0"]),
        ("knn", {"k": [1, "two"]}, ["'k' parameter of Knn"]),
        ("knn", {"kk": 3}, ["'kk'", "Did you mean 'k'?"]),
        ("svm", {"costs": []}, ["'costs' parameter of Svm"]),
        ("svm", {"gammas": [-1.0]}, ["'gammas' parameter of Svm"]),
        ("tree", {"folds": 1}, ["'folds' parameter of Tree"]),
        ("dlda", {"variables": "most"}, ["'variables' parameter of Dlda"]),
    ],
)
def test_wrong_names_and_values_are_refused_before_any_run(path, parameters, words):
    with pytest.raises(DesignError) as caught:
        algorithm("a", path, **parameters)
    assert [w for w in words if w not in str(caught.value)] == []


def test_a_classifier_is_refused_for_a_regression():
    data = podium.dataset("d", IRIS[:, :3], IRIS[:, 3])
    with pytest.raises(DesignError, match="'lda' does classification"):
        podium.Study(data, [algorithm("lda", "lda")], sampling="cv:3", measures=["squared"])


def test_a_study_runs_families_for_both_tasks(tmp_path):
    X, y = mixed(40)
    tasks = [(y, CLASSIFIERS, ["error", "log-loss"]), (X["x"].fillna(0) + y, REGRESSORS, "squared")]
    for number, (target, names, measures) in enumerate(tasks):
        algorithms = [algorithm(n, n, **CHEAP.get(n, {})) for n in names]
        data = podium.dataset("d", X, np.asarray(target))
        study = podium.Study(data, algorithms, sampling="bootstrap:2", measures=measures)
        results = podium.run(study, tmp_path / f"{number}.db", jobs=0)
        counts = results.scores.groupby("algorithm")["value"].agg(["count", "nunique"])
        assert set(counts["count"]) == {2 * len(study.measures)}
        assert np.isfinite(results.scores["value"]).all()


def test_a_study_file_names_families(tmp_path):
    (tmp_path / "s.toml").write_text(
        'sampling = "bootstrap:3"\n[[datasets]]\nname = "m"\nsource = "builtin:monks3-training"\n'
        + "".join(f'[[algorithms]]\nname = "{n}"\nestimator = "{n}"\n' for n in ("knn", "tree"))
        + '[[algorithms]]\nname = "bag"\nestimator = "sklearn.ensemble.BaggingClassifier"\n'
        'parameters = { estimator = { estimator = "naive-bayes" }, n_estimators = 3 }\n'
        "preprocess = true\n"
    )
    assert status_of(["run", str(tmp_path / "s.toml"), "--jobs", "1", "--quiet"]) == 0


# --- weights ---

WEIGHTED = [n for n, f in FAMILIES.items() if weight_parameter(f())]


def test_who_takes_weights():
    takes = {"naive-bayes", "svm", "logistic", "majority", "mean", "tree", "random-forest"}
    assert set(WEIGHTED) == takes | {"bagging", "lda", "knn"}


@pytest.mark.parametrize("name", WEIGHTED)
def test_equal_weights_change_nothing_and_unequal_ones_do(name):
    X, y = (IRIS[50:, :2], SPECIES[50:]) if name != "mean" else (IRIS, IRIS[:, 3])
    plain, equal, unequal = (made(name) for _ in range(3))
    plain.fit(X, y)
    equal.fit(X, y, sample_weight=np.full(len(y), 3.0))
    unequal.fit(X, y, sample_weight=np.where(np.arange(len(y)) < len(y) / 2, 0.02, 1.98))
    how = "predict" if name == "mean" else "predict_proba"
    said, alike, other = (getattr(f, how)(X) for f in (plain, equal, unequal))
    if name not in ("random-forest", "bagging"):  # weights are in scikit-learn's random draws
        np.testing.assert_allclose(alike, said, atol=1e-6)
    assert np.abs(alike - said).mean() < 0.1
    assert np.abs(other - said).max() > 0.05


@pytest.mark.parametrize("name", ["naive-bayes", "logistic", "majority", "mean", "lda"])
def test_a_weight_of_two_is_the_row_twice(name):
    """Up to the coding, which is learned from the rows as they stand."""
    X, y = IRIS[:, :3], IRIS[:, 3] if name == "mean" else SPECIES
    weights = 1 + np.arange(150) % 2
    rows = np.repeat(np.arange(150), weights)
    how = "predict" if name == "mean" else "predict_proba"
    weighted = made(name).fit(X, y, sample_weight=weights)
    twice = made(name).fit(X[rows], y[rows])
    np.testing.assert_allclose(getattr(weighted, how)(X), getattr(twice, how)(X), atol=0.01)


def test_a_weighted_tree_is_grown_on_weighted_impurities():
    weights = np.random.default_rng(0).exponential(size=150)
    tree = Tree(min_split=2, min_leaf=1).fit(IRIS, SPECIES, sample_weight=weights)
    grown = tree._grown(IRIS, SPECIES, 0, weights / weights.mean())
    reference = DecisionTreeClassifier(random_state=0).fit(IRIS, SPECIES, weights)
    np.testing.assert_allclose(grown.values, reference.tree_.value[:, 0, :], atol=1e-12)
    assert grown.alphas.max() <= 1 - np.bincount(SPECIES, weights).max() / weights.sum() + 1e-12


def test_weights_that_are_none_are_refused():
    for weights in ([1.0, -1.0] * 75, [1.0] * 9, [np.nan] * 150, [0.0] * 150):
        with pytest.raises(ValueError, match=r"[Ww]eight|NaN"):
            Majority().fit(IRIS, SPECIES, sample_weight=weights)


def test_weights_of_neighbours_are_those_of_their_votes():
    weights = np.random.default_rng(0).exponential(size=100)
    X, y, T = IRIS[50:, :2], SPECIES[50:], IRIS[50::7, :2] + 0.011
    ours = made("knn", k=5).fit(X, y, sample_weight=weights).predict_proba(T)
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    at = (T - X.mean(axis=0)) / X.std(axis=0)
    for row, said in zip(at, ours, strict=True):
        away = ((Z - row) ** 2).sum(axis=1)
        near = away <= np.sort(away)[4] + 1e-9
        theirs = [weights[near & (y == k)].sum() / weights[near].sum() for k in (1, 2)]
        np.testing.assert_allclose(said, theirs)


def test_rows_in_proportion_have_the_expected_copies_rounded():
    weights = np.random.default_rng(1).exponential(size=400)
    rows = in_proportion(weights, 7)
    copies, expected = np.bincount(rows, minlength=400), 400 * weights / weights.sum()
    assert len(rows) == 400
    assert (np.abs(copies - expected) < 1).all()
    every = np.mean([np.bincount(in_proportion(weights, s), minlength=400) for s in range(300)], 0)
    np.testing.assert_allclose(every, expected, atol=0.15)


def test_a_bayesian_bootstrap_draws_in_proportion_for_families_without_weights(tmp_path):
    data = podium.dataset("iris", IRIS, SPECIES)
    algorithms = [algorithm(n, n, **CHEAP.get(n, {})) for n in WEIGHTED if n != "mean"]
    study = podium.Study(data, algorithms, sampling="bayesian-bootstrap:2")
    results = podium.run(study, tmp_path / "s.db", quiet=True, jobs=0)
    assert len(results.failures) == 0
    assert results.notes[0].code == "weights-taken"
    others = [algorithm("nnet", "nnet", hidden=1), algorithm("dlda", "dlda", variables=2)]
    study = podium.Study(data, others, sampling="bayesian-bootstrap:2")
    results = podium.run(study, tmp_path / "t.db", quiet=True)
    assert len(results.failures) == 0
    said = results.warnings[results.warnings["message"].str.contains(DRAWN)]
    assert sorted(set(said["algorithm"])) == ["dlda", "nnet"]
    study = podium.Study(data, [*others, algorithms[0]], sampling="bayesian-bootstrap:2")
    results = podium.run(study, tmp_path / "u.db", quiet=True)
    assert len(results.failures) == 0
    (note,) = results.notes
    assert sorted(note.lacking) == ["dlda", "nnet"]


# --- odd scales ---


@pytest.mark.parametrize("scale", [1e-200, 1e200, 1e300])
@pytest.mark.parametrize("name", CLASSIFIERS)
def test_the_scale_of_an_attribute_does_not_matter(name, scale):
    """Its square may be too large or too small for a number."""
    X = IRIS[::3]
    said = [made(name).fit(X * s, SPECIES[::3]).predict(X * s) for s in (1.0, scale)]
    assert np.mean(said[0] == said[1]) > 0.95
    if name != "majority":
        assert np.mean(said[1] == SPECIES[::3]) > 0.9


def test_the_scale_of_a_target_does_not_matter():
    for scale in (1e-200, 1e300):
        said = made("tree").fit(IRIS[:, :3], IRIS[:, 3] * scale).predict(IRIS[:, :3]) / scale
        assert np.corrcoef(said, IRIS[:, 3])[0, 1] > 0.9
