"""Tests of each pair on its own common blocks: they bear skewness, unequal variances and gaps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from scipy import special

from podium.core.inference.bricks import estimates as est
from podium.core.inference.bricks.contrasts import Pair
from podium.core.inference.bricks.estimates import Moments, moments, uncorrected
from podium.core.inference.bricks.flips import Flipped
from podium.core.inference.bricks.nulls import NullBrick, largest
from podium.core.inference.bricks.quantities import MEAN, MEAN_RANK, gives
from podium.core.inference.bricks.scales import block_ranks
from podium.core.inference.layouts import Layout
from podium.core.inference.numbers import tails
from podium.core.inference.procedures.procedure import (
    ADJUST,
    BY_HOLM,
    INDEPENDENT,
    SINGLE_STEP,
    Bare,
    Cited,
    Controls,
    DefaultNull,
    Judge,
    Needs,
    Procedure,
    Reports,
    derive,
)

ENOUGH_FOR_RANKS = 20  # their differences are coarse with fewer
PRIOR = 4  # blocks of the null's variance that moderate a rank difference
MANY_BLOCKS = 30  # from here on skewness is small beside their number, and flips hold
APART, IDENTICAL = "apart", "identical"  # remarks on pairs
Limits = tuple[np.ndarray, np.ndarray]


class Asked(Protocol):
    """What these tests look at of a request."""

    null: NullBrick
    alternative: str

    @property
    def pairs(self) -> Sequence[Pair]:
        """Those that are compared."""

    @property
    def alpha(self) -> float:
        """The level."""


@dataclass(frozen=True, eq=False)
class StudentTest:
    """The t test of every pair's mean difference, on the blocks that both have.

    A verdict in favour of an algorithm with gaps must survive them: the test is made again with its
    gaps filled by the worst difference seen, the larger p-value counts, and limits are the hull.
    """

    found: Moments
    fills = True  # gaps, itself

    @property
    def difference(self) -> np.ndarray:
        """First less second."""
        return self.found.mean

    @property
    def statistic(self) -> np.ndarray:
        """0 where all scores of a pair are equal, NaN where their difference does not vary."""
        return np.where(self._same, 0.0, self._between(self.found, 0.0))

    @property
    def _same(self) -> np.ndarray:
        return (self.found.mean == 0) & ~self.found.varies

    @property
    def remarks(self) -> list[str]:
        """Pairs that share fewer than two blocks, and those that are equal in every block."""
        known = np.where(self.found.n < 2, APART, "")
        return list(map(str, np.where(self._same & (self.found.n > 1), IDENTICAL, known)))

    def _df(self, result: Moments) -> np.ndarray:
        return np.maximum(result.n - 1, 1)

    def _ends(self, outcome: Moments, null: np.ndarray | float) -> tuple[np.ndarray, ...]:
        """The statistics that must all speak against the null."""
        return (outcome.t(null),)

    def _between(self, answer: Moments, null: np.ndarray | float) -> np.ndarray:
        """The least size of them, with the sign of the difference; 0 where they contradict."""
        ends = np.array(self._ends(answer, null))
        size = np.abs(ends).min(axis=0)
        size = np.where((np.sign(ends) == np.sign(ends[0])).all(axis=0) | np.isnan(size), size, 0.0)
        return np.asarray(np.copysign(size, answer.mean - null))

    def p(self, null: np.ndarray, turn: int) -> np.ndarray:
        """The largest p-value, of what was seen and with the gaps filled of whom it favours."""
        p = self._p(self.found, null, turn)
        for side, gaps in ((1, self.found.lacks_first), (-1, self.found.lacks_second)):
            favoured = (
                np.full(len(p), turn == side) if turn else side * (self.found.mean - null) > 0
            )
            chosen = favoured & (gaps > 0)
            if chosen.any():
                filled = self.found.filled(side)
                turned = (side * (filled.mean - null) <= 0) & (turn == 0)
                again = np.where(turned, 1.0, self._p(filled, null, turn))
                p = np.where(chosen, np.fmax(p, again), p)
        return np.where(self._same & (null == 0), 1.0, p)

    def _p(self, found: Moments, null: np.ndarray, turn: int) -> np.ndarray:
        if turn:
            least = np.min([turn * t for t in self._ends(found, null)], axis=0)
            return np.asarray(tails.t_sf(least, self._df(found)))
        return np.asarray(2 * tails.t_sf(np.abs(self._between(found, null)), self._df(found)))

    def limits(self, alpha: float, two_sided: bool) -> Limits:
        """The hull of the intervals, of what was seen and with gaps filled."""
        level = alpha / 2 if two_sided else alpha
        low, high = self._limits(self.found, level)
        for side, gaps in ((1, self.found.lacks_first), (-1, self.found.lacks_second)):
            if not (gaps > 0).any():
                continue
            again = self._limits(self.found.filled(side), level)
            whole = side * self.found.mean > 0  # whom two-sided tests may favour
            down, up = (whole, whole) if two_sided else (side > 0, side < 0)
            low = np.where(down & (gaps > 0), np.fmin(low, again[0]), low)
            high = np.where(up & (gaps > 0), np.fmax(high, again[1]), high)
        return low, high

    def _limits(self, found: Moments, level: float) -> Limits:
        df, place = np.unique(self._df(found), return_inverse=True)
        reaches = self._reaches(found, np.asarray(tails.t_isf(level, df)[place]))
        low, high = (np.max([r[side] for r in reaches], axis=0) for side in (0, 1))
        return found.mean - found.error * low, found.mean + found.error * high

    def _reaches(self, found: Moments, q: np.ndarray) -> list[Limits]:
        """How many standard errors every interval reaches down and up."""
        return [(q, q)]

    def jointly(self, adjust: str) -> np.ndarray:
        """Nothing is known of all pairs at once."""
        raise AssertionError("joint adjustments are refused before")

    def bound(self, turn: int) -> np.ndarray:
        """None."""
        return np.ones(len(self.found.n))


class Hull(StudentTest):
    """The t test and Hall's skewness-corrected one together: both must reject (hull)."""

    def _ends(self, result: Moments, null: np.ndarray | float) -> tuple[np.ndarray, ...]:
        t = result.t(null)
        return t, result.h(t)

    def _reaches(self, outcome: Moments, q: np.ndarray) -> list[Limits]:
        bend = outcome.bend
        return [(q, q), (uncorrected(q, bend), -uncorrected(-q, bend))]


@dataclass(frozen=True, eq=False)
class ModeratedRanks(StudentTest):
    """The t test of mean-rank differences, its variance moderated by four blocks of the null.

    Within a block of k algorithms whose ranks are exchangeable a difference of two ranks has the
    variance k (k + 1) / 6. Four blocks of it join the n that were seen, so that the test has n + 3
    degrees of freedom, and one order in every block is no special case (limma's moderation, Smyth
    2004, with a prior of ours).
    """

    null_variance: np.ndarray  # the mean of k (k + 1) / 6 over the blocks of a pair
    farthest: float  # difference of mean ranks that can be

    @property
    def statistic(self) -> np.ndarray:
        """NaN where two have no block in common."""
        return self._between(self._moderated(self.found), 0.0)

    @property
    def _same(self) -> np.ndarray:
        return np.zeros(len(self.found.n), dtype=bool)

    def _df(self, result: Moments) -> np.ndarray:
        return np.asarray(result.n + PRIOR - 1)

    def _p(self, outcome: Moments, null: np.ndarray, turn: int) -> np.ndarray:
        return super()._p(self._moderated(outcome), null, turn)

    def _limits(self, answer: Moments, level: float) -> Limits:
        low, high = super()._limits(self._moderated(answer), level)
        return np.fmax(low, -self.farthest), np.fmin(high, self.farthest)

    def _moderated(self, found: Moments) -> Moments:
        """With the sd for which `error` is the root of s² / n."""
        n = np.maximum(found.n, 1)
        s2 = (PRIOR * self.null_variance + found.n * found.sd**2) / (PRIOR + n - 1)
        sd = np.where(found.n > 0, np.sqrt(s2 * np.maximum(n - 1, 1) / n), np.nan)
        return replace(found, sd=sd)


@dataclass(frozen=True, eq=False)
class Signs(StudentTest):
    """The exact sign test of two algorithms; ties are left out, and there are no limits."""

    @property
    def statistic(self) -> np.ndarray:
        """The standardised difference of wins and losses."""
        used = self.found.wins + self.found.losses
        z = (self.found.wins - self.found.losses) / np.sqrt(np.maximum(used, 1))
        return np.where(self.found.n > 0, z, np.nan)

    def p(self, null: np.ndarray, turn: int) -> np.ndarray:
        """Binomial; gaps count as losses where any was seen, else as ties."""
        p = self._binomial(self.found.wins, self.found.losses, turn)
        for side, gaps in ((1, self.found.lacks_first), (-1, self.found.lacks_second)):
            ahead = side * (self.found.wins - self.found.losses) > 0
            favoured = np.full(len(p), turn == side) if turn else ahead
            worst = np.sign(side * (self.found.least if side > 0 else self.found.most)) < 0
            more = np.where(favoured & worst & (self.found.n > 0), gaps, 0.0)
            if more.any():
                wins = self.found.wins + (more if side < 0 else 0.0)
                losses = self.found.losses + (more if side > 0 else 0.0)
                turned = (side * (wins - losses) <= 0) & (turn == 0)
                again = np.where(turned, 1.0, self._binomial(wins, losses, turn))
                p = np.where(more > 0, np.fmax(p, again), p)
        return p

    def _binomial(self, wins: np.ndarray, losses: np.ndarray, turn: int) -> np.ndarray:
        few = losses if turn > 0 else wins if turn < 0 else np.minimum(wins, losses)
        p = special.bdtr(few, (wins + losses).astype(int), 0.5)
        p = np.minimum(p if turn else 2 * p, 1.0)
        return np.where(wins + losses > 0, p, 1.0)

    def limits(self, alpha: float, two_sided: bool) -> Limits:
        """None: who wins more often is no amount."""
        nothing = np.full(len(self.found.n), np.nan)
        return nothing, nothing


@dataclass(frozen=True, eq=False)
class RankTest(StudentTest):
    """The t test of ranks; where a difference is the same in every block, the sign test."""

    patterns: int  # of signs, among pairs whose difference has one size in all blocks

    @property
    def _same_order(self) -> np.ndarray:
        return (self.found.mean != 0) & ~self.found.varies & (self.found.n > 1)

    @property
    def statistic(self) -> np.ndarray:
        """Where nothing varies, the t that has the sign test's p-value."""
        size = tails.t_isf(0.5**self.found.n, self._df(self.found))
        return np.where(self._same_order, np.copysign(size, self.found.mean), super().statistic)

    def p(self, null: np.ndarray, turn: int) -> np.ndarray:
        """2^(1 - n) for n blocks of one order, half of it in its direction."""
        sign = 2 * 0.5**self.found.n
        if turn:
            sign = np.where(turn * self.found.mean > 0, sign / 2, 1.0)
        return np.where(self._same_order, sign, super().p(null, turn))

    def bound(self, turn: int) -> np.ndarray:
        """What joint flips of whole blocks give: only these patterns are as extreme."""
        p = self.patterns * self.p(np.zeros(len(self.found.n)), turn)
        return np.where(self._same_order, np.minimum(p, 1.0), 1.0)


@gives(MEAN)
def hull(layout: Layout, request: Asked) -> Hull:
    """Of the pairs that are asked for."""
    return Hull(moments(layout.values, request.pairs))


@gives(MEAN_RANK)
def rank_t(layout: Layout, request: Asked) -> RankTest:
    """Of the pairs that are asked for."""
    good = -block_ranks(layout)
    return RankTest(moments(good, request.pairs), _patterns(good, request.pairs))


@gives(MEAN_RANK)
def moderated_ranks(layout: Layout, request: Asked) -> StudentTest:
    """Of the pairs that are asked for: two algorithms by signs, more by moderated t."""
    ranks = block_ranks(layout)
    result = moments(-ranks, request.pairs)
    count = ranks.shape[1]
    if count == 2:
        return Signs(result)
    present = (~np.isnan(ranks)).sum(axis=1)
    return ModeratedRanks(result, _null_variances(ranks, present, request.pairs), count - 1.0)


def _null_variances(ranks: np.ndarray, present: np.ndarray, pairs: Sequence[Pair]) -> np.ndarray:
    """Of every pair the mean of k (k + 1) / 6 over the blocks that both have."""
    of_block = present * (present + 1) / 6
    known = (~np.isnan(ranks)).astype(float)
    sums, counts = known.T @ (of_block[:, None] * known), known.T @ known
    first, second = np.asarray(pairs, dtype=np.intp).reshape(-1, 2).T
    return np.asarray((sums / np.maximum(counts, 1))[first, second])


def _patterns(values: np.ndarray, pairs: Sequence[Pair]) -> int:
    """How many patterns of signs make a pair's difference the same in every block.

    Each pair whose difference has one size has one such pattern, up to turning all signs.
    """
    first, second = np.asarray(pairs, dtype=np.intp).reshape(-1, 2).T
    if np.isnan(values).any() or not len(values):
        return max(len(first), 1)  # as many as pairs: Bonferroni's bound
    steady = np.ones(len(first), dtype=bool)
    size = np.abs(values[0, first] - values[0, second])
    for row in values:  # most pairs drop out soon
        steady[steady] = np.abs(row[first] - row[second])[steady] == size[steady]
    signs = np.sign(values[:, first[steady]] - values[:, second[steady]])
    turned = signs * np.where(signs[:1] == 0, 1.0, signs[:1])
    return max(len(np.unique(turned, axis=1).T), 1)


@gives(MEAN)
def flip(layout: Layout, request: Asked) -> Flipped:
    """Of the pairs that are asked for, all at once."""
    turn = {"two-sided": 0, "less": -layout.sign}.get(request.alternative, layout.sign)
    draws, seed = request.null.draws, request.null.seed
    return Flipped(in_order(layout), request.pairs, draws, seed, turn, request.alpha)


def in_order(layout: Layout) -> np.ndarray:
    """The blocks of a layout by name or, where they have none, by their differences."""
    if layout.labels:
        return layout.in_order().values
    return layout.values[np.lexsort(np.diff(layout.values, axis=1).T[::-1])]


# -- the procedures -------------------------------------------------------------------------------

ON_REAL_TABLES = Controls(
    SINGLE_STEP.kind,
    "family-wise error strongly, with many blocks; where differences are skewed, as on most real "
    "tables, about 14 % at 10 blocks, 8 % at 30 and 6 % at 50 (five on very skewed ones: 20 % at "
    "10 blocks, 10 % at 30)",
)
RANKS = Procedure(
    "ranks",
    "moderated t test of mean ranks, of two algorithms the sign test",
    est.means,
    largest,
    "sidak",
    "two algorithms have equal mean ranks (of two: each is as often ahead as the other)",
    "equal mean ranks; at most 6 % of three and more algorithms that are alike, 4 % on real tables",
    SINGLE_STEP,
    (Cited("Smyth (2004)"), Cited("Demšar (2006)"), Cited("Šidák (1967)", of=ADJUST)),
    INDEPENDENT,
    pairwise=True,
    words="differences of mean ranks within data sets, judged by t tests with a moderated variance "
    "(two algorithms by the sign test)",
    nulls=DefaultNull(default="asymptotic"),
    needs=Needs(gaps=True),
    reports=Reports(amounts="hull"),
    judge=Judge(test=moderated_ranks, other_bricks="paired-t"),
)
RANK_T = derive(
    RANKS,
    name="rank-t",
    title="paired t test of ranks within blocks, each pair on its common blocks",
    adjust="holm",
    hypothesis="two algorithms have equal mean ranks among these",
    null="equal mean ranks; many blocks (real tables: about 10 % at 10 blocks, 6 % at 30)",
    controls=BY_HOLM,
    references=(Cited("Conover, Iman (1981)"), Cited("Holm (1979)", of=ADJUST)),
    words="paired t tests of ranks within blocks",
    reports=replace(RANKS.reports, few_below=ENOUGH_FOR_RANKS),
    judge=replace(RANKS.judge, test=rank_t, bounded=True),
)
HULL = derive(
    RANKS,
    name="hull",
    title="paired t test with Hall's skewness correction",
    hypothesis="two algorithms have equal means",
    null="equal means; differences that are not too skewed for their number, or many blocks",
    controls=ON_REAL_TABLES,
    references=(Cited("Hall (1992)"), Cited("Šidák (1967)", of=ADJUST)),
    words="paired t tests and their skewness-corrected versions by Hall, of which the larger "
    "p-value counts",
    needs=replace(RANKS.needs, margins=True),
    reports=Reports(companion=RANKS.name, few_below=MANY_BLOCKS),
    judge=replace(RANKS.judge, test=hull),
)
FLIP = derive(
    HULL,
    name="flip",
    bare=Bare(
        (ADJUST,),
        title="sign flips of whole blocks, the largest of Hall's t of all pairs",
        words="sign flips of whole blocks and the largest of Hall's skewness-corrected t "
        "statistics of all pairs",
    ),
    title="sign flips of whole blocks, the largest of Hall's t of all pairs, stepping down",
    adjust="step-down",
    null="equal means; differences symmetric about zero, or many blocks",
    controls=Controls(
        BY_HOLM.kind,
        "family-wise error strongly; where differences are skewed, as on most real tables, about "
        "8 % at 30 blocks and 4 % at 100 (five on very skewed ones: 16 % at 30, 7 % at 100)",
    ),
    references=(Cited("Hall (1992)"), Cited("Westfall, Young (1993)")),
    words="sign flips of whole blocks and the largest of Hall's skewness-corrected t statistics "
    "of all pairs, stepping down",
    needs=replace(HULL.needs, margins=False, least=MANY_BLOCKS, with_fewer=HULL.name),
    judge=replace(HULL.judge, joint=("step-down", "single-step"), other_bricks="", test=flip),
    nulls=replace(HULL.nulls, default="permutation:9999"),
)
PROCEDURES = [RANKS, HULL, RANK_T, FLIP]
