"""`podium formats`: what files and folders of other tools are read."""

from __future__ import annotations

import click

from podium.cli.main import say


@click.command("formats")
def formats() -> int:
    """List the formats of scores that are known, also those of installed packages."""
    from podium.base.formatting import screen, wrapped
    from podium.reading.formats import FORMATS

    width = max(map(len, FORMATS))
    for name, record in FORMATS.items():
        say(wrapped(f"{name:{width}}  {record.words}", screen(), " " * (width + 2)))
    say("\nA format is recognised by content: give its file, several files or a folder.")
    return 0
