"""The screen of `podium survey`: verdict, who is where on the data sets, labelled lines."""

from __future__ import annotations

from collections.abc import Iterator

from podium.asking.surveys.verbs import EqualBias
from podium.core.base.formatting import cells, columns, number, screen, short, shortened, wrapped
from podium.core.orders.dataset_orders import DatasetOrders
from podium.core.verdicts.standing import CHIPS, chip
from podium.core.words.facts import CAUTION, Note
from podium.core.words.notes.of_surveys import agreement, best_means
from podium.core.words.phrases import capital, counted, joined
from podium.core.words.saying import say as in_words
from podium.showing.screens.standings import coloured, say_label
from podium.showing.terminal.saying import say

# -- words of the screen ------------------------------------------------------------------------
# What a terminal says first of many data sets, each by itself: the verdict and labelled lines.


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
        in_words(n) for n in dataset_orders.notes if n.code not in UNSAID and "note" not in n.facts
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
        return in_words(note)
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


# -- the screen ---------------------------------------------------------------------------------


MOST_DATASETS = 10  # that have a row each
MOST_ALGORITHMS = 15  # rows, where there are more data sets
MOST_CROSSED = 8  # algorithms of which all pairs are shown
WIDEST_NAME = 20


def say_survey(dataset_orders: DatasetOrders, equal_bias: EqualBias) -> None:
    """What the data sets say, on one screen."""
    from podium.showing.screens import terminal as labelled

    width = screen()
    say(coloured(wrapped(verdict(dataset_orders), width, "  "), bold=True))
    say(wrapped(nearest(dataset_orders), width, "  "))
    say()
    if len(dataset_orders.orders) <= MOST_DATASETS:
        _say_each(dataset_orders, width)
    else:
        _say_places(dataset_orders)
    _say_crossed(dataset_orders, width)
    say()
    say_label(AGREE, [agree(dataset_orders)], width)
    say_label(labelled.ABOUT, [about(dataset_orders)], width)
    say_label(BIAS, [bias(equal_bias)], width)
    warned = list(cautions(dataset_orders))
    say_label(labelled.CARE, warned, width, warned=len(warned))
    say_label(labelled.MORE, [WHOLE], width)


def _say_each(dataset_orders: DatasetOrders, width: int) -> None:
    """A row per data set: its order, and how many pairs are decided."""
    names = list(dataset_orders.dendrogram.arranged)
    decided = [
        f"{int((~t['verdict'].isin(('undecided', 'withheld'))).sum())} of {len(t)}"
        for t in (dataset_orders.comparisons[name].table for name in names)
    ]
    shown = list(shortened(names, WIDEST_NAME).values())
    room = (
        width - 2 * 3 - max(map(cells, [*shown, "data set"])) - max(map(len, [*decided, DECIDED]))
    )
    orders = [short(dataset_orders.orders[name].text, max(room, WIDEST_NAME)) for name in names]
    table = {"data set": shown, "order, best first": orders, DECIDED: decided}
    say(columns(table, left=["data set", "order, best first"], indent="  "))


DECIDED = "significant"


def _say_places(dataset_orders: DatasetOrders) -> None:
    """A row per algorithm: on how many data sets it is best, and its mean rank."""

    ranks = dataset_orders.ranks.mean().sort_values(kind="stable")
    best = dataset_orders.table["best_mean"].value_counts()
    alone = [
        order.groups[0][0] for order in dataset_orders.orders.values() if len(order.groups[0]) == 1
    ]
    names = [str(name) for name in ranks.index[:MOST_ALGORITHMS]]
    table = {
        "algorithm": list(shortened(names, WIDEST_NAME).values()),
        f"best mean on (of {len(dataset_orders.orders)})": [
            str(int(best.get(name, 0))) for name in names
        ],
        "alone in front on": [str(alone.count(name)) for name in names],
        "mean rank": [number(float(ranks[name])) for name in names],
    }
    say(columns(table, left=["algorithm"], indent="  "))
    if more := len(ranks) - len(names):
        say(f"  ... and {more} more {'algorithm' if more == 1 else 'algorithms'}")


def _say_crossed(dataset_orders: DatasetOrders, width: int) -> None:
    """On how many data sets the row is better and worse than the column, where that fits."""

    names = [str(name) for name in dataset_orders.ranks.mean().sort_values(kind="stable").index]
    if len(names) > MOST_CROSSED:
        return
    wins = {}
    for row in dataset_orders.pairs.itertuples():
        wins[row.first, row.second] = f"{row.first_better}–{row.second_better}"
        wins[row.second, row.first] = f"{row.second_better}–{row.first_better}"
    seen = shortened(names, WIDEST_NAME)
    table = {"won–lost by row": list(seen.values())} | {
        seen[other]: [wins.get((name, other), "·") for name in names] for other in names
    }
    text = columns(table, left=["won–lost by row"], indent="  ")
    if max(map(cells, text.split("\n"))) <= width:
        say(f"\n{text}")
