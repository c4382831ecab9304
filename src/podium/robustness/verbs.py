"""How far an order hangs on what was drawn: stability, of several measures, with one left out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from podium.base.faces import takes
from podium.inference.layouts.layouts import Layout
from podium.inference.procedures.options import Options
from podium.inference.procedures.procedure import Procedure
from podium.reading.formats import read
from podium.reading.planned_and_done import explored
from podium.reading.results import Results
from podium.robustness.joint_orders import JointStability
from podium.robustness.joint_orders import joint_stability as of_joint
from podium.robustness.left_out import LeftOut
from podium.robustness.left_out import left_out as order_left_out
from podium.robustness.stability import Stability
from podium.robustness.stability import stability as order_stability
from podium.verdicts.verbs import layout_of

CHOSEN = ("measure", "dataset", "target")


def _layout(results: Any, procedure: str | Procedure | None, options: dict[str, Any]) -> Layout:
    return layout_of(results, procedure, **{name: options[name] for name in CHOSEN})


@takes(*CHOSEN, "testing", "seed", "progress")
def stability(
    results: Any,
    procedure: str | Procedure | None = None,
    *,
    resamples: int = 1000,
    orders: int = 200,
    same_null: bool = False,
    **options: Any,
) -> Stability:
    """What comes of the order when the blocks are drawn anew: ranks, pairs, orders.

    Blocks must be independent for the target: resamples, repetitions, simulated samples, items,
    data sets; not folds. What `compare` chooses for the scores at hand (procedure, adjustment) is
    kept for all resamples.

    Parameters
    ----------
    results : Results, Layout, or anything that `read` takes
    procedure : str | Procedure | None
        A name from `podium list tests`; without one the design decides.
    resamples : int
        How many are ranked by mean.
    orders : int
        How many of them are also decided; each takes a comparison, mostly some ms.
    same_null : bool
        Use the null of the observed analysis in resamples, too, even if it must be drawn or
        enumerated each time; otherwise the asymptotic one stands in for such a null.

    Returns
    -------
    Stability
        `.ranks`, `.pairs` and `.orders` are tables of shares of resamples.

    Examples
    --------
    >>> import podium
    >>> scores = {"svm": [0.1, 0.2, 0.3, 0.2, 0.1], "lda": [0.3, 0.5, 0.4, 0.4, 0.4]}
    >>> results = podium.read(scores, sampling="bootstrap", measure="error")
    >>> podium.stability(results, resamples=100, orders=20).ranks["best"].tolist()
    [1.0, 0.0]
    """
    result = order_stability(
        _layout(results, procedure, options),
        Options.of(procedure, options),
        resamples=resamples,
        orders=orders,
        seed=options["seed"],
        same_null=same_null,
        progress=options["progress"],
    )
    return explored(result, results)


@takes("family", "dataset", "target", "control", "alpha", "relevance", "seed", "progress",
       but={"family": "weak"})  # fmt: skip
def joint_stability(
    results: Results,
    measures: Sequence[str],
    *,
    joint: str = "consensus",
    weights: Sequence[float] | None = None,
    procedure: str | Procedure | None = None,
    resamples: int = 200,
    **options: Any,
) -> JointStability:
    """What comes of a joint order of several measures when blocks are drawn anew, once for all.

    Parameters
    ----------
    results : Results, or anything that `read` takes
    measures : names of measures
    joint : str
        consensus (the nearest order, of `family` and with `weights` of the measures), pareto, or
        hierarchical (ties of the first measure are broken by the second, and so on).
    weights : sequence of numbers
        Of the measures, for the consensus.
    procedure : str | Procedure | None
        A name from `podium list tests`; without one the design decides.
    resamples : int
        How many are decided, each by a comparison of every measure.

    Returns
    -------
    JointStability
    """
    given = results if isinstance(results, Results) else read(results)
    chosen = {"dataset": options["dataset"], "target": options["target"]}
    layouts = {m: layout_of(given, procedure, measure=m, **chosen) for m in dict.fromkeys(measures)}
    made = of_joint(
        layouts,
        Options.of(procedure, options),
        joint=joint,
        family=options["family"],
        weights=weights,
        resamples=resamples,
        seed=options["seed"],
        progress=options["progress"],
    )
    return explored(made, given)


@takes(*CHOSEN, "testing", "progress")
def left_out(results: Any, procedure: str | Procedure | None = None, **options: Any) -> LeftOut:
    """The order with each algorithm and, where blocks are data sets, each of them left out in turn.

    Parameters
    ----------
    results : Results, Layout, or anything that `read` takes
    procedure : str | Procedure | None
        A name from `podium list tests`; without one the design decides.

    Returns
    -------
    LeftOut
        `.table` has a row for everything that was left out, with the order without it.

    Examples
    --------
    >>> import podium
    >>> scores = {"svm": [0.1, 0.2, 0.3], "lda": [0.3, 0.5, 0.4], "nb": [0.2, 0.6, 0.5]}
    >>> results = podium.read(scores, sampling="bootstrap", measure="error")
    >>> len(podium.left_out(results).table)
    3
    """
    layout, request = _layout(results, procedure, options), Options.of(procedure, options)
    return explored(order_left_out(layout, request, progress=options["progress"]), results)
