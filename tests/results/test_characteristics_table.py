"""Characteristics read back from results."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier

import podium
from podium.errors import ResultsError
from podium.results.characteristics import characteristics


@pytest.fixture
def results(tmp_path):
    data = [podium.dataset(n, np.arange(8.0).reshape(-1, 1), np.arange(8) % 2) for n in ("b", "a")]
    study = podium.Study(data, {"d": DummyClassifier()}, sampling="holdout:0.5")
    return podium.run(study, tmp_path / "s.db", quiet=True)


def test_one_row_per_data_set_in_the_study_s_order_and_none_is_missing(results):
    known = {"b": {"n": 8.0, "signal": None}, "a": {"n": 9.0, "signal": 0.5}}
    facts = {d: {"task": "classification", "characteristics": known[d]} for d in ("a", "b")}
    table = characteristics(replace(results, facts=facts))
    assert list(table.columns) == ["dataset", "task", "n", "signal"]
    assert list(table["dataset"]) == ["b", "a"]
    np.testing.assert_array_equal(table["signal"], [np.nan, 0.5])
    assert table["n"].tolist() == [8, 9]


def test_results_without_characteristics_say_so(results):
    with pytest.raises(ResultsError, match="know no characteristics of their data sets"):
        characteristics(replace(results, facts={"a": {"task": "classification"}}))
