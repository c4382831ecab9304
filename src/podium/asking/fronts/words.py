"""What is said of a front: who could be on it, who is dominated, and what a trade is worth."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

import pandas as pd

from podium.asking.fronts.trades import Trade
from podium.core.base.formatting import number, printable
from podium.core.questions.measures import Measure
from podium.core.words.notes.of_results import dominating
from podium.core.words.phrases import Marked, is_are, joined, marked, p_text, plain, some

MOST_NAMED = 4  # who are dominated, in a sentence
MOST_MEMBERS = 8  # who could be on the front, in a sentence
UNITS = ("seconds", "milliseconds", "minutes", "hours", "bytes", "tokens")  # names that say it
ON_FRONT, ALL_MEASURES = "could be on the front", "Front"  # of a row; what a page shows first


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
        """All algorithms, dominated or not."""

    @property
    def trades(self) -> tuple[Trade, ...]:
        """Between neighbours."""

    @property
    def margins(self) -> Mapping[str, float]:
        """Losses that do not count."""


def measures_text(measures: Sequence[Measure]) -> str:
    """The measures in a sentence."""
    return joined([m.name for m in measures])


def headline(t: Told) -> str:
    """Who could be on the front, and who is not."""
    return plain(headline_parts(t))


def headline_parts(t: Told) -> Marked:
    """The headline; the names of those on the front are marked."""
    front = f"the front of {measures_text(t.measures)}"
    members = marked(some(list(t.members), MOST_MEMBERS), "and")
    if not len(t.dominated):
        before, after = "No algorithm is dominated: ", f" could all be on {front}."
        return ((before, False), *members, (after, False))
    out = t.dominated.to_dict("records")
    texts = [f"{printable(row['algorithm'])} is dominated by {printable(row['by'])}"
            for row in out[:MOST_NAMED]]  # fmt: skip
    more = len(out) - len(texts)
    rest = f", and {more} more {is_are(more)} dominated" if more else ""
    verb = "is" if len(t.members) == 1 else "could be"
    return (*members, (f" {verb} on {front}; {joined(texts)}{rest}.", False))


def key(t: Told) -> tuple[tuple[str, str], ...]:
    """What marks on a page mean."""
    arrows = (("Dashed line:", f"to one that is {rule_text(t)}."),) if len(t.dominated) else ()
    return (("Filled:", "could be on the front."), *arrows, ("Intervals:", means_text(t)))


def rule_text(t: Told) -> str:
    """What it takes to dominate."""
    return dominating([*t.margins.items()])


def trade_text(trade: Trade) -> str:
    """From which worth of quality on the dear one pays."""
    unit = _unit(trade.quality)
    cost = trade.cost.name
    dear, cheap = printable(trade.dear), printable(trade.cheap)
    if math.isnan(trade.lower):
        return f"Whatever {unit} is worth, the data cannot tell {cheap} from {dear}."
    if math.isinf(trade.lower):
        return f"Whatever {unit} is worth, choose {cheap} rather than {dear}."
    below = f"less than {number(trade.lower)}: {cheap}" if trade.lower > 0 else ""
    pays = math.isfinite(trade.upper) and trade.upper > 0
    above = f"more than {number(trade.upper)}: {dear}" if pays else ""
    if not (below or above):
        return ""
    between = "" if below and above else "otherwise the data cannot tell"
    parts = "; ".join(part for part in (below, above, between) if part)
    return f"Choose between {cheap} and {dear} by what {unit} is worth in {cost}: {parts}."


def _unit(quality: Measure) -> str:
    return "a right answer" if quality.spec == "accuracy" else f"1 more {quality.name}"


def trades_text(t: Told) -> Iterator[str]:
    """All trades between neighbours, each in a sentence."""
    yield from (text for trade in t.trades if (text := trade_text(trade)))


def dominated_text(by: str, p: float) -> str:
    """Of a row of a page."""
    return f"dominated by {printable(by)} ({p_text(p)})"


def limits_text(low: str, high: str) -> str:
    """The limits of a mean, in brackets; nothing where it never varies."""
    return f"({low} to {high})" if low != high else ""


PAIR_HEADS = {"by": "dominated by", "p": "p", "p_adjusted": "p (Holm)"}


def pairs_finding(t: Told) -> str:
    """How many are dominated."""
    out, every = len(t.dominated), len(t.algorithms)
    return f"{out} of {every} {is_are(out)} dominated; all directed comparisons and trades"


def trade_question(trade: Trade) -> str:
    """Above a card."""
    return f"{printable(trade.cheap)} or {printable(trade.dear)}?"


def means_text(t: Told) -> str:
    """What limits on a page are of."""
    return "each for its mean alone; dominance holds for all together."


def best_text(t: Told, means: pd.DataFrame) -> str:
    """Who has the best mean in each measure; `means` is algorithms x measures."""
    best_in: dict[tuple[str, ...], list[str]] = {}
    for m in t.measures:
        column = means[m.name].dropna()
        best = column.max() if m.higher_is_better else column.min()
        names = tuple(printable(str(name)) for name in column.index[column == best])
        way = "highest" if m.higher_is_better else "lowest"
        best_in.setdefault(names, []).append(f"the {way} {printable(m.name)}")
    texts = [
        f"{joined(list(names), 3)} {'has' if len(names) == 1 else 'have'} {joined(measures)}"
        for names, measures in best_in.items()
        if names
    ]
    return f"{'; '.join(texts)}."


# -- pictures -------------------------------------------------------------------------------------


def axis_label(measure: Measure) -> str:
    """What an axis shows, and where it is good."""
    in_units = measure.name.lower() in UNITS  # seconds are in seconds
    unit = f" [{measure.unit}]" if measure.unit not in ("", "share") and not in_units else ""
    return f"{measure.name}{unit} ({measure.direction} is better)"


def front_title(t: Told) -> str:
    """Above a picture of a front: who could be on it."""
    return headline(t).rstrip(".")
