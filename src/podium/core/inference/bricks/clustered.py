"""Means of blocks that depend on each other in clusters, or of items answered several times."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import special

from podium.core.base.errors import InferenceError
from podium.core.inference.bricks.contrasts import Pair
from podium.core.inference.layouts import Layout
from podium.core.questions.targets import ITEM
from podium.core.words.facts import REMARK, Note


def clustered_covariance(values: np.ndarray, clusters: np.ndarray) -> tuple[np.ndarray, float]:
    """The covariance of means whose errors are independent between clusters only, and its df.

    Bell and McCaffrey's bias-reduced sandwich (2002, CR2) with Satterthwaite's df, which for means
    are closed forms: totals of the deviations in a cluster of n_c of the n items count
    (1 - n_c / n)^(-1/2) times.
    """
    names, place = np.unique(clusters, return_inverse=True)
    if len(names) < 2:
        raise InferenceError("All items are in one cluster: there is no replicate to judge by.")
    sizes, n = np.bincount(place), len(values)
    totals = np.zeros((len(names), values.shape[1]))
    np.add.at(totals, place, values - values.mean(axis=0))
    totals /= np.sqrt(1 - sizes / n)[:, None]
    return totals.T @ totals / n**2, cluster_df(sizes)


def cluster_df(sizes: np.ndarray) -> float:
    """Satterthwaite's df of the mean of items in clusters of these sizes.

    n^2 / sum of M_cd^2, with M_cc = n_c and M_cd = -A_c A_d n_c n_d / n, A_c = (1 - n_c/n)^(-1/2).

    >>> cluster_df(np.array([5, 5, 5, 5])), round(cluster_df(np.array([200] + 19 * [5])), 2)
    (3.0, 2.08)
    """
    sizes = sizes.astype(float)
    n = sizes.sum()
    squares = sizes**2 / (1 - sizes / n)
    others = (squares.sum() ** 2 - (squares**2).sum()) / n**2
    return float(n**2 / ((sizes**2).sum() + others))


class Available:
    """Blocks x algorithms with gaps: every contrast on the blocks that all its algorithms have."""

    def __init__(self, values: np.ndarray, clusters: np.ndarray | None) -> None:
        self.values, self.clusters = values, clusters
        self._known: dict[bytes, tuple[np.ndarray, np.ndarray, np.ndarray]] = {}

    def covariance(self) -> np.ndarray:
        """Of the means over what each has."""
        here = ~np.isnan(self.values)
        n = np.maximum(here.sum(axis=0), 1)
        errors = np.where(here, self.values - np.nanmean(self.values, axis=0), 0.0) / n
        if self.clusters is not None:
            place = np.unique(self.clusters, return_inverse=True)[1]
            sums = np.zeros((place.max() + 1, errors.shape[1]))
            np.add.at(sums, place, errors)
            errors = sums
        count = len(errors)
        return np.asarray(errors.T @ errors * count / max(count - 1, 1))

    def contrasts(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Differences, their variances and df; NaN and one df where too few blocks are shared."""
        key = rows.tobytes()
        if key not in self._known:
            self._known[key] = self._pairs(rows) if self._are_pairs(rows) else self._each(rows)
        return self._known[key]

    def _are_pairs(self, rows: np.ndarray) -> bool:
        pairs = ((np.abs(rows) == 1).sum(axis=1) == 2) & (rows.sum(axis=1) == 0)
        return self.clusters is None and bool(pairs.all()) and bool(np.isin(rows, (-1, 0, 1)).all())

    def _pairs(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """By products of whole tables, however many pairs there are."""
        here = (~np.isnan(self.values)).astype(float)
        x = np.nan_to_num(self.values)
        i, j = rows.argmax(axis=1), rows.argmin(axis=1)
        n = (here.T @ here)[i, j]
        sums, squares = x.T @ here, (x**2).T @ here
        total = sums[i, j] - sums[j, i]
        square = squares[i, j] + squares[j, i] - 2 * (x.T @ x)[i, j]
        mean = np.where(n > 1, total / np.maximum(n, 1), np.nan)
        spread = np.maximum(square - n * mean**2, 0.0) / np.maximum(n - 1, 1)
        return mean, np.where(n > 1, spread / np.maximum(n, 1), np.nan), np.maximum(n - 1, 1)

    def _each(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        result = np.array([self._one(row) for row in rows]).reshape(-1, 3)
        return result[:, 0], result[:, 1], result[:, 2]

    def _one(self, row: np.ndarray) -> tuple[float, float, float]:
        used = self.values[:, row != 0]
        here = ~np.isnan(used).any(axis=1)
        d = (used[here] @ row[row != 0])[:, None]
        if self.clusters is None:
            n = len(d)
            return (d.mean(), d.var(ddof=1) / n, n - 1.0) if n > 1 else (np.nan, np.nan, 1.0)
        clusters = np.asarray(self.clusters)[here]
        if len(np.unique(clusters)) < 2:
            return np.nan, np.nan, 1.0
        covariance, df = clustered_covariance(d, clusters)
        return float(d.mean()), float(covariance[0, 0]), df


# -- several answers to an item -------------------------------------------------------------------
# How much of a difference's variance more answers could remove.
#
# The variance of a mean over N items with k answers each is s_item²/N + s_within²/(N k): answers
# make the second part smaller and never the first (Miller 2024).


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
