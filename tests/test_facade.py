"""The public verbs: from a store or a table to comparisons, an order, advice and a page."""

import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import podium
from podium.errors import DesignError, ExecutionError, InferenceError, ResultsError

RNG = np.random.default_rng(2)
WIDE = pd.DataFrame({"dataset": [f"d{i}" for i in range(12)], "svm": RNG.normal(0.1, 0.02, 12)})
WIDE = WIDE.assign(knn=WIDE["svm"] + RNG.normal(0.05, 0.01, 12), lda=WIDE["svm"] + 0.001)
WIDE["lda"] += RNG.normal(0, 0.01, 12)


@pytest.fixture(scope="module")
def study():
    X = RNG.normal(size=(60, 3))
    y = (X[:, 0] + RNG.normal(size=60) > 0).astype(int)
    algorithms = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
    return podium.Study(
        podium.dataset("one", X, y), algorithms, sampling="bootstrap:20", measures=["error"], seed=1
    )


@pytest.fixture(scope="module")
def store(study, tmp_path_factory):
    path = tmp_path_factory.mktemp("store") / "one.db"
    podium.run(study, path, quiet=True, jobs=0)
    return path


def test_a_table_a_frame_and_their_path_give_the_same_comparisons(tmp_path):
    path = tmp_path / "wide.csv"
    WIDE.to_csv(path, index=False)
    told = podium.compare(podium.read(WIDE, measure="error"), "paired-t").table
    for source in (WIDE, path, str(path)):
        found = podium.compare(source, "paired-t", measure="error").table
        pd.testing.assert_frame_equal(found, told)
    layout = podium.layout(podium.read(WIDE, measure="error"))
    pd.testing.assert_frame_equal(podium.compare(layout, "paired-t").table, told)
    with pytest.raises(InferenceError, match="A layout has its own target"):
        podium.compare(layout, target="datasets")


def test_a_store_is_compared_as_the_table_that_it_writes(store, tmp_path):
    podium.read(store).to_csv(tmp_path / "scores.csv")
    table = podium.read(tmp_path / "scores.csv", sampling="bootstrap")
    of_store, of_table = (podium.compare(s, "paired-t") for s in (store, table))
    pd.testing.assert_frame_equal(of_store.table, of_table.table)
    assert of_store.blocks == of_table.blocks
    assert (of_store.target, of_store.measure) == ("sample", "error")


def test_a_store_is_not_told_what_it_knows(store):
    assert str(podium.read(store, sampling="bootstrap").sampling) == "bootstrap:20"
    with pytest.raises(ResultsError, match="drawn by 'bootstrap:20', not by 'cv'"):
        podium.read(store, sampling="cv")
    with pytest.raises(ResultsError, match="columns is for tables"):
        podium.read(store, columns={"value": "error"})
    with pytest.raises(ResultsError, match="higher_is_better is for tables"):
        podium.read(store, higher_is_better=True)


def test_a_measure_that_a_store_lacks_is_refused_and_its_times_are_there(store):
    with pytest.raises(InferenceError, match="'auc' is not a measure"):
        podium.compare(store, measure="auc")
    with pytest.raises(InferenceError, match="'auc' is not a measure"):
        podium.advise(store, measure="auc")
    assert podium.compare(store, measure="time").measure == "time"


def test_alpha_and_relevance_of_a_decision_are_the_comparisons_unless_changed():
    comparisons = podium.compare(WIDE, "paired-t", adjust="sidak", measure="error", alpha=0.01)
    order = podium.decide(comparisons)
    assert order.text in ("svm ≈ lda ≻ knn", "lda ≈ svm ≻ knn")
    assert order == podium.decide(comparisons, alpha=0.01)
    assert podium.decide(comparisons, alpha=1e-12).text.count("≈") == 2
    assert podium.decide(comparisons, relevance=1.0).text.count("≈") == 2
    assert podium.order(order.text) == podium.order(order.ascii) == order


def test_a_study_is_advised_as_what_it_will_give(study, store):
    assert podium.advise(study) == podium.advise(store) == podium.advise(podium.read(store))
    with pytest.raises(DesignError, match="leave out sampling"):
        podium.advise(study, sampling="cv:10")
    with pytest.raises(InferenceError, match="'aim' is not a target"):
        podium.advise(store, target="aim")


def test_a_report_holds_the_answer_and_an_unwritable_one_is_refused(store, tmp_path):
    results = podium.read(store)
    comparisons = podium.compare(results, "paired-t")
    podium.report(results, tmp_path / "page.html", comparisons=comparisons)
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "No significant difference in error." in page
    with pytest.raises(ExecutionError, match="cannot be written"):
        podium.report(results, tmp_path)


def test_indices_that_cannot_be_written_are_refused(study, tmp_path):
    podium.running.write_indices(study, tmp_path / "indices.csv")
    assert len(pd.read_csv(tmp_path / "indices.csv")) > 0
    for name in ("nowhere/x.csv", "nowhere/x.parquet"):
        with pytest.raises(ExecutionError, match=r"nowhere.* cannot be written"):
            podium.running.write_indices(study, tmp_path / name)


@pytest.mark.parametrize("command", ["analyse", "plot", "survey"])
def test_a_command_that_is_asked_of_python_is_told_its_name_there(command):
    with pytest.raises(AttributeError, match="use podium") as told:
        getattr(podium, command)
    assert hasattr(podium, str(told.value).rpartition("podium.")[2])
