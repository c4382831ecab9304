"""The tables' columns, types and keys, and what is said of a frame that does not fit."""

import numpy as np
import pandas as pd
import pytest

from podium.core.base import tables
from podium.core.base.tables import SCORES, Table
from podium.errors import ResultsError

TABLES = [t for t in vars(tables).values() if isinstance(t, Table)]


@pytest.fixture
def scores():
    return pd.DataFrame(
        {
            "dataset": ["iris", "iris"],
            "algorithm": ["svm", "knn"],
            "sample": [1, 1],
            "measure": ["error", "error"],
            "value": [0.25, 0.5],
        }
    )


def with_value(frame, column, value):
    frame = frame.astype({column: object})
    frame.at[0, column] = value
    return frame


@pytest.mark.parametrize("table", TABLES, ids=lambda t: t.name)
def test_every_table_has_its_key_among_its_columns_and_known_types(table):
    assert table.key
    assert set(table.key) <= set(table.columns)
    assert set(table.columns.values()) <= {"text", "whole", "number"}


def test_every_table_has_a_name_of_its_own():
    names = [t.name for t in TABLES]
    assert sorted(names) == sorted(set(names))


@pytest.mark.parametrize("table", TABLES, ids=lambda t: t.name)
def test_an_empty_table_fits_itself(table):
    empty = table.empty()
    assert list(empty.columns) == list(table.columns)
    assert len(table.checked(empty, "It")) == 0
    for column, kind in table.columns.items():
        assert empty[column].dtype == {"text": object, "whole": np.int64, "number": float}[kind]


def test_columns_are_put_in_order_and_surplus_ones_left_out(scores):
    shuffled = scores[["value", "measure", "sample", "algorithm", "dataset"]].assign(note="x")
    pd.testing.assert_frame_equal(SCORES.checked(shuffled, "It"), SCORES.checked(scores, "It"))
    assert list(SCORES.shaped(shuffled)) == list(SCORES.columns)


def test_checking_leaves_the_given_frame_alone(scores):
    given = scores.astype({"sample": str})
    SCORES.checked(given, "It")
    assert list(given["sample"]) == ["1", "1"]


@pytest.mark.parametrize(
    ("column", "written", "read"),
    [
        ("sample", "7", 7),
        ("sample", 7.0, 7),
        ("value", "0.125", 0.125),
        ("value", 3, 3.0),
        ("dataset", 5, "5"),
        ("algorithm", "01", "01"),
    ],
)
def test_values_get_the_type_of_their_column(scores, column, written, read):
    value = SCORES.checked(with_value(scores, column, written), "It")[column][0]
    assert value == read
    assert isinstance(value, {int: np.integer, float: float, str: str}[type(read)])


def test_a_score_may_be_missing(scores):
    assert np.isnan(SCORES.checked(with_value(scores, "value", None), "It")["value"][0])


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("sample", "x", "It, column 'sample' holds 'x', which is no whole number."),
        ("sample", 1.5, "It, column 'sample' holds 1.5, which is no whole number."),
        ("sample", None, "It, column 'sample' holds None, which is no whole number."),
        ("sample", np.inf, "It, column 'sample' holds inf, which is no whole number."),
        ("value", "much", "It, column 'value' holds 'much', which is no number."),
    ],
)
def test_a_value_of_the_wrong_type_is_named(scores, column, value, message):
    with pytest.raises(ResultsError) as error:
        SCORES.checked(with_value(scores, column, value), "It")
    assert str(error.value) == message


@pytest.mark.parametrize("value", [1e20, 2**70, -(2**70)])
def test_a_whole_number_beyond_64_bits_is_refused_and_not_wrapped(scores, value):
    with pytest.raises(ResultsError, match="column 'sample'"):
        SCORES.checked(with_value(scores, "sample", value), "It")


@pytest.mark.parametrize("value", [None, np.nan])
def test_a_missing_name_is_refused(scores, value):
    with pytest.raises(ResultsError, match="column 'dataset'"):
        SCORES.checked(with_value(scores, "dataset", value), "It")


@pytest.mark.parametrize(
    ("gone", "message"),
    [
        (
            ["value"],
            "It lacks the column value; it needs dataset, algorithm, sample, measure, value.",
        ),
        (
            ["sample", "value"],
            "It lacks the columns sample, value; "
            "it needs dataset, algorithm, sample, measure, value.",
        ),
    ],
)
def test_missing_columns_are_named(scores, gone, message):
    with pytest.raises(ResultsError) as error:
        SCORES.checked(scores.drop(columns=gone), "It")
    assert str(error.value) == message
