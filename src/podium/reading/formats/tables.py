"""Tables of scores, long and wide: CSV (also gzipped) and Parquet files, documents, and frames.

A long table has a row for every score and a column that names the algorithm (`long_tables.py`); in
a wide one the algorithms are columns (`wide_tables.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from podium.base.errors import ResultsError
from podium.reading.cells.column_groups import free
from podium.reading.cells.columns import Tabular
from podium.reading.cells.vocabulary import BLOCKS, Options, Said, candidates, is_columns
from podium.reading.files.documents import is_document
from podium.reading.files.tabular import tabular
from podium.reading.formats.gathering import refuse_step
from podium.reading.formats.halved_tables import with_halvings
from podium.reading.formats.record import FORMATS, Format, Sample, Source, text_sample
from podium.reading.results import Results
from podium.reading.tables.from_sheets import results_from
from podium.reading.tables.long_tables import long_sheet
from podium.reading.tables.roles import algorithm_by_content, names_algorithms
from podium.reading.tables.transposed import lengthened
from podium.reading.tables.wide_tables import wide_sheet

__all__ = ["DOCUMENT", "LONG", "WIDE", "long_sheet", "read_rows", "read_table"]

EXTENSIONS = ("csv", "csv.gz", "tsv", "tsv.gz", "txt", "parquet")


def read_table(source: Source, options: Options) -> Results:
    """The results in a table, long or wide: its whole header decides, and what its columns hold."""
    given = _frame(source.given) if isinstance(source.given, Mapping) else source.given
    sheet = next(iter(options.columns.get("sheet", ())), None)
    table = tabular(given, sheet, said=options.columns, measure=options.measure)
    return read_rows(table, options)


def read_rows(table: Tabular, options: Options) -> Results:
    """The results in the rows of a table, long or wide."""
    return with_halvings(table, options, _read_rows)


def _read_rows(table: Tabular, options: Options) -> Results:
    refuse_step(options)
    table, options = lengthened(table, options)
    made = long_sheet if _holds_long(table, options.columns) else wide_sheet
    return results_from(made(table, options), options)


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
