"""Consensus without a proof: Borda, Copeland, Condorcet, and local search by insertion.

Scores are of a matrix `wins[i, j]`: the weight of the orders in which i is better than j.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from podium.base.registry import Registry
from podium.orders.programs import Floats, Program
from podium.orders.relations import Relation, levels

Ranks = NDArray[np.intp]  # layers from 0, the best first
Scores = Callable[[Floats], Floats]

TRIES, TRIES_WITH_TIES = 600, 20  # local searches: without ties each takes a millisecond

SCORES: Registry[Scores] = Registry("consensus rule")


@SCORES.named("borda")
def borda(wins: Floats) -> Floats:
    """Borda's scores: pairs won less pairs lost; a tie counts for none (Borda 1781)."""
    return np.asarray((wins - wins.T).sum(axis=1))


@SCORES.named("copeland")
def copeland(wins: Floats) -> Floats:
    """Copeland's scores: algorithms beaten by majority less those that beat it (Copeland 1951)."""
    return np.asarray(np.sign(_rounded(wins - wins.T)).sum(axis=1))


@SCORES.named("condorcet")
def condorcet(wins: Floats) -> Floats:
    """Minus the layer of the majority relation: a Condorcet winner is first, a cycle is tied."""
    return -levels(_rounded(wins - wins.T) > 0).astype(float)


def _rounded(margins: Floats) -> Floats:
    """Margins without what is only a rounding error of summed weights."""
    return np.where(np.abs(margins) <= 1e-9 * np.abs(margins).max(initial=0.0), 0.0, margins)


def ranks_of(scores: Floats, *, ties: bool) -> Ranks:
    """Ranks from 0 of scores of which the larger is better; without ties the earlier is better."""
    if ties:
        return np.unique(-scores, return_inverse=True)[1].astype(np.intp)
    return np.argsort(np.argsort(-scores, kind="stable")).astype(np.intp)


def relation(ranks: Ranks) -> Relation:
    """The weak order of ranks."""
    return np.asarray(ranks[:, None] < ranks)


def improved(program: Program, ranks: Ranks) -> Ranks:
    """Ranks from which no insertion of one algorithm anywhere, or into a tie, lowers the cost."""
    if program.both is None:
        return _descended(program, ranks)
    moved = True
    while moved:
        moved = False
        for i in range(program.size):
            better = _inserted(program, ranks, i)
            if better is not None:
                ranks, moved = better, True
    return ranks


def _descended(program: Program, ranks: Ranks) -> Ranks:
    """Ranks without ties from which no insertion lowers the cost, by the best insertion each time.

    What every insertion gains are sums along the rows of the margins, in the order of the ranks.
    """
    order, size = np.argsort(ranks, kind="stable"), program.size
    margins = (program.before - program.before.T)[np.ix_(order, order)]
    gains, places = np.zeros((size, size + 1)), np.arange(size)
    while True:
        np.cumsum(margins, axis=1, out=gains[:, 1:])
        gained = gains - gains[places, places][:, None]
        place, gap = divmod(int(gained.argmax()), size + 1)
        if gained[place, gap] <= program.tolerance:
            return np.argsort(order).astype(np.intp)
        moved = np.insert(np.delete(places, place), gap - (gap > place), place)
        order, margins = order[moved], margins[np.ix_(moved, moved)]


def _inserted(program: Program, ranks: Ranks, i: int) -> Ranks | None:
    """Ranks with i moved to where it costs least; None where it is there."""
    others = np.arange(program.size) != i
    layer = np.unique(ranks[others], return_inverse=True)[1]
    if not len(layer):
        return None
    count = int(layer.max()) + 1
    after, before, tied = (
        np.bincount(layer, costs[others], count)
        for costs in (program.before[:, i], program.before[i], program.neither[i])
    )
    above = np.append(0.0, np.cumsum(after))
    below = np.append(np.cumsum(before[::-1])[::-1], 0.0)
    costs = np.empty(2 * count + 1)  # alone before layer 0, in layer 0, alone before layer 1, ...
    costs[::2] = above + below
    costs[1::2] = above[:-1] + below[1:] + tied
    placed = np.empty(program.size, dtype=np.intp)
    placed[others], placed[i] = 2 * layer + 1, ranks[i]
    place = int(costs.argmin())
    if costs[place] >= _cost(program, ranks, i) - program.tolerance:
        return None
    placed[i] = place
    return np.unique(placed, return_inverse=True)[1].astype(np.intp)


def _cost(program: Program, ranks: Ranks, i: int) -> float:
    """What the pairs of i cost."""
    first, last = ranks[i] < ranks, ranks < ranks[i]
    tied = ~(first | last)
    tied[i] = False
    costs = program.before[i][first].sum() + program.before[last, i].sum()
    return float(costs + program.neither[i][tied].sum())


def local_search(program: Program, wins: Floats) -> Relation:
    """The best of local searches from Borda's and from Copeland's order."""
    ties = program.both is not None
    starts = [ranks_of(SCORES[name](wins), ties=ties) for name in ("borda", "copeland")]
    results = [relation(improved(program, start)) for start in starts]
    return min(results, key=program.cost)


def perturbed(program: Program, better: Relation, scores: Floats, enough: float) -> Relation:
    """The best of local searches from scores, and from disturbed versions of the best so far.

    A tenth of the algorithms go to other places each time, until the cost is `enough`; the random
    numbers are always the same.
    """
    rng = np.random.default_rng(0)
    ties = program.both is not None
    best = min((better, relation(improved(program, ranks_of(scores, ties=ties)))), key=program.cost)
    for _ in range(TRIES_WITH_TIES if ties else TRIES):
        if program.cost(best) <= enough:
            break
        ranks = _disturbed(levels(best).astype(float), rng, ties)
        result = relation(improved(program, ranks_of(-ranks, ties=ties)))
        best = min((result, best), key=program.cost)  # of equals the new one: it leads elsewhere
    return best


def _disturbed(ranks: Floats, rng: np.random.Generator, ties: bool) -> Floats:
    """Ranks of which a tenth are random; without ties near what they were, as searches are many."""
    moved = rng.choice(len(ranks), size=max(2, len(ranks) // 10), replace=False)
    if ties:
        ranks[moved] = rng.uniform(-1, ranks.max() + 1, size=len(moved))
    else:
        ranks[moved] += rng.normal(0, len(ranks) / 8, size=len(moved))
    return ranks
