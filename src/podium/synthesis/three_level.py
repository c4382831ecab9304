"""Differences by study and data set, where studies share data sets or have several of them.

y = mean + study + data set + rest + error: a data set that two studies used has its luck in both
(crossed effects); where no two studies share one, this is the three-level model of data sets within
studies (Konstantopoulos 2011). Variances are those of restricted maximum likelihood.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy.optimize import minimize

from podium.inference.numbers import tails

LEAST = 1e-6  # of the variance of the differences: the least rest, where errors are not known
STARTS = (0.05, 0.4, 0.9)


@dataclass(frozen=True)
class Levels:
    """The mean over studies, its error, and the variances of studies, data sets and the rest."""

    mean: float
    error: float
    df: int
    study: float
    dataset: float
    rest: float

    def limits(self, alpha: float, more: float = 0.0) -> tuple[float, float]:
        """Of the mean; with the variance of studies as `more`, of what a new study would show."""
        reach = float(tails.t_isf(alpha / 2, float(self.df))) * math.sqrt(self.error**2 + more)
        return self.mean - reach, self.mean + reach

    @property
    def p(self) -> float:
        """Of no difference on average over studies."""
        if self.error == 0:
            return float(self.mean == 0)
        return 2 * float(tails.t_sf(abs(self.mean) / self.error, float(self.df)))


def three_level(
    y: np.ndarray, v: np.ndarray, studies: Sequence[str], datasets: Sequence[str]
) -> Levels:
    """Levels of differences y with variances v (0 where not known: the rest then has them).

    t has as many df as there are studies, or data sets where these are fewer, less one.
    """
    factors = [_incidence(studies), _incidence(datasets)]
    n = len(y)
    scale = float(np.var(y)) or float(np.mean(v)) or 1.0
    model = _Model(y / math.sqrt(scale), v / scale, [z for z in factors if z.shape[1] < n])
    result = model.fitted() * scale
    # a factor with a level for every row cannot be told from the rest
    names = iter(result)
    parts = [next(names) if z.shape[1] < n else None for z in factors]
    rest = next(names)
    own = [rest if part is None else part for part in parts]
    mean, error = model.mean(result / scale)
    few = min(z.shape[1] for z in factors)
    return Levels(
        mean * math.sqrt(scale), error * math.sqrt(scale), few - 1, float(own[0]), float(own[1]),
        0.0 if None in parts else float(rest),
    )  # fmt: skip


def _incidence(levels: Sequence[str]) -> np.ndarray:
    _, places = np.unique(np.asarray(levels, dtype=str), return_inverse=True)
    return np.asarray(np.eye(places.max() + 1)[places])


class _Model:
    """The restricted likelihood of variances: one of each factor, and that of the rest."""

    def __init__(self, y: np.ndarray, v: np.ndarray, factors: Sequence[np.ndarray]) -> None:
        self.y, self.v = y, v
        self.z = np.column_stack([np.zeros((len(y), 0)), *factors])
        self.widths = [z.shape[1] for z in factors]
        self.least = 0.0 if (v > 0).all() else LEAST

    def fitted(self) -> np.ndarray:
        """The variances with the largest restricted likelihood, from several starts."""
        count = len(self.widths) + 1
        bounds = [(0.0, None)] * (count - 1) + [(self.least, None)]
        results = [
            minimize(
                self.loss, np.full(count, start / count), jac=True, method="L-BFGS-B",
                bounds=bounds, options={"ftol": 1e-15, "gtol": 1e-10, "maxiter": 500},
            )
            for start in STARTS
        ]  # fmt: skip
        return np.asarray(min(results, key=lambda one: float(one.fun)).x)

    def loss(self, variances: np.ndarray) -> tuple[float, np.ndarray]:
        """The restricted deviance, and how it changes with every variance."""
        inverse, log, trace = self._inverse(variances)
        u = inverse(np.ones(len(self.y)))
        s = float(u.sum())
        py = inverse(self.y) - u * float(u @ self.y) / s
        value = log + math.log(s) + float(self.y @ py)
        spread = np.einsum("ij,ij->j", self.z, inverse(self.z))
        by_column = spread - (self.z.T @ u) ** 2 / s - (self.z.T @ py) ** 2
        ends = np.cumsum([0, *self.widths])
        slopes = [by_column[a:b].sum() for a, b in pairwise(ends)]
        return value, np.array([*slopes, trace - float(u @ u) / s - float(py @ py)])

    def mean(self, variances: np.ndarray) -> tuple[float, float]:
        """Of generalised least squares, with its error."""
        u = self._inverse(variances)[0](np.ones(len(self.y)))
        return float(u @ self.y / u.sum()), 1 / math.sqrt(float(u.sum()))

    def _inverse(self, variances: np.ndarray):  # type: ignore[no-untyped-def]
        """What multiplies by the inverse covariance, the log of its determinant, its trace."""
        weight = 1 / (self.v + variances[-1])
        scaled = self.z * np.repeat(np.sqrt(variances[:-1]), self.widths)
        weighted = weight[:, None] * scaled
        inner = np.linalg.inv(np.eye(scaled.shape[1]) + scaled.T @ weighted)  # by Woodbury
        _, less = np.linalg.slogdet(inner)
        trace = weight.sum() - np.einsum("ij,ji->", inner, weighted.T @ weighted)

        def inverse(x: np.ndarray) -> np.ndarray:
            own = (weight * x.T).T
            return np.asarray(own - weighted @ (inner @ (weighted.T @ x)))

        return inverse, float(-np.log(weight).sum() - less), float(trace)
