"""Items x conditions: every item under each of several prompts, by several judges, or both.

Scores share the luck of their item and of their condition. About new items and new conditions the
variance of a mean has both (Clark 1973); about these very conditions that of items alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from podium.core.base.errors import InferenceError
from podium.core.inference.bricks.clustered import clustered_covariance
from podium.core.inference.bricks.contrasts import all_pairs, matrix
from podium.core.inference.bricks.estimates import Estimates
from podium.core.inference.bricks.nulls import largest
from podium.core.inference.bricks.quantities import MEAN, gives
from podium.core.inference.layouts import Layout
from podium.core.inference.procedures.crossed import (
    MeanSquares,
    mean_squares,
    shared_runs,
    whole_items,
)
from podium.core.inference.procedures.procedure import (
    CONTRASTS,
    SINGLE_STEP,
    Bare,
    Cited,
    DefaultNull,
    Needs,
    Procedure,
    Reports,
    legal_pairs,
)
from podium.core.questions.targets import CONDITION_ITEM, ITEM, TEST_SET
from podium.core.words.facts import CAUTION, REMARK, Note

# -- items x two conditions at once ---------------------------------------------------------------
# Every item under every prompt, scored by every judge.
#
# All three are drawn: the variance of a mean has parts of each, of each two together and of the
# rest (Searle, Casella and McCulloch 1992, chapter 4; Brennan 2001 for scores by raters).


Effect = tuple[int, ...]  # which of first condition (0), second condition (1), items (2)
FIRST, SECOND, THREE_WAY_ITEM, BOTH = (0,), (1,), (2,), (0, 1)
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
            f"does not with '{numbered[1][1][j]}': leave out one of them, or use --columns "
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


def three_way_squares(y: np.ndarray) -> dict[Effect, np.ndarray]:
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


# -- items x conditions ---------------------------------------------------------------------------
# Every item is tried under each of several prompts, or by several judges.
#
# Scores share the luck of their item and of their condition. About new items and new conditions
# the variance of a mean has both (Clark 1973); about these very conditions that of items alone.


FEW_CONDITIONS = 5


@dataclass(frozen=True, eq=False)
class Crossing:
    """Covariances of the means by items and by conditions, less the rest, with their df."""

    means: np.ndarray
    items: np.ndarray
    conditions: np.ndarray
    rest: np.ndarray
    counts: tuple[int, int]  # conditions and items
    df_items: float

    @property
    def of_conditions(self) -> np.ndarray:
        """The covariance that conditions alone add to differences, nowhere negative."""
        k = len(self.means)
        centred = np.eye(k) - 1 / k if k > 1 else np.eye(1)  # one alone differs from nobody
        size, axes = np.linalg.eigh(centred @ (self.conditions - self.rest) @ centred)
        return np.asarray((axes * np.maximum(size, 0.0)) @ axes.T)

    @property
    def covariance(self) -> np.ndarray:
        """Of the means."""
        return self.items + self.of_conditions

    def df(self, contrasts: np.ndarray) -> np.ndarray:
        """By Satterthwaite, of all three mean squares."""
        a, b, r = (
            ((contrasts @ s) * contrasts).sum(axis=1)
            for s in (self.items, self.conditions, self.rest)
        )
        few, many = self.counts[0] - 1, self.counts[1] - 1
        below = a**2 / self.df_items + b**2 / few + r**2 / (few * many)
        result = np.divide(
            (a + b - r) ** 2, below, out=np.full(len(a), float(few)), where=below > 0
        )
        return np.maximum(result, 1.0)


def crossing(layout: Layout) -> Crossing | ThreeWay:
    """The analysis of variance of all algorithms' scores, of two conditions by three ways."""
    scores = scores_of(layout)
    if scores is not None:
        return _three_way(layout, scores)
    squares: MeanSquares = mean_squares(layout)
    size = squares.counts[0] * squares.counts[1]
    items, df = squares.items / size, float(squares.counts[1] - 1)
    if layout.items.clusters is not None:
        by_item = _over_conditions(layout)
        items, df = clustered_covariance(by_item.values, np.asarray(by_item.items.clusters))
    return Crossing(
        squares.means,
        items,
        squares.training_sets / size,
        squares.rest / size,
        squares.counts,
        df,
    )


def _three_way(layout: Layout, scores: np.ndarray) -> ThreeWay:
    squares, sizes = three_way_squares(scores), scores.shape[:3]
    items, df = squares[THREE_WAY_ITEM], float(sizes[2] - 1)
    if layout.items.clusters is not None:
        by_item = _over_conditions(layout)
        items, df = clustered_covariance(by_item.values, np.asarray(by_item.items.clusters))
    one, two = layout.crossed.factors
    return ThreeWay(scores.mean(axis=(0, 1, 2)), squares, sizes, (one, two), items, df)


@gives(MEAN)
def condition_means(layout: Layout) -> Estimates:
    """Means over items and conditions, with the variance that both of them cause."""
    result = crossing(layout)
    return Estimates(result.means, result.covariance, df=result.df, in_units=True)


def arranged(layout: Layout) -> Layout:
    """The layout as it is analysed: complete, or over these conditions where these are meant."""
    layout = whole_items(shared_runs(layout))
    conditions, items = (
        pd.unique(np.asarray(v)) for v in (layout.crossed.training_sets, layout.crossed.items)
    )
    if len(items) < 2:
        raise InferenceError(
            f"Items under several conditions are compared from 2 items on; there are {len(items)} "
            f"that all algorithms have under all {len(conditions)}."
        )
    if layout.target != TEST_SET:
        return layout
    made = _over_conditions(layout)
    note = Note("these-conditions", REMARK, conditions=len(conditions))
    return replace(made, notes=(*made.notes, note))


def _over_conditions(layout: Layout) -> Layout:
    """The mean of every item over its conditions."""
    item, names = pd.factorize(layout.crossed.items)
    values = pd.DataFrame(layout.values).groupby(item).mean().to_numpy()
    first = np.unique(item, return_index=True)[1]
    clusters = None if layout.items.clusters is None else layout.items.clusters[first]
    strata = None if layout.items.strata is None else layout.items.strata[first]
    made = replace(
        layout,
        values=values,
        block=ITEM,
        items=replace(layout.items, clusters=clusters, strata=strata, answers=None),
    )
    return replace(
        made,
        labels=tuple(map(str, names)),
        crossed=replace(made.crossed, training_sets=None, items=None, factors={}),
    )


def about_conditions(layout: Layout, procedure: Any, request: Any) -> Iterator[Note]:
    """What a difference varies by, and whether conditions are few."""
    result = crossing(layout)
    k = len(result.means)

    def of_pairs(covariance: np.ndarray) -> float:
        return float(2 * (np.trace(covariance) - covariance.sum() / k) / (k - 1))

    items, conditions = of_pairs(result.items), of_pairs(result.of_conditions)
    total = items + conditions
    contrasts = matrix(all_pairs(k), k)
    least = float(result.df(contrasts).min())
    facts = {"conditions": result.counts[0], "items": result.counts[1]}
    narrower = 1 - float(np.sqrt(items / total)) if total > 0 else 0.0
    if isinstance(result, ThreeWay):
        parts = [of_pairs(result.added(effect)) for effect in ADDED]
        shares = tuple(part / total if total > 0 else 0.0 for part in parts)
        sizes = tuple(zip(result.names, result.sizes[:2], strict=True))
        parts_of_it = {"sizes": sizes, "shares": shares, "items": result.counts[1]}
        yield Note("condition-parts", REMARK, narrower=narrower, **parts_of_it)
        if result.counts[0] < FEW_CONDITIONS:
            few = tuple((name, size) for name, size in sizes if size < FEW_CONDITIONS)
            yield Note("few-conditions", CAUTION, df=least, sizes=few, items=result.counts[1])
        return
    if total > 0:
        share = conditions / total
        yield Note("condition-parts", REMARK, share=share, narrower=narrower, **facts)
    if result.counts[0] < FEW_CONDITIONS:
        yield Note("few-conditions", CAUTION, df=least, **facts)


CONDITIONS_T = Procedure(
    "conditions-t",
    "t test of each pair over items and conditions",
    condition_means,
    largest,  # few conditions have too few df for all algorithms at once
    "sidak",
    "two algorithms have equal expected performance over new items and new conditions",
    "equal expected performance; effects of items and of conditions nearly normal (4 to 6 %; 8 % "
    "with 3 conditions and 11 % with 2 that matter)",
    SINGLE_STEP,
    (Cited("Clark (1973)"), Cited("Satterthwaite (1946)")),
    legal_pairs(CONDITION_ITEM),
    words="t tests of each pair, with items and conditions (prompts, judges) as random effects",
    needs=Needs(margins=True, clusters=True),
    reports=Reports(cautions=about_conditions),
    nulls=DefaultNull(default="asymptotic"),
    bare=Bare(
        (CONTRASTS,),
        title="t test over items and conditions",
        words="t tests with items and conditions (prompts, judges) as random effects",
    ),
)
PROCEDURES = (CONDITIONS_T,)
