"""From results with several measures to a front, and to what a trade is worth."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pandas as pd

from podium.asking.fronts.dominance import Front, front_of
from podium.asking.fronts.trades import Trade, quality_and_cost, trade_of
from podium.core.base.errors import InferenceError, PodiumError, ResultsError
from podium.core.base.options import takes
from podium.core.base.registry import unknown
from podium.core.base.tables import ANSWERS, HALVINGS
from podium.core.inference.layouts import Layout
from podium.core.questions.measures import TIMES, UTILITY, Measure
from podium.core.results.linearised import Predicted
from podium.core.results.measure_names import Asked, asked_measures, is_resource, known_measure
from podium.core.results.results import RECOGNISED, Results
from podium.core.verdicts.verbs import layout_of
from podium.core.words.facts import CAUTION, Note
from podium.reading.formats import read
from podium.reading.formats.record import Source
from podium.reading.inferring.asking import Question

# -- reading several measures -------------------------------------------------------------------
# Several measures of one file: which, in which direction, and the layout of each.


MOST_MEASURES = 6  # of more, hardly anything is ever better in all of them


def read_measures(
    given: Any, requests: Sequence[Asked], options: Mapping[str, Any]
) -> dict[str, Results]:
    """The results of every measure; of a file that has all in columns each column by itself."""
    known = {name: value for name, value in options.items() if value not in (None, ())}
    if isinstance(given, Results):
        return {each.name: _of_results(given, each) for each in requests}
    columns = Source(given).columns
    if all(each.name in columns for each in requests):
        return {each.name: _of_column(given, each, known) for each in requests}
    try:
        whole = read(given, **known)
    except Question:
        read(given, measure=requests[0].name, **known)  # asks about the rest, not the measure
        raise
    if whole.predictions.of_items is not None:
        return {each.name: _of_predictions(given, each, known) for each in requests}
    return {
        each.name: _of_results(whole, each)
        if each.name in (*whole.measures, *TIMES)
        else _of_column(given, each, known)  # a nested file whose first measure was taken
        for each in requests
    }


def _of_predictions(given: Any, request: Asked, options: Mapping[str, Any]) -> Results:
    if request.higher_is_better is not None:
        raise ResultsError(
            f"Measures of predictions know which values are better: write {request.name} alone."
        )
    return read(given, measure=request.name, **options)


def _of_column(given: Any, request: Asked, options: Mapping[str, Any]) -> Results:
    higher = request.higher_is_better
    if higher is None and known_measure(request.name) is None:
        read(given, measure=request.name, higher_is_better=True, **options)  # refuses what is none
        raise unknown_direction(request.name)
    text = {} if higher is None else {"higher_is_better": higher}
    return read(given, measure=request.name, **{**options, **text})


def _of_results(results: Results, request: Asked) -> Results:
    if request.name in TIMES and request.name not in results.measures:
        return results  # recorded for every run
    if request.name not in results.measures:
        raise ResultsError(unknown("measure of these results", request.name, [*results.measures]))
    own = results.measures[request.name].higher_is_better
    if request.higher_is_better not in (None, own):
        way = "higher" if own else "lower"
        raise ResultsError(
            f"The results say that {way} values of '{request.name}' are better: leave "
            f"={'lower' if own else 'higher'} out."
        )
    return results.filter(measure=request.name)


def read_margins(given: Sequence[str], measures: Sequence[str]) -> dict[str, float]:
    """Losses that do not count, by measure, from texts such as accuracy=0.01.

    >>> read_margins(["accuracy=0.01,cost=2"], ["accuracy", "cost"])
    {'accuracy': 0.01, 'cost': 2.0}
    """
    margins: dict[str, float] = {}
    for part in (part for text in given for part in text.split(",")):
        name, _, text = (each.strip() for each in part.rpartition("="))
        try:
            size = float(text)
        except ValueError:
            size = math.nan
        if not name or not 0 < size < math.inf:
            raise InferenceError(
                "A margin of a front is a measure with a number above 0 in its unit, as in "
                f"--margin {measures[0]}=0.01, not '{part.strip()}'."
            )
        if name not in measures or name in margins:
            why = "has two margins" if name in margins else "is no measure of the front"
            raise InferenceError(f"--margin: '{name}' {why}. Name one of {', '.join(measures)}.")
        margins[name] = size
    return margins


def unknown_direction(name: str) -> ResultsError:
    """Of a measure whose name says nothing."""
    return ResultsError(
        f"Whether higher or lower values of '{name}' are better is not known. Say {name}=higher or "
        f"{name}=lower, as in -m accuracy,{name}=lower."
    )


def layouts_of(results: Mapping[str, Results], options: Mapping[str, Any]) -> dict[str, Layout]:
    """The layout of every measure, all of the same algorithms in the same order."""
    if len(results) > MOST_MEASURES:
        raise InferenceError(
            f"{len(results)} measures make one front of nearly everybody: name at most "
            f"{MOST_MEASURES}, those that decide."
        )
    made = {name: layout_of(each, measure=name, **options) for name, each in results.items()}
    first_name, first = next(iter(made.items()))
    for name, layout in made.items():
        gone = [a for a in first.algorithms if a not in layout.algorithms]
        more = [a for a in layout.algorithms if a not in first.algorithms]
        if gone or more:
            lacks, present = (name, gone[0]) if gone else (first_name, more[0])
            raise InferenceError(
                f"'{present}' has no score of '{lacks}', so it cannot be compared in all measures. "
                f"Add its scores, leave '{present}' out of the file, or leave '{lacks}' out of -m."
            )
    return {
        name: layout.only([layout.algorithms.index(a) for a in first.algorithms])
        for name, layout in made.items()
    }


# -- utilities ----------------------------------------------------------------------------------
# One more measure of several: a weighted sum, item by item.
#
# Whoever can say what each measure is worth asks one question instead of a front: the sum is a
# score of every row, and is compared like any other. There is no weight by default.


OF_COLUMNS = ("unused-columns", "first-measure")  # notes on a column that may be in the sum
KEYS = ["dataset", "algorithm", "sample"]


def read_weights(given: str | Mapping[str, float]) -> dict[str, float]:
    """What a unit of each measure is worth.

    >>> read_weights("accuracy=1, cost=-0.02")
    {'accuracy': 1.0, 'cost': -0.02}
    """
    if isinstance(given, Mapping):
        pairs = [(str(name), str(worth)) for name, worth in given.items()]
    else:
        parts = (part.rpartition("=") for part in given.split(",") if part.strip())
        pairs = [(name.strip(), worth.strip()) for name, _, worth in parts]
    weights: dict[str, float] = {}
    for name, text in pairs:
        try:
            worth = float(text)
        except ValueError:
            worth = math.nan
        if not name or not worth or not math.isfinite(worth) or name in weights:
            raise InferenceError(
                "Weights of measures are one number each, as in --weights accuracy=1,cost=-0.02, "
                f"not '{name}={text}'."
            )
        weights[name] = worth
    return weights


def utility_of(several: Mapping[str, Results], weights: Mapping[str, float]) -> Results:
    """The results of all measures as those of one, their weighted sum."""
    _check_names(several, weights)
    total: pd.Series | None = None
    for name, results in several.items():
        _check_measure(results, name, weights[name])
        own = results.values(name).set_index(KEYS)["value"]
        if total is not None and (len(own) != len(total) or not own.index.isin(total.index).all()):
            raise InferenceError(
                f"'{name}' was not measured on the same rows as the others, so there is no sum: "
                "leave --weights out for the front of them."
            )
        part = weights[name] * own
        total = part if total is None else total + part.reindex(total.index)
    assert total is not None
    first = next(iter(several.values()))
    scores = total.rename("value").reset_index()
    scores.insert(3, "measure", pd.Categorical([UTILITY] * len(scores), categories=[UTILITY]))
    for column in ("dataset", "algorithm"):
        scores[column] = scores[column].astype(first.scores[column].dtype)
    notes = [_of_utility(note) for note in first.notes if note.code not in OF_COLUMNS]
    notes.append(Note(UTILITY, CAUTION, weights=tuple(weights.items())))
    return replace(
        first,
        scores=scores[list(first.scores.columns)],
        measures={UTILITY: Measure(UTILITY, higher_is_better=True, spec=UTILITY)},
        notes=tuple(notes),
        halvings=HALVINGS.empty(),
        answers=ANSWERS.empty(),
        predictions=Predicted(),
    )


def _of_utility(note: Note) -> Note:
    """What was recognised, of the sum."""
    if note.code != RECOGNISED:
        return note
    facts = {**note.facts, "measures": ((UTILITY, True),)}
    return Note(note.code, note.severity, **facts)


def _check_names(several: Mapping[str, Results], weights: Mapping[str, float]) -> None:
    for name in (*several, *weights):
        if name not in weights or name not in several:
            where = "has no weight" if name not in weights else "is no measure of -m"
            signs = [f"{m}={'1' if _is_higher(r, m) else '-1'}" for m, r in several.items()]
            raise InferenceError(
                f"'{name}' {where}: give every measure one, as in -m {','.join(several)} "
                f"--weights {','.join(signs)}."
            )


def _is_higher(results: Results, name: str) -> bool:
    return name in results.measures and results.measures[name].higher_is_better


def _check_measure(results: Results, name: str, weight: float) -> None:
    if name in results.predictions.linearised:
        raise InferenceError(
            f"'{name}' is no mean of items, so that it has no sum with others item by item: leave "
            "--weights out for the front of them."
        )
    higher = _is_higher(results, name)
    if (weight > 0) != higher:
        way, sign = ("higher", "above") if higher else ("lower", "below")
        raise InferenceError(
            f"A {way} '{name}' is better, and its weight is {weight:g}: give one {sign} 0, as in "
            f"{name}={-weight:g}."
        )


# -- verbs --------------------------------------------------------------------------------------


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
