"""Sentences with gaps for the facts of notes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from registries_kept import kept

from podium import Note
from podium.core.words.facts import CAUTION, PAPER, say, sentences, words


@pytest.fixture(autouse=True)
def _own_notes() -> Iterator[None]:
    with kept():
        yield


@pytest.mark.parametrize(
    ("text", "facts", "expected"),
    [
        ("{n:counted run} {n:is|are} missing.", {"n": 1}, "1 run is missing."),
        ("{n:counted run} {n:is|are} missing.", {"n": 3}, "3 runs are missing."),
        ("{n:counted leaf/leaves}", {"n": 2}, "2 leaves"),
        ("{n:counted {noun}}", {"n": 2, "noun": "item"}, "2 items"),
        ("{names:joined}", {"names": ("a", "b", "c")}, "a, b and c"),
        ("{names:joined 2}", {"names": ("a", "b", "c", "d")}, "a, b and 2 others"),
        ("{names:listed 1}", {"names": ("a", "b")}, "a and 1 more"),
        ("{level:percent} and {level:percent .2f}", {"level": 0.955}, "95.5 % and 95.50 %"),
        ("{rows:,} {share:.2f} {name!r}", {"rows": 1234, "share": 0.126, "name": "a"},
         "1,234 0.13 'a'"),
        ("{plan.name} {{kept}}", {"plan": Note("plan", name="x")}, "x {kept}"),
    ],
)  # fmt: skip
def test_facts_fill_the_gaps(text, facts, expected):
    sentences({"own": text})
    assert say(Note("own", CAUTION, **facts)) == expected


def test_a_note_that_lacks_a_fact_is_told_by_those_it_has():
    sentences({"own": "{n:counted {noun}} of {all}."})
    assert say(Note("own", n=2, all=3)) == "own: n 2, all 3."
    assert say(Note("own", n=2, all=3, noun="run")) == "2 runs of 3."


def test_the_words_for_most_facts_count():
    words("own")(lambda note: "in general")
    sentences({"own": "of {n}"})
    assert say(Note("own", k=1)) == "in general"
    assert say(Note("own", n=1)) == "of 1"


def test_a_paper_has_them_where_it_is_said():
    sentences({"own": "{n:.0f} rows"}, in_paper=True)
    assert say(Note("own", n=2.0), PAPER) == "2 rows"


def test_a_table_may_fill_gaps_in_its_own_way():
    sentences({"own": "{names:listed}"}, listed=lambda names: "/".join(names))
    assert say(Note("own", names=("a", "b"))) == "a/b"


@pytest.mark.parametrize("gap", ["{n:cuonted run}", "{n:nubmer}"])
def test_a_filling_that_nobody_knows_is_refused_when_it_is_written(gap):
    with pytest.raises(ValueError, match=r"'own': '\w+' is not a filling\. Did you mean"):
        sentences({"own": f"There: {gap}."})
