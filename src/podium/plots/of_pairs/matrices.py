"""The matrix of all pairs: who beats whom, how often, and whether that is significant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from podium.base.errors import InferenceError
from podium.base.formatting import p_value, short
from podium.drawing.canvas import (
    GREY,
    MOST_CELLS,
    ON_FILL,
    coloured_cells,
    draw_key,
    entitle,
    figure_of,
    in_order,
    letters,
    names_on,
    points,
    remark,
    write,
)
from podium.drawing.records import Plot, Size, refusal, registered
from podium.drawing.shown_scores import decided, missing, printed, refused, scores_of, titled
from podium.inference.comparing.comparisons import TURNED, Comparisons
from podium.inference.comparing.decision import SIGNIFICANT
from podium.inference.layouts.layouts import Layout
from podium.orders.dataset_orders import DatasetOrders
from podium.reading.results import Results
from podium.words.facts import Note

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
    Plot(
        "matrix",
        Comparisons,
        "the matrix of pairs",
        matrix_data,
        draw_matrix,
        "The matrix of all pairs of algorithms, the best first; the row is seen against the "
        "column.",
        size=_size,
        title="All pairs",
        caption="Rows against columns, the best first: the verdict and the adjusted p-value.",
    )
)
