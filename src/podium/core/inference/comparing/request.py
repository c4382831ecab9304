"""What is asked of a layout, checked: the procedure, the pairs, the other bricks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from podium.core.base.errors import InferenceError
from podium.core.base.registry import unknown
from podium.core.inference.bricks.adjustments import ADJUSTMENTS, Adjustment, adjustment
from podium.core.inference.bricks.contrasts import (
    Pair,
    against,
    all_pairs,
    check_count,
    matrix,
    weighted,
)
from podium.core.inference.bricks.contrasts import named_pairs as named_pairs
from podium.core.inference.bricks.estimates import (
    Estimates,
    Estimator,
    block_sums,
    means,
    mixed,
)
from podium.core.inference.bricks.nulls import (
    ALTERNATIVES,
    LEAST_BLOCKS,
    RANDOM,
    NullBrick,
    largest,
    mixed_f,
    parse_null,
    quadratic,
)
from podium.core.inference.bricks.quantities import find_quantity, gives, in_measure_unit
from podium.core.inference.bricks.scales import SCORES
from podium.core.inference.comparing.known import posterior, procedure_named
from podium.core.inference.comparing.legality import default_posterior, default_procedure
from podium.core.inference.layouts import Layout, clustered, without_rounding
from podium.core.inference.procedures.posteriors import check_posterior
from podium.core.inference.procedures.procedure import (
    ADJUST,
    CONTRASTS,
    INDEPENDENT,
    NO_REFERENCE,
    NULL,
    OF_ANY_ESTIMATE,
    OWN_BRICKS,
    UNPAIRED,
    Judge,
    Options,
    Procedure,
    Reports,
    compute_estimates,
    derive,
    describe_equality,
)
from podium.core.inference.procedures.procedure import PAIRS as WHICH_PAIRS
from podium.core.inference.procedures.sequential import procedure_of
from podium.core.questions.options import COMPLETE, GAPS, PAIRS, WORST, check_alpha
from podium.core.questions.targets import BLOCKS, Default
from podium.core.words.facts import DETAIL, Note

LARGEST = 1e60  # score
USUAL_NULLS = {"asymptotic", "permutation", "exact"}  # where a procedure has no other default
MOST_SIGNS = 2**24  # patterns of signs, of all pairs together: some seconds


@dataclass(frozen=True)
class Request:
    """What is asked of a layout, besides the procedure."""

    pairs: tuple[Pair, ...]  # empty for a user's own contrasts
    labels: tuple[tuple[str, str], ...]  # first and second of each row
    algorithms: int
    weights: np.ndarray | None  # a user's own contrasts: rows x algorithms
    null: NullBrick
    adjust: Adjustment
    alternative: str
    alpha: float
    relevance: float
    rho: float | None = None  # correlation of samples, of a posterior

    @cached_property
    def contrasts(self) -> np.ndarray:
        """Rows x algorithms; made for those who need them, as they are large."""
        return matrix(self.pairs, self.algorithms) if self.weights is None else self.weights

    @property
    def two_sided(self) -> bool:
        """Whether both directions count."""
        return self.alternative == "two-sided"


def chosen_procedure(layout: Layout, options: Options) -> tuple[Procedure, tuple[Note, ...]]:
    """The procedure that was named, or the one that the design calls for with the reason."""
    procedure, reason = _procedure(layout, options)
    if options.estimate is not None:
        procedure = with_estimate(procedure, options.estimate)
    return procedure, reason


def _procedure(layout: Layout, options: Options) -> tuple[Procedure, tuple[Note, ...]]:
    if isinstance(options.procedure, Procedure):
        return options.procedure, ()
    if options.procedure is not None:
        return procedure_named(options.procedure), ()
    if options.posterior:
        named_one = options.posterior is not True
        return posterior(options.posterior if named_one else default_posterior(layout)), ()
    if options.gaps == WORST:
        layout = layout.filled()
    if layout.stopped.plan is not None:
        return procedure_of(layout.stopped.plan), ()
    chosen = default_procedure(layout)
    amounts = procedure_named(chosen.procedure).reports.amounts
    if amounts and options.relevance:
        chosen = Default(amounts, "a margin is about amounts, which ranks do not have")
    bricks = procedure_named(chosen.procedure).judge.other_bricks
    if bricks and _replaces_bricks(options, procedure_named(chosen.procedure)):
        chosen = Default(bricks, "it takes the bricks that were asked for")
    note = Note("procedure-chosen", DETAIL, procedure=chosen.procedure, because=chosen.reason)
    return procedure_named(chosen.procedure), (note,)


def _replaces_bricks(options: Options, procedure: Procedure) -> bool:
    """Whether other bricks are asked for than a procedure can have that judges pair by pair."""
    adjust = adjustment(options.adjust) if options.adjust else None
    joint = adjust is not None and (adjust.joint or adjust.related or adjust.closed)
    joint = joint and adjust is not None and adjust.name not in procedure.judge.joint
    others = (options.null, options.estimate, options.contrasts)
    return joint or any(brick is not None for brick in others)


def with_estimate(procedure: Procedure, estimate: str | Estimator) -> Procedure:
    """The procedure with another estimate brick.

    What the procedure says of itself no longer holds. In particular it is not legal any more where
    only its own estimate allows for dependent blocks.
    """
    made = _read_estimate(estimate)
    is_named = isinstance(estimate, str)
    sums = is_named and str(estimate).startswith("block-sums")
    default = procedure.nulls.default
    if is_named:
        default = "" if sums else "asymptotic"
    unpaired = procedure.needs.unpaired and not is_named
    return derive(
        procedure,
        estimate=made,
        judge=Judge(),
        overall=mixed_f if estimate == "mixed" else quadratic,
        pairwise=procedure.pairwise or estimate in OF_TWO,
        title=f"{procedure.name} of {estimate}" if is_named else "own estimate",
        words="",
        hypothesis=describe_equality(find_quantity(made), procedure.criterion),
        null=OF_ANY_ESTIMATE,
        controls=OWN_BRICKS,
        references=NO_REFERENCE,
        legal=procedure.legal & (INDEPENDENT | UNPAIRED if unpaired else INDEPENDENT),
        reports=Reports(marked=procedure.reports.marked, own=True),
        nulls=replace(procedure.nulls, default=default),
        needs=replace(
            procedure.needs,
            unpaired=unpaired,
            clusters=estimate == "means",
            gaps=unpaired or estimate == "mixed",
            incomplete=estimate == "mixed",
            margins=not sums if is_named else procedure.needs.margins,
            binary=False,
            weighs=False,
            covariates=None,
        ),
    )


OF_TWO = ("block-sums:signs", "block-sums:signed-ranks", "block-sums:pratt")  # algorithms


def _read_estimate(estimate: str | Estimator) -> Estimator:
    """The brick of a name, or what was given; of a class whose objects estimate, such an object."""
    if isinstance(estimate, type) and not issubclass(estimate, Estimates):
        return _make_instance(estimate)
    if not isinstance(estimate, str):
        return estimate
    name, _, scores = estimate.partition(":")
    if name == "block-sums":
        return partial(block_sums, scores=SCORES[scores or "raw"])
    if scores or name not in ("means", "mixed"):
        known = ["means", "mixed", "block-sums", *(f"block-sums:{s}" for s in SCORES)]
        raise InferenceError(unknown("estimate", estimate, known))
    return means if name == "means" else mixed


def _make_instance(kind: type) -> Estimator:
    """An object of a class whose objects are called with a layout."""
    if not any("__call__" in vars(each) for each in kind.__mro__):
        raise InferenceError(
            f"An estimate is called with a layout, and objects of the class '{kind.__name__}' "
            "cannot be called: give it a method __call__(self, layout), or give a function."
        )
    try:
        return kind()
    except TypeError:
        raise InferenceError(
            f"The class '{kind.__name__}' needs arguments: give an object of it as the estimate, "
            f"as in estimate={kind.__name__}(...)."
        ) from None


def state_unit(procedure: Procedure, layout: Layout) -> Procedure:
    """The procedure, now that estimates of which nobody said so may say that they are in units.

    It takes one estimate to know; those of a function that says what it gives are not asked.
    """
    if not procedure.quantity.unsaid or procedure.maker is not procedure.estimate:
        return procedure
    tried = layout.only((0, 1)) if procedure.pairwise else layout
    if not compute_estimates(procedure, tried).in_units:
        return procedure
    known = in_measure_unit(procedure.quantity)
    estimate = gives(known)(partial(procedure.estimate))
    return derive(procedure, estimate=estimate)


def find_replaced(procedure: Procedure, request: Request) -> frozenset[str]:
    """Which bricks of a procedure's own are others in this request; of null and pairs by kind."""
    default, used = procedure.nulls.default, request.null.name
    usual = {parse_null(default).name, procedure.nulls.of_one} if default else USUAL_NULLS
    one_against_all = len({second for _, second in request.pairs}) == 1
    count = request.algorithms * (request.algorithms - 1) // 2
    if procedure.needs.control:
        as_named = one_against_all and len(request.pairs) == request.algorithms - 1
    else:
        as_named = len(request.pairs) == count
    others = {
        ADJUST: len(request.labels) > 1 and request.adjust.name != procedure.adjust,
        NULL: procedure.bayes.posterior is None and used not in usual,
        WHICH_PAIRS: not as_named,
        CONTRASTS: request.weights is not None,
    }
    return frozenset(brick for brick, is_other in others.items() if is_other)


def prepared(layout: Layout, procedure: Procedure, gaps: str | None) -> Layout:
    """The layout as the procedure can use it, its gaps treated and its criterion applied."""
    if gaps is not None and gaps not in GAPS:
        raise InferenceError(unknown("policy for missing scores", gaps, GAPS))
    _check_scores(layout)
    if gaps == WORST:
        layout = _filled(layout)
    _check_every_algorithm(layout)
    if procedure.needs.ordered and layout.has_gaps:
        raise InferenceError(
            f"'{procedure.name}' needs every algorithm's score at every origin, in their order, "
            f"and {int(np.isnan(layout.values).any(axis=1).sum())} of {len(layout.values)} lack "
            "one; run them, or count what is missing as the worst (gaps='worst')."
        )
    if gaps == PAIRS and not procedure.needs.gaps:
        _check_pairs_can(layout, procedure)
    if not procedure.needs.gaps or (gaps == COMPLETE and not procedure.needs.unpaired):
        layout = layout.complete()
    if procedure.needs.binary and layout.items.clusters is not None:
        raise InferenceError(
            f"'{procedure.name}' takes items for independent, and these come in clusters; use "
            "paired-t or max-modulus."
        )
    if not procedure.needs.clusters:
        layout = clustered(layout)
    if procedure.needs.unpaired:
        _check_sizes(layout)
    layout = layout.in_order()
    count = len(layout.values)
    if count < procedure.needs.least:
        what = f"'{procedure.name}'" if procedure.needs.least > 2 else "A comparison"
        whole = "" if procedure.needs.with_fewer else " with all scores"
        instead = f": use {procedure.needs.with_fewer}" if procedure.needs.with_fewer else ""
        raise InferenceError(
            f"{what} needs at least {procedure.needs.least} rows{whole}; there "
            f"{'is' if count == 1 else 'are'} {count}{instead}."
        )
    return procedure.criterion(layout) if procedure.criterion else layout


def _check_pairs_can(layout: Layout, procedure: Procedure) -> None:
    """Refuse pairs on their own blocks, where a procedure takes those with all scores only."""
    lacking = int(np.isnan(layout.values).any(axis=1).sum())
    if lacking and len(layout.algorithms) > 2:  # of two these are the same blocks
        raise InferenceError(
            f"'{procedure.name}' compares all algorithms on the same rows, and {lacking} of "
            f"{len(layout.values)} lack a score: use --gaps complete (gaps='complete') to leave "
            "these out, or take a test that compares each two on the rows that both have: "
            "hull, max-modulus or mixed-tukey."
        )


def _filled(layout: Layout) -> Layout:
    """The layout with its gaps filled by the worst value, where a gap is a missing score."""
    drawn = layout.origin.sampling.count if layout.origin.sampling else None
    if BLOCKS[layout.block].unpaired and layout.has_gaps and drawn != len(layout.values):
        raise InferenceError(
            "Independent samples may differ in number, so it is not known which scores are "
            f"missing; say how many each algorithm has, as in bootstrap:{len(layout.values)}"
            "+independent, or leave --gaps worst (gaps='worst') out."
        )
    return layout.filled()


def _check_sizes(layout: Layout) -> None:
    """Refuse an algorithm without two samples of its own."""
    counts = (~np.isnan(layout.values)).sum(axis=0)
    if counts.min() < 2:
        raise InferenceError(
            f"Independent samples are compared from 2 scores of every algorithm on; "
            f"'{layout.algorithms[int(counts.argmin())]}' has {counts.min()}."
        )


def _check_scores(layout: Layout) -> None:
    names = layout.algorithms
    if len(names) < 2:
        there = f"is only '{names[0]}'" if names else "are none"
        raise InferenceError(f"A comparison needs two algorithms; there {there}.")
    if np.isinf(layout.values).any():
        raise InferenceError(
            f"The measure '{layout.measure.name}' has infinite scores, which no mean or test can "
            "use; remove them or choose another measure."
        )
    if np.isnan(layout.values).all():
        if layout.stopped.plan is not None:
            return  # no look was possible yet, and that is said
        raise InferenceError(f"There is no score of '{layout.measure.name}' to compare.")
    size = float(np.nanmax(np.abs(layout.values)))
    if size > LARGEST or 0 < size < 1 / LARGEST:  # their fourth powers would not be finite
        raise InferenceError(
            f"The scores of '{layout.measure.name}' are of size {size:.0e}; give them in another "
            "unit."
        )


def _check_every_algorithm(layout: Layout) -> None:
    for name, empty in zip(layout.algorithms, np.isnan(layout.values).all(axis=0), strict=True):
        if empty and layout.stopped.plan is None:  # where looks wait for it
            raise InferenceError(
                f"The algorithm '{name}' has no score of '{layout.measure.name}' in any row: "
                "leave it out, or count it as the worst with --gaps worst (gaps='worst')."
            )


def made_request(layout: Layout, procedure: Procedure, options: Options) -> Request:
    """All that is asked, checked against the procedure and the layout."""
    o = options
    if o.alternative not in ALTERNATIVES:
        raise InferenceError(unknown("alternative", o.alternative, ALTERNATIVES))
    check_alpha(o.alpha)
    check_posterior(procedure, o)
    _check_relevance(procedure, o.alternative, o.relevance)
    _check_range(layout, abs(o.relevance))
    if o.contrasts is not None:
        _check_contrasts(procedure, o.control, o.pairs)
    rows = weighted(layout.algorithms, o.contrasts) if o.contrasts is not None else None
    chosen = _pairs(layout, procedure, o.control, o.pairs) if rows is None else []
    names = [(layout.algorithms[i], layout.algorithms[j]) for i, j in chosen]
    labels = names if o.contrasts is None else [(name, "") for name in o.contrasts]
    adjusted = adjustment(o.adjust or procedure.adjust)
    if o.adjust is None and o.alternative != "two-sided" and adjusted.of_sizes:
        adjusted = ADJUSTMENTS["holm" if adjusted.critical is None else "bonferroni"]
    if len(labels) == 1:
        adjusted = ADJUSTMENTS["none"]  # nothing to adjust for
    elif procedure.judge.joint and not _is_adjustable(procedure, adjusted):
        raise InferenceError(
            f"'{procedure.name}' judges all pairs at once; use --adjust "
            f"{' or '.join(procedure.judge.joint)}."
        )
    _check_adjustment(procedure, adjusted, o.relevance, pairs=rows is None)
    brick = parse_null(o.null) if o.null is not None else _null(layout, procedure, len(labels))
    _check_own_null(procedure, brick)
    return Request(
        tuple(chosen),
        tuple(labels),
        len(layout.algorithms),
        rows,
        brick,
        adjusted,
        o.alternative,
        o.alpha,
        o.relevance,
        o.rho,
    )


def _is_adjustable(procedure: Procedure, adjust: Adjustment) -> bool:
    """Whether a judge of all pairs at once has this adjustment, or takes it for pairs alone."""
    if adjust.name in procedure.judge.joint:
        return True
    return procedure.judge.alone and not (adjust.joint or adjust.related or adjust.closed)


def canonical(layout: Layout, request: Request) -> tuple[Layout, Request]:
    """The same by its scores, where a null is drawn: neither names nor places may matter."""
    if request.null.name not in RANDOM:
        return layout, request
    values = without_rounding(layout.values)
    counts = np.maximum((~np.isnan(values)).sum(axis=0), 1)
    means = without_rounding(np.nansum(values, axis=0) / counts)  # no sums, which levels move
    order = np.argsort(means)
    if len(np.unique(means)) < len(means):
        order = np.lexsort((*np.sort(values, axis=0)[::-1], means))
    place = np.argsort(order).tolist()
    pairs = tuple((place[i], place[j]) for i, j in request.pairs)
    weights = None if request.weights is None else request.weights[:, order]
    arranged = layout.only(order.tolist()).by_scores()
    return arranged, replace(request, pairs=pairs, weights=weights)


def _check_own_null(procedure: Procedure, brick: NullBrick) -> None:
    """Refuse another null than that of a procedure whose judge has its own."""
    own = parse_null(procedure.nulls.default) if procedure.nulls.default else brick
    if brick.name == procedure.nulls.of_one:
        return
    if procedure.judge.joint and brick.name != own.name:
        raise InferenceError(f"'{procedure.name}' draws flips of its own: use --null {own} or so.")
    if procedure.judge.other_bricks and brick.name != own.name:
        raise InferenceError(
            f"'{procedure.name}' has a null of its own: leave --null (null=) out, or use "
            f"{procedure.judge.other_bricks}."
        )


def _check_contrasts(procedure: Procedure, control: object, pairs: object) -> None:
    if control is not None or pairs is not None:
        raise InferenceError("Say either contrasts, or a control, or pairs.")
    if procedure.pairwise:
        raise InferenceError(
            f"'{procedure.name}' scores each pair on its own and knows no contrasts of more than "
            "two algorithms; use paired-t, mixed-tukey or permutation-max."
        )


def _check_adjustment(
    procedure: Procedure, adjustment: Adjustment, relevance: float, pairs: bool
) -> None:
    if adjustment.related and (procedure.pairwise or relevance):
        why = "scores each pair anew" if procedure.pairwise else "is asked about a relevance"
        raise InferenceError(
            f"'{adjustment.name}' needs hypotheses that imply each other, as equal means do, and "
            f"'{procedure.name}' {why}; use holm."
        )
    if adjustment.joint and procedure.pairwise and not procedure.judge.joint:
        raise InferenceError(
            f"'{procedure.name}' scores each pair on its own, so the adjustment "
            f"'{adjustment.name}' has no joint distribution; use holm."
        )
    if adjustment.unpaired and not procedure.needs.unpaired:
        raise InferenceError(
            f"The adjustment '{adjustment.name}' is for independent samples, and "
            f"'{procedure.name}' is for paired ones; use sidak, or single-step."
        )
    if not adjustment.closed:
        return
    if procedure.overall is largest or not pairs:
        raise InferenceError(
            f"Closed testing is about pairs and needs a test of several algorithms at once, which "
            f"'{procedure.name}' may not have; use holm."
        )
    if relevance:
        raise InferenceError("Closed testing tests equality and takes no relevance; use holm.")


def _check_range(layout: Layout, margin: float) -> None:
    """Refuse a margin that no difference can exceed: whoever says 5 may mean 5 points of 100."""
    low, high = layout.measure.bounds
    if not math.isfinite(high - low) or margin < high - low:
        return
    own = layout.sign * layout.values
    if layout.items.linearised is not None or (np.nanmin(own) >= low and np.nanmax(own) <= high):
        raise InferenceError(
            f"A margin of {margin:g} in {layout.measure.name} allows any difference, as its values "
            f"lie from {low:g} to {high:g}: say a smaller one, such as {(high - low) / 20:g}."
        )


def _check_relevance(procedure: Procedure, alternative: str, relevance: float) -> None:
    number = isinstance(relevance, (int, float)) and math.isfinite(relevance)
    if not number or (relevance < 0 and alternative == "two-sided"):
        raise InferenceError(
            f"relevance must be a number of at least 0, not {relevance!r}; a negative one "
            "(non-inferiority) needs a one-sided alternative."
        )
    quantity = procedure.quantity  # a test of a pair moves its scores, whatever it estimates
    in_scores = quantity.in_scores or quantity.location is not None
    if relevance and not (procedure.needs.margins and in_scores):
        raise InferenceError(
            f"'{procedure.name}' knows no differences in the measure's unit, so it takes no "
            "relevance; use paired-t, corrected-t, mixed-tukey, sign-flip or wilcoxon, and for "
            "independent samples games-howell."
        )


def _pairs(
    layout: Layout,
    procedure: Procedure,
    control: str | None,
    pairs: Sequence[tuple[str, str]] | None,
) -> list[Pair]:
    check_count(len(layout.algorithms))
    if pairs is not None and control is not None:
        raise InferenceError("Say either a control or pairs, not both.")
    if pairs is not None:
        return named_pairs(layout.algorithms, pairs)
    if control is not None:
        return against(layout.algorithms, control)
    if procedure.needs.control:
        raise InferenceError(
            f"'{procedure.name}' compares with a control: say which algorithm it is, as in "
            f"--control {layout.algorithms[0]}."
        )
    return all_pairs(len(layout.algorithms))


def _null(layout: Layout, procedure: Procedure, pairs: int) -> NullBrick:
    """The procedure's own null, or asymptotic from 30 blocks on, or exact where that is cheap."""
    blocks = int((~np.isnan(layout.values)).sum(axis=0).min())
    if pairs == 1 and procedure.nulls.of_one:
        return parse_null(procedure.nulls.of_one)
    if procedure.nulls.default:
        return parse_null(
            "exact" if blocks < procedure.nulls.exact_below else procedure.nulls.default
        )
    if blocks >= LEAST_BLOCKS:
        return parse_null("asymptotic")
    cheap = procedure.quantity.few_sums or pairs * 2**blocks <= MOST_SIGNS
    return parse_null("exact" if procedure.pairwise and cheap else "permutation")
