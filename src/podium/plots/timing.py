"""What the algorithms cost: Figure 6 of Eugster, Hothorn and Leisch (2008)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import pandas as pd

from podium.errors import ResultsError
from podium.facts import Note
from podium.plots.canvas import key, logarithmic
from podium.plots.records import Plot, checked, registered
from podium.plots.rows import Rows, draw_rows, rows_of, share_of_row
from podium.plots.score_plots import row_size
from podium.plots.scores import Scores, scores_of
from podium.plots.styles import GREY, INK
from podium.results.results import Results

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HATCH = "////"
WIDE = 30.0  # the slowest takes so many times as long as the fastest: the axis is logarithmic


@dataclass(frozen=True, eq=False)
class Times:
    """Mean seconds per algorithm: row, algorithm, scores, fit, predict, total.

    `logarithmic` says whether the fastest would vanish beside the slowest.
    """

    table: pd.DataFrame
    rows: Rows
    logarithmic: bool


def times_data(results: Results, *, dataset: str | None = None, sort: bool = True) -> Times:
    """The mean time of fitting and of predicting, fastest first.

    Where there are several data sets and none is named, the means of data sets are averaged.
    """
    total = _times(results, "time", dataset)
    rows = rows_of(total, sort)
    parts = {part: _times(results, f"{part}-time", dataset) for part in ("fit", "predict")}
    means = {part: found.table[rows.names].mean().to_numpy() for part, found in parts.items()}
    table = pd.DataFrame(
        {
            "row": range(len(rows.names)),
            "algorithm": rows.names,
            "scores": total.table[rows.names].count().to_numpy(),
            **means,
            "total": total.table[rows.names].mean().to_numpy(),
        }
    )
    positive = table["total"][table["total"] > 0]
    logarithmic = len(positive) > 0 and positive.max() > WIDE * positive.min()
    none = int((table[["fit", "predict", "total"]] <= 0).to_numpy().sum())
    return Times(table, _worded(rows, total.block, logarithmic, none), bool(logarithmic))


def _times(results: Results, measure: str, dataset: str | None) -> Scores:
    if measure in checked(results, Results).measures or results.runs["fit_time"].notna().any():
        return replace(scores_of(results, measure, dataset), noun="time")
    raise ResultsError(
        f"The results of '{results.name}' have no times: a table of scores carries none. Run the "
        "study with podium.run, which keeps the times of every run, or give a table the measures "
        "fit-time, predict-time and time."
    )


def _worded(rows: Rows, block: str, logarithmic: bool, none: int) -> Rows:
    notes = [Note("plot-logarithmic")]
    notes += [Note("plot-no-time", count=none)] if none else []
    label = f"mean seconds per {'run' if block == 'sample' else 'run, over data sets'}"
    return replace(rows, label=label, notes=(*(notes if logarithmic else ()), *rows.notes))


def draw_times(data: Times, ax: Axes) -> Axes:
    """Draw the parts as stacked bars or, on a logarithmic axis, as marks."""
    (_draw_marks if data.logarithmic else _draw_bars)(data, ax)
    draw_rows(ax, data.rows)
    _explain(data, ax)
    return ax


def _explain(data: Times, ax: Axes) -> None:
    """What the parts of a bar, or those marks that there are, mean."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    bars = [
        Patch(facecolor=GREY, edgecolor=INK, label="fit"),
        Patch(facecolor="white", edgecolor=INK, hatch=HATCH, label="predict"),
    ]
    marks = [
        Line2D([], [], linestyle="", color=INK, marker=m, markerfacecolor=face, label=part)
        for part, m, face in (("fit", "o", INK), ("predict", "o", "none"), ("total", "|", INK))
        if (data.table[part] > 0).any()
    ]
    key(ax, marks if data.logarithmic else bars)


def _draw_bars(data: Times, ax: Axes) -> None:
    t, colours = data.table, data.rows.colours
    edge: dict[str, Any] = {"height": 0.6, "edgecolor": INK, "linewidth": 0.6}
    ax.barh(t["row"], t["fit"], color=colours, **edge)
    ax.barh(t["row"], t["predict"], left=t["fit"], color="white", hatch=HATCH, **edge)
    ax.set_xlim(left=0)


def _draw_marks(data: Times, ax: Axes) -> None:
    t, size = data.table, share_of_row(ax, data.rows, 0.6, 6)
    seen = t.mask(t[["fit", "predict", "total"]] <= 0)  # a logarithm has no place for zero
    for part, marker, filled in (("predict", "o", False), ("fit", "o", True), ("total", "|", True)):
        for row, value, colour in zip(t["row"], seen[part], data.rows.colours, strict=True):
            face = colour if filled else "none"
            ax.plot(value, row, marker, color=colour, markerfacecolor=face, markersize=size)
    logarithmic(ax, "x")


times = registered(
    Plot(
        "times",
        Results,
        "computation times",
        times_data,
        draw_times,
        "Mean computation time of each algorithm, fastest first.",
        size=row_size,
        options={"sort": "The fastest first, or as in the study."},
        title="Times",
        caption="Seconds that fitting and predicting take in a run, on average.",
    )
)
