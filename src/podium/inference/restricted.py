"""The restricted likelihood of variance ratios: its maximum, and what is known of it there.

A model is a function of thetas, the variances of its random effects in units of the error's.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.linalg import helmert
from scipy.optimize import minimize

from podium.inference.cells import Array

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
    found = minimize(profiled, logs, jac=True, method="L-BFGS-B", bounds=bounds, options=options)
    return _at_the_boundary(model, free, at(found.x))


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
    H = helmert(covariances.shape[-1])
    return np.asarray(H @ covariances @ H.T)
