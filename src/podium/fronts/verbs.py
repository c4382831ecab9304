"""From results with several measures to a front, and to what a trade is worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from podium.base.errors import PodiumError
from podium.base.options import takes
from podium.fronts.dominance import Front, front_of
from podium.fronts.reading import layouts_of, read_measures
from podium.fronts.trades import Trade, quality_and_cost, trade_of
from podium.fronts.utilities import read_weights, utility_of
from podium.inference.layouts.layouts import Layout
from podium.reading.cells.measure_names import asked_measures, is_resource
from podium.reading.results import Results

ASKED = "measures"  # what a design calls results by measure
WHOLE = "front"  # and their front, computed when it is called
READING = ("sampling", "columns", "higher_is_better", "step", "where", "recipe")
MOST_TRADES = 4


@takes("reading", "target", "dataset", "alpha", "gaps")
def front(
    results: Any,
    measures: str | Sequence[str],
    *,
    margins: Mapping[str, float] | None = None,
    **options: Any,
) -> Front:
    """Who could be on the front of several measures, and who is dominated by whom.

    An algorithm is dominated where another one is better in every measure. Those that are left hold
    the whole true front with a confidence of 1 - alpha.

    Parameters
    ----------
    results : Results, or anything that `read` takes
        With several measures: in a column of measures, or in columns of their own.
    measures : str | sequence of str
        Their names; the direction of one that nobody knows behind it, as in "accuracy,depth=lower".
    margins : mapping | None
        Losses that do not count, by measure: an algorithm is then dominated by one that is not
        worse by a margin in any measure and better in at least one.

    Returns
    -------
    Front
        `.members`, and `.dominated`: one row for each who is.

    Examples
    --------
    >>> import podium
    >>> rows = [(f"q{i}", m, a + i % 3 / 50, c + i % 7 / 50) for i in range(30)
    ...         for m, a, c in (("old", 0.7, 2.0), ("new", 0.8, 0.9), ("mini", 0.6, 0.5))]
    >>> import pandas as pd
    >>> table = pd.DataFrame(rows, columns=["item", "model", "score", "cost"])
    >>> result = podium.fronts.front(table, "score=higher,cost")
    >>> result.members, result.dominated["algorithm"].tolist()
    (('new', 'mini'), ['old'])
    """
    reading, chosen = _parted(options)
    return front_of_results(
        read_measures(results, asked_measures(measures), reading), margins=margins, **chosen
    )


def front_of_results(
    several: Mapping[str, Results],
    *,
    margins: Mapping[str, float] | None = None,
    alpha: float = 0.05,
    gaps: str | None = None,
    **chosen: Any,
) -> Front:
    """The front of results by measure."""
    layouts = layouts_of(several, {**chosen, "gaps": gaps})
    made = front_of(layouts, alpha=alpha, gaps=gaps, margins=margins)
    return replace(made, trades=_trades(layouts, made))


def _parted(options: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The options of reading, and those of the layouts and tests."""
    options.pop("measure", None)
    return {name: options.pop(name) for name in READING}, options


def _trades(layouts: Mapping[str, Layout], made: Front) -> tuple[Trade, ...]:
    """Between neighbours by cost of those who could be on the front and gain by their cost."""
    roles = quality_and_cost(made.measures)
    if roles is None:
        return ()
    quality, cost = (
        made.scores[made.scores["measure"] == measure.name].set_index("algorithm")["mean"]
        for measure in roles
    )
    order: list[str] = []
    for name in sorted(made.members, key=lambda name: (cost[name], -quality[name], name)):
        if not order or quality[name] > quality[order[-1]]:
            order.append(name)
    results = []
    for cheap, dear in pairwise(order):
        try:
            results.append(trade_of(layouts, dear, cheap, made.alpha))
        except PodiumError:
            return ()
    return tuple(results[:MOST_TRADES])


@takes("reading", "target", "dataset", "alpha", "gaps")
def trade(
    results: Any, measures: str | Sequence[str], first: str, second: str, **options: Any
) -> Trade:
    """What a unit of quality must be worth so that the dearer of two algorithms pays.

    Parameters
    ----------
    results : Results, or anything that `read` takes
    measures : str | sequence of str
        One of quality and one of cost, as in "accuracy,cost".
    first, second : str
        Two algorithms.

    Returns
    -------
    Trade
        `.price`, `.lower` and `.upper`; `.statistic(price)` is the t of the net benefit.

    Examples
    --------
    >>> import pandas as pd
    >>> import podium
    >>> rows = [(f"q{i}", m, a + i % 3 / 50, c + i % 7 / 50) for i in range(30)
    ...         for m, a, c in (("old", 0.7, 2.0), ("mini", 0.6, 0.5 + i % 5 / 100))]
    >>> table = pd.DataFrame(rows, columns=["item", "model", "score", "cost"])
    >>> round(podium.fronts.trade(table, "score=higher,cost", "old", "mini").price, 1)
    14.8
    """
    reading, chosen = _parted(options)
    alpha = chosen.pop("alpha")
    layouts = layouts_of(read_measures(results, asked_measures(measures), reading), chosen)
    return trade_of(layouts, first, second, alpha)


@takes("reading")
def utility(results: Any, weights: Mapping[str, float], **options: Any) -> Results:
    """One more measure, the weighted sum of several, for `podium.compare` and all else.

    Parameters
    ----------
    results : Results, or anything that `read` takes
        With several measures: in a column of measures, or in columns of their own.
    weights : mapping
        What a unit of each measure is worth, below 0 for what is spent: `{"accuracy": 1, "cost":
        -0.02}`.

    Returns
    -------
    Results
        With the measure `utility`, higher is better.

    Examples
    --------
    >>> import pandas as pd
    >>> import podium
    >>> rows = [(f"q{i}", m, a + i % 3 / 50, c + i % 7 / 50) for i in range(30)
    ...         for m, a, c in (("old", 0.7, 2.0), ("mini", 0.6, 0.5 + i % 5 / 100))]
    >>> table = pd.DataFrame(rows, columns=["item", "model", "accuracy", "cost"])
    >>> worth = podium.fronts.utility(table, {"accuracy": 1, "cost": -0.02})
    >>> {name: round(mean, 3) for name, mean in podium.compare(worth).means.items()}
    {'old': 0.679, 'mini': 0.608}
    """
    reading, _ = _parted(options)
    known = read_weights(weights)
    return utility_of(read_measures(results, asked_measures(list(known)), reading), known)


def hint(results: Results) -> str:
    """What `-m` would name, where results have a measure of quality and what is spent."""
    quality = [name for name, m in results.measures.items() if not is_resource(m)]
    spent = [name for name, m in results.measures.items() if is_resource(m)]
    return ",".join([*quality[:1], *spent[:2]]) if quality and spent else ""
