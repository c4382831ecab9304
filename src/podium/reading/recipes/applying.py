"""Scores of a source by a recipe: rows that count, roles of columns, failed runs."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase as fnmatch
from typing import Any

import numpy as np
import pandas as pd

from podium.core.base.errors import ResultsError
from podium.core.base.patterns import BoundedPattern, Part
from podium.core.base.registry import unknown
from podium.core.questions.measures import Measure
from podium.core.results.results import ReadAs
from podium.core.results.results import named as named_roles
from podium.core.samplings import Sampling, parse
from podium.core.words.facts import CAUTION, REMARK, Note
from podium.reading.cells.columns import WORD
from podium.reading.cells.melting import melted
from podium.reading.cells.vocabulary import Options
from podium.reading.formats.gathering import FILE, asked, at_step, folds, named, refuse_step, shown
from podium.reading.formats.record import LongTable, Source
from podium.reading.loading.sources import Loaded
from podium.reading.recipes.deriving import derived, sources, text_of, texts
from podium.reading.recipes.measuring import valued
from podium.reading.recipes.recipe import Recipe
from podium.reading.recipes.walking import PATH

# -- what a recipe makes of rows ------------------------------------------------------------------
# Which roles hold, how names are told apart, and the design.


BLOCKS = ("item", "sample", "fold", "repeat", "seed", "condition")
KEYS = ("algorithm", "dataset", "measure", *BLOCKS)
FAILED_ROW = "\0failed"
ORIGIN = "\0origin"  # the file that a row is of
Roles = dict[str, list[str]]


def roles_in_force(recipe: Recipe, frame: pd.DataFrame, options: Options) -> Roles:
    """The roles: those of files that have the same data sets, or of what is in each of them."""
    roles = {role: list(columns) for role, columns in recipe.roles.items()}
    if recipe.is_of_tool and "repeat" in roles and "fold" not in roles:
        roles["sample"] = roles.pop("repeat")
    if not recipe.tool.alone or options.columns.get("algorithm") == [FILE]:
        return roles
    shared = 1
    if FILE in frame.columns and "dataset" in roles:
        shared = frame.groupby(roles["dataset"], dropna=False)[FILE].nunique().max()
    if shared > 1 or "algorithm" in options.columns:
        return roles
    kept = {r: columns for r, columns in roles.items() if r not in ("algorithm", "dataset")}
    return kept | {role: list(columns) for role, columns in recipe.tool.alone.items()}


def with_own_algorithms(recipe: Recipe, said: Recipe, frame: pd.DataFrame) -> Recipe:
    """The roles that a caller says; what a tool compares is a data set, where files are compared.

    Else rows of two algorithms would be taken for runs of one.
    """
    new = [c for c in said.roles.get("algorithm", ()) if c in frame.columns]
    own = [c for c in recipe.roles.get("algorithm", ()) if c in frame.columns and c not in new]
    if said.roles.get("algorithm") == recipe.roles.get("algorithm") or not new or not own:
        return said
    if len(frame[[*new, *own]].drop_duplicates()) == len(frame[new].drop_duplicates()):
        return said
    sets = [c for c in said.roles.get("dataset", ()) if c not in new]
    return replace(said, roles={**said.roles, "dataset": [*own, *sets]})


def check_one_value(recipe: Recipe, frame: pd.DataFrame, what: str) -> None:
    """Refuse rows that differ in what must be one."""
    for column, says in recipe.tool.one.items():
        values = sorted({*texts(frame[column])}) if column in frame.columns else []
        if len(values) > 1:
            some = f"{', '.join(values):.200}"
            raise ResultsError(f"{what}: {says.replace('{}', some)}")


# -- the design -----------------------------------------------------------------------------------


def designed(recipe: Recipe, table: pd.DataFrame, what: str) -> tuple[pd.DataFrame, list[Note]]:
    """Rows that nothing tells apart are averaged, or numbered as answers or runs."""
    keys = [k for k in (*KEYS, "answer") if k in table]
    notes: list[Note] = []
    if ORIGIN in table:
        if recipe.records != "" and recipe.choose.get("again") != "mean":
            rows = table if recipe.sampling else table.drop_duplicates([*keys, "value"])
            _refuse_two_files(rows, keys, what)
        table = table.drop(columns=ORIGIN)
    if recipe.is_of_tool:
        constant = [c for c in ("sample", "repeat") if c in table and table[c].nunique() < 2]
        table, keys = table.drop(columns=constant), [k for k in keys if k not in constant]
    if "mean" in (recipe.choose.get("again"), recipe.choose.get("parts")):
        count = len(table)
        cells = table.groupby(keys, sort=False, dropna=False)
        rest = {c: "first" for c in table.columns if c not in (*keys, "value", FAILED_ROW)}
        table = cells.agg({"value": "mean", FAILED_ROW: "all", **rest}).reset_index()
        more = count - len(table)
        told = more and "again" in recipe.choose
        notes = [Note("averaged-runs", REMARK, scores=more)] if told else []
    elif not recipe.is_of_tool or (recipe.sampling and "fold" not in table):
        table = _numbered(table, keys)
    else:
        table = table.drop_duplicates()
    _refuse_single(recipe, table, what)
    return table, notes


def _refuse_two_files(table: pd.DataFrame, keys: list[str], what: str) -> None:
    """Refuse scores of one algorithm and block in two files."""
    files = table.groupby(keys, sort=False, dropna=False)[ORIGIN].nunique()
    if files.max() > 1:
        rows = table.set_index(keys)[ORIGIN]
        first, second = list(dict.fromkeys(rows.loc[[files.idxmax()]]))[:2]
        name = table.loc[table[ORIGIN] == second, "algorithm"].iloc[0]
        raise ResultsError(
            f"{what}: '{name}' has the same scores in two files, '{first}' and '{second}'. Leave "
            "one out, or compare the files: --columns algorithm=file."
        )


def _numbered(table: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    number = table.groupby(keys, sort=False, dropna=False).cumcount() + 1
    if not len(number) or number.max() == 1:
        return table
    free = ("sample", "repeat") if "item" not in table else ("answer",)
    role = next((r for r in free if r not in table), "")
    return table.assign(**{role: number}) if role else table


def _refuse_single(recipe: Recipe, table: pd.DataFrame, what: str) -> None:
    """Refuse files of a tool that have one score of each algorithm."""
    blocks = [c for c in ("dataset", *BLOCKS) if c in table]
    alone = not blocks or len(table[blocks].drop_duplicates()) < 2
    if recipe.is_of_tool and recipe.tool.empty and alone:
        noun = recipe.tool.nouns.get("algorithm", "algorithm")
        raise ResultsError(
            f"{what} has one score of each {noun}, which no test can compare. {recipe.tool.empty}"
        )


def sampling_of(
    recipe: Recipe, table: pd.DataFrame, seen: Collection[str], options: Options
) -> str | Sampling | None:
    """The design that the recipe says, as far as the rows show it."""
    if not recipe.is_of_tool:
        return None if options.sampling else recipe.sampling
    if "fold" in table:
        return folds(table)
    if recipe.sampling is None:
        return None
    repeated = any(c in table for c in (*BLOCKS, "answer"))
    meant = not recipe.tool.sampling_if or recipe.tool.sampling_if in seen
    return parse(recipe.sampling) if repeated and meant else None


# -- applying -------------------------------------------------------------------------------------


JOINT = " / "
NO_NOUNS = ("file", "files", "key", "name", "item")  # names of columns that say nothing
TOLD = "\0told"  # whether a row would say why it has no score


def applied(recipe: Recipe, loaded: Loaded, source: Source, options: Options) -> LongTable:
    """The long table that a recipe makes of a record set."""
    what = shown(source)
    frame = loaded.frame if recipe.is_of_tool else derived(recipe.derive, loaded.frame, what)
    recipe = resolved(recipe, frame, loaded.paths, what)
    recipe = replace(recipe, roles=roles_in_force(recipe, frame, options))
    frame, notes = rows_kept(recipe, frame, options, what)
    check_one_value(recipe, frame, what)
    failed = _failed_rows(recipe, frame, what)
    frame, roles = _lengthened(recipe, frame.assign(**{FAILED_ROW: failed}), what)
    if loaded.files == 1 and "algorithm" not in options.columns:  # else it is said what they are
        roles = _cases_of_one(recipe, roles, frame)
    frame, measures, told = valued(recipe, roles, frame, options, loaded.decimal_comma, what)
    failed = frame.pop(FAILED_ROW).to_numpy(bool)
    table = _roles_of(recipe, roles, frame, what)
    table["value"] = np.where(failed, np.nan, frame["value"].to_numpy(float))
    table[FAILED_ROW] = failed
    if recipe.is_of_tool and PATH in frame.columns:
        table[ORIGIN] = frame[PATH].to_numpy()
    table[TOLD] = _is_told(recipe, frame)
    table = _less_empty(table, recipe)
    table, more = _at_step(recipe, table, options, measures, what)
    table, again = designed(recipe, table, what)
    gone = table.pop(FAILED_ROW).to_numpy(bool)
    if gone.any():
        words = table["value"].astype(object)
        table["value"] = words.where(~gone, WORD)
    machines = [c for c, why in recipe.reasons.items() if why.startswith("machines that differ")]
    more += [Note("machines-differ", CAUTION, columns=tuple(machines))] if machines else []
    known = {m.name: m for m in measures.values() if m is not None}
    return LongTable(
        table.reset_index(drop=True),
        what,
        name=named(source),
        sampling=sampling_of(recipe, table, _filled(frame), options),
        measure=_chosen(options, measures, recipe.measure.get("first")),
        measures=known,
        notes=[*notes, *told, *more, *again, *_note_of(recipe, frame)],
        called={**_called(roles, recipe), **recipe.tool.nouns},
        options=replace(options, columns={}, step=None, measure=_asked(recipe, options, measures)),
        read_as=_read_as(recipe, roles, loaded),
    )


def _cases_of_one(recipe: Recipe, roles: Roles, frame: pd.DataFrame) -> Roles:
    """The roles with the cases of a timed function as what is compared, where there is one only.

    `BenchmarkMap/swiss` and `BenchmarkMap/runtime` are two maps, not two data sets of one.
    """
    one, cases = roles.get("algorithm", []), roles.get("dataset", [])
    if not (recipe.sampling or "").startswith("runs") or len(one) != 1 or len(cases) != 1:
        return roles
    names = {*texts(frame[cases[0]])}
    numbers = any(re.search(r"\d", name) for name in names)
    if frame[one[0]].nunique() != 1 or len(names) < 2 or numbers:
        return roles
    return {**{r: c for r, c in roles.items() if r != "dataset"}, "algorithm": cases}


def _read_as(recipe: Recipe, roles: Roles, loaded: Loaded) -> ReadAs:
    """The roles of the source's columns, as the recipe has them."""
    across = recipe.across if "role" in recipe.across else {}
    used = {c for columns in roles.values() for c in columns}
    used |= {*recipe.where, *recipe.ok, *across.get("columns", ())}
    used |= {c for rule in recipe.derive.values() for c in sources(rule)}
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
        () if recipe.is_of_tool else tuple((c, w) for c, w in why.items() if c not in used),
        loaded.path,
        loaded.files,
    )


def resolved(recipe: Recipe, frame: pd.DataFrame, paths: Mapping[str, str], what: str) -> Recipe:
    """The recipe with columns as the source has them.

    `name?` may be lacking, `params.*` stands for all that match, and a path for its short name.
    """

    def roles(given: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
        found = {
            role: [c for name in names for c in _columns_called(name, frame, paths, what)]
            for role, names in given.items()
        }
        return {role: list(dict.fromkeys(own)) for role, own in found.items() if own}

    def named(rules: Mapping[str, Any]) -> dict[str, Any]:
        return {c: v for k, v in rules.items() for c in _columns_called(k, frame, paths, what)}

    return replace(
        recipe,
        roles=roles(recipe.roles),
        tool=replace(recipe.tool, alone=roles(recipe.tool.alone)),
        where=named(recipe.where),
        without=named(recipe.without),
        ok=named(recipe.ok),
        missing=named(recipe.missing),
    )


def _columns_called(
    name: str, frame: pd.DataFrame, paths: Mapping[str, str], what: str
) -> list[str]:
    if " | " in name:
        ways = name.split(" | ")
        name = next((way for way in ways if way in frame.columns), ways[-1])
    if name in frame.columns:
        return [name]
    optional = name.endswith("?") or "*" in name
    pattern = name.removesuffix("?")
    if pattern in frame.columns:
        return [pattern] if (texts(frame[pattern]) != "").any() else []
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


# -- rows and columns -------------------------------------------------------------------------


def rows_kept(
    recipe: Recipe, frame: pd.DataFrame, options: Options, what: str
) -> tuple[pd.DataFrame, list[Note]]:
    """The rows that count, and which were left out, unless that is a matter of course."""
    notes = []
    for rules, wanted in ((recipe.where, True), (recipe.without, False)):
        for column, values in rules.items():
            _check(frame, column, what)
            cells = texts(frame[column])
            if values and isinstance(values[0], Mapping):
                kept = _of_first(cells, frame, [text_of(v) for v in values[0]["first"]])
            else:
                inside = cells.isin([text_of(v) for v in values])
                kept = inside if wanted else ~inside
            if not kept.any() and recipe.is_of_tool and column not in options.where:
                empty = recipe.tool.empty
                raise ResultsError(f"{what} has no single scores of {recipe.title}. {empty}")
            if not kept.any():
                some = ", ".join(dict.fromkeys(cells))
                raise ResultsError(
                    f"{what} has no row with {column} = {', '.join(map(str, values))}; there are: "
                    f"{some:.120}."
                )
            told = column in options.where or not (recipe.is_of_tool and recipe.roles)
            if not kept.all() and told:
                notes.append(
                    Note(
                        "rows-chosen",
                        REMARK,
                        column=column,
                        values=tuple(text_of(v) for v in values),
                        kept=int(kept.sum()),
                        rows=len(kept),
                        without=not wanted,
                    )
                )
            frame = frame[kept]
    return frame.reset_index(drop=True), notes


def _of_first(cells: pd.Series, frame: pd.DataFrame, values: list[str]) -> pd.Series:
    """The rows with the first of these values that their file has; * is any other, by its place."""
    order = {v: i for i, v in enumerate([*values, *cells.unique()][::-1])} if "*" in values else {}
    order = {v: len(order) - i for v, i in order.items()} or {v: i for i, v in enumerate(values)}
    place = cells.map(order)
    return place.notna() & (place == place.groupby(frame["path"]).transform("min"))


def _failed_rows(recipe: Recipe, frame: pd.DataFrame, what: str) -> np.ndarray:
    failed = np.zeros(len(frame), bool)
    for column, values in recipe.ok.items():
        _check(frame, column, what)
        accepted = {text_of(v).lower() for v in values}
        failed |= ~texts(frame[column]).str.lower().isin(accepted).to_numpy(bool)
    return failed


def _is_told(recipe: Recipe, frame: pd.DataFrame) -> np.ndarray:
    """Rows that would say why they have no score."""
    told = np.zeros(len(frame), bool)
    for column in recipe.tool.failed:
        if column in frame.columns:
            told |= (texts(frame[column]) != "").to_numpy(bool)
    return told


def _lengthened(recipe: Recipe, frame: pd.DataFrame, what: str) -> tuple[pd.DataFrame, Roles]:
    """The frame with columns that are algorithms or data sets as rows, and the roles."""
    roles = {r: list(c) for r, c in recipe.roles.items()}
    if "role" not in recipe.across:
        return frame, roles
    role = recipe.across["role"]
    columns = [
        c for name in recipe.across["columns"] for c in _columns_called(name, frame, {}, what)
    ]
    if not columns:
        raise ResultsError(f"{what} has no columns of {role}s as the recipe has them.")
    for c in {*columns} & {*recipe.missing}:
        none = pd.to_numeric(frame[c], errors="coerce").isin(recipe.missing[c])
        frame = frame.assign(**{c: frame[c].astype(object).mask(none, "")})
    heads = {*columns}
    kept = [c for c in frame.columns if c not in heads]
    name = _free(frame, role)
    long = melted(frame, kept, columns, name, "\0value")
    if pattern := recipe.across.get("pattern"):
        matches = BoundedPattern(pattern).search_all(long[name].astype(str))
        if runs := recipe.across.get("runs"):  # a second group of the pattern numbers them
            column = _free(long, str(runs))
            long[column] = [m["no"] if m else "" for m in matches]
            roles[str(runs)] = [*roles.get(str(runs), []), column]
        long[name] = [_stem(m) if m else t for m, t in zip(matches, long[name], strict=True)]
    roles[role] = [*roles.get(role, []), name]
    roles["value"] = ["\0value"]
    return long, roles


def _stem(match: Part) -> str:
    """What a header says less what is no name: the group `stem`, or the last one."""
    stem = match["stem"] if "stem" in match.names else match.last
    return str(stem or match[0])


def _free(frame: pd.DataFrame, name: str) -> str:
    while name in frame.columns:
        name += " "
    return name


# -- roles ------------------------------------------------------------------------------------


def _roles_of(recipe: Recipe, roles: Roles, frame: pd.DataFrame, what: str) -> pd.DataFrame:
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
        cells = [texts(frame[c]) for c in columns]
        cells = cells if recipe.is_of_tool and len(cells) == 1 else _telling(cells)
        joined = cells[0].str.cat(cells[1:], sep=JOINT) if len(cells) > 1 else cells[0]
        joined = _with_gaps_named(role, joined, columns, recipe)
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


def _with_gaps_named(role: str, cells: pd.Series, columns: list[str], recipe: Recipe) -> pd.Series:
    """Data sets of a tool's rows that name none are one of their own."""
    if role != "dataset" or not recipe.is_of_tool:
        return cells
    return cells.where(cells != "", f"no {columns[0]}")


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


def _less_empty(table: pd.DataFrame, recipe: Recipe) -> pd.DataFrame:
    """Without empty scores of what is measured nowhere else, which would be rows of nothing."""
    blocks = [c for c in ("dataset", "measure") if c in table]
    some = table.groupby(blocks)["value"].transform("count") > 0
    kept = table[some | table[FAILED_ROW]]
    table = kept if len(kept) else table
    told = table.pop(TOLD) if TOLD in table else False
    table = table.assign(**{FAILED_ROW: table[FAILED_ROW] | (told & table["value"].isna())})
    if not recipe.is_of_tool:
        return table
    blocks = [c for c in ("measure", "dataset", *BLOCKS, "step") if c in table]
    held = table["value"].notna() | table[FAILED_ROW]
    kept = table[held.groupby([table[c] for c in blocks], dropna=False).transform("any")]
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
    table = table.dropna(subset=["step"])
    keys = [c for c in table.columns if c not in ("step", "value", FAILED_ROW)]
    if step == "shared":
        step = f"{table.groupby(keys, dropna=False)['step'].max().min():g}"
    text = replace(options, step=None if step is None else str(step))
    unit = recipe.roles["step"][0] if recipe.is_of_tool else "step"
    chosen = at_step(table.drop(columns=FAILED_ROW), text, higher, what, unit)
    gone = table.groupby(keys, sort=False, dropna=False)[FAILED_ROW].all().reset_index()
    return chosen.frame.merge(gone, how="left", on=keys), chosen.notes


def _asked(recipe: Recipe, options: Options, measures: Mapping[str, Any]) -> str | None:
    """The measure that is asked for, as the files of a tool spell it."""
    if options.measure is None or not recipe.is_of_tool:
        return options.measure
    return next(iter(measures)) if len(measures) == 1 else asked(options, measures)


def _note_of(recipe: Recipe, frame: pd.DataFrame) -> list[Note]:
    """What the recipe notes of such files, with the cells of columns that have one value."""
    if not recipe.tool.note:
        return []
    code, *columns = recipe.tool.note.items()
    return [Note(code[1], **{k: next(iter(texts(frame[c])), "") for k, c in columns})]


def _filled(frame: pd.DataFrame) -> set[str]:
    """The columns that have something in every row."""
    return {str(c) for c in frame.columns if (texts(frame[c]) != "").all()}


def _chosen(options: Options, measures: Mapping[str, Any], first: str | None) -> str | None:
    """Which of several measures is meant."""
    if options.measure:
        return options.measure
    return next(iter(measures)) if len(measures) == 1 else first if first in measures else None


def _called(roles: Roles, recipe: Recipe) -> dict[str, str]:
    """What each role is called by the source, for sentences; paths of a tool are no nouns."""
    nouns = {r: c[0].strip() for r, c in roles.items() if r in ("algorithm", "dataset") and c}
    if not recipe.is_of_tool:
        return nouns
    return {r: n for r, n in nouns.items() if re.fullmatch("[a-z]+", n) and n not in NO_NOUNS}
