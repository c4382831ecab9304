"""Scores of a table by a recipe: their numbers, and the measures that they are of."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase as fnmatch
from typing import Any

import numpy as np
import pandas as pd

from podium.core.base.errors import ResultsError
from podium.core.base.registry import unknown
from podium.core.questions.measures import Measure
from podium.core.results.measure_names import known_measure, plain, same_measure
from podium.core.words.facts import REMARK, Note
from podium.reading.cells.columns import FAILED, numbers_in
from podium.reading.cells.vocabulary import Options
from podium.reading.formats.gathering import asked
from podium.reading.formats.gathering import measure as measure_called
from podium.reading.recipes.deriving import text_of, texts
from podium.reading.recipes.recipe import Recipe

PASSED = {
    **dict.fromkeys(("pass", "passed", "yes", "right", "correct", "true", "success", "ok"), 1.0),
    **dict.fromkeys(("solved", "resolved", "succeeded", "win", "c", "accepted"), 1.0),
    **dict.fromkeys(("fail", "failed", "no", "wrong", "incorrect", "false", "failure"), 0.0),
    **dict.fromkeys(("unsolved", "unresolved", "loss", "i", "rejected", "error", "timeout"), 0.0),
    **dict.fromkeys(("empty_patch", "empty patch", "no_patch", "not resolved"), 0.0),
}
MEASURE = "\0measure"
Roles = dict[str, list[str]]
Measures = dict[str, Measure | None]


def valued(
    recipe: Recipe,
    roles: Roles,
    frame: pd.DataFrame,
    options: Options,
    decimal_comma: bool,
    what: str,
) -> tuple[pd.DataFrame, Measures, list[Note]]:
    """The frame with its scores in the column `value`, and its measures; several are rows."""
    columns = roles.get("value") or []
    if not columns:
        raise ResultsError(f"{what}: the recipe does not say which column has the scores.")
    for column in columns:
        if column not in frame.columns:
            known = list(map(str, frame.columns))
            raise ResultsError(unknown(f"column of {what}", column, known))
    label = roles.get("measure")
    if label:
        frame, measures, notes = _of_labels(recipe, frame, label[0], options, columns[0], what)
        values = _numbers(frame, columns[0], recipe, decimal_comma, what)
        return frame.assign(value=values, measure=frame[MEASURE]), measures, notes
    name = recipe.measure.get("name", "")
    if options.measure and len(columns) > 1:
        alike = [c for c in columns if plain(c) == plain(options.measure)]
        alike = alike or [c for c in columns if same_measure(c, options.measure)]
        if len(alike) == 1:
            columns = alike
    parts, measures = [], {}
    for column in columns:
        own = name if len(columns) == 1 and name else column
        if column == "\0value" and not name:
            own = options.measure or "score"
        numbers = _numbers(frame, column, recipe, decimal_comma, what)
        parts.append(frame.assign(value=numbers, measure=own))
        measures[own] = measure_of(recipe, own, options.higher_is_better, frame)
    return pd.concat(parts, ignore_index=True), measures, []


def _of_labels(
    recipe: Recipe, frame: pd.DataFrame, label: str, options: Options, column: str, what: str
) -> tuple[pd.DataFrame, Measures, list[Note]]:
    """The rows of the measures that count, where a column names them."""
    frame = frame.assign(**{MEASURE: texts(frame[label])})
    names = list(dict.fromkeys(frame[MEASURE]))
    wanted = asked(options, names)
    chosen, notes = _counting(recipe, names, wanted, frame, what)
    if wanted is not None and wanted not in names:
        chosen = _meant(names, wanted, column) or names
    frame = frame[frame[MEASURE].isin(chosen)]
    chosen = sorted(chosen, key=_place(recipe.measure.get("order", ())))
    rows = {n: frame[frame[MEASURE] == n] for n in chosen}
    higher = options.higher_is_better if "assumed" in recipe.measure else None
    return frame, {n: measure_of(recipe, n, higher, rows[n]) for n in chosen}, notes


def _meant(names: list[str], wanted: str, column: str) -> list[str]:
    """The measure that is meant by the name of its column, or by a word of its own."""
    if len(names) == 1 and wanted == column:
        return names
    words = [n for n in names if wanted in n.split() or n.endswith(f"_{wanted}")]
    return words if len(words) == 1 else [n for n in names if same_measure(n, wanted)]


def _counting(
    recipe: Recipe, names: list[str], wanted: str | None, frame: pd.DataFrame, what: str
) -> tuple[list[str], list[Note]]:
    """The measures that count: the one that is asked for, the preferred one, or the known ones."""
    if wanted in names:
        return [str(wanted)], []
    preferred = [n for n in recipe.measure.get("prefer", ()) if n in names]
    if preferred:
        more = tuple(preferred[1:])
        note = [Note("further-measures", first=preferred[0], others=more)] if more else []
        return preferred[:1], note
    only = recipe.measure.get("only")
    if only == "preferred":
        raise ResultsError(
            f"{what}: no score is of a measure that is known ({recipe.measure['prefer'][0]} ...)."
        )
    if only == "listed":
        known = [n for n in names if _is_listed(recipe.measure, n)]
    elif only == "known":
        known = [n for n in names if measure_of(recipe, n, None, frame[frame[MEASURE] == n])]
        left = tuple(n for n in names if n not in known) if known else ()
        return known or names, [Note("unread-measures", REMARK, names=left)] if left else []
    else:
        known = names
    return known or names, []


def _is_listed(rules: Mapping[str, Any], name: str) -> bool:
    patterns = (*rules.get("higher", ()), *rules.get("lower", ()))
    return any(fnmatch(name, pattern) for pattern in patterns)


def _place(order: Sequence[str]) -> Any:
    return lambda name: order.index(name) if name in order else len(order)


# -- what is known of a measure -------------------------------------------------------------------


def measure_of(
    recipe: Recipe, name: str, higher: bool | None, frame: pd.DataFrame
) -> Measure | None:
    """The measure of a name, by what the recipe or else its name says; None where neither does."""
    given = _direction(recipe.measure, name, frame)
    if given is None and "likely_higher" in recipe.measure:
        given = _likely(recipe.measure["likely_higher"], name)
    if given is None and "assumed" in recipe.measure:
        given = recipe.measure["assumed"] == "higher" if higher is None else higher
    known = known_measure(name) if not recipe.is_of_tool else measure_called(name, given)
    if given is None or (known is not None and known.higher_is_better == given):
        return known if known is None else _detailed(recipe, known)
    return _detailed(recipe, Measure(name, bool(given), spec=name))


def _likely(patterns: Sequence[str], name: str) -> bool | None:
    """What the last word of a name such as charts_episodic_return says, or a part of it."""
    known = measure_called(name) or measure_called(re.split(r"[/_]", name)[-1])
    if known is not None:
        return known.higher_is_better
    return True if any(fnmatch(name.lower(), pattern) for pattern in patterns) else None


def _detailed(recipe: Recipe, measure: Measure) -> Measure:
    """With the unit and the bounds that the recipe gives."""
    rules = recipe.measure
    units = rules.get("unit", measure.unit)
    unit = units.get(measure.name, measure.unit) if isinstance(units, Mapping) else str(units)
    low, high = rules.get("bounds", measure.bounds)
    return replace(measure, unit=unit, bounds=(float(low), float(high)))


def _direction(rules: Mapping[str, Any], name: str, frame: pd.DataFrame) -> bool | None:
    """Whether higher is better, as a recipe says it; None where it does not."""
    for key, better in (("higher", True), ("lower", False)):
        if any(fnmatch(name, pattern) for pattern in rules.get(key, ())):
            return better
        if (column := rules.get(f"{key}_by")) and column in frame.columns:
            cells = [cell for cell in texts(frame[column]).str.lower() if cell in ("true", "false")]
            if cells:
                return (cells[0] == "true") == better
    if isinstance(rule := rules.get("higher_where"), Mapping):
        return _by_cells(rule, frame)
    given = rules.get("higher_is_better")
    return given.get(name) if isinstance(given, Mapping) else given


def _by_cells(rule: Mapping[str, Any], frame: pd.DataFrame) -> bool:
    (column, values), *_ = rule.items()
    kinds = {*texts(frame[column])} if column in frame.columns else set()
    above = {k for k in kinds if k in {text_of(v) for v in values}}
    if above and above != kinds:
        raise ResultsError(
            f"The column '{column}' holds {', '.join(sorted(kinds))}, of which some are better "
            f"when higher and others when lower. Choose one: --where {column}={min(kinds)}."
        )
    return above == kinds


# -- numbers --------------------------------------------------------------------------------------


def _numbers(
    frame: pd.DataFrame, column: str, recipe: Recipe, decimal_comma: bool, what: str
) -> np.ndarray:
    """The scores of a column; words for passed and failed are 1 and 0, words for none are NaN."""
    cells = frame[column]
    words = texts(cells).str.lower()
    kinds = {w for w in words.unique() if w}
    if kinds and kinds <= {*PASSED}:
        values = words.map(PASSED).to_numpy(float)
    else:
        read = numbers_in(cells, decimal_comma)
        odd = (read.odd | np.isinf(read.values)) & ~words.isin(FAILED).to_numpy()
        if odd.any():
            row = int(np.argmax(odd))
            place = "" if column.startswith("\0") else f", column '{column}', row {row + 1}"
            raise ResultsError(
                f"{what}{place}: {text_of(cells.iloc[row])!r:.60} is no "
                "finite number. Correct it, or leave the cell empty."
            )
        values = read.values.copy()
    for sentinel in recipe.missing.get(column, ()):
        values = np.where(values == float(sentinel), np.nan, values)
    return values
