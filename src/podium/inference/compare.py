"""compare: snap the bricks together and wrap what comes out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd

from podium.comparisons import COLUMNS, Comparisons, Note, Overall
from podium.errors import InferenceError
from podium.inference.adjustments import (
    ADJUSTMENTS,
    PARTITIONS_UP_TO,
    Adjustment,
    Evidence,
)
from podium.inference.advice import default_procedure
from podium.inference.contrasts import Pair, against, all_pairs, matrix, named
from podium.inference.estimates import Estimates
from podium.inference.layouts import BLOCKS, MISSING, Layout, clustered
from podium.inference.legality import check
from podium.inference.nulls import (
    ALTERNATIVES,
    LEAST_BLOCKS,
    Known,
    Null,
    NullBrick,
    Separate,
    check_alpha,
    parse_null,
)
from podium.inference.overall import largest
from podium.inference.procedures import PROCEDURES, Procedure
from podium.inference.scores import nearly_tied
from podium.inference.sphericity import WORTH_SAYING, epsilon
from podium.inference.statements import statement
from podium.registry import unknown

PAIR = np.array([[1.0, -1.0]])
LARGEST = 1e60  # score
MOST_SIGNS = 2**24  # patterns of signs, of all pairs together: some seconds


@dataclass(frozen=True)
class Request:
    """What is asked of a layout, besides the procedure."""

    pairs: tuple[Pair, ...]
    null: NullBrick
    adjust: Adjustment
    alternative: str
    alpha: float
    relevance: float

    @property
    def two_sided(self) -> bool:
        """Whether both directions count."""
        return self.alternative == "two-sided"


def compare(
    layout: Layout,
    procedure: str | Procedure | None = None,
    *,
    null: str | NullBrick | None = None,
    adjust: str | None = None,
    control: str | None = None,
    pairs: Sequence[tuple[str, str]] | None = None,
    alternative: str = "two-sided",
    alpha: float = 0.05,
    relevance: float = 0.0,
    missing: str = "complete",
    force: bool = False,
) -> Comparisons:
    """Evidence about pairs of algorithms; see `podium.compare` for the options."""
    chosen, reason = _procedure(layout, procedure)
    remarks = (*layout.notes, *check(chosen, layout, force))
    layout = _prepared(replace(layout, notes=()), chosen, missing)
    request = _request(layout, chosen, null, adjust, control, pairs, alternative, alpha, relevance)
    found = _Found(layout, chosen, request)
    notes = (*remarks, *layout.notes, *reason, *_notes(layout, chosen, request, found))
    return _wrapped(layout, chosen, request, found, notes)


def p_adjusted(
    layout: Layout,
    procedure: Procedure,
    *,
    control: str | None = None,
    force: bool = False,
    null: str | NullBrick | None = None,
    adjust: str | None = None,
) -> tuple[Sequence[Pair], np.ndarray]:
    """The pairs and their adjusted p-values alone, for simulations."""
    check(procedure, layout, force)
    layout = _prepared(layout, procedure, "complete")
    request = _request(layout, procedure, null, adjust, control, None, "two-sided", 0.05, 0.0)
    return request.pairs, _Found(layout, procedure, request).adjusted


# -- checking ------------------------------------------------------------------------------------


def _procedure(
    layout: Layout, procedure: str | Procedure | None
) -> tuple[Procedure, tuple[Note, ...]]:
    if isinstance(procedure, Procedure):
        return procedure, ()
    if procedure is not None:
        return PROCEDURES[procedure], ()
    name, why = default_procedure(layout)
    return PROCEDURES[name], (Note("procedure-chosen", f"{name}: {why}"),)


def _prepared(layout: Layout, procedure: Procedure, missing: str) -> Layout:
    """The layout as the procedure can use it, its gaps treated and its criterion applied."""
    if missing not in MISSING:
        raise InferenceError(unknown("policy for missing scores", missing, MISSING))
    _check_scores(layout)
    if missing == "worst":
        layout = layout.filled()
    _check_every_algorithm(layout)
    if not procedure.gaps:
        layout = layout.complete()
    if procedure.binary and layout.clusters is not None:
        raise InferenceError(
            f"'{procedure.name}' takes items for independent, and these come in clusters; use "
            "paired-t or max-modulus."
        )
    if not procedure.clusters:
        layout = clustered(layout)
    count = len(layout.values)
    if count < 2:
        raise InferenceError(
            f"A comparison needs at least 2 blocks with all scores; there "
            f"{'is' if count == 1 else 'are'} {count}."
        )
    return procedure.criterion(layout) if procedure.criterion else layout


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
        raise InferenceError(f"There is no score of '{layout.measure.name}' to compare.")
    size = float(np.nanmax(np.abs(layout.values)))
    if size > LARGEST or 0 < size < 1 / LARGEST:  # their fourth powers would not be finite
        raise InferenceError(
            f"The scores of '{layout.measure.name}' are of size {size:.0e}; give them in another "
            "unit."
        )


def _check_every_algorithm(layout: Layout) -> None:
    for name, empty in zip(layout.algorithms, np.isnan(layout.values).all(axis=0), strict=True):
        if empty:
            raise InferenceError(
                f"The algorithm '{name}' has no score of '{layout.measure.name}' in any block: "
                "leave it out, or count it as the worst with --missing worst (missing='worst')."
            )


def _request(
    layout: Layout,
    procedure: Procedure,
    null: str | NullBrick | None,
    adjust: str | None,
    control: str | None,
    pairs: Sequence[tuple[str, str]] | None,
    alternative: str,
    alpha: float,
    relevance: float,
) -> Request:
    if alternative not in ALTERNATIVES:
        raise InferenceError(unknown("alternative", alternative, ALTERNATIVES))
    check_alpha(alpha)
    _check_relevance(procedure, alternative, relevance)
    chosen = _pairs(layout, procedure, control, pairs)
    adjustment = ADJUSTMENTS[adjust or procedure.adjust]
    if len(chosen) == 1:
        adjustment = ADJUSTMENTS["none"]  # nothing to adjust for
    _check_adjustment(procedure, adjustment, relevance)
    brick = parse_null(null) if null is not None else _null(layout, procedure, len(chosen))
    return Request(tuple(chosen), brick, adjustment, alternative, alpha, relevance)


def _check_adjustment(procedure: Procedure, adjustment: Adjustment, relevance: float) -> None:
    if adjustment.joint and procedure.pairwise:
        raise InferenceError(
            f"'{procedure.name}' scores each pair on its own, so the adjustment "
            f"'{adjustment.name}' has no joint distribution; use holm."
        )
    if adjustment.name != "closed":
        return
    if procedure.overall is largest:
        raise InferenceError(
            f"Closed testing needs a test of several algorithms at once, which '{procedure.name}' "
            "has not; use holm."
        )
    if relevance:
        raise InferenceError("Closed testing tests equality and takes no relevance; use holm.")


def _check_relevance(procedure: Procedure, alternative: str, relevance: float) -> None:
    number = isinstance(relevance, (int, float)) and math.isfinite(relevance)
    if not number or (relevance < 0 and alternative == "two-sided"):
        raise InferenceError(
            f"relevance must be a number of at least 0, not {relevance!r}; a negative one "
            "(non-inferiority) needs a one-sided alternative."
        )
    if relevance and not procedure.margins:
        raise InferenceError(
            f"'{procedure.name}' knows no differences in the measure's unit, so it takes no "
            "relevance; use paired-t, corrected-t, mixed-tukey, sign-flip or wilcoxon."
        )


def _pairs(
    layout: Layout,
    procedure: Procedure,
    control: str | None,
    pairs: Sequence[tuple[str, str]] | None,
) -> list[Pair]:
    if pairs is not None and control is not None:
        raise InferenceError("Say either a control or pairs, not both.")
    if pairs is not None:
        return named(layout.algorithms, pairs)
    if control is not None:
        return against(layout.algorithms, control)
    if procedure.control:
        raise InferenceError(
            f"'{procedure.name}' compares with a control: say which algorithm it is, as in "
            f"--control {layout.algorithms[0]}."
        )
    return all_pairs(len(layout.algorithms))


def _null(layout: Layout, procedure: Procedure, pairs: int) -> NullBrick:
    """The procedure's own null, or asymptotic from 30 blocks on, or exact where that is cheap."""
    blocks = len(layout.values)
    if procedure.default_null:
        return parse_null(procedure.default_null)
    if blocks >= LEAST_BLOCKS:
        return parse_null("asymptotic")
    cheap = procedure.few_sums or pairs * 2**blocks <= MOST_SIGNS
    return parse_null("exact" if procedure.pairwise and cheap else "permutation")


# -- computing -----------------------------------------------------------------------------------


class _Found:
    """Statistics, p-values and limits of every pair; arrays only, larger is better."""

    def __init__(self, layout: Layout, procedure: Procedure, request: Request) -> None:
        self.layout, self.procedure, self.request = layout, procedure, request
        # the direction in which large differences speak for the alternative
        own = -1 if request.alternative == "less" else 1
        self.turn = own * layout.sign if not request.two_sided else 1
        self.contrasts = matrix(request.pairs, len(layout.algorithms))
        if procedure.pairwise:
            self._pair_by_pair()
        else:
            self._jointly()

    def _jointly(self) -> None:
        self.estimates = e = self.procedure.estimate(self.layout)
        self.difference = self.contrasts @ e.values
        self.scale = np.sqrt(_variances(e, self.contrasts))
        self.null = self.request.null.make(e, self.turn * self.contrasts, self.scale)
        self.t = self._statistic(e, self.difference, self.scale)
        self.difference[(self.scale == 0) & (self.t == 0)] = 0.0  # but for rounding
        self.tested = np.where(np.isnan(self.t), np.nan, self._oriented())

    def _step(self, e: Estimates) -> float:
        return e.step if self.request.null.name == "corrected" else 0.0

    def _statistic(self, e: Estimates, difference: np.ndarray, scale: np.ndarray) -> np.ndarray:
        size = np.maximum(np.abs(difference) - self._step(e), 0.0)
        return _ratio(np.copysign(size, difference), scale)

    def _oriented(self) -> np.ndarray:
        """What is held against the null: the difference beyond the relevance."""
        margin, step = self.request.relevance, self._step(self.estimates)
        if self.request.two_sided:
            return _ratio(np.maximum(np.abs(self.difference) - margin - step, 0.0), self.scale)
        return _ratio(self.turn * self.difference - margin, self.scale, step)

    def _pair_by_pair(self) -> None:
        parts = [self._one_pair(self.layout.only(pair)) for pair in self.request.pairs]
        self.estimates = parts[0][0]
        self.difference, self.scale, self.t, self.tested = np.array([p[1:5] for p in parts]).T
        self.null = Separate([p[5] for p in parts])

    def _one_pair(self, two: Layout) -> tuple[Estimates, float, float, float, float, Null]:
        """Estimates, difference, its scale, its statistic, what is tested, and the null."""
        e = self.procedure.estimate(two)
        difference = e.values[:1] - e.values[1:]
        scale = np.sqrt(_variances(e, PAIR))
        t = self._statistic(e, difference, scale)
        tested, null = self._beyond(two, e)
        return e, float(difference[0]), float(scale[0]), float(t[0]), tested, null

    def _beyond(self, two: Layout, e: Estimates) -> tuple[float, Null]:
        """The oriented statistic of a pair whose first algorithm is moved by the relevance."""
        margin, turn = self.request.relevance, self.turn
        mean = float(np.mean(two.values[:, 0] - two.values[:, 1]))
        if self.request.two_sided:
            turn = 1 if (mean if margin else e.values[0] - e.values[1]) >= 0 else -1
        if margin:
            e = self.procedure.estimate(_moved(two, -turn * margin))
        t, null = self._one_sided(e, turn)
        if not self.request.two_sided:
            return t, null
        within = margin and abs(mean) <= margin
        return 0.0 if within else float(np.maximum(t, 0.0)), null

    def _one_sided(self, e: Estimates, turn: int) -> tuple[float, Null]:
        """The statistic of a pair in one direction, and its null."""
        scale = np.sqrt(_variances(e, PAIR))
        t = _ratio(turn * PAIR @ e.values, scale, self._step(e))
        return float(t[0]), self.request.null.make(e, turn * PAIR, scale)

    @cached_property
    def evidence(self) -> Evidence:
        return self._evidence(self.tested)

    def _evidence(self, tested: np.ndarray, null: Null | None = None) -> Evidence:
        return Evidence(
            tested,
            null or self.null,
            self.request.two_sided,
            self.request.pairs,
            len(self.layout.algorithms),
            self._subset_p,
        )

    def _subset_p(self, columns: tuple[int, ...]) -> float:
        """The p-value of no difference within a subset of algorithms."""
        part = self.layout.only(columns)
        e = self.procedure.estimate(part)
        contrasts = matrix(all_pairs(len(columns)), len(columns))
        null = self.request.null.make(e, contrasts, np.sqrt(_variances(e, contrasts)))
        found = self.procedure.overall(part, e, null)
        return 1.0 if found is None or math.isnan(found.p) else found.p

    @cached_property
    def adjusted(self) -> np.ndarray:
        return self.request.adjust.adjusted(self.evidence)

    @cached_property
    def equivalence(self) -> np.ndarray:
        """P-values of a difference beyond the relevance, adjusted as the others are.

        They agree with the simultaneous intervals: small where an interval lies within the margin.
        """
        margin = self.request.relevance
        if not self.request.two_sided or margin <= 0:
            return np.full(len(self.t), np.nan)
        if not self.procedure.pairwise:
            inside = _ratio(np.maximum(margin - np.abs(self.difference), 0.0), self.scale)
            return self.request.adjust.adjusted(self._evidence(inside))
        p = np.array([self._inside(self.layout.only(pair), margin) for pair in self.request.pairs])
        known = Known(np.minimum(2 * p, 1.0))
        return self.request.adjust.adjusted(self._evidence(np.zeros(len(p)), known))

    def _inside(self, two: Layout, margin: float) -> float:
        """The larger p-value of two one-sided tests, at either end of the margin."""
        worst = 0.0
        for turn in (1, -1):
            t, null = self._one_sided(self.procedure.estimate(_moved(two, turn * margin)), turn)
            worst = max(worst, float(null.marginal(np.array([t]), False)[0]))
        return worst

    @cached_property
    def limits(self) -> tuple[np.ndarray, np.ndarray]:
        """Simultaneous limits of the differences, larger is better; NaN where there are none."""
        nothing = np.full(len(self.t), np.nan)
        adjust = self.request.adjust
        if not self.estimates.in_units or adjust.critical is None:
            return nothing, nothing
        critical = adjust.critical(self.evidence, self.request.alpha)
        reach = np.where(np.isnan(self.t), np.nan, 0.0)
        np.multiply(critical, self.scale, out=reach, where=self.scale > 0)
        below, above = self.difference - reach, self.difference + reach
        if self.request.two_sided:
            return below, above
        return (below, nothing) if self.turn > 0 else (nothing, above)

    def overall(self) -> Overall:
        if not self.procedure.control and not self.procedure.pairwise:
            found = self.procedure.overall(self.layout, self.estimates, self.null)
            if found is not None:
                return found
        sizes = np.abs(self.t[~np.isnan(self.t)])
        known = self.adjusted[~np.isnan(self.adjusted)]
        p = float(known.min()) if len(known) else float("nan")
        return Overall("largest statistic", float(sizes.max(initial=0.0)), None, p)


def _moved(two: Layout, by: float) -> Layout:
    """A layout whose first algorithm is moved."""
    return replace(two, values=two.values + np.array([by, 0.0]))


def _variances(e: Estimates, contrasts: np.ndarray) -> np.ndarray:
    """The contrasts' variances, with rounding noise taken for what it is: none."""
    variance = ((contrasts @ e.covariance) * contrasts).sum(axis=1)
    size = float(np.abs(np.diag(e.covariance)).max(initial=0.0))
    noise = 1e-20 * float(np.abs(e.values).max(initial=0.0)) ** 2
    return np.where(variance <= max(1e-13 * size, noise), 0.0, variance)


def _ratio(difference: np.ndarray, scale: np.ndarray, step: float = 0.0) -> np.ndarray:
    """(difference - step) / scale; 0 where difference and scale are zero, NaN if only the scale."""
    safe = np.where(scale > 0, scale, 1.0)
    size = np.abs(difference).max(initial=0.0)
    none = np.where(np.abs(difference) <= 1e-12 * max(size, 1e-300), 0.0, np.nan)
    return np.where(scale > 0, (difference - step) / safe, none)


# -- wrapping ------------------------------------------------------------------------------------


def _notes(
    layout: Layout, procedure: Procedure, request: Request, found: _Found
) -> tuple[Note, ...]:
    notes = []
    if procedure.spherical and not layout.has_gaps:
        size = epsilon(layout.values)
        if size < WORTH_SAYING:
            notes.append(
                Note(
                    "sphericity",
                    f"The differences do not vary alike (epsilon {size:.2f}, 1 is equal), which "
                    f"'{procedure.name}' assumes; paired-t does not.",
                )
            )
    if procedure.ranks_differences and nearly_tied(layout.values):
        notes.append(
            Note(
                "rounding",
                "Some differences are equal but for rounding errors, by which ranks tell them "
                "apart (as R and scipy do); whole numbers, such as counts of errors, avoid this.",
            )
        )
    if np.isnan(found.tested).any():
        gone = [request.pairs[i] for i in np.flatnonzero(np.isnan(found.tested))]
        names = ", ".join(f"{layout.algorithms[a]} and {layout.algorithms[b]}" for a, b in gone[:3])
        notes.append(
            Note(
                "no-variation",
                f"The difference between {names} is the same in every block: there is nothing to "
                "judge it by with this procedure; use sign or wilcoxon.",
            )
        )
    turned = _turned(layout, request, found)
    if turned:
        notes.append(
            Note(
                "direction",
                f"The test and the means disagree on which is better of {', '.join(turned[:3])}; "
                "the verdict is the test's.",
            )
        )
    if request.adjust.name == "closed" and len(layout.algorithms) > PARTITIONS_UP_TO:
        notes.append(
            Note(
                "ryan",
                f"More than {PARTITIONS_UP_TO} algorithms: subsets at Ryan's levels instead of "
                "partitions.",
            )
        )
    if request.adjust.name == "none" and len(request.pairs) > 1:
        notes.append(Note("unadjusted", f"{len(request.pairs)} pairs and no adjustment."))
    return tuple(notes)


def _turned(layout: Layout, request: Request, found: _Found) -> list[str]:
    """The significant pairs whose statistic and difference of means have opposite signs."""
    opposite = found.t * _differences(layout, found) < 0
    names = layout.algorithms
    return [
        f"{names[a]} and {names[b]}"
        for (a, b), wrong, p in zip(request.pairs, opposite, found.adjusted, strict=True)
        if wrong and p <= request.alpha
    ]


def _wrapped(
    layout: Layout,
    procedure: Procedure,
    request: Request,
    found: _Found,
    notes: tuple[Note, ...],
) -> Comparisons:
    bricks = f"null: {request.null}, adjustment: {request.adjust.name}"
    return Comparisons(
        table=_table(layout, request, found),
        algorithms=layout.algorithms,
        means=layout.means(),
        measure=layout.measure.name,
        higher_is_better=layout.measure.higher_is_better,
        procedure=procedure.name,
        title=f"{procedure.title} ({bricks})",
        blocks={
            "kind": layout.block,
            "text": BLOCKS[layout.block],
            "count": len(layout.values),
            "sampling": str(layout.sampling) if layout.sampling else None,
        },
        target=layout.target,
        statement=statement(layout, procedure.hypothesis),
        overall=found.overall(),
        alternative=request.alternative,
        alpha=request.alpha,
        relevance=request.relevance,
        warnings=notes,
        details=_details(layout, procedure, request, found),
    )


def _details(
    layout: Layout, procedure: Procedure, request: Request, found: _Found
) -> dict[str, object]:
    details: dict[str, object] = {
        "null": str(request.null),
        "adjustment": request.adjust.name,
        "controls": procedure.controls,
        "holds under": procedure.null,
        "reference": procedure.reference,
    }
    model = found.estimates.model
    if model is not None:
        details |= {"sigma_b": float(model.sigma_b), "sigma": float(model.sigma)}
    if procedure.spherical and not layout.has_gaps:
        details["epsilon"] = epsilon(layout.values)
    return details


def _table(layout: Layout, request: Request, found: _Found) -> pd.DataFrame:
    """One row per pair, in the measure's own unit and sign."""
    sign = layout.sign
    low, high = found.limits
    own_low, own_high = (low, high) if sign > 0 else (-high, -low)
    names = np.array(layout.algorithms, dtype=object)
    first, second = np.array(request.pairs).T
    table = pd.DataFrame(
        {
            "first": names[first],
            "second": names[second],
            "estimate": sign * _differences(layout, found),
            "lower": own_low,
            "upper": own_high,
            "statistic": sign * found.t,
            "p": found.evidence.p,
            "p_adjusted": np.fmax(found.adjusted, found.evidence.p),
        }
    )
    table["verdict"] = _verdicts(request, found, table["p_adjusted"].to_numpy(float))
    if request.two_sided and request.relevance > 0:
        table["p_equivalence"] = found.equivalence
    return table[[*COLUMNS, *[c for c in table if c not in COLUMNS]]]


def _differences(layout: Layout, found: _Found) -> np.ndarray:
    """Differences in the measure's unit, for rank procedures too."""
    if found.estimates.in_units and not found.procedure.pairwise:
        return found.difference
    return found.contrasts @ np.nanmean(layout.values, axis=0)


def _verdicts(request: Request, found: _Found, p: np.ndarray) -> list[str]:
    words = []
    for t, q, same in zip(found.t, p, found.equivalence, strict=True):
        if q <= request.alpha:
            if request.relevance < 0:
                words.append("non-inferior" if found.turn > 0 else "non-superior")
            else:
                words.append("better" if t > 0 else "worse")
        elif same <= request.alpha:
            words.append("equivalent")
        else:
            words.append("undecided")
    return words
