"""What plots of several data sets share: their check, their scores, and names below columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from podium.errors import ResultsError
from podium.plots.canvas import names_on, remark, short
from podium.plots.scores import Scores, scores_of
from podium.registry import unknown
from podium.results.results import Results
from podium.surveys.dataset_orders import DatasetOrders

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def checked_orders(what: DatasetOrders) -> DatasetOrders:
    """Refuse what are no orders of data sets."""
    if not isinstance(what, DatasetOrders):
        raise ResultsError(
            f"This plot shows what podium.by_dataset(results) gives, not {type(what).__name__}."
        )
    return what


def refused(orders: DatasetOrders) -> list[str]:
    """A remark on the data sets that could not be analysed."""
    return [f"Not analysed: {listed(list(orders.refused))}."] if orders.refused else []


def listed(names: Sequence[str], most: int = 5) -> str:
    """Names in a row; the number of those beyond the first few.

    >>> listed(["a", "b", "c"], most=2)
    'a, b and 1 more'
    """
    rest = len(names) - most
    shown = ", ".join(short(name) for name in names[:most])
    return f"{shown} and {rest} more" if rest > 0 else shown


def plural(count: int, thing: str) -> str:
    """A number with what it counts.

    >>> plural(1, "data set"), plural(3, "data set")
    ('1 data set', '3 data sets')
    """
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


# -- scores -----------------------------------------------------------------------------------


def over_datasets(results: Results, measure: str | None, what: str) -> Scores:
    """Data sets x algorithms: mean scores; refused for a single data set."""
    if len(results.datasets) < 2:
        raise ResultsError(
            f"{what} needs several data sets; there is only '{results.datasets[0]}'."
        )
    return scores_of(results, measure)


def uneven(results: Results, scores: Scores) -> list[str]:
    """Remarks on data sets without a score and on means over fewer samples than others."""
    rows = results.values(scores.measure.name)
    rows = rows[np.isfinite(rows["value"].to_numpy(float))]
    counts = rows.groupby(["dataset", "algorithm"], observed=True).size().unstack()
    fewer = int((counts.lt(counts.max(axis=1), axis=0) & counts.notna()).to_numpy().sum())
    gone = [name for name in results.datasets if name not in set(scores.table.index)]
    said = [f"Without any score: {listed(gone)}."] if gone else []
    if fewer:
        said.append(
            f"{plural(fewer, 'mean')} of {int(scores.table.count().sum())} "
            f"{'is' if fewer == 1 else 'are'} over fewer samples than others on the same data set."
        )
    return said


def column(scores: Scores, name: str) -> pd.Series:
    """The scores of an algorithm; a name that there is not is refused."""
    if name not in scores.algorithms:
        raise ResultsError(unknown("algorithm of these results", name, scores.algorithms))
    return scores.table[name]


def equal_but_for_rounding(first: pd.Series, second: pd.Series) -> np.ndarray:
    """Where two columns of scores are tied."""
    return np.isclose(first.to_numpy(float), second.to_numpy(float), rtol=1e-12, atol=0.0)


# -- names ------------------------------------------------------------------------------------


def extent(ax: Axes) -> tuple[float, float]:
    """Width and height of the axes in points, before a layout makes room for what is beside."""
    unit = 72 / ax.figure.dpi
    return ax.bbox.width * unit, ax.bbox.height * unit


def fitting(ax: Axes, rows: float, columns: float, most: float = 9.0) -> float:
    """The size of letters of which a line fits into every row and column of the axes."""
    width, height = extent(ax)
    room = min(width / columns, height / rows)
    return float(np.clip(0.75 * room, 2.5, most))


def named_below(
    ax: Axes, places: Sequence[float], names: Sequence[str], remarks: Sequence[str], size: float
) -> None:
    """Names upright below columns, and remarks below the names."""
    names_on(ax.xaxis, places, names, rotation=90)
    for label in ax.get_xticklabels():
        label.set(va="center", fontsize=size)
    longest = max(len(short(name)) for name in names)
    remark(ax, remarks, drop=14 + 0.56 * size * longest + (16 if ax.get_xlabel() else 0))
