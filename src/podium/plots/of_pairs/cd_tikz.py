"""The critical difference diagram as TikZ code."""

from __future__ import annotations

import numpy as np

from podium.base.formatting import latex, number, one_line
from podium.inference.comparing.comparisons import Comparisons
from podium.orders.order import Order
from podium.plots.of_pairs.critical_differences import CriticalDifference, critical_difference_data

WIDTH = 8.0  # of the axis, in cm
ROW = 0.42  # of labels


def critical_difference_tikz(comparisons: Comparisons, *, order: Order | None = None) -> str:
    r"""The diagram as a `tikzpicture`, for a document with `\usepackage{tikz}`."""
    data = critical_difference_data(comparisons, order=order)
    body = [*_axis(data), *_scale(data), *_labels(data), *_bars(data)]
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


def _labels(data: CriticalDifference) -> list[str]:
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


def _bars(data: CriticalDifference) -> list[str]:
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
