"""The integer program behind a consensus, and ways to good orders without a proof.

A consensus minimises a sum over pairs of algorithms. Each pair is in one of two or three states
(i before j, j before i, neither), each state has a cost, and the states together must be
transitive (Hornik and Meyer 2007). With z[i, j] in {0, 1} the cost is linear and transitivity is
z[i, j] + z[j, k] - z[i, k] <= 1 for all i, j, k. What z says depends on the family:

    linear            z is ≤ and < at once: z[i, j] + z[j, i] = 1
    weak              z is ≤: z[i, j] + z[j, i] >= 1, and "neither" is 1, 1
    partial, strict   z is < : z[i, j] + z[j, i] <= 1, and "neither" is 0, 0

Solving it is in `relaxations.py`, all optima are in `subsets.py` and `enumeration.py`.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from podium.core.base.registry import Registry
from podium.core.orders.relations import Relation, closure, levels

Floats = NDArray[np.float64]
Places = NDArray[np.intp]
Triples = NDArray[np.intp]  # rows (i, j, k) of z[i, j] + z[j, k] - z[i, k] <= 1


@dataclass(frozen=True, eq=False)
class Program:
    """What each state of each pair costs: `before[i, j]` for i before j, `neither[i, j]`.

    `both` is z where neither comes first: True for 1, 1, False for 0, 0, and None where one must
    come first; `neither` is infinite then. The diagonals hold 0.
    """

    before: Floats
    neither: Floats
    both: bool | None

    @property
    def size(self) -> int:
        """The number of algorithms."""
        return len(self.before)

    @cached_property
    def tolerance(self) -> float:
        """Costs that differ by less are the same: sums of weights are not exact."""
        return 1e-9 * float(self.before.max(initial=0.0)) + 1e-300

    def part(self, places: Places) -> Program:
        """The program of some of the algorithms, in the order of `places`."""
        cells = np.ix_(places, places)
        return replace(self, before=self.before[cells], neither=self.neither[cells])

    def cost(self, better: Relation) -> float:
        """What a relation costs."""
        return float(self.before[better].sum() + self.neither[_neither(better)].sum())

    @cached_property
    def least(self) -> Floats:
        """The cost of the cheapest state of every pair."""
        return np.minimum(np.minimum(self.before, self.before.T), self.neither)

    @cached_property
    def floor(self) -> float:
        """The cost with every pair in its cheapest state, transitive or not."""
        return float(np.triu(self.least, 1).sum())

    @cached_property
    def step(self) -> float:
        """All relations' costs differ from `floor` by multiples of this; 0 where none is known.

        It is the greatest common divisor of what the states of a pair cost above the cheapest.
        """
        costs = [self.before] if self.both is None else [self.before, self.neither]
        above = np.concatenate([(c - self.least).ravel() for c in costs])
        if above.max(initial=0.0) > 1e9 or np.abs(above - above.round()).max(initial=0.0) > 1e-9:
            return 0.0
        return float(np.gcd.reduce(above.round().astype(np.int64)))

    def raised(self, bound: float) -> float:
        """The least cost that a relation can have if none is below `bound`."""
        if self.step == 0:
            return bound
        steps = np.ceil((bound - self.floor) / self.step - 1e-6)
        return self.floor + self.step * float(steps)

    def priced(self, rows: Triples, prices: Floats) -> Program:
        """The program with prices on some rows in its pair costs (Lagrange).

        For every relation, cost here - sum of prices = cost there - sum of price x slack. So
        `floor` here less the sum of prices is a bound on the cost of all transitive relations, for
        whatever prices >= 0: it holds even where a solver is not exact.
        """
        price = np.zeros_like(self.before)
        i, j, k = rows.T
        for first, second, sign in ((i, j, 1.0), (j, k, 1.0), (i, k, -1.0)):
            np.add.at(price, (first, second), sign * prices)
        both = price + price.T if self.both else 0.0
        return replace(self, before=self.before + price, neither=self.neither + both)


@dataclass(frozen=True)
class Clock:
    """When to stop, in the time of `time.monotonic`."""

    end: float = math.inf

    @classmethod
    def lasting(cls, seconds: float | None) -> Clock:
        """A clock that runs out after some seconds, or never."""
        return cls() if seconds is None else cls(time.monotonic() + seconds)

    @property
    def left(self) -> float:
        """The seconds that are left, at least 0."""
        return max(self.end - time.monotonic(), 0.0)


def _neither(better: Relation) -> Relation:
    """The pairs i < j of which neither is better."""
    return np.triu(~(better | better.T), 1)


def incidence(better: Relation, both: bool | None) -> Floats:
    """z of a relation."""
    return (~better.T if both else better).astype(float)


def cheapest(program: Program, near: Relation) -> Relation:
    """Every pair in its cheapest state, in that of `near` where this is as cheap."""
    slack = program.tolerance
    neither = program.neither <= program.least + slack
    stay = (program.before <= program.least + slack) & near
    stays = stay | stay.T | (neither & ~near & ~near.T)
    first = (program.before <= program.least + slack) & ~stays & ~neither
    first &= ~(first.T & np.tri(program.size, k=-1, dtype=bool))  # one of two that cost the same
    return np.asarray(stay | first)


# -- decomposition --------------------------------------------------------------------------


def chain(program: Program) -> list[Places]:
    """Sets of algorithms of which the earlier come before the later in *every* optimum.

    The extended Condorcet criterion (Truchon 1998): where "i before j" is the one cheapest state
    of all pairs across, moving the first set before the second lowers the cost of those pairs and
    changes no other. It holds for all families here, as putting one relation on top of another
    keeps each of them a member.
    """
    first = program.before + program.tolerance
    only = (first < program.before.T) & (first < program.neither)
    return _components(~only.T)


def pieces(program: Program) -> list[Places]:
    """Sets of algorithms of which the earlier come before the later in *some* optimum."""
    among = program.before <= program.least + program.tolerance
    return _components(~among.T)


def _components(edges: Relation) -> list[Places]:
    """The strongly connected components, in an order that no edge points against."""
    reached = closure(edges | np.eye(len(edges), dtype=bool))
    together = reached & reached.T
    members = [np.flatnonzero(together[i]) for i in np.unique(together.argmax(axis=1))]
    return sorted(members, key=lambda places: -int(reached[places[0]].sum()))


def stacked(parts: Sequence[tuple[Places, Relation]], size: int) -> Relation:
    """The relation with the given parts on top of each other, the best first."""
    better = np.zeros((size, size), dtype=bool)
    level = np.empty(size, dtype=int)
    for number, (places, relation) in enumerate(parts):
        level[places] = number
        better[np.ix_(places, places)] = relation
    return np.asarray(better | (level[:, None] < level))


# -- transitivity ---------------------------------------------------------------------------


def violated(z: Floats, both: bool | None, margin: float) -> tuple[Triples, Floats]:
    """The rows of transitivity that z breaks by more than `margin`, and by how much."""
    results = list(_violated(z, both, margin))
    amounts = np.concatenate([amount for _, amount in results])
    return np.concatenate([rows for rows, _ in results]), amounts


def _violated(z: Floats, both: bool | None, margin: float) -> Iterator[tuple[Triples, Floats]]:
    """The broken rows of every i; for linear orders the three rotations of a row are one."""
    for i in range(len(z)):
        excess = z[i][:, None] + z - z[i] - 1
        np.fill_diagonal(excess, 0.0)
        excess[i], excess[:, i] = 0.0, 0.0
        if both is None:
            excess[:i], excess[:, :i] = 0.0, 0.0
        j, k = np.nonzero(excess > margin)
        yield np.column_stack([np.full(len(j), i), j, k]), excess[j, k]


# -- consensus without a proof --------------------------------------------------------------------
# Borda, Copeland, Condorcet, and local search by insertion.
#
# Scores are of a matrix `wins[i, j]`: the weight of the orders in which i is better than j.


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
