"""`podium advise`: which question a design answers, and how."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from podium.cli.main import say
from podium.cli.options import EXCLUDING, excluding, read_results, reading, refuse, shared


@click.command("advise")
@click.argument("file", type=click.Path(path_type=Path))
@shared("target")
@reading
@excluding
@shared("trust")
def command(file: Path, trust: tuple[str, ...], **options: Any) -> int:
    """Which question the design of FILE (a study, a store or a table) answers, and how."""
    import podium
    from podium.formatting import screen, wrapped

    if file.suffix == ".toml":
        refuse(options, EXCLUDING, "is for scores: leave the data set out of the study")
        said = {k: v for k, v in options.items() if k not in EXCLUDING}
        advice = podium.advise(file, trust=trust, **said)
    else:
        chosen = {k: options[k] for k in ("target", "measure")}
        advice = podium.advise(read_results(file, options), **chosen)
    for line in str(advice).splitlines():
        say(wrapped(line, screen(), "  "))
    return 0
