"""What follows comparisons: stability, surveys, plans."""

from __future__ import annotations

from typing import Any

import pandas as pd

from podium.api.comparing import layout_of
from podium.errors import InferenceError
from podium.inference.layouts import Layout
from podium.inference.procedures import Procedure
from podium.results.dataset_facts import characteristics, exclusions
from podium.results.formats import read
from podium.results.results import Results
from podium.studies.explaining import Explained
from podium.studies.explaining import explained as of_characteristics
from podium.studies.grouping import listed_groups
from podium.studies.left_out import LeftOut
from podium.studies.left_out import left_out as order_left_out
from podium.studies.pilot import PilotPlan, by_cluster, counted_blocks, plan_pilot, replicates
from podium.studies.plan import Plan
from podium.studies.plan import plan as make_plan
from podium.studies.simulated_power import check_simulating, simulate_pilot
from podium.studies.stability import stability
from podium.studies.stability_result import Stability
from podium.studies.subgroups import Subgroups
from podium.studies.subgroups import subgroups as of_subgroups


def stability_of(
    results: Any,
    procedure: str | Procedure | None = None,
    *,
    measure: str | None = None,
    dataset: str | None = None,
    target: str | None = None,
    **options: Any,
) -> Stability:
    """What comes of the order when the blocks are drawn anew: ranks, places, pairs, orders.

    Blocks must be independent for the target: resamples, repetitions, simulated samples, items,
    data sets; not folds.

    Parameters
    ----------
    resamples, orders, seed : how many resamples are ranked, and how many also decided.
    same_null : decide by the same drawn or exact null, instead of the asymptotic one.
    progress : is told `(done, total)`.
    options : further ones are those of `compare`.
    """
    made = layout_of(results, procedure, measure=measure, dataset=dataset, target=target)
    return stability(made, procedure, **options)


def left_out(
    results: Any,
    procedure: str | Procedure | None = None,
    *,
    measure: str | None = None,
    dataset: str | None = None,
    target: str | None = None,
    **options: Any,
) -> LeftOut:
    """The order with each algorithm and, where blocks are data sets, each of them left out in turn.

    Options are those of `compare`.
    """
    made = layout_of(results, procedure, measure=measure, dataset=dataset, target=target)
    return order_left_out(made, procedure, **options)


def subgroups(
    results: Any,
    groups: Any,
    *,
    measure: str | None = None,
    scale: str | None = None,
    **options: Any,
) -> Subgroups:
    """Differences within subgroups of data sets, and whether they differ between subgroups.

    Parameters
    ----------
    groups : `{"small": ["iris", ...], "large": [...]}`, or a table with the columns dataset and
        group.
    declared_before : True, or in words, where the subgroups were chosen before the scores were
        seen; otherwise the result says that it is exploratory.
    options : procedure, test (welch, anova, permutation), control, pairs, alternative, alpha ...
    """
    made = layout_of(results, measure=measure, scale=scale)
    if isinstance(groups, pd.DataFrame):
        gone = exclusions(results) if isinstance(results, Results) else ()
        groups = listed_groups(groups, without=gone)
    return of_subgroups(made, groups, **options)


def explained(
    results: Any,
    by: Any = None,
    *,
    measure: str | None = None,
    scale: str | None = None,
    **options: Any,
) -> Explained:
    """Differences between algorithms modelled by characteristics of the data sets.

    Parameters
    ----------
    by : a frame indexed by data set; without it, the characteristics that the results carry.
    columns : which of them.
    options : control, pairs, logs, alpha.
    """
    made = layout_of(results, measure=measure, scale=scale)
    if by is None:
        by = characteristics(results if isinstance(results, Results) else read(results))
    return of_characteristics(made, by, **options)


def plan(
    pilot: Any = None,
    *,
    difference: float | None = None,
    sd: float | None = None,
    power: float | None = None,
    datasets: int | None = None,
    items: int | None = None,
    **options: Any,
) -> Plan | PilotPlan:
    """How many data sets (or items) show a difference; or which power, or which difference.

    Parameters
    ----------
    pilot : results (or what `read` takes) from which variances are learned, instead of `sd`.
    difference : between two algorithms' means that shall be found.
    sd : of the difference between data sets (or items).
    power, datasets, items : the power that is wanted (0.8), or the number of blocks that there is.
    alpha, alternative, comparisons, formula : the level; two-sided, greater or less; the number of
        pairs that share alpha; noncentral, or boulesteix2013's central.
    measure, dataset, by, most : of a pilot: which scores; plan for the pair with the worst or the
        median sd; the largest number of data sets that can be had.
    procedure, replications, seed : of a pilot: simulate the power of another test than paired t.
    """
    if items is not None and datasets is not None:
        raise InferenceError("A plan counts data sets or items, not both.")
    blocks = items if datasets is None else datasets
    said = {"difference": difference, "target": power, "blocks": blocks, **options}
    if pilot is None:
        if sd is None:
            raise InferenceError("A plan needs the sd of the difference, or a pilot that shows it.")
        return make_plan(sd=sd, block="dataset" if items is None else "item", **said)
    if sd is not None:
        raise InferenceError("A pilot shows its own sd: leave sd out.")
    reading: dict[str, Any] = {k: said.pop(k) for k in ("measure", "dataset") if k in said}
    found = pilot if isinstance(pilot, Results) else read(pilot, measure=reading.get("measure"))
    made = layout_of(found, **reading)
    said["blocks"] = counted_blocks(made, datasets=datasets, items=items)
    return _planned(found, by_cluster(made), said)


def _planned(results: Results, made: Layout, said: dict[str, Any]) -> PilotPlan:
    names = ("procedure", "replications", "seed", "progress")
    simulating = {k: said.pop(k) for k in names if said.get(k) is not None}
    check_simulating(simulating, said)
    several = made.block == "dataset" and made.measure.name in results.measures
    cells = replicates(results, made.measure.name, made.sign) if several else None
    found = plan_pilot(made, cells, **said)
    if not simulating:
        return found
    said = {k: said[k] for k in ("difference", "target", "blocks")}
    return simulate_pilot(made, found, **said, **simulating)
