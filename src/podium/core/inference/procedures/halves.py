"""The halves test: a difference judged by how it varies between halves of the rows.

Halves have no row in common, so that their differences vary as those of independent samples of
half the size do. Their mean varies by v = sum (m - m')² / (4 M) over M halvings, and the difference
on all rows is taken to vary no more. This is the conservative variance of Nadeau and Bengio (2003,
section 5.2) for the mean of both halves, with t instead of Z.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from podium.core.base.errors import InferenceError
from podium.core.inference.bricks.contrasts import Pair
from podium.core.inference.bricks.estimates import means as means_of
from podium.core.inference.bricks.estimates import test_train_ratio
from podium.core.inference.bricks.nulls import largest
from podium.core.inference.bricks.quantities import MEAN, gives
from podium.core.inference.layouts import Halvings, Layout
from podium.core.inference.numbers import tails
from podium.core.inference.procedures.procedure import (
    DEPENDENT,
    SINGLE_STEP,
    Cited,
    DefaultNull,
    Judge,
    Needs,
    Procedure,
    Reports,
    derive,
)
from podium.core.words.facts import CAUTION, REMARK, Note

MOST_DF = 9  # v has about so many, however many halvings there are
NOTHING = 1e-9  # of a difference or a spread, beside the scores: rounding
FAR = 2.26  # standard errors between halves and whole: the 97.5 % quantile of t with 9 df
FEW_ROWS, FEW_HALVINGS = 100, 5
NO_CLAIM, RARE = 10, 20  # rows of the rarest class
MANY_ATTRIBUTES, FEW_DISTINCT = 0.4, 0.5  # of the rows
COUNTED = 0.75  # the share of distinct scores below which they are counts
CONSTANT, ALIKE, TOO_RARE = "constant", "alike", "rare-class"  # why nothing is claimed


class HalvesTest:
    """Every pair by the mean difference on all rows and the spread between halves."""

    def __init__(self, layout: Layout, pairs: Sequence[Pair], *, times: float = 1.0) -> None:
        if layout.halvings is None:
            raise InferenceError(
                "The halves test needs halvings, and there are none: add them to a study by "
                "podium run STUDY --halves 10, or to a table as rows with the columns halving, "
                "side and fold."
            )
        self.layout, self.times = layout, times
        self.halvings: Halvings = layout.halvings.complete()
        if self.count < 2:
            raise InferenceError(
                f"The halves test needs two halvings with all scores; there {_are(self.count)}."
            )
        first, second = np.array(pairs).T
        self.blocks = layout.values[:, first] - layout.values[:, second]
        means = self.halvings.means
        self.inside = means[:, :, first] - means[:, :, second]
        largest = max(float(np.abs(layout.values).max()), float(np.abs(means).max()))
        self.noise = NOTHING * largest

    @property
    def count(self) -> int:
        """How many halvings there are."""
        return len(self.halvings.means)

    @property
    def df(self) -> int:
        """Of the variance between halves."""
        return min(self.count - 1, MOST_DF)

    @cached_property
    def difference(self) -> np.ndarray:
        """First less second, over all samples of the design."""
        return np.asarray(self.blocks.mean(axis=0))

    @cached_property
    def gaps(self) -> np.ndarray:
        """What the two halves of each halving differ by; halvings x pairs."""
        return np.asarray(self.inside[:, 0] - self.inside[:, 1])

    @cached_property
    def between(self) -> np.ndarray:
        """v, the variance between halves, scaled to all rows."""
        return np.asarray(self.times * (self.gaps**2).sum(axis=0) / (4 * self.count))

    @cached_property
    def guard(self) -> np.ndarray:
        """The corrected variance of the design's own samples, which v must not fall below."""
        ratio = 1 / len(self.blocks) + test_train_ratio(self.layout)
        return np.asarray(ratio * self.blocks.var(axis=0, ddof=1))

    @cached_property
    def variance(self) -> np.ndarray:
        """The larger of the two."""
        return np.maximum(self.between, self.guard)

    @cached_property
    def unclaimed(self) -> list[str]:
        """Why nothing is claimed of a pair; empty where something is."""
        rarest = self.halvings.rarest
        if rarest is not None and rarest < NO_CLAIM:
            return [TOO_RARE] * len(self.difference)
        still = np.minimum(self.between, self.guard) <= self.noise**2
        alike = (np.abs(self.gaps) <= self.noise).any(axis=0) & (not _is_counted(self.layout))
        return [CONSTANT if s else ALIKE if a else "" for s, a in zip(still, alike, strict=True)]

    @cached_property
    def statistic(self) -> np.ndarray:
        """Of no difference; NaN where nothing is claimed."""
        claimed = np.array([not why for why in self.unclaimed])
        spread = np.where(claimed, np.sqrt(self.variance), math.nan)
        return np.asarray(self.difference / spread)

    @property
    def remarks(self) -> list[str]:
        """The cautions say all there is to say."""
        return [""] * len(self.difference)

    def p(self, null: np.ndarray, turn: int) -> np.ndarray:
        """Of `difference == null`, by t."""
        with np.errstate(divide="ignore", invalid="ignore"):
            t = (self.difference - null) / np.sqrt(self.variance)
        return tails.t_sf(turn * t, self.df) if turn else 2 * tails.t_sf(np.abs(t), self.df)

    def limits(self, alpha: float, two_sided: bool) -> tuple[np.ndarray, np.ndarray]:
        """Limits of the differences by the t distribution."""
        quantile = float(tails.t_isf(alpha / 2 if two_sided else alpha, self.df))
        reach = quantile * np.sqrt(self.variance)
        return self.difference - reach, self.difference + reach


@gives(MEAN)
def judged(layout: Layout, request: Any, *, times: float = 1.0) -> HalvesTest:
    """The pairs that are asked for."""
    return HalvesTest(layout, request.pairs, times=times)


def _is_counted(layout: Layout) -> bool:
    """Whether scores are counts, as those of errors are: then halves are equal by chance."""
    distinct = [len(np.unique(column)) for column in layout.values.T]
    return layout.measure.unit == "share" or max(distinct) < COUNTED * len(layout.values)


def _are(count: int) -> str:
    return f"{'is' if count == 1 else 'are'} {count}"


# -- what must be said ----------------------------------------------------------------------------


def about_halves(layout: Layout, procedure: Procedure, request: Any) -> Iterator[Note]:
    """The assumption, and whatever in data, scores and halvings speaks against it."""
    assert procedure.judge.test is not None
    test: HalvesTest = procedure.judge.test(layout, request)
    yield from _about_pairs(test, request)
    yield from _about_data(layout, test.halvings)
    yield from _about_halvings(layout, test)
    guarded = int((test.guard > test.between).sum())
    yield Note(
        "halves", REMARK, halvings=test.count, df=test.df, guarded=guarded, pairs=len(test.guard)
    )
    if layout.measure.unit.endswith("²") or layout.measure.spec == "rmse":
        yield Note("halves-heavy-tails", REMARK, measure=layout.measure.name)


def _about_pairs(test: HalvesTest, request: Any) -> Iterator[Note]:
    why = np.array(test.unclaimed)
    for reason in (CONSTANT, ALIKE):
        if (which := why == reason).any():
            yield Note("halves-no-claim", CAUTION, pairs=_names(request, which), why=reason)
    apart = np.abs(test.difference - test.inside.mean(axis=(0, 1)))
    far = (why == "") & (apart > FAR * np.sqrt(test.between))
    if far.any():
        yield Note("halves-far-off", CAUTION, pairs=_names(request, far))


def _names(request: Any, which: np.ndarray) -> tuple[tuple[str, str], ...]:
    return tuple(request.labels[i] for i in np.flatnonzero(which))


def _about_data(layout: Layout, halvings: Halvings) -> Iterator[Note]:
    n, rarest = layout.origin.rows, halvings.rarest
    if rarest is not None and rarest < RARE:
        yield Note("halves-rare-class", CAUTION, rows=rarest, claimed=rarest >= NO_CLAIM)
    if halvings.grouped and not (layout.origin.sampling and layout.origin.sampling.grouped):
        yield Note("halves-groups", CAUTION)
    if n is None:
        return
    if n < FEW_ROWS:
        yield Note("halves-few-rows", CAUTION, rows=n)
    if halvings.attributes is not None and halvings.attributes > MANY_ATTRIBUTES * n:
        yield Note("halves-attributes", CAUTION, attributes=halvings.attributes, rows=n)
    if halvings.distinct is not None and halvings.distinct < FEW_DISTINCT * n:
        yield Note("halves-distinct", CAUTION, distinct=halvings.distinct, rows=n)


def _about_halvings(layout: Layout, test: HalvesTest) -> Iterator[Note]:
    assert layout.halvings is not None
    drawn = len(layout.halvings.means)
    if test.count < drawn:
        yield Note("halves-incomplete", CAUTION, halvings=drawn - test.count, of=drawn)
    if test.count < FEW_HALVINGS:
        yield Note("halves-few", CAUTION, halvings=test.count)


# -- records --------------------------------------------------------------------------------------

HALVES = Procedure(
    "halves",
    "halves test",
    means_of,
    largest,
    "sidak",
    "two algorithms have equal expected performance over new samples",
    "independent rows; n times the variance of a difference does not grow from n/2 to n rows",
    SINGLE_STEP,
    (Cited("Nadeau, Bengio (2003)", ", section 5.2, for the mean of both halves"),),
    DEPENDENT,
    pairwise=True,
    words="the halves test, in which a difference is judged by its scatter between random halves "
    "of the observations, or by the corrected variance of its samples where that is larger",
    nulls=DefaultNull(default="asymptotic"),
    needs=Needs(margins=True, halves=True),
    judge=Judge(test=judged),
    reports=Reports(cautions=about_halves),
)
PROCEDURES = [
    HALVES,
    derive(
        HALVES,
        name="halves-conservative",
        title="halves test with twice the variance",
        null="independent rows; the variance of a difference does not grow from n/2 to n rows",
        references=(Cited("Nadeau, Bengio (2003)", ", section 5.2"),),
        words="the halves test with twice its variance, in which a difference is judged by its "
        "scatter between random halves of the observations",
        judge=replace(HALVES.judge, test=partial(judged, times=2.0)),
    ),
]
