"""Runs one after the other: whether they drift or hang together, and what medians say.

Tests of runs take them for independent. A machine that warms up, or a neighbour that comes and
goes, makes them drift or follow each other; then the tests find too much.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from podium.inference.bricks.scores import aligned
from podium.inference.layouts.layouts import Layout
from podium.inference.numbers import tails
from podium.questions.targets import BLOCKS
from podium.words.facts import CAUTION, DETAIL, Note

ALPHA = 0.05  # of each check, over all algorithms together
LEAST = 8  # runs of an algorithm: with fewer neither check can see anything


def run_order_notes(layout: Layout) -> Iterator[Note]:
    """Drift, runs that resemble their neighbours, and medians beside means."""
    rounds = not BLOCKS[layout.block].unpaired
    # what all algorithms of a round share is no matter where rounds are compared
    own = aligned(layout.values) if rounds and len(layout.algorithms) > 1 else layout.values
    yield from _of_order(_columns(layout, own), layout.sign, rounds)
    yield from _of_medians(_columns(layout, layout.values), layout.sign)


def _columns(layout: Layout, values: np.ndarray) -> dict[str, np.ndarray]:
    names = zip(layout.algorithms, values.T, strict=True)
    return {name: column[~np.isnan(column)] for name, column in names}


def _of_order(columns: dict[str, np.ndarray], sign: int, rounds: bool) -> Iterator[Note]:
    seen = {name: column for name, column in columns.items() if len(column) >= LEAST}
    level = ALPHA / max(len(seen), 1)
    drifts = {n: r * sign for n, c in seen.items() for r, p in [drift(c)] if p <= level}
    alike = {n: r for n, c in seen.items() for r, p in [neighbours(c)] if p <= level}
    if drifts:
        yield Note("drift", CAUTION, by=tuple(drifts.items()), rounds=rounds)
    if alike:
        # the variance of a mean of n runs, if each passes on the share r to the next
        worth = min((1 - r) / (1 + r) for r in alike.values())
        yield Note("autocorrelation", CAUTION, by=tuple(alike.items()), worth=worth)


def drift(runs: np.ndarray) -> tuple[float, float]:
    """Spearman's correlation of scores with the order of the runs, and its two-sided p-value.

    >>> drift(np.arange(10.0))
    (1.0, 0.0)
    """
    order = np.arange(len(runs), dtype=float)
    r = _correlation(tails.ranks(runs), order)
    return r, _two_sided(r, len(runs) - 2)


def _two_sided(r: float, df: int) -> float:
    if abs(r) >= 1:
        return 0.0
    return float(2 * tails.t_sf(abs(r) * math.sqrt(df / (1 - r * r)), df))


def neighbours(runs: np.ndarray) -> tuple[float, float]:
    """The correlation of each run's rank with that of the one before, less a linear trend.

    P is one-sided, against resemblance, by a normal law: the mean is -2/n, as a mean and a slope
    were taken out, the variance (n - 2)/(n - 1)² that of Wald and Wolfowitz (1943).
    """
    n, order = len(runs), np.arange(len(runs), dtype=float)
    ranks = tails.ranks(runs)
    if not ranks.std():
        return 0.0, 1.0
    slope = np.polyfit(order, ranks, 1)
    rest = ranks - np.polyval(slope, order)
    scale = float(rest @ rest)
    if scale <= 1e-9 * float(ranks @ ranks):
        return 0.0, 1.0  # a trend and nothing else, which is called drift
    r = float(rest[1:] @ rest[:-1]) / scale
    z = (r + 2 / n) / (math.sqrt(n - 2) / (n - 1))
    return r, float(tails.t_sf(z, np.inf))


def _correlation(a: np.ndarray, b: np.ndarray) -> float:
    a, b = a - a.mean(), b - b.mean()
    scale = math.sqrt(float(a @ a) * float(b @ b))
    return 0.0 if scale == 0 else min(1.0, max(-1.0, float(a @ b) / scale))


def _of_medians(columns: dict[str, np.ndarray], sign: int) -> Iterator[Note]:
    """Medians, and the pairs that means and medians order differently."""
    known = {name: column for name, column in columns.items() if len(column)}
    medians = {n: float(np.median(c)) for n, c in known.items()}
    means = {n: float(c.mean()) for n, c in known.items()}
    yield Note("medians", DETAIL, by=tuple((n, sign * m) for n, m in medians.items()))
    names = list(known)
    turned = tuple(
        (a, b)
        for i, a in enumerate(names)
        for b in names[i + 1 :]
        if (medians[a] - medians[b]) * (means[a] - means[b]) < 0
    )
    if turned:
        yield Note("medians-disagree", CAUTION, pairs=turned)
