"""How stable ranks are when the blocks are drawn anew."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from podium.errors import InferenceError
from podium.plots.canvas import axes_for, entitle, names_on, remark
from podium.plots.given import checked
from podium.plots.room import draw_key, row_letters
from podium.plots.styles import GREY, INK, ON_FILL, styles
from podium.plots.words import plural
from podium.studies.bootstrap import LEVEL
from podium.studies.stability import Stability

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap

DARKEST = "#3d8fc0"  # of a place that is certain; marks in ink can be seen on it


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
    remarks: list[str]


def rank_stability_data(stability: Stability) -> RankStability:
    """The frequencies of places, rank intervals and observed ranks of every algorithm."""
    if not checked(stability, Stability).resamples:
        raise InferenceError("No resample ranks all algorithms: there is no stability to draw.")
    ranks = stability.ranks
    order = np.argsort(ranks["rank"].to_numpy(float), kind="stable")
    names = ranks["algorithm"].to_numpy(object)[order]
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
        f"{stability.comparisons.measure}: ranks by mean in {stability.resamples} resamples",
        _remarks(stability),
    )


def _remarks(stability: Stability) -> list[str]:
    said = [
        f"Shades: how often a place is taken; lines: {100 * LEVEL:g} % rank intervals; marks: "
        "observed ranks."
    ]
    if stability.unranked:
        some = plural(stability.unranked, "resample", "lacks", "lack")
        said.append(f"{some} the scores of an algorithm.")
    return said


def draw_rank_stability(data: RankStability, ax: Axes) -> Axes:
    """A strip of places per algorithm, its rank interval, its rank, and how often it is best."""
    k = len(data.rows)
    grid = data.places["share"].to_numpy(float).reshape(k, k)
    image = ax.pcolormesh(
        np.arange(0.5, k + 1), np.arange(-0.5, k), grid,
        cmap=_shades(), vmin=0, vmax=1, edgecolors="white", linewidth=0.4,
    )  # fmt: skip
    _draw_ranks(ax, data)
    size = row_letters(ax, k)
    for y, text in zip(data.rows["y"], data.rows["text"], strict=True):
        _beside(ax, y, text, va="center", fontsize=size, color=INK)
    _beside(ax, -0.6, "best", va="bottom", fontsize=9, color=GREY)
    names_on(ax.yaxis, data.rows["y"], data.rows["algorithm"].tolist())
    ax.set(xlim=(0.5, k + 0.5), ylim=(k - 0.5, -0.5))
    ax.locator_params(axis="x", integer=True)
    ax.tick_params(axis="y", labelsize=size)
    ax.spines[:].set_visible(False)
    entitle(ax, data.title, "rank (1 is the best)")
    draw_key(ax, image, 1.16, [0, 0.5, 1], ["0", "0.5", "1"])
    remark(ax, data.remarks)
    return ax


def _shades() -> Colormap:
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("shares", ["#f7f7f7", "#b9d9ec", DARKEST])


def _beside(ax: Axes, y: float, text: str, **options: Any) -> None:
    """A text to the right of a row."""
    place: dict[str, Any] = {"xycoords": ax.get_yaxis_transform(), "textcoords": "offset points"}
    ax.annotate(text, (1, y), (10, 0), annotation_clip=False, **place, **options)


def _draw_ranks(ax: Axes, data: RankStability) -> None:
    rows, look = data.rows, styles(data.algorithms)
    ax.hlines(rows["y"], rows["lower"], rows["upper"], color=ON_FILL, linewidth=1.2)
    for y, name, rank in zip(rows["y"], rows["algorithm"], rows["rank"], strict=True):
        style = look[name]
        ax.plot(rank, y, style.marker, color=style.colour, markeredgecolor=ON_FILL, markersize=6)


def rank_stability(stability: Stability, *, ax: Axes | None = None) -> Axes:
    """How often each algorithm has each place when the blocks are drawn anew."""
    data = rank_stability_data(stability)
    height = 1.6 + 0.24 * max(len(data.rows), 4)
    return draw_rank_stability(data, axes_for(ax, 6.6, height))
