"""Places of many algorithms as heat maps: what podiums become where bars could not be told apart.

One row per algorithm; the darker, the more often it has a place, or the better its place is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from podium.showing.drawing.canvas import (
    BESIDE,
    GREY,
    INK,
    MANY,
    ON_FILL,
    Style,
    coloured_cells,
    draw_key,
    emphasis,
    fitting,
    in_order,
    names_on,
    row_letters,
    write,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap

DARKEST = "#3d8fc0"  # of a place that is certain; marks in ink can be seen on it
ALONE, SHARED = "1", "="


def shades() -> Colormap:
    """From never to always, or from the last place to the first."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("shares", ["#f7f7f7", "#b9d9ec", DARKEST])


def colour_lead(ax: Axes, names: Sequence[str], style: Mapping[str, Style]) -> None:
    """Names of those in the lead in their colour."""
    for label, name in zip(ax.get_yticklabels(), names, strict=True):
        if style[name].colour != BESIDE:
            label.set_color(style[name].colour)


def place_table(cells: pd.DataFrame) -> pd.DataFrame:
    """Algorithms x data sets: places; rows by mean place, data sets by who has the first ones."""
    datasets = cells["dataset"].unique()
    table = cells.pivot(index="algorithm", columns="dataset", values="place")[datasets]
    rows = in_order(table.mean(axis=1).sort_values(kind="stable").index.tolist())
    table = table.loc[rows]
    return table.iloc[:, np.lexsort(np.argsort(table.to_numpy(), axis=0)[::-1])]


def draw_place_table(
    ax: Axes,
    table: pd.DataFrame,
    leads: Mapping[str, Sequence[str]],
    style: Mapping[str, Style],
) -> float:
    """Places as shades, those in the `leads` of data sets marked; gives the size of letters."""
    (rows, columns), names = table.shape, table.index.tolist()
    places = table.to_numpy(float)
    look: dict[str, Any] = {"cmap": shades(), "vmin": 0, "vmax": rows - 1}
    image = coloured_cells(ax, rows - places, (0, 0), 0.4, **look)
    ax.set(xlim=(0, columns), ylim=(rows, 0))
    ax.tick_params(length=0, colors=INK)
    ax.spines[:].set_visible(False)
    names_on(ax.yaxis, np.arange(rows) + 0.5, names)
    size = fitting(ax, rows, columns)
    ax.tick_params(axis="y", labelsize=row_letters(ax, rows))
    if emphasis().lead:
        colour_lead(ax, names, style)
    if places.size <= MANY:
        _mark_leads(ax, table, leads, size)
    for y, mean in enumerate(places.mean(axis=1)):
        place = {"transform": ax.get_yaxis_transform(), "va": "center", "fontsize": size}
        write(ax, 1.01, y + 0.5, f"{mean:.1f}", color=GREY, **place)
    over = {"transform": ax.transAxes, "va": "bottom", "fontsize": "x-small"}
    write(ax, 1.01, 1.01, "mean\nplace", color=GREY, **over)
    draw_key(ax, image, 1.16, [0, rows - 1], [str(rows), "1"])
    return size


def _mark_leads(
    ax: Axes, table: pd.DataFrame, leads: Mapping[str, Sequence[str]], size: float
) -> None:
    row = {str(name): i for i, name in enumerate(table.index)}
    place = {"ha": "center", "va": "center", "fontsize": size, "in_layout": False}
    for x, dataset in enumerate(table.columns):
        lead = leads[str(dataset)]
        for name in lead if len(lead) < len(row) else ():  # of all it would tell nothing
            mark = ALONE if len(lead) == 1 else SHARED
            write(ax, x + 0.5, row[name] + 0.5, mark, color=ON_FILL, **place)
