"""What is found about the pairs: statistics, p-values and limits; arrays, larger is better."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import Protocol

import numpy as np

from podium.core.base.errors import InferenceError
from podium.core.inference.bricks.adjustments import (
    Adjustment,
    Statistics,
    for_equivalence,
    pair_level,
)
from podium.core.inference.bricks.contrasts import all_pairs, matrix
from podium.core.inference.bricks.estimates import Estimates, Model, moments
from podium.core.inference.bricks.nulls import LARGEST, OF_PAIR, Known, Null, Separate
from podium.core.inference.bricks.shifts import inverted
from podium.core.inference.comparing.request import Request
from podium.core.inference.layouts import Layout
from podium.core.inference.numbers import tails
from podium.core.inference.numbers.rounding import signed_difference
from podium.core.inference.procedures.procedure import Procedure, compute_estimates
from podium.core.words.facts import Overall

# -- from estimates of all algorithms -------------------------------------------------------------
# What is found about the pairs: statistics, p-values and limits; arrays, larger is better.


PAIR = np.array([[1.0, -1.0]])


class Tested:
    """Statistics, p-values and limits of every pair; arrays only, larger is better."""

    def __init__(self, layout: Layout, procedure: Procedure, request: Request) -> None:
        self.layout, self.procedure, self.request = layout, procedure, request
        # the direction in which large differences speak for the alternative
        own = -1 if request.alternative == "less" else 1
        self.turn = own * layout.sign if not request.two_sided else 1
        self._subsets: dict[tuple[int, ...], float] = {}
        if procedure.pairwise:
            self._pair_by_pair()
        else:
            self._jointly()

    def _jointly(self) -> None:
        self.estimates = e = compute_estimates(self.procedure, self.layout)
        self.remarks = [e.remark] * len(self.request.contrasts)
        self.difference = e.differences(self.request.contrasts)
        self.scale = np.sqrt(e.variances(self.request.contrasts))
        self.null = self.request.null.make(e, self.turn * self.request.contrasts, self.scale)
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
        self.remarks = [p[0].remark for p in parts]
        self.difference, self.scale, self.t, self.tested = np.array([p[1:5] for p in parts]).T
        self.null = Separate([p[5] for p in parts])

    def _one_pair(self, two: Layout) -> tuple[Estimates, float, float, float, float, Null]:
        """Estimates, difference, its scale, its statistic, what is tested, and the null."""
        e = compute_estimates(self.procedure, two)
        difference = e.values[:1] - e.values[1:]
        scale = np.sqrt(e.variances(PAIR))
        t = self._statistic(e, difference, scale)
        tested, null = self._beyond(two, e)
        return e, float(difference[0]), float(scale[0]), float(t[0]), tested, null

    def _beyond(self, two: Layout, e: Estimates) -> tuple[float, Null]:
        """The oriented statistic of a pair whose first algorithm is moved by the relevance."""
        margin, turn = self.request.relevance, self.turn
        size = self._size(two) if margin else float(e.values[0] - e.values[1])
        if self.request.two_sided:
            turn = 1 if size >= 0 else -1
        if margin:
            e = compute_estimates(self.procedure, _moved(two, -turn * margin))
        t, null = self._one_sided(e, turn)
        if not self.request.two_sided:
            return t, null
        within = margin and abs(size) <= margin
        return 0.0 if within else float(np.maximum(t, 0.0)), null

    def _size(self, two: Layout) -> float:
        """What the test of a pair estimates, in the measure's unit."""
        location = self.procedure.quantity.location
        if location is not None:
            return location.estimate(two.values)
        if not self.procedure.quantity.is_mean:
            e = compute_estimates(self.procedure, two)
            return float(e.values[0] - e.values[1])
        return float(np.mean(two.values[:, 0] - two.values[:, 1]))

    def _one_sided(self, e: Estimates, turn: int) -> tuple[float, Null]:
        """The statistic of a pair in one direction, and its null."""
        scale = np.sqrt(e.variances(PAIR))
        t = _ratio(turn * PAIR @ e.values, scale, self._step(e))
        return float(t[0]), self.request.null.make(e, turn * PAIR, scale)

    @property
    def model(self) -> Model | None:
        """The fitted model behind the estimates."""
        return self.estimates.model

    @property
    def estimates_covariances(self) -> bool:
        """Whether covariances were estimated: sums have no df, the mixed model its own."""
        df = self.estimates.df
        return not callable(df) and bool(np.isfinite(df))

    @cached_property
    def statistics(self) -> Statistics:
        """What the adjustment looks at."""
        return self._statistics(self.tested)

    def _statistics(self, tested: np.ndarray, null: Null | None = None) -> Statistics:
        return Statistics(
            tested,
            null or self.null,
            self.request.two_sided,
            self.request.pairs,
            len(self.layout.algorithms),
            self._subset_p,
        )

    @cached_property
    def p(self) -> np.ndarray:
        """P-values of the pairs alone.

        Where an adjustment judges sets of algorithms each by itself, so are pairs: a third
        algorithm, which the joint statistic knows, must not matter.
        """
        if not self.request.adjust.by_subsets:
            return self.statistics.p
        own = np.array([self._subset_p(tuple(sorted(pair))) for pair in self.request.pairs])
        return np.where(np.isnan(self.t), np.nan, np.where(self._other_way, 1.0, own))

    @cached_property
    def _other_way(self) -> np.ndarray:
        """Pairs that by themselves point elsewhere than among all: ranks may depend on a third."""
        alone = (self.layout.only(pair) for pair in self.request.pairs)
        parts = (compute_estimates(self.procedure, two) for two in alone)
        own = np.array([e.values[0] - e.values[1] for e in parts])
        return np.asarray(own * np.nan_to_num(self.t) < 0)

    def _subset_p(self, columns: tuple[int, ...]) -> float:
        """The p-value of no difference within a subset of algorithms."""
        if columns not in self._subsets:
            self._subsets[columns] = self._computed_subset_p(columns)
        return self._subsets[columns]

    def _computed_subset_p(self, columns: tuple[int, ...]) -> float:
        part = self.layout.only(columns)
        e = compute_estimates(self.procedure, part)
        contrasts = matrix(all_pairs(len(columns)), len(columns))
        null = self.request.null.make(e, contrasts, np.sqrt(e.variances(contrasts)))
        result = self.procedure.overall(part, e, null)
        return 1.0 if result is None or math.isnan(result.p) else result.p

    @cached_property
    def adjusted(self) -> np.ndarray:
        """P-values after adjustment."""
        adjusted = self.request.adjust.adjusted(self.statistics)
        if not self.request.adjust.by_subsets:
            return adjusted
        return np.where(self._other_way & ~np.isnan(adjusted), 1.0, adjusted)

    @cached_property
    def equivalence(self) -> np.ndarray:
        """P-values of a difference beyond the relevance: two one-sided tests, adjusted.

        They agree with their own limits: small where these lie within the margin.
        """
        margin, adjust = self.request.relevance, self.request.adjust
        if not self.request.two_sided or margin <= 0:
            return np.full(len(self.t), np.nan)
        if self.procedure.pairwise:
            parts = [self.layout.only(pair) for pair in self.request.pairs]
            p = np.array([self._inside(two, margin) for two in parts])
            return for_equivalence(adjust).adjusted(self._statistics(np.zeros(len(p)), Known(p)))
        room = margin - np.abs(self.difference)
        # where nothing varies nothing is known of how much might
        inside = np.where(self.scale == 0, 0.0, _ratio(room, self.scale))
        half = self.null.marginal(np.abs(inside), True) / 2
        p = np.where(np.isnan(self.t), np.nan, np.where(inside < 0, 1 - half, half))
        adjusted = for_equivalence(adjust).adjusted(self._statistics(p, Known(p)))
        if adjust.critical is None:
            return adjusted
        both = adjust.adjusted(self._statistics(np.maximum(inside, 0.0)))
        return np.fmin(adjusted, both)  # limits of all at once may be the narrower ones

    @cached_property
    def equivalence_limits(self) -> tuple[np.ndarray, np.ndarray]:
        """Limits at the level 1 - 2 alpha that `equivalence` is read from."""
        adjust, twice = self.request.adjust, min(1.0, 2 * self.request.alpha)
        if adjust.critical is None:
            return self._no_limits
        if self._is_located:
            alone = adjust.name == "none"
            return self._located_limits(self.request.alpha / (1 if alone else len(self.t)))
        if not self.estimates.in_units:
            return self._no_limits
        one_sided = for_equivalence(adjust).critical
        assert one_sided is not None
        own = one_sided(self._statistics(self.tested), twice)
        return self._about(np.fmin(own, adjust.critical(self.statistics, self.request.alpha)))

    def _inside(self, two: Layout, margin: float) -> float:
        """The larger p-value of two one-sided tests, at either end of the margin."""
        worst = 0.0
        for turn in (1, -1):
            e = compute_estimates(self.procedure, _moved(two, turn * margin))
            t, null = self._one_sided(e, turn)
            worst = max(worst, float(null.marginal(np.array([t]), False)[0]))
        return worst

    @cached_property
    def limits(self) -> tuple[np.ndarray, np.ndarray]:
        """Simultaneous limits of the differences, larger is better; NaN where there are none."""
        adjust = self.request.adjust
        if adjust.critical is None or not (self.estimates.in_units or self._is_located):
            return self._no_limits
        if self._is_located:
            below, above = self._located_limits(self._level / (1 + self.request.two_sided))
        else:
            below, above = self._about(adjust.critical(self.statistics, self.request.alpha))
        if self.request.two_sided:
            return below, above
        return (below, self._no_limits[1]) if self.turn > 0 else (self._no_limits[0], above)

    @property
    def _no_limits(self) -> tuple[np.ndarray, np.ndarray]:
        return np.full(len(self.t), np.nan), np.full(len(self.t), np.nan)

    def _about(self, critical: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Limits about the differences by a critical value."""
        # none where nothing varies: that two have agreed so far is no interval of no width
        reach = np.full(len(self.t), np.nan)
        np.multiply(critical, self.scale, out=reach, where=self.scale > 0)
        return self.difference - reach, self.difference + reach

    @property
    def _is_located(self) -> bool:
        """Whether limits are those of a test of each pair alone that can be inverted."""
        location = self.procedure.quantity.location
        return location is not None and (
            location.counted is not None or location.limits is not None
        )

    @property
    def _level(self) -> float:
        """Of each pair alone, so that all of them hold the level."""
        adjust, alpha, m = self.request.adjust, self.request.alpha, len(self.t)
        if adjust.name == "none":
            return alpha
        if adjust.name in ("bonferroni", "sidak"):
            return pair_level(alpha, m, self.request.two_sided and adjust.name == "sidak")
        assert adjust.critical is not None
        critical = float(np.max(adjust.critical(self.statistics, alpha)))
        return float(2 * tails.t_sf(critical, np.inf))

    def _located_limits(self, level: float) -> tuple[np.ndarray, np.ndarray]:
        """Limits of each pair that its test does not reject, at this level on either side."""
        pairs = [self._limits_of(self.layout.only(pair), level) for pair in self.request.pairs]
        low, high = np.array(pairs, dtype=float).reshape(-1, 2).T
        return np.where(np.isnan(self.t), np.nan, low), np.where(np.isnan(self.t), np.nan, high)

    def _limits_of(self, two: Layout, level: float) -> tuple[float, float]:
        location = self.procedure.quantity.location
        assert location is not None
        if location.limits is not None:
            return location.limits(two.values, level, self.request.null.name)
        assert location.counted is not None
        if location.drops_ties and not self.request.relevance:
            two = replace(two, values=two.values[signed_difference(two.values) != 0])

        def p(shift: float, turn: int) -> float:
            t, null = self._one_sided(compute_estimates(self.procedure, _moved(two, -shift)), turn)
            return float(null.marginal(np.array([t]), False)[0])

        counted = location.counted(two.values)
        try:
            return inverted(counted, p, level, 1), inverted(counted, p, level, -1)
        except InferenceError:  # an exact null of many rows is known of ties only, as of 0/1
            return math.nan, math.nan

    @cached_property
    def in_units(self) -> np.ndarray:
        """Differences of what is estimated: of means, of mean ranks, or what a pair's test does."""
        quantity = self.procedure.quantity
        if quantity.location is not None:
            return np.array([self._size(self.layout.only(pair)) for pair in self.request.pairs])
        if quantity.unit:
            return self.difference / self.estimates.blocks
        return self.mean_difference if quantity.is_mean else self.difference

    @cached_property
    def mean_difference(self) -> np.ndarray:
        """Differences of means in the measure's unit, for rank procedures too."""
        if self.estimates.in_units and not self.procedure.pairwise:
            return self.difference
        values = self.layout.values
        if self.layout.has_gaps and self.request.pairs and not self.procedure.needs.unpaired:
            return np.array(
                [_shared_mean(values[:, i] - values[:, j]) for i, j in self.request.pairs]
            )
        return self.request.contrasts @ np.nanmean(values, axis=0)

    def overall(self) -> Overall:
        """The test of no difference at all; where there is none, the largest statistic.

        So it is, too, where a pair is decided that the test of all together does not see: the
        error of any pair is controlled, and that one of them differs is then shown.
        """
        if not self.procedure.needs.control and not self.procedure.pairwise:
            outcome = self.procedure.overall(self.layout, self.estimates, self.null)
            if outcome is not None and not (outcome.p > self.request.alpha >= self._smallest()):
                return outcome._replace(procedure=self.procedure.name, test=outcome.procedure)
        sizes = np.abs(self.t[~np.isnan(self.t)])
        one = len(self.request.labels) == 1
        df: float | tuple[float, float] | None = self.estimates.law_df if one else None
        if one and df is None and not callable(self.estimates.df):
            df = self.estimates.df if math.isfinite(self.estimates.df) else None
        size, test = float(sizes.max(initial=0.0)), OF_PAIR if one else LARGEST
        return Overall(self.procedure.name, size, df, self._smallest(), test)

    def _smallest(self) -> float:
        """The smallest adjusted p-value, by Bonferroni where the pairs are not adjusted."""
        known = self.adjusted[~np.isnan(self.adjusted)]
        times = len(self.adjusted) if self.request.adjust.name == "none" else 1
        return min(1.0, times * float(known.min())) if len(known) else float("nan")


def _shared_mean(differences: np.ndarray) -> float:
    """The mean over the blocks that both have: other means would compare the blocks."""
    known = differences[~np.isnan(differences)]
    return float(known.mean()) if len(known) else math.nan


def _moved(two: Layout, by: float) -> Layout:
    """A layout whose first algorithm is moved."""
    return replace(two, values=two.values + np.array([by, 0.0]))


def _ratio(difference: np.ndarray, scale: np.ndarray, step: float = 0.0) -> np.ndarray:
    """(difference - step) / scale; 0 where difference and scale are zero, NaN if only the scale."""
    safe = np.where(scale > 0, scale, 1.0)
    size = np.abs(difference).max(initial=0.0)
    none = np.where(np.abs(difference) <= 1e-12 * max(size, 1e-300), 0.0, np.nan)
    return np.where(scale > 0, (difference - step) / safe, none)


# -- every pair by itself -------------------------------------------------------------------------
# Tests that look at every pair by itself: a brick from differences to p-values and intervals.
#
# A procedure whose record has a `judge` is not made of estimates and a null. Its judge takes a
# layout and a request and gives a `PairTest`; what margins, directions and adjustments make of that
# is the same for all of them and stands here.


Limits = tuple[np.ndarray, np.ndarray]


class PairTest(Protocol):
    """What is known of every pair by itself; one entry per pair, larger is better."""

    @property
    def difference(self) -> np.ndarray:
        """First less second, in the measure's unit."""

    @property
    def statistic(self) -> np.ndarray:
        """Of no difference; its sign is that of the difference, NaN where nothing varies."""

    @property
    def remarks(self) -> list[str]:
        """What a reader must know of a pair; empty where there is nothing."""

    def p(self, null: np.ndarray, turn: int) -> np.ndarray:
        """P-values of `difference == null`: two-sided (0), against larger (1) or smaller (-1)."""

    def limits(self, alpha: float, two_sided: bool) -> Limits:
        """Limits of each difference alone at the level 1 - alpha, two-sided or each one-sided."""

    def jointly(self, adjust: str, null: np.ndarray, turn: int) -> np.ndarray:
        """The same for all pairs at once, where the procedure's record says that it has them."""

    def joint_limits(self, alpha: float, two_sided: bool) -> Limits:
        """Limits for all pairs at once, where the record says that it judges so."""

    def bound(self, turn: int) -> np.ndarray:
        """What adjusted p-values are at most, where the record says that this is known."""


class Found(Protocol):
    """What evidence by p-values and the notes ask of the tests of all pairs."""

    procedure: Procedure
    turn: int
    t: np.ndarray
    tested: np.ndarray  # NaN where there is nothing to judge by
    remarks: list[str]

    @property
    def model(self) -> Model | None:
        """The fitted model behind it."""

    @property
    def estimates_covariances(self) -> bool:
        """Whether covariances of all algorithms were estimated from the blocks."""

    @property
    def p(self) -> np.ndarray:
        """P-values of the pairs alone."""

    @property
    def adjusted(self) -> np.ndarray:
        """P-values after adjustment."""

    @property
    def equivalence(self) -> np.ndarray:
        """P-values of a difference beyond the relevance, adjusted; NaN where none is asked."""

    @property
    def equivalence_limits(self) -> Limits:
        """Simultaneous limits of two one-sided tests, which those p-values agree with."""

    @property
    def limits(self) -> Limits:
        """Simultaneous limits; NaN where there are none."""

    @property
    def in_units(self) -> np.ndarray:
        """Differences of what is estimated."""

    @property
    def mean_difference(self) -> np.ndarray:
        """Differences in the measure's unit."""

    def overall(self) -> Overall:
        """The test of no difference at all."""


class Judged:
    """Pairs that a `PairTest` judges each by itself, adjusted for each other."""

    model = None
    estimates_covariances = False

    def __init__(self, layout: Layout, procedure: Procedure, request: Request) -> None:
        assert procedure.judge.test is not None
        self.layout, self.procedure, self.request = layout, procedure, request
        own = -1 if request.alternative == "less" else 1
        self.turn = own * layout.sign if not request.two_sided else 1
        self.test: PairTest = procedure.judge.test(layout, request)
        self.t = self.tested = self.test.statistic
        self.in_units = self.test.difference
        self.remarks = self.test.remarks

    @cached_property
    def mean_difference(self) -> np.ndarray:
        """In the measure's unit, also where ranks are judged."""
        if not self.procedure.quantity.unit:
            return self.in_units
        return moments(self.layout.by_dataset(), self.request.pairs).mean

    @cached_property
    def p(self) -> np.ndarray:
        """P-values of a difference that is no larger than the relevance, each pair alone."""
        return self._beyond(self.test.p)

    def _beyond(self, p: Callable[[np.ndarray, int], np.ndarray]) -> np.ndarray:
        """Of a difference that is no larger than the relevance, by these p-values."""
        margin, d = self.request.relevance, self.in_units
        if not self.request.two_sided:
            return self._known(p(np.full(len(d), self.turn * margin), self.turn))
        nearest = p(np.copysign(margin, d), 0)
        return self._known(np.where((margin > 0) & (np.abs(d) <= margin), 1.0, nearest))

    @property
    def _is_joint(self) -> bool:
        return self.request.adjust.name in self.procedure.judge.joint

    def _jointly(self, null: np.ndarray, turn: int) -> np.ndarray:
        return self.test.jointly(self.request.adjust.name, null, turn)

    def _known(self, p: np.ndarray) -> np.ndarray:
        return np.where(np.isnan(self.t), np.nan, p)

    @cached_property
    def adjusted(self) -> np.ndarray:
        """P-values after adjustment."""
        if self._is_joint:
            return self._beyond(self._jointly)
        adjusted = self._adjusted(self.p)
        if self.procedure.judge.bounded:
            return np.minimum(adjusted, self.test.bound(0 if self.request.two_sided else self.turn))
        return adjusted

    def _adjusted(self, p: np.ndarray, adjust: Adjustment | None = None) -> np.ndarray:
        facts = self.request.two_sided, self.request.pairs, len(self.layout.algorithms)
        by = adjust or self.request.adjust
        return by.adjusted(Statistics(self.t, Known(p), *facts, _no_subset))

    @cached_property
    def equivalence(self) -> np.ndarray:
        """Of two one-sided tests, adjusted; they agree with their own limits."""
        margin = self.request.relevance
        if not self.request.two_sided or margin <= 0:
            return np.full(len(self.t), np.nan)
        adjusted = self._adjusted(
            self._known(self._inside(self.test.p)), for_equivalence(self.request.adjust)
        )
        if self._is_joint:  # whose law has both sides, and may still be the narrower one
            return np.fmin(adjusted, self._known(self._inside(self._jointly)))
        return adjusted

    def _inside(self, p: Callable[[np.ndarray, int], np.ndarray]) -> np.ndarray:
        """The larger p-value of the two ends of the margin."""
        margin = np.full(len(self.t), self.request.relevance)
        return np.maximum(p(-margin, 1), p(margin, -1))

    @cached_property
    def equivalence_limits(self) -> Limits:
        """Limits at the level 1 - 2 alpha that `equivalence` is read from."""
        alpha, adjust = min(0.5, self.request.alpha), self.request.adjust
        if adjust.critical is None:
            return (np.full(len(self.t), np.nan),) * 2
        own = alpha if adjust.name == "none" else pair_level(alpha, len(self.t), False)
        low, high = (self._known(end) for end in self.test.limits(own, False))
        if self._is_joint:
            return np.fmax(low, self.limits[0]), np.fmin(high, self.limits[1])
        return low, high

    @cached_property
    def limits(self) -> Limits:
        """Simultaneous limits: the judge's own, or by Šidák's inequality (one-sided Bonferroni's).

        Adjustments that step down have none.
        """
        m, alpha, two_sided = len(self.t), self.request.alpha, self.request.two_sided
        nothing, adjust = np.full(m, np.nan), self.request.adjust
        if adjust.critical is None:
            return nothing, nothing
        if not self._is_joint and adjust.name != "none":
            alpha = pair_level(alpha, m, two_sided and adjust.name != "bonferroni")
        limits_of = self.test.joint_limits if self._is_joint else self.test.limits
        low, high = (self._known(end) for end in limits_of(alpha, two_sided))
        if two_sided:
            return low, high
        return (low, nothing) if self.turn > 0 else (nothing, high)

    def overall(self) -> Overall:
        """The largest statistic: of no difference, whatever margin the pairs are asked about.

        Of a one-sided request it is one-sided too, as its pairs are.
        """
        no_difference, turn = np.zeros(len(self.t)), 0 if self.request.two_sided else self.turn
        sizes = (np.abs(self.t) if turn == 0 else turn * self.t)[~np.isnan(self.t)]
        if self._is_joint:
            alike = self._known(self._jointly(no_difference, turn))
        else:
            alike = self._adjusted(self._known(self.test.p(no_difference, turn)))
        if self.procedure.judge.bounded:
            alike = np.minimum(alike, self.test.bound(turn))
        known = alike[~np.isnan(alike)]
        one = len(self.t) == 1
        times = 1 if one or self.request.adjust.name != "none" else len(self.t)
        p = min(1.0, times * float(known.min())) if len(known) else math.nan
        size = float(sizes.max(initial=0.0))
        return Overall(self.procedure.name, size, None, p, OF_PAIR if one else LARGEST)


def _no_subset(columns: tuple[int, ...]) -> float:
    raise InferenceError(
        "Closed testing needs a test of several algorithms at once, and here each pair is tested "
        "by itself; use --adjust holm."
    )
