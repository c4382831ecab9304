"""Damaged learners (dietterich1998, section 5): real algorithms made equally good on a problem.

A decision tree and the nearest neighbour learn a problem; the better one of the two is damaged
until both have the same expected error after learning so many points. On `exp6` and `letter` the
nearest neighbour is better, and its distance gets bad weights; on `pima` the tree is, and its
predictions are turned over at random. The problems are like those of the paper, not the same, and
the tree of scikit-learn stands for C4.5. Designs are those of the paper: 300 points; a third of
them as test items, ten folds, and five times two halves, so that 200, 270 and 150 points are
learned from.

`damage` finds the constants, `table` makes the shipped file of them.
"""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np

from podium import samplings
from podium.core.base.registry import Registry
from podium.core.questions.measures import parse
from podium.core.questions.targets import FOLD, ITEM, POPULATION
from podium.errors import InferenceError
from podium_lab.calibration.scenario import ITEMS, Design, Scenario
from podium_lab.calibration.simulated_learners import POINTS, Split, a_third, folds, halved

Points = Callable[[np.random.Generator, int], tuple[np.ndarray, np.ndarray]]
SIZES = {"items": 200, "folds": 270, "halves": 150}  # points learned from, by design
SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)  # of the way from equal to undamaged
TESTED = 400  # points on which the classifiers of a trial are judged
STEPS = 9  # damages at which the error is measured; between them it is interpolated
TREE = {"criterion": "entropy", "min_samples_leaf": 2, "ccp_alpha": 0.02, "random_state": 0}


# -- the problems ---------------------------------------------------------------------------------


def bands(rng: np.random.Generator, points: int) -> tuple[np.ndarray, np.ndarray]:
    """Like EXP6: six classes, which are diagonal bands of a square, in two attributes."""
    attributes = rng.uniform(0, 15, size=(points, 2))
    return attributes, np.digitize(attributes.sum(axis=1) / np.sqrt(2), (4, 7.5, 10.5, 13.5, 17))


# four attributes tell the classes apart, twelve hardly do
_CENTRES = 7.5 + np.repeat((5.0, 0.5), (4, 12)) * np.random.default_rng(1998).normal(
    size=(26, 2, 16)
)


def letters(rng: np.random.Generator, points: int) -> tuple[np.ndarray, np.ndarray]:
    """Like letter recognition: 26 classes, two kinds of each, in 16 whole numbers up to 15."""
    classes, kinds = rng.integers(0, 26, size=points), rng.integers(0, 2, size=points)
    values = _CENTRES[classes, kinds] + 1.2 * rng.normal(size=(points, 16))
    return np.clip(np.round(values), 0, 15), classes


_SHIFTS = np.array([1.4, 0.7, 0.6, 0.3, 0.3, 0, 0, 0])
_SPREADS = np.array([1, 1, 1, 1, 1, 3, 3, 3])  # attributes that say nothing vary most


def patients(rng: np.random.Generator, points: int) -> tuple[np.ndarray, np.ndarray]:
    """Like Pima: two classes that overlap, a third of the points ill, in eight attributes."""
    ill = (rng.random(points) < 0.35).astype(int)
    return (rng.normal(size=(points, 8)) + ill[:, None] * _SHIFTS) * _SPREADS, ill


@dataclass(frozen=True, eq=False)
class Problem:
    """Points that are learned, and how the better algorithm is damaged.

    With `exponents` the attributes' weights in the distance are exp(damage x exponent); without
    them the damage is the rate at which the tree's predictions are turned over.
    """

    name: str
    text: str
    points: Points
    worst: float  # a damage that is more than enough
    exponents: np.ndarray | None = None

    def right(
        self, rng: np.random.Generator, points: tuple[np.ndarray, np.ndarray],
        train: np.ndarray, test: np.ndarray, damage: float,
    ) -> np.ndarray:  # fmt: skip
        """Test points x 2, right or not: the worse algorithm, then the damaged one."""
        attributes, classes = points
        learned, request, truth = attributes[train], attributes[test], classes[test]
        tree = grown(learned, classes[train], request) == truth
        if self.exponents is None:
            near = nearest(learned, classes[train], request) == truth
            return np.column_stack([near, tree ^ (rng.random(len(test)) < damage)])
        weights = np.exp(damage * self.exponents)
        near = nearest(learned * weights, classes[train], request * weights) == truth
        return np.column_stack([tree, near])


def grown(learned: np.ndarray, classes: np.ndarray, values: np.ndarray) -> np.ndarray:
    """The classes that a decision tree predicts; like C4.5 it maximises the gain and is pruned."""
    from sklearn.tree import DecisionTreeClassifier

    result: np.ndarray = DecisionTreeClassifier(**TREE).fit(learned, classes).predict(values)
    return result


def nearest(learned: np.ndarray, classes: np.ndarray, values: np.ndarray) -> np.ndarray:
    """The classes of the nearest learned points; of equally near ones the first."""
    squared = (learned**2).sum(axis=1) - 2 * values @ learned.T  # less what an asked point has
    result: np.ndarray = classes[squared.argmin(axis=1)]
    return result


PROBLEMS: Registry[Problem] = Registry("problem of damaged learners")
for _problem in (
    Problem("exp6", "like EXP6", bands, 3.0, np.array([0.0, -1.0])),
    Problem("letter", "like letter recognition", letters, 0.16, np.arange(16.0)),
    Problem("pima", "like Pima diabetes", patients, 0.5),
):
    PROBLEMS.add(_problem.name, _problem)


# -- the damage -----------------------------------------------------------------------------------


class Constant(NamedTuple):
    """A damage after which the algorithms differ by a share of what they differ by undamaged.

    `difference` is the expected accuracy of the damaged algorithm less the other's, measured with
    points that had no part in finding the damage; `error` is its Monte-Carlo standard error.
    """

    problem: str
    size: int
    share: float
    damage: float
    wanted: float
    difference: float
    error: float


@cache
def constants() -> dict[tuple[str, int], list[Constant]]:
    """The shipped damages by problem and number of learned points; shares ascend."""
    results: dict[tuple[str, int], list[Constant]] = {}
    with files("podium_lab.calibration").joinpath("damage.csv").open(encoding="utf-8") as file:
        for problem, size, *numbers in list(csv.reader(file))[1:]:
            row = Constant(problem, int(size), *map(float, numbers))
            results.setdefault((problem, int(size)), []).append(row)
    return results


def gap(problem: str) -> float:
    """By how much the expected accuracies differ undamaged, after learning all the points."""
    return constants()[problem, POINTS][-1].wanted


def differences(
    problem: Problem, size: int, damages: np.ndarray, trials: range, seed: int
) -> np.ndarray:
    """Trials x damages: accuracy of the damaged algorithm less the other's, with the same points.

    The rate of turning over is taken at its expectation.
    """
    result = np.empty((len(trials), len(damages)))
    for row, trial in zip(result, trials, strict=True):
        rng = np.random.default_rng((seed, size, trial))
        points = problem.points(rng, size + TESTED)
        row[:] = _of_trial(problem, points, size, damages)
    return result


def _of_trial(
    problem: Problem, points: tuple[np.ndarray, np.ndarray], size: int, damages: np.ndarray
) -> np.ndarray:
    attributes, classes = points
    learned, known, request, truth = (
        attributes[:size],
        classes[:size],
        attributes[size:],
        classes[size:],
    )
    tree = (grown(learned, known, request) == truth).mean()
    if problem.exponents is None:
        near = (nearest(learned, known, request) == truth).mean()
        turned: np.ndarray = tree + damages * (1 - 2 * tree) - near
        return turned
    weights = np.exp(damages[:, None] * problem.exponents)
    near = [(nearest(learned * w, known, request * w) == truth).mean() for w in weights]
    return np.array(near) - tree


def damage(problem: str, size: int, trials: int = 4000, seed: int = 0) -> list[Constant]:
    """The damages at which the difference is each share of the undamaged one, and their proof.

    All damages meet the same points; what was found is measured anew with as many others.
    """
    from scipy.interpolate import PchipInterpolator
    from scipy.optimize import brentq

    known = PROBLEMS[problem]
    grid = np.linspace(0, known.worst, STEPS)
    curve = PchipInterpolator(
        grid, differences(known, size, grid, range(trials), seed).mean(axis=0)
    )
    wanted = np.array(SHARES) * float(curve(0.0))
    values = np.array([brentq(lambda d, w=w: curve(d) - w, 0, known.worst) for w in wanted])
    proof = differences(known, size, values, range(trials, 2 * trials), seed)
    errors = proof.std(axis=0, ddof=1) / np.sqrt(trials)
    rows = zip(SHARES, values, wanted, proof.mean(axis=0), errors, strict=True)
    return [Constant(problem, size, *map(float, row)) for row in rows]


def table(trials: int = 4000, jobs: int = 1) -> str:
    """The shipped file: damages for all problems and numbers of learned points."""
    from joblib import Parallel, delayed

    sizes = (*SIZES.values(), POINTS)
    requests = [(name, size) for name in PROBLEMS for size in sizes]
    result = Parallel(jobs)(delayed(damage)(name, size, trials) for name, size in requests)
    lines = [
        f"{c[0]},{c[1]}," + ",".join(f"{v:.6g}" for v in c[2:]) for rows in result for c in rows
    ]
    return "\n".join([",".join(Constant._fields), *lines]) + "\n"


# -- the scenarios --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Damaged:
    """Draws the accuracies of two real algorithms, of which the second one is damaged."""

    problem: str
    size: int  # points learned from
    split: Split
    by_item: bool = False

    def __call__(self, rng: np.random.Generator, blocks: int, algorithms: int) -> np.ndarray:
        """Blocks x 2: shares of test points, or each point, right or not."""
        return self.moved(rng, blocks, np.zeros(algorithms))

    def moved(self, rng: np.random.Generator, blocks: int, effects: np.ndarray) -> np.ndarray:
        """The same, but the second algorithm is the better one by an effect.

        Its accuracy is larger by the effect after learning all the points, and by the same share
        of the undamaged difference after learning fewer.
        """
        problem, harm = PROBLEMS[self.problem], self.damage(effects)
        points = problem.points(rng, POINTS)
        tests = self.split(rng, blocks)
        rest = np.ones((len(tests), POINTS), bool)
        np.put_along_axis(rest, tests, False, axis=1)
        right = np.stack(
            [
                problem.right(rng, points, np.flatnonzero(train), test, harm)
                for train, test in zip(rest, tests, strict=True)
            ]
        )
        return right[0].astype(float) if self.by_item else right.mean(axis=1)

    def damage(self, effects: np.ndarray) -> float:
        """The damage that leaves this effect: between the shipped ones it is interpolated."""
        largest = gap(self.problem)
        if len(effects) != 2:
            raise InferenceError(f"Damaged learners are two algorithms, not {len(effects)}.")
        share = (effects[1] - effects[0]) / largest
        if not 0 <= share <= 1 + 1e-9:
            raise InferenceError(
                f"The second of the learners damaged on '{self.problem}' can be better by 0 to "
                f"{largest:.4f}, not by {effects[1] - effects[0]:g}."
            )
        known = constants()[self.problem, self.size]
        return float(np.interp(share, [c.share for c in known], [c.damage for c in known]))


# about other fitted models: given these, the algorithms are not equal
_TARGET = POPULATION
_DESIGNS = {
    "items": ("100 test items", a_third, Design(ITEM, (100,), (ITEMS,), target=_TARGET)),
    "folds": (
        "ten folds of 300 points",
        folds,
        Design(FOLD, (10,), (samplings.cv(10),), target=_TARGET),
    ),
    "halves": (
        "5x2cv of 300 points",
        halved,
        Design(FOLD, (10,), (samplings.five_by_two_cv(),), target=_TARGET),
    ),
}


def _scenario(problem: Problem, kind: str) -> Scenario:
    text, split, design = _DESIGNS[kind]
    draw = Damaged(problem.name, SIZES[kind], split, by_item=kind == "items")
    return Scenario(
        f"damaged-{problem.name}-{kind}",
        f"a tree and the nearest neighbour made equal on a problem {problem.text}, {text}",
        design,
        draw,
        parse("accuracy"),
        draw.moved,
        moves=False,
        binary=draw.by_item,
        most=2,
    )


SCENARIOS = tuple(_scenario(problem, kind) for problem in PROBLEMS.values() for kind in _DESIGNS)
