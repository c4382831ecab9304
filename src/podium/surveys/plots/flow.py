"""The way of data sets into a study: how many were there, eligible, drawn, failed, analysed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from podium.drawing.canvas import GREY, INK
from podium.drawing.records import Plot, Size, checked, registered
from podium.reading.results import Results
from podium.surveys.flow import flow as way
from podium.words.notes.of_neutrality import flow_caption, flow_label, flow_side

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROW = 0.62  # inches


def flow_data(results: Results) -> pd.DataFrame:
    """How many data sets were there, eligible, drawn, failed and analysed."""
    return way(checked(results, Results))


def draw_flow(data: pd.DataFrame, ax: Axes) -> Axes:
    """A box for every step on the way, and beside it those who leave it."""
    y = -pd.Series(range(len(data)), dtype=float)
    main = data["why"] == ""
    box = {"boxstyle": "round,pad=0.45", "facecolor": "none"}
    stops = y[main].tolist()
    ax.plot([0.27, 0.27], [stops[0], stops[-1]], color=GREY, linewidth=1.2, zorder=0)
    for place, row in zip(y, data.itertuples(), strict=True):
        if row.why:
            ax.plot([0.27, 0.56], [place, place], color=GREY, linewidth=1.0, zorder=0)
            text, x, colour = flow_side(row.step, row.datasets, row.why), 0.55, GREY
        else:
            text, x, colour = flow_label(row.step, row.datasets), 0.27, INK
        ax.text(
            x, place, text, ha="left" if row.why else "center", va="center", fontsize=9, color=INK,
            bbox=box | {"edgecolor": colour, "facecolor": "white"},
        )  # fmt: skip
    ax.set(xlim=(0, 1), ylim=(y.min() - 0.6, 0.6))
    ax.axis("off")
    return ax


def _size(data: pd.DataFrame) -> Size:
    return 6.4, max(1.6, ROW * len(data) + 0.4)


flow = registered(
    Plot(
        "flow",
        Results,
        "how data sets came into the study, step by step",
        flow_data,
        draw_flow,
        of_design=True,
        size=_size,
        title="The way of the data sets",
        caption=flow_caption(),
    )
)
