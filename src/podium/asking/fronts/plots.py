"""The plot of a front: quality against cost, with limits in both directions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from podium.asking.fronts.dominance import Front
from podium.asking.fronts.words import axis_label, front_title
from podium.core.questions.measures import Measure
from podium.core.words.facts import Note
from podium.showing.drawing.canvas import COLOURS, GREY, divided, entitle, name_points, remark
from podium.showing.drawing.records import SOURCES, Size, checked, registered

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BLUE = COLOURS[0]
MOST_PANELS = 3
RATIO = 3.0  # of the largest mean to the least, from which an axis is logarithmic

SOURCES[Front] = ("a front", "podium.fronts.front(results, 'accuracy,cost')")


@dataclass(frozen=True, eq=False)
class FrontPanels:
    """The first measure against each of the others."""

    panels: list[tuple[Measure, Measure, pd.DataFrame, bool]]  # x, y, points, logarithmic x
    arrows: list[tuple[str, str]]  # who is dominated, by whom
    title: str
    level: float  # of the whiskers
    margins: tuple[tuple[str, float], ...] = ()  # losses that do not count


def front_data(front: Front) -> FrontPanels:
    """Every algorithm's mean in two measures, each with limits of its own.

    Filled are those that could be on the front; an arrow leads from who is dominated to the one
    that is better in every measure. Costs that differ by more than three times are on a
    logarithmic axis.
    """
    checked(front, Front)
    first, *others = front.measures
    by_name = {m.name: _own(front, m.name) for m in front.measures}
    panels = []
    for other in others[:MOST_PANELS]:
        x, y = by_name[other.name], by_name[first.name]
        points = pd.DataFrame(
            {
                "algorithm": list(front.algorithms),
                **{f"x_{n}": x[n].to_numpy() for n in ("mean", "lower", "upper")},
                **{f"y_{n}": y[n].to_numpy() for n in ("mean", "lower", "upper")},
                "member": [name in front.members for name in front.algorithms],
            }
        )
        positive = bool((points[["x_mean", "x_lower"]] > 0).all(axis=None))
        logs = positive and points["x_mean"].max() > RATIO * points["x_mean"].min()
        panels.append((other, first, points, logs))
    arrows = list(zip(front.dominated["algorithm"], front.dominated["by"], strict=True))
    return FrontPanels(
        panels, arrows, front_title(front), 1 - front.alpha, tuple(front.margins.items())
    )


def _own(front: Front, measure: str) -> pd.DataFrame:
    rows = front.scores[front.scores["measure"] == measure].set_index("algorithm")
    return rows.loc[list(front.algorithms), ["mean", "lower", "upper"]]


def draw_front(data: FrontPanels, ax: Axes) -> Axes:
    """Points with whiskers in both directions, names beside them."""
    panels = divided(ax, columns=(1.0,) * len(data.panels), gap=0.1)[0]
    for panel, (x, y, points, logs) in zip(panels, data.panels, strict=True):
        for p in points.to_dict("records"):
            colour = BLUE if p["member"] else GREY
            panel.hlines(p["y_mean"], p["x_lower"], p["x_upper"], color=colour, linewidth=1.0)
            panel.vlines(p["x_mean"], p["y_lower"], p["y_upper"], color=colour, linewidth=1.0)
            face = colour if p["member"] else "white"
            panel.scatter([p["x_mean"]], [p["y_mean"]], color=face, edgecolors=colour, zorder=3)
        at = {p["algorithm"]: (p["x_mean"], p["y_mean"]) for p in points.to_dict("records")}
        for loser, winner in data.arrows:
            style = {"arrowstyle": "->", "color": GREY, "alpha": 0.7, "shrinkA": 6, "shrinkB": 6}
            panel.annotate("", at[winner], at[loser], arrowprops=style)
        if logs:
            panel.set_xscale("log")
            panel.xaxis.set_major_formatter("{x:g}")
        panel.margins(0.15)
        panel.autoscale_view()
        colours = {True: BLUE, False: GREY}
        name_points(panel, [(p["algorithm"], p["x_mean"], p["y_mean"], colours[p["member"]])
                            for p in points.to_dict("records")])  # fmt: skip
        panel.spines[["top", "right"]].set_visible(False)
        entitle(panel, x=axis_label(x), y=axis_label(y))
    remark(ax, [Note("own-limits", level=data.level, margins=data.margins)])
    entitle(ax, data.title)
    return ax


def _wide(data: FrontPanels) -> Size:
    return max(5.6, 4.2 * len(data.panels)), 4.4


front = registered(
    "front",
    Front,
    "quality against cost: front and dominated algorithms",
    front_data,
    draw_front,
    size=_wide,
    title="Front",
)
