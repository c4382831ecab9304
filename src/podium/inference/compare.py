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
from podium.inference.adjustments import ADJUSTMENTS, Adjustment, Evidence
from podium.inference.advice import default_procedure
from podium.inference.contrasts import Pair, against, all_pairs, matrix, named
from podium.inference.estimates import Estimates
from podium.inference.layouts import BLOCKS, MISSING, Layout, clustered
from podium.inference.legality import check
from podium.inference.nulls import (
    ALTERNATIVES,
    LEAST_BLOCKS,
    Null,
    NullBrick,
    Separate,
    parse_null,
)
from podium.inference.procedures import PROCEDURES, Procedure
from podium.inference.scores import nearly_tied
from podium.inference.sphericity import WORTH_SAYING, epsilon
from podium.inference.statements import statement
from podium.registry import unknown


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
    if missing == "worst":
        layout = layout.filled()
    elif not procedure.gaps:
        layout = layout.complete()
    if not procedure.clusters:
        layout = clustered(layout)
    least = 2
    if len(layout.algorithms) < 2:
        raise InferenceError(
            f"A comparison needs two algorithms; there is only '{layout.algorithms[0]}'."
            if layout.algorithms
            else "A comparison needs two algorithms; there are none."
        )
    if len(layout.values) < least:
        raise InferenceError(
            f"A comparison needs at least {least} blocks with all scores; there "
            f"{'is' if len(layout.values) == 1 else 'are'} {len(layout.values)}."
        )
    return procedure.criterion(layout) if procedure.criterion else layout


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
    if not (isinstance(alpha, (int, float)) and 0 < alpha < 1):
        raise InferenceError(f"alpha must lie between 0 and 1, not {alpha!r}.")
    if relevance:
        _check_relevance(procedure, alternative, relevance)
    chosen = _pairs(layout, procedure, control, pairs)
    adjustment = ADJUSTMENTS[adjust or ("none" if len(chosen) == 1 else procedure.adjust)]
    if relevance and adjustment.name == "closed":
        raise InferenceError("Closed testing tests equality and takes no relevance; use holm.")
    if adjustment.joint and procedure.pairwise and len(chosen) > 1:
        raise InferenceError(
            f"'{procedure.name}' scores each pair on its own, so the adjustment "
            f"'{adjustment.name}' has no joint distribution; use holm."
        )
    return Request(
        tuple(chosen), _null(layout, procedure, null), adjustment, alternative, alpha, relevance
    )


def _check_relevance(procedure: Procedure, alternative: str, relevance: float) -> None:
    if not procedure.margins:
        raise InferenceError(
            f"'{procedure.name}' knows no differences in the measure's unit, so it takes no "
            "relevance; use paired-t, corrected-t, mixed-tukey, sign-flip or wilcoxon."
        )
    if not math.isfinite(relevance) or (relevance < 0 and alternative == "two-sided"):
        raise InferenceError(
            f"relevance must be a number of at least 0, not {relevance!r}; a negative one "
            "(non-inferiority) needs a one-sided alternative."
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


def _null(layout: Layout, procedure: Procedure, null: str | NullBrick | None) -> NullBrick:
    if null is not None:
        return parse_null(null)
    if procedure.default_null:
        return parse_null(procedure.default_null)
    # below 30 blocks a permutation null; pairs are cheap to enumerate with few blocks
    if len(layout.values) >= LEAST_BLOCKS:
        return parse_null("asymptotic")
    exact = procedure.pairwise and len(layout.values) <= 20
    return parse_null("exact" if exact else "permutation")


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
        self.estimates = self.procedure.estimate(self.layout)
        self.difference = self.contrasts @ self.estimates.values
        variance = np.einsum(
            "ij,jk,ik->i", self.contrasts, self.estimates.covariance, self.contrasts
        )
        self.scale = np.sqrt(_settled(variance, self.estimates))
        self.t = _ratio(self.difference, self.scale)
        self.null = self.request.null.make(self.estimates, self.turn * self.contrasts, self.scale)
        self.tested = self._oriented(self.difference, self.scale)

    def _oriented(self, difference: np.ndarray, scale: np.ndarray) -> np.ndarray:
        """What is held against the null: the difference beyond the relevance."""
        if self.request.two_sided:
            return _ratio(np.maximum(np.abs(difference) - self.request.relevance, 0.0), scale)
        return _ratio(self.turn * difference - self.request.relevance, scale)

    def _pair_by_pair(self) -> None:
        parts = [self._one_pair(pair) for pair in self.request.pairs]
        self.estimates = parts[0][0]
        self.difference = np.array([p[1] for p in parts])
        self.scale = np.array([p[2] for p in parts])
        self.t = _ratio(self.difference, self.scale)
        self.tested = np.array([p[3] for p in parts])
        self.null = Separate([p[4] for p in parts])

    def _one_pair(self, pair: Pair) -> tuple[Estimates, float, float, float, Null]:
        two = self.layout.only(pair)
        e = self.procedure.estimate(two)
        difference = e.values[0] - e.values[1]
        scale = math.sqrt(float(_settled(np.array([_variance(e)]), e)[0]))
        tested, null = self._shifted(two, self.request.relevance, self.turn, e)
        return e, float(difference), scale, tested, null

    def _shifted(
        self, two: Layout, relevance: float, turn: int, e: Estimates | None = None
    ) -> tuple[float, Null]:
        """The oriented statistic of a pair whose first algorithm is moved by the relevance."""
        if relevance:
            mean = float(np.mean(two.values[:, 0] - two.values[:, 1]))
            if self.request.two_sided:
                turn = 1 if mean >= 0 else -1
            if self.request.two_sided and abs(mean) <= relevance:
                e = replace(self.procedure.estimate(two), values=np.zeros(2))
            else:
                moved = two.values - np.array([turn * relevance, 0.0])
                e = self.procedure.estimate(replace(two, values=moved))
        e = e or self.procedure.estimate(two)
        contrast = turn * np.array([[1.0, -1.0]])
        scale = np.sqrt(_settled(np.array([_variance(e)]), e))
        t = _ratio(contrast @ e.values, scale)[0]
        if self.request.two_sided and not relevance:
            t = abs(t)
        return float(max(t, 0.0) if self.request.two_sided else t), self.request.null.make(
            e, contrast, scale
        )

    @cached_property
    def evidence(self) -> Evidence:
        return self._evidence(self.tested)

    def _evidence(self, tested: np.ndarray, two_sided: bool | None = None) -> Evidence:
        return Evidence(
            tested,
            self.null,
            self.request.two_sided if two_sided is None else two_sided,
            self.request.pairs,
            len(self.layout.algorithms),
            self._subset_p,
        )

    def _subset_p(self, columns: tuple[int, ...]) -> float:
        part = self.layout.only(columns)
        e = self.procedure.estimate(part)
        contrasts = matrix(all_pairs(len(columns)), len(columns))
        scale = np.sqrt(np.einsum("ij,jk,ik->i", contrasts, e.covariance, contrasts).clip(0))
        null = self.request.null.make(e, contrasts, scale)
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
        one_sided = [self._inside(pair, margin) for pair in self.request.pairs]
        p = np.minimum(2 * np.array(one_sided), 1.0)
        return self.request.adjust.adjusted(_GivenP(p))  # type: ignore[arg-type]

    def _inside(self, pair: Pair, margin: float) -> float:
        """The larger p-value of two one-sided tests, at either end of the margin."""
        two, worst = self.layout.only(pair), 0.0
        for turn in (1, -1):
            moved = replace(two, values=two.values + np.array([turn * margin, 0.0]))
            e = self.procedure.estimate(moved)
            contrast = turn * np.array([[1.0, -1.0]])
            scale = np.sqrt(_settled(np.array([_variance(e)]), e))
            t = _ratio(contrast @ e.values, scale)
            null = self.request.null.make(e, contrast, scale)
            worst = max(worst, float(null.marginal(np.nan_to_num(t), False)[0]))
        return worst

    @cached_property
    def limits(self) -> tuple[np.ndarray, np.ndarray]:
        """Simultaneous limits of the differences, larger is better; NaN where there are none."""
        nothing = np.full(len(self.t), np.nan)
        adjust = self.request.adjust
        if not self.estimates.in_units or adjust.critical is None:
            return nothing, nothing
        reach = adjust.critical(self.evidence, self.request.alpha) * self.scale
        if self.request.two_sided:
            return self.difference - reach, self.difference + reach
        below, above = self.difference - reach, self.difference + reach
        return (below, nothing) if self.turn > 0 else (nothing, above)

    def overall(self) -> Overall:
        found = None
        if len(self.request.pairs) >= len(self.layout.algorithms) - 1 or not self.procedure.control:
            found = self.procedure.overall(self.layout, self.estimates, self.null)
        if found is not None and not self.procedure.control and not self.procedure.pairwise:
            return found
        sizes = np.abs(self.t[~np.isnan(self.t)])
        known = self.adjusted[~np.isnan(self.adjusted)]
        p = float(known.min()) if len(known) else float("nan")
        return Overall("largest statistic", float(sizes.max(initial=0.0)), None, p)


@dataclass(frozen=True)
class _GivenP:
    """P-values that an adjustment of p-values alone can read."""

    p: np.ndarray


def _variance(e: Estimates) -> float:
    return float(e.covariance[0, 0] + e.covariance[1, 1] - 2 * e.covariance[0, 1])


def _settled(variance: np.ndarray, e: Estimates) -> np.ndarray:
    """Variances with rounding noise taken for what it is: none."""
    size = float(np.abs(np.diag(e.covariance)).max(initial=0.0))
    noise = 1e-20 * float(np.abs(e.values).max(initial=0.0)) ** 2
    return np.where(variance <= max(1e-13 * size, noise), 0.0, variance)


def _ratio(difference: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """difference / scale; 0 where both are zero, NaN where only the scale is."""
    safe = np.where(scale > 0, scale, 1.0)
    size = np.abs(difference).max(initial=0.0)
    none = np.where(np.abs(difference) <= 1e-12 * max(size, 1e-300), 0.0, np.nan)
    return np.where(scale > 0, difference / safe, none)


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
    if np.isnan(found.t).any():
        gone = [request.pairs[i] for i in np.flatnonzero(np.isnan(found.t))]
        names = ", ".join(f"{layout.algorithms[a]} and {layout.algorithms[b]}" for a, b in gone[:3])
        notes.append(
            Note(
                "no-variation",
                f"The difference between {names} is the same in every block: there is nothing to "
                "judge it by with this procedure; use sign or wilcoxon.",
            )
        )
    if request.adjust.name == "closed" and len(layout.algorithms) > 8:
        notes.append(
            Note("ryan", "More than 8 algorithms: subsets at Ryan's levels instead of partitions.")
        )
    if request.adjust.name == "none" and len(request.pairs) > 1:
        notes.append(Note("unadjusted", f"{len(request.pairs)} pairs and no adjustment."))
    return tuple(notes)


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
