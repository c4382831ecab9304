"""Items of one test set: their strata, how hard and telling they are, and which are flaky."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from podium.asking.items.description import ItemDescription, Strata
from podium.asking.items.description import by_stratum as strata_of
from podium.asking.items.description import describe_items as described
from podium.core.base.errors import ResultsError
from podium.core.base.options import takes
from podium.core.inference.bricks.clustered import clustered_covariance
from podium.core.inference.comparing.arranging import layout
from podium.core.inference.comparing.single import intervals
from podium.core.inference.numbers import tails
from podium.core.questions.options import check_alpha
from podium.core.results.pass_at import KEYS, PassRate, RightAnswers
from podium.core.results.results import ITEM_NAMES, Results
from podium.core.verdicts.verbs import layout_of
from podium.core.words.phrases import counted
from podium.core.words.saying import Presented
from podium.reading.formats import read

# -- repeated answers ---------------------------------------------------------------------------
# Models that answer items several times: pass^k beside pass@k, flaky items, cost per solved task.
#
# An item is flaky for a model that has it right in some answers and wrong in others. Its flip
# rate, 2 c (n - c) / (n (n - 1)) of c right ones of n answers, is the chance that two answers
# differ, unbiased; one that is right n times of n is not shown to be steady.


# -- repeat words ---------------------------------------------------------------------------------
# What is said of models that answered items several times.


def repeats_heading(r: Any) -> str:
    """Flaky items, and what pass^k says beside pass@k."""
    flaky = len(r.flaky_items)
    if not flaky:
        return (
            f"No item is flaky: each of {counted(r.items, 'item')} is always right or always wrong "
            "in all answers of a model, which does not show that it stays so."
        )
    alone = r.flaky.loc[r.flaky["models"] == 1, "item"].nunique()
    verb = "is" if flaky == 1 else "are"
    of_one = f", {alone} of them for one model alone" if alone else ""
    return (
        f"{counted(flaky, 'item')} of {r.items} {verb} flaky: a model has them right in some "
        f"answers and wrong in others{of_one}."
    )


def cost_heading(r: Any) -> str:
    """What a solved task costs, in the column's unit."""
    return f"Cost per solved task ({r.cost} of an answer over the share of right ones)"


# -- repeated answers -----------------------------------------------------------------------------


COSTS = frozenset(["cost", "costs", "price", "usd", "eur", "dollar", "dollars"])


@dataclass(frozen=True, eq=False, repr=False)
class Repeats(Presented):
    """Rates of k answers with limits of their own, flaky items, and what a solved task costs.

    `rates` has pass^k, pass@1 and pass@k of every algorithm. `flaky` has every algorithm's answers
    to each item that is flaky for one of them, those that are so for one alone first. `costs` is
    of the mean cost of an answer over the share of right ones; no rows where no cost is known.
    """

    k: int
    items: int
    rates: pd.DataFrame
    flaky: pd.DataFrame
    costs: pd.DataFrame
    cost: str  # what the column of costs is called
    alpha: float

    @property
    def flaky_items(self) -> list[str]:
        """Their names, in the order of the table."""
        return list(dict.fromkeys(self.flaky["item"]))

    def _lines_above(self) -> list[str]:
        return [repeats_heading(self)]

    def _tables(self) -> Mapping[str, pd.DataFrame]:
        every = {"Rates": self.rates, "Flaky items": self.flaky, "Cost": self.costs}
        return {name: table for name, table in every.items() if len(table)}

    def _facts(self) -> dict[str, Any]:
        names = ("k", "items", "rates", "flaky", "cost", "costs", "alpha")
        return {name: getattr(self, name) for name in names}


def cost_column(names: tuple[str, ...]) -> str:
    """The first name that means a cost; empty where none does.

    >>> cost_column(("tokens", "total_cost_usd")), cost_column(("costume",))
    ('total_cost_usd', '')
    """
    return next((n for n in names if COSTS & {*re.split(r"[^a-z]+", n.lower())}), "")


def repeats_of(
    results: Results, costs: Results | None = None, k: int | None = None, alpha: float = 0.05
) -> Repeats:
    """Of results of items with several answers that are right or wrong.

    `costs` are results of the same answers whose one measure is what each cost. `k` is the least
    number of answers to an item where it is not said.
    """
    check_alpha(alpha)
    if len(results.datasets) > 1:
        raise ResultsError(
            f"Flaky items are of one test set, and there are {len(results.datasets)}: say which, "
            f"as in --dataset {results.datasets[0]}."
        )
    counted = RightAnswers.of(results)
    least = int(counted.answers[counted.answers > 0].min(initial=math.inf))
    if k is None and least < 2:
        raise ResultsError(
            "Flaky items and pass^k need several answers to every item: give a row per answer."
        )
    k = least if k is None else k
    counted.check(PassRate(k, every=True))
    facts = results.facts.get(results.datasets[0], {})
    price = next(iter(costs.measures)) if costs is not None else ""
    return Repeats(
        k=k,
        items=int(counted.table["sample"].nunique()),
        rates=_rates(results, k, alpha),
        flaky=_flaky(counted, facts.get(ITEM_NAMES)),
        costs=_no_costs()
        if costs is None
        else _costs(counted, costs, facts.get("clusters"), alpha),
        cost=price,
        alpha=alpha,
    )


def _rates(results: Results, k: int, alpha: float) -> pd.DataFrame:
    wanted = dict.fromkeys([PassRate(k, every=True), PassRate(1, every=False), PassRate(k, False)])
    parts = []
    for rate in wanted:
        table = intervals(layout(results, measure=rate.name), alpha)
        parts.append(table.assign(rate=rate.name)[["algorithm", "rate", "mean", "lower", "upper"]])
    return pd.concat(parts, ignore_index=True)


def _flaky(counted: RightAnswers, names: list[str] | None) -> pd.DataFrame:
    """Every algorithm's answers to the items that one of them has right in some answers alone."""
    c, n = counted.right, counted.answers
    table = counted.table.assign(right=c.astype(int), answers=n.astype(int))
    table["flip_rate"] = 2 * c * (n - c) / np.maximum(n * (n - 1), 1)
    table = table[n > 0]
    is_flaky = (table["right"] > 0) & (table["right"] < table["answers"])
    by_item = table.assign(is_flaky=is_flaky).groupby(["dataset", "sample"], observed=True)
    table["models"] = by_item["is_flaky"].transform("sum")
    table["largest"] = by_item["flip_rate"].transform("max")
    table = table[table["models"] > 0]
    order = ["models", "largest", "sample"]
    table = table.sort_values(order, ascending=[True, False, True], kind="stable")
    item = [str(s) if names is None else str(names[s - 1]) for s in table["sample"]]
    columns = ["item", "models", "algorithm", "right", "answers", "flip_rate"]
    return table.assign(item=item)[columns].reset_index(drop=True)


# -- what a solved task costs ---------------------------------------------------------------------


def _no_costs() -> pd.DataFrame:
    return pd.DataFrame(columns=["algorithm", "per_answer", "per_solved", "lower", "upper"])


def _costs(
    counted: RightAnswers, costs: Results, clusters: list[Any] | None, alpha: float
) -> pd.DataFrame:
    """Of every algorithm, over the items that it has answers and costs of."""
    price = next(iter(costs.measures))
    there = counted.answers > 0
    table = counted.table[KEYS][there].assign(share=(counted.right[there] / counted.answers[there]))
    table = table.merge(costs.values(price)[[*KEYS, "value"]], on=KEYS).dropna(subset="value")
    rows = []
    for name, part in table.groupby("algorithm", observed=True, sort=False):
        of_item = None if clusters is None else np.array([clusters[s - 1] for s in part["sample"]])
        share, cost = (part[c].to_numpy(float) for c in ("share", "value"))
        rows.append((name, *_cost_per_solved(cost, share, of_item, alpha)))
    return pd.DataFrame(rows, columns=list(_no_costs().columns))


def _cost_per_solved(
    cost: np.ndarray, share: np.ndarray, clusters: np.ndarray | None, alpha: float
) -> tuple[float, float, float, float]:
    """The mean cost, it over the share of right answers, and the ratio's limits by its logarithm.

    The variance is that of the linearised ratio, cost - ratio x right over the mean of right, items
    (or their clusters) being drawn.
    """
    n, mean = len(cost), float(cost.mean())
    if n < 2 or not share.sum() > 0:
        return mean, math.nan, math.nan, math.nan
    ratio = mean / float(share.mean())
    parts = ((cost - ratio * share) / share.mean())[:, None]
    variance, df = float(parts.var(ddof=1)) / n, float(n - 1)
    if clusters is not None:
        covariance, df = clustered_covariance(parts, clusters)
        variance = float(covariance[0, 0])
    if not ratio > 0:
        return mean, ratio, math.nan, math.nan
    reach = float(tails.t_isf(alpha / 2, df)) * math.sqrt(variance) / ratio
    return mean, ratio, ratio * math.exp(-reach), ratio * math.exp(reach)


# -- verbs --------------------------------------------------------------------------------------


@takes("measure", "dataset", "alpha")
def by_stratum(results: Any, **options: Any) -> Strata:
    """Every model's score in each stratum of items, and whether differences depend on the stratum.

    Parameters
    ----------
    results : Results of items, read with `columns={"stratum": "topic"}`, or what `read` takes

    Returns
    -------
    Strata
        Tables of scores by stratum, and of the tests between strata.
    """
    alpha = options.pop("alpha")
    return strata_of(layout_of(results, **options), alpha)


@takes("measure", "dataset")
def describe_items(
    results: Any, *, response_model: bool | None = None, **options: Any
) -> ItemDescription:
    """How hard and how telling items are, which nobody or everybody solves, and model twins.

    Parameters
    ----------
    results : Results of items, or anything that `read` takes
    response_model : bool | None
        True asks for the two-parameter logistic model, which is refused below 50 models; False
        leaves it out. Without it the model is there where it can be.

    Returns
    -------
    ItemDescription
        Tables of `.items` and of `.twins` among models.
    """
    measure, dataset = options["measure"], options["dataset"]
    result = results if isinstance(results, Results) else read(results, measure=measure)
    made = layout_of(result, measure=measure, dataset=dataset)
    names = result.facts.get(made.origin.dataset, {}).get("item_names")
    same = names is not None and len(names) == len(made.values)
    return described(made, names if same else None, response_model)


@takes("alpha")
def repeats(results: Any, *, k: int | None = None, **options: Any) -> Repeats:
    """pass^k, pass@1 and pass@k of models asked several times, flaky items, cost per solved task.

    Parameters
    ----------
    results : Results of items with a row per answer that is right or wrong, or what `read` takes
        A column called cost, price or usd is taken for what an answer cost.
    k : int | None
        How many answers; the least number of answers to an item where it is not said.

    Returns
    -------
    Repeats
    """
    alpha = options["alpha"]
    if isinstance(results, Results):
        return read_repeats(lambda **_: results, k, alpha)
    return read_repeats(lambda **more: read(results, **more), k, alpha)


def read_repeats(reading: Callable[..., Results], k: int | None, alpha: float) -> Repeats:
    """The same of what `reading` gives; it is asked again for the column of costs, if any."""
    answers = reading()
    unused = [n.columns for n in answers.notes if n.code == "unused-columns"]
    column = cost_column((*answers.measures, *(c for columns in unused for c in columns)))
    costs = reading(measure=column, higher_is_better=False) if column else None
    if costs is not None and column in answers.measures:
        costs = costs.filter(measure=column)
        answers = answers.filter(measure=[m for m in answers.measures if m != column])
    return repeats_of(answers, costs, k, alpha)
