"""Order: which algorithms come before which, and what may be said about that.

An order is a relation and nothing else: alpha and p-values are in `decide.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from itertools import chain, combinations, islice
from typing import Any

import numpy as np
import pandas as pd

from podium.core.base.errors import InferenceError
from podium.core.base.formatting import natural
from podium.core.base.registry import unknown
from podium.core.orders import relations
from podium.core.orders import relations as fields
from podium.core.orders.relations import (
    AXIOMS,
    Relation,
    alike,
    claimed,
    compact_letters,
    maximal_cliques,
)
from podium.core.words.phrases import (
    ASCII,
    BARE,
    ESCAPES,
    TEX,
    UNICODE,
    Signs,
    quoted,
    signs_of,
    written,
)


@dataclass(frozen=True, eq=False, repr=False)
class Order:
    """Algorithms and the relation "comes before": `better[i, j]` where i is better than j.

    Two algorithms are ≈ where neither is better. The relation need not be transitive, nor ≈.

    Parameters
    ----------
    algorithms
        Their names; no two are the same.
    better
        K x K, boolean; kept as a read-only copy. A pair that is better both ways is refused.
    means
        One number per algorithm, larger is better: layers follow them where the relation allows.
    uncompared
        Pairs of names about which nothing is known. Neither is `better`, so they print as ∥ (as ≈
        where compared pairs join them), but they are no tie: they have no vote in a consensus. The
        algorithm that comes first in `algorithms` stands first.
    arrangement
        Layers as they were read from a text, which may be more than the relation tells; None
        where the relation alone decides.

    >>> order = Order.from_ranks(["lda", "svm", "knn"], [2, 1, 2])
    >>> order
    Order('svm ≻ knn ≈ lda')
    >>> order.letters()
    {'svm': 'a', 'knn': 'b', 'lda': 'b'}
    """

    algorithms: tuple[str, ...]
    better: Relation
    means: tuple[float, ...] | None = None
    uncompared: frozenset[tuple[str, str]] = frozenset()
    arrangement: tuple[tuple[str, ...], ...] | None = None

    def __post_init__(self) -> None:
        names = fields.checked_names(self.algorithms)
        better = fields.relation(self.better, names)
        checked = {
            "algorithms": names,
            "better": better,
            "means": fields.means(self.means, names),
            "uncompared": fields.uncompared(self.uncompared, names, better),
            "arrangement": fields.arrangement(self.arrangement, names, better),
        }
        for name, value in checked.items():
            object.__setattr__(self, name, value)

    @classmethod
    def from_ranks(cls, names: Sequence[str], ranks: Sequence[float]) -> Order:
        """The weak order of ranks or other numbers of which the smaller is better; ties are ≈."""
        place = fields.numbers(ranks, len(names), "ranks")
        if np.isnan(place).any():
            raise InferenceError("An order cannot be made from ranks of which one is missing.")
        return cls(tuple(names), place[:, None] < place)

    @classmethod
    def from_intervals(
        cls, names: Sequence[str], lower: Sequence[float], upper: Sequence[float]
    ) -> Order:
        """The interval order: before those whose whole interval is larger; smaller is better.

        Intervals that overlap or touch are ≈, which need not be transitive. They describe: that
        two intervals overlap is no test of the difference.

        >>> Order.from_intervals("abc", [1, 2, 3], [2.5, 4, 5])
        Order('a ≈ b ≿ c')
        """
        low, high = fields.limits(names, lower, upper)
        return cls(tuple(names), high[:, None] < low)

    @classmethod
    def from_matrix(cls, names: Sequence[str], matrix: Any) -> Order:
        """The order with matrix[i][j] true, or 1, where i is better than j."""
        return cls(tuple(names), matrix)

    @classmethod
    def from_pairs(cls, table: pd.DataFrame, algorithms: Sequence[str] | None = None) -> Order:
        """The order of a table as `pairs_table` gives it; pairs without a row are uncompared.

        The algorithms are those of the table, in the sequence in which they come.
        """
        return cls(*fields.read_pairs(table, algorithms))

    def pairs_table(self) -> pd.DataFrame:
        """All pairs with their sign: the order without loss, which a text with ≿ is not.

        `first` is printed before `second`. The sign is `≻` (first is better), `≺` (second is: in a
        cycle), `≈`, `≿` (read from a text: in an earlier layer, not known to be better) or `?`
        (not compared).

        >>> order = Order.from_intervals("abc", [1, 2, 3], [2.5, 4, 5])
        >>> print(order.pairs_table().to_string(index=False))
        first second sign
            a      b    ≈
            a      c    ≻
            b      c    ≈
        >>> Order.from_pairs(order.pairs_table()) == order
        True
        """
        better, unknown = (
            pd.DataFrame(matrix, self.algorithms, self.algorithms)
            for matrix in (self.better, self.not_compared())
        )
        return fields.pairs_table(self.levels(), better, unknown, left_open=self.leaves_open)

    @property
    def leaves_open(self) -> bool:
        """Whether it was read from a text whose ≿ does not tell which pairs are significant."""
        return fields.across(self.arrangement, self.uncompared)

    def not_compared(self, names: Sequence[str] | None = None) -> Relation:
        """Which pairs of `names` (its own algorithms) it does not compare, seen from both sides."""
        place = {name: i for i, name in enumerate(self.algorithms if names is None else names)}
        unknown = np.zeros((len(place), len(place)), dtype=bool)
        for first, second in self.uncompared:
            i, j = place[first], place[second]
            unknown[i, j] = unknown[j, i] = True
        return unknown

    @cached_property
    def _layers(self) -> list[list[int]]:
        """The places of the algorithms by layers, both in the order of printing."""
        return [list(chain.from_iterable(parts)) for parts in self._parts]

    @cached_property
    def _parts(self) -> list[list[list[int]]]:
        """The layers by parts that were not compared with each other."""
        if self.arrangement is not None or self.means is None:
            layers = self._by_relation
        else:
            layers = relations.layers_by(self.better, self._rank)
        known = ~self.not_compared() if self.uncompared else None
        return [[x] if known is None else relations.components(known, x) for x in layers]

    @cached_property
    def _by_relation(self) -> list[list[int]]:
        """The layers as they were read, or successive sets that none of the rest is better than."""
        if self.arrangement is not None:
            place = {name: i for i, name in enumerate(self.algorithms)}
            return [[place[name] for name in layer] for layer in self.arrangement]
        level = relations.levels(self.better)
        return [sorted(np.flatnonzero(level == n), key=self._rank) for n in range(level.max() + 1)]

    def _rank(self, i: int) -> tuple[Any, ...]:
        """What sorts a layer: the mean, the largest first and missing ones last; then the name."""
        mean = 0.0 if self.means is None else self.means[i]
        missing = bool(np.isnan(mean))
        return missing, 0.0 if missing else -mean, natural(self.algorithms[i])

    @cached_property
    def _strict(self) -> list[bool]:
        return relations.joints(self.better, self._layers)

    @cached_property
    def _printed(self) -> list[int]:
        """The places of the algorithms in the order of printing."""
        return list(chain.from_iterable(self._layers))

    def _named(self, places: Sequence[int]) -> list[str]:
        return [self.algorithms[i] for i in places]

    def _written(self, signs: Signs) -> str:
        labels = [[self._named(part) for part in parts] for parts in self._parts]
        return written(labels, self._strict, signs)

    @property
    def text(self) -> str:
        """The order as a line such as `svm ≈ rpart ≻ nnet ≿ lda`, the best first.

        Layers are joined by `≻` only where that claims no pair that is not in the relation (also
        read as a chain, see `relations.joints`), otherwise by `≿`. Within a layer `∥` stands
        between those that were not compared. Members of a cycle are in one layer and print as ≈,
        though some are better than others: `cycles` tells.
        """
        return self._written(UNICODE)

    @property
    def ascii(self) -> str:
        """The same line in ASCII: `svm ~ rpart > nnet >~ lda`."""
        return self._written(ASCII)

    def to_dict(self) -> dict[str, Any]:
        """The contract's object: text, ascii, groups and axioms."""
        return {
            "text": self.text,
            "ascii": self.ascii,
            "groups": self.groups,
            "axioms": self.axioms,
            "letters": self.letters(),
            "cycles": self.cycles,
        }

    def to_latex(self) -> str:
        r"""The same line as a formula; `\succsim` and `\text` are in amssymb and amsmath.

        >>> print(Order.from_ranks(["k_nn", "svm"], [2, 1]).to_latex())
        $\text{svm} \succ \text{k\_nn}$
        """
        return f"${self._written(TEX)}$"

    @property
    def groups(self) -> list[list[str]]:
        """The layers, the best first; within a layer by mean, then by name."""
        return [self._named(layer) for layer in self._layers]

    @property
    def joints(self) -> list[str]:
        """What stands between each two neighbouring layers: `≻` or `≿`."""
        return [UNICODE.before if strict else UNICODE.mixed for strict in self._strict]

    @property
    def signs(self) -> set[str]:
        """The signs that its text has: `≻`, `≈`, `≿`, `∥`."""
        return {sign for _, sign in self.signed if sign}

    @property
    def signed(self) -> list[tuple[str, str]]:
        """The algorithms as they are printed, each with the sign that follows it."""
        signs = signs_of([list(map(len, parts)) for parts in self._parts], self.joints)
        return list(zip(self._named(self._printed), signs, strict=True))

    @property
    def winners(self) -> list[str]:
        """The algorithms that none is better than (or a cycle of them), the best first."""
        return self._named(self._by_relation[0])

    def levels(self) -> dict[str, int]:
        """The number of every algorithm's layer, from 1; the best first."""
        return {name: n for n, group in enumerate(self.groups, 1) for name in group}

    @property
    def cycles(self) -> list[list[str]]:
        """The algorithms that come before each other around a circle, one list per circle.

        Possible where pairs are tested one by one; empty for every other relation. Circles that
        share an algorithm are one.
        """
        together = relations.in_one_cycle(self.better)
        circles = {tuple(i for i in self._printed if together[j, i]): None for j in self._printed}
        return [self._named(circle) for circle in circles if len(circle) > 1]

    @cached_property
    def violation_counts(self) -> dict[str, int]:
        """How many pairs or triples of algorithms break each axiom."""
        return {
            name: sum(len(rows) for rows in breaks(self.better)) for name, breaks in AXIOMS.items()
        }

    @property
    def axioms(self) -> dict[str, bool]:
        """Which axioms of order relations `better` fulfils; uncompared pairs count as ≈."""
        return {name: count == 0 for name, count in self.violation_counts.items()}

    def violations(self, axiom: str, limit: int = 20) -> list[tuple[str, ...]]:
        """The first algorithms that break an axiom; `violation_counts` says how many in all.

        >>> Order.from_matrix("abc", [[0, 1, 0], [0, 0, 1], [0, 0, 0]]).violations("transitive")
        [('a', 'b', 'c')]
        """
        rows = chain.from_iterable(AXIOMS[axiom](self.better))
        return [tuple(self._named(row)) for row in islice(rows, limit)]

    @cached_property
    def _alike(self) -> Relation:
        """≈ with the algorithms in the order of printing."""
        return alike(self.better)[np.ix_(self._printed, self._printed)]

    @property
    def cliques(self) -> list[list[str]]:
        """The maximal sets of mutually ≈ algorithms, the best first.

        They overlap where ≈ is not transitive; refused where there are tens of thousands.
        """
        printed = self._named(self._printed)
        return [[printed[i] for i in clique] for clique in maximal_cliques(self._alike)]

    def letters(self) -> dict[str, str]:
        """Letters for every algorithm, the best first: two share a letter iff they are ≈."""
        return dict(zip(self._named(self._printed), compact_letters(self._alike), strict=True))

    @property
    def relation_le(self) -> Relation:
        """The ≤ matrix: i ≤ j unless j is better than i."""
        return ~self.better.T

    def closure(self) -> Order:
        """The smallest transitive order that holds this one; refused where there is a cycle."""
        self._refuse_cycles("closure")
        return self._with(relations.closure(self.better))

    def hasse(self) -> list[tuple[str, str]]:
        """The pairs (better, worse) of the Hasse diagram: the fewest with the same closure.

        Refused where there is a cycle. Paths of the diagram claim the closure, which is more
        than the order where it is not transitive.
        """
        self._refuse_cycles("Hasse diagram")
        pairs = np.argwhere(relations.reduction(self.better))
        return [(self.algorithms[i], self.algorithms[j]) for i, j in pairs]

    def _refuse_cycles(self, what: str) -> None:
        if self.cycles:
            circle = ", ".join(self.cycles[0])
            raise InferenceError(
                f"An order with a cycle has no {what}: {circle} come before each other. "
                "Leave one of them out with restricted()."
            )

    def _with(self, better: Relation) -> Order:
        """The same algorithms with more pairs; what is now known is no longer uncompared."""
        place = {name: i for i, name in enumerate(self.algorithms)}
        known = better | better.T
        still = {pair for pair in self.uncompared if not known[place[pair[0]], place[pair[1]]]}
        return Order(self.algorithms, better, self.means, frozenset(still), self.arrangement)

    def restricted(self, names: Sequence[str]) -> Order:
        """The order of some of the algorithms."""
        names = [names] if isinstance(names, str) else list(names)
        for name in names:
            if name not in self.algorithms:
                raise InferenceError(unknown("algorithm of this order", name, self.algorithms))
        kept = [self.algorithms.index(name) for name in names]
        return Order(
            tuple(names),
            self.better[np.ix_(kept, kept)],
            None if self.means is None else tuple(self.means[i] for i in kept),
            frozenset(pair for pair in self.uncompared if set(pair) <= set(names)),
            fields.kept_layers(self.arrangement, set(names)),
        )

    def reversed(self) -> Order:
        """The order with the worst first."""
        return Order(
            self.algorithms,
            self.better.T,
            None if self.means is None else tuple(-mean for mean in self.means),
            self.uncompared,
            self.arrangement and tuple(layer[::-1] for layer in self.arrangement[::-1]),
        )

    @cached_property
    def _identity(self) -> tuple[frozenset[Any], frozenset[Any]]:
        """The layers of the relation (or as read from a ≿) and its pairs; means are for reading."""
        pairs = np.argwhere(self.better)
        return (
            frozenset(
                (name, n) for n, x in enumerate(self._by_relation) for name in self._named(x)
            ),
            frozenset((self.algorithms[i], self.algorithms[j]) for i, j in pairs),
        )

    def __eq__(self, other: object) -> bool:
        """The same relation (and layers) of the same algorithms, in whatever order they come."""
        return self._identity == other._identity if isinstance(other, Order) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._identity)

    def __reduce__(self) -> tuple[Any, ...]:  # a copy is checked and read-only again
        fields = (self.algorithms, self.better, self.means, self.uncompared, self.arrangement)
        return Order, fields

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Order({self.text!r})"

    def _repr_html_(self) -> str:
        return f'<span class="podium-order">{escape(self.text)}</span>'


# -- orders read from text ------------------------------------------------------------------------
# Orders read from text: `svm ≈ rpart ≻ nnet ≿ lda`, or `svm ~ rpart > nnet >~ lda`.
#
#     order  =  layer { ("≻" | ">" | "≿" | ">~") layer }      the best layer first
#     layer  =  part { ("∥" | "<>") part }              parts that were not compared with each other
#     part   =  name { ("≈" | "~" | "=") name }
#     name   =  letters, digits and . + : / * @ # % & ! ? $ ^ | - _   or anything in double quotes
#
# What a text can carry. `a ≻ b` claims that a is better, and so does a chain `a ≻ x ≻ b`. Within a
# layer none is better; across `∥` nothing is known. `≿` says that the layers before it come first,
# but not which pairs across it are significant: it claims none of them. The relation of a text with
# `≿` is therefore the smallest that it may have been printed from; the pairs it leaves open are in
# `uncompared`, and the layers are kept as they were read (`arrangement`), since the relation alone
# would not give them.
#
# Texts with `<`, `≲` and `<~` for `≻`, `≿` and `>~` are read, too: what stands first is better
# there, as well. A text with both spellings is refused, since one of them may mean the other
# direction.


EXAMPLE = "svm ≈ rpart ≻ nnet"
TOKEN = re.compile(
    rf"""\s*(?: "(?P<quoted>(?:[^"\\]|\\.)*)"
              | (?P<bare>{BARE.pattern})
              | (?P<sign><~|>~|<>|[≻≿><≲≈~∥]|(?<!\S)=(?!\S)) )""",
    re.VERBOSE | re.DOTALL,
)
ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))", re.DOTALL)
MEANT = {escape[1]: character for character, escape in ESCAPES.items()}
ALIKE, APART, BEFORE = ("≈", "~", "="), ("∥", "<>"), ("≻", ">", "<")
FORMER = ("<", "≲", "<~")  # spellings of ≻ and ≿ in texts of earlier versions
HINTS = {
    "≺": "The better algorithm comes first, before a '≻'.",
    '"': 'A double quote is not closed; inside a name it is written \\".',
    "=": "A '=' for ≈ has blanks on both sides; a name with '=' is put in double quotes.",
}


@dataclass(frozen=True)
class _Token:
    text: str
    is_sign: bool


def order(text: str | Order) -> Order:
    """The order that a text such as `svm ≈ rpart ≻ nnet` means; what stands first is better.

    `order(text).text` is the text again, except for blanks and for signs that have several
    spellings.

    Parameters
    ----------
    text : str

    Returns
    -------
    Order

    Examples
    --------
    >>> order('knn ~ "random forest" > lda').groups
    [['knn', 'random forest'], ['lda']]
    """
    if isinstance(text, Order):
        return text
    if not isinstance(text, str) or not text.strip():
        raise InferenceError(f"An order is a text such as '{EXAMPLE}', not {text!r}.")
    tokens = list(_tokens(text))
    _check_alternation(tokens, text)
    _check_one_direction(tokens, text)
    return _order(*_layers(tokens))


def _tokens(text: str) -> Iterator[_Token]:
    end = len(text.rstrip())
    place = 0
    while place < end:
        match = TOKEN.match(text, place)
        if not match:
            raise InferenceError(_unreadable(text, text[place:].lstrip()))
        place = match.end()
        yield _token(match, text)


def _token(match: re.Match[str], text: str) -> _Token:
    if match["quoted"] is not None:
        return _Token(_unescaped(match["quoted"], text), is_sign=False)
    return _Token(match["sign"] or match["bare"], is_sign=match["sign"] is not None)


def _unescaped(inside: str, text: str) -> str:
    def character(match: re.Match[str]) -> str:
        code = match[1] or match[2]
        if code and int(code, 16) < 0x110000:
            return chr(int(code, 16))
        if code or match[3] not in MEANT:
            raise InferenceError(f"The order '{text}' has an unknown escape: {match[0]}.")
        return MEANT[match[3]]

    return ESCAPE.sub(character, inside)


def _unreadable(text: str, rest: str) -> str:
    hint = HINTS.get(rest[0], "A name with such a sign is put in double quotes.")
    return f"The order '{text}' cannot be read from '{rest}' on. {hint}"


def _check_alternation(tokens: list[_Token], text: str) -> None:
    """Refuse two names or two signs in a row, and a sign at either end."""
    for before, after in zip([None, *tokens], [*tokens, None], strict=True):
        left = before is None or before.is_sign
        right = after is None or after.is_sign
        if left and right:
            sign = before or after
            raise InferenceError(
                f"The order '{text}' lacks a name beside '{sign.text if sign else ''}'. "
                f"An example: {EXAMPLE}."
            )
        if before and after and not left and not right:
            both = quoted(f"{before.text} {after.text}")
            raise InferenceError(
                f"The order '{text}' has no sign between '{before.text}' and '{after.text}'; "
                f"a name with blanks is put in double quotes: {both}."
            )


def _check_one_direction(tokens: list[_Token], text: str) -> None:
    """Refuse `a < b > c`: the best comes first, which one of the two signs would deny."""
    signs = {
        token.text in FORMER
        for token in tokens
        if token.is_sign and token.text not in (*ALIKE, *APART)
    }
    if len(signs) > 1:
        raise InferenceError(
            f"The order '{text}' has both '<' and '>', and the better algorithm always comes "
            f"first: write one of them. An example: {EXAMPLE}."
        )


def _layers(tokens: list[_Token]) -> tuple[list[list[list[str]]], list[bool]]:
    """The names by layers and their parts, and whether `≻` stands between each two layers."""
    layers, strict = [[[tokens[0].text]]], []
    for sign, name in zip(tokens[1::2], tokens[2::2], strict=True):
        if sign.text in ALIKE:
            layers[-1][-1].append(name.text)
        elif sign.text in APART:
            layers[-1].append([name.text])
        else:
            layers.append([[name.text]])
            strict.append(sign.text in BEFORE)
    return layers, strict


def _order(layers: list[list[list[str]]], strict: list[bool]) -> Order:
    groups = [list(chain.from_iterable(parts)) for parts in layers]
    names = list(chain.from_iterable(groups))
    numbers = iter(range(len(names)))
    better = claimed([[next(numbers) for _ in group] for group in groups], strict)
    part = [(n, m) for n, parts in enumerate(layers) for m, part in enumerate(parts) for _ in part]
    open_pairs = {
        (names[i], names[j])
        for i, j in combinations(range(len(names)), 2)
        if part[i] != part[j] and not better[i, j]
    }
    arrangement = tuple(tuple(group) for group in groups)
    return Order(tuple(names), better, None, frozenset(open_pairs), arrangement)
