"""Who is best: the set that holds the best algorithm (multiple comparisons with the best).

An algorithm j is left out where another is better than it by more than chance gives the largest of
all others over j. Nothing is paid for the number of candidates: only the truly best one must stay
(Hsu 1996), and variances may differ. From 30 blocks on the law is that of joint flips of Hall's t;
below it is that of t, joined by Šidák's inequality.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from podium.inference.bricks.contrasts import all_pairs
from podium.inference.bricks.flips import LEAST, NOISE, Differences, chunks, signs
from podium.inference.bricks.hall import differences, moments
from podium.inference.numbers import tails

DRAWS = 9999
MANY_BLOCKS = 30


@dataclass(frozen=True, eq=False)
class Contest:
    """All algorithms on their blocks; larger is better, a missing cell is NaN."""

    values: np.ndarray
    algorithms: tuple[str, ...]
    alpha: float
    draws: int = DRAWS

    @cached_property
    def best_set(self) -> tuple[str, ...]:
        """Those that may be the best one, with the chance 1 - alpha that it is among them."""
        many = len(self.values) >= MANY_BLOCKS
        kept = self._by_flips() if many else self._by_t()
        return tuple(name for name, stays in zip(self.algorithms, kept, strict=True) if stays)

    @property
    def blocks(self) -> int | None:
        """How many there are: with few of them it is less sure than was measured."""
        return len(self.values)

    @cached_property
    def _pairs(self) -> np.ndarray:
        return np.asarray(all_pairs(len(self.algorithms)), dtype=np.intp)

    def _over(self, statistics: np.ndarray, pairs: np.ndarray) -> np.ndarray:
        """For every candidate the largest statistic of another one over it; rows are draws."""
        k = len(self.algorithms)
        square = np.full((len(statistics), k, k), -np.inf)
        square[:, pairs[:, 0], pairs[:, 1]] = statistics
        square[:, pairs[:, 1], pairs[:, 0]] = -statistics
        return np.asarray(square.max(axis=1))

    def _by_t(self) -> np.ndarray:
        found = moments(self.values, self._pairs)  # type: ignore[arg-type]
        t = np.nan_to_num(found.t(), nan=0.0)  # what does not vary leaves nobody out
        df = np.maximum(found.n - 1, 1)
        sure = np.copysign(-_log_tail(np.abs(t), df), t)
        least = 1 - (1 - self.alpha) ** (1 / max(len(self.algorithms) - 1, 1))
        return np.asarray(self._over(sure[None], self._pairs)[0] <= -np.log(least))

    def _by_flips(self) -> np.ndarray:
        rows = np.ascontiguousarray(self.values.T)
        d, here, noise = differences(rows, self._pairs)
        n = np.full(len(d), d.shape[1]) if here is None else here.sum(axis=1)
        e = d - (d.sum(axis=1) / np.maximum(n, 1))[:, None]
        e = e if here is None else e * here
        used = (np.abs(e).max(axis=1) > noise) & (n >= LEAST)
        if not used.any():
            return np.ones(len(self.algorithms), dtype=bool)
        pairs, count = self._pairs[used], n[used].astype(float)
        centred = Differences.of(e[used].T, count)
        observed = self._over(Differences.of(d[used].T, count).observed[None], pairs)[0]
        flips, _ = signs(len(self.values), self.draws, 0)
        drawn = [self._over(centred.statistics(f), pairs) for f in chunks(flips, len(self._pairs))]
        place = min(int(np.ceil((len(flips) + 1) * (1 - self.alpha) - NOISE)), len(flips)) - 1
        critical = np.partition(np.concatenate(drawn), place, axis=0)[place]
        return np.asarray(observed <= critical)


@dataclass(frozen=True, eq=False)
class PairedContest:
    """The same from what a test says of every pair, where blocks have a law of their own.

    A candidate is left out where another one is better at the one-sided level of K - 1 others,
    by Šidák's inequality.
    """

    table: pd.DataFrame  # estimate and p of every pair
    algorithms: tuple[str, ...]
    alpha: float
    higher_is_better: bool
    blocks: int | None = None  # it is as sure as the test of a pair

    @cached_property
    def best_set(self) -> tuple[str, ...]:
        """Those that may be the best one."""
        t = self.table
        least = 1 - (1 - self.alpha) ** (1 / max(len(self.algorithms) - 1, 1))
        sure = t["p"].to_numpy(float) / 2 <= least
        first = (t["estimate"].to_numpy(float) > 0) == self.higher_is_better
        out = {*t["second"][sure & first], *t["first"][sure & ~first]}
        return tuple(name for name in self.algorithms if name not in out)


def places(table: pd.DataFrame, algorithms: Sequence[str]) -> dict[str, tuple[int, int]]:
    """Of every algorithm the lowest and the highest rank that the decided pairs allow."""
    better, worse = (table["verdict"] == word for word in ("better", "worse"))
    wins = Counter([*table["first"][better], *table["second"][worse]])
    losses = Counter([*table["second"][better], *table["first"][worse]])
    return {a: (1 + losses[a], len(algorithms) - wins[a]) for a in algorithms}


def raced_places(left: Sequence[str], algorithms: Sequence[str]) -> dict[str, tuple[int, int]]:
    """Of a race, which claims that the best is among those left: the ranks that this allows.

    >>> raced_places(["a"], ["a", "b", "c"])
    {'a': (1, 1), 'b': (2, 3), 'c': (2, 3)}
    """
    k = len(algorithms)
    first = (1, 1) if len(left) == 1 else (1, k)
    return {name: first if name in left else (2, k) for name in algorithms}


def _log_tail(t: np.ndarray, df: np.ndarray) -> np.ndarray:
    """The logarithm of the upper tail of t, which falls as t grows."""
    return np.log(np.maximum(tails.t_sf(t, df), 1e-300))
