"""One algorithm alone: an interval of its expected score (dietterich1998, questions 1, 2, 5, 6)."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
from scipy import stats

from podium.inference.advice import is_binary
from podium.inference.estimates import test_train_ratio
from podium.inference.layouts import Layout, clustered
from podium.inference.nulls import check_alpha

COLUMNS = ["algorithm", "blocks", "mean", "lower", "upper", "method"]


def alone(layout: Layout, alpha: float = 0.05) -> pd.DataFrame:
    """Every algorithm's mean with an interval of its own, at 1 - alpha, in the measure's sign.

    These intervals are about one algorithm each; that two overlap says nothing about a difference.
    """
    check_alpha(alpha)
    layout = clustered(layout)
    rows = [
        (name, *_interval(layout, layout.sign * values[~np.isnan(values)], alpha))
        for name, values in zip(layout.algorithms, layout.values.T, strict=True)
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def _interval(
    layout: Layout, values: np.ndarray, alpha: float
) -> tuple[int, float, float, float, str]:
    n = len(values)
    mean = float(values.mean()) if n else math.nan
    if n < 2:
        return n, mean, math.nan, math.nan, "too few blocks"
    if layout.block == "item" and is_binary(layout):
        found = stats.binomtest(round(float(values.sum())), n).proportion_ci(1 - alpha, "wilson")
        return n, mean, float(found.low), float(found.high), "Wilson"
    shared = layout.target == "population" and layout.block in ("fold", "resample")
    ratio = test_train_ratio(layout) if shared else 0.0
    reach = stats.t.isf(alpha / 2, n - 1) * math.sqrt((1 / n + ratio) * values.var(ddof=1))
    return n, mean, mean - reach, mean + reach, "corrected t" if shared else "t"
