"""From results and factors to effects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import prod
from typing import Any

from podium.base.errors import InferenceError
from podium.base.faces import takes
from podium.factors.designs import design_of
from podium.factors.fractions import LETTERS
from podium.factors.judging import Effects, effects_of
from podium.factors.levels import (
    JOINT,
    SEPARATORS,
    Factors,
    nested_names,
    of_algorithms,
    of_rows,
    split_names,
)
from podium.inference.layouts.layouts import Layout
from podium.inference.procedures.options import Options
from podium.reading.cells.vocabulary import said_columns
from podium.reading.formats import read
from podium.reading.formats.record import Source
from podium.reading.results import Results
from podium.verdicts.verbs import layout_of

MOST_LIKELY = 4  # algorithms from which on they may be combinations
OF_STUDY = "study"  # all factors that a study declares
DECLARED = "factors"  # what a design calls levels by algorithm
WHOLE = "effects"  # and what computes their effects when it is called
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
            raise InferenceError(
                f"A level of '{name}' holds '{JOINT}', which stands between levels: rename it."
            )
    rows = [[row[parts.index(name)] for name in names] for row in cells]
    return results, of_rows(results.algorithms, names, rows, within)


def _declared(results: Results, factors: Any) -> Any:
    """The factors of a study that declares their levels, where these are meant."""
    levels = results.design.get(DECLARED)
    if not levels or isinstance(factors, (Mapping, Factors)):
        return factors
    request, known = split_names(factors), dict.fromkeys(n for of in levels.values() for n in of)
    request, within = nested_names(request) if len(request) > 1 else (request, {})
    chosen = [*known] if request == [OF_STUDY] else request
    if not {*chosen} <= {*known}:
        return factors
    if within:
        rows = [[str(levels[a][name]) for name in chosen] for a in results.algorithms]
        return of_rows(results.algorithms, chosen, rows, within)
    return {a: {name: of[name] for name in chosen if name in of} for a, of in levels.items()}


def with_factors(results: Results, factors: Factors) -> Results:
    """Results that know which levels their algorithms have."""
    cells = zip(factors.algorithms, factors.cells, strict=True)
    levels = {a: dict(zip(factors.names, factors.named(cell), strict=True)) for a, cell in cells}
    return replace(results, design={**results.design, DECLARED: levels})


def hint(results: Results) -> str:
    """What `--factors` would name, where algorithms look like combinations; else nothing."""
    names = results.algorithms
    if len(names) < MOST_LIKELY:
        return ""
    for text in ("ablation", "+", *(",".join(LETTERS[:count]) for count in (2, 3, 4))):
        try:
            made = of_algorithms(names, text)
            design_of(made)
        except InferenceError:
            continue
        if len(made.names) > 1 and (text == "ablation" or len(names) == prod(made.counts)):
            return text if text in ("ablation", "+") else _pattern(names[0], len(made.names))
    return ""


def _pattern(name: str, parts: int) -> str:
    sign = next(s for s in SEPARATORS if len(name.split(s)) == parts)
    return sign.join(f"PART{i + 1}" for i in range(parts)) if sign.strip() else ""
