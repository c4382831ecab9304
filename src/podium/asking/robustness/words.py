"""What is said of an order's stability: drawn anew, with one left out, under other choices."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from podium.core.base.formatting import number, printable, short
from podium.core.orders.order import Order
from podium.core.words.facts import ANY, Note, say, sentences, words
from podium.core.words.phrases import counted

NO_EVIDENCE = "such rows say nothing about it"


MOST_NAMED = 12  # algorithms of an order that is written out


def order_named(order: Order) -> str:
    """An order, or how many it is of: a chain of very many is read by nobody."""
    many = len(order.algorithms)
    return order.text if many <= MOST_NAMED else f"{many} algorithms in order"


def stability_heading(order: Order, what: str) -> str:
    """An order and what it is of."""
    return f"Stability of {order_named(order)}: {what}"


def stability_verdict(frequency: float, decisions: int, best: str, share: float) -> str:
    """How often the order comes out again, and how often the best mean is the same one's.

    >>> stability_verdict(0.92, 200, "svm", 0.998)
    'The order is the same in 92 % of 200 bootstrap samples; svm has the best mean in 99.8 %.'
    """
    same = f"in {number(100 * frequency)} % of {decisions} bootstrap samples"
    if math.isnan(frequency):
        same = "in an unknown share of the bootstrap samples"
    return (
        f"The order is the same {same}; {printable(best)} has the best mean in "
        f"{number(100 * share)} %."
    )


def left_out_heading(order: Order, what: str) -> str:
    """The same with one left out."""
    return f"{order_named(order)} with one left out: {what}"


def multiverse_heading(
    universes: int,
    orders: int,
    refused: int,
    *,
    alpha: float,
    relevance: float,
    control: str | None,
) -> str:
    """How many universes and orders there are.

    >>> multiverse_heading(12, 3, 4, alpha=0.05, relevance=0.01, control=None)
    '12 valid analyses give 3 orders; 4 others are not valid here (alpha 0.05, relevance 0.01).'
    """
    some = f", relevance {relevance:g}" if relevance else ""
    some += f", reference {printable(control)}" if control is not None else ""
    one = universes == 1
    return (
        f"{counted(universes, 'valid analysis', 'valid analyses')} {'gives' if one else 'give'} "
        f"{counted(orders, 'order')}; {refused} others are not valid here (alpha {alpha:g}{some})."
    )


def joint_heading(
    joint: str, order: str, by: Mapping[str, str], frequency: float, resamples: int
) -> list[str]:
    """A joint order, how often it came out again, and what it joins."""
    texts = [f"{name}: {text}" for name, text in by.items()]
    return [
        f"{joint} of {len(by)} measures: {order} (again in {100 * frequency:.0f} % of {resamples} "
        "resamples)",
        *texts,
    ]


SENTENCES = {
    "not-computed": "{failed} of {resamples} resamples could not be decided and are not among "
    "the frequencies of pairs and orders; the first, because: {reason}",
    "no-variation": "In {without} of {resamples} resamples some pair had no p-value, mostly as "
    "its differences did not vary there; it counts as ≈.",
    "joint-resampled": "Rows were drawn with replacement, the same for all measures; this "
    "describes how far the joint order depends on them, and tests nothing.",
    # blocks drawn anew
    "ranks": "Rank 1 is the best mean; tied means have mean ranks and share them, also the best, "
    "equally; {level:percent} percentile intervals of single ranks, which are rough where means "
    "are nearly tied (Hall and Miller 2009).",
    "ranks-by-mean": "Ranks are by the means of scores; the orders are by '{procedure}', which "
    "is about something else.",
    "adjusted-means": "Not every row has all scores: means and ranks are adjusted for rows, so "
    "no algorithm gains by missing hard ones.",
    "unranked": "In {unranked} of {resamples} resamples an algorithm had no score that can be "
    "used, or no rows in common with the others, however indirectly; they have no ranks and are "
    "not among the frequencies.",
    # one left out
    "irrelevant-alternatives": "Verdicts about two algorithms that change when a third is left "
    "out: {changes}. For all of them fewer pairs are adjusted for, and in {moved} the pair's own "
    "p-value by '{procedure}' depends on the third, too.",
    "drawn-null": "The null {null} is drawn again every time: a p-value near alpha has a "
    "standard error of {error:.2g}, which alone can change a verdict.",
    # other choices
    "descriptive": "A multiverse describes how far the order depends on the analysis. All "
    "analyses share their scores, so their agreement is no further evidence. Picking one after "
    "seeing the orders is not valid inference: alpha holds for a test that was chosen before.",
    "other-criterion": "It orders by another criterion than the scores; name it to include it.",
    "needs-control": "It compares with a control, and none was given (control=).",
    "same-pairs": "Its pairs are those of '{procedure}' here; name it to include it.",
}
sentences(SENTENCES)


def talked_up_line(gained: int) -> str:
    """How far results could have been talked up."""
    if not gained:
        return "No other valid test finds an algorithm better where the planned one does not."
    return (
        f"By another valid test {counted(gained, 'comparison')} could have been called better "
        "where the planned one does not."
    )


# -- blocks drawn anew ----------------------------------------------------------------------


@words("bootstrap")
def _bootstrap(note: Note) -> str:
    drawn = "whole clusters of items" if note.clusters else "blocks"
    ranks, orders = (math.ceil(200 * error) for error in (note.of_ranks, note.of_orders))
    good_to = f"±{ranks} (ranks) and ±{orders} (orders)"
    return f"Bootstrap of the {drawn}; percentages are good to {good_to}."


@words("frequencies")
def _frequencies(note: Note) -> str:
    given = "; all is conditional on this training set" * note.conditional
    return (
        "These percentages are not p-values. Redrawing adds noise: a pair right at the limit is "
        f"decided in about half of the redraws{given}."
    )


@words("null")
def _null(note: Note) -> str:
    given = f"another order: {note.other_order}" if note.other_order else "the same order"
    return (
        f"The observed analysis has the null {note.observed} and the resamples {note.resamples}, "
        f"which gives the scores at hand {given}. same_null=True uses the former for all."
    )


# -- one left out ---------------------------------------------------------------------------


@words("not-left-out")
def _not_left_out(note: Note) -> str:
    names = " or ".join(note.algorithms)
    return f"Without {names} there is nothing to compare; all else was left out."


@words("not-computed", "left_out")
def _not_computed(note: Note) -> str:
    return (
        f"{note.failed} of {note.analyses} analyses are not possible; the first, without "
        f"{note.left_out}: {note.reason}"
    )


# -- other choices --------------------------------------------------------------------------


@words("nulls")
def _nulls(note: Note) -> str:
    text = ", ".join(f"{null} in {count}" for null, count in note.nulls)
    drawn = "" if note.seed is None else f" (seed {note.seed})"
    return f"Nulls: {text} analyses{drawn}."


@words(ANY, "note", "universes")
def _in_universes(note: Note) -> str:
    """A note of some universes; where their numbers differ, that of the first."""
    first = ", in the first" * note.unlike
    return f"In {note.universes} of {note.of} analyses{first}: {say(note.note)}"


@words("nothing-legal")
def _nothing_legal(note: Note) -> str:
    why = note.why or NO_EVIDENCE
    return f"No test is valid for {note.blocks} and this target: {why}."


@words("refused")
def _refused(note: Note) -> str:
    return str(note.reason)


def stability_title(rows: Any, resamples: int, measure: str) -> str:
    """Above a picture of ranks: how often the observed best is best."""
    first = rows.iloc[0]
    return (
        f"{short(str(first['algorithm']))} has the best mean {measure} in {first['text']} of "
        f"{resamples} bootstrap samples"
    )
