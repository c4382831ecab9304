"""Queues: items in an order that was drawn before, looked at until they are decided."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from podium.base.errors import DesignError, InferenceError
from podium.base.options import takes
from podium.inference.numbers.boundaries import SPENDINGS, StoppingPlan, planned_looks
from podium.judges.tables import item_column
from podium.reading.files.tabular import tabular
from podium.reading.results import Results
from podium.sequential.queued_tables import Queue, drawn_queue, queued_results


@takes("seed", "item", "alpha", "relevance", "stopping", but={"seed": 1})
def queue(
    items: Any,
    algorithms: Sequence[str],
    *,
    cluster: str | None = None,
    bounds: tuple[float, float] | None = None,
    **options: Any,
) -> pd.DataFrame:
    """Draw the order in which items are evaluated, and sign it with the plan by which to stop.

    The number of items is the budget, unless the plan is open.

    Parameters
    ----------
    items : a table with a column of items, or their names
    algorithms : names
        All that will be compared; their pairs share alpha, so they are named before.
    cluster : str | None
        The column of the items' clusters, which stay whole.
    bounds : (low, high)
        Between which scores lie, where they are neither 0 or 1 nor of a known measure.

    Returns
    -------
    DataFrame
        The items in their order, with the plan; write it to a CSV file and leave it as it is.

    Examples
    --------
    >>> import podium
    >>> drawn = podium.queue([f"q{i}" for i in range(40)], ["old", "new"], looks=4)
    >>> len(drawn), drawn["item"].nunique()
    (40, 40)
    """
    item, spending = options["item"], options["spending"]
    given = pd.DataFrame({"item": list(items)}) if _is_names(items) else items
    table = tabular(given, least=1)
    names = [str(name) for name in algorithms]
    if len(set(names)) != len(names) or len(names) < 2:
        raise DesignError(
            "A queue is for two or more algorithms with names of their own, not "
            f"{', '.join(names) or 'none'}: name all that will be compared."
        )
    if bounds is not None and not bounds[0] < bounds[1]:
        raise DesignError(f"Bounds are two numbers, the lower one first, not {bounds!r}.")
    SPENDINGS[spending]
    plan = {
        "seed": options["seed"],
        "item": item_column(list(table.columns), item, table.what),
        "cluster": cluster,
        "algorithms": names,
        **{name: options[name] for name in ("alpha", "relevance", "spending", "looks", "open")},
        "bounds": None if bounds is None else list(bounds),
    }
    made = drawn_queue(table, plan)
    count = made[cluster].nunique() if cluster is not None else len(made)
    _stopping(plan, "", count)  # refuses what is no plan
    return made


def _is_names(items: Any) -> bool:
    return isinstance(items, (list, tuple, pd.Series, pd.Index))


def read_queued(
    answers: Any,
    queue: Any = None,
    *,
    measure: str | None = None,
    higher_is_better: bool | None = None,
    columns: str | Mapping[str, str | Iterable[str]] | None = None,
) -> Results:
    """The answers to queued items, with the plan of their queue: what `compare` looks at.

    Parameters
    ----------
    answers : a table of items, algorithms and scores, of as many items as have been evaluated.
    queue : what `queue` made; without it the answers were written into that.
    measure, higher_is_better, columns : as of `read`.
    """
    results, order = queued_results(
        answers,
        queue,
        measure=measure,
        higher_is_better=higher_is_better,
        columns=columns,
    )
    if len(results.measures) > 1:
        names = ", ".join(results.measures)
        raise InferenceError(
            f"The answers have {len(results.measures)} measures ({names}): say which one decides, "
            f"as in --measure {shlex.quote(next(iter(results.measures)))} (measure=)."
        )
    strange = [name for name in results.algorithms if name not in order.plan["algorithms"]]
    if strange:
        known = ", ".join(order.plan["algorithms"])
        raise InferenceError(
            f"The algorithm '{strange[0]}' was not named when the queue was drawn ({known}): the "
            "pairs are part of the plan. Leave its answers out, or draw a queue for a new study."
        )
    name = next(iter(results.measures))
    plan = _stopping(order.plan, name, int(order.blocks.max()) + 1)
    return replace(results, stopping=_exact(plan, results, order).to_dict())


def _stopping(plan: Mapping[str, Any], measure: str, budget: int) -> StoppingPlan:
    bounds = plan["bounds"]
    return StoppingPlan(
        tuple(plan["algorithms"]),
        measure,
        budget,
        planned_looks(budget, plan["looks"], open=plan["open"]),
        spending=plan["spending"],
        alpha=plan["alpha"],
        relevance=plan["relevance"],
        open=plan["open"],
        bounds=None if bounds is None else (bounds[0], bounds[1]),
    )


def _exact(plan: StoppingPlan, results: Results, order: Queue) -> StoppingPlan:
    """With what makes e-processes exact: right or wrong answers, or bounds of the scores."""
    if not plan.open:
        return replace(plan, bounds=None)
    values = results.values(plan.measure)["value"].dropna()
    right_or_wrong = bool(values.isin((0, 1)).all()) and order.plan["cluster"] is None
    known = results.measure(plan.measure).bounds
    bounds = plan.bounds or ((0.0, 1.0) if right_or_wrong else known)
    if bounds[1] - bounds[0] == float("inf"):
        return replace(plan, bounds=None)
    if len(values) and (values.min() < bounds[0] or values.max() > bounds[1]):
        raise InferenceError(
            f"The measure '{plan.measure}' has scores from {values.min():g} to {values.max():g}, "
            f"beyond the bounds {bounds[0]:g} to {bounds[1]:g} of the plan: correct the scores, or "
            "draw a queue with other --bounds for a new study."
        )
    exact = right_or_wrong and tuple(bounds) == (0.0, 1.0)
    return replace(plan, bounds=(float(bounds[0]), float(bounds[1])), binary=exact)
