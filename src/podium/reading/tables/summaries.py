"""Rows and columns that summarise others: Average, Avg rank, W/T/L. They are no scores."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Sequence

import numpy as np

from podium.base.errors import ResultsError
from podium.reading.cells.columns import Tabular
from podium.reading.cells.vocabulary import BLOCKS, Said, is_summary, plain, role_of
from podium.words.facts import CAUTION, Note

_OF_SPREAD = "std|sd|stddev|stdev|se|sem|stderr|var|variance|ci|ci95|error_?bar|rank"
_SPREAD = re.compile(rf"[\s_.(/-]+({_OF_SPREAD})\)?$|^({_OF_SPREAD})[\s_./-]+", re.IGNORECASE)
_MEAN = re.compile(r"[\s_.(/-]+(mean|avg|average)\)?$|^(mean|avg|average)[\s_./-]+", re.IGNORECASE)
LEAST_ROWS = 4  # of which the last may be the mean of the others
# a column called so is an algorithm, unless it is that of the others
_OF_OTHERS: dict[str, Callable[..., np.ndarray]] = {
    "mean": np.nanmean, "average": np.nanmean, "avg": np.nanmean, "median": np.nanmedian,
    "sum": np.nansum, "total": np.nansum, "std": np.nanstd, "sd": np.nanstd, "best": np.nanmax,
    "overall": np.nanmean, "max": np.nanmax, "min": np.nanmin, "worst": np.nanmin,
}  # fmt: skip


def less_summary_rows(table: Tabular, text: Said) -> tuple[Tabular, tuple[Note, ...]]:
    """Without the rows whose data set or sample is called Average or alike, and a note."""
    kinds = ("dataset", *BLOCKS)
    columns = [c for r in (*kinds, "block") for c in text.get(r, ()) if c in table.columns]
    columns += [c for c in table.columns if role_of(c) in kinds and c not in columns]
    gone = np.zeros(len(table.frame), bool)
    for column in columns:
        codes, labels = table.kinds(column)
        summary = np.array([not label.isdecimal() and is_summary(label) for label in labels])
        gone |= summary[codes] if summary.any() else False
    if not gone.any() or gone.all():
        return table, ()
    names = dict.fromkeys(
        label for c in columns for label in table.texts(c)[gone] if is_summary(label)
    )
    return table.less_rows(gone), (Note("summary-rows", CAUTION, names=tuple(names)),)


def mean_row_note(table: Tabular, heads: Sequence[str], label: str) -> tuple[Note, ...]:
    """A note on a last row that holds about the means of all others, and is called otherwise.

    A row is a summary by its name alone: what its numbers are near to may be chance.
    """
    values = np.column_stack([table.parsed(h).values for h in heads])
    if values.shape[0] < LEAST_ROWS or values.shape[1] < 2:
        return ()
    if not np.isfinite(values[-1]).all() or np.isinf(values).any():  # refused with its cell
        return ()
    if len({*table.texts(label)}) < len(values):  # rows that repeat are samples
        return ()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # of a column without scores
        means = np.nanmean(values[:-1], axis=0)
    digits = next((d for d in range(13) if (np.round(values[-1], d) == values[-1]).all()), 13)
    near = np.abs(values[-1] - means) <= 0.51 * 10.0**-digits
    varied = np.nanmax(values[:-1], axis=0) - np.nanmin(values[:-1], axis=0) > 10.0 ** (1 - digits)
    if not (near & varied).all():  # few digits, or rows alike, agree by chance
        return ()
    return (Note("row-like-means", CAUTION, name=str(table.texts(label).iloc[-1])),)


def spread_columns(heads: Sequence[str]) -> list[str]:
    """The columns that tell how far the scores of another one spread: `svm_std` beside `svm`.

    >>> spread_columns(["svm_mean", "svm_std", "knn", "knn (sd)", "b_se"])
    ['svm_std', 'knn (sd)']
    """
    stems = {plain(_MEAN.sub("", h)) for h in heads if not _SPREAD.search(h)}
    return [h for h in heads if _SPREAD.search(h) and plain(_SPREAD.sub("", h)) in stems]


def summary_columns(table: Tabular, heads: Sequence[str]) -> list[str]:
    """The columns that summarise others; an error where one may be an algorithm."""
    results = [h for h in heads if is_summary(h)]
    for head in results:
        others = [h for h in heads if h not in results]
        if plain(head).strip(".:") in _OF_OTHERS and not _is_summary_of(table, head, others):
            raise ResultsError(
                f"{table.what}: the column '{head}' may be an algorithm or a summary of others. "
                f"Leave it out: {table.way_out(ignore=head)}; if it is an algorithm, give it "
                "another name in the table."
            )
    return results


def _is_summary_of(table: Tabular, head: str, others: Sequence[str]) -> bool:
    numeric = [c for c in others if table.is_numeric(c)]
    if not numeric or not table.is_numeric(head):
        return True
    values = np.column_stack([table.parsed(c).values for c in numeric])
    of_others: Callable[..., np.ndarray] = _OF_OTHERS[plain(head).strip(".:")]
    made = of_others(values, axis=1)
    spread = np.nanmax(values) - np.nanmin(values)
    return bool(np.allclose(made, table.parsed(head).values, atol=0.02 * spread, equal_nan=True))
