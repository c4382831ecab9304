"""What holds of a relation: its layers, the axioms that it breaks, its sets of ≈ and their letters.

Arrays in, arrays out. `better[i, j]` says that i comes before j. Nothing here assumes that the
relation is transitive: pairwise tests do not promise it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations
from string import ascii_letters
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from podium.core.base.errors import InferenceError
from podium.core.base.registry import Registry, unknown

Relation = NDArray[np.bool_]


def closure(better: Relation) -> Relation:
    """The smallest transitive relation that holds `better` (Warshall 1962)."""
    reached = better.copy()
    for k in range(len(reached)):
        reached |= reached[:, k, None] & reached[k]
    return reached


def reduction(better: Relation) -> Relation:
    """The fewest pairs with the same closure; unique where there is no cycle (Aho et al. 1972)."""
    reached = closure(better)
    return reached & ~_composed(reached, reached)


def in_one_cycle(better: Relation) -> Relation:
    """Which two algorithms are on a common cycle, every one with itself included."""
    reached = closure(better)
    return (reached & reached.T) | np.eye(len(better), dtype=bool)


def levels(better: Relation) -> NDArray[np.intp]:
    """The layer of every algorithm, counted from 0: successive sets of undominated algorithms.

    The topological sort of eugster2008, section 3.2. On a cycle everything is dominated, so the
    members of a cycle count as one and share their layer.
    """
    together = in_one_cycle(better)
    dominates = _composed(_composed(together, better & ~together), together)
    level = np.full(len(better), -1)
    for number in range(len(better)):
        left = level < 0
        level[left & ~dominates[left].any(axis=0)] = number
    return level


def components(known: Relation, layer: Sequence[int]) -> list[list[int]]:
    """A layer by parts: two are in one where a chain of pairs that were compared joins them."""
    parts: list[list[int]] = []
    for i in layer:
        joined = [part for part in parts if known[i, part].any()]
        rest = [part for part in parts if part not in joined]
        if not joined:
            parts = [*rest, [i]]
            continue
        merged = sorted([*chain.from_iterable(joined), i], key=list(layer).index)
        parts = sorted([*rest, merged], key=lambda part: list(layer).index(part[0]))
    return parts


def layers_by(better: Relation, rank: Callable[[int], Any]) -> list[list[int]]:
    """Layers that are cut from a line in which the best by `rank` comes first.

    The line is by rank as far as the relation allows: nobody stands before one that is better than
    itself. A layer ends before the first one that is worse than a member. Members of a cycle count
    as one and share their layer.
    """
    together = in_one_cycle(better)
    dominates = _composed(_composed(together, better & ~together), together)
    line = sorted(range(len(better)), key=rank)
    layers: list[list[int]] = []
    above = dominates.sum(axis=0)  # how many of those that are left are better
    while line:
        first = next(i for i in line if not above[i])
        units = [i for i in line if together[first, i]]
        if layers and not dominates[layers[-1]][:, units].any():
            layers[-1] += units
        else:
            layers.append(units)
        above = above - dominates[units].sum(axis=0)
        line = [i for i in line if i not in units]
    return layers


def joints(better: Relation, layers: Sequence[Sequence[int]]) -> list[bool]:
    """Between each two neighbouring layers, whether `≻` may stand there.

    A chain `A ≻ B ≻ C` is read as a claim about A and C too. So a layer is joined by `≻` only
    where every member of *every* layer since the last other joint is better than all of its own
    members. This makes the fewest other joints, since a part of a chain is a chain; for a
    transitive relation it is the same as to look at the two neighbours alone.
    """
    strict, before = [], list(layers[0])
    for layer in layers[1:]:
        strict.append(bool(better[np.ix_(before, layer)].all()))
        before = [*before, *layer] if strict[-1] else list(layer)
    return strict


def claimed(layers: Sequence[Sequence[int]], strict: Sequence[bool]) -> Relation:
    """The pairs that layers and the joints between them claim: the inverse of `joints`."""
    size = sum(len(layer) for layer in layers)
    better = np.zeros((size, size), dtype=bool)
    for run in _chains(layers, strict):
        for place, layer in enumerate(run):
            for later in run[place + 1 :]:
                better[np.ix_(layer, later)] = True
    return better


def _chains(
    layers: Sequence[Sequence[int]], strict: Sequence[bool]
) -> Iterator[list[Sequence[int]]]:
    """The longest runs of layers that are joined by `≻`."""
    run = [layers[0]]
    for layer, joined in zip(layers[1:], strict, strict=True):
        if not joined:
            yield run
            run = []
        run.append(layer)
    yield run


def _composed(left: Relation, right: Relation) -> Relation:
    """i and k are related iff i is to some j on the left and j to k on the right."""
    paths = left.astype(np.float32) @ right.astype(np.float32)  # counts; boolean @ has no BLAS
    return np.asarray(paths > 0)


# -- axioms: each as the list of what breaks it ---------------------------------------------
# A violation comes as the algorithms in the axiom's own order: (i, j, k) breaks transitivity where
# i is better than j and j better than k, but not i than k.

Rows = NDArray[np.intp]
Axiom = Callable[[Relation], Iterator[Rows]]

AXIOMS: Registry[Axiom] = Registry("axiom")


@AXIOMS.named("irreflexive")
def irreflexive(better: Relation) -> Iterator[Rows]:
    """Algorithms that are better than themselves."""
    yield np.argwhere(np.diag(better))


@AXIOMS.named("asymmetric")
def asymmetric(better: Relation) -> Iterator[Rows]:
    """Pairs where each is better than the other."""
    yield np.argwhere(np.triu(better & better.T))


@AXIOMS.named("transitive")
def transitive(better: Relation) -> Iterator[Rows]:
    """i before j and j before k, but not i before k."""
    return _triples(better, lambda i: better[i][:, None] & better & ~better[i])


@AXIOMS.named("negatively transitive")
def negatively_transitive(better: Relation) -> Iterator[Rows]:
    """Neither i before j nor j before k, and yet i before k."""
    return _triples(better, lambda i: ~better[i][:, None] & ~better & better[i])


@AXIOMS.named("complete")
def complete(better: Relation) -> Iterator[Rows]:
    """Pairs of which neither is better."""
    yield np.argwhere(np.triu(alike(better), 1))


@AXIOMS.named("indifference transitive")
def indifference_transitive(better: Relation) -> Iterator[Rows]:
    """i ≈ j and j ≈ k, but not i ≈ k; once for i and k in either order."""
    same = alike(better)
    after = np.triu(~same)  # i's place is before k's
    return _triples(better, lambda i: same[i][:, None] & same & after[i])


def alike(better: Relation) -> Relation:
    """The ≈ of a relation: neither is better; every algorithm is ≈ to itself."""
    return ~(better | better.T)


def _triples(better: Relation, broken: Callable[[int], Relation]) -> Iterator[Rows]:
    """The triples (i, j, k) with broken(i)[j, k]; one i at a time keeps memory at K x K."""
    for i in range(len(better)):
        result = np.argwhere(broken(i))
        yield np.column_stack([np.full(len(result), i), result])


def _all_of(*names: str) -> Axiom:
    parts = [AXIOMS[name] for name in names]
    return lambda better: chain.from_iterable(part(better) for part in parts)


AXIOMS.add("strict partial order", _all_of("irreflexive", "asymmetric", "transitive"))
AXIOMS.add("strict weak order", _all_of("irreflexive", "asymmetric", "negatively transitive"))
AXIOMS.add("linear", _all_of("irreflexive", "asymmetric", "transitive", "complete"))


# -- sets of ≈, and letters that show them (compact letter display) ------------------------
# `alike` is the symmetric matrix of ≈ with a true diagonal, algorithms from the best to the worst.
# ≈ need not be transitive: then an algorithm is in several sets and has several letters.

Clique = tuple[int, ...]
MOST_CLIQUES = 100_000  # K algorithms can have 3^(K/3) of them (Moon & Moser 1965)


def maximal_cliques(alike: Relation) -> list[Clique]:
    """All maximal sets of mutually ≈ algorithms, the best first (Bron & Kerbosch 1973).

    With Tomita's pivot; a set of algorithms is a whole number with one bit for each of them.
    """
    neighbours = _neighbours(alike)
    numbers: list[int] = []
    open_branches = [(0, (1 << len(alike)) - 1, 0)]
    while open_branches:
        clique, candidates, done = open_branches.pop()
        if not candidates and not done:
            numbers.append(clique)
            _check_number(len(numbers), len(alike))
        open_branches.extend(_branches(clique, candidates, done, neighbours))
    return sorted(tuple(_members(clique)) for clique in numbers)


def _branches(
    clique: int, candidates: int, done: int, neighbours: list[int]
) -> Iterator[tuple[int, int, int]]:
    """The clique with one candidate more; neighbours of the pivot wait, it can join them all."""
    if not candidates:
        return
    reach = ((candidates & neighbours[v]).bit_count() for v in _members(candidates | done))
    pivot = max(zip(reach, _members(candidates | done), strict=True))[1]
    for v in _members(candidates & ~neighbours[pivot]):
        yield clique | 1 << v, candidates & neighbours[v], done & neighbours[v]
        candidates &= ~(1 << v)
        done |= 1 << v


def _neighbours(alike: Relation) -> list[int]:
    """For every algorithm the set of the others that are ≈ to it."""
    others = alike & ~np.eye(len(alike), dtype=bool)
    return [sum(1 << int(j) for j in np.flatnonzero(row)) for row in others]


def _members(numbers: int) -> Iterator[int]:
    while numbers:
        lowest = numbers & -numbers
        yield lowest.bit_length() - 1
        numbers ^= lowest


def _check_number(cliques: int, algorithms: int) -> None:
    if cliques > MOST_CLIQUES:
        raise InferenceError(
            f"The ≈ of these {algorithms} algorithms has more than {MOST_CLIQUES} maximal sets; "
            "letters() shows the same ≈ with few of them."
        )


def covering_cliques(alike: Relation) -> list[Clique]:
    """Few maximal cliques that hold every ≈ pair and every algorithm, the best first.

    The fewest are NP-hard to find (Gramm et al. 2007), so pairs are covered greedily and cliques
    that turn out superfluous are dropped. For interval orders, where every maximal clique has a
    pair of its own, the result is all maximal cliques.
    """
    uncovered = alike.copy()
    cliques = []
    while uncovered.any():
        first, second = np.argwhere(uncovered)[0]
        cliques.append(_grown(int(first), int(second), alike, uncovered))
        uncovered[np.ix_(cliques[-1], cliques[-1])] = False
    return sorted(tuple(sorted(clique)) for clique in _needed(cliques, len(alike)))


def _grown(first: int, second: int, alike: Relation, uncovered: Relation) -> list[int]:
    """A maximal clique with a given pair that covers many new pairs; ties go to the best."""
    clique = list(dict.fromkeys([first, second]))
    common = np.asarray(alike[clique].all(axis=0))
    common[clique] = False
    gain = uncovered[clique].sum(axis=0)
    while common.any():
        chosen = int(np.argmax(np.where(common, gain, -1)))
        clique.append(chosen)
        gain += uncovered[chosen]
        common &= alike[chosen]
        common[chosen] = False
    return clique


def _needed(cliques: list[list[int]], size: int) -> list[list[int]]:
    """The cliques less those whose pairs are all in others that stay."""
    times: NDArray[np.intp] = np.zeros((size, size), dtype=np.intp)
    for clique in cliques:
        times[np.ix_(clique, clique)] += 1
    needed = []
    for clique in sorted(cliques, key=len):
        place = np.ix_(clique, clique)
        if (times[place] > 1).all():
            times[place] -= 1
        else:
            needed.append(clique)
    return needed


def compact_letters(alike: Relation) -> list[str]:
    """Letters for every algorithm: two share a letter iff they are ≈ (Piepho 2004).

    `a` goes to the best. Always one character per letter: a to z, A to Z, then other alphabets.
    """
    words = [""] * len(alike)
    for letter, clique in zip(_alphabet(), covering_cliques(alike), strict=False):
        for member in clique:
            words[member] += letter
    return words


def _alphabet() -> Iterator[str]:
    others = (chr(code) for code in range(ord("α"), 0x110000))
    return chain(ascii_letters, (c for c in others if c.isalpha()))


# -- the fields of an order -----------------------------------------------------------------------
# The fields of an order: each checked as it is kept, and all of them as a table of pairs.
#
# A check returns the thing as it is kept, or refuses it. A table of pairs (first, second, sign)
# loses nothing of an order but its means.


Places = NDArray[np.intp]


def checked_names(algorithms: Iterable[str]) -> tuple[str, ...]:
    """Names that are texts, not empty and all different."""
    kept = tuple(algorithms)
    if not kept:
        raise InferenceError("An order needs at least one algorithm.")
    seen = set()
    for name in kept:
        if not isinstance(name, str) or not name:
            raise InferenceError(
                f"An algorithm of an order is named by a text that is not empty, not {name!r}."
            )
        if name in seen:
            raise InferenceError(f"The algorithm '{name}' is named twice in an order.")
        seen.add(name)
    return tuple(str(name) for name in kept)


def relation(better: Any, algorithms: Sequence[str]) -> Relation:
    """A read-only copy of a K x K matrix of true and false that does not contradict itself."""
    matrix = np.asarray(better)
    size = len(algorithms)
    if matrix.shape != (size, size):
        raise InferenceError(
            f"The relation of {size} algorithms is a {size} x {size} matrix, "
            f"not one of shape {matrix.shape}."
        )
    if not np.isin(matrix, [0, 1]).all():
        raise InferenceError("The matrix of a relation holds only true and false, or 1 and 0.")
    matrix = matrix.astype(bool)
    _refuse_contradictions(matrix, algorithms)
    matrix.flags.writeable = False
    return matrix


def _refuse_contradictions(better: Relation, algorithms: Sequence[str]) -> None:
    for i, j in np.argwhere(better & better.T)[:1]:
        if i == j:
            raise InferenceError(f"The algorithm '{algorithms[i]}' is better than itself.")
        raise InferenceError(
            f"The algorithms '{algorithms[i]}' and '{algorithms[j]}' are each better than the "
            "other."
        )


def numbers(values: Any, size: int, what: str) -> NDArray[np.float64]:
    """As many numbers as there are algorithms."""
    try:
        kept = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise InferenceError(f"The {what} of an order are numbers, not {values!r}.") from None
    if kept.shape != (size,):
        raise InferenceError(
            f"An order of {size} algorithms needs {size} {what}, not {kept.size} of them."
        )
    return kept


def means(values: Any, algorithms: Sequence[str]) -> tuple[float, ...] | None:
    """One number per algorithm; a missing one is allowed, as they only sort what is printed."""
    return None if values is None else tuple(numbers(values, len(algorithms), "means").tolist())


def uncompared(
    pairs: Iterable[tuple[str, str]], algorithms: Sequence[str], better: Relation
) -> frozenset[tuple[str, str]]:
    """Pairs of different algorithms of which neither is better, in the order of `algorithms`."""
    place = {name: i for i, name in enumerate(algorithms)}
    kept = set()
    for first, second in pairs:
        for name in (first, second):
            if name not in place:
                raise InferenceError(unknown("algorithm of this order", name, algorithms))
        i, j = sorted((place[first], place[second]))
        if i == j or better[i, j] or better[j, i]:
            raise InferenceError(
                f"The algorithms '{first}' and '{second}' cannot be uncompared: "
                + ("they are one." if i == j else "one is better than the other.")
            )
        kept.add((algorithms[i], algorithms[j]))
    return frozenset(kept)


def arrangement(
    layers: Iterable[Iterable[str]] | None, algorithms: Sequence[str], better: Relation
) -> tuple[tuple[str, ...], ...] | None:
    """Layers that hold every algorithm once, and none that is better than an earlier one."""
    if layers is None:
        return None
    kept = tuple(tuple(layer) for layer in layers)
    arranged = list(chain.from_iterable(kept))
    if sorted(arranged) != sorted(algorithms) or not all(kept):
        raise InferenceError("The layers of an order must hold each of its algorithms once.")
    level = {name: n for n, layer in enumerate(kept) for name in layer}
    for i, j in np.argwhere(better):
        if level[algorithms[i]] >= level[algorithms[j]]:
            raise InferenceError(
                f"The algorithm '{algorithms[i]}' is better than '{algorithms[j]}' "
                "and must be in an earlier layer."
            )
    return kept


def places(column: Iterable[str], names: Sequence[str]) -> Places:
    """The numbers of compared algorithms."""
    place = {name: i for i, name in enumerate(names)}
    kept = list(column)
    for name in kept:
        if name not in place:
            raise InferenceError(unknown("compared algorithm", name, names))
    return np.array([place[name] for name in kept], dtype=np.intp)


def check_pairs(first: Places, second: Places, names: Sequence[str]) -> None:
    """Refuse an algorithm against itself and a pair with two rows, which could disagree."""
    if (same := first == second).any():
        raise InferenceError(f"The algorithm '{names[first[same][0]]}' is compared with itself.")
    pair = np.minimum(first, second) * len(names) + np.maximum(first, second)
    _, once = np.unique(pair, return_index=True)
    if len(once) < len(pair):
        again = np.setdiff1d(np.arange(len(pair)), once)[0]
        raise InferenceError(
            f"The algorithms '{names[first[again]]}' and '{names[second[again]]}' are compared "
            "more than once; an order needs one row per pair."
        )


def other_pairs(first: Places, second: Places, names: Sequence[str]) -> frozenset[tuple[str, str]]:
    """The pairs that are not among the given ones."""
    compared = np.eye(len(names), dtype=bool)
    compared[first, second] = compared[second, first] = True
    every = combinations(range(len(names)), 2)
    return frozenset((names[i], names[j]) for i, j in every if not compared[i, j])


def limits(
    names: Sequence[str], lower: Sequence[float], upper: Sequence[float]
) -> tuple[np.ndarray, np.ndarray]:
    """The ends of intervals, one for every name, in their order."""
    low, high = (numbers(ends, len(names), "limits") for ends in (lower, upper))
    for name, wrong in zip(names, ~(low <= high), strict=True):
        if wrong:
            raise InferenceError(
                f"The interval of '{name}' needs a lower limit that is not above the upper one."
            )
    return low, high


def kept_layers(
    layers: Sequence[Sequence[str]] | None, names: set[str]
) -> tuple[tuple[str, ...], ...] | None:
    """Layers less the algorithms that are not kept."""
    if layers is None:
        return None
    kept = (tuple(name for name in layer if name in names) for layer in layers)
    return tuple(layer for layer in kept if layer)


def across(layers: Sequence[Sequence[str]] | None, pairs: Iterable[tuple[str, str]]) -> bool:
    """Whether one of the pairs is of two layers."""
    level = {name: n for n, layer in enumerate(layers or ()) for name in layer}
    return bool(level) and any(level[first] != level[second] for first, second in pairs)


# -- tables of pairs ------------------------------------------------------------------------

COLUMNS = ("first", "second", "sign")
BEFORE, AFTER, ALIKE, MIXED, OPEN = "≻", "≺", "≈", "≿", "?"
SPELLINGS = {"~": ALIKE, "=": ALIKE, ">~": MIXED, "∥": OPEN, "<>": OPEN,
             "<": BEFORE, ">": AFTER, "≲": MIXED, "<~": MIXED}  # fmt: skip
# a table of an earlier version has < where the first is better and > where the second is
SIGNS = (BEFORE, AFTER, ALIKE, MIXED, OPEN)
Fields = tuple[
    tuple[str, ...],
    Relation,
    None,
    frozenset[tuple[str, str]],
    tuple[tuple[str, ...], ...] | None,
]


def pairs_table(
    level: Mapping[str, int], better: pd.DataFrame, unknown: pd.DataFrame, *, left_open: bool
) -> pd.DataFrame:
    """One row per pair; see `Order.pairs_table`. Both matrices are by name."""

    def sign(first: str, second: str) -> str:
        if unknown.at[first, second]:
            return MIXED if left_open and level[first] < level[second] else OPEN
        if better.at[first, second]:
            return BEFORE
        return AFTER if better.at[second, first] else ALIKE

    rows = [(first, second, sign(first, second)) for first, second in combinations(level, 2)]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def read_pairs(table: pd.DataFrame, algorithms: Sequence[str] | None) -> Fields:
    """The fields of the order that a table of pairs tells; see `Order.from_pairs`."""
    signs = _signs(table)
    columns = [list(table[column]) for column in COLUMNS[:2]]
    seen = dict.fromkeys(chain.from_iterable(zip(*columns, strict=True)))
    names = checked_names(seen if algorithms is None else algorithms)
    first, second = (places(column, names) for column in columns)
    check_pairs(first, second, names)
    better = _relation(len(names), first, second, signs == BEFORE)
    better |= _relation(len(names), second, first, signs == AFTER)
    mixed = _relation(len(names), first, second, signs == MIXED)
    decided = (signs != OPEN) & (signs != MIXED)
    rest = other_pairs(first[decided], second[decided], names)
    return names, better, None, rest, _arrangement(better | mixed, names) if mixed.any() else None


def _signs(table: pd.DataFrame) -> np.ndarray:
    for column in COLUMNS:
        if column not in table.columns:
            raise InferenceError(
                f"The table of pairs lacks the column '{column}'; it needs {', '.join(COLUMNS)}."
            )
    kept = [str(sign).strip() for sign in table["sign"]]
    for sign in kept:
        if sign not in SIGNS and sign not in SPELLINGS:
            raise InferenceError(unknown("sign of a pair", sign, SIGNS))
    return np.array([SPELLINGS.get(sign, sign) for sign in kept], dtype=object)


def _relation(size: int, first: Places, second: Places, holds: np.ndarray) -> Relation:
    relation = np.zeros((size, size), dtype=bool)
    relation[first[holds], second[holds]] = True
    return relation


def _arrangement(earlier: Relation, names: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """The layers in which every algorithm stands before all that it is earlier than."""
    level = levels(earlier)
    if not np.array_equal(level[:, None] < level, earlier):
        raise InferenceError(
            "The signs ≻ and ≿ of the table of pairs make no layers: every pair of two layers has "
            "one of them; write ? for pairs about which nothing is known."
        )
    groups = (
        [a for a, at in zip(names, level, strict=True) if at == n] for n in range(level.max() + 1)
    )
    return tuple(tuple(group) for group in groups)
