"""From results to comparisons and orders."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from html import escape
from typing import Any, TypeVar

import numpy as np

from podium.core.base.errors import InferenceError, PodiumError
from podium.core.base.options import takes
from podium.core.base.progress import Progress
from podium.core.base.rooms import offered, required
from podium.core.inference.bricks.nulls import parse_null
from podium.core.inference.comparing import single
from podium.core.inference.comparing.arranging import suited
from podium.core.inference.comparing.compare import compare as compare_layout
from podium.core.inference.comparing.comparisons import Comparisons
from podium.core.inference.comparing.known import PROCEDURES, procedure_named
from podium.core.inference.comparing.known import posterior as named_posterior
from podium.core.inference.comparing.legality import training_size
from podium.core.inference.layouts import Layout
from podium.core.inference.procedures.covariates import read_names
from podium.core.inference.procedures.mean_tests import read_weights
from podium.core.inference.procedures.posteriors import HIERARCHICAL, LEAST_SAMPLES
from podium.core.inference.procedures.procedure import (
    INDEPENDENT,
    OF_PLAN,
    UNPAIRED,
    Contrasts,
    Options,
    Pairs,
    Procedure,
    fixed_by_plan,
)
from podium.core.orders.decide import Ordered
from podium.core.orders.decide import decide as decide_comparisons
from podium.core.orders.decide import order_by as ordered
from podium.core.questions.measures import TIMES
from podium.core.questions.options import PlannedAndDone, binding
from podium.core.questions.targets import BLOCKS, DATASET, FOLD, NESTED, TARGETS, claim
from podium.core.results.pass_at import training_sizes
from podium.core.results.planned_and_done import (
    as_registered,
    beside_plan,
    explored,
    planned_and_done,
    versions_of,
)
from podium.core.results.results import Results
from podium.core.verdicts.judged import judged
from podium.core.words.facts import DETAIL, REMARK, Note
from podium.core.words.saying import IN_NOTEBOOKS, as_html


def read_as_results(source: Any, measure: str | None) -> Results:
    """Results as they are; what else there is, the room that reads files makes them of."""
    if isinstance(source, Results):
        return source
    made: Results = required("results_of")(source, measure=measure)
    return made


def _in_notebook(c: Comparisons) -> str:
    """The first screen of a page; order, pairs and notes below."""
    below = as_html(c._lines_above(), c._texts(), c.notes)
    try:
        order = decide_comparisons(c)
    except PodiumError:  # nothing to put in an order
        return below
    made = offered("notebook_hero")
    first = made(c) if made is not None else ""
    if not first:
        return below
    order_line = f"<p>{escape(str(order))}</p>"
    return f"{first}<details><summary>Pairs and notes</summary>{order_line}{below}</details>"


IN_NOTEBOOKS[Comparisons] = _in_notebook
CHOSEN = ("measure", "dataset", "target", "scale")  # which layout
MARGINS = ("non_inferiority", "equivalence")


@takes("choosing", "testing", "comparing", only_given=True)
def compare(results: Any, procedure: str | Procedure | None = None, **options: Any) -> Comparisons:
    """Evidence about pairs of algorithms: who is better, by how much, and how sure.

    Of a registered study, options that are left out are those of its plan; what is asked otherwise
    is marked as exploratory (`.extras.registered`).

    Parameters
    ----------
    results : Results, Layout, or anything that `read` takes
        Several data sets are blocks, their samples averaged.
    procedure : str | Procedure | None
        A name from `podium list tests`; without one the design decides.

    Returns
    -------
    Comparisons
        `.table` has one row per pair: estimate, limits, p-values and verdict.

    Examples
    --------
    >>> import podium
    >>> scores = {"svm": [0.1, 0.2, 0.3, 0.2], "lda": [0.3, 0.5, 0.4, 0.4]}
    >>> result = podium.compare(podium.read(scores, sampling="runs", measure="error"))
    >>> result.table["verdict"].tolist()
    ['better']
    """
    chosen = {name: options.pop(name, None) for name in CHOSEN}
    margins = {name: options.pop(name, None) for name in MARGINS}
    judge, human, rope = (options.pop(name, None) for name in ("judge", "human", "rope"))
    posterior = options.get("posterior", False)
    if posterior:
        if judge is not None or human is not None:
            raise InferenceError(
                "A judge that people correct has no posterior here: leave --bayes (posterior=) "
                "out, which compares by judge-corrected."
            )
        procedure = posterior_of(results, procedure, posterior, chosen)
        if given := [name for name, value in margins.items() if value is not None]:
            raise InferenceError(
                f"A posterior has a region in which two are practically the same: use --rope "
                f"(rope=) instead of {given[0]}."
            )
    wanted = {
        **options,
        "procedure": procedure,
        "relevance": region(procedure, bool(posterior), options.get("relevance"), rope),
        "pairs": _tuples(options.get("pairs")),
        "contrasts": _contrasts(options.get("contrasts")),
        "force": options.get("force") or None,
        "posterior": posterior or None,
        "weights": read_weights(options.get("weights")),
        "covariates": read_names(options.get("covariates")),
    }
    if isinstance(results, Results) and results.registered is not None:
        every = {**wanted, **chosen, **margins}
        return compare_registered(results, {k: v for k, v in every.items() if v is not None})
    if judge is not None or human is not None:
        results, chosen = judged(results, judge, human, chosen), dict.fromkeys(chosen)
    return _compared(results, Options.said(**wanted), chosen, margins)


def _compared(
    results: Any, options: Options, chosen: Mapping[str, Any], margins: Mapping[str, Any]
) -> Comparisons:
    layout = layout_of(results, options.procedure, gaps=options.gaps, **chosen)
    against = options.control is not None or options.pairs is not None
    if margins["non_inferiority"] is not None and not against and len(layout.algorithms) > 2:
        raise InferenceError(
            "Non-inferiority is to one algorithm: say to which, as in --control "
            f"{layout.algorithms[0]} (control='{layout.algorithms[0]}'), or say pairs."
        )
    comparisons = compare_layout(
        layout, options.with_margin(layout.measure.higher_is_better, **margins)
    )
    if isinstance(results, Results) and _asks_of_changes(layout, options, chosen, margins):
        timed = offered("timings_compared")
        return comparisons if timed is None else timed(results, layout, comparisons)
    return beside_sizes(results, layout, comparisons)


def _asks_of_changes(
    made: Layout, options: Options, chosen: Mapping[str, Any], margins: Mapping[str, Any]
) -> bool:
    """Whether these may be times of two versions, and no test or target was named."""
    if made.block != DATASET or len(made.algorithms) != 2 or made.measure.spec not in TIMES:
        return False
    given = [name for name, value in {**chosen, **margins}.items() if value is not None]
    return {*given} <= {"measure"} and options == Options(alpha=options.alpha, gaps=options.gaps)


def beside_sizes(results: Any, made: Layout, result: Comparisons) -> Comparisons:
    """With what training sizes say of a claim over data sets, where one is known."""
    over = made.block in (DATASET, NESTED) and isinstance(results, Results)
    if not over or training_size(made) is None:
        return result
    check = offered("equal bias") if len(training_sizes(results)) > 1 else None  # loads much
    note = Note("equal-bias-unknown", DETAIL) if check is None else check(results, result)
    return replace(result, warnings=(*result.warnings, note))


def compare_registered(results: Results, options: Mapping[str, Any]) -> Comparisons:
    """The planned analysis of a registered study, changed by what is asked besides.

    What was planned is done on the planned data sets, algorithms and samples; whatever else is
    asked is exploratory, on all that there is.
    """
    if results.registered is None:
        return compare(results, **options)
    plan = binding(versions_of(results)).plan
    aside = "aside" in results.registered
    full = dict(options) if aside else _changed(plan.options(), options)
    if not aside and _is_planned(as_registered(results), plan.options(), full):
        full = plan.options()
    if results.stopping is not None and not full.get("force"):
        _check_level(plan.options(), full)
    about = planned_and_done(results, full)
    compared = results if about.exploratory else as_registered(results)
    result = _by(compared, full)
    mark = _mark(about)
    return replace(
        result, warnings=(mark, *result.warnings), extras=replace(result.extras, registered=about)
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


def _changed(planned: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """What was planned, with what is asked instead."""
    other = any(name in options for name in FAMILIES)
    kept = {k: v for k, v in planned.items() if not (other and k in FAMILIES)}
    return {**kept, **options}


def _by(results: Results, full: Mapping[str, Any]) -> Comparisons:
    """Comparisons by options that are said in full."""
    known = {f.name for f in fields(Options)}
    chosen = {n: full.get(n) for n in CHOSEN}
    margins = {n: full.get(n) for n in MARGINS}
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


def _contrasts(contrasts: Contrasts | np.ndarray | None) -> Contrasts | None:
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
        if texts := [name for name, value in chosen.items() if value is not None]:
            raise InferenceError(f"A layout has its own {', '.join(texts)}: make another layout.")
        return results
    result = read_as_results(results, measure)
    return suited(result, procedure, gaps=gaps, **chosen)


@takes("measure", "dataset", "seed")
def order_by(
    results: Any,
    statistic: str | Callable[[np.ndarray], np.ndarray] = "mean",
    *,
    epsilon: float = 0.0,
    intervals: float | None = None,
    resamples: int = 999,
    **options: Any,
) -> Ordered:
    """The order by a statistic of the scores, which describes them and tests nothing.

    Parameters
    ----------
    results : Results, Layout, or anything that `read` takes
    statistic : str or a function of blocks x algorithms
        mean, median, minimum, maximum, worst:12, quantile:0.95 ... of the scores in the measure's
        own sign.
    epsilon : float
        Algorithms whose statistics differ by no more are alike.
    intervals : float | None
        A level such as 0.95: alike are those whose bootstrap intervals overlap.
    resamples : int
        Of the bootstrap.

    Returns
    -------
    Ordered
        The order and the statistics.
    """
    layout = layout_of(results, measure=options["measure"], dataset=options["dataset"]).complete()
    result = ordered(
        layout.sign * layout.values,
        layout.algorithms,
        statistic,
        higher_is_better=layout.measure.higher_is_better,
        epsilon=epsilon,
        intervals=intervals,
        resamples=resamples,
        seed=options["seed"],
    )
    return explored(replace(result, notes=(*layout.notes, *result.notes)), results)


@takes("measure", "dataset", "target", "alpha", "judge", "human")
def score_interval(results: Any, **options: Any) -> Comparisons:
    """Comparisons without a pair: one algorithm has an interval of its expected score.

    With `judge` and `human` it is the score that people would give.

    Parameters
    ----------
    results : Results, Layout, or anything that `read` takes

    Returns
    -------
    Comparisons
        `.means` and their limits; the table is empty.
    """
    alpha, judge, human = (options.pop(name) for name in ("alpha", "judge", "human"))
    if judge is not None or human is not None:
        return single.alone(judged(results, judge, human, {**options, "scale": None}), alpha)
    result, mark = single.alone(layout_of(results, **options), alpha), beside_plan(results)
    return result if mark is None else replace(result, warnings=(mark, *result.warnings))


# -- posteriors -----------------------------------------------------------------------------------
# Which one is asked for, and the region in which two are practically the same.


def posterior_of(
    results: Any,
    procedure: str | Procedure | None,
    posterior: bool | str,
    chosen: Mapping[str, str | None],
) -> str | None:
    """The name of the posterior; None leaves it to the design of a layout."""
    if procedure is not None:
        raise InferenceError(
            "Say either a procedure or a posterior: --procedure bayes-sign (posterior='sign') "
            "names one of them."
        )
    if posterior is not True:
        return named_posterior(posterior).name
    if isinstance(results, Layout):
        return None
    result = read_as_results(results, chosen["measure"])
    return HIERARCHICAL.name if _has_samples(result, chosen) else None


def _has_samples(results: Results, chosen: Mapping[str, str | None]) -> bool:
    """Whether data sets have samples enough of their own, and are compared by their scores."""
    if chosen["dataset"] or chosen["scale"] or len(results.datasets) < 2:
        return False
    if chosen["target"] not in (None, *(target for _, target in HIERARCHICAL.legal)):
        return False
    if results.sampling is None or results.sampling.independent:
        return False
    counts = results.scores.groupby(["dataset", "algorithm"], observed=True)["sample"].nunique()
    return int(counts.min()) >= LEAST_SAMPLES


def region(
    procedure: str | Procedure | None, posterior: bool, relevance: float | None, rope: float | None
) -> float | None:
    """The relevance of a posterior: what two may differ by and be practically the same."""
    if rope is None:
        return relevance
    record = procedure_named(procedure) if isinstance(procedure, str) else procedure
    if not posterior and (record is None or record.bayes.posterior is None):
        raise InferenceError(
            "--rope (rope=) is for a posterior: add --bayes (posterior=True), or use --relevance "
            "(relevance=)."
        )
    if relevance:
        raise InferenceError("Say either rope or relevance: for a posterior they are the same.")
    return rope


# -- the same analysis again ----------------------------------------------------------------------
# The same analysis again: what was asked and chosen of one layout is kept for others like it.


Case = TypeVar("Case")
Found = TypeVar("Found")
Refusals = type[PodiumError] | tuple[type[PodiumError], ...]
OWN_SAMPLES = "every algorithm has samples of its own, so that there are no whole blocks to draw"
NO_SAMPLE = "such blocks are no random sample of what the target is about"
QUICK = ("asymptotic", "normal", "corrected", "mid-p")  # nulls that neither draw nor enumerate
FEW_DRAWS = 499  # in each of many resamples


USUAL = Options()
ABOUT = (
    "measure", "higher_is_better", "procedure", "title", "blocks", "target", "alpha", "relevance",
)  # fmt: skip


def pinned(layout: Layout, options: Options) -> tuple[Comparisons, Options]:
    """The comparisons of a layout, and the options that lead there again.

    Procedure, null and adjustment may follow from the scores at hand (their number, gaps, ties);
    the pinned options name those of this layout.
    """
    refuse_contrasts(options)
    comparisons = compare_layout(layout, options)
    used = comparisons.judged
    assert used is not None  # contrasts apart, pairs are compared
    bricks = {"procedure": used.procedure, "null": used.null, "adjust": used.adjust.name}
    return comparisons, options.but(**bricks, estimate=None)


def procedure_of(options: Options) -> Procedure:
    """The procedure that options name."""
    names = options.procedure
    return names if isinstance(names, Procedure) else PROCEDURES[str(names)]


def about(comparisons: Comparisons) -> dict[str, Any]:
    """What the comparisons at hand are of, before what became of them again."""
    facts = comparisons._facts()
    return {name: facts[name] for name in ABOUT}


def quick(options: Options) -> Options:
    """The same with the procedure's own quick null, where it would have to be drawn each time.

    Where all pairs are judged at once by draws there is no other: fewer of them have to do.
    """
    if options.null is not None and parse_null(options.null).name in QUICK:
        return options
    procedure = procedure_of(options)
    own = procedure.nulls.default
    if procedure.judge.joint and own:
        null = parse_null(options.null or own)
        return options.but(null=replace(null, draws=min(null.draws, FEW_DRAWS)))
    return options.but(null=parse_null(own if own in QUICK else "asymptotic"))


def tried(
    cases: Iterable[Case],
    find: Callable[[Case], Found],
    progress: Progress | None = None,
    total: int | None = None,
    refusal: Refusals = InferenceError,
) -> Iterator[tuple[Case, Found | PodiumError]]:
    """Every case with what is found for it or, where that is refused, the refusal.

    `progress` is told after each that it is done, of `total` (or as many as the list has).
    """
    for done, case in enumerate(cases, 1):
        try:
            result: Found | PodiumError = find(case)
        except refusal as error:
            result = error
        yield case, result
        if progress is not None:
            progress(done, len(cases) if isinstance(cases, Sequence) else total or done)


def refuse_contrasts(options: Options) -> None:
    """Refuse what compares no two algorithms."""
    if options.contrasts is not None:
        raise InferenceError("Contrasts make no order: say pairs or a control instead.")


def refuse_stopped(layout: Layout) -> None:
    """Refuse a study that may stop: what was run of it follows from what was seen."""
    if layout.stopped.plan is not None:
        raise InferenceError(
            "This study stopped by a plan, so what was run depends on the scores: they cannot be "
            "drawn again, nor algorithms left out. `podium status` and `podium analyze` show what "
            "its looks found."
        )


def refuse_dependent(layout: Layout) -> None:
    """Refuse blocks that are not independent evidence about the target."""
    refuse_stopped(layout)
    kind = (layout.block, layout.target)
    if kind in INDEPENDENT:
        return
    reason = OWN_SAMPLES if kind in UNPAIRED else claim(*kind).why or NO_SAMPLE
    targets = [target for target in TARGETS if (layout.block, target) in INDEPENDENT]
    way = f"ask for the target '{targets[0]}', or " if targets else ""
    if layout.block == FOLD:
        way = "ask for the target 'sample' of a repeated-cv, such as repeated-cv:10x10, or "
    raise InferenceError(
        f"A bootstrap of the rows is not valid for {BLOCKS[layout.block].text} and the target "
        f"'{layout.target}': {reason}; {way}use left_out."
    )
