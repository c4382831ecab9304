"""Performance profiles: on how many problems an algorithm is how close to the best.

Dolan and Moré (2002), Mathematical Programming 91, 201-213.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from podium.errors import ResultsError
from podium.measures import Measure
from podium.plots.canvas import axes_for, beside_legend, entitle, legend, remark
from podium.plots.scores import Scores, scores_of
from podium.plots.styles import styles
from podium.results.results import Results

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]


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
    remarks: tuple[str, ...] = ()

    @property
    def logarithmic(self) -> bool:
        """Whether tau is on a log axis: a ratio that becomes large."""
        return self.ratio and self.limit > 10


def profiles_data(
    results: Results,
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
    factor, said = _is_ratio(scores.measure, values, ratio)
    behind = _behind(values, scores.measure, factor)
    start = float(factor)
    parts = [_steps(column, start) for column in behind.T]
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
        tuple(said + _missing(scores)),
    )


def _is_ratio(measure: Measure, values: Floats, asked: bool | None) -> tuple[bool, list[str]]:
    """Whether tau is a factor of the best; asked for where it makes no sense, it is refused."""
    time = measure.unit == "s"
    if not (time if asked is None else asked):
        return False, []
    if measure.higher_is_better:
        why = "higher is better"
    elif np.nanmin(values) <= 0:
        why = f"there are scores of {np.nanmin(values):.3g}, not above 0"
    else:
        return True, []
    if asked:
        raise ResultsError(
            f"Ratios to the best '{measure.name}' make no sense, as {why}: leave ratio out for "
            "differences from the best."
        )
    return False, [f"Differences, not ratios, as {why}."]


def _behind(values: Floats, measure: Measure, ratio: bool) -> Floats:
    """How far each score is behind the best of its problem."""
    if ratio:
        return values / np.nanmin(values, axis=1, keepdims=True)
    good = measure.sign * values
    return np.asarray(np.nanmax(good, axis=1, keepdims=True) - good)


def _steps(behind: Floats, start: float) -> pd.DataFrame:
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


def _missing(scores: Scores) -> list[str]:
    gaps = int(scores.table.isna().to_numpy().sum())
    said = [f"Missing scores, which are never within τ: {gaps}."] if gaps else []
    return said + scores.silence


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
    remark(ax, data.remarks)
    return ax


def profiles(
    results: Results,
    *,
    measure: str | None = None,
    dataset: str | None = None,
    ratio: bool | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Performance profiles: the share of problems on which an algorithm is within τ of the best.

    At the left end stands how often it is the best, further right how often it is nearly so. τ is a
    factor for times or with `ratio`, else a difference in the measure's unit.
    """
    data = profiles_data(results, measure, dataset, ratio)
    return draw_profiles(data, axes_for(ax, *beside_legend(data.algorithms)))
