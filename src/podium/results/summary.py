"""The summary table of scores: mean, sd, median, maximum, failures and missing runs."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from podium.tables import SUMMARY

CELL = ["dataset", "algorithm"]


def summary(runs: pd.DataFrame, values: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """One row per data set, algorithm and measure, also where nothing has a score yet.

    `values` holds a table dataset, algorithm, sample, value for each measure. A run is a sample,
    a failure or missing; or its score is undefined, which no column counts.
    """
    full = pd.concat([_of_measure(runs, m, table) for m, table in values.items()])
    for column in CELL:  # joining forgets the study's order
        full[column] = pd.Categorical(full[column], categories=runs[column].cat.categories)
    full["measure"] = pd.Categorical(full["measure"], categories=list(values))
    return SUMMARY.shaped(full.sort_values(["dataset", "measure", "algorithm"], ignore_index=True))


def _of_measure(runs: pd.DataFrame, measure: str, values: pd.DataFrame) -> pd.DataFrame:
    every = runs[[*CELL, "sample", "status"]].merge(values, how="left", indicator="found")
    absent, failed = every["found"] == "left_only", every["status"] == "failed"
    every = every.assign(failures=absent & failed, missing=absent & ~failed)
    cells = every.groupby(CELL, observed=True)
    table = cells["value"].agg(
        samples="count", mean="mean", sd="std", median="median", maximum="max"
    )
    return table.join(cells[["failures", "missing"]].sum()).reset_index().assign(measure=measure)
