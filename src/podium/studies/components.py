"""The variance of differences over data sets, and the part of it that resampling adds.

boulesteix2013 (section 3, equation 4): the variance of a difference between data sets is that of
the true differences plus each data set's own sampling error. One sample per data set cannot tell
these two apart, and neither can resamples of it; what resamples do show is their own noise, the
only part that more samples per data set make smaller.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from podium.studies.power import sd_interval

Floats = NDArray[np.float64]
COLUMNS = [
    "first", "second", "datasets", "samples", "difference",
    "sd", "sd_lower", "sd_upper",
    "between_sd", "between_lower", "between_upper", "resampling_sd",
]  # fmt: skip


def components(cells: list[Floats], algorithms: tuple[str, ...], level: float = 0.95) -> Any:
    """A row per pair: sd of the differences between data sets, and its two components.

    `cells` holds for every data set its replicates x algorithms, which are independent given the
    data set. `sd` is of the data sets' mean differences as they are; `between_sd` would be left if
    every data set had infinitely many replicates, `resampling_sd` is of a single replicate's
    difference within a data set. Intervals are of normal theory; where no data set has two
    replicates, the components are unknown (NaN).
    """
    rows = [
        (algorithms[a], algorithms[b], *_pair([c[:, a] - c[:, b] for c in cells], level))
        for a, b in combinations(range(len(algorithms)), 2)
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def _pair(differences: list[Floats], level: float) -> tuple[float, ...]:
    kept = [d for d in (d[~np.isnan(d)] for d in differences) if len(d)]
    means = np.array([d.mean() for d in kept])
    sizes = np.array([len(d) for d in kept])
    harmonic = len(sizes) / (1 / sizes).sum() if len(sizes) else np.nan
    if len(means) < 2:
        return (len(means), harmonic, means.mean() if len(means) else np.nan, *[np.nan] * 7)
    sd = float(means.std(ddof=1))
    within = float(sum(((d - d.mean()) ** 2).sum() for d in kept))
    df = int((sizes - 1).sum())
    parts = _between(sd, within / df, len(means), df, harmonic, level) if df else (np.nan,) * 4
    low, high = sd_interval(sd, len(means), level)
    return (len(means), harmonic, float(means.mean()), sd, float(low), float(high), *parts)


def _between(
    sd: float, noise: float, datasets: int, df: int, samples: float, level: float
) -> tuple[float, float, float, float]:
    """The sd between data sets with its interval, and that of resampling.

    sd² estimates between² + resampling² / samples; the interval of a difference of two mean squares
    is Ting's (Ting et al. 1990; Burdick and Graybill 1992, section 3.3).
    """
    large, small = sd**2, noise / samples
    low, high = _difference_interval(large, small, datasets - 1, df, (1 - level) / 2)
    variances = np.maximum([large - small, low, high, noise], 0.0)
    return tuple(np.sqrt(variances).tolist())


def _difference_interval(
    large: float, small: float, df1: int, df2: int, tail: float
) -> tuple[float, float]:
    """The interval of E(large) - E(small), two independent mean squares."""
    f = stats.f
    upper, lower = f.isf(tail, df1, df2), f.isf(1 - tail, df1, df2)
    g1, h1 = 1 - df1 / stats.chi2.isf(tail, df1), df1 / stats.chi2.isf(1 - tail, df1) - 1
    g2, h2 = 1 - df2 / stats.chi2.isf(tail, df2), df2 / stats.chi2.isf(1 - tail, df2) - 1
    g12 = ((upper - 1) ** 2 - g1**2 * upper**2 - h2**2) / upper
    h12 = ((1 - lower) ** 2 - h1**2 * lower**2 - g2**2) / lower
    down = g1**2 * large**2 + h2**2 * small**2 + g12 * large * small
    up = h1**2 * large**2 + g2**2 * small**2 + h12 * large * small
    found = large - small
    return found - np.sqrt(max(down, 0.0)), found + np.sqrt(max(up, 0.0))
