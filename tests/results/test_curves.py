"""Learning curves from results."""

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.tree import DecisionTreeClassifier

import podium
from podium.errors import ResultsError
from podium.results.curves import COLUMNS, learning_curve


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    rng = np.random.default_rng(0)
    y = np.arange(90) % 3
    data = [podium.dataset(n, rng.normal(size=(90, 2)) + 2 * y[:, None], y) for n in ("b", "a")]
    algorithms = {"tree": DecisionTreeClassifier(), "dummy": DummyClassifier()}
    study = podium.Study(
        data, algorithms, sampling="cv:5", sizes=[6, 20, 70], measures=["error", "accuracy"]
    )
    return podium.run(study, tmp_path_factory.mktemp("curves") / "s.db", quiet=True)


def test_a_curve_has_mean_sd_and_number_of_every_cell(results):
    curve = learning_curve(results)
    assert list(curve.columns) == COLUMNS
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
    results = podium.run(study, tmp_path / "s.db", quiet=True)
    with pytest.raises(ResultsError, match="'plain' have one training size"):
        learning_curve(results)
