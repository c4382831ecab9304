"""Items of one test set: their strata, and how hard and telling they are."""

from __future__ import annotations

from typing import Any

from podium.items.description import ItemDescription
from podium.items.description import describe_items as described
from podium.items.strata import Strata
from podium.items.strata import by_stratum as strata_of
from podium.reading.formats import read
from podium.reading.results import Results
from podium.verdicts.verbs import layout_of


def by_stratum(
    results: Any,
    *,
    measure: str | None = None,
    dataset: str | None = None,
    alpha: float = 0.05,
) -> Strata:
    """Every model's score in each stratum of items, and whether differences depend on the stratum.

    Parameters
    ----------
    results : of items, read with `columns={"stratum": "topic"}`, or anything that `read` takes.
    measure, dataset : which, where there are several.
    alpha : intervals are at the level 1 - alpha.
    """
    return strata_of(layout_of(results, measure=measure, dataset=dataset), alpha)


def describe_items(
    results: Any,
    *,
    measure: str | None = None,
    dataset: str | None = None,
    response_model: bool | None = None,
) -> ItemDescription:
    """How hard and how telling items are, which nobody or everybody solves, and model twins.

    Parameters
    ----------
    results : of items, or anything that `read` takes.
    measure, dataset : which, where there are several.
    response_model : True asks for the two-parameter logistic model, which is refused below 50
        models; False leaves it out. Without it the model is there where it can be.
    """
    found = results if isinstance(results, Results) else read(results, measure=measure)
    made = layout_of(found, measure=measure, dataset=dataset)
    names = found.facts.get(made.origin.dataset, {}).get("item_names")
    same = names is not None and len(names) == len(made.values)
    return described(made, names if same else None, response_model)
