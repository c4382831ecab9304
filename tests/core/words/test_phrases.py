"""Words for numbers and names, and results as text, by hand at their edges."""

from __future__ import annotations

import json
import math

import numpy as np
import pandas as pd
import pytest

import podium
from podium.core.words import phrases
from podium.core.words.saying import plain, texts_of


@pytest.mark.parametrize(
    ("count", "figures", "letters", "often"),
    [
        (0, "no runs", "no runs", "0 times"),
        (1, "1 run", "one run", "once"),
        (2, "2 runs", "two runs", "twice"),
        (3, "3 runs", "three runs", "3 times"),
        (10, "10 runs", "ten runs", "10 times"),
        (11, "11 runs", "11 runs", "11 times"),
        (1234567, "1,234,567 runs", "1,234,567 runs", "1234567 times"),
    ],
)
def test_counts_have_their_noun_and_verb(count, figures, letters, often) -> None:
    assert phrases.counted(count, "run") == figures
    assert phrases.spelled(count, "run") == letters
    assert phrases.times(count) == often
    assert phrases.counted(count, "study", "studies").endswith("study" if count == 1 else "studies")
    assert (phrases.is_are(count), phrases.was_were(count)) == (
        ("is", "was") if count == 1 else ("are", "were")
    )


@pytest.mark.parametrize(
    ("names", "most", "told"),
    [
        ("", 6, ""),
        ("a", 6, "a"),
        ("ab", 6, "a and b"),
        ("abcdef", 6, "a, b, c, d, e and f"),
        ("abcdefg", 6, "a, b, c, d, e, f and g"),  # never "1 others"
        ("abcdefgh", 6, "a, b, c, d, e, f and 2 others"),
        ("abcd", 2, "a, b and 2 others"),
        ("abc", 2, "a, b and c"),
    ],
)
def test_names_are_joined_and_the_rest_of_many_is_counted(names, most, told) -> None:
    assert phrases.joined(list(names), most) == told
    assert phrases.joined(list(names), most, "or") == told.replace(" and ", " or ")
    if len(names) <= most:
        marked = phrases.marked(list(names), "and")
        assert phrases.plain(marked) == told
        assert [part for part, name in marked if name] == list(names)


@pytest.mark.parametrize(
    ("p", "told"),
    [(0.0, "p < 0.001"), (0.000999, "p < 0.001"), (0.001, "p = 0.001"), (0.0455, "p = 0.045"),
     (0.9994, "p = 0.999"), (1.0, "p = 1.000")],
)  # fmt: skip
def test_a_p_value_has_three_decimals(p, told) -> None:
    assert phrases.p_text(p) == told


@pytest.mark.parametrize(("alpha", "told"), [(0.05, "95 %"), (0.1, "90 %"), (0.005, "99.5 %")])
def test_levels_are_in_percent(alpha, told) -> None:
    assert phrases.level(alpha) == told


def test_points_of_elo_are_four_hundred_for_odds_of_ten_to_one() -> None:
    assert phrases.ELO * math.log(10) == pytest.approx(400)
    assert phrases.ELO * math.log(2) == pytest.approx(120.41, abs=0.01)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("ends", "Ends."),
        ("ends.", "Ends."),
        ("why?", "Why?"),
        ("ROC curve", "ROC curve."),
        ("", "."),
    ],
)
def test_sentences_begin_with_a_capital_and_end_with_a_stop(text, told) -> None:
    assert phrases.sentence(text) == told


@pytest.mark.parametrize(
    ("name", "text", "ascii_text"),
    [
        ("k-nn", "k-nn", "k-nn"),
        ("a b", '"a b"', '"a b"'),
        ("größe", "größe", '"gr\\u00f6\\u00dfe"'),
        ("𝒳", '𝒳', '"\\U0001d4b3"'),
        ("\uffff", '"\\uffff"', '"\\uffff"'),
        ('a"\\\n\t', '"a\\"\\\\\\n\\t"', '"a\\"\\\\\\n\\t"'),
        ("", '""', '""'),
    ],
)  # fmt: skip
def test_names_are_quoted_where_an_order_could_be_misread_and_read_back(
    name, text, ascii_text
) -> None:
    assert phrases.quoted(name) == text
    assert phrases.quoted(name, ascii_only=True) == ascii_text
    if name:
        for written in (text, ascii_text):
            assert podium.order(f"{written} ≻ other").algorithms == (name, "other")


@pytest.mark.parametrize(
    ("parts", "joints", "signs"),
    [
        ([[1]], [], [""]),
        ([[3]], [], ["≈", "≈", ""]),
        ([[2, 2], [1, 1]], ["≿"], ["≈", "∥", "≈", "≿", "∥", ""]),
        ([[1], [1], [2]], ["≻", "≿"], ["≻", "≿", "≈", ""]),
    ],
)
def test_what_follows_each_name_of_an_order(parts, joints, signs) -> None:
    assert phrases.signs_of(parts, joints) == signs


def test_pairs_are_told_up_to_three() -> None:
    pairs = [("a", "b"), ("c", ""), ("d", "e"), ("f", "g")]
    assert phrases.paired(pairs) == "a and b, c, d and e"
    assert phrases.paired(pairs, 1) == "a and b"


# -- tables as text --------------------------------------------------------------------------------


@pytest.mark.parametrize(("rows", "shown", "more"), [(60, 60, 0), (61, 60, 1), (3, 3, 0)])
def test_sixty_rows_of_a_table_are_shown(rows, shown, more) -> None:
    texts = texts_of(pd.DataFrame({"n": range(rows)}))
    assert (len(texts.columns["n"]), texts.more) == (shown, more)
    assert texts.titled("Rows") == (f"Rows ({more} more rows):" if more else "Rows:")
    assert texts.titled("") == ""


def test_columns_of_p_values_are_known_by_name_and_content() -> None:
    values = [0.00001, 0.04567]
    table = pd.DataFrame({"p": values, "p_adjusted": values, "egger_p": values, "step": values,
                          "p_of": [12.0, 0.5], "name": ["x", "y"]})  # fmt: skip
    texts = texts_of(table)
    for name in ("p", "p_adjusted", "egger_p"):
        assert texts.columns[name] == ["<0.001", "0.046"]
    assert "<0.001" not in [*texts.columns["step"], *texts.columns["p_of"]]
    assert texts.left == ["name"]


def test_json_has_plain_values_and_null_for_what_is_not_finite() -> None:
    found = plain({"a": np.float64(0.5), 1: [math.nan, np.inf, -math.inf, np.int64(3)],
                   "t": pd.DataFrame({"x": [1, 2]}), "b": np.bool_(True), "n": None})  # fmt: skip
    wanted = {"a": 0.5, "1": [None, None, None, 3], "t": [{"x": 1}, {"x": 2}], "b": True, "n": None}
    assert json.loads(json.dumps(found)) == wanted
