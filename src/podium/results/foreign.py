"""Tables of scores that somebody else made become `Results`.

    source ──tabular──▶ cells ──sheets, mappings──▶ Sheet ──here──▶ Results

Nothing is guessed: what a table does not say (the sampling, which values are better) is said by
the caller or asked for.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from podium.errors import ResultsError
from podium.measures import Measure
from podium.registry import unknown
from podium.results.mappings import holds_columns, is_search, mapping_sheet
from podium.results.numbering import Samples, completed, numbered
from podium.results.results import Results
from podium.results.sheets import Sheet, table_sheet
from podium.results.tabular import Coded
from podium.results.vocabulary import (
    BLOCKS,
    Said,
    known_measure,
    plain,
    said_columns,
    same_measure,
    way_out,
)
from podium.samplings import Sampling
from podium.samplings import parse as parse_sampling
from podium.tables import FAILURES, RUNS, SCORES, WARNINGS, Table

LARGEST = 50_000_000  # cells that are laid out without asking whether the table is meant so
STATES = ["missing", "failed", "done"]  # in the order of results read from a store


def read_table(
    source: Any,
    *,
    sampling: str | Sampling | None = None,
    measure: str | None = None,
    higher_is_better: bool | None = None,
    columns: str | Mapping[str, str | Iterable[str]] | None = None,
) -> Results:
    """The results in a table of scores that somebody else made.

    Parameters
    ----------
    source : the path of a CSV (also gzipped) or Parquet file; a pandas, polars or pyarrow frame;
        a search of scikit-learn or its `cv_results_`; a mapping of algorithms to scores.
    sampling : how the samples were drawn. Left out numbers are filled in where the table tells.
    measure : which measure the scores are, or which of several is wanted.
    higher_is_better : needed for measures that Podium does not know.
    columns : which columns are what, as `{"algorithm": "method", "ignore": ["a", "b"]}` or
        `"algorithm=method,ignore=a;b"`; beside the words for columns of `scores` there are
        repeat, fold, item, cluster, block (of a wide table) and ignore.

    A missing score has a row with a missing value in `scores`, where its data set has scores of
    that measure at all; a run without any score is missing in `runs`. Samples are numbered from
    1 within each data set, repeat by repeat. Clusters of items are in `facts`, by sample.

    >>> print(read_table({"svm": [0.9, 0.8], "knn": [0.7, 0.9]}, measure="acc").wide("acc"))
      dataset  sample  svm  knn
    0    data       1  0.9  0.7
    1    data       2  0.8  0.9
    """
    design = None if sampling is None else parse_sampling(sampling)
    sheet = _sheet(source, said_columns(columns), measure, design)
    sheet, measures = _measured(sheet, measure, higher_is_better, design)
    return _results(sheet, measures, design)


def _sheet(source: Any, said: Said, measure: str | None, design: Sampling | None) -> Sheet:
    found, scoring = getattr(source, "cv_results_", source), getattr(source, "scoring", None)
    items = design is not None and design.name == "items"
    if isinstance(found, pd.DataFrame) and is_search(found.columns):
        found = found.to_dict("list")
    if not isinstance(found, Mapping):
        return table_sheet(source, said, measure, items)
    if holds_columns(found):
        return table_sheet(_frame(found), said, measure, items)
    if said:
        raise ResultsError("columns is for tables; these scores have no columns to name.")
    return mapping_sheet(found, scoring)


def _frame(columns: Mapping[Any, Any]) -> pd.DataFrame:
    try:
        return pd.DataFrame(dict(columns))
    except ValueError as error:
        raise ResultsError(f"The mapping holds no columns of one table: {error}.") from None


# -- measures -------------------------------------------------------------------------------


def _measured(
    sheet: Sheet, asked: str | None, higher: bool | None, design: Sampling | None
) -> tuple[Sheet, dict[str, Measure]]:
    """The sheet less the measures that are not asked for, and what its measures are."""
    if higher is not None and not isinstance(higher, (bool, np.bool_)):
        raise ResultsError(f"higher_is_better is True, False or None, not {higher!r}.")
    if asked is not None and (not isinstance(asked, str) or not asked.strip()):
        raise ResultsError(f"A measure is named by a text such as 'error', not {asked!r}.")
    chosen = _chosen(sheet, asked)
    chosen = {i: name or _nameless(sheet, higher, design) for i, name in chosen.items()}
    sheet = _restricted(sheet, chosen)
    lone = all(known_measure(n) for n in sheet.measures)  # else the direction is for the unknown
    measures = {n: _measure(n, sheet, higher, lone) for n in sheet.measures}
    return sheet, {n: _unbound(m, _values(sheet, i)) for i, (n, m) in enumerate(measures.items())}


def _values(sheet: Sheet, measure: int) -> np.ndarray:
    """The scores of one measure."""
    if "measure" in sheet.rows:
        return sheet.values[sheet.rows["measure"].codes == measure]
    return sheet.values[:, measure]


def _unbound(measure: Measure, values: np.ndarray) -> Measure:
    """The measure without bounds and unit where its scores keep to neither, as percentages do."""
    low, high = measure.bounds
    if ((values >= low) & (values <= high) | np.isnan(values)).all():
        return measure
    return replace(measure, bounds=(-math.inf, math.inf), unit="")


def _chosen(sheet: Sheet, asked: str | None) -> dict[int, str]:
    """The places of the wanted measures in the sheet, with the names that they shall have."""
    names = sheet.measures
    if asked is None:
        return dict(enumerate(names))
    asked = asked.strip()
    alike = [i for i, n in enumerate(names) if n and same_measure(n, asked)]
    closest = [i for i in alike if plain(names[i]) == plain(asked)] or alike
    closest = closest or [i for i, n in enumerate(names) if not n]
    if len(closest) != 1:
        found = [names[i] for i in closest] or [n for n in names if n]
        raise ResultsError(unknown(f"measure of {sheet.what}", asked, found))
    return {closest[0]: asked}


def _nameless(sheet: Sheet, higher: bool | None, design: Sampling | None) -> str:
    """The name of a measure that neither the source nor the caller names."""
    items = design is not None and design.name == "items"
    zero_or_one = np.isin(sheet.values[~np.isnan(sheet.values)], (0, 1)).all()
    if items and zero_or_one and higher is not False:
        return "accuracy"
    if higher is None and sheet.higher is None:
        raise ResultsError(
            f"{sheet.what} does not say what its scores measure. Say it, as in --measure error "
            "(in Python: measure='error'), or which values are better: --higher-is-better or "
            "--lower-is-better (in Python: higher_is_better=True or False)."
        )
    return "score"


def _restricted(sheet: Sheet, chosen: dict[int, str]) -> Sheet:
    """The sheet with some of its measures, renamed."""
    names = list(chosen.values())
    if "measure" not in sheet.rows:
        if sheet.across == "measure":
            return replace(sheet, values=sheet.values[:, list(chosen)], heads=names)
        nothing = np.zeros(len(sheet.values), np.int64)
        return replace(sheet, rows={**sheet.rows, "measure": Coded(nothing, names)})
    kept = np.isin(sheet.rows["measure"].codes, list(chosen))
    rows = {role: column.rows(kept) for role, column in sheet.rows.items()}
    rows["measure"] = Coded(rows["measure"].codes, names)
    return replace(sheet, values=sheet.values[kept], number=sheet.number[kept], rows=rows)


def _measure(name: str, sheet: Sheet, higher: bool | None, lone: bool) -> Measure:
    known = known_measure(name)
    if known is None:
        return Measure(name, _direction(name, sheet, higher))
    if sheet.higher is not None and higher is None and known.higher_is_better != sheet.higher:
        raise ResultsError(
            f"Larger scores of scikit-learn are better, but of '{name}' smaller ones are. Say what "
            f"the scores are, as in --measure neg_{name}, or --lower-is-better if they are not "
            "turned."
        )
    if higher is not None and lone and known.higher_is_better != higher:
        raise ResultsError(
            f"Of the measure '{name}' {known.direction} values are better; "
            f"{'--higher' if higher else '--lower'}-is-better contradicts this. Leave it out, or "
            "give the measure another name."
        )
    return known


def _direction(name: str, sheet: Sheet, higher: bool | None) -> bool:
    higher = sheet.higher if higher is None else higher
    if higher is None:
        raise ResultsError(
            f"{sheet.what}: whether higher or lower values of '{name}' are better is not known. "
            "Say --higher-is-better or --lower-is-better (in Python: higher_is_better=True or "
            "False), or choose another measure."
        )
    return bool(higher)


# -- the tables -----------------------------------------------------------------------------


def _results(sheet: Sheet, measures: dict[str, Measure], design: Sampling | None) -> Results:
    samples = numbered(sheet)
    names = _Names(samples.datasets.names, _algorithms(sheet), list(measures))
    design = completed(design, sheet, samples)
    _check_shared(sheet, samples, names)
    grid = _grid(sheet, samples, names)
    return Results(
        scores=_scores(grid, samples, names),
        runs=_runs(grid, samples, names),
        failures=_none(FAILURES, names),
        warnings=_none(WARNINGS, names),
        sampling=design,
        measures=measures,
        name=sheet.name,
        facts=_clusters(sheet, samples),
    )


@dataclass(frozen=True)
class _Names:
    dataset: list[str]
    algorithm: list[str]
    measure: list[str]

    def column(self, role: str, codes: np.ndarray) -> pd.Categorical:
        return pd.Categorical.from_codes(codes, categories=getattr(self, role))


def _algorithms(sheet: Sheet) -> list[str]:
    return sheet.heads if sheet.across == "algorithm" else sheet.rows["algorithm"].names


def _check_shared(sheet: Sheet, samples: Samples, names: _Names) -> None:
    """Refuse labels that differ between algorithms, such as row numbers: nothing is paired."""
    if "sample" not in sheet.rows or "algorithm" not in sheet.rows or len(names.algorithm) < 2:
        return
    one = np.zeros(samples.counts.sum(), np.int64)
    one[samples.place] = codes = sheet.rows["algorithm"].codes
    if (one[samples.place] != codes).any():
        return
    columns = [c for r, c in sheet.called.items() if r in BLOCKS]
    raise ResultsError(
        f"{sheet.what}: no sample ({', '.join(columns)}) has scores of two algorithms, so nothing "
        f"can be compared. If these are no samples, leave them out: {way_out(ignore=columns)}."
    )


def _grid(sheet: Sheet, samples: Samples, names: _Names) -> np.ndarray:
    """The scores by sample (of all data sets), algorithm and measure; NaN where there is none."""
    shape = (int(samples.counts.sum()), len(names.algorithm), len(names.measure))
    if math.prod(shape) > max(LARGEST, 20 * sheet.values.size):
        raise ResultsError(
            f"{sheet.what} has {sheet.values.size} scores where {shape[0]} samples, {shape[1]} "
            f"algorithms and {shape[2]} measures need {math.prod(shape)}. Are the samples row "
            "numbers? Say which column numbers them: --columns sample=COLUMN."
        )
    own = [_codes(sheet, "algorithm"), _codes(sheet, "measure")]
    place = np.ravel_multi_index(np.broadcast_arrays(samples.place[:, None], *own), shape)
    _check_once(sheet, place, math.prod(shape))
    grid = np.full(shape, np.nan)
    grid.reshape(-1)[place] = sheet.values
    return grid


def _codes(sheet: Sheet, role: str) -> np.ndarray:
    """The algorithms or measures of all cells: of their rows or of their heads."""
    return sheet.rows[role].codes[:, None] if role in sheet.rows else np.arange(len(sheet.heads))


def _check_once(sheet: Sheet, place: np.ndarray, size: int) -> None:
    """Refuse two scores in one place."""
    taken = np.zeros(size, bool)
    taken[place] = True
    if taken.sum() == place.size:
        return
    order = np.argsort(place, axis=None, kind="stable")
    again = order[1:][np.diff(place.reshape(-1)[order]) == 0].min()
    earlier = np.flatnonzero(place.reshape(-1) == place.reshape(-1)[again])[0]
    row, head = np.unravel_index(again, place.shape)
    about = [f"{r} '{c.names[c.codes[row]]}'" for r, c in sheet.rows.items() if r != "cluster"]
    about += [f"{sheet.across} '{sheet.heads[head]}'"] * (sheet.across == "algorithm")
    raise ResultsError(
        f"{sheet.what} has two scores of {', '.join(about)}: "
        f"{sheet.values.reshape(-1)[earlier]:g} in row {sheet.number[earlier // place.shape[1]]} "
        f"and {sheet.values[row, head]:g} in row {sheet.number[row]}. {_told_apart(sheet)}"
    )


def _told_apart(sheet: Sheet) -> str:
    if "sample" in sheet.rows:
        return "Leave one of them out."
    unused = f" (not used: {', '.join(sheet.unused)})" if sheet.unused else ""
    return f"Say which column tells them apart{unused}: --columns sample=COLUMN."


def _scores(grid: np.ndarray, samples: Samples, names: _Names) -> pd.DataFrame:
    """The long table; a measure of which a data set has no score is left out there."""
    has = np.logical_or.reduceat(~np.isnan(grid).all(axis=1), samples.starts)
    has |= ~has.any(axis=1, keepdims=True)  # a data set without any score stays visible
    dataset, number = samples.listed
    kept = np.broadcast_to(has[dataset][:, None, :], grid.shape)
    place, algorithm, measure = np.nonzero(kept)
    table = pd.DataFrame(
        {
            "dataset": names.column("dataset", dataset[place]),
            "algorithm": names.column("algorithm", algorithm),
            "sample": number[place],
            "measure": names.column("measure", measure),
            "value": grid[kept],
        }
    )
    return SCORES.shaped(table)


def _runs(grid: np.ndarray, samples: Samples, names: _Names) -> pd.DataFrame:
    """One row per sample and algorithm; a run without any score is missing."""
    done = ~np.isnan(grid).all(axis=2).reshape(-1)
    dataset, number = (np.repeat(a, len(names.algorithm)) for a in samples.listed)
    unknown_times = np.full(len(done), np.nan)
    table = pd.DataFrame(
        {
            "dataset": names.column("dataset", dataset),
            "algorithm": names.column(
                "algorithm", np.tile(np.arange(len(names.algorithm)), len(grid))
            ),
            "sample": number,
            "status": pd.Categorical.from_codes(np.where(done, 2, 0), categories=STATES),
            "fit_time": unknown_times,
            "predict_time": unknown_times,
            "warnings": np.zeros(len(done), np.int64),
            "finished": pd.to_datetime(unknown_times, unit="s", utc=True),
        }
    )
    return RUNS.shaped(table)


def _none(table: Table, names: _Names) -> pd.DataFrame:
    """A table without rows that knows the names."""
    nothing = np.empty(0, np.int64)
    columns = {role: names.column(role, nothing) for role in ("dataset", "algorithm")}
    return table.empty().assign(**columns)


def _clusters(sheet: Sheet, samples: Samples) -> dict[str, dict[str, Any]]:
    """The cluster of each sample, by data set; one label per sample."""
    if "cluster" not in sheet.rows:
        return {}
    codes, labels = sheet.rows["cluster"]
    of_sample = np.zeros(int(samples.counts.sum()), np.int64)
    of_sample[samples.place[::-1]] = codes[::-1]  # the first row of a sample counts
    odd = np.flatnonzero(of_sample[samples.place] != codes)
    if odd.size:
        column = sheet.called["cluster"]
        raise ResultsError(
            f"{sheet.what}, column '{column}', row {sheet.number[odd[0]]}: a sample belongs to one "
            f"cluster, and this one is in '{labels[of_sample[samples.place[odd[0]]]]}' and "
            f"'{labels[codes[odd[0]]]}'. If these are no clusters: {way_out(ignore=column)}."
        )
    parts = np.split(of_sample, samples.starts[1:])
    return {
        dataset: {"clusters": [labels[c] for c in part]}
        for dataset, part in zip(samples.datasets.names, parts, strict=True)
    }
