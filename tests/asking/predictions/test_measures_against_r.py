"""Values, covariances and influence of measures against pROC and boot, and tests by DeLong."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import podium
from podium.asking.predictions import influence as inf
from podium.asking.predictions.predicted import LABELS, NUMBERS, PROBABILITIES, SCORES, Predictions
from podium.asking.predictions.scoring import requested

R = json.loads((Path(__file__).parents[2] / "reference/predictions.json").read_text())
B = {k: np.array(v) for k, v in R["binary"].items()}
WIDE = pd.DataFrame({"id": np.arange(90), "y_true": B["y"], "a": B["a"], "b": B["b"], "c": B["c"]})
PAIRS = [(0, 1), (0, 2), (1, 2)]


def test_auc_and_its_covariance_are_those_of_proc():
    layout = podium.layout(podium.read(WIDE, measure="auc"))
    np.testing.assert_allclose(list(layout.means().values()), R["binary"]["auc"], atol=1e-11)
    np.testing.assert_allclose(
        np.cov(layout.values, rowvar=False) / 90, R["binary"]["covariance"], atol=1e-13
    )


def test_statistics_are_those_of_delongs_test():
    found = podium.compare(WIDE, measure="auc").table
    np.testing.assert_allclose(found["statistic"], R["binary"]["z"], atol=1e-10)


def predictions(kind, truth, weights=None, **outputs):
    classes = ("0", "1") if kind != NUMBERS else ()
    return Predictions(kind, outputs, np.array(truth), classes, weights=weights)


OF_KIND = {"average-precision": (SCORES, "ab")}


@pytest.mark.parametrize("name", list(R["measures"]))
@pytest.mark.parametrize("model", ["a", "b"])
def test_values_and_influence_of_classes_are_those_of_boot(name, model):
    kind, columns = OF_KIND.get(name, (LABELS, ("la", "lb")))
    output = B[columns[0] if model == "a" else columns[1]]
    made = requested(predictions(kind, B["y"], m=output), name)
    found, told = made.rule.influence(made, output), R["measures"][name][model]
    assert found.value == pytest.approx(told["value"], abs=1e-11)
    np.testing.assert_allclose(found.psi, told["influence"], atol=3e-3)  # its step is 0.001 / n
    psi = inf.by_differences(lambda w: _at(name, kind, output, w), 90).psi
    np.testing.assert_allclose(found.psi, psi, atol=1e-6)


def _at(name, kind, output, w):
    made = requested(predictions(kind, B["y"], w / w.mean(), m=output), name)
    return made.rule.influence(made, output).value


@pytest.mark.parametrize("name", list(R["weighted"]))
def test_weighted_values_are_those_of_r(name):
    kind, columns = OF_KIND.get(name, (LABELS, ("la", "lb")))
    assert _at(name, kind, B[columns[0]], np.array(R["weights"])) == pytest.approx(
        R["weighted"][name], abs=1e-11
    )


@pytest.mark.parametrize("name", ["r2", "rmse", "correlation"])
@pytest.mark.parametrize("model", ["a", "b"])
def test_values_and_influence_of_numbers_are_those_of_boot(name, model):
    d = {k: np.array(v) for k, v in R["regression"].items() if k != "measures"}
    made = requested(predictions(NUMBERS, d["y"], m=d[model]), name)
    found, told = made.rule.influence(made, d[model]), R["regression"]["measures"][name][model]
    assert found.value == pytest.approx(told["value"], abs=1e-11)
    np.testing.assert_allclose(found.psi, told["influence"], atol=3e-3)


def test_areas_of_several_classes_are_those_of_proc():
    d = R["multiclass"]
    frame = pd.DataFrame({"y_true": d["y"], **{f"svm:{c}": d[c] for c in ("cat", "dog", "owl")}})
    for name, told in (("auc:ovo", d["hand_till"]), ("auc", d["ovr"])):
        found = podium.read(frame, measure=name)
        assert found.scores["value"].iloc[0] == pytest.approx(told, abs=1e-11)
    layout = podium.layout(podium.read(frame, measure="auc:ovo"))
    assert abs(layout.values.mean() - d["hand_till"]) < 1e-11


def test_the_influence_on_an_area_is_its_derivative():
    positive, scores = B["y"] == 1, B["a"]

    def area(w):
        less = (scores[None, :] < scores[:, None]) + 0.5 * (scores[None, :] == scores[:, None])
        p, q = w * positive, w * ~positive
        return p @ less @ q / (p.sum() * q.sum())

    found, told = inf.auc(positive, scores), inf.by_differences(area, 90)
    count = np.where(positive, positive.sum(), (~positive).sum())
    scale = np.sqrt(89 / 90 * count / (count - 1))  # DeLong divides by the class's size less one
    np.testing.assert_allclose(found.psi / scale, told.psi, atol=1e-8)
    w = np.array(R["weights"]) / np.mean(R["weights"])
    assert inf.auc(positive, scores, w).value == pytest.approx(area(w), abs=1e-12)


def test_brier_skill_is_the_explained_share_of_probabilities():
    p = 1 / (1 + np.exp(-B["a"]))
    made = requested(predictions(PROBABILITIES, B["y"], m=p), "brier-skill")
    y = B["y"]
    told = 1 - np.mean((y - p) ** 2) / (y.mean() * (1 - y.mean()))
    assert made.rule.influence(made, p).value == pytest.approx(told, abs=1e-12)
