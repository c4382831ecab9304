"""Sources: files read as they are written, built-in tables and scikit-learn's against their own."""

import gzip
import io

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet
import pytest
import sklearn.datasets

from podium import Dataset, dataset
from podium.errors import DesignError, MissingPackage
from podium.running.design import Process
from podium.running.design.data import problems
from podium.running.design.data.processes import PROBLEMS
from podium.running.design.data.sources import (
    BUNDLED,
    MISSING,
    builtins,
    from_source,
    read_file,
    read_table,
)

FLOWERS = """\
length,colour,code,who,species
5.1,red,1,ann,a
4.9,?,2,bob,b
NA,blue,,ann,a
6.2, red,10,eve,b
"""
COLUMNS = {
    "length": [5.1, 4.9, None, 6.2],
    "colour": ["red", None, "blue", "red"],
    "code": [1.0, 2.0, None, 10.0],
    "who": ["ann", "bob", "ann", "eve"],
    "species": ["a", "b", "a", "b"],
}


@pytest.fixture
def written(tmp_path):
    """Writes a text or bytes as a file and returns its path."""

    def write(content, name="data.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def parquet_bytes(columns):
    file = io.BytesIO()
    pa.parquet.write_table(pa.table(columns), file)
    return file.getvalue()


def refusal(*arguments, **options):
    with pytest.raises(DesignError) as error:
        from_source(*arguments, **options)
    return str(error.value)


# --- files ---


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("flowers.csv", FLOWERS),
        ("flowers.CSV", "\ufeff" + FLOWERS),
        ("windows.csv", FLOWERS.replace("\n", "\r\n")),
        ("flowers.csv.gz", gzip.compress(FLOWERS.encode(), mtime=0)),
        ("flowers.parquet", parquet_bytes(COLUMNS)),
        ("flowers.pq", parquet_bytes(COLUMNS)),
    ],
)
def test_a_file_of_any_kind_is_the_same_data_set_as_its_frame(written, name, content):
    data = read_file("flowers", written(content, name), target="species")
    frame = dataset("flowers", pd.DataFrame(COLUMNS), "species")
    assert data.fingerprint == frame.fingerprint
    assert data.n_missing == 3
    assert data.origin == f"file:{name}"


@pytest.mark.parametrize("cell", MISSING)
def test_what_means_an_empty_cell_is_missing_in_columns_of_numbers_and_names(written, cell):
    data = read_file("d", written(f"a,b,y\n1,u,p\n{cell},{cell},q\n3,v,p\n"), target="y")
    np.testing.assert_array_equal(data.X["a"], [1, np.nan, 3])
    assert data.X["b"].cat.categories.tolist() == ["u", "v"]
    assert data.X["b"].cat.codes.tolist() == [0, -1, 1]


@pytest.mark.parametrize("cell", ["None", "none", "-", "n/a", "NULL", "0"])
def test_other_names_are_levels(written, cell):
    data = read_file("d", written(f"b,y\nu,p\n{cell},q\nv,p\n"), target="y")
    assert cell in data.X["b"].cat.categories


def test_codes_are_nominal_where_the_file_says_so(written):
    data = read_file("d", written(FLOWERS), target="species", nominal=["code"])
    assert data.X["code"].cat.categories.tolist() == ["1", "2", "10"]
    assert data.X["code"].cat.codes.tolist() == [0, 1, -1, 2]


def test_ignored_columns_are_left_out_and_group_columns_become_groups(written):
    data = read_file(
        "d", written(FLOWERS), target="species", ignore=("code", "colour"), group="who"
    )
    assert data.p == 1
    assert data.groups.tolist() == [0, 1, 0, 2]


@pytest.mark.parametrize("prefix", ["", "file:"])
def test_a_test_file_becomes_the_test_sample(written, tmp_path, prefix):
    written(FLOWERS)
    written("length,colour,code,who,species\n1.5,green,3,zoe,b\n", "later.csv")
    data = from_source(
        "d",
        "file:data.csv",
        folder=tmp_path,
        target="species",
        test=f"{prefix}later.csv",
        ignore=("code",),
        group="who",
    )
    assert (data.n, data.n_test) == (4, 1)
    assert data.y[-1] == 1
    assert data.X["length"].iloc[-1] == 1.5
    assert data.X["colour"].cat.categories.tolist() == ["blue", "green", "red"]
    assert len(data.groups) == 4


@pytest.mark.parametrize(
    ("cells", "classes"),
    [
        (("yes", "no", "yes", "no"), ("no", "yes")),
        (("True", "False", "True", "False"), ("False", "True")),
        (("2", "10", "2", "10"), ("2", "10")),
        (("1.0", "2.0", "1.0", "2.0"), ("1", "2")),
    ],
)
def test_classes_are_called_as_in_the_file(written, cells, classes):
    rows = "".join(f"{i},{c}\n" for i, c in enumerate(cells))
    path = written("a,y\n" + rows)
    assert read_file("d", path, target="y").classes == classes
    assert read_file("d", path, target="y", positive=classes[0]).classes == classes[::-1]


def test_rows_of_a_parquet_file_keep_their_order_whatever_their_index(written):
    frame = pd.DataFrame({"a": [3.0, 1.0, 2.0], "y": [0.5, 1.5, 2.5]}, index=[9, 7, 8])
    file = io.BytesIO()
    frame.to_parquet(file)
    data = read_file("d", written(file.getvalue(), "x.parquet"), target="y")
    assert data.X.ravel().tolist() == [3, 1, 2]
    assert data.p == 1


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("e.csv", "", "Data set 'd': '{path}' is empty."),
        ("h.csv", "a,y\n", "Data set 'd' has 0 rows; at least 2 needed."),
        ("t.csv", "a,a,y\n1,2,p\n", "Data set 'd': '{path}' has two columns called 'a'."),
        (
            "w.csv",
            "a,y\n1,p,7\n2,q,8\n",
            "Data set 'd': '{path}' has 2 column names; expected as many cells in line 2, saw 3.",
        ),
        (
            "l.csv",
            "a,y\n1,p\n2,q,8\n",
            "Data set 'd': '{path}' has 2 column names; expected as many cells in line 3, saw 3.",
        ),
        ("i.csv", b"a,y\n\xe9,p\nb,q\n", "Data set 'd': '{path}' is not a text file in UTF-8."),
        ("b.csv", "a\0,y\n1,p\n", "Data set 'd': '{path}' is a binary file, not CSV."),
        (
            "z.csv.gz",
            b"plain",
            "Data set 'd': '{path}' cannot be read as CSV: Not a gzipped file (b'pl').",
        ),
        (
            "m.csv",
            "a,y\n1,p\n2,?\n3,q\n",
            "Data set 'd': the target is missing in 1 of 3 rows (row 2). Remove these rows.",
        ),
        ("p.csv.zip", "", "Data set 'd': '{path}' is packed; unpack it, or pack it with gzip."),
        (
            "q.csv",
            'a,y\n1,p\n2,"q\n',
            "Data set 'd': '{path}' cannot be read as CSV: EOF inside string starting at row 2.",
        ),
        (
            "s.csv",
            "a;y\n1;p\n2;q\n",
            "Data set 'd' has no column 'y' for its target. Columns: a;y.",
        ),
    ],
)
def test_a_broken_file_is_refused_in_words(written, name, content, message):
    path = written(content, name)
    with pytest.raises(DesignError) as error:
        read_file("d", path, target="y")
    assert str(error.value) == message.format(path=path)


@pytest.mark.parametrize("content", [b"", b"nonsense", parquet_bytes(COLUMNS)[:-20]])
def test_a_broken_parquet_file_is_refused(written, content):
    path = written(content, "x.parquet")
    with pytest.raises(DesignError, match=r"^Data set 'd': '.*' cannot be read as Parquet: "):
        read_file("d", path, target="species")


def test_a_truncated_gzip_file_is_refused(written):
    rows = "".join(f"{i * 7919 % 10007},{i % 2}\n" for i in range(9999))
    content = gzip.compress(f"a,y\n{rows}".encode())
    with pytest.raises(DesignError, match="cannot be read"):
        read_file("d", written(content[: len(content) // 2], "x.csv.gz"), target="y")


@pytest.mark.parametrize("header", [",a,y", "a,,y", "a, ,y"])
def test_a_column_without_a_name_is_refused_and_not_called_unnamed(written, header):
    """The first is what pandas writes with its index: row numbers would become an attribute."""
    with pytest.raises(DesignError, match=r"without a name|no name|not named|unnamed"):
        read_file("d", written(header + "\n0,1,p\n1,2,q\n2,3,p\n"), target="y")


def test_a_row_that_is_too_short_is_not_silently_filled(written):
    with pytest.raises(DesignError):
        read_file("d", written("y,a,b\np,1,2\nq,2\np,3,4\n"), target="y")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {},
            "Data set 'd': say which column is the target, one of length, colour, code, who, "
            "species.",
        ),
        (
            {"target": "speces"},
            "Data set 'd' has no column 'speces' for its target. Did you mean 'species'? "
            "Columns: length, colour, code, who, species.",
        ),
        (
            {"target": "species", "ignore": ("size",)},
            "Data set 'd' has no column 'size' to ignore.",
        ),
        (
            {"target": "species", "ignore": ("color",)},
            "Data set 'd' has no column 'color' to ignore. Did you mean 'colour'?",
        ),
        (
            {"target": "species", "group": "whom"},
            "Data set 'd' has no column 'whom' for its group. Did you mean 'who'? "
            "Columns: length, colour, code, who, species.",
        ),
        (
            {"target": "species", "nominal": ("cod",)},
            "Data set 'd' has no column 'cod' that could be nominal. Did you mean 'code'?",
        ),
    ],
)
def test_a_wrong_column_is_named(written, tmp_path, options, message):
    written(FLOWERS)
    assert refusal("d", "file:data.csv", folder=tmp_path, **options) == message


def test_a_file_that_is_not_there_is_named(tmp_path):
    message = f"Data set 'd': there is no file '{tmp_path / 'x.csv'}'."
    assert refusal("d", "file:x.csv", folder=tmp_path, target="y") == message
    message = f"Data set 'd': '{tmp_path}' is a folder, not a file."
    assert refusal("d", "file:", folder=tmp_path, target="y") == message
    long = "x" * 5000
    assert "there is no file" in refusal("d", f"file:{long}", folder=tmp_path, target="y")


def test_without_pyarrow_a_parquet_file_names_the_extra(written, monkeypatch):
    import sys

    path = written(parquet_bytes(COLUMNS), "x.parquet")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingPackage) as error:
        read_table(path, "Data set 'd'")
    assert str(error.value) == (
        "Reading Parquet files needs the package 'pyarrow', which is not installed: "
        "pip install 'podium-benchmarks[parquet]'."
    )


# --- scikit-learn ---


@pytest.mark.parametrize("which", BUNDLED)
def test_a_bundled_data_set_has_scikit_learns_rows_and_classes(which):
    data = from_source(which, f"sklearn:{which}")
    bunch = getattr(sklearn.datasets, f"load_{which}")()
    np.testing.assert_array_equal(data.X, bunch.data)
    if which == "diabetes":
        assert data.task == "regression"
        np.testing.assert_array_equal(data.y, bunch.target)
    else:
        names = [str(n) for n in bunch.target_names]
        assert [data.classes[c] for c in data.y] == [names[t] for t in bunch.target]
    assert data.origin == f"sklearn:{which}"


def test_a_bundled_data_set_takes_options():
    data = from_source("d", "sklearn:breast_cancer", positive="malignant")
    assert data.classes == ("benign", "malignant")
    assert data.y.sum() == 212  # the malignant tumours of the Wisconsin data


# --- built in ---


@pytest.mark.parametrize(
    ("which", "n", "n_test", "p", "nominal", "classes"),
    [
        ("monks3", 554, 0, 6, 6, ("0", "1")),
        ("monks3-domain", 432, 0, 6, 6, ("0", "1")),
        ("monks3-training", 122, 0, 6, 6, ("0", "1")),
        ("monks3-competition", 122, 432, 6, 6, ("0", "1")),
        ("tictactoe", 958, 0, 9, 9, ("negative", "positive")),
        ("titanic", 2201, 0, 3, 3, ("No", "Yes")),
        ("twonorm", 1200, 0, 20, 0, ("0", "1")),
        ("friedman1", 200, 0, 10, 0, ()),
    ],
)
def test_a_built_in_data_set_has_its_published_size(which, n, n_test, p, nominal, classes):
    data = from_source("d", f"builtin:{which}")
    assert (data.n, data.n_test, data.p, data.n_nominal) == (n, n_test, p, nominal)
    assert data.classes == classes
    assert data.origin == f"builtin:{which}"
    assert data.name == "d"


def test_the_competition_tests_on_the_true_domain_and_learns_the_training_part():
    data = from_source("d", "builtin:monks3-competition")
    training = from_source("t", "builtin:monks3-training")
    domain, truth = problems.monks3_domain()
    assert data.y[122:].tolist() == truth.tolist()
    assert data.y[:122].tolist() == training.y.tolist()
    for column in domain:
        assert data.X[column][122:].tolist() == domain[column].tolist()


@pytest.mark.parametrize("which", ["twonorm", "monks3-training"])
def test_a_seed_of_its_own_draws_another_data_set(which):
    fingerprints = {
        from_source("d", f"builtin:{which}", seed=seed).fingerprint for seed in (0, 1, 2)
    }
    assert len(fingerprints) == 3
    assert from_source("e", f"builtin:{which}").fingerprint in fingerprints


@pytest.mark.parametrize("which", PROBLEMS)
def test_every_process_is_a_data_set_or_may_be_simulated(which):
    data = from_source("d", f"builtin:{which}", n=30)
    assert isinstance(data, Dataset)
    assert (data.n, data.task) == (30, PROBLEMS[which].task)
    process = from_source("d", f"builtin:{which}", simulate=True, n=30, n_test=50, fresh_test=True)
    assert isinstance(process, Process)
    assert (process.name, process.n, process.n_test, process.fresh_test) == ("d", 30, 50, True)


def test_every_name_that_is_listed_is_a_process_or_a_table_of_published_size():
    tables = {"monks3", "monks3-domain", "monks3-training", "monks3-competition"}
    assert set(builtins()) == tables | {"tictactoe", "titanic", *PROBLEMS}


@pytest.mark.parametrize("simulate", [False, True])
def test_parameters_reach_the_process(simulate):
    data = from_source("d", "builtin:twonorm", simulate=simulate, n=10, parameters={"d": 3})
    assert data.facts["p"] == 3


@pytest.mark.parametrize(
    ("source", "options", "message"),
    [
        (
            "https://example.org",
            {},
            "Data set 'd': 'https://example.org' is not a source. "
            "Known: builtin:..., sklearn:..., file:..., openml:....",
        ),
        ("iris", {}, "Data set 'd': write 'sklearn:iris'."),
        ("builtin:iris", {}, "Data set 'd': write 'sklearn:iris'."),
        ("sklearn:monks3", {}, "Data set 'd': write 'builtin:monks3'."),
        (
            "irises",
            {},
            "Data set 'd': 'irises' is not a source. "
            "Known: builtin:..., sklearn:..., file:..., openml:....",
        ),
        (
            "sklearn:irs",
            {},
            "Data set 'd': 'irs' is not a bundled data set. Did you mean 'iris'? "
            "Known: iris, wine, breast_cancer, digits, diabetes.",
        ),
        (
            "builtin:titanik",
            {},
            "Data set 'd': 'titanik' is not a built-in data set. Did you mean 'titanic'? "
            f"Known: {', '.join(builtins())}.",
        ),
        (
            "builtin:titanic",
            {"simulate": True},
            "Data set 'd': builtin:titanic is a fixed table; a simulation needs a process: "
            f"{', '.join(PROBLEMS)}.",
        ),
        (
            "builtin:twonorm",
            {"parameters": {"dimension": 3}},
            "Process 'd': 'dimension' is not a parameter of twonorm. Known: d.",
        ),
        (
            "builtin:twonorm",
            {"parameters": {"dimension": 3}, "simulate": True},
            "Process 'd': 'dimension' is not a parameter of twonorm. Known: d.",
        ),
        (
            "builtin:friedman1",
            {"parameters": {"sd": -1}},
            "Process 'd' cannot be sampled with the parameter sd = -1: ValueError: scale < 0.",
        ),
        (
            "builtin:twonorm",
            {"seed": -1},
            "Data set 'd': the seed is a whole number from 0, not -1.",
        ),
        (
            "builtin:twonorm",
            {"seed": 1, "simulate": True},
            "Data set 'd': 'seed' does not go with the source 'builtin:twonorm' in a simulation.",
        ),
        (
            "builtin:twonorm",
            {"n": 1},
            "Process 'd': n must be a whole number of at least 2, not 1.",
        ),
        (
            "builtin:twonorm",
            {"n": 0},
            "Process 'd': n must be a whole number of at least 2, not 0.",
        ),
        ("builtin:twonorm", {"n": 10**14}, f"Process 'd': n = {10**14} rows are too many."),
    ],
)
def test_a_wrong_source_is_refused_in_words(source, options, message):
    assert refusal("d", source, **options) == message


def test_a_file_that_is_there_needs_its_scheme(tmp_path):
    (tmp_path / "rows.csv").write_text("a,y\n1,2\n")
    with pytest.raises(DesignError, match=r"Data set 'd': write the file as 'file:rows.csv'\."):
        from_source("d", "rows.csv", folder=tmp_path)


@pytest.mark.parametrize("simulate", [False, True])
@pytest.mark.parametrize("key", ["name", "n", "problem", "seed", "draw", "task", "n_test", "rng"])
def test_a_parameter_that_the_process_lacks_is_a_design_error_whatever_it_is_called(key, simulate):
    message = refusal("d", "builtin:twonorm", n=10, simulate=simulate, parameters={key: 3})
    assert key in message
    assert "'d'" in message


@pytest.mark.parametrize(
    ("source", "option"),
    [
        *(
            ("builtin:titanic", {k: v})
            for k, v in [("n", 100), ("n_test", 10), ("fresh_test", True)]
        ),
        ("builtin:titanic", {"parameters": {"a": 1}}),
        ("builtin:titanic", {"seed": 1}),
        ("builtin:twonorm", {"n_test": 100}),
        ("builtin:twonorm", {"fresh_test": True}),
    ],
    ids=str,
)
def test_an_option_that_does_not_go_with_the_source_is_refused_and_not_dropped(source, option):
    assert next(iter(option)) in refusal("d", source, **option)


def test_the_positive_class_of_a_process_is_not_dropped():
    assert from_source("d", "builtin:twonorm", n=50, positive=0).classes == ("1", "0")
