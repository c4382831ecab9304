"""Orders as Hasse diagrams, whose lines lead from better algorithms down."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from podium.core.base.formatting import short
from podium.core.orders import relations as layers
from podium.core.orders.order import Order
from podium.core.words.facts import Note
from podium.core.words.notes.of_surveys import best_title
from podium.showing.drawing.canvas import (
    GREY,
    INK,
    MOST_LISTED,
    entitle,
    letters,
    points,
    remark,
    styles,
    write,
)
from podium.showing.drawing.graph_layouts import BEND, Edge, bent, places
from podium.showing.drawing.records import Size, checked, registered
from podium.showing.drawing.shown_scores import printed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LETTER = 0.55  # the width of a letter, where the height of a line is 1
GAP = 1.6  # between boxes of a layer
LEAST, MOST = 1.4, 4.0  # between two layers, by how many lines run there
MOST_LINES = 120  # that are led around boxes; more run behind them, and layers are wrapped
ABREAST = 8  # boxes in a row of a wrapped layer
APART = "no significant difference from any"

Drawing = tuple[np.ndarray, np.ndarray, list[list[int]]]  # x and y of nodes, and paths of lines


@dataclass(frozen=True, eq=False)
class Hasse:
    """Where boxes and lines are; a unit is the height of a line of text, y counts downwards.

    boxes : box, level, x, y (of its centre), width, height, apart (whether no line leads there).
    algorithms : algorithm, box, y: algorithms with the same ones above and below share a box.
    lines : line, x, y: the points through which each line runs, from the better box to the worse.
    """

    boxes: pd.DataFrame
    algorithms: pd.DataFrame
    lines: pd.DataFrame
    names: tuple[str, ...]  # in the study's order
    title: str
    notes: tuple[Note, ...]


def hasse_data(order: Order) -> Hasse:
    """The boxes by layers (longest paths from the top) and the fewest lines that tell the order.

    Those that are told apart from nobody have a box of their own beside all others. Refused where
    there is a cycle. Where the order is not transitive a remark names the pairs that paths claim
    and the order does not. Of more than 25 algorithms the leading 25 are shown.
    """
    checked(order, Order).hasse()  # refuses cycles
    every, winners = len(order.algorithms), order.winners  # of all, also those left out
    order = _leading(order)
    twins = _twins(order)
    heads = [twin[0] for twin in twins]
    better = order.better[np.ix_(heads, heads)]
    levels = layers.levels(better).tolist()
    edges = [(int(i), int(j)) for i, j in np.argwhere(layers.reduction(better))]
    widths, heights = _sizes(order, twins)
    linked = len(twins) - bool(edges and not (better[-1].any() or better[:, -1].any()))
    x, y, paths = (_wrapped if len(edges) > MOST_LINES else _layered)(
        levels[:linked], edges, widths[:linked], heights[:linked]
    )
    if linked < len(twins):
        x, y, paths = _set_apart(x, y, paths, widths, heights)
    boxes = pd.DataFrame(
        {
            "box": range(len(twins)),
            "level": levels,
            "x": x[: len(twins)],
            "y": y[: len(twins)],
            "width": widths,
            "height": heights,
            "apart": np.arange(len(twins)) >= linked,
        }
    )
    return Hasse(
        boxes,
        _algorithms(order, twins, boxes),
        _lines(paths, x, y, boxes),
        order.algorithms,
        best_title([short(name) for name in winners], every),
        (
            *([Note("plot-left-out", shown=len(order.algorithms), of=every)]
              if every > len(order.algorithms) else []),
            *_notes(order, any(len(twin) > 1 for twin in twins), len(edges)),
        ),
    )  # fmt: skip


def _leading(order: Order) -> Order:
    """Those that the fewest are better than, as many as a picture can hold."""
    if len(order.algorithms) <= MOST_LISTED:
        return order
    worse, better = order.better.sum(axis=0), order.better.sum(axis=1)
    first = sorted(np.lexsort((-better, worse))[:MOST_LISTED].tolist())
    return order.restricted([order.algorithms[i] for i in first])


def _twins(order: Order) -> list[list[int]]:
    """The algorithms by what is above and below them, in the order of printing.

    Those with nothing above and nothing below come last.
    """
    place = {name: i for i, name in enumerate(order.algorithms)}
    twins: dict[tuple[bytes, bytes], list[int]] = {}
    for i in (place[name] for name in printed(order)):
        key = order.better[i].tobytes(), order.better[:, i].tobytes()
        twins.setdefault(key, []).append(i)
    compared = np.logical_or(order.better.any(axis=0), order.better.any(axis=1)).tolist()
    return sorted(twins.values(), key=lambda twin: not compared[twin[0]])


def _sizes(order: Order, twins: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    """Widths (with a marker before each name) and heights of the boxes."""
    letters = [max(len(short(order.algorithms[i])) for i in twin) for twin in twins]
    return LETTER * np.array(letters) + 2.2, 1.25 * np.array([len(twin) for twin in twins]) + 0.35


def _set_apart(
    x: np.ndarray,
    y: np.ndarray,
    paths: list[list[int]],
    widths: np.ndarray,
    heights: np.ndarray,
) -> Drawing:
    """The last box to the right of all others, its top as high as theirs, with words above it."""
    last = len(widths) - 1
    edges = np.r_[x[:last] + widths[:last] / 2, x[last:]]
    at = edges.max() + 2 * GAP + max(widths[last], LETTER * len(APART)) / 2
    moved = [[i + (i >= last) for i in path] for path in paths]  # bends come after the boxes
    return np.insert(x, last, at), np.insert(y, last, heights[last] / 2 + 1.2), moved


def _layered(
    levels: list[int], edges: list[Edge], widths: np.ndarray, heights: np.ndarray
) -> Drawing:
    """One row per layer, and lines that run between its boxes."""
    every, paths = bent(levels, edges)
    x = places(every, paths, np.r_[widths + GAP, np.full(len(every) - len(levels), BEND)])
    return x, _heights(every, heights, paths), paths


def _wrapped(
    levels: list[int], edges: list[Edge], widths: np.ndarray, heights: np.ndarray
) -> Drawing:
    """Rows of a few boxes, one layer after the other; lines run straight behind them."""
    at = np.array(levels)
    in_layers = [np.flatnonzero(at == level) for level in range(int(at.max()) + 1)]
    x, y, top = np.zeros(len(at)), np.zeros(len(at)), 0.0
    for layer in in_layers:
        for row in np.array_split(layer, -(-len(layer) // ABREAST)):
            x[row] = (widths.max() + GAP) * (np.arange(len(row)) - (len(row) - 1) / 2)
            y[row] = top + heights[row].max() / 2
            top += heights[row].max() + LEAST / 2
        top += MOST
    return x, y, [list(edge) for edge in edges]


def _heights(levels: list[int], heights: np.ndarray, paths: list[list[int]]) -> np.ndarray:
    """The y of every node and bend: the middle of its layer."""
    at = np.array(levels)
    count = int(at.max()) + 1
    tall = [heights[at[: len(heights)] == n].max() for n in range(count)]
    links = [at[i] for path in paths for i in path[:-1]]
    busy = np.bincount(links, minlength=count)[: count - 1] if count > 1 else np.zeros(0)
    room = np.clip(1.0 + 0.15 * busy, LEAST, MOST)
    top = np.r_[0.0, np.cumsum(np.array(tall[:-1]) + room)]
    return np.asarray((top + np.array(tall) / 2)[at])


def _algorithms(order: Order, twins: list[list[int]], boxes: pd.DataFrame) -> pd.DataFrame:
    rows = []
    for box, twin in enumerate(twins):
        first = boxes["y"][box] - 1.25 * (len(twin) - 1) / 2
        rows += [(order.algorithms[i], box, first + 1.25 * n) for n, i in enumerate(twin)]
    return pd.DataFrame(rows, columns=["algorithm", "box", "y"])


def _lines(
    paths: list[list[int]], x: np.ndarray, y: np.ndarray, boxes: pd.DataFrame
) -> pd.DataFrame:
    """From box to box; within a layer a line is upright, so that it meets no taller box."""
    tallest = boxes.groupby("y")["height"].max() / 2
    half = boxes["height"].to_numpy() / 2
    rows = []
    for line, path in enumerate(paths):
        upper, lower = path[0], path[-1]
        reach = [float(tallest[y[i]]) for i in path]
        rows.append((line, x[upper], y[upper] + half[upper]))
        for i, far in zip(path, reach, strict=True):
            ends = ((-far,) if i != upper else ()) + ((far,) if i != lower else ())
            rows += [(line, x[i], y[i] + end) for end in ends]
        rows.append((line, x[lower], y[lower] - half[lower]))
    return pd.DataFrame(rows, columns=["line", "x", "y"])


def _notes(order: Order, shared: bool, lines: int) -> Iterator[Note]:
    if shared:
        yield Note("plot-same-box")
    if lines > MOST_LINES:
        yield Note("plot-many-lines", lines=lines)
    claimed = np.argwhere(layers.closure(order.better) & ~order.better)
    if pairs := tuple((order.algorithms[i], order.algorithms[j]) for i, j in claimed):
        yield Note("plot-not-transitive", pairs=pairs)
    if order.leaves_open:
        yield Note("plot-left-open", count=len(order.uncompared))
    elif order.uncompared:
        yield Note("plot-not-compared", pairs=tuple(sorted(order.uncompared)))
    if not order.better.any():
        yield Note("plot-no-lines")


def draw_hasse(data: Hasse, ax: Axes) -> Axes:
    """Boxes with the algorithms' names and markers, joined by lines."""
    ax.set_axis_off()
    faint = data.lines["line"].nunique() > MOST_LINES
    look: dict[str, Any] = {"linewidth": 0.5, "alpha": 0.35} if faint else {"linewidth": 0.8}
    for _, line in data.lines.groupby("line"):
        ax.plot(line["x"], line["y"], color=GREY, zorder=1, **look)
    letter = _letter_size(ax, data)
    for box in data.boxes.to_dict("records"):
        _draw_box(ax, box, letter)
    _draw_names(ax, data)
    left, right, bottom = _extent(data)
    ax.set_xlim(left, right, auto=True)  # which may become wider, for the aspect
    ax.set_ylim(bottom, -0.3, auto=True)
    ax.set_aspect("equal", adjustable="datalim")
    entitle(ax, data.title)
    remark(ax, data.notes, drop=6)
    return ax


def _extent(data: Hasse) -> tuple[float, float, float]:
    """The left, the right and the lower end of all boxes and lines."""
    x, wide = data.boxes["x"], data.boxes["width"]
    half = wide.where(~data.boxes["apart"], wide.clip(lower=LETTER * len(APART))) / 2
    low = min((x - half).min(), data.lines["x"].min() if len(data.lines) else np.inf)
    high = max((x + half).max(), data.lines["x"].max() if len(data.lines) else -np.inf)
    bottom = (data.boxes["y"] + data.boxes["height"] / 2).max()
    return float(low) - 0.5, float(high) + 0.5, float(bottom) + 0.3


def _draw_box(ax: Axes, box: dict[str, Any], letter: float) -> None:
    from matplotlib.patches import Rectangle

    corner = box["x"] - box["width"] / 2, box["y"] - box["height"] / 2
    size = box["width"], box["height"]
    look: dict[str, Any] = {"edgecolor": INK, "linewidth": 0.7, "zorder": 2}
    if box["apart"]:
        look |= {"edgecolor": GREY, "linestyle": "--"}
        place = {"ha": "center", "va": "center", "fontsize": letter, "color": GREY}
        write(ax, box["x"], corner[1] - 0.7, APART, **place)
    ax.add_patch(Rectangle(corner, *size, facecolor="white", **look))


def _draw_names(ax: Axes, data: Hasse) -> None:
    look = styles(data.names)
    size = _letter_size(ax, data)
    for row in data.algorithms.to_dict("records"):
        box, name = data.boxes.loc[row["box"]], row["algorithm"]
        start, style = box["x"] - box["width"] / 2, look[name]
        ax.plot(start + 0.8, row["y"], style.marker, color=style.colour, ms=0.6 * size, zorder=3)
        place = {"va": "center", "fontsize": size, "zorder": 3}
        write(ax, start + 1.6, row["y"], short(name), **place)


def _letter_size(ax: Axes, data: Hasse) -> float:
    """The size in points at which a line of text is as high as data units say."""
    left, right, bottom = _extent(data)
    width, height = points(ax)
    return letters(0.92 * min(width / (right - left), height / bottom))


def _size(data: Hasse) -> Size:
    left, right, bottom = _extent(data)
    return float(np.clip(0.16 * (right - left), 5, 24)), max(0.16 * bottom + 0.7, 2.0)


hasse = registered(
    "hasse",
    Order,
    "the order as a Hasse diagram",
    hasse_data,
    draw_hasse,
    "The Hasse diagram of an order.",
    size=_size,
    title="Hasse diagram",
    caption="Better algorithms stand above worse ones; a path down means better, no path means "
    "not told apart. Those on top are not shown to be worse than any.",
)
