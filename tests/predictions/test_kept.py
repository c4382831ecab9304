"""Kept predictions of a store: a new measure with its test, without refitting."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

import podium
from podium.base.errors import PodiumError

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
