"""Layered drawings of directed graphs without cycles (Sugiyama, Tagawa and Toda 1981).

Nodes are numbers. An edge that passes over layers gets a bend in each of them, so that it can run
between the nodes there.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import isotonic_regression

Floats = NDArray[np.float64]
Edge = tuple[int, int]
SWEEPS = 24  # down and up
BEND = 1.5  # the width of a bend


def bent(levels: Sequence[int], edges: Sequence[Edge]) -> tuple[list[int], list[list[int]]]:
    """The levels of nodes and bends, and the path of every edge through its bends."""
    every, paths = list(levels), []
    for upper, lower in edges:
        between = range(levels[upper] + 1, levels[lower])
        bends = list(range(len(every), len(every) + len(between)))
        every += between
        paths.append([upper, *bends, lower])
    return every, paths


def places(levels: Sequence[int], paths: Sequence[Sequence[int]], widths: Floats) -> Floats:
    """The x of every node and bend: few crossings, no overlaps, edges as steep as may be."""
    links = [pair for path in paths for pair in itertools.pairwise(path)]
    above, below = _neighbours(links, len(levels))
    rows = [[i for i, at in enumerate(levels) if at == n] for n in range(max(levels) + 1)]
    rows = _fewest_crossings(rows, links, above, below)
    x = np.zeros(len(levels))
    for row in rows:
        x[row] = _apart(np.zeros(len(row)), widths[row])
    both = [up + down for up, down in zip(above, below, strict=True)]
    for sweep in range(SWEEPS):
        for row in rows if sweep % 2 else rows[::-1]:
            wanted = [float(np.mean(x[both[i]])) if both[i] else x[i] for i in row]
            x[row] = _apart(np.array(wanted), widths[row])
    return x


def _neighbours(links: Sequence[Edge], size: int) -> tuple[list[list[int]], list[list[int]]]:
    above: list[list[int]] = [[] for _ in range(size)]
    below: list[list[int]] = [[] for _ in range(size)]
    for upper, lower in links:
        above[lower].append(upper)
        below[upper].append(lower)
    return above, below


def _fewest_crossings(
    rows: list[list[int]],
    links: Sequence[Edge],
    above: list[list[int]],
    below: list[list[int]],
) -> list[list[int]]:
    """The best order of the rows that sweeps by barycentres come to."""
    best, fewest = rows, crossings(rows, links)
    for sweep in range(SWEEPS):
        rows = _swept(rows, above) if sweep % 2 == 0 else _swept(rows[::-1], below)[::-1]
        count = crossings(rows, links)
        if count < fewest:
            best, fewest = rows, count
    return best


def _swept(rows: list[list[int]], neighbours: list[list[int]]) -> list[list[int]]:
    """Each row sorted by the mean place of its neighbours in the row before."""
    place = {i: n for row in rows for n, i in enumerate(row)}
    made = [rows[0]]
    for row in rows[1:]:
        centre = {i: np.mean([place[j] for j in neighbours[i]] or [place[i]]) for i in row}
        made.append(sorted(row, key=lambda i: (centre[i], place[i])))
        place |= {i: n for n, i in enumerate(made[-1])}
    return made


def crossings(rows: Sequence[Sequence[int]], links: Sequence[Edge]) -> int:
    """How many pairs of links between two rows cross."""
    place = {i: n for row in rows for n, i in enumerate(row)}
    level = {i: n for n, row in enumerate(rows) for i in row}
    ends = np.array([(level[a], place[a], place[b]) for a, b in links]).reshape(-1, 3)
    count = 0
    for n in range(len(rows)):
        top, low = ends[ends[:, 0] == n, 1:].T
        count += int(((top[:, None] < top) & (low[:, None] > low)).sum())
    return count


def _apart(wanted: Floats, widths: Floats) -> Floats:
    """The places nearest to those wanted at which neighbours do not overlap (least squares)."""
    steps = np.r_[0.0, np.cumsum((widths[:-1] + widths[1:]) / 2)]
    return np.asarray(isotonic_regression(wanted - steps).x + steps, float)
