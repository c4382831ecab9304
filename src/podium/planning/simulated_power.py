"""Power by simulation from a pilot: for rank tests and every other procedure without a formula."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from podium.base.errors import IllegalProcedure, InferenceError, PodiumError
from podium.inference.comparing.compare import compare
from podium.inference.layouts.layouts import Layout
from podium.inference.procedures.options import Options
from podium.planning.pilot import PilotPlan
from podium.planning.plan import USUAL, Plan, on_side
from podium.words.facts import DETAIL, Note

REPLICATIONS = 500
MOST = 2000  # blocks that are looked at before giving up
OF_FORMULA = ["detectable", "power", "needed"]  # columns of a pilot's pairs
OF_T = ("levels-of-pairs", "plan-skewed")  # notes on the paired t


@dataclass(frozen=True)
class Simulation:
    """Blocks drawn anew from a pilot in which one algorithm is better than another by so much.

    All algorithms are first given the same mean, so that the pilot lends its shape and its
    correlations, and not its differences; then the first of the pair is shifted. Blocks drawn from
    n of them vary by (n - 1)/n too little, so deviations are stretched by sqrt(n / (n - 1)). Every
    replication draws one long row of blocks, of which shorter studies are the beginning.
    """

    layout: Layout
    pair: tuple[int, int]
    difference: float
    procedure: str
    alpha: float = 0.05
    alternative: str = "two-sided"
    replications: int = REPLICATIONS
    seed: int = 0

    def power(self, blocks: int) -> float:
        """The share of replications in which the pair is found to differ in the right direction."""
        pilot = self._shifted()
        numbers = range(self.replications)
        return float(np.mean([self._found(pilot, number, blocks) for number in numbers]))

    def check(self) -> None:
        """Refuse what the procedure refuses of the pilot itself: name, design, kind of scores."""
        try:
            self._compared(self._shifted())
        except PodiumError as error:
            reason = str(error.refusal) if isinstance(error, IllegalProcedure) else str(error)
            raise InferenceError(
                f"The power of '{self.procedure}' cannot be simulated with this pilot: {reason}"
            ) from None

    def _shifted(self) -> np.ndarray:
        n = len(self.layout.values)
        values = self.layout.values - np.nanmean(self.layout.values, axis=0)
        values *= math.sqrt(n / max(n - 1, 1))
        values[:, self.pair[0]] += abs(self.difference)
        return values

    def _found(self, pilot: np.ndarray, number: int, blocks: int) -> bool:
        rng = np.random.default_rng([self.seed, number])
        try:
            result = self._compared(pilot[rng.integers(len(pilot), size=blocks)])
        except PodiumError:
            return False  # so few blocks, or all alike: nothing is found
        first, second = (self.layout.algorithms[i] for i in self.pair)
        row = result[(result["first"] == first) & (result["second"] == second)]
        if not len(row):
            row = result[(result["first"] == second) & (result["second"] == first)]
            return bool(row["verdict"].iloc[0] == "worse")
        return bool(row["verdict"].iloc[0] == "better")

    def _compared(self, values: np.ndarray) -> pd.DataFrame:
        made = replace(self.layout, values=values, notes=(), labels=())
        # positive differences are better ones: the direction is that of the measure's own sign
        side = {1: "greater", -1: "less"}[made.sign]
        chosen = "two-sided" if self.alternative == "two-sided" else side
        return compare(made, Options(self.procedure, alpha=self.alpha, alternative=chosen)).table


def simulated_plan(
    simulation: Simulation,
    *,
    target: float | None = None,
    blocks: int | None = None,
    progress: Callable[[str], None] | None = None,
) -> Plan:
    """The plan for any procedure: its power with so many blocks, or the blocks for a power."""
    solved = "blocks" if blocks is None else "power"
    count = blocks or _searched(simulation, target or USUAL, progress)
    result = simulation.power(count)
    error = math.sqrt(max(result * (1 - result), 1e-4) / simulation.replications)
    a, b = simulation.pair
    sd = float(np.nanstd(simulation.layout.values[:, a] - simulation.layout.values[:, b], ddof=1))
    k = len(simulation.layout.algorithms)
    note = Note(
        "simulated",
        DETAIL,
        procedure=simulation.procedure,
        pairs=k * (k - 1) // 2,
        replications=simulation.replications,
        blocks=len(simulation.layout.values),
        error=error,
    )
    return Plan(
        on_side(simulation.difference, simulation.alternative), sd, count, result, solved,
        simulation.alpha, simulation.alternative,
        formula=f"simulation of {simulation.procedure}",
        block="cluster" if simulation.layout.items.of_clusters else simulation.layout.block,
        notes=(note,),
    )  # fmt: skip


def _searched(simulation: Simulation, target: float, progress: Callable[[str], None] | None) -> int:
    """The least number of blocks with the power, by doubling and halving."""

    def enough(blocks: int) -> bool:
        result = simulation.power(blocks)
        if progress:
            progress(f"{blocks} blocks: power {result:.3f}")
        return result >= target

    low, high = 1, 4
    while not enough(high):
        low, high = high, 2 * high
        if high > MOST:
            raise InferenceError(
                f"'{simulation.procedure}' does not reach the power {target:g} for a difference of "
                f"{simulation.difference:g} with {low} blocks: plan for a larger difference."
            )
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def check_simulating(
    procedure: str | None, simulating: Collection[str], of_formula: Mapping[str, object]
) -> None:
    """Refuse what is for simulated power without a procedure, or for the formula with one."""
    if procedure is None:
        if simulating:
            raise InferenceError(
                f"{', '.join(simulating)}: for simulated power, so name its procedure, or leave it "
                "out."
            )
        return
    for name, value in of_formula.items():
        if value is not None:
            raise InferenceError(
                f"{name} is for the formula of the paired t test; '{procedure}' is "
                "simulated, with all pairs and its own adjustment: leave one of the two out."
            )


def simulate_pilot(
    layout: Layout,
    pilot_plan: PilotPlan,
    *,
    procedure: str,
    difference: float | None,
    target: float | None = None,
    blocks: int | None = None,
    replications: int = REPLICATIONS,
    seed: int = 0,
    progress: Callable[[str], None] | None = None,
) -> PilotPlan:
    """The pilot's plan with the power of a procedure simulated, for the pair planned for."""
    if difference is None:
        raise InferenceError("Simulating power needs the difference that shall be found.")
    if replications < 1:
        raise InferenceError(f"The number of replications is at least 1, not {replications!r}.")
    row = pilot_plan.pairs.iloc[
        int(np.nanargmin(np.abs(pilot_plan.pairs["sd"] - pilot_plan.plan.sd)))
    ]
    pair = layout.algorithms.index(row["first"]), layout.algorithms.index(row["second"])
    simulation = Simulation(
        layout.complete(), pair, difference, procedure,
        pilot_plan.plan.alpha, pilot_plan.plan.alternative, replications, seed,
    )  # fmt: skip
    simulation.check()
    made = simulated_plan(simulation, target=target, blocks=blocks, progress=progress)
    # the procedure adjusts for all pairs by itself; what the formula says is of the paired t
    notes = (*made.notes, *(note for note in pilot_plan.notes if note.code not in OF_T))
    pairs = pilot_plan.pairs.drop(columns=OF_FORMULA, errors="ignore")
    return replace(
        pilot_plan,
        plan=replace(made, notes=notes),
        pairs=pairs,
        allocations=pilot_plan.allocations.iloc[:0],
    )
