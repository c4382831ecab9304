"""Several measures of one file: which, in which direction, and the layout of each."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from podium.base.errors import InferenceError, ResultsError
from podium.base.registry import unknown
from podium.inference.layouts.layouts import Layout
from podium.questions.measures import TIMES
from podium.reading.cells.measure_names import Asked, known_measure
from podium.reading.formats import read
from podium.reading.formats.record import Source
from podium.reading.inferring.asking import Question
from podium.reading.results import Results
from podium.verdicts.verbs import layout_of

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
            lacks, of = (name, gone[0]) if gone else (first_name, more[0])
            raise InferenceError(
                f"'{of}' has no score of '{lacks}', so it cannot be compared in all measures. Add "
                f"its scores, leave '{of}' out of the file, or leave '{lacks}' out of -m."
            )
    return {
        name: layout.only([layout.algorithms.index(a) for a in first.algorithms])
        for name, layout in made.items()
    }
