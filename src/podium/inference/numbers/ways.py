"""One difference judged by several t tests at once, of which the most careful counts.

The p-value is the largest of all, limits are the hull of theirs: limits at a level exclude a value
exactly where the p-value of that value is at most the level.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from podium.inference.numbers import tails


@dataclass(frozen=True, eq=False)
class Ways:
    """Estimates of the same differences with errors and df, tests x differences."""

    estimates: np.ndarray
    errors: np.ndarray
    df: np.ndarray

    def p(self, null: np.ndarray | float = 0.0, turn: int = 0) -> np.ndarray:
        """Of a difference `null`: two-sided (0), against larger (1) or smaller (-1).

        Two-sided it is 1 where the tests point in different directions.
        """
        t = self._t(null)
        if turn:
            return np.asarray(tails.t_sf(turn * t, self.df).max(axis=0))
        agree = (np.sign(t) == np.sign(t[0])).all(axis=0)
        return np.where(agree, (2 * tails.t_sf(np.abs(t), self.df)).max(axis=0), 1.0)

    def _t(self, null: np.ndarray | float) -> np.ndarray:
        away = self.estimates - null
        endless = np.where(away == 0, 0.0, np.copysign(np.inf, away))
        return np.divide(away, self.errors, out=endless, where=self.errors > 0)

    def limits(self, alpha: float, two_sided: bool = True) -> tuple[np.ndarray, np.ndarray]:
        """The least lower and the largest upper limit of all."""
        reach = tails.t_isf(alpha / 2 if two_sided else alpha, self.df) * self.errors
        return (self.estimates - reach).min(axis=0), (self.estimates + reach).max(axis=0)
