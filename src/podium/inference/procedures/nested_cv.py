"""Nested cross-validation: an interval of one algorithm's expected error.

The errors of a cross-validation are correlated, so that its plain standard error is too small. An
inner cross-validation of all folds but one estimates what the held-out fold will show, and the mean
square of what it misses by is how far a cross-validation is off (Bates, Hastie, Tibshirani 2024,
algorithm 1 and section 4.3).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from podium.base.errors import InferenceError
from podium.inference.layouts.layouts import Layout


@dataclass(frozen=True)
class NestedError:
    """An estimate of the expected score without the bias of smaller samples, and its error."""

    estimate: float
    error: float
    plain: float  # the standard error that takes all rows for independent


def nested_error(scores: np.ndarray, n: int) -> NestedError:
    """From means of 0-1 scores, repeats x outer folds x inner folds, of n rows.

    The diagonal holds the outer models' scores on their own folds. Of a mean p of m scores of 0 and
    1 the variance is estimated by p (1 - p) / (m - 1).
    """
    k = scores.shape[1]
    own = np.eye(k, dtype=bool)
    outer = scores[:, own]
    inner = scores[:, ~own].reshape(len(scores), k, k - 1).mean(axis=2)
    size = n / k
    missed = float(((inner - outer) ** 2).mean())
    noise = float((outer * (1 - outer)).mean()) / (size - 1)
    whole = float(outer.mean())
    plain = math.sqrt(whole * (1 - whole) / n)
    # a cross-validation of fewer rows was looked at; and no less than plain, nor k-fold its square
    result = math.sqrt(max(missed - noise, 0.0) * (k - 1) / k)
    error = min(max(result, plain), math.sqrt(k) * plain)
    smaller = (1 + (k - 2) / k) * (float(inner.mean()) - whole)
    return NestedError(float(inner.mean()) - smaller, error, plain)


def nested_of(layout: Layout) -> NestedError:
    """Of the one algorithm of a layout, in the layout's own sign."""
    sampling, n = layout.origin.sampling, layout.origin.rows
    k = sampling.folds if sampling else None
    values = layout.values[:, 0]
    if not k or n is None or len(values) % (k * k) or np.isnan(values).any():
        raise InferenceError(
            "Nested cross-validation needs the scores of all its fits, and the number of rows: run "
            "it by a study with the sampling nested-cv:10x10."
        )
    if layout.measure.unit != "share" or n < 2 * k:
        raise InferenceError(
            "Nested cross-validation is for shares of rows (error, accuracy), whose mean tells how "
            "they vary within a fold, with at least 2 rows in each; not for "
            f"'{layout.measure.name}' of {n} rows in {k} folds."
        )
    result = nested_error(layout.sign * values.reshape(-1, k, k), n)
    return NestedError(layout.sign * result.estimate, result.error, result.plain)
