"""Tables of any make: the same scores from every kind of file and frame, and what is refused."""

import gzip
import os
import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest

import podium
from podium import read
from podium.errors import MissingPackage, ResultsError
from podium.reading.cells.vocabulary import Options
from podium.reading.files import tabular as tabular_module
from podium.reading.files.tabular import tabular
from podium.reading.formats.record import Source
from podium.reading.inferring import asking

HEADER = "dataset,algorithm,error"
TEXT = f"{HEADER}\na,svm,0.25\na,knn,\nb,svm,1\nb,knn,0.014084507042253521\n"
VALUES = [0.25, np.nan, 1, 0.014084507042253521]
FRAME = pd.DataFrame({"dataset": [*"aabb"], "algorithm": ["svm", "knn"] * 2, "error": VALUES})


@pytest.fixture
def written(tmp_path):
    def write(content, name="scores.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def same(source, **options):
    results = read(source, **options)
    np.testing.assert_array_equal(results.scores["value"], VALUES)
    assert (results.datasets, results.algorithms) == (["a", "b"], ["svm", "knn"])
    assert results.runs["status"].tolist() == ["done", "missing", "done", "done"]
    return results


def refused(match, source, kind=ResultsError, **options):
    with pytest.raises(kind, match=match):
        read(source, **options)


# --- files ---


@pytest.mark.parametrize(
    "content",
    [
        TEXT,
        TEXT.replace(",", ";"),
        TEXT.replace(",", "\t"),
        "\ufeff" + TEXT,
        TEXT.replace("\n", "\r\n"),
        TEXT.replace("\n", "\r"),
        TEXT.rstrip(),
        "\n" + TEXT.replace("\nb", "\n\nb") + "\n\n",
        TEXT + ",,\n,,\n",
        TEXT.replace(",", ", ").replace("svm", '"svm"'),
        TEXT.replace(",\n", ",NA\n"),
        TEXT.replace(",\n", ",NaN\n"),
        TEXT.replace(",\n", ",?\n"),
        TEXT.replace(",", ";").replace(".", ","),
    ],
)
def test_every_way_to_write_a_csv_gives_the_same_scores(written, content):
    assert same(written(content)).name == "scores"


def test_a_separator_inside_names_does_not_count(written):
    results = read(written("dataset;svm, C=1;svm, C=10\na;0.5;0.5\n"), measure="error")
    assert results.algorithms == ["svm, C=1", "svm, C=10"]


def test_gzipped_files_are_read_whatever_they_are_called(written):
    assert same(written(gzip.compress(TEXT.encode()), "my.scores.csv.gz")).name == "my.scores"
    same(written(gzip.compress(TEXT.encode()), "scores.csv"))


def test_a_parquet_file_is_read(tmp_path):
    FRAME.to_parquet(tmp_path / "p.parquet")
    assert same(tmp_path / "p.parquet").name == "p"
    assert same(str(tmp_path / "p.parquet")).sampling is None


def test_parquet_without_its_package_names_the_extra(tmp_path, monkeypatch):
    FRAME.to_parquet(tmp_path / "p.parquet")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    refused(r"podium-benchmarks\[parquet\]", tmp_path / "p.parquet", MissingPackage)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "is empty"),
        (" \n\n", "is empty"),
        (HEADER, "has no rows below its header"),
        ("score\n1\n2\n", r"has not two columns \(score\)"),
        (TEXT.replace("svm", "s\0m"), "is not a text file; save the table as CSV"),
        (b"PK\x03\x04 broken", "is an archive without a spreadsheet"),
        (b"PAR1 broken", "cannot be read as Parquet"),
        (b"\x1f\x8b broken", "cannot be read"),
        (TEXT + "c,svm\n", "row 5: 2 cells where the header has 3"),
        (TEXT + "c,svm,1,2\n", "row 5: 4 cells where the header has 3"),
        (TEXT + 'c,"svm', "cannot be read as CSV: unexpected end of data"),
        (TEXT.replace("dataset", "error"), "two columns called 'error'"),
        (
            TEXT.replace("0.25", "good"),
            "column 'error', row 1: 'good' is no finite number.*ignore=error",
        ),
        (TEXT.replace("0.25", "1_0"), "row 1: '1_0' is no finite number"),
        (TEXT.replace(",1\n", ",-inf\n"), "column 'error', row 3: '-inf' is no finite number"),
        (TEXT.replace("a,knn", "a,"), "column 'algorithm', row 2: '' is no name"),
        (TEXT.replace("b,svm", "' ',svm").replace("'", '"'), "column 'dataset', row 3: ' ' is no"),
    ],
)
def test_a_broken_file_is_refused_by_name_and_place(written, content, message):
    path = written(content)
    with pytest.raises(ResultsError, match=message) as caught:
        read(path)
    assert str(path) in str(caught.value)


def test_a_file_that_is_not_there_is_refused(tmp_path):
    refused("There is no file", tmp_path / "nothing.csv")
    refused("is an empty folder: `podium formats` lists what is read", tmp_path)
    os.mkfifo(tmp_path / "pipe.csv")  # to open it would wait for ever
    with pytest.raises(ResultsError, match="a pipe or a device"):
        podium.read(tmp_path / "pipe.csv")


def test_rows_keep_their_numbers_below_blank_ones(written):
    refused("row 3: 'x' is no finite number", written(f"{HEADER}\na,svm,1\n,,\na,knn,x\n"))


def test_row_numbers_without_a_heading_do_not_disturb(written):
    same(written(FRAME.to_csv()))
    wide = written(",b,x,y\n1,1,0.5,0.25\n2,2,1,1\n")
    refused("--columns 'block=b,ignore=#1'", wide, measure="error")
    assert read(wide, measure="error", columns="ignore=#1").algorithms == ["x", "y"]


# --- frames ---


def test_frames_of_all_makes_give_the_same_scores():
    same(FRAME)
    same(FRAME.astype({"dataset": "category", "algorithm": "category"}))
    same(FRAME.assign(error=["0.25", None, "1", "0.014084507042253521"]))
    same(pa.Table.from_pandas(FRAME))
    same(pl.DataFrame(FRAME.to_dict("list"), nan_to_null=True))
    same(pl.DataFrame(FRAME.to_dict("list")).cast({"algorithm": pl.Categorical}))
    same(pl.DataFrame(FRAME.to_dict("list")).lazy())
    same(FRAME.to_dict("list"))


def test_a_named_index_is_a_column_and_another_is_not():
    same(FRAME.set_index(["dataset", "algorithm"]))
    same(FRAME.set_axis([7, 3, 5, 1]))
    wide = FRAME.pivot(index="dataset", columns="algorithm", values="error")[["svm", "knn"]]
    same(wide, measure="error")


def test_an_index_of_names_without_a_heading_is_asked_for():
    wide = pd.DataFrame({"svm": [0.5], "knn": [0.5]}, index=["iris"])
    refused("'#1' does not say whether.*--columns 'dataset=#1'", wide, measure="error")
    assert read(wide, measure="error", columns="dataset=#1").datasets == ["iris"]


def test_true_and_false_are_one_and_zero(written):
    right = pd.DataFrame({"item": [1, 2, 3], "a": [True, False, None], "c": [True, True, False]})
    expected = [1, 1, 0, 1, np.nan, 0]
    for source in (right, pl.DataFrame(right.to_dict("list")), written(right.to_csv(index=False))):
        found = read(source, sampling="items").scores["value"]
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (FRAME.set_axis(["dataset", "error", "error"], axis=1), "two columns called 'error'"),
        (FRAME.assign(error=pd.Timestamp("2020-01-01")), "row 1: '2020-01-01 00:00:00' is no fin"),
        (FRAME.assign(error=1j), "is no finite number"),
        (FRAME.assign(algorithm=["svm", None] * 2), "column 'algorithm', row 2: .* is no name"),
        (FRAME.iloc[:0], "no rows"),
        (pd.DataFrame(), "has not two columns"),
        (FRAME.set_index("error", drop=False), "two columns called 'error'"),
        ([1, 2], r"not from \[1, 2\]"),
        (None, "not from None"),
    ],
)
def test_a_frame_that_holds_no_table_is_refused(frame, message):
    refused(message, frame)


def test_numbers_are_read_back_exactly(written):
    values = np.random.default_rng(1).random(2000) * 10.0 ** np.arange(-1000, 1000).clip(-300, 300)
    text = "".join(f"{v!r},{v:.17g}\n" for v in values.tolist())
    table = tabular(written("x,y\n" + text))
    np.testing.assert_array_equal(table.numbers("x"), values)
    np.testing.assert_array_equal(table.numbers("y"), values)


def test_neither_polars_nor_pyarrow_is_imported_by_podium():
    code = (
        "import sys, podium.reading.formats as f\n"
        "sys.modules['pyarrow'] = None\n"
        "f.read({'a': [0.1, 0.2]}, measure='error')\n"
        "assert 'polars' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    "text",
    [
        "a,b,c\n1, 2 ,NA\n061,,x\n1,2,3\n4,5,6\n7,8,9\n",
        "a,b\r1,2\r\r3,4\r5,6\r7,8\r9,10\r",
        "a,b,a\n1,2,3\n,,\n4,5,6\n,x,\n7,8,9\n1,1,1\n",
        "a,b,c\n1,2\n1,2,3\n1,2,3,4\n1,2,3\n1,2,3\n",  # as many cells as there should be
        "a,b,c\n1,2,3,4\n1,2,3,4\n1,2,3,4\n1,2,3,4\n1,2,3,4\n",
        "data,acc,acc\n,a,b\nx,1,2\ny,3,4\nz,5,6\nw,1,1\n",
        'a,b\n1,"2,3"\n4,5\n6,7\n8,9\n1,2\n',
        '"a","b"\n"x,y",1\n"",2\n"z",""\n"w",1\n"w",2\n',
        'a,b\n"x"y,1\nz,2\nz,3\nz,4\nz,5\n',  # which is refused
        'a,b\n"x,1\nz,2\nz,3\nz,4\nz,5\n',
        'a,b\n"say ""x""",1\nz,2\nz,3\nz,4\nz,5\n',
    ],
)
def test_long_tables_are_read_as_short_ones_are(text, monkeypatch):
    def outcome():
        try:
            frame = tabular_module._csv(text, ",", "'t'", text.encode())
        except ResultsError as error:
            return str(error)
        return [list(frame.columns), frame.index.tolist(), frame.to_numpy(object).tolist()]

    short = outcome()
    monkeypatch.setattr(tabular_module, "LONG_TEXT", 10**9)
    assert outcome() == short
    monkeypatch.setattr(tabular_module, "LONG_TEXT", 0)
    monkeypatch.setattr(tabular_module, "HEAD_TEXT", 1000)
    assert outcome() == short


@pytest.mark.parametrize("blank", ["", " "])
def test_a_long_text_is_read_as_a_short_one(blank, written, monkeypatch):
    """Each cell stays the text that it is, 061, NA or empty; with blanks pandas reads it."""
    cells = [("d1", "061" if i % 2 else "NA", str(i), str(i / 7), "x" * (i % 2)) for i in range(99)]
    rows = [f",{blank}".join(row) for row in [("dataset", "model", "sample", "score", "m"), *cells]]
    path = written("\n".join([*rows[:50], "", *rows[50:], ""]))
    short = tabular(path).frame
    monkeypatch.setattr(tabular_module, "LONG_TEXT", 10)
    long = tabular(path).frame.astype(object).reset_index(drop=True)
    assert long.to_numpy().tolist() == short.to_numpy().tolist() == [list(row) for row in cells]


@pytest.mark.parametrize("odd", ["", "timeout"])
@pytest.mark.parametrize("quote", ["", '"'])
def test_scores_of_a_long_text_are_numbers_and_versions_are_names(odd, quote, written, monkeypatch):
    """1.10 is not 1.1; a word among the scores leaves them to who knows such words."""
    names = [f"{quote}{name}{quote}" for name in ("1.1", "1.10")]
    cells = [(names[i % 2], str(i // 2), repr(1 / (i + 3))) for i in range(400)]
    cells[350] = (*cells[350][:2], odd)
    path = written("\n".join(map(",".join, [("version", "sample", "error"), *cells, ()])))
    short = podium.read(path, columns="algorithm=version")
    monkeypatch.setattr(tabular_module, "LONG_TEXT", 10)
    kinds = {"float64": not odd, "category": bool(odd)}
    assert kinds[str(tabular(path).frame["error"].dtype)]
    long = podium.read(path, columns="algorithm=version")
    assert long.algorithms == short.algorithms == ["1.1", "1.10"]
    pd.testing.assert_frame_equal(long.scores, short.scores)
    pd.testing.assert_frame_equal(long.runs, short.runs)


def test_a_large_text_is_not_looked_at_twice(tmp_path, monkeypatch):
    path = tmp_path / "t.csv"
    path.write_text("dataset,svm,knn\n" + "".join(f"d{i},1,2\n" for i in range(400)))
    monkeypatch.setattr(asking, "MOST_ROWS", 20)
    monkeypatch.setattr(asking, "load", lambda source: pytest.fail("it was loaded"))
    assert asking.candidates(Source(path), Options()) == []
