"""What a consensus is asked about: orders with weights, on which algorithms, in which family."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from podium.errors import InferenceError
from podium.orders.distances import not_compared
from podium.orders.layers import Relation
from podium.orders.notation import parse_order
from podium.orders.order import Order
from podium.orders.programs import Floats, Program
from podium.registry import Registry, unknown


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
        unknown = not_compared(order, order.algorithms)
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
