"""Several answers to an item: how much of a difference's variance more answers could remove.

The variance of a mean over N items with k answers each is s_item²/N + s_within²/(N k): answers make
the second part smaller and never the first (Miller 2024).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import special

from podium.inference.bricks.clustered import clustered_covariance
from podium.inference.bricks.contrasts import Pair
from podium.inference.layouts.layouts import Layout
from podium.questions.targets import ITEM
from podium.words.facts import REMARK, Note

POWER = 0.8


def within_variances(layout: Layout) -> np.ndarray:
    """The variance between answers to one item, of every algorithm, over all its items."""
    assert layout.items.answers is not None
    free = np.maximum(layout.items.answers.count - 1, 0)
    squares = np.where(free > 0, np.nan_to_num(layout.items.answers.variance) * free, 0.0)
    total = free.sum(axis=0)
    return np.divide(squares.sum(axis=0), total, out=np.full(len(total), np.nan), where=total > 0)


@dataclass(frozen=True, eq=False)
class AnswerParts:
    """What the variance of scores and of differences is made of; `pairs` tells what is detectable.

    `between_sd` is of items if each had all its answers, `within_sd` of single answers to one item.
    `detectable` is found with power 0.8 where all pairs share alpha, `at_best` with any number of
    answers to the same items.
    """

    items: int
    answers: tuple[int, int]  # the least and the largest number to an item
    algorithms: pd.DataFrame
    pairs: pd.DataFrame

    def to_dict(self) -> dict[str, Any]:
        """The contract's object."""
        names = ("items", "answers", "algorithms", "pairs")
        return {name: getattr(self, name) for name in names}

    def note(self, measure: str) -> Note:
        """The pair in the middle, as a fact."""
        shares, at_best = (self.pairs[n].to_numpy(float) for n in ("within_share", "at_best"))
        middle = int(np.argsort(shares)[(len(shares) - 1) // 2])
        return Note(
            "answers-parts",
            REMARK,
            within=float(shares[middle]),
            now=float(self.pairs["detectable"].iloc[middle]),
            at_best=float(at_best[middle]),
            answers=self.answers,
            items=self.items,
            measure=measure,
            pairs=len(shares),
        )


def answer_parts(layout: Layout, pairs: tuple[Pair, ...], alpha: float) -> AnswerParts | None:
    """The parts of a layout of items with several answers; None of others, and of one item."""
    if layout.items.answers is None or layout.block != ITEM:
        return None
    layout = layout.complete()
    within = within_variances(layout) if len(layout.values) > 1 else np.array([np.nan])
    if np.isnan(within).any() or layout.items.answers is None:
        return None
    n, each = len(layout.values), layout.items.answers.count
    of_answers = within * (1 / np.maximum(each, 1)).sum(axis=0) / n**2  # of every mean
    of_means = np.diag(_covariance(layout)) if len(layout.algorithms) else of_answers
    between = np.sqrt(np.maximum(of_means - of_answers, 0.0) * n)
    algorithms = pd.DataFrame(
        {"algorithm": layout.algorithms, "between_sd": between, "within_sd": np.sqrt(within)}
    )
    return AnswerParts(
        n,
        (int(each.min()), int(each.max())),
        algorithms,
        _of_pairs(layout, pairs, of_answers, alpha),
    )


def _covariance(layout: Layout) -> np.ndarray:
    """Of the means over items, clusters heeded."""
    if layout.items.clusters is not None and len(np.unique(layout.items.clusters)) > 1:
        return clustered_covariance(layout.values, layout.items.clusters)[0]
    return np.atleast_2d(np.cov(layout.values, rowvar=False)) / len(layout.values)


def _of_pairs(
    layout: Layout, pairs: tuple[Pair, ...], of_answers: np.ndarray, alpha: float
) -> pd.DataFrame:
    first, second = np.array(pairs).reshape(-1, 2).T
    v = _covariance(layout)
    total = v[first, first] + v[second, second] - 2 * v[first, second]
    answers = of_answers[first] + of_answers[second]
    items = np.maximum(total - answers, 0.0)
    share = np.divide(answers, total, out=np.zeros(len(total)), where=total > 0)
    alpha /= max(len(pairs), 1)  # each pair at its share, as plans do
    times = special.ndtri(1 - alpha / 2) + special.ndtri(POWER)
    names = np.array(layout.algorithms, dtype=object)
    return pd.DataFrame(
        {
            "first": names[first],
            "second": names[second],
            "between_sd": np.sqrt(items * len(layout.values)),
            "within_share": np.minimum(share, 1.0),
            "detectable": times * np.sqrt(total),
            "at_best": times * np.sqrt(items),
        }
    )
