"""Maximal sets of ≈ algorithms, and letters that show ≈ (compact letter display).

`alike` is the symmetric matrix of ≈ with a true diagonal, algorithms from the best to the worst.
≈ need not be transitive: then an algorithm is in several sets and has several letters.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from string import ascii_letters

import numpy as np
from numpy.typing import NDArray

from podium.errors import InferenceError
from podium.orders.layers import Relation

Clique = tuple[int, ...]
MOST_CLIQUES = 100_000  # K algorithms can have 3^(K/3) of them (Moon & Moser 1965)


def maximal_cliques(alike: Relation) -> list[Clique]:
    """All maximal sets of mutually ≈ algorithms, the best first (Bron & Kerbosch 1973).

    With Tomita's pivot; a set of algorithms is a whole number with one bit for each of them.
    """
    neighbours = _neighbours(alike)
    found: list[int] = []
    open_branches = [(0, (1 << len(alike)) - 1, 0)]
    while open_branches:
        clique, candidates, done = open_branches.pop()
        if not candidates and not done:
            found.append(clique)
            _check_number(len(found), len(alike))
        open_branches.extend(_branches(clique, candidates, done, neighbours))
    return sorted(tuple(_members(clique)) for clique in found)


def _branches(
    clique: int, candidates: int, done: int, neighbours: list[int]
) -> Iterator[tuple[int, int, int]]:
    """The clique with one candidate more; neighbours of the pivot wait, it can join them all."""
    if not candidates:
        return
    reach = ((candidates & neighbours[v]).bit_count() for v in _members(candidates | done))
    pivot = max(zip(reach, _members(candidates | done), strict=True))[1]
    for v in _members(candidates & ~neighbours[pivot]):
        yield clique | 1 << v, candidates & neighbours[v], done & neighbours[v]
        candidates &= ~(1 << v)
        done |= 1 << v


def _neighbours(alike: Relation) -> list[int]:
    """For every algorithm the set of the others that are ≈ to it."""
    others = alike & ~np.eye(len(alike), dtype=bool)
    return [sum(1 << int(j) for j in np.flatnonzero(row)) for row in others]


def _members(numbers: int) -> Iterator[int]:
    while numbers:
        lowest = numbers & -numbers
        yield lowest.bit_length() - 1
        numbers ^= lowest


def _check_number(cliques: int, algorithms: int) -> None:
    if cliques > MOST_CLIQUES:
        raise InferenceError(
            f"The ≈ of these {algorithms} algorithms has more than {MOST_CLIQUES} maximal sets; "
            "letters() shows the same ≈ with few of them."
        )


def covering_cliques(alike: Relation) -> list[Clique]:
    """Few maximal cliques that hold every ≈ pair and every algorithm, the best first.

    The fewest are NP-hard to find (Gramm et al. 2007), so pairs are covered greedily and cliques
    that turn out superfluous are dropped. For interval orders, where every maximal clique has a
    pair of its own, the result is all maximal cliques.
    """
    uncovered = alike.copy()
    cliques = []
    while uncovered.any():
        first, second = np.argwhere(uncovered)[0]
        cliques.append(_grown(int(first), int(second), alike, uncovered))
        uncovered[np.ix_(cliques[-1], cliques[-1])] = False
    return sorted(tuple(sorted(clique)) for clique in _needed(cliques, len(alike)))


def _grown(first: int, second: int, alike: Relation, uncovered: Relation) -> list[int]:
    """A maximal clique with a given pair that covers many new pairs; ties go to the best."""
    clique = list(dict.fromkeys([first, second]))
    common = np.asarray(alike[clique].all(axis=0))
    common[clique] = False
    gain = uncovered[clique].sum(axis=0)
    while common.any():
        chosen = int(np.argmax(np.where(common, gain, -1)))
        clique.append(chosen)
        gain += uncovered[chosen]
        common &= alike[chosen]
        common[chosen] = False
    return clique


def _needed(cliques: list[list[int]], size: int) -> list[list[int]]:
    """The cliques less those whose pairs are all in others that stay."""
    times: NDArray[np.intp] = np.zeros((size, size), dtype=np.intp)
    for clique in cliques:
        times[np.ix_(clique, clique)] += 1
    needed = []
    for clique in sorted(cliques, key=len):
        place = np.ix_(clique, clique)
        if (times[place] > 1).all():
            times[place] -= 1
        else:
            needed.append(clique)
    return needed


def compact_letters(alike: Relation) -> list[str]:
    """Letters for every algorithm: two share a letter iff they are ≈ (Piepho 2004).

    `a` goes to the best. Always one character per letter: a to z, A to Z, then other alphabets.
    """
    words = [""] * len(alike)
    for letter, clique in zip(_alphabet(), covering_cliques(alike), strict=False):
        for member in clique:
            words[member] += letter
    return words


def _alphabet() -> Iterator[str]:
    others = (chr(code) for code in range(ord("α"), 0x110000))
    return chain(ascii_letters, (c for c in others if c.isalpha()))
