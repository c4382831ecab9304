"""A reading in full: roles of columns, columns without one and why, first rows, what is open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from podium.core.base.errors import PodiumError
from podium.core.results.results import Results
from podium.core.words.saying import say
from podium.reading.cells.vocabulary import Options, said_rows
from podium.reading.formats.reading import format_of, is_of_own_reader, read, reading_note
from podium.reading.formats.record import Source
from podium.reading.inferring.asking import candidates
from podium.reading.inferring.scored_tables import GAMES, Inferred
from podium.reading.loading.sources import Loaded
from podium.reading.recipes.recipe import ANY, OPTIONS, Recipe, recipe_file, recipe_of, recipe_text

FIRST = 5  # rows that are shown
WIDEST = 40  # letters of a cell


@dataclass(frozen=True)
class Shown:
    """The lines of a reading, and its recipe as TOML; empty where there is none."""

    lines: list[str]
    recipe: str = ""


def shown_reading(paths: Sequence[Path], options: Mapping[str, Any]) -> Shown:
    """How files are read, in lines for the screen, and a recipe that reads them the same way.

    Inferred roles are a recipe that can be edited, but some readers (of tools, of battles, of wide
    tables) do what no roles say. So it is tried, and where it reads something else the recipe names
    the format (or says that content tells it) and keeps the options.
    """
    files = list(paths) if len(paths) > 1 else paths[0]
    message = Options.checked(*(options.get(k) for k in OPTIONS[:4]))
    message = replace(message, step=options.get("step"), where=said_rows(options.get("where")))
    source = Source(files, message.columns, message.measure)
    said = {k: list(v) if isinstance(v, tuple) else v for k, v in options.items() if k in OPTIONS}
    results, line = _read(files, options)
    if options.get("recipe"):
        own = recipe_file(Path(options["recipe"]))
        text = recipe_text(replace(own, options={**own.options, **said}))
        return Shown([*text.splitlines(), line], text if results is not None else "")
    record = format_of(source)
    if record is not None and not is_of_own_reader(record, source):
        record = None  # a table of any kind
    by_name = recipe_text(Recipe(format=record.name if record else ANY, options=said))
    if record is not None:
        words = f"{record.title} ({record.words})" if record.title else record.words
        known = f"Known layout: {words}."
        return Shown([known, line], by_name if results is not None else "")
    guesses = candidates(source, message)
    if not guesses:
        return Shown([line], by_name if results is not None else "")
    inferred, loaded = guesses[0]
    if results is not None and inferred.refusal:
        return Shown([f"{len(loaded.frame)} rows", *_head(loaded), "", line], by_name)
    lines = [*_lines(inferred, loaded), "", line]
    if inferred.refusal or (results is None and inferred.battles):
        return Shown(lines)
    less = {k: v for k, v in said.items() if k != "columns"}  # which are among the roles
    text = recipe_text(replace(inferred.recipe, options=less))
    if results is None:
        return Shown(lines, text)  # the likeliest reading, to be edited
    again, _ = _read(files, {"recipe": recipe_of(text, "The recipe")})
    return Shown(lines, text if again is not None and _are_same(results, again) else by_name)


def _are_same(one: Results, other: Results) -> bool:
    """Whether two readings are the same in all that a comparison looks at."""
    tables = [(one.scores, other.scores), (one.runs, other.runs), (one.answers, other.answers)]
    measures = [list(results.measures.items()) for results in (one, other)]
    said = [(str(r.sampling), repr(r.facts), r.name) for r in (one, other)]
    alike = all(a.equals(b) and [*a.dtypes] == [*b.dtypes] for a, b in tables)
    return alike and measures[0] == measures[1] and said[0] == said[1]


def _lines(inferred: Inferred, loaded: Loaded) -> list[str]:
    recipe = inferred.recipe
    rows = f"{len(loaded.frame)} rows" + (f" at {loaded.path}" if loaded.path else "")
    lines = [rows + (f" of {loaded.files} files" if loaded.files > 1 else "")]
    if inferred.refusal:
        return [*lines, f"Nothing can be compared: {inferred.refusal}.", *_head(loaded)]
    lines += [f"  {role:10} {', '.join(columns)}" for role, columns in recipe.roles.items()]
    if recipe.across:
        names = list(recipe.across["columns"])
        lines.append(f"  {recipe.across['role']:10} columns {', '.join(names):.200}")
    if inferred.battles:
        lines.append("  battles    " + ", ".join(inferred.battles).replace(GAMES, ", "))
    for title, rules in (("only", recipe.where), ("without", recipe.without)):
        lines += [f"  {title:10} {c} = {', '.join(map(str, v))}" for c, v in rules.items()]
    lines += [f"  failed     rows whose {c} is none of {list(v)}" for c, v in recipe.ok.items()]
    lines += [f"  missing    {c} = {list(v)}" for c, v in recipe.missing.items()]
    lines += [f"  unused     {c}: {why}" for c, why in recipe.reasons.items()]
    lines += [f"  open       {o.text}" for o in inferred.open]
    return [*lines, *_head(loaded)]


def _head(loaded: Loaded) -> list[str]:
    """The first rows, with long cells cut."""
    rows = loaded.frame.head(FIRST).map(lambda cell: " ".join(str(cell).split())[:WIDEST])
    return ["", *rows.to_string(index=False, max_cols=12).splitlines()]


def _read(files: Any, options: Mapping[str, Any]) -> tuple[Results | None, str]:
    """What reading gives, and a line on it: its numbers, or the question."""
    try:
        results = read(files, **dict(options))
    except PodiumError as error:
        return None, str(error)
    directions = [f"  measure    {n}: {m.direction} is better" for n, m in results.measures.items()]
    lines = [*directions, ""] if len(directions) > 1 else []
    return results, "\n".join([*lines, say(reading_note(results))])
