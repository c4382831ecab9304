"""Tables for people: words for columns, short numbers; downloads keep names and digits."""

import numpy as np
import pandas as pd
import pytest

from podium.facts import Note
from podium.reports.document import Part, Section, is_remark
from podium.reports.headings import table
from podium.reports.render import page


def test_headings_are_words_and_files_keep_their_names():
    made = table("c", pd.DataFrame({"dataset": ["d"], "fit_time": [0.5], "unlike_observed": [""]}))
    assert list(made.shown) == ["data set", "fitting", "what is otherwise"]
    assert list(made.frame) == ["dataset", "fit_time", "unlike_observed"]
    assert made.frame["fit_time"].tolist() == [0.5]


@pytest.mark.parametrize(("name", "values", "texts"), [
    ("p_overall", [2.322e-24, 0.0456, np.nan], ["<0.001", "0.046", "–"]),
    ("best", [0.532, 0.0, 1.0], ["53 %", "0 %", "100 %"]),
    ("mean", [0.02947, 0.03, 0.118], ["0.0295", "0.0300", "0.1180"]),
    ("rank", [1.0, 2.0, 10.0], ["1", "2", "10"]),
    ("sd", [0.0, 0.0, np.nan], ["0", "0", "–"]),
    ("mean", [np.inf, 0.5, -1.5], ["∞", "0.50", "-1.50"]),
])  # fmt: skip
def test_numbers_are_as_short_as_their_column_needs(name, values, texts):
    assert table("c", pd.DataFrame({name: values})).shown.iloc[:, 0].tolist() == texts


def test_whole_numbers_and_an_empty_table_stay_as_they_are():
    made = table("c", pd.DataFrame({"samples": [250, 1]}))
    assert made.shown["samples"].tolist() == [250, 1]
    assert len(table("c", pd.DataFrame()).shown) == 0


def test_warnings_stand_before_remarks_and_look_otherwise():
    notes = (
        Note("averaged", text="x"),
        Note("conditional-on-sample", text="y"),
        Note("never-seen", text="z"),
    )
    assert [is_remark(note) for note in notes] == [True, False, False]
    text = page("t", [Section("s", "s", (Part(notes=notes),))])
    codes = ['<li class="warning"><code class="badge">conditional-on-sample',
             '<li class="warning"><code class="badge">never-seen',
             '<li class="remark"><code class="badge">averaged']  # fmt: skip
    places = [text.index(code) for code in codes]
    assert places == sorted(places)
