"""Means of blocks that depend on each other in clusters, or that some algorithms lack."""

from __future__ import annotations

import numpy as np

from podium.base.errors import InferenceError


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
