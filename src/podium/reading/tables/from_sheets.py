"""Sheets become `Results`: whatever the source was, the tables are those of a store.

Nothing is guessed: what a source does not say (the sampling, which values are better) is said by
the caller or asked for.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from podium.core.base.errors import ResultsError
from podium.core.base.tables import ANSWERS, FAILURES, RUNS, SCORES, WARNINGS, Table
from podium.core.results.pass_at import check_answers, pass_rate, passed
from podium.core.results.results import ITEM_NAMES, ReadAs, Results
from podium.core.results.results import named as named_roles
from podium.core.samplings import ITEMS, Sampling
from podium.reading.cells.columns import Coded, number_of
from podium.reading.cells.vocabulary import (
    BLOCKS,
    CONDITION,
    CONDITION_PARTS,
    OF_BLOCKS,
    Options,
    way_out,
)
from podium.reading.tables.sheet_measures import check_claims, chosen, measured, named
from podium.reading.tables.sheets import (
    Samples,
    Sheet,
    answered,
    completed,
    is_crossed,
    numbered,
    unpaired,
)

# -- training seeds in tables ---------------------------------------------------------------------
# Those within splits are averaged, each algorithm's own are numbered.


CELL = ("dataset", "algorithm", "measure", "repeat", "sample")


def own_runs(sheet: Sheet) -> Sheet:
    """The sheet with every algorithm's runs numbered for themselves; items stay what they are."""
    runs = sheet.about["repeat"]
    cells = [sheet.about[role].codes for role in ("dataset", "algorithm")]
    number = pd.Series(runs.codes).groupby(cells).rank(method="dense").to_numpy(np.int64) - 1
    names = [str(i + 1) for i in range(int(number.max(initial=0)) + 1)]
    return replace(sheet, about=sheet.about | {"repeat": Coded(number, names)})


def over_seeds(sheet: Sheet) -> tuple[Sheet, dict[str, dict[str, Any]]]:
    """The sheet with the mean over the seeds of every split, and how seeds vary, by data set.

    The fact `seeds` has the least and the largest number of seeds of a split, and the variance
    between seeds of one split, by measure and algorithm.
    """
    if "seed" not in sheet.about:
        return sheet, {}
    frame = pd.DataFrame({r: sheet.about[r].codes for r in CELL if r in sheet.about})
    cell = frame.columns.tolist()
    _seeds_check_once(sheet, frame.assign(seed=sheet.about["seed"].codes))
    frame = frame.assign(value=sheet.values, row=sheet.row)
    groups = frame.groupby(cell, sort=False)
    result = groups.agg(value=("value", "mean"), row=("row", "first")).reset_index()
    about = {r: Coded(result[r].to_numpy(np.int64), sheet.about[r].names) for r in cell}
    averaged = replace(
        sheet, values=result["value"].to_numpy(float), row=result["row"].to_numpy(), about=about
    )
    return averaged, _within(sheet, groups["value"].agg(["count", "var"]).reset_index())


def _seeds_check_once(sheet: Sheet, place: pd.DataFrame) -> None:
    again = place.duplicated().to_numpy()
    if again.any():
        row = sheet.row[int(np.argmax(again))]
        raise ResultsError(
            f"{sheet.what}, row {row}: this split, seed and algorithm have a score already. Leave "
            "one out."
        )


def _within(sheet: Sheet, cells: pd.DataFrame) -> dict[str, dict[str, Any]]:
    """How many seeds splits have, and the pooled variance between them."""
    cells = cells[cells["count"] > 0]
    cells = cells.assign(free=cells["count"] - 1)
    cells = cells.assign(squares=cells["var"].fillna(0.0) * cells["free"])
    names = {r: sheet.about[r].names for r in ("dataset", "measure", "algorithm")}
    facts: dict[str, dict[str, Any]] = {}
    for code, of_set in cells.groupby("dataset"):
        sums = of_set.groupby(["measure", "algorithm"])[["squares", "free"]].sum()
        variances: dict[str, dict[str, float]] = {}
        for (m, a), row in sums[sums["free"] > 0].iterrows():
            of_measure = variances.setdefault(names["measure"][m], {})
            of_measure[names["algorithm"][a]] = float(row["squares"] / row["free"])
        facts[names["dataset"][code]] = {
            "seeds": {
                "least": int(of_set["count"].min()),
                "most": int(of_set["count"].max()),
                "within": variances,
            }
        }
    return facts


# -- from sheets ----------------------------------------------------------------------------------


OWN_RUNS = "or, if every algorithm has runs of its own, use --sampling seeds"
STATES = ["missing", "failed", "done"]  # in the order of results read from a store


def results_from(sheet: Sheet, options: Options) -> Results:
    """The results in a sheet, as the caller means it; pass@k and pass^k are made of its answers."""
    rate = pass_rate(options.measure)
    if rate is None or options.measure in sheet.about["measure"].names:
        return _results_from(sheet, options)
    check_answers(sheet.values)
    return passed(_results_from(sheet, replace(options, measure=None)), rate)


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
        _check_spelling(sheet, samples)
        _check_shared(sheet, samples)
    grid = _grid(sheet, samples)
    drawn = _drawn(sheet, samples) if ragged else np.ones(grid.shape[:2], bool)
    notes = check_claims(sheet, design, samples, grid, options.columns)
    runs = _runs(grid, drawn, sheet, samples)
    return Results(
        scores=_scores(grid, drawn, sheet, samples, runs),
        runs=runs,
        failures=_failures(grid, sheet, samples),
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
        design={"read_as": _read_as(sheet)},
    )


def _read_as(sheet: Sheet) -> ReadAs:
    """What the columns of a table were taken for, and which are not used."""
    unused = [c for n in sheet.notes if n.code == "unused-columns" for c in n.columns]
    left = [c for n in sheet.notes if n.code == "summary-columns" for c in n.names]
    why = dict.fromkeys(sheet.said.get("ignore", ()), "left out as said")
    why |= dict.fromkeys(unused, "no role") | dict.fromkeys(left, "summarises others")
    roles = {role: [column] for role, column in sheet.called.items()}
    across = () if "algorithm" in sheet.called else tuple(sheet.about["algorithm"].names)
    return ReadAs(
        named_roles(roles), ("algorithm", *across) if across else (), unused=tuple(why.items())
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
    pairs = samples.place * len(names) + codes
    number = number_of(pairs, len(samples.number) * len(names))
    if len(names) > 1 and columns and number == len(samples.number):
        raise ResultsError(
            f"{sheet.what}: no sample ({', '.join(columns)}) has scores of two algorithms, so "
            "nothing can be compared. If these are no samples, leave them out: "
            f"{way_out(sheet.said, ignore=columns)}. If every algorithm has samples of its own, "
            "say so: --sampling bootstrap+independent."
        )


def _check_once(sheet: Sheet, place: np.ndarray) -> None:
    """Refuse two scores in one place."""
    if len(place) == np.count_nonzero(np.bincount(place)):
        return
    again = pd.Series(place).duplicated().to_numpy()
    second = int(np.argmax(again))
    first = int(np.argmax(place == place[second]))
    messages = {
        r: c for r, c in sheet.about.items() if r not in (*OF_BLOCKS, *CONDITION_PARTS, "measure")
    }
    about = [f"{r} '{c.names[c.codes[second]]}'" for r, c in messages.items()]
    raise ResultsError(
        f"{sheet.what} has two scores of {', '.join(about)}: {sheet.values[first]:g} in row "
        f"{sheet.row[first]} and {sheet.values[second]:g} in row {sheet.row[second]}. Leave one "
        "out, or add a column that separates them, such as sample, fold or seed"
        + ("." if any(b in sheet.called for b in BLOCKS) else f"; {OWN_RUNS}.")
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


def _scores(
    grid: np.ndarray, drawn: np.ndarray, sheet: Sheet, samples: Samples, runs: pd.DataFrame
) -> pd.DataFrame:
    """The long table; a measure of which a data set has no score is left out there."""
    starts = np.cumsum(samples.counts) - samples.counts
    has = np.logical_or.reduceat(~np.isnan(grid).all(axis=1), starts)
    has |= ~has.any(axis=1, keepdims=True)  # a data set without any score stays visible
    if grid.shape[2] == 1 and has.all() and drawn.all():  # a score of every run
        only = _column(sheet, "measure", np.zeros(len(runs), np.int8))
        about = runs.iloc[:, : len(RUNS.key)]
        return about.assign(measure=only, value=grid.reshape(-1))
    kept = has[samples.dataset][:, None, :] & drawn[:, :, None]
    place, algorithm, measure = np.nonzero(kept)
    scores = {"measure": _column(sheet, "measure", measure), "value": grid[kept]}
    columns = _runs_of(sheet, samples, place, algorithm) | scores
    return SCORES.shaped(pd.DataFrame(columns, copy=False))


def _runs(grid: np.ndarray, drawn: np.ndarray, sheet: Sheet, samples: Samples) -> pd.DataFrame:
    """One row per sample and algorithm; a run without any score is missing, or has failed."""
    done = ~np.isnan(grid).all(axis=2)[drawn]
    failed = np.zeros(grid.shape[:2], bool)
    for run in _words(grid, sheet, samples) if sheet.failed else ():
        failed[run] = True
    place, algorithm = np.nonzero(drawn)
    never = pd.DatetimeIndex(np.array(["NaT"], "datetime64[ns]"), tz="UTC")
    facts = {
        "status": pd.Categorical.from_codes(
            np.where(done, 2, failed[drawn].astype(int)), categories=STATES
        ),
        "fit_time": np.full(done.size, np.nan),
        "warnings": np.zeros(done.size, np.int64),
        "finished": never.repeat(done.size),
        "session": np.zeros(done.size, np.int64),
    }
    frame = pd.DataFrame(_runs_of(sheet, samples, place, algorithm) | facts, copy=False)
    frame.insert(list(RUNS.columns).index("predict_time"), "predict_time", frame["fit_time"])
    return RUNS.shaped(frame)


def _words(grid: np.ndarray, sheet: Sheet, samples: Samples) -> dict[tuple[int, int], str]:
    """The words that stand for runs without any score, by sample and algorithm."""
    codes, names = sheet.about["algorithm"]
    empty = np.isnan(grid).all(axis=2)[samples.place, codes]
    results = {}
    for at in np.flatnonzero(empty & np.isin(sheet.row, [row for row, _ in sheet.failed])):
        if word := sheet.failed.get((int(sheet.row[at]), names[codes[at]])):
            results[int(samples.place[at]), int(codes[at])] = word
    return results


def _failures(grid: np.ndarray, sheet: Sheet, samples: Samples) -> pd.DataFrame:
    """The runs that failed, by the words in their cells."""
    words = _words(grid, sheet, samples) if sheet.failed else {}
    if not words:
        return _none(FAILURES, sheet)
    runs = np.array([*words])
    messages = {"exception": [*words.values()], "message": "", "traceback": ""}
    about = _runs_of(sheet, samples, runs[:, 0], runs[:, 1])
    return FAILURES.shaped(pd.DataFrame(about | messages))


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
        name: {
            **{fact: each[samples.dataset == code].tolist() for fact, each in labels.items()},
            **_factors(sheet, samples, code),
        }
        for code, name in enumerate(sheet.about["dataset"].names)
    }


def _factors(sheet: Sheet, samples: Samples, dataset: int) -> dict[str, Any]:
    """Of every sample the two conditions that it was tried under, by their columns."""
    if CONDITION_PARTS[0] not in sheet.about:
        return {}
    results = {}
    for role, column in zip(CONDITION_PARTS, sheet.called[CONDITION].split("+"), strict=True):
        codes, names = sheet.about[role]
        of_sample = np.zeros(len(samples.number), np.int64)
        of_sample[samples.place] = codes
        results[column] = [names[c] for c in of_sample[samples.dataset == dataset]]
    return {"factors": results}


def _item_names(sheet: Sheet, samples: Samples) -> dict[str, dict[str, Any]]:
    """The name of each item, by data set, by which it is found again in other files."""
    if "item" not in sheet.called:
        return {}
    codes, names = sheet.about["sample"]
    of_sample = np.zeros(len(samples.number), np.int64)
    of_sample[samples.place] = codes
    return {
        name: {ITEM_NAMES: [names[c] for c in of_sample[samples.dataset == code]]}
        for code, name in enumerate(sheet.about["dataset"].names)
    }


def _check_spelling(sheet: Sheet, samples: Samples) -> None:
    """Refuse names that differ in capitals or blanks alone, where no sample has both."""
    codes, names = sheet.about["algorithm"]
    by_letters: dict[str, list[int]] = {}
    for code, name in enumerate(names):
        by_letters.setdefault("".join(str(name).casefold().split()), []).append(code)
    for first, *others in by_letters.values():
        for other in others:
            own = {*samples.place[codes == first]}
            if not own & {*samples.place[codes == other]}:
                raise ResultsError(
                    f"{sheet.what}: '{names[first]}' and '{names[other]}' have no sample in common "
                    "and may be one algorithm. Write its name alike, or rename one of them."
                )


FACTS = {"cluster": "clusters", "stratum": "strata"}


def _belongs(sheet: Sheet, samples: Samples, role: str) -> dict[str, dict[str, Any]]:
    """The cluster or stratum of each sample, by data set; one label per sample."""
    if role not in sheet.about:
        return {}
    codes, labels = sheet.about[role]
    if role == "cluster" and len(labels) < 2 <= len(samples.number):  # all are in one
        return {}
    of_sample = np.zeros(len(samples.number), np.int64)
    of_sample[samples.place[::-1]] = codes[::-1]  # the first row of a sample counts
    odd = np.flatnonzero(of_sample[samples.place] != codes)
    if odd.size:
        column, first = sheet.called[role], odd[0]
        raise ResultsError(
            f"{sheet.what}, column '{column}', row {sheet.row[first]}: a sample belongs to one "
            f"{role}, and this one is in '{labels[of_sample[samples.place[first]]]}' and "
            f"'{labels[codes[first]]}'. If these are no {FACTS[role]}: "
            f"{way_out(sheet.said, ignore=column)}."
        )
    return {
        name: {FACTS[role]: [labels[c] for c in of_sample[samples.dataset == code]]}
        for code, name in enumerate(sheet.about["dataset"].names)
    }
