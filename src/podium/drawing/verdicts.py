"""What plots of comparisons and orders share: titles, the best first, how verdicts are drawn."""

from __future__ import annotations

from itertools import chain
from typing import NamedTuple

import numpy as np

from podium.base.errors import InferenceError
from podium.base.formatting import short
from podium.drawing.canvas import COLOURS, GREY
from podium.drawing.emphasis import SEEN, Emphasis
from podium.drawing.records import checked
from podium.inference.comparing.comparisons import Comparisons
from podium.orders.dataset_orders import DatasetOrders
from podium.orders.decide import decide as decide_comparisons
from podium.orders.order import Order
from podium.words.facts import Note


class Mark(NamedTuple):
    """How a verdict is drawn: colour and marker, filled where it is significant."""

    colour: str
    marker: str
    filled: bool


MARKS = {
    "better": Mark(COLOURS[0], "o", True),
    "worse": Mark(COLOURS[1], "s", True),
    "non-inferior": Mark(COLOURS[5], "^", True),
    "non-superior": Mark(COLOURS[4], "v", True),
    "equivalent": Mark(COLOURS[2], "D", True),
    "undecided": Mark(GREY, "o", False),
    "withheld": Mark(GREY, "x", False),
}


def decided(comparisons: Comparisons) -> Order:
    """The order that comparisons of pairs of algorithms allow, at their own alpha."""
    if not len(checked(comparisons, Comparisons).table):
        raise InferenceError(
            f"Comparisons of {len(comparisons.algorithms)} algorithm hold no pair to draw: "
            "compare at least two algorithms."
        )
    if not of_algorithms(comparisons):
        raise InferenceError(
            "Contrasts of several algorithms make no order to draw: draw their intervals, or "
            "compare pairs."
        )
    return decide_comparisons(comparisons)


def of_algorithms(comparisons: Comparisons) -> bool:
    """Whether the rows compare two algorithms each, not weighted groups of them."""
    t, known = comparisons.table, set(comparisons.algorithms)
    return bool(t["first"].isin(known).all() and t["second"].isin(known).all())


def titled(comparisons: Comparisons) -> str:
    """What was compared where, how, and at which level."""
    where = f" on {short(comparisons.dataset)}" if comparisons.dataset else ""
    return f"{comparisons.measure}{where}, {asked(comparisons)}, alpha {comparisons.alpha:g}"


def asked(comparisons: Comparisons) -> str:
    """The procedure, and what of its question is not the usual: one side, a margin."""
    two_sided = comparisons.alternative == "two-sided"
    side = "" if two_sided else f", one-sided ({comparisons.alternative})"
    margin = f", relevance {comparisons.relevance:g}" if comparisons.relevance else ""
    return f"{comparisons.procedure}{side}{margin}"


def printed(order: Order) -> list[str]:
    """The algorithms of an order as it prints them, the best first."""
    return list(chain.from_iterable(order.groups))


def lead_of(order: Order) -> tuple[str, ...]:
    """Those whom nobody beats, as the order prints them."""
    beaten = dict(zip(order.algorithms, np.any(order.better, axis=0).tolist(), strict=True))
    return tuple(name for name in printed(order) if not beaten[name])


def _seen(comparisons: Comparisons) -> Emphasis:
    if not len(comparisons.table) or not of_algorithms(comparisons):
        return Emphasis()
    return Emphasis(lead_of(decide_comparisons(comparisons)))


SEEN[Comparisons] = _seen
SEEN[Order] = lambda order: Emphasis(lead_of(order))


def refused(orders: DatasetOrders) -> list[Note]:
    """The data sets that could not be analysed, where there are any."""
    return [Note("plot-refused", datasets=tuple(orders.refused))] if orders.refused else []
