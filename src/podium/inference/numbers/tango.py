"""Tango's score statistic of a difference of paired shares, and the limits that invert it.

Of n items the first of two has `won` right that the second has wrong, and `lost` the other way. The
statistic for a difference D of the shares is (won - lost - n D) over its standard error, in which
the share q of items that are lost is the likeliest that D allows (Tango 1998, eq. 5 and 6). At 0
it is McNemar's (won - lost) / sqrt(won + lost), so limits at a critical value z exclude 0 exactly
where McNemar's statistic is beyond z.
"""

from __future__ import annotations

import numpy as np

HALVINGS = 60  # of an interval of length 2: to the last digit


def score(won: np.ndarray, lost: np.ndarray, n: np.ndarray, difference: np.ndarray) -> np.ndarray:
    """Tango's statistic for every pair of models; it falls as `difference` grows."""
    d = np.asarray(difference, float)
    b = (2 * n - won + lost) * d - won - lost
    root = np.sqrt(np.maximum(b * b + 8 * n * lost * d * (1 - d), 0.0))
    # of two forms of the larger root that which does not subtract
    q = np.where(b <= 0, (root - b) / (4 * np.maximum(n, 1)), _conjugate(b, root, lost, d))
    variance = n * (2 * q + d * (1 - d))
    over = won - lost - n * d
    noise = 1e-14 * n
    far = np.sign(over) * np.where(np.abs(over) > noise, np.inf, 0.0)  # at the ends, -1 and 1
    return np.where(variance > noise, over / np.sqrt(np.maximum(variance, 1e-300)), far)


def _conjugate(b: np.ndarray, root: np.ndarray, lost: np.ndarray, d: np.ndarray) -> np.ndarray:
    return np.asarray(2 * lost * d * (1 - d) / np.maximum(root + b, 1e-300))


def limits(
    won: np.ndarray, lost: np.ndarray, n: np.ndarray, z: float
) -> tuple[np.ndarray, np.ndarray]:
    """The smallest and the largest difference whose statistic is within -z and z."""
    low = _root(won, lost, n, z)
    return low, -_root(lost, won, n, z)


def _root(won: np.ndarray, lost: np.ndarray, n: np.ndarray, z: float) -> np.ndarray:
    """The lower limit, by halving: above it the statistic is below z."""
    point = (won - lost) / np.maximum(n, 1)
    low, high = np.full(len(point), -1.0), np.asarray(point, float)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        beyond = score(won, lost, n, middle) > z
        low, high = np.where(beyond, middle, low), np.where(beyond, high, middle)
    return np.where(n > 0, (low + high) / 2, np.nan)
