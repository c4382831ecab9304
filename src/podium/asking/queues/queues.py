"""Queues: items in an order that was drawn before, looked at until they are decided."""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from podium.asking.judges.tables import item_column
from podium.core.base.errors import DesignError, InferenceError, ResultsError
from podium.core.base.options import takes
from podium.core.inference.numbers.boundaries import SPENDINGS, StoppingPlan, planned_looks
from podium.core.results.measure_names import likeliest
from podium.core.results.results import Results
from podium.core.samplings import ITEMS
from podium.core.words.facts import CAUTION, Note
from podium.reading.cells.columns import Tabular
from podium.reading.cells.vocabulary import said_rows
from podium.reading.files.tabular import tabular
from podium.reading.formats import read
from podium.reading.formats.reading import tell_reading
from podium.reading.loading.sources import one_frame

# -- queued tables ------------------------------------------------------------------------------
# Items that are evaluated in an order that was drawn before, and the plan by which to stop.
#
# `podium plan queue` draws the order of items (of whole clusters, where there are any) and writes
# it with the plan, both signed by a digest. Answers are then looked at from the first item of the
# queue on, as far as all algorithms have been evaluated, never in the order of a file, which may
# be sorted.


PLACE, PLAN = COLUMNS = ("place", "plan")
DRAWN = ("seed", "item", "cluster")  # facts of a plan that say how its order was drawn


# -- drawing -----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Queue:
    """Items in their order, the block (item or cluster) of each by number, and the plan."""

    items: tuple[str, ...]
    blocks: np.ndarray
    plan: Mapping[str, Any]


def drawn_queue(table: Tabular, plan: Mapping[str, Any]) -> pd.DataFrame:
    """The items of a table in a random order, signed; `plan` has seed, item and cluster, too."""
    known = _items_of(table, plan)
    order = _ordered(known, plan)
    clusters = {} if plan["cluster"] is None else {plan["cluster"]: [known[i] for i in order]}
    signed = json.dumps({**plan, "digest": _digest(known, plan)}, ensure_ascii=False)
    return pd.DataFrame(
        {PLACE: range(1, len(order) + 1), plan["item"]: order, **clusters}
        | {PLAN: [signed, *[""] * (len(order) - 1)]}
    )


def _items_of(table: Tabular, plan: Mapping[str, Any]) -> dict[str, str]:
    """The items of a table, each with its cluster, which is the item itself where there is none."""
    items = table.frame[plan["item"]].astype(str).str.strip()
    if (items == "").any() or table.frame[plan["item"]].isna().any():
        row = int(np.argmax(((items == "") | table.frame[plan["item"]].isna()).to_numpy()))
        raise ResultsError(f"{table.what}, row {row + 1}: an item has no name.")
    if plan["cluster"] is None:
        return {item: item for item in items}
    if plan["cluster"] not in table.columns:
        raise ResultsError(f"{table.what} has no column '{plan['cluster']}'.")
    results: dict[str, str] = {}
    for item, cluster in zip(items, table.frame[plan["cluster"]].astype(str), strict=True):
        if results.setdefault(item, cluster) != cluster:
            raise ResultsError(
                f"{table.what}: the item '{item}' is in two clusters, '{results[item]}' and "
                f"'{cluster}'. Say which column has the clusters, or leave --cluster out."
            )
    return results


def _ordered(known: Mapping[str, str], plan: Mapping[str, Any]) -> list[str]:
    """Cluster by cluster in a random order, which no order of rows changes."""
    clusters = sorted(set(known.values()))
    places = np.random.default_rng(plan["seed"]).permutation(len(clusters))
    place = dict(zip(clusters, places.tolist(), strict=True))
    return sorted(known, key=lambda item: (place[known[item]], item))


def _digest(known: Mapping[str, str], plan: Mapping[str, Any]) -> str:
    facts = {name: value for name, value in plan.items() if name != "digest"}
    text = json.dumps([sorted(known.items()), facts], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


# -- reading -----------------------------------------------------------------------------------


def read_queue(table: Tabular) -> Queue:
    """The queue in a table, or why it is none."""
    for column in COLUMNS:
        if column not in table.columns:
            raise ResultsError(
                f"{table.what} has no column '{column}': it is no queue of `podium plan queue`."
            )
    kept = table.frame.drop_duplicates(PLACE) if PLACE in table.frame else table.frame
    plan = _plan(kept[PLAN], table.what)
    if plan["item"] not in table.columns:
        raise ResultsError(f"{table.what} has no column '{plan['item']}', which was queued.")
    known = _items_of(replace(table, frame=kept.reset_index(drop=True)), plan)
    order = _ordered(known, plan)
    result = kept.assign(at=pd.to_numeric(kept[PLACE], errors="coerce")).sort_values("at")
    changed = result["at"].tolist() != list(range(1, len(order) + 1))
    same = result[plan["item"]].astype(str).str.strip().tolist() == order
    if changed or not same or _digest(known, plan) != plan["digest"]:
        raise ResultsError(
            f"{table.what} is not as `podium plan queue` wrote it: items, order or plan were "
            "changed, and a plan does not change after a look. Take the file that was written."
        )
    blocks = pd.factorize(pd.Series([known[item] for item in order]))[0]
    return Queue(tuple(order), blocks, plan)


def _plan(cells: pd.Series, what: str) -> dict[str, Any]:
    texts = [text for text in cells.fillna("").astype(str) if text.strip()]
    try:
        plan = json.loads(texts[0]) if len(texts) == 1 else None
    except ValueError:
        plan = None
    if not isinstance(plan, dict) or not {*DRAWN, "digest"} <= set(plan):
        raise ResultsError(
            f"{what}: the column '{PLAN}' is not as `podium plan queue` wrote it. Take the file "
            "that "
            "was written, or draw a queue before anything is evaluated."
        )
    return plan


def queued_results(
    source: Any, queue: Any, *, where: str | Iterable[str] | None = None, **options: Any
) -> tuple[Results, Queue]:
    """The answers to queued items, numbered by their places, and the queue.

    Without a queue of its own the table of answers is one itself: with the columns place and plan.
    """
    table = _chosen(tabular(one_frame(source)), said_rows(where))
    own = queue is None
    if own and not set(COLUMNS) <= set(table.columns):
        raise ResultsError(NO_QUEUE.format(what=table.what))
    queued = read_queue(table if own else tabular(queue))
    column = str(queued.plan["item"])
    if column not in table.columns:
        column = item_column(list(table.columns), None, table.what)
    frame = table.frame.drop(columns=[c for c in COLUMNS if own])
    place = {item: i for i, item in enumerate(queued.items)}
    at = frame[column].astype(str).str.strip().map(place)
    if at.isna().any():
        name = frame[column].astype(str)[at.isna()].iloc[0]
        raise ResultsError(
            f"{table.what} has an item that was not queued: '{name}'. Leave it out: only items of "
            "the queue, in its order, may be looked at."
        )
    if queued.plan["cluster"] in frame:
        frame = frame.drop(columns=[queued.plan["cluster"]])  # the queue has them
    wide = len(str(len(place)))
    names = at.astype(int).map(lambda i: f"{i + 1:0{wide}d}")
    frame = frame.assign(**{column: names}).iloc[np.argsort(at.to_numpy(), kind="stable")]
    made = read(
        frame.reset_index(drop=True),
        sampling=ITEMS.name,
        **options,
    )
    if not isinstance(source, pd.DataFrame):
        tell_reading(made)
    return _placed(made, np.unique(at.to_numpy(int)).tolist(), queued, table.what), queued


def _chosen(table: Tabular, rows: Mapping[str, Sequence[str]]) -> Tabular:
    """The rows that count; a column of one value then tells nothing."""
    for column, values in rows.items():
        table.check_column(column)
        frame = table.frame[table.texts(column).isin(values).to_numpy()].reset_index(drop=True)
        frame = frame.drop(columns=column) if len(values) == 1 else frame
        table = replace(table, frame=frame, known={})
    return table


NO_QUEUE = (
    "{what} has its items in the order of a file, which may be sorted by subject or difficulty: to "
    "look at them before all are evaluated, draw their order first (podium plan queue ITEMS.csv "
    "--algorithms A,B -o queue.csv), evaluate from its top, and add --queue queue.csv."
)


def _placed(made: Results, places: Sequence[int], queue: Queue, what: str) -> Results:
    """With the place of every sample in the queue."""
    if len(made.datasets) > 1:
        raise ResultsError(
            f"{what} has {len(made.datasets)} data sets; a queue is of the items of one test set. "
            "Give a table of one."
        )
    name = made.datasets[0]
    facts = {"places": list(places), "queue_blocks": queue.blocks.tolist()}
    kept = {**made.facts.get(name, {}), **facts}
    notes = (*made.notes, *_gaps(made, np.array(places), queue))
    return replace(made, facts={**made.facts, name: kept}, notes=notes)


def _gaps(made: Results, places: np.ndarray, queue: Queue) -> Iterator[Note]:
    """Of every algorithm that was evaluated beyond an item that it has no score of."""
    measure = next(iter(made.measures))
    for name, rows in made.values(measure).dropna().groupby("algorithm", observed=True):
        there = np.isin(np.arange(len(queue.items)), places[rows["sample"].to_numpy() - 1])
        first = int(np.argmin(there))
        beyond = 0 if there.all() else int(there[first:].sum())
        if beyond:
            facts = {"item": queue.items[first], "place": first + 1, "beyond": beyond}
            yield Note("queue-gap", CAUTION, algorithm=str(name), **facts)


# -- queues -------------------------------------------------------------------------------------


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


@takes("reading", only_given=True)
def read_queued(answers: Any, queue: Any = None, **options: Any) -> Results:
    """The answers to queued items, with the plan of their queue: what `compare` looks at.

    Parameters
    ----------
    answers : a table of items, algorithms and scores, of as many items as have been evaluated.
    queue : what `queue` made; without it the answers were written into that.
    """
    if (sampling := options.pop("sampling", None)) not in (None, ITEMS.name):
        raise InferenceError(f"A queue is of items, not of '{sampling}': leave the sampling out.")
    results, order = queued_results(answers, queue, **options)
    if len(results.measures) > 1:
        names = ", ".join(results.measures)
        raise InferenceError(
            f"The answers have {len(results.measures)} measures ({names}): say which one decides, "
            f"as in --measure {shlex.quote(likeliest(results.measures))} (measure=)."
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
