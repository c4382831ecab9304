"""Tables of scores, long and wide: CSV (also gzipped) and Parquet files, documents, and frames.

A long table has a row for every score and a column that names the algorithm (`long_tables.py`); in
a wide one the algorithms are columns (`wide_tables.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from podium.core.base.errors import ResultsError
from podium.core.base.tables import HALVINGS
from podium.core.results.results import Results
from podium.core.samplings import halvings
from podium.reading.cells.columns import MISSING, Tabular, free
from podium.reading.cells.vocabulary import BLOCKS, Options, Said, candidates, is_columns
from podium.reading.files.documents import is_document
from podium.reading.files.tabular import tabular
from podium.reading.formats.gathering import named, refuse_step, shown
from podium.reading.formats.record import FORMATS, Format, Sample, Source, text_sample
from podium.reading.tables.from_sheets import results_from
from podium.reading.tables.long_tables import long_sheet
from podium.reading.tables.roles import algorithm_by_content, names_algorithms
from podium.reading.tables.wide_tables import lengthened, wide_sheet

__all__ = [
    "DOCUMENT",
    "INSIDE",
    "LONG",
    "PLACES",
    "WIDE",
    "Read",
    "long_sheet",
    "read_rows",
    "read_set",
    "read_table",
    "with_halvings",
]


# -- tables that bring halvings -------------------------------------------------------------------
# Rows with a halving and a side beside those of the whole sample.


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


# -- tables ---------------------------------------------------------------------------------------


EXTENSIONS = ("csv", "csv.gz", "tsv", "tsv.gz", "txt", "parquet")


def read_table(source: Source, options: Options) -> Results:
    """The results in a table, long or wide: its whole header decides, and what its columns hold."""
    given = _frame(source.given) if isinstance(source.given, Mapping) else source.given
    sheet = next(iter(options.columns.get("sheet", ())), None)
    table = tabular(given, sheet, said=options.columns, measure=options.measure)
    return read_rows(table, options)


def read_set(source: Source, options: Options) -> Results:
    """The results in the record set that a format has made of a source, by names of its columns."""
    (loaded,) = source.sets
    table = Tabular(loaded.frame, shown(source), named(source))
    if not _holds_long(table, options.columns):
        again = [c for c in table.columns if 1 < table.frame[c].nunique() < len(table.frame)]
        raise ResultsError(
            f"{table.what}: no column is called model or algorithm. Name the column of what is "
            f"compared, and the one that numbers its rows: --columns "
            f"algorithm={(again or table.columns)[0]},sample=COLUMN. There are: "
            f"{', '.join(table.columns):.200}."
        )
    return read_rows(table, options)


def read_rows(table: Tabular, options: Options) -> Results:
    """The results in the rows of a table, long or wide."""
    return with_halvings(table, options, _read_rows)


def _read_rows(table: Tabular, options: Options) -> Results:
    refuse_step(options)
    table, options = lengthened(table, options)
    made = long_sheet if _holds_long(table, options.columns) else wide_sheet
    sheet = made(table, options)
    table.known.clear()  # which is as large as the table
    return results_from(sheet, options)


def _holds_long(table: Tabular, text: Said) -> bool:
    """Whether a column names the algorithms, by its name or by what it holds."""
    if "block" in text or "algorithm" in text:
        return "block" not in text
    columns = free(table.columns, text)
    if any(names_algorithms(table, c) for c in candidates(columns, "algorithm")):
        return True
    called = {r: c[0] for r, c in text.items() if r in ("dataset", "measure", *BLOCKS)}
    sets = [c for c in candidates(columns, "dataset") if table.is_label(c)]
    called |= {"dataset": sets[0]} if sets and "dataset" not in called else {}
    return algorithm_by_content(table, columns, called, BLOCKS) is not None


def _frame(columns: Mapping[Any, Any]) -> pd.DataFrame:
    try:
        return pd.DataFrame(columns)
    except ValueError as error:
        raise ResultsError(f"The mapping is no table: {error}.") from None


def _is_table(source: Source) -> bool:
    if isinstance(source.given, Mapping):
        return is_columns(source.given)
    return len(source.paths) < 2 and len(source.columns) > 1 and not _is_document(source)


def _is_document(source: Source) -> bool:
    one_file = len(source.paths) == 1 and len(source.files) == 1
    return one_file and is_document(source.head, source.text)


def _is_long(columns: Iterable[str], text: Said) -> bool:
    """Whether a column names the algorithms."""
    return "block" not in text and (
        "algorithm" in text or bool(candidates(free(columns, text), "algorithm"))
    )


LONG = FORMATS.add(
    Format(
        "long-table",
        "a table with one row per score, in which a column names the algorithm",
        recognises=lambda source: _is_table(source) and _is_long(source.columns, source.said),
        read=read_table,
        samples=[
            text_sample(
                "scores.csv",
                "dataset,method,acc\niris,svm,0.9\niris,knn,0.8\nzoo,svm,0.7\nzoo,knn,0.6\n",
                order=("svm", "knn"),
            )
        ],
        extensions=EXTENSIONS,
        general=True,
        place=10,
    )
)
WIDE = FORMATS.add(
    Format(
        "wide-table",
        "a table with one column per algorithm, in which a row is a data set, sample or item",
        recognises=lambda source: _is_table(source) and not _is_long(source.columns, source.said),
        read=read_table,
        samples=[
            text_sample(
                "errors.csv",
                "dataset;svm;knn\niris;0,1;0,2\nzoo;0,3;0,4\n",
                order=("svm", "knn"),
                measure="error",
            ),
            Sample(
                lambda folder: pd.DataFrame({"fold": [1, 2], "svm": [0.9, 0.8], "knn": [0.7, 0.9]}),
                order=("svm", "knn"),
                options={"measure": "accuracy", "sampling": "cv"},
            ),
        ],
        extensions=EXTENSIONS,
        general=True,
        place=10,
    )
)
DOCUMENT = FORMATS.add(
    Format(
        "document",
        "a table, long or wide, of an Excel file (.xlsx), a web page, Markdown or LaTeX",
        recognises=_is_document,
        read=read_table,
        samples=[
            text_sample(
                "errors.md",
                "| dataset | svm | knn |\n|---|---|---|\n| iris | **0.1** | 0.2 |\n"
                "| zoo | **0.3** | 0.4 |\n",
                order=("svm", "knn"),
                measure="error",
            ),
            text_sample(
                "errors.tex",
                "\\begin{tabular}{lrr}\ndataset & svm & knn \\\\\n\\hline\n"
                "iris & \\textbf{0.1} & 0.2 \\\\\nzoo & 0.3 & 0.4 \\\\\n\\end{tabular}\n",
                order=("svm", "knn"),
                measure="error",
            ),
            text_sample(
                "errors.html",
                "<table><tr><th>dataset<th>svm<th>knn</tr><tr><td>iris<td>0.1<td>0.2</tr>"
                "<tr><td>zoo<td>0.3<td>0.4</tr></table>",
                order=("svm", "knn"),
                measure="error",
            ),
        ],
        extensions=("xlsx", "html", "htm", "md", "tex"),
        place=10,
    )
)
