"""The benchmark survey plot: a podium for every data set, similar data sets beside each other.

eugster2008, section 4.1, Figures 8 and 9.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_letters, ascii_lowercase, ascii_uppercase
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from podium.core.base.errors import InferenceError
from podium.core.base.formatting import number, short
from podium.core.orders.dataset_orders import DatasetOrders
from podium.core.orders.order import Order
from podium.core.questions.measures import KNOWN
from podium.core.results.dataset_facts import development, exclusions
from podium.core.results.results import Results
from podium.core.words.facts import Note
from podium.core.words.notes.of_results import flow_caption, flow_label, flow_side
from podium.showing.drawing.canvas import (
    GREY,
    INK,
    MANY,
    MOST_HUES,
    ON_FILL,
    entitle,
    fitting,
    key,
    legend,
    lightened,
    named_below,
    names_on,
    paper_width,
    remark,
    styles,
    write,
)
from podium.showing.drawing.place_maps import draw_place_table, place_table
from podium.showing.drawing.records import Size, checked, registered
from podium.showing.drawing.shown_scores import lead_of, printed, refused

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch


Limits = tuple[float, float]
LIGHT, BAR = 0.6, 0.3  # how much white is in a light colour; the share of a cell's height for bars
SHORT, FEW = 6, 400  # names of at most so many letters are in the cells of at most so many


@dataclass(frozen=True, eq=False)
class SurveyPlot:
    """What a survey plot shows.

    Attributes
    ----------
    cells : per data set and place: who is there, its mean score, the mean as a share of `limits`,
        and whether a border tells it from the next worse place (`border_above`).
    exceptions : pairs that are no neighbours and of which the borders suggest the wrong thing:
        `significant` though no border is between them, or not significant though one is.
    limits : the scores at which a bar is empty and full.
    codes : what is written into the cells of every algorithm, in the study's order.
    leads : of every data set those whom nobody is shown to beat.
    podiums : whether cells are podiums with bars, or a map of places.
    """

    cells: pd.DataFrame
    exceptions: pd.DataFrame
    limits: Limits
    measure: str
    direction: str
    alpha: float
    codes: dict[str, str]
    leads: dict[str, tuple[str, ...]]
    podiums: bool
    notes: tuple[Note, ...]

    @property
    def algorithms(self) -> list[str]:
        """The algorithms in the study's order."""
        return list(self.codes)

    @property
    def datasets(self) -> list[str]:
        """The data sets from left to right."""
        return list(dict.fromkeys(self.cells["dataset"]))


# -- the data ---------------------------------------------------------------------------------


def survey_data(
    dataset_orders: DatasetOrders, *, limits: Limits | None = None, podiums: bool | None = None
) -> SurveyPlot:
    """The podium of every data set, the data sets in the order of the dendrogram's leaves."""
    result = checked(dataset_orders, DatasetOrders)
    names = result.dendrogram.arranged
    one = result.comparisons[names[0]]
    means = {name: result.comparisons[name].means for name in names}
    every = np.array([list(shares.values()) for shares in means.values()], dtype=float)
    low, high = _limits(one.measure, every, limits)
    cells = pd.concat([_podium(n, result.orders[n], means[n]) for n in names], ignore_index=True)
    share = ((cells["mean"] - low) / (high - low)).clip(0.0, 1.0)
    cells.insert(4, "share", share)
    apart = pd.DataFrame(
        [row for name in names for row in _exceptions(name, result.orders[name])],
        columns=["dataset", "first", "second", "significant"],
    )
    outside = int(((cells["mean"] < low) | (cells["mean"] > high)).sum())
    if podiums is None:  # of many algorithms neither letters nor borders can be followed
        podiums = len(one.algorithms) <= MOST_HUES or limits is not None
    about = _about_podiums(result, apart, int(cells["mean"].isna().sum()), outside)
    return SurveyPlot(
        cells=cells,
        exceptions=apart,
        limits=(low, high),
        measure=one.measure,
        direction="higher" if one.higher_is_better else "lower",
        alpha=one.alpha,
        codes=_codes(one.algorithms, len(names)),
        leads={name: lead_of(result.orders[name]) for name in names},
        podiums=podiums,
        notes=(*_notes(result), *(about if podiums else [Note("plot-place-map")])),
    )


def _limits(measure: str, means: np.ndarray, limits: Limits | None) -> Limits:
    """The scores of an empty and of a full bar."""
    if limits is not None:
        try:
            low, high = map(float, limits)
        except (TypeError, ValueError):
            low, high = np.nan, np.nan
        if not (np.isfinite([low, high]).all() and low < high):
            raise InferenceError(f"Limits are two numbers, the smaller first, not {limits!r}.")
        return low, high
    seen = means[np.isfinite(means)]
    least, most = (float(seen.min()), float(seen.max())) if seen.size else (0.0, 1.0)
    low, high = _bounds(measure)
    if not low <= least <= most <= high:  # such as errors in percent
        low, high = -np.inf, np.inf
    low = low if np.isfinite(low) else min(least, 0.0)
    high = high if np.isfinite(high) else max(most, 0.0)
    return (low, high) if low < high else (low, low + 1.0)


def _bounds(measure: str) -> Limits:
    known = KNOWN.get(measure.partition(":")[0])
    return known.bounds if known else (-np.inf, np.inf)


def _codes(algorithms: Sequence[str], datasets: int) -> dict[str, str]:
    """Names where they are short and cells are large; otherwise letters, as numbers are places."""
    if max(map(len, algorithms)) <= SHORT and len(algorithms) * datasets <= FEW:
        return {name: name for name in algorithms}
    count = len(ascii_letters)
    digits = ascii_uppercase + ascii_lowercase
    return {
        name: digits[i // count - 1] * (i >= count) + digits[i % count]
        for i, name in enumerate(algorithms)
    }


def _podium(dataset: str, order: Order, means: Mapping[str, float]) -> pd.DataFrame:
    """The places of one data set: by layers, ties broken by the mean."""
    places = printed(order)
    apart = _significant(order, places)
    return pd.DataFrame(
        {
            "dataset": dataset,
            "place": np.arange(1, len(places) + 1),
            "algorithm": places,
            "mean": [float(means[name]) for name in places],
            "border_above": [*np.diag(apart, 1).tolist(), False],
        }
    )


def _significant(order: Order, places: Sequence[str]) -> np.ndarray:
    """Which two places differ significantly."""
    at = {name: i for i, name in enumerate(order.algorithms)}
    kept = [at[name] for name in places]
    return np.asarray((order.better | order.better.T)[np.ix_(kept, kept)])


def _exceptions(dataset: str, order: Order) -> Iterator[tuple[str, str, str, bool]]:
    """Pairs that differ without a border between them, or do not differ despite of one."""
    places = printed(order)
    apart = _significant(order, places)
    borders = np.concatenate([[0], np.cumsum(np.diag(apart, 1))])
    suggested = borders[:, None] != borders
    for i, j in np.argwhere(np.triu(suggested != apart, 2)):
        yield dataset, places[i], places[j], bool(apart[i, j])


def _notes(dataset_orders: DatasetOrders) -> Iterator[Note]:
    yield from refused(dataset_orders)
    if circles := tuple(name for name, order in dataset_orders.orders.items() if order.cycles):
        yield Note("plot-circles", datasets=circles)


def _about_podiums(
    dataset_orders: DatasetOrders, exceptions: pd.DataFrame, missing: int, outside: int
) -> Iterator[Note]:
    """What borders, bars and letters do not tell."""
    if len(exceptions):
        rows = exceptions.itertuples(index=False, name=None)
        yield Note("plot-borders", exceptions=tuple(rows))
    if uncompared := max(len(order.uncompared) for order in dataset_orders.orders.values()):
        yield Note("plot-no-border", count=uncompared)
    if missing:
        yield Note("plot-no-mean-bar", count=missing)
    if sum(len(order.algorithms) for order in dataset_orders.orders.values()) > MANY:
        yield Note("plot-no-names")
    if outside:
        yield Note("plot-beyond-limits", count=outside)


# -- the drawing ------------------------------------------------------------------------------


def draw_survey(data: SurveyPlot, ax: Axes) -> Axes:
    """Draw the podiums side by side, or the map of the places of many algorithms."""
    if not data.podiums:
        return _draw_map(data, ax)
    columns, rows = len(data.datasets), len(data.algorithms)
    at = {name: i for i, name in enumerate(data.datasets)}
    left = data.cells["dataset"].map(at).to_numpy(float)
    bottom = data.cells["place"].to_numpy(float) - 1
    ax.set(xlim=(0, columns), ylim=(0, rows))
    size = fitting(ax, rows, columns)
    _paint(ax, data, left, bottom)
    if len(data.cells) <= MANY:
        _label(ax, data, left, bottom)
    names_on(ax.yaxis, np.arange(rows) + 0.5, [str(i + 1) for i in range(rows)])
    ax.tick_params(length=0, colors=INK)
    ax.tick_params(axis="y", labelsize=size)
    entitle(ax, y="rank (1 is the best)")
    named_below(ax, (np.arange(columns) + 0.5).tolist(), data.datasets, data.notes, size)
    _explain(ax, data)
    return ax


def _most_often(data: SurveyPlot) -> str:
    """The finding: who could be best on how many of the data sets."""
    counts = {a: sum(a in best for best in data.leads.values()) for a in data.algorithms}
    name = max(counts, key=lambda a: counts[a])
    where = f"{counts[name]} of {len(data.datasets)} data sets"
    return f"{short(name)} could be best in {data.measure} on {where}"


def _draw_map(data: SurveyPlot, ax: Axes) -> Axes:
    """The place of every algorithm on every data set, and who may be best there."""
    table = place_table(data.cells)
    size = draw_place_table(ax, table, data.leads, styles(data.algorithms))
    way = f"{data.direction} is better, alpha {data.alpha:g}"
    entitle(ax, f"{_most_often(data)} ({way})")
    places = (np.arange(len(data.datasets)) + 0.5).tolist()
    named_below(ax, places, table.columns.tolist(), data.notes, size)
    return ax


def _paint(ax: Axes, data: SurveyPlot, left: np.ndarray, bottom: np.ndarray) -> None:
    """Light cells, dark bars, and the borders between places that differ."""
    from matplotlib.collections import LineCollection, PolyCollection

    dark = [styles(data.algorithms)[name].colour for name in data.cells["algorithm"]]
    ones = np.ones(len(left))
    many = len(left) > MANY
    cells = PolyCollection(_boxes(left, bottom, ones, 1.0), facecolors=lightened(dark, LIGHT))
    share = data.cells["share"].fillna(0.0).to_numpy(float)
    bars = PolyCollection(_boxes(left, bottom, share, BAR), facecolors=dark)
    for boxes in (cells, bars):
        boxes.set_rasterized(many)
        ax.add_collection(boxes)
    ends = [[(x, y + 1), (x + 1, y + 1)] for x, y in zip(left, bottom, strict=True)]
    borders = [line for line, seen in zip(ends, data.cells["border_above"], strict=True) if seen]
    ax.add_collection(LineCollection(borders, colors=ON_FILL, linewidths=1.6, capstyle="butt"))
    sides = np.arange(1, len(data.datasets))
    ax.vlines(sides, 0, len(data.algorithms), colors="white", linewidth=2.0, zorder=3)


def _boxes(
    left: np.ndarray, bottom: np.ndarray, width: np.ndarray, height: float
) -> list[np.ndarray]:
    x, y = [left, left + width], [bottom, bottom + height]
    corners = [(x[i], y[j]) for i, j in ((0, 0), (1, 0), (1, 1), (0, 1))]
    return list(np.stack([np.stack(corner, axis=-1) for corner in corners], axis=1))


def _label(ax: Axes, data: SurveyPlot, left: np.ndarray, bottom: np.ndarray) -> None:
    """Who is in a cell: there may be more algorithms than colours, and readers without colours."""
    letters = max(map(len, data.codes.values()))
    size = fitting(ax, 1.6 * len(data.algorithms), 0.55 * len(data.datasets) * (letters + 1))
    place = {"ha": "center", "va": "center", "fontsize": size, "in_layout": False}
    middle = bottom + BAR + (1 - BAR) / 2
    for x, y, name in zip(left + 0.5, middle, data.cells["algorithm"], strict=True):
        write(ax, x, y, data.codes[name], color=ON_FILL, **place)


def _explain(ax: Axes, data: SurveyPlot) -> None:
    """Who is who at the right, and how to read the plot above it (Figure 8) or in a caption."""
    if paper_width() is None:
        above = key(
            ax,
            _how(data),
            loc="lower left",
            bbox_to_anchor=(0.0, 1.0),
            ncols=2,
            fontsize="x-small",
            borderaxespad=0.2,
            title=f"{_most_often(data)} ({data.direction} is better)",
            alignment="left",
        )
        ax.add_artist(above).set_clip_on(False)  # else layouts leave no room for it
    else:
        low, high = (number(value) for value in data.limits)
        remark(ax, [Note("plot-podiums", measure=data.measure, low=low, high=high)])
    coded = {
        name if data.codes[name] == name else f"{data.codes[name]}  {name}": style._replace(
            marker="s"
        )
        for name, style in styles(data.algorithms).items()
    }
    legend(ax, coded, fontsize="small" if len(coded) <= 20 else "x-small")


def _how(data: SurveyPlot) -> list[Patch | Line2D]:
    """What cells, bars and borders mean."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    low, high = (number(value) for value in data.limits)
    light = lightened([GREY], LIGHT)[0]
    return [
        Patch(facecolor=light, label="rank, light in the colour of its algorithm"),
        Patch(facecolor=GREY, label=f"mean {data.measure}, from {low} (no bar) to {high} (full)"),
        _border(f"neighbours differ (alpha {data.alpha:g})"),
        Line2D([], [], linestyle="", label="no border: the difference is not significant"),
    ]


def _border(label: str) -> Line2D:
    """The entry of black borders in the legend, on a light ground as they are."""
    from matplotlib.lines import Line2D
    from matplotlib.patheffects import withStroke

    ground = [withStroke(linewidth=7, foreground=lightened([GREY], LIGHT)[0])]
    return Line2D([], [], color=ON_FILL, linewidth=1.6, path_effects=ground, label=label)


def _size(data: SurveyPlot) -> Size:
    if not data.podiums:
        letters = max(len(short(name)) for name in data.algorithms)
        wanted = [
            2.4 + 0.07 * letters + 0.24 * len(data.datasets),
            2.6 + 0.2 * len(data.algorithms),
        ]
        width, height = np.clip(wanted, [6.4, 4.0], [20.0, 18.0])
        return float(width), float(height)
    wanted = [3 + 0.26 * len(data.datasets), 2.8 + 0.3 * len(data.algorithms)]
    width, height = np.clip(wanted, [6.4, 4.0], [20.0, 12.0])
    return float(width), float(height)


survey = registered(
    "survey",
    DatasetOrders,
    "the podium of every data set",
    survey_data,
    draw_survey,
    """Podium places of the algorithms on every data set, the best at the bottom.

    A place has the light colour of its algorithm; where the means tie-break equivalent
    algorithms there is no black border between the places. The dark bar is the mean score as a
    share of `limits`, unless said the bounds of the measure, or what the means span where it
    has none. More than eight algorithms, unless `podiums` or `limits` are asked for, are a map
    of their places, on which those are marked whom nobody is shown to beat.
    """,
    size=_size,
    options={
        "limits": "The scores of an empty and of a full bar, with a comma between.",
        "podiums": "Podiums with bars, or a map of ranks [podiums up to 8 algorithms].",
    },
    title="Survey plot",
    caption="A podium for every data set, similar data sets beside each other: the algorithms "
    "from the first place up, with their means.",
)


# -- flow ---------------------------------------------------------------------------------------
# The way of data sets into a study: how many were there, eligible, drawn, failed, analysed.


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


def _flow_size(data: pd.DataFrame) -> Size:
    return 6.4, max(1.6, ROW * len(data) + 0.4)


flow = registered(
    "flow",
    Results,
    "how data sets came into the study, step by step",
    flow_data,
    draw_flow,
    of_design=True,
    size=_flow_size,
    title="The way of the data sets",
    caption=flow_caption(),
)
