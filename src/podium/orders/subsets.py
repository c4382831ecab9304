"""All optima of small consensus programs: a dynamic programme over sets of algorithms.

`least[s]` is the cost of the best arrangement of the set s as the first layers; sets are the bits
of a number. 2^K sets for linear orders, 3^K steps for weak ones (Held and Karp 1962 for the idea).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from podium.orders.layers import Relation
from podium.orders.programs import Floats, Program

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
