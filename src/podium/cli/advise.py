"""`podium advise`: which question a design answers, and how."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from podium.cli.main import say
from podium.cli.reading import reading


@click.command("advise")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--target", help="What the claim shall be about.")
@reading
def command(file: Path, **options: Any) -> int:
    """Which question the design of FILE (a study, a store or a table) answers, and how."""
    from podium import _facade as facade
    from podium.shown import screen, wrapped

    for line in str(facade.advise(file, **options)).splitlines():
        say(wrapped(line, screen(), "  "))
    return 0
