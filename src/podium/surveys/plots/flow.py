"""The way of data sets into a study: how many were there, eligible, drawn, failed, analysed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pandas as pd

from podium.drawing.canvas import GREY, INK
from podium.drawing.records import Plot, Size, checked, registered
from podium.reading.dataset_facts import development, exclusions
from podium.reading.results import Results
from podium.words.notes.of_neutrality import flow_caption, flow_label, flow_side

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROW = 0.62  # inches
Step = tuple[str, int, str]  # what, how many, why they go; only the main road has no reason


def way(results: Results) -> pd.DataFrame:
    """The way of the data sets: step, datasets, and why some leave it (empty: they go on)."""
    frame: dict[str, Any] = dict(results.design.get("frame") or {})
    rows = [*_before(frame), *_after(results, bool(frame))]
    return pd.DataFrame(rows, columns=["step", "datasets", "why"])


def _before(frame: dict[str, Any]) -> Iterator[Step]:
    if not frame:
        return
    yield "catalogue", int(frame["there"]), ""
    for criterion, count in frame["lost"].items():
        yield "not eligible", int(count), f"not {criterion}"
    yield "eligible", int(frame["eligible"]), ""
    rest = int(frame["eligible"]) - len(frame["drawn"])
    if rest:
        yield "not drawn", rest, "by lot"


def _after(results: Results, framed: bool) -> Iterator[Step]:
    gone = exclusions(results)
    names = [*results.datasets, *gone]
    yield ("drawn" if framed else "in the study"), len(names), ""
    aside = development(results)
    if aside:
        yield "development", len(aside), "for choices, not for claims"
    failed = [d for d in _without_scores(results) if d not in aside]
    if failed:
        yield "failed", len(failed), "no score of some algorithm"
    for why in dict.fromkeys(gone.values()):
        yield "left out", sum(reason == why for reason in gone.values()), why
    yield "analysed", len(names) - len(aside) - len(failed) - len(gone), ""


def _without_scores(results: Results) -> list[str]:
    """The data sets on which some algorithm has no score at all."""
    done = results.runs[results.runs["status"] == "done"]
    have = set(zip(done["dataset"].astype(str), done["algorithm"].astype(str), strict=True))
    return [d for d in results.datasets if any((d, a) not in have for a in results.algorithms)]


def flow_data(results: Results) -> pd.DataFrame:
    """How many data sets were there, eligible, drawn, failed and analysed."""
    return way(checked(results, Results))


def draw_flow(data: pd.DataFrame, ax: Axes) -> Axes:
    """A box for every step on the way, and beside it those who leave it."""
    y = -pd.Series(range(len(data)), dtype=float)
    main = data["why"] == ""
    box = {"boxstyle": "round,pad=0.45", "facecolor": "none"}
    stops = y[main].tolist()
    ax.plot([0.27, 0.27], [stops[0], stops[-1]], color=GREY, linewidth=1.2, zorder=0)
    for place, row in zip(y, data.itertuples(), strict=True):
        if row.why:
            ax.plot([0.27, 0.56], [place, place], color=GREY, linewidth=1.0, zorder=0)
            text, x, colour = flow_side(row.step, row.datasets, row.why), 0.55, GREY
        else:
            text, x, colour = flow_label(row.step, row.datasets), 0.27, INK
        ax.text(
            x, place, text, ha="left" if row.why else "center", va="center", fontsize=9, color=INK,
            bbox=box | {"edgecolor": colour, "facecolor": "white"},
        )  # fmt: skip
    ax.set(xlim=(0, 1), ylim=(y.min() - 0.6, 0.6))
    ax.axis("off")
    return ax


def _size(data: pd.DataFrame) -> Size:
    return 6.4, max(1.6, ROW * len(data) + 0.4)


flow = registered(
    Plot(
        "flow",
        Results,
        "how data sets came into the study, step by step",
        flow_data,
        draw_flow,
        of_design=True,
        size=_size,
        title="The way of the data sets",
        caption=flow_caption(),
    )
)
