"""ARFF: what was written comes back, by the quick way and the thorough one, or is refused."""

import csv
import gzip
import io
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.io.arff
import sklearn.datasets
from hypothesis import given, settings
from hypothesis import strategies as st

from podium.errors import DesignError
from podium.running.design.data import arff
from podium.running.design.data.arff import read_arff

FOLDER = Path(sklearn.datasets.__file__).parent / "tests/data/openml"
REAL = sorted(FOLDER.glob("*/data-v1-dl-*.arff.gz"))  # of OpenML, shipped by scikit-learn

HEAD = "@relation r\n@attribute a numeric\n@attribute b {x, y z}\n@attribute c string\n@data\n"


def by_scipy(text):
    """What scipy reads; it lifts the csv module's limit for everybody, which is put back."""
    limit = csv.field_size_limit()
    try:
        return scipy.io.arff.loadarff(io.StringIO(text))
    finally:
        csv.field_size_limit(limit)


def refusal(text):
    with pytest.raises(DesignError) as error:
        read_arff(text, "F")
    return str(error.value)


def test_names_values_kinds_and_comments_are_read_as_written():
    table = read_arff(
        """\ufeff% a comment
@RELATION 'two words'
@Attribute 'sepal length' REAL % centimetres
@attribute "it\\'s" integer
@attribute kind{a, 'b c',"d,e",'?', 50%}
@attribute note string

@DATA
% @data again
1.5, ?, a, 'it\\'s'
-2e3,4,'b c',"x, \\"y\\""

3 ,5,'?',?\r
?,0, 50% ,a
""",
        "F",
    )
    assert list(table.columns) == ["sepal length", "it's", "kind", "note"]
    np.testing.assert_array_equal(table["sepal length"], [1.5, -2000, 3, np.nan])
    np.testing.assert_array_equal(table["it's"], [np.nan, 4, 5, 0])
    assert list(table["kind"]) == ["a", "b c", "?", "50%"]  # a quoted question mark is a value
    assert list(table["kind"].cat.categories) == ["a", "b c", "d,e", "?", "50%"]
    assert [None if pd.isna(v) else v for v in table["note"]] == ["it's", 'x, "y"', None, "a"]


@pytest.mark.parametrize(
    ("form", "text", "seconds"),
    [
        ("", "1970-01-02T00:00:01", 86401),
        ('"yyyy-MM-dd HH:mm:ss"', "'2020-02-29 12:00:00'", 1582977600),
        ("dd/MM/yy", "01/01/71", 31536000),
        ('"yyyy-MM-dd HH:mm Z"', "'1970-01-01 01:00 +0100'", 0),
    ],
)
def test_dates_are_seconds_since_1970(form, text, seconds):
    table = read_arff(f"@relation r\n@attribute d date {form}\n@data\n{text}\n?\n", "F")
    assert table["d"][0] == seconds
    assert np.isnan(table["d"][1])


def test_sparse_rows_leave_out_zeros_and_first_values():
    head = "@relation r\n@attribute a numeric\n@attribute b {'p q',\"it's\"}\n@attribute c real\n"
    table = read_arff(head + "@data\n{0 1.5, 1 \"it's\"}\n{ }\n{2 ?, 0 -1}\n{1 'p q'}\n", "F")
    np.testing.assert_array_equal(table["a"], [1.5, 0, -1, 0])
    np.testing.assert_array_equal(table["c"], [0, 0, np.nan, 0])
    assert list(table["b"]) == ["it's", "p q", "p q", "p q"]


@pytest.mark.parametrize("path", REAL, ids=lambda p: p.parent.name)
def test_openml_s_own_files_are_read_as_their_descriptions_say(path):
    text = gzip.decompress(path.read_bytes()).decode()
    table = read_arff(text, "F")
    declared = [r for r in text.splitlines() if r.lower().startswith("@attribute")]
    assert table.shape[1] == len(declared)
    if "{" in text.lower().partition("@data")[2]:
        return  # scipy reads neither sparse rows nor strings
    try:
        other, meta = by_scipy(text)
    except (NotImplementedError, ValueError, scipy.io.arff.ParseArffError):
        return
    for mine, its in zip(table.columns, meta.names(), strict=True):
        if table[mine].dtype.kind == "f":
            np.testing.assert_array_equal(table[mine], other[its])
        else:
            names = [v.decode() for v in other[its]]
            assert ["?" if pd.isna(v) else v for v in table[mine]] == names


def test_both_ways_of_reading_agree_to_the_last_digit(monkeypatch):
    rng = np.random.default_rng(0)
    values = rng.normal(size=(200, 3)) * 10.0 ** rng.integers(-30, 30, size=(200, 3))
    labels = rng.choice(["'a b'", "c", "?", '"d"'], size=200)
    rows = [f"{','.join(map(repr, v.tolist()))},{t}" for v, t in zip(values, labels, strict=True)]
    head = "@relation r\n" + "".join(f"@attribute a{j} numeric\n" for j in range(3))
    text = head + "@attribute t {'a b',c,d}\n@data\n" + "\n".join(rows)
    quick = read_arff(text, "F")

    def none(*args):
        raise ValueError

    monkeypatch.setattr(arff, "_quick", none)
    pd.testing.assert_frame_equal(quick, read_arff(text, "F"))
    np.testing.assert_array_equal(quick.iloc[:, :3].to_numpy(), values)


WORD = st.text(st.characters(blacklist_categories=("Cs", "Cc")), min_size=1, max_size=6).filter(
    lambda w: w.strip() and not set(w) & set("\u2028\u2029\x85")
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(WORD, st.floats(allow_nan=False)), min_size=1, max_size=8), WORD)
def test_any_text_survives_quoting(rows, name):
    def quoted(text):
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"

    levels = ",".join(quoted(w) for w in dict.fromkeys(w for w, _ in rows))
    lines = [f"{quoted(w)}, {x!r}" for w, x in rows]
    head = f"@relation r\n@attribute {quoted(name)} {{{levels}}}\n"
    head += f"@attribute {quoted(name + 'x')} real\n"
    table = read_arff(head + "@data\n" + "\n".join(lines), "F")
    assert table.columns[0] == name
    assert list(table.iloc[:, 0]) == [w for w, _ in rows]
    assert list(table.iloc[:, 1]) == [x for _, x in rows]


def test_a_file_without_rows_is_a_table_without_rows():
    assert read_arff(HEAD, "F").shape == (0, 3)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a,b\n1,2\n", "F has no line '@data': it is no ARFF, or cut off."),
        ("@relation r\n@data\n1\n", "F declares no attributes."),
        ("@relation r\n@attribute a numeric\n@attribute a real\n@data\n", "'a' twice"),
        ("@relation r\n@attribute a relational\n@data\n", "'a' is of the kind 'relational'"),
        ("@relation r\n@attribute a {x,y\n@data\n", "closing brace"),
        ("@relation r\n@attribute a {x,'y}\n@data\n", "a quote that does not close"),
        ("@relation r\n@attribute a date 'QQ'\n@data\n", "date format 'QQ' is not known"),
        ("@relation r\nattribute a real\n@data\n", "no declaration of an attribute"),
        ("@relation r\n@attribute\n@data\n", "does not say what the attribute is called"),
        (HEAD + "1,x,t\n2,x\n", "F: row 2 of the data has 2 values; 3 attributes are declared."),
        (HEAD + "1,x,t\n2,x,'a','b'\n", "row 2 of the data has 4 values"),
        (HEAD + "1,x,t\none,x,t\n", "F: attribute 'a' holds 'one', which is no number."),
        (HEAD + "1_0,x,t\n", "attribute 'a' holds '1_0', which is no number."),
        (HEAD + "1,w,t\n", "attribute 'b' has the value 'w', which it does not declare."),
        (HEAD + "1,,t\n", "attribute 'b' has an empty value; a missing one is written '?'."),
        (HEAD + "1,x,'t\n", "attribute 'c' has a quote that does not close"),
        (HEAD + "1,x,t,{5}\n", "row 1 of the data has 4 values"),
        (HEAD + "{0 1, 2 t}\n{0 1}\n", "sparse rows leave out the string 'c', which has no 0."),
        (HEAD + "{0 1, 2 t}\n1,x,t\n", "row 2 of the data is no list of positions"),
        (HEAD + "{0 1, 7 t}\n", "row 1 of the data has position 7; they go from 0 to 2."),
        (HEAD + "{0 1, 0 2, 2 t}\n", "row 1 of the data gives a position twice."),
        (HEAD + "{0 1 2 t}\n", "'1 2 t', which is no number"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(text, words):
    assert words in refusal(text)


def test_a_sparse_file_that_would_not_fit_is_refused(monkeypatch):
    monkeypatch.setattr(arff, "MOST_CELLS", 5)
    assert "too large to be used as a full table" in refusal(HEAD + "{0 1, 2 t}\n{2 t}\n")
