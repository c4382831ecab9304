"""Algorithms that are equal for sure: one way to learn, each on a group of attributes of its own.

The groups are exchangeable, so that no algorithm is better at any number of rows, while the scores
of their folds, splits and halves depend on each other as those of real fits do. Many fits are
computed at once: what is learned from is a matrix of weights, splits x rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from podium import samplings
from podium.core.inference.layouts import Halvings
from podium.core.questions.measures import parse
from podium.core.questions.targets import FOLD, POPULATION, RESAMPLE
from podium.core.samplings import halvings as halved
from podium_lab.calibration.scenario import Design, Scenario

ATTRIBUTES = 3  # of each group
HALVINGS = 10
NEAR = 40  # neighbours that are looked at first
DEPTH = 3

Learner = Callable[[np.ndarray, np.ndarray, np.ndarray, np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Fits:
    """Rows to learn from, by how often, and rows to test on; both splits x rows."""

    weights: np.ndarray
    tested: np.ndarray

    @classmethod
    def joined(cls, parts: list[Fits]) -> Fits:
        """Several one after the other."""
        weights, tested = ([getattr(p, name) for p in parts] for name in ("weights", "tested"))
        return cls(np.concatenate(weights), np.concatenate(tested))


# -- designs --------------------------------------------------------------------------------------


def _folds(rng: np.random.Generator, rows: np.ndarray, n: int, k: int) -> Fits:
    """A cross-validation of some of n rows."""
    inside = np.zeros(n, bool)
    inside[rows] = True
    fold = np.full(n, -1)
    fold[rng.permutation(rows)] = np.arange(len(rows)) % k
    tested = fold == np.arange(k)[:, None]
    return Fits((inside & ~tested).astype(float), tested)


def _repeated(rng: np.random.Generator, n: int, repeats: int, k: int) -> Fits:
    return Fits.joined([_folds(rng, np.arange(n), n, k) for _ in range(repeats)])


def _splits(rng: np.random.Generator, n: int, count: int, share: float) -> Fits:
    order = np.argsort(rng.random((count, n)), axis=1)
    learned = order < round(share * n)
    return Fits(learned.astype(float), ~learned)


def _bootstraps(rng: np.random.Generator, n: int, count: int) -> Fits:
    draws = rng.integers(n, size=(count, n)) + n * np.arange(count)[:, None]
    weights = np.bincount(draws.ravel(), minlength=count * n).reshape(count, n).astype(float)
    return Fits(weights, weights == 0)


def _halves(rng: np.random.Generator, n: int) -> Fits:
    """Halvings with folds inside each half, in the order of their samples."""
    parts = []
    for _ in range(HALVINGS):
        sides = np.array_split(rng.permutation(n), halved.SIDES)
        parts += [_folds(rng, side, n, halved.FOLDS) for side in sides]
    return Fits.joined(parts)


# -- ways to learn: predictions for every row, splits x rows --------------------------------------


def _linear(
    x: np.ndarray, y: np.ndarray, weights: np.ndarray, tested: np.ndarray, *, penalty: float
) -> np.ndarray:
    """Least squares with an intercept; the penalty is times the number of rows learned from."""
    n, p = x.shape
    z = np.column_stack([np.ones(n), x])
    squares = (weights @ (z[:, :, None] * z[:, None, :]).reshape(n, -1)).reshape(-1, p + 1, p + 1)
    shrunk = penalty * weights.sum(axis=1)[:, None, None] * np.diag([0.0] + [1.0] * p)
    sums = weights @ (z * y[:, None])
    coefficients = np.linalg.solve(squares + shrunk, sums[:, :, None])[:, :, 0]
    return np.asarray(coefficients @ z.T)


def _neighbours(
    x: np.ndarray, y: np.ndarray, weights: np.ndarray, tested: np.ndarray, *, k: int
) -> np.ndarray:
    """Means of the k nearest rows learned from, copies counted."""
    squares = (x**2).sum(axis=1)
    distances = squares[:, None] + squares - 2 * x @ x.T
    split, row = np.nonzero(tested)
    predicted = np.zeros(weights.shape)
    for near in (min(NEAR, len(x)), len(x)):  # nearly always the first are enough
        place = _nearest(distances, near)[row]
        there = weights[split[:, None], place]
        before = np.cumsum(there, axis=1) - there
        used = np.minimum(there, np.maximum(k - before, 0.0))
        predicted[split, row] = (used * y[place]).sum(axis=1) / k
        few = used.sum(axis=1) < k
        if not few.any():
            break
        split, row = split[few], row[few]
    return predicted


def _nearest(distances: np.ndarray, count: int) -> np.ndarray:
    """The nearest rows of every row, itself among them, in their order."""
    some = np.argpartition(distances, count - 1, axis=1)[:, :count]
    order = np.argsort(np.take_along_axis(distances, some, axis=1), axis=1, kind="stable")
    return np.take_along_axis(some, order, axis=1)


def _tree(
    x: np.ndarray, y: np.ndarray, weights: np.ndarray, tested: np.ndarray, *, depth: int
) -> np.ndarray:
    """Trees that split where the squared error (for classes, Gini's index) falls most."""
    order = np.argsort(x, axis=0, kind="stable")
    predicted = np.zeros(weights.shape)
    nodes = [(weights, np.ones(weights.shape, bool))]
    for _ in range(depth):
        nodes = [half for node in nodes for half in _split(x, y, order, *node)]
    for inside, here in nodes:
        mean = (inside @ y) / np.maximum(inside.sum(axis=1), 1.0)
        predicted = np.where(here, mean[:, None], predicted)
    return predicted


def _split(
    x: np.ndarray, y: np.ndarray, order: np.ndarray, weights: np.ndarray, here: np.ndarray
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Both sides of a node's best split; where nothing can be split, all rows go left."""
    best = np.full(len(weights), -np.inf)
    attribute = np.zeros(len(weights), int)
    limit = np.full(len(weights), np.inf)
    for j in range(x.shape[1]):
        gain, at = _best_limit(x[order[:, j], j], y[order[:, j]], weights[:, order[:, j]])
        better = gain > best
        best, limit = np.where(better, gain, best), np.where(better, at, limit)
        attribute = np.where(better, j, attribute)
    left = x.T[attribute] <= limit[:, None]
    yield weights * left, here & left
    yield weights * ~left, here & ~left


def _best_limit(x: np.ndarray, y: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The largest sum of squares explained by a limit on an ordered attribute, and the limit."""
    count = np.cumsum(weights, axis=1)
    total = np.cumsum(weights * y, axis=1)
    rest, rest_total = count[:, -1:] - count, total[:, -1:] - total
    both = (count > 0.5) & (rest > 0.5) & (weights > 0)
    gain = np.full(weights.shape, -np.inf)
    np.divide(total**2, count, out=gain, where=both)
    np.add(gain, rest_total**2 / np.where(both, rest, 1.0), out=gain, where=both)
    place = gain.argmax(axis=1)
    every = np.arange(len(weights))
    after = (weights > 0) & (np.arange(len(x)) > place[:, None])
    middle = (x[place] + x[after.argmax(axis=1)]) / 2
    result = gain[every, place]
    return result, np.where(np.isfinite(result), middle, np.inf)


# -- scores ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Way:
    """A way to learn, and whether it learns classes."""

    name: str
    text: str
    learn: Learner
    classes: bool = True

    def scores(self, x: np.ndarray, y: np.ndarray, fits: Fits) -> np.ndarray:
        """The negative mean loss on the rows tested on, of every split."""
        predicted = self.learn(x, y, fits.weights, fits.tested)
        losses = np.sign(predicted) != y if self.classes else (predicted - y) ** 2
        return -(losses * fits.tested).sum(axis=1) / fits.tested.sum(axis=1)


WAYS = (
    Way("1nn", "the nearest neighbour", partial(_neighbours, k=1)),
    Way("5nn", "five nearest neighbours", partial(_neighbours, k=5)),
    Way("ls", "least squares for classes", partial(_linear, penalty=0.0)),
    Way("ridge", "ridge regression", partial(_linear, penalty=0.5), classes=False),
    Way("shrunk", "ridge regression shrunk too much", partial(_linear, penalty=5.0), classes=False),
    Way("stump", "a stump", partial(_tree, depth=1)),
    Way("tree", f"a tree of depth {DEPTH}", partial(_tree, depth=DEPTH)),
)


def _sample(
    rng: np.random.Generator, way: Way, n: int, effects: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Attributes by group, and the response; effects are added to the signal of each group, 1."""
    x = rng.normal(size=(len(effects), n, ATTRIBUTES))
    signal = np.tensordot(1.0 + effects, x.sum(axis=2), 1) / np.sqrt(len(effects) * ATTRIBUTES)
    y = signal + rng.normal(size=n)
    return x, np.where(y < 0, -1.0, 1.0) if way.classes else y


@dataclass(frozen=True, eq=False)
class Moved:
    """Draws the scores of groups whose signals differ by effects."""

    way: Way
    rows: int
    designs: Mapping[int, Callable[[np.random.Generator, int], Fits]]  # by the number of blocks
    halvings: bool = False

    def __call__(
        self, rng: np.random.Generator, blocks: int, effects: np.ndarray
    ) -> np.ndarray | tuple[np.ndarray, Halvings]:
        """Scores of a design's splits, and of halvings where these are asked for."""
        x, y = _sample(rng, self.way, self.rows, effects)
        parts = [self.designs[blocks](rng, self.rows)]
        parts += [_halves(rng, self.rows)] if self.halvings else []
        fits = Fits.joined(parts)
        scores = np.column_stack([self.way.scores(group, y, fits) for group in x])
        if not self.halvings:
            return scores
        inside = scores[blocks:].reshape(HALVINGS, halved.SIDES, halved.FOLDS, -1).mean(axis=2)
        return scores[:blocks], Halvings(inside, attributes=x.shape[0] * ATTRIBUTES)


@dataclass(frozen=True)
class Equal:
    """Draws the scores of groups with equal signals."""

    moved: Moved

    def __call__(
        self, rng: np.random.Generator, blocks: int, algorithms: int
    ) -> np.ndarray | tuple[np.ndarray, Halvings]:
        """Where no algorithm is better."""
        return self.moved(rng, blocks, np.zeros(algorithms))


# -- the scenarios --------------------------------------------------------------------------------

_CV = Design(FOLD, (10, 25), (samplings.cv(10, halves=10), samplings.repeated_cv(5, 5, halves=10)))
_RESAMPLES = Design(
    RESAMPLE,
    (30, 50, 100),
    (samplings.subsampling(0.9, 30), samplings.bootstrap(50), samplings.subsampling(0.8, 100)),
    target=POPULATION,
)
_TWOFOLD = Design(FOLD, (10,), (samplings.five_by_two_cv(),))
_DRAWS = {
    "folds": (
        _CV,
        {10: partial(_repeated, repeats=1, k=10), 25: partial(_repeated, repeats=5, k=5)},
        (50, 100, 200, 500),
    ),
    "resamples": (
        _RESAMPLES,
        {
            30: partial(_splits, count=30, share=0.9),
            50: partial(_bootstraps, count=50),
            100: partial(_splits, count=100, share=0.8),
        },
        (50, 100, 200, 500),
    ),
    "twofold": (_TWOFOLD, {10: partial(_repeated, repeats=5, k=2)}, (50, 100, 200, 500)),
}


def _scenario(way: Way, kind: str, rows: int) -> Scenario:
    design, draws, _ = _DRAWS[kind]
    moved = Moved(way, rows, draws, halvings=kind == "folds")
    return Scenario(
        f"groups-{way.name}-{rows}-{kind}",
        f"{way.text} on exchangeable groups of attributes, {rows} rows",
        design,
        Equal(moved),
        parse("error" if way.classes else "squared"),
        moved,
        moves=False,
        most=10,
        fitted=True,
    )


SCENARIOS = tuple(
    _scenario(way, kind, rows) for kind, (*_, sizes) in _DRAWS.items() for way in WAYS
    for rows in sizes
)  # fmt: skip
