"""by_dataset: every data set analysed by itself, and what their orders have in common.

The survey of eugster2008, section 4: one order per data set, the distances between them, the
clusters and the consensus. Orders are evidence, each about its own data set; what is said about all
of them together describes these data sets and tests nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from podium.core.base.errors import InferenceError, PodiumError, ResultsError
from podium.core.base.progress import Progress
from podium.core.base.registry import unknown
from podium.core.inference.bricks.scales import ranks_within
from podium.core.inference.comparing.arranging import layout
from podium.core.inference.comparing.compare import compare
from podium.core.inference.comparing.comparisons import Comparisons
from podium.core.inference.procedures.procedure import Options
from podium.core.orders.consensus import consensus
from podium.core.orders.dataset_orders import DatasetOrders
from podium.core.orders.decide import decide as decide_comparisons
from podium.core.orders.distances import dendrogram, distances, relations
from podium.core.orders.order import Order
from podium.core.results.dataset_facts import exclusion_notes
from podium.core.results.results import Results
from podium.core.verdicts.verbs import USUAL, refuse_contrasts, tried
from podium.core.words.facts import DETAIL, Note

Weights = Mapping[str, float] | Sequence[float]
SECONDS = 60.0  # for the consensus


def by_dataset(
    results: Results,
    options: Options = USUAL,
    *,
    measure: str | None = None,
    target: str = "",
    family: str = "weak",
    weights: Weights | None = None,
    time_limit: float | None = SECONDS,
    progress: Progress | None = None,
) -> DatasetOrders:
    """The order of the algorithms on every data set, their agreement and their consensus.

    A data set that cannot be analysed is listed with the reason. See `podium.by_dataset` for the
    parameters.
    """
    _check(results, options)
    weighted = _weights(results.datasets, weights)
    # what is wrong with it shall show before the data sets are analysed
    consensus(["a"] * len(weighted), list(weighted.values()), family, time_limit=time_limit)
    one = partial(_comparisons, results, options, measure, target)
    analysed, refused = _analysed(results.datasets, one, progress)
    orders = {name: decide_comparisons(one) for name, one in analysed.items()}
    together = consensus(
        list(orders.values()),
        None if weights is None else [weighted[name] for name in orders],
        family,
        time_limit=time_limit,
    )
    apart = distances(list(orders.values()))
    ranks = _ranks(analysed)
    return DatasetOrders(
        comparisons=analysed,
        orders=orders,
        refused=refused,
        table=_table(analysed, orders, ranks),
        consensus=together,
        weights={name: weighted[name] for name in orders},
        distances=pd.DataFrame(apart, list(orders), list(orders)),
        dendrogram=dendrogram(apart, list(orders)),
        distance=float(apart[np.triu_indices(len(apart), 1)].mean()),
        ranks=ranks,
        concordance=concordance(ranks.to_numpy()),
        pairs=_pairs(analysed, orders),
        population=results.population,
        notes=tuple(_notes(results, analysed, refused)),
    )


def concordance(ranks: np.ndarray) -> float:
    """Kendall's W of raters x things, corrected for ties; NaN where every rater ties all things.

    W = 12 S / (m² (n³ - n) - m T), S the sum of squares of the n rank sums about their mean, T the
    sum of t³ - t over the groups of t ties of every rater (Kendall and Smith 1939; Kendall 1948).
    """
    m, n = ranks.shape
    sums = ranks.sum(axis=0)
    tied = sum(
        float((counts**3 - counts).sum())
        for counts in (np.unique(row, return_counts=True)[1] for row in ranks)
    )
    most = m**2 * (n**3 - n) - m * tied
    spread = 12 * float(((sums - sums.mean()) ** 2).sum())
    return spread / most if most > 0 else float("nan")


# -- one data set after the other ---------------------------------------------------------------


def _check(results: Results, options: Options) -> None:
    if len(results.datasets) < 2:
        raise InferenceError(
            f"Orders of several data sets need at least 2; there is only '{results.datasets[0]}': "
            "use compare."
        )
    if int(results.runs["sample"].nunique()) < 2:
        raise InferenceError(
            "Every data set has one score per algorithm, and an order on each needs several: "
            "compare over the data sets (podium analyze, podium.compare)."
        )
    refuse_contrasts(options)


def _weights(datasets: Sequence[str], weights: Weights | None) -> dict[str, float]:
    if weights is None:
        return dict.fromkeys(datasets, 1.0)
    if isinstance(weights, Mapping):
        for name in weights:
            if name not in datasets:
                raise InferenceError(unknown("data set of these results", name, datasets))
        gone = [name for name in datasets if name not in weights]
        if gone:
            raise InferenceError(f"Weights are for every data set; '{gone[0]}' has none.")
        return {name: float(weights[name]) for name in datasets}
    if len(weights) != len(datasets):
        raise InferenceError(f"{len(datasets)} data sets need as many weights, not {len(weights)}.")
    return {name: float(w) for name, w in zip(datasets, weights, strict=True)}


def _comparisons(
    results: Results, options: Options, measure: str | None, target: str, dataset: str
) -> Comparisons:
    return compare(layout(results, measure=measure, dataset=dataset, target=target), options)


def _analysed(
    datasets: Sequence[str], one: Callable[[str], Comparisons], progress: Progress | None
) -> tuple[dict[str, Comparisons], dict[str, str]]:
    """The comparisons of every data set, or the reason why there are none."""
    analysed: dict[str, Comparisons] = {}
    refused: dict[str, str] = {}
    for name, each in tried(datasets, one, progress, refusal=(InferenceError, ResultsError)):
        if isinstance(each, PodiumError):
            refused[name] = str(each)
        else:
            analysed[name] = each
    if len(analysed) < 2:
        _refuse(analysed, refused)
    return analysed, refused


def _refuse(results: Mapping[str, Comparisons], refused: Mapping[str, str]) -> None:
    """Too few data sets can be analysed: say why the first cannot."""
    name, reason = next(iter(refused.items()))
    if not results and len(set(refused.values())) == 1:
        raise InferenceError(reason)
    raise InferenceError(
        f"Orders of several data sets need at least 2; of {len(results) + len(refused)} only "
        f"{len(results)} can be analysed. '{name}' cannot: {reason}"
    )


# -- tables ---------------------------------------------------------------------------------------


def _ranks(results: Mapping[str, Comparisons]) -> pd.DataFrame:
    """Data sets x algorithms: the ranks by mean score, 1 is the best."""
    first = next(iter(results.values()))
    means = np.array([[one.means[a] for a in first.algorithms] for one in results.values()])
    return pd.DataFrame(ranks_within(first.sign * means), list(results), list(first.algorithms))


def _table(
    results: Mapping[str, Comparisons], orders: Mapping[str, Order], ranks: pd.DataFrame
) -> pd.DataFrame:
    """One row per data set."""
    best = [", ".join(ranks.columns[row == row.min()]) for row in ranks.to_numpy()]
    tests = [one.overall for one in results.values()]
    return pd.DataFrame(
        {
            "dataset": list(results),
            "order": [order.text for order in orders.values()],
            "best_mean": best,
            "p_overall": [float("nan") if test is None else test.p for test in tests],
            "procedure": [one.procedure for one in results.values()],
            "blocks": [one.blocks.count for one in results.values()],
        }
    )


def _pairs(results: Mapping[str, Comparisons], orders: Mapping[str, Order]) -> pd.DataFrame:
    """On how many data sets the first of a pair is better, the second is, or neither."""
    better = relations(list(orders.values()))
    one = next(iter(results.values()))
    place = {name: i for i, name in enumerate(one.algorithms)}
    first, second = ([place[name] for name in one.table[c]] for c in ("first", "second"))
    verdicts = np.array([each.table["verdict"].to_numpy(str) for each in results.values()])
    counts = {
        "first_better": better[:, first, second],
        "second_better": better[:, second, first],
        "equivalent": verdicts == "equivalent",
    }
    table = one.table[["first", "second"]].assign(**{n: c.sum(axis=0) for n, c in counts.items()})
    return table.assign(undecided=len(results) - table[list(counts)].sum(axis=1))


# -- notes ----------------------------------------------------------------------------------------


def _notes(
    results: Results, by_name: Mapping[str, Comparisons], refused: Mapping[str, str]
) -> Iterator[Note]:
    """All that is worth saying about the orders of many data sets."""
    one = next(iter(by_name.values()))
    k, pairs = len(one.algorithms), len(one.table)
    yield from exclusion_notes(results)
    if refused:
        yield Note("not-analysed", refused=tuple(refused), datasets=len(by_name) + len(refused))
    yield Note(
        "multiplicity",
        datasets=len(by_name),
        pairs=pairs,
        alpha=one.alpha,
        adjustment=one.judged.adjust.name if one.judged else "",
    )
    yield from _about_procedures(by_name)
    if pairs < k * (k - 1) // 2:
        yield Note("uncompared")
    yield Note("agreement", DETAIL)
    yield from _of_each(by_name)


def _about_procedures(results: Mapping[str, Comparisons]) -> Iterator[Note]:
    used: dict[tuple[str, str], list[str]] = {}
    for name, one in results.items():
        bricks = one.procedure, str(one.judged.null) if one.judged else ""
        used.setdefault(bricks, []).append(name)
    if len(used) > 1:
        each = tuple((*bricks, tuple(names)) for bricks, names in used.items())
        yield Note("procedures-differ", used=each)


def _of_each(results: Mapping[str, Comparisons]) -> Iterator[Note]:
    """The notes of single data sets, once where they are alike but for their numbers."""
    about: list[dict[str, Note]] = []
    for name, one in results.items():
        for note in one.warnings:
            same = next((notes for notes in about if _alike(note, *notes.values())), None)
            if same is None:
                about.append({name: note})
            else:
                same[name] = note
    for notes in about:
        first, note = next(iter(notes.items()))
        other = any(each != note for each in notes.values())
        yield Note(
            note.code,
            note.severity,
            note=note,
            datasets=() if len(notes) == len(results) else tuple(notes),
            numbers_of=first if other else "",
        )


def _alike(note: Note, other: Note, *_: Note) -> bool:
    """Whether two notes say the same, but for their numbers."""
    return note.code == other.code and _names(note) == _names(other)


def _names(note: Note) -> dict[str, Any]:
    """The facts that are no numbers."""
    numbers = (int, float, np.number)
    return {
        name: value
        for name, value in note.facts.items()
        if isinstance(value, bool) or not isinstance(value, numbers)
    }
