"""Runs written for OpenML, read back and held against the splits and the kept predictions."""

import json
import xml.etree.ElementTree as ET

import numpy as np
import pandas as pd
import pytest
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC

import podium
from podium import Store
from podium.errors import ExecutionError, ResultsError
from podium.reading import export_openml
from podium.running.design.data.arff import read_arff
from podium.running.design.samples.drawing import task_dataset

OML = "{http://openml.org/openml}"
CLASSES = ["a", "it's, odd", "?"]


def splits(n, repeats, folds, seed=0):
    rng = np.random.default_rng(seed)
    rows = []
    for repeat in range(repeats):
        fold_of = rng.permutation(np.arange(n) % folds)
        for fold in range(folds):
            part = np.where(fold_of == fold, "TEST", "TRAIN")
            rows += zip(part, range(n), [repeat] * n, [fold] * n, strict=True)
    return pd.DataFrame(rows, columns=["type", "rowid", "repeat", "fold"])


def task(number, table, name="flowers", regression=False, n=30):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(n, 2))
    y = X[:, 0] + 1 if regression else np.array(CLASSES, dtype=object)[np.arange(n) % 3]
    return task_dataset(podium.dataset(name, X, y), number, 61, table)


def ran(path, data, algorithms, **options):
    options = {"measures": ["error"], "keep": ["predictions"], "sampling": "openml"} | options
    podium.run(podium.Study(data, algorithms, **options), path, quiet=True, jobs=0)
    return path


TWO_BY_THREE = splits(30, 2, 3)


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    tasks = [task(59, TWO_BY_THREE), task(60, splits(30, 2, 3, seed=1), "weeds/x")]
    algorithms = {"nb": GaussianNB(var_smoothing=0.125), "svm/l": LinearSVC(), "svm l": LinearSVC()}
    return ran(tmp_path_factory.mktemp("export") / "s.db", tasks, algorithms)


@pytest.fixture(scope="module")
def folders(store):
    return export_openml(store, store.parent / "runs", flows={"nb": 7})


def predictions(folder):
    return read_arff((folder / "predictions.arff").read_text(encoding="utf-8"), "predictions")


def test_there_is_one_folder_per_task_and_algorithm_whatever_their_names(folders):
    assert [f.name for f in folders] == [
        f"task-{t}_{a}" for t in (59, 60) for a in ("nb", "svm_l", "svm_l-2")
    ]


def test_predictions_cover_the_test_rows_of_the_splits_exactly(folders):
    """Read back by the ARFF reader, every (repeat, fold, row) of the splits is there once."""
    table = predictions(folders[0])
    wanted = TWO_BY_THREE[TWO_BY_THREE["type"] == "TEST"]
    places = table[["repeat", "fold", "row_id"]].astype(int)
    assert sorted(map(tuple, places.to_numpy())) == sorted(
        map(tuple, wanted[["repeat", "fold", "rowid"]].to_numpy())
    )
    truth = np.array(CLASSES)[places["row_id"] % 3]
    assert (table["correct"].astype(str) == truth).all()


def test_predictions_and_confidences_are_those_that_were_kept(folders, store):
    table = predictions(folders[0])
    chosen = table[(table["repeat"] == 1) & (table["fold"] == 2)]
    with Store(store, readonly=True) as opened:
        run = opened.rows("SELECT id FROM runs WHERE dataset=1 AND algorithm=1 AND sample=6")[0][0]
        arrays = opened.kept(run)[0].arrays
    classes = sorted(CLASSES)
    confidences = chosen[[f"confidence.{c}" for c in classes]].to_numpy()
    np.testing.assert_array_equal(confidences, arrays["predict_proba"])
    assert list(chosen["prediction"].astype(str)) == [classes[c] for c in arrays["predict"]]


def test_without_probabilities_the_predicted_class_has_all_confidence(folders):
    table = predictions(folders[1])
    confidences = table[[f"confidence.{c}" for c in CLASSES]].to_numpy()
    assert (confidences.sum(axis=1) == 1).all()
    assert np.isin(confidences, [0, 1]).all()
    winner = np.array(CLASSES)[confidences.argmax(axis=1)]
    assert (table["prediction"].astype(str) == winner).all()


def test_the_description_names_task_flow_parameters_and_scores(folders, store):
    root = ET.parse(folders[0] / "description.xml").getroot()
    assert root.tag == f"{OML}run"
    assert root.findtext(f"{OML}task_id") == "59"
    assert root.findtext(f"{OML}flow_id") == "7"
    settings = {
        s.findtext(f"{OML}name"): json.loads(s.findtext(f"{OML}value"))
        for s in root.iter(f"{OML}parameter_setting")
    }
    assert settings["var_smoothing"] == 0.125
    found = {
        (e.findtext(f"{OML}name"), e.get("repeat"), e.get("fold")): e.findtext(f"{OML}value")
        for e in root.iter(f"{OML}evaluation")
    }
    error = podium.read(store).wide("error")["nb"][3]  # the fourth sample: repeat 1, fold 0
    assert float(found["predictive_accuracy", "1", "0"]) == 1 - error
    assert len(found) == 6 * 3  # and two times, of each fold
    assert ET.parse(folders[1] / "description.xml").getroot().find(f"{OML}flow_id") is None


@pytest.mark.parametrize(
    ("table", "places"),
    [
        (splits(30, 1, 2)[lambda t: t["fold"] == 0], {(0, 0)}),
        (splits(30, 3, 2)[lambda t: t["fold"] == 0], {(0, 0), (1, 0), (2, 0)}),
        (splits(30, 1, 30), {(0, f) for f in range(30)}),
        (splits(30, 5, 2), {(r, f) for r in range(5) for f in range(2)}),
    ],
    ids=["holdout", "repeated holdout", "leave one out", "5x2cv"],
)
def test_quantities_and_every_way_of_sampling_keep_their_places(tmp_path, table, places):
    data = task(3, table, regression=True)
    path = ran(tmp_path / "s.db", data, {"mean": DummyRegressor()}, measures=["absolute"])
    (folder,) = export_openml(path, tmp_path / "out")
    found = predictions(folder)
    assert {(int(r), int(f)) for r, f in found[["repeat", "fold"]].to_numpy()} == places
    rows = found["row_id"].to_numpy(int)
    np.testing.assert_array_equal(found["correct"].to_numpy(), data.y[rows])
    assert sorted(rows) == sorted(table.loc[table["type"] == "TEST", "rowid"])


def test_what_cannot_be_exported_is_refused_in_one_sentence(tmp_path, store):
    dummy = {"d": DummyClassifier()}
    plain = podium.dataset("plain", np.arange(20.0).reshape(-1, 1), np.arange(20) % 2)
    cases = {
        "holds no task of OpenML": ran(tmp_path / "a.db", plain, dummy, sampling="cv:2"),
        'with sampling = "openml"': ran(
            tmp_path / "b.db", task(59, TWO_BY_THREE), dummy, sampling="cv:2"
        ),
        "no predictions of 'd' for sample 1": ran(
            tmp_path / "c.db", task(59, TWO_BY_THREE), dummy, keep=[]
        ),
        "means of 2 fits": ran(tmp_path / "d.db", task(59, TWO_BY_THREE), dummy, fits=2),
    }
    for words, path in cases.items():
        with pytest.raises(ResultsError, match=words):
            export_openml(path, tmp_path / "out")
    (tmp_path / "file").write_text("")
    with pytest.raises(ExecutionError, match="cannot be written"):
        export_openml(store, tmp_path / "file" / "out")
