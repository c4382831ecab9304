"""One panel per data set: Figure 7 of Eugster, Hothorn and Leisch (2008), with any plot inside."""

from __future__ import annotations

import inspect
import itertools
import math
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from podium.core.base.errors import PodiumError, ResultsError
from podium.core.base.formatting import short
from podium.core.results.results import Results
from podium.core.words.saying import say
from podium.showing.drawing.canvas import (
    GREY,
    MOST_HUES,
    emphasis,
    emphasised,
    hide_names,
    paper_width,
    remarks_on,
    write,
)
from podium.showing.drawing.records import Face, Size, checked, registered
from podium.showing.drawing.shown_scores import by_mean_rank, kept_scores
from podium.showing.plots.of_scores.differences_plots import LISTED, behind
from podium.showing.plots.of_scores.score_plots import boxes

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure
    from matplotlib.text import Text

LETTERS = 7.0  # points; panels are small
TALL, HIGH = 2.8, 2.0  # inches of a panel with several parts, and of one with a label beside it
MOST_BELOW = 40  # entries of a legend below each other, for which figures are high enough
SHARED = ("", "x", "y", "xy", "yx")
WIDEST = 25  # how many times the usual range a common axis may have


@dataclass(frozen=True, eq=False)
class Trellis:
    """The panels (dataset, row, column), the size of one in inches, and what draws it on axes."""

    panels: pd.DataFrame
    rows: int
    columns: int
    width: float
    height: float
    draw_panel: Callable[[str, Axes], object]
    shared: str = ""
    order: tuple[str, ...] = ()  # of the rows of every panel
    alike: bool = False  # whether all panels have the same rows


def trellis_data(
    results: Results,
    plot: Face | None = None,
    *,
    columns: int | None = None,
    shared: str | None = None,
    measure: str | None = None,
    **options: Any,
) -> Trellis:
    """Where the panel of each data set is: row by row, in the study's order.

    Rows of all panels have one order, by the mean rank over data sets. Unless said otherwise panels
    hold boxes or, of more than eight algorithms, how far the first ones are behind the best; and
    they share the axis of scores, where no data set is so much wider that others would be lines.
    """
    if shared is not None and shared not in SHARED:
        raise ResultsError(f"Panels share 'x', 'y', 'xy' or nothing, '', not {shared!r}.")
    many = len(checked(results, Results).algorithms) > MOST_HUES
    plot = (behind if many else boxes) if plot is None else plot
    _check_plot(plot)
    options |= {} if measure is None else {"measure": measure}
    datasets = checked(results, Results).datasets
    if columns is not None and not (isinstance(columns, Integral) and columns >= 1):
        raise ResultsError(f"A trellis has a whole number of columns from 1 on, not {columns!r}.")
    count = len(datasets)
    across = int(min(columns or math.ceil(math.sqrt(1.2 * count)), count))
    places = [divmod(i, across) for i in range(count)]
    panels = pd.DataFrame(places, columns=["row", "column"])
    panels.insert(0, "dataset", datasets)
    order = _order(results, measure)
    shown = (order or results.algorithms)[:LISTED] if plot is behind else results.algorithms
    height = min(max(1.2, 0.6 + 0.13 * (len(shown) + (plot is behind))), 6.0)
    longest = max(len(short(name)) for name in shown)
    width = 2.6 + LETTERS / 125 * max(longest - 10, 0)  # names stand beside the rows
    return Trellis(
        panels,
        -(-count // across),
        across,
        width,
        height,
        lambda dataset, ax: plot(results, dataset=dataset, ax=ax, **options),
        _shared(results, measure) if shared is None else shared,
        tuple(order),
        _is_complete(results, measure),
    )


def _order(results: Results, measure: str | None) -> list[str]:
    """Of all algorithms; those without any score come last."""
    try:
        scored = by_mean_rank(results, measure)
    except ResultsError:  # each panel says so
        return []
    return [*scored, *(name for name in results.algorithms if name not in scored)]


def _is_complete(results: Results, measure: str | None) -> bool:
    """Whether every algorithm has a score on every data set."""
    rows = results.values(measure or next(iter(results.measures), ""))
    scored = rows[np.isfinite(rows["value"].to_numpy(float))]
    cells = len(scored[["dataset", "algorithm"]].drop_duplicates())
    return cells == len(results.datasets) * len(results.algorithms)


def _shared(results: Results, measure: str | None) -> str:
    """The axis of scores, where the widest data set has at most so many times the usual range."""
    name = measure or next(iter(results.measures), "")
    values = results.values(name).groupby("dataset", observed=True)["value"]
    range_ = float(values.max().max() - values.min().min())
    usual = float((values.max() - values.min()).median())
    return "x" if range_ <= WIDEST * usual else ""


def _check_plot(plot: Any) -> None:
    try:
        inspect.signature(plot).bind_partial(None, dataset="", ax=None)
    except TypeError:
        raise ResultsError(
            "A trellis repeats a plot of one data set, as podium.plots.boxes, which takes dataset= "
            f"and ax=, not {getattr(plot, '__name__', repr(plot))}."
        ) from None


def draw_trellis(data: Trellis, figure: Figure | SubFigure) -> Figure | SubFigure:
    """Draw every panel; where that is refused it says why. Where all are refused, so is the figure.

    A whole figure becomes larger by its legend, and where panels need more room.
    """
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    grid = figure.add_gridspec(data.rows, data.columns)
    drawn: list[Axes] = []
    refused: list[PodiumError] = []
    one_order = emphasised(replace(emphasis(), order=data.order))
    small = rc_context({"font.size": LETTERS, "axes.titlesize": LETTERS + 1})
    with small, one_order, kept_scores():
        for panel in data.panels.itertuples():
            ax = figure.add_subplot(grid[panel.row, panel.column])
            if data.alike and panel.column:
                hide_names(ax)
            try:
                data.draw_panel(panel.dataset, ax)
                drawn.append(ax)
            except PodiumError as error:
                refused.append(error)
                _say(ax, str(error))
            _entitle_panel(ax, short(panel.dataset))
        if not drawn:
            raise refused[0]
        _gather_legends(figure, drawn)
        _gather_remarks(figure, data)
        _gather_labels(drawn)
        if "x" in data.shared:
            _label_last(drawn)
    parts = zip(*([ax, *ax.child_axes] for ax in drawn), strict=False)
    for alike, axis in itertools.product(parts, data.shared):
        _share(alike, axis)
    if isinstance(figure, Figure):
        width, height = _size(data)
        of_legends = sum(legend.get_window_extent().width for legend in figure.legends) / figure.dpi
        figure.set_size_inches(width + of_legends, max(height, _room(figure.axes) * data.rows))
    return figure


def _entitle_panel(ax: Axes, title: str) -> None:
    """A title; where nothing is in its way, layouts of many panels need not look for its place."""
    above = ax.xaxis.get_ticks_position() != "bottom"
    ax.set_title(title, y=None if above else 1.0, parse_math=False)
    if not ax.get_ylabel():
        ax.yaxis.set_label_coords(0, 0.5)  # of no label


def _size(data: Trellis) -> Size:
    return data.columns * data.width, data.rows * data.height + 0.5


def _room(drawn: Sequence[Axes]) -> float:
    """The least height of a panel, more where there is more than a row per algorithm."""
    if any(ax.child_axes for ax in drawn):
        return TALL
    return HIGH if any(ax.get_ylabel() for ax in drawn) else 0.0


def _say(ax: Axes, why: str) -> None:
    """A text in the place of a panel."""
    ax.clear()
    ax.set_axis_off()
    place = {"transform": ax.transAxes, "ha": "center", "va": "center", "color": GREY}
    write(ax, 0.5, 0.5, textwrap.fill(why, 34), **place)


def _gather_remarks(figure: Figure | SubFigure, data: Trellis) -> None:
    """Remarks of panels go below all of them: each sentence once, with its data sets."""
    remarks: dict[str, list[str]] = {}
    for ax, dataset in zip(list(figure.axes), data.panels["dataset"], strict=True):
        for text, notes in remarks_on(ax):
            for note in notes:
                remarks.setdefault(say(note), []).append(dataset)
            text.remove()
    everywhere = len(data.panels)
    lines = [
        remark if len(about) == everywhere else f"{', '.join(map(short, about))}: {remark}"
        for remark, about in remarks.items()
    ]
    if lines:
        letters = int(24 * data.columns * data.width)
        below = "\n".join(textwrap.fill(line, letters) for line in lines)
        # of all texts of a figure only this one is given room by its layout
        figure.supxlabel(below, x=0.01, ha="left", fontsize="small", color=GREY, parse_math=False)


def _gather_legends(figure: Figure | SubFigure, drawn: Sequence[Axes]) -> None:
    """Legends of panels become one, beside all of them: algorithms look the same everywhere."""
    entries: dict[str, Artist] = {}
    for ax in drawn:
        made = ax.get_legend()
        if made is not None:
            names = [text.get_text() for text in made.get_texts()]
            entries |= dict(zip(names, filter(None, made.legend_handles), strict=True))
            made.remove()
    if entries:
        one = figure.legend(
            list(entries.values()),
            list(entries),
            loc="outside right upper",
            frameon=False,
            ncols=-(-len(entries) // MOST_BELOW),
        )
        for text in one.get_texts():
            text.set_parse_math(False)


def _gather_labels(drawn: Sequence[Axes]) -> None:
    """A label that all panels share stands once, below the last row of each column."""
    last = {ax.get_subplotspec().colspan.start: ax for ax in drawn}  # type: ignore[union-attr]
    below = list(last.values())[: None if paper_width() is None else 1]  # a column has room for one
    for labels, inner in (
        ([ax.xaxis.label for ax in drawn], [ax not in below for ax in drawn]),
        ([ax.yaxis.label for ax in drawn], [not _is_first(ax) for ax in drawn]),
    ):
        if len({label.get_text() for label in labels}) == 1:
            _clear([label for label, hidden in zip(labels, inner, strict=True) if hidden])


def _label_last(drawn: Sequence[Axes]) -> None:
    """Numbers of a common axis stand below the last panel of each column."""
    last = {ax.get_subplotspec().colspan.start: ax for ax in drawn}  # type: ignore[union-attr]
    for ax in drawn:
        if ax not in last.values() and not ax.child_axes:
            ax.tick_params(axis="x", labelbottom=False)
            # the first of a row has ticks as long: layouts need not measure all of them
            ax.xaxis.set_in_layout(_is_first(ax) or bool(ax.get_xlabel()))


def _is_first(ax: Axes) -> bool:
    spec = ax.get_subplotspec()
    return spec is None or spec.is_first_col()


def _clear(labels: Sequence[Text]) -> None:
    for label in labels:
        label.set_text("")


def _share(drawn: Sequence[Axes], axis: str) -> None:
    """One range for all panels; ticks stay each panel's own, as names of rows may differ."""
    limits = [getattr(ax, f"get_{axis}lim")() for ax in drawn]
    for ax in drawn:
        start, end = getattr(ax, f"get_{axis}lim")()
        ends = min(map(min, limits)), max(map(max, limits))
        getattr(ax, f"set_{axis}lim")(ends if start <= end else ends[::-1])


trellis = registered(
    "trellis",
    Results,
    "a panel for every data set",
    trellis_data,
    draw_trellis,
    """A figure with `plot(results, dataset=..., ax=..., **options)` for every data set.

    Panels hold `boxes` unless said otherwise or, of more than eight algorithms, `behind`.
    `shared` axes ("x", "y", "xy" or "") have one range in all panels. The rows of Podium's own
    plots have one order everywhere, by the mean rank; `sort=False` is that of the study.
    """,
    size=_size,
    options={
        "shared": "Axes with one range in all panels: x, y or xy [x, where it fits].",
        "plot": "What is drawn in each panel, such as dots, violins or bench [boxes; behind, "
        "where there are more than 8 algorithms].",
        "columns": "Panels beside each other [about as many as below each other].",
    },
    flags={"plot": "panels", "columns": "across"},  # --columns are those of the file
    whole_figure=True,
)
