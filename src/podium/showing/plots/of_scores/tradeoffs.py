"""Who is close to the best, and in what: performance profiles, and two measures at once.

Profiles say on how many problems an algorithm is how close to the best (Dolan and Moré 2002,
Mathematical Programming 91, 201-213). Of two measures the front are those not dominated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from podium.core.base.errors import ResultsError
from podium.core.questions.measures import Measure
from podium.core.results.results import Results
from podium.core.words.facts import Note
from podium.showing.drawing.canvas import (
    INK,
    beside_legend,
    entitle,
    legend,
    lightened,
    logarithmic,
    remark,
    styles,
)
from podium.showing.drawing.records import checked, registered
from podium.showing.drawing.shown_scores import Scores, scores_of, without_gaps
from podium.showing.plots.words import why_no_ratio

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]
PALE = 0.45  # how much white is in the colours of what is dominated
AMOUNTS = ("s", "bytes")  # units that are often shown on log axes


# -- profiles -------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Profiles:
    """Profiles as steps: `table` has algorithm, tau, share, a row for every jump.

    From `tau` on, up to the algorithm's next row, it is within tau of the best on this share of the
    problems; the first row is where tau begins: 1 where tau is a `ratio`, otherwise 0. At `limit`
    every profile has had its last jump.
    """

    table: pd.DataFrame
    ratio: bool
    limit: float
    algorithms: tuple[str, ...]  # in the study's order
    label: str
    problems: str
    title: str
    notes: tuple[Note, ...] = ()

    @property
    def logarithmic(self) -> bool:
        """Whether tau is on a log axis: a ratio that becomes large."""
        return self.ratio and self.limit > 10


def profiles_data(
    results: Results,
    *,
    measure: str | None = None,
    dataset: str | None = None,
    ratio: bool | None = None,
) -> Profiles:
    """The share of problems on which each algorithm is within tau of the best, at every jump.

    Problems are the data sets, or the samples of one. Within tau means a factor of the best score
    (Dolan and Moré 2002) for times, and for other measures where `ratio` is true; otherwise a
    difference in the measure's unit, which also makes sense for shares, zeros, negative scores and
    measures of which higher is better. A missing score is never within tau.
    """
    scores = scores_of(results, measure, dataset)
    values = scores.table.to_numpy(float)
    factor, notes = _is_ratio(scores.measure, values, ratio)
    behind = _behind(values, scores.measure, factor)
    start = float(factor)
    parts = [_jumps(column, start) for column in behind.T]
    table = pd.concat(parts, keys=scores.algorithms, names=["algorithm"]).reset_index(level=0)
    last = float(np.nanmax(behind))
    return Profiles(
        table.reset_index(drop=True),
        factor,
        last + 0.05 * (last - start) if last > start else start + 1.0,
        tuple(scores.algorithms),
        _label(scores.measure, factor),
        f"{scores.block}s",
        scores.title,
        tuple(notes + _never_within(scores)),
    )


def _is_ratio(measure: Measure, values: Floats, request: bool | None) -> tuple[bool, list[Note]]:
    """Whether tau is a factor of the best; asked for where it makes no sense, it is refused."""
    if not (measure.unit == "s" if request is None else request):
        return False, []
    least = None if measure.higher_is_better else float(np.nanmin(values))
    if least is not None and least > 0:
        return True, []
    if request:
        raise ResultsError(
            f"Ratios to the best '{measure.name}' make no sense, as {why_no_ratio(least)}: leave "
            "ratio out for differences from the best."
        )
    return False, [Note("plot-no-ratio", least=least)]


def _behind(values: Floats, measure: Measure, ratio: bool) -> Floats:
    """How far each score is behind the best of its problem."""
    if ratio:
        return values / np.nanmin(values, axis=1, keepdims=True)
    good = measure.sign * values
    return np.asarray(np.nanmax(good, axis=1, keepdims=True) - good)


def _jumps(behind: Floats, start: float) -> pd.DataFrame:
    """The jumps of one profile; the first row is where tau begins, jump or not."""
    tau, count = np.unique(behind[~np.isnan(behind)], return_counts=True)
    if not len(tau) or tau[0] > start:
        tau, count = np.r_[start, tau], np.r_[0, count]
    return pd.DataFrame({"tau": tau, "share": np.cumsum(count) / len(behind)})


def _label(measure: Measure, ratio: bool) -> str:
    if ratio:
        return f"τ: {measure.name} / best {measure.name}"
    unit = f" ({measure.unit})" if measure.unit not in ("", "share") else ""
    return f"τ: {measure.name} behind the best{unit}"


def _never_within(scores: Scores) -> list[Note]:
    gaps = int(scores.table.isna().to_numpy().sum())
    return ([Note("plot-never-within", count=gaps)] if gaps else []) + scores.silence


def draw_profiles(data: Profiles, ax: Axes) -> Axes:
    """Draw a step function per algorithm."""
    drawn = styles(data.algorithms)
    for place, (name, steps) in enumerate(data.table.groupby("algorithm", sort=False)):
        tau = [*steps["tau"], data.limit]
        share = [*steps["share"], steps["share"].iloc[-1]]
        style = drawn[str(name)]
        # few markers, each algorithm's begin elsewhere: profiles often run on each other
        every = max(len(tau) // (8 if len(drawn) <= 10 else 3), 1)
        ax.plot(
            tau,
            share,
            color=style.colour,
            marker=style.marker,
            markersize=4,
            markevery=(place % every, every),
            linewidth=1.2,
            drawstyle="steps-post",
        )
    if data.logarithmic:
        ax.set_xscale("log", base=2)
        ax.xaxis.set_major_formatter("{x:g}")
    ax.set_xlim(float(data.table["tau"].min()), data.limit)
    ax.set_ylim(-0.02, 1.02)
    entitle(ax, data.title, data.label, f"share of {data.problems} within τ")
    legend(ax, drawn, fontsize="small")
    remark(ax, data.notes)
    return ax


profiles = registered(
    "profiles",
    Results,
    "performance profiles",
    profiles_data,
    draw_profiles,
    """Performance profiles: the share of problems where an algorithm is within τ of the best.

    At the left end stands how often it is the best, further right how often it is nearly so. τ
    is a factor for times or with `ratio`, else a difference in the measure's unit.
    """,
    size=lambda data: beside_legend(data.algorithms),
    options={"ratio": "Factors of the best score, or differences from it."},
    title="Performance profiles",
    caption="On which share of the data sets an algorithm is how close to the best one.",
)


# -- two measures ---------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Tradeoff:
    """Algorithms by two measures.

    `table` has algorithm, x, y (means), x_se, y_se, front; `steps` the corners (x, y) of the line
    along the front, beyond which all is dominated, from its best in x to its best in y.
    """

    table: pd.DataFrame
    steps: pd.DataFrame
    algorithms: tuple[str, ...]  # all, in the study's order, which gives them their styles
    labels: tuple[str, str]
    logarithmic: tuple[bool, bool]
    title: str
    notes: tuple[Note, ...] = ()


def pareto_data(
    results: Results, *, measures: Sequence[str] | None = None, dataset: str | None = None
) -> Tradeoff:
    """Means of two measures (the first and the time, unless said) and the Pareto front.

    An algorithm is on the front iff no other is at least as good in both means and better in one;
    algorithms with the same means are on it together. Means and standard errors are over the
    samples, or data sets, in which every algorithm has both scores; others are left out, which is
    said. A time or a memory that spans more than a factor of ten is on a log axis.
    """
    first, second = (scores_of(results, name, dataset) for name in _two(results, measures))
    (xs, ys), notes = without_gaps(first, second)
    count = len(xs)
    spread = [t.std().to_numpy(float) / np.sqrt(count) for t in (xs, ys)]
    x, y = xs.mean().to_numpy(float), ys.mean().to_numpy(float)
    front = _front(first.measure.sign * x, second.measure.sign * y)
    table = {"algorithm": xs.columns.astype(str), "x": x, "y": y}
    return Tradeoff(
        pd.DataFrame({**table, "x_se": spread[0], "y_se": spread[1], "front": front}),
        _steps(x[front], y[front], first.measure),
        tuple(first.algorithms),
        (first.label, second.label),
        (_spans(x, spread[0], first.measure), _spans(y, spread[1], second.measure)),
        first.title,
        (*notes, Note("plot-errors", count=count, block=first.block)),
    )


def _two(results: Results, measures: Sequence[str] | None) -> tuple[str, str]:
    """The names of the two measures; by default the first, and the time where it is known."""
    if measures is None:
        timed = bool(checked(results, Results).runs["fit_time"].notna().any())
        measures = [*results.measures][:1] + (["time"] if timed else [*results.measures][1:2])
        if len(measures) < 2:
            raise ResultsError(
                f"A trade-off needs two measures; '{results.name}' has one and no times."
            )
    if np.size(measures) != 2 or measures[0] == measures[1]:
        raise ResultsError(
            "A trade-off is between two different measures, as ('error', 'time'), not "
            f"{measures!r}."
        )
    return measures[0], measures[1]


def _front(x: Floats, y: Floats) -> NDArray[np.bool_]:
    """Which points no other dominates; larger is better."""
    least = (x[:, None] >= x) & (y[:, None] >= y)  # row is at least as good in both
    return np.asarray(~(least & ~least.T).any(axis=0))


def _steps(x: Floats, y: Floats, measure: Measure) -> pd.DataFrame:
    """Corners of the line along a front: on to the next in x, then to its y."""
    order = np.lexsort((y, -measure.sign * x))
    x, y = x[order], y[order]
    corners = np.column_stack([x, np.r_[y[:1], y[:-1]], x, y]).reshape(-1, 2)[1:]
    return pd.DataFrame(corners, columns=["x", "y"])


def _spans(means: Floats, se: Floats, measure: Measure) -> bool:
    low = (means - np.nan_to_num(se)).min()  # a bar must not reach 0
    return bool(measure.unit in AMOUNTS and low > 0 and means.max() > 10 * means.min())


def draw_pareto(data: Tradeoff, ax: Axes) -> Axes:
    """Draw the algorithms with bars, the dominated ones pale, and the front as a step line."""
    every = styles(data.algorithms)
    shown = data.table.set_index("algorithm")
    drawn = {str(name): every[str(name)] for name in shown.index}
    colours = [
        lightened([style.colour], 0.0 if front else PALE)[0]
        for style, front in zip(drawn.values(), shown["front"], strict=True)
    ]
    _draw_errors(data.table, ax, colours)
    for (name, row), colour in zip(shown.iterrows(), colours, strict=True):
        _draw_point(ax, row, drawn[str(name)].marker, colour)
    ax.plot(data.steps["x"], data.steps["y"], color=INK, linewidth=1, linestyle="--", zorder=1)
    for which, wide in zip("xy", data.logarithmic, strict=True):
        if wide:
            logarithmic(ax, which)
    entitle(ax, data.title, *data.labels)
    legend(ax, drawn, fontsize="small")
    remark(ax, [Note("plot-front"), Note("plot-dominated"), *data.notes])
    return ax


def _draw_errors(table: pd.DataFrame, ax: Axes, colours: Sequence[Floats]) -> None:
    x, y, x_se, y_se = (table[c].to_numpy(float) for c in ("x", "y", "x_se", "y_se"))
    look: dict[str, Any] = {"colors": colours, "linewidths": 0.8, "zorder": 2}
    if not np.isnan(x_se).any():  # one sample has no standard errors
        ax.hlines(y, x - x_se, x + x_se, **look)
        ax.vlines(x, y - y_se, y + y_se, **look)


def _draw_point(ax: Axes, row: pd.Series, marker: str, colour: Floats) -> None:
    ax.plot(
        row["x"],
        row["y"],
        marker=marker,
        markersize=6,
        color=colour,
        markerfacecolor=colour if row["front"] else "white",  # bars must not cross in it
        zorder=4 if row["front"] else 3,
    )


pareto = registered(
    "pareto",
    Results,
    "two measures against each other",
    pareto_data,
    draw_pareto,
    """Algorithms by the means of two measures, as ('error', 'time'), with their Pareto front.

    On the front are those for which no other is at least as good in both means and better in
    one; the dominated ones are pale. Whether higher or lower is better is each measure's own.
    """,
    size=lambda data: beside_legend(data.algorithms),
    options={"measures": "The two, with a comma between [the first and the time]."},
    title="Two measures at once",
    caption="Means of two measures; on the front are the algorithms that no other beats in both.",
)
