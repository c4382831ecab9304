"""The scores that a plot shows: samples x algorithms in the measure's own unit and sign."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from podium.errors import ResultsError
from podium.measures import Measure
from podium.plots.given import checked
from podium.plots.words import listed, plural, short, without_scores
from podium.registry import unknown
from podium.results.results import Results


@dataclass(frozen=True, eq=False)
class Scores:
    """Blocks x algorithms (in the study's order), with gaps; what it measures, and where.

    `block` is what a row is: sample, or data set where each cell is the mean over its samples.
    `silent` are the blocks without any score, which have no row.
    """

    table: pd.DataFrame
    measure: Measure
    dataset: str = ""  # empty where rows are data sets
    block: str = "sample"
    silent: tuple[str, ...] = ()

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
    def remarks(self) -> list[str]:
        """What cannot be shown: algorithms and blocks without a score, and gaps."""
        gone = self.table.columns[self.table.isna().all()].tolist()
        gaps = int(self.table.isna().to_numpy().sum()) - len(gone) * len(self.table)
        missing = f"{plural(gaps, 'score', 'is', 'are')} missing and not shown."
        return without_scores(gone) + ([missing] if gaps else []) + self.silence

    @property
    def silence(self) -> list[str]:
        """A remark on the blocks without any score, where there are some."""
        if not self.silent:
            return []
        return [
            f"Without any score: {self.block}{'s' * (len(self.silent) > 1)} {listed(self.silent)}."
        ]


def scores_of(results: Results, measure: str | None = None, dataset: str | None = None) -> Scores:
    """The scores of one measure (the first unless said) on one data set.

    Where there are several data sets and none is named, rows are data sets, their samples averaged.
    Scores that are not finite are gaps.
    """
    measures = checked(results, Results).measures
    name = measure or next(iter(measures), "")
    rows, datasets = results.values(name), results.datasets
    if dataset is not None and dataset not in datasets:
        raise ResultsError(unknown("data set of these results", dataset, datasets))
    one = dataset or (datasets[0] if len(datasets) == 1 else None)
    rows = rows[np.isfinite(rows["value"].to_numpy(float))]
    if one is not None:
        rows = rows[rows["dataset"] == one]
    table = _wide(rows, "dataset" if one is None else "sample", results.algorithms)
    if table.empty:
        raise ResultsError(f"There is no score of '{name}' to show{f' on {one}' if one else ''}.")
    block = "data set" if one is None else "sample"
    silent = _silent(results, one, set(table.index))
    return Scores(table, results.measure(name), one or "", block, silent)


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
