"""Kernel density estimates of scores."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def bandwidth(values: Floats) -> float:
    """Scott's rule, sd·n^(-1/5) (Scott 1992, equation 6.42); zero for constant scores."""
    # a spread that is only rounding is none
    if len(values) < 2 or np.ptp(values) <= 1e-12 * np.abs(values).max():
        return 0.0
    return float(values.std(ddof=1)) * len(values) ** -0.2


def density(values: Floats, at: Floats, bounds: tuple[float, float]) -> Floats:
    """The Gaussian kernel density at some places within bounds.

    Mass that kernels put beyond a bound is reflected at it (Silverman 1986, section 2.10), so the
    density is that of a distribution within the bounds.
    """
    h = bandwidth(values)
    centres = [values, *(2 * bound - values for bound in bounds if math.isfinite(bound))]
    z = (at[:, None] - np.concatenate(centres)) / h
    return np.exp(-0.5 * z**2).sum(axis=1) / (len(values) * h * math.sqrt(2 * math.pi))
