"""Study: what it refuses, its runs and the keys that make them the same or another."""

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.linear_model import Ridge
from sklearn.model_selection import KFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC, LinearSVC

from podium import Study, algorithm, dataset, process
from podium.errors import DesignError, UnknownName
from podium.running.design.study import Run
from podium.running.design.studyfile import parse_study

RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(20, 3)), np.tile(["a", "b"], 10)
DATA = dataset("d", X, Y)
ALGORITHMS = {"nb": GaussianNB(), "knn": KNeighborsClassifier()}


class Fixed:
    """An estimator whose content is the same wherever it is defined."""

    __module__ = "here"

    def fit(self, X, y):
        return self

    def predict(self, X):
        return np.zeros(len(X), int)


FIXED = Fixed()
KEPT = {  # as version 0.1 had them
    "bootstrap:5": "d9b7f95b49e1",
    "bootstrap:5+stratified": "fe2c54fecb42",
    "bootstrap-2n:5": "ade38d2ac3bd",
    "bootstrap-cv:5x2": "315111bd36b7",
    "competition:5": "5112ef0bf52e",
    "cv:3": "b2bbfcfa6bae",
    "cv:2+stratified+grouped": "e0a3e0f5d293",
    "repeated-cv:2x3": "039505a61c6c",
    "5x2cv": "5c6fcacb7605",
    "subsampling:5x0.5": "c7ca6aa80686",
    "holdout:0.5": "e4991834d49a",
    "loo": "1970a0494eec",
}


def study(datasets=DATA, algorithms=ALGORITHMS, sampling="bootstrap:5", **options):
    return Study(datasets, algorithms, sampling=sampling, **options)


def keys(given):
    return {(r.dataset, r.algorithm, r.sample): r.key for r in given}


def says(call, *parts):
    with pytest.raises(DesignError) as caught:
        call()
    message = str(caught.value)
    assert [p for p in parts if p not in message] == []


# -- the runs ----------------------------------------------------------------------------------


def test_runs_are_data_sets_by_samples_by_algorithms():
    other = dataset("e", X, Y)
    given = study([DATA, other])
    runs = list(given)
    assert len(runs) == len(given) == 2 * 5 * 2
    assert [(r.dataset, r.sample, r.algorithm) for r in runs[:3]] == [
        ("d", 1, "nb"),
        ("d", 1, "knn"),
        ("d", 2, "nb"),
    ]
    assert isinstance(runs[0], Run)
    assert len({r.key for r in runs}) == len(runs)


def test_a_study_prints_what_it_is():
    assert repr(study(name="s")) == (
        "<Study s: 1 data set x 2 algorithms, bootstrap:5, error, seed 1: 10 runs>"
    )
    assert "2 data sets x 2 algorithms, bootstrap:5, 3 fits, error," in repr(
        study(fits=3, sizes=[0.5, 1.0])
    )


def test_keys_do_not_depend_on_the_session():
    assert keys(study()) == keys(study(dataset("d", X.copy(), Y.copy())))


@pytest.mark.parametrize(
    ("few", "many"),
    [
        ("bootstrap:5", "bootstrap:9"),
        ("subsampling:5x0.7", "subsampling:9x0.7"),
        ("repeated-cv:2x3", "repeated-cv:4x3"),
        ("bootstrap-cv:2x3", "bootstrap-cv:4x3"),
    ],
)
def test_more_samples_keep_the_keys_of_the_first_ones(few, many):
    before, after = keys(study(sampling=few)), keys(study(sampling=many))
    assert len(after) > len(before)
    assert before.items() <= after.items()


def test_more_samples_of_a_process_keep_the_keys():
    twonorm = process("twonorm", n=50)
    few, many = (keys(study(twonorm, sampling=f"simulation:{b}")) for b in (2, 4))
    assert few.items() <= many.items()


def test_neither_order_nor_company_of_algorithms_matters():
    turned = dict(reversed(ALGORITHMS.items()))
    assert keys(study()) == keys(study(algorithms=turned))
    alone = keys(study(algorithms={"nb": GaussianNB()}))
    assert alone.items() <= keys(study()).items()


def test_neither_order_nor_company_of_data_sets_matters():
    other = dataset("e", X[:10], Y[:10])
    assert keys(study([DATA, other])) == keys(study([other, DATA]))
    assert keys(study()).items() <= keys(study([DATA, other])).items()


def test_names_of_the_study_measures_and_keeping_do_not_matter():
    given = study(name="x", measures=["log-loss"], keep=["predictions"], population="all")
    assert keys(given) == keys(study())


@pytest.mark.parametrize(
    "other",
    [
        {"seed": 2},
        {"sampling": "bootstrap:5+stratified"},
        {"sampling": "cv:5"},
        {"sampling": "bootstrap:5+independent"},
        {"fits": 2},
        {"sizes": [5]},
        {"datasets": dataset("d", X + 1, Y)},
        {"datasets": dataset("d", X, Y[::-1])},
        {"datasets": dataset("d", X[:-1], Y[:-1])},
        {"algorithms": {"nb": GaussianNB(var_smoothing=1e-8), "knn": KNeighborsClassifier(4)}},
        {
            "algorithms": [
                algorithm("nb", GaussianNB(), preprocess=True),
                algorithm("knn", KNeighborsClassifier(), preprocess=True),
            ]
        },
    ],
    ids=lambda o: next(iter(o)),
)
def test_what_changes_scores_changes_every_key(other):
    assert not set(keys(study()).values()) & set(keys(study(**other)).values())


def test_keys_of_studies_that_stores_hold_do_not_change():
    """Or a store that was made before would be run again from the start."""
    test = (np.arange(4.0).reshape(2, 2), list("ab"))
    rows = np.arange(12.0).reshape(6, 2)
    whole = dataset("d", rows, list("ababab"), test=test, groups=[0, 0, 1, 1, 2, 2])
    found = {
        s: next(iter(Study(whole, {"a": FIXED}, sampling=s, seed=3))).key.hex()[:12] for s in KEPT
    }
    assert found == KEPT


def test_a_changed_parameter_changes_the_keys_of_its_algorithm_only():
    before = keys(study())
    after = keys(study(algorithms={"nb": GaussianNB(), "knn": KNeighborsClassifier(4)}))
    assert {k[1] for k in before if before[k] != after[k]} == {"knn"}


# -- what is refused ---------------------------------------------------------------------------


def test_names_may_not_repeat():
    says(lambda: study([DATA, dataset("d", X, Y)]), "two data sets are called 'd'")
    twice = [algorithm("nb", GaussianNB()), algorithm("nb", SVC())]
    says(lambda: study(algorithms=twice), "two algorithms are called 'nb'")
    says(lambda: study(measures=["error", "error"]), "two measures are called 'error'")


@pytest.mark.parametrize(
    ("options", "parts"),
    [
        ({"datasets": []}, ["no data sets"]),
        ({"algorithms": {}}, ["no algorithms"]),
        ({"measures": []}, ["no measures"]),
        ({"name": ""}, ["name of a study", "''"]),
        ({"seed": -1}, ["seed", "-1"]),
        ({"seed": True}, ["seed", "True"]),
        ({"seed": 1.5}, ["seed", "1.5"]),
        ({"keep": ["prediction"]}, ["Did you mean 'predictions'?"]),
        ({"datasets": [X]}, ["podium.dataset(name, X, y)"]),
        ({"algorithms": [3]}, ["podium.algorithm(name, estimator)"]),
        ({"sampling": 5}, ["sampling", "5"]),
        ({"sampling": "cv:21"}, ["'cv:21' needs 21 rows", "'d' has 20"]),
        ({"sampling": "competition:5"}, ["test sample", "'d'"]),
        ({"sampling": "simulation:5"}, ["'d' is no process"]),
        ({"sampling": "items"}, ["'items'", "cannot be run"]),
        ({"sampling": "moving-block:5x20"}, ["'moving-block:5x20' needs 21 rows", "'d' has 20"]),
        ({"sampling": "rolling-origin:19"}, ["needs 21 rows", "'d' has 20"]),
        ({"sampling": "training-sets:4x5"}, ["needs 21 rows", "'d' has 20"]),
        (
            {"sampling": "bootstrap-632:5", "measures": ["error", "auc"]},
            ["means of a loss, which the measure 'auc' is not", "'bootstrap:B'"],
        ),
        ({"sampling": "bootstrap-632:5", "keep": ["predictions"]}, ["keeps no predictions"]),
        ({"sampling": "bootstrap-632plus:5", "sizes": [5]}, ["has one size"]),
        ({"generator": GaussianNB()}, ["'bootstrap:5' takes no generator"]),
        ({"fits": 0}, ["fits", "from 1, not 0"]),
        ({"fits": True}, ["fits", "not True"]),
        ({"sizes": [5, 21]}, ["size 21 is larger than the 20 rows", "shares such as 0.5"]),
        ({"sampling": f"bootstrap:{10**25}"}, ["more samples than can be run"]),
        ({"sampling": KFold(21)}, ["'d'"]),
        ({"measures": "squared"}, ["'squared' is for regression", "'d' is a classification"]),
        ({"algorithms": {"r": Ridge()}}, ["'r' does regression", "'d' is a classification"]),
    ],
    ids=str,
)
def test_what_a_study_refuses(options, parts):
    says(lambda: study(**options), *parts)


def test_an_unknown_name_is_a_key_error_too():
    with pytest.raises(UnknownName) as caught:
        study(measures=["eror"])
    assert isinstance(caught.value, KeyError)


@pytest.mark.parametrize(
    ("measure", "estimator", "lacking"),
    [
        ("log-loss", LinearSVC(), "predict_proba"),
        ("brier", SVC(), "predict_proba"),
        ("log-loss:median", SVC(), "predict_proba"),
        ("auc", KMeans(2), "predict_proba or decision_function"),
        ("sklearn:neg_log_loss", LinearSVC(), "predict_proba"),
        ("sklearn:roc_auc", KMeans(2), "decision_function or predict_proba"),
    ],
)
def test_a_measure_that_an_algorithm_gives_no_output_for(measure, estimator, lacking):
    says(
        lambda: study(algorithms={"a": estimator}, measures=["error", measure]),
        f"Algorithm 'a' has no {lacking}",
        f"'{measure}'",
    )


def test_measures_with_the_outputs_they_need():
    study(algorithms={"a": LinearSVC()}, measures=["error", "auc", "time"])
    study(measures=["error", "auc", "log-loss", "brier"])


# -- from a file -------------------------------------------------------------------------------

FILE = """\
sampling = "cv:2"
[[datasets]]
name = "iris"
source = "sklearn:iris"
[[algorithms]]
name = "svm"
estimator = "sklearn.svm.SVC"
parameters = { C = 10 }
"""


def test_a_file_and_python_give_the_same_runs():
    from sklearn.datasets import load_iris

    bunch = load_iris(as_frame=True)
    iris = dataset("iris", bunch.data, bunch.target_names[bunch.target])
    assert keys(parse_study(FILE)) == keys(study(iris, {"svm": SVC(C=10)}, "cv:2"))


def test_a_file_knows_fits_and_sizes_and_says_what_is_wrong_with_them():
    given = parse_study("fits = 3\nsizes = [20, 50]\n" + FILE)
    assert (given.fits, [d.name for d in given.datasets]) == (3, ["iris [20]", "iris [50]"])
    for line, message in (
        ("fits = 0", "line 1: fits is a whole number from 1, not 0."),
        ("fits = 1.5", "line 1: 'fits' must be a whole number, not 1.5."),
        ("sizes = 20", "line 1: 'sizes' must be a list of numbers, not 20."),
        ("sizes = [76]", "line 1: The size 76 is larger than the 75 rows"),
        ("sizes = [0.5, 20]", "line 1: sizes are all numbers of rows or all shares"),
    ):
        says(lambda line=line: parse_study(f"{line}\n{FILE}"), f"study, {message}")


def test_a_file_without_measures_gets_what_suits_its_task():
    assert [m.name for m in parse_study(FILE).measures] == ["error"]
    other = FILE.replace("sklearn:iris", "sklearn:diabetes").replace("SVC", "SVR")
    assert [m.name for m in parse_study(other).measures] == ["squared"]


def test_lines_are_found_in_any_spelling_of_toml():
    odd = '"""\nnot = "a key"\n[[algorithms]]\n"""'
    text = f"population = {odd}\r\n" + FILE.replace("\n", "\r\n").replace('"svm"', '""')
    says(lambda: parse_study(text), "study, line 10: ")


def test_the_verbs_take_studies_and_paths_only():
    import podium

    for verb in (podium.run, podium.running.write_indices):
        says(lambda verb=verb: verb(5, "x.db"), "path of a study file", "5")
