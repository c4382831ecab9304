"""What names and repeated scores say against a sampling is asked for or cautioned against."""

import numpy as np
import pytest

import podium
from podium.errors import ResultsError

RNG = np.random.default_rng(1)


def scores(column, labels):
    a, b = RNG.random((2, len(labels)))
    return {column: list(labels), "a": list(a), "b": list(b)}


def read(source, sampling=None, columns=None):
    return podium.read(source, sampling=sampling, measure="error", columns=columns)


def codes(results):
    return {note.code for note in podium.compare(results).warnings}


@pytest.mark.parametrize("sampling", ["simulation", "bootstrap", "items", "subsampling:0.8"])
def test_folds_are_asked_about_where_something_else_is_said(sampling):
    table = scores("fold", range(1, 11))
    with pytest.raises(ResultsError, match=r"--sampling cv:10, or .* --columns sample=fold \(in P"):
        read(table, sampling)
    assert "column-against-sampling" not in codes(read(table, "cv:10"))
    assert "column-against-sampling" in codes(read(table, sampling, "sample=fold"))


def test_repeats_of_folds_are_told_with_their_numbers():
    table = scores("fold", list(range(1, 6)) * 2) | {"repeat": [1] * 5 + [2] * 5}
    table = {k: table[k] for k in ("repeat", "fold", "a", "b")}
    with pytest.raises(ResultsError, match="--sampling repeated-cv:2x5"):
        read(table, "simulation")


@pytest.mark.parametrize(
    ("column", "sampling", "instead"),
    [
        ("question", "bootstrap", "items"),
        ("item", "simulation", "items"),
        ("seed", "cv:10", "seeds"),
        ("seed", "items", "seeds"),
    ],
)
def test_other_columns_that_speak_of_something_else(column, sampling, instead):
    table = scores(column, range(10))
    with pytest.raises(ResultsError, match=f"Say --sampling {instead}, or"):
        read(table, sampling)
    read(table, instead)


def test_seeds_may_be_those_of_a_generator_which_is_cautioned_against():
    table = scores("seed", range(10))
    assert "column-against-sampling" in codes(read(table, "simulation"))
    assert "column-against-sampling" not in codes(read(table, "seeds"))
    assert "column-against-sampling" not in codes(read(scores("id", range(10)), "bootstrap"))


def test_ten_folds_are_not_five_times_two():
    table = scores("fold", range(1, 11))
    with pytest.raises(ResultsError, match=r"numbers 10 folds.*--sampling cv:10; or put a column"):
        read(table, "5x2cv")
    with pytest.raises(ResultsError, match="numbers 10 folds"):
        read(table, "repeated-cv:5x2")
    assert "folds-numbered-through" in codes(read(table, "5x2cv", "sample=fold"))
    halves = {"repeat": [r for r in range(1, 6) for _ in "ab"]} | scores("fold", [1, 2] * 5)
    assert "folds-numbered-through" not in codes(read(halves, "5x2cv"))
    read(scores("sample", range(1, 11)), "5x2cv")


def test_data_sets_that_are_called_seeds_are_asked_about():
    table = scores("dataset", [f"seed{i}" for i in range(10)])
    with pytest.raises(ResultsError, match=r"look like a seed each.*--columns sample=dataset"):
        read(table)
    assert podium.compare(read(table, "seeds", "sample=dataset")).target == "sample"
    assert "data-sets-that-are-none" in codes(read(table, columns="dataset=dataset"))


def test_data_sets_times_folds_are_asked_about_or_cautioned_against():
    words = scores("dataset", [f"{d}-fold{i}" for d in ("iris", "zoo") for i in range(3)])
    with pytest.raises(ResultsError, match="into two, dataset and fold"):
        read(words)
    letters = scores("dataset", [f"d{d}_f{i}" for d in range(3) for i in range(4)])
    assert "data-sets-that-are-none" in codes(read(letters))


@pytest.mark.parametrize(
    "names",
    [
        [f"f{i}" for i in range(1, 25)],  # functions to optimise
        [f"bbob_f{i}" for i in range(1, 25)],
        ["monks1", "monks2", "monks3", "iris"],
        ["seed", "wine", "sample1", "glass"],
        ["a_run1", "b_run2", "c_run3"],
    ],
)
def test_data_sets_that_only_sound_like_it_are_data_sets(names):
    assert "data-sets-that-are-none" not in codes(read(scores("dataset", names)))


def test_rows_that_stand_there_five_times_are_cautioned_against():
    rows = scores("sample", range(10))
    copied = {k: v * 5 for k, v in rows.items()} | {"sample": list(range(50))}
    note = {n.code: n for n in podium.compare(read(copied, "bootstrap")).warnings}["repeated-rows"]
    assert (note.times, note.different) == (5, 10)
    assert "repeated-rows" in codes(read(copied, "seeds"))
    assert "repeated-rows" not in codes(read(rows, "bootstrap"))


def test_right_and_wrong_answers_repeat_by_themselves():
    answers = {"item": list(range(40)), "a": [0, 0, 1, 1] * 10, "b": [0, 1, 0, 1] * 10}
    assert "repeated-rows" not in codes(podium.read(answers, sampling="items"))
