"""Sentences and figures of the page where there is little to say."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from tables_built import errors

import podium
from podium.answers import sections  # noqa: F401  (its sections are registered)
from podium.answers.evidence_words import axioms
from podium.answers.section_scores import _pictures
from podium.orders.order import Order
from podium.reports.analysis import analysed
from podium.reports.document import SECTIONS, Figure
from podium.words.saying import say


@pytest.mark.parametrize(("ends", "said"), [
    ([0, 0.6, 1.2], "but a and c differ."),
    ([0, 0.6, 1.2, 1.3], "differ (and so 1 more time)."),
])  # fmt: skip
def test_an_example_that_stands_alone_is_not_counted(ends, said):
    order = Order.from_intervals(list("abcd")[: len(ends)], ends, [end + 1 for end in ends])
    assert list(axioms(order))[-1].endswith(said)


def test_one_algorithm_has_no_figures_of_ranks_and_profiles():
    table = pd.DataFrame({"dataset": list("xyz"), "solo": [0.1, 0.3, 0.2]})
    found = SECTIONS["scores"].made(analysed(podium.read(table, measure="error")))
    assert [i for p in found.parts for i in p.items if isinstance(i, Figure)] == []


@pytest.mark.parametrize(("order", "said"), [
    (Order.from_ranks("ab", [1, 2]), ["The pair is decided."]),
    (replace(Order.from_matrix("abc", [[0, 1, 0], [0] * 3, [0] * 3]), uncompared={("b", "c")}),
     ["One pair is open: a and c."]),
])  # fmt: skip
def test_only_pairs_that_were_compared_are_decided_or_open(order, said):
    assert list(axioms(order))[:1] == said


def test_means_that_allow_for_gaps_are_explained_where_they_stand():
    table = pd.DataFrame({"sample": range(9), "a": [0.1, 0.2, 0.3] * 3, "b": [0.3, 0.2, 0.5] * 3,
                          "c": [None, *[0.4, 0.3] * 4]})  # fmt: skip
    found = SECTIONS["order"].made(
        analysed(podium.read(table, sampling="bootstrap", measure="error"))
    )
    codes = [note.code for note in found.parts[-1].notes]
    assert "adjusted-means" in codes
    assert "conditional-on-sample" not in codes  # the tests say it


def test_folds_are_not_told_that_more_of_them_make_differences_significant():
    said = (
        SECTIONS["planning"]
        .made(analysed(errors({"a": 0.2, "b": 0.2}, 10, sampling="cv:10")))
        .parts[0]
    )
    assert "never averages out" in " ".join(said.paragraphs)
    assert "any difference significant" not in " ".join(said.paragraphs)


def test_notes_that_differ_by_data_set_in_numbers_only_are_told_once():
    rng = np.random.default_rng(0)
    rows = [
        (d, a, s, 0.2 + 0.02 * rng.normal() if s > gone else np.nan)
        for gone, d in enumerate("wxyz")
        for s in range(20)
        for a in "abc"
    ]
    table = pd.DataFrame(rows, columns=["dataset", "algorithm", "sample", "error"])
    together, *each = (
        SECTIONS["surveys"].made(analysed(podium.read(table, sampling="bootstrap"))).parts
    )
    told = [say(note) for note in together.notes if note.code == "empty-blocks"]
    assert len(told) == 1
    assert told[0].endswith("(The numbers are those of 'w'.)")
    assert all("empty-blocks" in {note.code for note in part.notes} for part in each)


def test_one_interval_is_not_called_many():
    tests = SECTIONS["tests"].made(analysed(errors({"a": 0.1, "b": 0.3}))).parts[0]
    shown = [item for item in tests.items if isinstance(item, Figure)]
    assert (shown[0].title, shown[0].caption) == (
        "Interval of the difference", "First minus second in error, with 95 % limits."
    )  # fmt: skip


def test_long_names_below_a_map_leave_it_its_height():
    short, long = (
        next(_pictures(errors({name: 0.1, "b": 0.2}, 3, datasets=("x", "y")), "error")).height
        for name in ("a", "a" * 60)
    )
    assert long > short + 1
