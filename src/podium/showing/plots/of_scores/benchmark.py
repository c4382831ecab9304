"""The benchmark experiment plot: a podium on which every sample places the algorithms.

Eugster, Hothorn and Leisch (2008), section 3.1: Figure 3 (`bench`) and, with lines that join the
dots of a sample, Figure 4 (`full_bench`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import rankdata

from podium.core.base.errors import ResultsError
from podium.core.base.formatting import short
from podium.core.orders.decide import check_seed
from podium.core.results.results import Results
from podium.core.words.facts import Note
from podium.showing.drawing.canvas import (
    GREY,
    INK,
    MANY,
    MOST_HUES,
    ON_FILL,
    Style,
    beside_legend,
    coloured_cells,
    divided,
    draw_key,
    entitle,
    in_order,
    legend,
    names_on,
    points,
    remark,
    row_letters,
    styles,
)
from podium.showing.drawing.place_maps import colour_lead, shades
from podium.showing.drawing.records import Size, is_share, registered
from podium.showing.drawing.shown_scores import scores_of, without_gaps

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]
FAINTEST = 0.02  # the opacity below which one line is not seen


@dataclass(frozen=True, eq=False)
class Bench:
    """Dots and counts of a benchmark experiment plot.

    `dots` has one row per sample and place (sample, algorithm, place, value, x), sorted by both.
    Place p reaches from p - 1/2 to p + 1/2 and holds one column per algorithm, in the order of
    `counts`, the same in every place. `counts` (algorithms x places) says how often an algorithm
    has a place: its rows and columns sum to the number of samples.
    """

    dots: pd.DataFrame
    counts: pd.DataFrame
    algorithms: tuple[str, ...]  # all, in the study's order, which gives them their styles
    label: str
    title: str
    block: str
    notes: tuple[Note, ...] = ()

    @property
    def places(self) -> int:
        """How many places there are: as many as algorithms with scores."""
        return len(self.counts)

    @property
    def styles(self) -> dict[str, Style]:
        """The styles of the algorithms on the podium, in the order of their columns."""
        every = styles(self.algorithms)
        return {str(name): every[str(name)] for name in self.counts.index}


@dataclass(frozen=True, eq=False)
class FullBench:
    """A benchmark experiment plot with the lines of its samples.

    `segments` has a row per sample and pair of neighbouring places: sample, algorithm (whose colour
    it has: the one on the lower of the two places, from which it goes out), place, x, value, x_end,
    value_end. `alpha` is the opacity of one line.
    """

    bench: Bench
    segments: pd.DataFrame
    alpha: float


def bench_data(
    results: Results, *, measure: str | None = None, dataset: str | None = None, seed: int = 0
) -> Bench:
    """The place of every algorithm in every sample, ties broken at random, and their counts.

    Columns stand in order of the mean rank (ties shared, so that the seed does not matter), equal
    ones in the study's order. A sample with a gap has no full podium: it is left out, and this is
    said; so is an algorithm without any score. Without `dataset`, several data sets are the blocks.
    """
    check_seed(seed)
    scores = scores_of(results, measure, dataset)
    (table,), notes = without_gaps(scores)
    values = table.to_numpy(float)
    who, columns = podium(scores.measure.sign * values, seed)
    names = table.columns[columns]
    dots = _dots(table, values, who, np.argsort(columns))
    return Bench(
        dots,
        _counts(who, names, columns),
        tuple(scores.algorithms),
        scores.label,
        scores.title,
        scores.block,
        tuple(notes),
    )


def podium(good: Floats, seed: int = 0) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Samples x places: which algorithm stands there; and the order of columns.

    Larger is better; ties are broken at random in each sample, and shared for the columns.
    """
    chance = np.random.default_rng(seed).random(good.shape)
    columns = np.argsort(rankdata(-good, axis=1).mean(axis=0).round(9), kind="stable")
    return np.lexsort((chance, -good), axis=1), columns


def _dots(
    table: pd.DataFrame, values: Floats, who: NDArray[np.intp], column: NDArray[np.intp]
) -> pd.DataFrame:
    samples, size = values.shape
    place = np.tile(np.arange(1, size + 1), samples)
    names = table.columns.astype(str)
    return pd.DataFrame(
        {
            "sample": np.repeat(table.index.to_numpy(), size),
            "algorithm": pd.Categorical.from_codes(who.ravel(), categories=names),
            "place": place,
            "value": np.take_along_axis(values, who, axis=1).ravel(),
            "x": place - 0.5 + (column[who].ravel() + 0.5) / size,
        }
    )


def _counts(who: NDArray[np.intp], names: pd.Index, columns: NDArray[np.intp]) -> pd.DataFrame:
    size = who.shape[1]
    cells = np.bincount((who * size + np.arange(size)).ravel(), minlength=size**2)
    places = pd.RangeIndex(1, size + 1, name="place")
    return pd.DataFrame(cells.reshape(size, size)[columns], names.rename("algorithm"), places)


def full_bench_data(
    results: Results,
    *,
    measure: str | None = None,
    dataset: str | None = None,
    seed: int = 0,
    alpha: float | None = None,
) -> FullBench:
    """The same with a line through the dots of every sample.

    Opacity is `alpha`, or such that a tenth of all samples drawn over each other are nearly
    (95 %) opaque: the darker, the more samples.
    """
    if not (alpha is None or alpha == 1 or is_share(alpha)):
        raise ResultsError(f"The opacity alpha lies above 0 and up to 1, not {alpha!r}.")
    made = bench_data(results, measure=measure, dataset=dataset, seed=seed)
    count = len(made.dots) // made.places
    shade = max(1 - 0.05 ** (10 / count), FAINTEST) if alpha is None else float(alpha)
    return FullBench(made, _segments(made.dots, made.places), shade)


def _segments(dots: pd.DataFrame, places: int) -> pd.DataFrame:
    starts = (dots["place"] < places).to_numpy()
    ends = dots.loc[(dots["place"] > 1).to_numpy(), ["x", "value"]].to_numpy()
    kept = dots.loc[starts, ["sample", "algorithm", "place", "x", "value"]].reset_index(drop=True)
    return kept.assign(x_end=ends[:, 0], value_end=ends[:, 1])


def draw_bench(data: Bench, ax: Axes) -> Axes:
    """Draw dots above bars, or a map of the places of many algorithms; returns the outer axes."""
    return (_draw_place_map if data.places > MOST_HUES else _draw_podium)(data, ax)


def _draw_podium(data: Bench, ax: Axes) -> Axes:
    dots, bars = divided(ax, rows=(3, 1), gap=0.03)[:, 0]
    _draw_dots(data, dots)
    dots.locator_params(axis="y", nbins=5)
    _draw_bars(data, bars)
    for part in (dots, bars):
        _draw_places(part, data.places)
    dots.tick_params(labelbottom=False)
    entitle(ax, data.title)
    entitle(dots, y=data.label)
    entitle(bars, x="rank (1 is the best)", y=f"{data.block}s")
    legend(ax, data.styles, fontsize="small")
    remark(ax, data.notes)
    return ax


def _draw_dots(data: Bench, ax: Axes) -> None:
    # a dot may fill its column and no more, but must be seen
    size = min(max(240 / data.places**2, 1.5), 5.0) ** 2
    pixels = len(data.dots) > MANY
    options: dict[str, Any] = {"s": size, "linewidths": 0, "zorder": 3, "rasterized": pixels}
    for name, rows in data.dots.groupby("algorithm", observed=True):
        style = data.styles[str(name)]
        ax.scatter(rows["x"], rows["value"], color=style.colour, marker=style.marker, **options)


def _draw_bars(data: Bench, ax: Axes) -> None:
    from matplotlib.collections import PolyCollection
    from matplotlib.ticker import MaxNLocator

    size = data.places
    middle = np.arange(1, size + 1)
    # a bar narrower than a pixel is rounded to none: its edge is seen
    edge = 0.6 if points(ax)[0] < size**2 else 0.0
    for column, (name, counts) in enumerate(data.counts.iterrows()):
        left = middle - 0.5 + column / size
        right, top, ground = left + 1 / size, counts.to_numpy(float), np.zeros(size)
        xs, ys = np.stack([left, left, right, right], 1), np.stack([ground, top, top, ground], 1)
        look: dict[str, Any] = {"color": data.styles[str(name)].colour, "linewidths": edge}
        bars = PolyCollection(list(np.stack([xs, ys], 2)[top > 0]), **look)
        ax.add_collection(bars, autolim=True)
    ax.set_ylim(0, 1.05 * float(data.counts.to_numpy().max()))
    ax.yaxis.set_major_locator(MaxNLocator(4, integer=True, steps=[1, 2, 5, 10]))
    ax.yaxis.set_major_formatter("{x:.0f}")


def _draw_places(ax: Axes, places: int) -> None:
    from matplotlib.ticker import FixedLocator

    room = 0.005 * places  # between the outermost columns and the frame
    ax.set_xlim(0.5 - room, places + 0.5 + room)
    borders = np.arange(1, places) + 0.5
    ax.vlines(
        borders,
        0,
        1,
        transform=ax.get_xaxis_transform(),
        colors=GREY,
        linewidths=0.5,
        linestyles=":",
    )
    ticks = range(1, places + 1) if places <= 20 else [1, *range(5, places + 1, 5)]
    ax.xaxis.set_major_locator(FixedLocator([float(tick) for tick in ticks]))
    ax.xaxis.set_major_formatter("{x:.0f}")
    ax.tick_params(axis="x", length=0, colors=INK)


def _draw_place_map(data: Bench, ax: Axes) -> Axes:
    """How often an algorithm has a place, its mean place, and its scores beside it."""
    left, right = divided(ax, columns=(3, 2), gap=0.05)[0]
    names = in_order([str(name) for name in data.counts.index])
    counts = data.counts.loc[names].to_numpy(float)
    k, samples = len(names), counts[0].sum()
    image = coloured_cells(left, counts / samples, (0.5, -0.5), 0.4, cmap=shades(), vmin=0, vmax=1)
    mean = counts @ np.arange(1, k + 1) / samples
    left.plot(mean, range(k), "o", mfc="none", mec=ON_FILL, ms=min(5, row_letters(left, k)))
    left.set(xlim=(0.5, k + 0.5), ylim=(k - 0.5, -0.5))
    names_on(left.yaxis, range(k), names)
    left.tick_params(axis="y", length=0, labelsize=row_letters(ax, k))
    colour_lead(left, names, data.styles)
    left.set_xticks([1, *range(5, k + 1, 5)])
    left.spines[:].set_visible(False)
    _draw_scores(right, data, names)
    entitle(ax, data.title)
    entitle(left, x=f"rank (shade: share of {samples:.0f} {data.block}s; ring: mean rank)")
    entitle(right, x=data.label)
    draw_key(right, image, 1.03, [0, 0.5, 1], ["0", "0.5", "1"])
    remark(ax, data.notes)
    return ax


def _draw_scores(ax: Axes, data: Bench, names: Sequence[str]) -> None:
    """Every score as a dot in the row of its algorithm, and the mean as a bar."""
    row = {name: i for i, name in enumerate(names)}
    many = len(data.dots) > MANY
    for name, dots in data.dots.groupby("algorithm", observed=True):
        y, colour = row[str(name)], data.styles[str(name)].colour
        # spread like the dots of a page: the same each time, and without a pattern
        spread = 0.5 * ((np.arange(1, len(dots) + 1) * 0.6180339887) % 1 - 0.5)
        look: dict[str, Any] = {"s": 5, "color": colour, "alpha": 0.6, "linewidths": 0}
        ax.scatter(dots["value"], y + spread, rasterized=many, **look)
        ax.vlines(dots["value"].mean(), y - 0.35, y + 0.35, colors=colour, linewidths=2)
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.set_yticks([])
    ax.spines[["top", "left", "right"]].set_visible(False)
    ax.grid(axis="x", color=GREY, alpha=0.25, linewidth=0.5)
    ax.set_axisbelow(True)


def draw_full_bench(data: FullBench, ax: Axes) -> Axes:
    """Draw the plot and, behind its dots, the line of every sample."""
    from matplotlib.collections import LineCollection
    from matplotlib.colors import to_rgba_array

    _draw_podium(data.bench, ax)
    rows = data.segments
    owners = rows["algorithm"].cat
    colours = to_rgba_array([data.bench.styles[name].colour for name in owners.categories])
    # one collection in the order of the samples: no algorithm hides the others
    lines = LineCollection(
        rows[["x", "value", "x_end", "value_end"]].to_numpy(float).reshape(-1, 2, 2),
        colors=colours[owners.codes],
        alpha=data.alpha,
        linewidths=0.8,
        zorder=2,
        rasterized=len(rows) > MANY,
    )
    ax.child_axes[0].add_collection(lines, autolim=False)
    return ax


def _size(data: Bench) -> Size:
    if data.places <= MOST_HUES:
        return _podium_size(data)
    letters = max(len(short(str(name))) for name in data.counts.index)
    height = min(1.4 + 0.22 * data.places, 20.0)
    return min(6.5 + 0.06 * data.places, 12.0) + 0.07 * letters, height


def _podium_size(data: Bench) -> Size:
    width = min(6.4 + 0.1 * data.places, 10.0)
    return beside_legend([str(name) for name in data.counts.index], width, 5.2)


SEED = {"seed": "By which ties are broken [0]."}
bench = registered(
    "bench",
    Results,
    "the benchmark experiment plot: who has which rank",
    bench_data,
    draw_bench,
    """The benchmark experiment plot of one data set (or of several data sets as the blocks).

    Every sample puts the algorithms on the places of a podium by their scores, ties broken at
    random with `seed`. A dot stands at the score on the place, in its algorithm's column; bars
    count how often an algorithm has a place (Eugster, Hothorn and Leisch 2008, Figure 3). Of
    more than eight algorithms a map shows how often they have each place, beside their scores.
    """,
    size=_size,
    options=SEED,
    title="Benchmark experiment plot",
    caption="Every {sample} places the algorithms on a podium: the scores that gave each of "
    "them its first, second ... place, and how often it had it.",
)
full_bench = registered(
    "full_bench",
    Results,
    "the same with lines that join the scores of a sample",
    full_bench_data,
    draw_full_bench,
    """The benchmark experiment plot with a line through the dots of every sample.

    A segment has the colour of the algorithm on the lower of its two places, from which it goes
    out; parallel lines show scores that go together. `alpha` is the opacity of one line, by
    default chosen so that darkness shows how many samples run there (Figure 4 of the same
    paper).
    """,
    size=lambda data: _podium_size(data.bench),
    options=SEED | {"alpha": "The opacity of one line, up to 1 [the more samples, the less]."},
    flags={"alpha": "opacity"},  # --alpha is an error level
)
