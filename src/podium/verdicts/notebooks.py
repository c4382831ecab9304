"""Comparisons in a notebook: the verdict, the order, the standings drawn; pairs and notes below."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from podium.base.errors import PodiumError
from podium.base.formatting import aligned
from podium.orders.decide import decide as decide_comparisons
from podium.verdicts import terminal
from podium.verdicts.gap_scale import Scale
from podium.verdicts.gaps import exact_to
from podium.verdicts.standing import Row, Standing, standing
from podium.verdicts.verdict import plain, verdict
from podium.words.presentation import as_html

if TYPE_CHECKING:
    from podium.inference.comparing.comparisons import Comparisons
    from podium.orders.order import Order

MOST_ROWS = 25  # of more algorithms the lead and those next to it
LEAD, REST = "#0b6e8f", "#777"
WIDE, HIGH = 260, 18  # of a drawn gap
LEFT, RIGHT = 'style="text-align:left"', 'style="text-align:right"'


def comparisons_html(c: Comparisons) -> str:
    """What a notebook shows of comparisons."""
    below = as_html(c._said(), c._texts(), c.notes)
    try:
        order = decide_comparisons(c)
        found = standing(c)
    except PodiumError:  # nothing to put in an order
        return below
    if found is None:
        return below
    rest = f"<details><summary>Pairs and notes</summary>{below}</details>"
    return "".join([_head(c, found, order), _table(c, found), rest])


def _head(c: Comparisons, found: Standing, order: Order) -> str:
    said = escape(plain(verdict(c, found, {})))
    return f"<p><b>{said}</b></p><p>{escape(str(order))}</p>"


def _table(c: Comparisons, found: Standing) -> str:
    rows = found.rows if len(found.rows) <= MOST_ROWS else _first(found)
    scores = aligned([row.score for row in rows], exact_to(rows), 4)
    flat = [value for row in rows for value in (row.gap, row.lower, row.upper)]
    gaps = aligned(flat, exact_to(rows), 2)
    scale = Scale.of(rows)
    measured = "mean rank" if found.by_ranks else f"mean {c.measure}"
    heads = ["place", "algorithm", measured, terminal.standing_heads(c, found, 60), ""]
    lines = [
        _line(found, row, scores[i], gaps[3 * i : 3 * i + 3], scale) for i, row in enumerate(rows)
    ]
    hidden = len(found.rows) - len(rows)
    more = f"<p>… and {hidden} more algorithms</p>" if hidden else ""
    head = "".join(f"<th {LEFT}>{escape(one)}</th>" for one in heads)
    return f"<table><tr>{head}</tr>{''.join(lines)}</table>{more}"


def _first(found: Standing) -> tuple[Row, ...]:
    return found.rows[: max(MOST_ROWS - 5, 1)]


def _line(found: Standing, row: Row, score: str, gap: list[str], scale: Scale) -> str:
    own = row.name == found.reference
    colour = LEAD if row.leads else REST
    size, low, high = gap
    limits = f" ({low} to {high})" if scale.bar(row) is not None else ""
    told = "" if own else f"{size}{limits}"
    name = escape(row.name)
    cells = [terminal.place(row), f"<b>{name}</b>" if row.leads else name]
    texts = "".join(f"<td {LEFT}>{text}</td>" for text in cells)
    drawn = _drawn(row, scale, colour, own=own)
    return (
        f"<tr>{texts}<td {RIGHT}>{escape(score)}</td><td {LEFT}>{drawn}</td>"
        f"<td {LEFT}>{escape(told)}</td></tr>"
    )


def _drawn(row: Row, scale: Scale, colour: str, *, own: bool) -> str:
    """The gap with its limits; the line is no gap at all."""
    middle = HIGH / 2
    zero = _x(scale.at(0.0))
    bar = None if own else scale.bar(row)
    dot = zero if own else _x(scale.at(row.gap)) if row.gap == row.gap else None
    parts = [f'<line x1="{zero}" x2="{zero}" y1="0" y2="{HIGH}" stroke="#bbb"/>']
    if bar is not None:
        ends = f'x1="{_x(bar[0])}" x2="{_x(bar[0] + bar[1])}" y1="{middle}" y2="{middle}"'
        parts.append(f'<line {ends} stroke="{colour}" stroke-width="3"/>')
    if dot is not None:
        parts.append(f'<circle cx="{dot}" cy="{middle}" r="4.5" fill="{colour}"/>')
    return f'<svg width="{WIDE}" height="{HIGH}" role="img">{"".join(parts)}</svg>'


def _x(percent: float) -> float:
    return round(percent / 100 * WIDE, 1)
