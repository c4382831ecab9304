"""Variance of the true difference against the error of its estimate (boulesteix2013, equation 4).

Differences between data sets vary because distributions differ, and because each is estimated on
one sample of its distribution. Several data sets of every distribution, such as disjoint parts of a
large one, tell the two apart; more splits of one data set cannot.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from podium.base.errors import InferenceError
from podium.base.registry import unknown
from podium.planning.pilot import components
from podium.reading.results import Results
from podium.words.facts import Note
from podium.words.notes.of_neutrality import true_differences_lines
from podium.words.presentation import Presented

CALLED = {
    "datasets": "distributions",
    "samples": "per_distribution",
    "sd": "sd_of_means",
    "between_sd": "sd_true",
    "between_lower": "sd_true_lower",
    "between_upper": "sd_true_upper",
    "resampling_sd": "sd_error",
}


@dataclass(frozen=True, eq=False, repr=False)
class TrueDifferences(Presented):
    """What the variance of differences over data sets consists of.

    Attributes
    ----------
    table : of every pair the mean difference, `sd_true` of true differences between distributions
        with its interval, `sd_error` of the estimate on one data set about its distribution's, and
        `share_error`: of the variance between single data sets, what is error.
    """

    table: pd.DataFrame
    measure: str
    notes: tuple[Note, ...] = field(default=())

    def _said(self) -> list[str]:
        return true_differences_lines(self.table, self.measure)

    def _tables(self) -> dict[str, pd.DataFrame]:
        return {"Pairs": self.table}


def true_differences(
    results: Results,
    distributions: Mapping[str, Sequence[str]] | pd.DataFrame,
    *,
    measure: str | None = None,
    level: float = 0.95,
) -> TrueDifferences:
    """The variance of true differences and that of their estimates' errors, of every pair.

    Parameters
    ----------
    distributions : `{"adult": ["adult 1", "adult 2", ...], ...}`, the data sets of every one, or a
        table with the columns dataset and distribution; `podium.design.subsamples` makes such data
        sets of a large one.
    level : of the intervals.
    """
    name = measure or next(iter(results.measures), "")
    groups = _groups(distributions, results)
    means = results.values(name).groupby(["dataset", "algorithm"], observed=True)["value"].mean()
    wide = means.unstack().reindex(columns=results.algorithms)
    cells = [wide.reindex(list(of)).to_numpy(float) for of in groups.values()]
    table = components(cells, tuple(results.algorithms), level).rename(columns=CALLED)
    variance = table["sd_true"] ** 2 + table["sd_error"] ** 2
    share = np.where(variance > 0, table["sd_error"] ** 2 / variance.where(variance > 0), np.nan)
    return TrueDifferences(
        table.drop(columns=["sd_lower", "sd_upper"]).assign(share_error=share), name
    )


def _groups(given: Any, results: Results) -> dict[str, list[str]]:
    if isinstance(given, pd.DataFrame):
        lacking = [c for c in ("dataset", "distribution") if c not in given]
        if lacking:
            raise InferenceError(f"The table of distributions needs a column '{lacking[0]}'.")
        of = given.groupby("distribution", sort=False)["dataset"]
        given = {str(name): rows.astype(str).tolist() for name, rows in of}
    if not isinstance(given, Mapping):
        raise InferenceError(f"Distributions are a mapping to their data sets, not {given!r:.60}.")
    groups = {str(name): [str(d) for d in of] for name, of in given.items()}
    seen: set[str] = set()
    for names in groups.values():
        for one in names:
            if one not in results.datasets:
                raise InferenceError(unknown("data set of these results", one, results.datasets))
            if one in seen:
                raise InferenceError(f"The data set '{one}' is listed twice: list it once.")
            seen.add(one)
    if len(groups) < 2 or max(map(len, groups.values()), default=0) < 2:
        raise InferenceError(
            "The variance of true differences needs two distributions and, of one at least, two "
            "data sets: draw several samples of each, or cut large data sets into parts "
            "(podium.design.subsamples)."
        )
    return groups
