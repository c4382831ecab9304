"""Least squares with standard errors for unequal variances; arrays in, arrays out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import stats

ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class Fit:
    """Linear models of many variables on the same columns, the first of which is 1.

    `covariances` are HC3's (MacKinnon and White 1985). `cook` is Cook's distance (1977) of every
    row, `outside` its studentised residual from the model without it.
    """

    coefficients: np.ndarray  # terms x variables
    errors: np.ndarray  # standard errors, terms x variables
    df: int
    leverage: np.ndarray
    cook: np.ndarray  # rows x variables
    outside: np.ndarray  # rows x variables
    r2: np.ndarray
    sigma: np.ndarray  # residual standard deviation

    @property
    def statistic(self) -> np.ndarray:
        """Coefficients over their standard errors; NaN where there is nothing to judge by."""
        safe = np.where(self.errors > 0, self.errors, 1.0)
        return np.where(self.errors > 0, self.coefficients / safe, np.nan)

    @property
    def p(self) -> np.ndarray:
        """Two-sided p-values of a t with the residual degrees of freedom."""
        return np.asarray(2 * stats.t.sf(np.abs(self.statistic), self.df))

    @property
    def influential(self) -> float:
        """Cook's distance from which a row moves all estimates to the 50 % region's edge."""
        terms = len(self.coefficients)
        return float(stats.f.ppf(0.5, terms, self.df))


def leverages(X: np.ndarray) -> np.ndarray:
    """The diagonal of X (X'X)⁻¹ X'."""
    return np.asarray((np.linalg.qr(X)[0] ** 2).sum(axis=1))


def fit(X: np.ndarray, Y: np.ndarray) -> Fit:
    """The least squares fits of the columns of Y; no leverage may be 1.

    HC3 = (X'X)⁻¹ X' diag(e²/(1-h)²) X (X'X)⁻¹.
    """
    n, p = X.shape
    hat = np.linalg.pinv(X)
    coefficients = hat @ Y
    size = np.abs(Y).max(axis=0)
    residuals = Y - X @ coefficients
    residuals = np.where(np.abs(residuals) <= ROUNDING * size, 0.0, residuals)
    h = leverages(X)[:, None]
    squares = (residuals**2).sum(axis=0)
    sigma2 = squares / (n - p)
    total = ((Y - Y.mean(axis=0)) ** 2).sum(axis=0)
    spread = total > (ROUNDING * size) ** 2 * n
    return Fit(
        coefficients,
        np.sqrt(hat**2 @ (residuals / (1 - h)) ** 2),
        n - p,
        h[:, 0],
        _over(residuals**2 * h / (1 - h) ** 2, p * sigma2),
        _outside(residuals, h, squares, n - p),
        np.where(spread, 1 - squares / np.where(spread, total, 1.0), np.nan),
        np.sqrt(sigma2),
    )


def _outside(residuals: np.ndarray, h: np.ndarray, squares: np.ndarray, df: int) -> np.ndarray:
    """Residuals from the model without the row, in units of that model's error."""
    without = (squares - residuals**2 / (1 - h)) / max(df - 1, 1)
    return _over(residuals, np.sqrt(np.maximum(without, 0.0) * (1 - h)))


def _over(value: np.ndarray, unit: np.ndarray) -> np.ndarray:
    return np.where(unit > 0, value / np.where(unit > 0, unit, 1.0), 0.0)
