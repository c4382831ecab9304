"""Items of one test set: their strata, how hard and telling they are, and which are flaky."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from podium.base.options import takes
from podium.items.description import ItemDescription, Strata
from podium.items.description import by_stratum as strata_of
from podium.items.description import describe_items as described
from podium.items.repeated_answers import Repeats, cost_column
from podium.items.repeated_answers import repeats as repeats_of
from podium.reading.formats import read
from podium.reading.results import Results
from podium.verdicts.verbs import layout_of


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
