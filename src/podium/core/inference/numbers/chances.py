"""Posteriors: the chances that one algorithm is better, practically the same, or worse.

Chances are triples (lose, same, win) of the first algorithm of a pair; `rope` is the difference
below which two are practically the same.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.special import gammainc, gammaincinv, gammaln, stdtr, stdtrit

from podium.core.inference.numbers.roots import find_symmetric_root

Triple = tuple[float, float, float]
DRAWS = 50_000
CHUNK = 2_000_000  # numbers that are drawn at a time
_NODES = 200  # of the integral over the largest of three chances


def student(difference: np.ndarray, scale: np.ndarray, df: np.ndarray, rope: float) -> np.ndarray:
    """Pairs x (lose, same, win) where differences are t with so many df (Corani, Benavoli 2015).

    >>> student(np.array([1.0]), np.array([1.0]), np.array([9.0]), 0.0).round(4)
    array([[0.1717, 0.    , 0.8283]])
    """
    safe = np.where(scale > 0, scale, 1.0)
    at = [stdtr(df, (end - difference) / safe) for end in (-rope, rope)]
    certain = [(difference <= end).astype(float) for end in (-rope, rope)]
    low, high = (np.where(scale > 0, a, c) for a, c in zip(at, certain, strict=True))
    if rope == 0:
        low = np.where((scale > 0) | (difference != 0), low, 0.0)  # never a difference: the same
        high = np.where((scale > 0) | (difference != 0), low, 1.0)
    return np.stack([low, high - low, 1 - high], axis=-1)


def sign(differences: np.ndarray, rope: float) -> Triple:
    """Which of worse, same and better most blocks are (Benavoli, Mangili, Corani, Zaffalon 2014).

    Chances of the three are Dirichlet, with one block of prior among the same; the chance that each
    is the largest is one integral over quantiles of a gamma distribution.

    >>> [round(p, 3) for p in sign(np.array([1.0] * 8 + [-1.0] * 2), 0.1)]
    [0.019, 0.004, 0.977]
    """
    counts = np.array(
        [
            (differences < -rope).sum(),
            (np.abs(differences) <= rope).sum() + 1,
            (differences > rope).sum(),
        ],
        float,
    )
    u, weight = np.polynomial.legendre.leggauss(_NODES)
    u, weight = (u + 1) / 2, weight / 2
    results = []
    for i in range(3):
        others = [counts[j] for j in range(3) if j != i]
        if counts[i] == 0:
            results.append(0.0)
            continue
        x = gammaincinv(counts[i], u)
        below = math.prod(gammainc(a, x) if a > 0 else np.ones_like(x) for a in others)
        results.append(float(weight @ below))
    total = sum(results)
    return results[0] / total, results[1] / total, results[2] / total


def signed_rank(
    differences: np.ndarray, rope: float, draws: int = DRAWS, seed: int = 0, prior: float = 0.5
) -> Triple:
    """Which of worse, same and better most means of two blocks are (Benavoli and others 2014).

    Blocks have Dirichlet weights, and so has a block without any difference (`prior`).
    """
    z = np.sort(np.asarray(differences, float))
    counted = np.zeros(3)
    for w in weighted_blocks(len(z), prior, draws, seed):
        counted += largest(*signed_rank_shares(w, z, rope), rope).sum(axis=0)
    lose, same, win = counted / draws
    return float(lose), float(same), float(win)


def weighted_blocks(blocks: int, prior: float, draws: int, seed: int) -> Iterator[np.ndarray]:
    """Draws of the blocks' weights, some at a time; the first column is the prior's own block."""
    shape = np.ones(1 + blocks)
    shape[0] = prior
    rng = np.random.default_rng(seed)
    for count in _chunks(draws, 1 + blocks):
        w = rng.standard_gamma(shape, (count, 1 + blocks))
        yield w / w.sum(axis=1, keepdims=True)


def signed_rank_shares(
    w: np.ndarray, differences: np.ndarray, rope: float, about: float = 0.0
) -> tuple[np.ndarray, np.ndarray]:
    """Of every draw the shares of pairs of blocks whose mean is below a number, and above it.

    With the differences sorted once, all pairs of blocks are counted by running sums of weights.
    """
    z = np.concatenate([[0.0], differences]) - about
    order = np.argsort(z, kind="stable")
    z, w = z[order], w[:, order]
    # the mean of blocks i and j lies beyond the region iff z_j > 2 rope - z_i
    right = np.searchsorted(z, 2 * rope - z, side="right")
    left = np.searchsorted(z, -2 * rope - z, side="left")
    below = np.concatenate([np.zeros((len(w), 1)), np.cumsum(w, axis=1)], axis=1)
    lose = (w * below[:, left]).sum(axis=1)
    return lose, (w * (1 - below[:, right])).sum(axis=1)


def largest(lose: np.ndarray, win: np.ndarray, rope: float) -> np.ndarray:
    """Draws x (lose, same, win): which is the largest; equal ones share.

    Without a region the blocks without a difference decide nothing, unless all are so.
    """
    nothing = np.maximum(lose, win) <= 1e-12
    same = np.where(nothing, 1.0, 1 - win - lose if rope > 0 else -1.0)
    three = np.stack([lose, same, win], axis=1)
    first = three >= three.max(axis=1, keepdims=True)
    return first / first.sum(axis=1, keepdims=True)


def _chunks(draws: int, width: int) -> list[int]:
    most = max(1, CHUNK // width)
    return [min(most, draws - i) for i in range(0, draws, most)]


# -- all algorithms at once ------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Joint:
    """What draws from the posterior of all means say; larger is better."""

    best: np.ndarray  # the chance of each to be the best
    expected_rank: np.ndarray


def joint(
    values: np.ndarray, covariance: np.ndarray, df: float, draws: int = DRAWS, seed: int = 0
) -> Joint:
    """Of means whose posterior is a multivariate t, drawn among the algorithms.

    What all means have in common moves no rank, so that a singular covariance does no harm.
    """
    k = len(values)
    root = find_symmetric_root(covariance)
    rng = np.random.default_rng(seed)
    best, ranks = np.zeros(k), np.zeros(k)
    grain = find_grain(values, covariance)
    for count in _chunks(draws, k):
        spread = np.sqrt(df / rng.chisquare(df, (count, 1))) if np.isfinite(df) else 1.0
        drawn = values + spread * (rng.standard_normal((count, k)) @ root)
        standing = standings(drawn, grain)
        best, ranks = best + standing.best, ranks + standing.expected_rank
    return Joint(best / draws, ranks / draws)


def find_grain(values: np.ndarray, covariance: np.ndarray) -> float:
    """The difference of two means below which nothing but rounding tells them apart."""
    spread = math.sqrt(np.diag(covariance).max(initial=0.0))
    return 1e-9 * (spread or float(np.abs(values).max(initial=0.0)) or 1.0)


def standings(scores: np.ndarray, grain: float = 0.0) -> Joint:
    """How often each is the best of draws x algorithms, and its ranks added up; ties share.

    Scores that are no further apart than `grain` tie.
    """
    levels = _levels(scores, grain)
    top = levels == 0
    return Joint((top / top.sum(axis=1, keepdims=True)).sum(axis=0), _midranks(-levels).sum(axis=0))


def _levels(scores: np.ndarray, grain: float) -> np.ndarray:
    """Of every score how many different ones are larger; gaps of at most `grain` are none."""
    order = np.argsort(-scores, axis=1, kind="stable")
    falling = np.take_along_axis(scores, order, axis=1)
    steps = np.zeros(scores.shape, dtype=np.intp)
    np.cumsum(falling[:, :-1] - falling[:, 1:] > grain, axis=1, out=steps[:, 1:])
    levels = np.empty_like(steps)
    np.put_along_axis(levels, order, steps, axis=1)
    return levels


def _midranks(scores: np.ndarray) -> np.ndarray:
    """Rank 1 is the largest: the mean of what ties get from the left and from the right."""
    left = _places(scores)
    return (left + _places(scores[:, ::-1])[:, ::-1]) / 2


def _places(scores: np.ndarray) -> np.ndarray:
    order = np.argsort(-scores, axis=1, kind="stable")
    return np.asarray(np.argsort(order, axis=1, kind="stable") + 1)


# -- data sets with samples of their own -----------------------------------------------------------

GRID, FINE = (25, 25, 10), (97, 97, 33)  # of the mean, the spread and the df between data sets
QUADRATURE = 24
LEAST_SCALE, MOST_SCALE = 1 / 60, 8.0  # spreads that are tried, against that of the means
DF_FROM, DF_TO = 0.02, 600.0  # of the df between data sets, less one
SHAPES, RATES = (1.0, 2.0), (0.01, 0.1)  # of their gamma prior, both uniform


@dataclass(frozen=True, eq=False)
class Hierarchical:
    """The next data set: which of worse, same, better is likeliest, and the chance of each."""

    winner: Triple
    mean: Triple
    difference: float  # between data sets, on average
    spread: float  # of the differences of data sets
    at: np.ndarray  # values of the difference between data sets
    below: np.ndarray  # and how likely it is to be smaller

    def quantile(self, p: float) -> float:
        """Of the difference between data sets, on average."""
        return float(np.interp(p, self.below, self.at))

    @property
    def positive(self) -> float:
        """The chance that the first is better between data sets, on average."""
        return 1 - float(np.interp(0.0, self.at, self.below))


def hierarchical(samples: list[np.ndarray], rope: float, rho: float) -> Hierarchical:
    """The hierarchical correlated t model (Corani, Benavoli, Demšar, Mangili, Zaffalon 2017).

    Differences within a data set are normal with correlation `rho`; differences of data sets are t.
    The data sets' variances are integrated out by formula, their differences by two quadratures
    that share the work, and mean, spread and df of the t on a grid.
    """
    size = float(np.mean([x.std() for x in samples])) or 1.0
    likelihood = _Likelihood.of([x / size for x in samples], rho)
    grid = _Grid.around(likelihood)
    log_density = grid.refined(_log_likelihood(likelihood, grid))
    weight = np.exp(log_density - log_density.max())
    return _summed(weight / weight.sum(), grid.fine(), rope / size, size)


@dataclass(frozen=True, eq=False)
class _Likelihood:
    """Of each data set's true difference: t with n - 2 df about its mean."""

    mean: np.ndarray
    error: np.ndarray
    df: np.ndarray
    largest: float

    @classmethod
    def of(cls, samples: list[np.ndarray], rho: float) -> _Likelihood:
        n = np.array([len(x) for x in samples], float)
        mean = np.array([x.mean() for x in samples])
        squares = np.array([((x - x.mean()) ** 2).sum() for x in samples]) / (1 - rho)
        worth = n / (1 + (n - 1) * rho)  # independent samples that so many are worth
        error = np.sqrt(squares / worth / (n - 2))
        floor = 1e-6 * (float(error.max()) or 1.0)  # data sets on which nothing varies
        return cls(
            mean, np.maximum(error, floor), n - 2, max(float(np.abs(x).max()) for x in samples)
        )


@dataclass(frozen=True, eq=False)
class _Grid:
    mean: np.ndarray
    log_spread: np.ndarray
    log_df: np.ndarray  # less one
    largest: float

    @classmethod
    def around(cls, likelihood: _Likelihood) -> _Grid:
        among = float(likelihood.mean.std()) or float(likelihood.error.mean())
        error = math.sqrt((among**2 + float((likelihood.error**2).mean())) / len(likelihood.mean))
        return cls(
            float(np.median(likelihood.mean)) + np.linspace(-6, 6, GRID[0]) * error,
            np.linspace(math.log(among * LEAST_SCALE), math.log(among * MOST_SCALE), GRID[1]),
            np.linspace(math.log(DF_FROM), math.log(DF_TO), GRID[2]),
            likelihood.largest,
        )

    def fine(self) -> _Grid:
        axes = (self.mean, self.log_spread, self.log_df)
        mean, spread, df = (np.linspace(a[0], a[-1], n) for a, n in zip(axes, FINE, strict=True))
        return _Grid(mean, spread, df, self.largest)

    def refined(self, log_likelihood: np.ndarray) -> np.ndarray:
        """The log posterior on the fine grid: a cell of the coarse one has room for two winners."""
        from scipy.interpolate import CubicSpline  # slow to load, and for this model only

        fine = self.fine()
        log = log_likelihood
        for axis, name in enumerate(("mean", "log_spread", "log_df")):
            log = CubicSpline(getattr(self, name), log, axis=axis)(getattr(fine, name))
        log = log + fine.log_spread[None, :, None]  # uniform in the spread itself
        log = log + _log_df_prior(fine.log_df)
        return np.where(np.abs(fine.mean)[:, None, None] <= self.largest, log, -np.inf)


def _log_df_prior(log_df: np.ndarray) -> np.ndarray:
    """Gamma in the df less one, its shape and rate uniform and integrated out."""
    x, w = np.polynomial.legendre.leggauss(20)
    shape = (SHAPES[0] + (SHAPES[1] - SHAPES[0]) * (x + 1) / 2)[:, None, None]
    rate = (RATES[0] + (RATES[1] - RATES[0]) * (x + 1) / 2)[None, :, None]
    value = np.exp(log_df)
    log = shape * np.log(rate) - gammaln(shape) + (shape - 1) * log_df - rate * value
    return np.asarray(np.log(np.einsum("a,b,abv->v", w, w, np.exp(log))) + log_df)


def _log_likelihood(likelihood: _Likelihood, grid: _Grid) -> np.ndarray:
    """Of mean, spread and df: the product over data sets of the integral of both t densities.

    Half of the nodes are quantiles of the one density and half of the other, and each counts by its
    share of both (the balance heuristic): so narrow and wide ones are met alike.
    """
    x, w = np.polynomial.legendre.leggauss(QUADRATURE)
    u, w = (x + 1) / 2, w / 2
    mean, error, df = (a[:, None] for a in (likelihood.mean, likelihood.error, likelihood.df))
    own = stdtrit(df, u)  # data sets x nodes
    own_at, own_density = mean + error * own, _t_density(own, df) / error
    centre = grid.mean[:, None, None, None]
    spread = np.exp(grid.log_spread)[None, :, None, None]
    table = np.empty((len(grid.mean), len(grid.log_spread), len(grid.log_df)))
    for k, nu in enumerate(1 + np.exp(grid.log_df)):
        between = stdtrit(nu, u)
        between_density = _t_density(between, nu) / spread
        there = _t_density((own_at - centre) / spread, nu) / spread
        one = (there * own_density / (there + own_density)) @ w
        at = (centre + spread * between - mean) / error
        here = _t_density(at, df) / error
        two = (here * between_density / (here + between_density)) @ w
        table[:, :, k] = np.log(one + two).sum(axis=-1)
    return table


def _t_density(t: np.ndarray, df: np.ndarray | float) -> np.ndarray:
    df = np.asarray(df, float)
    constant = gammaln((df + 1) / 2) - gammaln(df / 2) - 0.5 * np.log(df * np.pi)
    return np.asarray(np.exp(constant - (df + 1) / 2 * np.log1p(t * t / df)))


def _summed(weight: np.ndarray, grid: _Grid, rope: float, size: float) -> Hierarchical:
    mean = grid.mean[:, None, None]
    spread = np.exp(grid.log_spread)[None, :, None]
    df = 1 + np.exp(grid.log_df)
    lose, win = stdtr(df, (-rope - mean) / spread), stdtr(df, (mean - rope) / spread)
    chances = np.stack([lose, 1 - lose - win, win])
    largest = chances.argmax(axis=0)
    winner = [float(weight[largest == i].sum()) for i in range(3)]
    each = [float((weight * c).sum()) for c in chances]
    marginal = weight.sum(axis=(1, 2))
    edges = (np.cumsum(marginal) - marginal / 2) / marginal.sum()
    return Hierarchical(
        (winner[0], winner[1], winner[2]),
        (each[0], each[1], each[2]),
        float((weight * mean).sum()) * size,
        float((weight * spread).sum()) * size,
        grid.mean * size,
        edges,
    )
