"""An order and its stability in sentences of a page."""

from __future__ import annotations

from collections.abc import Iterator

from podium.facts import Note
from podium.formatting import number, printable
from podium.inference.comparisons import Comparisons
from podium.orders.order import Order
from podium.studies.stability import Stability
from podium.wording.evidence import noun
from podium.wording.notes import say
from podium.wording.phrases import capital, counted, joined
from podium.wording.voices import PAGE

NO_ORDER = "There is no order of several algorithms."
AXIOMS = {  # what it means that one fails, with an example and how often it happens
    "transitive": "The order is not transitive: {0} is better than {1} and {1} than {2}, yet {0} "
    "is not shown to be better than {2}{times}.",
    "indifference transitive": "≈ does not carry over, as it only means not told apart: {0} ≈ {1} "
    "and {1} ≈ {2}, yet {0} and {2} differ{times}.",
}


def order_title(c: Comparisons) -> str:
    """By which measure, and where."""
    return f"The order by {c.measure}{f' on {c.dataset}' if c.dataset else ''}"


def letters_caption(lettered: bool) -> str:
    """Above the algorithms with their means, layers and letters."""
    shared = "; those that share a letter are not told apart" if lettered else ""
    return f"Algorithms, the best first{shared}"


def axioms(order: Order) -> Iterator[str]:
    """In which way this is no linear order, with the first algorithms that show it."""
    if all(order.axioms.values()):
        several = ", and no two decisions contradict each other" * (len(order.algorithms) > 2)
        yield f"{'Every' if several else 'The'} pair is decided{several}."
        return
    yield from _left_open(order)
    for name, text in AXIOMS.items():
        if not order.axioms[name]:
            times = _often(order.violation_counts[name])
            yield text.format(*map(printable, order.violations(name, 1)[0]), times=times)


def _left_open(order: Order) -> Iterator[str]:
    """The pairs that were compared and not decided."""
    every = order.violations("complete", order.violation_counts["complete"])
    pairs = [pair for pair in every if pair not in order.uncompared]
    if pairs:
        first, second = map(printable, pairs[0])
        several = f"{len(pairs)} of the pairs are open, such as {first} and {second}."
        yield several if len(pairs) > 1 else f"One pair is open: {first} and {second}."


def _often(count: int) -> str:
    return f" (and so {counted(count - 1, 'more time')})" if count > 1 else ""


# -- stability ------------------------------------------------------------------------------


def stability_title(c: Comparisons) -> str:
    """The question that drawing blocks anew answers."""
    return f"Would other {noun(c)} change the order?"


def stability_only_of(measure: str) -> str:
    """Of the other measures."""
    return f"This was computed for {measure} only."


def no_stability(why: Note) -> str:
    """Why blocks were not drawn anew."""
    return f"This was not computed. {capital(say(why, PAGE))}"


def stable(found: Stability) -> str:
    """How often who is best, and how far the orders are from the one that was found."""
    best = found.ranks.sort_values("best", ascending=False)
    first = best.iloc[0]
    others = [
        f"{row.algorithm} in {100 * row.best:.0f} %"
        for row in best.iloc[1:4].itertuples()
        if row.best >= 0.01
    ]
    c = found.comparisons
    return (
        f"When the {c.blocks.count} {noun(c)} are drawn again, with replacement, "
        f"{first['algorithm']} has the best mean in {100 * first['best']:.0f} % of "
        f"{found.resamples} resamples{f', {joined(others)}' if others else ''}. In "
        f"{found.decisions} of them all pairs were judged again, and the very same order came out "
        f"in {100 * found.frequency:.0f} %. On average the orders differ from it by "
        f"{number(found.distance, 2)}, where a pair that is open in one order and decided in the "
        "other counts 1, and a pair that is turned around 2."
    )
