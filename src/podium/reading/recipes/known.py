"""Recipes of known tools, and a user's own, as formats.

Shipped ones stand in `shipped/`; a user's own in the folder that `PODIUM_FORMATS` names, or in
`podium/formats` of the user's configuration.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any

import pandas as pd

from podium.base.errors import ResultsError
from podium.reading.cells.vocabulary import Options
from podium.reading.formats.gathering import labels, shown
from podium.reading.formats.opening import content
from podium.reading.formats.record import FORMATS, Format, LongTable, Sample, Source, text_sample
from podium.reading.loading.record_sets import record_sets, short_names
from podium.reading.loading.sources import FILE, Loaded, load
from podium.reading.recipes.applying import applied
from podium.reading.recipes.recipe import Recipe, recipe_of

VARIABLE = "PODIUM_FORMATS"
MOST_LOOKED_AT = 50  # files of a folder in which a tool's marks are looked for


def own_folder() -> Path:
    """Where a user's own recipes stand."""
    if given := os.environ.get(VARIABLE):
        return Path(given)
    home = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return Path(home) / "podium" / "formats"


def _texts() -> Iterator[tuple[str, str]]:
    shipped = resources.files("podium.reading.recipes") / "shipped"
    for entry in sorted(shipped.iterdir(), key=lambda e: e.name):
        if entry.name.endswith(".toml"):
            yield entry.name, entry.read_text(encoding="utf-8")
    folder = own_folder()
    if folder.is_dir():
        for path in sorted(folder.glob("*.toml")):
            yield str(path), path.read_text(encoding="utf-8", errors="replace")


# -- recognising ------------------------------------------------------------------------------


def _recognises(recipe: Recipe) -> Callable[[Source], bool]:
    def is_it(source: Source) -> bool:
        return any(_is_part(recipe, part) for part in source.parts[:MOST_LOOKED_AT])

    return is_it


def _is_part(recipe: Recipe, part: Source) -> bool:
    """Whether one file carries the marks of a recipe."""
    marks = recipe.recognise
    if not part.paths or not {"columns", "text", "file"} & {*marks}:
        return False
    if "file" in marks and not re.fullmatch(str(marks["file"]), part.paths[0].name):
        return False
    if "text" in marks and not re.search(str(marks["text"]), part.text, re.MULTILINE):
        return False
    columns = [*marks.get("columns", ())]
    return not columns or {*columns} <= _columns(part, recipe)


def _columns(part: Source, recipe: Recipe) -> set[str]:
    """The columns that a file begins with, by path and by short name."""
    if part.shape is None:
        return {*part.columns}
    names: set[str] = set()
    for path, result in _sets(part).items():
        if recipe.records is None or path == recipe.records or recipe.recognise.get("anywhere"):
            names |= result
    return names


def _sets(part: Source) -> dict[str, set[str]]:
    known: dict[str, set[str]] | None = getattr(part, "_record_sets", None)
    if known is None:
        known = {}
        shape = part.shape
        shape = [shape] if _is_by_line(part) else shape
        for path, result in record_sets(shape).items():
            keys = list(dict.fromkeys(k for row in result.rows[:200] for k in row))
            known[path] = {*keys, *short_names(keys).values(), *_suffixes(keys)}
        object.__setattr__(part, "_record_sets", known)
    return known


def _suffixes(paths: list[str]) -> Iterator[str]:
    """The ends of paths, less brackets: `provider.id` of `results[].provider.id`."""
    for path in paths:
        parts = re.sub(r"[\[\]{}]", "", path).split(".")
        yield from (".".join(parts[at:]) for at in range(len(parts)))


def _is_by_line(part: Source) -> bool:
    first, _, rest = part.text.lstrip().partition("\n")
    return (
        first.rstrip().endswith("}") and rest.lstrip()[:1] == "{" and isinstance(part.shape, dict)
    )


# -- reading ----------------------------------------------------------------------------------


def _reads(recipe: Recipe) -> Callable[[Source, Options], LongTable]:
    def read(source: Source, options: Options) -> LongTable:
        return applied(adjusted(recipe, options), records_of(recipe, source), source, options)

    return read


def adjusted(recipe: Recipe, options: Options) -> Recipe:
    """The recipe with what the caller says of columns and rows."""
    roles = {**recipe.roles}
    for role, columns in options.columns.items():
        if role == "ignore":
            continue
        if role in ("block", "sheet", "across"):
            raise ResultsError(
                f"In columns: '{role}' is for tables; '{recipe.name}' is a known layout. "
                "Leave it out."
            )
        roles[role] = [part for column in columns for part in column.split("+")]
    where = {**recipe.where, **options.where}
    chosen = {"step": options.step} if options.step else recipe.choose
    return replace(recipe, roles=roles, where=where, choose=chosen)


def records_of(recipe: Recipe, source: Source) -> Loaded:
    """The record set that a recipe is about."""
    if recipe.lines:
        return _lines(recipe, source)
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


def _lines(recipe: Recipe, source: Source) -> Loaded:
    """The lines of text files that a pattern matches."""
    pattern = re.compile(recipe.lines)
    names, frames = labels(source.files), []
    for file in source.files:
        text = content(file).decode("utf-8-sig", errors="replace")
        results = [m.groupdict() for line in text.splitlines() if (m := pattern.search(line))]
        if results:
            frames.append(pd.DataFrame(results).assign(**{FILE: names[file]}))
    if not frames:
        raise ResultsError(f"{shown(source)} has no line of {recipe.title or 'the recipe'}.")
    return Loaded("", pd.concat(frames, ignore_index=True), files=len(frames))


# -- formats ----------------------------------------------------------------------------------


def format_from(recipe: Recipe) -> Format:
    """The format that a recipe is."""
    return Format(
        recipe.name,
        recipe.words or recipe.title,
        recognises=_recognises(recipe),
        read=_reads(recipe),
        samples=[_sample(s) for s in recipe.samples],
        extensions=tuple(recipe.recognise.get("extensions", ())),
        title=recipe.title or recipe.name,
    )


def _sample(given: Mapping[str, Any]) -> Sample:
    def make(folder: Path) -> Any:
        for name, text in given["files"].items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            text_sample(path.name, text, ()).make(path.parent)
        paths = [folder / name for name in given["files"]]
        nested = any("/" in name for name in given["files"])
        return folder if nested else paths[0] if len(paths) == 1 else paths

    return Sample(make, order=tuple(given["order"]), options=dict(given.get("options", {})))


def _register() -> None:
    for name, text in _texts():
        recipe = recipe_of(text, f"The recipe '{name}'")
        if not recipe.name:
            recipe = recipe_of(f'name = "{Path(name).stem}"\n' + text, name)
        FORMATS.add(format_from(recipe))


_register()

__all__ = ["adjusted", "format_from", "own_folder", "records_of"]
