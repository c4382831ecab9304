"""The scores that a plot shows: blocks x algorithms in the measure's own unit and sign."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from podium.base.errors import ResultsError
from podium.base.formatting import short
from podium.base.registry import unknown
from podium.drawing.emphasis import MOST_LEADING, SEEN, Emphasis
from podium.drawing.records import checked
from podium.inference.bricks.contrasts import check_count
from podium.questions.measures import Measure
from podium.reading.results import Results
from podium.words.facts import Note


@dataclass(frozen=True, eq=False)
class Scores:
    """Blocks x algorithms (in the study's order), with gaps; what it measures, and where.

    `block` is what a row is: sample, or data set where each cell is the mean over its samples.
    `silent` are the blocks without any score, which have no row. `noun` is what a cell is.
    """

    table: pd.DataFrame
    measure: Measure
    dataset: str = ""  # empty where rows are data sets
    block: str = "sample"
    silent: tuple[str, ...] = ()
    noun: str = "score"

    @property
    def algorithms(self) -> list[str]:
        """The algorithms, in the study's order."""
        return [str(name) for name in self.table.columns]

    @property
    def label(self) -> str:
        """The measure with its direction, for an axis."""
        return f"{self.measure.name} ({self.measure.direction} is better)"

    @property
    def title(self) -> str:
        """Where the scores are from."""
        return short(self.dataset, 46) or f"{len(self.table)} data sets"

    @property
    def notes(self) -> list[Note]:
        """What cannot be shown: algorithms and blocks without a score, and gaps."""
        gone = self.table.columns[self.table.isna().all()].tolist()
        gaps = int(self.table.isna().to_numpy().sum()) - len(gone) * len(self.table)
        return [
            *without_scores(gone, self.noun),
            *missing(gaps, "shown", self.noun),
            *self.silence,
        ]

    @property
    def silence(self) -> list[Note]:
        """The blocks without any score, where there are some."""
        facts = {"noun": self.noun, "block": self.block, "names": self.silent}
        return [Note("plot-silent", **facts)] if self.silent else []


def without_scores(names: Sequence[str], noun: str = "score") -> list[Note]:
    """Algorithms that are not shown, where there are any."""
    return [Note("plot-no-scores", algorithms=tuple(names), noun=noun)] if len(names) else []


def missing(count: int, use: str, noun: str = "score") -> list[Note]:
    """Gaps, where there are any, and what they were not used for."""
    return [Note("plot-missing", count=count, noun=noun, use=use)] if count else []


def scores_of(results: Results, measure: str | None = None, dataset: str | None = None) -> Scores:
    """The scores of one measure (the first unless said) on one data set.

    Where there are several data sets and none is named, rows are data sets, their samples averaged.
    Scores that are not finite are gaps.
    """
    measures = checked(results, Results).measures
    check_count(len(results.algorithms))
    name = measure or next(iter(measures), "")
    known, datasets = _finite(results, name), results.datasets
    if dataset is not None and dataset not in datasets:
        raise ResultsError(unknown("data set of these results", dataset, datasets))
    one = dataset or (datasets[0] if len(datasets) == 1 else None)
    rows = known.rows if one is None else known.rows.iloc[known.places.get(one, [])]
    table = _wide(rows, "dataset" if one is None else "sample", results.algorithms)
    if table.empty:
        raise ResultsError(f"There is no score of '{name}' to show{f' on {one}' if one else ''}.")
    block = "data set" if one is None else "sample"
    silent = _silent(results, one, set(table.index))
    return Scores(table, results.measure(name), one or "", block, silent)


@dataclass(frozen=True, eq=False)
class _Finite:
    """Rows with a finite score, and where those of every data set are."""

    rows: pd.DataFrame
    places: Mapping[str, np.ndarray]


_kept: dict[tuple[int, str], _Finite] | None = None  # by results and measure


@contextlib.contextmanager
def kept_scores() -> Iterator[None]:
    """Scores are looked up once inside: a trellis asks for those of every data set."""
    global _kept
    before, _kept = _kept, {}
    try:
        yield
    finally:
        _kept = before


def _finite(results: Results, measure: str) -> _Finite:
    key = (id(results), measure)
    if _kept is not None and key in _kept:
        return _kept[key]
    every = results.values(measure)
    rows = every[np.isfinite(every["value"].to_numpy(float))]
    result = _Finite(rows, rows.groupby("dataset", observed=True).indices)
    if _kept is not None:
        _kept[key] = result
    return result


def _silent(results: Results, dataset: str | None, scored: set[object]) -> tuple[str, ...]:
    """The data sets, or the samples of one, that were run and are not among those with scores."""
    runs = results.runs
    every = runs["dataset"] if dataset is None else runs.loc[runs["dataset"] == dataset, "sample"]
    return tuple(str(block) for block in every.unique() if block not in scored)


def _wide(rows: pd.DataFrame, block: str, algorithms: list[str]) -> pd.DataFrame:
    means = rows.groupby([block, "algorithm"], observed=True)["value"].mean().unstack("algorithm")
    return pd.DataFrame(
        means.to_numpy(float),
        index=means.index.astype(object),
        columns=list(means.columns.astype(str)),
    ).reindex(columns=algorithms)


# -- who is best ----------------------------------------------------------------------------------


def by_mean_rank(results: Results, measure: str | None = None) -> list[str]:
    """The algorithms that have scores, by their mean rank over data sets, or samples of one."""
    scores = scores_of(results, measure)
    ranks = scores.table.rank(axis=1, ascending=not scores.measure.higher_is_better)
    return [str(name) for name in ranks.mean().dropna().sort_values(kind="stable").index]


def _seen(results: Results) -> Emphasis:
    try:
        return Emphasis(tuple(by_mean_rank(results)[:MOST_LEADING]))
    except ResultsError:  # no score: the plot says so itself
        return Emphasis()


SEEN[Results] = _seen


# -- without gaps ---------------------------------------------------------------------------------


def without_gaps(*scores: Scores) -> tuple[list[pd.DataFrame], list[Note]]:
    """Blocks x algorithms of one or more measures without gaps, and what is left out for it.

    Algorithms that lack all scores of a measure are left out, then the blocks with a gap: places
    and means of algorithms are compared fairly only over the same blocks.
    """
    blocks = scores[0].table.index
    for more in scores[1:]:
        blocks = blocks.union(more.table.index, sort=False)
    tables = [s.table.reindex(blocks) for s in scores]
    there = np.logical_and.reduce([t.notna().any().to_numpy() for t in tables])
    tables = [t.loc[:, there] for t in tables]
    full = np.logical_and.reduce([t.notna().all(axis=1).to_numpy() for t in tables])
    if not (there.any() and full.any()):
        raise ResultsError(
            f"No {scores[0].block} has scores of all algorithms: leave out those with gaps, as in "
            "results.filter(algorithm=[...])."
        )
    gone = [name for name, kept in zip(scores[0].algorithms, there, strict=True) if not kept]
    names = set(blocks.astype(str))
    silent = replace(scores[0], silent=tuple(b for b in scores[0].silent if b not in names))
    notes = without_scores(gone) + _left_out(full, scores[0].block) + silent.silence
    return [t[full] for t in tables], notes


def _left_out(full: np.ndarray, block: str) -> list[Note]:
    if full.all():
        return []
    return [Note("plot-incomplete", block=block, count=int((~full).sum()), of=len(full))]


# -- over data sets -------------------------------------------------------------------------------


def over_datasets(results: Results, measure: str | None, what: str) -> Scores:
    """Data sets x algorithms: mean scores; refused for a single data set."""
    datasets = checked(results, Results).datasets
    if len(datasets) < 2:
        raise ResultsError(f"{what} needs several data sets; there is only '{datasets[0]}'.")
    return scores_of(results, measure)


def uneven(results: Results, scores: Scores) -> list[Note]:
    """Means over fewer samples than others, where there are any."""
    rows = _finite(results, scores.measure.name).rows
    counts = rows.groupby(["dataset", "algorithm"], observed=True).size().unstack()
    fewer = int((counts.lt(counts.max(axis=1), axis=0) & counts.notna()).to_numpy().sum())
    means = int(scores.table.count().sum())
    return [Note("plot-uneven", count=fewer, of=means)] if fewer else []


def column(scores: Scores, name: str) -> pd.Series:
    """The scores of an algorithm; a name that there is not is refused."""
    if name not in scores.algorithms:
        raise ResultsError(unknown("algorithm of these results", name, scores.algorithms))
    return scores.table[name]


def equal_but_for_rounding(first: pd.Series, second: pd.Series) -> np.ndarray:
    """Where two columns of scores are tied."""
    return np.isclose(first.to_numpy(float), second.to_numpy(float), rtol=1e-12, atol=0.0)
