"""How often each algorithm has each place when the blocks are drawn anew."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from podium.asking.robustness.bootstrap import LEVEL
from podium.asking.robustness.stability import Stability
from podium.asking.robustness.words import stability_title
from podium.core.base.errors import InferenceError
from podium.core.words.facts import Note
from podium.showing.drawing.canvas import (
    GREY,
    INK,
    ON_FILL,
    coloured_cells,
    draw_key,
    entitle,
    in_order,
    names_on,
    remark,
    row_letters,
    styles,
)
from podium.showing.drawing.place_maps import shades
from podium.showing.drawing.records import SOURCES, checked, registered

SOURCES[Stability] = ("a stability", "podium.stability(results)")


if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False)
class RankStability:
    """Rows from the top, the best observed rank first.

    rows : y, algorithm, rank, lower, upper (of the rank interval), best (share of first places) and
        its text.
    places : y, algorithm, place, share: how often the algorithm has the place.
    """

    rows: pd.DataFrame
    places: pd.DataFrame
    algorithms: tuple[str, ...]  # in the study's order
    title: str
    notes: tuple[Note, ...]


def rank_stability_data(stability: Stability) -> RankStability:
    """The frequencies of places, rank intervals and observed ranks of every algorithm."""
    if not checked(stability, Stability).resamples:
        raise InferenceError("No resample ranks all algorithms: there is no stability to draw.")
    ranks = stability.ranks
    by_rank = ranks.sort_values("rank", kind="stable")["algorithm"].tolist()
    names = np.array(in_order(by_rank), dtype=object)
    order = pd.Index(ranks["algorithm"]).get_indexer(names)
    rows = pd.DataFrame(
        {
            "y": np.arange(len(names)),
            "algorithm": names,
            **{c: ranks[c].to_numpy(float)[order] for c in ("rank", "lower", "upper", "best")},
        }
    )
    rows["text"] = ["<1%" if 0 < best < 0.005 else f"{best:.0%}" for best in rows["best"]]
    shares = stability.places.loc[names].to_numpy(float)
    k = len(names)
    notes = [Note("plot-places", level=LEVEL)]
    notes += [Note("plot-unranked", count=stability.unranked)] if stability.unranked else []
    places = pd.DataFrame(
        {
            "y": np.repeat(np.arange(k), k),
            "algorithm": np.repeat(names, k),
            "place": np.tile(np.arange(1, k + 1), k),
            "share": shares.ravel(),
        }
    )
    return RankStability(
        rows,
        places,
        stability.comparisons.algorithms,
        stability_title(rows, stability.resamples, stability.comparisons.measure),
        tuple(notes),
    )


def draw_rank_stability(data: RankStability, ax: Axes) -> Axes:
    """A strip of places per algorithm, its rank interval, its rank, and how often it is best."""
    k = len(data.rows)
    grid = data.places["share"].to_numpy(float).reshape(k, k)
    image = coloured_cells(ax, grid, (0.5, -0.5), 0.4, cmap=shades(), vmin=0, vmax=1)
    _draw_ranks(ax, data)
    size = row_letters(ax, k)
    for y, text in zip(data.rows["y"], data.rows["text"], strict=True):
        _text_right_of(ax, y, text, va="center", fontsize=size, color=INK)
    _text_right_of(ax, -0.6, "best", va="bottom", fontsize=9, color=GREY)
    names_on(ax.yaxis, data.rows["y"], data.rows["algorithm"].tolist())
    ax.set(xlim=(0.5, k + 0.5), ylim=(k - 0.5, -0.5))
    ax.locator_params(axis="x", integer=True)
    ax.tick_params(axis="y", labelsize=size)
    ax.spines[:].set_visible(False)
    entitle(ax, data.title, "rank (1 is the best)")
    draw_key(ax, image, 1.16, [0, 0.5, 1], ["0", "0.5", "1"])
    remark(ax, data.notes)
    return ax


def _text_right_of(ax: Axes, y: float, text: str, **options: Any) -> None:
    """A text to the right of a row."""
    place: dict[str, Any] = {"xycoords": ax.get_yaxis_transform(), "textcoords": "offset points"}
    ax.annotate(text, (1, y), (10, 0), annotation_clip=False, **place, **options)


def _draw_ranks(ax: Axes, data: RankStability) -> None:
    rows, look = data.rows, styles(data.algorithms)
    ax.hlines(rows["y"], rows["lower"], rows["upper"], color=ON_FILL, linewidth=1.2)
    for y, name, rank in zip(rows["y"], rows["algorithm"], rows["rank"], strict=True):
        style = look[name]
        ax.plot(rank, y, style.marker, color=style.colour, markeredgecolor=ON_FILL, markersize=6)


rank_stability = registered(
    "rank_stability",
    Stability,
    "ranks in bootstrap samples",
    rank_stability_data,
    draw_rank_stability,
    "How often each algorithm has each rank in bootstrap samples.",
    size=lambda data: (6.6, 1.6 + 0.24 * max(len(data.rows), 4)),
    title="Places under the bootstrap",
    caption="How often each algorithm has each place by its mean when {blocks} are drawn again.",
)
