"""Hall's skewness-corrected t of paired differences: moments of every pair, and the correction.

Differences of algorithms over data sets are skewed, and skewness spoils the t test more than
unequal variances do. Hall (1992) maps t by a cubic that takes the skewness out and can be inverted:

    h(t) = t + g (t² / 3 + 1 / 6) / √n + g² t³ / (27 n),   g the skewness of the n differences.

Arrays only, one entry per pair; every pair is judged on the blocks that both algorithms have.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from podium.inference.bricks.contrasts import Pair

CHUNK = 1 << 15  # differences that are worked on at once: they stay in the cache
ROUND_OFF = 8 * np.finfo(float).eps  # of two scores, as a share of the larger one
FLAT = 1e-6  # of a cubic that is a line but for rounding


@dataclass(frozen=True, eq=False)
class Moments:
    """What is known of the differences of every pair; larger is better."""

    n: np.ndarray  # blocks that both have
    mean: np.ndarray
    sd: np.ndarray  # with the divisor n; 0 where the differences do not vary
    skewness: np.ndarray
    wins: np.ndarray  # of the first
    losses: np.ndarray
    least: np.ndarray  # difference; NaN where there is none
    most: np.ndarray
    lacks_first: np.ndarray  # blocks that only the second has
    lacks_second: np.ndarray

    def filled(self, turn: int) -> Moments:
        """With the gaps of the first (turn 1) or the second (-1) filled by its worst difference."""
        gaps = self.lacks_first if turn > 0 else self.lacks_second
        gaps = np.where(self.n > 0, gaps, 0.0)
        worst = np.where(gaps > 0, self.least if turn > 0 else self.most, 0.0)
        n = self.n + gaps
        count = np.maximum(n, 1)
        mean = np.where(gaps > 0, (self.n * self.mean + gaps * worst) / count, self.mean)
        own, other = self.mean - mean, worst - mean
        squares = self.n * (self.sd**2 + own**2) + gaps * other**2
        third = self.skewness * self.sd**3 + 3 * own * self.sd**2 + own**3
        cubes = self.n * third + gaps * other**3
        sd = np.where(gaps > 0, np.sqrt(squares / count), self.sd)
        skewness = np.divide(cubes / count, sd**3, out=self.skewness.copy(), where=gaps * sd > 0)
        return replace(self, n=n, mean=mean, sd=sd, skewness=skewness)

    @property
    def varies(self) -> np.ndarray:
        """Whether there is something to judge by."""
        return self.sd > 0

    @property
    def ties(self) -> np.ndarray:
        """Blocks with equal scores."""
        return self.n - self.wins - self.losses

    @property
    def error(self) -> np.ndarray:
        """Standard errors of the means; NaN where nothing varies."""
        return np.where(self.varies, self.sd, np.nan) / np.sqrt(np.maximum(self.n - 1, 1))

    def t(self, null: np.ndarray | float = 0.0) -> np.ndarray:
        """Student's t of a mean difference `null`."""
        return np.asarray((self.mean - null) / self.error)

    def h(self, t: np.ndarray) -> np.ndarray:
        """Hall's correction of t."""
        return corrected(t, self.bend)

    @property
    def bend(self) -> np.ndarray:
        """How much the skewness bends t: g / (3 √n)."""
        return self.skewness / (3 * np.sqrt(np.maximum(self.n, 1)))


def corrected(t: np.ndarray, bend: np.ndarray) -> np.ndarray:
    """h(t), which grows with t; `bend` is g / (3 √n)."""
    turned = bend * t
    return np.asarray(t * (1 + turned * (1 + turned / 3)) + bend / 2)


def uncorrected(h: np.ndarray, bend: np.ndarray) -> np.ndarray:
    """The t that is corrected to h."""
    rest, flat = h - bend / 2, np.abs(bend) < FLAT
    curve = np.where(flat, 1.0, bend)
    return np.where(flat, rest, (np.cbrt(1 + 3 * curve * rest) - 1) / curve)


def moments(values: np.ndarray, pairs: Sequence[Pair]) -> Moments:
    """Of the differences of every pair of columns; a missing cell is NaN."""
    places = np.asarray(pairs, dtype=np.intp).reshape(-1, 2)
    rows = np.ascontiguousarray(values.T)
    step = max(CHUNK // max(len(values), 1), 1)
    parts = [_moments(rows, places[at : at + step]) for at in range(0, len(places), step)]
    return Moments(*np.concatenate(parts, axis=1)) if parts else Moments(*np.empty((10, 0)))


def wins_and_losses(values: np.ndarray, pairs: Sequence[Pair]) -> np.ndarray:
    """Of every pair in how many blocks the first is better, as good, and worse: 3 x pairs."""
    result = moments(values, pairs)
    return np.array([result.wins, result.ties, result.losses]).astype(int)


def wins_of_choices(values: np.ndarray, pairs: Sequence[Pair]) -> np.ndarray:
    """The same of blocks that have two scores each, however many blocks there are."""
    here = ~np.isnan(values)
    if not (here.sum(axis=1) == 2).all():
        return wins_and_losses(values, pairs)
    k, (first, second) = values.shape[1], np.nonzero(here)[1].reshape(-1, 2).T
    at = np.arange(len(values))
    way = np.sign(values[at, first] - values[at, second]).astype(np.int64) + 1  # lost, tied, won
    counts = np.bincount((first * k + second) * 3 + way, minlength=3 * k * k).reshape(k, k, 3)
    counts = counts + counts.transpose(1, 0, 2)[:, :, ::-1]
    i, j = np.asarray(pairs, dtype=np.intp).reshape(-1, 2).T
    return np.asarray(counts[i, j, ::-1].T)


def differences(
    rows: np.ndarray, places: np.ndarray
) -> tuple[np.ndarray, np.ndarray | None, np.ndarray]:
    """Pairs x blocks: first less second, where both are (None: everywhere), and their round-off.

    What two scores differ by round-off alone is no difference; missing ones are 0.
    """
    first, second = places.T
    known = ~np.isnan(rows)
    whole = bool(known.all())
    rows = rows if whole else np.where(known, rows, 0.0)
    d = rows[first]
    d -= rows[second]
    here = None
    if not whole:
        here = known[first]
        here &= known[second]
        d *= here
    size = np.abs(rows).max(axis=1, initial=0.0)
    noise = ROUND_OFF * np.maximum(size[first], size[second])
    d[np.abs(d) <= noise[:, None]] = 0.0
    return d, here, noise


def _moments(rows: np.ndarray, places: np.ndarray) -> np.ndarray:
    d, here, noise = differences(rows, places)
    n = np.full(len(d), float(d.shape[1])) if here is None else here.sum(axis=1).astype(float)
    count = np.maximum(n, 1)
    mean = d.sum(axis=1) / count
    wins, losses = (d > 0).sum(axis=1), (d < 0).sum(axis=1)
    known = True if here is None else here
    least = d.min(axis=1, where=known, initial=np.inf)
    most = d.max(axis=1, where=known, initial=-np.inf)
    present = (~np.isnan(rows)).sum(axis=1).astype(float)
    first, second = places.T
    d -= mean[:, None]
    if here is not None:
        d *= here
    constant = np.abs(d).max(axis=1) <= noise
    squares = d * d
    variance = np.where(constant, 0.0, squares.sum(axis=1) / count)
    third = np.einsum("pj,pj->p", squares, d) / count
    sd = np.sqrt(variance)
    skewness = np.divide(third, sd * variance, out=np.zeros(len(d)), where=~constant)
    mean = np.where(n > 0, mean, np.nan)
    lacking = present[second] - n, present[first] - n
    return np.array([n, mean, sd, skewness, wins, losses, least, most, *lacking])
