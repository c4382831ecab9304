"""Characteristics: against R, against formulas, and finite or nothing on odd data."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import sklearn.datasets
from sklearn.metrics.cluster import expected_mutual_information

from podium import dataset
from podium.running.design.data import characteristics as views
from podium.running.design.data.characteristics import CHARACTERISTICS, characteristics
from podium.running.design.data.sources import from_source

MPG = "21 21 22.8 21.4 18.7 18.1 14.3 24.4 22.8 19.2 17.8 16.4 17.3 15.2 10.4 10.4 14.7 32.4 30.4 \
33.9 21.5 15.5 15.2 13.3 19.2 27.3 26 30.4 15.8 19.7 15 21.4"
CYL = "6 6 4 6 8 6 8 4 4 6 6 8 8 8 8 8 8 4 4 4 4 8 8 8 8 4 4 4 8 6 8 4"
DISP = "160 160 108 258 360 225 360 146.7 140.8 167.6 167.6 275.8 275.8 275.8 472 460 440 78.7 \
75.7 71.1 120.1 318 304 350 400 79 120.3 95.1 351 145 301 121"
HP = "110 110 93 110 175 105 245 62 95 123 123 180 180 180 205 215 230 66 52 65 97 150 150 245 175 \
66 91 113 264 175 335 109"
MTCARS = np.array([text.split() for text in (MPG, CYL, DISP, HP)], dtype=float)


def numbers(n, p, seed=0):
    return np.random.default_rng(seed).normal(size=(n, p))


def test_iris_against_r():
    """R: z = scale(X)*sqrt(150/149); colMeans(z^3), colMeans(z^4); cor; cancor; prcomp(scale.)."""
    iris = sklearn.datasets.load_iris()
    found = characteristics(dataset("iris", iris.data, iris.target_names[iris.target]))
    expected = {
        "skewness": 0.250395509466,
        "kurtosis": 2.21895126924,
        "correlation": 0.59411602576,
        "canonical_correlation": 0.984820894432,
        "first_component": 0.729624454133,
        "dimension": 2,
        "class_entropy": 1,
        "n_per_p": 37.5,
    }
    assert {k: found[k] for k in expected} == pytest.approx(expected, abs=1e-11)


def test_a_quantity_against_r():
    """R: sqrt(summary(lm(mpg ~ cyl + disp + hp, mtcars))$r.squared); third moment of mpg."""
    found = characteristics(dataset("cars", MTCARS[1:].T, MTCARS[0], task="regression"))
    assert found["canonical_correlation"] == pytest.approx(0.876292042696, abs=1e-11)
    assert found["target_skewness"] == pytest.approx(0.640439864032, abs=1e-11)
    assert found["classes"] is found["class_entropy"] is found["majority_share"] is None


def test_balance_gaps_and_kinds_are_shares():
    X = pd.DataFrame({"a": [1, 2, 3, None], "b": ["x", "y", "x", "y"], "c": ["p", "q", "r", None]})
    found = characteristics(dataset("d", X, ["u", "u", "u", "v"]))
    assert found["majority_share"] == 0.75
    assert found["minority_share"] == 0.25
    assert found["class_entropy"] == pytest.approx(0.25 * 2 + 0.75 * np.log2(4 / 3), abs=1e-11)
    assert found["nominal_share"] == pytest.approx(2 / 3)
    assert found["binary_share"] == pytest.approx(1 / 3)
    assert found["missing_share"] == pytest.approx(2 / 12)
    assert found["incomplete_share"] == 0.25
    # entropies in bits: three values, two halves, three values
    assert found["attribute_entropy"] == pytest.approx((2 * np.log2(3) + 1) / 3)


def test_signal_is_1_for_a_copy_and_about_0_for_noise():
    rng = np.random.default_rng(1)
    y = rng.integers(3, size=2000)
    X = pd.DataFrame({"copy": y.astype(str), "noise": rng.integers(5, size=2000).astype(str)})
    found = characteristics(dataset("d", X, y.astype(str)))
    assert found["strongest_signal"] == pytest.approx(1, abs=0.01)
    assert found["signal"] == pytest.approx(0.5, abs=0.01)
    assert found["equivalent_attributes"] == pytest.approx(2, abs=0.02)
    assert found["canonical_correlation"] == pytest.approx(1)
    noise = characteristics(dataset("d", X[["noise"]], y.astype(str)))
    assert noise["signal"] < 0.003
    # H(X) = log2 3 + log2 5, of which log2 3 is about the target
    expected = np.log2(5) / np.log2(3)
    assert found["noise_ratio"] == pytest.approx(expected, abs=0.02)


@pytest.mark.parametrize("n", [20, 100])
def test_chance_information_is_removed_on_average(n):
    """Of ten bins and two classes, 0.47 bits at 20 rows and 0.066 at 100."""
    rng = np.random.default_rng(2)
    made = [
        views.mutual_information(views.binned(rng.normal(size=n)), rng.integers(2, size=n))
        for _ in range(400)
    ]
    assert abs(np.mean(made)) < 3 * np.std(made) / 20
    noise = dataset("d", rng.normal(size=(n, 80)), np.arange(n) % 2)
    assert characteristics(noise)["signal"] < 0.04


def test_chance_information_is_that_of_scikit_learn_in_bits():
    rng = np.random.default_rng(3)
    for rows, columns, n in ((7, 3, 60), (2, 2, 9), (30, 12, 40)):
        table = np.zeros((rows, columns), dtype=np.int64)
        np.add.at(table, (rng.integers(rows, size=n), rng.integers(columns, size=n)), 1)
        table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
        expected = expected_mutual_information(table, n) / np.log(2)
        found = views.chance_information(table.sum(axis=1), table.sum(axis=0))
        assert found == pytest.approx(expected, abs=1e-10)


def test_a_plane_in_space_has_dimension_2():
    plane = numbers(300, 2) @ numbers(2, 12, seed=1)
    assert characteristics(dataset("d", plane, np.arange(300) % 2))["dimension"] == 2


def test_large_data_are_looked_at_in_part_always_the_same(monkeypatch):
    X = numbers(3000, 12)
    data = dataset("d", X, (X[:, 0] > 0).astype(int))
    whole = characteristics(data)
    monkeypatch.setattr(views, "MOST_ROWS", 1500)
    monkeypatch.setattr(views, "MOST_ATTRIBUTES", 6)
    part = characteristics(data)
    assert part == characteristics(replace(data, name="other"))
    assert (part["n"], part["p"], part["rows_used"], part["attributes_used"]) == (3000, 12, 1500, 6)
    assert whole["rows_used"] == 3000
    assert part["kurtosis"] == pytest.approx(whole["kurtosis"], abs=0.2)
    assert part["majority_share"] == whole["majority_share"]  # counts are of all rows


def odd():
    yield "constant", dataset("d", np.ones((10, 2)), np.arange(10) % 2)
    yield "all missing", dataset("d", np.full((10, 2), np.nan), np.arange(10) % 2)
    yield "constant target", dataset("d", numbers(10, 2), np.ones(10), task="regression")
    yield "two rows", dataset("d", numbers(2, 1), ["a", "b"])
    yield "more attributes than rows", dataset("d", numbers(8, 40), np.arange(8) % 2)
    yield "tiny numbers", dataset("d", numbers(20, 2) * 1e-200, np.arange(20) % 2)
    yield "huge numbers", dataset("d", numbers(20, 2) * 5e307, np.arange(20) % 2)
    nominal = pd.DataFrame({"a": [None] * 6, "b": list("xxyyzz")}, dtype=object)
    yield "nominal", dataset("d", nominal.assign(a=pd.Categorical([None] * 6)), np.arange(6) % 2)
    plain = dataset("d", numbers(20, 3), np.arange(20) % 2)
    yield "an absent class", replace(plain, classes=("a", "b", "c"))
    yield "density", replace(plain, y=np.zeros(20), task="density", classes=())
    moments = np.array([(True, 1.5)] * 20, dtype=[("event", bool), ("time", float)])
    yield "survival", replace(plain, y=moments, task="survival", classes=())
    yield "two targets", replace(plain, y=numbers(20, 2), task="regression", classes=())


ODD = list(odd())


@pytest.mark.parametrize(("kind", "data"), ODD, ids=[kind for kind, _ in ODD])
def test_odd_data_have_finite_characteristics_or_none(kind, data):
    found = characteristics(data)
    assert list(found) == list(CHARACTERISTICS)
    assert all(v is None or np.isfinite(v) for v in found.values())
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert found["n"] == data.n
    if data.task in ("density", "survival"):
        assert found["signal"] is found["classes"] is found["canonical_correlation"] is None
        assert found["correlation"] is not None


def test_scale_does_not_matter():
    X, y = numbers(50, 3), np.arange(50) % 2
    small, large = (characteristics(dataset("d", X * s, y)) for s in (1e-300, 1e300))
    assert small == pytest.approx(large, abs=1e-9)
    assert small["kurtosis"] > 1


def test_without_a_target_the_attributes_still_have_theirs():
    class Unlabelled:
        X, y, task, classes, n = numbers(30, 4), None, "clustering", (), 30

    found = characteristics(Unlabelled())
    assert found["dimension"] is not None
    assert found["signal"] is found["majority_share"] is None


def test_a_process_is_described_by_a_sample_of_it():
    made = from_source("p", "builtin:twonorm", n=200, simulate=True)
    found = characteristics(made)
    assert (found["n"], found["p"], found["classes"]) == (200, 20, 2)
    assert found == characteristics(made)


def test_every_characteristic_has_a_definition_of_one_line():
    page = (Path(__file__).parents[3] / "docs/surveys.md").read_text(encoding="utf-8")
    for name, c in CHARACTERISTICS.items():
        assert "\n" not in c.definition
        assert f"| `{name}` | {c.definition} |" in page
