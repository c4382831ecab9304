"""Samples x algorithms with gaps, grouped by data set: the sums that a fit needs, and their fit.

Samples with equally many values have the same weights at any theta, the variance of samples in
units of the error's: whatever is summed over samples is summed once for every size.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

LARGE = 1e8  # theta
ROUNDING = 8 * np.finfo(float).eps  # relative to the largest value


@dataclass(frozen=True)
class CellFit:
    """Cells at one theta, in units of the error's variance; each with its slope by theta.

    `means` are those of generalised least squares less the plain ones, `covariance` that of each
    data set's means, `squares` what they leave, `determinant` the log determinants of the samples'
    and of the means' part. Where a data set lacks an algorithm, its mean is 0 and its row that of
    the identity matrix. Of several thetas, everything has their axis first.
    """

    means: Array
    covariance: Array
    squares: Array
    determinant: Array
    means_slope: Array
    covariance_slope: Array
    squares_slope: Array
    determinant_slope: Array


@dataclass(frozen=True)
class _BySize:
    """What samples with equally many values add to the sums over samples; sizes come first."""

    size: Array
    count: Array
    products: (
        Array  # sizes x data sets x algorithms x algorithms: samples in which two are together
    )
    sums: Array  # sizes x data sets x algorithms: the samples' means, summed
    squares: Array  # size times the samples' squared means


class Cells:
    """What a fit needs to know of samples x algorithms with gaps, grouped by data set.

    `origin` holds plain means, data sets x algorithms; what is fitted are deviations from them, so
    that neither large scores nor large differences cost digits.
    """

    def __init__(self, values: Array, dataset: NDArray[np.int64]) -> None:
        here = np.isfinite(values)
        sizes = here.sum(axis=1)
        # by data set and within it by size; samples without any value stand first of all
        order = np.lexsort((sizes, np.where(sizes > 0, dataset, -1)))[np.sum(sizes == 0) :]
        self._present, self.sizes = here[order], sizes[order]
        self.dataset, self._first = _numbered(dataset[order])
        self._y = np.where(self._present, values[order], 0.0)
        self.rounding = ROUNDING * float(np.abs(self._y).max())
        weights = self._present.astype(float)
        self.counts = self._summed(weights)
        self.present = self.counts > 0  # cells
        self.datasets, self.algorithms = self.counts.shape
        self.values = int(self.sizes.sum())
        self.origin, rest = self._centred()
        average = rest.sum(axis=1) / self.sizes
        own = rest - average[:, None] * weights
        own[np.abs(own) <= self.rounding] = 0.0
        self.own_sums, self.own_squares = self._summed(own), float(np.sum(own**2))
        self._by_size = self._grouped(weights, average)

    def _summed(self, rows: Array) -> Array:
        """Rows summed within data sets."""
        return np.add.reduceat(rows, self._first, axis=0)

    def _centred(self) -> tuple[Array, Array]:
        """The plain mean of every cell, and values less these; noise of rounding is 0."""
        level = float(self._y.sum()) / self.values
        y = np.where(self._present, self._y - level, 0.0)
        means = self._summed(y) / np.maximum(self.counts, 1)
        rest = np.where(self._present, y - means[self.dataset], 0.0)
        rest[np.abs(rest) <= self.rounding] = 0.0
        return np.where(self.present, means + level, np.nan), rest

    def _grouped(self, weights: Array, average: Array) -> _BySize:
        """Sums over the samples of equal size within a data set, which stand together."""
        J, K = self.datasets, self.algorithms
        size, at, count = np.unique(self.sizes, return_inverse=True, return_counts=True)
        first = np.flatnonzero(np.diff(self.dataset * len(size) + at, prepend=-1))
        products, sums = np.zeros((len(size), J, K, K)), np.zeros((len(size), J, K))
        group = at[first], self.dataset[first]
        each = zip(first.tolist(), [*first[1:].tolist(), len(at)], strict=True)
        products[group] = [weights[a:b].T @ weights[a:b] for a, b in each]
        sums[group] = np.add.reduceat(average[:, None] * weights, first)
        sizes, squares = size.astype(float), np.bincount(at, average**2)
        return _BySize(sizes, count.astype(float), products, sums, sizes * squares)

    @cached_property
    def variance(self) -> float:
        """That of all values."""
        return float(self._y[self._present].var())

    @cached_property
    def both(self) -> Array:
        """1 where a data set has both algorithms, else 0."""
        present = self.present.astype(float)
        return present[:, :, None] * present[:, None, :]

    @cached_property
    def level(self) -> Array:
        """The plain mean of every algorithm's cells."""
        return np.asarray(np.nanmean(self.origin, axis=0))

    @cached_property
    def beside(self) -> Array:
        """What the cells are beside their algorithm's mean; 0 where there is none."""
        return np.where(self.present, self.origin - self.level, 0.0)

    @cached_property
    def _plain(self) -> Array:
        """The inverse of every data set's covariance where samples do not vary."""
        return np.asarray((self.counts + ~self.present)[:, :, None] * np.eye(self.algorithms))

    def at(self, theta: float | Array) -> CellFit:
        """The cells where the samples' variance is theta times that of the error.

        An infinite theta compares within samples only; a data set's level is that of a large one.
        """
        by, theta = self._by_size, np.asarray(theta, float)[..., None]
        shrunk = 1 / (1 + by.size * theta)
        A, dA = _weighted(np.stack([(shrunk - 1) / by.size, -(shrunk**2)]), by.products)
        v, dv = _weighted(np.stack([shrunk, -by.size * shrunk**2]), by.sums)
        A, v = self._plain + A, self.own_sums + v
        if np.isinf(theta).any():
            inverse = np.asarray(np.linalg.pinv(A, 1e-9, hermitian=True), float)
            means = times(inverse, v)
            means += np.mean(self.at(LARGE).means - means, axis=-1, keepdims=True)
        else:
            inverse = np.asarray(np.linalg.inv(A), float)
            means = np.linalg.solve(A, v[..., None])[..., 0]  # keeps digits where theta is large
        q = self.own_squares + shrunk @ by.squares
        pulled = times(dA, means)
        log = np.log1p(by.size * theta) @ by.count + np.linalg.slogdet(A)[1].sum(axis=-1)
        return CellFit(
            means=means,
            covariance=inverse,
            squares=np.maximum(q - summed(means * v, 2), 0.0),
            determinant=log,
            means_slope=times(inverse, dv - pulled),
            covariance_slope=-inverse @ dA @ inverse,
            squares_slope=summed(means * (pulled - 2 * dv), 2) - (by.size * shrunk**2) @ by.squares,
            determinant_slope=shrunk @ (by.size * by.count) + summed(inverse * dA, 3),
        )

    @property
    def error_df(self) -> int:
        """Degrees of freedom of the error where samples and cells are told apart."""
        return self.values - len(self.sizes) - int(self.present.sum()) + self._parts

    @property
    def joined(self) -> bool:
        """Whether chains of shared samples join all algorithms of every data set."""
        return self._parts == self.datasets

    @cached_property
    def _parts(self) -> int:
        """Sets of samples and cells that no value joins: samples join the cells of a data set."""
        joined = chained(self._by_size.products.sum(axis=0) > 0).sum(axis=2)
        return round(float(np.sum(1 / joined[self.present])))

    @property
    def connected(self) -> bool:
        """Whether chains of shared data sets join all algorithms."""
        return bool(chained(self.counts.T @ self.counts > 0).all())

    @property
    def samples_vary(self) -> bool:
        """Whether an effect of samples can be told from those of data sets and errors."""
        return len(self.sizes) > self.datasets and bool(self.sizes.max() > 1)

    @property
    def whole(self) -> bool:
        """Whether no sample lacks a value."""
        return bool((self.sizes == self.algorithms).all())

    @property
    def mean_squares(self) -> tuple[float, float]:
        """Those of the error and of the samples: exact without gaps, otherwise nearly."""
        within = self.own_squares / max(self.error_df, 1)
        samples = float(self._by_size.squares.sum())
        return within, samples / max(len(self.sizes) - self.datasets, 1)


def _numbered(dataset: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Sorted data sets numbered without gaps, and where each of them begins."""
    new = np.diff(dataset, prepend=dataset[0] - 1) > 0
    return np.cumsum(new) - 1, np.flatnonzero(new)


def chained(pairs: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The pairs that chains of pairs join."""
    further = np.asarray(pairs.astype(float) @ pairs > 0)
    return pairs if (further == pairs).all() else chained(further)


def _weighted(weights: Array, terms: Array) -> Array:
    """Sums over sizes, the last axis of weights and the first of terms."""
    result = weights @ terms.reshape(len(terms), -1)
    return np.asarray(result.reshape(weights.shape[:-1] + terms.shape[1:]))


def summed(terms: Array, axes: int) -> Array:
    """Over the last axes."""
    return np.asarray(terms.sum(axis=tuple(range(-axes, 0))))


def times(matrices: Array, vectors: Array) -> Array:
    """Every data set's matrix times its vector."""
    return np.asarray((matrices @ vectors[..., None])[..., 0])
