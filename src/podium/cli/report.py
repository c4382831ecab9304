"""`podium report`: results and what may be said of them, as one page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from podium.cli.main import say
from podium.cli.reading import excluding, read_results, reading


@click.command("report")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--output",
    "-o",
    default="report.html",
    show_default=True,
    type=click.Path(path_type=Path),
    help="Where the page goes.",
)
@reading
@excluding
def command(file: Path, output: Path, **options: Any) -> int:
    """Write the results of FILE (a store, CSV or Parquet) as one self-contained page."""
    from podium import _facade as facade

    facade.report(read_results(file, options), output)
    say(f"The page is in '{output}'.")
    return 0
