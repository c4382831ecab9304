"""Orders made from several orders without a distance: ties broken in turn, and Pareto's order."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import numpy as np

from podium.errors import InferenceError
from podium.orders.axioms import alike
from podium.orders.distances import Relations, relations
from podium.orders.layers import Relation
from podium.orders.notation import parse_order
from podium.orders.order import Order


def hierarchical(*orders: Order | str) -> Order:
    """The order h(R1, R2, ...): ties of the first are broken by the second, and so on.

    The sequence matters (eugster2008, section 3.3). Of weak orders it is a weak order. Where ≈ is
    not transitive, breaking ties may lead around a circle: `cycles` of the order tells.

    >>> hierarchical("a ≈ b ≈ c < d", "d < c < a ≈ b", "b < a < c < d").text
    'c < b < a < d'
    """
    names, better = _read(orders, "hierarchical order")
    return Order(names, reduce(_broken, better))


def _broken(first: Relation, second: Relation) -> Relation:
    return np.asarray(first | (alike(first) & second))


def pareto(*orders: Order | str) -> Order:
    """Pareto's order: a is better than b iff no order disagrees and at least one says so.

    For orders by several measures: a is at least as good in all and better in one. The winners are
    the Pareto front. Of weak orders it is a strict partial order, and hardly ever a weak one.

    >>> pareto("a < b < c", "b < a < c").winners
    ['a', 'b']
    """
    names, better = _read(orders, "Pareto order")
    worse = better.transpose(0, 2, 1)
    return Order(names, np.asarray(better.any(axis=0) & ~worse.any(axis=0)))


def _read(orders: Sequence[Order | str], what: str) -> tuple[tuple[str, ...], Relations]:
    if not orders:
        raise InferenceError(f"A {what} needs at least one order.")
    read = [parse_order(order) for order in orders]
    return read[0].algorithms, relations(read)
