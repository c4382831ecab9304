"""Tables of predictions as `Predictions`: wide, long, one column per class, one file per model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from podium.base.errors import ResultsError
from podium.predictions.columns import GENERIC, Columns, found_columns
from podium.predictions.kinds import Raw, typed
from podium.predictions.predicted import LABELS, RANKING, Predictions
from podium.reading.cells.vocabulary import Options, plain
from podium.reading.files.tabular import tabular
from podium.reading.formats.gathering import labels, named, shown
from podium.reading.formats.record import Source
from podium.reading.loading.sources import one_frame
from podium.reading.loading.values import holds_value, value_of


def read_predictions(source: Source, options: Options, kinds: Sequence[str]) -> Predictions:
    """The predictions in a source; `kinds` are those that the measure asked for reads."""
    what = shown(source)
    wanted = {
        "wants_scores": bool(kinds) and LABELS not in kinds,
        "queries": RANKING in kinds,
    }
    result, raw = [], []
    names = labels(source.paths) if len(source.paths) > 1 else {}
    for given in source.paths or (_table(source.given, what),):
        frame = _chosen(_tabular(given, options), options, what)
        columns = found_columns(frame, options.columns, what, **wanted)
        result.append(columns)
        raw.append(_raw(frame, columns, what, names[given] if names else named(source)))
    joined = raw[0] if len(raw) == 1 else _joined(raw, what)
    made = typed(joined, result[0], what, kinds)
    ignored = tuple(dict.fromkeys(c for columns in result for c in columns.ignored))
    return replace(made, name=named(source) or "predictions", what=what, ignored=ignored)


def _tabular(given: Any, options: Options) -> pd.DataFrame:
    """The table in a file or a frame; a JSON file holds records, or columns by name."""
    value = None
    if isinstance(given, Path) and holds_value(given, Source(given).text):
        value = value_of(given)
    if isinstance(value, dict) and all(isinstance(cells, list) for cells in value.values()):
        return tabular(_table(value, f"'{given}'"), said=options.columns).frame
    return tabular(one_frame(given), said=options.columns).frame


def _table(given: Any, what: str) -> Any:
    """A frame; the columns of a mapping make one."""
    if not isinstance(given, Mapping):
        return given
    try:
        return pd.DataFrame(given)
    except ValueError as error:
        raise ResultsError(f"{what}: the columns are no table ({error}).") from None


def _chosen(frame: pd.DataFrame, options: Options, what: str) -> pd.DataFrame:
    """The rows that the caller means."""
    for column, values in options.where.items():
        if column not in frame.columns:
            raise ResultsError(f"{what} has no column '{column}' to choose rows by.")
        frame = frame[frame[column].astype(str).isin(values)]
        if not len(frame):
            raise ResultsError(f"{what} has no row with {column}={';'.join(values)}.")
    return frame.reset_index(drop=True)


def _raw(frame: pd.DataFrame, columns: Columns, what: str, file: str) -> Raw:
    """The cells of a table, a long one made wide."""
    if columns.model is not None:
        return _from_long(frame, columns, what)
    beside = {
        role: frame[name]
        for role in ("item", "cluster", "stratum", "weight", "query")
        if (name := getattr(columns, role)) is not None
    }
    if "query" not in beside and "item" in beside:
        _check_once(beside["item"], what)
    models: dict[str, Any] = {
        model: {name: frame[c] for name, c in each.items()}
        for model, each in columns.by_class.items()
    } or {model: frame[c] for model, c in columns.models.items()}
    if len(models) == 1 and plain(next(iter(models))) in (GENERIC | {"p"}):
        models = {file or "model": next(iter(models.values()))}
    return Raw(frame[columns.truth], models, beside)


def _check_once(items: pd.Series, what: str) -> None:
    numeric = pd.api.types.is_numeric_dtype(items)
    again = (items if numeric else items.astype(str)).duplicated().to_numpy()
    if again.any():
        place = int(np.argmax(again))
        name = items.iloc[place]
        first = int(np.argmax((items.astype(str) == str(name)).to_numpy()))
        raise ResultsError(
            f"{what} has two rows of item '{name}' (rows {first + 1} and {place + 1}): keep one, "
            "or add a column 'model' if these are predictions of two models."
        )


def _from_long(frame: pd.DataFrame, columns: Columns, what: str) -> Raw:
    assert columns.model is not None
    if columns.item is None:
        raise ResultsError(
            f"{what} names models ('{columns.model}') but no items, so that nothing pairs their "
            "predictions: add a column 'id'."
        )
    item = frame[columns.item].astype(str)
    model = frame[columns.model].astype(str).str.strip()
    key = pd.MultiIndex.from_arrays([item, model])
    if key.duplicated().any():
        name, by = key[key.duplicated()][0]
        raise ResultsError(
            f"{what} has two predictions of '{by}' for item '{name}': keep one of them."
        )
    parts = columns.by_class or {"": {"": next(iter(columns.models.values()))}}
    cells = next(iter(parts.values()))
    names, items = list(dict.fromkeys(model)), pd.unique(item)
    one = frame.groupby(item, sort=False)
    several = one[columns.truth].nunique(dropna=False)
    if (several > 1).any():
        raise ResultsError(
            f"{what}: the truth of item '{several.index[several > 1][0]}' differs between its "
            "rows. Correct it, or check that ids are those of one test set."
        )
    for by in names:
        lacking = len(items) - int((model == by).sum())
        if lacking:
            gone = next(i for i in items if i not in set(item[model == by]))
            raise ResultsError(
                f"{what}: '{by}' has no prediction of item '{gone}' ({lacking} items are missing). "
                "A measure of predictions needs all items: add them, or remove these items."
            )
    wide = {
        by: {c: pd.Series(frame.loc[model == by, col].to_numpy(), item[model == by]).reindex(items)
             for c, col in cells.items()}
        for by in names
    }  # fmt: skip
    first = ~item.duplicated().to_numpy()
    beside = {
        role: frame.loc[first, name].reset_index(drop=True)
        for role in ("item", "cluster", "stratum", "weight", "query")
        if (name := getattr(columns, role)) is not None
    }
    models: dict[str, Any] = {
        by: {c: s.reset_index(drop=True) for c, s in each.items()} for by, each in wide.items()
    }
    if not columns.by_class:
        models = {by: each[""] for by, each in models.items()}
    return Raw(frame.loc[first, columns.truth].reset_index(drop=True), models, beside)


def _joined(parts: list[Raw], what: str) -> Raw:
    """Files of one model each, by their items."""
    first = parts[0]
    for part in parts:
        if (part.items is None) != (first.items is None) or len(part.truth) != len(first.truth):
            raise ResultsError(
                f"{what}: the files hold {len(first.truth)} and {len(part.truth)} items. Models "
                "are compared on the same items: give a column 'id', and the same ids in all files."
            )
    models: dict[str, Any] = {}
    for part in parts:
        order = _order(first, part, what)
        if not (part.truth.astype(str).to_numpy()[order] == first.truth.astype(str)).all():
            raise ResultsError(
                f"{what}: the truth differs between the files. Give predictions of one test set."
            )
        for name, cells in part.models.items():
            if name in models:
                raise ResultsError(f"{what}: two files have a model '{name}'; rename one of them.")
            models[name] = (
                {c: s.iloc[order].reset_index(drop=True) for c, s in cells.items()}
                if isinstance(cells, Mapping)
                else cells.iloc[order].reset_index(drop=True)
            )
    return Raw(first.truth, models, first.beside)


def _order(first: Raw, part: Raw, what: str) -> np.ndarray:
    """The rows of a part in the order of the first one's items."""
    if first.items is None or part.items is None:
        return np.arange(len(first.truth))
    place = pd.Index(part.items.astype(str)).get_indexer(pd.Index(first.items.astype(str)))
    if (place < 0).any():
        gone = first.items.iloc[int(np.argmax(place < 0))]
        raise ResultsError(
            f"{what}: item '{gone}' is not in all files ({int((place < 0).sum())} are missing in "
            "one). Models are compared on the same items: give the same ids in all files."
        )
    return np.asarray(place)
