"""Tests that look at every pair by itself: a brick from differences to p-values and intervals.

A procedure whose record has a `judge` is not made of estimates and a null. Its judge takes a layout
and a request and gives a `PairTest`; what margins, directions and adjustments make of that is the
same for all of them and stands here.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cached_property
from typing import Protocol

import numpy as np

from podium.base.errors import InferenceError
from podium.inference.bricks.adjustments import (
    Adjustment,
    Statistics,
    for_equivalence,
    pair_level,
)
from podium.inference.bricks.estimates import Model, moments
from podium.inference.bricks.nulls import Known
from podium.inference.bricks.overall import LARGEST, OF_PAIR
from podium.inference.comparing.request import Request
from podium.inference.layouts.layouts import Layout
from podium.inference.procedures.procedure import Procedure
from podium.words.facts import Overall

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
        if not self.procedure.reports.unit:
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
