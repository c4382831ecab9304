"""Data sets by the distances of their orders: as a graph and as a tree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from podium.core.base.errors import InferenceError
from podium.core.base.formatting import LONGEST, number, short
from podium.core.orders.dataset_orders import DatasetOrders
from podium.core.orders.decide import check_seed
from podium.core.orders.distances import Dendrogram
from podium.core.words.facts import Note
from podium.showing.drawing.canvas import (
    INK,
    entitle,
    fitting,
    key,
    legend_handle,
    named_below,
    remark,
    styles,
)
from podium.showing.drawing.canvas import points as points_of
from podium.showing.drawing.graph_layouts import names_beside_points, placed, stress
from podium.showing.drawing.records import Size, checked, registered
from podium.showing.drawing.shown_scores import refused
from podium.showing.plots.words import listed

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D


# -- dendrograms ----------------------------------------------------------------------------------
# Data sets by the distances of their orders as a tree (eugster2008, Figure 10).


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


# -- distances ------------------------------------------------------------------------------------
# Data sets by the distances of their orders as a graph (eugster2008, Figure 11).


SHOWN = 5 / 8  # of the levels: 15 of 24 in Figure 11
MOST = 8  # edges per node, unless levels are asked for
EDGE = "#2f7d4f"  # green, which is seen on white and on black


@dataclass(frozen=True, eq=False)
class SurveyGraph:
    """Nodes and edges.

    Attributes
    ----------
    nodes : the data sets, those with the same order together, where they lie, and the winner where
        there is just one.
    edges : pairs of nodes by `distance`, whose `level` counts the distances that occur from 1 on;
        `strength` falls from 1 at the first level to 0 at the last one shown.
    levels, of : how many levels are shown, and how many there are.
    stress : how far distances in the plane are from those of the orders, squared, relative, summed.
    """

    nodes: pd.DataFrame
    edges: pd.DataFrame
    levels: int
    of: int
    stress: float
    algorithms: tuple[str, ...]
    notes: tuple[Note, ...]


def survey_graph_data(
    dataset_orders: DatasetOrders, levels: int | None = None, *, seed: int = 0
) -> SurveyGraph:
    """The graph of `podium.by_dataset(results)`, laid out after Kamada and Kawai (1989)."""
    check_seed(seed)
    result = checked(dataset_orders, DatasetOrders)
    names = list(result.distances.index)
    groups, apart = merged(result.distances.to_numpy(float))
    points = placed(apart, seed)
    wins = [result.orders[names[group[0]]].winners for group in groups]
    nodes = pd.DataFrame(
        {
            "datasets": [", ".join(names[i] for i in group) for group in groups],
            "label": [listed([names[i] for i in group], most=2) for group in groups],
            "count": [len(group) for group in groups],
            "x": points[:, 0],
            "y": points[:, 1],
            "winner": [best[0] if len(best) == 1 else "" for best in wins],
        }
    )
    edges, shown, total = edges_of(apart, len(names) > len(groups), levels)
    return SurveyGraph(
        nodes=nodes,
        edges=edges,
        levels=shown,
        of=total,
        stress=stress(points, apart)[0],
        algorithms=result.orders[names[0]].algorithms,
        notes=tuple(_notes(result, nodes, edges, shown, total)),
    )


def merged(distances: np.ndarray) -> tuple[list[list[int]], np.ndarray]:
    """What has distance 0 in groups, and the distances between the groups."""
    first = (distances == 0).argmax(axis=1)
    kept = np.unique(first)
    groups = [np.flatnonzero(first == i).tolist() for i in kept]
    return groups, distances[np.ix_(kept, kept)]


def edges_of(
    apart: np.ndarray, has_zero: bool, levels: int | None
) -> tuple[pd.DataFrame, int, int]:
    """The edges that are shown, the nearest first; how many levels these are, and of how many."""
    i, j = np.triu_indices(len(apart), 1)
    distance = apart[i, j]
    values = np.unique(distance)
    level = np.searchsorted(values, distance) + 1 + has_zero
    total = len(values) + has_zero
    first = 1 + has_zero  # distance 0 has no edges: it makes one node of several data sets
    shown = _shown(level, first, total, len(apart)) if levels is None else _checked(levels, total)
    table = pd.DataFrame({"first": i, "second": j, "distance": distance, "level": level})
    table = table.assign(strength=1 - (level - first) / max(shown - first, 1))
    kept = table[table["level"] <= shown].sort_values("level", kind="stable")
    return kept.reset_index(drop=True), shown, total


def _shown(level: np.ndarray, first: int, total: int, nodes: int) -> int:
    """5/8 of the levels, fewer where edges are too many to follow; two with edges at least."""
    counts = np.bincount(level, minlength=total + 1)[1:].cumsum()
    few = int((counts <= MOST * nodes).sum())
    return min(max(min(round(SHOWN * total), few), first + 1), total)


def _checked(levels: int, total: int) -> int:
    if isinstance(levels, bool) or not isinstance(levels, (int, np.integer)) or levels < 1:
        raise InferenceError(f"The number of levels is a whole number from 1 on, not {levels!r}.")
    return min(int(levels), total)


def _notes(
    dataset_orders: DatasetOrders, nodes: pd.DataFrame, edges: pd.DataFrame, shown: int, total: int
) -> Iterator[Note]:
    yield from refused(dataset_orders)
    if len(edges):
        far = float(edges["distance"].max())
        yield Note("plot-edges", levels=shown, of=total, distance=far)
    if same := int((nodes["count"] > 1).sum()):
        yield Note("plot-same-order", count=same)


def draw_survey_graph(data: SurveyGraph, ax: Axes) -> Axes:
    """Draw edges, nodes and names."""
    points = data.nodes[["x", "y"]].to_numpy(float)
    reach = max(float(np.ptp(points, axis=0).max()), 1.0)
    ax.set_axis_off()
    low, high = points.min(axis=0) - 0.12 * reach, points.max(axis=0) + 0.12 * reach
    ax.set_xlim(low[0], high[0], auto=True)  # which may become wider, for the aspect
    ax.set_ylim(low[1], high[1], auto=True)
    ax.set_aspect("equal", adjustable="datalim")
    _edges(ax, data, points)
    _nodes(ax, data)
    _names(ax, data, points, high - low)
    key(ax, _keys(data))
    remark(ax, data.notes, drop=8)
    return ax


def _edges(ax: Axes, data: SurveyGraph, points: np.ndarray) -> None:
    from matplotlib.collections import LineCollection

    ends = data.edges[["first", "second"]].to_numpy(int)[::-1]  # the near ones come on top
    strength = data.edges["strength"].to_numpy(float)[::-1]
    lines = LineCollection(
        list(points[ends]), colors=_shades(strength), linewidths=_widths(strength), zorder=1
    )
    ax.add_collection(lines)


def _widths(strength: Any) -> Any:
    """How wide edges are, in points."""
    return 0.6 + 3.4 * strength


def _shades(strength: np.ndarray) -> np.ndarray:
    """Fainter the farther: transparent, so that they are faint on a dark page too."""
    from matplotlib.colors import to_rgba_array

    return to_rgba_array([EDGE] * len(strength), 0.35 + 0.65 * strength)


def _nodes(ax: Axes, data: SurveyGraph) -> None:
    """Filled markers of unique winners, unfilled circles else; larger for several data sets."""
    style = styles(data.algorithms)
    few = len(data.nodes) <= 30
    for winner, nodes in data.nodes.groupby("winner"):
        known = style.get(str(winner))
        ax.scatter(
            nodes["x"],
            nodes["y"],
            s=(70 if few else 34) * (1 + 0.5 * np.log(nodes["count"].to_numpy(float))),
            marker=known.marker if known else "o",
            facecolor=known.colour if known else "white",
            edgecolor=INK,
            linewidth=0.8,
            zorder=2,
        )


def _names(ax: Axes, data: SurveyGraph, points: np.ndarray, span: np.ndarray) -> None:
    """The names where they hide each other least."""
    from matplotlib.patheffects import withStroke

    halo = [withStroke(linewidth=2.5, foreground="white")]
    size = 8.0 if len(points) <= 30 else 5.5
    labels = [short(label, 40) for label in data.nodes["label"]]
    scale = 0.75 * float((np.array(points_of(ax)) / span).min())  # the legend will take its share
    lines = scale * points[data.edges[["first", "second"]].to_numpy(int)]
    wide = _widths(data.edges["strength"].to_numpy(float))
    shifts = names_beside_points(points * scale, labels, size, gap=7.0, lines=lines, widths=wide)
    for (x, y), label, shift in zip(points, labels, shifts, strict=True):
        ax.annotate(
            label,
            (x, y),
            shift,
            textcoords="offset points",
            ha="center",
            va="center",
            fontsize=size,
            color=INK,
            parse_math=False,
            path_effects=halo,
            zorder=3,
        )


def _keys(data: SurveyGraph) -> list[Line2D]:
    """The winners, and the nearest and farthest distances that have an edge."""
    from matplotlib.lines import Line2D

    style = styles(data.algorithms)
    wins = [name for name in data.algorithms if name in set(data.nodes["winner"])]
    keys = [legend_handle(f"{short(name, 20)} wins", style[name]) for name in wins]
    if (data.nodes["winner"] == "").any():
        blank: dict[str, Any] = {"marker": "o", "markerfacecolor": "white", "markeredgecolor": INK}
        keys.append(Line2D([], [], linestyle="", label="several winners", **blank))
    for edge in _extremes(data.edges):
        strength = float(edge["strength"])
        line: dict[str, Any] = {
            "color": _shades(np.array([strength]))[0],
            "linewidth": _widths(strength),
        }
        keys.append(Line2D([], [], label=f"distance {number(edge['distance'])}", **line))
    return keys


def _extremes(edges: pd.DataFrame) -> Sequence[pd.Series]:
    if edges.empty:
        return []
    first, last = edges.iloc[0], edges.iloc[-1]
    return [first] if first["level"] == last["level"] else [first, last]


def _graph_size(data: SurveyGraph) -> Size:
    return (9.0, 7.0) if len(data.nodes) > 30 else (7.2, 5.2)


survey_graph = registered(
    "survey_graph",
    DatasetOrders,
    "data sets by the distances of their orders",
    survey_graph_data,
    draw_survey_graph,
    """A node per data set (or several with the same order), a spring between every two.

    Edges are drawn for the first `levels` of the distances that occur, counting 0 where it
    does; unless said for 5/8 of them, or fewer where edges are many. A node is filled in the
    colour of the winner where there is just one. `seed` is for the starts of the layout.
    """,
    size=_graph_size,
    options={
        "levels": "Of distances that have edges [5/8 of them].",
        "seed": "Of the starts of the layout [0].",
    },
    title="Graph of data sets",
    caption="Data sets with similar orders are near each other.",
)
