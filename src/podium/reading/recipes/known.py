"""Recipes of known tools, and a user's own, as formats: which files are theirs, and what they hold.

Shipped ones stand in `shipped/`; a user's own in the folder that `PODIUM_FORMATS` names, or in
`podium/formats` of the user's configuration.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import partial
from importlib import resources
from pathlib import Path
from typing import Any

import pandas as pd

from podium.core.base.errors import ResultsError
from podium.core.base.patterns import BoundedPattern, trust_patterns
from podium.core.base.places import place_within
from podium.reading.cells.vocabulary import Options
from podium.reading.files.tabular import tabular
from podium.reading.formats.gathering import labels, own_files, shown
from podium.reading.formats.opening import content
from podium.reading.formats.record import FORMATS, Format, LongTable, Sample, Source, text_sample
from podium.reading.formats.tables import read_set
from podium.reading.loading.record_sets import columns_of
from podium.reading.loading.sources import FILE, Loaded, holds_value, load, value_of
from podium.reading.recipes.applying import applied, rows_kept, with_own_algorithms
from podium.reading.recipes.deriving import unrolled, with_derived
from podium.reading.recipes.recipe import ROLES, Recipe, patterns_of, recipe_of
from podium.reading.recipes.rows import ROWS
from podium.reading.recipes.walking import PATH, Beside, holds, walked, with_short_names

__all__ = [
    "BELOW",
    "FILES",
    "Way",
    "adjusted",
    "format_from",
    "is_marked",
    "own_folder",
    "recognises",
    "records_of",
    "tool_records",
]


# -- files of a tool that a recipe knows ----------------------------------------------------------
# Which they are, what they hold, what stands beside them.


Way = Mapping[str, Any]
BELOW = "below"  # the folders of a file below the one that is given
FILES = "files"  # the file, as long as there are several


# -- which files ----------------------------------------------------------------------------------


def is_marked(part: Source, ways: Any) -> bool:
    """Whether a file, or a frame, is told by one of these ways."""
    return any(_is_told(part, way) for way in ways)


def _is_told(part: Source, way: Way) -> bool:
    if "file" in way and not (part.paths and _is_called(part.paths[0], way["file"])):
        return False
    if not {*way.get("tables", ())} <= part.tables:
        return False
    if "text" in way and not BoundedPattern(way["text"], re.MULTILINE).search(part.text):
        return False
    columns, lacks = {*way.get("columns", ())}, way.get("lacks", ())
    if not columns <= {*part.columns} or (columns and {*lacks} & {*part.columns}):
        return False
    if "has" in way and not isinstance(part.shape, (dict, list)):
        return False
    return all(_holds(part.shape, path) for path in way.get("has", ())) and not any(
        _holds(part.shape, path) for path in lacks
    )


def _is_called(file: Path, pattern: str) -> bool:
    return BoundedPattern(pattern).is_whole(file.name)


def _holds(value: Any, path: str) -> bool:
    """One of several paths (a | b) may do."""
    return any(holds(value, each.strip()) for each in path.split("|"))


def recognises(recipe: Recipe, source: Source) -> bool:
    """Whether there is something of this tool in a source."""
    ways = (*recipe.tool.recognise, *recipe.tool.refuse)
    parts = source.parts if source.paths else (source,)
    return any(is_marked(part, ways) for part in parts)


# -- what they hold -------------------------------------------------------------------------------


def tool_records(recipe: Recipe, source: Source) -> Loaded:
    """The records of a tool's files, with what stands beside them and what is derived of it."""
    what, beside = shown(source), Beside(recipe)
    paths: dict[str, str] = {}
    if not source.paths:
        frame, files = tabular(source.given).frame, 1
    else:
        frame, paths, files = _of_files(recipe, source, beside, what)
    frame = _across(recipe, unrolled(recipe.tool.unroll, frame), what)
    return Loaded(recipe.records or "", _derived(recipe, frame, beside, what), paths, files)


def _of_files(
    recipe: Recipe, source: Source, beside: Beside, what: str
) -> tuple[pd.DataFrame, dict[str, str], int]:
    files = own_files(
        source,
        lambda part: is_marked(part, recipe.tool.recognise),
        recipe.name,
        beside=lambda part: is_marked(part, recipe.tool.refuse) or beside.is_one(part.paths[0]),
    )
    if not files:
        rules = [r for r in recipe.tool.refuse if any(is_marked(p, [r]) for p in source.parts)]
        says = rules[0]["says"] if rules else f"holds no {recipe.title}."
        raise ResultsError(f"{what} {says}")
    names, several, frames = labels(files), len(files) > 1, []
    paths: dict[str, str] = {}
    for file in files:
        frame, own = _table_of(recipe, file)
        paths |= own
        more = {FILE: names[file], PATH: file.absolute().as_posix()} | beside.facts(file)
        more |= {FILES: names[file]} if several else {}
        more |= {BELOW: _below(file, source)} | _header(recipe, file)
        frames.append(frame.assign(**{k: v for k, v in more.items() if k not in frame.columns}))
    made = pd.concat([f for f in frames if len(f)] or frames[:1], ignore_index=True)
    if not len(made):
        raise ResultsError(f"{what} has no records of {recipe.title}. {recipe.tool.empty}".strip())
    return made, paths, len(files)


def _table_of(recipe: Recipe, file: Path) -> tuple[pd.DataFrame, dict[str, str]]:
    if recipe.tool.rows:
        return pd.DataFrame(list(ROWS[recipe.tool.rows](file))), {}
    if recipe.tool.lines:
        text = content(file).decode("utf-8-sig", errors="replace")
        matches = BoundedPattern(recipe.tool.lines).search_all(text.splitlines())
        return pd.DataFrame([m.groupdict() for m in matches if m]), {}
    if holds_value(file, Source(file).text):
        what = f"'{file}' looks like {recipe.title}"
        whole = value_of(file)
        path = _path_in(whole, recipe.records)
        value = _records_in(whole, path)
        return with_short_names(walked(value, path, what, recipe.tool.whole))
    return tabular(file, least=1).frame, {}


def _header(recipe: Recipe, file: Path) -> dict[str, str]:
    """What the beginning of a file says of all of its rows."""
    if not recipe.tool.header:
        return {}
    match = BoundedPattern(recipe.tool.header).search(Source(file).text)
    return {name: held or "" for name, held in match.groupdict().items()} if match else {}


def _below(file: Path, source: Source) -> str:
    for path in source.paths:
        if path.is_dir() and path in file.parents and file.parent != path:
            return file.parent.relative_to(path).as_posix()
    return file.absolute().parent.name


def _path_in(value: Any, paths: str | None) -> str:
    """Where the records are; of several places (a | b) the first that there is."""
    ways = ("[]" if paths is None else paths).split(" | ")
    return next((way for way in ways if holds(value, way)), ways[-1])


def _records_in(value: Any, path: str) -> Any:
    """The records of a file that holds columns, or one record where there are lines of them."""
    if not isinstance(value, dict) or not path.startswith("[]"):
        return value
    return columns_of(value) or [value]


# -- columns --------------------------------------------------------------------------------------


def _across(recipe: Recipe, frame: pd.DataFrame, what: str) -> pd.DataFrame:
    """Columns whose heads say something as rows: groups of the pattern are columns."""
    pattern = recipe.across.get("pattern")
    if not pattern or "role" in recipe.across or recipe.across.get("unless") in frame.columns:
        return frame
    names = [str(c) for c in frame.columns]
    every = BoundedPattern(pattern).match_all(names)
    matches = {c: m for c, m in zip(names, every, strict=True) if m}
    numeric = recipe.across.get("numbers", False)
    kept = [c for c in matches if not numeric or _is_numeric(frame[c])]
    if not kept:
        raise ResultsError(f"{what} has no scores of {recipe.title}. {recipe.tool.empty}".strip())
    rest = frame.drop(columns=list(matches))
    value = recipe.across.get("value", "value")
    parts = [rest.assign(**matches[c].groupdict(), **{value: frame[c]}) for c in kept]
    return pd.concat(parts, ignore_index=True)


def _is_numeric(column: pd.Series) -> bool:
    cells = column.dropna()
    return bool(len(cells)) and all(isinstance(cell, (bool, int, float)) for cell in cells)


def _derived(recipe: Recipe, frame: pd.DataFrame, beside: Beside, what: str) -> pd.DataFrame:
    """With derived columns; records beside are joined as soon as their keys are there."""
    frame = beside.joined(frame)
    for name, rule in recipe.derive.items():
        frame = beside.joined(with_derived(name, rule, frame, what))
    return frame


# -- known ----------------------------------------------------------------------------------------
# Recipes of known tools, and a user's own, as formats.
#
# Shipped ones stand in `shipped/`; a user's own in the folder that `PODIUM_FORMATS` names, or in
# `podium/formats` of the user's configuration.


VARIABLE = "PODIUM_FORMATS"
SAID = (
    "algorithm",
    "dataset",
    "item",
    "sample",
    "seed",
    "cluster",
    "ignore",
)  # what callers may say of a tool


def own_folder() -> Path:
    """Where a user's own recipes stand."""
    if given := os.environ.get(VARIABLE):
        return Path(given)
    home = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return Path(home) / "podium" / "formats"


def _texts() -> Iterator[tuple[str, str, bool]]:
    """The names and texts of all recipes, and whether Podium ships them."""
    shipped = resources.files("podium.reading.recipes") / "shipped"
    for entry in sorted(shipped.iterdir(), key=lambda e: e.name):
        if entry.name.endswith(".toml"):
            yield entry.name, entry.read_text(encoding="utf-8"), True
    folder = own_folder()
    if folder.is_dir():
        for path in sorted(folder.glob("*.toml")):
            yield str(path), path.read_text(encoding="utf-8", errors="replace"), False


# -- reading ----------------------------------------------------------------------------------


def _reads(recipe: Recipe) -> Callable[[Source, Options], LongTable]:
    def read(source: Source, options: Options) -> LongTable:
        loaded = records_of(recipe, source)
        said = with_own_algorithms(recipe, adjusted(recipe, options), loaded.frame)
        return applied(said, loaded, source, options)

    return read


def _counting_records(recipe: Recipe, source: Source) -> Loaded:
    """The records of a tool whose roles are inferred: rows and columns that count."""
    loaded = tool_records(recipe, source)
    kept, notes = rows_kept(recipe, loaded.frame, Options(), shown(source))
    gone = [c for c in kept.columns if any(fnmatchcase(str(c), name) for name in recipe.ignore)]
    several = {FILE} if loaded.files > 1 else set()
    own = {PATH, BELOW, FILES, FILE} - several
    return replace(
        loaded, frame=kept.drop(columns=[*gone, *own & {*kept.columns}]), notes=tuple(notes)
    )


def adjusted(recipe: Recipe, options: Options) -> Recipe:
    """The recipe with what the caller says of columns and rows."""
    roles = {**recipe.roles}
    for role, columns in options.columns.items():
        if role == "ignore":
            roles = {r: c for r, c in roles.items() if r not in columns}
            continue
        if role not in ROLES or (recipe.is_of_tool and role not in SAID):
            raise ResultsError(
                f"In columns: '{role}' is for tables; this format knows its own columns but "
                f"{', '.join(SAID)}. Leave it out."
            )
        roles[role] = [part for column in columns for part in column.split("+")]
    where = {**recipe.where, **options.where}
    chosen = {"step": options.step} if options.step else recipe.choose
    return replace(recipe, roles=roles, where=where, choose=chosen)


def records_of(recipe: Recipe, source: Source) -> Loaded:
    """The record set that a recipe is about."""
    if recipe.is_of_tool or recipe.tool.lines:
        return tool_records(recipe, source)
    sets = load(source)
    if recipe.records is None:
        if not sets:
            raise ResultsError(f"{shown(source)} holds no records.")
        return sets[0]
    chosen = [s for s in sets if s.path == recipe.records]
    if not chosen:
        known = ", ".join(repr(s.path) for s in sets[:8])
        raise ResultsError(
            f"{shown(source)} has no records at '{recipe.records}', as "
            f"{recipe.title or 'the recipe'} has them; there are: {known or 'none'}."
        )
    return chosen[0]


# -- formats ----------------------------------------------------------------------------------


def format_from(recipe: Recipe) -> Format:
    """The format that a recipe is."""
    told = bool(recipe.roles) or not recipe.is_of_tool
    return Format(
        recipe.name,
        recipe.words or recipe.title,
        recognises=partial(recognises, recipe),
        read=_reads(recipe) if told else read_set,
        loads=None if told else partial(_counting_records, recipe),
        samples=[_sample(s) for s in recipe.tool.samples],
        extensions=tuple(recipe.tool.extensions),
        title=recipe.title or recipe.name,
        of_benchmarks=bool(recipe.tool.alone),
        chooses_rows=True,
        by_recipe=True,
    )


def _sample(given: Mapping[str, Any]) -> Sample:
    def make(folder: Path) -> Any:
        for name, text in given["files"].items():
            path = place_within(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            text_sample(path.name, text, ()).make(path.parent)
        paths = [place_within(folder, name) for name in given["files"]]
        nested = any("/" in name for name in given["files"])
        return folder if nested else paths[0] if len(paths) == 1 else paths

    return Sample(make, order=tuple(given["order"]), options=dict(given.get("options", {})))


def _register() -> None:
    for name, text, is_shipped in _texts():
        recipe = recipe_of(text, f"The recipe '{name}'")
        if is_shipped:
            trust_patterns(patterns_of(recipe))
        if not recipe.name:
            recipe = recipe_of(f'name = "{Path(name).stem}"\n' + text, name)
        FORMATS.add(format_from(recipe))


_register()
