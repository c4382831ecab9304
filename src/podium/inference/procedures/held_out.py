"""Intervals of one cross-validation: held-out items, and nested folds."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from podium.base.errors import InferenceError
from podium.inference.bricks.estimates import Estimates
from podium.inference.bricks.overall import quadratic
from podium.inference.bricks.scales import aligned
from podium.inference.layouts.layouts import Layout
from podium.inference.procedures.procedure import (
    APPROXIMATE,
    Cited,
    DefaultNull,
    Needs,
    Procedure,
    legal_pairs,
)
from podium.questions.targets import FOLD_MODELS, HELD_OUT


def held_out_means(layout: Layout) -> Estimates:
    """Means over all held-out items, with the variance of these scores over their number.

    The all-pairs estimate with divisor n (Bayle et al. 2020, section 4); the law is normal.
    """
    n, k = layout.values.shape
    own = aligned(layout.values) if k > 1 else layout.values
    covariance = np.cov(own, rowvar=False, bias=True).reshape(k, k) / n
    return Estimates(layout.values.mean(axis=0), covariance, in_units=True)


CV_CLT = Procedure(
    "cv-clt",
    "normal test of each pair over all held-out items of one cross-validation",
    held_out_means,
    quadratic,
    "sidak",
    "the fitted models of two algorithms, one of each fold, have equal mean risk",
    "equal mean risk of these models; losses that hardly change with one training row, which fails "
    "for algorithms that are close to each other: nominal 95 % intervals cover about 85 % (79 to "
    "88) where one linear model contains the other, 94 % where not",
    APPROXIMATE,
    (Cited("Bayle et al. (2020)"),),
    legal_pairs(HELD_OUT) & {(HELD_OUT, FOLD_MODELS)},
    words="normal tests of each pair over all held-out items of the cross-validation",
    needs=Needs(margins=True),
    nulls=DefaultNull(default="asymptotic"),
)
PROCEDURES = (CV_CLT,)


# -- nested cross-validation ----------------------------------------------------------------------
# An interval of one algorithm's expected error.
#
# The errors of a cross-validation are correlated, so that its plain standard error is too small.
# An inner cross-validation of all folds but one estimates what the held-out fold will show, and
# the mean square of what it misses by is how far a cross-validation is off (Bates, Hastie,
# Tibshirani 2024, algorithm 1 and section 4.3).


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
            "Nested cross-validation is for shares of rows (error, accuracy), whose mean "
            "determines how they vary within a fold, with at least 2 rows in each; not for "
            f"'{layout.measure.name}' of {n} rows in {k} folds."
        )
    result = nested_error(layout.sign * values.reshape(-1, k, k), n)
    return NestedError(layout.sign * result.estimate, result.error, result.plain)
