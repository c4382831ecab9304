"""How much room axes have, letters that fit into it, and the key of shades beside them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.cm import ScalarMappable
    from matplotlib.figure import Figure


def figure_of(ax: Axes) -> Figure:
    """The whole figure that axes are on."""
    figure = ax.get_figure(root=True)
    assert figure is not None, "axes that were removed from their figure"
    return figure


def points(ax: Axes) -> tuple[float, float]:
    """Width and height of the axes in points, as far as their layout is known by now."""
    box, scale = ax.get_window_extent(), 72 / figure_of(ax).dpi
    return float(box.width * scale), float(box.height * scale)


def letters(room: float) -> float:
    """The size of letters, in points, for lines that have so much room."""
    return float(np.clip(0.8 * room, 2.0, 9.0))


def row_letters(ax: Axes, rows: float) -> float:
    """The size of letters for so many rows on the axes."""
    return letters(points(ax)[1] / rows)


def fitting(ax: Axes, rows: float, columns: float) -> float:
    """The size of letters of which a line fits into every row and column of the axes."""
    width, height = points(ax)
    return letters(min(width / columns, height / rows))


def draw_key(
    ax: Axes,
    image: ScalarMappable,
    start: float,
    ticks: Sequence[float],
    labels: Sequence[str],
) -> None:
    """What shades mean, to the right of the axes; it begins at a multiple of their width."""
    bar = figure_of(ax).colorbar(image, cax=ax.inset_axes((start, 0.15, 0.03, 0.7)))
    bar.set_ticks(list(ticks), labels=list(labels))
    bar.ax.tick_params(labelsize="x-small", length=0)
    bar.outline.set_visible(False)
