"""Differences of algorithms over data sets, pair by pair (boulesteix2013, Figures 1 and 3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from podium.core.base.errors import ResultsError
from podium.core.base.formatting import aligned, number, short
from podium.core.results.results import Results
from podium.core.words.facts import Note
from podium.core.words.phrases import counted
from podium.showing.drawing.canvas import GREY, INK, MANY, entitle, names_on, remark, write
from podium.showing.drawing.records import Size, checked, registered
from podium.showing.drawing.shown_scores import (
    Rows,
    Scores,
    best_first,
    column,
    draw_rows,
    over_datasets,
    rows_of,
    scores_of,
    share_of_row,
    uneven,
)
from podium.showing.plots.of_scores.score_plots import SORT, row_size, whiskers

if TYPE_CHECKING:
    from matplotlib.axes import Axes


Pairs = Sequence[tuple[str, str]]
FEW = 6  # so many pairs are shown all


@dataclass(frozen=True, eq=False)
class DifferencesPlot:
    """Differences over data sets.

    Attributes
    ----------
    table : pair, first, second, dataset, and first - second in the measure's own unit and sign.
    summary : per pair the mean, the standard deviation, the number n of data sets that have both
        scores, and the five numbers of a box plot (whiskers end at the last difference within 1.5
        box lengths, Tukey 1977).
    positive, negative : which of a pair is better to the right and to the left of zero.
    """

    table: pd.DataFrame
    summary: pd.DataFrame
    measure: str
    positive: str
    negative: str
    notes: tuple[Note, ...]

    @property
    def is_against_one(self) -> bool:
        """Whether several algorithms are compared with the same one."""
        return self.summary["second"].nunique() == 1 < len(self.summary)

    @property
    def sides(self) -> dict[str, str]:
        """What first and second are called where all pairs are spoken of."""
        first, second = (short(self.summary[name].iat[0]) for name in ("first", "second"))
        if len(self.summary) == 1:
            return {"first": first, "second": second}
        if self.is_against_one:
            return {"first": "the row's algorithm", "second": second}
        return {"first": "first", "second": "second"}


# -- the data ---------------------------------------------------------------------------------


def differences_data(
    results: Results,
    pairs: Pairs | None = None,
    *,
    control: str | None = None,
    measure: str | None = None,
) -> DifferencesPlot:
    """The differences of every pair on every data set that has both scores, and summaries."""
    scores = over_datasets(results, measure, "A plot of differences over data sets")
    chosen, notes = _chosen(scores, pairs, control)
    parts = [_differences(scores, first, second) for first, second in chosen]
    empty = tuple(pair for pair, part in zip(chosen, parts, strict=True) if part.empty)
    shown = [part for part in parts if len(part)]
    if not shown:
        raise ResultsError(
            f"No pair of algorithms has scores of '{scores.measure.name}' on a common data set."
        )
    total = len(scores.table)
    partly = sum(len(part) < total for part in shown)
    sides = ("first", "second") if scores.measure.higher_is_better else ("second", "first")
    return DifferencesPlot(
        table=pd.concat(shown, ignore_index=True),
        summary=pd.DataFrame([_summary(part) for part in shown]),
        measure=scores.measure.name,
        positive=sides[0],
        negative=sides[1],
        notes=(
            *notes,
            *_missing(empty, partly, total),
            *scores.silence,
            *uneven(results, scores),
        ),
    )


def _chosen(
    scores: Scores, pairs: Pairs | None, control: str | None
) -> tuple[list[tuple[str, str]], list[Note]]:
    """The pairs to show, and a remark where it was not the reader who chose them."""
    if pairs is not None and control is not None:
        raise ResultsError("Say the pairs or a control, not both.")
    if pairs is not None:
        return _checked(scores, pairs), []
    if control is not None:
        return _against(scores, control), []
    names = scores.algorithms
    if len(names) < 2:
        raise ResultsError(f"Differences need two algorithms; there is only '{names[0]}'.")
    every = list(combinations(names, 2))
    if len(every) <= FEW:
        return every, []
    best = _best(scores)
    return _against(scores, best), [Note("plot-against-best", algorithm=best)]


def _checked(scores: Scores, pairs: Pairs) -> list[tuple[str, str]]:
    """Pairs of two different algorithms of these scores."""
    if np.ndim(pairs) == 0 or not len(pairs):
        raise ResultsError(f"There is no pair to show in {pairs!r}: say [('svm', 'knn')].")
    for pair in pairs:
        if np.size(pair) != 2 or pair[0] == pair[1]:
            raise ResultsError(f"A pair is two different algorithms, not {pair!r}.")
        for name in pair:
            column(scores, name)
    return list(dict.fromkeys((str(a), str(b)) for a, b in pairs))


def _against(scores: Scores, control: str) -> list[tuple[str, str]]:
    column(scores, control)
    return _checked(scores, [(name, control) for name in scores.algorithms if name != control])


def _best(scores: Scores) -> str:
    """The best by mean over the data sets that all algorithms with scores have."""
    table = scores.table.dropna(axis=1, how="all")
    complete = table.dropna()
    return best_first(replace(scores, table=complete if len(complete) else table))[0]


def _differences(scores: Scores, first: str, second: str) -> pd.DataFrame:
    """The differences of one pair on the data sets that have both."""
    result = (scores.table[first] - scores.table[second]).dropna()
    heads = {"pair": f"{first} - {second}", "first": first, "second": second}
    return pd.DataFrame(
        {**heads, "dataset": result.index.astype(str), "difference": result.to_numpy(float)}
    )


def _summary(part: pd.DataFrame) -> dict[str, object]:
    d = part["difference"].to_numpy(float)
    return {
        **{name: part[name].iat[0] for name in ("pair", "first", "second")},
        "mean": d.mean(),
        "sd": _deviation(d),
        "n": len(d),
        **_box(d),
    }


def _deviation(values: np.ndarray) -> float:
    """The standard deviation; 0 where values are equal but for rounding."""
    if len(values) < 2:
        return float("nan")
    sd = float(values.std(ddof=1))
    return sd if sd > 1e-12 * np.abs(values).max() else 0.0


def _box(values: np.ndarray) -> dict[str, float]:
    """The five numbers of a box plot."""
    q1, median, q3 = np.quantile(values, [0.25, 0.5, 0.75])
    low, high = whiskers(values, q1, q3)
    return {"low": float(low), "q1": q1, "median": median, "q3": q3, "high": float(high)}


def _missing(empty: Pairs, partly: int, total: int) -> Iterator[Note]:
    if empty:
        yield Note("plot-nothing-common", pairs=empty)
    if partly:
        yield Note("plot-partly-common", count=partly, of=total)


# -- the drawing ------------------------------------------------------------------------------


def draw_differences(data: DifferencesPlot, ax: Axes) -> Axes:
    """Draw a row per pair, the first at the top."""
    rows = np.arange(len(data.summary))[::-1]
    ax.axvline(0, color=INK, linewidth=0.8, zorder=1)
    _linked(ax, data.table.assign(row=np.repeat(rows, data.summary["n"])))
    _boxes(ax, data.summary, rows)
    ax.scatter(data.summary["mean"], rows, marker="D", s=22, color="white", edgecolor=INK, zorder=4)
    _check_names(ax, data, rows)
    ax.use_sticky_edges = False  # else a box without length ends the axis
    ax.autoscale_view(scaley=False)
    ax.locator_params(axis="x", nbins=6)  # numbers such as −0.025 stand apart
    return ax


def _boxes(ax: Axes, summary: pd.DataFrame, rows: np.ndarray) -> None:
    """Box plots from their five numbers."""
    length = summary["q3"] - summary["q1"]
    edge: dict[str, Any] = {"facecolor": "none", "edgecolor": INK, "linewidth": 1.1, "zorder": 3}
    ax.barh(rows, length, height=0.5, left=summary["q1"], **edge)
    for inner, outer in (("q1", "low"), ("q3", "high")):
        ax.hlines(rows, summary[inner], summary[outer], color=INK, linewidth=1.1, zorder=3)
        ax.vlines(summary[outer], rows - 0.12, rows + 0.12, color=INK, linewidth=1.1, zorder=3)
    ax.vlines(summary["median"], rows - 0.25, rows + 0.25, color=INK, linewidth=2.2, zorder=3)


def _linked(ax: Axes, table: pd.DataFrame) -> None:
    """A dot per difference, joined by a line for every data set."""
    from matplotlib.collections import LineCollection

    many = len(table) > MANY
    joined = [
        one[["difference", "row"]].to_numpy(float)
        for _, one in table.groupby("dataset", sort=False)
    ]
    thin: dict[str, Any] = {"colors": GREY, "alpha": 0.35, "linewidths": 0.6, "zorder": 1}
    ax.add_collection(LineCollection(joined, rasterized=many, **thin))
    dots: dict[str, Any] = {"s": 9, "color": GREY, "linewidth": 0, "zorder": 2, "rasterized": many}
    ax.scatter(table["difference"], table["row"], **dots)


def _check_names(ax: Axes, data: DifferencesPlot, rows: np.ndarray) -> None:
    """Pairs at the left, standard deviations at the right, and whom a side favours above."""
    size = "small" if len(rows) <= 25 else "xx-small"
    ax.set_yticks(rows, _rows(data))
    for label in ax.get_yticklabels():
        label.set(parse_math=False, fontsize=size)
    beyond = ax.get_yaxis_transform()
    sds = data.summary["sd"].tolist()
    texts = aligned(sds, min((sd for sd in sds if sd > 0), default=1.0), digits=2)
    for row, sd, n in zip(rows, texts, data.summary["n"], strict=True):
        text = f"sd {sd}  (n {n})"
        write(ax, 1.01, row, text, transform=beyond, va="center", fontsize=size)
    who = data.sides
    sides = f"← {who[data.negative]} is better  |  {who[data.positive]} is better →"
    write(ax, 0.0, 1.02, sides, transform=ax.transAxes, fontsize="small")
    ax.set_ylim(-0.6, len(rows) - 0.4)
    ax.spines[["top", "right"]].set_visible(False)
    entitle(ax, x=f"difference of {data.measure}: {who['first']} − {who['second']}")
    remark(ax, [Note("plot-beside-means"), *data.notes])


def _rows(data: DifferencesPlot) -> list[str]:
    """The pairs, or the first algorithms alone where the second is always the same."""
    pairs = zip(data.summary["first"], data.summary["second"], strict=True)
    if data.is_against_one:
        return [short(first) for first, _ in pairs]
    return [f"{short(first, 18)} − {short(second, 18)}" for first, second in pairs]


def _size(data: DifferencesPlot) -> Size:
    return 7.2, float(np.clip(1.8 + 0.34 * len(data.summary), 2.8, 18.0))


differences = registered(
    "differences",
    Results,
    "differences over data sets",
    differences_data,
    draw_differences,
    """Box plots of the differences of pairs over data sets, their standard deviations beside.

    Grey lines join the differences of one data set. Unless pairs or a control are said, all
    pairs are shown where there are at most 6, otherwise all against the best by mean.
    """,
    size=_size,
    options={"pairs": "Which pairs, as in svm:knn,svm:tree [all, or with the best]."},
    title="Differences over data sets",
    caption="One dot per data set: the difference between the means of two algorithms.",
)


# -- how much the differences of a study vary -----------------------------------------------------


@dataclass(frozen=True, eq=False)
class DeviationsPlot:
    """Standard deviations of the differences over data sets, of all pairs of every study.

    `table` has study, first, second, sd and the number n of data sets; `summary` a box plot per
    study.
    """

    table: pd.DataFrame
    summary: pd.DataFrame
    measure: str
    notes: tuple[Note, ...]


def deviations_data(
    results: Results | Mapping[str, Results], *, measure: str | None = None
) -> DeviationsPlot:
    """The standard deviation of every pair that has scores on at least two common data sets."""
    studies = results if isinstance(results, Mapping) else {checked(results, Results).name: results}
    if not studies:
        raise ResultsError("There is no study to show.")
    scores = {
        name: over_datasets(study, measure, "A plot of differences over data sets")
        for name, study in studies.items()
    }
    measures = list(dict.fromkeys(one.measure.name for one in scores.values()))
    if len(measures) > 1:
        raise ResultsError(
            f"The studies have different measures ({', '.join(measures)}): say one that all have."
        )
    table = pd.concat([_deviations(n, s) for n, s in scores.items()], ignore_index=True)
    gone = tuple(name for name in studies if name not in set(table["study"]))
    if table.empty:
        raise ResultsError(f"No two algorithms have '{measures[0]}' on two common data sets.")
    summary = [
        {"study": name, "pairs": len(part), **_box(part["sd"].to_numpy(float))}
        for name, part in table.groupby("study", sort=False)
    ]
    notes = (Note("plot-no-deviation", studies=gone),) if gone else ()
    return DeviationsPlot(table, pd.DataFrame(summary), measures[0], notes)


def _deviations(study: str, scores: Scores) -> pd.DataFrame:
    i, j = np.triu_indices(len(scores.algorithms), 1)
    values = scores.table.to_numpy(float)
    apart = pd.DataFrame(values[:, i] - values[:, j])
    names = np.array(scores.algorithms, dtype=object)
    sds = [_deviation(d[np.isfinite(d)]) for d in apart.to_numpy().T]
    table = pd.DataFrame({"first": names[i], "second": names[j], "sd": sds, "n": apart.count()})
    table.insert(0, "study", study)
    return table[table["n"] > 1].reset_index(drop=True)


def draw_deviations(data: DeviationsPlot, ax: Axes) -> Axes:
    """Draw a row per study, the first at the top."""
    rows = np.arange(len(data.summary))[::-1]
    at = dict(zip(data.summary["study"], rows, strict=True))
    _boxes(ax, data.summary, rows)
    place = data.table["study"].map(at)
    ax.scatter(data.table["sd"], place, s=12, color=GREY, linewidth=0, zorder=2)
    pairs = zip(data.summary["study"], data.summary["pairs"], strict=True)
    names_on(
        ax.yaxis,
        rows,
        [f"{short(n, 16)} ({counted(count, 'pair')})".lstrip() for n, count in pairs],
    )
    ax.set_ylim(-0.6, len(rows) - 0.4)
    ax.set_xlim(left=0)
    ax.spines[["top", "right"]].set_visible(False)
    entitle(ax, x=f"standard deviation of differences of {data.measure} over data sets")
    remark(ax, data.notes)
    return ax


def _deviations_size(data: DeviationsPlot) -> Size:
    return 6.4, float(np.clip(1.6 + 0.5 * len(data.summary), 2.4, 14.0))


deviations = registered(
    "deviations",
    Results,
    "how differences vary over data sets",
    deviations_data,
    draw_deviations,
    """Box plots of the standard deviations of pairwise differences over data sets, by study.

    They say how many data sets a comparison needs (boulesteix2013, Figure 1).
    """,
    size=_deviations_size,
)


# -- behind the best ----------------------------------------------------------------------------
# How far algorithms are behind the best one of a data set: the first few, the others as ticks.


LISTED = 7  # algorithms with a row of their own
TICK = 0.36  # half the height of a tick, in rows


@dataclass(frozen=True, eq=False)
class Behind:
    """Gaps to the best mean: row, algorithm, scores, mean, gap, sd.

    Those of `others` share the row below all that are listed.
    """

    table: pd.DataFrame
    others: pd.DataFrame
    best: str
    best_mean: float
    rows: Rows


def behind_data(
    results: Results,
    *,
    measure: str | None = None,
    dataset: str | None = None,
    listed: int = LISTED,
    sort: bool = True,
) -> Behind:
    """The gap of each mean to the best one; a gap is never negative.

    Up to `listed` algorithms have a row, the first ones of the order of rows; one more than that is
    listed, too, as a row for it alone takes no less room.
    """
    if isinstance(listed, bool) or not isinstance(listed, int) or listed < 1:
        raise ResultsError(f"listed is a whole number from 1 on, not {listed!r}.")
    scores = scores_of(results, measure, dataset)
    rows = rows_of(scores, sort)
    columns = scores.table[rows.names]
    means = columns.mean()
    loss = -scores.measure.sign * means
    kept = len(rows.names) if len(rows.names) <= listed + 1 else listed
    table = pd.DataFrame(
        {
            "row": np.minimum(np.arange(len(rows.names)), kept),
            "algorithm": rows.names,
            "scores": columns.count().to_numpy(),
            "mean": means.to_numpy(),
            "gap": (loss - loss.min()).to_numpy(),
            "sd": columns.std(ddof=1).to_numpy(),
        }
    )
    label = f"{scores.measure.name} behind the best"
    notes = (Note("plot-behind", block=scores.block), *rows.notes)
    rows = replace(rows, names=rows.names[:kept], label=label, notes=notes)
    return Behind(table[:kept], table[kept:], str(loss.idxmin()), float(means[loss.idxmin()]), rows)


def draw_behind(data: Behind, ax: Axes) -> Axes:
    """Draw means as points with one standard deviation to both sides, the others as ticks."""
    size = share_of_row(ax, data.rows, 0.7, 6)
    ax.axvline(0, color=INK, linewidth=0.8, zorder=1)
    for at, style in zip(data.table.itertuples(), data.rows.styles, strict=True):
        ends, colour = [at.gap - at.sd, at.gap + at.sd], style.colour
        ax.plot(ends, [at.row, at.row], color=colour, linewidth=size / 2, alpha=0.45, zorder=2)
        ax.plot(at.gap, at.row, style.marker, color=colour, markersize=size, zorder=3)
    names = data.rows.names
    if len(data.others):
        names = [*names, f"{len(data.others)} others"]
        _draw_others(data, ax)
    draw_rows(ax, replace(data.rows, names=names))
    if len(data.others):
        ax.set_ylim(len(names), -0.6)  # room for a name below the ticks
    best = f"best {number(data.best_mean)}"
    ax.set_title(best, loc="right", color=GREY, fontsize="small", parse_math=False)
    ax.locator_params(axis="x", nbins=6)  # numbers such as −0.025 stand apart
    return ax


def _draw_others(data: Behind, ax: Axes) -> None:
    from matplotlib.collections import LineCollection

    row = len(data.table)
    first = data.others["algorithm"] == data.best
    ticks = [[(gap, row - TICK), (gap, row + TICK)] for gap in data.others["gap"]]
    colours = [INK if best else GREY for best in first]
    ax.add_collection(LineCollection(ticks, colors=colours, linewidths=1.0, zorder=2))
    if first.any():
        write(ax, 0, row + TICK, f" {short(data.best, 16)}", va="top", color=INK, fontsize="small")


behind = registered(
    "behind",
    Results,
    "how far each is behind the best",
    behind_data,
    draw_behind,
    "Gaps of mean scores to the best one, the first few in rows, all others as ticks.",
    size=row_size,
    options=SORT | {"listed": "Algorithms with a row of their own [7]."},
)
