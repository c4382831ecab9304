"""Characteristics of data sets: what may explain on which data an algorithm does well.

The measures of StatLog (Michie, Spiegelhalter and Taylor 1994, chapter 7), the size, balance and
signal of boulesteix2013 (section 5). Each is a finite number, or None where it means nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from podium.base.registry import Registry
from podium.design.data.datasets import Dataset
from podium.design.data.identity import stream
from podium.design.data.processes import Process
from podium.design.data.views import (
    BINS,
    MOST_ATTRIBUTES,
    MOST_ROWS,
    View,
    centred_columns,
    entropy,
    standardized,
)

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

    >>> from podium.design.data.datasets import dataset
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
