"""The summary table of scores: mean, sd, median, maximum, failures and missing runs."""

from __future__ import annotations

import pandas as pd

from podium.tables import SUMMARY


def summary(scores: pd.DataFrame, runs: pd.DataFrame, measures: list[str]) -> pd.DataFrame:
    """One row per data set, algorithm and measure, also where nothing has a score yet."""
    cells = ["dataset", "algorithm"]
    by_measure = scores.groupby([*cells, "measure"], observed=True)["value"]
    table = by_measure.agg(samples="count", mean="mean", sd="std", median="median", maximum="max")
    table = table.reset_index()
    status = runs.groupby(cells, observed=True)["status"]
    counts = pd.DataFrame(
        {
            "failures": status.agg(lambda s: int((s == "failed").sum())),
            "missing": status.agg(lambda s: int((s == "missing").sum())),
        }
    ).reset_index()
    every = counts.merge(pd.DataFrame({"measure": measures}), how="cross")
    table["measure"] = table["measure"].astype(str)
    full = every.merge(table, how="left", on=[*cells, "measure"])
    full["samples"] = full["samples"].fillna(0).astype(int)
    for column in cells:  # merging forgets the study's order
        full[column] = pd.Categorical(full[column], categories=runs[column].cat.categories)
    full["measure"] = pd.Categorical(full["measure"], categories=measures)
    return SUMMARY.shaped(full.sort_values(["dataset", "measure", "algorithm"], ignore_index=True))
