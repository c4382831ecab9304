"""Group-sequential boundaries: how much evidence a look at unfinished data needs.

Looks at information n_1 < n_2 < ... of a budget B spend the error alpha bit by bit (Lan and DeMets
1983). The boundary of each look follows from those before by integrating the density of the score
over the region where the study goes on (Armitage, McPherson and Rowe 1969).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.special import ndtr, ndtri

from podium.base.registry import Registry

_X, _W = np.polynomial.legendre.leggauss(129)
LEAST_SPENT = 1e-15  # a look that spends less cannot reject
FARTHEST = 12.0  # standard errors: where a boundary is out of reach
STEPS = 60  # of Newton's method, which takes about five


@dataclass(frozen=True)
class Spending:
    """How much of alpha has been spent when a share of the budget is used."""

    name: str
    title: str
    spent: Callable[[np.ndarray, np.ndarray], np.ndarray]  # of the share, and of alpha two-sided


SPENDINGS: Registry[Spending] = Registry("spending")


def _obrien_fleming(share: np.ndarray, alpha: np.ndarray) -> np.ndarray:
    # alpha / 2 on either side: 2 (2 - 2 Phi(z / sqrt share)), z the upper alpha / 4 quantile
    return np.asarray(4 * ndtr(ndtri(alpha / 4) / np.sqrt(share)))


def _squared(share: np.ndarray, alpha: np.ndarray) -> np.ndarray:
    return np.asarray(alpha * share**2)


OBF = SPENDINGS.add("obf", Spending("obf", "O'Brien-Fleming spending", _obrien_fleming))
POWER2 = SPENDINGS.add("power2", Spending("power2", "spending by the squared share", _squared))


def boundaries(
    looks: tuple[int, ...],
    budget: int,
    alpha: float = 0.05,
    spending: str = "obf",
    two_sided: bool = True,
) -> np.ndarray:
    """The |z| (or z) at which each look rejects; infinite where it cannot.

    >>> boundaries((50, 100), 100).round(3)
    array([2.963, 1.969])
    """
    return _boundaries(looks, budget, (alpha,), spending, two_sided)[:, 0]


@lru_cache(maxsize=64)
def _boundaries(
    looks: tuple[int, ...], budget: int, alphas: tuple[float, ...], spending: str, two_sided: bool
) -> np.ndarray:
    """Looks x alphas; the recursion runs for all alphas at once."""
    information = np.array(looks, float) / budget
    a = np.array(alphas)
    # one-sided tests at alpha are one side of two-sided ones at 2 alpha, so it is spent so
    of = SPENDINGS[spending].spent
    total = of(information[:, None], a) if two_sided else of(information[:, None], 2 * a) / 2
    spent = np.diff(total, axis=0, prepend=0.0)
    z = np.empty(spent.shape)
    before: _Density | None = None
    for k, now in enumerate(information):
        sd = np.sqrt(now if k == 0 else now - information[k - 1])
        far = np.full(len(a), FARTHEST * np.sqrt(now))
        edge = np.where(spent[k] > LEAST_SPENT, _edge(before, sd, spent[k], far, two_sided), far)
        z[k] = np.where(spent[k] > LEAST_SPENT, edge / np.sqrt(now), np.inf)
        before = _continued(before, sd, edge, far, two_sided)
    return z


@dataclass(frozen=True)
class _Density:
    """Of the score while the study goes on: nodes and weighted densities, alphas x nodes."""

    x: np.ndarray
    mass: np.ndarray


def _edge(
    before: _Density | None, sd: float, spent: np.ndarray, far: np.ndarray, two_sided: bool
) -> np.ndarray:
    """Beyond which the score lies with the chance `spent`: Newton's method within a bracket."""
    low, high = np.zeros_like(far), far.copy()
    b = np.minimum(-ndtri(np.clip(spent / 2, 1e-300, 0.5)) * sd, far) * 0.999 + 1e-9
    for _ in range(STEPS):
        tail, slope = _tail(before, sd, b, two_sided)
        low, high = np.where(tail > spent, b, low), np.where(tail > spent, high, b)
        # in logarithms the tail is nearly a parabola, and Newton's steps are long
        step = b + (np.log(np.maximum(tail, 1e-300)) - np.log(spent)) * tail / np.maximum(
            slope, 1e-300
        )
        new = np.where((step >= low) & (step <= high), step, (low + high) / 2)
        if np.all(np.abs(new - b) <= 1e-12 * far):
            return np.asarray(new)
        b = new
    return b


def _tail(
    before: _Density | None, sd: float, b: np.ndarray, two_sided: bool
) -> tuple[np.ndarray, np.ndarray]:
    """The chance of a score beyond b, and how fast it falls."""
    x = np.zeros((len(b), 1)) if before is None else before.x
    mass = np.ones((len(b), 1)) if before is None else before.mass
    up, down = (b[:, None] - x) / sd, (b[:, None] + x) / sd
    tail, slope = ndtr(-up), _normal(up)
    if two_sided:
        tail, slope = tail + ndtr(-down), slope + _normal(down)
    return (mass * tail).sum(axis=1), (mass * slope).sum(axis=1) / sd


def _normal(u: np.ndarray) -> np.ndarray:
    return np.asarray(np.exp(-0.5 * u * u) / np.sqrt(2 * np.pi))


def _continued(
    before: _Density | None,
    sd: float,
    edge: np.ndarray,
    far: np.ndarray,
    two_sided: bool,
    shift: float = 0.0,
) -> _Density:
    """The density after a look at which the study goes on, and before which it moved by `shift`."""
    low = -edge if two_sided else -far
    half = (edge - low) / 2
    x = low[:, None] + half[:, None] * (_X + 1)
    if before is None:
        density = _normal((x - shift) / sd) / sd
    else:
        u = (x[:, :, None] - before.x[:, None, :] - shift) / sd
        density = np.einsum("aij,aj->ai", _normal(u), before.mass) / sd
    return _Density(x, density * half[:, None] * _W)


def rejections(
    looks: tuple[int, ...], budget: int, z: np.ndarray, effect: float, two_sided: bool = True
) -> np.ndarray:
    """The chance that each look is the first to reject, where blocks differ by `effect` sd.

    >>> rejections((50, 100), 100, boundaries((50, 100), 100), 0.0).sum().round(6)
    np.float64(0.05)
    """
    information = np.array(looks, float) / budget
    drift, result = effect * np.sqrt(budget), []
    before: _Density | None = None
    for k, now in enumerate(information):
        passed = now if k == 0 else now - information[k - 1]
        sd, shift = np.sqrt(passed), drift * passed
        edge = np.array([min(z[k], FARTHEST) * np.sqrt(now)])
        result.append(_beyond(before, sd, edge, shift, two_sided))
        before = _continued(before, sd, edge, edge * 0 + FARTHEST * np.sqrt(now), two_sided, shift)
    return np.array(result)


def _beyond(
    before: _Density | None, sd: float, edge: np.ndarray, shift: float, two_sided: bool
) -> float:
    x = np.zeros((1, 1)) if before is None else before.x
    mass = np.ones((1, 1)) if before is None else before.mass
    tail = ndtr((x + shift - edge) / sd)
    if two_sided:
        tail = tail + ndtr((-edge - x - shift) / sd)
    return float((mass * tail).sum())


# -- p-values over looks ---------------------------------------------------------------------------

# quantiles of the levels at which boundaries are tabulated: from 1e-9 to 0.84
_GRID = tuple((2 * ndtr(np.linspace(-6.1, -0.2, 60))).tolist())


@lru_cache(maxsize=32)
def _levels(looks: tuple[int, ...], budget: int, spending: str, two_sided: bool) -> list[object]:
    """Of every look: a table from its nominal p-value to the level that just rejects it."""
    from scipy.interpolate import PchipInterpolator  # slow to load, and for stopping only

    alphas = _GRID if two_sided else tuple(a / 2 for a in _GRID)
    z = _boundaries(looks, budget, alphas, spending, two_sided)
    y = ndtri(np.array(alphas) / 2)
    tables: list[object] = []
    for row in z:
        # where nearly all is spent before, what is left is rounding
        falling = row < np.minimum.accumulate(np.concatenate([[2 * FARTHEST], row[:-1]]))
        known = np.isfinite(row) & falling
        tables.append(PchipInterpolator(-row[known], y[known]) if known.sum() > 1 else None)
    return tables


def stopping_levels(
    p: np.ndarray,
    looks: tuple[int, ...],
    budget: int,
    spending: str = "obf",
    two_sided: bool = True,
) -> np.ndarray:
    """The least alpha at which each look by itself would have stopped a test: looks x pairs.

    `p` are the p-values of the looks, each as if it were the only one; NaN where a pair was not
    looked at. A pair is rejected by a look iff the smallest level so far is no larger than alpha,
    so that Holm's method over these is that of Maurer and Bretz (2013).
    """
    result = np.ones(p.shape)
    for k, table in enumerate(_levels(looks, budget, spending, two_sided)[: len(p)]):
        if table is None:
            continue
        at = ndtri(np.clip(p[k], 1e-300, 1.0) / (2 if two_sided else 1))
        first, last = table.x[0], table.x[-1]  # type: ignore[attr-defined]
        y = table(np.clip(at, first, last))  # type: ignore[operator]
        level = np.where(at > last, 1.0, 2 * ndtr(y))
        result[k] = np.where(np.isnan(p[k]), 1.0, np.maximum(level, np.where(at < first, 0, p[k])))
    return result
