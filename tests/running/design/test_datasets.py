"""Data sets from any kind of table: the same data are the same data set, and nothing is lost."""

import datetime
from dataclasses import replace

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse

from podium import dataset
from podium.errors import DesignError

LENGTHS = [5.1, 4.9, None, 6.2, 5.9, 6.0]
COUNTS = [3, 1, 4, 1, 5, 9]
COLOURS = ["red", "blue", None, "red", "green", "blue"]
SPECIES = ["b", "a", "b", "a", "a", "b"]
COLUMNS = {"length": LENGTHS, "count": COUNTS, "colour": COLOURS}

MAKERS = {
    "pandas": pd.DataFrame,
    "pandas nullable": lambda d: pd.DataFrame(d).convert_dtypes(),
    "pandas arrow": lambda d: pd.DataFrame(d).convert_dtypes(dtype_backend="pyarrow"),
    "polars": pl.DataFrame,
    "pyarrow": pa.table,
}
frames = pytest.mark.parametrize("frame", MAKERS.values(), ids=MAKERS)


def square(n=4, p=2):
    return np.arange(float(n * p)).reshape(n, p)


def refusal(*arguments, **options):
    """What is said of a data set that cannot be made."""
    with pytest.raises(DesignError) as error:
        dataset(*arguments, **options)
    return str(error.value)


# --- one data set, whatever it comes from ---


@frames
def test_every_kind_of_frame_gives_the_same_data_set(frame):
    data = dataset("flowers", frame(COLUMNS), SPECIES)
    reference = dataset("flowers", pd.DataFrame(COLUMNS), np.array(SPECIES))
    assert data.fingerprint == reference.fingerprint
    pd.testing.assert_frame_equal(data.X, reference.X)
    assert (data.n, data.p, data.n_nominal, data.n_missing) == (6, 3, 1, 2)


@frames
def test_numbers_and_gaps_arrive_unchanged(frame):
    X = dataset("flowers", frame(COLUMNS), SPECIES).X
    np.testing.assert_array_equal(X["length"], [5.1, 4.9, np.nan, 6.2, 5.9, 6.0])
    np.testing.assert_array_equal(X["count"], COUNTS)
    assert X["colour"].astype(object).where(X["colour"].notna(), None).tolist() == COLOURS
    assert X["colour"].cat.categories.tolist() == ["blue", "green", "red"]


@frames
def test_a_frame_of_numbers_is_the_same_as_an_array(frame):
    X = square(6, 2)
    of_frame = dataset("d", frame({"a": X[:, 0].tolist(), "b": X[:, 1].tolist()}), SPECIES)
    of_array = dataset("d", X, SPECIES)
    np.testing.assert_array_equal(of_frame.X, X)
    np.testing.assert_array_equal(of_array.X, X)
    assert (
        of_frame.fingerprint
        == of_array.fingerprint
        == dataset("d", X.tolist(), SPECIES).fingerprint
    )


@pytest.mark.parametrize("dtype", [np.float32, np.int16, np.uint8, ">f8", object, bool])
def test_an_array_of_any_type_of_numbers_is_the_same_data_set(dtype):
    X = np.array([[0, 1], [1, 1], [1, 0], [0, 0]])
    assert (
        dataset("d", X.astype(dtype), [0, 1, 0, 1]).fingerprint
        == dataset("d", X.astype(float), [0, 1, 0, 1]).fingerprint
    )


@pytest.mark.parametrize(
    "y",
    [
        list("baabab"),
        tuple("baabab"),
        np.array(list("baabab")),
        np.array(list("baabab"), dtype=object),
        np.array(list("baabab"))[:, None],
        pd.Series(list("baabab"), index=range(6, 0, -1)),
        pd.Categorical(list("baabab"), categories=["b", "a", "unused"]),
        pd.Series(list("baabab"), dtype="category"),
        pd.DataFrame({"y": list("baabab")}),
        pl.Series(list("baabab")),
        pl.Series(list("baabab"), dtype=pl.Categorical),
        pa.chunked_array([list("baa"), list("bab")]),
    ],
    ids=lambda y: type(y).__module__.partition(".")[0] + "." + type(y).__name__,
)
def test_a_target_of_any_kind_of_vector_is_the_same(y):
    data = dataset("d", square(6), y)
    assert data.classes == ("a", "b")
    assert data.y.tolist() == [1, 0, 0, 1, 0, 1]


@frames
@pytest.mark.parametrize(
    ("target", "classes"),
    [
        (["p", "q", "p", "q"], ("p", "q")),
        ([3, 10, 3, 10], ("3", "10")),
        ([False, True, True, False], ("False", "True")),
        ([0.5, 1.25, 2.0, 3.0], ()),
    ],
    ids=["text", "whole", "truth", "fractions"],
)
def test_a_target_named_as_a_column_is_the_same_as_one_given_apart(frame, target, classes):
    together = dataset("d", frame({"a": [1.0, 2.0, 3.0, 4.0], "y": target}), "y")
    apart = dataset("d", frame({"a": [1.0, 2.0, 3.0, 4.0]}), target)
    assert together.classes == apart.classes == classes
    assert together.fingerprint == apart.fingerprint


@frames
def test_truth_values_are_the_numbers_0_and_1_also_beside_gaps(frame):
    data = dataset("d", frame({"a": [True, False, None, True]}), [0, 1, 0, 1])
    np.testing.assert_array_equal(data.X, [[1], [0], [np.nan], [1]])


@pytest.mark.parametrize(
    "column",
    [
        pd.Categorical(["b", "a", None, "b"], categories=["unused", "b", "a"]),
        pd.Series(["b", "a", None, "b"], dtype=object),
        pd.Series(["b", "a", None, "b"], dtype="string"),
        ["b", "a", float("nan"), "b"],
    ],
    ids=["categorical", "object", "string", "nan"],
)
def test_every_kind_of_text_column_is_nominal_with_the_levels_that_occur(column):
    column = dataset("d", pd.DataFrame({"a": column}), [0, 1, 0, 1]).X["a"]
    assert column.cat.categories.tolist() == ["a", "b"]
    assert column.cat.codes.tolist() == [1, 0, -1, 1]


def test_nominal_columns_of_polars_and_pyarrow_are_nominal():
    values = ["b", "a", None, "b"]
    of_pandas = dataset("d", pd.DataFrame({"a": values}), [0, 1, 0, 1])
    for frame in (
        pl.DataFrame({"a": pl.Series(values, dtype=pl.Categorical)}),
        pl.DataFrame({"a": pl.Series(values, dtype=pl.Enum(["b", "a", "unused"]))}),
        pa.table({"a": pa.array(values).dictionary_encode()}),
    ):
        assert dataset("d", frame, [0, 1, 0, 1]).fingerprint == of_pandas.fingerprint


def test_an_array_of_texts_has_nominal_columns():
    mixed = [[1, "red"], [2, None], [3, "blue"], [4, "red"]]
    of_array = dataset("d", np.array(mixed, dtype=object), [0, 1, 0, 1])
    of_frame = dataset("d", pd.DataFrame(mixed, columns=["x1", "x2"]), [0, 1, 0, 1])
    assert of_array.n_nominal == 1
    assert of_array.fingerprint == of_frame.fingerprint
    assert dataset("d", mixed, [0, 1, 0, 1]).fingerprint == of_frame.fingerprint


def test_numbers_in_a_column_of_objects_stay_numbers():
    frame = pd.DataFrame({"a": [1, 2.5, None, 4]}, dtype=object)
    np.testing.assert_array_equal(dataset("d", frame, [0, 1, 0, 1]).X, [[1], [2.5], [np.nan], [4]])


@pytest.mark.parametrize("columns", [[0, 1], [10, "b"], [("a", 1), ("a", 2)]])
def test_column_names_need_not_be_texts(columns):
    data = dataset("d", pd.DataFrame(square(), columns=pd.Index(columns)), [0, 1, 0, 1])
    np.testing.assert_array_equal(data.X, square())


@pytest.mark.parametrize("name", ["a b", "ü≈", "x.y", "'quoted'", "__class__", "level_0", "index"])
def test_weird_names_of_columns_and_data_sets_are_kept(name):
    frame = pd.DataFrame({name: ["u", "v", "u", "v"], "other": [1.0, 2.0, 3.0, 4.0]})
    data = dataset(name, frame, [0, 1, 0, 1])
    assert data.name == name
    assert list(data.X.columns) == [name, "other"]


def test_rows_are_taken_by_position_and_not_by_the_frames_index():
    frame = pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0]}, index=[3, 2, 1, 0])
    data = dataset("d", frame, pd.Series([0, 1, 0, 1], index=[7, 7, 8, 9]))
    assert data.X.ravel().tolist() == [1, 2, 3, 4]
    assert data.y.tolist() == [0, 1, 0, 1]


def test_masked_values_are_missing():
    X = np.ma.masked_array(square(), mask=[[1, 0], [0, 0], [0, 0], [0, 1]])
    assert dataset("d", X, [0, 1, 0, 1]).n_missing == 2
    y = np.ma.masked_array([0, 1, 0, 1], mask=[0, 0, 0, 1])
    assert "the target is missing in 1 of 4 rows (row 4)" in refusal("d", square(), y)


def test_changing_the_data_afterwards_does_not_change_the_data_set():
    X, y, frame = square(), np.array([0.5, 1, 2, 3]), pd.DataFrame({"a": [1.0, 2, 3, 4], "b": 1.0})
    made = [dataset("d", X, y), dataset("d", frame, y)]
    before = [replace(d).fingerprint for d in made]
    X[:], y[:], frame["a"] = 99, 99, 99
    assert [replace(d).fingerprint for d in made] == before


def test_making_a_data_set_does_not_change_the_data():
    frame = pd.DataFrame({"a": [1, 2, 1, 2], "g": list("uvuv"), "y": list("pqpq")})
    before = frame.copy(deep=True)
    dataset("d", frame, "y", groups="g", nominal=["a"])
    pd.testing.assert_frame_equal(frame, before)


# --- nominal attributes ---


@pytest.mark.parametrize("entry", ["code", 1])
def test_a_column_of_codes_is_nominal_where_said_so(entry):
    frame = pd.DataFrame({"x": [0.5, 1.5, 2.5, 3.5], "code": [10, 2, None, 2]})
    data = dataset("d", frame, [0, 1, 0, 1], nominal=[entry])
    assert data.n_nominal == 1
    assert data.X["code"].cat.categories.tolist() == ["2", "10"]
    assert data.X["code"].cat.codes.tolist() == [1, 0, -1, 0]


@pytest.mark.parametrize("values", [[10, 2, None, 2], [10.0, 2.0, None, 2.0]])
def test_levels_are_the_same_whether_whole_numbers_came_as_categories_or_were_named(values):
    categorical = dataset("d", pd.DataFrame({"a": pd.Categorical(values)}), [0, 1, 0, 1])
    named = dataset("d", pd.DataFrame({"a": values}), [0, 1, 0, 1], nominal=["a"])
    assert set(categorical.X["a"].cat.categories) == set(named.X["a"].cat.categories) == {"2", "10"}


def test_nominal_columns_of_an_array_go_by_position():
    data = dataset("d", square(), [0, 1, 0, 1], nominal=[0])
    assert data.X["x1"].cat.categories.tolist() == ["0", "2", "4", "6"]
    np.testing.assert_array_equal(data.X["x2"], square()[:, 1])


# --- the target ---


@pytest.mark.parametrize(
    ("y", "task"),
    [
        (["a", "b"] * 30, "classification"),
        ([True, False] * 30, "classification"),
        ([0, 1] * 30, "classification"),
        ([0.0, 1.0] * 30, "classification"),
        (list(range(20)) * 3, "classification"),
        (list(range(21)) * 3, "regression"),
        ([0.5, 1.0] * 30, "regression"),
        (list(range(60)), "regression"),
        ([str(k) for k in range(60)], "classification"),
    ],
    ids=["text", "truth", "codes", "whole floats", "20", "21", "fractions", "distinct", "digits"],
)
def test_the_task_follows_from_the_target(y, task):
    assert dataset("d", square(len(y)), y).task == task


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_the_task_may_be_said(task):
    data = dataset("d", square(), [1, 2, 1, 2], task=task)
    assert data.task == task
    assert data.classes == (("1", "2") if task == "classification" else ())
    assert data.y.tolist() == ([0, 1, 0, 1] if task == "classification" else [1, 2, 1, 2])


@pytest.mark.parametrize(
    ("y", "classes"),
    [
        ([10, 9, 10, 9], ("9", "10")),
        ([-1, 1, -1, 1], ("-1", "1")),
        ([2.0, 1.0, 2.0, 1.0], ("1", "2")),
        (["10", "9", "10", "9"], ("9", "10")),
        (["b", "a10", "a9", "b"], ("a10", "a9", "b")),
        ([True, False, True, False], ("False", "True")),
    ],
)
def test_classes_are_texts_in_the_order_of_numbers_or_of_the_alphabet(y, classes):
    data = dataset("d", square(), y)
    assert data.classes == classes
    labels = [int(v) if isinstance(v, float) else v for v in y]
    assert [data.classes[code] for code in data.y] == [str(v) for v in labels]


@frames
def test_long_numbers_name_classes_and_groups_exactly(frame):
    """As floats, both would be 2^53."""
    columns = {"a": [1.0, 2.0, 3.0, 4.0], "id": [2**53, 2**53 + 1] * 2}
    assert dataset("d", frame(columns), "id").classes == ("9007199254740992", "9007199254740993")
    assert dataset("d", frame(columns), [0, 1, 0, 1], groups="id").groups.tolist() == [0, 1, 0, 1]


def test_a_categorical_target_holds_classes_however_many_digits():
    y = pd.Series(np.arange(60) % 30, dtype="category")
    assert len(dataset("d", square(60), y).classes) == 30


def test_names_of_classes_are_plain_texts():
    """A numpy text has another repr, and so another fingerprint."""
    assert {type(c) for c in dataset("d", square(), list("abab")).classes} == {str}


@pytest.mark.parametrize(
    ("y", "positive", "classes"),
    [
        (["yes", "no", "no", "yes"], "no", ("yes", "no")),
        ([0, 1, 0, 1], 0, ("1", "0")),
        ([1.0, 2.0, 1.0, 2.0], 1.0, ("2", "1")),
        ([True, False, True, False], False, ("True", "False")),
        (["a", "b", "c", "a"], "a", ("b", "c", "a")),
    ],
)
def test_the_positive_class_comes_last(y, positive, classes):
    assert dataset("d", square(), y, positive=positive).classes == classes


def test_saying_the_default_positive_class_changes_nothing():
    said = dataset("d", square(), list("abab"), positive="b")
    assert said.fingerprint == dataset("d", square(), list("abab")).fingerprint


# --- a separate test sample and groups ---


@frames
def test_a_test_sample_stands_behind_the_learning_sample(frame):
    learning = frame({"a": [1.0, 2.0, 3.0], "c": ["u", "v", "u"], "y": ["p", "q", "p"]})
    test = frame({"a": [4.0, None], "c": ["w", None], "y": ["q", "p"]})
    data = dataset("d", learning, "y", test=(test, "y"))
    assert (data.n, data.n_test, len(data.y)) == (3, 2, 5)
    assert data.y.tolist() == [0, 1, 0, 1, 0]
    np.testing.assert_array_equal(data.X["a"], [1, 2, 3, 4, np.nan])
    assert data.X["c"].cat.categories.tolist() == ["u", "v", "w"]
    assert data.X["c"].cat.codes.tolist() == [0, 1, 0, 2, -1]


def test_the_place_of_the_border_is_part_of_the_identity():
    y = [0, 1, 0, 1]
    parts = {
        k: dataset("d", square()[:k], y[:k], test=(square()[k:], y[k:])).fingerprint for k in (2, 3)
    }
    assert len({*parts.values(), dataset("d", square(), y).fingerprint}) == 3


@frames
def test_groups_are_values_or_a_column_which_is_then_no_attribute(frame):
    columns = {"a": [1.0, 2.0, 3.0, 4.0], "who": ["eve", "bob", "eve", "ann"]}
    named = dataset("d", frame(columns), [0, 1, 0, 1], groups="who")
    given = dataset("d", frame({"a": columns["a"]}), [0, 1, 0, 1], groups=columns["who"])
    assert named.p == 1
    assert named.groups.tolist() == given.groups.tolist() == [2, 1, 2, 0]
    assert named.fingerprint == given.fingerprint


def test_numbered_groups_keep_rows_of_one_number_together():
    groups = dataset("d", square(), [0, 1, 0, 1], groups=[7, 10, 7, 9]).groups
    assert groups[0] == groups[2]
    assert sorted(set(groups)) == [0, 1, 2]


# --- identity and description ---


def test_the_fingerprint_does_not_depend_on_the_name_or_origin():
    one = dataset("one", square(), [0, 1, 0, 1], origin="here")
    assert one.fingerprint == dataset("two", square(), [0, 1, 0, 1]).fingerprint


@pytest.mark.parametrize(
    "changed",
    [
        dataset("d", square() + np.eye(4, 2), [0, 1, 0, 1]),
        dataset("d", square(), [0, 1, 1, 1]),
        dataset("d", square(), [0, 2, 0, 2]),
        dataset("d", square(), [0, 1, 0, 1], positive=0),
        dataset("d", square(), [0, 1, 0, 1], task="regression"),
        dataset("d", square(), [0, 1, 0, 1], nominal=[0]),
        dataset("d", square(), [0, 1, 0, 1], groups=[0, 0, 1, 1]),
        dataset("d", square(), [0, 1, 0, 1], groups=[0, 1, 1, 1]),
        dataset("d", square()[::-1], [0, 1, 0, 1]),
        dataset("d", square()[:, ::-1], [0, 1, 0, 1]),
    ],
    ids=["X", "y", "classes", "positive", "task", "nominal", "groups", "grouping", "rows", "order"],
)
def test_the_fingerprint_depends_on_everything_that_scores_depend_on(changed):
    unchanged = [
        dataset("d", square(), [0, 1, 0, 1]),
        dataset("d", square(), [0, 1, 0, 1], groups=[0, 1, 0, 1]),
    ]
    assert changed.fingerprint not in [d.fingerprint for d in unchanged]


def test_facts_and_repr_tell_what_the_data_are():
    data = dataset("flowers", pd.DataFrame(COLUMNS), SPECIES, origin="file:flowers.csv")
    assert data.facts == {
        "task": "classification",
        "n": 6,
        "n_test": 0,
        "p": 3,
        "nominal": 1,
        "missing": 2,
        "classes": ["a", "b"],
        "positive_share": 0.5,
        "origin": "file:flowers.csv",
    }
    assert repr(data) == (
        "<Dataset flowers: 6 rows, 3 attributes (1 nominal), classification, 2 classes, "
        "2 missing values>"
    )
    tested = dataset("t", square(), [0.5, 1, 2, 3], test=(square(2), [1, 2]))
    assert repr(tested) == "<Dataset t: 4 + 2 test rows, 2 attributes (0 nominal), regression>"


# --- refusals ---


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "tab\t", None, 5, "\x00"])
def test_a_name_is_a_printable_text(name):
    assert refusal(name, square(), [0, 1, 0, 1]) == (
        f"The name of a data set is a printable text, not {name!r}."
    )


@pytest.mark.parametrize(
    ("X", "y", "options", "message"),
    [
        (
            np.arange(4.0),
            [0, 1, 0, 1],
            {},
            "Data set 'd': attributes have 1 dimensions instead of 2.",
        ),
        (
            pd.Series([1, 2]),
            [0, 1],
            {},
            "Data set 'd': a Series is no table. Give an array or a frame of pandas, polars or "
            "pyarrow.",
        ),
        (
            scipy.sparse.csr_matrix(np.eye(4)),
            [0, 1, 0, 1],
            {},
            "Data set 'd': sparse matrices are not supported; give .toarray().",
        ),
        (square(), [0, 1, 0], {}, "Data set 'd': 4 rows but 3 target values."),
        (square(), np.ones((4, 2)), {}, "Data set 'd': the target has 2 dimensions."),
        (
            square(),
            pd.date_range("2020", periods=4),
            {},
            "Data set 'd': the target holds times, neither numbers nor names. Turn it into "
            "numbers or leave it out.",
        ),
        (
            square(),
            ["a", None, "b", None],
            {},
            "Data set 'd': the target is missing in 2 of 4 rows (row 2, 4). Remove these rows.",
        ),
        (
            square(10),
            [np.nan] * 7 + [1, 2, 3],
            {},
            "Data set 'd': the target is missing in 7 of 10 rows (row 1, 2, 3, 4, 5, ...). "
            "Remove these rows.",
        ),
        (square(), list("aaaa"), {}, "Data set 'd': the target has the single class 'a'."),
        (
            square(),
            list("abab"),
            {"positive": "c"},
            "Data set 'd': positive class 'c' is not among its classes a, b.",
        ),
        (
            square(),
            ["1", "2", "many", "3"],
            {"task": "regression"},
            "Data set 'd': the target of a regression holds 'many', which is no number.",
        ),
        (
            square(),
            [1.5, np.inf, 2, 3],
            {},
            "Data set 'd': the target holds infinite values.",
        ),
        (
            square(),
            [0, 1, 0, 1],
            {"task": "ranking"},
            "Data set 'd': task 'ranking' is not one of classification, regression, "
            "density, clustering, survival.",
        ),
        (
            np.array([[1, np.inf], [2, 3]]),
            [0, 1],
            {},
            "Data set 'd': column 'x2' holds infinite values. Replace them by numbers or leave "
            "them empty.",
        ),
        (np.empty((4, 0)), [0, 1, 0, 1], {}, "Data set 'd' has no attributes beside its target."),
        (square(1), [0], {}, "Data set 'd' has 1 rows; at least 2 needed."),
        (
            pd.DataFrame({"sepal": [1, 2], "species": ["a", "b"]}),
            "specis",
            {},
            "Data set 'd' has no column 'specis' for its target. Did you mean 'species'? "
            "Columns: sepal, species.",
        ),
        (
            pd.DataFrame({"sepal": [1, 2], "who": ["a", "b"]}),
            [0, 1],
            {"groups": "how"},
            "Data set 'd' has no column 'how' for its group. Did you mean 'who'? "
            "Columns: sepal, who.",
        ),
        (
            pd.DataFrame({"colour": [1, 2]}),
            [0, 1],
            {"nominal": ["color"]},
            "Data set 'd' has no column 'color' that could be nominal. Did you mean 'colour'?",
        ),
        (
            square(),
            [0, 1, 0, 1],
            {"groups": [1, 2]},
            "Data set 'd': 2 groups for 4 rows.",
        ),
        (
            square(),
            [0, 1, 0, 1],
            {"groups": ["a", None, "b", "b"]},
            "Data set 'd': some rows have no group.",
        ),
        (
            square(),
            [0, 1, 0, 1],
            {"test": (square(2, 3), [0, 1])},
            "Data set 'd': training and test data have different columns: x3.",
        ),
        (
            pd.DataFrame({"a": [1, 2], "b": [1, 2]}),
            [0, 1],
            {"test": (pd.DataFrame({"b": [1, 2], "a": [1, 2]}), [0, 1])},
            "Data set 'd': training and test data have different columns (their order differs).",
        ),
        (
            pd.DataFrame({"a": [1, 2], "y": [0, 1]}),
            "y",
            {"test": (pd.DataFrame({"a": [1, 2]}), "y")},
            "Data set 'd' (test sample) has no column 'y' for its target. Columns: a.",
        ),
        (
            square(),
            [0, 1, 0, 1],
            {"test": (square(2), [0, None])},
            "Data set 'd' (test sample): the target is missing in 1 of 2 rows (row 2). "
            "Remove these rows.",
        ),
        (
            square(),
            [0, 1, 0, 1],
            {"test": (square(2), [0, 1, 1])},
            "Data set 'd' (test sample): 2 rows but 3 target values.",
        ),
        (
            pl.DataFrame({"when": [datetime.date(2020, 1, 1), datetime.date(2020, 1, 2)]}),
            [0, 1],
            {},
            "Data set 'd': column 'when' holds date, neither numbers nor names. Turn it into "
            "numbers or leave it out.",
        ),
        (
            pd.DataFrame([[1, 2], [3, 4]], columns=["a", "a"]),
            [0, 1],
            {},
            "Data set 'd': column 'a' occurs twice.",
        ),
    ],
)
def test_a_data_set_that_cannot_be_run_is_refused_in_words(X, y, options, message):
    assert refusal("d", X, y, **options) == message


@pytest.mark.parametrize(
    "X",
    [
        [[1, 2], [3]],
        np.array([["2020-01-01"], ["2020-01-02"]], dtype="datetime64[D]"),
        np.array([[1j], [2]]),
        np.array([[1, 2], [3, np.inf]], dtype=object),
        pd.DataFrame({"a": [datetime.date(2020, 1, 1), datetime.date(2020, 1, 2)]}),
        pd.DataFrame({"a": [[1], [2]]}),
        pd.DataFrame({"a": [np.ones(2), np.ones(2)]}),
        {"a": [1, 2]},
        None,
        "data.csv",
    ],
    ids=["ragged", "dates", "complex", "inf", "date", "lists", "arrays", "dict", "none", "text"],
)
def test_attributes_that_are_neither_numbers_nor_names_are_refused(X):
    assert refusal("d", X, [0, 1]).startswith("Data set 'd'")


@pytest.mark.parametrize("y", [[[1], [1, 2], [1], [2]], 5, None, [1j, 2, 3, 4]])
def test_a_target_that_is_no_vector_of_numbers_or_names_is_refused(y):
    assert refusal("d", square(), y).startswith("Data set 'd'")


@pytest.mark.parametrize("missing", [None, float("nan"), pd.NA, np.nan, pd.NaT])
@pytest.mark.parametrize("others", [["a", "b", "a"], [1, 2, 1], [True, False, True]])
def test_a_missing_target_in_a_plain_list_is_no_class(missing, others):
    assert "the target is missing in 1 of 4 rows (row 4)" in refusal(
        "d", square(), [*others, missing]
    )


@pytest.mark.parametrize("missing", [None, float("nan"), pd.NA])
def test_a_missing_group_in_a_plain_list_is_no_group(missing):
    assert refusal("d", square(), [0, 1, 0, 1], groups=["a", "b", "a", missing]) == (
        "Data set 'd': some rows have no group."
    )


@pytest.mark.parametrize(
    "options",
    [
        {"nominal": [9]},
        {"nominal": [-9]},
        {"test": square()},
        {"test": (square(),)},
        {"test": 5},
        {"positive": 1, "task": "regression"},
    ],
    ids=["beyond", "before", "no pair", "no target", "number", "no classes"],
)
def test_a_wrong_option_is_a_design_error(options):
    assert refusal("d", square(), [0, 1, 0, 1], **options).startswith("Data set 'd'")


def test_a_complaint_about_groups_does_not_speak_of_the_target():
    assert "target" not in refusal("d", square(), [0, 1, 0, 1], groups=np.ones((4, 2)))
