"""Evidence that may be looked at: the plan of a study that may stop, boundaries, e-processes.

Looks at information n_1 < n_2 < ... of a budget B spend the error alpha bit by bit (Lan and DeMets
1983). The boundary of each look follows from those before by integrating the density of the score
over the region where the study goes on (Armitage, McPherson and Rowe 1969).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from functools import lru_cache
from itertools import combinations
from typing import Any

import numpy as np
from scipy.special import betaln, ndtr, ndtri

from podium.core.base.errors import InferenceError
from podium.core.base.registry import Registry, unknown

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
    spend = SPENDINGS[spending].spent
    total = spend(information[:, None], a) if two_sided else spend(information[:, None], 2 * a) / 2
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


# -- evidence that may be looked at any time ------------------------------------------------------
# E-processes, and the confidence sequences of them.
#
# An e-process is a bet against the null whose capital E is expected to stay at 1 or below where
# the null holds. Its running maximum M gives the p-value 1 / M at any time, also at one that was
# chosen by looking (Ville 1939). Rows are blocks in order, columns are pairs.


C = 0.5  # of the Beta(1/2, 1/2) mixture; and the largest share of the capital that is betted
GRID = 401  # means that the confidence sequence of bounded scores is tried at


def t_mixture(t: np.ndarray, n: np.ndarray, g: float) -> np.ndarray:
    """The logarithm of E of a t statistic of n blocks; effects have the prior N(0, g) in sd.

    E = (1 + ng)^(-1/2) [(1 + t² / ((n-1)(1+ng))) / (1 + t² / (n-1))]^(-n/2) (Lai 1976).

    >>> np.exp(t_mixture(np.array(0.0), np.array(5), 0.04)).round(4)
    np.float64(0.9129)
    """
    wide, df = 1 + n * g, np.maximum(n - 1, 1)
    ratio = np.log1p(t**2 / (df * wide)) - np.log1p(t**2 / df)
    return np.where(n > 1, -0.5 * np.log(wide) - n / 2 * ratio, 0.0)


def t_mixture_reach(n: np.ndarray, g: float, alpha: float) -> np.ndarray:
    """The |t| at which E reaches 1 / alpha; infinite where no t of so few blocks does."""
    wide, df = 1 + n * g, np.maximum(n - 1, 1)
    c = np.exp(-2 / n * (0.5 * np.log(wide) - np.log(alpha)))
    room = c - 1 / wide
    square = df * (1 - c) / np.where(room > 0, room, np.nan)
    return np.where((room > 0) & (n > 1), np.sqrt(square), np.inf)


def e_mcnemar(wins: np.ndarray, losses: np.ndarray) -> np.ndarray:
    """The logarithm of E of so many items that only the first, or only the second, got right.

    A Beta(1/2, 1/2) mixture over the share of wins against one half: 2^(a+b) B(a+c, b+c) / B(c, c).

    >>> np.exp(e_mcnemar(np.array(8), np.array(0))).round(2)
    np.float64(50.27)
    """
    total = wins + losses
    return np.asarray(total * np.log(2) + betaln(wins + C, losses + C) - betaln(C, C))


def bets(x: np.ndarray, means: np.ndarray, alpha: float) -> np.ndarray:
    """The logarithm of the hedged capital against each mean, block by block: blocks x means.

    `x` are scores within [0, 1]; a missing one is no bet. Bets shrink with the running variance
    (Waudby-Smith and Ramdas 2024, section 4.2, theta = c = 1/2).
    """
    there, size = ~np.isnan(x), _stakes(x, alpha)[:, None]
    off = np.where(there, x, np.nan)[:, None] - means
    with np.errstate(divide="ignore"):
        up, down = np.minimum(size, C / means), np.minimum(size, C / (1 - means))
    gains = [np.log1p(np.nan_to_num(bet * off)) for bet in (up, -down)]
    return np.asarray(np.log(0.5) + np.maximum(*(np.cumsum(gain, axis=0) for gain in gains)))


def _stakes(x: np.ndarray, alpha: float) -> np.ndarray:
    """How much is betted on every block, as far as the blocks before it tell."""
    there = ~np.isnan(x)
    seen = np.where(there, x, 0.0)
    n = np.cumsum(there)
    mean = (0.5 + np.cumsum(seen)) / (n + 1)
    spread = np.cumsum(np.where(there, (seen - mean) ** 2, 0.0))
    variance = (0.25 + spread) / (n + 1)
    before = np.concatenate([[0.25], variance[:-1]])  # a bet is placed before the score is seen
    steps = np.maximum(n, 1)
    return np.sqrt(2 * np.log(2 / alpha) / (before * steps * np.log1p(steps)))


def bet_above(x: np.ndarray, mean: float, alpha: float) -> float:
    """The p-value of no more than this mean, by bets on more: one over the largest capital.

    `x` are scores within [0, 1], in an order that was drawn; `alpha` is the level that is aimed at.

    >>> round(bet_above(np.array([1.0] * 12), 0.5, 0.01), 4)
    0.0077
    """
    bet = np.minimum(_stakes(x, alpha), C / mean)
    capital = np.cumsum(np.log1p(np.nan_to_num(bet * (x - mean))))
    return float(np.exp(-capital.max(initial=0.0)))


def betting_limits(x: np.ndarray, alpha: float, tuned: float | None) -> tuple[float, float]:
    """The confidence sequence at the last block: the means whose capital never reached 1 / alpha.

    Bets are those that `tuned` asks for, where it is not alpha.

    >>> low, high = betting_limits(np.tile([0.0, 1.0], 100), 0.05, None)
    >>> bool(low < 0.5 < high)
    True
    """
    means = np.linspace(0, 1, GRID)
    kept = means[(bets(x, means, tuned or alpha) < -np.log(alpha)).all(axis=0)]
    if not len(kept):  # between two means that were tried
        return float(np.nanmean(x)), float(np.nanmean(x))
    half = 0.5 / (GRID - 1)
    return max(0.0, float(kept[0]) - half), min(1.0, float(kept[-1]) + half)


# -- stopping plan --------------------------------------------------------------------------------
# The plan of a study that may stop, fixed before its first score.


ORDER, RACE = "order", "race"
GOALS = (ORDER, RACE)
# of a look: t alone, Hall's skewness-corrected t with it, or ranks (of two algorithms: signs)
T, HULL, RANKS = TESTS = ("t", "hull", "ranks")
FIRST_OF_SAMPLES, FIRST_OF_DATASETS = 50, 5  # the least number of blocks of a look
GROWTH = 1.1  # of the samples between looks without a budget


@dataclass(frozen=True)
class StoppingPlan:
    """When a study may stop, fixed before the first look.

    `goal` is an order of all pairs or a race for the best. Without a budget (`open`) looks may go
    on for ever; then evidence is an e-process, not spending.
    """

    algorithms: tuple[str, ...]
    measure: str
    budget: int
    looks: tuple[int, ...]
    goal: str = ORDER
    spending: str = OBF.name
    alpha: float = 0.05
    relevance: float = 0.0
    open: bool = False
    few: bool = False  # blocks are data sets
    bounds: tuple[float, float] | None = None  # of a score, declared; of bets on bounded scores
    binary: bool = False
    test: str = T

    def __post_init__(self) -> None:
        if not 0 < self.alpha < 1:
            raise InferenceError(f"alpha must lie between 0 and 1, not {self.alpha!r}.")
        SPENDINGS[self.spending]
        if self.goal not in GOALS:
            raise InferenceError(unknown("goal", self.goal, GOALS))
        if self.test not in TESTS:
            raise InferenceError(unknown("test of looks", self.test, TESTS))
        if self.test != T and (self.open or not self.few or self.goal == RACE):
            raise InferenceError(
                f"The test '{self.test}' is for looks at several data sets with a budget, where "
                "differences are skewed: leave --test (test=) out."
            )
        if self.test == RANKS and self.relevance:
            raise InferenceError(
                "A relevance is an amount, and ranks tell who is ahead, not by how much: use "
                "--test hull (test='hull'), or leave the relevance out."
            )
        if not 0 <= self.relevance < math.inf:
            raise InferenceError(f"relevance must be at least 0, not {self.relevance!r}.")

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """All pairs: the family does not shrink when an algorithm is dropped."""
        return list(combinations(range(len(self.algorithms)), 2))

    def kinds(self) -> list[StoppingPlan]:
        """The same for an order, by the other test, without a budget, and for a race."""
        plain = replace(self, test=T)
        # ranks and hull are for data sets
        others = [replace(plain, test=test, few=True, relevance=0.0) for test in (RANKS, HULL)]
        return [self, *others, replace(plain, open=True), replace(plain, goal=RACE)]

    def to_dict(self) -> dict[str, Any]:
        """As a store keeps it."""
        return asdict(self)

    @classmethod
    def of(cls, kept: Mapping[str, Any]) -> StoppingPlan:
        """From what a store keeps."""
        known = {f.name for f in fields(cls)}
        made: dict[str, Any] = {
            k: tuple(v) if isinstance(v, list) else v for k, v in kept.items() if k in known
        }
        return cls(**made)


def usual_test(few: bool, goal: str, open: bool, relevance: float) -> str:
    """The test of looks where none is named: of data sets ranks, or means where amounts count.

    Between data sets differences are skewed. Inside the same boundaries ranks err in 3 to 6 %
    there, t and Hall's t together in up to 12 %, t alone in up to 13 % (docs/stopping.md).
    """
    if not few or open or goal == RACE:
        return T
    return HULL if relevance else RANKS


def planned_looks(
    budget: int, count: int, few: bool = False, open: bool = False
) -> tuple[int, ...]:
    """At how many blocks is looked: evenly, and not before the first that is allowed."""
    first = FIRST_OF_DATASETS if few else max(FIRST_OF_SAMPLES, -(-budget // 20))
    if open:
        return _growing(min(FIRST_OF_DATASETS if few else 10, budget), budget)
    if count < 1:
        raise InferenceError(f"There must be at least 1 look, not {count}.")
    at = {-(-budget * k // count) for k in range(1, count + 1)}
    return tuple(sorted(n for n in at if n >= first)) or (budget,)


def _growing(first: int, budget: int) -> tuple[int, ...]:
    looks = [first]
    while looks[-1] < budget:
        looks.append(min(budget, max(looks[-1] + 5, int(GROWTH * looks[-1]))))
    return tuple(looks)
