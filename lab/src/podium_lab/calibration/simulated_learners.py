"""Simulated learners (dietterich1998, section 4): equal error rates, but on different points.

Half of a population is misclassified by the first learner with probability e / 2 and by the second
with 3 e / 2, the other half the other way round, so that both err with probability e: whoever
draws more points of one half sees a difference that is not there. Further algorithms take turns.
Designs are those of the paper: 300 points; a third of them as test items, random splits that test
on a third, ten folds whose training sets shift all chances by up to 0.02, and five times two
halves.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from podium import samplings
from podium.core.questions.measures import parse
from podium.core.questions.targets import FOLD, ITEM, POPULATION, RESAMPLE
from podium.errors import InferenceError
from podium_lab.calibration.scenario import ITEMS, Design, Scenario, of_items

POINTS = 300
SHIFT = 0.02  # of the chances of error in a fold
RATES = (0.10, 0.20, 0.30, 0.40)
Split = Callable[[np.random.Generator, int], np.ndarray]  # of points, into test sets x test points


def chances(halves: np.ndarray, rate: float, effects: np.ndarray) -> np.ndarray:
    """The chance of each point, by its half, to be misclassified by each algorithm."""
    turn = (halves[..., None] + np.arange(len(effects))) % 2
    return np.where(turn == 0, rate / 2, 3 * rate / 2) - effects


@dataclass(frozen=True)
class Learners:
    """Draws the accuracies of simulated learners that all misclassify with this probability."""

    rate: float
    split: Split
    shift: float = 0.0
    by_item: bool = False

    def __call__(self, rng: np.random.Generator, blocks: int, algorithms: int) -> np.ndarray:
        """Blocks x algorithms: shares of test points, or each point, correct or not."""
        return self.moved(rng, blocks, np.zeros(algorithms))

    def moved(self, rng: np.random.Generator, blocks: int, effects: np.ndarray) -> np.ndarray:
        """The same with effects, which are taken from the chances of error."""
        lowest, highest = 1.5 * self.rate - 1, self.rate / 2
        if effects.min() < lowest or effects.max() > highest:
            raise InferenceError(
                f"Learners that err by {self.rate:.0%} can be better by {lowest:.2f} to "
                f"{highest:.2f}, not by {' '.join(f'{e:g}' for e in effects)}."
            )
        halves = rng.integers(0, 2, size=POINTS if not self.by_item else 3 * blocks)
        tested = halves[self.split(rng, blocks)]
        shifts = rng.uniform(-self.shift, self.shift, size=(len(tested), 1, 1))
        wrong = rng.random((*tested.shape, len(effects)))
        right = wrong >= chances(tested, self.rate, effects) + shifts
        return right[0].astype(float) if self.by_item else right.mean(axis=1)


def a_third(rng: np.random.Generator, items: int) -> np.ndarray:
    """One test set, a third of the points."""
    return rng.permutation(3 * items)[None, :items]


def splits(rng: np.random.Generator, blocks: int) -> np.ndarray:
    """Random splits, each of which tests on a third of the points."""
    return rng.permuted(np.tile(np.arange(POINTS), (blocks, 1)), axis=1)[:, : POINTS // 3]


def folds(rng: np.random.Generator, blocks: int) -> np.ndarray:
    """The folds of one cross-validation; what does not divide is left out."""
    return rng.permutation(POINTS)[: POINTS // blocks * blocks].reshape(blocks, -1)


def halved(rng: np.random.Generator, blocks: int) -> np.ndarray:
    """Both halves of several random splits in two."""
    every = rng.permuted(np.tile(np.arange(POINTS), (blocks // 2, 1)), axis=1)
    return every.reshape(blocks, POINTS // 2)


_THIRD = Design(ITEM, (100,), (ITEMS,), of_items)
_SPLITS = Design(
    RESAMPLE,
    (30,),
    (samplings.subsampling(0.6667, 30),),
    partial(samplings.subsampling, 0.6667),
    target=POPULATION,
)
_FOLDS = Design(FOLD, (10,), (samplings.cv(10),), samplings.cv)
_HALVES = Design(FOLD, (10,), (samplings.five_by_two_cv(),))


def _scenario(design: Design, kind: str, text: str, learners: Learners) -> Scenario:
    return Scenario(
        f"learners-{kind}-{round(100 * learners.rate)}",
        f"simulated learners that err by {learners.rate:.0%}, {text}",
        design,
        learners,
        parse("accuracy"),
        learners.moved,
        moves=False,
        binary=learners.by_item,
    )


SCENARIOS = tuple(
    scenario
    for rate in RATES
    for scenario in (
        _scenario(_THIRD, "items", "100 test items", Learners(rate, a_third, by_item=True)),
        _scenario(_SPLITS, "splits", "30 splits of 300 points", Learners(rate, splits)),
        _scenario(_FOLDS, "folds", "ten folds of 300 points", Learners(rate, folds, SHIFT)),
        _scenario(_HALVES, "halves", "5x2cv of 300 points", Learners(rate, halved)),
    )
)
