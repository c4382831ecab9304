"""Held-out items of one cross-validation: the central limit theorem of Bayle et al. (2020)."""

from __future__ import annotations

import numpy as np

from podium.inference.bricks.estimates import Estimates
from podium.inference.bricks.overall import quadratic
from podium.inference.bricks.scores import aligned
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
