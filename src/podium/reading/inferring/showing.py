"""A reading in full: roles of columns, columns without one and why, first rows, what is open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from podium.base.errors import PodiumError
from podium.reading.cells.vocabulary import Options, said_rows
from podium.reading.formats.reading import format_of, read
from podium.reading.formats.record import Source
from podium.reading.inferring.asking import candidates
from podium.reading.inferring.scored_tables import Inferred
from podium.reading.loading.sources import Loaded
from podium.reading.recipes.recipe import recipe_file, recipe_text

FIRST = 5  # rows that are shown
WIDEST = 40  # letters of a cell


@dataclass(frozen=True)
class Shown:
    """The lines of a reading, and its recipe as TOML; empty where there is none."""

    lines: list[str]
    recipe: str = ""


def shown_reading(paths: Sequence[Path], options: Mapping[str, Any]) -> Shown:
    """How files are read, in lines for the screen."""
    source = Source(list(paths) if len(paths) > 1 else paths[0])
    if options.get("recipe"):
        recipe = recipe_file(Path(options["recipe"]))
        return Shown([*recipe_text(recipe).splitlines(), *_read_line(paths, options)])
    record = format_of(source)
    if record is not None and record.title:
        return Shown(
            [f"Known layout: {record.title} ({record.words}).", *_read_line(paths, options)]
        )
    message = Options.checked(
        options.get("sampling"),
        options.get("measure"),
        options.get("higher_is_better"),
        options.get("columns"),
    )
    message = Options(
        message.sampling,
        message.measure,
        message.higher_is_better,
        message.columns,
        options.get("step"),
        said_rows(options.get("where")),
    )
    guesses = candidates(source, message)
    if not guesses:
        return Shown(_read_line(paths, options))
    inferred, loaded = guesses[0]
    lines = [*_lines(inferred, loaded), "", *_read_line(paths, options)]
    return Shown(lines, "" if inferred.refusal else recipe_text(inferred.recipe))


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
        lines.append("  battles    " + ", ".join(inferred.battles))
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


def _read_line(paths: Sequence[Path], options: Mapping[str, Any]) -> list[str]:
    """What reading gives: numbers, or the question."""
    try:
        results = read(list(paths) if len(paths) > 1 else paths[0], **dict(options))
    except PodiumError as error:
        return [str(error)]
    return [reading_line(results)]


def reading_line(results: Any) -> str:
    """One line on how a source was read."""
    failed = int((results.runs["status"] == "failed").sum())
    parts = [
        f"{len(results.algorithms)} algorithms × {len(results.datasets)} data sets"
        if len(results.datasets) > 1
        else f"{len(results.algorithms)} algorithms"
    ]
    cells = results.runs.groupby(["dataset", "algorithm"], observed=True).size()
    if len(cells) and cells.max() > 1:
        parts.append(
            f"{int(cells.max())} {'items' if str(results.sampling) == 'items' else 'samples'} each"
        )
    directions = [f"{n} ({m.direction} is better)" for n, m in results.measures.items()]
    parts.append(", ".join(directions[:4]))
    parts += [f"{failed} failed runs"] if failed else []
    return "Read as: " + "; ".join(parts) + "."
