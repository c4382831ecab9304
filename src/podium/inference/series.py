"""Series: scores of forecasts from successive origins, whose errors may overlap in time."""

from __future__ import annotations

import numpy as np

from podium.errors import InferenceError
from podium.inference.estimates import Estimates
from podium.inference.layouts import Layout
from podium.inference.overall import largest
from podium.inference.procedure import WITH_MANY_ORIGINS, Cited, Legal, Procedure, legal_pairs
from podium.targets import ORIGIN

ORIGINS: Legal = legal_pairs(ORIGIN)
MANY_ORIGINS = 30  # times the windows ahead: from here on the level is nearly held
BARTLETT = "bartlett"  # weighted the autocovariances, as they gave no positive variance


def horizon(layout: Layout) -> int:
    """How many successive windows a forecast reaches over, its own and those in the gap before it.

    A window of H rows begins where the one before it ends, so without a gap errors do not overlap.
    Forecasts of a single row h rows ahead, made at every row, are windows of one row with a gap of
    h - 1: `rolling-origin:100x1x2` is three rows ahead.
    """
    sampling = layout.sampling
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


DIEBOLD_MARIANO = Procedure(
    "diebold-mariano",
    "Diebold-Mariano test of each pair, corrected for few origins",
    forecasts,
    largest,
    "sidak",
    "two algorithms have equal expected performance in the process behind the series",
    "equal expected performance; the differences are stationary and correlated only within the "
    "gap; many origins, where there is a gap (three rows ahead: 10 % with 20, 6 % with 100)",
    WITH_MANY_ORIGINS,
    (Cited("Diebold, Mariano (1995)"), Cited("Harvey, Leybourne, Newbold (1997)")),
    ORIGINS,
    pairwise=True,
    margins=True,
    ordered=True,
    default_null="asymptotic",
    words="the Diebold-Mariano test of each pair, corrected for few origins",
)
PROCEDURES = (DIEBOLD_MARIANO,)
