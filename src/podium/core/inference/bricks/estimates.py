"""Estimates: one number per algorithm, how they vary together, and Hall's t of differences.

The waist of the system (DESIGN: Inference is Lego): all that follows reads only this.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol

import numpy as np

from podium.core.base.errors import InferenceError
from podium.core.inference.bricks.clustered import Available, clustered_covariance
from podium.core.inference.bricks.contrasts import Pair
from podium.core.inference.bricks.quantities import (
    FIRST_FOLD,
    MEAN,
    MEDIAN,
    SPHERICAL_MEAN,
    WORST_TENTH,
    Quantity,
    find_quantity,
    gives,
)
from podium.core.inference.bricks.scales import Score, aligned, raw
from podium.core.inference.layouts import Layout
from podium.core.inference.numbers import tails
from podium.core.inference.numbers.permutations import all_sums, permuted_sums
from podium.core.inference.numbers.reml import random_block
from podium.core.samplings import FIVE_BY_TWO
from podium.core.words.facts import ModelFacts

MOST_BOOTSTRAPPED = 200_000  # scores: some seconds
CHUNK = 500  # bootstrap samples that are counted at a time
FEW_TESTED = 0.25 - 1e-9  # test rows over training rows where 0.8 of them are learned from


class Model(Protocol):
    """A fitted model behind estimates: its test of no difference, and its own numbers."""

    @property
    def sigma(self) -> float:
        """The standard deviation of the error."""

    @property
    def connected(self) -> bool:
        """Whether chains of shared blocks join all algorithms."""

    @property
    def facts(self) -> ModelFacts:
        """Its own numbers."""

    def f_test(self) -> tuple[float, float, float, float]:
        """F, its two degrees of freedom and p for equal means."""


Draws = tuple[np.ndarray, np.ndarray | None]  # draws x algorithms, and their weights
Law = Callable[[np.ndarray], np.ndarray]  # two-sided p-value of a signed statistic


@dataclass(frozen=True, eq=False)
class Estimates:
    """What a procedure knows about the algorithms; larger is better."""

    values: np.ndarray
    covariance: np.ndarray
    df: float | Callable[[np.ndarray], np.ndarray] = np.inf  # or of each row of contrasts
    redraw: Callable[[int, np.random.Generator], np.ndarray] | None = None
    redrawn_by: str = ""  # permutation | bootstrap
    enumerate: Callable[[], Draws] | None = None
    in_units: bool = False  # values are in the measure's unit: differences have intervals
    law_df: tuple[float, float] | None = None
    law: Law | None = None  # where the statistic is not a t
    step: float = 0.0  # between attainable differences, for a continuity correction
    blocks: int = 1  # that values are sums over
    model: Model | None = None
    remark: str = ""  # what a reader must know of them
    # of contrasts, where each has blocks of its own: differences and their variances
    apart: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]] | None = None

    def differences(self, contrasts: np.ndarray) -> np.ndarray:
        """The contrasts' values."""
        return contrasts @ self.values if self.apart is None else self.apart(contrasts)[0]

    @property
    def nulls(self) -> list[str]:
        """The names of the nulls that these estimates can have."""
        if self.law is not None:
            return ["asymptotic"]
        t = ["normal"] if callable(self.df) or np.isfinite(self.df) else []
        counted = ["corrected"] if self.step else []
        redrawn = [self.redrawn_by] if self.redraw else []
        listed = ["exact", "mid-p"] if self.enumerate else []
        return ["asymptotic", *t, *counted, *redrawn, *listed]

    def variances(self, contrasts: np.ndarray) -> np.ndarray:
        """The contrasts' variances, with rounding noise taken for what it is: none."""
        variance = ((contrasts @ self.covariance) * contrasts).sum(axis=1)
        if self.apart is not None:
            variance = self.apart(contrasts)[1]
        size = float(np.abs(np.diag(self.covariance)).max(initial=0.0))
        noise = 1e-20 * float(np.abs(self.values).max(initial=0.0)) ** 2
        return np.where(variance <= max(1e-13 * size, noise), 0.0, variance)

    def df_of(self, contrasts: np.ndarray) -> np.ndarray:
        """Degrees of freedom of each contrast."""
        if callable(self.df):
            return np.asarray(self.df(contrasts), float)
        return np.full(len(contrasts), float(self.df))


Estimator = Callable[[Layout], Estimates]
Places = Callable[[int], tuple[int, ...]]  # of the order statistics among so many blocks


@gives(MEAN)
def block_sums(layout: Layout, *, scores: Score = raw, step: float = 0.0) -> Estimates:
    """Sums of scores, with their covariance when algorithms are exchangeable within a block.

    Conditional on the scores each block contributes var_b (I - 11'/K) (Strasser and Weber 1999).
    Sums are centred, so that their null mean is zero.
    """
    a = scores(layout.values)
    a = a - a.mean(axis=1, keepdims=True)
    k = a.shape[1]
    variance = a.var(axis=1, ddof=1).sum() if k > 1 else 0.0
    return Estimates(
        a.sum(axis=0),
        variance * (np.eye(k) - 1 / k),
        redraw=partial(permuted_sums, a),
        redrawn_by="permutation",
        enumerate=partial(all_sums, a),
        step=step,
        blocks=len(a),
    )


class Scores:
    """Sums of scores within blocks as an estimate, with what their means over blocks are.

    `scores` takes and gives blocks x algorithms, larger is better. What is said besides are fields
    of `Quantity`; where nothing is said they are what the scores say, or "mean of NAME".

    >>> from podium.core.inference.bricks.scales import normal_scores, ranks
    >>> Scores(ranks).quantity.estimand, Scores(normal_scores, estimand="score").quantity.estimand
    ('mean rank', 'score')
    """

    def __init__(self, scores: Score, *, step: float = 0.0, **facts: Any) -> None:
        self.scores, self.step = scores, step
        self.quantity = Quantity(**facts) if facts else find_quantity(scores)

    def __call__(self, layout: Layout) -> Estimates:
        """The sums, with their covariance when algorithms are exchangeable within a block."""
        return block_sums(layout, scores=self.scores, step=self.step)


@gives(MEAN)
def means(layout: Layout, *, ratio: float = 0.0, df: float = np.inf) -> Estimates:
    """Means over blocks; `ratio` is the variance that dependent blocks add, `df` the most of them.

    Var = (1/n + ratio) S with n - 1 df (Nadeau and Bengio 2003, eq. 9). Where items come in
    clusters the covariance is that of the clusters' totals (CR2).
    """
    values = layout.values
    n = len(values)
    if layout.has_gaps:
        return available_means(layout)
    # what the algorithms have in common cancels in every contrast; large, it would cost digits
    own = aligned(values)
    if layout.items.clusters is not None:
        covariance, known = clustered_covariance(own, layout.items.clusters)
    else:
        covariance, known = (1 / n + ratio) * np.cov(own, rowvar=False), n - 1.0
    return Estimates(values.mean(axis=0), covariance, df=min(known, df), in_units=True)


@gives(MEAN)
def available_means(layout: Layout) -> Estimates:
    """Means over the blocks that each algorithm has; differences over those that all of them have.

    The covariance is of these means, whose errors are those of blocks (or clusters of items), so
    that a block which one algorithm lacks is lost to nobody else.
    """
    own = Available(
        layout.values - np.nanmean(layout.values, axis=1, keepdims=True), layout.items.clusters
    )
    return Estimates(
        np.nanmean(layout.values, axis=0),
        own.covariance(),
        df=lambda contrasts: own.contrasts(contrasts)[2],
        in_units=True,
        apart=lambda contrasts: own.contrasts(contrasts)[:2],
    )


@gives(MEAN)
def corrected_means(layout: Layout) -> Estimates:
    """Means with the correction that the design asks for."""
    ratio, df = overlap(layout)
    return means(layout, ratio=ratio, df=df)


@gives(MEAN)
def nadeau_bengio_means(layout: Layout) -> Estimates:
    """Means with Nadeau and Bengio's correction: test rows over training rows."""
    return means(layout, ratio=test_train_ratio(layout))


def overlap(layout: Layout) -> tuple[float, float]:
    """What shared rows add to the variance of a mean, in variances of one, and the most df.

    Test rows over training rows, r, counts the test rows that replicates share. Rows that they
    learn from in common add about as much, so that overlapping test sets need 2 r; the test sets
    of one round of cross-validation are disjoint, and r has room for what is learned in common.
    With more than 0.8 of the rows to learn from, replicates know less than their number says.
    """
    r, sampling = test_train_ratio(layout), layout.origin.sampling
    assert sampling is not None  # it has told the ratio
    if sampling.kind.claims.overlap is not None:
        return sampling.kind.claims.overlap
    if sampling.is_one_round:
        return r, np.inf
    return 2 * r, float(round(1 / r)) if r < FEW_TESTED else np.inf


def test_train_ratio(layout: Layout) -> float:
    """n_test / n_train of the layout's sampling (Nadeau and Bengio 2003; Bouckaert and Frank 2004).

    A bootstrap sample learns from about 0.632 n distinct rows and tests on the other 0.368 n.
    """
    share = layout.origin.sampling.train_share if layout.origin.sampling else None
    if not share or share >= 1:
        raise InferenceError(
            f"The sampling '{layout.origin.sampling}' does not say its share of training rows, "
            "which the corrected test needs; say it as in subsampling:0.9 or cv:10."
        )
    if layout.origin.size is not None:
        # fewer rows are learned from, and as many tested on as without the size
        learned = (
            layout.origin.size * share
            if layout.origin.size < 1
            else layout.origin.size / (layout.origin.rows or np.nan)
        )
        return float((1 - share) / learned)
    return (1 - share) / share


@gives(SPHERICAL_MEAN)
def mixed(layout: Layout) -> Estimates:
    """Means of the random block model by REML; cells may be missing."""
    try:
        model = random_block(layout.values)
    except ValueError as error:
        raise InferenceError(str(error)) from None
    return Estimates(
        model.means, model.covariance, df=model.df_contrast, in_units=True, model=model
    )


@gives(SPHERICAL_MEAN)
def pooled_proportions(layout: Layout) -> Estimates:
    """Shares of correct items with one pooled variance for every difference.

    sigma_diff^2 = 2 (k sum Y_j. - sum Y_j.^2) / (n^2 k (k-1)) (feelders1995, section 3).
    """
    y = correct(layout)
    n, k = y.shape
    total = y.sum(axis=1)
    variance = (k * total.sum() - (total**2).sum()) / (n**2 * k * (k - 1))
    return Estimates(layout.values.mean(axis=0), variance * np.eye(k), in_units=True)


@gives(MEAN)
def separate_proportions(layout: Layout) -> Estimates:
    """Two shares as if their items were different ones, which they are not (dietterich1998)."""
    y = correct(layout)
    share = y.mean()
    variance = share * (1 - share) / len(y)
    return Estimates(layout.values.mean(axis=0), variance * np.eye(2), in_units=True)


def correct(layout: Layout) -> np.ndarray:
    """1 where the larger of the two values stands, which must be 0 and 1 (or -1 and 0)."""
    y = layout.values if layout.measure.higher_is_better else 1 + layout.values
    if not np.isin(y[~np.isnan(y)], (0.0, 1.0)).all():
        raise InferenceError(
            f"This procedure counts correct items: every score of '{layout.measure.name}' must be "
            "0 or 1; for other losses use paired-t or max-modulus."
        )
    return y


@gives(MEAN)
def correct_sums(layout: Layout) -> Estimates:
    """Block sums of 0/1 scores: McNemar's and Cochran's statistics."""
    correct(layout)
    return block_sums(layout, step=1.0)


def _halves(layout: Layout) -> tuple[np.ndarray, np.ndarray]:
    """The 5 x 2 differences of two algorithms, and s_i^2 of each repetition."""
    if (
        len(layout.values) != 10
        or not layout.origin.sampling
        or layout.origin.sampling.name != FIVE_BY_TWO.name
    ):
        raise InferenceError(
            f"This test needs the 10 folds of 5x2cv, not {len(layout.values)} rows of "
            f"'{layout.origin.sampling}'; use corrected-t."
        )
    d = (layout.values[:, 0] - layout.values[:, 1]).reshape(5, 2)
    return d, ((d - d.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)


@gives(FIRST_FOLD)
def five_by_two_t(layout: Layout) -> Estimates:
    """The first difference over the pooled deviation, t with 5 df (dietterich1998, section 3.5)."""
    d, s2 = _halves(layout)
    return Estimates(np.array([d[0, 0], 0.0]), np.diag([s2.mean(), 0.0]), df=5, in_units=True)


@gives(MEAN)
def five_by_two_f(layout: Layout) -> Estimates:
    """Alpaydin's F = sum of d^2 / (2 sum of s_i^2), F(10, 5), with the sign of the mean."""
    d, s2 = _halves(layout)
    squares, spread = (d**2).sum(), 2 * s2.sum()
    # as a t: 0 where there is no difference at all, unknown where it is the same in all halves
    f = squares / spread if spread > 1e-20 * squares else (np.nan if squares else 0.0)
    return Estimates(
        np.array([np.copysign(f, d.mean()), 0.0]),
        np.diag([1.0, 0.0]),
        law=lambda t: tails.f_sf(np.abs(t), 10, 5),
        law_df=(10.0, 5.0),
    )


@gives(MEAN)
def functional(layout: Layout, *, places: Places) -> Estimates:
    """A mean of order statistics of each algorithm, its variation by the bootstrap of blocks."""
    values = layout.values
    if values.size > MOST_BOOTSTRAPPED:
        raise InferenceError(
            f"A bootstrap of {len(values)} rows and {values.shape[1]} algorithms would take "
            "too long; with so many rows use paired-t, wilcoxon or mixed-tukey."
        )
    at = np.sort(values, axis=0)[np.array(places(len(values))) - 1].mean(axis=0)
    redraw = partial(_bootstrap, values, places(len(values)), at)
    spread = redraw(1000, np.random.default_rng(1))
    return Estimates(
        at,
        np.cov(aligned(spread), rowvar=False),
        redraw=redraw,
        redrawn_by="bootstrap",
        in_units=True,
    )


def _bootstrap(
    values: np.ndarray,
    places: tuple[int, ...],
    at: np.ndarray,
    count: int,
    rng: np.random.Generator,
) -> np.ndarray:
    """Bootstrapped means of order statistics, less what they are in the sample.

    A sample is how often each block was drawn; the place-th value is where these counts, in the
    order of an algorithm's values, add up to the place. Nothing is sorted more than once.
    """
    n, k = values.shape
    drawn = np.zeros((count, k))
    for start in range(0, count, CHUNK):
        size = min(CHUNK, count - start)
        cells = rng.integers(n, size=(size, n)) + n * np.arange(size)[:, None]
        counts = np.bincount(cells.ravel(), minlength=size * n).reshape(size, n)
        for column in range(k):
            order = np.argsort(values[:, column])
            reached = np.cumsum(counts[:, order], axis=1)
            for place in places:
                at_place = order[(reached < place).sum(axis=1)]
                drawn[start : start + size, column] += values[at_place, column] / len(places)
    return drawn - at


@gives(MEDIAN)
def median(blocks: int) -> tuple[int, ...]:
    """The place of the median among so many ordered values, or the two that it lies between."""
    half = blocks // 2
    return (half + 1,) if blocks % 2 else (half, half + 1)


@gives(WORST_TENTH)
def worst_tenth(blocks: int) -> tuple[int, ...]:
    """The place of the ⌈0.9 B⌉-th of the B ordered losses when larger is better."""
    return (blocks - math.ceil(0.9 * blocks - 1e-9) + 1,)


# -- hall -----------------------------------------------------------------------------------------
# Hall's skewness-corrected t of paired differences: moments of every pair, and the correction.
#
# Differences of algorithms over data sets are skewed, and skewness spoils the t test more than
# unequal variances do. Hall (1992) maps t by a cubic that takes the skewness out and can be
# inverted:
#
# h(t) = t + g (t² / 3 + 1 / 6) / √n + g² t³ / (27 n), g the skewness of the n differences.
#
# Arrays only, one entry per pair; every pair is judged on the blocks that both algorithms have.


HALL_CHUNK = 1 << 15  # differences that are worked on at once: they stay in the cache
ROUND_OFF = 8 * np.finfo(float).eps  # of two scores, as a share of the larger one
FLAT = 1e-6  # of a cubic that is a line but for rounding


@dataclass(frozen=True, eq=False)
class Moments:
    """What is known of the differences of every pair; larger is better."""

    n: np.ndarray  # blocks that both have
    mean: np.ndarray
    sd: np.ndarray  # with the divisor n; 0 where the differences do not vary
    skewness: np.ndarray
    wins: np.ndarray  # of the first
    losses: np.ndarray
    least: np.ndarray  # difference; NaN where there is none
    most: np.ndarray
    lacks_first: np.ndarray  # blocks that only the second has
    lacks_second: np.ndarray

    def filled(self, turn: int) -> Moments:
        """With the gaps of the first (turn 1) or the second (-1) filled by its worst difference."""
        gaps = self.lacks_first if turn > 0 else self.lacks_second
        gaps = np.where(self.n > 0, gaps, 0.0)
        worst = np.where(gaps > 0, self.least if turn > 0 else self.most, 0.0)
        n = self.n + gaps
        count = np.maximum(n, 1)
        mean = np.where(gaps > 0, (self.n * self.mean + gaps * worst) / count, self.mean)
        own, other = self.mean - mean, worst - mean
        squares = self.n * (self.sd**2 + own**2) + gaps * other**2
        third = self.skewness * self.sd**3 + 3 * own * self.sd**2 + own**3
        cubes = self.n * third + gaps * other**3
        sd = np.where(gaps > 0, np.sqrt(squares / count), self.sd)
        skewness = np.divide(cubes / count, sd**3, out=self.skewness.copy(), where=gaps * sd > 0)
        return replace(self, n=n, mean=mean, sd=sd, skewness=skewness)

    @property
    def varies(self) -> np.ndarray:
        """Whether there is something to judge by."""
        return self.sd > 0

    @property
    def ties(self) -> np.ndarray:
        """Blocks with equal scores."""
        return self.n - self.wins - self.losses

    @property
    def error(self) -> np.ndarray:
        """Standard errors of the means; NaN where nothing varies."""
        return np.where(self.varies, self.sd, np.nan) / np.sqrt(np.maximum(self.n - 1, 1))

    def t(self, null: np.ndarray | float = 0.0) -> np.ndarray:
        """Student's t of a mean difference `null`."""
        return np.asarray((self.mean - null) / self.error)

    def h(self, t: np.ndarray) -> np.ndarray:
        """Hall's correction of t."""
        return corrected(t, self.bend)

    @property
    def bend(self) -> np.ndarray:
        """How much the skewness bends t: g / (3 √n)."""
        return self.skewness / (3 * np.sqrt(np.maximum(self.n, 1)))


def corrected(t: np.ndarray, bend: np.ndarray) -> np.ndarray:
    """h(t), which grows with t; `bend` is g / (3 √n)."""
    turned = bend * t
    return np.asarray(t * (1 + turned * (1 + turned / 3)) + bend / 2)


def uncorrected(h: np.ndarray, bend: np.ndarray) -> np.ndarray:
    """The t that is corrected to h."""
    rest, flat = h - bend / 2, np.abs(bend) < FLAT
    curve = np.where(flat, 1.0, bend)
    return np.where(flat, rest, (np.cbrt(1 + 3 * curve * rest) - 1) / curve)


def moments(values: np.ndarray, pairs: Sequence[Pair]) -> Moments:
    """Of the differences of every pair of columns; a missing cell is NaN."""
    places = np.asarray(pairs, dtype=np.intp).reshape(-1, 2)
    rows = np.ascontiguousarray(values.T)
    step = max(HALL_CHUNK // max(len(values), 1), 1)
    parts = [_moments(rows, places[at : at + step]) for at in range(0, len(places), step)]
    return Moments(*np.concatenate(parts, axis=1)) if parts else Moments(*np.empty((10, 0)))


def wins_and_losses(values: np.ndarray, pairs: Sequence[Pair]) -> np.ndarray:
    """Of every pair in how many blocks the first is better, as good, and worse: 3 x pairs."""
    if ((values == 0) | (values == 1)).all():  # of millions of answers counted by one product
        right = values.T @ values
        alone = np.diag(right)[:, None] - right  # the first is right where the second is wrong
        i, j = np.asarray(pairs, dtype=np.intp).reshape(-1, 2).T
        wins, losses = alone[i, j], alone[j, i]
        return np.array([wins, len(values) - wins - losses, losses]).astype(int)
    result = moments(values, pairs)
    return np.array([result.wins, result.ties, result.losses]).astype(int)


def wins_of_choices(values: np.ndarray, pairs: Sequence[Pair]) -> np.ndarray:
    """The same of blocks that have two scores each, however many blocks there are."""
    here = ~np.isnan(values)
    if not (here.sum(axis=1) == 2).all():
        return wins_and_losses(values, pairs)
    k, (first, second) = values.shape[1], np.nonzero(here)[1].reshape(-1, 2).T
    at = np.arange(len(values))
    way = np.sign(values[at, first] - values[at, second]).astype(np.int64) + 1  # lost, tied, won
    counts = np.bincount((first * k + second) * 3 + way, minlength=3 * k * k).reshape(k, k, 3)
    counts = counts + counts.transpose(1, 0, 2)[:, :, ::-1]
    i, j = np.asarray(pairs, dtype=np.intp).reshape(-1, 2).T
    return np.asarray(counts[i, j, ::-1].T)


def differences(
    rows: np.ndarray, places: np.ndarray
) -> tuple[np.ndarray, np.ndarray | None, np.ndarray]:
    """Pairs x blocks: first less second, where both are (None: everywhere), and their round-off.

    What two scores differ by round-off alone is no difference; missing ones are 0.
    """
    first, second = places.T
    known = ~np.isnan(rows)
    whole = bool(known.all())
    rows = rows if whole else np.where(known, rows, 0.0)
    d = rows[first]
    d -= rows[second]
    here = None
    if not whole:
        here = known[first]
        here &= known[second]
        d *= here
    size = np.abs(rows).max(axis=1, initial=0.0)
    noise = ROUND_OFF * np.maximum(size[first], size[second])
    d[np.abs(d) <= noise[:, None]] = 0.0
    return d, here, noise


def _moments(rows: np.ndarray, places: np.ndarray) -> np.ndarray:
    d, here, noise = differences(rows, places)
    n = np.full(len(d), float(d.shape[1])) if here is None else here.sum(axis=1).astype(float)
    count = np.maximum(n, 1)
    mean = d.sum(axis=1) / count
    wins, losses = (d > 0).sum(axis=1), (d < 0).sum(axis=1)
    known = True if here is None else here
    least = d.min(axis=1, where=known, initial=np.inf)
    most = d.max(axis=1, where=known, initial=-np.inf)
    present = (~np.isnan(rows)).sum(axis=1).astype(float)
    first, second = places.T
    d -= mean[:, None]
    if here is not None:
        d *= here
    constant = np.abs(d).max(axis=1) <= noise
    squares = d * d
    variance = np.where(constant, 0.0, squares.sum(axis=1) / count)
    third = np.einsum("pj,pj->p", squares, d) / count
    sd = np.sqrt(variance)
    skewness = np.divide(third, sd * variance, out=np.zeros(len(d)), where=~constant)
    mean = np.where(n > 0, mean, np.nan)
    lacking = present[second] - n, present[first] - n
    return np.array([n, mean, sd, skewness, wins, losses, least, most, *lacking])
