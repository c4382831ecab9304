"""Sums of scores when the algorithms' labels are permuted within blocks: drawn, or all of them.

The work is a sum over blocks, so a group of blocks can be tabulated once (all its (K!)^g sums),
and as many draws add its shuffled table from a random row on: a Latin hypercube, turned at random
(its mean errs no more than that of independent draws but for a factor of n / (n - 1): Owen 1997,
Monte Carlo variance of scrambled net quadrature, SIAM Journal on Numerical Analysis 34).
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from itertools import permutations
from math import factorial

import numpy as np

from podium.core.base.errors import InferenceError

TABLE_ROWS = 5040  # of one look-up table: 7!, about 280 kB, stays in the cache
TABLE_CELLS = 8_000_000  # of all tables that are held at a time, 64 MB
RING = 720  # rows of a table that is added at a time, at least
TURNS = 16  # of all rings whose sums stay in the cache
CHUNK = 8_000  # shuffles whose running sums stay in the cache
LOOKUPS = 1_000_000_000  # about 10 seconds, as is a shuffle of so many numbers
STATES = 2_000_000  # of an exact distribution, about 100 MB at K = 6
FLIPS = 44  # of two algorithms: half of them are listed, 4 million sums
SUMS = 30_000_000  # formed on the way to an exact distribution, a few seconds


def permuted_sums(scores: np.ndarray, count: int, rng: np.random.Generator) -> np.ndarray:
    """`count` draws of the sums over blocks, one column per algorithm; threads do not change them.

    Every draw is uniform, and any two are independent but for the same row of a table, which
    draws of one turn do not share: the error of their mean is that of independent draws, or less.
    """
    varies = np.ptp(scores, axis=1) > 0  # a tied block is the same in every order
    fixed = scores[~varies].sum(axis=0)
    if not varies.any():
        return np.tile(fixed, (count, 1))
    draws = _turned if factorial(scores.shape[1]) <= TABLE_ROWS else _shuffled
    sums = draws(scores[varies], count, rng)
    sums += fixed
    return sums


def _turned(scores: np.ndarray, count: int, rng: np.random.Generator) -> np.ndarray:
    """Draws by shuffled tables, added at random turns as rings of one length.

    The last column is what is left of the total, which no order changes. No threads: an addition is
    so short that they would mostly wait for each other.
    """
    blocks, k = scores.shape
    step = max(1, int(np.log(TABLE_ROWS) / np.log(factorial(k)) + 1e-9))
    groups = [scores[i : i + step] for i in range(0, blocks, step)]
    _check_work(len(groups) * count, blocks, k)
    rows = factorial(k) ** step
    length = rows * -(-RING // rows)
    width = min(length, count)
    sums = np.zeros((-(-count // width), width * (k - 1)))
    held = max(1, TABLE_CELLS // (2 * length * k))
    for start in range(0, len(groups), held):
        rings = _rings(groups[start : start + held], length, rng)
        turns = rng.integers(length, size=(len(sums), len(rings)))
        for i in range(0, len(sums), TURNS):
            _add(rings, sums[i : i + TURNS], turns[i : i + TURNS] * (k - 1))
    drawn = np.empty((count, k))
    drawn[:, :-1] = sums.reshape(-1, k - 1)[:count]
    drawn[:, -1] = scores.sum() - drawn[:, :-1].sum(axis=1)
    return drawn


def _rings(groups: Sequence[np.ndarray], length: int, rng: np.random.Generator) -> np.ndarray:
    """Every group's table, repeated up to the length and shuffled; twice, so that it has no end.

    One row per group, of sums next to each other.
    """
    orders = rng.permuted(np.tile(np.arange(length), (len(groups), 1)), axis=1)
    rings = np.empty((len(groups), 2, length, groups[0].shape[1] - 1))
    for ring, group, order in zip(rings, groups, orders, strict=True):
        table = _group_table(group)
        ring[:] = table[order % len(table) if len(table) < length else order]
    return rings.reshape(len(groups), -1)


def _add(rings: np.ndarray, sums: np.ndarray, turns: np.ndarray) -> None:
    """Add every ring to each of the sums, from where its turn begins."""
    width = sums.shape[1]
    for ring, starts in zip(rings, turns.T.tolist(), strict=True):
        for part, start in zip(sums, starts, strict=True):
            np.add(part, ring[start : start + width], part)


def _shuffled(scores: np.ndarray, count: int, rng: np.random.Generator) -> np.ndarray:
    """Draws by shuffles; every chunk has a stream of its own."""
    _check_work(scores.size * count, *scores.shape)
    sizes = [min(CHUNK, count - start) for start in range(0, count, CHUNK)]

    def draw(size: int, rng: np.random.Generator) -> np.ndarray:
        sums = np.zeros((size, scores.shape[1]))
        for row in scores:
            sums += rng.permuted(np.broadcast_to(row, sums.shape), axis=1)
        return sums

    with _threads(len(sizes)) as threads:
        return np.concatenate(list(threads.map(draw, sizes, rng.spawn(len(sizes)))))


def _threads(most: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(min(most, os.cpu_count() or 1))


def _check_work(lookups: int, blocks: int, k: int) -> None:
    if lookups > LOOKUPS:
        raise InferenceError(
            f"So many permutations of {blocks} rows and {k} algorithms would take too long; draw "
            "fewer, or use the null asymptotic, which is as good with so many rows."
        )


@lru_cache(maxsize=8)
def _orders(k: int) -> np.ndarray:
    return np.array(list(permutations(range(k))))


def _group_table(group: np.ndarray) -> np.ndarray:
    """Every sum that permuting within the blocks of a group can give, but for the last column."""
    orders = _orders(group.shape[1])[:, :-1]
    table = group[0][orders]
    for row in group[1:]:
        table = (table[:, None, :] + row[orders][None, :, :]).reshape(-1, orders.shape[1])
    return table


def all_sums(scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Every possible vector of sums with its probability.

    Blocks are added one by one and equal sums merged (a recursion on the lattice of scores), so
    that ranks and signs stay feasible for many more blocks than (K!)^B suggests (the shift
    algorithm of Streitberg and Roehmel 1986). Sums of two algorithms that are on no lattice are
    told from the observed one only: five states that have its tails.
    """
    blocks, k = scores.shape
    if factorial(k) > TABLE_ROWS:
        raise InferenceError(
            f"An exact null for {k} algorithms has too many permutations; use permutation:9999."
        )
    varies = np.ptp(scores, axis=1) > 0
    scale = np.abs(scores).sum() or 1.0
    states, weights, formed = np.zeros((1, k)), np.ones(1), 0
    for values, shares in _steps(scores[varies], scale):
        size = len(states) * len(values)
        formed += size
        if size > 2 * STATES or formed > SUMS:
            if k == 2 and varies.sum() <= FLIPS:
                return _around_observed(scores)
            raise InferenceError(
                f"The exact null of {blocks} rows and {k} algorithms is too large to enumerate; "
                "use permutation:9999."
            )
        sums = (states[:, None, :] + values[None, :, :]).reshape(-1, k)
        states, weights = _distinct(sums, (weights[:, None] * shares).ravel(), scale)
    return states + scores[~varies].sum(axis=0), weights


def _around_observed(scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sums of two algorithms beyond the observed ones, equal to them and between, on either side.

    Flips of either half of the blocks are listed and sorted; for each of the one half a search says
    how many of the other half bring both beyond a bound (Pagano and Tritchler 1983 count so, too).
    """
    centre = scores.sum() / 2
    half = (scores[:, 0] - scores[:, 1]) / 2
    observed, noise = abs(half.sum()), 2.0**-40 * np.abs(half).sum()
    size = np.abs(half[half != 0])
    first, second = (np.sort(_flipped(part)) for part in (size[::2], size[1::2]))
    total = len(first) * len(second)

    def above(bound: float) -> float:
        result = len(second) - np.searchsorted(second, bound - first, side="right")
        return int(result.sum()) / total

    beyond, reached = above(observed + noise), above(observed - noise)
    states = observed * np.array([-2.0, -1.0, 0.0, 1.0, 2.0])
    equal = reached - beyond
    weights = np.array([beyond, equal, 1 - 2 * reached, equal, beyond])
    return np.stack([centre + states, centre - states], axis=1), weights


def _flipped(sizes: np.ndarray) -> np.ndarray:
    """The sums of all signs."""
    sums = np.zeros(1)
    for size in sizes:
        sums = np.concatenate([sums - size, sums + size])
    return sums


def _steps(scores: np.ndarray, scale: float) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """What every block adds to the sums, with its probability; equal pairs count as one step."""
    k = scores.shape[1]
    if k > 2:
        even = np.full(factorial(k), 1.0 / factorial(k))
        yield from (_distinct(row[_orders(k)], even, scale) for row in scores)
        return
    rows, counts = np.unique(np.sort(scores, axis=1), axis=0, return_counts=True)
    for row, n in zip(rows, counts.tolist(), strict=True):
        first = np.arange(n + 1)[:, None]  # of these blocks, those with the larger score first
        yield first * row[::-1] + (n - first) * row, _binomial(n)


@lru_cache(maxsize=64)
def _binomial(n: int) -> np.ndarray:
    from scipy import stats  # slow to load, and few tests need it

    return stats.binom.pmf(np.arange(n + 1), n, 0.5)


def _distinct(sums: np.ndarray, weights: np.ndarray, scale: float) -> tuple[np.ndarray, np.ndarray]:
    """Equal rows merged; equal up to the rounding of the sums. The last column is the rest."""
    keys = np.round(sums[:, :-1] * (2.0**40 / scale)).astype(np.int64)
    # rows are told apart by a hash: one in 10^7 enumerations merges two states that are not equal
    key = keys.view(np.uint64) @ _MULTIPLIERS[: keys.shape[1]] if keys.shape[1] > 1 else keys[:, 0]
    order = np.argsort(key, kind="stable")
    new = np.append(0, 1 + np.flatnonzero(np.diff(key[order])))
    return sums[order[new]], np.add.reduceat(weights[order], new)


_MULTIPLIERS = np.random.default_rng(1).integers(2**64, size=8, dtype=np.uint64)
