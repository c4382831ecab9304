"""Two measures at once: algorithms by the means of both, and the front of those not dominated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from podium.errors import ResultsError
from podium.measures import Measure
from podium.plots.canvas import (
    axes_for,
    beside_legend,
    entitle,
    legend,
    lightened,
    logarithmic,
    remark,
)
from podium.plots.complete import complete
from podium.plots.given import checked
from podium.plots.scores import scores_of
from podium.plots.styles import INK, styles
from podium.results.results import Results

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]
PALE = 0.45  # how much white is in the colours of what is dominated
AMOUNTS = ("s", "bytes")  # units that are often shown on log axes


@dataclass(frozen=True, eq=False)
class Tradeoff:
    """Algorithms by two measures.

    `table` has algorithm, x, y (means), x_se, y_se, front; `steps` the corners (x, y) of the line
    along the front, beyond which all is dominated, from its best in x to its best in y.
    """

    table: pd.DataFrame
    steps: pd.DataFrame
    algorithms: tuple[str, ...]  # all, in the study's order, which gives them their styles
    labels: tuple[str, str]
    logarithmic: tuple[bool, bool]
    title: str
    remarks: tuple[str, ...] = ()


def pareto_data(
    results: Results, measures: Sequence[str] | None = None, dataset: str | None = None
) -> Tradeoff:
    """Means of two measures (the first and the time, unless said) and the Pareto front.

    An algorithm is on the front iff no other is at least as good in both means and better in one;
    algorithms with the same means are on it together. Means and standard errors are over the
    samples, or data sets, in which every algorithm has both scores; others are left out, which is
    said. A time or a memory that spans more than a factor of ten is on a log axis.
    """
    first, second = (scores_of(results, name, dataset) for name in _two(results, measures))
    (xs, ys), remarks = complete(first, second)
    count = len(xs)
    spread = [t.std().to_numpy(float) / np.sqrt(count) for t in (xs, ys)]
    x, y = xs.mean().to_numpy(float), ys.mean().to_numpy(float)
    front = _front(first.measure.sign * x, second.measure.sign * y)
    table = {"algorithm": xs.columns.astype(str), "x": x, "y": y}
    if count == 1:
        remarks = [*remarks, f"No standard errors: there is one {first.block}."]
    else:
        remarks = [*remarks, f"Bars: ± one standard error over {count} {first.block}s."]
    return Tradeoff(
        pd.DataFrame({**table, "x_se": spread[0], "y_se": spread[1], "front": front}),
        _steps(x[front], y[front], first.measure),
        tuple(first.algorithms),
        (first.label, second.label),
        (_spans(x, spread[0], first.measure), _spans(y, spread[1], second.measure)),
        first.title,
        tuple(remarks),
    )


def _two(results: Results, measures: Sequence[str] | None) -> tuple[str, str]:
    """The names of the two measures; by default the first, and the time where it is known."""
    if measures is None:
        timed = bool(checked(results, Results).runs["fit_time"].notna().any())
        measures = [*results.measures][:1] + (["time"] if timed else [*results.measures][1:2])
        if len(measures) < 2:
            raise ResultsError(
                f"A trade-off needs two measures; '{results.name}' has one and no times."
            )
    if np.size(measures) != 2 or measures[0] == measures[1]:
        raise ResultsError(
            "A trade-off is between two different measures, as ('error', 'time'), not "
            f"{measures!r}."
        )
    return measures[0], measures[1]


def _front(x: Floats, y: Floats) -> NDArray[np.bool_]:
    """Which points no other dominates; larger is better."""
    least = (x[:, None] >= x) & (y[:, None] >= y)  # row is at least as good in both
    return np.asarray(~(least & ~least.T).any(axis=0))


def _steps(x: Floats, y: Floats, measure: Measure) -> pd.DataFrame:
    """Corners of the line along a front: on to the next in x, then to its y."""
    order = np.lexsort((y, -measure.sign * x))
    x, y = x[order], y[order]
    corners = np.column_stack([x, np.r_[y[:1], y[:-1]], x, y]).reshape(-1, 2)[1:]
    return pd.DataFrame(corners, columns=["x", "y"])


def _spans(means: Floats, se: Floats, measure: Measure) -> bool:
    low = (means - np.nan_to_num(se)).min()  # a bar must not reach 0
    return bool(measure.unit in AMOUNTS and low > 0 and means.max() > 10 * means.min())


def draw_pareto(data: Tradeoff, ax: Axes) -> Axes:
    """Draw the algorithms with bars, the dominated ones pale, and the front as a step line."""
    every = styles(data.algorithms)
    shown = data.table.set_index("algorithm")
    drawn = {str(name): every[str(name)] for name in shown.index}
    colours = [
        lightened([style.colour], 0.0 if front else PALE)[0]
        for style, front in zip(drawn.values(), shown["front"], strict=True)
    ]
    _draw_bars(data.table, ax, colours)
    for (name, row), colour in zip(shown.iterrows(), colours, strict=True):
        _draw_point(ax, row, drawn[str(name)].marker, colour)
    ax.plot(data.steps["x"], data.steps["y"], color=INK, linewidth=1, linestyle="--", zorder=1)
    for which, wide in zip("xy", data.logarithmic, strict=True):
        if wide:
            logarithmic(ax, which)
    entitle(ax, data.title, *data.labels)
    legend(ax, drawn, fontsize="small")
    remark(ax, ["Dashed: the Pareto front. Hollow and pale: dominated.", *data.remarks])
    return ax


def _draw_bars(table: pd.DataFrame, ax: Axes, colours: Sequence[Floats]) -> None:
    x, y, x_se, y_se = (table[c].to_numpy(float) for c in ("x", "y", "x_se", "y_se"))
    look: dict[str, Any] = {"colors": colours, "linewidths": 0.8, "zorder": 2}
    if not np.isnan(x_se).any():  # one sample has no standard errors
        ax.hlines(y, x - x_se, x + x_se, **look)
        ax.vlines(x, y - y_se, y + y_se, **look)


def _draw_point(ax: Axes, row: pd.Series, marker: str, colour: Floats) -> None:
    ax.plot(
        row["x"],
        row["y"],
        marker=marker,
        markersize=6,
        color=colour,
        markerfacecolor=colour if row["front"] else "white",  # bars must not cross in it
        zorder=4 if row["front"] else 3,
    )


def pareto(
    results: Results,
    *,
    measures: Sequence[str] | None = None,
    dataset: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Algorithms by the means of two measures, as ('error', 'time'), with their Pareto front.

    On the front are those for which no other is at least as good in both means and better in one;
    the dominated ones are pale. Whether higher or lower is better is each measure's own.
    """
    data = pareto_data(results, measures, dataset)
    return draw_pareto(data, axes_for(ax, *beside_legend(data.algorithms)))
