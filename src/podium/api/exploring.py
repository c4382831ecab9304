"""What follows comparisons: stability, surveys, plans."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pandas as pd

from podium.api.comparing import layout_of
from podium.errors import InferenceError
from podium.inference.estimates import Estimator
from podium.inference.nulls import NullBrick
from podium.inference.options import Options, Pairs
from podium.inference.procedure import Procedure
from podium.progress import Progress
from podium.results.dataset_facts import characteristics, exclusions
from podium.results.formats import read
from podium.results.results import Results
from podium.studies.by_dataset import SECONDS, Weights
from podium.studies.by_dataset import by_dataset as orders_by_dataset
from podium.studies.dataset_orders import DatasetOrders
from podium.studies.explaining import Explained
from podium.studies.explaining import explain_differences as of_characteristics
from podium.studies.left_out import LeftOut
from podium.studies.left_out import left_out as order_left_out
from podium.studies.pilot import PilotPlan, by_cluster, counted_blocks, plan_pilot, replicates
from podium.studies.plan import Plan
from podium.studies.plan import plan as make_plan
from podium.studies.sequential_plan import LOOKS, SequentialPlan
from podium.studies.sequential_plan import sequential_plan as make_sequential_plan
from podium.studies.simulated_power import check_simulating, simulate_pilot
from podium.studies.stability import Stability
from podium.studies.stability import stability as order_stability
from podium.studies.subgroups import Subgroups, listed_groups
from podium.studies.subgroups import subgroups as of_subgroups
from podium.targets import DATASET, ITEM, SIMULATION


def stability(
    results: Any,
    procedure: str | Procedure | None = None,
    *,
    measure: str | None = None,
    dataset: str | None = None,
    target: str | None = None,
    null: str | NullBrick | None = None,
    adjust: str | None = None,
    control: str | None = None,
    pairs: Pairs | None = None,
    estimate: str | Estimator | None = None,
    alternative: str = "two-sided",
    alpha: float = 0.05,
    relevance: float = 0.0,
    missing: str = "complete",
    force: bool = False,
    resamples: int = 1000,
    orders: int = 200,
    seed: int = 0,
    same_null: bool = False,
    progress: Progress | None = None,
) -> Stability:
    """What comes of the order when the blocks are drawn anew: ranks, places, pairs, orders.

    Blocks must be independent for the target: resamples, repetitions, simulated samples, items,
    data sets; not folds.

    Parameters
    ----------
    procedure, measure, dataset, target, null, adjust, control, pairs, estimate, alternative, alpha,
    relevance, missing, force : as in `compare`. What it chooses for the scores at hand (procedure,
        adjustment) is kept for all resamples.
    resamples : how many are ranked by mean.
    orders : how many of them are also decided; each takes a comparison, mostly some ms.
    seed : the same one gives the same numbers.
    same_null : use the null of the observed analysis in resamples too, even if it must be drawn or
        enumerated each time; otherwise the asymptotic one stands in for such a null.
    progress : is told `(done, orders)` after every decided resample.
    """
    made = layout_of(results, procedure, measure=measure, dataset=dataset, target=target)
    options = Options(
        procedure=procedure,
        null=null,
        adjust=adjust,
        control=control,
        pairs=pairs,
        estimate=estimate,
        alternative=alternative,
        alpha=alpha,
        relevance=relevance,
        missing=missing,
        force=force,
    )
    return order_stability(
        made,
        options,
        resamples=resamples,
        orders=orders,
        seed=seed,
        same_null=same_null,
        progress=progress,
    )


def left_out(
    results: Any,
    procedure: str | Procedure | None = None,
    *,
    measure: str | None = None,
    dataset: str | None = None,
    target: str | None = None,
    null: str | NullBrick | None = None,
    adjust: str | None = None,
    control: str | None = None,
    pairs: Pairs | None = None,
    estimate: str | Estimator | None = None,
    alternative: str = "two-sided",
    alpha: float = 0.05,
    relevance: float = 0.0,
    missing: str = "complete",
    force: bool = False,
    progress: Progress | None = None,
) -> LeftOut:
    """The order with each algorithm and, where blocks are data sets, each of them left out in turn.

    Options are those of `compare`; `progress` is told `(done, total)` after every analysis.
    """
    made = layout_of(results, procedure, measure=measure, dataset=dataset, target=target)
    options = Options(
        procedure=procedure,
        null=null,
        adjust=adjust,
        control=control,
        pairs=pairs,
        estimate=estimate,
        alternative=alternative,
        alpha=alpha,
        relevance=relevance,
        missing=missing,
        force=force,
    )
    return order_left_out(made, options, progress=progress)


def by_dataset(
    results: Results,
    procedure: str | Procedure | None = None,
    *,
    measure: str | None = None,
    target: str = "",
    null: str | NullBrick | None = None,
    adjust: str | None = None,
    control: str | None = None,
    pairs: Pairs | None = None,
    estimate: str | Estimator | None = None,
    alternative: str = "two-sided",
    alpha: float = 0.05,
    relevance: float = 0.0,
    missing: str = "complete",
    force: bool = False,
    family: str = "weak",
    weights: Weights | None = None,
    time_limit: float | None = SECONDS,
    progress: Progress | None = None,
) -> DatasetOrders:
    """The order of the algorithms on every data set, their agreement and their consensus.

    A data set that cannot be analysed is listed with the reason.

    Parameters
    ----------
    procedure, measure, target, null, adjust, control, pairs, estimate, alternative, alpha,
    relevance, missing, force : as in `compare`, for each data set alike.
    family, weights : of the consensus; weights by the data sets' names, or one for each.
    time_limit : seconds for the consensus, which then says its gap; None for no limit.
    progress : is told `(done, total)` after every data set.
    """
    options = Options(
        procedure=procedure,
        null=null,
        adjust=adjust,
        control=control,
        pairs=pairs,
        estimate=estimate,
        alternative=alternative,
        alpha=alpha,
        relevance=relevance,
        missing=missing,
        force=force,
    )
    return orders_by_dataset(
        results,
        options,
        measure=measure,
        target=target,
        family=family,
        weights=weights,
        time_limit=time_limit,
        progress=progress,
    )


def subgroups(
    results: Any,
    groups: Mapping[str, Sequence[str]] | pd.DataFrame,
    *,
    measure: str | None = None,
    scale: str | None = None,
    declared_before: bool | str = False,
    procedure: str = "paired-t",
    test: str = "welch",
    control: str | None = None,
    pairs: Pairs | None = None,
    alternative: str = "two-sided",
    null: str | None = None,
    draws: int = 9999,
    seed: int = 0,
    alpha: float = 0.05,
) -> Subgroups:
    """Differences within subgroups of data sets, and whether they differ between subgroups.

    Parameters
    ----------
    groups : `{"small": ["iris", ...], "large": [...]}`, or a table with the columns dataset and
        group. No data set is in two; those in none are listed.
    declared_before : True, or in words, where the subgroups were chosen before the scores were
        seen; otherwise the result says that it is exploratory.
    procedure, null, control, pairs, alternative : as in `compare`, for every group alike.
    test : of the interaction: welch, anova or permutation (with so many `draws`).
    """
    made = layout_of(results, measure=measure, scale=scale)
    if isinstance(groups, pd.DataFrame):
        gone = exclusions(results) if isinstance(results, Results) else ()
        groups = listed_groups(groups, without=gone)
    return of_subgroups(
        made,
        groups,
        declared_before=declared_before,
        procedure=procedure,
        test=test,
        control=control,
        pairs=pairs,
        alternative=alternative,
        null=null,
        draws=draws,
        seed=seed,
        alpha=alpha,
    )


def explain_differences(
    results: Any,
    by: pd.DataFrame | Results | None = None,
    *,
    columns: str | Sequence[str] | None = None,
    measure: str | None = None,
    scale: str | None = None,
    control: str | None = None,
    pairs: Pairs | None = None,
    logs: str | Sequence[str] = "auto",
    alpha: float = 0.05,
) -> Explained:
    """Differences between algorithms modelled by characteristics of the data sets.

    Parameters
    ----------
    by : a frame indexed by data set; without it, the characteristics that the results carry.
    columns : which of them, all by default. Data sets that lack one are left out and listed.
    control, pairs : as in `compare`.
    logs : `auto` for positive numbers whose skewness is above 1, or a list of names.
    """
    made = layout_of(results, measure=measure, scale=scale)
    if by is None:
        by = characteristics(results if isinstance(results, Results) else read(results))
    return of_characteristics(
        made, by, columns, control=control, pairs=pairs, logs=logs, alpha=alpha
    )


def plan(
    *,
    difference: float | None = None,
    sd: float | None = None,
    power: float | None = None,
    datasets: int | None = None,
    items: int | None = None,
    alpha: float = 0.05,
    alternative: str = "two-sided",
    comparisons: int = 1,
    formula: str = "noncentral",
) -> Plan:
    """How many data sets (or items) show a difference; or which power, or which difference.

    Parameters
    ----------
    difference : between two algorithms' means that shall be found.
    sd : of the difference between data sets (or items); `plan_from_pilot` learns it from scores.
    power, datasets, items : the power that is wanted (0.8), or the number of blocks that there is.
    alpha, alternative, comparisons : the level; two-sided, greater or less; the number of pairs
        that share alpha.
    formula : noncentral, or boulesteix2013's central.
    """
    _check_blocks(datasets, items)
    if sd is None:
        raise InferenceError("A plan needs the sd of the difference, or a pilot that shows it.")
    return make_plan(
        difference=difference,
        sd=sd,
        target=power,
        blocks=items if datasets is None else datasets,
        alpha=alpha,
        alternative=alternative,
        comparisons=comparisons,
        formula=formula,
        block="dataset" if items is None else "item",
    )


def plan_sequential(
    *,
    difference: float,
    sd: float,
    power: float | None = None,
    datasets: int | None = None,
    items: int | None = None,
    samples: int | None = None,
    looks: int = LOOKS,
    spending: str = "obf",
    alpha: float = 0.05,
    comparisons: int = 1,
) -> SequentialPlan:
    """How many data sets, items or samples a study takes that stops when it is decided.

    Parameters
    ----------
    difference, sd : between two algorithms, and of it over blocks.
    power : that is wanted (0.8); or `datasets`, `items`, `samples`: the budget that there is.
    looks, spending : how often is looked, and how alpha is spent: obf or power2.
    alpha, comparisons : the level, and the number of pairs that share it.
    """
    blocks = {DATASET: datasets, ITEM: items, SIMULATION: samples}
    said = {block: count for block, count in blocks.items() if count is not None}
    if len(said) > 1:
        raise InferenceError("A plan counts data sets, items or samples: say one of them.")
    return make_sequential_plan(
        difference=difference,
        sd=sd,
        power=power,
        budget=next(iter(said.values()), None),
        looks=looks,
        spending=spending,
        alpha=alpha,
        comparisons=comparisons,
        block=next(iter(said), DATASET),
    )


def plan_from_pilot(
    pilot: Any,
    *,
    difference: float | None = None,
    power: float | None = None,
    datasets: int | None = None,
    items: int | None = None,
    measure: str | None = None,
    dataset: str | None = None,
    by: str = "worst",
    most: int | None = None,
    alpha: float = 0.05,
    alternative: str = "two-sided",
    comparisons: int | None = None,
    procedure: str | None = None,
    replications: int | None = None,
    seed: int | None = None,
    progress: Callable[[str], None] | None = None,
) -> PilotPlan:
    """The same from scores that show how differences vary, for every pair of algorithms.

    Parameters
    ----------
    pilot : results, or what `read` takes.
    difference : that shall be found; without it, the plan is what the pilot (or so many data sets)
        can detect.
    power, datasets, items : the power that is wanted (0.8), or the number of blocks that there is.
    measure, dataset : which scores.
    by, most : plan for the pair with the worst or the median sd; the largest number of data sets
        that can be had.
    alpha, alternative, comparisons : as in `plan`; without `comparisons` all pairs share alpha.
    procedure, replications, seed : simulate the power of another test than paired t (500 times).
    progress : is told in words how far the simulation is.
    """
    _check_blocks(datasets, items)
    found = pilot if isinstance(pilot, Results) else read(pilot, measure=measure)
    own = layout_of(found, measure=measure, dataset=dataset)
    blocks = counted_blocks(own, datasets=datasets, items=items)
    made = by_cluster(own)
    asked = {"replications": replications, "seed": seed, "progress": progress}
    simulating: dict[str, Any] = {name: value for name, value in asked.items() if value is not None}
    check_simulating(procedure, simulating, {"comparisons": comparisons, "most": most})
    several = made.block == "dataset" and made.measure.name in found.measures
    planned = plan_pilot(
        made,
        replicates(found, made.measure.name, made.sign) if several else None,
        difference=difference,
        target=power,
        blocks=blocks,
        by=by,
        most=most,
        alpha=alpha,
        alternative=alternative,
        comparisons=comparisons,
    )
    if procedure is None:
        return planned
    goal: dict[str, Any] = {"difference": difference, "target": power, "blocks": blocks}
    return simulate_pilot(made, planned, procedure=procedure, **goal, **simulating)


def _check_blocks(datasets: int | None, items: int | None) -> None:
    if items is not None and datasets is not None:
        raise InferenceError("A plan counts data sets or items, not both.")
