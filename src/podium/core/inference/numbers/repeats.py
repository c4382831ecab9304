"""Rows of scores that repeat another to the last digit: more of them than chance gives?

Scores of a few test rows are coarse, so that two samples often agree by chance. How often follows
from the grain of the scores: a score whose standard deviation is s grains is that of another
sample in about 1 of 2√π s pairs of samples. All algorithms agree at once with the product of
these, each by its spread given the algorithms before it, as algorithms rise and fall together.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammainc

Array = NDArray[np.float64]

HUNDREDS = 100  # whole hundredths are hardly different by chance
LARGEST_DENOMINATOR = 2000
MOST_DIGITS = 15
ROUNDED = 1e-5  # of a digit
LEAST_ROWS = 3
CAUTIOUS = 3.0  # times the expected number: scores are not normal, and grains are estimated
LEVEL = 0.01  # how often chance may repeat as many, where it gives so many times the expected
MAD_TO_SD = 1.4826


class Repeats(NamedTuple):
    """How many rows repeat another, and how many pairs of rows would agree by chance."""

    rows: int
    expected: float

    @property
    def is_beyond_chance(self) -> bool:
        """Whether so many are hardly due to chance, even where it gives three times as many."""
        tail = gammainc(self.rows, CAUTIOUS * self.expected)  # of a Poisson number
        return bool(tail < LEVEL)


def count_repeats(values: Array) -> Repeats | None:
    """Of rows x algorithms without gaps; None where no row repeats, or nothing can be said.

    A single algorithm says nothing, nor do rows with a score of at most two decimals.
    """
    if len(values) < LEAST_ROWS or values.shape[1] < 2:
        return None
    off = np.abs(values * HUNDREDS - np.round(values * HUNDREDS))
    rows, times = np.unique(values[(off > 1e-9).all(axis=1)], axis=0, return_counts=True)
    repeating = int((times - 1).sum())
    if not repeating or len(rows) < 2:
        return None
    grain = float(np.median([find_grain(row) for row in rows[times > 1]]))
    pairs = math.comb(len(values), 2)
    return Repeats(repeating, pairs * compute_agreement_by_chance(values, grain))


def compute_agreement_by_chance(values: Array, grain: float) -> float:
    """How likely two rows agree in all columns, if rows are independent draws on that grain.

    Rows that agree in one column and not in all are counted too: where scores pile up, as at few
    errors, that share is larger than the one of a normal distribution.
    """
    spread = MAD_TO_SD * np.median(np.abs(values - np.median(values, axis=0)), axis=0)
    with np.errstate(divide="ignore"):
        alone = grain / (2 * math.sqrt(math.pi) * spread)
        alone = np.maximum(alone, _count_ties(np.unique(values, axis=0)))
        given_others = np.minimum(alone / _find_own_parts(values), 1.0)
    return float(np.prod(given_others))


def find_grain(row: Array) -> float:
    """The step that all scores of a row are multiples of: 1/44 of 44 test rows, or a last digit."""
    digits = _count_digits(row)
    denominators = np.arange(2, LARGEST_DENOMINATOR + 1)[:, None]
    shares = row * denominators
    rounding = 0.6 * 10.0**-digits * denominators + 1e-9
    fits = (np.abs(shares - np.round(shares)) <= rounding).all(axis=1)
    return 1 / float(denominators[fits.argmax(), 0]) if fits.any() else 10.0**-digits


def _count_digits(row: Array) -> int:
    """Decimals of the scores, where these were rounded."""
    for digits in range(3, 10):
        scaled = row * 10.0**digits
        if (np.abs(scaled - np.round(scaled)) < ROUNDED).all():
            return digits
    return MOST_DIGITS


def _count_ties(rows: Array) -> Array:
    """The share of pairs of rows that agree, of every column."""
    pairs = math.comb(len(rows), 2)
    times = [np.unique(column, return_counts=True)[1] for column in rows.T]
    return np.array([float((each * (each - 1) / 2).sum()) / pairs for each in times])


def _find_own_parts(values: Array) -> Array:
    """The standard deviation of each column that those before it leave, as a share of its own."""
    centred = values - values.mean(axis=0)
    deviation = np.sqrt((centred**2).mean(axis=0))
    scaled = centred / np.where(deviation > 0, deviation, 1.0)
    left = np.abs(np.diag(np.linalg.qr(scaled, mode="r"))) / math.sqrt(len(values))
    parts = np.zeros(values.shape[1])  # columns beyond the number of rows have nothing of their own
    parts[: len(left)] = left
    return parts
