"""The first screen as HTML, of elements that always escape: headline, caveats, table and cards.

`board.js` draws the same cells when a control is used; a test holds the two against each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import Any

from podium.base.formatting import printable
from podium.reports.board import MANY, NO_DIFFERENCE
from podium.reports.document import MARGIN, Axis, Column, Marked, Row, View, axis_of

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
