"""Items that are right or wrong: McNemar's tests of pairs, with Tango's limits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from scipy import special

from podium.core.base.errors import InferenceError
from podium.core.inference.bricks.contrasts import Pair
from podium.core.inference.bricks.estimates import correct
from podium.core.inference.bricks.flips import BORDER, BORDERLINE, NOISE, Maxima, maxima
from podium.core.inference.bricks.nulls import NullBrick
from podium.core.inference.bricks.quantities import MEAN, gives
from podium.core.inference.layouts import Layout
from podium.core.inference.procedures.mean_tests import MCNEMAR
from podium.core.inference.procedures.procedure import (
    ADJUST,
    APPROXIMATE,
    BY_HOLM,
    NULL,
    Bare,
    Cited,
    Procedure,
    derive,
)
from podium.core.words.facts import Note

# -- tango ----------------------------------------------------------------------------------------
# Tango's score statistic of a difference of paired shares, and the limits that invert it.
#
# Of n items the first of two has `won` right that the second has wrong, and `lost` the other
# way. The statistic for a difference D of the shares is (won - lost - n D) over its standard
# error, in which the share q of items that are lost is the likeliest that D allows (Tango 1998,
# eq. 5 and 6). At 0 it is McNemar's (won - lost) / sqrt(won + lost), so limits at a critical
# value z exclude 0 exactly where McNemar's statistic is beyond z.


HALVINGS = 60  # of an interval of length 2: to the last digit


def score(won: np.ndarray, lost: np.ndarray, n: np.ndarray, difference: np.ndarray) -> np.ndarray:
    """Tango's statistic for every pair of models; it falls as `difference` grows."""
    d = np.asarray(difference, float)
    b = (2 * n - won + lost) * d - won - lost
    root = np.sqrt(np.maximum(b * b + 8 * n * lost * d * (1 - d), 0.0))
    # of two forms of the larger root that which does not subtract
    q = np.where(b <= 0, (root - b) / (4 * np.maximum(n, 1)), _conjugate(b, root, lost, d))
    variance = n * (2 * q + d * (1 - d))
    over = won - lost - n * d
    noise = 1e-14 * n
    far = np.sign(over) * np.where(np.abs(over) > noise, np.inf, 0.0)  # at the ends, -1 and 1
    return np.where(variance > noise, over / np.sqrt(np.maximum(variance, 1e-300)), far)


def _conjugate(b: np.ndarray, root: np.ndarray, lost: np.ndarray, d: np.ndarray) -> np.ndarray:
    return np.asarray(2 * lost * d * (1 - d) / np.maximum(root + b, 1e-300))


def limits(
    won: np.ndarray, lost: np.ndarray, n: np.ndarray, z: float
) -> tuple[np.ndarray, np.ndarray]:
    """The smallest and the largest difference whose statistic is within -z and z."""
    low = _root(won, lost, n, z)
    return low, -_root(lost, won, n, z)


def _root(won: np.ndarray, lost: np.ndarray, n: np.ndarray, z: float) -> np.ndarray:
    """The lower limit, by halving: above it the statistic is below z."""
    point = (won - lost) / np.maximum(n, 1)
    low, high = np.full(len(point), -1.0), np.asarray(point, float)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        beyond = score(won, lost, n, middle) > z
        low, high = np.where(beyond, middle, low), np.where(beyond, high, middle)
    return np.where(n > 0, (low + high) / 2, np.nan)


# -- items that are right or wrong ----------------------------------------------------------------
# McNemar's tests of pairs, with Tango's limits or by mid-p.


FEW_ITEMS = 10  # below them mid-p errs up to 6.2 %, and the exact test is used
FEW_DISCORDANT = 10  # items: with fewer the score test may be bolder than the exact one
NULLS = ("mid-p", "exact")
NONE_DISCORDANT = "none-discordant"
Limits = tuple[np.ndarray, np.ndarray]


class Request(Protocol):
    """What of a request matters here."""

    pairs: tuple[Pair, ...]
    null: NullBrick
    alternative: str
    alpha: float
    relevance: float

    @property
    def two_sided(self) -> bool:
        """Whether both directions count."""


@dataclass(frozen=True, eq=False)
class Discordant:
    """The items that only one of two models has right, on those that both have."""

    won: np.ndarray  # only the first
    lost: np.ndarray  # only the second
    items: np.ndarray

    @property
    def count(self) -> np.ndarray:
        """How many items only one of two has right."""
        return self.won + self.lost

    @property
    def difference(self) -> np.ndarray:
        """Of the shares of right answers."""
        share = (self.won - self.lost) / np.maximum(self.items, 1)
        return np.where(self.items > 0, share, np.nan)

    @property
    def statistic(self) -> np.ndarray:
        """The root of McNemar's chi-square; NaN where two have no item in common."""
        z = np.divide(self.won - self.lost, np.sqrt(np.maximum(self.count, 1)))
        return np.where(self.items > 0, z, np.nan)

    @property
    def remarks(self) -> list[str]:
        """Pairs that never differ."""
        never = (self.count == 0) & (self.items > 0)
        return [NONE_DISCORDANT if none else "" for none in never]


def counted(right: np.ndarray, pairs: Sequence[Pair]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Items that only the first, that only the second has right, and that both of a pair have."""
    known = (~np.isnan(right)).astype(float)
    right = np.nan_to_num(right)
    first, second = np.array(pairs).T
    only = np.rint(right.T @ (known - right)).astype(int)  # the other is known to be wrong
    both = np.rint(known.T @ known).astype(int)
    return only[first, second], only[second, first], both[first, second]


# -- the score test --------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Score(Discordant):
    """Tango's statistic of every pair: verdicts, p-values and limits come from one critical value.

    Of a difference of 0 the statistic is McNemar's. One pair is held against the normal law,
    several against the law of the largest of them.
    """

    right: np.ndarray
    request: Request
    turn: int  # the direction that counts where not both do

    @cached_property
    def law(self) -> Maxima:
        """Of the largest statistic of all pairs."""
        null, two_sided = self.request.null, self.request.two_sided
        return maxima(
            self.right, self.request.pairs, null.draws, null.seed or 0, two_sided, self.turn
        )

    def _z(self, null: np.ndarray, turn: int) -> np.ndarray:
        """What is held against a law: the size, or what speaks for a direction."""
        z = score(self.won, self.lost, self.items, null)
        return np.asarray(turn * z if turn else np.abs(z))

    def p(self, null: np.ndarray, turn: int) -> np.ndarray:
        """Of each pair alone, by the normal law."""
        p = special.ndtr(-self._z(null, turn))
        return np.asarray(p if turn else np.minimum(2 * p, 1.0))

    def jointly(self, adjust: str, null: np.ndarray, turn: int) -> np.ndarray:
        """The chance that the largest statistic of all pairs reaches each."""
        return self.law.p(self._z(null, turn))

    def limits(self, alpha: float, two_sided: bool) -> Limits:
        """Tango's, of each pair alone."""
        return self._limits(float(-special.ndtri(alpha / (1 + two_sided))))

    def joint_limits(self, alpha: float, two_sided: bool) -> Limits:
        """Tango's at the critical value of all pairs."""
        return self._limits(self.law.critical(alpha) + NOISE)

    def _limits(self, critical: float) -> Limits:
        """They hold 0 exactly where McNemar's statistic is not beyond the critical value."""
        low, high = limits(self.won, self.lost, self.items, critical)
        z, least = np.nan_to_num(self.statistic), np.finfo(float).tiny
        low = np.where(z > critical, np.maximum(low, least), np.minimum(low, 0.0))
        high = np.where(z < -critical, np.minimum(high, -least), np.maximum(high, 0.0))
        return low, high

    @property
    def remarks(self) -> list[str]:
        """Pairs that never differ, and those that other draws might decide otherwise."""
        if len(self.won) < 2 or not self.law.drawn:
            return super().remarks
        null = np.copysign(self.request.relevance, self.difference)
        z = self._z(null, 0 if self.request.two_sided else self.turn)
        near = np.abs(z - self.law.critical(self.request.alpha)) < BORDER
        both = zip(super().remarks, near, strict=True)
        return [remark or (BORDERLINE if close else "") for remark, close in both]


@gives(MEAN)
def scored(layout: Layout, request: Request) -> Score:
    """The score test of the pairs that are asked for."""
    right = correct(layout)
    own = -1 if request.alternative == "less" else 1
    return Score(*counted(right, request.pairs), right, request, own * layout.sign)


def few_discordant(layout: Layout, procedure: Procedure, request: Any) -> Iterator[Note]:
    """Pairs that few items tell apart, and how many: by exact tests they might be open."""
    won, lost, _ = counted(correct(layout), request.pairs)
    few = np.flatnonzero((won + lost > 0) & (won + lost < FEW_DISCORDANT))
    if len(few):
        pairs = tuple((*request.labels[i], int(won[i]), int(lost[i])) for i in few)
        yield Note("few-discordant", pairs=pairs, least=FEW_DISCORDANT)


SCORE = derive(
    MCNEMAR,
    name="mcnemar-score",
    bare=Bare((ADJUST, NULL), words="McNemar's score test of each pair, with Tango's score limits"),
    title="McNemar's score test of each pair with Tango's limits",
    words="McNemar's score test of each pair, with Tango's score limits and one critical value for "
    "all pairs from random signs of whole items",
    adjust="single-step",
    controls=APPROXIMATE,
    references=(
        Cited("McNemar (1947)"),
        Cited("Tango (1998)"),
        Cited("Westfall, Young (1993)", of=ADJUST),
    ),
    nulls=replace(MCNEMAR.nulls, default="permutation:9999", of_one="normal"),
    reports=replace(MCNEMAR.reports, conservative=False, cautions=few_discordant),
    needs=replace(MCNEMAR.needs, margins=True, gaps=True),
    judge=replace(
        MCNEMAR.judge, test=scored, joint=("single-step",), alone=True, other_bricks=MCNEMAR.name
    ),
)


# -- mid-p-values ----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class MidP(Discordant):
    """McNemar's test by the binomial law of discordant items; it has no limits."""

    exact: bool

    def p(self, null: np.ndarray, turn: int) -> np.ndarray:
        """The chance of so few items of one kind, those of just as many counted half."""
        few = self.lost if turn > 0 else self.won if turn < 0 else np.minimum(self.won, self.lost)
        fewer = np.where(few > 0, special.bdtr(np.maximum(few - 1, 0), self.count, 0.5), 0.0)
        as_few = special.bdtr(few, self.count, 0.5)
        p = as_few if self.exact else (as_few + fewer) / 2
        return np.asarray(np.minimum(p if turn else 2 * p, 1.0))

    def limits(self, alpha: float, two_sided: bool) -> Limits:
        """None that belong to the test."""
        nothing = np.full(len(self.won), np.nan)
        return nothing, nothing


@gives(MEAN)
def mid_p(layout: Layout, request: Request) -> MidP:
    """The mid-p test of the pairs that are asked for, exact with few items."""
    if request.null.name not in NULLS:
        raise InferenceError(
            f"This procedure has no null '{request.null.name}'; use {' or '.join(NULLS)}, or "
            "mcnemar for others."
        )
    return MidP(*counted(correct(layout), request.pairs), request.null.name == "exact")


MID_P = derive(
    MCNEMAR,
    name="mcnemar-mid-p",
    bare=Bare((NULL,), title="McNemar's test of each pair", words="McNemar's test of each pair"),
    title="McNemar's test of each pair by mid-p-values",
    words="McNemar's test of each pair, by mid-p-values",
    controls=BY_HOLM,
    references=(Cited("Fagerland, Lydersen, Laake (2013)", of=NULL),),
    nulls=replace(MCNEMAR.nulls, default="mid-p", exact_below=FEW_ITEMS),
    reports=replace(MCNEMAR.reports, conservative=False),
    needs=replace(MCNEMAR.needs, gaps=True),
    judge=replace(MCNEMAR.judge, test=mid_p),
)
PROCEDURES = (SCORE, MID_P)
