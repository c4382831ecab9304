"""What combinations of levels tell: weights of algorithms for means, effects and interactions.

Columns of the model are coded so that every factor's sum to zero; the mean at some levels, all
others averaged with equal weights whatever was run how often, is then one row of it. A contrast c
of the model is estimable iff c X⁺X = c, and its weights over the algorithms are c X⁺ (Searle 1971,
section 5.4). Interactions of three factors and more are averaged over where all combinations were
run, and taken to be none elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from math import comb, prod

import numpy as np

from podium.asking.factors.levels import Factors
from podium.core.base.errors import InferenceError
from podium.core.words.phrases import joined

COMPLETE, PARTIAL, ABLATION, NESTED = "complete", "partial", "ablation", "nested"
ROUNDING = 1e-8
MOST_PARTS = 10  # that a difference is split among: 1024 algorithms

Term = tuple[int, ...]


def coded(cells: np.ndarray, term: Term, counts: Sequence[int]) -> np.ndarray:
    """Columns of a main effect or an interaction that sum to zero over the levels of a factor."""
    columns = np.ones((len(cells), 1))
    for f in term:
        levels = np.vstack([np.eye(counts[f] - 1), -np.ones(counts[f] - 1)])[cells[:, f]]
        columns = (columns[:, :, None] * levels[:, None, :]).reshape(len(cells), -1)
    return columns


@dataclass(frozen=True, eq=False)
class Model:
    """A linear model of the algorithms: mean, main effects and, of order 2, pairs of factors."""

    factors: Factors
    order: int

    @cached_property
    def terms(self) -> list[Term]:
        """The mean (no factor), the factors and pairs of them."""
        places = range(len(self.factors.names))
        return [term for size in range(self.order + 1) for term in combinations(places, size)]

    @cached_property
    def matrix(self) -> np.ndarray:
        """Algorithms x columns."""
        return self._rows(self.factors.cells)

    def _rows(self, cells: np.ndarray) -> np.ndarray:
        return np.hstack([coded(cells, term, self.factors.counts) for term in self.terms])

    @cached_property
    def inverse(self) -> np.ndarray:
        """The pseudo-inverse of the design matrix."""
        return np.linalg.pinv(self.matrix)

    def mean(self, at: Mapping[int, int]) -> np.ndarray:
        """The row of the mean at some factors' levels, averaged over those of all others."""
        cell = np.array([[at.get(f, 0) for f in range(len(self.factors.names))]])
        parts = [
            coded(cell, term, self.factors.counts)[0] * all(f in at for f in term)
            for term in self.terms
        ]
        return np.concatenate(parts)

    def is_estimable(self, row: np.ndarray) -> bool:
        """Whether the algorithms tell it."""
        return bool(np.abs(row @ self.inverse @ self.matrix - row).max() < ROUNDING)

    def weights(self, row: np.ndarray) -> np.ndarray:
        """Of the algorithms, with rounding taken for what it is."""
        weights = row @ self.inverse
        return np.where(np.abs(weights) < 1e-12, 0.0, weights)


@dataclass(frozen=True, eq=False)
class Design:
    """What was run, and the weights that follow.

    `kind` is complete (all combinations), partial (some of them), ablation (a base, and others that
    differ from it in one factor) or nested (all combinations, where a factor has levels of its own
    within each level of another one).
    """

    factors: Factors
    kind: str
    main: Model  # by which main effects are estimated
    pairs: Model  # and interactions
    base: int | None = None  # of an ablation: the place of the one that others are compared with

    # -- means and effects ------------------------------------------------------------------------

    def mean(self, at: Mapping[int, int]) -> np.ndarray:
        """Weights of the mean at some levels; of one factor by the model of main effects."""
        model = self.main if len(at) < 2 else self.pairs
        return model.weights(model.mean(at))

    def difference(self, factor: int, low: int, high: int, at: Mapping[int, int] | None = None
                   ) -> np.ndarray:  # fmt: skip
        """Weights of one level less another, averaged over the other factors or at a level."""
        one, other = ({**(at or {}), factor: level} for level in (high, low))
        return self.mean(one) - self.mean(other)

    def interaction(
        self, f: int, g: int, of_f: tuple[int, int], of_g: tuple[int, int]
    ) -> np.ndarray:
        """Weights of a difference of differences."""
        low, high = (self.difference(f, *of_f, {g: level}) for level in of_g)
        return high - low

    def tells(self, *cells: Mapping[int, int]) -> bool:
        """Whether the mean at some levels is told, or the difference of two such means."""
        if self.kind != PARTIAL:
            return True
        model = self.main if len(cells[0]) < 2 else self.pairs
        first, *others = map(model.mean, cells)
        return model.is_estimable(first - sum(others))

    @cached_property
    def clear(self) -> tuple[Term, ...]:
        """The pairs of factors whose interaction is told."""
        every = combinations(range(len(self.factors.names)), 2)
        if self.kind == COMPLETE:
            return tuple(every)
        return tuple(pair for pair in every if self._is_clear(pair))

    def _is_clear(self, pair: Term) -> bool:
        f, g = pair
        counts = self.factors.counts
        for high, over in product(range(1, counts[f]), range(1, counts[g])):
            row = self.pairs.mean({f: high, g: over}) - self.pairs.mean({f: 0, g: over})
            row -= self.pairs.mean({f: high, g: 0}) - self.pairs.mean({f: 0, g: 0})
            if not self.pairs.is_estimable(row):
                return False
        return True

    def not_run(self) -> list[str]:
        """The combinations that are not there."""
        seen = {*map(tuple, self.factors.cells.tolist())}
        every = product(*map(range, self.factors.counts))
        return [" / ".join(self.factors.named(cell)) for cell in every if cell not in seen]

    # -- what is mixed up with what ---------------------------------------------------------------

    @cached_property
    def mixed_pairs(self) -> dict[Term, tuple[Term, ...]]:
        """Interactions that are not told, each with the effects that they are mixed up with."""
        if self.kind != PARTIAL:
            return {}
        every: list[Term] = list(combinations(range(len(self.factors.names)), 2))
        alone: list[Term] = [(f,) for f in range(len(self.factors.names))]
        hidden = [pair for pair in every if pair not in self.clear]
        mixed: dict[Term, list[Term]] = {
            pair: [t for t in alone if self._overlap(pair, t, [()])] for pair in hidden
        }
        for pair, other in combinations(every, 2):
            if self._overlap(pair, other, [(), *alone]):
                for one, two in ((pair, other), (other, pair)):
                    if one in mixed:
                        mixed[one].append(two)
        return {pair: tuple(others) for pair, others in mixed.items()}

    def _overlap(self, one: Term, other: Term, others: Sequence[Term]) -> bool:
        """Whether two terms move together, those beside them taken out."""
        factors = self.factors
        out = np.hstack([coded(factors.cells, term, factors.counts) for term in others])
        columns = [coded(factors.cells, term, factors.counts) for term in (one, other)]
        left = [c - out @ np.linalg.lstsq(out, c, rcond=None)[0] for c in columns]
        return bool(np.abs(left[0].T @ left[1]).max() > ROUNDING * len(factors.cells))

    @cached_property
    def mixed_main(self) -> dict[int, tuple[Term, ...]]:
        """Factors whose effect is mixed up with interactions, which are taken to be none."""
        if self.kind != PARTIAL or self.main.order == 2:
            return {}
        factors = self.factors
        pairs: list[Term] = list(combinations(range(len(factors.names)), 2))
        results = {}
        for f, count in enumerate(factors.counts):
            rows = np.array([self.difference(f, 0, level) for level in range(1, count)])
            with_it = [
                p for p in pairs
                if np.abs(rows @ coded(factors.cells, p, factors.counts)).max() > ROUNDING
            ]  # fmt: skip
            if with_it:
                results[f] = tuple(with_it)
        return results

    # -- parts that are there or not --------------------------------------------------------------

    @cached_property
    def split(self) -> np.ndarray | None:
        """Shapley's split of all parts less none of them among the parts; None where not all
        combinations of parts were run.

        A part's gain, averaged over the orders in which parts may be added: beside s others it
        counts 1 / (F C(F-1, s)) (Shapley 1953). Rows add up to all less none.
        """
        factors = self.factors
        many = len(factors.names)
        if self.kind != COMPLETE or not factors.are_switches or not 2 <= many <= MOST_PARTS:
            return None
        there = factors.cells == 1
        per_row = there.sum(axis=1)
        rows = []
        for f in range(many):
            others = per_row - there[:, f]
            share = np.array([1 / (many * comb(many - 1, int(s))) for s in others])
            rows.append(np.where(there[:, f], share, -share))
        return np.array(rows)


class Nested(Design):
    """Factors that belong to another one: their levels are averaged and compared within its levels.

    The mean at some levels gives each level of the other factors the same weight; those of a factor
    that belongs to one of these share the weight of its level.
    """

    def mean(self, at: Mapping[int, int]) -> np.ndarray:
        """Weights of the mean at some levels."""
        factors = self.factors
        there = np.array([all(cell[f] == level for f, level in at.items())
                          for cell in factors.cells])  # fmt: skip
        weights = there.astype(float)
        for f, count in enumerate(factors.counts):
            if f not in at:
                outer = factors.within.get(f)
                weights /= count if outer is None else self.sizes(f)[factors.cells[:, outer]]
        return weights

    def sizes(self, f: int) -> np.ndarray:
        """How many levels a factor has within each level of the one that it belongs to."""
        outer = self.factors.within[f]
        return np.array([len(self.own_levels(f, e)) for e in range(self.factors.counts[outer])])

    def own_levels(self, f: int, outer_level: int) -> list[int]:
        """The levels of a factor within a level of the one that it belongs to."""
        cells = self.factors.cells
        here = cells[cells[:, self.factors.within[f]] == outer_level]
        return sorted({*here[:, f].tolist()})

    @cached_property
    def clear(self) -> tuple[Term, ...]:
        """Pairs of factors that belong to no other."""
        alone = (f for f in range(len(self.factors.names)) if f not in self.factors.within)
        return tuple(combinations(alone, 2))

    def missing(self) -> list[str] | None:
        """The levels of a combination that was not run; None where all were."""
        factors = self.factors
        seen = {*map(tuple, factors.cells.tolist())}
        for cell in product(*map(range, factors.counts)):
            own = all(cell[f] in self.own_levels(f, cell[g]) for f, g in factors.within.items())
            if own and cell not in seen:
                return factors.named(cell)
        return None


def _nested(factors: Factors) -> Design:
    two, one = Model(factors, 2), Model(factors, 1)
    design = Nested(factors, NESTED, one, two)
    if (gone := design.missing()) is not None:
        texts = joined([f"{n} {at}" for n, at in zip(factors.names, gone, strict=True)])
        raise InferenceError(
            f"Where a factor belongs to another one all combinations are needed, and {texts} is "
            "not there: run it, or leave a factor out of --factors."
        )
    if all((design.sizes(f) < 2).all() for f in factors.within):
        f, g = next(iter(factors.within.items()))
        raise InferenceError(
            f"'{factors.names[f]}' has one level within each '{factors.names[g]}', so there is "
            "nothing to compare: leave it out of --factors."
        )
    return design


def design_of(factors: Factors) -> Design:
    """What these algorithms tell, or why nothing."""
    if factors.within:
        return _nested(factors)
    two, one = Model(factors, 2), Model(factors, 1)
    if len(factors.algorithms) == prod(factors.counts):
        return Design(factors, COMPLETE, two, two)
    if _tells_main(two):
        return Design(factors, PARTIAL, two, two)
    base = _base(factors)
    if base is not None:
        return Design(factors, ABLATION, one, two, base)
    for f in range(len(factors.names)):
        if not _tells_factor(one, f):
            raise _inseparable(factors, f)
    return Design(factors, PARTIAL, one, two)


def _tells_main(model: Model) -> bool:
    return all(_tells_factor(model, f) for f in range(len(model.factors.names)))


def _tells_factor(model: Model, f: int) -> bool:
    rows = (
        model.mean({f: level}) - model.mean({f: 0}) for level in range(1, model.factors.counts[f])
    )
    return all(model.is_estimable(row) for row in rows)


def _base(factors: Factors) -> int | None:
    """The algorithm from which all others differ in one factor; or the full one of parts, where
    there is one without each, whatever else was run."""
    apart = (factors.cells[:, None] != factors.cells[None, :]).sum(axis=2)
    for at in range(len(apart)):
        if (np.delete(apart[at], at) == 1).all():
            return at
    if factors.are_switches:
        for full in np.flatnonzero(factors.cells.all(axis=1)):
            if (apart[full] == 1).sum() == len(factors.names):
                return int(full)
    return None


def _inseparable(factors: Factors, f: int) -> InferenceError:
    """Why the effect of a factor is not told, and which runs would tell it."""
    name = factors.names[f]
    for g in range(len(factors.names)):
        if g == f:
            continue
        seen = {tuple(cell) for cell in factors.cells[:, [f, g]].tolist()}
        counts = (factors.counts[f], factors.counts[g])
        pair = Factors(
            (name, factors.names[g]),
            (factors.levels[f], factors.levels[g]),
            np.array(sorted(seen)),
            tuple(map(str, sorted(seen))),
        )
        if not _tells_main(Model(pair, 1)):
            gone = next(c for c in product(*map(range, counts)) if c not in seen)
            return InferenceError(
                f"'{name}' and '{factors.names[g]}' change together, so their effects cannot be "
                f"told apart. Run further combinations, such as {name} "
                f"{factors.levels[f][gone[0]]} with {factors.names[g]} "
                f"{factors.levels[g][gone[1]]}, or leave one of the two out of --factors."
                + _belongs(pair)
            )
    return InferenceError(
        f"The {len(factors.algorithms)} combinations do not tell the effect of '{name}' from those "
        "of the other factors. Run further combinations, or leave a factor out of --factors."
    )


def _belongs(pair: Factors) -> str:
    """How to say that one of two factors has levels of its own within each level of the other."""
    for f, g in ((0, 1), (1, 0)):
        homes = [len({*pair.cells[pair.cells[:, f] == level, g].tolist()})
                 for level in range(pair.counts[f])]  # fmt: skip
        if max(homes) == 1 and pair.counts[f] > pair.counts[g]:
            one, other = pair.names[f], pair.names[g]
            return (
                f" If the levels of {one} belong to their {other}, say so: --factors "
                f"'{other},{one}({other})'."
            )
    return ""
