"""Tables that bring halvings: rows with a halving and a side beside those of the whole sample."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pandas as pd

from podium.base.errors import ResultsError
from podium.base.tables import HALVINGS
from podium.reading.cells.cells import MISSING
from podium.reading.cells.columns import Tabular
from podium.reading.cells.vocabulary import Options, candidates
from podium.reading.results import Results
from podium.samplings import halvings

PLACES = ("halving", "side", "fold")
INSIDE = (*PLACES, "repeat", "sample")  # columns about where a score inside a half stands
Read = Callable[[Tabular, Options], Results]


def with_halvings(table: Tabular, options: Options, read: Read) -> Results:
    """What `read` makes of the table, with its halvings apart where it has any."""
    column = _column(table, options, PLACES[0])
    if column is None:
        return _without(table, options, read)
    empty = _is_empty(table.frame[column])
    if empty.all():
        left = replace(table, frame=table.frame.drop(columns=column), known={})
        return _without(left, _less(options, PLACES[:2]), read)
    whole, inside = _whole(table, options, empty), table.frame[~empty]
    if not len(whole.frame):
        raise ResultsError(
            f"{table.what} has halvings and no score of the whole sample beside them: add the "
            f"rows of a design such as repeated-cv:5x5, with '{column}' left empty."
        )
    results = read(whole, _less(options, PLACES[:2]))
    return _joined(results, replace(table, frame=inside, known={}), options, read)


def _without(table: Tabular, options: Options, read: Read) -> Results:
    if options.sampling is not None and options.sampling.halves:
        raise ResultsError(
            f"{table.what} has no halvings, which the sampling '{options.sampling}' has: add their "
            f"rows with the columns {', '.join(PLACES)}, or leave "
            f"'{halvings.spelled(options.sampling.halves)}' out."
        )
    return read(table, options)


def _column(table: Tabular, options: Options, role: str) -> str | None:
    """The column of a role, said or told by its name."""
    text = options.columns.get(role)
    ignored = options.columns.get("ignore", [])
    result = text or [c for c in candidates(table.columns, role) if c not in ignored]
    if len(result) > 1:
        raise ResultsError(f"{table.what} has several columns of the {role}: {', '.join(result)}.")
    return result[0] if result else None


def _is_empty(cells: pd.Series) -> np.ndarray:
    texts = cells.astype("string").str.strip().str.lower()
    return (texts.isna() | texts.isin(MISSING)).to_numpy(bool)


def _less(options: Options, roles: tuple[str, ...]) -> Options:
    kept = {r: c for r, c in options.columns.items() if r not in roles}
    return replace(options, columns=kept)


def _whole(table: Tabular, options: Options, empty: np.ndarray) -> Tabular:
    """The rows of the whole sample, less the columns that only halvings use."""
    frame = table.frame[empty]
    columns = {r: c for r in INSIDE if (c := _column(table, options, r)) is not None}
    unused = [c for r, c in columns.items() if r in PLACES[:2] or _is_empty(frame[c]).all()]
    return replace(table, frame=frame.drop(columns=unused), known={})


def _joined(results: Results, inside: Tabular, options: Options, read: Read) -> Results:
    """The results with the halvings that stand in the other rows."""
    columns = {r: c for r in INSIDE if (c := _column(inside, options, r)) is not None}
    if PLACES[1] not in columns:
        raise ResultsError(
            f"{inside.what} has halvings and does not say which half a score is of: put a column "
            "side (1 or 2) beside it."
        )
    of = {r: inside.labels(columns[r]) for r in PLACES if r in columns}
    codes = np.column_stack(
        [of[r].codes if r in of else np.zeros(len(inside.frame)) for r in PLACES]
    )
    places, label = np.unique(codes.astype(np.int64), axis=0, return_inverse=True)
    frame = inside.frame.drop(columns=list(columns.values()))
    frame.insert(0, "sample", label.ravel() + 1)
    plain = replace(_less(options, INSIDE), sampling=None)
    result = read(replace(inside, frame=frame, known={}), plain)
    _check(inside.what, results, result, places)
    at = places[result.scores["sample"].to_numpy() - 1] + 1
    table = result.scores.assign(**dict(zip(PLACES, at.T, strict=True)))
    for name in ("dataset", "algorithm"):
        table[name] = table[name].cat.set_categories(getattr(results, f"{name}s"))
    return _completed(results, HALVINGS.shaped(table), inside.what)


def _check(what: str, results: Results, result: Results, places: np.ndarray) -> None:
    """Refuse halvings that are not whole, or of what has no other scores."""
    count, sides, folds = (len(np.unique(column)) for column in places.T)
    samples = result.runs.groupby("dataset", observed=True)["sample"].nunique()
    if sides != halvings.SIDES or {*samples, len(places)} != {count * sides * folds}:
        raise ResultsError(
            f"{what}: every halving has two sides, and both of them the same folds; here are "
            f"{count} halvings, {sides} sides and {folds} folds in {len(places)} combinations."
        )
    for kind in ("datasets", "algorithms"):
        alone = [n for n in getattr(result, kind) if n not in getattr(results, kind)]
        if alone:
            raise ResultsError(
                f"{what}: '{alone[0]}' has scores inside halves and none of the whole sample."
            )


def _completed(results: Results, table: pd.DataFrame, what: str) -> Results:
    """With the number of halvings in the sampling, where that is said."""
    count, sampling = int(table["halving"].max()), results.sampling
    if sampling is None:
        return replace(results, halvings=table)
    if sampling.halves not in (0, count):
        raise ResultsError(
            f"{what} has {count} halvings, which contradicts the sampling '{sampling}'."
        )
    return replace(results, halvings=table, sampling=replace(sampling, halves=count))
