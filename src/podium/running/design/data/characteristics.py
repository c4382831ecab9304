"""Characteristics of data sets, and the learning sample as arrays to compute them of.

The measures of StatLog (Michie, Spiegelhalter and Taylor 1994, chapter 7), the size, balance and
signal of boulesteix2013 (section 5). Each is a finite number, or None where it means nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import gammaln

from podium.core.base.registry import Registry
from podium.running.design.data.datasets import Dataset
from podium.running.design.data.identity import stream
from podium.running.design.data.processes import Process

# -- views ----------------------------------------------------------------------------------------
# The training set of a data set as arrays to compute characteristics of.


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


# -- characteristics of data sets -----------------------------------------------------------------
# What may explain on which data an algorithm does well.
#
# The measures of StatLog (Michie, Spiegelhalter and Taylor 1994, chapter 7), the size, balance
# and signal of boulesteix2013 (section 5). Each is a finite number, or None where it means
# nothing.


EXPLAINED = 0.95  # the share of variance that counts for the dimension

Value = float | int | None


@dataclass(frozen=True)
class Characteristic:
    """A number that describes a data set, and what it is."""

    definition: str
    value: Callable[[View], Value]


CHARACTERISTICS: Registry[Characteristic] = Registry("characteristic")


def characteristics(data: Dataset | Process) -> dict[str, float | None]:
    """Every characteristic of the training set; of a process, of a sample drawn from it.

    >>> from podium.running.design.data.datasets import dataset
    >>> characteristics(dataset("d", [[1], [2], [3], [4]], ["a", "a", "a", "b"]))["majority_share"]
    0.75
    """
    if isinstance(data, Process):
        data = data.sample(max(data.n, 2), stream(0, "characteristics", data.name))
    view = View(data)
    with np.errstate(all="ignore"):
        return {name: _finite(c.value(view)) for name, c in CHARACTERISTICS.items()}


def _finite(value: Value) -> float | None:
    return None if value is None or not np.isfinite(value) else round(float(value), 12)


def _defined(name: str, definition: str) -> Callable[[Callable[[View], Value]], Any]:
    return lambda value: CHARACTERISTICS.add(name, Characteristic(definition, value))


def _mean(values: np.ndarray) -> float | None:
    values = values[np.isfinite(values)]
    return float(values.mean()) if len(values) else None


def _moments(columns: np.ndarray, power: int) -> np.ndarray:
    """The mean power of the distance from the mean, in standard deviations (with divisor n)."""
    size, centred = np.isfinite(columns).sum(axis=0), centred_columns(columns)
    variance = (centred**2).sum(axis=0) / size
    return np.asarray((centred**power).sum(axis=0) / size / variance ** (power / 2))


# -- size and kinds ---------------------------------------------------------------------------


@_defined("n", "rows of the training set")
def _(v: View) -> Value:
    return v.n


@_defined("p", "attributes")
def _(v: View) -> Value:
    return v.p


@_defined("n_per_p", "rows for each attribute, n / p")
def _(v: View) -> Value:
    return v.n / v.p if v.p else None


@_defined("rows_used", f"rows that the statistics are of: all, or {MOST_ROWS} drawn from more")
def _(v: View) -> Value:
    return len(v.rows)


@_defined("attributes_used", f"attributes that they are of: all, or {MOST_ATTRIBUTES} of more")
def _(v: View) -> Value:
    return len(v.columns)


@_defined("nominal_share", "share of nominal attributes")
def _(v: View) -> Value:
    return sum(v.nominal) / v.p if v.p else None


@_defined("binary_share", "share of attributes with two values")
def _(v: View) -> Value:
    numeric = [len(np.unique(c[np.isfinite(c)])) == 2 for c in v.numbers.T]
    nominal = [len(np.unique(c[c >= 0])) == 2 for c in v.levels]
    return float(np.mean(numeric + nominal)) if v.p else None


@_defined("missing_share", "share of missing attribute values")
def _(v: View) -> Value:
    gaps = [(c < 0).mean() for c in v.codes]
    return float(np.mean(gaps)) if v.p and v.n else None


@_defined("incomplete_share", "share of rows with a missing attribute value")
def _(v: View) -> Value:
    return float(np.mean(np.any([c < 0 for c in v.codes], axis=0))) if v.p and v.n else None


# -- the target -------------------------------------------------------------------------------


@_defined("classes", "classes that occur")
def _(v: View) -> Value:
    return None if v.counts is None else len(v.counts)


@_defined("class_entropy", "entropy of the classes over that of equally many: 1 is balanced")
def _(v: View) -> Value:
    if v.counts is None or len(v.counts) < 2:
        return None
    return entropy(v.counts) / float(np.log2(len(v.counts)))


@_defined("majority_share", "share of the most frequent class")
def _(v: View) -> Value:
    return None if v.counts is None else float(v.counts.max() / v.counts.sum())


@_defined("minority_share", "share of the rarest class that occurs")
def _(v: View) -> Value:
    return None if v.counts is None else float(v.counts.min() / v.counts.sum())


@_defined("target_skewness", "skewness of a quantity to predict")
def _(v: View) -> Value:
    if v.quantity is None:
        return None
    return float(_moments(v.quantity[:, None], 3)[0])


# -- the attributes ---------------------------------------------------------------------------


@_defined("skewness", "mean absolute skewness of the numeric attributes")
def _(v: View) -> Value:
    return _mean(np.abs(_moments(v.numbers, 3)))


@_defined("kurtosis", "mean kurtosis (fourth standardized moment; 3 is normal) of the same")
def _(v: View) -> Value:
    return _mean(_moments(v.numbers, 4))


@_defined("correlation", "mean absolute correlation of pairs of numeric attributes")
def _(v: View) -> Value:
    X = standardized(v.numbers)
    p = X.shape[1]
    return float((np.abs(X.T @ X).sum() - p) / (p * (p - 1))) if p > 1 else None


@_defined("attribute_entropy", f"mean entropy of the attributes in bits, numbers in {BINS} bins")
def _(v: View) -> Value:
    return _mean(v.entropies)


@_defined("first_component", "share of variance along the first principal component")
def _(v: View) -> Value:
    return float(v.shares[0]) if len(v.shares) else None


@_defined("dimension", f"principal components that hold {EXPLAINED:.0%} of the variance")
def _(v: View) -> Value:
    if not len(v.shares):
        return None
    return int(np.searchsorted(np.cumsum(v.shares), EXPLAINED - 1e-9)) + 1


# -- attributes and target --------------------------------------------------------------------


@_defined(
    "signal", "mean mutual information of attributes with the target, over the target's entropy"
)
def _(v: View) -> Value:
    return _over_target(v, np.mean)


@_defined("strongest_signal", "the same of the attribute that tells most about the target")
def _(v: View) -> Value:
    return _over_target(v, np.max)


def _over_target(v: View, summary: Callable[[np.ndarray], Any]) -> Value:
    if v.information is None or v.target is None or not len(v.information):
        return None
    bits = entropy(np.bincount(v.target[v.target >= 0]))
    return max(float(summary(v.information)), 0.0) / bits if bits > 0 else None


@_defined("equivalent_attributes", "entropy of the target over the mean mutual information")
def _(v: View) -> Value:
    signal = _over_target(v, np.mean)
    return 1 / signal if signal else None


@_defined("noise_ratio", "mean entropy of attributes that is not about the target, over what is")
def _(v: View) -> Value:
    if v.information is None or not len(v.information) or not v.information.mean() > 0:
        return None
    return float(v.entropies.mean() / v.information.mean() - 1)


@_defined("canonical_correlation", "first one of attributes and classes; multiple R of a quantity")
def _(v: View) -> Value:
    if v.target is None or not v.standardized.shape[1]:
        return None
    y = v.quantity[:, None] if v.quantity is not None else np.eye(int(v.target.max()) + 1)[v.target]
    bases = [_basis(columns) for columns in (v.standardized, standardized(y.astype(float)))]
    if not all(b.shape[1] for b in bases) or bases[0].shape[1] >= len(v.rows) - 1:
        return None  # as many directions as rows fit anything
    return min(float(np.linalg.norm(bases[0].T @ bases[1], 2)), 1.0)


def _basis(columns: np.ndarray) -> np.ndarray:
    """Orthonormal columns that span the same space; by the smaller of the two matrices."""
    if columns.shape[1] > columns.shape[0]:
        squares, basis = np.linalg.eigh(columns @ columns.T)
        return np.asarray(basis[:, squares > 1e-10 * squares.max(initial=0.0)])
    squares, turn = np.linalg.eigh(columns.T @ columns)
    kept = squares > 1e-10 * squares.max(initial=0.0)
    return np.asarray(columns @ turn[:, kept] / np.sqrt(squares[kept]))
