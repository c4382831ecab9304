"""Data sets x algorithms as a heat map, and two algorithms against each other over data sets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from podium.core.base.errors import ResultsError
from podium.core.base.formatting import aligned, number, short
from podium.core.orders.distances import dendrogram, symmetric_differences
from podium.core.results.results import Results
from podium.core.words.facts import Note
from podium.showing.drawing.canvas import (
    GREY,
    INK,
    MANY,
    ON_FILL,
    Style,
    coloured_cells,
    entitle,
    figure_of,
    fitting,
    in_order,
    named_below,
    names_on,
    remark,
    styles,
    write,
)
from podium.showing.drawing.records import Size, registered
from podium.showing.drawing.shown_scores import (
    column,
    equal_but_for_rounding,
    over_datasets,
    uneven,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


WRITTEN = 800  # cells that have their number in them
MOST_NAMED = 60  # data sets with their names
MOST_CLUSTERED = 200  # data sets that are arranged by how alike they are; more by their winners


# -- the heat map -----------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class DatasetHeat:
    """Mean scores and their ranks within data sets, 1 is the best and ties have mean ranks.

    Rows are data sets, those with similar ranks beside each other (complete linkage), or, of very
    many, those with the same winner; columns are algorithms, the best mean rank first. `shown` is
    the one of both that colours stand for.
    """

    scores: pd.DataFrame
    ranks: pd.DataFrame
    mean_ranks: pd.Series
    shows_ranks: bool
    low_is_better: bool
    label: str
    notes: tuple[Note, ...]

    @property
    def shown(self) -> pd.DataFrame:
        """What colours stand for."""
        return self.ranks if self.shows_ranks else self.scores

    @property
    def cells(self) -> pd.DataFrame:
        """The same in long form: dataset, algorithm, score, rank."""
        return pd.DataFrame(
            {
                "dataset": np.repeat(self.scores.index.to_numpy(object), self.scores.shape[1]),
                "algorithm": np.tile(self.scores.columns.to_numpy(object), len(self.scores)),
                "score": self.scores.to_numpy(float).ravel(),
                "rank": self.ranks.to_numpy(float).ravel(),
            }
        )


def dataset_heat_data(
    results: Results, *, measure: str | None = None, ranks: bool = True
) -> DatasetHeat:
    """Scores and ranks in the order in which they are shown; what is missing is NaN."""
    scores = over_datasets(results, measure, "A map of data sets")
    ranked = _ranks(scores.table, scores.measure.higher_is_better)
    means = ranked.mean()
    best_first = in_order(list(means.sort_values(kind="stable", na_position="last").index))
    few = len(ranked) <= MOST_CLUSTERED
    rows = _arranged(ranked) if few else _by_winner(ranked[best_first])
    return DatasetHeat(
        scores=scores.table.loc[rows, best_first],
        ranks=ranked.loc[rows, best_first],
        mean_ranks=means[best_first],
        shows_ranks=ranks,
        label=f"rank by {scores.measure.name} (1 is the best)" if ranks else f"mean {scores.label}",
        low_is_better=ranks or not scores.measure.higher_is_better,
        notes=(*scores.notes, *uneven(results, scores)),
    )


def _ranks(table: pd.DataFrame, higher_is_better: bool) -> pd.DataFrame:
    """Ranks within rows among the scores there are; equal but for rounding is tied."""
    size = table.abs().max(axis=1).replace(0.0, 1.0)
    level = table.div(size, axis=0).round(12)
    return level.rank(axis=1, ascending=not higher_is_better)


def _arranged(ranks: pd.DataFrame) -> list[str]:
    """Data sets by complete linkage of the symmetric differences of their ranks; gaps are ties."""
    r = ranks.to_numpy(float)
    apart = symmetric_differences(r[:, :, None] < r[:, None, :])
    return list(dendrogram(apart, [str(name) for name in ranks.index]).arranged)


def _by_winner(ranks: pd.DataFrame) -> list[str]:
    """Data sets by which algorithm is the best there, then the second best, and so on."""
    order = np.argsort(ranks.fillna(np.inf).to_numpy(float), axis=1, kind="stable")
    return ranks.index[np.lexsort(order.T[::-1])].tolist()


def draw_dataset_heat(data: DatasetHeat, ax: Axes) -> Axes:
    """Draw the coloured table, data sets from top to bottom."""
    import matplotlib as mpl
    from matplotlib.colors import Normalize

    values = data.shown.to_numpy(float)
    rows, columns = values.shape
    mesh = coloured_cells(
        ax,
        values,
        (0, 0),
        0.5,
        cmap=mpl.colormaps["cividis" if data.low_is_better else "cividis_r"],  # dark is better
        norm=Normalize(*_ends(values, data.shows_ranks)),
    )
    y, x = np.nonzero(np.isnan(values))
    ax.scatter(x + 0.5, y + 0.5, marker="x", color=GREY, s=min(20, 4000 / rows), linewidth=0.8)
    ax.set(xlim=(0, columns), ylim=(rows, 0))
    ax.tick_params(length=0)
    if rows <= MOST_NAMED:
        names_on(ax.yaxis, np.arange(rows) + 0.5, data.shown.index.tolist())
        ax.tick_params(axis="y", labelsize=fitting(ax, rows, 1))
    else:
        ax.set_yticks([])
        entitle(ax, y=f"{rows} data sets")
    _key(ax, data, mesh)
    places = (np.arange(columns) + 0.5).tolist()
    named_below(ax, places, data.shown.columns.tolist(), data.notes, fitting(ax, 1, columns))
    if values.size <= WRITTEN:
        _numbers(ax, values, mesh)
    return ax


def _key(ax: Axes, data: DatasetHeat, mesh: Any) -> None:
    """What shades mean, the best rank on top."""
    from matplotlib.ticker import MaxNLocator

    ticks = MaxNLocator(integer=data.shows_ranks)
    bar = ax.figure.colorbar(mesh, cax=ax.inset_axes((1.02, 0.0, 0.03, 1.0)), ticks=ticks)
    bar.outline.set_visible(False)
    bar.ax.set_ylabel(data.label, parse_math=False)
    if data.shows_ranks:
        bar.ax.invert_yaxis()


def _ends(values: np.ndarray, shows_ranks: bool) -> tuple[float, float]:
    """The ends of the scale; a single value gets some room."""
    low, high = (1.0, float(values.shape[1])) if shows_ranks else _span(values)
    return (low, high) if low < high else (low - 0.5, high + 0.5)


def _span(values: np.ndarray) -> tuple[float, float]:
    return float(np.nanmin(values)), float(np.nanmax(values))


def _numbers(ax: Axes, values: np.ndarray, mesh: Any) -> None:
    """The number in every cell, light on dark."""
    unit = max((np.nanmax(values) - np.nanmin(values)) / 100, 1e-12)
    whole = bool((values[np.isfinite(values)] % 0.5 == 0).all())
    flat = values.ravel().tolist()
    texts = [number(v) for v in flat] if whole else aligned(flat, unit, digits=1)
    figure_of(ax).draw_without_rendering()  # how large cells are is known afterwards
    size = fitting(ax, len(values), 0.5 * values.shape[1] * max(2, *map(len, texts)))
    place = {"ha": "center", "va": "center", "fontsize": size, "in_layout": False}
    for ((row, at), value), text in zip(np.ndenumerate(values), texts, strict=True):
        if np.isfinite(value):
            red, green, blue, _ = mesh.cmap(mesh.norm(value))
            dark = 0.299 * red + 0.587 * green + 0.114 * blue < 0.5
            write(ax, at + 0.5, row + 0.5, text, color="#fefefe" if dark else ON_FILL, **place)


def _heat_size(data: DatasetHeat) -> Size:
    rows, columns = data.scores.shape
    letters = max(len(short(name)) for name in data.scores.columns)
    letters_beside = max(len(short(name)) for name in data.scores.index)
    wanted = [
        2.2 + 0.3 * columns + 0.06 * max(letters_beside, 10),
        1.4 + 0.19 * rows + 0.08 * letters,
    ]
    width, height = np.clip(wanted, [5.0, 3.6], [16.0, 18.0])
    return float(width), float(height)


dataset_heat = registered(
    "dataset_heat",
    Results,
    "ranks of algorithms on data sets",
    dataset_heat_data,
    draw_dataset_heat,
    "A heat map of the algorithms' ranks on every data set, or of their mean scores.",
    size=_heat_size,
    options={"ranks": "Ranks, or mean scores."},
    title="Data sets and algorithms",
    caption="Ranks of the algorithms' means on every data set.",
)


# -- one against another ----------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class ScoreScatter:
    """Mean scores of two algorithms on every data set that has both, and who is better there.

    `better` in the table is the name of the better one, empty where both are equal but for
    rounding. `limits` are those of both axes.
    """

    table: pd.DataFrame
    first: str
    second: str
    label: str
    higher_is_better: bool
    style: dict[str, Style]
    limits: tuple[float, float]
    notes: tuple[Note, ...]

    def count(self, better: str) -> int:
        """On how many data sets it is better; of the empty name, how many ties there are."""
        return int((self.table["better"] == better).sum())


def score_scatter_data(
    results: Results, first: str, second: str, *, measure: str | None = None
) -> ScoreScatter:
    """Both scores on every data set, and which of the two is better there."""
    scores = over_datasets(results, measure, "A scatter plot of scores over data sets")
    if first == second:
        raise ResultsError(f"Two different algorithms are needed, not '{first}' twice.")
    both = pd.DataFrame({"x": column(scores, first), "y": column(scores, second)}).dropna()
    if both.empty:
        raise ResultsError(f"No data set has scores of both '{first}' and '{second}'.")
    first_wins = (both["x"] > both["y"]) == scores.measure.higher_is_better
    better = np.where(first_wins, first, second)
    tied = equal_but_for_rounding(both["x"], both["y"])
    table = pd.DataFrame(
        {
            "dataset": both.index.astype(str),
            "first": both["x"].to_numpy(float),
            "second": both["y"].to_numpy(float),
            "better": np.where(tied, "", better),
        }
    )
    gone = len(scores.table) - len(both)
    notes = [Note("plot-without-both", count=gone)] if gone else []
    return ScoreScatter(
        table=table,
        first=first,
        second=second,
        label=scores.label,
        higher_is_better=scores.measure.higher_is_better,
        style=styles(scores.algorithms),
        limits=_limits(both.to_numpy(float)),
        notes=(*notes, *scores.silence, *uneven(results, scores)),
    )


def _limits(values: np.ndarray) -> tuple[float, float]:
    low, high = _span(values)
    room = 0.12 * (high - low) or 0.5  # for the counts in the corners
    return low - room, high + room


def draw_score_scatter(data: ScoreScatter, ax: Axes) -> Axes:
    """Draw a point per data set; on one side of the diagonal the first is better."""
    ax.axline((0.0, 0.0), slope=1.0, color=GREY, linewidth=0.9, zorder=1)
    for name, points in data.table.groupby("better"):
        style = data.style.get(str(name), Style(INK, "x"))
        ax.scatter(
            points["first"],
            points["second"],
            s=28,
            color=style.colour,
            marker=style.marker,
            alpha=0.85,
            linewidth=1.0 if style.marker == "x" else 0,
            rasterized=len(data.table) > MANY,
            zorder=2,
        )
    ax.set(xlim=data.limits, ylim=data.limits, aspect="equal")
    ax.spines[["top", "right"]].set_visible(False)
    _corners(ax, data)
    entitle(ax, x=f"{short(data.first)}: {data.label}", y=f"{short(data.second)}: {data.label}")
    remark(ax, data.notes)
    return ax


def _corners(ax: Axes, data: ScoreScatter) -> None:
    """Wins of each on its side of the diagonal, ties above it all."""
    sides = (data.second, data.first) if data.higher_is_better else (data.first, data.second)
    corners = ((0.03, 0.97, "left", "top"), (0.97, 0.03, "right", "bottom"))
    for name, (x, y, ha, va) in zip(sides, corners, strict=True):
        text = f"{short(name, 22)} better: {data.count(name)}"
        place = {"transform": ax.transAxes, "ha": ha, "va": va, "fontsize": "small"}
        write(ax, x, y, text, **place)
    ties = f"ties: {data.count('')}"
    write(ax, 1.0, 1.01, ties, transform=ax.transAxes, ha="right", va="bottom", fontsize="small")


score_scatter = registered(
    "score_scatter",
    Results,
    "two algorithms against each other",
    score_scatter_data,
    draw_score_scatter,
    "Mean scores of two algorithms, a point per data set, with wins and ties counted.",
    size=lambda data: (5.0, 5.0),
    options={"first": "The algorithm from left to right.", "second": "That from below up."},
)
