"""What plots of several data sets share: their check, their scores, and names below columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from podium.errors import ResultsError
from podium.plots.canvas import names_on, remark
from podium.plots.given import checked
from podium.plots.scores import Scores, scores_of
from podium.plots.words import listed, plural, short
from podium.registry import unknown
from podium.results.results import Results
from podium.studies.dataset_orders import DatasetOrders

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def refused(orders: DatasetOrders) -> list[str]:
    """A remark on the data sets that could not be analysed."""
    return [f"Not analysed: {listed(list(orders.refused))}."] if orders.refused else []


# -- scores -----------------------------------------------------------------------------------


def over_datasets(results: Results, measure: str | None, what: str) -> Scores:
    """Data sets x algorithms: mean scores; refused for a single data set."""
    datasets = checked(results, Results).datasets
    if len(datasets) < 2:
        raise ResultsError(f"{what} needs several data sets; there is only '{datasets[0]}'.")
    return scores_of(results, measure)


def uneven(results: Results, scores: Scores) -> list[str]:
    """A remark on means over fewer samples than others, where there are any."""
    rows = results.values(scores.measure.name)
    rows = rows[np.isfinite(rows["value"].to_numpy(float))]
    counts = rows.groupby(["dataset", "algorithm"], observed=True).size().unstack()
    fewer = int((counts.lt(counts.max(axis=1), axis=0) & counts.notna()).to_numpy().sum())
    if not fewer:
        return []
    every = plural(int(scores.table.count().sum()), "mean")
    return [
        f"Of {every} {fewer} {'is' if fewer == 1 else 'are'} over fewer samples than others on "
        "the same data set."
    ]


def column(scores: Scores, name: str) -> pd.Series:
    """The scores of an algorithm; a name that there is not is refused."""
    if name not in scores.algorithms:
        raise ResultsError(unknown("algorithm of these results", name, scores.algorithms))
    return scores.table[name]


def equal_but_for_rounding(first: pd.Series, second: pd.Series) -> np.ndarray:
    """Where two columns of scores are tied."""
    return np.isclose(first.to_numpy(float), second.to_numpy(float), rtol=1e-12, atol=0.0)


# -- names ------------------------------------------------------------------------------------


def named_below(
    ax: Axes, places: Sequence[float], names: Sequence[str], remarks: Sequence[str], size: float
) -> None:
    """Names upright below columns, and remarks below the names."""
    names_on(ax.xaxis, places, names, rotation=90)
    for label in ax.get_xticklabels():
        label.set(va="center", fontsize=size)
    longest = max(len(short(name)) for name in names)
    remark(ax, remarks, drop=14 + 0.56 * size * longest + (16 if ax.get_xlabel() else 0))
