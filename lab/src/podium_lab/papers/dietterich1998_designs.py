"""What Dietterich (1998) leaves open of its designs, measured on its own problems.

How far folds depend on each other, how many replications of twofold cross-validation pay, how often
single points are missed, and what an observed rate of error varies by. The paper prints no numbers
of these: `theirs` is what is supposed without measuring it, or follows from a formula.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from scipy import stats

from podium.showing.drawing.canvas import entitle, legend, styles
from podium_lab.calibration.batches import in_batches
from podium_lab.calibration.damaged_learners import (
    PROBLEMS,
    Damaged,
    Problem,
    gap,
    grown,
    nearest,
)
from podium_lab.calibration.simulated_learners import Learners, halved
from podium_lab.papers.replication import WITHIN, Asked, Cell, Finding, Measured, Replication

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FOLDS = (2, 5, 10)
REPEATS = 2  # of a cross-validation, so that folds of different ones can be compared
SETS, FEW_SETS = 400, 40  # data sets
SET_BATCH = 20
SIZES = (100, 300)  # points of a data set
TIMES = (1, 2, 3, 5, 7, 10, 15)  # replications of twofold cross-validation
TRIALS, FEW_TRIALS = 2000, 200
TRIAL_BATCH = 100
EFFECT = 0.5  # of the way from equal to undamaged: the difference that is to be found
LEVEL = 0.05
TRAINED, FEW_TRAINED = 400, 60  # training sets of the figure of points
NOISE = 0.1  # of the labels that are wrong
TESTED = 100  # points on which an error is observed


# -- how far folds depend on each other -------------------------------------------------------


def fold_differences(
    rng: np.random.Generator, problem: Problem, points: int, folds: int
) -> np.ndarray:
    """Repeats x folds: accuracy of the nearest neighbour less that of the tree, one data set."""
    drawn, result = problem.points(rng, points), np.empty((REPEATS, folds))
    for repeat in result:
        order = rng.permutation(points)
        for k, test in enumerate(np.array_split(order, folds)):
            right = problem.right(rng, drawn, np.setdiff1d(order, test), test, 0.0)
            repeat[k] = right[:, 1].mean() - right[:, 0].mean()
    return result


def _sets(problem: str, points: int, folds: int, seed: int, batch: int) -> np.ndarray:
    rng = np.random.default_rng([seed, batch, points, folds])
    known = PROBLEMS[problem]
    return np.stack([fold_differences(rng, known, points, folds) for _ in range(SET_BATCH)])


def correlations(d: np.ndarray) -> tuple[float, float]:
    """Of two folds of one cross-validation, and of folds of two: data sets x repeats x folds."""
    away = d - d.mean()
    variance = (away**2).mean()
    sums = away.sum(axis=2)
    folds = d.shape[2]
    within = ((sums**2).sum(axis=1) - (away**2).sum(axis=(1, 2))).mean()
    within /= d.shape[1] * folds * (folds - 1)
    across = (sums[:, 0] * sums[:, 1]).mean() / folds**2
    return float(within / variance), float(across / variance)


def jackknifed(d: np.ndarray) -> np.ndarray:
    """Standard errors of both, leaving out a tenth of the data sets in turn."""
    parts = np.array_split(np.arange(len(d)), 10)
    each = np.array([correlations(np.delete(d, part, axis=0)) for part in parts])
    return np.sqrt(0.9 * ((each - each.mean(axis=0)) ** 2).sum(axis=0))


def judged_error(d: np.ndarray, ratio: float) -> float:
    """The usual corrected standard error over the true one, of the mean of one data set."""
    each = d.reshape(len(d), -1)
    text = each.var(axis=1, ddof=1) * (1 / each.shape[1] + ratio)
    return float(np.sqrt(text.mean() / each.mean(axis=1).var(ddof=1)))


def correlation(
    request: Asked,
    *,
    sets: int | None = None,
    problems: Sequence[str] = tuple(PROBLEMS),
    sizes: Sequence[int] = SIZES,
) -> Replication:
    """The measured correlation of folds, beside the share of rows that is tested on."""
    batches = -(-(sets or (FEW_SETS if request.quick else SETS)) // SET_BATCH)
    cells: list[Cell] = []
    for problem in problems:
        for points in sizes:
            for folds in FOLDS:
                values = in_batches(
                    partial(_sets, problem, points, folds), batches,
                    key=f"dietterich1998/correlation {problem} {points} {folds}", seed=request.seed,
                    jobs=request.jobs, store=request.store, progress=request.progress,
                )  # fmt: skip
                cells += _fold_cells(values.reshape(-1, REPEATS, folds), problem, points, folds)
    return Replication(
        "dietterich1998", "correlation", cells, CORRELATION_NOTES, batches * SET_BATCH, request.seed
    )


CORRELATION_NOTES = (
    "Differences of the nearest neighbour and a tree; theirs is the correlation that Nadeau and "
    "Bengio (2003) suppose, the share of rows that is tested on. The paper prints none.",
    "A standard error over the true one is that of corrected-t (for one cross-validation, and with "
    "twice the ratio for two repeats): below 1 it claims too much.",
    "Where folds of two repeats correlate as much as those of one, repeating does not help.",
)


def _fold_cells(d: np.ndarray, problem: str, points: int, folds: int) -> list[Cell]:
    within, across = correlations(d)
    errors = jackknifed(d)
    row, share, ratio = f"{problem}, {points} points", 1 / folds, 1 / (folds - 1)
    once = judged_error(d[:, :1], ratio)
    twice = judged_error(d, 2 * ratio)
    return [
        Cell("folds of one cv", row, f"{folds} folds", share, within, float(errors[0])),
        Cell("folds of two repeats", row, f"{folds} folds", share, across, float(errors[1])),
        Finding("standard error over the true one", row, f"{folds} folds, once", math.nan, once,
                once / math.sqrt(2 * len(d)), holds=once >= 1, note=f"{folds} fits"),
        Finding("standard error over the true one", row, f"{folds} folds, twice", math.nan, twice,
                twice / math.sqrt(2 * len(d)), holds=twice >= 1, note=f"{2 * folds} fits"),
    ]  # fmt: skip


# -- the number of replications of twofold cross-validation ------------------------------------


def halves_t(d: np.ndarray) -> np.ndarray:
    """The statistic of the 5x2cv test for any number of replications: ... x replications x 2."""
    s2 = ((d - d.mean(axis=-1, keepdims=True)) ** 2).sum(axis=-1)
    return np.asarray(d[..., 0, 0] / np.sqrt(s2.mean(axis=-1)))


def _trials(scenario: str, times: int, share: float, seed: int, batch: int) -> np.ndarray:
    """How many of a batch reject, with `times` replications."""
    rng = np.random.default_rng([seed, batch, times])
    effects = np.array([0.0, share * (0.2 if scenario == SIMULATED else gap(scenario))])
    drawn = Learners(0.2, halved) if scenario == SIMULATED else Damaged(scenario, 150, halved)
    right = np.stack([drawn.moved(rng, 2 * times, effects) for _ in range(TRIAL_BATCH)])
    d = (right[..., 1] - right[..., 0]).reshape(TRIAL_BATCH, times, 2)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.abs(halves_t(d))
    return np.asarray(np.nansum(t > stats.t.isf(LEVEL / 2, times)))


SIMULATED = "simulated learners"


def replications(
    request: Asked, *, trials: int | None = None, scenarios: tuple[str, ...] = (SIMULATED, "exp6")
) -> Replication:
    """Error, power and fits of the twofold test with 1 to 15 replications instead of 5."""
    batches = -(-(trials or (FEW_TRIALS if request.quick else TRIALS)) // TRIAL_BATCH)
    made = batches * TRIAL_BATCH
    cells: list[Cell] = []
    for scenario in scenarios:
        for times in TIMES:
            for what, share in (("type I error", 0.0), ("power", EFFECT)):
                values = in_batches(
                    partial(_trials, scenario, times, share), batches,
                    key=f"dietterich1998/replications {scenario} {times} {share}",
                    seed=request.seed, jobs=request.jobs, store=request.store,
                    progress=request.progress,
                )  # fmt: skip
                rate = float(values.sum()) / made
                error = math.sqrt(max(rate * (1 - rate), 1 / made) / made)
                about = what, scenario, f"{times} replications", math.nan, rate, error
                fits = f"{2 * times} fits of each algorithm"
                cells.append(
                    Measured(*about, note=fits)
                    if share
                    else Finding(*about, holds=rate - WITHIN * error <= LEVEL, note=fits)
                )
    return Replication(
        "dietterich1998", "replications", cells, REPLICATION_NOTES, made, request.seed
    )


REPLICATION_NOTES = (
    "t is the first difference over the pooled deviation of all replications, with as many degrees "
    "of freedom; 5 replications are the paper's test.",
    "A type I error holds unless it is surely above 0.05. Fits grow with the number of "
    "replications, and the first difference alone remains the numerator: power soon stops to grow.",
)


# -- how often single points are missed ------------------------------------------------------------


def _missed(problem: str, size: int, seed: int, batch: int) -> np.ndarray:
    """How often each of 400 points is missed by tree and neighbour after 20 training sets."""
    known = PROBLEMS[problem]
    request, truth = known.points(np.random.default_rng(seed), 400)
    rng, missed = np.random.default_rng([seed, batch, size]), np.zeros((2, len(truth)))
    for _ in range(SET_BATCH):
        learned, classes = known.points(rng, size)
        missed += [method(learned, classes, request) != truth for method in (grown, nearest)]
    return missed


def points(request: Asked, *, trained: int | None = None) -> Replication:
    """The probability with which a point is missed, over training sets, and learning curves."""
    batches = -(-(trained or (FEW_TRAINED if request.quick else TRAINED)) // SET_BATCH)
    made, sizes = batches * SET_BATCH, (50, 100, 150, 200, 270)
    shares: dict[tuple[str, int], np.ndarray] = {}
    for problem in PROBLEMS:
        for size in sizes:
            values = in_batches(
                partial(_missed, problem, size), batches,
                key=f"dietterich1998/points {problem} {size}", seed=request.seed, jobs=request.jobs,
                store=request.store, progress=request.progress,
            )  # fmt: skip
            shares[problem, size] = values.sum(axis=0) / made
    cells: list[Cell] = []
    for problem in PROBLEMS:
        for name, chance in zip(("tree", "nearest neighbour"), shares[problem, 270], strict=True):
            binomial = chance.mean() * (1 - chance.mean()) / len(chance)
            kept = (chance * (1 - chance)).mean() / len(chance)
            row = f"{problem}, {name}"
            cells += [
                Measured("points", row, "mean probability of error", math.nan, chance.mean()),
                Measured("points", row, "points that are always or never missed", math.nan,
                         float(((chance == 0) | (chance == 1)).mean())),
                Measured("points", row, "variance given the points, share of the binomial",
                         math.nan, kept / binomial,
                         note="below 1: points differ in how hard they are"),
            ]  # fmt: skip
    figures = {f"points-{p}": partial(_by_point, shares[p, 270]) for p in PROBLEMS}
    figures |= {f"curves-{p}": partial(_by_size, p, sizes, shares) for p in PROBLEMS}
    return Replication("dietterich1998", "points", cells, POINT_NOTES, made, request.seed, figures)


POINT_NOTES = (
    "400 points of each problem, classifiers fitted to 270 others again and again; figures show "
    "the probabilities of all points, and errors by training size, linear between those measured.",
    "A binomial variance supposes that every point is missed with the mean probability.",
)


def _by_point(chance: np.ndarray, ax: Axes) -> Axes:
    drawn = styles(["tree", "nearest neighbour"])
    for values, style in zip(chance, drawn.values(), strict=True):
        ax.plot(np.sort(values)[::-1], color=style.colour)
    entitle(ax, x="test points, the hardest first", y="probability of being missed")
    legend(ax, drawn)
    return ax


def _by_size(
    problem: str, sizes: tuple[int, ...], shares: dict[tuple[str, int], np.ndarray], ax: Axes
) -> Axes:
    drawn = styles(["tree", "nearest neighbour"])
    for at, style in enumerate(drawn.values()):
        errors = [shares[problem, size][at].mean() for size in sizes]
        ax.plot(sizes, errors, color=style.colour, marker=style.marker)
    entitle(ax, x="points learned from", y="error")
    legend(ax, drawn)
    return ax


# -- what an observed rate of error varies by ------------------------------------------------------


def _wrong(problem: str, size: int, tested: int, seed: int, batch: int) -> np.ndarray:
    """Training sets x repeated fits x test points: a tree that draws attributes at random."""
    from sklearn.tree import DecisionTreeClassifier

    known, rng = PROBLEMS[problem], np.random.default_rng([seed, batch])
    request, truth = known.points(np.random.default_rng([seed]), tested)
    table = np.empty((4, 4, tested), bool)
    for each in table:
        learned, classes = known.points(rng, size)
        for fit in range(len(each)):
            state = int(rng.integers(2**31))
            tree = DecisionTreeClassifier(max_features=1, min_samples_leaf=2, random_state=state)
            each[fit] = tree.fit(learned, classes).predict(request) != truth
    return table


def sources(
    request: Asked, *, sets: int | None = None, problems: Sequence[str] = tuple(PROBLEMS)
) -> Replication:
    """Four sources of the variance of an error observed on 100 points with wrong labels."""
    batches = -(-(sets or (FEW_SETS if request.quick else 2 * SETS)) // 4)
    cells: list[Cell] = []
    for problem in problems:
        wrong = in_batches(
            partial(_wrong, problem, 200, 2000), batches,
            key=f"dietterich1998/sources {problem}", seed=request.seed, jobs=request.jobs,
            store=request.store, progress=request.progress,
        ).reshape(-1, 4, 2000)  # fmt: skip
        parts = components(wrong.astype(float), TESTED)
        total = sum(parts.values())
        cells += [
            Measured("sources", problem, name, math.nan, part / total,
                     note=f"standard deviation {math.sqrt(part):.4f}")
            for name, part in parts.items()
        ]  # fmt: skip
    return Replication("dietterich1998", "sources", cells, SOURCE_NOTES, batches * 4, request.seed)


def components(wrong: np.ndarray, tested: int) -> dict[str, float]:
    """Variances of an observed error: training sets x fits x points of the population.

    A label is wrong with probability `NOISE`, on its own: an error is then observed with
    w (1 - 2 eta) + eta, and given w a point adds eta (1 - eta). What points add to a test sample is
    the rest of the binomial variance, as fits are judged on all points of the population here.
    """
    keeps = (1 - 2 * NOISE) ** 2
    rates = wrong.mean(axis=2)
    within = rates.var(axis=1, ddof=1).mean()
    between = max(rates.mean(axis=1).var(ddof=1) - within / rates.shape[1], 0.0)
    sampled = float((rates * (1 - rates)).mean()) / tested
    return {
        "training data": keeps * float(between),
        "the algorithm's own randomness": keeps * float(within),
        "test data": keeps * sampled,
        "wrong labels": NOISE * (1 - NOISE) / tested,
    }


SOURCE_NOTES = (
    "Shares of the variance of an error that is observed on 100 test points of which each label "
    f"is wrong with probability {NOISE:g}; a tree that draws an attribute for each split learns "
    "from 200 points.",
    "The first two are those of a nested analysis of variance, corrected for each other; the last "
    "two follow from formulas. No test is free of the fourth: labels that are wrong hide what a "
    "difference is, and no classifier is seen to err less often than they do.",
)
