"""Tails and quantiles, of one statistic and of the largest of several, from `scipy.special`.

`scipy.stats` takes half a second to load.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from podium.core.inference.numbers.roots import find_axes


def t_sf(t: ArrayLike, df: ArrayLike) -> np.ndarray:
    """P(T >= t) with so many degrees of freedom, also infinitely many."""
    return np.asarray(special.stdtr(df, -np.asarray(t, float)))


def t_isf(p: ArrayLike, df: ArrayLike) -> np.ndarray:
    """The upper p quantile of t."""
    return np.asarray(-special.stdtrit(df, p))


def f_sf(f: ArrayLike, df1: ArrayLike, df2: ArrayLike) -> np.ndarray:
    """P(F >= f)."""
    return np.asarray(special.fdtrc(df1, df2, np.maximum(f, 0.0)))


def chi2_sf(x: ArrayLike, df: ArrayLike) -> np.ndarray:
    """P(chi-square >= x)."""
    return np.asarray(special.chdtrc(df, np.maximum(x, 0.0)))


def ranks(values: np.ndarray, axis: int | None = None) -> np.ndarray:
    """Ranks from 1, of all values or along an axis; ties have the mean of their ranks.

    >>> ranks(np.array([10.0, 20.0, 10.0]))
    array([1.5, 3. , 1.5])
    """
    if axis is None:
        return _ranked(values.reshape(1, -1))[0]
    moved = np.moveaxis(values, axis, -1)
    rows = _ranked(moved.reshape(-1, moved.shape[-1])).reshape(moved.shape)
    return np.moveaxis(rows, -1, axis)


def _ranked(rows: np.ndarray) -> np.ndarray:
    """Of every row; the last of t equal values at place i has the mean rank i - (t - 1) / 2."""
    order = np.argsort(rows, axis=1, kind="stable")
    inner = np.take_along_axis(rows, order, axis=1)
    count = rows.shape[1]
    begins = np.ones(rows.shape, dtype=bool)
    begins[:, 1:] = inner[:, 1:] != inner[:, :-1]
    place = np.arange(count)
    first = np.maximum.accumulate(np.where(begins, place, 0), axis=1)
    ends = np.ones(rows.shape, dtype=bool)
    ends[:, :-1] = begins[:, 1:]
    back = np.where(ends, place, count - 1)[:, ::-1]
    last = np.minimum.accumulate(back, axis=1)[:, ::-1]
    ranked = np.empty(rows.shape)
    np.put_along_axis(ranked, order, (first + last) / 2 + 1.0, axis=1)
    return np.where(np.isnan(rows).any(axis=1, keepdims=True), np.nan, ranked)


def wilson(hits: int, n: int, alpha: float) -> tuple[float, float]:
    """Wilson's interval of a share (1927)."""
    p, z = hits / n, float(special.ndtri(0.5 + 0.5 * (1 - alpha)))
    scale = 2 * (n + z**2)
    centre = (2 * n * p + z**2) / scale
    reach = z / scale * math.sqrt(4 * n * p * (1 - p) + z**2)
    return 0.0 if hits == 0 else centre - reach, 1.0 if hits == n else centre + reach


# -- ways -----------------------------------------------------------------------------------------
# One difference judged by several t tests at once, of which the most careful counts.
#
# The p-value is the largest of all, limits are the hull of theirs: limits at a level exclude a
# value exactly where the p-value of that value is at most the level.


@dataclass(frozen=True, eq=False)
class Ways:
    """Estimates of the same differences with errors and df, tests x differences."""

    estimates: np.ndarray
    errors: np.ndarray
    df: np.ndarray

    def p(self, null: np.ndarray | float = 0.0, turn: int = 0) -> np.ndarray:
        """Of a difference `null`: two-sided (0), against larger (1) or smaller (-1).

        Two-sided it is 1 where the tests point in different directions.
        """
        t = self._t(null)
        if turn:
            return np.asarray(t_sf(turn * t, self.df).max(axis=0))
        agree = (np.sign(t) == np.sign(t[0])).all(axis=0)
        return np.where(agree, (2 * t_sf(np.abs(t), self.df)).max(axis=0), 1.0)

    def _t(self, null: np.ndarray | float) -> np.ndarray:
        away = self.estimates - null
        endless = np.where(away == 0, 0.0, np.copysign(np.inf, away))
        return np.divide(away, self.errors, out=endless, where=self.errors > 0)

    def limits(self, alpha: float, two_sided: bool = True) -> tuple[np.ndarray, np.ndarray]:
        """The least lower and the largest upper limit of all."""
        reach = t_isf(alpha / 2 if two_sided else alpha, self.df) * self.errors
        return (self.estimates - reach).min(axis=0), (self.estimates + reach).max(axis=0)


# -- the largest of several -----------------------------------------------------------------------
# Independent groups under all pairs (the range), equicorrelated contrasts against a control (many
# to one), independent contrasts (maximum modulus) by quadrature; any other correlation by `JointT`.
# Tails keep their relative accuracy however small they are. Inside, everything is on the scale of a
# single t statistic: `range_sf` alone divides by the square root of 2.


Array = NDArray[np.float64]
Tail = Callable[[Array], Array]

REACH = 8.5  # beyond so many standard deviations a normal density is below 1e-16
NODES = 60  # of Gauss-Legendre on a normal variable: 1e-11 up to 200 groups
SLICE = 8  # statistics at a time: the grids stay in the processor's cache
CLOSE = 1e-8  # a step of a search, in logarithms
BINS = 2048  # of the reach of directions: an error below 1e-5; even, so that none is at 0


def range_sf(q: ArrayLike, k: int, df: float) -> Array:
    """P(studentized range of k groups >= q); one group has range 0 (Tukey 1953)."""
    _check(k, 1, df)
    if k == 1:
        return _nothing(q)
    return _upper_tail(np.asarray(q, float) / math.sqrt(2), partial(_normal_range_sf, k=k), k, df)


@lru_cache(maxsize=1024)
def range_quantile(alpha: float, k: int, df: float) -> float:
    """The upper alpha quantile of the studentized range of k groups."""
    _check(k, 1, df)
    if k == 1:
        return 0.0
    tail = partial(_normal_range_sf, k=k)
    pairs = k * (k - 1) // 2
    return math.sqrt(2) * _quantile(lambda t: _upper_tail(t, tail, k, df), alpha, pairs, df)


def many_to_one_sf(
    t: ArrayLike, m: int, df: float, rho: float = 0.5, two_sided: bool = True
) -> Array:
    """P(largest of m t statistics with common correlation rho >= t) (Dunnett 1955).

    Two-sided, the largest absolute value. No statistic at all never exceeds anything above 0.
    """
    _check(m, 0, df, rho)
    if m == 0:
        return _nothing(t, two_sided)
    return _upper_tail(t, _many_to_one(m, rho, two_sided), m, df, two_sided)


@lru_cache(maxsize=1024)
def many_to_one_quantile(
    alpha: float, m: int, df: float, rho: float = 0.5, two_sided: bool = True
) -> float:
    """The upper alpha quantile of the largest of m equicorrelated t statistics."""
    _check(m, 0, df, rho)
    if m == 0:
        return 0.0 if two_sided else -math.inf
    tail = _many_to_one(m, rho, two_sided)
    return _quantile(lambda t: _upper_tail(t, tail, m, df, two_sided), alpha, m, df, two_sided)


def maximum_modulus_sf(t: ArrayLike, m: int, df: float) -> Array:
    """P(largest absolute value of m t statistics with independent numerators >= t)."""
    return many_to_one_sf(t, m, df, rho=0.0)


def maximum_modulus_quantile(alpha: float, m: int, df: float) -> float:
    """The upper alpha quantile of the studentized maximum modulus (Stoline & Ury 1979)."""
    return many_to_one_quantile(alpha, m, df, rho=0.0)


@dataclass(frozen=True, eq=False)
class JointT:
    """Several t statistics with correlation `root @ root.T` and one estimate of scale on `df`.

    `root` is contrasts × dimensions with rows of length 1; it may be singular, as that of all pairs
    always is. A normal vector is a direction times an independent length: directions are
    quasi-random (Sobol, scrambled, a fixed seed), the length is integrated out exactly (Somerville
    1997). The error of p near 0.05 is below 3e-4 up to 20 algorithms, and small tails keep two
    digits.
    """

    # A trap: scipy.stats.multivariate_t.cdf is wrong for singular shapes (1.17.1 gives 0.1405 where
    # the studentized range gives 0.0702). Nothing here inverts or factors the correlation.
    root: Array
    df: float
    points: int = 2**15  # a power of 2

    def __post_init__(self) -> None:
        _check(len(self.root), 0, self.df)
        if not np.allclose(np.linalg.norm(self.root, axis=-1), 1, atol=1e-8):
            raise ValueError("The rows of root must have length 1: divide each contrast by its sd.")

    def sf(self, t: ArrayLike, two_sided: bool = True, among: Iterable[int] | None = None) -> Array:
        """P(largest statistic >= t), two-sided the largest absolute value.

        `among` (positions, or a mask) takes the maximum over some of the contrasts only.
        """
        every = np.arange(len(self.root))
        rows = every if among is None else every[list(among)]
        if len(rows) == 0:
            return _nothing(t, two_sided)
        reach = self._reach(rows, two_sided)
        return _on_finite(t, lambda s: self._union(s, reach, two_sided), two_sided)

    def quantile(self, alpha: float, two_sided: bool = True) -> float:
        """The upper alpha quantile of the largest statistic."""
        if len(self.root) == 0:
            return 0.0 if two_sided else -math.inf
        m = len(self.root)
        return _quantile(lambda t: self.sf(t, two_sided), alpha, m, self.df, two_sided)

    @cached_property
    def draws(self) -> Array:
        """Draws of the statistics themselves, points × contrasts.

        A tail counted in them errs by about 1e-3 at 0.05: `sf` is better where it will do.
        """
        normal = _sobol_normal(self._axes.shape[1] + 1, self.points)
        return normal[:, :-1] @ self._axes.T / _chi_at(normal[:, -1], self.df)[:, None]

    @cached_property
    def _axes(self) -> Array:
        """The root without superfluous dimensions: fewer of them are easier to fill."""
        return find_axes(self.root)

    @cached_property
    def _known(self) -> dict[bool, _Reach]:
        """The reach of all contrasts together, two-sided or not, once it is computed."""
        return {}

    def _reach(self, rows: NDArray[np.intp], two_sided: bool) -> _Reach:
        if len(rows) < len(self.root):
            return _reach(self._axes[rows], self.points, two_sided)
        if two_sided not in self._known:
            self._known[two_sided] = _reach(self._axes, self.points, two_sided)
        return self._known[two_sided]

    def _union(self, t: Array, reach: _Reach, two_sided: bool) -> Array:
        """P(any statistic >= t): Bonferroni's sum times the share of it that is no overlap.

        The share is a ratio of averages over the same directions, which err alike; far out it tends
        to 1 without a point having to lie there.
        """
        longer = _length_sf(np.abs(t[:, None] / reach.at), self._axes.shape[1], self.df)
        # a direction that reaches up exceeds a negative t at any length, another while it is short
        up, down = np.where(reach.at > 0, longer, 0.0), np.where(reach.at < 0, 1 - longer, 1.0)
        union, total = up @ reach.largest, up @ reach.every
        share = np.divide(union, total, out=np.ones_like(t), where=total > 0)
        single = (2 if two_sided else 1) * t_sf(t, self.df)
        return np.where(t > 0, share * reach.every.sum() * single, down @ reach.largest)


@dataclass(frozen=True, eq=False)
class _Reach:
    """How far directions of length 1 reach along the contrasts."""

    at: Array
    largest: Array  # weights of the largest contrast: their sum is 1
    every: Array  # weights of all contrasts: their sum is the number of contrasts


def _length_sf(x: Array, dimensions: int, df: float) -> Array:
    """P(length of a studentized normal vector >= x)."""
    if math.isinf(df):
        return special.chdtrc(dimensions, x**2)
    return special.fdtrc(dimensions, df, x**2 / dimensions)


def _reach(axes: Array, points: int, two_sided: bool) -> _Reach:
    """The reach of quasi-random directions and, one-sided, of their opposites."""
    directions = _sobol_directions(axes.shape[1], points)
    weights = np.zeros((2, BINS))
    for part in np.array_split(directions, math.ceil(points * len(axes) / 2**16), axis=1):
        values = np.einsum("kd,di->ki", axes, part)  # not by BLAS, whose threads wake up slowly
        values = np.abs(values) if two_sided else np.concatenate([values, -values], axis=1)
        weights += _binned(values.max(axis=0)), _binned(values)
    used = weights[1] > 0
    return _Reach(np.linspace(-1, 1, BINS)[used], *weights[:, used] / weights[0].sum())


def _binned(values: Array) -> Array:
    """How many values lie at each point of a grid on [-1, 1].

    A value counts for the two points beside it, more for the nearer one: if it moves by a rounding
    error, the counts move no further.
    """
    places = values.ravel() + 1
    places *= (BINS - 1) / 2
    below = places.astype(np.intp)
    places -= below
    counts = np.bincount(below, minlength=BINS + 1).astype(float)
    above = np.bincount(below, places, minlength=BINS + 1)
    counts -= above
    counts[1:] += above[:-1]
    return counts[:BINS]


@lru_cache(maxsize=8)
def _sobol_normal(dimensions: int, points: int) -> Array:
    """Quasi-random standard normal vectors."""
    from scipy.stats import qmc  # slow to load, and few tests need it

    sobol = qmc.Sobol(dimensions, seed=np.random.default_rng(0))
    uniform = sobol.random_base2(round(math.log2(points)))
    return special.ndtri(uniform + 2.0**-31)  # half a cell up: 0 may be drawn and has no quantile


@lru_cache(maxsize=8)
def _sobol_directions(dimensions: int, points: int) -> Array:
    """Quasi-random vectors of length 1, one in each column."""
    normal = _sobol_normal(dimensions, points)
    return np.ascontiguousarray((normal / np.linalg.norm(normal, axis=1, keepdims=True)).T)


def _chi_at(z: Array, df: float) -> Array:
    """The chi variable (divided by the root of df) with the same upper tail as a normal one."""
    if math.isinf(df):
        return np.ones_like(z)
    knots = np.linspace(-7, 7, 2049)  # interpolated: the inverse gamma function is slow
    return np.interp(z, knots, np.sqrt(special.chdtri(df, special.ndtr(-knots)) / df))


def _upper_tail(t: ArrayLike, tail: Tail, m: int, df: float, two_sided: bool = True) -> Array:
    """The studentized tail of any array of the largest of m, slice by slice."""

    def sliced(s: Array) -> Array:
        parts = np.array_split(s, max(1, math.ceil(len(s) / SLICE)))
        return np.concatenate([_studentized(tail, part, m, df) for part in parts])

    return _on_finite(t, sliced, two_sided)


def _on_finite(t: ArrayLike, tail: Tail, two_sided: bool) -> Array:
    """The tail where it needs computing; 1 at the lower end, 0 at infinity, nan stays nan."""
    t = np.asarray(t, float)
    sf = np.where(np.isnan(t), np.nan, np.where(t > 0, 0.0, 1.0))
    inside = np.isfinite(t) & (t > 0) if two_sided else np.isfinite(t)
    sf[inside] = np.clip(tail(np.clip(t[inside], -1e100, 1e100)), 0.0, 1.0)  # squares stay finite
    return sf


def _nothing(t: ArrayLike, two_sided: bool = True) -> Array:
    """The tail where there is nothing to compare: the largest is 0, one-sided minus infinity."""
    t = np.asarray(t, float)
    return np.where(np.isnan(t), np.nan, (t <= (0.0 if two_sided else -math.inf)) * 1.0)


def _quantile(
    sf: Callable[[Array], Array], alpha: float, m: int, df: float, two_sided: bool = True
) -> float:
    """The root of sf(t) = alpha between what one statistic and what Bonferroni's bound give."""
    from scipy.optimize import brentq  # slow to load, and not for every test

    if not 0 < alpha < 1:
        raise ValueError(f"alpha must lie between 0 and 1, not {alpha!r}.")
    sides = 2 if two_sided else 1
    # one statistic at a larger alpha, all at a smaller one: strictly below and above the root
    low, high = math.log((1 + alpha) / 2), math.log(alpha / 2 / m)

    def at(log: float) -> float:  # nearly a line in the logarithm of one statistic's tail
        return math.log(float(sf(t_isf(math.exp(log) / sides, df))) / alpha)

    root = _by_secants(at, high + math.log(2), low, high)
    if math.isnan(root):
        root = brentq(at, low, high, xtol=1e-13)
    return float(t_isf(math.exp(root) / sides, df))


def _by_secants(
    function: Callable[[float], float], start: float, most: float, least: float
) -> float:
    """The root of what is nearly a line of slope 1; NaN where it is not found in a few steps."""
    old, error, slope = start, function(start), 1.0
    for _ in range(8):
        new = old - error / slope
        if not least < new < most:
            break
        now = function(new)
        slope = (now - error) / (new - old) if new != old else slope
        if slope <= 0:
            break
        if abs(new - old) < CLOSE:  # the last step's error is below its square: rounding is left
            return new - now / slope
        old, error = new, now
    return math.nan


@lru_cache
def _legendre(nodes: int) -> tuple[Array, Array]:
    """Nodes and weights of Gauss-Legendre on [-1, 1]."""
    return np.polynomial.legendre.leggauss(nodes)


def _normal_range_sf(t: Array, k: int) -> Array:
    """P(range of k normal variables >= t * sqrt 2), given the largest of them, z.

    k ∫ φ(z) (Φ(z)^(k-1) - (Φ(z) - Φ(z-q))^(k-1)) dz, the difference taken without cancellation.
    For large q the integrand is like exp(-(z - q/2)²); for many groups the largest is rarely low.
    """
    half = t / math.sqrt(2)
    low = np.maximum(half - REACH, special.ndtri(1e-18 ** (1 / (k - 1))))
    high = np.maximum(REACH, half + 6.5)
    x, weights = _legendre(NODES)
    middle, radius = (high + low) / 2, (high - low) / 2
    z = middle[..., None] + radius[..., None] * x
    below = special.ndtr(z)
    far = np.minimum(special.ndtr(z - 2 * half[..., None]) / below, 1 - 1e-16)
    density = np.exp((k - 1) * np.log(below) - z**2 / 2)
    missed = -np.expm1((k - 1) * np.log1p(-far))
    return k / math.sqrt(2 * math.pi) * radius * ((density * missed) @ weights)


def _many_to_one(m: int, rho: float, two_sided: bool) -> Tail:
    """The tail of the largest of m normal variables with common correlation rho."""
    if m == 1 or rho == 1:
        return partial(_independent_sf, m=1, two_sided=two_sided)
    if rho == 0:
        return partial(_independent_sf, m=m, two_sided=two_sided)
    return partial(_equicorrelated_sf, m=m, rho=rho, two_sided=two_sided)


def _independent_sf(t: Array, m: int, two_sided: bool) -> Array:
    """P(largest of m independent normal variables >= t)."""
    return _independent_given(np.zeros(1), t, 1.0, m, two_sided)


def _equicorrelated_sf(t: Array, m: int, rho: float, two_sided: bool) -> Array:
    """P(largest of m >= t), given what the statistics have in common, z (Dunnett 1955).

    Given that one of them is t, z is normal with mean t √rho: far out, the integrand sits there.
    """
    own = math.sqrt(1 - rho)
    centre = math.sqrt(rho) * np.maximum(t, 0)
    low = np.maximum(centre - REACH, 0.0 if two_sided else -REACH)  # two-sided: symmetric in z
    high = np.maximum(REACH, centre + REACH * own)
    x, weights = _legendre(min(2000, math.ceil((0.8 if two_sided else 1.4) * NODES / own)))
    middle, radius = (high + low) / 2, (high - low) / 2
    z = middle[..., None] + radius[..., None] * x
    above = _independent_given(z * math.sqrt(rho), t[..., None], own, m, two_sided)
    scale = (2 if two_sided else 1) / math.sqrt(2 * math.pi)
    return scale * radius * ((np.exp(-(z**2) / 2) * above) @ weights)


def _independent_given(shift: Array, t: Array, own: float, m: int, two_sided: bool) -> Array:
    """P(largest of m >= t) for independent normal variables around `shift` with sd `own`."""
    if not two_sided:
        return -np.expm1(m * special.log_ndtr((t - shift) / own))
    outside = special.ndtr((shift - t) / own) + special.ndtr((-shift - t) / own)
    return -np.expm1(m * np.log1p(-np.minimum(outside, 1 - 1e-16)))


def _studentized(tail: Tail, t: Array, m: int, df: float) -> Array:
    """The tail after division by an independent chi variable: ∫ f(s) tail(t s) ds over log s.

    In log s the density is smooth for every df. Where t is large, small s matter: there the tail
    is about exp(-t²s²/2), which turns the chi density into one that is (1 + t²/df)^½ times smaller.
    """
    if math.isinf(df):
        return tail(t)
    lowest, highest = _log_chi_range(df)
    up = np.maximum(t, 1e-300)
    tilt = -np.log1p(up**2 / df) / 2
    low = lowest + tilt
    high = np.minimum(highest, np.maximum(highest + tilt, np.log(16 / up)))
    # the smaller df, the wider the range; the more statistics, the steeper their tail
    x, weights = _legendre(36 + math.ceil((120 + 27 * math.log(m)) / df**0.75))
    radius = (high - low)[:, None] / 2
    log_s = (high + low)[:, None] / 2 + radius * x
    density = np.exp(_log_chi_constant(df) + df * log_s - df / 2 * np.expm1(2 * log_s))
    return (radius * density * tail(t[:, None] * np.exp(log_s))) @ weights


@lru_cache
def _log_chi_range(df: float) -> tuple[float, float]:
    """The logarithms of s between which all but 1e-17 of its mass lies on either side."""
    low = max(float(special.gammaincinv(df / 2, 1e-17)), 1e-300)
    high = float(special.gammainccinv(df / 2, 1e-17))
    return math.log(2 * low / df) / 2, math.log(2 * high / df) / 2


def _log_chi_constant(df: float) -> float:
    """The logarithm of the density of log s at s = 1."""
    if df < 1000:
        return math.log(2) + df / 2 * (math.log(df / 2) - 1) - math.lgamma(df / 2)
    # Stirling's series: the terms above are of size df and would cancel
    return math.log(df / math.pi) / 2 - 1 / (6 * df) + 1 / (45 * df**3)


def _check(m: int, least: int, df: float, rho: float = 0.5) -> None:
    if m < least:
        raise ValueError(f"There must be at least {least} statistics or groups, not {m}.")
    if not df > 0:
        raise ValueError(f"The degrees of freedom must be positive, not {df}.")
    if not 0 <= rho <= 1:
        raise ValueError(f"The common correlation must lie between 0 and 1, not {rho}.")


# -- related --------------------------------------------------------------------------------------
# Adjustments that use how hypotheses of pairs imply each other: if 1 = 2 and 2 = 3, then 1 = 3.
#
# Which sets of pairs can be true together are the partitions of the algorithms. Both need the
# p-values of all pairs, of hypotheses that do imply each other: equal means of all algorithms,
# not tests that score every pair anew.


EXHAUSTIVE_UP_TO = 9  # algorithms: 21147 partitions


@lru_cache
def true_counts(algorithms: int) -> tuple[int, ...]:
    """The numbers of pairs that can be equal at once, ascending (Shaffer 1986, recursion S(k))."""
    if algorithms < 2:
        return (0,)
    return tuple(
        sorted(
            {
                size * (size - 1) // 2 + rest
                for size in range(1, algorithms + 1)
                for rest in true_counts(algorithms - size)
            }
        )
    )


def shaffer(p: np.ndarray, algorithms: int) -> np.ndarray:
    """Shaffer's step-down p-values of all pairs (1986, S2), as R's multcomp has them.

    A pair's p-value counts as often as pairs can be equal together with it when those before it
    differ. Beyond nine algorithms these sets are too many, and the static factors stand in.
    """
    if algorithms > EXHAUSTIVE_UP_TO:
        return static_shaffer(p, algorithms)
    possible = _exhaustive(algorithms)
    sizes, order = possible.sum(axis=1), np.argsort(p, kind="stable")
    factors = np.empty(len(p))
    for value in np.unique(p):  # equal ones together, so that names do not matter
        here = p == value
        factors[here] = np.where(possible[:, here], sizes[:, None], 0).max(axis=0)
        left = ~possible[:, here].any(axis=1)
        possible, sizes = possible[left], sizes[left]
    return _stepped(p, factors[order], order)


def static_shaffer(p: np.ndarray, algorithms: int) -> np.ndarray:
    """Shaffer's p-values by the number of pairs left alone (1986, S1)."""
    possible = np.array(true_counts(algorithms))
    left = np.arange(len(p), 0, -1)  # hypotheses that are not yet rejected
    factors = np.maximum(possible[np.searchsorted(possible, left, side="right") - 1], 1)
    return _stepped(p, factors, np.argsort(p, kind="stable"))


def _stepped(p: np.ndarray, factors: np.ndarray, order: np.ndarray) -> np.ndarray:
    steps = np.maximum.accumulate(p[order] * factors)
    return np.asarray(np.minimum(steps, 1.0)[np.argsort(order, kind="stable")])


def bergmann_hommel(p: np.ndarray, algorithms: int) -> np.ndarray:
    """Bergmann and Hommel's p-values of all pairs (1988): the largest |I| min p over sets I.

    I runs over the exhaustive sets, the pairs within the parts of a partition, that contain the
    pair. Beyond nine algorithms these are too many: Shaffer's p-values, never smaller, stand in.
    """
    if algorithms > EXHAUSTIVE_UP_TO:
        return static_shaffer(p, algorithms)
    within = _exhaustive(algorithms)
    least = np.where(within, p, np.inf).min(axis=1)
    worth = within.sum(axis=1) * least
    result = np.where(within, worth[:, None], 0.0).max(axis=0)
    return np.asarray(np.minimum(result, 1.0))


@lru_cache(maxsize=2)
def _exhaustive(algorithms: int) -> NDArray[np.bool_]:
    """Partitions (but the one into single algorithms) x pairs: whether a pair is in one part."""
    labels = _labels(algorithms)
    first, second = np.array(list(combinations(range(algorithms), 2))).T
    within = labels[:, first] == labels[:, second]
    return np.asarray(within[within.any(axis=1)])


def _labels(algorithms: int) -> NDArray[np.int8]:
    """All partitions as labels: the first is 0, a new part has the least label not yet used."""
    rows = np.zeros((1, 1), dtype=np.int8)
    for _ in range(algorithms - 1):
        top = rows.max(axis=1)
        rows = np.concatenate(
            [
                np.column_stack([rows[top + 1 >= label], np.full((top + 1 >= label).sum(), label)])
                for label in range(int(top.max()) + 2)
            ]
        ).astype(np.int8)
    return rows
