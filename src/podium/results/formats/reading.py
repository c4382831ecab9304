"""Reading results: which format a source has, and what it holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from podium.errors import ResultsError
from podium.results.formats.record import FORMATS, Format, LongTable, Source
from podium.results.formats.tables import long_sheet, read_table
from podium.results.from_sheets import results_from
from podium.results.results import Results
from podium.results.tabular import Tabular
from podium.results.vocabulary import Options
from podium.samplings import Sampling
from podium.samplings import parse as parse_sampling


def read(
    source: Any,
    *,
    sampling: str | Sampling | None = None,
    measure: str | None = None,
    higher_is_better: bool | None = None,
    columns: str | Mapping[str, str | Iterable[str]] | None = None,
    format: str | Format | None = None,
) -> Results:
    """The results of a store, or of scores that somebody else made.

    Parameters
    ----------
    source : a store; a CSV (also gzipped) or Parquet file, long or wide; a frame (pandas, polars,
        pyarrow); a search of scikit-learn or its `cv_results_`; a mapping from algorithms to their
        scores; whatever else a format of `podium.results.formats.FORMATS` recognises.
    sampling : how the samples were drawn, where the source does not carry it: `cv:10`,
        `bootstrap`, `items` ... It decides which inference is legal. Left out numbers are filled in
        where the source tells.
    measure : what the scores are, or which of several measures is wanted.
    higher_is_better : which values are better, where the measure's name does not tell.
    columns : what is what, as `{"algorithm": "method", "ignore": ["a", "b"]}` or
        `"algorithm=method,ignore=a;b"`: the columns of `scores`, repeat, fold, item, cluster, block
        (of a wide table) and ignore.
    format : a format or its name, where the content of the source leaves that open.

    >>> print(read({"svm": [0.9, 0.8], "knn": [0.7, 0.9]}, measure="acc").wide("acc"))
      dataset  sample  svm  knn
    0    data       1  0.9  0.7
    1    data       2  0.8  0.9
    """
    options = Options.checked(sampling, measure, higher_is_better, columns)
    looked_at = Source(source, options.columns)
    record = FORMATS[format] if isinstance(format, str) else format or _format_of(looked_at)
    # of what nobody recognises the reader of tables says what is wrong
    found = record.read(looked_at, options) if record else read_table(looked_at, options)
    return _from_long(found, options) if isinstance(found, LongTable) else found


def _format_of(source: Source) -> Format | None:
    found = FORMATS.recognising(source)
    if len(found) > 1:
        names = [f"'{record.name}'" for record in found]
        raise ResultsError(
            f"The source may have the formats {', '.join(names)}. Say which, in Python: "
            f"podium.read(..., format={names[0]})."
        )
    return found[0] if found else None


def _from_long(table: LongTable, options: Options) -> Results:
    """The results in what a reader has found; the caller says what is left open."""
    sampling = None if table.sampling is None else parse_sampling(table.sampling)
    if sampling and options.sampling and sampling.name != options.sampling.name:
        raise ResultsError(
            f"The samples of {table.what} were drawn by '{sampling}', not by '{options.sampling}'. "
            "Leave the sampling out."
        )
    options = replace(
        options,
        sampling=options.sampling or sampling,
        measure=options.measure or table.measure,
    )
    sheet = long_sheet(Tabular(table.frame, table.what, table.name), options)
    found = results_from(replace(sheet, measures=table.measures), options)
    return replace(found, notes=(*found.notes, *table.notes))
