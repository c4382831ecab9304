"""Scenarios: blocks of scores in which it is known which algorithms are equal.

Each draws a blocks x algorithms array in which all algorithms are equal; a partial null moves
groups of algorithms apart by far more than their scores vary.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from podium.inference.layouts import DEFAULT_TARGETS, Layout
from podium.measures import Measure, parse
from podium.registry import Registry
from podium.samplings import Sampling
from podium.samplings import parse as parse_sampling

Draw = Callable[[np.random.Generator, int, int], np.ndarray]
SCORE = Measure("score", higher_is_better=True)
APART = 6.0  # distance of unequal groups: every true difference is found


@dataclass(frozen=True)
class Scenario:
    """A way to draw scores, and what a block of it is."""

    name: str
    text: str
    block: str
    draw: Draw
    sizes: tuple[int, int]  # the numbers of blocks at which procedures are judged
    samplings: tuple[str, str]  # for each size
    measure: Measure = SCORE
    binary: bool = False
    moves: bool = True  # whether groups can be moved apart

    def layout(
        self,
        rng: np.random.Generator,
        blocks: int,
        algorithms: int,
        groups: tuple[int, ...] = (),
    ) -> Layout:
        """One draw; `groups` gives the group of each algorithm where not all are equal."""
        values = self.draw(rng, blocks, algorithms)
        if groups:
            values = values + APART * np.asarray(groups, float)
        names = tuple(f"a{i + 1}" for i in range(algorithms))
        return Layout(
            values,
            names,
            self.block,
            DEFAULT_TARGETS[self.block],
            self.measure,
            self.sampling(blocks),
        )

    def sampling(self, blocks: int) -> Sampling:
        """The sampling that has so many blocks."""
        return parse_sampling(dict(zip(self.sizes, self.samplings, strict=True))[blocks])


SCENARIOS: Registry[Scenario] = Registry("scenario")


def _normal(rng: np.random.Generator, blocks: int, algorithms: int) -> np.ndarray:
    return rng.normal(size=(blocks, 1)) + rng.normal(size=(blocks, algorithms))


def _skewed(rng: np.random.Generator, blocks: int, algorithms: int) -> np.ndarray:
    """Gamma scores with gamma block effects, rounded so that one in five or so is tied."""
    effect = rng.gamma(2.0, 0.5, size=(blocks, 1))
    return np.round(2 * (effect + rng.gamma(1.0, 1.0, size=(blocks, algorithms)))) / 2


def _unequal(rng: np.random.Generator, blocks: int, algorithms: int) -> np.ndarray:
    """Equal means, but the last algorithm varies five times as much."""
    sd = np.ones(algorithms)
    sd[-1] = 5.0
    return rng.normal(size=(blocks, 1)) + sd * rng.normal(size=(blocks, algorithms))


def _shared_rows(rng: np.random.Generator, blocks: int, algorithms: int) -> np.ndarray:
    """Folds whose scores correlate by the share of test rows, a tenth (Nadeau and Bengio 2003)."""
    shared = rng.normal(size=(1, algorithms)) * np.sqrt(0.1)
    return shared + np.sqrt(0.9) * rng.normal(size=(blocks, algorithms))


def _skewed_rows(rng: np.random.Generator, blocks: int, algorithms: int) -> np.ndarray:
    shared = rng.normal(size=(1, algorithms)) * np.sqrt(0.1)
    own = rng.gamma(1.0, 1.0, size=(blocks, algorithms)) - 1.0
    return shared + np.round(np.sqrt(0.9) * own * 4) / 4


def _items(rng: np.random.Generator, blocks: int, algorithms: int) -> np.ndarray:
    """Correct or not on items of varying difficulty; about 0.8 correct."""
    difficulty = rng.beta(4.0, 1.0, size=(blocks, 1))
    return (rng.random((blocks, algorithms)) < difficulty).astype(float)


def _losses(rng: np.random.Generator, blocks: int, algorithms: int) -> np.ndarray:
    return _skewed(rng, blocks, algorithms)


def _add(name: str, text: str, block: str, draw: Draw, sizes: tuple[int, int],
         samplings: tuple[str, str], **more: object) -> None:  # fmt: skip
    SCENARIOS.add(name, Scenario(name, text, block, draw, sizes, samplings, **more))  # type: ignore[arg-type]


_SIMULATED = ((50, 250), ("simulation:50", "simulation:250"))
_FOLDS = ((10, 100), ("cv:10", "repeated-cv:10x10"))
_ITEMS = ((100, 1000), ("items", "items"))
_add("normal", "normal scores with block effects", "simulation", _normal, *_SIMULATED)
_add("skewed", "skewed scores with ties and block effects", "simulation", _skewed, *_SIMULATED)
_add("unequal", "equal means, one sd five times the others", "simulation", _unequal, *_SIMULATED)
_add("folds", "normal scores of folds that share rows", "fold", _shared_rows, *_FOLDS)
_add("skewed-folds", "skewed scores of folds that share rows", "fold", _skewed_rows, *_FOLDS)
_add("halves", "normal scores of 5x2cv", "fold", _normal, (10, 10), ("5x2cv", "5x2cv"))
_add("items", "correct or not on items", "item", _items, *_ITEMS,
     measure=parse("accuracy"), binary=True, moves=False)  # fmt: skip
_add("losses", "skewed losses of items with ties", "item", _losses, *_ITEMS)
