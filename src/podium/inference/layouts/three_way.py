"""Items x two conditions at once: every item under every prompt, scored by every judge.

All three are drawn: the variance of a mean has parts of each, of each two together and of the rest
(Searle, Casella and McCulloch 1992, chapter 4; Brennan 2001 for scores by raters).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
import pandas as pd

from podium.base.errors import InferenceError
from podium.inference.layouts.layouts import Layout

Effect = tuple[int, ...]  # which of first condition (0), second condition (1), items (2)
FIRST, SECOND, ITEM, BOTH = (0,), (1,), (2,), (0, 1)
EFFECTS: tuple[Effect, ...] = tuple(
    effect for size in (1, 2, 3) for effect in combinations(range(3), size)
)
# what conditions alone add to the variance of a mean, in mean squares over all scores
ADDED: dict[Effect, dict[Effect, int]] = {
    FIRST: {(0,): 1, (0, 2): -1, (0, 1): -1, (0, 1, 2): 1},
    SECOND: {(1,): 1, (1, 2): -1, (0, 1): -1, (0, 1, 2): 1},
    BOTH: {(0, 1): 1, (0, 1, 2): -1},
}


def scores_of(layout: Layout) -> np.ndarray | None:
    """First condition x second x items x algorithms; None where there are not two conditions."""
    if len(layout.crossed.factors) != 2 or layout.crossed.items is None:
        return None
    numbered = [
        pd.factorize(each) for each in (*layout.crossed.factors.values(), layout.crossed.items)
    ]
    sizes = [len(names) for _, names in numbered]
    if min(sizes) < 2:
        return None
    y = np.full((*sizes, layout.values.shape[1]), np.nan)
    y[tuple(codes for codes, _ in numbered)] = layout.values
    gone = np.argwhere(np.isnan(y[..., 0]).all(axis=2))
    if len(gone):
        (one, two), (i, j) = layout.crossed.factors, gone[0]
        raise InferenceError(
            f"Every value of '{one}' must go with every one of '{two}', and '{numbered[0][1][i]}' "
            f"does not with '{numbered[1][1][j]}': leave out one of them, or say --columns "
            f"condition={one},ignore={two} (columns=)."
        )
    return y


@dataclass(frozen=True, eq=False)
class ThreeWay:
    """Mean squares and products of all effects, each as the covariance of means that it gives."""

    means: np.ndarray
    squares: dict[Effect, np.ndarray]  # algorithms x algorithms, over the number of all scores
    sizes: tuple[int, int, int]  # of the first condition, the second, items
    names: tuple[str, str]  # of the conditions
    items: np.ndarray  # as `squares` of items, or by clusters of these
    df_items: float

    @property
    def counts(self) -> tuple[int, int]:
        """The fewer of the two conditions, and items."""
        return min(self.sizes[:2]), self.sizes[2]

    def added(self, effect: Effect) -> np.ndarray:
        """The covariance that one condition, or the two together, add; nowhere negative."""
        k = len(self.means)
        centred = np.eye(k) - 1 / k if k > 1 else np.eye(1)
        total = sum(sign * self.squares[part] for part, sign in ADDED[effect].items())
        size, axes = np.linalg.eigh(centred @ total @ centred)
        return np.asarray((axes * np.maximum(size, 0.0)) @ axes.T)

    @cached_property
    def of_conditions(self) -> np.ndarray:
        """The covariance that both conditions add to differences."""
        return np.sum([self.added(effect) for effect in ADDED], axis=0)

    @property
    def covariance(self) -> np.ndarray:
        """Of the means."""
        return self.items + self.of_conditions

    def df(self, contrasts: np.ndarray) -> np.ndarray:
        """By Satterthwaite, of the mean squares of all parts that are above 0."""

        def of(matrix: np.ndarray) -> np.ndarray:
            return np.asarray(((contrasts @ matrix) * contrasts).sum(axis=1))

        squares = {effect: of(each) for effect, each in self.squares.items()}
        weights = {effect: np.zeros(len(contrasts)) for effect in self.squares}
        for added in ADDED.values():
            there = sum(sign * squares[part] for part, sign in added.items()) > 0
            for part, sign in added.items():
                weights[part] += sign * there
        below = of(self.items) ** 2 / self.df_items
        above = of(self.items).copy()
        for effect, weight in weights.items():
            below += (weight * squares[effect]) ** 2 / degrees(effect, self.sizes)
            above += weight * squares[effect]
        least = float(min(self.sizes) - 1)
        result = np.divide(above**2, below, out=np.full(len(above), least), where=below > 0)
        return np.maximum(result, 1.0)


def degrees(effect: Effect, sizes: tuple[int, int, int]) -> int:
    """Of freedom of an effect: the product of its sizes, each less one."""
    return int(np.prod([sizes[factor] - 1 for factor in effect]))


def mean_squares(y: np.ndarray) -> dict[Effect, np.ndarray]:
    """Of every effect, of means of all scores: sums of products over df and number of scores."""
    sizes = y.shape[:3]
    squares = {}
    for effect in EFFECTS:
        each = np.zeros((*sizes, y.shape[3]))
        for size in range(len(effect) + 1):
            for kept in combinations(effect, size):
                over = tuple(axis for axis in range(3) if axis not in kept)
                each += (-1) ** (len(effect) - size) * y.mean(axis=over, keepdims=True)
        flat = each.reshape(-1, y.shape[3])
        squares[effect] = flat.T @ flat / degrees(effect, sizes) / np.prod(sizes)
    return squares
