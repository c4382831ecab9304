"""The program of a consensus by linear and integer programming with HiGHS.

Rows of transitivity are added when a solution breaks them: of the K^3 few ever are. What is proved
does not rest on the solver's tolerances: the bound is computed anew from its prices.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from podium.orders import heuristics
from podium.orders.optima import Node, Search
from podium.orders.programs import (
    Clock,
    Floats,
    Program,
    Triples,
    cheapest,
    incidence,
    violated,
)
from podium.orders.relations import Relation

VIOLATED = 1e-6  # the solver's own tolerance is 1e-7
SHORT = 200  # nodes of a search before branch and bound
INFEASIBLE = 2  # the status of scipy.optimize
MOST_ROWS = 4000  # new ones per round, those that are broken most


@dataclass(frozen=True, eq=False)
class Solution:
    """A relation, a bound on the cost of all relations, and the prices that prove a bound."""

    better: Relation
    cost: float
    bound: float
    rows: Triples
    prices: Floats
    z: Floats  # of the linear program
    cuts: Triples  # all rows of the linear program, those without a price too
    program: str = "lp"  # or "search", "milp", where the linear one did not settle it

    @property
    def gap(self) -> float:
        """How far the cost may be from the least; 0 where it is proved to be the least."""
        return max(self.cost - self.bound, 0.0)

    def with_relation(self, program: Program, better: Relation) -> Solution:
        """The solution with another relation if that costs less."""
        cost = program.cost(better)
        if cost >= self.cost - program.tolerance:
            return self
        bound = cost if cost - self.bound <= program.tolerance * program.size else self.bound
        return replace(self, better=better, cost=cost, bound=bound)

    def proved(self, by: str = "search") -> Solution:
        """The solution as an optimum."""
        return replace(self, bound=self.cost, program=by)


def solved(program: Program, start: Relation, clock: Clock) -> Solution:
    """The best relation found from `start` on, proved to be optimal unless the clock runs out."""
    solution = linear_bound(program, start, clock)
    for attempt in (_perturbed, _searched, _branched):
        if solution.gap <= program.tolerance or clock.left == 0:
            break
        solution = attempt(program, solution, clock)
    return solution


def _perturbed(program: Program, solution: Solution, clock: Clock) -> Solution:
    """With a better start, so that the prices exclude more."""
    enough = solution.bound + program.tolerance
    better = heuristics.perturbed(program, solution.better, solution.z.sum(axis=1), enough)
    return solution.with_relation(program, better)


def _searched(program: Program, solution: Solution, clock: Clock) -> Solution:
    """By a short search for what costs less; it is enough where the gap is small."""
    while solution.gap > program.tolerance:
        search = _below(program, solution, clock, SHORT)
        better = next(search.relations(), None)
        if better is None:
            return solution.proved() if search.complete else solution
        solution = solution.with_relation(program, better)
    return solution


def _below(program: Program, solution: Solution, clock: Clock, nodes: int) -> Search:
    """The search for relations that cost less than a solution."""
    less = solution.cost - _step(program)
    return Search(program, solution.rows, solution.prices, less, clock, nodes)


def _step(program: Program) -> float:
    """By how much two costs differ at least; where that is not known, what can be told apart."""
    return max(program.step, 4 * program.tolerance * program.size)


def linear_bound(program: Program, start: Relation, clock: Clock) -> Solution:
    """The linear program, with its own solution where that is integral, else `start`."""
    columns = _Columns(program)
    z = incidence(cheapest(program, start), program.both)
    rows, prices = np.empty((0, 3), dtype=np.intp), np.empty(0)
    while clock.left > 0:
        broken = _most_violated(z, program)
        if not len(broken):
            break
        rows = np.concatenate([rows, broken])
        pair = columns.linear(rows, clock)
        if pair is None:  # out of time; any prices prove a bound
            prices = np.append(prices, np.zeros(len(rows) - len(prices)))
            break
        z, prices = pair
    return _rounded(program, start, z, rows, prices)


def _most_violated(z: Floats, program: Program) -> Triples:
    rows, amounts = violated(z, program.both, VIOLATED)
    return rows[np.argsort(-amounts, kind="stable")[:MOST_ROWS]]


def _rounded(
    program: Program, start: Relation, z: Floats, rows: Triples, prices: Floats
) -> Solution:
    """The solution with what the prices prove."""
    cuts, kept = rows, prices > 0
    rows, prices = rows[kept], prices[kept]
    bound = program.raised(program.priced(rows, prices).floor - float(prices.sum()))
    better = _better(program, start, z)
    cost = program.cost(better)
    bound = cost if cost - bound <= program.tolerance * program.size else bound
    return Solution(better, cost, bound, rows, prices, z, cuts)


def _better(program: Program, start: Relation, z: Floats) -> Relation:
    """z as a relation if it is one and costs less, else `start`."""
    whole = z > 0.5
    np.fill_diagonal(whole, False)
    if np.abs(z - whole)[~np.eye(len(z), dtype=bool)].max(initial=0.0) > VIOLATED:
        return start
    if len(violated(whole.astype(float), program.both, VIOLATED)[0]):
        return start
    better = whole & ~whole.T
    return better if program.cost(better) < program.cost(start) else start


def _branched(program: Program, solution: Solution, clock: Clock) -> Solution:
    """By branch and bound for what costs less, where the prices leave pairs open.

    Again rows are added when they are broken.
    """
    columns = _Columns(program)
    root = _below(program, solution, clock, SHORT).root()
    if root is None:
        return solution.proved("milp")
    less = solution.cost - _step(program)
    rows, bound = solution.cuts, solution.bound
    while clock.left > 0:
        z, lower = columns.integer(rows, root, less, clock)
        bound = max(bound, min(program.raised(lower), solution.cost))
        broken = _most_violated(z, program) if z is not None else rows[:0]
        if not len(broken):
            break
        rows = np.concatenate([rows, broken])
    else:
        z = None
    better = solution.better if z is None else _better(program, solution.better, z)
    cost = program.cost(better)
    bound = cost if cost - bound <= VIOLATED * columns.scale else bound
    return replace(solution, better=better, cost=cost, bound=bound, program="milp")


class _Columns:
    """z as the columns of a program: one per pair for linear orders, else one per ordered pair."""

    def __init__(self, program: Program) -> None:
        size, both = program.size, program.both
        self.linear_orders = both is None
        self.first, self.second = np.triu_indices(size, 1)
        if not self.linear_orders:
            self.first, self.second = np.nonzero(~np.eye(size, dtype=bool))
        self.column = np.zeros((size, size), dtype=np.intp)
        self.column[self.first, self.second] = np.arange(len(self.first))
        self.both, self.size = both, size
        costs, self.constant = self._costs(program)
        self.scale = float(np.abs(costs).max(initial=0.0)) or 1.0  # HiGHS's tolerances are absolute
        self.costs = costs / self.scale
        if self.linear_orders:
            self.column += np.triu(self.column, 1).T

    def _costs(self, program: Program) -> tuple[Floats, float]:
        """The cost of z as a linear function."""
        upper = np.triu_indices(self.size, 1)
        before, neither = program.before, program.neither
        if self.both is None:
            gain, constant = before - before.T, before.T[upper]
        elif self.both:
            gain, constant = neither - before.T, (before + before.T - neither)[upper]
        else:
            gain, constant = before - neither, neither[upper]
        return gain[self.first, self.second], float(constant.sum())

    def z(self, x: Floats) -> Floats:
        """The matrix z of the columns' values."""
        z = np.zeros((self.size, self.size))
        z[self.first, self.second] = x
        if self.linear_orders:
            z[self.second, self.first] = 1 - x
        return z

    def _constraints(self, rows: Triples) -> tuple[object, Floats]:
        """Rows of transitivity, then of pairs, as A x <= b."""
        from scipy.sparse import csr_array, vstack

        i, j, k = rows.T
        cells = self.column[np.stack([i, j, i], 1), np.stack([j, k, k], 1)]
        signs = np.tile([1.0, 1.0, -1.0], (len(rows), 1))
        right = np.ones(len(rows))
        if self.linear_orders:  # z[j, i] is 1 - z[i, j]
            turned = np.stack([i > j, j > k, i > k], 1)
            right -= (signs * turned).sum(axis=1)
            signs = np.where(turned, -signs, signs)
        ends = np.arange(0, 3 * len(rows) + 1, 3)
        matrix = csr_array((signs.ravel(), cells.ravel(), ends), shape=(len(rows), len(self.costs)))
        if self.linear_orders:
            return matrix, right
        pairs, most = self._pairs()
        return vstack([matrix, pairs], format="csr"), np.append(right, most)

    def _pairs(self) -> tuple[object, Floats]:
        """z[i, j] + z[j, i] >= 1 where neither is 1, 1; <= 1 where it is 0, 0."""
        from scipy.sparse import csr_array

        i, j = np.triu_indices(self.size, 1)
        sign = -1.0 if self.both else 1.0
        cells = np.stack([self.column[i, j], self.column[j, i]], 1).ravel()
        ends = np.arange(0, 2 * len(i) + 1, 2)
        matrix = csr_array(
            (np.full(2 * len(i), sign), cells, ends), shape=(len(i), len(self.costs))
        )
        return matrix, np.full(len(i), sign)

    def linear(self, rows: Triples, clock: Clock) -> tuple[Floats, Floats] | None:
        """z and the prices of the rows; None where the time is out."""
        from scipy.optimize import linprog

        matrix, right = self._constraints(rows)
        options = {} if math.isinf(clock.end) else {"time_limit": clock.left}
        result = linprog(
            self.costs, A_ub=matrix, b_ub=right, bounds=(0, 1), method="highs-ds", options=options
        )
        if result.x is None or result.status != 0:
            return None
        return self.z(result.x), np.maximum(
            -result.ineqlin.marginals[: len(rows)], 0.0
        ) * self.scale

    def integer(
        self, rows: Triples, root: Node, most: float, clock: Clock
    ) -> tuple[Floats | None, float]:
        """z in zeros and ones that costs at most so much, and a bound on the cost.

        z is None where none is left or found.
        """
        from scipy.optimize import Bounds, LinearConstraint, milp

        matrix, right = self._constraints(rows)
        cells = self.first, self.second
        dear = (most - self.constant) / self.scale + VIOLATED
        options = {"mip_rel_gap": 0.0}
        if not math.isinf(clock.end):
            options["time_limit"] = clock.left
        outcome = milp(
            self.costs,
            integrality=np.ones(len(self.costs)),
            bounds=Bounds(root.one[cells].astype(float), (~root.zero[cells]).astype(float)),
            constraints=[LinearConstraint(matrix, ub=right), LinearConstraint(self.costs, ub=dear)],
            options=options,
        )
        if outcome.status == INFEASIBLE:
            return None, math.inf
        bound = -math.inf if outcome.mip_dual_bound is None else outcome.mip_dual_bound
        bound = bound * self.scale + self.constant
        return (None if outcome.x is None else self.z(outcome.x.round())), bound
