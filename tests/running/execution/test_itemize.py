"""Losses of test items from kept predictions."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KernelDensity
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

import podium
from podium import PodiumError
from podium.errors import StoreError


def study(**changes: object) -> podium.Study:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 3))
    y = (X[:, 0] + rng.normal(size=120) > 0).astype(int)
    options = {"sampling": "holdout:0.5", "keep": ["predictions"], "seed": 3} | changes
    algorithms = {"nb": GaussianNB(), "tree": DecisionTreeClassifier()}
    return podium.Study(podium.dataset("noise", X, y), algorithms, **options)  # type: ignore[arg-type]


def test_the_mean_loss_of_the_items_is_the_score_of_the_run(tmp_path: Path) -> None:
    results = podium.run(study(measures=["error", "brier"]), tmp_path / "s.db", quiet=True)
    for measure in ("error", "brier"):
        items = podium.read_items(tmp_path / "s.db", measure=measure)
        assert str(items.sampling) == "items"
        assert len(items.scores) == 2 * 60
        own = items.scores.groupby("algorithm", observed=True)["value"].mean()
        run = results.scores[results.scores["measure"] == measure].set_index("algorithm")["value"]
        assert own.to_dict() == pytest.approx(run.to_dict())


def test_items_are_compared_as_fitted_models_on_a_test_set(tmp_path: Path) -> None:
    podium.run(study(), tmp_path / "s.db", quiet=True)
    found = podium.compare(podium.read_items(tmp_path / "s.db"))
    assert (found.procedure, found.target) == ("mcnemar-score", "test-set")
    assert found.blocks.count == 60


def test_items_of_a_density_have_their_log_densities(tmp_path: Path) -> None:
    data = podium.dataset("d", np.random.default_rng(0).normal(size=(40, 2)), task="density")
    kernel = podium.algorithm("kernel", KernelDensity(), output="score_samples")
    options = {"sampling": "holdout:0.5", "measures": ["log-likelihood"], "keep": ["predictions"]}
    results = podium.run(podium.Study(data, kernel, **options), tmp_path / "s.db", quiet=True)
    items = podium.read_items(tmp_path / "s.db", measure="log-likelihood")
    assert items.scores["value"].mean() == pytest.approx(results.scores["value"][0])
    with pytest.raises(StoreError, match="'error' is for classification; data set 'd' is a densi"):
        podium.read_items(tmp_path / "s.db")


def test_a_loss_of_an_output_that_was_not_given_is_refused(tmp_path: Path) -> None:
    data = study().datasets[0]
    options = {"sampling": "holdout:0.5", "keep": ["predictions"]}
    podium.run(podium.Study(data, {"svc": LinearSVC()}, **options), tmp_path / "s.db", quiet=True)
    with pytest.raises(StoreError, match="'brier' needs predict_proba, which 'svc' has not given"):
        podium.read_items(tmp_path / "s.db", measure="brier")


def test_what_was_not_kept_has_no_items(tmp_path: Path) -> None:
    podium.run(study(keep=[]), tmp_path / "s.db", quiet=True)
    with pytest.raises(StoreError, match=r'keeps no predictions for sample 1.*keep = \["pred'):
        podium.read_items(tmp_path / "s.db")


def test_wrong_names_are_refused(tmp_path: Path) -> None:
    podium.run(study(), tmp_path / "s.db", quiet=True)
    with pytest.raises(PodiumError, match=r"'nois' is not a data set\. Did you mean 'noise'"):
        podium.read_items(tmp_path / "s.db", dataset="nois")
    with pytest.raises(PodiumError, match="'auk' is no measure of predictions"):
        podium.read_items(tmp_path / "s.db", measure="auk")
    with pytest.raises(StoreError, match="sample 2"):
        podium.read_items(tmp_path / "s.db", sample=2)


def test_losses_are_known_where_nothing_else_is_loaded():
    script = (
        "from podium.running.execution import predictions; assert 'error' in predictions.LOSSES"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
