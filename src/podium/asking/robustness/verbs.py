"""How far an order hangs on what was drawn: stability, of several measures, with one left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from podium.asking.robustness.bootstrap import LeftOut
from podium.asking.robustness.bootstrap import left_out as order_left_out
from podium.asking.robustness.stability import JointStability, Stability
from podium.asking.robustness.stability import joint_stability as of_joint
from podium.asking.robustness.stability import stability as order_stability
from podium.core.base.errors import InferenceError
from podium.core.base.options import takes
from podium.core.inference.layouts import Layout
from podium.core.inference.procedures.procedure import Options, Procedure
from podium.core.results.pass_at import fit_scores
from podium.core.results.planned_and_done import explored
from podium.core.results.results import Results
from podium.core.verdicts.verbs import layout_of
from podium.core.words.facts import Note
from podium.core.words.notes.of_results import randomness_line
from podium.core.words.saying import Presented
from podium.reading.formats import read

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


# -- fit variance ---------------------------------------------------------------------------------
# Internal randomness of algorithms as a component of variance (`fits` of a study).
#
# A score of one fit to one sample varies with the sample and with the algorithm's own random
# numbers; several fits to every sample tell the two apart, by the analysis of variance.


COLUMNS = ["dataset", "algorithm", "samples", "fits", "mean", "sd_sample", "sd_fit", "share"]


@dataclass(frozen=True, eq=False, repr=False)
class Randomness(Presented):
    """How much of the variance of scores is the algorithms' own.

    Attributes
    ----------
    table : of every data set and algorithm the sd between samples, between fits to one sample, and
        `share`: of the variance of a score of one fit, what is between fits. `left` is what of the
        variance of the mean over all fits is still the algorithm's own.
    """

    table: pd.DataFrame
    measure: str
    notes: tuple[Note, ...] = field(default=())

    def _lines_above(self) -> list[str]:
        worst = self.table.loc[self.table["share"].fillna(-1).idxmax()]
        return [randomness_line(worst, self.measure, len(self.table))]

    def _tables(self) -> dict[str, pd.DataFrame]:
        return {f"Components of variance of {self.measure}": self.table}


def randomness(results: Results, measure: str | None = None) -> Randomness:
    """The share of internal randomness in the variance of scores, by data set and algorithm."""
    name = measure or next(iter(results.measures), "")
    scores = fit_scores(results, results.measure(name).name)
    if not len(scores):
        raise InferenceError(
            "These results have one fit to every sample, which cannot separate an algorithm's own "
            "randomness from that of samples: run a study with fits = 5, say."
        )
    groups = scores.groupby(["dataset", "algorithm"], sort=False)
    rows = [(*key, *components(of.pivot(index="sample", columns="fit", values="value").to_numpy()))
            for key, of in groups]  # fmt: skip
    return Randomness(pd.DataFrame(rows, columns=[*COLUMNS, "left"]), name)


def components(values: np.ndarray) -> tuple[int, int, float, float, float, float, float]:
    """Samples, fits, mean, sd between samples and between fits, and the shares of the latter.

    Of one way: the mean square within samples is the variance of fits, that of the means of samples
    is larger by the variance of samples; a negative one is 0.
    """
    values = values[~np.isnan(values).any(axis=1)]
    samples, fits = values.shape
    within = float(values.var(axis=1, ddof=1).mean()) if samples and fits > 1 else np.nan
    of_means = float(values.mean(axis=1).var(ddof=1)) if samples > 1 else np.nan
    between = max(of_means - within / fits, 0.0) if samples > 1 else np.nan
    single, mean = between + within, between + within / fits
    share = within / single if single > 0 else np.nan
    left = within / fits / mean if mean > 0 else np.nan
    average = float(values.mean()) if values.size else np.nan
    return samples, fits, average, between**0.5, within**0.5, share, left
