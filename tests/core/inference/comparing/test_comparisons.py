"""Comparisons as a value: what it shows, how it turns, and what it writes."""

import csv
import io
import json
import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from comparisons_made import by_hand

from podium import Comparisons, Note, PodiumError
from podium import decide as decide_comparisons
from podium.core.base.formatting import aligned, cells, shortened
from podium.core.inference.comparing.comparisons import COLUMNS, Interval
from podium.core.words.facts import INVALID, ModelFacts, Overall
from podium.errors import ExecutionError

NAN = math.nan
ROWS = [
    ("a", "b", 0.01234, 0.00834, 0.01634, 6.0, 1e-9, 2e-9, "worse"),
    ("a", "c", -0.2, -0.25, -0.15, -8.0, 0.01, 0.02, "better"),
    ("b", "c", -0.0004, -0.0104, 0.0096, -0.1, 0.9, 0.95, "undecided"),
]


def made(rows=ROWS, **changes):
    names = tuple(dict.fromkeys(n for row in rows for n in row[:2]))
    return by_hand(names, rows, **({"overall": Overall("F test", NAN, (2, 8.0), 0.5)} | changes))


FORCED = (Note("forced", INVALID, because="why"),)


# -- numbers -------------------------------------------------------------------------------------


def test_numbers_are_as_exact_as_the_narrowest_interval_with_the_same_decimals():
    shown = made().shown()
    assert shown["estimate"].tolist() == ["0.0123", "-0.2000", "-0.0004"]
    assert shown["upper"].tolist() == ["0.0163", "-0.1500", "0.0096"]
    assert shown["p"].tolist() == ["<0.001", "0.010", "0.900"]


def test_limits_that_a_procedure_lacks_are_not_shown():
    table = made().table
    assert list(made(table=table.assign(lower=NAN)).shown()) == [
        "first",
        "second",
        "estimate",
        "upper",
        "p",
        "p adjusted",
        "verdict",
    ]
    shown = made(table=table.assign(lower=NAN, upper=NAN)).shown()
    assert shown["estimate"].tolist() == ["0.0123", "-0.2000", "-0.0004"]  # of a usual 0.012


@pytest.mark.parametrize("scale", [1e-12, 1e-5, 1.0, 1e7, 1e15])
def test_shown_numbers_are_right_to_a_tenth_of_the_interval_whatever_the_unit(scale):
    numbers = ["estimate", "lower", "upper"]
    table = made().table
    table[numbers] *= scale
    shown = made(table=table).shown()[numbers].astype(float)
    np.testing.assert_allclose(shown, table[numbers], rtol=0.006, atol=0.0001 * scale)


def test_constant_and_missing_differences_have_something_to_show():
    table = made().table.assign(estimate=0.0, lower=NAN, upper=NAN, p=NAN)
    assert set(made(table=table).shown()["estimate"]) == {"0.0"}
    assert set(made(table=table).shown()["p"]) == {"–"}
    assert aligned([math.inf, -math.inf, 1.25], unit=0.1, digits=1) == ["∞", "-∞", "1.2"]


def test_long_names_are_cut_in_the_middle_unless_they_become_the_same():
    names = ["x" * 30 + end for end in "ab"]
    assert set(map(cells, shortened(names, 11).values())) == {11}
    alike = ["front" + middle * 30 + "end" for middle in "ab"]
    assert list(shortened(alike, 7).values()) == alike
    assert cells(shortened(["模" * 20, "y"], 11)["模" * 20]) <= 11


def test_one_algorithm_is_a_row_with_its_interval():
    c = replace(
        made(), algorithms=("a",), means={"a": 0.25}, table=made().table.iloc[:0],
        method=Interval(0.2, 0.3, "t"),
    )  # fmt: skip
    assert c.to_csv() == "algorithm,mean,lower,upper\na,0.25,0.2,0.3\n"
    assert "| a | 0.250 | 0.200 | 0.300 |" in c.to_markdown()
    assert r"a & 0.250 & 0.200 & 0.300 \\" in c.to_latex()


# -- turning -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pairs", "control"),
    [("ac bc", "c"), ("ab bc", None), ("ab ac bc", None), ("ab", None), ("ad bd cd", "d")],
)
def test_a_control_is_whom_all_others_were_compared_with_and_nobody_else(pairs, control):
    rows = [(*pair, *ROWS[0][2:]) for pair in pairs.split()]
    assert made(rows).control == control


def test_turned_pairs_say_the_same_from_the_other_side():
    turned = made().best_first(["b", "a", "c"]).table
    assert turned[["first", "second"]].to_numpy().tolist() == [["b", "a"], ["b", "c"], ["a", "c"]]
    first = turned.iloc[0]
    assert (first["estimate"], first["lower"], first["upper"]) == (-0.01234, -0.01634, -0.00834)
    assert (first["statistic"], first["p_adjusted"], first["verdict"]) == (-6.0, 2e-9, "better")


@pytest.mark.parametrize(
    ("verdict", "turned"),
    [("non-inferior", "non-superior"), ("worse", "better"), ("equivalent", "equivalent")],
)
def test_a_turned_verdict_is_about_the_other_algorithm(verdict, turned):
    c = made()
    c = replace(c, table=c.table.assign(verdict=verdict))
    assert set(c.best_first("cba").table["verdict"]) == {turned}


@pytest.mark.parametrize("names", ["abc", "cba", "bca"])
def test_turning_changes_no_order_and_twice_is_nothing(names):
    c = made()
    turned = c.best_first(names)
    assert decide_comparisons(turned) == decide_comparisons(c)
    pd.testing.assert_frame_equal(turned.best_first("abc").table, c.table)


# -- writing -------------------------------------------------------------------------------------


def test_nothing_infinite_or_numpy_is_left_in_the_object():
    table = made().table.assign(lower=-math.inf, upper=np.float64(NAN))
    model = ModelFacts({"sigma": np.float64(2.0), "sigma_b": np.float64(NAN)})
    text = made(table=table, method=replace(made().method, model=model)).to_json()
    found = json.loads(text, parse_constant=lambda name: pytest.fail(name))
    assert (found["pairs"][0]["lower"], found["pairs"][0]["upper"]) == (None, None)
    assert found["global"] == {
        "procedure": "F test",
        "statistic": None,
        "df": [2, 8.0],
        "p": 0.5,
        "test": "",
        "t_star": None,
    }
    assert (found["details"]["sigma"], found["details"]["sigma_b"]) == (2.0, None)


@pytest.mark.parametrize("name", ['a,"b"\nc', "模型", " x "])
def test_csv_gives_back_every_name_and_number(name):
    rows = [(name, *ROWS[0][1:])]
    head, row = csv.reader(io.StringIO(made(rows).to_csv(), newline=""))
    assert head == COLUMNS
    assert (row[0], [float(x) for x in row[2:8]]) == (name, [*ROWS[0][2:8]])


def test_a_row_of_latex_cannot_begin_an_option_and_a_minus_is_a_minus():
    text = made([("[a", "*b", *ROWS[1][2:])]).to_latex()
    assert r"{[}a & {*}b & $-$0.200 & $-$0.250 & $-$0.150 & 0.010 & 0.020 & better \\" in text
    assert r"\caption{error (lower is better), paired t test of each pair (adjustment: " in text


def test_what_is_forced_says_so_in_every_text():
    plain, forced = made(), made(warnings=FORCED)
    for write in (repr, Comparisons._repr_html_, Comparisons.to_latex, Comparisons.to_markdown):
        assert "NOT VALID" in write(forced)
        assert "NOT VALID" not in write(plain)


def test_names_are_escaped_where_they_could_become_markup():
    c = made([("<img>", "b|c", *ROWS[0][2:])])
    assert "<img>" not in c._repr_html_()
    assert r"| \<img> | b\|c |" in c.to_markdown()
    assert "<img>  b|c" in repr(c)


def test_texts_are_written_as_they_are_returned_or_refused_in_one_sentence(tmp_path):
    for kind in ("json", "csv", "markdown", "latex"):
        write = getattr(made(), f"to_{kind}")
        assert write(tmp_path / kind) == (tmp_path / kind).read_text(encoding="utf-8") == write()
        with pytest.raises(
            ExecutionError, match=r"nowhere.* cannot be written: there is no folder"
        ):
            write(tmp_path / "nowhere" / kind)
    assert issubclass(ExecutionError, PodiumError)
