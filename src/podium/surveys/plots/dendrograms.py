"""Data sets by the distances of their orders as a tree (eugster2008, Figure 10)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from podium.base.formatting import LONGEST, short
from podium.drawing.canvas import INK, entitle, fitting, named_below
from podium.drawing.records import Plot, Size, checked, registered
from podium.drawing.verdicts import refused
from podium.orders.dataset_orders import DatasetOrders
from podium.orders.distances import Dendrogram
from podium.words.facts import Note

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAMED = 2  # data sets of a leaf


@dataclass(frozen=True, eq=False)
class DendrogramPlot:
    """Where leaves and merges stand.

    `leaves` has the data sets from left to right at `x`, as many as `datasets` says. `merges` joins
    what stands at `left` and `right`, which reach down to `left_height` and `right_height`, at
    `height`: the largest distance between two of its `datasets` data sets.
    """

    leaves: pd.DataFrame
    merges: pd.DataFrame
    notes: tuple[Note, ...] = ()


def dendrogram_data(dataset_orders: DatasetOrders) -> DendrogramPlot:
    """The coordinates of the dendrogram of `podium.by_dataset(results)`.

    Data sets with the same order are one leaf.
    """
    result = checked(dataset_orders, DatasetOrders)
    leaves, merges = coordinates(result.dendrogram)
    several = int((leaves["datasets"] > 1).sum())
    notes = [Note("plot-same-leaf", count=several)] if several else []
    return DendrogramPlot(leaves, merges, (*refused(result), *notes))


def coordinates(tree: Dendrogram) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The places of the leaves, from 0, and of the merges, each midway between what it joins.

    What is joined at 0 is one leaf.
    """
    count = len(tree.names)
    x, y = np.empty(count + len(tree.merges)), np.zeros(count + len(tree.merges))
    ends, heights = tree.merges[:, :2].astype(int), tree.merges[:, 2]
    x[list(tree.leaves)] = _leaf_of(tree)
    for step, (one, other) in enumerate(ends, count):
        x[step], y[step] = (x[one] + x[other]) / 2, heights[step - count]
    one, other = ends[heights > 0].T
    left, right = np.where(x[one] <= x[other], one, other), np.where(x[one] <= x[other], other, one)
    merges = pd.DataFrame(
        {
            "left": x[left],
            "left_height": y[left],
            "right": x[right],
            "right_height": y[right],
            "height": heights[heights > 0],
            "datasets": tree.merges[heights > 0, 3].astype(int),
        }
    )
    return _leaves(tree), merges


def _leaf_of(tree: Dendrogram) -> np.ndarray:
    """The leaf, from 0, of each data set from left to right; the same order is the same leaf."""
    at = np.array(tree.leaves)
    apart = tree.distances[at[:-1], at[1:]] > 0
    return np.r_[0, np.cumsum(apart)]


def _leaves(tree: Dendrogram) -> pd.DataFrame:
    """The leaves from left to right, with the names of their data sets."""
    leaf = _leaf_of(tree)
    names = pd.Series(tree.arranged, dtype=object).groupby(leaf)
    return pd.DataFrame(
        {
            "dataset": [_joined(list(group)) for _, group in names],
            "x": np.arange(leaf[-1] + 1.0),
            "datasets": names.size().to_numpy(),
        }
    )


def _joined(names: Sequence[str]) -> str:
    """Two names are written, and how many more there are."""
    more = len(names) - NAMED
    return ", ".join(short(name, 16 if len(names) > 1 else LONGEST) for name in names[:NAMED]) + (
        f" + {more}" if more > 0 else ""
    )


def draw_dendrogram(data: DendrogramPlot, ax: Axes) -> Axes:
    """Draw every merge as a bracket."""
    from matplotlib.collections import LineCollection
    from matplotlib.ticker import MaxNLocator

    brackets = [
        [
            (m.left, m.left_height),
            (m.left, m.height),
            (m.right, m.height),
            (m.right, m.right_height),
        ]
        for m in data.merges.itertuples()
    ]
    lines = LineCollection(brackets, colors=INK, linewidths=1.1, clip_on=False)
    ax.add_collection(lines)
    top = data.merges["height"].max() if len(data.merges) else 0.0  # all have one order
    ax.set(xlim=(-0.6, len(data.leaves) - 0.4), ylim=(0, 1.05 * top if top > 0 else 1.0))
    ax.spines[["top", "right", "bottom"]].set_visible(False)
    ax.tick_params(axis="x", length=0)
    whole = not (data.merges["height"] % 1).any()
    ax.yaxis.set_major_locator(MaxNLocator("auto", integer=whole, steps=[1, 2, 5, 10]))
    entitle(ax, y="distance of the orders")
    size = fitting(ax, 1, len(data.leaves))
    named_below(ax, data.leaves["x"].tolist(), data.leaves["dataset"].tolist(), data.notes, size)
    return ax


def _dendrogram_size(data: DendrogramPlot) -> Size:
    return float(np.clip(1.5 + 0.2 * len(data.leaves), 6.4, 20.0)), 4.6


dendrogram = registered(
    Plot(
        "dendrogram",
        DatasetOrders,
        "data sets by their orders",
        dendrogram_data,
        draw_dendrogram,
        "Complete linkage of data sets: the lower two are joined, the more alike their orders are.",
        size=_dendrogram_size,
        title="Data sets by the distance between their orders",
        caption="Complete linkage of the symmetric difference between the orders.",
    )
)
