"""Sheets become `Results`: whatever the source was, the tables are those of a store.

Nothing is guessed: what a source does not say (the sampling, which values are better) is said by
the caller or asked for.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from podium.errors import ResultsError
from podium.results.contradictions import check_claims
from podium.results.pass_at import asked_k, check_answers, passed
from podium.results.results import Results
from podium.results.seeds import over_seeds, own_runs
from podium.results.sheet_measures import chosen, measured, named
from podium.results.sheets import (
    Samples,
    Sheet,
    answered,
    completed,
    is_crossed,
    numbered,
    unpaired,
)
from podium.results.vocabulary import BLOCKS, CONDITION, OF_BLOCKS, Options, way_out
from podium.samplings import ITEMS, Sampling
from podium.tables import ANSWERS, FAILURES, RUNS, SCORES, WARNINGS, Table

STATES = ["missing", "failed", "done"]  # in the order of results read from a store


def results_from(sheet: Sheet, options: Options) -> Results:
    """The results in a sheet, as the caller means it; pass@k is made of its answers."""
    k = asked_k(options.measure)
    if k is None or options.measure in sheet.about["measure"].names:
        return _results_from(sheet, options)
    check_answers(sheet.values)
    return passed(_results_from(sheet, replace(options, measure=None)), k)


def _results_from(sheet: Sheet, options: Options) -> Results:
    """The results in a sheet, as the caller means it.

    A missing score has a row with a missing value in `scores`, where its data set has scores of
    that measure at all; a run without any score is missing in `runs`. Samples are numbered from
    1 within each data set, repeat by repeat. Clusters of items are in `facts`, by sample.
    """
    if options.sampling is None and sheet.design is not None:
        options = replace(options, sampling=sheet.design)
    design, higher = options.sampling, options.higher_is_better
    tried = CONDITION in sheet.called
    crossed = is_crossed(design, sheet.called) or tried
    items = crossed or (design is not None and design.name == ITEMS.name)
    sheet = named(chosen(sheet, options.measure), higher, items)
    sheet, measures = measured(sheet, higher)
    sheet = answered(sheet) if "item" in sheet.called and (tried or not crossed) else sheet
    ragged = not options.paired and design is not None and design.samples is None
    sheet, of_seeds = over_seeds(sheet)
    if not options.paired:
        sheet = own_runs(sheet) if crossed else unpaired(sheet, ragged=ragged)
    samples = numbered(sheet)
    if options.paired:
        _check_shared(sheet, samples)
    grid = _grid(sheet, samples)
    drawn = _drawn(sheet, samples) if ragged else np.ones(grid.shape[:2], bool)
    notes = check_claims(sheet, design, samples, grid, options.columns)
    return Results(
        scores=_scores(grid, drawn, sheet, samples),
        runs=_runs(grid, drawn, sheet, samples),
        failures=_none(FAILURES, sheet),
        warnings=_none(WARNINGS, sheet),
        sampling=_completed(design, sheet, samples) if drawn.all() else design,
        measures=measures,
        name=sheet.name,
        facts=_together(
            _crossing(sheet, samples) if crossed else {},
            _belongs(sheet, samples, "cluster") if tried or not crossed else {},
            _belongs(sheet, samples, "stratum"),
            _item_names(sheet, samples) if not crossed else {},
            of_seeds,
        ),
        notes=(*sheet.notes, *notes),
        answers=_answers(sheet, samples),
    )


def _completed(design: Sampling | None, sheet: Sheet, samples: Samples) -> Sampling | None:
    """The sampling with its numbers; one that the table carries itself need not have them."""
    try:
        return completed(design, sheet, samples)
    except ResultsError:
        if sheet.design is None or design != sheet.design:
            raise
        return design


def _together(*several: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Facts by data set, of several kinds."""
    names = dict.fromkeys(name for facts in several for name in facts)
    return {n: {k: v for facts in several for k, v in facts.get(n, {}).items()} for n in names}


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
            f"{_way_out(sheet, columns)}. If every algorithm has samples of its own, say so: "
            "--sampling bootstrap+independent."
        )


def _way_out(sheet: Sheet, columns: list[str]) -> str:
    """How to leave columns out, besides what was said already."""
    rest = {r: [c for c in names if c not in columns] for r, names in sheet.said.items()}
    said = {r: names for r, names in rest.items() if names and r != "ignore"}
    return way_out(**said, ignore=[*rest.get("ignore", []), *columns])


def _check_once(sheet: Sheet, place: np.ndarray) -> None:
    """Refuse two scores in one place."""
    again = pd.Series(place).duplicated().to_numpy()
    if not again.any():
        return
    second = int(np.argmax(again))
    first = int(np.argmax(place == place[second]))
    told = {r: c for r, c in sheet.about.items() if r not in (*OF_BLOCKS, "measure")}
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


def _answers(sheet: Sheet, samples: Samples) -> pd.DataFrame:
    """How many answers every score is the mean of, and how these vary; no rows of single ones."""
    if sheet.answers is None:
        return ANSWERS.empty()
    about = _runs_of(sheet, samples, samples.place, sheet.about["algorithm"].codes)
    measure = _column(sheet, "measure", sheet.about["measure"].codes)
    each = {"count": sheet.answers.count, "variance": sheet.answers.variance}
    return ANSWERS.shaped(pd.DataFrame({**about, "measure": measure, **each}))


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


def _item_names(sheet: Sheet, samples: Samples) -> dict[str, dict[str, Any]]:
    """What the items are called, by data set."""
    if "item" not in sheet.called:
        return {}
    codes, names = sheet.about["sample"]
    of_sample = np.zeros(len(samples.number), np.int64)
    of_sample[samples.place] = codes
    return {
        name: {"item_names": [names[c] for c in of_sample[samples.dataset == code]]}
        for code, name in enumerate(sheet.about["dataset"].names)
    }


FACTS = {"cluster": "clusters", "stratum": "strata"}


def _belongs(sheet: Sheet, samples: Samples, role: str) -> dict[str, dict[str, Any]]:
    """The cluster or stratum of each sample, by data set; one label per sample."""
    if role not in sheet.about:
        return {}
    codes, labels = sheet.about[role]
    of_sample = np.zeros(len(samples.number), np.int64)
    of_sample[samples.place[::-1]] = codes[::-1]  # the first row of a sample counts
    odd = np.flatnonzero(of_sample[samples.place] != codes)
    if odd.size:
        column, first = sheet.called[role], odd[0]
        raise ResultsError(
            f"{sheet.what}, column '{column}', row {sheet.row[first]}: a sample belongs to one "
            f"{role}, and this one is in '{labels[of_sample[samples.place[first]]]}' and "
            f"'{labels[codes[first]]}'. If these are no {FACTS[role]}: {_way_out(sheet, [column])}."
        )
    return {
        name: {FACTS[role]: [labels[c] for c in of_sample[samples.dataset == code]]}
        for code, name in enumerate(sheet.about["dataset"].names)
    }
