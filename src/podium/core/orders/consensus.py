"""Consensus: the orders with the least sum of distances to many orders, and Pareto's order.

    L(R) = sum of w_i d(R, R_i)    (eugster2008, section 3.3; Hornik and Meyer 2007)

over all R of a family, d the symmetric difference distance. What the families are:

    linear    no two algorithms are tied
    weak      layers: ≈ is transitive (complete preorders; R's relations calls them "W")
    partial   partial orders ≤ ("O" there): two algorithms may be incomparable, which is not ≈.
              Such a pair is in ≤ neither way, so it differs by 1 from < and by 2 from ≈.
              Incomparable pairs are the `uncompared` ones of the orders returned
    strict    strict partial orders <: what is not < is ≈, which need not be transitive. It differs
              by 1 from <, and the value is the sum of `distance` to the orders

An order that is given is read with ≈ where none is better, except that it has no vote on pairs that
it does not compare (`Order.uncompared`), as those across the ≿ of a text.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from itertools import islice, product
from typing import Any

import numpy as np
import pandas as pd

from podium.core.base.errors import InferenceError
from podium.core.base.registry import Registry, unknown
from podium.core.orders import programs as heuristics
from podium.core.orders.distances import Relations, refuse_mixed, relations
from podium.core.orders.order import Order
from podium.core.orders.order import order as parse_order
from podium.core.orders.programs import Clock, Floats, Program, chain, pieces, stacked
from podium.core.orders.relations import Relation, alike
from podium.core.orders.relaxations import LARGEST, Search, Solution, Subsets, linear_bound, solved
from podium.core.words.facts import Note
from podium.core.words.notes import of_results as wording
from podium.core.words.saying import Presented, text

# -- several orders at once -----------------------------------------------------------------------
# Ties broken in turn, Pareto's order, and what a consensus is asked about.
#
# Hierarchical and Pareto orders need no distance. An ensemble has orders with weights, on the
# algorithms of all or of some of them; a family says which orders their consensus may be.


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


# -- consensus ------------------------------------------------------------------------------------
# The orders with the least sum of distances to many orders.
#
# L(R) = sum of w_i d(R, R_i) (eugster2008, section 3.3; Hornik and Meyer 2007)
#
# over all R of a family, d the symmetric difference distance. What the families are:
#
# linear no two algorithms are tied weak layers: ≈ is transitive (complete preorders; R's
# relations calls them "W") partial partial orders ≤ ("O" there): two algorithms may be
# incomparable, which is not ≈. Such a pair is in ≤ neither way, so it differs by 1 from < and by
# 2 from ≈. Incomparable pairs are the `uncompared` ones of the orders returned strict strict
# partial orders <: what is not < is ≈, which need not be transitive. It differs by 1 from <, and
# the value is the sum of `distance` to the orders
#
# An order that is given is read with ≈ where none is better, except that it has no vote on pairs
# that it does not compare (`Order.uncompared`), as those across the ≿ of a text.


EXACT, LOCAL = "exact", "local-search"
# ways to an order, the hardest last; the last one where the time did not suffice for a proof
HARDER = ("majority", "subsets", "lp", "search", "milp", LOCAL)


@dataclass(frozen=True, eq=False, repr=False)
class Consensus(Presented):
    """The orders nearest to an ensemble.

    `orders` are all optima, or as many as were asked for (`capped`); where `optimal` is false,
    the best that were found, at most `gap` from the least value. `method` says how.
    """

    orders: tuple[Order, ...]
    value: float
    optimal: bool
    gap: float
    capped: bool
    method: str
    family: str
    notes: tuple[Note, ...] = ()

    @property
    def order(self) -> Order:
        """The first of the orders."""
        return self.orders[0]

    @property
    def sentence(self) -> str:
        """How many orders there are, their value, and what was proved."""
        gap = 0.0 if self.optimal else self.gap
        return wording.consensus(
            len(self.orders), self.family, self.value, gap=gap, capped=self.capped
        )

    def _lines_above(self) -> list[str]:
        return [f"{self.sentence} ({self.method})."]

    def _tables(self) -> dict[str, pd.DataFrame]:
        return {"Orders": pd.DataFrame({"order": [order.text for order in self.orders]})}

    def _facts(self) -> dict[str, Any]:
        names = ("family", "value", "optimal", "gap", "capped", "method")
        return {
            **{name: getattr(self, name) for name in names},
            "orders": [order.to_dict() for order in self.orders],
            "warnings": self.notes,
        }

    def __repr__(self) -> str:
        return text(
            [*self._lines_above(), *(f"  {order.text}" for order in self.orders)], {}, self.notes
        )


def consensus(
    orders: Iterable[Order | str],
    weights: Sequence[float] | None = None,
    family: str = "weak",
    *,
    limit: int = 1000,
    time_limit: float | None = None,
    on: str | None = None,
    method: str = EXACT,
) -> Consensus:
    """The orders of a family with the least weighted sum of distances to the given ones.

    Parameters
    ----------
    orders : orders, or texts such as "a ≻ b"
    weights
        One positive number per order; 1 each unless given.
    family
        linear, weak, partial or strict: see the module's text.
    limit
        How many optima are listed at most.
    time_limit
        Seconds after which the best order found so far is returned, with its gap.
    on
        For orders of different algorithms: "intersection" keeps the algorithms that all orders
        have; "union" keeps all of them, and an order says nothing about pairs that it lacks.
    method
        "exact", or a heuristic with its gap to the bound of the linear program: "local-search", or
        the scores "borda", "copeland", "condorcet" (for linear orders the earlier of two
        algorithms with the same score is first).

    Returns
    -------
    Consensus
        `.orders`: all optima; `.value`; `.optimal` (proved) or `.gap`.

    Examples
    --------
    >>> consensus(["a ≻ b ≻ c", "b ≻ a ≈ c"], family="linear")
    2 linear orders with distance 3, proved to be the least (subsets).
      a ≻ b ≻ c
      b ≻ a ≻ c
    """
    several = ensemble(orders, weights, on)
    kind = FAMILIES[family]
    _check(limit, time_limit)
    program = several.program(kind)
    clock = Clock.lasting(time_limit)
    with _one_thread(program.size):
        if method == EXACT:
            result = _exact(program, several.wins, limit, clock)
        else:
            result = _heuristic(program, several.wins, method, clock)
    made = _wrapped(result, program, several.names, family)
    return replace(made, notes=tuple(_notes(several, made)))


def _one_thread(size: int) -> AbstractContextManager[Any]:
    """BLAS with one thread; up to K = 64 OpenBLAS uses one by itself.

    On a busy machine several threads wait for each other far longer than they work.
    """
    if size <= 64:
        return nullcontext()
    from threadpoolctl import threadpool_limits

    return threadpool_limits(limits=1, user_api="blas")


def _check(limit: int, time_limit: float | None) -> None:
    if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
        raise InferenceError(
            f"The limit of a consensus is a number of orders from 1 on, not {limit!r}."
        )
    if time_limit is not None and not time_limit > 0:
        raise InferenceError(
            f"The time limit of a consensus is in seconds above 0, not {time_limit!r}."
        )


# -- solving --------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Found:
    """Relations of least cost, the bound, and how they were found."""

    relations: list[Relation]
    bound: float
    capped: bool
    method: str


def _exact(program: Program, wins: Floats, limit: int, clock: Clock) -> _Found:
    """All optima, as the products of those of the parts that come after each other."""
    parts = chain(program)
    results = [_of_part(program.part(p), wins[np.ix_(p, p)], limit, clock) for p in parts]
    across = program.floor - sum(program.part(p).floor for p in parts)
    together = product(*(part.relations for part in results))
    kept = [
        stacked(list(zip(parts, c, strict=True)), program.size) for c in islice(together, limit)
    ]
    total = math.prod(len(part.relations) for part in results)
    return _Found(
        kept,
        across + sum(part.bound for part in results),
        total > limit or any(part.capped for part in results),
        _method(results),
    )


def _method(results: Sequence[_Found]) -> str:
    """How the parts were solved, the hardest way last."""
    used = [name for name in HARDER if any(part.method == name for part in results)]
    return "+".join(used[1:] or used)


def _of_part(program: Program, wins: Floats, limit: int, clock: Clock) -> _Found:
    """All optima of what cannot be taken apart without losing one."""
    if program.size == 1:
        return _Found([np.zeros((1, 1), dtype=bool)], 0.0, False, "majority")
    if program.size <= LARGEST.get(program.both, 0):
        table = Subsets(program)
        optima = list(islice(table.optima(), limit + 1))
        return _Found(optima[:limit], table.cost, len(optima) > limit, "subsets")
    return _searched(program, _solution(program, wins, clock), limit, clock)


def _solution(program: Program, wins: Floats, clock: Clock) -> Solution:
    """One optimum, piece by piece, with the prices of all pieces."""
    parts = pieces(program)
    results = []
    for places in parts:
        piece = program.part(places)
        start = heuristics.local_search(piece, wins[np.ix_(places, places)])
        results.append(solved(piece, start, clock))
    better = stacked([(p, f.better) for p, f in zip(parts, results, strict=True)], program.size)
    cost = program.cost(better)
    return Solution(
        better,
        cost,
        cost - sum(f.gap for f in results),
        np.concatenate([p[f.rows] for p, f in zip(parts, results, strict=True)]),
        np.concatenate([f.prices for f in results]),
        better.astype(float),
        np.concatenate([p[f.cuts] for p, f in zip(parts, results, strict=True)]),
        max((f.program for f in results), key=HARDER.index),
    )


def _searched(program: Program, solution: Solution, limit: int, clock: Clock) -> _Found:
    """All relations that cost as much as a solution; that one alone where it is not proved."""
    if solution.gap > program.tolerance * program.size:
        return _Found([solution.better], solution.bound, False, LOCAL)
    search = Search(program, solution.rows, solution.prices, solution.cost, clock)
    optima = list(islice(search.relations(), limit + 1))
    if not any(np.array_equal(solution.better, other) for other in optima[:limit]):
        optima.insert(0, solution.better)
    capped = len(optima) > limit or not search.complete
    return _Found(optima[:limit], solution.cost, capped, solution.program)


def _heuristic(program: Program, wins: Floats, method: str, clock: Clock) -> _Found:
    """One order by a rule, with the bound of the linear program."""
    known = [EXACT, LOCAL, *heuristics.SCORES]
    if method not in known:
        raise InferenceError(unknown("method of a consensus", method, known))
    if method == LOCAL:
        better = heuristics.local_search(program, wins)
    else:
        scores = heuristics.SCORES[method](wins)
        ranks = heuristics.ranks_of(scores, ties=program.both is not None)
        better = heuristics.relation(ranks)
    return _Found([better], _bound(program, better, clock), False, method)


def _bound(program: Program, better: Relation, clock: Clock) -> float:
    return sum(
        (linear_bound(program.part(p), better[np.ix_(p, p)], clock).bound for p in pieces(program)),
        program.floor - sum(program.part(p).floor for p in pieces(program)),
    )


def _wrapped(result: _Found, program: Program, names: tuple[str, ...], family: str) -> Consensus:
    value = program.cost(result.relations[0])
    gap = max(value - result.bound, 0.0)
    gap = 0.0 if gap <= program.tolerance * program.size**2 else gap
    kept = sorted(result.relations, key=lambda better: tuple(better.sum(axis=0)))
    return Consensus(
        tuple(_order(better, names, FAMILIES[family]) for better in kept),
        _exactly(value),
        gap == 0,
        _exactly(gap),
        result.capped,
        result.method,
        family,
    )


def _exactly(value: float) -> float:
    """A sum of weights without its rounding error."""
    return float(f"{value:.12g}")


def _order(better: Relation, names: tuple[str, ...], family: Family) -> Order:
    if family.neither_is_alike:
        return Order(names, better)
    pairs = np.argwhere(np.triu(~(better | better.T), 1))
    return Order(names, better, None, frozenset((names[i], names[j]) for i, j in pairs))


def _notes(request: Ensemble, result: Consensus) -> Iterator[Note]:
    if count := int(np.triu(request.open_pairs).sum()):
        silent = int(np.triu((request.votes == 0) & request.open_pairs).sum())
        yield Note("no-vote", pairs=count, silent=silent)
    if any(order.uncompared for order in result.orders):
        yield Note("incomparable")
