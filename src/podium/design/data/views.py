"""The training set of a data set as arrays to compute characteristics of."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import pandas as pd
from scipy.special import gammaln

from podium.design.data.datasets import Dataset
from podium.design.data.identity import stream

MOST_ROWS = 10_000  # beyond these, the statistics are of a random part of the rows
MOST_ATTRIBUTES = 500  # and of the attributes; always the same part of data of one shape
BINS = 10  # of about equally many values, into which a number is cut for its entropy
MOST_LEVELS = 50  # of a nominal attribute that gets indicators; with more it gets none


class View:
    """The training set as arrays, each made when first needed."""

    def __init__(self, data: Dataset) -> None:
        self.data = data
        self.n, self.p = int(data.n), int(data.X.shape[1])
        self.rows = _some(self.n, MOST_ROWS, "rows")
        self.columns = _some(self.p, MOST_ATTRIBUTES, "attributes")
        frame = data.X if isinstance(data.X, pd.DataFrame) else None
        kinds = [] if frame is None else [frame.dtypes.iloc[j] for j in range(self.p)]
        self.nominal = [isinstance(k, pd.CategoricalDtype) for k in kinds] or [False] * self.p

    @cached_property
    def numbers(self) -> np.ndarray:
        """The numeric attributes, missing values as nan."""
        chosen = [j for j in self.columns if not self.nominal[j]]
        return self._rows_of(chosen).astype(float)

    def _rows_of(self, chosen: list[int]) -> np.ndarray:
        X = self.data.X
        if isinstance(X, pd.DataFrame):
            return X.iloc[self.rows, chosen].to_numpy()
        return np.asarray(X[np.ix_(self.rows, np.array(chosen, dtype=int))])

    @cached_property
    def codes(self) -> list[np.ndarray]:
        """Every attribute as codes 0, 1, ...: levels, or bins of numbers; -1 where missing."""
        return self.levels + [binned(column) for column in self.numbers.T]

    @cached_property
    def levels(self) -> list[np.ndarray]:
        """The nominal attributes as codes."""
        X = self.data.X
        if not isinstance(X, pd.DataFrame):
            return []
        chosen = [X.iloc[self.rows, j] for j in self.columns if self.nominal[j]]
        return [column.cat.codes.to_numpy(np.int64) for column in chosen]

    @cached_property
    def target(self) -> np.ndarray | None:
        """The target as codes: classes, or bins of a quantity; None where there is neither."""
        y = self.quantity if self.quantity is not None else self._labels
        if y is None:
            return None
        return y if self.quantity is None else binned(y)

    @cached_property
    def _labels(self) -> np.ndarray | None:
        return self._target_rows("iu") if self.data.classes else None

    @cached_property
    def quantity(self) -> np.ndarray | None:
        """The target of a regression."""
        return self._target_rows("f") if self.data.task == "regression" else None

    def _target_rows(self, kinds: str) -> np.ndarray | None:
        """The target of the chosen rows, None where it is no plain column of this kind."""
        if self.data.y is None:
            return None
        y = np.asarray(self.data.y)
        return y[: self.n][self.rows] if y.ndim == 1 and y.dtype.kind in kinds else None

    @cached_property
    def counts(self) -> np.ndarray | None:
        """How many rows of the whole training set each class has, classes that occur."""
        if not self.data.classes or self._labels is None:
            return None
        counts = np.bincount(self.data.y[: self.n], minlength=len(self.data.classes))
        return np.asarray(counts[counts > 0])

    @cached_property
    def standardized(self) -> np.ndarray:
        """Numbers and indicators of levels, gaps at the mean, each with mean 0 and norm 1."""
        pieces = [self.numbers]
        for codes in self.levels:
            if 2 <= (levels := int(codes.max(initial=-1)) + 1) <= MOST_LEVELS:
                pieces.append((codes[:, None] == np.arange(levels - (levels == 2))).astype(float))
        return standardized(np.hstack(pieces))

    @cached_property
    def information(self) -> np.ndarray | None:
        """The mutual information, in bits, of every attribute with the target, less chance."""
        if self.target is None:
            return None
        return np.array([mutual_information(c, self.target) for c in self.codes])

    @cached_property
    def entropies(self) -> np.ndarray:
        """The entropy of every attribute in bits."""
        return np.array([entropy(np.bincount(c[c >= 0])) for c in self.codes])

    @cached_property
    def shares(self) -> np.ndarray:
        """The shares of variance along the principal components, largest first."""
        values = np.linalg.svd(_thin(self.standardized), compute_uv=False) ** 2
        return np.asarray(values / values.sum()) if values.sum() > 0 else np.empty(0)


def _some(size: int, most: int, what: str) -> np.ndarray:
    if size <= most:
        return np.arange(size)
    return np.sort(stream(0, "characteristics", what, size).choice(size, most, replace=False))


def binned(values: np.ndarray) -> np.ndarray:
    """Codes of bins with about equally many values, equal values together; -1 where missing."""
    known = np.isfinite(values)
    codes = np.full(len(values), -1)
    if known.any():
        edges = np.unique(np.quantile(values[known], np.arange(1, BINS) / BINS))
        codes[known] = np.searchsorted(edges, values[known], side="right")
    return codes


def standardized(columns: np.ndarray) -> np.ndarray:
    """Centred columns of norm 1; constant ones are left out."""
    centred = centred_columns(columns)
    varies = np.abs(centred).max(axis=0, initial=0.0) > 0
    return np.asarray(centred[:, varies] / np.linalg.norm(centred[:, varies], axis=0))


def centred_columns(columns: np.ndarray) -> np.ndarray:
    """Columns less their means, 0 at gaps, as multiples of their largest distance from the mean."""
    known = np.isfinite(columns)
    largest = np.abs(np.where(known, columns, 0.0)).max(axis=0, initial=0.0)
    # divided first: sums of huge numbers overflow, squares of tiny ones vanish
    columns = np.where(known, columns, 0.0) / np.where(largest > 0, largest, 1.0)
    means = columns.sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    centred = np.where(known, columns - means, 0.0)
    distance = np.abs(centred).max(axis=0, initial=0.0)
    varies = distance > 1e-14  # what is left of a constant is rounding
    return np.where(varies, centred, 0.0) / np.where(varies, distance, 1.0)


def _thin(columns: np.ndarray) -> np.ndarray:
    """A matrix with the same singular values and at most as many rows as columns."""
    tall = columns.shape[0] > columns.shape[1] > 0
    return np.asarray(np.linalg.qr(columns, mode="r")) if tall else columns


def entropy(counts: np.ndarray) -> float:
    """The entropy, in bits, of shares in proportion to counts."""
    shares = counts[counts > 0] / max(counts.sum(), 1)
    return float(-(shares * np.log2(shares)).sum())


def mutual_information(a: np.ndarray, b: np.ndarray) -> float:
    """H(A) + H(B) - H(A,B) over rows with both, less its mean by chance.

    Without chance it is 0 on average, so that it may be below.
    """
    both = (a >= 0) & (b >= 0)
    if not both.any():
        return 0.0
    a, b = a[both], b[both]
    width = int(b.max()) + 1
    table = np.bincount(a * width + b, minlength=(int(a.max()) + 1) * width).reshape(-1, width)
    parts = (table.sum(axis=1), table.sum(axis=0), table.ravel())
    information = entropy(parts[0]) + entropy(parts[1]) - entropy(parts[2])
    return information - chance_information(parts[0], parts[1])


def chance_information(rows: np.ndarray, columns: np.ndarray) -> float:
    """The mean mutual information, in bits, of independent attributes with these counts.

    Over all tables with the margins, each cell hypergeometric (Vinh, Epps & Bailey 2010, Section
    5.2). The usual (R - 1)(C - 1) / 2n is far too small where cells have few rows.
    """
    n, total = int(rows.sum()), 0.0
    logs = gammaln(np.arange(n + 1) + 1.0)  # of factorials
    b, times_b = np.unique(columns[columns > 0], return_counts=True)
    for a, times_a in zip(*np.unique(rows[rows > 0], return_counts=True), strict=True):
        k = np.arange(1, a + 1)[:, None]
        rest = n - a - b + k
        possible = (k <= b) & (rest >= 0)
        chosen = logs[k] + logs[a - k] + logs[np.maximum(b - k, 0)] + logs[np.maximum(rest, 0)]
        ways = logs[a] + logs[b] + logs[n - a] + logs[n - b] - logs[n] - chosen
        shares = np.exp(np.where(possible, ways, -np.inf))
        total += times_a * float((shares * (k / n) * np.log2(n * k / (a * b)) @ times_b).sum())
    return total
