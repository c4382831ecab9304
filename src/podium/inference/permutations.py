"""Sums of scores when the algorithms' labels are permuted within blocks: drawn, or all of them.

The work is a sum over blocks, so a group of blocks can be tabulated once (all its (K!)^g sums)
and a draw is one look-up per group instead of a shuffle per block.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache, partial
from itertools import groupby, permutations
from math import factorial

import numpy as np

from podium.errors import InferenceError

TABLE_ROWS = 5040  # of one look-up table: 7!, about 280 kB, stays in the cache
TABLE_CELLS = 8_000_000  # of all tables that are held at a time, 64 MB
CHUNK = 8_000  # draws whose running sums stay in the cache
LOOKUPS = 1_000_000_000  # about 10 seconds, as is a shuffle of so many numbers
STATES = 2_000_000  # of an exact distribution, about 100 MB at K = 6
SUMS = 30_000_000  # formed on the way to an exact distribution, a few seconds

Sizes = Sequence[int]
Streams = Sequence[np.random.Generator]


def permuted_sums(scores: np.ndarray, count: int, rng: np.random.Generator) -> np.ndarray:
    """`count` draws of the sums over blocks, one column per algorithm.

    Every chunk of draws has a stream of its own, so that threads do not change the draws.
    """
    varies = np.ptp(scores, axis=1) > 0  # a tied block is the same in every order
    fixed = scores[~varies].sum(axis=0)
    if not varies.any():
        return np.tile(fixed, (count, 1))
    draws = _looked_up if factorial(scores.shape[1]) <= TABLE_ROWS else _shuffled
    sizes = [min(CHUNK, count - start) for start in range(0, count, CHUNK)]
    return draws(scores[varies], sizes, rng.spawn(len(sizes))) + fixed


def _looked_up(scores: np.ndarray, sizes: Sizes, streams: Streams) -> np.ndarray:
    """Draws by tables; the last column is what is left of the total, which no order changes."""
    blocks, k = scores.shape
    step = max(1, int(np.log(TABLE_ROWS) / np.log(factorial(k)) + 1e-9))
    groups = [scores[i : i + step] for i in range(0, blocks, step)]
    _check_work(len(groups) * sum(sizes), blocks, k)
    held = TABLE_CELLS // (TABLE_ROWS * k)
    sums = [np.zeros((size, k - 1)) for size in sizes]
    with _threads(len(sizes)) as threads:
        for start in range(0, len(groups), held):
            tables = [_group_table(g)[:, :-1].copy() for g in groups[start : start + held]]
            list(threads.map(partial(_add, tables), sums, streams))
    drawn = np.concatenate(sums)
    return np.column_stack([drawn, scores.sum() - drawn.sum(axis=1)])


def _add(tables: Sequence[np.ndarray], sums: np.ndarray, rng: np.random.Generator) -> None:
    """Add a random row of every table to each of the sums."""
    part = np.empty_like(sums)
    for length, alike in groupby(tables, key=len):  # the last group of blocks may be smaller
        group = list(alike)
        drawn = rng.integers(length, size=(len(group), len(sums)), dtype=np.uint16)
        for table, rows in zip(group, drawn, strict=True):
            sums += np.take(table, rows.astype(np.intp), axis=0, out=part, mode="clip")


def _shuffled(scores: np.ndarray, sizes: Sizes, streams: Streams) -> np.ndarray:
    _check_work(scores.size * sum(sizes), *scores.shape)

    def draw(size: int, rng: np.random.Generator) -> np.ndarray:
        sums = np.zeros((size, scores.shape[1]))
        for row in scores:
            sums += rng.permuted(np.broadcast_to(row, sums.shape), axis=1)
        return sums

    with _threads(len(sizes)) as threads:
        return np.concatenate(list(threads.map(draw, sizes, streams)))


def _threads(most: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(min(most, os.cpu_count() or 1))


def _check_work(lookups: int, blocks: int, k: int) -> None:
    if lookups > LOOKUPS:
        raise InferenceError(
            f"So many permutations of {blocks} blocks and {k} algorithms would take too long; draw "
            "fewer, or use the null asymptotic, which is as good with so many blocks."
        )


@lru_cache(maxsize=8)
def _orders(k: int) -> np.ndarray:
    return np.array(list(permutations(range(k))))


def _group_table(group: np.ndarray) -> np.ndarray:
    """Every sum that permuting within the blocks of a group can give."""
    orders = _orders(group.shape[1])
    table = np.zeros((1, group.shape[1]))
    for row in group:
        table = (table[:, None, :] + row[orders][None, :, :]).reshape(-1, group.shape[1])
    return table


def all_sums(scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Every possible vector of sums with its probability.

    Blocks are added one by one and equal sums merged (a recursion on the lattice of scores), so
    that ranks and signs stay feasible for many more blocks than (K!)^B suggests.
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
            raise InferenceError(
                f"The exact null of {blocks} blocks and {k} algorithms is too large to enumerate; "
                "use permutation:9999."
            )
        sums = (states[:, None, :] + values[None, :, :]).reshape(-1, k)
        states, weights = _distinct(sums, (weights[:, None] * shares).ravel(), scale)
    return states + scores[~varies].sum(axis=0), weights


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
