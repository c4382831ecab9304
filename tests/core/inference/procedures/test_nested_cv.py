"""Nested cross-validation: an interval of one algorithm, by hand, by simulation and by a study."""

import math

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.neighbors import KNeighborsClassifier

import podium
from podium.core.inference.procedures.held_out import nested_error
from podium.errors import DesignError, InferenceError


def test_by_hand():
    # one repeat of three folds of 12 rows; the diagonal are the outer models on their own folds
    scores = np.array([[[0.5, 0.25, 0.25], [0.5, 0.25, 0.5], [0.25, 0.25, 0.0]]])
    found = nested_error(scores, 12)
    inner = np.array([0.25, 0.5, 0.25])
    missed = np.mean((inner - [0.5, 0.25, 0.0]) ** 2)  # 1/16
    noise = np.mean([0.25, 0.1875, 0.0]) / 3
    plain = math.sqrt(0.25 * 0.75 / 12)
    assert found.plain == pytest.approx(plain)
    within = math.sqrt((missed - noise) * 2 / 3)
    assert found.error == pytest.approx(min(max(within, plain), math.sqrt(3) * plain))
    assert found.estimate == pytest.approx(1 / 3 - (1 + 1 / 3) * (1 / 3 - 0.25))


def test_its_error_lies_between_the_plain_one_and_that_of_a_single_fold():
    rng = np.random.default_rng(1)
    for spread in (0.0, 0.5, 5.0):
        scores = np.clip(0.3 + spread * rng.normal(size=(4, 5, 5)), 0, 1)
        found = nested_error(scores, 50)
        assert found.plain <= found.error <= math.sqrt(5) * found.plain * (1 + 1e-12)


def test_it_covers_the_expected_error():
    rng = np.random.default_rng(2)
    n, p, k, found = 40, 10, 5, []
    for _ in range(60):
        y = np.arange(n) % 2
        X = rng.normal(size=(n, p))
        X[:, 0] += 1.5 * y
        design = np.c_[np.ones(n), X]
        scores = np.empty((4, k, k))
        for r in range(4):
            folds = rng.permutation(np.arange(n) % k)
            for a, b in np.ndindex(k, k):
                learned, tested = (folds != a) & (folds != b), folds == b
                w = np.linalg.lstsq(design[learned], 2.0 * y[learned] - 1, rcond=None)[0]
                scores[r, a, b] = ((design[tested] @ w > 0) != y[tested]).mean()
        found.append(nested_error(scores, n))
    expected = 0.294  # over 20 000 samples of 40 rows
    assert np.mean([abs(f.estimate - expected) < 1.645 * f.error for f in found]) > 0.82
    assert np.mean([f.error / f.plain for f in found]) > 1.2


def test_a_study_runs_it_and_each_algorithm_has_an_interval(tmp_path):
    X, y = load_iris(return_X_y=True)
    algorithms = {"knn": KNeighborsClassifier(), "none": DummyClassifier()}
    study = podium.Study(
        podium.dataset("iris", X, y),
        algorithms,
        sampling="nested-cv:2x4",
        measures=["error"],
        seed=1,
    )
    results = podium.run(study, tmp_path / "nested.db", quiet=True, jobs=0)
    found = {a: podium.verdicts.score_interval(results.filter(algorithm=a)) for a in algorithms}
    low, high = found["knn"].method.lower, found["knn"].method.upper
    assert low < found["knn"].means["knn"] < high < 0.2 < found["none"].method.lower
    assert "nested cross-validation" in str(found["knn"])
    with pytest.raises(InferenceError, match=r"podium\.verdicts\.score_interval"):
        podium.compare(results)


def test_two_folds_leave_nothing_to_learn_from():
    with pytest.raises(DesignError, match="at least 3"):
        podium.samplings.parse("nested-cv:5x2")
