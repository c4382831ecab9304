"""What results know of their data sets: learning curves and characteristics."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.tree import DecisionTreeClassifier

import podium
from podium.core.results.dataset_facts import CURVE
from podium.errors import ResultsError
from podium.reading import characteristics, learning_curve


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    rng = np.random.default_rng(0)
    y = np.arange(90) % 3
    data = [podium.dataset(n, rng.normal(size=(90, 2)) + 2 * y[:, None], y) for n in ("b", "a")]
    algorithms = {"tree": DecisionTreeClassifier(), "dummy": DummyClassifier()}
    study = podium.Study(
        data, algorithms, sampling="cv:5", sizes=[6, 20, 70], measures=["error", "accuracy"]
    )
    return podium.run(study, tmp_path_factory.mktemp("curves") / "s.db", quiet=True, jobs=0)


def test_a_curve_has_mean_sd_and_number_of_every_cell(results):
    curve = learning_curve(results)
    assert list(curve.columns) == CURVE
    assert len(curve) == 2 * 2 * 2 * 3
    assert (curve["samples"] == 5).all()
    wide = results.filter(dataset="a [20]").wide("error")["tree"]
    (row,) = curve.query(
        "dataset == 'a' and algorithm == 'tree' and measure == 'error' and size == 20"
    ).itertuples()
    assert (row.mean, row.sd) == (pytest.approx(wide.mean()), pytest.approx(wide.std()))


def test_curves_stand_in_the_order_of_the_study_and_sizes_ascend(results):
    curve = learning_curve(results, "error")
    assert list(curve["dataset"].unique()) == ["b", "a"]
    assert list(curve["algorithm"].unique()) == ["tree", "dummy"]
    assert curve["size"].tolist() == [6, 20, 70] * 4
    tree = curve.query("dataset == 'a' and algorithm == 'tree'")["mean"].tolist()
    assert tree[0] > tree[2]  # more rows, fewer errors


def test_results_of_one_size_have_no_curve(tmp_path):
    data = podium.dataset("a", np.arange(20.0)[:, None], np.arange(20) % 2)
    study = podium.Study(data, {"d": DummyClassifier()}, sampling="cv:2", name="plain")
    results = podium.run(study, tmp_path / "s.db", quiet=True, jobs=0)
    with pytest.raises(ResultsError, match="'plain' have one training size"):
        learning_curve(results)


# --- characteristics ---


@pytest.fixture
def plain_results(tmp_path):
    data = [podium.dataset(n, np.arange(8.0).reshape(-1, 1), np.arange(8) % 2) for n in ("b", "a")]
    study = podium.Study(data, {"d": DummyClassifier()}, sampling="holdout:0.5")
    return podium.run(study, tmp_path / "s.db", quiet=True, jobs=0)


def test_one_row_per_data_set_in_the_study_s_order_and_none_is_missing(plain_results):
    known = {"b": {"n": 8.0, "signal": None}, "a": {"n": 9.0, "signal": 0.5}}
    facts = {d: {"task": "classification", "characteristics": known[d]} for d in ("a", "b")}
    table = characteristics(replace(plain_results, facts=facts))
    assert list(table.columns) == ["dataset", "task", "n", "signal"]
    assert list(table["dataset"]) == ["b", "a"]
    np.testing.assert_array_equal(table["signal"], [np.nan, 0.5])
    assert table["n"].tolist() == [8, 9]


def test_results_without_characteristics_say_so(plain_results):
    with pytest.raises(ResultsError, match="know no characteristics of their data sets"):
        characteristics(replace(plain_results, facts={"a": {"task": "classification"}}))


def test_numbers_beside_scores_describe_their_data_sets(tmp_path):
    """What is the same in all rows of a data set is a characteristic of it, whatever it is."""
    rows = ["dataset,model,accuracy,n,p,seconds"]
    for d in range(6):
        for m in ("a", "b"):
            rows.append(
                f"d{d},{m},{0.5 + d / 20 + (m == 'b') / 30:.3f},{100 * d + 7},{d % 3},{d}{m}"
            )
    path = tmp_path / "scores.csv"
    path.write_text("\n".join(rows).replace("a\n", ".5\n").replace("b\n", ".7\n") + "\n")
    results = podium.read(path, measure="accuracy")
    known = podium.reading.characteristics(results).set_index("dataset")
    assert known["n"].tolist() == [7, 107, 207, 307, 407, 507]
    assert known["p"].tolist() == [0, 1, 2, 0, 1, 2]
    assert "seconds" not in known
