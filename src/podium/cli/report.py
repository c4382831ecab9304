"""`podium report`: results and what may be said of them, as one page."""

from __future__ import annotations

from pathlib import Path

import click

from podium.cli.main import say


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
@click.option("--sampling", help="How the samples were drawn, where the file does not say.")
@click.option("--measure", "-m", help="What the scores are, where their name does not tell.")
@click.option("--columns", help="What is what, as in algorithm=method,value=acc.")
@click.option("--higher-is-better/--lower-is-better", default=None)
def command(
    file: Path,
    output: Path,
    sampling: str | None,
    measure: str | None,
    columns: str | None,
    higher_is_better: bool | None,
) -> int:
    """Write the results of FILE (a store, CSV or Parquet) as one self-contained page."""
    from podium import _facade as facade

    results = facade.read(
        file,
        sampling=sampling,
        measure=measure,
        columns=columns,
        higher_is_better=higher_is_better,
    )
    facade.report(results, output)
    say(f"The page is in '{output}'.")
    return 0
