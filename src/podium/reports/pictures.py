"""Pictures above the table of a page: points with limits in two directions, and lines over levels.

They are elements placed by percent, so that names stay readable however narrow the page is.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from podium.base.formatting import number, printable, short
from podium.reports.document import Axis, axis_of
from podium.reports.hero import Html, element, percent

NARROW, TALL = 290.0, 250.0  # pixels of a field on a phone: names that fit there fit everywhere
LETTER, LINE = 7.2, 16.0  # pixels of a name
MOST_LETTERS = 18  # of a line's name
TONES = ("leads", "second")  # of lines; further ones are grey


@dataclass(frozen=True)
class Point:
    """A mark with limits in both directions; one that leads is filled."""

    name: str
    x: tuple[float, float, float]  # value, lower and upper limit
    y: tuple[float, float, float]
    leads: bool
    named: bool = True
    tip: str = ""


def scatter(
    points: Sequence[Point],
    arrows: Iterable[tuple[str, str]],
    labels: tuple[str, str],
    *,
    logs: bool = False,
) -> Html:
    """Points in a plane, with dashed lines from one to another; `labels` are of x and y."""
    shown = [replace(p, x=_three(*map(math.log10, p.x))) for p in points] if logs else points
    x_axis = axis_of([v for p in shown for v in p.x], zero=None)
    y_axis = axis_of([v for p in shown for v in p.y], zero=None)
    x_axis = _powers(x_axis) if logs else x_axis
    at = {p.name: (_across(p.x[0], x_axis), _up(p.y[0], y_axis)) for p in shown}
    sides = _sides([(p.name, at[p.name]) for p in shown if p.named], list(at.values()))
    lines = [
        element("path", d=f"M{_pair(at[a])}L{_pair(at[b])}", class_="arrow") for a, b in arrows
    ]
    parts: list[Html] = []
    for p in shown:
        parts += _mark(p, at[p.name], x_axis, y_axis)
        if p.name in sides:
            parts.append(
                element("span", printable(short(p.name, 24)), class_=f"name {sides[p.name]}",
                        style=_placed(at[p.name]))
            )  # fmt: skip
    return _plane([_overlay(lines), *_ticks(x_axis, y_axis), *parts], labels)


def lines(
    levels: Sequence[str],
    series: Sequence[tuple[str, Sequence[float]]],
    labels: tuple[str, str],
) -> Html:
    """A line per series over levels that stand side by side; its name is at its end."""
    y_axis = axis_of([v for _, values in series for v in values], zero=None)
    longest = min(max(len(name) for name, _ in series), MOST_LETTERS)
    step = (88 - 100 * longest * LETTER / NARROW) / max(len(levels) - 1, 1)
    xs = [8 + step * i for i in range(len(levels))]
    paths, parts = [], []
    ends = _apart([_up(values[-1], y_axis) for _, values in series])
    for k, ((name, values), end) in enumerate(zip(series, ends, strict=True)):
        tone = TONES[k] if k < len(TONES) else ""
        known = [(x, _up(v, y_axis)) for x, v in zip(xs, values, strict=True) if v == v]
        paths.append(element("path", d="M" + "L".join(map(_pair, known)), class_=tone or None))
        parts += [
            element("i", class_=f"mark {tone}".strip(), style=_placed(point),
                    data_tip=f"{name}: {number(v, 4)}")
            for point, v in zip(known, (v for v in values if v == v), strict=True)
        ]  # fmt: skip
        text = printable(short(name, MOST_LETTERS))
        parts.append(element("span", text, class_="name end", style=_placed((xs[-1], end))))
    names = [
        element("span", printable(short(level, 14)), class_="tick-x", style=f"left:{x:.1f}%")
        for level, x in zip(levels, xs, strict=True)
    ]
    return _plane([_overlay(paths), *_y_ticks(y_axis), *names, *parts], labels)


# -- parts ----------------------------------------------------------------------------------------


def _plane(parts: Sequence[Html], labels: tuple[str, str]) -> Html:
    return element(
        "figure",
        element("figcaption", labels[1]),
        element("div", *parts, class_="field"),
        element("div", labels[0], class_="label-x"),
        class_="plane",
    )


def _overlay(paths: Sequence[Html]) -> Html:
    """Lines in percent of the field, whose width does not scale."""
    return element("svg", *paths, viewBox="0 0 100 100", preserveAspectRatio="none",
                   aria_hidden="true")  # fmt: skip


def _mark(p: Point, at: tuple[float, float], x_axis: Axis, y_axis: Axis) -> Iterator[Html]:
    tone = "leads" if p.leads else "hollow"
    left, right = (_across(v, x_axis) for v in p.x[1:])
    low, high = (_up(v, y_axis) for v in p.y[1:])
    bar = "leads" if p.leads else ""
    yield element("i", class_=f"reach-x {bar}".strip(),
                  style=f"left:{left:.1f}%;width:{right - left:.1f}%;top:{at[1]:.1f}%")  # fmt: skip
    yield element("i", class_=f"reach-y {bar}".strip(),
                  style=f"top:{high:.1f}%;height:{low - high:.1f}%;left:{at[0]:.1f}%")  # fmt: skip
    yield element("i", class_=f"mark {tone}", style=_placed(at), data_tip=p.tip or p.name)


def _ticks(x_axis: Axis, y_axis: Axis) -> list[Html]:
    across = [
        element("span", text, class_="tick-x", style=f"left:{_across(v, x_axis):.1f}%")
        for v, text in x_axis.ticks
    ]
    return [*across, *_y_ticks(y_axis)]


def _y_ticks(axis: Axis) -> list[Html]:
    return [
        element("span", text, class_="tick-y", style=f"top:{_up(v, axis):.1f}%")
        for v, text in axis.ticks
    ]


def _powers(axis: Axis) -> Axis:
    """Round numbers of a logarithmic axis: 1, 2 and 5, or powers of ten where there are many."""
    digits = (
        (1,) if axis.high - axis.low > 3 else (1, 3) if axis.high - axis.low > 1.5 else (1, 2, 5)
    )
    first, last = math.floor(axis.low), math.ceil(axis.high)
    values = [d * 10.0**e for e in range(first, last + 1) for d in digits]
    known = [(math.log10(v), number(v, 3)) for v in values]
    inside = tuple((at, text) for at, text in known if axis.low <= at <= axis.high)
    if len(inside) < 2:
        inside = tuple((at, number(10**at, 3)) for at in (axis.low, axis.high))
    return replace(axis, ticks=inside)


# -- places ---------------------------------------------------------------------------------------


def _three(value: float, low: float, high: float) -> tuple[float, float, float]:
    return value, low, high


def _across(value: float, axis: Axis) -> float:
    return float(percent(value, axis))


def _up(value: float, axis: Axis) -> float:
    return 100 - float(percent(value, axis))


def _placed(at: tuple[float, float]) -> str:
    return f"left:{at[0]:.1f}%;top:{at[1]:.1f}%"


def _pair(at: tuple[float, float]) -> str:
    return f"{at[0]:.1f} {at[1]:.1f}"


def _apart(heights: Sequence[float]) -> list[float]:
    """Heights in percent, moved so that no two names lie on each other."""
    least = 100 * LINE / TALL
    order = sorted(range(len(heights)), key=heights.__getitem__)
    moved = list(heights)
    for before, now in itertools.pairwise(order):
        moved[now] = max(moved[now], moved[before] + least)
    over = max(moved, default=0.0) - 100
    return [v - max(over, 0.0) for v in moved]


Box = tuple[float, float, float, float]


def _sides(
    names: Sequence[tuple[str, tuple[float, float]]], marks: Sequence[tuple[float, float]]
) -> dict[str, str]:
    """Of every name the side of its mark on which it lies on nothing; none where all are taken."""
    taken: list[Box] = [_box(at, "mark", 0) for at in marks]
    result = {}
    for name, at in names:
        length = min(len(name), 24) * LETTER
        for side in ("ne", "nw", "se", "sw", "s", "n"):
            box = _box(at, side, length)
            outside = box[0] < -4 or box[2] > NARROW + 4 or box[1] < -8 or box[3] > TALL
            if not outside and not any(_meet(box, other) for other in taken):
                taken.append(box)
                result[name] = side
                break
    return result


def _box(at: tuple[float, float], side: str, length: float) -> Box:
    x, y = at[0] / 100 * NARROW, at[1] / 100 * TALL
    if side == "mark":
        return x - 5, y - 5, x + 5, y + 5
    if side in ("s", "n"):  # in the middle, a little farther off
        start, top = x - length / 2, y + 7 if side == "s" else y - 7 - LINE
        return start, top, start + length, top + LINE
    start = x + 6 if side.endswith("e") else x - 6 - length
    top = y - 2 - LINE if side.startswith("n") else y + 2
    return start, top, start + length, top + LINE


def _meet(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
