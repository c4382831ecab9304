"""What sets samples apart: facts of their test parts, from kept predictions, by plain counting."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import podium
from podium.asking.comparison.analysis import analysed
from podium.asking.comparison.pages import explored
from podium.reading import sample_facts as module
from podium.reading.sample_facts import sample_facts
from podium.running.execution.predictions import item_losses


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    x, y = load_iris(return_X_y=True)
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    small = podium.dataset("small", x[40:], names[40:])
    study = podium.Study(
        [small],
        [podium.algorithm("nb", GaussianNB()), podium.algorithm("stump", DecisionTreeClassifier)],
        sampling="bootstrap:6",
        measures=["error"],
        seed=3,
        keep=["predictions"],
    )
    path = tmp_path_factory.mktemp("facts") / "small.db"
    podium.run(study, path, jobs=1, quiet=True)
    return path, names[40:]


def test_facts_are_counts_over_test_rows(store):
    path, names = store
    results = podium.read(path)
    found = sample_facts(results, {"small": [1, 2, 3, 4, 5, 6]})["small"]
    losses = pd.concat([item_losses(path, sample=s).assign(sample=s) for s in range(1, 7)])
    hard = losses.groupby("item")["value"].mean()
    hard = hard[hard > 0.5]
    rows = losses.drop_duplicates(["sample", "item"])
    by_sample = rows.groupby("sample")["item"]
    assert found.numbers["size", ""].tolist() == by_sample.size().tolist()
    shares = by_sample.apply(lambda items: np.mean(names[items] == "virginica"))
    assert found.numbers["class", "virginica"] == pytest.approx(shares.to_numpy())
    assert len([kind for kind, _ in found.numbers if kind == "class"]) == 2  # the third is the rest
    assert found.numbers["hard", ""] == pytest.approx(
        by_sample.apply(lambda items: items.isin(hard.index).mean()).to_numpy()
    )
    assert dict(found.items) == pytest.approx(hard.to_dict())
    for (item, _), tested in zip(found.items, found.tested, strict=True):
        assert set(np.flatnonzero(tested) + 1) == set(rows.loc[rows["item"] == item, "sample"])


def test_a_page_has_the_facts_of_the_samples_it_shows_and_is_bounded(store, monkeypatch):
    results = podium.read(store[0])
    made = explored(analysed(results))
    facts = made.facts()
    assert {len(numbers) for _, numbers in facts} == {6}
    assert facts[0][0] == "Rows in the test part"
    assert facts[4][0].startswith("row ")
    monkeypatch.setattr(module, "MOST_ROWS", 100)
    assert made.facts() == []


def test_of_quantities_hard_rows_have_the_largest_errors(tmp_path):
    x = np.arange(40.0)
    y = 2 * x + np.where(np.arange(40) == 17, 50, 0) + np.sin(x)
    study = podium.Study([podium.dataset("line", x[:, None], y)],
                         [podium.algorithm("ols", LinearRegression())], sampling="cv:4",
                         measures=["squared"], seed=1, keep=["predictions"])  # fmt: skip
    results = podium.run(study, tmp_path / "line.db", jobs=1, quiet=True)
    found = sample_facts(podium.read(tmp_path / "line.db"), {"line": [1, 2, 3, 4]})["line"]
    assert found.items[0][0] == 17
    assert len(found.items) == 4  # a tenth
    assert found.numbers["size", ""].tolist() == [10, 10, 10, 10]
    assert np.mean(found.numbers["target", ""]) == pytest.approx(y.mean())
    assert sample_facts(results.filter(algorithm="ols"), {"line": [2]})["line"].tested.shape == (
        4,
        1,
    )


def test_without_predictions_nothing_is_known(store):
    results = podium.read(store[0])
    table = results.scores
    assert sample_facts(podium.read(table, sampling="bootstrap"), {"small": [1]}) == {}


def test_chosen_data_sets_have_characteristics(tmp_path):
    rng = np.random.default_rng(0)
    sets = [
        podium.dataset(f"d{n}", rng.normal(size=(n, 2)), rng.integers(0, 2, n).astype(str))
        for n in (20, 30)
    ]
    study = podium.Study(sets, {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=1)},
                         sampling="cv:2", measures=["error"], seed=1)  # fmt: skip
    podium.run(study, tmp_path / "two.db", jobs=1, quiet=True)
    facts = explored(analysed(podium.read(tmp_path / "two.db"))).facts()
    assert [20, 30] in [numbers for _, numbers in facts]
