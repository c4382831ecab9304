"""Recipes of known tools, and a user's own, as formats.

Shipped ones stand in `shipped/`; a user's own in the folder that `PODIUM_FORMATS` names, or in
`podium/formats` of the user's configuration.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from importlib import resources
from pathlib import Path
from typing import Any

from podium.base.errors import ResultsError
from podium.reading.cells.vocabulary import Options
from podium.reading.formats.gathering import shown
from podium.reading.formats.record import FORMATS, Format, LongTable, Sample, Source, text_sample
from podium.reading.loading.sources import Loaded, load
from podium.reading.recipes.applying import applied
from podium.reading.recipes.designing import with_own_algorithms
from podium.reading.recipes.recipe import ROLES, Recipe, recipe_of
from podium.reading.recipes.tool_files import recognises, tool_records

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


def _texts() -> Iterator[tuple[str, str]]:
    shipped = resources.files("podium.reading.recipes") / "shipped"
    for entry in sorted(shipped.iterdir(), key=lambda e: e.name):
        if entry.name.endswith(".toml"):
            yield entry.name, entry.read_text(encoding="utf-8")
    folder = own_folder()
    if folder.is_dir():
        for path in sorted(folder.glob("*.toml")):
            yield str(path), path.read_text(encoding="utf-8", errors="replace")


# -- reading ----------------------------------------------------------------------------------


def _reads(recipe: Recipe) -> Callable[[Source, Options], LongTable]:
    def read(source: Source, options: Options) -> LongTable:
        loaded = records_of(recipe, source)
        said = with_own_algorithms(recipe, adjusted(recipe, options), loaded.frame)
        return applied(said, loaded, source, options)

    return read


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
    return Format(
        recipe.name,
        recipe.words or recipe.title,
        recognises=partial(recognises, recipe),
        read=_reads(recipe),
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
