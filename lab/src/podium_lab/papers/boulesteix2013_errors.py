"""Boulesteix et al. (2013): what its hypotheses rest on, by formulas and by grids.

The unconditional error in closed form where there is one, the tests over data sets under many
distributions of differences, and data sets whose size has to do with the difference.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product

import numpy as np
from scipy import stats
from scipy.special import ndtr

from podium_lab.papers.replication import WITHIN, Asked, Cell, Finding, Measured, Replication

DELTAS = (0.5, 1.0, 2.0)  # between the means of two classes, in standard deviations
SIZES = (5, 10, 50)  # rows of each class
DRAWS, FEW_DRAWS = 400_000, 20_000
NUMBERS = (5, 10, 20, 50)  # data sets
TRIALS, FEW_TRIALS = 40_000, 4_000
LEVEL = 0.05
SD = 0.05  # of differences over data sets
DEPENDENCES = (0.0, 0.3, 0.6)
ROWS = (40, 2000)  # of data sets, the smallest and the largest


# -- the unconditional error in closed form ---------------------------------------------------


def unconditional_error(delta: float, n: int) -> float:
    """Of the nearest class mean with n rows of each of two normal classes, delta sds apart.

    The difference of both means is independent of their average, the threshold: the rule has the
    right direction with probability Phi(delta sqrt(n / 2)), and a new row is then on the wrong side
    of the threshold with Phi(-delta / 2 / sqrt(1 + 1 / (2 n))).
    """
    right = ndtr(delta * math.sqrt(n / 2))
    wrong_side = ndtr(-delta / 2 / math.sqrt(1 + 1 / (2 * n)))
    return float(right * wrong_side + (1 - right) * (1 - wrong_side))


def conditional_errors(rng: np.random.Generator, delta: float, n: int, draws: int) -> np.ndarray:
    """Errors of single fitted rules: those of the conditional hypothesis."""
    means = rng.standard_normal((draws, 2)) / math.sqrt(n) + np.array([-delta / 2, delta / 2])
    threshold, turned = means.mean(axis=1), means[:, 1] < means[:, 0]
    low, high = ndtr(threshold - delta / 2), ndtr(-threshold - delta / 2)
    error = (low + high) / 2  # of both classes alike
    return np.where(turned, 1 - error, error)


def unconditional(request: Asked, *, draws: int | None = None) -> Replication:
    """Expected errors, and the difference of learning from n and from n / 2 rows."""
    count = draws or (FEW_DRAWS if request.quick else DRAWS)
    rng = np.random.default_rng(request.seed)
    cells: list[Cell] = []
    for delta, n in product(DELTAS, SIZES):
        values = conditional_errors(rng, delta, n, count)
        about = f"means {delta:g} sd apart", f"{n} rows of each class"
        error = float(values.std(ddof=1) / math.sqrt(count))
        exact = unconditional_error(delta, n)
        cells += [
            Cell("unconditional error", *about, exact, float(values.mean()), error),
            Measured("sd of conditional errors", *about, math.nan, float(values.std(ddof=1))),
        ]
    for delta in DELTAS:
        exact = unconditional_error(delta, 10) - unconditional_error(delta, 20)
        a, b = (conditional_errors(rng, delta, n, count) for n in (10, 20))
        error = math.hypot(a.std() / math.sqrt(count), b.std() / math.sqrt(count))
        ours = float(a.mean() - b.mean())
        about = f"means {delta:g} sd apart", "10 less 20 rows of each class"
        cells.append(Cell("difference of unconditional errors", *about, exact, ours, error))
    return Replication("boulesteix2013", "unconditional", cells, UNCONDITIONAL, count, request.seed)


UNCONDITIONAL = (
    "Theirs is a closed form that the paper does not have: the nearest class mean in one "
    "dimension, where direction and threshold are independent. Ours is simulated.",
    "H0(cond) is about one fitted rule, H0(uncond) about their mean: the sd says how far a fitted "
    "rule lies from what its algorithm is expected to do.",
)


# -- a grid of distributions ------------------------------------------------------------------

Law = Callable[[np.random.Generator, tuple[int, int]], np.ndarray]
LAWS: dict[str, Law] = {  # of differences over data sets, mean 0 and sd 1
    "normal": lambda rng, shape: rng.standard_normal(shape),
    "uniform": lambda rng, shape: rng.uniform(-math.sqrt(3), math.sqrt(3), shape),
    "t with 3 df": lambda rng, shape: rng.standard_t(3, shape) / math.sqrt(3),
    "exponential": lambda rng, shape: rng.standard_exponential(shape) - 1,
    "one in ten far off": lambda rng, shape: _far(rng, shape),
    "two groups": lambda rng, shape: _groups(rng, shape),
    "mostly no difference": lambda rng, shape: _mostly(rng, shape),
}


def _far(rng: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    """A tenth of the data sets differs by 9 times as much, in the other direction."""
    far = rng.random(shape) < 0.1
    raw = np.where(far, 0.9, -0.1) + 0.1 * rng.standard_normal(shape)
    return np.asarray(raw / math.sqrt(0.09 + 0.01))


def _groups(rng: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    raw = np.where(rng.random(shape) < 0.5, 1.0, -1.0) + 0.5 * rng.standard_normal(shape)
    return np.asarray(raw / math.sqrt(1.25))


def _mostly(rng: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    raw = np.where(rng.random(shape) < 0.2, 1.0, 0.05) * rng.standard_normal(shape)
    return np.asarray(raw / math.sqrt(0.2 + 0.8 * 0.0025))


def t_rejects(d: np.ndarray) -> np.ndarray:
    """The two-sided paired t test."""
    count = d.shape[1]
    t = math.sqrt(count) * d.mean(axis=1) / d.std(axis=1, ddof=1)
    return np.asarray(np.abs(t) > stats.t.isf(LEVEL / 2, count - 1))


def signed_rank_rejects(d: np.ndarray) -> np.ndarray:
    """The signed rank test, exact: no two differences are equal."""
    count = d.shape[1]
    ranks = np.argsort(np.argsort(np.abs(d), axis=1), axis=1) + 1
    w = np.where(d > 0, ranks, 0).sum(axis=1)
    least = _exact_bound(count)
    return np.asarray((w <= least) | (w >= count * (count + 1) // 2 - least))


def _exact_bound(count: int) -> int:
    """The largest rank sum whose lower tail is at most half the level; -1: there is none."""
    law = np.ones(1)
    for rank in range(1, count + 1):
        law = (np.pad(law, (0, rank)) + np.pad(law, (rank, 0))) / 2
    return int(np.searchsorted(np.cumsum(law), LEVEL / 2 * (1 + 1e-12), side="right")) - 1


TESTS = {"paired t": t_rejects, "signed rank": signed_rank_rejects}


def grid(request: Asked, *, trials: int | None = None) -> Replication:
    """How often tests over data sets reject a mean difference of 0, by its distribution."""
    count = trials or (FEW_TRIALS if request.quick else TRIALS)
    cells: list[Cell] = []
    for number, (name, law) in enumerate(LAWS.items()):
        for datasets in NUMBERS:
            rng = np.random.default_rng([request.seed, number, datasets])
            d = law(rng, (count, datasets))
            for test, rejects in TESTS.items():
                rate = float(rejects(d).mean())
                error = math.sqrt(max(rate * (1 - rate), 1 / count) / count)
                about = test, name, f"{datasets} data sets", math.nan, rate, error
                cells.append(
                    Finding(*about, holds=rate - WITHIN * error <= LEVEL, note="at most 0.05")
                )
    return Replication("boulesteix2013", "grid", cells, GRID, count, request.seed)


GRID = (
    "H0(real): the mean difference over the population of data sets is 0; both tests two-sided at "
    "5 %. Where differences are skewed the signed rank test rejects a true mean of 0, as its own "
    "hypothesis is symmetry about 0.",
    "The paper holds its tests for robust and leaves other distributions open.",
)


# -- data sets whose size has to do with the difference --------------------------------------------


def drawn_sets(
    rng: np.random.Generator, trials: int, datasets: int, dependence: float
) -> tuple[np.ndarray, np.ndarray]:
    """Observed differences and sizes; true differences have mean 0, and go with log n."""
    low, high = np.log(ROWS)
    u = rng.uniform(-math.sqrt(3), math.sqrt(3), (trials, datasets))  # log n, standardised
    n = np.exp((low + high) / 2 + u * (high - low) / math.sqrt(12))
    own = rng.standard_normal((trials, datasets))
    true = SD * (dependence * u + math.sqrt(1 - dependence**2) * own)
    noise = rng.standard_normal((trials, datasets)) * 0.5 / np.sqrt(n)
    return true + noise, n


def dependence(request: Asked, *, trials: int | None = None) -> Replication:
    """What a mean over data sets is about if the size has to do with the difference."""
    count = trials or (FEW_TRIALS if request.quick else TRIALS)
    cells: list[Cell] = []
    for rho, datasets in product(DEPENDENCES, (20, 50)):
        rng = np.random.default_rng([request.seed, round(10 * rho), datasets])
        d, n = drawn_sets(rng, count, datasets, rho)
        about = f"correlation {rho:g} of log n and difference", f"{datasets} data sets"
        plain = float(t_rejects(d).mean())
        w = n / n.sum(axis=1, keepdims=True)
        mean = (w * d).sum(axis=1)
        spread = np.sqrt((w**2 * (d - mean[:, None]) ** 2).sum(axis=1))
        weighted = float((np.abs(mean / spread) > stats.t.isf(LEVEL / 2, datasets - 1)).mean())
        error = math.sqrt(plain * (1 - plain) / count)
        cells += [
            Finding("every data set alike", *about, math.nan, plain, error,
                    holds=plain - WITHIN * error <= LEVEL, note="rate of rejecting a mean of 0"),
            Measured("weighted by rows", *about, math.nan, weighted,
                     math.sqrt(weighted * (1 - weighted) / count),
                     note=f"mean {mean.mean():+.4f} instead of 0"),
        ]  # fmt: skip
    return Replication("boulesteix2013", "dependence", cells, DEPENDENCE, count, request.seed)


DEPENDENCE = (
    "The true difference has mean 0 over data sets, each counted once, and may go with the "
    "logarithm of their size. Counting each once keeps the level whatever the dependence.",
    "Weighted by rows the mean is another one, of rows instead of data sets: it is not 0 where "
    "size and difference go together, and its test finds that.",
)
