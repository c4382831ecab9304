"""Series: scores of forecasts from successive origins, whose errors may overlap in time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from podium.base.errors import InferenceError
from podium.inference.bricks.estimates import Estimates
from podium.inference.bricks.overall import largest
from podium.inference.layouts.layouts import Layout
from podium.inference.procedures.procedure import (
    APPROXIMATE,
    WITH_MANY_ORIGINS,
    Cited,
    DefaultNull,
    Legal,
    Needs,
    Procedure,
    Reports,
    legal_pairs,
)
from podium.questions.targets import ORIGIN
from podium.words.facts import CAUTION, Note

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
SMOOTHED = replace(
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
PROCEDURES = (DIEBOLD_MARIANO, SMOOTHED)
