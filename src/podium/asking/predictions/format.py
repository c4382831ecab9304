"""Tables of predictions: how they are recognised, and read as `Predictions`."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from podium.asking.predictions.columns import (
    BESIDE,
    GENERIC,
    Columns,
    found_columns,
    item_column,
    names_rows,
)
from podium.asking.predictions.kinds import Raw, typed
from podium.asking.predictions.measures import rule_named as measure_named
from podium.asking.predictions.predicted import LABELS, RANKING, Predictions
from podium.asking.predictions.recognising import (
    check_meant,
    lack_truth,
    recognises,
    several_truths,
    truth_apart,
)
from podium.asking.predictions.scoring import results_of
from podium.core.base.errors import ResultsError
from podium.core.results.results import Results
from podium.core.samplings import ITEMS
from podium.reading.cells.vocabulary import Options, plain
from podium.reading.files.tabular import tabular
from podium.reading.formats.gathering import labels, named, refuse_step, shown
from podium.reading.formats.opening import are_arrays, arrays
from podium.reading.formats.record import FORMATS, Format, Source, text_sample
from podium.reading.loading.sources import holds_value, one_frame, value_of

# -- tables ---------------------------------------------------------------------------------------
# Tables of predictions as `Predictions`: wide, long, one column per class, one file per model.


LONG_FILE = 2_000_000  # bytes of a CSV file, from which on numbers are read as numbers


def read_predictions(source: Source, options: Options, kinds: Sequence[str]) -> Predictions:
    """The predictions in a source; `kinds` are those that the measure asked for reads."""
    what = shown(source)
    wanted = {
        "wants_scores": bool(kinds) and LABELS not in kinds,
        "queries": RANKING in kinds,
    }
    result, raw = [], []
    names = labels(source.paths) if len(source.paths) > 1 else {}
    apart = truth_apart(source)
    truths = None if apart is None else _tabular(apart, options, 1)
    for given in source.paths or (_table(source.given, what),):
        if apart is not None and given == apart:
            continue
        frame = _tabular(given, options, 2 if apart is None else 1)
        if truths is not None:
            frame = _with_truth(frame, truths, options, f"'{given}'", f"'{apart}'")
        frame = _chosen(frame, options, what)
        columns = found_columns(frame, options.columns, what, **wanted)
        result.append(columns)
        raw.append(_raw(frame, columns, what, names[given] if names else named(source)))
    joined = raw[0] if len(raw) == 1 else _joined(raw, what)
    made = typed(joined, result[0], what, kinds)
    ignored = tuple(dict.fromkeys(c for columns in result for c in columns.ignored))
    return replace(made, name=named(source) or "predictions", what=what, ignored=ignored)


def _tabular(given: Any, options: Options, least: int = 2) -> pd.DataFrame:
    """The table in a file or a frame; a JSON file holds records, or columns by name."""
    if isinstance(given, Path) and are_arrays(Source(given).head):
        return tabular(_of_arrays(given), said=options.columns).frame
    if isinstance(given, Path) and (frame := _numbers_of_csv(given)) is not None:
        return frame
    value = None
    if isinstance(given, Path) and holds_value(given, Source(given).text):
        value = value_of(given)
    if isinstance(value, dict) and all(isinstance(cells, list) for cells in value.values()):
        return tabular(_table(value, f"'{given}'"), said=options.columns).frame
    return tabular(one_frame(given), least=least, said=options.columns).frame


def _numbers_of_csv(path: Path) -> pd.DataFrame | None:
    """A long plain CSV file with numbers as numbers; None of others, which are read as texts.

    A million items of ten models take a third of the time. What names rows stays text, and so does
    a column with anything that is no number.
    """
    if path.suffix.lower() != ".csv" or path.stat().st_size < LONG_FILE:
        return None
    content = path.read_bytes()
    names = content[: content.find(b"\n")].decode("ascii", "replace").rstrip("\r").split(",")
    if not all(names) or len({*names}) < max(len(names), 2) or b'"' in content:
        return None
    texts: dict[str, Any] = {name: object for name in names if names_rows(name)}
    try:
        frame = pd.read_csv(
            io.BytesIO(content),
            skipinitialspace=True,
            dtype=texts,
            na_filter=False,
            low_memory=False,
            quoting=csv.QUOTE_NONE,
        )
    except (ValueError, OverflowError):
        return None
    whole = content.count(b",") == (len(frame) + 1) * (len(names) - 1)
    alike = isinstance(frame.index, pd.RangeIndex) and list(frame.columns) == names
    return frame if whole and alike and tuple(names) == Source(path).columns else None


def _of_arrays(path: Path) -> pd.DataFrame:
    """The arrays of an .npz file as columns; one of items x classes as a column per class."""
    columns: dict[str, np.ndarray] = {}
    for name, held in arrays(path).items():
        if held.ndim not in (1, 2):
            raise ResultsError(
                f"'{path}': '{name}' has the shape {held.shape}. Save arrays of one number per "
                "item, or of items x classes."
            )
        several = held.ndim == 2 and held.shape[1] > 1
        parts = held.T if several else [held.reshape(-1)]
        columns |= {f"{name}:{k}" if several else name: part for k, part in enumerate(parts)}
    if len({len(column) for column in columns.values()}) > 1:
        shapes = ", ".join(f"{name} {len(column)}" for name, column in columns.items())
        raise ResultsError(
            f"'{path}' has arrays of different lengths ({shapes}): save one test set."
        )
    return pd.DataFrame(columns)


def _table(given: Any, what: str) -> Any:
    """A frame; the columns of a mapping make one."""
    if not isinstance(given, Mapping):
        return given
    try:
        return pd.DataFrame(given)
    except ValueError as error:
        raise ResultsError(f"{what}: the columns are no table ({error}).") from None


def _with_truth(
    frame: pd.DataFrame, truths: pd.DataFrame, options: Options, what: str, where: str
) -> pd.DataFrame:
    """Predictions with the truth of another file, by their items, or row by row without any."""
    key = _key(frame, truths, options)
    if key is None:
        if len(frame) != len(truths):
            raise ResultsError(
                f"{where} has {len(truths)} rows and {what} {len(frame)}, and no column names "
                "items in both: add a column 'id' to both files."
            )
        place = np.arange(len(frame))
    else:
        _check_once(truths[key[1]], where)
        known = pd.Index(truths[key[1]].astype(str).str.strip())
        items = pd.Index(frame[key[0]].astype(str).str.strip())
        place = known.get_indexer(items)
        if (place < 0).any():
            raise ResultsError(
                f"Item '{items[int(np.argmax(place < 0))]}' of {what} has no truth in {where} "
                f"({int((place < 0).sum())} have none): add it there, or remove the item."
            )
        gone = ~known.isin(items)
        if gone.any():
            raise ResultsError(
                f"{what} has no prediction of item '{known[int(np.argmax(gone))]}' of {where} "
                f"({int(gone.sum())} are missing): add it, or remove the item there."
            )
    missing = [c for c in truths.columns if c not in frame.columns]
    return frame.assign(**{c: truths[c].to_numpy()[place] for c in missing})


def _key(frame: pd.DataFrame, truths: pd.DataFrame, options: Options) -> tuple[str, str] | None:
    """The columns by which rows of both belong together."""
    columns = options.columns.get("item", ())
    pairs = [next((c for c in columns if c in each.columns), None) for each in (frame, truths)]
    if None in pairs:
        pairs = [item_column(each, options.columns) for each in (frame, truths)]
    return None if None in pairs else (str(pairs[0]), str(pairs[1]))


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
    extra = {role: frame[name] for role in BESIDE if (name := getattr(columns, role)) is not None}
    if "query" not in extra and "item" in extra:
        _check_once(extra["item"], what)
    models: dict[str, Any] = {
        model: {name: frame[c] for name, c in each.items()}
        for model, each in columns.by_class.items()
    } or {model: frame[c] for model, c in columns.models.items()}
    if len(models) == 1 and plain(next(iter(models))) in (GENERIC | {"p"}):
        models = {file or "model": next(iter(models.values()))}
    return Raw(frame[columns.truth], models, extra)


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
    extra = {
        role: frame.loc[first, name].reset_index(drop=True)
        for role in BESIDE
        if (name := getattr(columns, role)) is not None
    }
    models: dict[str, Any] = {
        by: {c: s.reset_index(drop=True) for c, s in each.items()} for by, each in wide.items()
    }
    if not columns.by_class:
        models = {by: each[""] for by, each in models.items()}
    return Raw(frame.loc[first, columns.truth].reset_index(drop=True), models, extra)


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


# -- the format of tables of predictions ----------------------------------------------------------
# How they are recognised, and a small sample.


def _read(source: Source, options: Options) -> Results:
    refuse_step(options)
    if options.sampling is not None and options.sampling.name != ITEMS.name:
        raise ResultsError(
            f"Predictions are of test items, not of '{options.sampling}': leave --sampling out."
        )
    if options.higher_is_better is not None:
        raise ResultsError(
            "Measures of predictions know which values are better: leave --higher-is-better and "
            "--lower-is-better out."
        )
    source = source.listed
    parts = source.parts if len(source.paths) > 1 else (source,)
    if lack_truth(parts):
        raise ResultsError(
            f"{shown(source)}: these are predictions, and no column holds their truth. Add a "
            "column 'y_true', or a file of ids and truth behind the others, as in podium analyze "
            "PREDICTIONS truth.csv."
        )
    if truths := several_truths(parts[0]):
        raise ResultsError(
            f"{shown(source)} has {len(truths)} columns of truth ({', '.join(truths[:3])}): give a "
            "row per item and label, with columns document (the item), stratum (the label), "
            "y_true and one per model. Labels of one item then count as one cluster."
        )
    for part in parts if truth_apart(source) is None else ():
        check_meant(part)
    rule = measure_named(options.measure) if options.measure else None
    predictions = read_predictions(source, options, rule.rule.kinds if rule else ())
    return results_of(predictions, options.measure)


SAMPLE = """\
id,y_true,svm,knn
1,1,0.9,0.6
2,0,0.2,0.7
3,1,0.8,0.4
4,0,0.3,0.5
5,1,0.7,0.9
6,0,0.1,0.2
"""
LONG = """\
id,model,y_true,y_pred
1,svm,cat,cat
1,knn,cat,dog
2,svm,dog,dog
2,knn,dog,dog
3,svm,cat,cat
3,knn,cat,dog
"""
FORMATS.add(
    Format(
        "predictions",
        "predictions of test items beside the truth (columns id, y_true, one per model), for any "
        "measure",
        recognises=recognises,
        read=_read,
        samples=[
            text_sample("predictions.csv", SAMPLE, ("svm", "knn")),
            text_sample("predictions.csv", LONG, ("svm", "knn")),
        ],
        extensions=["csv", "parquet", "jsonl", "json"],
        title="predictions",
        chooses_rows=True,
    )
)
