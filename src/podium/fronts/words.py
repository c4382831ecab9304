"""What is said of a front: who could be on it, who is dominated, and what a trade is worth."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Protocol

import pandas as pd

from podium.base.formatting import number, printable
from podium.fronts.trades import Trade
from podium.questions.measures import Measure
from podium.words.phrases import is_are, joined

MOST_NAMED = 4  # who are dominated, in a sentence


class Told(Protocol):
    """What words need of a front."""

    @property
    def dominated(self) -> pd.DataFrame:
        """Who is, and by whom."""

    @property
    def measures(self) -> tuple[Measure, ...]:
        """Of the front."""

    @property
    def members(self) -> tuple[str, ...]:
        """Who could be on it."""

    @property
    def algorithms(self) -> tuple[str, ...]:
        """All."""

    @property
    def trades(self) -> tuple[Trade, ...]:
        """Between neighbours."""


def measures_text(measures: Sequence[Measure]) -> str:
    """The measures in a sentence."""
    return joined([m.name for m in measures])


def headline(t: Told) -> str:
    """Who could be on the front, and who is not."""
    of = f"the front of {measures_text(t.measures)}"
    members = joined(list(t.members))
    if not len(t.dominated):
        return f"No algorithm is ruled out: {members} could all be on {of}."
    out = t.dominated.to_dict("records")
    texts = [f"{printable(row['algorithm'])} is dominated by {printable(row['by'])}"
            for row in out[:MOST_NAMED]]  # fmt: skip
    more = len(out) - len(texts)
    rest = f", and {more} more {is_are(more)} dominated" if more else ""
    verb = "is" if len(t.members) == 1 else "could be"
    return f"{members} {verb} on {of}; {joined(texts)}{rest}."


def trade_text(trade: Trade) -> str:
    """From which worth of quality on the dear one pays."""
    unit = _unit(trade.quality)
    cost = trade.cost.name
    dear, cheap = printable(trade.dear), printable(trade.cheap)
    if math.isnan(trade.lower):
        return f"Between {cheap} and {dear} it is open at any worth of {unit}."
    parts = []
    if trade.lower > 0:
        parts.append(f"{cheap} is worth more than {dear} where {unit} is worth less than "
                     f"{number(trade.lower)} ({cost})")  # fmt: skip
    if math.isfinite(trade.upper) and trade.upper > 0:
        parts.append(f"{dear} where it is worth more than {number(trade.upper)}")
    elif trade.lower > 0:
        parts.append("above that it is open")
    return f"{'; '.join(parts)}." if parts else ""


def _unit(quality: Measure) -> str:
    return "a right answer" if quality.spec == "accuracy" else f"1 more {quality.name}"


def trades_text(t: Told) -> Iterator[str]:
    """All trades between neighbours, each in a sentence."""
    yield from (text for trade in t.trades if (text := trade_text(trade)))


# -- pictures -------------------------------------------------------------------------------------


def axis_label(measure: Measure) -> str:
    """What an axis shows, and where it is good."""
    unit = f" [{measure.unit}]" if measure.unit not in ("", "share") else ""
    return f"{measure.name}{unit} ({measure.direction} is better)"


def front_title(t: Told) -> str:
    """Above a picture of a front."""
    return f"The front of {measures_text(t.measures)}"
