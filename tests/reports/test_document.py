"""What pages are made of: tables for people, notes, and sections that anyone may register."""

import numpy as np
import pandas as pd
import pytest
from tables_built import by_hand

from podium.answers.sections import sections
from podium.base.errors import InferenceError
from podium.reports.document import SECTIONS, Part, Section, readable, section
from podium.reports.render import page
from podium.words.facts import DETAIL, INVALID, Note


def test_headings_are_words_and_files_keep_their_names():
    made = readable(
        "c", pd.DataFrame({"dataset": ["d"], "fit_time": [0.5], "unlike_observed": [""]})
    )
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
    assert readable("c", pd.DataFrame({name: values})).shown.iloc[:, 0].tolist() == texts


def test_whole_numbers_and_an_empty_table_stay_as_they_are():
    made = readable("c", pd.DataFrame({"samples": [250, 1]}))
    assert made.shown["samples"].tolist() == [250, 1]
    assert len(readable("c", pd.DataFrame()).shown) == 0


def test_warnings_stand_before_remarks_and_look_otherwise():
    notes = (
        Note("averaged", DETAIL, items=9, clusters=3),
        Note("conditional-on-sample", given=(), folds=False),
        Note("forced", INVALID, because="of z"),
    )
    text = page("t", [Section("s", "s", (Part(notes=notes),))])
    codes = ['<li class="warning"><code class="badge">conditional-on-sample',
             '<li class="warning"><code class="badge">forced',
             '<li class="remark"><code class="badge">averaged']  # fmt: skip
    places = [text.index(code) for code in codes]
    assert places == sorted(places)


# -- sections of one's own ------------------------------------------------------------------------


@pytest.fixture
def registered(monkeypatch):
    """A place for sections that are forgotten afterwards."""
    monkeypatch.setattr(SECTIONS, "_entries", dict(SECTIONS))
    return section


def test_a_section_that_is_registered_stands_at_its_place(registered):
    @registered("climate", "Climate", place=45)
    def climate(analysis):
        yield Part(paragraphs=(f"{len(analysis.results.runs)} runs were warm.",))

    made = sections(by_hand([0.1], [0.2]))
    names = [each.name for each in made]
    assert names[names.index("climate") - 1 : names.index("climate") + 2] == [
        "tests", "climate", "order",
    ]  # fmt: skip
    assert "<p>2 runs were warm.</p>" in page("t", made)


def test_a_section_that_cannot_be_made_says_so_and_one_without_parts_is_not_there(registered):
    @registered("broken", "Broken", place=1)
    def broken(analysis):
        yield Part(paragraphs=("never seen",))
        raise InferenceError("There is nothing to say <here>.")

    registered("silent", "Silent", place=2)(lambda analysis: ())
    made = sections(by_hand([0.1], [0.2]))
    assert [each.name for each in made][:2] == ["broken", "findings"]
    text = page("t", made)
    assert "This section could not be made: There is nothing to say &lt;here&gt;." in text
    assert "never seen" not in text


def test_places_differ_so_that_the_order_does_not_depend_on_imports():
    places = [record.place for record in SECTIONS.values()]
    assert len(set(places)) == len(places)
