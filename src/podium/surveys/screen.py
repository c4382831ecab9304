"""The screen of `podium survey`: verdict, who is where on the data sets, labelled lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from podium.cli.main import say
from podium.verdicts.standings import say_label

if TYPE_CHECKING:
    from podium.orders.dataset_orders import DatasetOrders
    from podium.surveys.verbs import EqualBias

MOST_DATASETS = 10  # that have a row each
MOST_ALGORITHMS = 15  # rows, where there are more data sets
MOST_CROSSED = 8  # algorithms of which all pairs are shown
WIDEST_NAME = 20


def say_survey(dataset_orders: DatasetOrders, bias: EqualBias) -> None:
    """What the data sets say, on one screen."""
    from podium.base.formatting import screen, wrapped
    from podium.surveys import screen_words as surveyed
    from podium.verdicts import terminal as labelled
    from podium.verdicts.standings import coloured

    width = screen()
    say(coloured(wrapped(surveyed.verdict(dataset_orders), width, "  "), bold=True))
    say(wrapped(surveyed.nearest(dataset_orders), width, "  "))
    say()
    if len(dataset_orders.orders) <= MOST_DATASETS:
        _say_each(dataset_orders, width)
    else:
        _say_places(dataset_orders)
    _say_crossed(dataset_orders, width)
    say()
    say_label(surveyed.AGREE, [surveyed.agree(dataset_orders)], width)
    say_label(labelled.ABOUT, [surveyed.about(dataset_orders)], width)
    say_label(surveyed.BIAS, [surveyed.bias(bias)], width)
    cautions = list(surveyed.cautions(dataset_orders))
    say_label(labelled.CARE, cautions, width, warned=len(cautions))
    say_label(labelled.MORE, [surveyed.WHOLE], width)


def _say_each(dataset_orders: DatasetOrders, width: int) -> None:
    """A row per data set: its order, and how many pairs are decided."""
    from podium.base.formatting import cells, columns, short, shortened

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
    from podium.base.formatting import columns, number, shortened

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
    from podium.base.formatting import cells, columns, shortened

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
