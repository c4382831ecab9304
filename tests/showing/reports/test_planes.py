"""Pictures above the table of a page, and the words on what was run: places and counts by hand."""

from __future__ import annotations

import math
import re

import numpy as np
import pandas as pd
import pytest

import podium
from podium.showing.reports.board import board, decimals_for
from podium.showing.reports.document import Page, Progress, View, axis_of
from podium.showing.reports.hero import LINE, NARROW, TALL, Point, lines, scatter
from podium.showing.reports.page import render

POINTS = (
    Point("cheap", (1, 0.5, 2), (0.0, -1.0, 1.0), leads=True),
    Point("usual", (10, 5, 20), (5.0, 4.0, 6.0), leads=False),
    Point("dear", (100, 50, 200), (10.0, 9.0, 12.0), leads=False, named=False),
)


def placed(text: str, kind: str) -> list[tuple[float, float]]:
    """From the left and from the top, in percent, of elements of a class."""
    found = re.findall(rf'class="{kind}[^"]*" style="left:([-\d.]+)%;top:([-\d.]+)%"', text)
    return [(float(left), float(top)) for left, top in found]


def test_points_lie_where_their_logarithms_are() -> None:
    text = str(scatter(POINTS, [("cheap", "usual")], ("cost", "gain"), logs=True))
    (x1, y1), (x2, y2), (x3, y3) = placed(text, "mark")
    # the axis goes from 0.5 to 200, with 3 percent at either side
    assert (x1, x2) == pytest.approx((3 + 94 * math.log(2) / math.log(400), 50), abs=0.06)
    assert x3 - x2 == pytest.approx(x2 - x1, abs=0.11)
    assert y1 - y2 == pytest.approx(y2 - y3, abs=0.11) == pytest.approx(94 * 5 / 13, abs=0.11)
    assert y3 < y2 < y1  # more is above
    reach = re.findall(r'reach-x ?\w*" style="left:([\d.]+)%;width:([\d.]+)%;top:([\d.]+)%', text)
    low, wide, top = map(float, reach[1])
    assert (low + wide / 2, top) == pytest.approx((50, y2), abs=0.11)
    assert wide == pytest.approx(94 * math.log(4) / math.log(400), abs=0.11)
    tall = re.findall(r'reach-y ?\w*" style="top:([\d.]+)%;height:([\d.]+)%;left:([\d.]+)%', text)
    assert float(tall[2][0]) == pytest.approx(3, abs=0.06)  # 12 is the largest
    assert float(tall[2][1]) == pytest.approx(94 * 3 / 13, abs=0.11)
    assert re.findall(r'tick-x" style="left:[\d.]+%">(\d+)<', text) == ["1", "3", "10", "30", "100"]
    assert f"M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" in text
    assert re.findall(r'class="name \w+"[^>]*>(\w+)<', text) == ["cheap", "usual"]
    assert text.count("mark leads") == 1


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [
        (1, 9, ["1", "2", "5"]),
        (1, 40, ["1", "3", "10", "30"]),
        (1, 5000, ["1", "10", "100", "1000"]),
        (2.1, 2.9, ["2.1", "2.9"]),
    ],
)
def test_logarithmic_axes_have_round_numbers_as_many_as_fit(low, high, ticks) -> None:
    ends = [
        Point(n, (v, v, v), (k, k, k), leads=False)
        for k, (n, v) in enumerate(zip("ab", (low, high), strict=True))
    ]
    text = str(scatter(ends, [], ("x", "y"), logs=True))
    told = re.findall(r'tick-x" style="left:[\d.]+%">([^<]+)<', text)
    assert [each.replace(",", "") for each in told] == ticks


def box(name: str, side: str, at: tuple[float, float]) -> tuple[float, float, float, float]:
    """What a name covers at least, in pixels: beside its mark, and of a letter's width each."""
    x, y = at[0] / 100 * NARROW, at[1] / 100 * TALL
    wide = 7.0 * len(name)
    left = x - wide / 2 if side in "ns" else x if side.endswith("e") else x - wide
    top = y - LINE if side.startswith("n") else y
    return left, top, left + wide, top + LINE


@pytest.mark.parametrize("seed", range(5))
def test_names_of_points_cover_no_other_name_and_stay_in_the_field(seed) -> None:
    rng = np.random.default_rng(seed)
    xy = rng.random((14, 2)) * [1, 0.3]
    points = [
        Point(f"point {i:02d}", (x, x, x), (y, y, y), leads=False) for i, (x, y) in enumerate(xy)
    ]
    text = str(scatter(points, [], ("x", "y")))
    named = re.findall(r'class="name (\w+)" style="left:([\d.]+)%;top:([\d.]+)%">([^<]+)<', text)
    boxes = [box(name, side, (float(x), float(y))) for side, x, y, name in named]
    assert len(boxes) >= 4
    for i, a in enumerate(boxes):
        assert -12 < a[0] < a[2] < NARROW + 12
        assert -LINE < a[1] < a[3] < TALL + LINE
        for b in boxes[:i]:
            assert not (a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3])
    alone = str(scatter(points[:1], [], ("x", "y")))
    assert "name ne" in alone


def test_lines_go_through_their_values_and_their_names_are_apart() -> None:
    series = [("one", [1, 2, 3]), ("two", [1, math.nan, 3.01]), ("three", [3, 2, 1])]
    text = str(lines(["x", "y", "z"], series, ("level", "mean")))
    paths = re.findall(r'd="M([^"]+)"( class="(\w+)")?', text)
    at = [[tuple(map(float, p.split())) for p in path.split("L")] for path, *_ in paths]
    assert [len(path) for path in at] == [3, 2, 3]
    assert [tone for *_, tone in paths] == ["leads", "second", ""]
    lefts = [x for x, _ in at[0]]
    assert lefts[1] - lefts[0] == pytest.approx(lefts[2] - lefts[1])
    assert [y for _, y in at[2]] == [y for _, y in at[0]][::-1]  # 3, 2, 1
    assert at[1][1][1] == pytest.approx(3.0)  # the largest is at the top, the least at the bottom
    assert at[0][0][1] == pytest.approx(97.0)
    ends = {
        n: float(y)
        for y, n in re.findall(r'name end" style="left:[\d.]+%;top:([\d.]+)%">(\w+)', text)
    }
    assert ends["one"] - ends["two"] == pytest.approx(100 * LINE / TALL, abs=0.06)
    assert ends["three"] == pytest.approx(97.0)
    crowd = [(f"s{i}", [0.0, 0.01 * i]) for i in range(8)]
    text = str(lines(["x", "y"], [*crowd, ("low", [0.0, -9.0])], ("level", "mean")))
    tops = sorted(map(float, re.findall(r'name end" style="left:[\d.]+%;top:([\d.]+)%', text)))
    assert min(np.diff(tops)) >= 100 * LINE / TALL - 0.11
    assert max(tops) <= 100


# -- numbers ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("unit", "digits", "places"),
    [(0.0123, 2, 3), (0.0099, 2, 4), (0.1, 2, 2), (1.0, 2, 1), (9.9, 2, 1), (10.0, 2, 0),
     (250.0, 2, 0), (250.0, 4, 1), (0.5, 3, 3), (0.0, 2, 0)],
)  # fmt: skip
def test_decimals_show_so_many_digits_of_a_unit(unit, digits, places) -> None:
    assert decimals_for(unit, digits) == places
    if 0 < unit < 1 < digits:  # as many digits are left when the zeros in front are gone
        assert len(f"{unit:.{places}f}".replace(".", "").lstrip("0")) == digits


@pytest.mark.parametrize(
    ("values", "zero", "ends", "ticks"),
    [
        ([0.02, 0.11], 0.0, (0.0, 0.11), "0 0.05 0.1"),
        ([5.0, 9.0], None, (5.0, 9.0), "5 6 7 8 9"),
        ([-0.4, 0.4], 0.0, (-0.4, 0.4), "−0.4 −0.2 0 0.2 0.4"),
        ([3.0, 3.0], None, (2.5, 3.5), "2.5 2.75 3 3.25 3.5"),
        ([], None, (0.0, 1.0), "0 0.25 0.5 0.75 1"),
        ([math.nan, math.inf, 2.0], 0.0, (0.0, 2.0), "0 0.5 1 1.5 2"),
        ([1.0] * 8 + [100.0], 0.0, (0.0, 6.0), "0 2 4 6"),  # six times the usual
        ([1.0] * 7 + [100.0], 0.0, (0.0, 100.0), "0 25 50 75 100"),  # few are shown whole
    ],
)
def test_an_axis_holds_its_values_with_round_numbers(values, zero, ends, ticks) -> None:
    axis = axis_of(values, zero=zero)
    assert (axis.low, axis.high) == pytest.approx(ends)
    assert " ".join(text for _, text in axis.ticks) == ticks
    assert [value for value, _ in axis.ticks] == [float(t.replace("−", "-")) for t in ticks.split()]


# -- what was run ----------------------------------------------------------------------------------


def of_runs(**lost: str) -> podium.Results:
    """Scores of three algorithms on nine data sets, of which some failed, or are not there."""
    rng = np.random.default_rng(1)
    rows = [
        (f"d{i}", name, 0.7 + rng.normal(0, 0.02), "ok")
        for i in range(9)
        for name in ("knn", "lda", "svm")
    ]
    table = pd.DataFrame(rows, columns=["dataset", "algorithm", "accuracy", "status"])
    gone = []
    for key, what in lost.items():
        at = (table["dataset"] == key[:2]) & (table["algorithm"] == key[3:])
        if what == "missing":
            gone += table.index[at].tolist()
        else:
            table.loc[at, ["accuracy", "status"]] = [np.nan, "failed"]
    return podium.read(table.drop(index=gone))


@pytest.mark.parametrize(
    ("lost", "told"),
    [
        ({}, "All 27 runs are done."),
        ({"d1_lda": "failed", "d2_svm": "failed"},
         "Of 27 runs, 25 are done, 2 failed and none is missing."),
        ({"d1_lda": "missing"}, "Of 27 runs, 26 are done, none failed and 1 is missing."),
        ({"d1_lda": "missing", "d5_lda": "missing", "d2_svm": "failed"},
         "Of 27 runs, 24 are done, 1 failed and 2 are missing."),
    ],
)  # fmt: skip
def test_runs_are_counted_on_the_page(lost, told) -> None:
    assert told in podium.report(of_runs(**lost)).text


def test_items_are_no_runs_and_choices_are_between_some() -> None:
    rng = np.random.default_rng(2)
    wide = pd.DataFrame(
        {
            "item": [f"q{i}" for i in range(40)],
            "a": rng.integers(0, 2, 40),
            "b": rng.integers(0, 2, 40),
        }
    )
    page = podium.report(podium.read(wide, measure="accuracy", sampling="items")).text
    assert "Every algorithm has a score of each of 40 items." in page
    assert "Sampling: items; all algorithms see the same items." in page
    alone = podium.report(
        podium.read(wide[["item", "a"]], measure="accuracy", sampling="items")
    ).text
    assert "The algorithm has a score of each of 40 items." in alone
    pairs = [("ab", "ac", "bc")[i % 3] for i in range(120)]
    battles = pd.DataFrame({"model_a": [p[0] for p in pairs], "model_b": [p[1] for p in pairs],
                            "winner": rng.choice(["model_a", "model_b"], 120)})  # fmt: skip
    told = podium.report(podium.read(battles)).text
    assert "Sampling: preferences; 120 choices, each between some of the algorithms." in told
    assert " runs are done" not in told


def test_a_study_under_way_shows_how_far_it_is_and_its_looks() -> None:
    progress = Progress(0.4, (0.25, 0.5, 1.0), "40 of 100 runs")
    page = Page("Watching", "", (View((("So far", False),), progress=progress),))
    text = render(page)
    assert re.findall(r'<i style="left:([\d.]+)%">', text) == ["25.0", "50.0", "100.0"]
    assert '<b style="width:40.0%">' in text
    assert "40 of 100 runs" in text


@pytest.mark.parametrize("relevance", [0.0, 0.05])
def test_what_a_bar_means_is_told_with_the_margin_if_there_is_one(relevance) -> None:
    c = podium.compare(of_runs(), "hull", relevance=relevance)
    told = [text for _, text in board(c).key]
    assert any("beyond" in text for text in told) == (relevance > 0)
    assert any("more than 0.05" in text for text in told) == (relevance > 0)
