"""From results to comparisons and orders."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np

from podium.base.errors import InferenceError, PodiumError
from podium.inference.bricks.estimates import Estimator
from podium.inference.bricks.nulls import NullBrick
from podium.inference.choices.covariates import read_names
from podium.inference.comparing import single
from podium.inference.comparing.arranging import suited
from podium.inference.comparing.compare import compare as compare_layout
from podium.inference.comparing.comparisons import Comparisons
from podium.inference.layouts.layouts import Layout
from podium.inference.procedures.options import (
    OF_PLAN,
    Contrasts,
    Options,
    Pairs,
    fixed_by_plan,
    gaps_said,
)
from podium.inference.procedures.procedure import Procedure
from podium.inference.procedures.weighing import read_weights
from podium.judges.layouts import judged
from podium.orders.decide import decide_comparisons
from podium.orders.notation import parse_order
from podium.orders.order import Order
from podium.orders.statistics import Ordered
from podium.orders.statistics import order_by as ordered
from podium.questions.registered_plans import PlannedAndDone, binding
from podium.reading.formats import read
from podium.reading.planned_and_done import (
    as_registered,
    beside_plan,
    explored,
    planned_and_done,
    versions_of,
)
from podium.reading.results import Results
from podium.verdicts.asked_posteriors import posterior_of, region
from podium.words.facts import REMARK, Note
from podium.words.presentation import IN_NOTEBOOKS


def _in_notebook(comparisons: Comparisons) -> str:
    from podium.verdicts.notebooks import comparisons_html  # only where one is shown

    return comparisons_html(comparisons)


IN_NOTEBOOKS[Comparisons] = _in_notebook


def compare(
    results: Any,
    procedure: str | Procedure | None = None,
    *,
    measure: str | None = None,
    dataset: str | None = None,
    target: str | None = None,
    scale: str | None = None,
    null: str | NullBrick | None = None,
    adjust: str | None = None,
    control: str | None = None,
    pairs: Pairs | None = None,
    contrasts: Contrasts | np.ndarray | None = None,
    estimate: str | Estimator | None = None,
    alternative: str | None = None,
    alpha: float | None = None,
    relevance: float | None = None,
    non_inferiority: float | None = None,
    equivalence: float | None = None,
    gaps: str | None = None,
    missing: str | None = None,
    force: bool = False,
    posterior: bool | str = False,
    rope: float | None = None,
    rho: float | None = None,
    weights: Mapping[str, float] | str | None = None,
    judge: str | None = None,
    human: str | None = None,
    covariates: str | Sequence[str] | None = None,
) -> Comparisons:
    """Evidence about pairs of algorithms: who is better, by how much, and how sure.

    Parameters
    ----------
    results : `Results`, a `Layout`, or anything that `read` takes and that carries its sampling.
    procedure : a name from `podium list tests`; without one the design decides.
    measure, dataset : which, where there are several. Several data sets are blocks, their samples
        averaged.
    target : what the claim is about: sample, population, test-set, dataset-population; by default
        the honest one for the design.
    scale : what data sets are compared by: raw, ranks, best, baseline:NAME, ratio:NAME, normalised.
    null, adjust : other bricks, such as `null="permutation:9999"`, `adjust="holm"`.
    control, pairs : compare with one algorithm only, or these pairs only.
    contrasts : a user's own, such as `{"new": {"svm": 1, "lda": -0.5, "nb": -0.5}}`, or a matrix
        with one column per algorithm.
    estimate : another estimate for the procedure: means, mixed, block-sums or, of other scores,
        block-sums:ranks, block-sums:normal-scores ...; or a function of a layout.
    alternative : two-sided, less or greater: the sign of first - second, in the measure's unit;
        without one two-sided.
    alpha, relevance : the level [0.05], and the least difference that matters [0]. A negative
        relevance with a one-sided alternative asks for non-inferiority.
    non_inferiority, equivalence : a margin above 0 in the measure's unit: is the first of a pair
        not worse by as much; do two differ by no more, either way. With several algorithms
        `control` says whom none shall be worse than.
    gaps : pairs (each pair on the blocks that both have), complete (leave out blocks with gaps) or
        worst (fill gaps with the worst value of their block). `missing` is its former name.
    force : compute what is not legal for the design, and mark it.
    posterior : True, or a name (sign, signed-rank, t, correlated-t, hierarchical): how likely one
        is better, instead of p-values; who is the best and expected ranks come first.
    rope : with a posterior, the difference up to which two are practically the same.
    rho : the correlation of samples that share rows, where it is not to follow from the sampling.
    weights : of data sets, as {"iris": 2} (others 1), for survey-fixed, which else counts them
        alike.
    judge, human : two measures of items: scores of a judge for all of them, and people's for some,
        by which the judge is corrected.
    covariates : of choices between two: what strengths are to be free of, such as `["position",
        "judge", "length"]`. Position is one wherever models met in both orders, unless `"none"` is
        among them.

    Of a registered study options that are left out are those of its plan; what is asked otherwise
    is marked as exploratory (`.registered`).
    """
    chosen = {"measure": measure, "dataset": dataset, "target": target, "scale": scale}
    margins = {"non_inferiority": non_inferiority, "equivalence": equivalence}
    if posterior:
        procedure = posterior_of(results, procedure, posterior, chosen)
        if said := [name for name, value in margins.items() if value is not None]:
            raise InferenceError(
                f"A posterior has a region in which two are practically the same: say --rope "
                f"(rope=) instead of {said[0]}."
            )
    relevance = region(procedure, bool(posterior), relevance, rope)
    asked = {
        "procedure": procedure,
        "null": null,
        "adjust": adjust,
        "control": control,
        "pairs": _tuples(pairs),
        "contrasts": _named(contrasts),
        "estimate": estimate,
        "alternative": alternative,
        "alpha": alpha,
        "relevance": relevance,
        "gaps": gaps_said(gaps, missing) if gaps or missing else None,
        "force": force or None,
        "posterior": posterior or None,
        "rho": rho,
        "weights": read_weights(weights),
        "covariates": read_names(covariates),
    }
    if isinstance(results, Results) and results.registered is not None:
        every = {**asked, **chosen, **margins}
        return compare_registered(results, {k: v for k, v in every.items() if v is not None})
    if judge is not None or human is not None:
        results, chosen = judged(results, judge, human, chosen), dict.fromkeys(chosen)
    return _compared(results, Options.said(**asked), chosen, margins)


def _compared(
    results: Any, asked: Options, chosen: Mapping[str, Any], margins: Mapping[str, Any]
) -> Comparisons:
    made = layout_of(results, asked.procedure, gaps=asked.gaps, **chosen)
    against = asked.control is not None or asked.pairs is not None
    if margins["non_inferiority"] is not None and not against and len(made.algorithms) > 2:
        raise InferenceError(
            "Non-inferiority is to one algorithm: say to which, as in --control "
            f"{made.algorithms[0]} (control='{made.algorithms[0]}'), or say pairs."
        )
    return compare_layout(made, asked.with_margin(made.measure.higher_is_better, **margins))


def compare_registered(results: Results, asked: Mapping[str, Any]) -> Comparisons:
    """The planned analysis of a registered study, changed by what is asked besides.

    What was planned is done on the planned data sets, algorithms and samples; whatever else is
    asked is exploratory, on all that there is.
    """
    if results.registered is None:
        return compare(results, **asked)
    plan = binding(versions_of(results)).plan
    aside = "aside" in results.registered
    full = dict(asked) if aside else _changed(plan.options(), asked)
    if not aside and _is_planned(as_registered(results), plan.options(), full):
        full = plan.options()
    if results.stopping is not None and not full.get("force"):
        _check_level(plan.options(), full)
    about = planned_and_done(results, full)
    of = results if about.exploratory else as_registered(results)
    found = _by(of, full)
    mark = _mark(about)
    return replace(
        found, warnings=(mark, *found.warnings), extras=replace(found.extras, registered=about)
    )


def _check_level(planned: Mapping[str, Any], full: Mapping[str, Any]) -> None:
    """Refuse another level than looks were planned with, also where it is the usual one."""
    for name in OF_PLAN:
        if full.get(name, planned[name]) != planned[name]:
            raise fixed_by_plan(name, planned[name])


OF_DESIGN = ("procedure", "target", "scale", "dataset", "null", "adjust", "estimate", "alternative")


def _is_planned(results: Results, planned: Mapping[str, Any], full: Mapping[str, Any]) -> bool:
    """Whether what is asked only says in words what a plan leaves to the design.

    `--procedure hull`, say, where the design of the study chooses hull.
    """
    more = [name for name in full if name not in planned]
    if (
        not more
        or not {*more} <= {*OF_DESIGN}
        or any(full.get(name) != value for name, value in planned.items())
    ):
        return False
    try:
        one, other = _by(results, planned), _by(results, full)
    except PodiumError:  # what is asked will be refused in its own words
        return False
    same = (one.procedure, one.target, one.measure, one.dataset) == (
        other.procedure, other.target, other.measure, other.dataset)  # fmt: skip
    return same and one.table.equals(other.table)


FAMILIES = ("control", "pairs", "contrasts")  # one at a time


def _changed(planned: Mapping[str, Any], asked: Mapping[str, Any]) -> dict[str, Any]:
    """What was planned, with what is asked instead."""
    other = any(name in asked for name in FAMILIES)
    kept = {k: v for k, v in planned.items() if not (other and k in FAMILIES)}
    return {**kept, **asked}


def _by(results: Results, full: Mapping[str, Any]) -> Comparisons:
    """Comparisons by options that are said in full."""
    known = {f.name for f in fields(Options)}
    chosen = {n: full.get(n) for n in ("measure", "dataset", "target", "scale")}
    margins = {n: full.get(n) for n in ("non_inferiority", "equivalence")}
    return _compared(results, Options.said(**{n: v for n, v in full.items() if n in known}),
                     chosen, margins)  # fmt: skip


def _mark(about: PlannedAndDone) -> Note:
    version = about.version
    if about.exploratory:
        return Note("exploratory", fingerprint=version.fingerprint)
    facts = {"fingerprint": version.fingerprint, "time": version.time}
    return Note("registered", REMARK, deviations=len(about.deviations), **facts)


def _tuples(pairs: Pairs | None) -> Pairs | None:
    """Pairs as a plan holds them; what are none are refused in their own words."""
    if not pairs or any(isinstance(pair, str) for pair in pairs):
        return pairs
    made: list[Any] = [tuple(pair) for pair in pairs]
    return tuple(made)


def _named(contrasts: Contrasts | np.ndarray | None) -> Contrasts | None:
    """Contrasts by name; the rows of a matrix are numbered."""
    if contrasts is None or isinstance(contrasts, Mapping):
        return contrasts
    rows = enumerate(np.atleast_2d(contrasts).tolist(), 1)
    return {f"contrast {i}": row for i, row in rows}


def layout_of(
    results: Any,
    procedure: str | Procedure | None = None,
    *,
    measure: str | None = None,
    dataset: str | None = None,
    target: str | None = None,
    scale: str | None = None,
    gaps: str | None = None,
) -> Layout:
    """The layout of results, or of anything that `read` takes; a layout stays as it is.

    Samples within data sets stay apart for procedures that are made for them.
    """
    chosen = {"measure": measure, "dataset": dataset, "target": target, "scale": scale}
    if isinstance(results, Layout):
        if said := [name for name, value in chosen.items() if value is not None]:
            raise InferenceError(f"A layout has its own {', '.join(said)}: make another layout.")
        return results
    found = results if isinstance(results, Results) else read(results, measure=measure)
    return suited(found, procedure, gaps=gaps, **chosen)


def order_by(
    results: Any,
    statistic: str | Callable[[np.ndarray], np.ndarray] = "mean",
    *,
    measure: str | None = None,
    dataset: str | None = None,
    epsilon: float = 0.0,
    intervals: float | None = None,
    resamples: int = 999,
    seed: int = 0,
) -> Ordered:
    """The order by a statistic of the scores, which describes them and tests nothing.

    Parameters
    ----------
    statistic : mean, median, minimum, maximum, worst:12, quantile:0.95 ... of the scores in the
        measure's own sign, or a function of blocks x algorithms.
    epsilon : algorithms whose statistics differ by no more are alike.
    intervals : a level such as 0.95: alike are those whose bootstrap intervals overlap.
    resamples, seed : of the bootstrap.
    """
    made = layout_of(results, measure=measure, dataset=dataset).complete()
    found = ordered(
        made.sign * made.values,
        made.algorithms,
        statistic,
        higher_is_better=made.measure.higher_is_better,
        epsilon=epsilon,
        intervals=intervals,
        resamples=resamples,
        seed=seed,
    )
    return explored(replace(found, notes=(*made.notes, *found.notes)), results)


def score_interval(
    results: Any,
    *,
    measure: str | None = None,
    dataset: str | None = None,
    target: str | None = None,
    alpha: float = 0.05,
    judge: str | None = None,
    human: str | None = None,
) -> Comparisons:
    """Comparisons without a pair: one algorithm has an interval of its expected score.

    With `judge` and `human` it is the score that people would give.
    """
    if judge is not None or human is not None:
        chosen = {"measure": measure, "dataset": dataset, "target": target, "scale": None}
        return single.alone(judged(results, judge, human, chosen), alpha)
    made = layout_of(results, measure=measure, dataset=dataset, target=target)
    found, mark = single.alone(made, alpha), beside_plan(results)
    return found if mark is None else replace(found, warnings=(mark, *found.warnings))


def decide(
    comparisons: Comparisons, *, alpha: float | None = None, relevance: float | None = None
) -> Order:
    """The order that comparisons allow; alpha and relevance are theirs unless changed."""
    return decide_comparisons(comparisons, alpha, relevance)


def order(text: str) -> Order:
    """The order that a text such as `svm ≈ rpart < nnet` writes (or `svm ~ rpart < nnet`)."""
    return parse_order(text)
