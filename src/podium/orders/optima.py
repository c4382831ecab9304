"""All optima of a consensus program: of small ones over sets, else by branching on pairs.

`Search` branches within what prices leave open. With prices y on rows of transitivity
(`Program.priced`) every relation costs the bound, plus what each of its pairs costs above the
cheapest state, plus price x slack of each row: all of them at least 0. A search for all relations
of cost at most v may drop whatever exceeds v - bound. Where the linear program is tight that is 0,
and hardly anything is left to try.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from podium.orders.programs import Clock, Floats, Program, Triples
from podium.orders.relations import Relation

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
