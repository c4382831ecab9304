"""Layers of a relation, and what may be printed between them: arrays in, arrays out.

`better[i, j]` says that i comes before j. Nothing here assumes that the relation is transitive:
pairwise tests do not promise it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

Relation = NDArray[np.bool_]


def closure(better: Relation) -> Relation:
    """The smallest transitive relation that holds `better` (Warshall 1962)."""
    reached = better.copy()
    for k in range(len(reached)):
        reached |= reached[:, k, None] & reached[k]
    return reached


def reduction(better: Relation) -> Relation:
    """The fewest pairs with the same closure; unique where there is no cycle (Aho et al. 1972)."""
    reached = closure(better)
    return reached & ~_composed(reached, reached)


def in_one_cycle(better: Relation) -> Relation:
    """Which two algorithms are on a common cycle, every one with itself included."""
    reached = closure(better)
    return (reached & reached.T) | np.eye(len(better), dtype=bool)


def levels(better: Relation) -> NDArray[np.intp]:
    """The layer of every algorithm, counted from 0: successive sets of undominated algorithms.

    The topological sort of eugster2008, section 3.2. On a cycle everything is dominated, so the
    members of a cycle count as one and share their layer.
    """
    together = in_one_cycle(better)
    dominates = _composed(_composed(together, better & ~together), together)
    level = np.full(len(better), -1)
    for number in range(len(better)):
        left = level < 0
        level[left & ~dominates[left].any(axis=0)] = number
    return level


def joints(better: Relation, layers: Sequence[Sequence[int]]) -> list[bool]:
    """Between each two neighbouring layers, whether `<` may stand there.

    A chain `A < B < C` is read as a claim about A and C too. So a layer is joined by `<` only
    where every member of *every* layer since the last other joint is better than all of its own
    members. This makes the fewest other joints, since a part of a chain is a chain; for a
    transitive relation it is the same as to look at the two neighbours alone.
    """
    strict, chain = [], list(layers[0])
    for layer in layers[1:]:
        strict.append(bool(better[np.ix_(chain, layer)].all()))
        chain = [*chain, *layer] if strict[-1] else list(layer)
    return strict


def claimed(layers: Sequence[Sequence[int]], strict: Sequence[bool]) -> Relation:
    """The pairs that layers and the joints between them claim: the inverse of `joints`."""
    size = sum(len(layer) for layer in layers)
    better = np.zeros((size, size), dtype=bool)
    for chain in _chains(layers, strict):
        for place, layer in enumerate(chain):
            for later in chain[place + 1 :]:
                better[np.ix_(layer, later)] = True
    return better


def _chains(
    layers: Sequence[Sequence[int]], strict: Sequence[bool]
) -> Iterator[list[Sequence[int]]]:
    """The longest runs of layers that are joined by `<`."""
    chain = [layers[0]]
    for layer, joined in zip(layers[1:], strict, strict=True):
        if not joined:
            yield chain
            chain = []
        chain.append(layer)
    yield chain


def _composed(left: Relation, right: Relation) -> Relation:
    """i and k are related iff i is to some j on the left and j to k on the right."""
    paths = left.astype(np.float32) @ right.astype(np.float32)  # counts; boolean @ has no BLAS
    return np.asarray(paths > 0)
