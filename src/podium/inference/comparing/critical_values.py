"""The one difference from which on any pair is significant, where all pairs share it."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from podium.inference.comparing.comparisons import Comparisons

SAME = 1e-6  # relative, of lengths that are one
BY_RANGE = ("asymptotic", "single-step")  # the null and adjustment of the studentized range


def critical_value(comparisons: Comparisons, positions: Mapping[str, float]) -> float:
    """The critical difference of positions (mean ranks, or means); NaN where there is not one.

    It is drawn beside the bars, so it must decide every pair as the procedure did.
    """
    t = comparisons.table
    if comparisons.alternative != "two-sided" or comparisons.relevance or len(t) < 1:
        return math.nan
    first, second = (t[c].map(positions).to_numpy(float) for c in ("first", "second"))
    apart = np.abs(first - second)
    ranks = comparisons.mean_ranks is not None
    value = _of_ranks(comparisons, apart) if ranks else _of_intervals(comparisons, apart)
    significant = (t["p_adjusted"] <= comparisons.alpha).to_numpy()
    close = np.isclose(apart, value, rtol=SAME)  # decided by rounding
    return value if bool((((apart >= value) == significant) | close).all()) else math.nan


def demsar_value(comparisons: Comparisons) -> float:
    """Demšar's (2006) critical difference, q √(K(K+1)/6N), which takes no notice of ties."""
    k, n = len(comparisons.algorithms), comparisons.blocks.count
    q = _range_quantile(comparisons.alpha, k) / math.sqrt(2)
    return q * math.sqrt(k * (k + 1) / (6 * n))


def _of_intervals(comparisons: Comparisons, apart: np.ndarray) -> float:
    """Half the length of the simultaneous intervals, where all are of one length."""
    t = comparisons.table
    lengths = (t["upper"] - t["lower"]).to_numpy(float) / 2
    longest = float(lengths.max())  # NaN where one is unknown
    if not longest > 0 or np.ptp(lengths) > SAME * longest:
        return math.nan
    estimated = np.abs(t["estimate"].to_numpy(float))
    return longest if np.allclose(estimated, apart, rtol=0, atol=SAME * longest) else math.nan


def _of_ranks(comparisons: Comparisons, apart: np.ndarray) -> float:
    """Nemenyi's q / √2 times the standard error of a difference of mean ranks (Demšar 2006).

    The standard error is what the statistics were divided by, which knows of ties.
    """
    method, k = comparisons.judged, len(comparisons.algorithms)
    by_range = method is not None and (method.null.name, method.adjust.name) == BY_RANGE
    t = np.abs(comparisons.table["statistic"].to_numpy(float))
    if not by_range or len(t) != k * (k - 1) // 2 or not t.max() > 0:
        return math.nan
    error = float(apart[t.argmax()] / t.max())
    q = _range_quantile(comparisons.alpha, k)
    return q / math.sqrt(2) * error if np.allclose(apart, error * t, rtol=SAME) else math.nan


def _range_quantile(alpha: float, k: int) -> float:
    """The upper quantile of the range of k standard normal values."""
    from scipy.stats import studentized_range  # slow to load, and for rank tests by range only

    return float(studentized_range.ppf(1 - alpha, k, np.inf))
