"""The critical difference diagram (Demšar 2006), for any ≈, drawn or as TikZ code."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from podium.core.base.errors import InferenceError
from podium.core.base.formatting import aligned, latex, number, one_line, short
from podium.core.inference.comparing.comparisons import Comparisons
from podium.core.inference.comparing.evidence import critical_value
from podium.core.orders.order import Order
from podium.core.orders.relations import Clique, covering_cliques, maximal_cliques
from podium.core.words.facts import Note
from podium.showing.drawing.canvas import (
    GREY,
    INK,
    MOST_LISTED,
    divided,
    entitle,
    figure_of,
    points,
    remark,
    row_letters,
    styles,
)
from podium.showing.drawing.records import Size, checked, registered
from podium.showing.drawing.shown_scores import decided, titled

if TYPE_CHECKING:
    from matplotlib.axes import Axes


MOST_BARS = 40  # beyond, as few sets as show every pair
OVERHANG = 0.008  # of a bar beyond its members, as a share of the axis
STEP = 0.55  # between the levels of bars, in rows of labels


@dataclass(frozen=True, eq=False)
class CriticalDifference:
    """Where everything is: x in units of the axis, the best on the left; y in rows below it.

    algorithms : algorithm, position (also as a text), side (-1 left, 1 right) and y of its label;
        the best first.
    bars : one row per stretch between two neighbouring members of a set of ≈ algorithms: bar, y,
        start, end, and whole, false where an algorithm lies between that is not of the set.
    members : bar, y, algorithm, position.
    limits : the values at the left and at the right end of the axis.
    critical : the difference from which on a pair is significant, NaN where pairs differ in it.
    below : the diagrams of more comparisons, one below the other.
    """

    algorithms: pd.DataFrame
    bars: pd.DataFrame
    members: pd.DataFrame
    limits: tuple[float, float]
    critical: float
    depth: float  # rows below the axis
    names: tuple[str, ...]  # in the study's order
    title: str
    label: str
    notes: tuple[Note, ...]
    below: tuple[CriticalDifference, ...] = ()


def critical_difference_data(
    comparisons: Comparisons, *more: Comparisons, order: Order | None = None
) -> CriticalDifference:
    """Positions, labels and bars: mean ranks where the procedure ranks, otherwise means.

    A bar joins a maximal set of algorithms of which no two are significantly different; pairs that
    were not compared are joined by none.
    """
    if more and order is not None:
        raise InferenceError("An order belongs to one comparison: draw them one by one.")
    first, *others = (_diagram(one, order) for one in (comparisons, *more))
    return replace(first, below=tuple(others))


def _diagram(comparisons: Comparisons, order: Order | None) -> CriticalDifference:
    order = _order(comparisons, order)
    positions, label = _positions(comparisons)
    places = np.array([positions[name] for name in comparisons.algorithms])
    kept = np.flatnonzero(np.isfinite(places))
    sign = _direction(comparisons)
    every = kept[np.lexsort((kept, sign * places[kept]))]
    ranked = every[:MOST_LISTED]
    names = [comparisons.algorithms[i] for i in ranked]
    if len(names) < 2:
        raise InferenceError("A critical difference diagram needs two algorithms with a mean.")
    x = places[ranked]
    critical = critical_value(comparisons, positions)
    limits = _limits(x, sign, comparisons.mean_ranks is not None)
    left_out = len(every) - len(ranked)
    if left_out:
        limits = (limits[0], max(float(np.ceil(x[-1])), 2.0)) if limits[1] == len(x) else limits
    cliques, few = _cliques(order, names)
    bars, members = _bars(cliques, x, names, abs(limits[1] - limits[0]))
    levels = float(bars["y"].max()) if len(bars) else 0.0
    labels = _labels(names, x, levels)
    return CriticalDifference(
        labels,
        bars,
        members,
        limits,
        critical,
        float(labels["y"].max()) + 0.6,
        comparisons.algorithms,
        titled(comparisons),
        label,
        (
            *([Note("plot-left-out", shown=len(names), of=len(every))] if left_out else []),
            *_notes(comparisons, order, labels, bars, few, critical),
        ),
    )


def _order(comparisons: Comparisons, order: Order | None) -> Order:
    result = decided(comparisons)
    if order is None:
        return result
    if set(checked(order, Order).algorithms) != set(comparisons.algorithms):
        raise InferenceError(
            f"The order {order.text} is not one of the compared algorithms "
            f"{', '.join(comparisons.algorithms)}: decide these comparisons."
        )
    return order


def _positions(comparisons: Comparisons) -> tuple[dict[str, float], str]:
    """Mean ranks, where the procedure tests these, or means; and what they are."""
    ranks = comparisons.mean_ranks
    if ranks is not None:
        return dict(ranks), "mean rank (1 is the best)"
    better = "higher" if comparisons.higher_is_better else "lower"
    return dict(comparisons.means), f"mean {comparisons.measure} ({better} is better)"


def _direction(comparisons: Comparisons) -> int:
    """1 where small positions are good, otherwise -1."""
    means = comparisons.higher_is_better and comparisons.mean_ranks is None
    return -1 if means else 1


def _limits(x: np.ndarray, sign: int, ranks: bool) -> tuple[float, float]:
    if ranks:
        return 1.0, float(len(x))
    room = 0.03 * (np.ptp(x) or abs(x[0]) or 1.0)
    return float(x[0] - sign * room), float(x[-1] + sign * room)


# -- bars -----------------------------------------------------------------------------------------


def _cliques(order: Order, names: list[str]) -> tuple[list[Clique], bool]:
    """Sets of two and more mutually ≈ algorithms, and whether these are not all maximal ones."""
    order = order.restricted(names)
    alike = ~(order.better | order.better.T | order.not_compared(order.algorithms))
    np.fill_diagonal(alike, True)
    try:
        cliques = maximal_cliques(alike)
    except InferenceError:  # too many
        cliques = []
    few = not cliques or len(cliques) > MOST_BARS
    cliques = covering_cliques(alike) if few else cliques
    return [clique for clique in cliques if len(clique) > 1], few


def _bars(
    cliques: list[Clique], x: np.ndarray, names: list[str], span: float
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The stretches of every bar, and its members; bars that do not meet share a level."""
    stretches, members = [], []
    levels = _levels(cliques, np.abs(x - x[0]), 3 * OVERHANG * span)
    over = OVERHANG * span * (1 if x[-1] >= x[0] else -1)
    for bar, (clique, level) in enumerate(zip(cliques, levels, strict=True)):
        y = 0.8 + STEP * level
        members += [(bar, y, names[i], float(x[i])) for i in clique]
        for a, b in itertools.pairwise(clique):
            start = x[a] - over if a == clique[0] else x[a]
            end = x[b] + over if b == clique[-1] else x[b]
            stretches.append((bar, y, float(start), float(end), b == a + 1))
    return (
        pd.DataFrame(stretches, columns=["bar", "y", "start", "end", "whole"]),
        pd.DataFrame(members, columns=["bar", "y", "algorithm", "position"]),
    )


def _levels(cliques: list[Clique], x: np.ndarray, room: float) -> list[int]:
    """The first level on which each bar meets no other."""
    reached: list[float] = []
    levels = []
    for clique in cliques:
        start, end = x[clique[0]], x[clique[-1]]
        free = (n for n, last in enumerate(reached) if last + room < start)
        level = next(free, len(reached))
        reached[level : level + 1] = [end]
        levels.append(level)
    return levels


def _labels(names: list[str], x: np.ndarray, levels: float) -> pd.DataFrame:
    """Labels in two columns; the outermost algorithm on top, so that no two lines cross."""
    left = (len(names) + 1) // 2
    rows = np.r_[np.arange(left), np.arange(len(names) - left)[::-1]]
    return pd.DataFrame(
        {
            "algorithm": names,
            "position": x,
            "text": aligned(
                x.tolist(), (float(np.ptp(x)) or abs(float(x[0])) or 1.0) / 20, digits=2
            ),
            "side": np.where(np.arange(len(names)) < left, -1, 1),
            "y": levels + 1.0 + rows,
        }
    )


def _notes(
    comparisons: Comparisons,
    order: Order,
    labels: pd.DataFrame,
    bars: pd.DataFrame,
    few: bool,
    critical: float,
) -> Iterator[Note]:
    known = _positions(comparisons)[0]
    if gone := tuple(name for name in comparisons.algorithms if not np.isfinite(known[name])):
        yield Note("plot-no-mean", algorithms=gone)
    yield Note("plot-bars-join" if len(bars) else "plot-no-bar")
    if not bars["whole"].all():
        yield Note("plot-dotted")
    if few:
        yield Note("plot-some-sets")
    if order.uncompared:
        yield Note("plot-unjoined", count=len(order.uncompared))
    if hidden := _together(order, labels):
        yield Note("plot-one-position", pairs=hidden)
    if comparisons.mean_ranks is not None and not np.isfinite(critical):
        yield Note("plot-no-critical")  # for which readers of mean ranks look


def _together(order: Order, labels: pd.DataFrame) -> tuple[tuple[str, str], ...]:
    """Pairs that the axis cannot tell apart though the order does."""
    x, some = labels["position"].to_numpy(), order.restricted(labels["algorithm"].tolist())
    hidden = np.argwhere(some.better & (x[:, None] == x))
    return tuple((some.algorithms[i], some.algorithms[j]) for i, j in hidden)


# -- drawing --------------------------------------------------------------------------------------


def draw_critical_difference(data: CriticalDifference, ax: Axes) -> Axes:
    """An axis with the best on the left, labels at its sides, and bars below it."""
    if not data.below:
        return _draw_diagram(data, ax)
    parts = _parts(data)
    gap = min(80 / points(ax)[1], 0.6 / len(parts))  # a title and an axis take about 1.1 inches
    panels = divided(ax, rows=[part.depth for part in parts], gap=gap)
    for part, panel in zip(parts, panels[:, 0], strict=True):
        _draw_diagram(part, panel)
    return ax


def _parts(data: CriticalDifference) -> list[CriticalDifference]:
    """One by one, with all notes at the last one, where they are in nobody's way."""
    parts = [data, *data.below]
    everywhere = set(data.notes).intersection(*(part.notes for part in parts))
    notes = [
        note if note in everywhere else Note("plot-one-of", title=part.title, note=note)
        for part in parts
        for note in part.notes
    ]
    last = replace(parts[-1], notes=tuple(dict.fromkeys(notes)))
    return [*(replace(part, notes=()) for part in parts[:-1]), last]


def _draw_diagram(data: CriticalDifference, ax: Axes) -> Axes:
    ax.set_xlim(*data.limits)
    ax.set_ylim(data.depth, 0)
    ax.xaxis.tick_top()
    ax.xaxis.set_label_position("top")
    ax.spines[["left", "right", "bottom"]].set_visible(False)
    ax.spines["top"].set_visible(True)  # whatever the style in use says
    ax.tick_params(labelsize="small")
    ax.yaxis.set_visible(False)
    _draw_labels(ax, data)
    _draw_bars(ax, data)
    _draw_scale(ax, data)
    entitle(ax, data.title, data.label, pad=52 if np.isfinite(data.critical) else None)
    remark(ax, data.notes, drop=8)
    return ax


def _draw_labels(ax: Axes, data: CriticalDifference) -> None:
    look, size = styles(data.names), row_letters(ax, data.depth)
    for row in data.algorithms.to_dict("records"):
        name, x, y, left = str(row["algorithm"]), row["position"], row["y"], row["side"] < 0
        edge = data.limits[0 if left else 1]
        ax.plot([x, x, edge], [0, y, y], color=GREY, linewidth=0.7, clip_on=False, zorder=1)
        ax.plot(x, 0, look[name].marker, color=look[name].colour, clip_on=False, zorder=4)
        words = (short(name), row["text"])
        ax.annotate(
            "  ".join(words if left else words[::-1]),
            (edge, y),
            (-4 if left else 4, 0),
            textcoords="offset points",
            ha="right" if left else "left",
            va="center",
            fontsize=size,
            color=INK,
            parse_math=False,
            annotation_clip=False,
        )


def _draw_bars(ax: Axes, data: CriticalDifference) -> None:
    lines: tuple[tuple[bool, float, Any], ...] = ((True, 4.0, "-"), (False, 1.2, (0, (1, 1.5))))
    for whole, width, line in lines:
        rows = data.bars[data.bars["whole"] == whole]
        ends = [[(s, y), (e, y)] for s, e, y in rows[["start", "end", "y"]].to_numpy(float)]
        if ends:  # what is empty and not clipped would widen the margins
            ax.add_collection(_lines(ends, width, line))
    at = data.members
    if len(at):
        dots: dict[str, Any] = {"color": "white", "markeredgecolor": INK, "markersize": 3.6}
        ax.plot(at["position"], at["y"], "o", zorder=3, markeredgewidth=0.8, clip_on=False, **dots)


def _lines(ends: list[list[tuple[float, float]]], width: float, line: Any) -> Any:
    from matplotlib.collections import LineCollection

    return LineCollection(
        ends, colors=INK, linewidths=width, linestyles=[line], zorder=2, clip_on=False
    )


def _draw_scale(ax: Axes, data: CriticalDifference) -> None:
    """The critical difference as a length above the axis; only its number where it is longer."""
    from matplotlib.transforms import ScaledTranslation

    if not np.isfinite(data.critical):
        return
    share = data.critical / abs(data.limits[1] - data.limits[0])
    inches = figure_of(ax).dpi_scale_trans
    above = ax.transAxes + ScaledTranslation(0, 38 / 72, inches)
    text = f" CD = {number(data.critical)}"
    if share <= 1:
        ax.plot([0, share], [1, 1], transform=above, color=INK, marker="|", clip_on=False)
    else:
        text += " (longer than the axis)"
    place: dict[str, Any] = {"va": "center", "fontsize": "small", "color": INK, "clip_on": False}
    ax.text(share if share <= 1 else 0, 1, text, transform=above, **place)


def _size(data: CriticalDifference) -> Size:
    longest = max(len(short(name)) for name in data.names)
    width = 7.5 + 0.15 * max(longest - 14, 0)  # names stand on both sides
    return width, sum(1.3 + 0.19 * part.depth for part in (data, *data.below))


critical_difference = registered(
    "critical_difference",
    Comparisons,
    "the critical difference diagram",
    critical_difference_data,
    draw_critical_difference,
    """The critical difference diagram; of several comparisons (measures) one below the other.

    `order` is theirs unless it was decided otherwise (another alpha); only for one.
    """,
    size=_size,
    title="Critical difference diagram",
    caption="Algorithms by mean rank or mean; bars join those that {procedure} does not tell "
    "apart.",
)


# -- cd tikz --------------------------------------------------------------------------------------
# The critical difference diagram as TikZ code.


WIDTH = 8.0  # of the axis, in cm
ROW = 0.42  # of labels


def critical_difference_tikz(comparisons: Comparisons, *, order: Order | None = None) -> str:
    r"""The diagram as a `tikzpicture`, for a document with `\usepackage{tikz}`."""
    data = critical_difference_data(comparisons, order=order)
    body = [*_axis(data), *_scale(data), *_cd_tikz_labels(data), *_cd_tikz_bars(data)]
    lines = [
        f"% {one_line(data.title)}: {one_line(data.label)}",
        r"\begin{tikzpicture}[every node/.style={font=\footnotesize, inner sep=2pt}]",
        *(f"  {line}" for line in body),
        r"\end{tikzpicture}",
    ]
    return "\n".join(lines) + "\n"


def _x(data: CriticalDifference, value: float) -> str:
    low, high = data.limits
    return f"{WIDTH * (value - low) / (high - low):.3f}"


def _axis(data: CriticalDifference) -> list[str]:
    from matplotlib.ticker import MaxNLocator

    low, high = sorted(data.limits)
    room = 1e-9 * (high - low)
    every = MaxNLocator(8, steps=[1, 2, 5, 10]).tick_values(low, high)
    ticks = [t for t in every if low - room <= t <= high + room]
    lines = [rf"\draw (0,0) -- ({WIDTH:g},0);"]
    lines += [rf"\draw ({_x(data, t)},0) -- +(0,0.1) node[above] {{{_number(t)}}};" for t in ticks]
    return [*lines, rf"\node[above] at ({WIDTH / 2:g},0.5) {{{latex(data.label)}}};"]


def _scale(data: CriticalDifference) -> list[str]:
    if not np.isfinite(data.critical):
        return []
    length = WIDTH * data.critical / abs(data.limits[1] - data.limits[0])
    if length > WIDTH:
        return [rf"\node[right] at (0,1.2) {{CD = {_number(data.critical)}}};"]
    end = f"({length:.3f},1.2)"
    return [rf"\draw[|-|] (0,1.2) -- {end} node[right] {{CD = {_number(data.critical)}}};"]


def _cd_tikz_labels(data: CriticalDifference) -> list[str]:
    lines = []
    for row in data.algorithms.to_dict("records"):
        left = row["side"] < 0
        x, y = _x(data, row["position"]), f"{-ROW * row['y']:.3f}"
        words = (latex(str(row["algorithm"])), str(row["text"]).replace("-", "$-$", 1))
        text = r"\enspace ".join(words if left else words[::-1])
        edge, anchor = (0.0, "left") if left else (WIDTH, "right")
        lines.append(
            rf"\draw[gray] ({x},0) |- ({edge:g},{y}) node[{anchor}, text=black] {{{text}}};"
        )
    return lines


def _cd_tikz_bars(data: CriticalDifference) -> list[str]:
    lines = []
    for row in data.bars.to_dict("records"):
        look = "line width=2.5pt" if row["whole"] else "line width=0.6pt, densely dotted"
        ends = [f"({_x(data, row[end])},{-ROW * row['y']:.3f})" for end in ("start", "end")]
        lines.append(rf"\draw[{look}] {ends[0]} -- {ends[1]};")
    for row in data.members.to_dict("records"):
        at = f"({_x(data, row['position'])},{-ROW * row['y']:.3f})"
        lines.append(rf"\filldraw[fill=white] {at} circle (1.2pt);")
    return lines


def _number(value: float) -> str:
    return latex(number(value + 0.0).replace("-", "−", 1))
