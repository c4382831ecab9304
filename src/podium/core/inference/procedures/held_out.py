"""One sample, cut by folds or by time: held-out items, nested folds, successive origins."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from podium.core.base.errors import InferenceError
from podium.core.inference.bricks.estimates import Estimates
from podium.core.inference.bricks.nulls import largest, quadratic
from podium.core.inference.bricks.quantities import MEAN, gives
from podium.core.inference.bricks.scales import aligned
from podium.core.inference.layouts import Layout
from podium.core.inference.procedures.procedure import (
    APPROXIMATE,
    CONTRASTS,
    WITH_MANY_ORIGINS,
    Bare,
    Cited,
    DefaultNull,
    Legal,
    Needs,
    Procedure,
    Reports,
    derive,
    legal_pairs,
)
from podium.core.questions.targets import FOLD_MODELS, HELD_OUT, ORIGIN
from podium.core.words.facts import CAUTION, Note


@gives(MEAN)
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
    bare=Bare(
        (CONTRASTS,),
        title="normal test over all held-out items of one cross-validation",
        words="normal tests over all held-out items of the cross-validation",
    ),
)


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


# -- forecasts from successive origins ------------------------------------------------------------
# Series: scores of forecasts from successive origins, whose errors may overlap in time.


ORIGINS: Legal = legal_pairs(ORIGIN)
MANY_ORIGINS = 30  # times the windows ahead: from here on the level is nearly held
FEWEST_COSINES = 2
BARTLETT = "bartlett"  # weighted the autocovariances, as they gave no positive variance


def horizon(layout: Layout) -> int:
    """How many successive windows a forecast reaches over, its own and those in the gap before it.

    A window of H rows begins where the one before it ends, so without a gap errors do not overlap.
    Forecasts of a single row h rows ahead, made at every row, are windows of one row with a gap of
    h - 1: `rolling-origin:100x1x2` is three rows ahead.
    """
    sampling = layout.origin.sampling
    if sampling is None or sampling.replicate != ORIGIN:
        return 1
    return 1 + -(-sampling.gap // (sampling.rows or 1))


def long_run(d: np.ndarray, steps: int) -> tuple[float, bool]:
    """The variance of the mean of a series, and whether it had to be made positive.

    Of the autocovariances, those below `steps` count (Diebold and Mariano 1995), times Harvey,
    Leybourne and Newbold's factor n / (n + 1 - 2h + h (h-1) / n) for few values (1997, eq. 9).
    """
    n = len(d)
    own = d - d.mean()
    lags = np.array([own[: n - k] @ own[k:] / n for k in range(steps)])
    factor = n + 1 - 2 * steps + steps * (steps - 1) / n
    variance = float(lags[0] + 2 * lags[1:].sum())
    negative = variance <= 1e-12 * lags[0] < lags[0]
    if negative:
        weights = 1 - np.arange(1, steps) / steps
        variance = float(lags[0] + 2 * weights @ lags[1:])
    return variance / factor, negative


def smoothed(d: np.ndarray) -> tuple[float, int]:
    """The variance of the mean of a series by few cosines, and its df.

    Squared sums of d cos(pi j (t - 1/2) / n) for j = 1 ... B are nearly independent, each of the
    long-run variance, whatever the autocorrelation; B = 0.4 n^(2/3) of them make the mean nearly t
    with B df (Lazarus, Lewis, Stock, Watson 2018, eq. 4 and rule for B).
    """
    n = len(d)
    count = max(FEWEST_COSINES, int(0.4 * n ** (2 / 3)))
    angles = np.pi * np.outer(np.arange(1, count + 1), (np.arange(n) + 0.5) / n)
    sums = np.sqrt(2 / n) * np.cos(angles) @ d
    return float((sums**2).mean() / n), count


@gives(MEAN)
def smoothed_forecasts(layout: Layout) -> Estimates:
    """The mean difference of two algorithms' scores; its variance allows for any dependence."""
    d = layout.values[:, 0] - layout.values[:, 1]
    variance, df = smoothed(d - d.mean())
    return Estimates(
        np.array([d.mean(), 0.0]), np.diag([variance, 0.0]), df=float(df), in_units=True
    )


def autocorrelations(d: np.ndarray, lags: int) -> np.ndarray:
    """Of a series, from lag 1 on; zero where nothing varies."""
    own = d - d.mean()
    size = float(own @ own)
    if size <= 1e-24 * float(d @ d):
        return np.zeros(lags)
    return np.array([own[:-k] @ own[k:] / size for k in range(1, lags + 1)])


@gives(MEAN)
def forecasts(layout: Layout) -> Estimates:
    """The mean difference of two algorithms' scores with its long-run variance; B - 1 df."""
    steps, n = horizon(layout), len(layout.values)
    if n <= steps:
        raise InferenceError(
            f"Forecasts that reach {steps} windows ahead need more than {steps} origins, not {n}; "
            "draw more origins, as in rolling-origin:50."
        )
    d = layout.values[:, 0] - layout.values[:, 1]
    variance, negative = long_run(d, steps)
    return Estimates(
        np.array([d.mean(), 0.0]),
        np.diag([variance, 0.0]),
        df=n - 1,
        in_units=True,
        remark=BARTLETT if negative else "",
    )


def liberal_in_time(layout: Layout, procedure: Any, request: Any) -> Iterator[Note]:
    """How often it errs in series in time, whatever these scores show of it."""
    yield Note("liberal-in-time", CAUTION, procedure=procedure.name)


DIEBOLD_MARIANO = Procedure(
    "diebold-mariano",
    "Diebold-Mariano test of each pair, corrected for few origins",
    forecasts,
    largest,
    "sidak",
    "two algorithms have equal expected performance in the process behind the series",
    "equal expected performance; the differences are stationary and correlated only within the "
    "gap (where neighbours correlate by 0.5: 24 to 27 % of two algorithms, 48 % of five); many "
    "origins, where there is a gap (three rows ahead: 10 % with 20, 6 % with 100)",
    WITH_MANY_ORIGINS,
    (Cited("Diebold, Mariano (1995)"), Cited("Harvey, Leybourne, Newbold (1997)")),
    ORIGINS,
    pairwise=True,
    words="the Diebold-Mariano test of each pair, corrected for few origins",
    needs=Needs(margins=True, ordered=True),
    nulls=DefaultNull(default="asymptotic"),
    reports=Reports(cautions=liberal_in_time),
)
SMOOTHED = derive(
    DIEBOLD_MARIANO,
    name="diebold-mariano-fixed",
    title="Diebold-Mariano test of each pair with fixed smoothing",
    words="the Diebold-Mariano test of each pair, its long-run variance from few cosines (fixed "
    "smoothing)",
    estimate=smoothed_forecasts,
    null="equal expected performance; the differences are stationary, their autocorrelation fades "
    "(neighbours correlate by 0.5: 6 % with 20 and 50 origins; by 0.7: 7 to 8 %; by 0.9: 15 to "
    "21 %)",
    controls=APPROXIMATE,
    reports=Reports(),
    references=(
        Cited("Diebold, Mariano (1995)"),
        Cited("Lazarus, Lewis, Stock, Watson (2018)"),
        Cited("Coroneo, Iacone (2020)"),
    ),
    needs=replace(DIEBOLD_MARIANO.needs, least=3),
)


PROCEDURES = (CV_CLT, DIEBOLD_MARIANO, SMOOTHED)
