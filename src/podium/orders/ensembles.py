"""Several orders at once: ties broken in turn, Pareto's order, and what a consensus is asked about.

Hierarchical and Pareto orders need no distance. An ensemble has orders with weights, on the
algorithms of all or of some of them; a family says which orders their consensus may be.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from podium.base.errors import InferenceError
from podium.base.registry import Registry, unknown
from podium.orders.distances import Relations, refuse_mixed, relations
from podium.orders.notation import order as parse_order
from podium.orders.order import Order
from podium.orders.programs import Floats, Program
from podium.orders.relations import Relation, alike


def hierarchical(*orders: Order | str) -> Order:
    """The order h(R1, R2, ...): ties of the first are broken by the second, and so on.

    The sequence matters (eugster2008, section 3.3). Of weak orders it is a weak order. Where ≈ is
    not transitive, breaking ties may lead around a circle: `cycles` of the order tells. A pair that
    an order does not compare is no tie: no later order decides it. Texts with ≿ are refused.

    >>> hierarchical("a ≈ b ≈ c ≻ d", "d ≻ c ≻ a ≈ b", "b ≻ a ≻ c ≻ d").text
    'c ≻ b ≻ a ≻ d'
    """
    names, better, unknown = _read(orders, "hierarchical order")
    decided, lost = better[0], unknown[0]
    for more, gone in zip(better[1:], unknown[1:], strict=True):
        tied = alike(decided) & ~lost
        decided, lost = decided | (tied & more), lost | (tied & gone)
    return Order(names, decided, None, _pairs(lost, names))


def pareto(*orders: Order | str) -> Order:
    """Pareto's order: a is better than b iff no order disagrees and at least one says so.

    For orders by several measures: a is at least as good in all and better in one. The winners are
    the Pareto front. Of weak orders it is a strict partial order, and hardly ever a weak one. Of a
    pair that an order does not compare nothing is known unless others contradict each other.
    Texts with ≿ are refused.

    >>> pareto("a ≻ b ≻ c", "b ≻ a ≻ c").winners
    ['a', 'b']
    """
    names, better, unknown = _read(orders, "Pareto order")
    wins: Relation = np.asarray(better.any(axis=0))
    lost: Relation = np.asarray(unknown.any(axis=0) & ~(wins & wins.T))
    return Order(names, wins & ~wins.T & ~lost, None, _pairs(lost, names))


def _read(orders: Sequence[Order | str], what: str) -> tuple[tuple[str, ...], Relations, Relations]:
    """The algorithms, which is better, and which pairs are not compared."""
    if not orders:
        raise InferenceError(f"A {what} needs at least one order.")
    read = [parse_order(order) for order in orders]
    refuse_mixed(read, what)
    names, better = read[0].algorithms, relations(read)
    return names, better, np.array([order.not_compared(names) for order in read])


def _pairs(lost: Relation, names: Sequence[str]) -> frozenset[tuple[str, str]]:
    return frozenset((names[i], names[j]) for i, j in np.argwhere(np.triu(lost, 1)))


# -- of a consensus -------------------------------------------------------------------------


@dataclass(frozen=True)
class Family:
    """A family of orders: z of a pair where neither comes first (`Program`), and whether that is ≈.

    `both` is None where one of two must come first. Where "neither" is not ≈, it is incomparable.
    """

    both: bool | None
    neither_is_alike: bool = True


FAMILIES: Registry[Family] = Registry("family of orders")
FAMILIES.add("linear", Family(None))
FAMILIES.add("weak", Family(True))
FAMILIES.add("partial", Family(False, neither_is_alike=False))
FAMILIES.add("strict", Family(False))


@dataclass(frozen=True, eq=False)
class Ensemble:
    """The weight of the orders in which i is better than j, and of those that compare both.

    `open_pairs` are those that an order has and does not compare.
    """

    names: tuple[str, ...]
    wins: Floats
    votes: Floats
    open_pairs: Relation

    def program(self, family: Family) -> Program:
        """The sum of distances by pairs: opposite 2, a tie against < 1."""
        before = self.votes + self.wins.T - self.wins
        wins = self.wins + self.wins.T
        if family.both is None:
            neither = np.full_like(before, np.inf)
        else:
            neither = wins if family.neither_is_alike else 2 * self.votes - wins
        for costs in (before, neither):
            np.fill_diagonal(costs, 0.0)
        return Program(before, neither, family.both)


def ensemble(
    orders: Iterable[Order | str], weights: Sequence[float] | None, on: str | None
) -> Ensemble:
    """The ensemble of orders or texts; see `consensus` for the arguments."""
    if isinstance(orders, (str, Order)):
        orders = [orders]
    read = [parse_order(order) for order in orders]
    if not read:
        raise InferenceError("A consensus needs at least one order.")
    sizes = _weights(weights, len(read))
    names = _algorithms(read, on)
    kept = set(names)
    own = [order.restricted([n for n in order.algorithms if n in kept]) for order in read]
    return _counted(own, sizes, names)


def _counted(orders: Sequence[Order], weights: Floats, names: tuple[str, ...]) -> Ensemble:
    """The votes on every pair; an order has none on pairs that it lacks or does not compare."""
    place = {name: i for i, name in enumerate(names)}
    wins, votes, left_open = np.zeros((3, len(names), len(names)))
    for order, weight in zip(orders, weights, strict=True):
        own = np.ix_(*[[place[name] for name in order.algorithms]] * 2)
        unknown = order.not_compared()
        wins[own] += weight * order.better
        votes[own] += weight * ~unknown
        left_open[own] += unknown
    return Ensemble(names, wins, votes, left_open > 0)


def _algorithms(orders: Sequence[Order], on: str | None) -> tuple[str, ...]:
    """The algorithms of a consensus, in the order in which they come first."""
    union = tuple(dict.fromkeys(name for order in orders for name in order.algorithms))
    common = tuple(n for n in union if all(n in order.algorithms for order in orders))
    if on not in (None, "union", "intersection"):
        raise InferenceError(unknown("way to join orders", on, ["union", "intersection"]))
    if on == "intersection" and not common:
        raise InferenceError("The orders have no algorithm in common; join them on='union'.")
    if on is None and common != union:
        missing = next(name for name in union if name not in common)
        which = next(n for n, order in enumerate(orders, 1) if missing not in order.algorithms)
        raise InferenceError(
            f"The orders are not of the same algorithms: order {which} lacks '{missing}'. Say "
            "on='intersection' to keep what all have, or on='union' to keep all algorithms."
        )
    return common if on == "intersection" else union


def _weights(weights: Sequence[float] | None, count: int) -> Floats:
    if weights is None:
        return np.ones(count)
    try:
        kept = np.asarray(list(weights), dtype=float)
    except (TypeError, ValueError):
        raise InferenceError(f"The weights of orders are numbers, not {weights!r}.") from None
    if kept.shape != (count,):
        raise InferenceError(f"{count} orders need {count} weights, not {kept.size}.")
    for number, weight in enumerate(kept, 1):
        if not (weight > 0 and math.isfinite(weight)):
            raise InferenceError(
                f"The weight of order {number} is {weight:g}; weights are positive numbers, "
                "and an order that shall not count is left out."
            )
    return kept
