"""How far an order hangs on what was drawn: stability, of several measures, with one left out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from podium.base.progress import Progress
from podium.inference.bricks.estimates import Estimator
from podium.inference.bricks.nulls import NullBrick
from podium.inference.procedures.options import Options, Pairs, gaps_said
from podium.inference.procedures.procedure import Procedure
from podium.reading.formats import read
from podium.reading.planned_and_done import explored
from podium.reading.results import Results
from podium.robustness.joint_stability import JointStability
from podium.robustness.joint_stability import joint_stability as of_joint
from podium.robustness.left_out import LeftOut
from podium.robustness.left_out import left_out as order_left_out
from podium.robustness.stability import Stability
from podium.robustness.stability import stability as order_stability
from podium.verdicts.verbs import layout_of


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
    gaps: str | None = None,
    missing: str | None = None,
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
    relevance, gaps, force : as in `compare`. What it chooses for the scores at hand (procedure,
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
        gaps=gaps_said(gaps, missing),
        force=force,
    )
    found = order_stability(
        made,
        options,
        resamples=resamples,
        orders=orders,
        seed=seed,
        same_null=same_null,
        progress=progress,
    )
    return explored(found, results)


def joint_stability(
    results: Results,
    measures: Sequence[str],
    *,
    joint: str = "consensus",
    family: str = "weak",
    weights: Sequence[float] | None = None,
    procedure: str | Procedure | None = None,
    dataset: str | None = None,
    target: str | None = None,
    control: str | None = None,
    alpha: float = 0.05,
    relevance: float = 0.0,
    resamples: int = 200,
    seed: int = 0,
    progress: Progress | None = None,
) -> JointStability:
    """What comes of a joint order of several measures when blocks are drawn anew, once for all.

    Parameters
    ----------
    joint : consensus (the nearest order, of `family` and with `weights` of the measures), pareto,
        or hierarchical (ties of the first measure are broken by the second, and so on).
    procedure, dataset, target, control, alpha, relevance : of the order by every measure.
    resamples, seed : how many are decided, each by a comparison of every measure.
    """
    found = results if isinstance(results, Results) else read(results)
    layouts = {m: layout_of(found, procedure, measure=m, dataset=dataset, target=target)
               for m in dict.fromkeys(measures)}  # fmt: skip
    options = Options(procedure=procedure, control=control, alpha=alpha, relevance=relevance)
    made = of_joint(
        layouts,
        options,
        joint=joint,
        family=family,
        weights=weights,
        resamples=resamples,
        seed=seed,
        progress=progress,
    )
    return explored(made, found)


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
    gaps: str | None = None,
    missing: str | None = None,
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
        gaps=gaps_said(gaps, missing),
        force=force,
    )
    return explored(order_left_out(made, options, progress=progress), results)
