"""Sums of scores when the algorithms' labels are permuted within blocks: drawn, or all of them.

The work is a sum over blocks, so a group of blocks can be tabulated once (all its (K!)^g sums)
and a draw is one look-up per group instead of a shuffle per block.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from itertools import permutations
from math import factorial

import numpy as np

from podium.errors import InferenceError

TABLE_ROWS = 5040  # of one look-up table: 7!, about 280 kB, stays in the cache
STATES = 2_000_000  # of an exact distribution, about 100 MB at K = 6
CHUNK = 8_000  # draws whose running sums stay in the cache


def permuted_sums(scores: np.ndarray, count: int, rng: np.random.Generator) -> np.ndarray:
    """`count` draws of the sums over blocks, one column per algorithm.

    Every chunk of draws has a stream of its own, so that threads do not change the draws.
    """
    k = scores.shape[1]
    varies = np.ptp(scores, axis=1) > 0  # a tied block is the same in every order
    if k == 1 or not varies.any():
        return np.tile(scores.sum(axis=0), (count, 1))
    draw = _lookup(scores[varies]) if factorial(k) <= TABLE_ROWS else _shuffle(scores[varies])
    sizes = [min(CHUNK, count - start) for start in range(0, count, CHUNK)]
    with ThreadPoolExecutor(min(len(sizes), os.cpu_count() or 1)) as threads:
        parts = list(threads.map(draw, sizes, rng.spawn(len(sizes))))
    return np.concatenate(parts) + scores[~varies].sum(axis=0)


def _lookup(scores: np.ndarray) -> Callable[[int, np.random.Generator], np.ndarray]:
    """Draws by tables; the last column is what is left of the total, which no order changes."""
    k, total = scores.shape[1], scores.sum()
    tables = [_group_table(group)[:, :-1].copy() for group in _groups(scores, k)]

    def draw(size: int, rng: np.random.Generator) -> np.ndarray:
        sums, part = np.zeros((size, k)), np.empty((size, k - 1))
        running = np.zeros((size, k - 1))
        for table in tables:
            rows = rng.integers(len(table), size=size, dtype=np.uint16).astype(np.intp)
            running += np.take(table, rows, axis=0, out=part, mode="clip")
        sums[:, :-1] = running
        sums[:, -1] = total - running.sum(axis=1)
        return sums

    return draw


def _shuffle(scores: np.ndarray) -> Callable[[int, np.random.Generator], np.ndarray]:
    def draw(size: int, rng: np.random.Generator) -> np.ndarray:
        sums = np.zeros((size, scores.shape[1]))
        for row in scores:
            sums += rng.permuted(np.broadcast_to(row, sums.shape), axis=1)
        return sums

    return draw


def _groups(scores: np.ndarray, k: int) -> list[np.ndarray]:
    size = max(1, int(np.log(TABLE_ROWS) / np.log(factorial(k)) + 1e-9))
    return [scores[i : i + size] for i in range(0, len(scores), size)]


@lru_cache(maxsize=8)
def _orders(k: int) -> np.ndarray:
    return np.array(list(permutations(range(k))))


def _group_table(group: np.ndarray) -> np.ndarray:
    """Every sum that permuting within the blocks of a group can give."""
    orders = _orders(group.shape[1])
    table = np.zeros((1, group.shape[1]))
    for row in group:
        table = (table[:, None, :] + row[orders][None, :, :]).reshape(-1, group.shape[1])
    return np.ascontiguousarray(table)


def all_sums(scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Every possible vector of sums with its probability.

    Blocks are added one by one and equal sums merged (a recursion on the lattice of scores), so
    that ranks and signs stay feasible for many more blocks than (K!)^B suggests.
    """
    k = scores.shape[1]
    if factorial(k) > TABLE_ROWS:
        raise InferenceError(
            f"An exact null for {k} algorithms has too many permutations; use permutation:9999."
        )
    scale = np.abs(scores).sum() or 1.0
    states, weights = np.zeros((1, k)), np.ones(1)
    for row in scores[np.ptp(scores, axis=1) > 0]:
        values, shares = _distinct(
            row[_orders(k)], np.full(factorial(k), 1.0 / factorial(k)), scale
        )
        if len(states) * len(values) > 20 * STATES:
            raise _too_many(len(scores), k)
        sums = (states[:, None, :] + values[None, :, :]).reshape(-1, k)
        states, weights = _distinct(sums, (weights[:, None] * shares).ravel(), scale)
        if len(states) > STATES:
            raise _too_many(len(scores), k)
    return states + scores[np.ptp(scores, axis=1) == 0].sum(axis=0), weights


def _too_many(blocks: int, k: int) -> InferenceError:
    return InferenceError(
        f"The exact null of {blocks} blocks and {k} algorithms is too large to enumerate; "
        "use permutation:9999."
    )


def _distinct(sums: np.ndarray, weights: np.ndarray, scale: float) -> tuple[np.ndarray, np.ndarray]:
    """Equal rows merged; equal up to the rounding of the sums."""
    keys = np.round(sums[:, :-1] / scale * 2**40).astype(np.int64)  # the last is the rest
    _, first, place = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    return sums[first], np.bincount(place.ravel(), weights=weights, minlength=len(first))
