"""Plans: how many data sets, items or samples, with which power."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from podium.asking.planning.pilot import (
    PilotPlan,
    VariantsPlan,
    by_cluster,
    counted_blocks,
    plan_pilot,
    replicates,
)
from podium.asking.planning.pilot import plan_variants as make_variants_plan
from podium.asking.planning.plan import USUAL, LabelPlan, Plan, SequentialPlan, of_pilot, on_side
from podium.asking.planning.plan import plan as make_plan
from podium.asking.planning.plan import plan_labels as make_label_plan
from podium.asking.planning.plan import sequential_plan as make_sequential_plan
from podium.core.base.errors import IllegalProcedure, InferenceError, PodiumError
from podium.core.base.options import takes
from podium.core.inference.bricks.clustered import within_variances
from podium.core.inference.comparing.compare import compare
from podium.core.inference.layouts import Layout
from podium.core.inference.procedures.procedure import Options
from podium.core.questions.options import ALPHA
from podium.core.questions.targets import DATASET, ITEM, SIMULATION
from podium.core.results.planned_and_done import beside_plan
from podium.core.results.results import Results
from podium.core.verdicts.judged import judged_layout
from podium.core.verdicts.verbs import layout_of
from podium.core.words.facts import DETAIL, Note
from podium.reading.formats import read

# -- power by simulation from a pilot -------------------------------------------------------------
# For rank tests and every other procedure without a formula.


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
    alpha: float
    alternative: str
    replications: int
    seed: int

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
    target: float | None,
    blocks: int | None,
    progress: Callable[[str], None] | None,
) -> Plan:
    """The plan for any procedure: its power with so many blocks, or the blocks for a power."""
    solved = "blocks" if blocks is None else "power"
    count = blocks or _searched(simulation, target or USUAL, progress)
    power = simulation.power(count)
    error = math.sqrt(max(power * (1 - power), 1e-4) / simulation.replications)
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
        on_side(simulation.difference, simulation.alternative), sd, count, power, solved,
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
                f"{simulation.difference:g} with {low} rows: plan for a larger difference."
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


# -- verbs ----------------------------------------------------------------------------------------


@takes("alpha", "alternative", "measure", "dataset", "seed", only_given=True)
def plan(
    *,
    pilot: Any = None,
    difference: float | None = None,
    sd: float | None = None,
    power: float | None = None,
    datasets: int | None = None,
    items: int | None = None,
    comparisons: int | None = None,
    formula: str | None = None,
    by: str | None = None,
    most: int | None = None,
    item_cost: float | None = None,
    procedure: str | None = None,
    replications: int | None = None,
    progress: Callable[[str], None] | None = None,
    **options: Any,
) -> Plan | PilotPlan:
    """How many data sets (or items) show a difference; or which power, or which difference.

    Parameters
    ----------
    pilot : Results, or anything that `read` takes
        Scores that show how differences vary, for every pair of algorithms; instead of `sd`.
    difference : float | None
        Between two algorithms' means that shall be found; of a pilot without it, the plan is what
        the pilot (or so many data sets) can detect.
    sd : float | None
        Of the difference between data sets (or items).
    power : float | None
        That is wanted (0.8), unless the number of data sets or items is given.
    datasets, items : int | None
        The number that there is.
    comparisons : int | None
        The number of pairs that share alpha: 1, of a pilot all.
    formula : str | None
        noncentral, or boulesteix2013's central.
    by, most : of a pilot
        Plan for the pair with the worst or the median sd; the largest number of data sets to be
        had.
    item_cost : float | None
        Of a pilot of items with several answers: as how many answers a new item costs (0), for the
        cheapest number of answers.
    procedure, replications : of a pilot
        Simulate the power of another test than paired t, so often (500).
    progress : a function that is told in words how far the simulation is

    Returns
    -------
    Plan or, of a pilot, PilotPlan
        `.datasets` or `.items`, `.power`, `.difference`; of a pilot `.plan` and a table, `.pairs`.

    Examples
    --------
    >>> import podium
    >>> podium.plan(difference=0.05, sd=0.1, power=0.8).datasets
    34
    """
    _check_blocks(datasets, items)
    own: dict[str, Any] = {"by": by, "most": most, "item_cost": item_cost, "procedure": procedure,
           "replications": replications, "progress": progress}  # fmt: skip
    own = {name: value for name, value in own.items() if value is not None}
    goal: dict[str, Any] = {
        "difference": difference, "power": power, "datasets": datasets, "items": items,
    }  # fmt: skip
    if pilot is not None:
        if sd is not None or formula is not None:
            raise InferenceError(
                f"A pilot shows its own sd, and has its own formula: leave "
                f"{'sd' if sd is not None else 'formula'} out."
            )
        return _of_pilot(pilot, goal, comparisons=comparisons, **own, **options)
    for name in (*own, *(name for name in options if name not in ("alpha", "alternative"))):
        raise InferenceError(f"{name} is for a plan from scores: name them by pilot=.")
    if sd is None:
        raise InferenceError("A plan needs the sd of the difference, or a pilot that shows it.")
    return make_plan(
        difference=difference,
        sd=sd,
        target=power,
        blocks=items if datasets is None else datasets,
        comparisons=1 if comparisons is None else comparisons,
        formula=formula or "noncentral",
        block="dataset" if items is None else "item",
        **options,
    )


@takes("looks", "spending", "alpha")
def plan_sequential(
    *,
    difference: float,
    sd: float,
    power: float | None = None,
    datasets: int | None = None,
    items: int | None = None,
    samples: int | None = None,
    comparisons: int = 1,
    **options: Any,
) -> SequentialPlan:
    """How many data sets, items or samples a study takes that stops when it is decided.

    Parameters
    ----------
    difference, sd : between two algorithms, and of it over blocks
    power : that is wanted (0.8)
    datasets, items, samples : the budget that there is, instead
    comparisons : the number of pairs that share alpha

    Returns
    -------
    SequentialPlan
    """
    blocks = {DATASET: datasets, ITEM: items, SIMULATION: samples}
    given = {block: count for block, count in blocks.items() if count is not None}
    if len(given) > 1:
        raise InferenceError("A plan counts data sets, items or samples: say one of them.")
    return make_sequential_plan(
        difference=difference,
        sd=sd,
        power=power,
        budget=next(iter(given.values()), None),
        comparisons=comparisons,
        **options,
        block=next(iter(given), DATASET),
    )


@takes("judge", "human", "alpha")
def plan_labels(
    answers: Any = None,
    *,
    difference: float,
    sd: float | None = None,
    correlation: float | None = None,
    items: int | None = None,
    power: float | None = None,
    labels: int | None = None,
    comparisons: int = 1,
    **options: Any,
) -> LabelPlan:
    """How many items people must label, where a judge scores all of them.

    Parameters
    ----------
    answers : a table with some labels already, with `judge` and `human`; or instead of it
    sd, correlation, items : of people's differences of two algorithms over items
        Their sd, their correlation with the judge's, and the number of items.
    difference : between two algorithms that shall be found
    power, labels : the power that is wanted (0.8), or the number of labels that there is
    comparisons : the number of pairs that share alpha

    Returns
    -------
    LabelPlan
    """
    of_labels = {"sd": sd, "correlation": correlation, "items": items}
    rest: dict[str, Any] = {"power": power, "labels": labels, "alpha": options["alpha"]}
    if answers is not None:
        if given := [name for name, value in of_labels.items() if value is not None]:
            raise InferenceError(f"A table of answers shows its own {given[0]}: leave it out.")
        known = of_pilot(judged_layout(answers, options["judge"], options["human"]))
    elif gone := [name for name, value in of_labels.items() if value is None]:
        raise InferenceError(
            "A plan of labels needs the sd of people's differences (--sd), their correlation with "
            "the judge's (--judge-correlation) and the number of items (--items), or a table with "
            f"--judge and --human; {gone[0]} is missing."
        )
    else:
        known = of_labels
    return make_label_plan(difference=difference, comparisons=comparisons, **known, **rest)


def _of_pilot(
    pilot: Any,
    goal: Mapping[str, Any],
    *,
    measure: str | None = None,
    dataset: str | None = None,
    by: str = "worst",
    most: int | None = None,
    alpha: float = ALPHA,
    alternative: str = "two-sided",
    comparisons: int | None = None,
    item_cost: float | None = None,
    procedure: str | None = None,
    replications: int | None = None,
    seed: int | None = None,
    progress: Callable[[str], None] | None = None,
) -> PilotPlan:
    difference, power, datasets, items = (
        goal[name] for name in ("difference", "power", "datasets", "items")
    )
    results = pilot if isinstance(pilot, Results) else read(pilot, measure=measure)
    own = layout_of(results, measure=measure, dataset=dataset)
    blocks = counted_blocks(own, datasets=datasets, items=items)
    layout = by_cluster(own)
    options = {"replications": replications, "seed": seed, "progress": progress}
    simulating: dict[str, Any] = {
        name: value for name, value in options.items() if value is not None
    }
    check_simulating(procedure, simulating, {"comparisons": comparisons, "most": most})
    _check_cost(own, item_cost)
    several = layout.block == "dataset" and layout.measure.name in results.measures
    # of several training sizes the layout has the largest alone
    pilots = results.filter(dataset=list(layout.labels)) if several and layout.labels else results
    planned = plan_pilot(
        layout,
        replicates(pilots, layout.measure.name, layout.sign) if several else None,
        difference=difference,
        target=power,
        blocks=blocks,
        by=by,
        most=most,
        alpha=alpha,
        alternative=alternative,
        comparisons=comparisons,
        **_of_answers(own, layout, item_cost),
    )
    if (mark := beside_plan(results)) is not None:
        planned = replace(planned, plan=replace(planned.plan, notes=(mark, *planned.plan.notes)))
    if procedure is None:
        return planned
    aim: dict[str, Any] = {"difference": difference, "target": power, "blocks": blocks}
    return simulate_pilot(layout, planned, procedure=procedure, **aim, **simulating)


def _of_answers(own: Layout, made: Layout, item_cost: float | None) -> dict[str, Any]:
    """Of items with several answers: how these vary, and what an item costs besides.

    Where clusters are the blocks, the variance is that of answers in the scale of a cluster.
    """
    if own.items.answers is None:
        return {}
    complete = own.complete()
    assert complete.items.answers is not None
    scale = len(made.values) / len(complete.values)
    return {
        "within": within_variances(complete) * scale,
        "answers": float(1 / (1 / np.maximum(complete.items.answers.count, 1)).mean()),
        "item_cost": item_cost or 0.0,
        "cluster_size": 1 / scale if made.items.of_clusters else None,
    }


def _check_cost(own: Layout, item_cost: float | None) -> None:
    if item_cost is None:
        return
    if own.items.answers is None:
        raise InferenceError(
            "--item-cost (item_cost=) is for items with several answers, and this pilot has one "
            "of each: leave it out."
        )
    if not 0 <= item_cost < np.inf:
        raise InferenceError(f"A new item costs as much as 0 answers or more, not {item_cost!r}.")


def _check_blocks(datasets: int | None, items: int | None) -> None:
    if items is not None and datasets is not None:
        raise InferenceError("A plan counts data sets or items, not both.")


@takes("measure", "dataset", "seed")
def plan_variants(
    pilot: Any,
    variants: int,
    *,
    difference: float | None = None,
    datasets: int | None = None,
    replications: int = 2000,
    **options: Any,
) -> VariantsPlan:
    """How far the best of several equally good variants is overrated on the data that chose it.

    Parameters
    ----------
    pilot : Results, or anything that `read` takes
        Scores of any algorithms: they lend their spread over data sets and their correlations.
    variants : int
        How many are tried.
    difference : float | None
        That shall not be feigned: the number of data sets that takes.
    datasets : int | None
        The number that there is; without it, a table of several.
    replications : int
        Of the simulation.

    Returns
    -------
    VariantsPlan

    Examples
    --------
    >>> import numpy as np, pandas as pd, podium
    >>> rng = np.random.default_rng(1)
    >>> scores = pd.DataFrame(rng.normal(0.2, 0.05, (20, 3)), columns=["a", "b", "c"])
    >>> scores.insert(0, "dataset", [f"set{i}" for i in range(20)])
    >>> result = plan_variants(podium.read(scores, measure="error"), 5, datasets=20)
    >>> bool(0.005 < result.table["overrated"][0] < 0.03)
    True
    """
    layout = layout_of(pilot, measure=options["measure"], dataset=options["dataset"])
    return make_variants_plan(
        layout,
        variants,
        difference=difference,
        datasets=datasets,
        replications=replications,
        seed=options["seed"],
    )
