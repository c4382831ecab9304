"""`podium read`: what each column of a file is, with its first rows; nothing is analysed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from podium.cli.helping import command
from podium.cli.main import say
from podium.cli.options import READING, declared, files, reading, said
from podium.cli.writing import check_writable, write


@command("read")
@files
@declared("output", "Write the reading as a recipe (TOML), for --recipe.")
@reading
def read(file: Path | list[Path], output: Path | None, **options: Any) -> int:
    """Show how FILE (one or several files and folders) is read: roles, first rows, what is open.

    The recipe that -o writes can be edited and given to every command by --recipe.
    """
    from podium.reading.inferring.showing import shown_reading

    if output is not None:
        check_writable(output)
    paths = file if isinstance(file, list) else [file]
    shown = shown_reading(paths, said(options, READING))
    for line in shown.lines:
        say(line)
    if output is not None and shown.recipe:
        write(shown.recipe, output)
        say(f"The recipe is in '{output}'.")
    return 0 if shown.recipe or output is None else 2
