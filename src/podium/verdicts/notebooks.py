"""Comparisons in a notebook: the first screen of a page; order, pairs and notes below."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from podium.base.errors import PodiumError
from podium.base.rooms import offered
from podium.orders.decide import decide as decide_comparisons
from podium.words.presentation import as_html

if TYPE_CHECKING:
    from podium.inference.comparing.comparisons import Comparisons


def comparisons_html(c: Comparisons) -> str:
    """What a notebook shows of comparisons."""
    below = as_html(c._said(), c._texts(), c.notes)
    try:
        order = decide_comparisons(c)
    except PodiumError:  # nothing to put in an order
        return below
    made = offered("notebook_hero")
    first = made(c) if made is not None else ""
    if not first:
        return below
    order_line = f"<p>{escape(str(order))}</p>"
    return f"{first}<details><summary>Pairs and notes</summary>{order_line}{below}</details>"
