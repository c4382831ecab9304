"""Large files: long texts, and Parquet files of more rows than fit into memory.

Of the latter the means of data sets and algorithms are kept. The file is read batch
by batch, and what differs within a data set is lost, which is said; a claim about data sets rests
on their means anyway.
"""

from __future__ import annotations

import contextlib
import csv
import io
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from podium.core.base.errors import MissingPackage, ResultsError, require
from podium.core.results.measure_names import in_percent, is_share, outside
from podium.core.words.facts import CAUTION, Note
from podium.reading.cells.vocabulary import Said, known_measure, role_of, way_out

MOST_ROWS = 50_000_000  # that are read as they are
BYTES = 210  # of memory that a score takes which is read as it is
BATCH = 2**20
KEYS = ("dataset", "algorithm", "measure")
LEAST_DECIMALS = 100  # numbers that tell whether a column has scores


def averaged(
    file: Any, what: str, text: Said, measure: str | None = None
) -> tuple[pd.DataFrame, Note]:
    """The mean scores of every data set and algorithm in a Parquet file, and what was done.

    `measure` is what the scores are, where a single column does not say it itself.
    """
    keys, scores = _columns(file, what, text)
    batches = file.iter_batches(BATCH, columns=[*keys, *scores])
    parts = [_summed(batch, keys, scores, what) for batch in batches]
    cells = pd.concat([sums for sums, _ in parts])
    sums = cells.groupby(keys, sort=False, observed=True).sum()
    counts = sums[[f"{s} " for s in scores]].set_axis(scores, axis=1)
    _check_equal(counts, keys, what)
    means = (sums[scores] / counts.where(counts > 0)).reset_index()
    ends = pd.concat([ends for _, ends in parts])
    if len(scores) == 1 and len(keys) < len(KEYS) and known_measure(scores[0]) is None:
        ends = ends.rename(index={scores[0]: measure or scores[0]})
    low, high = _checked_range(ends, means, keys, what)
    rows = int(file.metadata.num_rows)
    return means, Note(
        "averaged-while-reading", CAUTION, rows=rows, cells=len(means), low=low, high=high
    )


def _columns(file: Any, what: str, text: Said) -> tuple[list[str], list[str]]:
    """The columns that name a cell, and those of scores."""
    schema = file.schema_arrow
    given = {column: role for role, columns in text.items() for column in columns}
    roles = {name: given.get(name, role_of(name)) for name in schema.names}
    keys = [name for key in KEYS for name in schema.names if roles[name] == key]
    results = [roles[name] for name in keys]
    scores = [
        f.name
        for f in schema
        if roles[f.name] == "value" or (not roles[f.name] and str(f.type) in ("double", "float"))
    ]
    if results[:2] != ["dataset", "algorithm"] or len({*results}) < len(results) or not scores:
        rows = file.metadata.num_rows
        raise ResultsError(
            f"{what} has {rows:,} rows, which take about {rows * BYTES / 1e9:.0f} GB of memory. Of "
            f"more than {MOST_ROWS:,} rows the means of data sets and algorithms are read: say "
            f"which columns name them, {way_out(text, dataset='COLUMN', algorithm='COLUMN')}, or "
            "give fewer samples."
        )
    return keys, scores


def _summed(
    batch: Any, keys: Sequence[str], scores: Sequence[str], what: str
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Sums and numbers of scores in the cells of a batch, and the least and largest by measure."""
    coded = [_coded(batch.column(key), key, what) for key in keys]
    shape = tuple(len(names) for _, names in coded)
    cell = np.ravel_multi_index([codes for codes, _ in coded], shape)
    used, place = np.unique(cell, return_inverse=True)
    by_name = zip(keys, coded, np.unravel_index(used, shape), strict=True)
    made = {key: names[codes] for key, (_, names), codes in by_name}
    measured = coded[2] if len(keys) == len(KEYS) else None
    ends = []
    for score in scores:
        values = batch.column(score).to_numpy(zero_copy_only=False).astype(float)
        if np.isinf(values).any():
            raise ResultsError(
                f"{what}, column '{score}', holds an infinite score, which no mean can use: leave "
                "out these rows."
            )
        there = ~np.isnan(values)
        codes, names = (0 * place, np.array([score])) if measured is None else measured
        of = pd.Series(values).groupby(codes)
        ends.append(
            pd.DataFrame({"low": of.min(), "high": of.max()}).rename(index=dict(enumerate(names)))
        )
        made[score] = np.bincount(place, np.where(there, values, 0.0), len(used))
        made[f"{score} "] = np.bincount(place, there, len(used))  # no column's own name ends so
    return pd.DataFrame(made), pd.concat(ends)


def _checked_range(
    ends: pd.DataFrame, means: pd.DataFrame, keys: Sequence[str], what: str
) -> tuple[float, float]:
    """The least and the largest score; a mean would hide one that cannot be."""
    ends = ends.groupby(level=0).agg({"low": "min", "high": "max"})
    for name, low, high in ends.itertuples():
        known = known_measure(str(name))
        own = means if len(keys) < len(KEYS) else means[means[keys[-1]] == name]
        middle = own[name if name in means else own.columns[-1]].median()
        if known is not None and is_share(known) and middle > 1:
            known = in_percent(known)
        if known is not None and outside(np.array([low, high]), known).any():
            raise ResultsError(
                f"{what} holds scores from {low:g} to {high:g} of '{name}', which lies between "
                f"{known.bounds[0]:g} and {known.bounds[1]:g}: correct or leave out these rows."
            )
    return float(ends["low"].min()), float(ends["high"].max())


def _coded(column: Any, key: str, what: str) -> tuple[np.ndarray, np.ndarray]:
    """Numbers of the different names in a column, and these."""
    if column.null_count:
        raise ResultsError(f"{what} has rows without a name in the column '{key}'. Fill it in.")
    column = column if hasattr(column, "indices") else column.dictionary_encode()
    names = np.array([str(name).strip() for name in column.dictionary.to_pylist()], object)
    return column.indices.to_numpy(zero_copy_only=False), names


def _check_equal(counts: pd.DataFrame, keys: Sequence[str], what: str) -> None:
    """Means of different samples are not compared."""
    others = [key for key in keys if key != keys[1]]
    each = counts.groupby(level=others, sort=False)
    unequal = (each.max() != each.min()).any(axis=1)
    if unequal.any():
        raise ResultsError(
            f"{what} is too long to be read whole, and its algorithms have different numbers of "
            f"scores on '{unequal.index[unequal][0]}': leave out what only some algorithms have."
        )


# -- long texts -----------------------------------------------------------------------------------


def long_csv(text: str, raw: bytes, separator: str, head: list[list[str]]) -> pd.DataFrame | None:
    """The cells of a long table, each text once; None where a row has too many cells.

    `raw` is the text in UTF-8, `head` are its first rows. Decimal numbers that hardly repeat in
    them are read as numbers at once.
    """
    names, quoted = head[0], '"' in text
    try:
        arrow, lines = (require(p, extra="parquet") for p in ("pyarrow", "pyarrow.csv"))
    except MissingPackage:
        return None if quoted else _by_pandas(text, separator)
    if f"{separator} " in text or len({*names}) < len(names):  # blanks before cells are left out
        return None if quoted else _by_pandas(text, separator)
    texts = dict.fromkeys(names, arrow.dictionary(arrow.int32(), arrow.string()))
    numbers = [name for i, name in enumerate(names) if _are_decimals([r[i] for r in head[1:]])]
    for types in (texts | dict.fromkeys(numbers, arrow.float64()), texts)[not numbers :]:
        with contextlib.suppress(arrow.ArrowInvalid, arrow.ArrowNotImplementedError):
            table = lines.read_csv(
                arrow.BufferReader(arrow.py_buffer(raw)),
                lines.ReadOptions(use_threads=False, column_names=names, skip_rows=1),
                lines.ParseOptions(
                    delimiter=separator,
                    quote_char='"' if quoted else False,
                    newlines_in_values=quoted,
                ),
                lines.ConvertOptions(column_types=types, null_values=[""]),
            )
            frame = table.unify_dictionaries().to_pandas(split_blocks=True, self_destruct=True)
            del table
            arrow.default_memory_pool().release_unused()  # which numpy would not get otherwise
            return frame
    return None


_DECIMAL = re.compile(r"-?\d*\.\d+(e[+-]?\d+)?|-?\d+", re.IGNORECASE)


def _are_decimals(cells: list[str]) -> bool:
    """Whether they are scores: names such as the version 1.10 would occur again and again."""
    cells = [cell for cell in cells if cell]
    fractions = sum("." in cell for cell in cells)
    plain = all(map(_DECIMAL.fullmatch, cells))
    return plain and 2 * min(fractions, len({*cells})) > len(cells) >= LEAST_DECIMALS


def _by_pandas(text: str, separator: str) -> pd.DataFrame | None:
    """The same without pyarrow."""
    try:
        return pd.read_csv(
            io.StringIO(text, newline=""),
            sep=separator,
            skipinitialspace=True,
            dtype=object,
            na_filter=False,
            low_memory=False,
            quoting=csv.QUOTE_NONE,
        )
    except (ValueError, OverflowError):  # a row has more cells than the header
        return None
