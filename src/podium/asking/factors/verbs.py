"""From results and factors to effects, and which combinations to run: fractions of all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from math import comb, log2, prod
from typing import Any

import pandas as pd

from podium.asking.factors.designs import Design, design_of
from podium.asking.factors.judging import LEAST_BLOCKS, Effects, effects_of
from podium.asking.factors.levels import (
    JOINT,
    SEPARATORS,
    Factors,
    nested_names,
    of_algorithms,
    of_rows,
    one_level,
    split_names,
)
from podium.asking.factors.words import not_told
from podium.core.base.errors import InferenceError
from podium.core.base.formatting import read_digits
from podium.core.base.options import takes
from podium.core.inference.layouts import Layout
from podium.core.inference.procedures.procedure import Options
from podium.core.results.results import Results
from podium.core.verdicts.verbs import layout_of
from podium.core.words.phrases import joined
from podium.core.words.saying import Presented
from podium.reading.cells.vocabulary import said_columns, said_rows
from podium.reading.files.tabular import tabular
from podium.reading.formats import read
from podium.reading.formats.record import Source
from podium.reading.loading.sources import one_frame

# -- which combinations to run --------------------------------------------------------------------
# Fractions of all, by the generators that mix up least.
#
# Of F factors with two levels, 2^k combinations are all of k factors; every other factor is a
# product of some of these. The products of the generators are words of factors that the fraction
# does not tell from nothing; the shortest of them is the resolution, and the best fraction has
# the fewest short ones (Fries and Hunter 1980).


LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
MOST_FACTORS = 11
MOST_TRIED = 60_000  # sets of generators
ROMAN = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI")
MOST = 4  # pairs that are named
MEANS = {
    3: "main effects are mixed up with interactions of two factors",
    4: "main effects are clear; interactions of two factors are mixed up with each other",
}


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

    def _lines_above(self) -> list[str]:
        return list(_fraction_lines(self))

    def _tables(self) -> dict[str, pd.DataFrame]:
        return {"Run": self.table}

    def _facts(self) -> dict[str, Any]:
        return {
            "headline": self._lines_above()[0],
            "runs": self.table,
            "generators": list(self.generators),
            "resolution": self.resolution or None,
            "not_told": list(not_told(self.design)),
        }


def _fraction_lines(t: Fraction) -> Iterator[str]:
    """What is told by so many combinations, and what is not."""
    every, runs = 2 ** len(t.factors), len(t.table)
    if not t.resolution:
        factors = len(t.factors)
        yield f"All {every} combinations of {factors} factors: every interaction can be estimated."
        return
    clear = "all interactions of two factors can be estimated"
    yield (
        f"{runs} of {every} combinations, resolution {ROMAN[t.resolution]}: "
        f"{MEANS.get(t.resolution, clear)}."
    )
    yield f"Generators: {'; '.join(t.generators)}."
    if missing := list(not_told(t.design)):
        more = f" And {len(missing) - MOST} more." if len(missing) > MOST else ""
        yield f"Not estimable: {' '.join(missing[:MOST])}{more}"
    if t.resolution == 3:
        yield (
            f"The {runs} combinations with all levels exchanged, run as well, would clear the "
            "main effects."
        )


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
            f"{count} factors are run in {joined(fits, word='or')} combinations, not in {runs}: "
            f"use --runs {fits[0]}, say."
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
        factors = read_digits(factors.strip())
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
        long = [word for word in candidates if word.bit_count() > 2]  # else a word of three factors
        candidates = long if len(long) >= more else candidates
        while comb(len(candidates), more) > MOST_TRIED:
            candidates = candidates[: max(len(candidates) - 1, more)]
    result = min(combinations(candidates, more), key=lambda words: _fractions_pattern(words, k))
    pattern = _fractions_pattern(result, k)
    return next(length for length, many in enumerate(pattern, 1) if many), result


def _fractions_pattern(words: Sequence[int], k: int) -> tuple[int, ...]:
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


# -- verbs ----------------------------------------------------------------------------------------
# From results and factors to effects.


LEAST_LIKELY, MOST_LIKELY = 4, 200  # algorithms that may be combinations
OF_STUDY = "study"  # all factors that a study declares
DECLARED = "factors"  # what a design calls levels by algorithm
READING = ("sampling", "columns", "higher_is_better", "step", "where", "recipe")


@takes("reading", "choosing", "alpha", "relevance", "gaps")
def effects(
    results: Any, factors: str | Sequence[str] | Mapping[str, Any], **options: Any
) -> Effects:
    """Which part of the algorithms matters: main effects, interactions, ablations.

    Every effect is a contrast of the algorithms, judged by its own variance over data sets (folds,
    items, seeds); limits hold for all effects of a family at once.

    Parameters
    ----------
    results : Results, Layout, or anything that `read` takes
        Of a table, factors may be columns.
    factors : str | sequence of str | mapping
        Columns of the table, or parts that the algorithms' names are made of: "encoder,loss" of
        names like resnet_ce, "encoder-loss" of names like resnet-ce, "+" of names like rf+pca,
        "ablation" of full, full-pca, "w/o pca". Or levels: {"encoder": {"resnet_ce": "resnet"}}.

    Returns
    -------
    Effects
        `.table` has one row per effect: estimate, limits, p-values and verdict.

    Examples
    --------
    >>> import podium
    >>> scores = {"dataset": list("abcdefg")} | {
    ...     name: [at + by + i / 100 + i * i % 3 / 500 for i in range(7)]
    ...     for name, at, by in (("rf", 0.6, 0), ("rf+pca", 0.7, 0.01), ("rf+aug", 0.6, 0.002),
    ...                          ("rf+pca+aug", 0.7, 0.011))
    ... }
    >>> scores["rf"][0] += 0.01
    >>> result = podium.factors.effects(scores, "+", measure="accuracy")
    >>> result.table.query("family == 'main'")[["name", "verdict"]].values.tolist()
    [['pca', 'better'], ['aug', 'undecided']]
    """
    reading = {name: options.pop(name) for name in READING}
    results, factors = read_factors(results, factors, {**reading, "measure": options["measure"]})
    alpha, relevance, gaps = (options.pop(name) for name in ("alpha", "relevance", "gaps"))
    if options["scale"] == "ranks":
        raise InferenceError(
            "Effects are about amounts: on ranks an interaction comes and goes with the scale. "
            "Leave --scale ranks (scale=) out."
        )
    measure = options["measure"] if not isinstance(results, Results) else _measure(results, options)
    layout = layout_of(results, **{**options, "measure": measure, "gaps": gaps})
    known = of_algorithms(layout.algorithms, factors)
    return effects_of(layout, known, Options(alpha=alpha, relevance=relevance, gaps=gaps))


def _measure(results: Results, options: Mapping[str, Any]) -> str | None:
    """The measure that is meant: what a table calls it may be said by another name."""
    request = options["measure"]
    return request if request in results.measures or len(results.measures) > 1 else None


def read_factors(
    given: Any, factors: str | Sequence[str] | Mapping[str, Any], options: Mapping[str, Any]
) -> tuple[Results | Layout, Any]:
    """Results whose algorithms are combinations of columns, or named as they are."""
    if isinstance(given, Layout):
        return given, factors
    if isinstance(given, Results):
        return given, _declared(given, factors)
    known = {name: value for name, value in options.items() if value not in (None, ())}
    texts = [] if isinstance(factors, (Mapping, Factors)) else split_names(factors)
    names, within = nested_names(texts) if len(texts) > 1 else (texts, {})
    if len({*names}) < len(names):
        raise InferenceError(f"Factors are named once each, not as in '{','.join(names)}'.")
    columns = Source(given).columns
    there = [name for name in names if name in columns]
    if not there:
        result = read(given, **known)
        return result, _declared(result, factors)
    if len(there) < len(names):
        gone = next(name for name in names if name not in columns)
        raise InferenceError(
            f"'{there[0]}' is a column of the table, and '{gone}' is none. Factors are all columns "
            f"or all parts of names; the columns are {', '.join(columns)}."
        )
    wording = said_columns(options.get("columns"))
    own = [part.strip() for text in wording.get("algorithm", ()) for part in text.split("+")]
    parts = [*own, *(name for name in names if name not in own)]
    roles = {**wording, "algorithm": "+".join(parts)}
    results = read(given, **{**known, "columns": roles})
    cells = [name.split(JOINT) for name in results.algorithms]
    for name, row in zip(results.algorithms, cells, strict=True):
        if len(row) != len(parts):
            _refuse_one_level(given, names, options)
            raise InferenceError(
                f"A level of '{name}' holds '{JOINT}', which stands between levels: rename it."
            )
    rows = [[row[parts.index(name)] for name in names] for row in cells]
    return results, of_rows(results.algorithms, names, rows, within)


def _refuse_one_level(given: Any, names: Sequence[str], options: Mapping[str, Any]) -> None:
    """Of a column that never changes there is no part in the names."""
    frame = tabular(one_frame(given), said=said_columns(options.get("columns"))).frame
    for column, values in said_rows(options.get("where")).items():
        frame = frame[frame[column].astype(str).isin(values)]
    for name in names:
        if frame[name].nunique() == 1:
            raise one_level(name, str(frame[name].iloc[0]))


def _declared(results: Results, factors: Any) -> Any:
    """The factors of a study that declares their levels, where these are meant."""
    levels = results.design.get(DECLARED)
    if not levels or isinstance(factors, (Mapping, Factors)):
        return factors
    request, known = (
        split_names(factors),
        dict.fromkeys(n for given in levels.values() for n in given),
    )
    request, within = nested_names(request) if len(request) > 1 else (request, {})
    chosen = [*known] if request == [OF_STUDY] else request
    if not {*chosen} <= {*known}:
        return factors
    if within:
        rows = [[str(levels[a][name]) for name in chosen] for a in results.algorithms]
        return of_rows(results.algorithms, chosen, rows, within)
    return {
        a: {name: given[name] for name in chosen if name in given} for a, given in levels.items()
    }


def with_factors(results: Results, factors: Factors) -> Results:
    """Results that know which levels their algorithms have."""
    cells = zip(factors.algorithms, factors.cells, strict=True)
    levels = {a: dict(zip(factors.names, factors.named(cell), strict=True)) for a, cell in cells}
    return replace(results, design={**results.design, DECLARED: levels})


def hint(results: Results) -> str:
    """What `--factors` would name, where algorithms look like combinations; else nothing."""
    names = results.algorithms
    few = 1 < len(results.datasets) < LEAST_BLOCKS  # it would be refused
    if few or not LEAST_LIKELY <= len(names) <= MOST_LIKELY:
        return ""
    if results.design.get(DECLARED):
        return OF_STUDY
    if (columns := _columns_of(results)) and _are_all(names, ",".join(columns)):
        return ",".join(columns)
    for text in ("ablation", "+", *(",".join(LETTERS[:count]) for count in (2, 3, 4))):
        if _are_all(names, text):
            parts = text.count(",") + 1
            return text if text in ("ablation", "+") else _pattern(names[0], parts)
    return ""


def _columns_of(results: Results) -> list[str]:
    """The columns that names of algorithms were made of, where these are several."""
    read_as = results.design.get("read_as")
    columns = read_as.column("algorithm").split("+") if read_as is not None else []
    return columns if len(columns) > 1 and all(JOINT in a for a in results.algorithms) else []


def _are_all(names: Sequence[str], text: str) -> bool:
    """Whether factors of some name are in the algorithms, and all combinations of them are."""
    try:
        made = of_algorithms(names, text)
        design_of(made)
    except InferenceError:
        return False
    return len(made.names) > 1 and (text == "ablation" or len(names) == prod(made.counts))


def _pattern(name: str, parts: int) -> str:
    sign = next(s for s in SEPARATORS if len(name.split(s)) == parts)
    return sign.join(f"PART{i + 1}" for i in range(parts)) if sign.strip() else ""
