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
    from podium.formatting import screen, wrapped
    from podium.studies.checkup import checkup
    from podium.wording.checkup import lines

    found = checkup(read_results(file, options), options["measure"])
    for line in lines(found):
        say(wrapped(line, screen(), "  "))
    return 0 if found.supported else 1
