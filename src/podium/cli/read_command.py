"""`podium read` and `podium import`: how a file is read, and its scores as one long table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from podium.cli.main import say
from podium.cli.options import READING, command, declared, files, reading, said
from podium.cli.writing import SCREEN, check_writable, write, write_csv


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


# -- importing ------------------------------------------------------------------------------------
# `podium import`: other tools' files as one long table that every command reads.


@command("import")
@files
@declared(
    "output",
    "Where the table goes; - for the screen, and nothing else.",
    default="scores.csv",
    show_default=True,
)
@reading
def importing(file: Path | list[Path], output: Path, **options: Any) -> int:
    """Write the scores of FILE (files and folders of any known format) as one long table.

    Its first line, a comment, says the sampling, the measures with their directions and where the
    scores come from; `podium analyze` gives the same for the table as for the files.
    """
    import podium
    from podium.reading.formats.exchange import scores_text
    from podium.words.presentation import noted

    check_writable(output)
    results = podium.read(file, **said(options, READING))
    origin = [str(path) for path in (file if isinstance(file, list) else [file])]
    write_csv(scores_text(results, origin), output)
    if str(output) != SCREEN:
        for note in results.notes:
            say(noted(note))
        say(f"{len(results.scores)} scores are in '{output}'.")
    return 0
