"""The integer program behind a consensus: what each pair costs, and what transitivity asks.

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
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from podium.orders.relations import Relation, closure

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
