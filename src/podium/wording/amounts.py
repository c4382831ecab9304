"""A difference between two algorithms in words: which way, how much, with its interval."""

from __future__ import annotations

import math

import pandas as pd

from podium.comparisons import Comparisons
from podium.formatting import aligned, printable
from podium.results.results import Results
from podium.wording.phrases import level

UNITS = ("s", "bytes", "nats")  # that are written behind a number


def compared(c: Comparisons, row: pd.Series) -> str:
    """What is compared, as in 'the mean error of svm is lower than that of lda'."""
    way = "higher" if row["estimate"] > 0 else "lower"
    return f"the {estimated(c)} of {row['first']} is {way} than that of {row['second']}"


def estimated(c: Comparisons, measure: str = "") -> str:
    """What is estimated: the mean error, say, or the median one; the measure by another word."""
    of = str(c.details.get("estimates of", "mean"))
    return f"{of}{'' if of in ('mean', 'median') else ' of'} {measure or printable(c.measure)}"


def amount(c: Comparisons, row: pd.Series, results: Results) -> str:
    """The size of a difference with its interval, in the measure's unit.

    Numbers are as exact as the interval is wide. The interval is turned with the difference, so
    that a negative end means the other direction.
    """
    size, low, high = abs(float(row["estimate"])), float(row["lower"]), float(row["upper"])
    if row["estimate"] < 0:
        low, high = -high, -low
    texts = aligned([size, low, high], _exact_to(size, low, high), digits=2)
    value = texts[0] + unit_of(c, results)
    if not math.isfinite(low) and not math.isfinite(high):
        return value
    alone = c.details.get("adjustment") == "none" and len(c.table) > 1
    name = f"{level(c.alpha)} interval{' of this pair alone' if alone else ''}"
    if not math.isfinite(low):
        return f"{value} ({name}: at most {texts[2]})"
    if not math.isfinite(high):
        return f"{value} ({name}: at least {texts[1]})"
    return f"{value} ({name}{',' * alone} {texts[1]} to {texts[2]})"


def _exact_to(size: float, low: float, high: float) -> float:
    """Half the interval, or the distance to its one end, or the difference itself."""
    reach = [abs(end - size) for end in (low, high) if math.isfinite(end) and end != size]
    if reach:
        return min(reach)
    return size if size > 0 else 1.0


def unit_of(c: Comparisons, results: Results) -> str:
    """The unit behind a number, where the measure has one that is written so."""
    measure = results.measures.get(c.measure)
    return f" {measure.unit}" if measure is not None and measure.unit in UNITS else ""
