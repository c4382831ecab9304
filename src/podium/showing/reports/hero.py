"""The first screen as HTML, of elements that always escape: headline, caveats, table and cards.

`board.js` draws the same cells when a control is used; a test holds the two against each other.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any

from podium.core.base.formatting import number, printable, short
from podium.showing.reports.board import MANY, NO_DIFFERENCE
from podium.showing.reports.document import MARGIN, Axis, Column, Marked, Row, View, axis_of

# -- HTML by construction -------------------------------------------------------------------------
# Elements whose texts and attributes are always escaped.


VOID = {"br", "hr", "img", "input", "meta"}
DRAWN = {"path", "line", "circle"}  # of SVG, where what is not closed holds what follows


class Html(str):
    """Markup that is done; nothing else is written without escaping."""

    __slots__ = ()


def element(tag: str, /, *children: Any, **attributes: Any) -> Html:
    """An element; `class_` is class, `data_row` is data-row; None leaves an attribute out.

    >>> element("b", "a < b", class_="name", data_row=2)
    '<b class="name" data-row="2">a &lt; b</b>'
    """
    text = "".join(
        f" {name.rstrip('_').replace('_', '-')}"
        + ("" if value is True else f'="{escape(str(value))}"')
        for name, value in attributes.items()
        if value is not None and value is not False
    )
    if tag in VOID:
        return Html(f"<{tag}{text}>")
    if tag in DRAWN:
        return Html(f"<{tag}{text}/>")
    return Html(f"<{tag}{text}>{fragment(*children)}</{tag}>")


def fragment(*children: Any) -> Html:
    """Children one after the other: markup as it is, texts escaped, sequences in their order."""
    return Html("".join(map(_child, children)))


def _child(child: Any) -> str:
    if isinstance(child, Html):
        return child
    if child is None:
        return ""
    if isinstance(child, (list, tuple)):
        return fragment(*child)
    return escape(str(child), quote=False)


# -- the first screen as HTML ---------------------------------------------------------------------
# Headline, caveats, table and cards; it is read without a script.
#
# `board.js` draws the same cells when a control is used; a test holds the two against each
# other.


STATES = {"d": "done", "f": "failed", "m": "missing"}


def hero(view: View) -> Html:
    """Headline, evidence, what it holds for, caveats, table and cards of a view."""
    return fragment(
        element("h1", *_marked(view.headline), id="headline"),
        element("p", view.sentence, id="sentence", hidden=not view.sentence),
        element("p", view.about, " ", *map(_chip, view.chips), id="about"),
        _progress(view),
        element("div", id="controls"),
        element("div", view.picture, id="picture") if view.picture else None,
        board_html(view) if view.rows else None,
        element("div", *map(_card, view.cards), id="cards", hidden=not view.cards),
    )


def _marked(text: Marked) -> Iterable[Any]:
    return [element("b", part) if name else part for part, name in text]


def _chip(chip: Any) -> Html:
    return element(
        "span",
        chip.words,
        class_="chip warns" if chip.warns else "chip",
        tabindex=0,
        data_tip=chip.text,
    )


def _card(card: Any) -> Html:
    inside = (element("b", card.question), element("span", card.answer))
    if card.section:
        return element("a", *inside, class_="card", href=f"#open={card.section}")
    return element("div", *inside, class_="card")


def _progress(view: View) -> Html | None:
    if view.progress is None:
        return None
    marks = [element("i", style=f"left:{100 * at:.1f}%") for at in view.progress.looks]
    bar = element("b", style=f"width:{100 * view.progress.done:.1f}%")
    return fragment(
        element("div", bar, *marks, class_="progress", role="img", aria_label=view.progress.text),
        element("p", view.progress.text, class_="soft"),
    )


# -- the table ------------------------------------------------------------------------------------


def board_html(view: View) -> Html:
    """The table of a view with its overview and key; of very many rows the first ones."""
    rows = view.rows[:MANY]
    hidden = len(view.rows) - len(rows)
    more = None if not hidden else element(
        "p", f"Show all {len(view.rows)}", class_="more", id="more"
    )  # fmt: skip
    return element(
        "div",
        overview(view) if len(view.rows) > MANY else None,
        element(
            "table",
            element("thead", element("tr", *(_head(column) for column in view.columns))),
            element("tbody", *_body(view, rows)),
            _foot(view),
            class_="board many" if len(view.rows) > MANY else "board",
        ),
        more,
        element("p", *_keys(view), class_="key") if view.key else None,
        class_="frame",
        id="board",
    )


def _head(column: Column) -> Html:
    return element(
        "th",
        column.head,
        scope="col",
        class_=_class(column),
        data_key=column.key,
        data_tip=column.title or None,
    )


def _class(column: Column, value: Any = None) -> str:
    """Of a cell; one without a difference needs no line on a narrow screen."""
    none = column.kind == "estimate" and value is not None and value[0] == NO_DIFFERENCE
    return f"{column.kind} {column.key}" + " wide" * column.wide + " none" * none


def _body(view: View, rows: Sequence[Row]) -> Iterable[Html]:
    for i, row in enumerate(rows):
        if view.cut and i == view.cut:
            span = len(view.columns)
            yield element("tr", element("td", view.below, colspan=span), class_="cut")
        yield _row(view, row)


def _row(view: View, row: Row) -> Html:
    names = " ".join(filter(None, ("leads" if row.leads else "", row.state)))
    cells = []
    for column in view.columns:
        if column.kind == "name":
            content: Any = element("span", printable(row.name))
        else:
            value = row.cells.get(column.key)
            content = None if value is None else CELLS[column.kind](value, view.axis)
        classes = _class(column, row.cells.get(column.key))
        cells.append(element("td", content, class_=classes, data_head=_named_head(column)))
    return element("tr", *cells, class_=names or None, tabindex=0, data_name=row.name)


def _named_head(column: Column) -> str | None:
    """Of estimates besides the difference: on a narrow screen each has its heading beside it."""
    return column.head if column.kind == "estimate" and column.key != "difference" else None


def _keys(view: View) -> Iterable[Any]:
    for name, text in view.key:
        yield fragment(element("b", name), " ", text, " ")


def _foot(view: View) -> Html | None:
    """Numbers below the column of intervals."""
    if view.axis is None or all(column.kind != "interval" for column in view.columns):
        return None
    numbers = element("div", *ticks(view.axis), class_="ticks", aria_hidden="true")
    cells = [
        element("td", numbers if column.kind == "interval" else None, class_=_class(column))
        for column in view.columns
    ]
    return element("tfoot", element("tr", *cells))


def ticks(axis: Axis) -> Iterable[Html]:
    """The round numbers of an axis, each at its place."""
    return [
        element("span", text, style=f"left:{percent(value, axis)}%") for value, text in axis.ticks
    ]


# -- cells ----------------------------------------------------------------------------------------


def percent(value: float, axis: Axis) -> float | int:
    """Where a value lies, in percent of the width."""
    share = (min(max(value, axis.low), axis.high) - axis.low) / (axis.high - axis.low)
    at = round(100 * (MARGIN + share * (1 - 2 * MARGIN)), 1)
    return int(at) if at == int(at) else at


def _rank(value: str, axis: Axis | None) -> Html:
    return element("span", value, class_="rank")


def _text(value: Any, axis: Axis | None) -> Any:
    text, tone = (value, None) if isinstance(value, str) else value
    return element("span", text, class_=tone)


def _number(value: Sequence[Any], axis: Axis | None) -> str:
    return str(value[0])


def _estimate(value: Sequence[Any], axis: Axis | None) -> Html:
    main, aside = value[0], value[1]
    tone = value[3] if len(value) > 3 else None
    return fragment(
        element("span", main, class_=tone), " " if aside else "",
        element("small", aside) if aside else None,
    )  # fmt: skip


def _interval(value: dict[str, Any], axis: Axis | None) -> Html:
    """Line of nothing, limits, and a mark; `ghost` is a second mark, `tlo` to `thi` a thin line."""
    assert axis is not None
    parts = [element("i", class_="tick", style=f"left:{percent(v, axis)}%") for v, _ in axis.ticks]
    if axis.zero is not None:
        parts.append(element("i", class_="zero", style=f"left:{percent(axis.zero, axis)}%"))
    for low, high, kind in (("tlo", "thi", "thin"), ("lo", "hi", "bar")):
        if low in value or high in value:
            start = percent(value.get(low, axis.low), axis)
            wide = round(percent(value.get(high, axis.high), axis) - start, 1)
            parts.append(element("i", class_=kind, style=f"left:{start}%;width:{_short(wide)}%"))
    if "ghost" in value:
        parts.append(element("i", class_="ghost", style=f"left:{percent(value['ghost'], axis)}%"))
    if "v" in value:
        size = f";--s:{value['size']}px" if "size" in value else ""
        kind = value.get("mark", "dot")
        parts.append(element("i", class_=kind, style=f"left:{percent(value['v'], axis)}%{size}"))
    return element("div", *parts, class_="track")


def _short(value: float) -> float | int:
    return int(value) if value == int(value) else value


def _strip(value: str, axis: Axis | None) -> Html:
    """One gradient: a cell per data set, equal neighbours together."""
    return element("div", class_="strip", style=f"background:{gradient(value)}")


def gradient(value: str) -> str:
    """The gradient of a strip; a dot is a data set without a score."""
    stops, wide, start = [], 100 / max(len(value), 1), 0
    for i in range(1, len(value) + 1):
        if i == len(value) or value[i] != value[start]:
            shade = "x" if value[start] == "." else value[start]
            stops.append(f"var(--s{shade}) {_at(start * wide)} {_at(i * wide)}")
            start = i
    return f"linear-gradient(90deg,{','.join(stops)})"


def _at(value: float) -> str:
    return f"{_short(round(value, 1))}%"


def _share(value: float, axis: Axis | None) -> Html:
    bar = element("i", style=f"width:{100 * value:.0f}%")
    return fragment(element("div", bar, class_="share"), element("span", f"{value:.2f}"))


def _split(value: Sequence[float] | str, axis: Axis | None) -> Any:
    """Shares of better, same and worse."""
    if isinstance(value, str):
        return element("span", value, class_="soft")
    kinds = zip(("win", "same", "lose"), value, strict=True)
    parts = [
        element("i", f"{share:.2f}" if share >= 0.1 else "", class_=kind,
                style=f"width:{100 * share:.1f}%")
        for kind, share in kinds
    ]  # fmt: skip
    return element("div", *parts, class_="split")


def _runs(value: str, axis: Axis | None) -> Html:
    """A cell per data set: done, failed or missing."""
    counts = [f"{value.count(s)} {STATES[s]}" for s in STATES if s in value]
    cells = [element("i", class_=STATES[state]) for state in value]
    return element("div", *cells, class_="runs", role="img", aria_label=", ".join(counts))


def _dots(value: Sequence[Sequence[float]], axis: Axis | None) -> Html:
    rows = [
        element("span", *(element("i", style=f"left:{100 * at:.0f}%") for at in row))
        for row in value
    ]
    return element("div", *rows, class_="dots")


CELLS: dict[str, Callable[[Any, Axis | None], Any]] = {
    "rank": _rank,
    "text": _text,
    "number": _number,
    "estimate": _estimate,
    "interval": _interval,
    "strip": _strip,
    "share": _share,
    "split": _split,
    "runs": _runs,
    "dots": _dots,
}


# -- very many rows -------------------------------------------------------------------------------


def overview(view: View) -> Html:
    """A thin interval per row, from the first to the last; larger differences are lower."""
    cells = [row.cells.get("interval") or {} for row in view.rows]
    axis = axis_of([cell[key] for cell in cells for key in ("v", "lo", "hi") if key in cell])
    wide = 1000 / len(view.rows)
    heights = [(percent(value, axis), text) for value, text in axis.ticks]
    marks = [element("line", x1=0, x2=1000, y1=y, y2=y, class_="grid") for y, _ in heights]
    for i, (row, cell) in enumerate(zip(view.rows, cells, strict=True)):
        x, tone = round((i + 0.5) * wide, 1), "leads" if row.leads else None
        if "lo" in cell and "hi" in cell:
            y = [percent(cell[end], axis) for end in ("lo", "hi")]
            marks.append(element("line", x1=x, x2=x, y1=y[0], y2=y[1], class_=tone))
        if "v" in cell:
            y_dot = percent(cell["v"], axis)
            marks.append(element("path", d=f"M{x} {y_dot}h0", class_=tone))
    return element(
        "div",
        element(
            "svg",
            *marks,
            viewBox="0 0 1000 100",
            preserveAspectRatio="none",
            role="img",
            aria_label=", ".join(row.name for row in view.rows[:3]) + " …",
        ),
        element(
            "div",
            *(element("span", text, style=f"top:{y}%") for y, text in heights),
            class_="heights",
            aria_hidden="true",
        ),
        class_="overview",
        id="overview",
    )


# -- pictures above the table -------------------------------------------------------------------
# Pictures above the table of a page: points with limits in two directions, and lines over levels.
#
# They are elements placed by percent, so that names stay readable however narrow the page is.


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
