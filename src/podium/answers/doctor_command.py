"""`podium doctor`: what a file of scores supports today, what it lacks, what it would take."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from podium.cli.main import say
from podium.cli.options import excluding, files, read_results, reading


@click.command("doctor")
@files
@reading
@excluding
def doctor(file: Path | list[Path], **options: Any) -> int:
    """What FILE (a store or a table) supports today, what it lacks, and what it would take."""
    from podium.answers.checkup import checkup
    from podium.answers.checkup_words import lines
    from podium.base.formatting import screen, wrapped

    if (reports := _studies(file)) is not None:
        say(wrapped(reports, screen(), "  "))
        return 0
    found = checkup(read_results(file, options), options["measure"])
    for line in lines(found):
        say(wrapped(line, screen(), "  "))
    return 0 if found.supported else 1


def _studies(file: Path | list[Path]) -> str | None:
    """What is said of a table of what studies report, which are no scores; None of others."""
    from podium.answers.checkup_words import studies_line
    from podium.base.errors import PodiumError
    from podium.base.rooms import offered
    from podium.reading.formats.record import Source

    is_of_studies = offered("is_of_studies")
    if is_of_studies is None or not isinstance(file, Path) or not file.is_file():
        return None
    try:
        columns = Source(file).columns
    except PodiumError:  # who reads it says what is wrong
        return None
    return studies_line(str(file)) if columns and is_of_studies(columns) else None
