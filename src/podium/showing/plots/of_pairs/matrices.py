"""The matrix of all pairs: who beats whom, how often, and whether that is significant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from podium.core.base.errors import InferenceError
from podium.core.base.formatting import p_value, short
from podium.core.inference.comparing.comparisons import TURNED, Comparisons
from podium.core.inference.comparing.decision import SIGNIFICANT
from podium.core.inference.layouts import Layout
from podium.core.orders.dataset_orders import DatasetOrders
from podium.core.results.results import Results
from podium.core.words.facts import Note
from podium.showing.drawing.canvas import (
    GREY,
    INK,
    MOST_CELLS,
    ON_FILL,
    coloured_cells,
    draw_key,
    entitle,
    figure_of,
    in_order,
    key,
    letters,
    names_on,
    points,
    remark,
    row_letters,
    write,
)
from podium.showing.drawing.records import Size, checked, refusal, registered
from podium.showing.drawing.shown_scores import (
    MARKS,
    decided,
    found_by,
    missing,
    of_algorithms,
    printed,
    question_text,
    refused,
    scores_of,
    titled,
)
from podium.showing.plots.words import pair_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap


MOST_WRITTEN = 14  # algorithms up to which cells hold text
PALE = 0.3  # of the shade of a pair that is open, where frames would be too many
WORSE, BETTER = "#eda577", "#74b3d8"  # orange and blue on which ink can be read


@dataclass(frozen=True, eq=False)
class Matrix:
    """One row per cell: the row's algorithm seen against the column's.

    cells : row, column, first, second, estimate (first less second), p_adjusted, verdict,
        significant, wins, ties, losses (-1 where not known), shade and text.
    shade : from -1 (the row's algorithm is much worse) to 1 (much better).
    """

    algorithms: list[str]
    cells: pd.DataFrame
    title: str
    key: tuple[str, str, str]  # what shades of -1, 0 and 1 mean
    notes: tuple[Note, ...]


def matrix_data(
    what: Comparisons | DatasetOrders, results: Results | Layout | None = None
) -> Matrix:
    """The cells of all ordered pairs, the best algorithms first.

    Of comparisons shades are estimates, and `results` count the blocks that each algorithm wins.
    Of the orders of many data sets shades and counts are data sets decided so.
    """
    if isinstance(what, DatasetOrders):
        return _of_datasets(what)
    if not isinstance(what, Comparisons):
        raise refusal(what, Comparisons, DatasetOrders)
    return _of_comparisons(what, results)


# -- comparisons ----------------------------------------------------------------------------------


def _of_comparisons(comparisons: Comparisons, results: Results | Layout | None) -> Matrix:
    names = in_order(printed(decided(comparisons)))
    t = comparisons.table[["first", "second", "estimate", "p_adjusted", "verdict"]]
    t = t.assign(significant=t["verdict"].isin(SIGNIFICANT))
    turned = t.assign(
        first=t["second"],
        second=t["first"],
        estimate=-t["estimate"],
        verdict=t["verdict"].replace(TURNED),
    )
    cells = _placed(pd.concat([t, turned], ignore_index=True), names)
    apart = float(np.nan_to_num(np.abs(cells["estimate"])).max(initial=0.0))
    largest = apart or 1.0
    cells["shade"] = (comparisons.sign * cells["estimate"] / largest).fillna(0.0)
    counts, notes = _counts(comparisons, results, names)
    notes = notes if len(names) <= MOST_WRITTEN else []  # of numbers that are not shown
    counted = comparisons.blocks.noun if counts["wins"].max() >= 0 else ""
    for name, matrix in counts.items():
        cells[name] = matrix[cells["row"], cells["column"]]
    cells["text"] = _texts(cells, [p_value(p) for p in cells["p_adjusted"]])
    ends = [f"\n({sign * comparisons.sign * largest:.3g})" if apart else "" for sign in (1, -1)]
    return Matrix(
        names,
        cells,
        titled(comparisons),
        (f"row worse{ends[1]}", "0", f"row better{ends[0]}"),
        (_explained(len(names), counted, True), *notes, *_uncompared(cells, len(names))),
    )


def _counts(
    comparisons: Comparisons, results: Results | Layout | None, names: list[str]
) -> tuple[dict[str, np.ndarray], list[Note]]:
    """Algorithms x algorithms: blocks that the first wins, ties and loses; -1 where not known."""
    k = len(names)
    if results is None:
        return {name: np.full((k, k), -1) for name in ("wins", "ties", "losses")}, []
    values, what = _good_values(comparisons, results, names)
    ahead = np.array([(v[:, None] > values).sum(axis=0) for v in values.T])
    tied = np.array([(v[:, None] == values).sum(axis=0) for v in values.T])
    gaps = int(np.isnan(values).sum())
    notes = [Note("plot-counts", count=len(values), block=what), *missing(gaps, "counted")]
    return {"wins": ahead, "ties": tied, "losses": ahead.T}, notes


def _good_values(
    comparisons: Comparisons, results: Results | Layout, names: list[str]
) -> tuple[np.ndarray, str]:
    """Blocks x algorithms, larger is better, and what a block is."""
    if isinstance(results, Layout):
        result = pd.DataFrame(results.values, columns=list(results.algorithms))
        block, sign = "block", 1.0
    else:
        scores = scores_of(results, comparisons.measure, comparisons.dataset or None)
        result, block = scores.table, scores.block
        sign = float(scores.measure.sign)
    gone = [name for name in names if name not in result.columns]
    if gone:
        raise InferenceError(
            f"The results hold no scores of '{gone[0]}', which was compared: give the results that "
            "the comparisons are of."
        )
    return sign * result[names].to_numpy(float), block


# -- orders of data sets --------------------------------------------------------------------------


def _of_datasets(what: DatasetOrders) -> Matrix:
    means = what.ranks.mean().sort_values(kind="stable")
    names = [str(name) for name in means.index]
    p = what.pairs.rename(columns={"first_better": "wins", "second_better": "losses"})
    p = p.assign(ties=p["equivalent"] + p["undecided"])[
        ["first", "second", "wins", "ties", "losses"]
    ]
    turned = p.assign(first=p["second"], second=p["first"], wins=p["losses"], losses=p["wins"])
    cells = _placed(pd.concat([p, turned], ignore_index=True), names)
    total = len(what.orders)
    cells["shade"] = (cells["wins"] - cells["losses"]) / total
    for name, empty in (("estimate", np.nan), ("p_adjusted", np.nan), ("verdict", "")):
        cells[name] = empty
    cells["significant"] = False
    cells["text"] = _texts(cells, [""] * len(cells))
    return Matrix(
        names,
        cells,
        f"pairs on {total} data sets, each by itself",
        ("column better\non all", "as often", "row better\non all"),
        (
            _explained(len(names), "data sets", False),
            *refused(what),
            *_uncompared(cells, len(names)),
        ),
    )


# -- both -----------------------------------------------------------------------------------------


def _placed(cells: pd.DataFrame, names: list[str]) -> pd.DataFrame:
    """With the row and column of every cell, in their order."""
    place = {name: i for i, name in enumerate(names)}
    at = [cells[c].map(place).astype(int) for c in ("first", "second")]
    cells = cells.assign(row=at[0], column=at[1])
    return cells.sort_values(["row", "column"], ignore_index=True)


def _texts(cells: pd.DataFrame, below: list[str]) -> list[str]:
    """`wins/ties/losses` where these are known, and what stands below."""
    counts = cells[["wins", "ties", "losses"]].to_numpy(int)
    above = ["/".join(map(str, row)) if row[0] >= 0 else "" for row in counts]
    return ["\n".join(filter(None, pair)) for pair in zip(above, below, strict=True)]


def _explained(k: int, counts_of: str, p_values: bool) -> Note:
    """What stands in a cell: how many of what the row wins, p-values; nothing where k is large."""
    if k > MOST_WRITTEN:
        return Note("plot-no-numbers", algorithms=k, decided=p_values, framed=_has_frames(k))
    return Note("plot-cells", counts_of=counts_of, p_values=p_values)


def _uncompared(cells: pd.DataFrame, k: int) -> list[Note]:
    gone = k * (k - 1) - len(cells)
    return [Note("plot-white", count=gone // 2)] if gone else []


# -- drawing --------------------------------------------------------------------------------------


def draw_matrix(data: Matrix, ax: Axes) -> Axes:
    """Cells shaded from orange (worse) to blue (better), framed where significant."""
    k = len(data.algorithms)
    shades = np.full((k, k), np.nan)
    shades[data.cells["row"], data.cells["column"]] = data.cells["shade"] * _strength(data)
    image = coloured_cells(ax, shades, (-0.5, -0.5), 0.5, cmap=_colours(), vmin=-1, vmax=1)
    ax.set(xlim=(-0.5, k - 0.5), ylim=(k - 0.5, -0.5), aspect="equal", anchor="W")
    ax.plot([-0.5, k - 0.5], [-0.5, k - 0.5], color=GREY, linewidth=0.6)
    if _has_frames(k):
        _draw_frames(ax, data)
    _draw_names(ax, data)
    draw_key(ax, image, 1.03, [-1, 0, 1], data.key)
    entitle(ax, data.title)
    remark(ax, data.notes, drop=10)
    _draw_texts(ax, data)
    return ax


def _has_frames(k: int) -> bool:
    return k * k <= MOST_CELLS


def _strength(data: Matrix) -> np.ndarray | float:
    """How much of its shade a cell has: open pairs are pale where there are no frames."""
    significant = data.cells["significant"].to_numpy(bool)
    if _has_frames(len(data.algorithms)) or not significant.any():
        return 1.0
    return np.where(significant, 1.0, PALE)


def _colours() -> Colormap:
    from matplotlib.colors import LinearSegmentedColormap

    made = LinearSegmentedColormap.from_list("pairs", [WORSE, "#f4f4f4", BETTER])
    return made.with_extremes(bad="none")


def _draw_frames(ax: Axes, data: Matrix) -> None:
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Rectangle

    rows = data.cells[data.cells["significant"]]
    frames = [
        Rectangle((column - 0.46, row - 0.46), 0.92, 0.92)
        for row, column in zip(rows["row"], rows["column"], strict=True)
    ]
    width = 1.2 if len(data.algorithms) <= MOST_WRITTEN else 0.4
    ax.add_collection(PatchCollection(frames, facecolor="none", edgecolor=ON_FILL, linewidth=width))


def _cell_points(ax: Axes, k: int) -> float:
    """The side of a cell, in points."""
    return min(points(ax)) / k


def _draw_texts(ax: Axes, data: Matrix) -> None:
    if len(data.algorithms) > MOST_WRITTEN:
        return
    figure_of(ax).draw_without_rendering()  # how large cells are is known afterwards
    longest = max((len(line) for t in data.cells["text"] for line in t.split("\n")), default=1)
    size = letters(1.7 * _cell_points(ax, len(data.algorithms)) / max(longest, 4))
    for cell in data.cells.to_dict("records"):
        weight = "bold" if cell["significant"] else "normal"
        place = {"ha": "center", "va": "center", "fontsize": size, "fontweight": weight}
        write(ax, cell["column"], cell["row"], cell["text"], color=ON_FILL, **place)


def _draw_names(ax: Axes, data: Matrix) -> None:
    k = len(data.algorithms)
    names_on(ax.yaxis, range(k), data.algorithms)
    ax.xaxis.tick_top()
    names_on(ax.xaxis, range(k), data.algorithms)
    for label in ax.get_xticklabels():
        label.set(rotation=60, ha="left", rotation_mode="anchor")
    ax.tick_params(labelsize=letters(_cell_points(ax, k)), length=0)
    ax.spines[:].set_visible(False)


def beside_names(names: Sequence[str]) -> float:
    """How many inches more a matrix needs for names that are longer than eight letters."""
    return 0.08 * max(max((len(short(name)) for name in names), default=0) - 8, 0)


def _size(data: Matrix) -> Size:
    side = float(np.clip(0.62 * len(data.algorithms), 3.2, 10.0)) + beside_names(data.algorithms)
    return side + 2.4, side + 1.6


matrix = registered(
    "matrix",
    Comparisons,
    "the matrix of pairs",
    matrix_data,
    draw_matrix,
    "The matrix of all pairs of algorithms, the best first; the row is seen against the column.",
    size=_size,
    title="All pairs",
    caption="Rows against columns, the best first: the verdict and the adjusted p-value.",
)


# -- intervals ----------------------------------------------------------------------------------
# Simultaneous confidence intervals of differences (eugster2008, Figures 5 and 12).


MOST_PAIRS = 200  # beyond, only those with the best algorithm are shown


@dataclass(frozen=True, eq=False)
class Intervals:
    """Differences with intervals, from the top; `start` and `end` are where lines begin and end.

    An interval of a one-sided test is open: it ends at the limit of the axis.
    """

    table: pd.DataFrame
    limits: tuple[float, float]
    margin: float
    title: str
    label: str
    notes: tuple[Note, ...]


def intervals_data(comparisons: Comparisons) -> Intervals:
    """The pairs, the best algorithms first, in the measure's own unit and sign.

    More than 200 pairs are too many to read: then those with the best algorithm.
    """
    table, notes = _rows(comparisons)
    factor = comparisons.factor
    numbers = factor * table[["estimate", "lower", "upper"]].to_numpy(float)
    limits = _limits(numbers, factor * comparisons.relevance)
    some = ~np.isnan(numbers[:, 1:]).all(axis=1)
    ends = np.where(np.isnan(numbers[:, 1:]), limits, numbers[:, 1:])
    made = pd.DataFrame(
        {
            "y": -np.arange(len(table), dtype=float),
            "first": table["first"].to_numpy(),
            "second": table["second"].to_numpy(),
            "estimate": numbers[:, 0],
            "start": np.where(some, ends[:, 0], np.nan),
            "end": np.where(some, ends[:, 1], np.nan),
            "open_start": some & np.isnan(numbers[:, 1]),
            "open_end": some & np.isnan(numbers[:, 2]),
            "verdict": table["verdict"].to_numpy(),
        }
    )
    if comparisons.asks_equivalence:
        made["inner_start"] = factor * table["equivalence_lower"].to_numpy(float)
        made["inner_end"] = factor * table["equivalence_upper"].to_numpy(float)
    return Intervals(
        made,
        limits,
        factor * abs(comparisons.relevance),
        _title(comparisons, bool(some.any())),
        _label(comparisons),
        (*notes, *_unknown(made, some)),
    )


def _rows(comparisons: Comparisons) -> tuple[pd.DataFrame, list[Note]]:
    """The rows to show, and what is left out."""
    if not of_algorithms(checked(comparisons, Comparisons)):
        return comparisons.table, []
    order = printed(decided(comparisons))
    if len(comparisons.table) > 1 == comparisons.table["second"].nunique():  # a control stays
        place = comparisons.table["first"].map({name: i for i, name in enumerate(order)})
        return comparisons.table.iloc[np.argsort(place.to_numpy(), kind="stable")], []
    table = comparisons.best_first(order).table
    if len(table) <= MOST_PAIRS:
        return table, []
    best = table[table["first"] == order[0]]
    return best, [Note("plot-best-only", pairs=len(table), algorithm=order[0])]


def _limits(numbers: np.ndarray, margin: float) -> tuple[float, float]:
    known = np.r_[numbers[np.isfinite(numbers)], 0.0, margin, -margin]
    room = 0.06 * (np.ptp(known) or 1.0)
    return float(known.min() - room), float(known.max() + room)


def _title(comparisons: Comparisons, known: bool) -> str:
    several = "simultaneous intervals" if comparisons.is_adjusted else "intervals"
    what = several if len(comparisons.table) > 1 else "interval"
    level = f", {100 * (1 - comparisons.alpha):g} % {what}" if known else ""
    if known and comparisons.asks_equivalence:
        level += f" (thick: {100 - 200 * comparisons.alpha:g} %, of equivalence)"
    return f"{found_by(comparisons)} ({question_text(comparisons)}{level})"


def _label(comparisons: Comparisons) -> str:
    """What differences are of: of ranks the lower one is better, whatever the measure."""
    what = comparisons.quantity.name_unit(comparisons.measure)
    if comparisons.mean_ranks is not None:
        what = "mean rank"
    elif comparisons.factor != 1:
        what = "Elo"
    side = "right" if comparisons.sign > 0 else "left"
    return f"difference in {what} ({side} of zero: the first is better)"


def _unknown(made: pd.DataFrame, some: np.ndarray) -> list[Note]:
    notes = [] if some.any() else [Note("plot-no-intervals")]
    gone = _pairs(made[np.isnan(made["estimate"])])
    return notes + ([Note("plot-no-difference", pairs=gone)] if gone else [])


def _pairs(table: pd.DataFrame) -> tuple[tuple[str, str], ...]:
    return tuple(zip(table["first"], table["second"], strict=True))


def draw_intervals(data: Intervals, ax: Axes) -> Axes:
    """One line per pair; filled and coloured by its verdict, the relevance a band about zero."""
    if data.margin:
        ax.axvspan(-data.margin, data.margin, color=GREY, alpha=0.18, linewidth=0)
    ax.axvline(0, color=INK, linewidth=0.8)
    for verdict, rows in data.table.groupby("verdict", sort=False):
        _draw_verdict(ax, str(verdict), rows)
    names = [pair_name(*pair) for pair in _pairs(data.table)]
    names_on(ax.yaxis, data.table["y"], names, longest=48)
    ax.set_ylim(-len(data.table) + 0.4, 0.6)
    ax.set_xlim(*data.limits)
    ax.tick_params(axis="y", labelsize=row_letters(ax, len(data.table)))
    entitle(ax, data.title, data.label)
    ax.spines[["top", "right"]].set_visible(False)
    _legend(ax, data)
    remark(ax, data.notes)
    return ax


def _draw_verdict(ax: Axes, verdict: str, rows: pd.DataFrame) -> None:
    mark = MARKS[verdict]
    ax.hlines(rows["y"], rows["start"], rows["end"], color=mark.colour, linewidth=1.6)
    if "inner_start" in rows:
        inner = rows.dropna(subset=["inner_start", "inner_end"])
        ax.hlines(
            inner["y"], inner["inner_start"], inner["inner_end"], color=mark.colour, linewidth=3.2
        )
    ax.plot(
        rows["estimate"],
        rows["y"],
        mark.marker,
        color=mark.colour,
        markerfacecolor=mark.colour if mark.filled else "white",
        markersize=5,
        linestyle="",
    )
    for column, head in (("start", "<"), ("end", ">")):
        ends = rows[rows[f"open_{column}"]]
        if len(ends):  # what is empty and not clipped would widen the margins
            ax.plot(ends[column], ends["y"], head, color=mark.colour, markersize=5, clip_on=False)


LABELS = {"equivalent": "equivalent", "undecided": "inconclusive", "withheld": "withheld"}


def _legend(ax: Axes, data: Intervals) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    there = [name for name in MARKS if (data.table["verdict"] == name).any()]
    handles: list[Line2D | Patch] = []
    for name in there:
        mark = MARKS[name]
        fill = mark.colour if mark.filled else "white"
        label = LABELS.get(name, f"first {name}")
        handles.append(Line2D([], [], color=mark.colour, marker=mark.marker, mfc=fill, label=label))
    if data.margin:
        handles.append(Patch(color=GREY, alpha=0.18, label=f"within ±{data.margin:g}"))
    key(ax, handles)


def _interval_size(data: Intervals) -> Size:
    return 7.5, 1.4 + 0.2 * max(len(data.table), 3)


intervals = registered(
    "intervals",
    Comparisons,
    "simultaneous intervals of the differences",
    intervals_data,
    draw_intervals,
    "Simultaneous confidence intervals of the differences of all pairs.",
    size=_interval_size,
    title="Intervals of all differences",
    caption="First minus second in {measure}, with {limits}.",
)
