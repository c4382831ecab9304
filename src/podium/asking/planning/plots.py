"""Plans as curves: power by number of data sets, and number of data sets by difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from podium.asking.planning.pilot import PilotPlan
from podium.asking.planning.plan import Plan
from podium.asking.planning.plan import plan as made_plan
from podium.asking.planning.power import (
    FORMULAS,
    blocks_needed,
    check_design,
    detectable,
    pair_design,
)
from podium.asking.planning.words import planned_noun
from podium.core.base.errors import InferenceError
from podium.core.words.facts import Note
from podium.showing.drawing.canvas import GREY, INK, entitle, legend, logarithmic, remark, styles
from podium.showing.drawing.records import registered

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SHARES = (0.5, 1.0, 1.5)  # of the planned difference, where no differences are said
POWERS = (0.5, 0.8, 0.95)
MOST_POINTS = 100  # numbers of data sets on a curve of power
MOST_STEPS = 400  # numbers of data sets on a curve of numbers


@dataclass(frozen=True, eq=False)
class PlanCurves:
    """Curves around a plan.

    `table` has difference, power, blocks. For power by number every row is a number of blocks of a
    difference; for number by difference every row is a step of a power: from `difference` up to
    that of the row below, so many blocks are needed. `limits` are the ends of the abscissa.
    """

    table: pd.DataFrame
    plan: Plan
    limits: tuple[float, float]
    notes: tuple[Note, ...] = ()

    @property
    def noun(self) -> str:
        """What is counted."""
        return planned_noun(self.plan.block)


def power_curve_data(
    plan: Plan | PilotPlan | None = None,
    *,
    differences: float | Sequence[float] | None = None,
    most: int | None = None,
    difference: float | None = None,
    sd: float | None = None,
    power: float | None = None,
    datasets: int | None = None,
    alpha: float | None = None,
    alternative: str | None = None,
    comparisons: int | None = None,
    formula: str | None = None,
) -> PlanCurves:
    """The power of whole numbers of data sets, from 2 to `most`, for several differences.

    Differences are half, once and one and a half times the planned one, or those given and the
    planned one. `most` is twice the planned number unless said; beyond a hundred, some hundred
    numbers at equal steps, and the planned one, are shown.
    """
    planned = _planned(
        plan, difference=difference, sd=sd, power=power, datasets=datasets, alpha=alpha,
        alternative=alternative, comparisons=comparisons, formula=formula,
    )  # fmt: skip
    most = max(2 * planned.datasets, 10) if most is None else most
    others = (
        [share * planned.difference for share in SHARES] if differences is None else differences
    )
    wanted = [planned.difference, *np.atleast_1d(others).tolist()]
    plans = {one.difference: one for one in (_checked(planned, d, most) for d in wanted)}
    numbers = sorted({*range(2, most + 1, -(-most // MOST_POINTS)), planned.datasets})
    curves = [plans[d].curve(numbers).assign(difference=d) for d in sorted(plans)]
    table = pd.concat(curves, ignore_index=True)[["difference", "power", "blocks"]]
    return PlanCurves(table, planned, (0.0, numbers[-1] + 1.0), (Note("plot-ring", plan=planned),))


def sample_size_curve_data(
    plan: Plan | PilotPlan | None = None,
    *,
    powers: float | Sequence[float] = POWERS,
    difference: float | None = None,
    sd: float | None = None,
    power: float | None = None,
    datasets: int | None = None,
    alpha: float | None = None,
    alternative: str | None = None,
    comparisons: int | None = None,
    formula: str | None = None,
) -> PlanCurves:
    """How many data sets show a difference, from half to twice the planned one, for several powers.

    A whole number is a step function of the difference: n are needed from the least difference that
    n show up to the least that n - 1 show. Of more than 400 steps some 400 are shown.
    """
    planned = _planned(
        plan, difference=difference, sd=sd, power=power, datasets=datasets, alpha=alpha,
        alternative=alternative, comparisons=comparisons, formula=formula,
    )  # fmt: skip
    wanted = np.unique(powers).tolist()
    if not wanted or not all(isinstance(power, Real) for power in wanted):
        raise InferenceError(
            f"A curve of numbers needs at least one power, as powers=[0.8], not {powers!r}."
        )
    curves = [_steps(planned, one) for one in wanted]
    table = pd.concat(curves, ignore_index=True)
    size = abs(planned.difference)
    limits = (0.5 * size, 2 * size)
    notes = [Note("plot-ring", plan=planned)]
    if any((curve["blocks"].diff() < -1).any() for curve in curves):
        notes.append(Note("plot-some-steps", most=MOST_STEPS))
    return PlanCurves(table, planned, limits, tuple(notes))


def _steps(planned: Plan, target: float) -> pd.DataFrame:
    design = pair_design(planned.alpha, planned.comparisons, planned.alternative, planned.extra)
    level = {**design, "formula": planned.formula}
    check_design(target=target, **{name: of for name, of in level.items() if name != "extra"})
    ends = abs(planned.difference) * np.array([0.5, 2.0])
    highest, lowest = blocks_needed(ends, planned.sd, target, **level)
    if np.isinf(highest):
        raise InferenceError(
            f"Half the difference of {planned.difference:g} is too small against the sd of "
            f"{planned.sd:g}: for a power of {target:g} more than ten million "
            f"{planned_noun(planned.block)} would be needed."
        )
    numbers = np.arange(highest, lowest - 1, -1)
    if len(numbers) > MOST_STEPS:
        numbers = np.unique(np.geomspace(highest, lowest, MOST_STEPS).round())[::-1]
    least = detectable(planned.sd, numbers, target, **level)
    return pd.DataFrame(
        {"difference": np.maximum(least, ends[0]), "power": target, "blocks": numbers.astype(int)}
    )


def _planned(plan: Plan | PilotPlan | None, **parts: Any) -> Plan:
    """The plan given, or the one that its parts, as difference and sd, describe."""
    design = {name: value for name, value in parts.items() if value is not None}
    planned = plan.plan if isinstance(plan, PilotPlan) else plan
    if planned is None:
        if "sd" not in design:
            raise InferenceError("A plan needs the sd of the difference: give sd=, or a plan.")
        words = {"power": "target", "datasets": "blocks"}
        return made_plan(**{words.get(name, name): value for name, value in design.items()})
    if design:
        raise InferenceError(f"A plan says it all: leave out {', '.join(design)}.")
    if not isinstance(planned, Plan):
        raise InferenceError(f"A plan is what podium.plan returns, not {type(planned).__name__}.")
    if planned.formula not in FORMULAS:
        raise InferenceError(
            "A simulated plan has the power of its own number of rows only, and no curve."
        )
    return planned


def _checked(planned: Plan, difference: float, blocks: int) -> Plan:
    """The plan with another difference and number, both checked."""
    names = ("sd", "alpha", "alternative", "comparisons", "formula", "block", "extra")
    same = {name: getattr(planned, name) for name in names}
    return made_plan(difference=difference, blocks=blocks, **same)


def draw_power_curve(data: PlanCurves, ax: Axes) -> Axes:
    """Draw a point per number of data sets; there is nothing between whole numbers."""
    differences = data.table["difference"].unique().tolist()
    names = dict(zip(differences, _told_apart(differences), strict=True))
    drawn = styles(list(names.values()))
    for difference, rows in data.table.groupby("difference"):
        style = drawn[names[difference]]
        ax.plot(rows["blocks"], rows["power"], style.marker, color=style.colour, markersize=3.5)
    _mark(ax, data.plan.blocks, data.plan.power)
    ax.set_xlim(*data.limits)
    ax.set_ylim(-0.02, 1.03)
    entitle(ax, x=f"number of {data.noun}", y="power")
    legend(ax, drawn)
    remark(ax, data.notes)
    return ax


def _told_apart(differences: Sequence[float]) -> list[str]:
    """Labels with three digits, or with as many as tell all of them apart."""
    tried = ([f"difference {d:.{digits}g}" for d in differences] for digits in range(3, 18))
    return next(labels for labels in tried if len(set(labels)) == len(labels))


def draw_sample_size_curve(data: PlanCurves, ax: Axes) -> Axes:
    """Draw a step function per power, on a log axis of numbers."""
    names = {p: f"power {p:.6g}" for p in data.table["power"].unique()}
    drawn = styles(list(names.values()))
    for power, rows in data.table.groupby("power"):
        style = drawn[names[power]]
        differences = [*rows["difference"], data.limits[1]]
        numbers = [*rows["blocks"], rows["blocks"].iloc[-1]]
        ax.plot(
            differences,
            numbers,
            color=style.colour,
            marker=style.marker,
            markersize=4,
            markevery=max(len(numbers) // 8, 1),
            linewidth=1.2,
            drawstyle="steps-post",
        )
    _mark(ax, abs(data.plan.difference), data.plan.blocks)
    logarithmic(ax, "y")
    ax.set_xlim(*data.limits)
    entitle(ax, x="difference", y=f"number of {data.noun}")
    legend(ax, drawn)
    remark(ax, data.notes)
    return ax


def _mark(ax: Axes, x: float, y: float) -> None:
    ax.plot(
        [x], [y], "o", markersize=10, markerfacecolor="none", markeredgecolor=INK, clip_on=False
    )
    ax.axvline(x, color=GREY, linewidth=0.8, linestyle=":", zorder=0)
    ax.axhline(y, color=GREY, linewidth=0.8, linestyle=":", zorder=0)


power_curve = registered(
    "power_curve",
    Plan,
    "power by number of data sets",
    power_curve_data,
    draw_power_curve,
    """Power by number of data sets, for several differences; the plan is the ring.

    Instead of a plan its parts may be given, as difference=0.05, sd=0.1, power=0.8 (or
    datasets=), alpha=, alternative=, comparisons=, formula=: two of difference, power and
    datasets.
    """,
    title="Power",
    caption="The power to find {difference}, of the pair with the median spread, by the number "
    "of {blocks}.",
)
sample_size_curve = registered(
    "sample_size_curve",
    Plan,
    "number of data sets by difference",
    sample_size_curve_data,
    draw_sample_size_curve,
    """Number of data sets by the difference they shall show, for several powers.

    The plan is the ring, given as for `power_curve`.
    """,
)
