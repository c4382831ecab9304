"""What plots show: scores in the measure's own units, verdicts, and rows of algorithms."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from podium.core.base.errors import InferenceError, ResultsError
from podium.core.base.formatting import short
from podium.core.base.registry import unknown
from podium.core.inference.bricks.contrasts import check_count
from podium.core.inference.comparing.comparisons import Comparisons
from podium.core.orders.dataset_orders import DatasetOrders
from podium.core.orders.decide import decide as decide_comparisons
from podium.core.orders.order import Order
from podium.core.questions.measures import Measure
from podium.core.results.results import Results
from podium.core.words.facts import Note
from podium.core.words.notes.of_surveys import best_title
from podium.showing.drawing.canvas import (
    COLOURS,
    GREY,
    MANY,
    MOST_LEADING,
    SEEN,
    Emphasis,
    Style,
    entitle,
    in_order,
    names_are_hidden,
    names_beside,
    names_on,
    points,
    remark,
    styles,
)
from podium.showing.drawing.records import checked

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False)
class Scores:
    """Blocks x algorithms (in the study's order), with gaps; what it measures, and where.

    `block` is what a row is: sample, or data set where each cell is the mean over its samples.
    `silent` are the blocks without any score, which have no row. `noun` is what a cell is.
    """

    table: pd.DataFrame
    measure: Measure
    dataset: str = ""  # empty where rows are data sets
    block: str = "sample"
    silent: tuple[str, ...] = ()
    noun: str = "score"

    @property
    def algorithms(self) -> list[str]:
        """The algorithms, in the study's order."""
        return [str(name) for name in self.table.columns]

    @property
    def label(self) -> str:
        """The measure with its direction, for an axis."""
        return f"{self.measure.name} ({self.measure.direction} is better)"

    @property
    def title(self) -> str:
        """The data set; of several none, as pictures of scores find nothing."""
        return short(self.dataset, 46)

    @property
    def notes(self) -> list[Note]:
        """What cannot be shown: algorithms and blocks without a score, and gaps."""
        gone = self.table.columns[self.table.isna().all()].tolist()
        gaps = int(self.table.isna().to_numpy().sum()) - len(gone) * len(self.table)
        return [
            *without_scores(gone, self.noun),
            *missing(gaps, "shown", self.noun),
            *self.silence,
        ]

    @property
    def silence(self) -> list[Note]:
        """The blocks without any score, where there are some."""
        facts = {"noun": self.noun, "block": self.block, "names": self.silent}
        return [Note("plot-silent", **facts)] if self.silent else []


def without_scores(names: Sequence[str], noun: str = "score") -> list[Note]:
    """Algorithms that are not shown, where there are any."""
    return [Note("plot-no-scores", algorithms=tuple(names), noun=noun)] if len(names) else []


def missing(count: int, use: str, noun: str = "score") -> list[Note]:
    """Gaps, where there are any, and what they were not used for."""
    return [Note("plot-missing", count=count, noun=noun, use=use)] if count else []


def scores_of(results: Results, measure: str | None = None, dataset: str | None = None) -> Scores:
    """The scores of one measure (the first unless said) on one data set.

    Where there are several data sets and none is named, rows are data sets, their samples averaged.
    Scores that are not finite are gaps.
    """
    measures = checked(results, Results).measures
    check_count(len(results.algorithms))
    name = measure or next(iter(measures), "")
    known, datasets = _finite(results, name), results.datasets
    if dataset is not None and dataset not in datasets:
        raise ResultsError(unknown("data set of these results", dataset, datasets))
    one = dataset or (datasets[0] if len(datasets) == 1 else None)
    rows = known.rows if one is None else known.rows.iloc[known.places.get(one, [])]
    table = _wide(rows, "dataset" if one is None else "sample", results.algorithms)
    if table.empty:
        raise ResultsError(f"There is no score of '{name}' to show{f' on {one}' if one else ''}.")
    block = "data set" if one is None else "sample"
    silent = _silent(results, one, set(table.index))
    return Scores(table, results.measure(name), one or "", block, silent)


@dataclass(frozen=True, eq=False)
class _Finite:
    """Rows with a finite score, and where those of every data set are."""

    rows: pd.DataFrame
    places: Mapping[str, np.ndarray]


_kept: dict[tuple[int, str], _Finite] | None = None  # by results and measure


@contextlib.contextmanager
def kept_scores() -> Iterator[None]:
    """Scores are looked up once inside: a trellis asks for those of every data set."""
    global _kept
    before, _kept = _kept, {}
    try:
        yield
    finally:
        _kept = before


def _finite(results: Results, measure: str) -> _Finite:
    key = (id(results), measure)
    if _kept is not None and key in _kept:
        return _kept[key]
    every = results.values(measure)
    rows = every[np.isfinite(every["value"].to_numpy(float))]
    result = _Finite(rows, rows.groupby("dataset", observed=True).indices)
    if _kept is not None:
        _kept[key] = result
    return result


def _silent(results: Results, dataset: str | None, scored: set[object]) -> tuple[str, ...]:
    """The data sets, or the samples of one, that were run and are not among those with scores."""
    runs = results.runs
    every = runs["dataset"] if dataset is None else runs.loc[runs["dataset"] == dataset, "sample"]
    return tuple(str(block) for block in every.unique() if block not in scored)


def _wide(rows: pd.DataFrame, block: str, algorithms: list[str]) -> pd.DataFrame:
    means = rows.groupby([block, "algorithm"], observed=True)["value"].mean().unstack("algorithm")
    return pd.DataFrame(
        means.to_numpy(float),
        index=means.index.astype(object),
        columns=list(means.columns.astype(str)),
    ).reindex(columns=algorithms)


# -- who is best ----------------------------------------------------------------------------------


def by_mean_rank(results: Results, measure: str | None = None) -> list[str]:
    """The algorithms that have scores, by their mean rank over data sets, or samples of one."""
    scores = scores_of(results, measure)
    ranks = scores.table.rank(axis=1, ascending=not scores.measure.higher_is_better)
    return [str(name) for name in ranks.mean().dropna().sort_values(kind="stable").index]


def _seen(results: Results) -> Emphasis:
    try:
        return Emphasis(tuple(by_mean_rank(results)[:MOST_LEADING]))
    except ResultsError:  # no score: the plot says so itself
        return Emphasis()


SEEN[Results] = _seen


# -- without gaps ---------------------------------------------------------------------------------


def without_gaps(*scores: Scores) -> tuple[list[pd.DataFrame], list[Note]]:
    """Blocks x algorithms of one or more measures without gaps, and what is left out for it.

    Algorithms that lack all scores of a measure are left out, then the blocks with a gap: places
    and means of algorithms are compared fairly only over the same blocks.
    """
    blocks = scores[0].table.index
    for more in scores[1:]:
        blocks = blocks.union(more.table.index, sort=False)
    tables = [s.table.reindex(blocks) for s in scores]
    there = np.logical_and.reduce([t.notna().any().to_numpy() for t in tables])
    tables = [t.loc[:, there] for t in tables]
    full = np.logical_and.reduce([t.notna().all(axis=1).to_numpy() for t in tables])
    if not (there.any() and full.any()):
        raise ResultsError(
            f"No {scores[0].block} has scores of all algorithms: leave out those with missing "
            "scores, as in "
            "results.filter(algorithm=[...])."
        )
    gone = [name for name, kept in zip(scores[0].algorithms, there, strict=True) if not kept]
    names = set(blocks.astype(str))
    silent = replace(scores[0], silent=tuple(b for b in scores[0].silent if b not in names))
    notes = without_scores(gone) + _left_out(full, scores[0].block) + silent.silence
    return [t[full] for t in tables], notes


def _left_out(full: np.ndarray, block: str) -> list[Note]:
    if full.all():
        return []
    return [Note("plot-incomplete", block=block, count=int((~full).sum()), of=len(full))]


# -- over data sets -------------------------------------------------------------------------------


def over_datasets(results: Results, measure: str | None, what: str) -> Scores:
    """Data sets x algorithms: mean scores; refused for a single data set."""
    datasets = checked(results, Results).datasets
    if len(datasets) < 2:
        raise ResultsError(f"{what} needs several data sets; there is only '{datasets[0]}'.")
    return scores_of(results, measure)


def uneven(results: Results, scores: Scores) -> list[Note]:
    """Means over fewer samples than others, where there are any."""
    rows = _finite(results, scores.measure.name).rows
    counts = rows.groupby(["dataset", "algorithm"], observed=True).size().unstack()
    fewer = int((counts.lt(counts.max(axis=1), axis=0) & counts.notna()).to_numpy().sum())
    means = int(scores.table.count().sum())
    return [Note("plot-uneven", count=fewer, of=means)] if fewer else []


def column(scores: Scores, name: str) -> pd.Series:
    """The scores of an algorithm; a name that there is not is refused."""
    if name not in scores.algorithms:
        raise ResultsError(unknown("algorithm of these results", name, scores.algorithms))
    return scores.table[name]


def equal_but_for_rounding(first: pd.Series, second: pd.Series) -> np.ndarray:
    """Where two columns of scores are tied."""
    return np.isclose(first.to_numpy(float), second.to_numpy(float), rtol=1e-12, atol=0.0)


# -- what plots of comparisons and orders share ---------------------------------------------------
# Titles, the best first, how verdicts are drawn.


class Mark(NamedTuple):
    """How a verdict is drawn: colour and marker, filled where it is significant."""

    colour: str
    marker: str
    filled: bool


MARKS = {
    "better": Mark(COLOURS[0], "o", True),
    "worse": Mark(COLOURS[1], "s", True),
    "non-inferior": Mark(COLOURS[5], "^", True),
    "non-superior": Mark(COLOURS[4], "v", True),
    "equivalent": Mark(COLOURS[2], "D", True),
    "undecided": Mark(GREY, "o", False),
    "withheld": Mark(GREY, "x", False),
}


def decided(comparisons: Comparisons) -> Order:
    """The order that comparisons of pairs of algorithms allow, at their own alpha."""
    if not len(checked(comparisons, Comparisons).table):
        raise InferenceError(
            f"Comparisons of {len(comparisons.algorithms)} algorithm hold no pair to draw: "
            "compare at least two algorithms."
        )
    if not of_algorithms(comparisons):
        raise InferenceError(
            "Contrasts of several algorithms make no order to draw: draw their intervals, or "
            "compare pairs."
        )
    return decide_comparisons(comparisons)


def of_algorithms(comparisons: Comparisons) -> bool:
    """Whether the rows compare two algorithms each, not weighted groups of them."""
    t, known = comparisons.table, set(comparisons.algorithms)
    return bool(t["first"].isin(known).all() and t["second"].isin(known).all())


def titled(comparisons: Comparisons) -> str:
    """The finding: who could be best where, by which test at which level."""
    where = f" on {short(comparisons.dataset)}" if comparisons.dataset else ""
    finding = found_by(comparisons)
    return f"{finding}{where} ({question_text(comparisons)}, alpha {comparisons.alpha:g})"


def found_by(comparisons: Comparisons) -> str:
    """Who could be best, or who differs from the reference."""
    control, measure = comparisons.decision.control, comparisons.measure
    k = len(comparisons.algorithms)
    if control is not None:
        count = comparisons.decision.significant
        return f"{count} of {k - 1} differ significantly from {short(control)} in {measure}"
    return best_title([short(a) for a in comparisons.decision.lead or ()], k, measure)


def question_text(comparisons: Comparisons) -> str:
    """The procedure, and what of its question is not the usual: one side, a margin."""
    two_sided = comparisons.alternative == "two-sided"
    side = "" if two_sided else f", one-sided ({comparisons.alternative})"
    margin = f", relevance {comparisons.relevance:g}" if comparisons.relevance else ""
    return f"{comparisons.procedure}{side}{margin}"


def printed(order: Order) -> list[str]:
    """The algorithms of an order as it prints them, the best first."""
    return list(chain.from_iterable(order.groups))


def lead_of(order: Order) -> tuple[str, ...]:
    """Those whom nobody beats, as the order prints them."""
    beaten = dict(zip(order.algorithms, np.any(order.better, axis=0).tolist(), strict=True))
    return tuple(name for name in printed(order) if not beaten[name])


def _verdicts_seen(comparisons: Comparisons) -> Emphasis:
    if not len(comparisons.table) or not of_algorithms(comparisons):
        return Emphasis()
    return Emphasis(lead_of(decide_comparisons(comparisons)))


SEEN[Comparisons] = _verdicts_seen
SEEN[Order] = lambda order: Emphasis(lead_of(order))


def refused(orders: DatasetOrders) -> list[Note]:
    """The data sets that could not be analysed, where there are any."""
    return [Note("plot-refused", datasets=tuple(orders.refused))] if orders.refused else []


# -- what plots with one row per algorithm share --------------------------------------------------
# Their rows, words and lines between rows.


MOST_TICKS = 500  # of the rows of a figure; beyond them names are plain texts, which are quick


@dataclass(frozen=True, eq=False)
class Rows:
    """The rows of a plot from top to bottom, and its words.

    Row i is at height i, which counts downwards.
    """

    names: list[str]
    algorithms: list[str]  # in the study's order, which gives the styles
    label: str
    title: str = ""
    notes: tuple[Note, ...] = ()

    @property
    def styles(self) -> list[Style]:
        """The style of each row."""
        every = styles(self.algorithms)
        return [every[name] for name in self.names]

    @property
    def colours(self) -> list[str]:
        """The colour of each row."""
        return [style.colour for style in self.styles]

    @property
    def height(self) -> float:
        """The height in inches of a figure in which each row has room."""
        return 1.2 + 0.24 * max(len(self.names), 5)


def rows_of(scores: Scores, sort: bool = True) -> Rows:
    """The rows of all algorithms that have scores: best mean first, or as in the study."""
    names = in_order(best_first(scores))
    if not sort:
        names = [name for name in scores.algorithms if name in names]
    return Rows(names, scores.algorithms, scores.label, scores.title, tuple(scores.notes))


def best_first(scores: Scores) -> list[str]:
    """The algorithms that have scores, by their means; equal ones as in the study."""
    means = -scores.measure.sign * scores.table.mean().dropna()
    return [str(name) for name in means.sort_values(kind="stable").index]


def values_of(scores: Scores, rows: Rows) -> NDArray[np.float64]:
    """Blocks x rows."""
    return scores.table[rows.names].to_numpy(float)


def dots_of(scores: Scores, rows: Rows, chosen: np.ndarray | None = None) -> pd.DataFrame:
    """The scores, or those that are chosen, with their rows, row by row."""
    values = values_of(scores, rows)
    here = np.isfinite(values) if chosen is None else np.isfinite(values) & chosen
    row, block = np.nonzero(here.T)
    return pd.DataFrame(
        {
            "block": scores.table.index.to_numpy(object)[block],
            "algorithm": np.array(rows.names, object)[row],
            "row": row,
            "value": values[block, row],
            "height": row.astype(float),
        }
    )


def segments_of(dots: pd.DataFrame) -> pd.DataFrame:
    """The lines that join the dots of a block in neighbouring rows; a gap ends them.

    `dots` and the segments have the columns block, row, value and height; of the end of a segment
    these are value_end and height_end.
    """
    below = dots[["block", "row", "value", "height"]].assign(row=dots["row"] - 1)
    joined = dots[["block", "row", "value", "height"]].merge(
        below, on=["block", "row"], suffixes=("", "_end")
    )
    return joined.sort_values(["block", "row"], ignore_index=True)


def draw_rows(ax: Axes, rows: Rows) -> None:
    """The names of the rows, the label, title and remarks of a plot."""
    ax.use_sticky_edges = False  # a box of constant scores would lie on the frame
    ax.autoscale_view(scaley=False)
    ax.set_ylim(len(rows.names) - 0.4, -0.6)
    size = share_of_row(ax, rows, 0.85, _letters())
    if names_are_hidden(ax):
        ax.set_yticks([])
        ax.yaxis.set_visible(False)  # nothing of it is left to be drawn, or measured by layouts
    elif len(ax.figure.axes) * len(rows.names) > MOST_TICKS:
        names_beside(ax, rows.names, size)
    else:
        names_on(ax.yaxis, range(len(rows.names)), rows.names)
    if ax.yaxis.get_visible():
        ax.tick_params(axis="y", length=0, labelsize=size)
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.grid(axis="x", color=GREY, alpha=0.25, linewidth=0.5)
    ax.set_axisbelow(True)
    entitle(ax, rows.title, rows.label)
    longest = max(len(short(name)) for name in rows.names)
    remark(ax, rows.notes, left=10 + 6.5 * longest)  # it begins right of the names


def draw_segments(ax: Axes, segments: pd.DataFrame) -> None:
    """Thin lines between rows, fainter the more there are."""
    from matplotlib.collections import LineCollection

    starts, ends = (segments[list(c)].to_numpy(float) for c in (START, END))
    blocks = max(segments["block"].nunique(), 1)
    lines = LineCollection(
        list(np.stack([starts, ends], axis=1)),
        colors=GREY,
        linewidths=0.6,
        alpha=float(np.clip(12 / blocks, 0.06, 0.6)),
        zorder=1.5,
        rasterized=len(segments) > MANY,
    )
    ax.add_collection(lines)


START, END = ("value", "height"), ("value_end", "height_end")


def share_of_row(ax: Axes, rows: Rows, share: float, largest: float) -> float:
    """The size in points of what takes a share of a row's height, and is not too large."""
    return float(np.clip(share * points(ax)[1] / len(rows.names), 1.5, largest))


def _letters() -> float:
    from matplotlib import rcParams

    return float(rcParams["font.size"])
