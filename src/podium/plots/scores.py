"""The scores that a plot shows: samples x algorithms in the measure's own unit and sign."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from podium.errors import ResultsError
from podium.measures import Measure
from podium.registry import unknown
from podium.results.results import Results


@dataclass(frozen=True, eq=False)
class Scores:
    """Blocks x algorithms (in the study's order), with gaps; what it measures, and where.

    `block` is what a row is: sample, or data set where each cell is the mean over its samples.
    """

    table: pd.DataFrame
    measure: Measure
    dataset: str = ""  # empty where rows are data sets
    block: str = "sample"

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
        return self.dataset or f"{len(self.table)} data sets"

    @property
    def remarks(self) -> list[str]:
        """What cannot be shown: algorithms without a score, and gaps."""
        gone = self.table.columns[self.table.isna().all()]
        gaps = int(self.table.isna().to_numpy().sum()) - len(gone) * len(self.table)
        said = [f"No scores: {', '.join(map(str, gone))}."] if len(gone) else []
        return said + ([f"{gaps} scores are missing and not shown."] if gaps else [])


def scores_of(results: Results, measure: str | None = None, dataset: str | None = None) -> Scores:
    """The scores of one measure (the first unless said) on one data set.

    Where there are several data sets and none is named, rows are data sets, their samples averaged.
    Scores that are not finite are gaps.
    """
    name = measure or next(iter(results.measures), "")
    chosen = results.measure(name)
    datasets = results.datasets
    if dataset is not None and dataset not in datasets:
        raise ResultsError(unknown("data set of these results", dataset, datasets))
    one = dataset or (datasets[0] if len(datasets) == 1 else None)
    rows = results.values(name)
    rows = rows[np.isfinite(rows["value"].to_numpy(float))]
    if one is not None:
        rows = rows[rows["dataset"] == one]
    table = _wide(rows, "dataset" if one is None else "sample", results.algorithms)
    if table.empty:
        raise ResultsError(f"There is no score of '{name}' to show{f' on {one}' if one else ''}.")
    return Scores(table, chosen, one or "", "data set" if one is None else "sample")


def _wide(rows: pd.DataFrame, block: str, algorithms: list[str]) -> pd.DataFrame:
    means = rows.groupby([block, "algorithm"], observed=True)["value"].mean().unstack("algorithm")
    return pd.DataFrame(
        means.to_numpy(float),
        index=means.index.astype(object),
        columns=list(means.columns.astype(str)),
    ).reindex(columns=algorithms)
