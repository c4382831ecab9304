"""`podium advise`: which question a design answers, and how."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from podium.cli.main import say
from podium.cli.options import EXCLUDING, excluding, files, read_results, reading, refuse, shared


@click.command("advise")
@files
@shared("target")
@reading
@excluding
def command(file: Path | list[Path], **options: Any) -> int:
    """Which question the design of FILE (a study, a store or a table) answers, and how."""
    import podium
    from podium.formatting import screen, wrapped

    if isinstance(file, Path) and file.suffix == ".toml":
        refuse(options, EXCLUDING, "is for scores: leave the data set out of the study")
        refuse(options, ["step"], "is for curves of scores")
        said = {k: v for k, v in options.items() if k not in (*EXCLUDING, "step")}
        advice = podium.advise(file, **said)
    else:
        chosen = {k: options[k] for k in ("target", "measure")}
        advice = podium.advise(read_results(file, options), **chosen)
    for line in str(advice).splitlines():
        say(wrapped(line, screen(), "  "))
    return 0
