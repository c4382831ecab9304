"""The restricted likelihood of variance ratios: its maximum, and what is known of it there.

A model is a function of thetas, the variances of its random effects in units of the error's.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

LEAST, MOST = 1e-9, 1e8  # of a theta that is not 0; beyond, digits get lost
FLAT = 1e-9  # a change of the criterion, per degree of freedom, that says nothing
TINY = 1e-300
SMALL = 1e-2  # of a theta: the criterion is flat near 0, and Newton's steps go astray
CLOSE = 1e-8  # a step, in logarithms, after which no other is needed
STEPS = 15


@dataclass(frozen=True)
class Point:
    """A model at some thetas: log determinants, generalised squares, and slopes by each theta.

    Of several rows of thetas, everything has their axis first.
    """

    determinants: Array
    squares: Array
    determinant_slopes: Array
    square_slopes: Array
    unit: Array  # covariance of the means where the error's variance is 1
    unit_slopes: Array
    means: Array

    def criterion(self, free: int) -> float:
        """Minus twice the log likelihood, at its best error variance."""
        if not self.squares:
            return -math.inf
        return float(self.determinants) + free * (1 + math.log(2 * math.pi * self.squares / free))

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
        slopes = point.slopes(free / max(float(point.squares), TINY))
        falls = active & (thetas == 0) & (slopes < -FLAT * free)
        if not falls.any():
            break
        thetas = _searched(model, free, np.where(falls, 1.0, np.where(active, thetas + LEAST, 0.0)))
    return thetas


def _searched(model: Model, free: int, start: Array) -> Array:
    """The thetas that Newton's steps find or, where these go astray, after a descent."""
    # of several threads each waits longer for the others than three numbers take
    with _libraries().limit(limits=1, user_api="blas"):
        values = _by_newton(model, free, start, SMALL)
        if values is None:
            descended = _at_the_boundary(model, free, _by_descent(model, free, start))
            values = _by_newton(model, free, descended, LEAST)
        return descended if values is None else values


def _by_newton(model: Model, free: int, start: Array, least: float) -> Array | None:
    """From a start that is nearly right, whose curvature is then improved by what steps change.

    None where thetas leave the range in which that is safe, or the criterion rises.
    """
    thetas, active = start, start > 0
    step, slopes = np.zeros(int(active.sum())), np.zeros(int(active.sum()))
    curvature, last = None, math.inf
    for _ in range(STEPS):
        if not ((thetas[active] > least) & (thetas[active] < MOST / 100)).all():
            return None
        point, before = model(thetas), slopes
        slopes = (thetas * point.slopes(free / max(float(point.squares), TINY)))[active]
        if curvature is None:
            curvature = _profiled_information(model, free, thetas)
        else:
            curvature = _updated(curvature, step, slopes - before)
        rises = point.criterion(free) > last + FLAT
        if rises or not np.linalg.eigvalsh(curvature).min(initial=1.0) > FLAT * free:
            return None
        step = np.asarray(-np.linalg.solve(curvature, slopes), float)
        last, thetas = point.criterion(free), thetas.copy()
        thetas[active] *= np.exp(step.clip(-1, 1))
        if np.abs(step).max(initial=0.0) < CLOSE:
            return thetas
    return None


def _updated(curvature: Array, step: Array, change: Array) -> Array:
    """The curvature that explains the last step's change of the slopes, else as it was (BFGS)."""
    expected = curvature @ step
    if not change @ step > 0:
        return curvature
    return (
        curvature
        + np.outer(change, change) / (change @ step)
        - np.outer(expected, expected) / (expected @ step)
    )


def _profiled_information(model: Model, free: int, thetas: Array) -> Array:
    """Second derivatives by the logarithms of the thetas, the error's variance being the best."""
    result = _information(model, free, thetas)
    return result[:-1, :-1] - np.outer(result[-1, :-1], result[-1, :-1]) / result[-1, -1]


def _by_descent(model: Model, free: int, start: Array) -> Array:
    """The thetas that a quasi-Newton search in their logarithms ends with."""
    active = start > 0

    def at(logs: Array) -> Array:
        thetas = np.zeros_like(start)
        thetas[active] = np.exp(logs)
        return thetas

    def profiled(logs: Array) -> tuple[float, Array]:
        thetas = at(logs)
        point = model(thetas)
        slopes = thetas * point.slopes(free / max(float(point.squares), TINY))
        return point.criterion(free), slopes[active]

    bounds = [(math.log(LEAST), math.log(MOST))] * int(active.sum())
    options = {"ftol": 1e-15, "gtol": 1e-7, "maxiter": 500}
    logs = np.log(np.clip(start[active], 1e-2, 1e6))  # the criterion is flat near 0
    from scipy.optimize import minimize  # slow to load, and for gaps only

    result = minimize(profiled, logs, jac=True, method="L-BFGS-B", bounds=bounds, options=options)
    return at(result.x)


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
    scale = free / float(point.squares)
    table = np.empty((len(inner) + 1, len(inner) + 1))
    steps = 1e-4 * np.eye(len(thetas))[inner]
    around = thetas * np.exp(np.concatenate([steps, -steps]))
    up, down = np.split(around * model(around).slopes(scale), 2) if len(inner) else (steps, steps)
    table[:-1, :-1] = (up - down)[:, inner] / 2e-4
    table[-1, :-1] = table[:-1, -1] = -scale * thetas[inner] * point.square_slopes[inner]
    table[-1, -1] = free
    return (table + table.T) / 2


def _contrasted(covariances: Array) -> Array:
    """Of differences of algorithms."""
    from scipy.linalg import helmert

    H = helmert(covariances.shape[-1])
    return np.asarray(H @ covariances @ H.T)
