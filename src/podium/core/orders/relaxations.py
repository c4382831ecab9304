"""The program of a consensus: linear and integer programming with HiGHS, and all of its optima.

Rows of transitivity are added when a solution breaks them: of the K^3 few ever are. What is proved
does not rest on the solver's tolerances: the bound is computed anew from its prices.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from podium.core.orders import programs as heuristics
from podium.core.orders.programs import (
    Clock,
    Floats,
    Program,
    Triples,
    cheapest,
    incidence,
    violated,
)
from podium.core.orders.relations import Relation

# -- all optima of a consensus program ------------------------------------------------------------
# Of small ones over sets, else by branching on pairs.
#
# `Search` branches within what prices leave open. With prices y on rows of transitivity
# (`Program.priced`) every relation costs the bound, plus what each of its pairs costs above the
# cheapest state, plus price x slack of each row: all of them at least 0. A search for all
# relations of cost at most v may drop whatever exceeds v - bound. Where the linear program is
# tight that is 0, and hardly anything is left to try.


MOST_CELLS = 30_000_000  # nodes x K^2: some seconds


@dataclass(frozen=True, eq=False)
class Node:
    """Which z[i, j] must be 1 and which must be 0."""

    one: Relation
    zero: Relation


@dataclass(frozen=True, eq=False)
class _Allowed:
    """Which states each pair may still have, and how much a relation may cost above those."""

    before: Relation
    neither: Relation
    room: float

    @property
    def open(self) -> Relation:
        """The pairs i < j with more than one state."""
        states = self.before.astype(int) + self.before.T + self.neither
        return np.triu(states > 1, 1)


class Search:
    """The relations that cost at most `cost`; `complete` tells whether all were found."""

    def __init__(
        self,
        program: Program,
        rows: Triples,
        prices: Floats,
        cost: float,
        clock: Clock,
        nodes: int | None = None,
    ) -> None:
        self.nodes = MOST_CELLS // program.size**2 if nodes is None else nodes
        priced = program.priced(rows, prices)
        self.program, self.rows, self.prices, self.clock = program, rows.T, prices, clock
        self.before = priced.before - priced.least
        self.neither = priced.neither - priced.least
        self.cost = cost + program.tolerance * program.size
        self.room = self.cost - (priced.floor - float(prices.sum()))
        self.off = ~np.eye(program.size, dtype=bool)
        self.complete = True

    def relations(self) -> Iterator[Relation]:
        """Every relation once."""
        nodes, count = [self._nothing()], 0
        while nodes:
            count += 1
            if count > self.nodes or self.clock.left == 0:
                self.complete = False
                return
            node = nodes.pop()
            pair = self._propagated(node)
            if pair is None:
                continue
            node, allowed = pair
            pairs = np.argwhere(allowed.open)
            if len(pairs):
                nodes.extend(self._children(node, allowed, *pairs[0]))
            elif self.program.cost(allowed.before) <= self.cost:
                yield allowed.before

    def _nothing(self) -> Node:
        nothing = np.zeros_like(self.off)
        return Node(nothing, nothing)

    def root(self) -> Node | None:
        """What all relations have in common, as far as it is seen at once; None: there are none."""
        result = self._propagated(self._nothing())
        return None if result is None else result[0]

    def _children(self, node: Node, allowed: _Allowed, i: int, j: int) -> Iterator[Node]:
        """The node with each state of a pair."""
        if allowed.neither[i, j]:
            yield _with(
                node,
                [(i, j), (j, i)] if self.program.both else [],
                [] if self.program.both else [(i, j), (j, i)],
            )
        for first, second in ((j, i), (i, j)):
            if allowed.before[first, second]:
                yield _with(node, [(first, second)], [(second, first)])

    def _propagated(self, node: Node) -> tuple[Node, _Allowed] | None:
        """What follows from a node; None where nothing is left."""
        one, zero = node.one, node.zero
        while True:
            allowed = self._allowed(one, zero)
            if allowed is None:
                return None
            known = one.sum() + zero.sum()
            one, zero = self._certain(allowed)
            one, zero = _transitive(one, zero)
            one, zero = self._tight(one & self.off, zero & self.off, allowed.room)
            if (one & zero).any():
                return None
            if one.sum() + zero.sum() == known:
                return Node(one, zero), allowed

    def _allowed(self, one: Relation, zero: Relation) -> _Allowed | None:
        """The states that neither a certain z nor their cost exclude."""
        before = ~zero & ~one.T & self.off
        some = (~zero & ~zero.T) if self.program.both else (~one & ~one.T)
        neither = some & self.off & (self.program.both is not None)
        cheapest = np.minimum(
            np.where(before, self.before, np.inf), np.where(neither, self.neither, np.inf)
        )
        cheapest = np.minimum(cheapest, cheapest.T)
        np.fill_diagonal(cheapest, 0.0)
        room = self.room - float(np.triu(cheapest, 1).sum() + self.prices @ self._slack(one, zero))
        if room < 0:
            return None
        before &= self.before - cheapest <= room
        neither &= self.neither - cheapest <= room
        return _Allowed(before, neither, room)

    def _slack(self, one: Relation, zero: Relation) -> Floats:
        """The slack that each row has whatever becomes of the open pairs."""
        i, j, k = self.rows
        return np.maximum(one[i, k].astype(float) + zero[i, j] + zero[j, k] - 1, 0)

    def _certain(self, allowed: _Allowed) -> tuple[Relation, Relation]:
        """z[i, j] that is 1, and that is 0, in all allowed states of its pair."""
        if self.program.both:
            return ~allowed.before.T & self.off, ~(allowed.before | allowed.neither) & self.off
        only = allowed.before & ~allowed.before.T & ~allowed.neither
        return only, ~allowed.before & self.off

    def _tight(self, one: Relation, zero: Relation, room: float) -> tuple[Relation, Relation]:
        """What follows from rows too dear to have slack: z[i, j] + z[j, k] = 1 + z[i, k]."""
        # a row with slack is paid for already, so its price says no more
        i, j, k = self.rows[:, (self.prices > room) & (self._slack(one, zero) == 0)]
        one, zero = one.copy(), zero.copy()
        needed = one[i, k]
        for a, b, c, d in ((i, j, j, k), (j, k, i, j)):
            absent = zero[a, b]
            one[c[absent | needed], d[absent | needed]] = True
            zero[i[absent], k[absent]] = True
        return one, zero


def _with(node: Node, ones: list[tuple[int, int]], zeros: list[tuple[int, int]]) -> Node:
    one, zero = node.one.copy(), node.zero.copy()
    for cell in ones:
        one[cell] = True
    for cell in zeros:
        zero[cell] = True
    return Node(one, zero)


def _transitive(one: Relation, zero: Relation) -> tuple[Relation, Relation]:
    """What one step of transitivity adds: i to j and j to k is i to k, and its two converses."""
    yes, no = one.astype(np.float32), zero.astype(np.float32)
    ones = one | (yes @ yes > 0)
    zeros = zero | (yes.T @ no > 0) | (no @ yes.T > 0)
    return ones, zeros


# -- small programs: a dynamic programme over sets of algorithms ----------------------------
# `least[s]` is the cost of the best arrangement of the set s as the first layers; sets are the bits
# of a number. 2^K sets for linear orders, 3^K steps for weak ones (Held and Karp 1962: the idea).

LARGEST = {None: 12, True: 9}  # by `Program.both`: what takes about 10 ms
Sets = NDArray[np.int64]


class Subsets:
    """The table of `least` costs, and the optima that can be read from it."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.sets: Sets = np.arange(1 << program.size)
        self.members = (self.sets[:, None] >> np.arange(program.size) & 1).astype(float)
        self.full = int(self.sets[-1])
        self.least = self._singles() if program.both is None else self._layers()

    @property
    def cost(self) -> float:
        """The cost of the optima."""
        return float(self.least[self.full])

    def _singles(self) -> Floats:
        """The table for layers of one: sets by their number of members, all of a size at once."""
        last = self.members @ self.program.before  # of i behind the whole set
        least = np.full(len(self.sets), np.inf)
        least[0] = 0.0
        sizes = self.members.sum(axis=1)
        for size in range(self.program.size):
            layer = self.sets[sizes == size]
            for i in range(self.program.size):
                free = layer[layer >> i & 1 == 0]
                new = free | 1 << i
                least[new] = np.minimum(least[new], least[free] + last[free, i])
        return least

    def _layers(self) -> Floats:
        """The table for layers of any size: every set with every set of the others behind it."""
        least = np.full(len(self.sets), np.inf)
        least[0] = 0.0
        for done in range(self.full):
            layers = self.sets[(self.sets & done) == 0][1:]
            after = self.members[layers] @ (self.members[done] @ self.program.before)
            new = layers | done
            least[new] = np.minimum(least[new], least[done] + after + self._tied[layers])
        return least

    @cached_property
    def _tied(self) -> Floats:
        """What the pairs within every set cost if the set is one layer."""
        neither = np.where(np.isinf(self.program.neither), 0.0, self.program.neither)
        return np.asarray(((self.members @ neither) * self.members).sum(axis=1) / 2)

    def _last_layers(self, done: int) -> list[int]:
        """The sets that can be the last layer of a best arrangement of `done`."""
        layers = self.sets[(self.sets & ~done) == 0][1:]
        if self.program.both is None:
            layers = layers[(layers & (layers - 1)) == 0]
        before = self.members[done ^ layers] @ self.program.before
        after = (before * self.members[layers]).sum(axis=1)
        costs = self.least[done ^ layers] + after + self._tied[layers]
        slack = self.program.tolerance * self.program.size
        return [int(layer) for layer in layers[costs <= self.least[done] + slack]]

    def optima(self) -> Iterator[Relation]:
        """Every optimum once; each is found without a detour."""
        known: dict[int, list[int]] = {}
        for layers in self._arranged(self.full, known):
            levels = self.members[layers].T @ np.arange(len(layers))
            yield np.asarray(levels[:, None] < levels)

    def _arranged(self, done: int, known: dict[int, list[int]]) -> Iterator[list[int]]:
        if not done:
            yield []
            return
        if done not in known:
            known[done] = self._last_layers(done)
        for layer in known[done]:
            for layers in self._arranged(done ^ layer, known):
                yield [*layers, layer]


# -- relaxations ----------------------------------------------------------------------------------
# The program of a consensus by linear and integer programming with HiGHS.
#
# Rows of transitivity are added when a solution breaks them: of the K^3 few ever are. What is
# proved does not rest on the solver's tolerances: the bound is computed anew from its prices.


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
