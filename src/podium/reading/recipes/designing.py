"""What a recipe makes of rows: which roles hold, how names are told apart, and the design."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import pandas as pd

from podium.base.errors import ResultsError
from podium.reading.cells.vocabulary import Options
from podium.reading.formats.gathering import FILE, folds
from podium.reading.recipes.deriving import texts
from podium.reading.recipes.recipe import Recipe
from podium.samplings import Sampling, parse
from podium.words.facts import REMARK, Note

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
            f"{what} has one score of each {noun}, which tells no difference from chance. "
            f"{recipe.tool.empty}"
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
