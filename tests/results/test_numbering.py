"""The numbers of samples, and samplings that agree with them or do not."""

import numpy as np
import pytest
from tables_made import folds, long

from podium.errors import ResultsError
from podium.results.foreign import read_table
from podium.samplings import Sampling, bootstrap


def refused(match, source, **options):
    with pytest.raises(ResultsError, match=match):
        read_table(source, **options)


# --- samplings ---


def test_a_sampling_that_is_not_said_stays_unknown():
    assert read_table(long()).sampling is None
    assert read_table(long().rename(columns={"sample": "item"})).sampling is None


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("bootstrap", "bootstrap:4"),
        (bootstrap(4), "bootstrap:4"),
        ("cv", "cv:4"),
        ("cv+stratified", "cv:4+stratified"),
        ("subsampling:0.9", "subsampling:4x0.9"),
        ("simulation", "simulation:4"),
        ("bootstrap-cv", "bootstrap-cv:4"),
        ("repeated-cv", "repeated-cv"),
        ("loo", "loo"),
        ("items", "items"),
    ],
)
def test_numbers_left_out_are_filled_in_where_the_table_tells(said, kept):
    assert str(read_table(long(), sampling=said).sampling) == kept


def test_numbers_that_differ_between_data_sets_stay_open():
    uneven = long().iloc[:-2]
    assert read_table(uneven, sampling="cv").sampling == Sampling("cv")


def test_repeats_and_folds_are_counted():
    assert str(read_table(folds(3, 5), sampling="repeated-cv").sampling) == "repeated-cv:3x5"
    assert str(read_table(folds(5, 2), sampling="5x2cv").sampling) == "5x2cv"
    assert str(read_table(folds(1, 7), sampling="cv").sampling) == "cv:7"


@pytest.mark.parametrize(
    ("said", "source"),
    [
        ("cv:10", long(samples=7)),
        ("bootstrap:250", long()),
        ("5x2cv", long()),
        ("holdout:0.5", long()),
        ("repeated-cv:2x5", long()),
        ("repeated-cv:2x5", folds(5, 2)),
        ("5x2cv", folds(2, 5)),
        ("cv", folds(2, 5)),
        ("repeated-cv", folds(2, 5).iloc[:-2]),
        ("cv", long(samples=1)),
    ],
)
def test_a_sampling_that_the_table_contradicts_is_refused(said, source):
    refused(f"contradicts the sampling '{said}", source, sampling=said)


def test_a_column_of_items_may_head_samples_of_any_kind():
    frame = long().rename(columns={"sample": "item"})
    assert read_table(frame, sampling="bootstrap").sampling.name == "bootstrap"
    assert read_table(frame, sampling="items").sampling == Sampling("items")


# --- numbers of samples ---


def test_samples_are_numbered_repeat_by_repeat():
    results = read_table(folds(2, 3).sample(frac=1, random_state=1), sampling="repeated-cv")
    told = folds(2, 3)["error"].tolist()
    assert sorted(results.scores["value"]) == told
    first = results.values("error").query("algorithm == 'x'").sort_values("sample")
    assert first["value"].tolist() == told[::2]


def test_numbered_labels_are_ordered_as_numbers_and_others_as_they_appear():
    values = [0.1, 0.2, 0.3]
    numbered = {"seed": [10, 9, 100], "a": values, "c": values}
    assert read_table(numbered, measure="error").wide("error")["a"].tolist() == [0.2, 0.1, 0.3]
    named = {"seed": ["z", "y", "x"], "a": values, "c": values}
    assert read_table(named, measure="error").wide("error")["a"].tolist() == values


def test_seeds_beside_folds_are_repeats():
    frame = folds(3, 4).rename(columns={"repeat": "seed"})
    assert str(read_table(frame, sampling="repeated-cv").sampling) == "repeated-cv:3x4"


def test_labels_may_differ_between_data_sets():
    frame = long()
    frame.loc[frame["dataset"] == "ape", "sample"] += 100
    assert str(read_table(frame, sampling="bootstrap").sampling) == "bootstrap:4"


def test_samples_numbered_through_all_folds_are_no_repeats():
    frame = folds(2, 3).assign(repeat=lambda f: 3 * (f["repeat"] - 1) + f["fold"])
    results = read_table(frame.rename(columns={"repeat": "sample"}), sampling="repeated-cv:2x3")
    assert results.scores["sample"].tolist() == np.repeat(range(1, 7), 2).tolist()
