"""Which combinations to run: fractions of all, by the generators that mix up least.

Of F factors with two levels, 2^k combinations are all of k factors; every other factor is a product
of some of these. The products of the generators are words of factors that the fraction does not
tell from nothing; the shortest of them is the resolution, and the best fraction has the fewest
short ones (Fries and Hunter 1980).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import comb, log2
from typing import Any

import pandas as pd

from podium.base.errors import InferenceError
from podium.factors import fraction_words as in_words
from podium.factors.designs import Design, design_of
from podium.factors.levels import of_rows
from podium.words.presentation import Presented

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
MOST_FACTORS = 11
MOST_TRIED = 60_000  # sets of generators


@dataclass(frozen=True, eq=False, repr=False)
class Fraction(Presented):
    """Combinations to run (`table`, levels 0 and 1), and what they do not tell."""

    table: pd.DataFrame
    generators: tuple[str, ...]
    resolution: int  # 0: all combinations
    design: Design

    @property
    def factors(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(self.table.columns)

    def _said(self) -> list[str]:
        return list(in_words.fraction_lines(self.facts))

    @property
    def facts(self) -> in_words.Told:
        """What words are made of."""
        return in_words.Told(
            self.factors, len(self.table), self.generators, self.resolution, self.design
        )

    def _tables(self) -> dict[str, pd.DataFrame]:
        return {"Run": self.table}

    def _facts(self) -> dict[str, Any]:
        return {
            "headline": self._said()[0],
            "runs": self.table,
            "generators": list(self.generators),
            "resolution": self.resolution or None,
            "not_told": list(in_words.not_told(self.design)),
        }


def fraction(factors: int | str | Sequence[str], runs: int | None = None) -> Fraction:
    """The combinations of two-level factors to run.

    Parameters
    ----------
    factors : int | str | sequence of str
        How many, or their names.
    runs : int | None
        How many combinations, a power of 2; without it the fewest that tell all main effects from
        interactions of two factors.

    Returns
    -------
    Fraction
        `.table` has a row for every combination.

    Examples
    --------
    >>> import podium
    >>> made = podium.factors.fraction("encoder,loss,augmentation,schedule", 8)
    >>> made.generators, made.resolution, len(made.table)
    (('schedule = encoder loss augmentation',), 4, 8)
    """
    names = _names(factors)
    count = len(names)
    if runs is None:
        runs = next(2**k for k in range(1, count + 1) if 2**k == 2**count or _best(count, k)[0] > 3)
    k = round(log2(runs)) if runs > 0 else -1
    if 2**k != runs or not 2 <= runs <= 2**count or count >= runs:
        fits = [str(2**e) for e in range(1, count + 1) if 2**e > count]
        raise InferenceError(
            f"{count} factors are told by {', '.join(fits)} combinations, not by {runs}: say "
            f"--runs {fits[0]} or so."
        )
    resolution, words = _best(count, k)
    cells = _cells(count, k, words)
    labels = tuple(
        f"{names[k + i]} = {' '.join(names[f] for f in range(k) if word >> f & 1)}"
        for i, word in enumerate(words)
    )
    rows = [[str(level) for level in cell] for cell in cells]
    design = design_of(of_rows([" / ".join(row) for row in rows], names, rows))
    return Fraction(pd.DataFrame(cells, columns=names), labels, resolution, design)


def _names(factors: int | str | Sequence[str]) -> list[str]:
    if isinstance(factors, str) and factors.strip().isdecimal():
        factors = int(factors)
    if isinstance(factors, int):
        names = list(LETTERS[:factors])
        count = factors
    else:
        parts = factors.split(",") if isinstance(factors, str) else factors
        names = [part.strip() for part in parts if part.strip()]
        count = len(names)
    if not 2 <= count <= MOST_FACTORS or len({*names}) < len(names):
        raise InferenceError(
            f"A plan of factors is of 2 to {MOST_FACTORS} factors, each named once: say how many, "
            "as in --factors 5, or their names, as in --factors encoder,loss,augmentation."
        )
    return names


def _best(count: int, k: int) -> tuple[int, tuple[int, ...]]:
    """The resolution and the generators, as bits of the first k factors; 0 where none is needed."""
    more = count - k
    if more <= 0:
        return 0, ()
    candidates = sorted(
        (word for word in range(1, 2**k) if word.bit_count() > 1),
        key=lambda word: (-word.bit_count(), word),
    )
    if len(candidates) < more:
        return 0, ()
    if comb(len(candidates), more) > MOST_TRIED:
        odd = [word for word in candidates if word.bit_count() % 2]  # no word of three factors
        candidates = odd if len(odd) >= more else candidates
        while comb(len(candidates), more) > MOST_TRIED:
            candidates = candidates[: max(len(candidates) - 1, more)]
    result = min(combinations(candidates, more), key=lambda words: _pattern(words, k))
    pattern = _pattern(result, k)
    return next(length for length, many in enumerate(pattern, 1) if many), result


def _pattern(words: Sequence[int], k: int) -> tuple[int, ...]:
    """How many words of length 1, 2, ... the fraction does not tell from nothing."""
    whole = [word | 1 << (k + i) for i, word in enumerate(words)]
    counts = [0] * (k + len(words))
    products = [0]
    for word in whole:
        products += [each ^ word for each in products]
    for each in products[1:]:
        counts[each.bit_count() - 1] += 1
    return tuple(counts)


def _cells(count: int, k: int, words: Sequence[int]) -> list[list[int]]:
    """The rows; a factor is on where its word has an even number of others off, so that all on is
    one of the combinations."""
    rows = []
    for base in product((0, 1), repeat=min(k, count)):
        more = [1 - sum(1 - base[f] for f in range(k) if word >> f & 1) % 2 for word in words]
        rows.append([*base, *more])
    return rows
