"""Tables of scores that somebody else made become `Results`.

    source ──tabular──▶ cells ──sheets, mappings──▶ Sheet ──here──▶ Results

Nothing is guessed: what a table does not say (the sampling, which values are better) is said by
the caller or asked for.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from podium.errors import ResultsError
from podium.measures import Measure
from podium.registry import unknown
from podium.results.mappings import is_search, mapping_sheet
from podium.results.numbering import Samples, completed, numbered, unpaired
from podium.results.results import Results
from podium.results.sheets import Sheet, is_crossed, table_sheet
from podium.results.vocabulary import (
    ABOUT_ROWS,
    BLOCKS,
    known_measure,
    plain,
    role_of,
    said_columns,
    same_measure,
    way_out,
)
from podium.samplings import Sampling
from podium.samplings import parse as parse_sampling
from podium.tables import FAILURES, RUNS, SCORES, WARNINGS, Table

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
    if higher_is_better is not None and not isinstance(higher_is_better, (bool, np.bool_)):
        raise ResultsError(f"higher_is_better is True, False or None, not {higher_is_better!r}.")
    if measure is not None and (not isinstance(measure, str) or not measure.strip()):
        raise ResultsError(f"A measure is named by a text such as 'error', not {measure!r}.")
    design = None if sampling is None else parse_sampling(sampling)
    sheet = _sheet(source, columns, measure, design)
    crossed = is_crossed(design, sheet.called)
    items = crossed or (design is not None and design.name == "items")
    sheet = _named(_chosen(sheet, measure), higher_is_better, items)
    measures = _measures(sheet, higher_is_better)
    paired = design is None or not design.independent
    ragged = not paired and design is not None and design.samples is None
    sheet = sheet if paired else unpaired(sheet, ragged=ragged)
    samples = numbered(sheet)
    if paired:
        _check_shared(sheet, samples)
    grid = _grid(sheet, samples)
    drawn = _drawn(sheet, samples) if ragged else np.ones(grid.shape[:2], bool)
    return Results(
        scores=_scores(grid, drawn, sheet, samples),
        runs=_runs(grid, drawn, sheet, samples),
        failures=_none(FAILURES, sheet),
        warnings=_none(WARNINGS, sheet),
        sampling=completed(design, sheet, samples) if drawn.all() else design,
        measures=measures,
        name=sheet.name,
        facts=(_crossing if crossed else _clusters)(sheet, samples),
    )


def _sheet(source: Any, columns: Any, measure: str | None, design: Sampling | None) -> Sheet:
    found, scoring = getattr(source, "cv_results_", source), getattr(source, "scoring", None)
    said = said_columns(columns)
    if isinstance(found, pd.DataFrame) and is_search(found.columns):
        found = found.to_dict("list")
    if isinstance(found, Mapping) and any(role_of(f"{k}") in ABOUT_ROWS for k in {*found} - {"b"}):
        found = pd.DataFrame(found)  # the columns of a table: no algorithm is called dataset
    if not isinstance(found, Mapping):
        return table_sheet(found, said, measure, design)
    if said:
        raise ResultsError("columns is for tables; these scores have no columns to name.")
    return mapping_sheet(found, scoring, paired=design is None or not design.independent)


# -- measures -------------------------------------------------------------------------------


def _chosen(sheet: Sheet, asked: str | None) -> Sheet:
    """The sheet less the measures that are not asked for; the one that is has the name asked."""
    if asked is None:
        return sheet
    asked, names = asked.strip(), sheet.about["measure"].names
    alike = [i for i, n in enumerate(names) if n and same_measure(n, asked)]
    alike = [i for i in alike if plain(names[i]) == plain(asked)] or alike
    alike = alike or [i for i, n in enumerate(names) if not n]
    if len(alike) != 1:
        found = [names[i] for i in alike] or [n for n in names if n]
        raise ResultsError(unknown(f"measure of {sheet.what}", asked, found))
    kept = sheet.about["measure"].codes == alike[0]
    about = {role: column.rows(kept) for role, column in sheet.about.items()}
    about["measure"] = about["measure"]._replace(names=[asked])
    return replace(sheet, values=sheet.values[kept], row=sheet.row[kept], about=about)


def _named(sheet: Sheet, higher: bool | None, items: bool) -> Sheet:
    """The sheet with a name for a measure that neither the source nor the caller names."""
    measures = sheet.about["measure"]
    if "" not in measures.names:
        return sheet
    zero_or_one = np.isin(sheet.values[~np.isnan(sheet.values)], (0, 1)).all()
    if items and zero_or_one and higher is not False:
        name = "accuracy"
    elif higher is not None or sheet.higher is not None:
        name = "score"
    else:
        raise ResultsError(
            f"{sheet.what} does not say what its scores measure. Say it, as in --measure error "
            "(in Python: measure='error'), or which values are better: --higher-is-better or "
            "--lower-is-better (in Python: higher_is_better=True or False)."
        )
    named = measures._replace(names=[n or name for n in measures.names])
    return replace(sheet, about=sheet.about | {"measure": named})


def _measures(sheet: Sheet, higher: bool | None) -> dict[str, Measure]:
    """What the measures are; bounds are left out where scores, as percentages, do not keep them."""
    codes, names = sheet.about["measure"]
    found = {name: known_measure(name) for name in names}
    told = sheet.higher if higher is None else higher
    for code, (name, known) in enumerate(found.items()):
        if known is None:
            found[name] = _unknown(name, sheet, told)
            continue
        # beside unknown measures the direction is meant for those
        if told not in (None, known.higher_is_better) and all(found.values()):
            raise ResultsError(
                f"Of the measure '{name}' {known.direction} values are better, which contradicts "
                f"{'--higher' if told else '--lower'}-is-better (as all scores of scikit-learn "
                f"are). Leave the direction out, or give another name: --measure neg_{name}."
            )
        values, (low, high) = sheet.values[codes == code], known.bounds
        if ((values < low) | (values > high)).any():
            found[name] = replace(known, bounds=(-math.inf, math.inf), unit="")
    return found  # type: ignore[return-value]


def _unknown(name: str, sheet: Sheet, higher: bool | None) -> Measure:
    if higher is None:
        raise ResultsError(
            f"{sheet.what}: whether higher or lower values of '{name}' are better is not known. "
            "Say --higher-is-better or --lower-is-better (in Python: higher_is_better=True or "
            "False), or choose another measure."
        )
    return Measure(name, bool(higher))


# -- the tables -----------------------------------------------------------------------------


def _grid(sheet: Sheet, samples: Samples) -> np.ndarray:
    """The scores by sample (of all data sets), algorithm and measure; NaN where there is none."""
    algorithms, measures = sheet.about["algorithm"], sheet.about["measure"]
    shape = (len(samples.number), len(algorithms.names), len(measures.names))
    place = np.ravel_multi_index((samples.place, algorithms.codes, measures.codes), shape)
    _check_once(sheet, place)
    grid = np.full(shape, np.nan)
    grid.reshape(-1)[place] = sheet.values
    return grid


def _check_shared(sheet: Sheet, samples: Samples) -> None:
    """Refuse labels that differ between algorithms, such as row numbers: nothing is paired."""
    codes, names = sheet.about["algorithm"]
    columns = [c for r, c in sheet.called.items() if r in BLOCKS]
    pairs = np.unique(samples.place * len(names) + codes)
    if len(names) > 1 and columns and len(pairs) == len(samples.number):
        raise ResultsError(
            f"{sheet.what}: no sample ({', '.join(columns)}) has scores of two algorithms, so "
            "nothing can be compared. If these are no samples, leave them out: "
            f"{way_out(ignore=columns)}. If every algorithm has samples of its own, say so: "
            "--sampling bootstrap+independent."
        )


def _check_once(sheet: Sheet, place: np.ndarray) -> None:
    """Refuse two scores in one place."""
    again = pd.Series(place).duplicated().to_numpy()
    if not again.any():
        return
    second = int(np.argmax(again))
    first = int(np.argmax(place == place[second]))
    told = {r: c for r, c in sheet.about.items() if r not in ("cluster", "measure")}
    about = [f"{r} '{c.names[c.codes[second]]}'" for r, c in told.items()]
    raise ResultsError(
        f"{sheet.what} has two scores of {', '.join(about)}: {sheet.values[first]:g} in row "
        f"{sheet.row[first]} and {sheet.values[second]:g} in row {sheet.row[second]}. Leave one "
        f"out, or say which column tells them apart: --columns sample=COLUMN."
    )


def _column(sheet: Sheet, role: str, codes: np.ndarray) -> pd.Categorical:
    return pd.Categorical.from_codes(codes, categories=sheet.about[role].names)


def _runs_of(
    sheet: Sheet, samples: Samples, place: np.ndarray, algorithm: np.ndarray
) -> dict[str, Any]:
    return {
        "dataset": _column(sheet, "dataset", samples.dataset[place]),
        "algorithm": _column(sheet, "algorithm", algorithm),
        "sample": samples.number[place],
    }


def _drawn(sheet: Sheet, samples: Samples) -> np.ndarray:
    """Which samples an algorithm has, where each has its own; samples x algorithms."""
    algorithms = sheet.about["algorithm"]
    drawn = np.zeros((len(samples.number), len(algorithms.names)), bool)
    drawn[samples.place, algorithms.codes] = True
    return drawn


def _scores(grid: np.ndarray, drawn: np.ndarray, sheet: Sheet, samples: Samples) -> pd.DataFrame:
    """The long table; a measure of which a data set has no score is left out there."""
    starts = np.cumsum(samples.counts) - samples.counts
    has = np.logical_or.reduceat(~np.isnan(grid).all(axis=1), starts)
    has |= ~has.any(axis=1, keepdims=True)  # a data set without any score stays visible
    kept = has[samples.dataset][:, None, :] & drawn[:, :, None]
    place, algorithm, measure = np.nonzero(kept)
    scores = {"measure": _column(sheet, "measure", measure), "value": grid[kept]}
    return SCORES.shaped(pd.DataFrame(_runs_of(sheet, samples, place, algorithm) | scores))


def _runs(grid: np.ndarray, drawn: np.ndarray, sheet: Sheet, samples: Samples) -> pd.DataFrame:
    """One row per sample and algorithm; a run without any score is missing."""
    done = ~np.isnan(grid).all(axis=2)[drawn]
    place, algorithm = np.nonzero(drawn)
    unknown_times = np.full(done.size, np.nan)
    facts = {
        "status": pd.Categorical.from_codes(np.where(done, 2, 0), categories=STATES),
        "fit_time": unknown_times,
        "predict_time": unknown_times,
        "warnings": np.zeros(done.size, np.int64),
        "finished": pd.to_datetime(unknown_times, unit="s", utc=True),
        "session": np.zeros(done.size, np.int64),
    }
    return RUNS.shaped(pd.DataFrame(_runs_of(sheet, samples, place, algorithm) | facts))


def _none(table: Table, sheet: Sheet) -> pd.DataFrame:
    """A table without rows that knows the names."""
    nothing = np.empty(0, np.int64)
    columns = {role: _column(sheet, role, nothing) for role in ("dataset", "algorithm")}
    return table.empty().assign(**columns)


def _crossing(sheet: Sheet, samples: Samples) -> dict[str, dict[str, Any]]:
    """The training set and the item of each sample, by data set."""
    labels = {}
    for fact, role in (("training_sets", "repeat"), ("items", "sample")):
        codes, names = sheet.about[role]
        of_sample = np.zeros(len(samples.number), np.int64)
        of_sample[samples.place] = codes
        labels[fact] = np.array(names, object)[of_sample]
    return {
        name: {fact: each[samples.dataset == code].tolist() for fact, each in labels.items()}
        for code, name in enumerate(sheet.about["dataset"].names)
    }


def _clusters(sheet: Sheet, samples: Samples) -> dict[str, dict[str, Any]]:
    """The cluster of each sample, by data set; one label per sample."""
    if "cluster" not in sheet.about:
        return {}
    codes, labels = sheet.about["cluster"]
    of_sample = np.zeros(len(samples.number), np.int64)
    of_sample[samples.place[::-1]] = codes[::-1]  # the first row of a sample counts
    odd = np.flatnonzero(of_sample[samples.place] != codes)
    if odd.size:
        column, first = sheet.called["cluster"], odd[0]
        raise ResultsError(
            f"{sheet.what}, column '{column}', row {sheet.row[first]}: a sample belongs to one "
            f"cluster, and this one is in '{labels[of_sample[samples.place[first]]]}' and "
            f"'{labels[codes[first]]}'. If these are no clusters: {way_out(ignore=column)}."
        )
    return {
        name: {"clusters": [labels[c] for c in of_sample[samples.dataset == code]]}
        for code, name in enumerate(sheet.about["dataset"].names)
    }
