"""Orders made from several orders without a distance: ties broken in turn, and Pareto's order."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from podium.errors import InferenceError
from podium.orders.axioms import alike
from podium.orders.distances import Relations, not_compared, refuse_mixed, relations
from podium.orders.layers import Relation
from podium.orders.notation import parse_order
from podium.orders.order import Order


def hierarchical(*orders: Order | str) -> Order:
    """The order h(R1, R2, ...): ties of the first are broken by the second, and so on.

    The sequence matters (eugster2008, section 3.3). Of weak orders it is a weak order. Where ≈ is
    not transitive, breaking ties may lead around a circle: `cycles` of the order tells. A pair that
    an order does not compare is no tie: no later order decides it. Texts with ≲ are refused.

    >>> hierarchical("a ≈ b ≈ c < d", "d < c < a ≈ b", "b < a < c < d").text
    'c < b < a < d'
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
    Texts with ≲ are refused.

    >>> pareto("a < b < c", "b < a < c").winners
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
    return names, better, np.array([not_compared(order, names) for order in read])


def _pairs(lost: Relation, names: Sequence[str]) -> frozenset[tuple[str, str]]:
    return frozenset((names[i], names[j]) for i, j in np.argwhere(np.triu(lost, 1)))
