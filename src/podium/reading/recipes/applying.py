"""Scores of a source by a recipe: rows that count, roles of columns, failed runs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from fnmatch import fnmatchcase as fnmatch
from typing import Any

import numpy as np
import pandas as pd

from podium.base.errors import ResultsError
from podium.base.registry import unknown
from podium.questions.measures import Measure
from podium.reading.cells.cells import FAILED, numbers_in
from podium.reading.cells.measure_names import known_measure, plain, same_measure
from podium.reading.cells.vocabulary import Options
from podium.reading.formats.gathering import at_step, named, refuse_step, shown
from podium.reading.formats.record import LongTable, Source
from podium.reading.loading.sources import Loaded
from podium.reading.read_as import ReadAs
from podium.reading.read_as import named as named_roles
from podium.reading.recipes.recipe import Recipe
from podium.words.facts import CAUTION, REMARK, Note

JOINT = " / "
PASSED = {
    **dict.fromkeys(("pass", "passed", "yes", "right", "correct", "true", "success", "ok"), 1.0),
    **dict.fromkeys(("solved", "resolved", "succeeded", "win", "c", "accepted"), 1.0),
    **dict.fromkeys(("fail", "failed", "no", "wrong", "incorrect", "false", "failure"), 0.0),
    **dict.fromkeys(("unsolved", "unresolved", "loss", "i", "rejected", "error", "timeout"), 0.0),
}
BLOCKS = ("item", "sample", "fold", "repeat", "seed", "condition")
KEYS = ("algorithm", "dataset", "measure", *BLOCKS)
WORD = "failed"  # what stands for the score of a failed run


def applied(recipe: Recipe, loaded: Loaded, source: Source, options: Options) -> LongTable:
    """The long table that a recipe makes of a record set."""
    what = shown(source)
    frame = _derived(recipe, loaded.frame, what)
    recipe = resolved(recipe, frame, loaded.paths, what)
    frame, notes = _kept(recipe, frame, what)
    failed = _failed_rows(recipe, frame, what)
    frame, roles = _lengthened(recipe, frame.assign(**{_FAILED: failed}), what)
    frame, measures = _valued(recipe, roles, frame, options, loaded.decimal_comma, what)
    failed = frame.pop(_FAILED).to_numpy(bool)
    table = _roles_of(roles, frame, what)
    table["value"] = np.where(failed, np.nan, frame["value"].to_numpy(float))
    table[_FAILED] = failed
    table = _less_empty(table)
    table, more = _at_step(recipe, table, options, measures, what)
    table = _numbered(table, recipe, options)
    gone = table.pop(_FAILED).to_numpy(bool)
    if gone.any():
        words = table["value"].astype(object)
        table["value"] = words.where(~gone, WORD)
        more.append(Note("failed-runs-read", CAUTION, runs=int(gone.sum())))
    apart = [c for c, why in recipe.reasons.items() if why.startswith("machines that differ")]
    more += [Note("machines-differ", CAUTION, columns=tuple(apart))] if apart else []
    return LongTable(
        table.reset_index(drop=True),
        what,
        name=named(source),
        sampling=None if options.sampling else recipe.sampling,
        measure=_chosen(options, measures, recipe.measure.get("first")),
        measures={m.name: m for m in measures.values() if m is not None},
        notes=[*notes, *more],
        called=_called(roles),
        options=replace(options, columns={}, step=None),
        read_as=_read_as(recipe, roles, loaded),
    )


def _read_as(recipe: Recipe, roles: Roles, loaded: Loaded) -> ReadAs:
    """The roles of the source's columns, as the recipe has them."""
    across = recipe.across
    used = {c for columns in roles.values() for c in columns}
    used |= {*recipe.where, *recipe.ok, *across.get("columns", ())}
    used |= {c for rule in recipe.derive.values() for c in _sources(rule)}
    why = dict(recipe.reasons) | {
        c: recipe.reasons.get(c, "no role")
        for c in map(str, loaded.frame.columns)
        if c not in used and not c.endswith("#")
    }
    own = {
        role: own
        for role, columns in roles.items()
        if (own := [c for c in columns if c in loaded.frame.columns])
    }
    return ReadAs(
        named_roles(own),
        (str(across["role"]), *map(str, across["columns"])) if across else (),
        named_roles(recipe.where),
        named_roles(recipe.without),
        named_roles(recipe.ok),
        named_roles(recipe.missing),
        tuple((c, w) for c, w in why.items() if c not in used),
        loaded.path,
        loaded.files,
    )


def _sources(rule: Mapping[str, Any]) -> list[str]:
    """The columns that a derived one is made of."""
    return [*rule.get("divide", ()), *rule.get("join", ()), *filter(None, [rule.get("from")])]


_FAILED = "\0failed"


def resolved(recipe: Recipe, frame: pd.DataFrame, paths: Mapping[str, str], what: str) -> Recipe:
    """The recipe with columns as the source has them.

    `name?` may be lacking, `params.*` stands for all that match, and a path for its short name.
    """
    roles = {}
    for role, columns in recipe.roles.items():
        own = [c for column in columns for c in _columns_called(column, frame, paths, what)]
        if own:
            roles[role] = list(dict.fromkeys(own))

    def named(rules: Mapping[str, Any]) -> dict[str, Any]:
        return {c: v for k, v in rules.items() for c in _columns_called(k, frame, paths, what)}

    return replace(
        recipe,
        roles=roles,
        where=named(recipe.where),
        without=named(recipe.without),
        ok=named(recipe.ok),
        missing=named(recipe.missing),
    )


def _columns_called(
    name: str, frame: pd.DataFrame, paths: Mapping[str, str], what: str
) -> list[str]:
    if name in frame.columns:
        return [name]
    optional = name.endswith("?") or "*" in name
    pattern = name.removesuffix("?")
    if pattern in frame.columns:
        return [pattern]
    fields = [c for c in map(str, frame.columns) if not paths.get(c, c).endswith(("]", "}"))]
    plain_paths = {c: re.sub(r"[\[\]{}]", "", paths.get(c, c)) for c in fields}
    matches = [
        c
        for c, path in plain_paths.items()
        if fnmatch(c, pattern) or path == pattern or fnmatch("." + path, f"*.{pattern}")
    ]
    if not matches and not optional:
        _check(frame, pattern, what)
    return matches if "*" in pattern else matches[:1]


def _check(frame: pd.DataFrame, column: str, what: str) -> None:
    if column not in frame.columns:
        raise ResultsError(unknown(f"column of {what}", column, list(map(str, frame.columns))))


def texts(column: pd.Series) -> pd.Series:
    """Cells as text, whole numbers without a fraction; empty where there is none."""
    return column.map(_text)


def _text(cell: Any) -> str:
    if cell is None or (isinstance(cell, float) and cell != cell):
        return ""
    if isinstance(cell, (bool, np.bool_)):
        return str(bool(cell)).lower()
    if isinstance(cell, (float, np.floating)):
        number = float(cell)
        return str(int(number)) if number.is_integer() and abs(number) < 1e15 else str(number)
    return str(cell).strip()


# -- rows and columns -------------------------------------------------------------------------


def _derived(recipe: Recipe, frame: pd.DataFrame, what: str) -> pd.DataFrame:
    made = frame
    for name, rule in recipe.derive.items():
        if "divide" in rule:
            above, below = rule["divide"]
            _check(made, above, what)
            _check(made, below, what)
            over, under = (pd.to_numeric(made[c], errors="coerce") for c in (above, below))
            made = made.assign(**{name: over / under.where(under != 0)})
            continue
        if "map" in rule:
            joined = [texts(made[c]) for c in rule["join"] if c in made.columns]
            if len(joined) < len(rule["join"]):
                _check(made, next(c for c in rule["join"] if c not in made.columns), what)
            key = joined[0].str.cat(joined[1:], sep=" ")
            made = made.assign(**{name: key.map(rule["map"])})
            continue
        _check(made, rule["from"], what)
        pattern = re.compile(rule["pattern"])
        matches = [pattern.search(text) for text in texts(made[rule["from"]])]
        default = rule.get("default", "")
        made = made.assign(**{name: [m[m.lastindex or 0] if m else default for m in matches]})
    return made


def _kept(recipe: Recipe, frame: pd.DataFrame, what: str) -> tuple[pd.DataFrame, list[Note]]:
    notes = []
    for rules, wanted in ((recipe.where, True), (recipe.without, False)):
        for column, values in rules.items():
            _check(frame, column, what)
            cells = texts(frame[column])
            inside = cells.isin([_text(v) for v in values])
            kept = inside if wanted else ~inside
            if not kept.any():
                some = ", ".join(dict.fromkeys(cells))
                raise ResultsError(
                    f"{what} has no row with {column} = {', '.join(map(str, values))}; there are: "
                    f"{some:.120}."
                )
            if not kept.all():
                phrases = tuple(_text(v) for v in values)
                notes.append(
                    Note(
                        "rows-chosen",
                        REMARK,
                        column=column,
                        values=phrases,
                        kept=int(kept.sum()),
                        rows=len(kept),
                        without=not wanted,
                    )
                )
            frame = frame[kept]
    return frame.reset_index(drop=True), notes


def _failed_rows(recipe: Recipe, frame: pd.DataFrame, what: str) -> np.ndarray:
    failed = np.zeros(len(frame), bool)
    for column, values in recipe.ok.items():
        _check(frame, column, what)
        accepted = {_text(v).lower() for v in values}
        failed |= ~texts(frame[column]).str.lower().isin(accepted).to_numpy(bool)
    return failed


Roles = dict[str, list[str]]


def _lengthened(recipe: Recipe, frame: pd.DataFrame, what: str) -> tuple[pd.DataFrame, Roles]:
    """The frame with columns that are algorithms or data sets as rows, and the roles."""
    roles = {r: list(c) for r, c in recipe.roles.items()}
    if not recipe.across:
        return frame, roles
    role = recipe.across["role"]
    columns = [
        c for name in recipe.across["columns"] for c in _columns_called(name, frame, {}, what)
    ]
    if not columns:
        raise ResultsError(f"{what} has no columns of {role}s as the recipe has them.")
    kept = [c for c in frame.columns if c not in columns]
    name = _free(frame, role)
    long = frame.melt(kept, columns, var_name=name, value_name="\0value")
    if pattern := recipe.across.get("pattern"):
        matches = [re.search(pattern, text) for text in long[name].astype(str)]
        long[name] = [
            m[m.lastindex or 0] if m else t for m, t in zip(matches, long[name], strict=True)
        ]
    roles[role] = [*roles.get(role, []), name]
    roles["value"] = ["\0value"]
    return long, roles


def _free(frame: pd.DataFrame, name: str) -> str:
    while name in frame.columns:
        name += " "
    return name


# -- scores -----------------------------------------------------------------------------------


def _valued(
    recipe: Recipe,
    roles: Roles,
    frame: pd.DataFrame,
    options: Options,
    decimal_comma: bool,
    what: str,
) -> tuple[pd.DataFrame, dict[str, Measure | None]]:
    """The frame with its scores in the column `value`, and its measures; several are rows."""
    columns = roles.get("value") or []
    if not columns:
        raise ResultsError(f"{what}: the recipe does not say which column has the scores.")
    for column in columns:
        _check(frame, column, what)
    label = roles.get("measure")
    name = recipe.measure.get("name", "")
    if label:
        frame = frame.assign(**{"\0measure": texts(frame[label[0]])})
        if options.measure and any(same_measure(m, options.measure) for m in frame["\0measure"]):
            frame = frame[[same_measure(m, options.measure) for m in frame["\0measure"]]]
        names = list(dict.fromkeys(frame["\0measure"]))
        values = _numbers(frame, columns[0], recipe, decimal_comma, what)
        measures = {n: _measure(recipe, n, None, frame) for n in names}
        return frame.assign(value=values, measure=frame["\0measure"]), measures
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
        parts.append(
            frame.assign(value=_numbers(frame, column, recipe, decimal_comma, what), measure=own)
        )
        measures[own] = _measure(recipe, own, options.higher_is_better, frame)
    return pd.concat(parts, ignore_index=True), measures


def _measure(recipe: Recipe, name: str, higher: bool | None, frame: pd.DataFrame) -> Measure | None:
    given = recipe.measure.get("higher_is_better")
    rule = recipe.measure.get("higher_where")
    if isinstance(rule, Mapping):
        (column, values), *_ = rule.items()
        kinds = {*texts(frame[column])} if column in frame.columns else set()
        above = {k for k in kinds if k in {_text(v) for v in values}}
        given = above == kinds
        if above and above != kinds:
            raise ResultsError(
                f"The column '{column}' holds {', '.join(sorted(kinds))}, of which some are better "
                f"when higher and others when lower. Choose one: --where {column}={min(kinds)}."
            )
    if isinstance(given, Mapping):
        given = given.get(name)
    known = known_measure(name)
    if given is None or (known is not None and known.higher_is_better == given):
        return known
    return Measure(name, bool(given), unit=str(recipe.measure.get("unit", "")), spec=name)


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
        odd = read.odd & ~words.isin(FAILED).to_numpy()
        if odd.any():
            row = int(np.argmax(odd))
            raise ResultsError(
                f"{what}, column '{column}', row {row + 1}: '{cells.iloc[row]!s:.60}' is no number."
            )
        values = read.values.copy()
    for sentinel in recipe.missing.get(column, ()):
        values = np.where(values == float(sentinel), np.nan, values)
    return np.where(np.isinf(values), np.nan, values)


# -- roles ------------------------------------------------------------------------------------


def _roles_of(roles: Roles, frame: pd.DataFrame, what: str) -> pd.DataFrame:
    """The columns of a long table, named by their roles."""
    table = {}
    for role, columns in roles.items():
        if role in ("value", "measure"):
            continue
        for column in columns:
            _check(frame, column, what)
        if role == "step":
            table[role] = pd.to_numeric(frame[columns[0]], errors="coerce")
            continue
        cells = _telling([texts(frame[c]) for c in columns])
        joined = cells[0].str.cat(cells[1:], sep=JOINT) if len(cells) > 1 else cells[0]
        if (joined == "").any():
            row = int(np.argmax((joined == "").to_numpy()))
            raise ResultsError(
                f"{what}, row {row + 1}: no {role} ({', '.join(columns)} is empty). Fill it in, or "
                f"leave these rows out."
            )
        table[role] = joined.to_numpy()
    made = pd.DataFrame(table, index=range(len(frame)))
    if frame["measure"].nunique() > 1 or "measure" in roles:
        made["measure"] = frame["measure"].to_numpy()
    else:
        made["measure"] = frame["measure"].iloc[0] if len(frame) else ""
    return made


def _telling(parts: list[pd.Series]) -> list[pd.Series]:
    """Of the parts of a name those that tell more than the parts before them."""
    kept: list[pd.Series] = []
    groups = 1
    for part in parts:
        count = pd.concat([*kept, part], axis=1).drop_duplicates().shape[0]
        if count > groups:
            kept.append(part)
            groups = count
    return kept or parts[:1]


def _less_empty(table: pd.DataFrame) -> pd.DataFrame:
    """Without empty scores of what is measured nowhere else, which would be rows of nothing."""
    blocks = [c for c in ("dataset", "measure") if c in table]
    some = table.groupby(blocks)["value"].transform("count") > 0
    kept = table[some | table[_FAILED]]
    return kept if len(kept) else table


def _at_step(
    recipe: Recipe,
    table: pd.DataFrame,
    options: Options,
    measures: Mapping[str, Measure | None],
    what: str,
) -> tuple[pd.DataFrame, list[Note]]:
    """One score of each curve, where rows are steps."""
    if "step" not in table:
        refuse_step(options)
        return table, []
    step = options.step or recipe.choose.get("step")
    first = next(iter(measures.values()), None)
    higher = options.higher_is_better if first is None else first.higher_is_better
    text = replace(options, step=None if step is None else str(step))
    table = table.dropna(subset=["step"])
    keys = [c for c in table.columns if c not in ("step", "value", _FAILED)]
    chosen = at_step(table.drop(columns=_FAILED), text, higher, what)
    gone = table.groupby(keys, sort=False, dropna=False)[_FAILED].all().reset_index()
    return chosen.frame.merge(gone, how="left", on=keys), chosen.notes


def _numbered(table: pd.DataFrame, recipe: Recipe, options: Options) -> pd.DataFrame:
    """With numbers for rows that nothing tells apart: answers of an item, or runs."""
    keys = [k for k in (*KEYS, "answer") if k in table]
    number = table.groupby(keys, sort=False, dropna=False).cumcount() + 1
    if not len(number) or number.max() == 1:
        return table
    if "item" in table:
        role = "answer"
    else:
        role = next((r for r in ("sample", "repeat") if r not in table), "")
    return table.assign(**{role: number}) if role else table


def _chosen(options: Options, measures: Mapping[str, Any], first: str | None) -> str | None:
    """Which of several measures is meant."""
    if options.measure:
        return options.measure
    return next(iter(measures)) if len(measures) == 1 else first if first in measures else None


def _called(roles: Roles) -> dict[str, str]:
    """What each role is called by the source, for sentences."""
    return {r: c[0].strip() for r, c in roles.items() if r in ("algorithm", "dataset") and c}
