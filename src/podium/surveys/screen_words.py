"""What a terminal says first of many data sets, each by itself: the verdict and labelled lines."""

from __future__ import annotations

from collections.abc import Iterator

from podium.base.formatting import number
from podium.orders.dataset_orders import DatasetOrders
from podium.surveys.verbs import EqualBias
from podium.verdicts.gaps import CHIPS, chip
from podium.words.facts import CAUTION, Note
from podium.words.notes.of_surveys import agreement, best_means
from podium.words.phrases import capital, counted, joined
from podium.words.saying import say

AGREE = "Agree"
WHOLE = "--all  every data set, every pair, all notes"
UNSAID = ("multiplicity", "agreement", "procedure-chosen")  # told in another line, or no caution


def verdict(dataset_orders: DatasetOrders) -> str:
    """How many orders there are, who is first where, and the order that is nearest to all."""
    count = len(dataset_orders.orders)
    if count == 1:
        return f"One data set: {next(iter(dataset_orders.orders.values())).text}."
    different = len({order.text for order in dataset_orders.orders.values()})
    if different == 1:
        first = next(iter(dataset_orders.orders.values()))
        return f"All {count} data sets have one order: {first.text}."
    best = best_means(dataset_orders.table)
    return f"{best}; the {count} data sets give {different} orders."


def nearest(dataset_orders: DatasetOrders) -> str:
    """The consensus, in a line."""
    orders = dataset_orders.consensus.orders
    ties = f" ({len(orders)} tie)" if len(orders) > 1 else ""
    return f"Consensus ranking{ties}: {orders[0].text}"


def agree(dataset_orders: DatasetOrders) -> str:
    """Kendall's W in a word and as a number."""
    w = dataset_orders.concordance
    if w != w:
        return "unknown: Kendall's W needs ranks that differ"
    return agreement(w)


def about(dataset_orders: DatasetOrders) -> str:
    """What each order, and their summary, is a statement of."""
    first = next(iter(dataset_orders.comparisons.values()))
    better = "higher" if first.higher_is_better else "lower"
    used = joined(list(dict.fromkeys(c.procedure for c in dataset_orders.comparisons.values())))
    return (
        f"{dataset_orders.measure} ({better} is better), each data set by itself by {used} "
        f"(target: {first.target}); not for other data sets"
    )


BIAS = "Bias"


def bias(equal_bias: EqualBias) -> str:
    """Whether learning from fewer rows costs all algorithms the same."""
    if not equal_bias.checked:
        return (
            "whether fewer training rows cost all algorithms the same cannot be checked: there is "
            "one training size (sizes = [50, 100] in a study)"
        )
    if not equal_bias.moving:
        return (
            "no difference is shown to move with the training size: nothing speaks against equal "
            "bias"
        )
    pairs = joined([f"{first} - {second}" for first, second in equal_bias.moving], most=3)
    return (
        f"{counted(len(equal_bias.moving), 'difference')} of {equal_bias.pairs} moved with the "
        f"training size ({pairs}): what holds for these sizes need not hold for all rows "
        "(--sizes tells more)"
    )


def cautions(dataset_orders: DatasetOrders) -> Iterator[str]:
    """What was left out, what is not adjusted, and what to mind on single data sets."""
    yield from (
        say(n) for n in dataset_orders.notes if n.code not in UNSAID and "note" not in n.facts
    )
    yield _unadjusted(dataset_orders)
    single = [n for n in dataset_orders.notes if "note" in n.facts and n.note.severity is CAUTION]
    if brief := list(dict.fromkeys(_briefly(note, single) for note in single)):
        yield f"{capital('; '.join(brief))} (--all tells more)."


def _unadjusted(dataset_orders: DatasetOrders) -> str:
    note = next((n for n in dataset_orders.notes if n.code == "multiplicity"), None)
    if note is None:
        return "Nothing is adjusted across data sets."
    if note.adjustment in ("bh", "none"):
        return say(note)
    expected = number(note.alpha * note.datasets, 2)
    return (
        f"Not adjusted across the {note.datasets} data sets: expect up to {expected} false "
        "positives."
    )


def _briefly(note: Note, among: list[Note]) -> str:
    """A few words, and on how many data sets they hold; none where on all."""
    own = [n for n in among if n.code == note.code]
    where = {name for n in own for name in n.datasets}
    words = chip(note.note) if note.code in CHIPS else note.code.replace("-", " ")
    return words if any(not n.datasets for n in own) else f"{words} on {len(where)}"
