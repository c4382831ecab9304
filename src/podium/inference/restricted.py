"""The restricted likelihood of variance ratios: its maximum, and what is known of it there.

A model is a function of thetas, the variances of its random effects in units of the error's.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

LEAST, MOST = 1e-9, 1e8  # of a theta that is not 0; beyond, digits get lost
FLAT = 1e-9  # a change of the criterion, per degree of freedom, that says nothing
TINY = 1e-300


@dataclass(frozen=True)
class Point:
    """A model at some thetas: log determinants, generalised squares, and slopes by each theta."""

    determinants: float
    squares: float
    determinant_slopes: Array
    square_slopes: Array
    unit: Array  # covariance of the means where the error's variance is 1
    unit_slopes: Array
    means: Array

    def criterion(self, free: int) -> float:
        """Minus twice the log likelihood, at its best error variance."""
        if not self.squares:
            return -math.inf
        return self.determinants + free * (1 + math.log(2 * math.pi * self.squares / free))

    def slopes(self, scale: float) -> Array:
        """Of the criterion by the thetas, where the error's variance is 1 / scale."""
        return self.determinant_slopes + scale * self.square_slopes


Model = Callable[[Array], Point]


def remembered(model: Model) -> Model:
    """A model that computes every point once: where a search ends is asked for again."""
    known: dict[bytes, Point] = {}

    def point(thetas: Array) -> Point:
        key = thetas.tobytes()
        if key not in known:
            known[key] = model(thetas)
        return known[key]

    return point


def fitted(model: Model, free: int, start: Array) -> Array:
    """The thetas with the least criterion; those that start at 0 stay there."""
    active = start > 0
    thetas = _searched(model, free, start) if active.any() else start
    for _ in start:  # a theta of 0 from where the criterion falls is no minimum
        point = model(thetas)
        slopes = point.slopes(free / max(point.squares, TINY))
        falls = active & (thetas == 0) & (slopes < -FLAT * free)
        if not falls.any():
            break
        thetas = _searched(model, free, np.where(falls, 1.0, np.where(active, thetas + LEAST, 0.0)))
    return thetas


def _searched(model: Model, free: int, start: Array) -> Array:
    """The thetas that a quasi-Newton search in their logarithms ends with."""
    active = start > 0

    def at(logs: Array) -> Array:
        thetas = np.zeros_like(start)
        thetas[active] = np.exp(logs)
        return thetas

    def profiled(logs: Array) -> tuple[float, Array]:
        thetas = at(logs)
        point = model(thetas)
        slopes = thetas * point.slopes(free / max(point.squares, TINY))
        return point.criterion(free), slopes[active]

    bounds = [(math.log(LEAST), math.log(MOST))] * int(active.sum())
    options = {"ftol": 1e-15, "gtol": 1e-7, "maxiter": 500}
    logs = np.log(np.clip(start[active], 1e-2, 1e6))  # the criterion is flat near 0
    from scipy.optimize import minimize  # slow to load, and for gaps only

    # of several threads each waits longer for the others than three numbers take
    with _libraries().limit(limits=1, user_api="blas"):
        found = minimize(
            profiled, logs, jac=True, method="L-BFGS-B", bounds=bounds, options=options
        )
    return _at_the_boundary(model, free, at(found.x))


@lru_cache(maxsize=1)
def _libraries() -> Any:
    """What sets the threads of the libraries that are loaded; to find them takes long."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def _at_the_boundary(model: Model, free: int, thetas: Array) -> Array:
    """Small thetas are 0 where the criterion does not mind."""
    for i in np.flatnonzero((thetas > 0) & (thetas < 1e-3)):
        without = np.where(np.arange(len(thetas)) == i, 0.0, thetas)
        if model(without).criterion(free) <= model(thetas).criterion(free) + FLAT * free:
            thetas = without
    return thetas


def uncertainty(model: Model, free: int, thetas: Array) -> tuple[Array, Array]:
    """Gradients of the covariance by the parameters, and the parameters' covariance.

    The parameters are the logarithms of the thetas that are not 0 and of the error's variance.
    Directions in which the likelihood is flat must leave the covariance alone, too; otherwise it is
    not known, which is an error.
    """
    point, inner = model(thetas), np.flatnonzero(thetas)
    covariance = point.squares / free * point.unit
    slopes = point.squares / free * thetas[inner, None, None] * point.unit_slopes[inner]
    gradients = np.concatenate([slopes, covariance[None]])
    worth, axes = np.linalg.eigh(_information(model, free, thetas))
    flat = worth <= 1e-6 * free
    unknown = np.tensordot(axes[:, flat].T, _contrasted(gradients), axes=1)
    if np.abs(unknown).max(initial=0.0) > 1e-3 * np.abs(_contrasted(covariance)).max():
        raise ValueError(
            "The scores that are there do not tell how much samples vary and how much algorithms "
            "within them: more samples are needed in which several algorithms have a score."
        )
    return gradients, 2 * (axes[:, ~flat] / worth[~flat]) @ axes[:, ~flat].T


def _information(model: Model, free: int, thetas: Array) -> Array:
    """Second derivatives of the criterion by the parameters, from differences of its slopes."""
    point, inner = model(thetas), np.flatnonzero(thetas)
    scale = free / point.squares
    found = np.empty((len(inner) + 1, len(inner) + 1))
    for row, i in enumerate(inner):
        step = np.where(np.arange(len(thetas)) == i, 1e-4, 0.0)
        up, down = thetas * np.exp(step), thetas * np.exp(-step)
        change = up * model(up).slopes(scale) - down * model(down).slopes(scale)
        found[row, :-1] = change[inner] / 2e-4
    found[-1, :-1] = found[:-1, -1] = -scale * thetas[inner] * point.square_slopes[inner]
    found[-1, -1] = free
    return (found + found.T) / 2


def _contrasted(covariances: Array) -> Array:
    """Of differences of algorithms."""
    from scipy.linalg import helmert

    H = helmert(covariances.shape[-1])
    return np.asarray(H @ covariances @ H.T)


# -- cells ----------------------------------------------------------------------------------------

LARGE = 1e8  # theta
ROUNDING = 8 * np.finfo(float).eps  # relative to the largest value


@dataclass(frozen=True)
class CellFit:
    """Cells at one theta, in units of the error's variance; each with its slope by theta.

    `means` are those of generalised least squares less the plain ones, `covariance` that of each
    data set's means, `squares` what they leave, `determinant` the log determinants of the samples'
    and of the means' part. Where a data set lacks an algorithm, its mean is 0 and its row that of
    the identity matrix.
    """

    means: Array
    covariance: Array
    squares: float
    determinant: float
    means_slope: Array
    covariance_slope: Array
    squares_slope: float
    determinant_slope: float


@dataclass(frozen=True)
class _OfSize:
    """Samples with equally many values: what they add to the sums over samples."""

    size: int
    count: int
    products: Array  # data sets x algorithms x algorithms: samples in which two are together
    sums: Array  # data sets x algorithms: the samples' means, summed
    squares: float  # size times the samples' squared means


class Cells:
    """What a fit needs to know of samples x algorithms with gaps, grouped by data set.

    `origin` holds plain means, data sets x algorithms; what is fitted are deviations from them, so
    that neither large scores nor large differences cost digits.
    """

    def __init__(self, values: Array, dataset: NDArray[np.int64]) -> None:
        used = np.isfinite(values).any(axis=1)
        order = np.flatnonzero(used)[np.argsort(dataset[used], kind="stable")]
        self.dataset, self._first = _numbered(dataset[order])
        self._present = np.isfinite(values[order])
        self.rounding = ROUNDING * float(np.abs(values[order][self._present]).max())
        self.sizes = self._present.sum(axis=1)
        self.counts = self._summed(self._present.astype(float))
        self.present = self.counts > 0  # cells
        self.datasets, self.algorithms = self.counts.shape
        self.values = int(self._present.sum())
        self.variance = float(values[order][self._present].var())
        self.origin, rest = self._centred(values[order])
        average = rest.sum(axis=1) / self.sizes
        own = np.where(self._present, rest - average[:, None], 0.0)
        own[np.abs(own) <= self.rounding] = 0.0
        self.own_sums, self.own_squares = self._summed(own), float(np.sum(own**2))
        self._by_size = [self._of_size(int(n), average) for n in np.unique(self.sizes)]

    def _summed(self, rows: Array) -> Array:
        """Rows summed within data sets."""
        return np.add.reduceat(rows, self._first, axis=0)

    def _centred(self, values: Array) -> tuple[Array, Array]:
        """The plain mean of every cell, and values less these; noise of rounding is 0."""
        level = float(np.mean(values[self._present]))
        y = np.where(self._present, values - level, 0.0)
        means = self._summed(y) / np.maximum(self.counts, 1)
        rest = np.where(self._present, y - means[self.dataset], 0.0)
        rest[np.abs(rest) <= self.rounding] = 0.0
        return np.where(self.present, means + level, np.nan), rest

    def _of_size(self, size: int, average: Array) -> _OfSize:
        chosen = self.sizes == size
        dataset, cells = self.dataset[chosen], self._present[chosen].astype(float)
        products = np.zeros((self.datasets, self.algorithms, self.algorithms))
        sums = np.zeros((self.datasets, self.algorithms))
        if len(dataset):  # samples of a data set stand together
            first = np.flatnonzero(np.diff(dataset, prepend=-1))
            each = dataset[first]
            products[each] = np.add.reduceat(cells[:, :, None] * cells[:, None, :], first)
            sums[each] = np.add.reduceat(average[chosen][:, None] * cells, first)
        squares = size * float(np.sum(average[chosen] ** 2))
        return _OfSize(size, int(chosen.sum()), products, sums, squares)

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

    def at(self, theta: float) -> CellFit:
        """The cells where the samples' variance is theta times that of the error.

        An infinite theta compares within samples only; a data set's level is that of a large one.
        """
        A = (self.counts + ~self.present)[:, :, None] * np.eye(self.algorithms)
        v, q = self.own_sums.copy(), self.own_squares
        dA, dv, dq = np.zeros_like(A), np.zeros_like(v), 0.0
        log, dlog = 0.0, 0.0
        for part in self._by_size:
            n, shrunk = part.size, 1 / (1 + part.size * theta)
            A -= (1 - shrunk) / n * part.products
            v += shrunk * part.sums
            q += shrunk * part.squares
            dA -= shrunk**2 * part.products
            dv -= n * shrunk**2 * part.sums
            dq -= n * shrunk**2 * part.squares
            log += part.count * np.log1p(n * theta)
            dlog += part.count * n * shrunk
        if np.isinf(theta):
            inverse = np.asarray(np.linalg.pinv(A, 1e-9, hermitian=True), float)
            means = _times(inverse, v)
            means += np.mean(self.at(LARGE).means - means, axis=1, keepdims=True)
        else:
            inverse = np.asarray(np.linalg.inv(A), float)
            solved = np.linalg.solve(A, v[:, :, None])  # keeps digits where theta is large
            means = np.asarray(solved[:, :, 0], float)
        return CellFit(
            means=means,
            covariance=inverse,
            squares=max(q - float(np.sum(means * v)), 0.0),
            determinant=float(log + np.linalg.slogdet(A)[1].sum()),
            means_slope=_times(inverse, dv - _times(dA, means)),
            covariance_slope=-inverse @ dA @ inverse,
            squares_slope=dq + float(np.sum(means * (_times(dA, means) - 2 * dv))),
            determinant_slope=float(dlog + np.sum(inverse * dA)),
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
        """Sets of samples and cells that no value joins."""
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        row, column = np.nonzero(self._present)
        cell = len(self.sizes) + self.dataset[row] * self.algorithms + column
        nodes = len(self.sizes) + self.present.size
        graph = coo_array((np.ones(len(row)), (row, cell)), shape=(nodes, nodes))
        return int(connected_components(graph, directed=False)[0]) - int((~self.present).sum())

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
        samples = sum(part.squares for part in self._by_size)
        return within, samples / max(len(self.sizes) - self.datasets, 1)


def _numbered(dataset: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Sorted data sets numbered without gaps, and where each of them begins."""
    _, first, number = np.unique(dataset, return_index=True, return_inverse=True)
    return number, first


def _times(matrices: Array, vectors: Array) -> Array:
    """Every data set's matrix times its vector."""
    return np.asarray((matrices @ vectors[:, :, None])[:, :, 0])
