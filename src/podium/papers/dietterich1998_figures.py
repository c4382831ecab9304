"""The figures of dietterich1998: measured rates as bars by test, and as curves."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from podium.plots.canvas import entitle, legend
from podium.plots.styles import GREY, INK, styles

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Figure = Callable[["Axes"], "Axes"]
LEVEL = 0.05


def bars(rates: pd.DataFrame, tests: Sequence[str], groups: Mapping[str, str], ax: Axes) -> Axes:
    """Type I errors with 95 % intervals: tests side by side, in each one bar per group.

    `groups` says by which part of its scenario's name a rate belongs to which group.
    """
    drawn, width = styles(list(groups.values())), 0.8 / len(groups)
    for place, (part, label) in enumerate(groups.items()):
        here = rates[rates["scenario"].str.split("-").map(lambda words, p=part: p in words)]
        rows = here.set_index("procedure").loc[list(tests)]
        x = np.arange(len(tests)) + (place - (len(groups) - 1) / 2) * width
        spread = np.abs(rows[["lower", "upper"]].to_numpy().T - rows["rate"].to_numpy())
        ax.bar(x, rows["rate"], width, color=drawn[label].colour, alpha=0.8)
        ax.errorbar(x, rows["rate"], spread, linestyle="", color=INK, linewidth=1)
    ax.axhline(LEVEL, color=GREY, linewidth=1, linestyle="--")
    ax.set_xticks(range(len(tests)), tests, fontsize="small")
    entitle(ax, y="probability of type I error")
    legend(ax, drawn)
    return ax


def curves(rates: pd.DataFrame, x: str, label: str, y: str, ax: Axes) -> Axes:
    """Rates of every test by a column of numbers, with 95 % intervals."""
    drawn = styles(list(dict.fromkeys(rates["procedure"])))
    for test, style in drawn.items():
        rows = rates[rates["procedure"] == test].sort_values(x)
        ax.plot(rows[x], rows["rate"], color=style.colour, marker=style.marker, markersize=5)
        ax.fill_between(
            rows[x], rows["lower"], rows["upper"], color=style.colour, alpha=0.15, linewidth=0
        )
    ax.axhline(LEVEL, color=GREY, linewidth=1, linestyle="--")
    ax.set_ylim(0, None)
    entitle(ax, x=label, y=y)
    legend(ax, drawn)
    return ax
