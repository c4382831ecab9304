"""Keys and samples of studies as they were when stores were made with them: old stores resume.

The values come from the tree before drawers, measures and families were registered; a change here
means that every store made before is run again from the beginning.
"""

import hashlib

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin

import podium
from podium.running.design.data.sources import from_source
from podium.running.design.families import FAMILIES
from podium.running.design.learners.preprocessing import Preprocessor


class Learner(ClassifierMixin, BaseEstimator):
    """Of our own: a new scikit-learn may give its estimators new parameters, hence new keys."""

    def __init__(self, depth=1, inner=None):
        self.depth, self.inner = depth, inner

    def fit(self, X, y, sample_weight=None):
        return self

    def predict(self, X):
        return np.zeros(len(X))


ROWS = np.random.default_rng(5)
X = ROWS.normal(size=(60, 3))
CLASSES = np.array(["no", "yes"])[(X[:, 0] + ROWS.normal(size=60) > 0).astype(int)]
NUMBERS = X @ [1.0, -2.0, 0.5]
GROUPS = np.arange(60) % 12
TEST = (X[:20] + 1, CLASSES[:20])


def classes(**options):
    return podium.dataset("flowers", X, CLASSES, groups=GROUPS, **options)


def study(sampling, data=None, algorithms=None, **options):
    data = classes(test=TEST) if data is None else data
    algorithms = {"nb": Learner(), "tree": Learner(2)} | (algorithms or {})
    made = podium.Study(data, algorithms, sampling=sampling, seed=7, **options)
    return made.uncoded(algorithms)  # code was no part of keys then


def numbers(sampling, **options):
    data = podium.dataset("numbers", X, NUMBERS)
    learner = podium.algorithm("mean", "mean")
    return podium.Study(data, [learner], sampling=sampling, measures="squared", **options)


def simulated(**options):
    data = from_source("norm", "builtin:twonorm", simulate=True, n=40, n_test=50)
    return study("simulation:3", data, **options)


def families():
    return {f"a {name}": podium.algorithm(f"a {name}", name) for name in FAMILIES if name != "mean"}


STUDIES = {
    "bootstrap": lambda: study("bootstrap:5"),
    "bootstrap, stratified": lambda: study("bootstrap:3+stratified"),
    "bootstrap, grouped": lambda: study("bootstrap:3+grouped", classes()),
    "bootstrap, independent": lambda: study("bootstrap:3+independent"),
    "bootstrap-2n": lambda: study("bootstrap-2n:3"),
    "bootstrap-cv": lambda: study("bootstrap-cv:3x3"),
    "bootstrap-632": lambda: study("bootstrap-632:3"),
    "bootstrap-632plus": lambda: study("bootstrap-632plus:3"),
    "bootstrap-whole": lambda: study("bootstrap-whole:3"),
    "bayesian-bootstrap": lambda: study("bayesian-bootstrap:3"),
    "parametric-bootstrap": lambda: study("parametric-bootstrap:3x50"),
    "parametric-bootstrap, numbers": lambda: numbers("parametric-bootstrap:3x50"),
    "competition": lambda: study("competition:3"),
    "simulation": simulated,
    "training-sets": lambda: study("training-sets:4x10+stratified"),
    "cv": lambda: study("cv:3"),
    "cv, stratified": lambda: study("cv:3+stratified"),
    "cv, grouped": lambda: study("cv:3+grouped"),
    "cv, stratified and grouped": lambda: study("cv:3+stratified+grouped"),
    "repeated-cv": lambda: study("repeated-cv:2x3"),
    "5x2cv": lambda: study("5x2cv"),
    "loo": lambda: study("loo"),
    "subsampling": lambda: study("subsampling:3x0.8"),
    "holdout": lambda: study("holdout:0.67+stratified"),
    "moving-block": lambda: numbers("moving-block:3x5x1"),
    "rolling-origin": lambda: numbers("rolling-origin:3x4"),
    "sizes": lambda: study("bootstrap:3", sizes=[0.25, 0.5]),
    "fits": lambda: study("cv:3", fits=2),
    "families": lambda: study("cv:3", algorithms=families()),
    "preprocessed": lambda: study(
        "cv:3",
        algorithms={
            "coded": podium.algorithm("coded", Learner, depth=3, preprocess=True),
            "inner": Learner(inner=Preprocessor(scale=False)),
        },
    ),
    "tables": lambda: study("cv:3", from_source("t", "builtin:tictactoe")),
}


def digest(parts):
    found = hashlib.sha256()
    for part in parts:
        found.update(part)
    return found.hexdigest()[:16]


def rows(made):
    """Everything that is drawn: rows, weights, and the data where these are drawn too."""
    for data in made.datasets:
        for number in range(1, made.samples(data) + 1):
            for name in ("nb", "tree"):
                drawn, draw = made.sampler.sample(data, number, name)
                yield drawn.y.round(6).tobytes() if drawn.classes else str(drawn.X.shape).encode()
                yield repr(draw.notes).encode()
                for split in (*draw.splits, *draw.whole):
                    weights = np.empty(0) if split.weights is None else split.weights.round(9)
                    for part in (split.train, split.test, weights):
                        yield np.ascontiguousarray(part).tobytes()


KEPT = {
    "bootstrap": ("5ca2c3dca782ceab", "f2d13521c61da07f"),
    "bootstrap, stratified": ("610c9262b015246e", "2b7078ed6fdd7309"),
    "bootstrap, grouped": ("4ed9474dbdcb82b4", "06f9fc3daaf4fa34"),
    "bootstrap, independent": ("32c1ecf3106d5d5d", "783a38a7b03181ee"),
    "bootstrap-2n": ("5cf252adda27de1a", "c56a90f986eea625"),
    "bootstrap-cv": ("769a98a6abf87673", "2221bfb0e1626f4d"),
    "bootstrap-632": ("fcfdb468f9cb7df4", "7f5065f58c61c189"),
    "bootstrap-632plus": ("3f974c6a5e694485", "bf5d4e1fd2a08cac"),
    "bootstrap-whole": ("c10b2d1e5bcad4ce", "982faab17d34502f"),
    "bayesian-bootstrap": ("d1ab455762a14c8f", "47048faf6b5b881d"),
    "parametric-bootstrap": ("aeadbfad3f9d4aa5", "4b8bdd0ec2e403b1"),
    "parametric-bootstrap, numbers": ("1d899684d6e3704a", "39906ce4727c601f"),
    "competition": ("72f02632035018a3", "f7cb583dc684ddc1"),
    "simulation": ("61ae80fa4f4dff09", "857b9de348429842"),
    "training-sets": ("e68ba6fc414f4d15", "ef8eb06800c7608f"),
    "cv": ("0c71e00ef654e7e0", "770b09ed977891d2"),
    "cv, stratified": ("f567cccc87869087", "bae0e12adb9ffb7a"),
    "cv, grouped": ("48e1a3e71c349491", "29a7b233ec2644c4"),
    "cv, stratified and grouped": ("7827a4118ddcd0f5", "d0bd31c5a53d9294"),
    "repeated-cv": ("62e8fa2e1c52e0ed", "cc12c6af6dc33a3a"),
    "5x2cv": ("8fee300488aefe04", "291ff0a4bce3ee12"),
    "loo": ("3f015473b016871c", "0ae371086ac97606"),
    "subsampling": ("e51f921692233e53", "3c930a7ba7a334f3"),
    "holdout": ("c8d0a09d238491b3", "90df42124302568d"),
    "moving-block": ("4a36e66e75621e3e", "c39b5794d4e53f87"),
    "rolling-origin": ("7be706ada2f2ebbd", "3eed6ec772b9e2d7"),
    "sizes": ("71ef733c43c956be", "d91d12403f9b7754"),
    "fits": ("9d90bbdb13c451d2", "3c8adba0ea63d96c"),
    "families": ("96d7b7f4fcb86540", "770b09ed977891d2"),
    "preprocessed": ("0e313ba42a9c5962", "770b09ed977891d2"),
    "tables": ("ebe9082477ceb29c", "94ef38bf43b8834e"),
}


@pytest.mark.parametrize("name", STUDIES)
def test_keys_and_samples_are_those_of_stores_made_before(name):
    made = STUDIES[name]()
    assert (digest(run.key for run in made), digest(rows(made))) == KEPT[name]
