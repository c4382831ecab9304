"""Boulesteix, Hable, Lauer & Eugster (2013): tests over data sets, and how many they need.

Table 1 from data sets that have the printed statistics, Figure 2 from its formula and exactly, and
a study of the shape of Figure 3 on simulated data: its own 50 microarray data sets cannot be had.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from scipy import stats

import podium
from podium.asking.planning.plan import Plan
from podium.asking.planning.plots import PlanCurves, power_curve_data, sample_size_curve_data
from podium.showing.drawing.canvas import entitle, legend, styles
from podium_lab.papers.boulesteix2013_collection import collection
from podium_lab.papers.boulesteix2013_errors import dependence, grid, unconditional
from podium_lab.papers.boulesteix2013_study import DATASETS, figure3
from podium_lab.papers.replication import Asked, Cell, Item, Replication, paper, printed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ITEMS = paper("boulesteix2013")
TIED = "DLDA-10 vs. DLDA-500"  # on one data set: the printed p needs 49 ranks
SDS = (0.03, 0.05, 0.075, 0.1)  # the curves of Figure 2
DELTAS = (0.02, 0.03, 0.04, 0.05, 0.06, 0.08, 0.1)
MOST = 1000  # data sets that are looked at
NUMBERS = (5, 10, 20, 30, 50)
DELTA, POWER, ALPHA = 0.05, 0.8, 0.05
TEST: dict[str, Any] = {"alternative": "greater", "alpha": ALPHA}
FORMULA: dict[str, Any] = {**TEST, "formula": "central"}


# -- Table 1 ------------------------------------------------------------------------------------


def over_datasets(apart: np.ndarray, first: str, second: str) -> podium.Results:
    """Errors of two algorithms on data sets, so much apart."""
    names = [f"set{number}" for number in range(1, len(apart) + 1)]
    table = pd.DataFrame({"dataset": names, first: 0.5 + apart / 2, second: 0.5 - apart / 2})
    return podium.read(table, measure="error")


def with_t(t: float, mean: float) -> np.ndarray:
    """Differences on 50 data sets with this mean and this t statistic."""
    z = stats.norm.ppf((np.arange(DATASETS) + 0.5) / DATASETS)
    return np.asarray(mean + z / z.std(ddof=1) * mean * math.sqrt(DATASETS) / t)


def with_rank_sum(w: int, ranks: int) -> np.ndarray:
    """Differences on 50 data sets: ranks 1, 2, ... of which the positive ones have the sum w."""
    signs = -np.ones(ranks)
    for rank in range(ranks, 0, -1):
        if w >= rank:
            signs[rank - 1], w = 1, w - rank
    return np.concatenate([signs * np.arange(1, ranks + 1), np.zeros(DATASETS - ranks)]) / 100


def one_sided(results: podium.Results, procedure: str, null: str) -> float:
    """The p-value that the second algorithm has no smaller error than the first."""
    comparisons = podium.compare(results, procedure, null=null, alternative="greater")
    return float(comparisons.table["p"].iloc[0])


def table1(_: Asked) -> Replication:
    """The p-values that follow from the printed statistics, and the sds from t and the mean."""
    cells = [
        cell
        for name, line in printed("boulesteix2013_table1").iterrows()
        for cell in _table1_cells(str(name), line)
    ]
    notes = (
        "The data sets are made: 50 differences with the printed mean and t, and with the printed "
        "W. p-values of t may differ by as much as the rounding of t makes them.",
        "t has the sign of the printed difference, first less second; the paper's T has the other.",
        "The caption says rank-sum; it is the signed-rank test, its normal approximation with a "
        "continuity correction.",
        "By Holm for six comparisons the same four are significant at 0.05 as unadjusted.",
    )
    return Replication("boulesteix2013", "table1", cells, notes)


def _table1_cells(name: str, line: pd.Series) -> list[Cell]:
    t, mean, pair = float(line["t"]), float(line["difference"]), (line["first"], line["second"])
    apart, ranks = with_t(t, mean), DATASETS - (name == TIED)
    p = one_sided(over_datasets(apart, *pair), "paired-t", "asymptotic")
    ranked = over_datasets(with_rank_sum(int(line["W"]), ranks), *pair)
    wilcoxon = one_sided(ranked, "wilcoxon", "corrected")
    loose = 0.0005 * float(stats.t.pdf(t, DATASETS - 1))
    note = "with 49 ranks: a tie on one data set" if name == TIED else ""
    cells = [
        Cell("table1", name, "p of t", float(line["t p"]), p, rounding=5e-6 + loose),
        Cell("table1", name, "p of W", float(line["W p"]), wilcoxon, rounding=5e-6, note=note),
    ]
    if not math.isnan(line["sd"]):
        spread, shown = float(apart.std(ddof=1)), float(line["sd"])
        unit = 0.5 * 10.0 ** math.floor(math.log10(shown)) + 0.0005 * math.sqrt(DATASETS) / t
        cells.append(Cell("table1", name, "sd", shown, spread, rounding=unit))
    return cells


# -- Figure 2 -------------------------------------------------------------------------------------


def needed(effect: float) -> int:
    """The least J that satisfies the paper's formula for an effect Delta / sigma."""
    count = np.arange(2, MOST)
    t = stats.t.ppf(1 - ALPHA, count - 1) + stats.t.ppf(POWER, count - 1)
    return int(count[(t / effect) ** 2 <= count][0])


def reached(effect: float, count: int) -> float:
    """The power by the paper's formula."""
    shift = math.sqrt(count) * effect - stats.t.ppf(1 - ALPHA, count - 1)
    return float(stats.t.cdf(shift, count - 1))


def figure2(_: Asked) -> Replication:
    """The numbers behind the curves: by the paper's formula, and by the noncentral t."""
    numbers, powers = _numbers(), _powers()
    notes = (
        "Theirs is the printed formula, as the figure has curves and no numbers; ours is exact. "
        "podium.plan(..., formula='central') gives theirs.",
        "The formula errs on the safe side: it asks for up to "
        f"{max(-c.difference for c in numbers):.0f} data sets more here, and its power is up to "
        f"{max(c.difference for c in powers):.3f} low. Powers count as equal within 0.005.",
    )
    figures = {"figure2-left": _left, "figure2-right": _right}
    return Replication(
        "boulesteix2013",
        "figure2",
        [*numbers, *powers],
        notes,
        figures=figures,
    )


def _numbers() -> list[Cell]:
    """The numbers of data sets with a power of 0.8."""
    return [
        Cell(
            "left: J",
            f"Delta = {delta:g}",
            f"sigma = {sd:g}",
            theirs,
            ours,
            note=_cause(theirs, ours),
        )
        for delta in DELTAS
        for sd in SDS
        for theirs in [float(needed(delta / sd))]
        for ours in [float(_planned(difference=delta, sd=sd, power=POWER).datasets)]
    ]


def _powers() -> list[Cell]:
    """The powers for a difference of 0.05."""
    return [
        Cell("right: power", f"J = {count}", f"sigma = {sd:g}", theirs, ours, rounding=0.005,
             note=_cause(theirs, ours, 0.005))
        for count in NUMBERS
        for sd in SDS
        for theirs in [reached(DELTA / sd, count)]
        for ours in [_planned(difference=DELTA, sd=sd, datasets=count).power]
    ]  # fmt: skip


def _planned(**design: Any) -> Plan:
    made = podium.plan(**design, **TEST)
    assert isinstance(made, Plan)  # there is no pilot
    return made


def _cause(theirs: float, ours: float, rounding: float = 0.0) -> str:
    return "the formula shifts the central t" if abs(theirs - ours) > rounding else ""


def _left(ax: Axes) -> Axes:
    """The number of data sets by the difference, a curve for each sd."""
    made = partial(sample_size_curve_data, powers=POWER, **FORMULA)
    ax.set_yscale("log")
    ax.yaxis.set_major_formatter("{x:.0f}")
    entitle(ax, x="difference", y="number of data sets")
    return _curves(ax, made, "difference", "blocks")


def _right(ax: Axes) -> Axes:
    """The power by the number of data sets, a curve for each sd."""
    made = partial(power_curve_data, differences=DELTA, most=50, **FORMULA)
    entitle(ax, x="number of data sets", y="power")
    return _curves(ax, made, "blocks", "power")


def _curves(ax: Axes, made: Callable[..., PlanCurves], x: str, y: str) -> Axes:
    """A curve of the paper's formula for each sd of Figure 2."""
    drawn = styles([f"sd {sd:g}" for sd in SDS])
    for sd, style in zip(SDS, drawn.values(), strict=True):
        table = made(difference=DELTA, sd=sd, power=POWER).table
        ax.plot(table[x], table[y], color=style.colour, marker=style.marker, markersize=3)
    legend(ax, drawn)
    return ax


ITEMS.add("table1", Item("p-values of six comparisons over 50 data sets", table1))
ITEMS.add("figure2", Item("Number of data sets and power, by formula and exactly", figure2))
ITEMS.add(
    "figure3", Item("A study of its shape on simulated data; half an hour of one core", figure3)
)
ITEMS.add("collection", Item("Figures 1 and 3 on 21 real data sets; needs --data", collection))
ITEMS.add(
    "unconditional", Item("Unconditional errors, closed form and simulated; seconds", unconditional)
)
ITEMS.add("grid", Item("Tests over data sets under seven distributions; seconds", grid))
ITEMS.add("dependence", Item("Sizes that have to do with the difference; seconds", dependence))
