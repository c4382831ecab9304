"""Files of more rows than fit into memory: what is read are means, and it is said."""

import numpy as np
import pandas as pd
import pytest

import podium
from podium.core.words.saying import say
from podium.errors import ResultsError
from podium.reading.files import averaged_tables

pytest.importorskip("pyarrow")


@pytest.fixture(autouse=True)
def _few_rows(monkeypatch):
    monkeypatch.setattr(averaged_tables, "MOST_ROWS", 50)
    monkeypatch.setattr(averaged_tables, "BATCH", 17)  # cells are torn apart


@pytest.fixture
def frame():
    cells = [(d, s, a) for d in ("x", "y", "z") for s in range(1, 11) for a in ("svm", "knn")]
    made = pd.DataFrame(cells, columns=["dataset", "sample", "algorithm"])
    return made.assign(error=np.random.default_rng(0).random(len(made)))


def written(frame, folder):
    frame.to_parquet(folder / "large.parquet", index=False)
    return folder / "large.parquet"


def test_the_means_are_those_of_all_rows(frame, tmp_path):
    results = podium.read(written(frame.sample(frac=1, random_state=1), tmp_path))
    wide = results.wide("error").set_index("dataset")
    expected = frame.pivot_table("error", "dataset", "algorithm")
    for name in ("svm", "knn"):
        np.testing.assert_allclose(wide[name][expected.index], expected[name], rtol=1e-14)
    (note,) = [n for n in results.notes if n.code == "averaged-while-reading"]
    assert say(note).startswith("Of 60 rows, more than fit into memory, the mean of every data set")


def test_several_measures_and_numbers_as_names(frame, tmp_path):
    frame = frame.assign(auc=1 - frame["error"], dataset=frame["dataset"].map(ord))
    results = podium.read(written(frame, tmp_path))
    assert set(results.measures) == {"error", "auc"}
    assert sorted(map(str, results.wide("auc")["dataset"])) == ["120", "121", "122"]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda f: f.drop(columns="dataset"), r"has 60 rows, which take about 0 GB.*--columns"),
        (lambda f: f.iloc[1:], "algorithms have different numbers of scores on 'x'"),
        (lambda f: f.assign(error=f["error"].where(f.index != 3)), "different numbers of scores"),
        (lambda f: f.replace({"algorithm": {"svm": None}}), "without a name in the column 'algor"),
        (lambda f: f.drop(columns="error"), "say which columns name them"),
        (lambda f: f.assign(error=f["error"].where(f.index != 3, np.inf)), "an infinite score"),
        (lambda f: f.assign(error=f["error"].where(f.index != 3, 7.0)), "to 7 of 'error', which"),
        (
            lambda f: (
                f.assign(measure="error")
                .rename(columns={"error": "value"})
                .assign(value=f["error"].where(f.index != 3, -3.0))
            ),
            "from -3 to .* of 'error', which",
        ),
    ],
)
def test_what_has_no_such_means_is_refused(change, says, frame, tmp_path):
    with pytest.raises(ResultsError, match=says):
        podium.read(written(change(frame), tmp_path))


def test_a_measure_that_is_said_has_bounds_too(frame, tmp_path):
    path = written(frame.rename(columns={"error": "value"}), tmp_path)
    assert len(podium.read(path, measure="error").scores) == 6
    odd = frame["error"].where(frame.index != 3, 7.0)
    path = written(frame.drop(columns="error").assign(value=odd), tmp_path)
    with pytest.raises(ResultsError, match="to 7 of 'error', which lies between 0 and 1"):
        podium.read(path, measure="error")


def test_columns_can_be_said(frame, tmp_path):
    frame = frame.rename(columns={"dataset": "where", "algorithm": "who"})
    path = written(frame, tmp_path)
    with pytest.raises(ResultsError, match="say which columns name them"):
        podium.read(path)
    results = podium.read(path, columns="dataset=where,algorithm=who")
    assert len(results.scores) == 6
