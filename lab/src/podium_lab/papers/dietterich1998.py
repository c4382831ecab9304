"""Dietterich (1998): how often five tests of two classification algorithms err, and their power.

The paper's rates are printed as figures only, so what is compared are its findings: `at most` holds
unless our rate is surely larger, `above` if it is surely larger, by 95 % Monte-Carlo intervals.
Simulated learners are those of `podium_lab.calibration.simulated_learners`, real ones those of
`podium_lab.calibration.damaged_learners`; every test is the procedure of Podium that has its name.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise, product
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from scipy import stats

from podium.core.verdicts.verbs import compare
from podium.showing.drawing.canvas import GREY, INK, entitle, legend, styles
from podium.showing.plots.of_scores.fits import qq
from podium_lab.calibration.batches import in_batches
from podium_lab.calibration.calibrate import measured, simulations
from podium_lab.calibration.damaged_learners import PROBLEMS, SHARES, gap
from podium_lab.calibration.judging import Simulation
from podium_lab.calibration.scenarios import SCENARIOS
from podium_lab.calibration.simulated_learners import RATES
from podium_lab.papers.dietterich1998_designs import correlation, points, replications, sources
from podium_lab.papers.replication import Asked, Cell, Finding, Item, Replication, paper, printed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TRIALS, QUICK = 1000, 200  # the paper's, and in a hurry
BATCH = 50  # data sets of the quantile plot that are kept together
COUNTS = (5, 10, 20, 30, 50, 75, 100)  # of splits and of folds; all divide the points
DESIGNS = {
    "mcnemar": "items",
    "proportions": "items",
    "resampled-t": "splits",
    "kfold-t": "folds",
    "5x2cv-t": "halves",
}
REAL = [name for name in DESIGNS if name != "resampled-t"]  # the paper gave that one up
# (more, less powerful), as in section 5.3 and the discussion
POWERS = (("kfold-t", "5x2cv-t"), ("5x2cv-t", "mcnemar"), ("mcnemar", "proportions"))
ITEMS = paper("dietterich1998")
Figure = Callable[["Axes"], "Axes"]
LEVEL = 0.05
_LIKE = (
    "The problems are like the paper's, not the same, and scikit-learn's tree stands for C4.5: "
    "rates can be compared, differences in percentage points cannot."
)


def simulated_cells(seed: int) -> list[Simulation]:
    """The five tests for simulated learners with four rates of error."""
    return [
        cell
        for test, design in DESIGNS.items()
        for cell in simulations(
            test, [f"learners-{design}-{_per_cent(r)}" for r in RATES], seed=seed
        )
    ]


def split_cells(seed: int) -> list[Simulation]:
    """The two t tests with more and more test sets, at the rate 0.1 of error."""
    return [
        *simulations("resampled-t", "learners-splits-10", blocks=COUNTS, seed=seed),
        *simulations("kfold-t", "learners-folds-10", blocks=COUNTS, seed=seed),
    ]


def real_cells(seed: int) -> list[Simulation]:
    """The tests for damaged learners on three problems."""
    return [
        cell
        for test, problem in product(REAL, PROBLEMS)
        for cell in simulations(test, f"damaged-{problem}-{DESIGNS[test]}", seed=seed)
    ]


def power_cells(seed: int) -> list[Simulation]:
    """The same with less and less damage."""
    return [
        cell
        for test, problem in product(REAL, PROBLEMS)
        for cell in simulations(
            test,
            f"damaged-{problem}-{DESIGNS[test]}",
            effects=[share * gap(problem) for share in SHARES],
            seed=seed,
        )
    ]


def _few(trials: int) -> list[str]:
    """What fewer trials than the paper's leave open."""
    text = (
        f"With {trials} trials instead of {TRIALS} a NO may be chance rather than a contradiction."
    )
    return [text] if trials < TRIALS else []


def _per_cent(rate: float) -> int:
    return round(100 * rate)


# -- findings -------------------------------------------------------------------------------------


def bounded(rates: pd.DataFrame, item: str) -> list[Cell]:
    """The printed findings of an item about single rates, each beside the rates it is about."""
    result = printed("dietterich1998_findings").loc[[item]]
    return [
        _bounded(item, finding, rate)
        for finding in result.to_dict("records")
        for rate in rates.to_dict("records")
        if rate["procedure"] == finding["procedure"]
        and str(rate["scenario"]).startswith(str(finding["scenario"]))
    ]


def _bounded(item: str, finding: dict[str, object], rate: dict[str, object]) -> Finding:
    level, lower = float(str(finding["level"])), float(str(rate["lower"]))
    return Finding(
        item,
        f"{finding['procedure']}: {finding['finding']}",
        _where(rate),
        math.nan,
        float(str(rate["rate"])),
        _error(float(str(rate["rate"])), int(str(rate["replications"]))),
        holds=HOLDS[str(finding["is"])](lower, level),
        note=f"{finding['is']} {level:g}",
    )


HOLDS: dict[str, Callable[[float, float], bool]] = {
    "at most": lambda lower, level: lower <= level,
    "above": lambda lower, level: lower > level,
}


def _where(rate: dict[str, object]) -> str:
    design = str(rate["scenario"])
    sizes = {SCENARIOS[design].sizes[0], rate["blocks"]}
    return design if len(sizes) == 1 else f"{design}, {rate['blocks']} test sets"


def _error(rate: float, count: int) -> float:
    return math.sqrt(rate * (1 - rate) / count)


def none(rates: pd.DataFrame) -> list[Cell]:
    """No more findings than those about single rates."""
    return []


def worst_is_resampled(rates: pd.DataFrame) -> list[Cell]:
    """Whether the resampled t test errs most often, at every rate of error."""
    at = rates.assign(at=rates["scenario"].str.rsplit("-", n=1).str[-1])
    table = at.pivot(index="at", columns="procedure", values="rate")
    others = table.drop(columns="resampled-t").max(axis=1)
    return [
        _more("simulated", "resampled-t errs more than every other test", f"error {at} %", a, b, n)
        for (at, a), b, n in zip(
            table["resampled-t"].items(), others, rates["replications"], strict=False
        )
    ]


def rises(rates: pd.DataFrame) -> list[Cell]:
    """Whether more splits raise the error of the resampled t test."""
    rows = rates[rates["procedure"] == "resampled-t"].sort_values("blocks")
    return [
        _more(
            "splits", "resampled-t: raised by more splits", f"{b.blocks} less {a.blocks} splits",
            b.rate, a.rate, b.replications,
        )
        for a, b in pairwise(rows[rows["blocks"].isin((10, 30, 100))].itertuples())
    ]  # fmt: skip


def more_powerful(rates: pd.DataFrame) -> list[Cell]:
    """Whether tests are more powerful than others: the mean over the differences."""
    moved = rates[rates["kind"] == "power"]
    cells: list[Cell] = []
    for problem, (more, less) in product(PROBLEMS, POWERS):
        here = moved[moved["scenario"].str.startswith(f"damaged-{problem}-")]
        a, b = (here[here["procedure"] == test] for test in (more, less))
        count = int(a["replications"].sum())
        row = f"{more} is more powerful than {less}"
        cells.append(_more("power", row, problem, a["rate"].mean(), b["rate"].mean(), count))
    return cells


def _more(table: str, row: str, column: str, larger: float, smaller: float, count: int) -> Finding:
    """Whether one rate is larger than another one, with as many trials each."""
    # the trials of both have common random numbers, which makes this error too large, if anything
    error = math.hypot(_error(larger, count), _error(smaller, count))
    ours = larger - smaller
    return Finding(table, row, column, math.nan, ours, error, holds=ours > 0, note="difference")


# -- the items ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rates:
    """An item made of measured rates: called, it simulates them."""

    item: str
    cells: Callable[[int], list[Simulation]]
    more: Callable[[pd.DataFrame], list[Cell]]
    figures: Callable[[pd.DataFrame], dict[str, Figure]]
    notes: tuple[str, ...] = ()

    def __call__(self, request: Asked, *, trials: int | None = None) -> Replication:
        """The findings with the paper's number of trials, or another one."""
        count = trials or (QUICK if request.quick else TRIALS)
        cells = self.cells(request.seed)
        rates = measured(
            cells, count, jobs=request.jobs, store=request.store, progress=request.progress
        ).table
        results = [*self._bounded(rates), *self.more(rates)]
        return Replication(
            "dietterich1998", self.item, results, [*self.notes, *_few(count)], count, request.seed,
            self.figures(rates),
        )  # fmt: skip

    def _bounded(self, rates: pd.DataFrame) -> list[Cell]:
        known = self.item in printed("dietterich1998_findings").index
        return bounded(rates, self.item) if known else []


def halves_statistics(scenario: str, seed: int, batch: int) -> np.ndarray:
    """The 5x2cv statistics of the data sets of a batch."""
    drawn = (np.random.default_rng((seed, batch * BATCH + i)) for i in range(BATCH))
    known = SCENARIOS[scenario]
    tables = (compare(known.layout(rng, known.sizes[0], 2), "5x2cv-t").table for rng in drawn)
    return np.array([float(table["statistic"].iloc[0]) for table in tables])


def quantiles(request: Asked, *, trials: int | None = None) -> Replication:
    """The 5x2cv statistic of damaged learners on the problem like EXP6, against t with 5 df."""
    scenario = "damaged-exp6-halves"
    batches = -(-(trials or (QUICK if request.quick else TRIALS)) // BATCH)
    result = in_batches(
        partial(halves_statistics, scenario),
        batches,
        key=f"dietterich1998/qq {scenario}",
        seed=request.seed,
        jobs=request.jobs,
        store=request.store,
        progress=request.progress,
    ).ravel()
    notes = [_LIKE, *_few(len(result))]
    return Replication(
        "dietterich1998", "qq", tails(result, scenario), notes, len(result), request.seed,
        {"qq": partial(_drawn, result)},
    )  # fmt: skip


def _drawn(values: np.ndarray, ax: Axes) -> Axes:
    return qq(values.tolist(), "t:5", ax=ax)


def tails(
    values: np.ndarray, scenario: str, shares: Iterable[float] = (0.1, 0.05, 0.01)
) -> list[Cell]:
    """Whether the tails of t with 5 df are reached no more often than they should be."""
    cells: list[Cell] = []
    for share in shares:
        ours = float((np.abs(values) > stats.t.isf(share / 2, 5)).mean())
        error = _error(share, len(values))
        row, note = "5x2cv-t: tails rather conservative", f"at most {share:g}"
        holds = ours <= share + 1.96 * error
        cells.append(Finding("qq", row, scenario, math.nan, ours, error, holds=holds, note=note))
    return cells


# -- figures --------------------------------------------------------------------------------------


def bars(rates: pd.DataFrame, tests: Sequence[str], groups: Mapping[str, str], ax: Axes) -> Axes:
    """Type I errors with 95 % intervals: tests side by side, in each one bar per group.

    `groups` says by which part of its scenario's name a rate belongs to which group.
    """
    drawn, width = styles(list(groups.values())), 0.8 / len(groups)
    for place, (part, label) in enumerate(groups.items()):
        here = rates[rates["scenario"].str.split("-").map(lambda words, p=part: p in words)]
        rows = here.set_index("procedure").loc[list(tests)]
        x = np.arange(len(tests)) + (place - (len(groups) - 1) / 2) * width
        spread = np.abs(rows[["lower", "upper"]].to_numpy().T - rows["rate"].to_numpy())
        ax.bar(x, rows["rate"], width, color=drawn[label].colour, alpha=0.8)
        ax.errorbar(x, rows["rate"], spread, linestyle="", color=INK, linewidth=1)
    ax.axhline(LEVEL, color=GREY, linewidth=1, linestyle="--")
    ax.set_xticks(range(len(tests)), tests, fontsize="small")
    entitle(ax, y="probability of type I error")
    legend(ax, drawn)
    return ax


def curves(rates: pd.DataFrame, x: str, label: str, y: str, ax: Axes) -> Axes:
    """Rates of every test by a column of numbers, with 95 % intervals."""
    drawn = styles(list(dict.fromkeys(rates["procedure"])))
    for test, style in drawn.items():
        rows = rates[rates["procedure"] == test].sort_values(x)
        ax.plot(rows[x], rows["rate"], color=style.colour, marker=style.marker, markersize=5)
        ax.fill_between(
            rows[x], rows["lower"], rows["upper"], color=style.colour, alpha=0.15, linewidth=0
        )
    ax.axhline(LEVEL, color=GREY, linewidth=1, linestyle="--")
    ax.set_ylim(0, None)
    entitle(ax, x=label, y=y)
    legend(ax, drawn)
    return ax


def simulated_figures(rates: pd.DataFrame) -> dict[str, Figure]:
    """Type I errors of the tests for simulated learners, by their rates of error."""
    groups = {str(_per_cent(rate)): f"error {rate:g}" for rate in RATES}
    return {"simulated": partial(bars, rates, list(DESIGNS), groups)}


def split_figures(rates: pd.DataFrame) -> dict[str, Figure]:
    """Type I errors by the number of test sets."""
    y = "probability of type I error"
    return {"splits": partial(curves, rates, "blocks", "number of splits, or of folds", y)}


def real_figures(rates: pd.DataFrame) -> dict[str, Figure]:
    """Type I errors of the tests for damaged learners, by problem."""
    return {"real": partial(bars, rates, REAL, {name: name for name in PROBLEMS})}


def power_figures(rates: pd.DataFrame) -> dict[str, Figure]:
    """Curves of power by the difference after learning all points, one figure per problem."""
    effect = rates["effects"].str.split().str[-1].fillna(0).astype(float)
    points = rates.assign(points=100 * effect)
    label, y = "percentage points by which the algorithms differ", "probability of rejecting"
    return {
        f"power-{problem}": partial(
            curves,
            points[points["scenario"].str.startswith(f"damaged-{problem}-")],
            "points",
            label,
            y,
        )
        for problem in PROBLEMS
    }


ITEMS.add(
    "simulated",
    Item(
        "Type I errors of five tests, simulated learners; a minute",
        Rates("simulated", simulated_cells, worst_is_resampled, simulated_figures),
    ),
)
ITEMS.add(
    "splits",
    Item(
        "Type I errors by the number of splits or folds; a minute",
        Rates(
            "splits", split_cells, rises, split_figures,
            ("The rate of error of the figure is taken to be 0.1.",),
        ),
    ),
)  # fmt: skip
ITEMS.add("qq", Item("Quantiles of the 5x2cv statistic, damaged learners; a minute", quantiles))
ITEMS.add(
    "real",
    Item(
        "Type I errors of four tests, damaged learners; five minutes",
        Rates("real", real_cells, none, real_figures, (_LIKE,)),
    ),
)
ITEMS.add(
    "power",
    Item(
        "Power of four tests, damaged learners; half an hour",
        Rates("power", power_cells, more_powerful, power_figures, (_LIKE,)),
    ),
)
ITEMS.add("correlation", Item("Measured correlation of folds; ten minutes, quick one", correlation))
ITEMS.add("replications", Item("Twofold tests with 1 to 15 replications; minutes", replications))
ITEMS.add("points", Item("How often single points are missed, learning curves; minutes", points))
ITEMS.add("sources", Item("Four sources of variation, wrong labels too; a minute", sources))
