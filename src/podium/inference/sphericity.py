"""How far the variances of all differences are from being equal."""

from __future__ import annotations

import numpy as np

WORTH_SAYING = 0.75


def epsilon(values: np.ndarray) -> float:
    """Greenhouse and Geisser's epsilon: 1 where all differences vary alike, 1/(K-1) at worst.

    Of the complete blocks, where cells are missing.
    """
    values = values[~np.isnan(values).any(axis=1)]
    k = values.shape[1]
    if k < 3 or len(values) < 3:
        return 1.0
    centring = np.eye(k) - 1 / k
    s = centring @ np.cov(values, rowvar=False) @ centring
    size = (s * s).sum()
    return float(np.trace(s) ** 2 / ((k - 1) * size)) if size > 0 else 1.0
