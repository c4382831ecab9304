"""`podium import`: other tools' files as one long table that every command reads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from podium.cli.helping import command
from podium.cli.main import say
from podium.cli.options import READING, declared, files, reading, said
from podium.cli.writing import SCREEN, check_writable, write_csv


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
