"""The random block model y_bk = mu_k + b_b + e_bk, fitted exactly by REML; gaps are welcome.

Blocks are independent with variance sigma_b², errors with variance sigma². Without gaps everything
is the two-way analysis of variance. With gaps the likelihood is profiled over the one parameter
phi = sigma_b² / sigma². A block of n values has the inverse covariance
(I - phi / (1 + n phi) 11') / sigma², so no matrix is ever larger than algorithms × algorithms.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import fdtrc

from podium.core.words.facts import ModelFacts

Array = NDArray[np.float64]

INFINITE = 1e30  # the phi of data without error: blocks explain all that algorithms do not
PHIS = np.r_[0.0, np.logspace(-8, 30, 77)]  # where the profile's slope is looked at first
ROUNDING = 8 * np.finfo(float).eps  # relative to the largest value


@dataclass(frozen=True, eq=False)
class RandomBlock:
    """A fitted random block model of values, blocks × algorithms.

    `covariance` is that of the means. `reml_criterion` is minus twice the log restricted likelihood
    at its maximum, with all constants; it is the same for cell means as for treatment contrasts.
    `error_df` are the degrees of freedom within blocks. Not `connected`: no chain of shared blocks
    joins some of the algorithms, which are compared only by the variance between blocks.
    With one value per block, sigma_b cannot be told from sigma: it is 0 and sigma stands for both.
    """

    values: Array
    means: Array
    covariance: Array
    sigma_b: float
    sigma: float
    reml_criterion: float
    error_df: int
    connected: bool
    gradients: Array  # of the covariance by the variance parameters
    parameter_covariance: Array  # of the variance parameters

    def df_contrast(self, matrix: ArrayLike) -> Array:
        """Satterthwaite's degrees of freedom of each row, 2 v² / (g' A g).

        v is the row's variance, g its gradient by the variance parameters and A their covariance
        from the observed information (Giesbrecht & Burns 1985). Without gaps it is exactly
        (B-1)(K-1) for rows that sum to 0. Rows without any variance get `error_df`.
        """
        rows = np.atleast_2d(np.asarray(matrix, float))
        v = _quadratic(rows, self.covariance)
        g = np.stack([_quadratic(rows, part) for part in self.gradients], axis=1)
        spread = _quadratic(g, self.parameter_covariance)
        certain = v <= 1e-14 * (rows**2).sum(axis=1) * np.diag(self.covariance).max()
        return np.divide(
            2 * v**2, spread, out=np.full(len(v), float(self.error_df)), where=~certain
        )

    def f_test(self) -> tuple[float, float, float, float]:
        """F, its two degrees of freedom and p for equal means of all algorithms.

        Without gaps that of the analysis of variance. With gaps the denominator is Fai &
        Cornelius' (1996), from the degrees of freedom of the principal components of the means'
        contrasts. (lmerTest starts from other contrasts, which changes its seventh digit, and makes
        it depend on the order of the algorithms.)
        """
        k = len(self.means)
        if k < 2:
            raise ValueError("The F test compares means, and there is only one algorithm.")
        from scipy.linalg import helmert

        contrasts = helmert(k)
        variances, axes = np.linalg.eigh(contrasts @ self.covariance @ contrasts.T)
        rows = axes.T @ contrasts
        estimates = rows @ self.means
        known = (variances <= 1e-12 * variances.max()) & (self.sigma == 0)
        if np.any(np.abs(estimates[known]) > self._rounding):
            return math.inf, k - 1, self.error_df, 0.0
        squares = np.divide(estimates**2, variances, out=np.zeros(k - 1), where=~known)
        f, df = float(squares.mean()), joint_df(self.df_contrast(rows))
        return f, k - 1, df, float(fdtrc(k - 1, df, f))

    @property
    def facts(self) -> ModelFacts:
        """The model's own numbers."""
        return ModelFacts({"sigma_b": float(self.sigma_b), "sigma": float(self.sigma)})

    def block_effects(self) -> Array:
        """The best linear unbiased predictions of the blocks; 0 for a block without values."""
        residuals = self.values - self.means
        sizes = np.isfinite(self.values).sum(axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.float64(self.sigma / self.sigma_b) ** 2 if self.sigma_b else np.inf
            shrunk = np.nansum(residuals, axis=1) / (ratio + sizes)
        return np.where(sizes > 0, shrunk, 0.0)

    def fitted(self) -> Array:
        """Mean of the algorithm plus effect of the block, also where the value is missing."""
        return self.means + self.block_effects()[:, None]

    def residuals(self) -> Array:
        """What is left of the values; NaN where they are missing."""
        return self.values - self.fitted()

    @property
    def _rounding(self) -> float:
        return float(ROUNDING * np.nanmax(np.abs(self.values)))


def random_block(values: ArrayLike) -> RandomBlock:
    """The random block model of values, blocks × algorithms, NaN where a value is missing.

    Blocks with a single value count for the means and for the variance between blocks.
    """
    values = np.asarray(values, float)
    _check(values)
    kept = values[np.isfinite(values).any(axis=1)]
    gaps = _Gaps(kept)
    if gaps.without_error:
        return _exact(values, gaps)
    if np.isfinite(kept).all() and gaps.error_df > 0:
        return _balanced(values, kept)
    return _unbalanced(values, gaps)


def _balanced(values: Array, y: Array) -> RandomBlock:
    """The closed form: mean squares of the two-way analysis of variance."""
    B, K = y.shape
    effects = y.mean(axis=1) - y.mean()
    df = np.array([(B - 1) * (K - 1), B - 1])
    squares = np.array(
        [np.sum((y - y.mean(axis=0) - effects[:, None]) ** 2), K * effects @ effects]
    )
    mse, msb = squares / df
    # Where MSB < MSE, sigma_b is 0 and lme4 pools the two. A difference of algorithms is within
    # blocks: its test by the MSE alone is exact whatever the blocks do, so no pooling here.
    msb = max(mse, msb)
    average = np.full((K, K), 1 / K)
    gradients = np.stack([np.eye(K) - average, average]) / B
    return RandomBlock(
        values=values,
        means=y.mean(axis=0),
        covariance=mse * gradients[0] + msb * gradients[1],
        sigma_b=math.sqrt((msb - mse) / K),
        sigma=math.sqrt(mse),
        reml_criterion=_balanced_criterion(squares, msb / mse, B, K),
        error_df=int(df[0]),
        connected=True,
        gradients=gradients,
        parameter_covariance=np.diag(2 * np.array([mse, msb]) ** 2 / df),
    )


def _balanced_criterion(squares: Array, ratio: float, B: int, K: int) -> float:
    """The criterion at ratio = 1 + K phi."""
    free = K * (B - 1)
    pooled = (squares[0] + squares[1] / ratio) / free
    return free * (1 + math.log(2 * math.pi * pooled)) + (B - 1) * math.log(ratio) + K * math.log(B)


def _unbalanced(values: Array, gaps: _Gaps) -> RandomBlock:
    """The minimum of the profiled criterion, and its curvature."""
    point = _optimum(gaps)
    sigma2 = point.squares / gaps.free
    covariance = sigma2 * gaps.basis @ point.inverse @ gaps.basis.T
    gradients, parameter_covariance = _uncertainty(gaps, point, sigma2)
    return RandomBlock(
        values=values,
        means=gaps.basis @ point.coefficients + gaps.centre,
        covariance=(covariance + covariance.T) / 2,  # rounding is not symmetric
        sigma_b=math.sqrt(sigma2 * point.phi),
        sigma=math.sqrt(sigma2),
        reml_criterion=point.criterion,
        error_df=gaps.error_df or gaps.free,
        connected=gaps.components == 1,
        gradients=gradients,
        parameter_covariance=parameter_covariance,
    )


def _exact(values: Array, gaps: _Gaps) -> RandomBlock:
    """Blocks and algorithms explain the values without error: what is left is the blocks' variance.

    Contrasts between connected algorithms are known; a mean is as uncertain as that of its blocks.
    """
    point = _Point(gaps, INFINITE)
    members = gaps.basis[:, : gaps.components]
    effects = point.block_sums / gaps.sizes
    df = len(effects) - gaps.components
    sigma2_b = float(effects @ effects) / df
    if sigma2_b <= gaps.rounding**2:
        sigma2_b = 0.0
    covariance = sigma2_b * (members / gaps.members.sum(axis=0)) @ members.T
    return RandomBlock(
        values=values,
        means=_merged(gaps.basis @ point.coefficients + gaps.centre, gaps.rounding),
        covariance=covariance,
        sigma_b=math.sqrt(sigma2_b),
        sigma=0.0,
        reml_criterion=-math.inf,
        error_df=gaps.error_df or gaps.free,
        connected=gaps.components == 1,
        gradients=covariance[None],
        parameter_covariance=np.array([[2 / df]]),  # of log sigma_b²
    )


def _merged(means: Array, rounding: float) -> Array:
    """Means that differ by rounding only made equal: without error any difference would count."""
    order = np.argsort(means)
    steps = np.diff(means[order], prepend=means.min())
    group = np.cumsum(steps > rounding)
    merged = np.empty_like(means)
    merged[order] = means[order][np.searchsorted(group, group)]
    return merged


class _Gaps:
    """What the profile needs to know of blocks × algorithms with gaps; values are centred.

    `basis` is one mean per connected part of the design and differences to its first algorithm:
    there the matrices stay well conditioned however large phi is.
    """

    def __init__(self, values: Array) -> None:
        from scipy.sparse.csgraph import connected_components  # slow to load, and for gaps only

        self.mask = np.isfinite(values)
        self.centre = float(np.nanmean(values))
        self.rounding = float(ROUNDING * np.nanmax(np.abs(values)))
        self.y = np.where(self.mask, values - self.centre, 0.0)
        self.cells = self.mask.astype(float)
        self.sizes = self.cells.sum(axis=1)
        self.components, part = connected_components(self.cells.T @ self.cells > 0, directed=False)
        self.basis = _basis(part, self.components)
        self.design = self.cells @ self.basis
        self.members = self.design[:, : self.components] / self.sizes[:, None]
        self.counts = np.diag(self.cells.sum(axis=0))
        blocks, algorithms = values.shape
        self.free = int(self.mask.sum()) - algorithms
        self.error_df = self.free - blocks + self.components
        if self.free == 0:
            raise ValueError(
                "Every algorithm has one value only, which leaves no degrees of freedom for the "
                "error: the mixed model needs at least two rows."
            )

    @cached_property
    def without_error(self) -> bool:
        """Whether the values are, up to rounding, sums of an algorithm's and a block's part."""
        smallest = (self.free + len(self.counts)) * self.rounding**2
        phi = INFINITE if self.error_df else 0.0
        return bool(_Point(self, phi).squares <= smallest)


def _basis(part: NDArray[np.int32], components: int) -> Array:
    """Columns: the indicator of each part, then all algorithms but the first of each part."""
    indicators = (part[:, None] == np.arange(components)).astype(float)
    others = np.delete(np.eye(len(part)), indicators.argmax(axis=0), axis=1)
    return np.hstack([indicators, others])


class _Point:
    """Generalised least squares at one phi, and the profiled criterion there."""

    def __init__(self, gaps: _Gaps, phi: float) -> None:
        self.gaps, self.phi = gaps, phi
        self.rest = 1 / (1 + gaps.sizes * phi)  # d/dphi of phi * rest is rest²
        self.root = np.linalg.cholesky(self._normal_matrix())
        half = np.linalg.inv(self.root)
        self.inverse = half.T @ half
        self.coefficients = self.inverse @ self._right_side()
        residuals = gaps.mask * (gaps.y - gaps.basis @ self.coefficients)
        self.block_sums = residuals.sum(axis=1)
        within = gaps.mask * (residuals - (self.block_sums / gaps.sizes)[:, None])
        self.squares = float(
            np.sum(within**2) + np.sum(self.block_sums**2 / gaps.sizes * self.rest)
        )

    def _normal_matrix(self) -> Array:
        """X' V⁻¹ X sigma²; the rows of whole parts are written without cancellation."""
        g = self.gaps
        shrunk = g.counts - g.cells.T @ (g.cells * (self.phi * self.rest)[:, None])
        matrix = g.basis.T @ shrunk @ g.basis
        whole = g.design.T @ (g.members * self.rest[:, None])
        matrix[:, : g.components], matrix[: g.components] = whole, whole.T
        return matrix

    def _right_side(self) -> Array:
        g = self.gaps
        sums = g.y.sum(axis=1)
        side = g.basis.T @ (g.y.sum(axis=0) - g.cells.T @ (self.phi * self.rest * sums))
        side[: g.components] = g.members.T @ (self.rest * sums)
        return side

    @property
    def criterion(self) -> float:
        """Minus twice the log restricted likelihood, at the best sigma for this phi."""
        free = self.gaps.free
        determinants = -np.log(self.rest).sum() + 2 * np.log(np.diag(self.root)).sum()
        return float(free * (1 + math.log(2 * math.pi * self.squares / free)) + determinants)

    @cached_property
    def matrix_slope(self) -> Array:
        """The derivative of the normal matrix by phi."""
        return -self.gaps.design.T @ (self.gaps.design * self.rest[:, None] ** 2)

    @property
    def squares_slope(self) -> float:
        """The derivative of the generalised sum of squares by phi."""
        return -float(np.sum((self.rest * self.block_sums) ** 2))

    @property
    def slope(self) -> float:
        """The derivative of the criterion by phi."""
        determinants = np.sum(self.gaps.sizes * self.rest) + np.sum(
            self.inverse * self.matrix_slope
        )
        return float(self.gaps.free * self.squares_slope / self.squares + determinants)

    def curvature(self, sigma2: float) -> float:
        """The second derivative by phi, sigma² held, of the criterion."""
        sizes, rest, design = self.gaps.sizes, self.rest, self.gaps.design
        bend = 2 * design.T @ (design * (sizes * rest**3)[:, None])
        turned = self.inverse @ self.matrix_slope
        determinants = (
            -np.sum((sizes * rest) ** 2) + np.sum(self.inverse * bend) - np.sum(turned * turned.T)
        )
        pull = design.T @ (rest**2 * self.block_sums)
        squares = 2 * np.sum(sizes * rest**3 * self.block_sums**2) - 2 * pull @ self.inverse @ pull
        return float(determinants + squares / sigma2)


def _optimum(gaps: _Gaps) -> _Point:
    """The point with the least criterion among all local minima, the boundary 0 included."""
    if gaps.sizes.max() == 1:
        return _Point(gaps, 0.0)  # one value per block: the criterion does not depend on phi
    # without degrees of freedom within blocks, large phis differ by rounding only
    phis = PHIS if gaps.error_df else PHIS[PHIS < 1e6]
    slopes = np.array([_Point(gaps, phi).slope for phi in phis])
    turns = np.flatnonzero((slopes[:-1] < 0) & (slopes[1:] >= 0))
    minima = [_between(gaps, phis[i], phis[i + 1]) for i in turns]
    minima += [_Point(gaps, 0.0)] if slopes[0] >= 0 else []
    if slopes[-1] < 0 or np.abs(slopes * phis).max() < 1e-7:  # no end, or flat
        raise ValueError(
            "The rows' variance cannot be separated from the error's: too few rows hold several "
            "algorithms. Add rows in which all algorithms have a value."
        )
    return min(minima, key=lambda point: point.criterion)


def _between(gaps: _Gaps, low: float, high: float) -> _Point:
    from scipy.optimize import brentq

    return _Point(gaps, brentq(lambda phi: _Point(gaps, phi).slope, low, high, xtol=1e-18))


def _uncertainty(gaps: _Gaps, point: _Point, sigma2: float) -> tuple[Array, Array]:
    """The covariance's gradients by log sigma² and log phi, and the covariance of these two."""
    to_means = gaps.basis @ point.inverse
    covariance = sigma2 * to_means @ gaps.basis.T
    if point.phi == 0:  # the criterion is even in sigma_b: only sigma varies
        return covariance[None], np.array([[2 / gaps.free]])
    by_phi = -point.phi * sigma2 * to_means @ point.matrix_slope @ to_means.T
    cross = -point.phi * point.squares_slope / sigma2
    information = [[gaps.free, cross], [cross, point.phi**2 * point.curvature(sigma2)]]
    return np.stack([covariance, by_phi]), 2 * np.linalg.inv(information)


def _quadratic(rows: Array, matrix: Array) -> Array:
    """r' matrix r for each row r."""
    return np.einsum("ij,jk,ik->i", rows, matrix, rows)


def joint_df(df: Array) -> float:
    """The denominator of a mean of squared t statistics (Fai & Cornelius 1996): E F is matched."""
    if np.ptp(df) <= 1e-8 * df.max():
        return float(df.mean())
    if df.min() <= 2:
        return 2.0  # F has no expectation
    return float(2 * np.sum(df / (df - 2)) / np.sum(2 / (df - 2)))


def _check(values: Array) -> None:
    if values.ndim != 2 or 0 in values.shape:
        raise ValueError(f"Values must be rows × algorithms, not of shape {values.shape}.")
    if np.isinf(values).any():
        raise ValueError("Values must be finite numbers, or NaN where a value is missing.")
    empty = np.flatnonzero(np.isnan(values).all(axis=0))
    if len(empty):
        raise ValueError(
            f"The algorithm in column {empty[0] + 1} has no value in any row: leave it out."
        )
