"""The dendrogram of data sets by the distances between their orders (eugster2008, Figure 10)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from podium.orders.distances import Dendrogram
from podium.plots.canvas import axes_for, entitle
from podium.plots.given import checked
from podium.plots.room import fitting
from podium.plots.styles import INK
from podium.plots.survey_parts import named_below, refused
from podium.plots.words import plural
from podium.studies.dataset_orders import DatasetOrders

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False)
class DendrogramPlot:
    """Where leaves and merges stand.

    `leaves` has the data sets from left to right at `x`. `merges` joins what stands at `left` and
    `right`, which reach down to `left_height` and `right_height`, at `height`: the largest distance
    between two of its `datasets` data sets.
    """

    leaves: pd.DataFrame
    merges: pd.DataFrame
    remarks: tuple[str, ...] = ()


def dendrogram(dataset_orders: DatasetOrders, *, ax: Axes | None = None) -> Axes:
    """Complete linkage of data sets: the lower two are joined, the more alike their orders are."""
    data = dendrogram_data(dataset_orders)
    width = float(np.clip(1.5 + 0.2 * len(data.leaves), 6.4, 20.0))
    return draw_dendrogram(data, axes_for(ax, width, 4.6))


def dendrogram_data(dataset_orders: DatasetOrders) -> DendrogramPlot:
    """The coordinates of the dendrogram of `podium.by_dataset(results)`."""
    found = checked(dataset_orders, DatasetOrders)
    leaves, merges = coordinates(found.dendrogram)
    alike = int((merges["height"] == 0).sum())
    said = [f"{plural(alike, 'merge')} at 0, of data sets with the same order."] if alike else []
    return DendrogramPlot(leaves, merges, (*refused(found), *said))


def coordinates(tree: Dendrogram) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The places of the leaves, from 0, and of the merges, each midway between what it joins."""
    count = len(tree.names)
    x, y = np.empty(count + len(tree.merges)), np.zeros(count + len(tree.merges))
    x[list(tree.leaves)] = np.arange(count)
    ends = tree.merges[:, :2].astype(int)
    for step, (one, other) in enumerate(ends, count):
        x[step], y[step] = (x[one] + x[other]) / 2, tree.merges[step - count, 2]
    one, other = ends.T
    left, right = np.where(x[one] <= x[other], one, other), np.where(x[one] <= x[other], other, one)
    merges = pd.DataFrame(
        {
            "left": x[left],
            "left_height": y[left],
            "right": x[right],
            "right_height": y[right],
            "height": tree.heights,
            "datasets": tree.merges[:, 3].astype(int),
        }
    )
    leaves = pd.DataFrame({"dataset": list(tree.arranged), "x": np.arange(float(count))})
    return leaves, merges


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
    top = data.merges["height"].max()
    ax.set(xlim=(-0.6, len(data.leaves) - 0.4), ylim=(0, 1.05 * top if top > 0 else 1.0))
    ax.spines[["top", "right", "bottom"]].set_visible(False)
    ax.tick_params(axis="x", length=0)
    whole = not (data.merges["height"] % 1).any()
    ax.yaxis.set_major_locator(MaxNLocator("auto", integer=whole, steps=[1, 2, 5, 10]))
    entitle(ax, y="distance of the orders")
    size = fitting(ax, 1, len(data.leaves))
    named_below(ax, data.leaves["x"].tolist(), data.leaves["dataset"].tolist(), data.remarks, size)
    return ax
