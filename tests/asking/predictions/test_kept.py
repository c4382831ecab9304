"""Kept predictions of a store: a new measure with its test, without refitting."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

import podium
from podium import PodiumError

RNG = np.random.default_rng(3)
X = RNG.normal(size=(300, 3))
Y = np.where(X[:, 0] + RNG.normal(size=300) > 0.4, "yes", "no")


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    path = tmp_path_factory.mktemp("kept") / "kept.db"
    algorithms = {"nb": GaussianNB(), "logit": LogisticRegression()}
    facts = {"sampling": "holdout:0.5", "measures": ["brier", "auc"], "keep": ["predictions"]}
    podium.run(
        podium.Study(podium.dataset("d", X, Y), algorithms, **facts, seed=1), path, quiet=True
    )
    return path


def test_an_area_of_kept_predictions_is_that_of_the_run(store):
    found = podium.compare(podium.read_items(store, measure="auc"))
    told = podium.read(store).values("auc").set_index("algorithm")["value"]
    assert found.means == pytest.approx(told.to_dict(), abs=1e-12)
    assert (found.procedure, found.target) == ("influence-t", "test-set")


def test_a_measure_that_no_run_had_is_made_of_labels_or_probabilities(store):
    found = podium.read_items(store, measure="balanced-accuracy")
    assert found.algorithms == ["nb", "logit"]
    both = podium.compare(found, measure="mcc")
    assert pd.notna(both.table["p"]).all()
    for measure in ("rmse", "nonsense"):
        with pytest.raises(PodiumError, match=f"'{measure}'"):
            podium.read_items(store, measure=measure)
    with pytest.raises(PodiumError, match="Its predictions are kept: add --sampling items"):
        podium.compare(store, measure="f1")
    with pytest.raises(PodiumError, match="say one sample"):
        podium.read_items(store, measure="auc", sample=None)


def test_runs_are_scored_by_measures_of_predictions(store, tmp_path):
    copied = tmp_path / "copied.db"
    copied.write_bytes(store.read_bytes())
    podium.score(copied, ["mcc", "f1@0.3", "specificity"])
    results = podium.read(copied)
    for measure in ("mcc", "f1@0.3", "specificity"):
        told = podium.compare(podium.read_items(copied, measure=measure)).means
        found = results.values(measure).set_index("algorithm")["value"]
        assert found.to_dict() == pytest.approx(told, abs=1e-12), measure
    labels = podium.compare(podium.read_items(copied, measure="f1")).means
    assert results.values("f1@0.3").set_index("algorithm")["value"].to_dict() != labels
    for measure, way in (("ece", "use brier"), ("f1:yes@0.2", "--sampling items"), ("wer", "wer")):
        with pytest.raises(PodiumError, match=way):
            podium.score(copied, measure)


def test_a_study_takes_measures_of_predictions():
    data = podium.dataset("d", X, Y)
    study = podium.Study(
        data, {"nb": GaussianNB()}, sampling="holdout:0.5", measures=["mcc", "macro-f1"], seed=1
    )
    results = podium.run(study, quiet=True)
    assert list(results.measures) == ["mcc", "macro-f1"]
    assert results.measures["mcc"].higher_is_better
