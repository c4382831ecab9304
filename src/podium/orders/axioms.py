"""The axioms of order relations, each as the list of what breaks it.

Indices in, rows of indices out. A violation comes as the algorithms in the axiom's own order:
(i, j, k) breaks transitivity where i is better than j and j better than k, but not i than k.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from podium.orders.layers import Relation
from podium.registry import Registry

Rows = NDArray[np.intp]
Axiom = Callable[[Relation], Iterator[Rows]]

AXIOMS: Registry[Axiom] = Registry("axiom")


@AXIOMS.named("irreflexive")
def irreflexive(better: Relation) -> Iterator[Rows]:
    """Algorithms that are better than themselves."""
    yield np.argwhere(np.diag(better))


@AXIOMS.named("asymmetric")
def asymmetric(better: Relation) -> Iterator[Rows]:
    """Pairs where each is better than the other."""
    yield np.argwhere(np.triu(better & better.T))


@AXIOMS.named("transitive")
def transitive(better: Relation) -> Iterator[Rows]:
    """i before j and j before k, but not i before k."""
    return _triples(better, lambda i: better[i][:, None] & better & ~better[i])


@AXIOMS.named("negatively transitive")
def negatively_transitive(better: Relation) -> Iterator[Rows]:
    """Neither i before j nor j before k, and yet i before k."""
    return _triples(better, lambda i: ~better[i][:, None] & ~better & better[i])


@AXIOMS.named("complete")
def complete(better: Relation) -> Iterator[Rows]:
    """Pairs of which neither is better."""
    yield np.argwhere(np.triu(alike(better), 1))


@AXIOMS.named("indifference transitive")
def indifference_transitive(better: Relation) -> Iterator[Rows]:
    """i ≈ j and j ≈ k, but not i ≈ k; once for i and k in either order."""
    same = alike(better)
    after = np.triu(~same)  # i's place is before k's
    return _triples(better, lambda i: same[i][:, None] & same & after[i])


def alike(better: Relation) -> Relation:
    """The ≈ of a relation: neither is better; every algorithm is ≈ to itself."""
    return ~(better | better.T)


def _triples(better: Relation, broken: Callable[[int], Relation]) -> Iterator[Rows]:
    """The triples (i, j, k) with broken(i)[j, k]; one i at a time keeps memory at K x K."""
    for i in range(len(better)):
        found = np.argwhere(broken(i))
        yield np.column_stack([np.full(len(found), i), found])


def _all_of(*names: str) -> Axiom:
    parts = [AXIOMS[name] for name in names]
    return lambda better: chain.from_iterable(part(better) for part in parts)


AXIOMS.add("strict partial order", _all_of("irreflexive", "asymmetric", "transitive"))
AXIOMS.add("strict weak order", _all_of("irreflexive", "asymmetric", "negatively transitive"))
AXIOMS.add("linear", _all_of("irreflexive", "asymmetric", "transitive", "complete"))
