"""One more measure of several: a weighted sum, item by item.

Whoever can say what each measure is worth asks one question instead of a front: the sum is a score
of every row, and is compared like any other. There is no weight by default.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import pandas as pd

from podium.base.errors import InferenceError
from podium.base.tables import ANSWERS, HALVINGS
from podium.questions.measures import UTILITY, Measure
from podium.reading.linearised import Predicted
from podium.reading.results import RECOGNISED, Results
from podium.words.facts import CAUTION, Note

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
