"""Tests of each pair on its own common blocks: they bear skewness, unequal variances and gaps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from podium.inference.bricks import estimates as est
from podium.inference.bricks.contrasts import Pair
from podium.inference.bricks.flips import Flipped
from podium.inference.bricks.hall import Moments, moments, uncorrected
from podium.inference.bricks.nulls import NullBrick
from podium.inference.bricks.overall import largest
from podium.inference.bricks.scales import ranked
from podium.inference.layouts.layouts import Layout
from podium.inference.numbers import tails
from podium.inference.procedures.procedure import (
    BY_HOLM,
    INDEPENDENT,
    Cited,
    Controls,
    DefaultNull,
    Judge,
    Needs,
    Procedure,
    Reports,
)
from podium.words.facts import Overall

ENOUGH_FOR_RANKS = 20  # their differences are coarse with fewer
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
    """The t test of every pair's mean difference, on the blocks that both have."""

    found: Moments

    @property
    def difference(self) -> np.ndarray:
        """First less second."""
        return self.found.mean

    @property
    def statistic(self) -> np.ndarray:
        """0 where all scores of a pair are equal, NaN where their difference does not vary."""
        t = self._between(0.0)
        same = (self.found.mean == 0) & ~self.found.varies
        return np.where(same, 0.0, t)

    @property
    def remarks(self) -> list[str]:
        """Pairs that share fewer than two blocks, and those that are equal in every block."""
        known = np.where(self.found.n < 2, APART, "")
        same = (self.found.mean == 0) & ~self.found.varies & (self.found.n > 1)
        return list(map(str, np.where(same, IDENTICAL, known)))

    def _ends(self, null: np.ndarray | float) -> tuple[np.ndarray, ...]:
        """The statistics that must all speak against the null."""
        return (self.found.t(null),)

    def _between(self, null: np.ndarray | float) -> np.ndarray:
        """The least size of them, with the sign of the difference less the null."""
        size = np.abs(np.array(self._ends(null))).min(axis=0)
        return np.asarray(np.copysign(size, self.found.mean - null))

    def p(self, null: np.ndarray, turn: int) -> np.ndarray:
        """The largest p-value, by t with n - 1 df."""
        df = np.maximum(self.found.n - 1, 1)
        if turn:
            p = tails.t_sf(np.min([turn * t for t in self._ends(null)], axis=0), df)
        else:
            p = 2 * tails.t_sf(np.abs(self._between(null)), df)
        same = (self.found.mean == 0) & ~self.found.varies & (null == 0)
        return np.where(same, 1.0, p)

    def limits(self, alpha: float, two_sided: bool) -> Limits:
        """The hull of the intervals."""
        q = _quantiles(alpha / 2 if two_sided else alpha, self.found.n)
        reaches = self._reaches(q)
        low, high = (np.max([r[side] for r in reaches], axis=0) for side in (0, 1))
        at, error = self.found.mean, self.found.error
        return at - error * low, at + error * high

    def _reaches(self, q: np.ndarray) -> list[Limits]:
        """How many standard errors every interval reaches down and up."""
        return [(q, q)]

    def overall(self) -> Overall | None:
        """The largest statistic."""
        return None

    def jointly(self, adjust: str) -> np.ndarray:
        """Nothing is known of all pairs at once."""
        raise AssertionError("joint adjustments are refused before")

    def bound(self, turn: int) -> np.ndarray:
        """None."""
        return np.ones(len(self.found.n))


class Hull(StudentTest):
    """The t test and Hall's skewness-corrected one together: both must reject (hull)."""

    def _ends(self, null: np.ndarray | float) -> tuple[np.ndarray, ...]:
        t = self.found.t(null)
        return t, self.found.h(t)

    def _reaches(self, q: np.ndarray) -> list[Limits]:
        bend = self.found.bend
        return [(q, q), (uncorrected(q, bend), -uncorrected(-q, bend))]


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
        df = np.maximum(self.found.n - 1, 1)
        size = tails.t_isf(0.5**self.found.n, df)
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


def _quantiles(p: float, n: np.ndarray) -> np.ndarray:
    """Of t with n - 1 df; few numbers of blocks differ."""
    counts, place = np.unique(np.maximum(n - 1, 1), return_inverse=True)
    return np.asarray(tails.t_isf(p, counts)[place])


def hull(layout: Layout, asked: Asked) -> Hull:
    """Of the pairs that are asked for."""
    return Hull(moments(layout.values, asked.pairs))


def of_ranks(layout: Layout, asked: Asked) -> RankTest:
    """Of the pairs that are asked for."""
    return RankTest(moments(layout.values, asked.pairs), _patterns(layout.values, asked.pairs))


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


def flip(layout: Layout, asked: Asked) -> Flipped:
    """Of the pairs that are asked for, all at once."""
    turn = {"two-sided": 0, "less": -layout.sign}.get(asked.alternative, layout.sign)
    draws, seed = asked.null.draws, asked.null.seed
    return Flipped(in_order(layout), asked.pairs, draws, seed, turn, asked.alpha)


def in_order(layout: Layout) -> np.ndarray:
    """The blocks of a layout by name or, where they have none, by their differences."""
    if layout.labels:
        return layout.in_order().values
    return layout.values[np.lexsort(np.diff(layout.values, axis=1).T[::-1])]


# -- the procedures -------------------------------------------------------------------------------

ON_REAL_TABLES = Controls(
    BY_HOLM.kind,
    "family-wise error strongly, with many blocks; where differences are skewed, as on most real "
    "tables, about 10 % at 10 blocks, 7 % at 30 and 3 % at 100",
)
RANK_T = Procedure(
    "rank-t",
    "paired t test of ranks within blocks, each pair on its common blocks",
    est.means,
    largest,
    "holm",
    "two algorithms have equal mean ranks among these",
    "equal mean ranks; many blocks (real tables: about 10 % at 10 blocks, 6 % at 30)",
    BY_HOLM,
    (Cited("Conover, Iman (1981)"), Cited("Holm (1979)")),
    INDEPENDENT,
    pairwise=True,
    criterion=ranked,
    words="paired t tests of ranks within blocks",
    nulls=DefaultNull(default="asymptotic"),
    needs=Needs(gaps=True),
    reports=Reports(ranks=True, few_below=ENOUGH_FOR_RANKS),
    judge=Judge(test=of_ranks, bounded=True, other_bricks="paired-t"),
)
HULL = replace(
    RANK_T,
    name="hull",
    title="t test and Hall's skewness-corrected t test of each pair, the larger p-value of both",
    hypothesis="two algorithms have equal means",
    null="equal means; differences that are not too skewed for their number, or many blocks",
    controls=ON_REAL_TABLES,
    references=(Cited("Hall (1992)"), Cited("Holm (1979)")),
    criterion=None,
    words="paired t tests and their skewness-corrected versions by Hall, of which the larger "
    "p-value counts",
    needs=replace(RANK_T.needs, margins=True),
    reports=replace(RANK_T.reports, ranks=False, companion=RANK_T.name, few_below=MANY_BLOCKS),
    judge=replace(RANK_T.judge, test=hull, bounded=False),
)
FLIP = replace(
    HULL,
    name="flip",
    title="sign flips of whole blocks, the largest of Hall's t of all pairs, stepping down",
    adjust="step-down",
    null="equal means; differences symmetric about zero, or many blocks",
    controls=Controls(
        BY_HOLM.kind,
        "family-wise error strongly; where differences are skewed, as on most real tables, about "
        "8 % at 30 blocks and 4 % at 100",
    ),
    references=(Cited("Hall (1992)"), Cited("Westfall, Young (1993)")),
    words="sign flips of whole blocks and the largest of Hall's skewness-corrected t statistics "
    "of all pairs, stepping down",
    needs=replace(HULL.needs, margins=False, least=MANY_BLOCKS, with_fewer=HULL.name),
    judge=replace(HULL.judge, joint=("step-down", "single-step"), other_bricks="", test=flip),
    nulls=replace(HULL.nulls, default="permutation:9999"),
)
PROCEDURES = [HULL, RANK_T, FLIP]
