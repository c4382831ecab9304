"""`podium advise`: which question a design answers, and how."""

from __future__ import annotations

from pathlib import Path

import click

from podium.cli.main import say


@click.command("advise")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--sampling", help="How the samples were drawn, where the file does not say.")
@click.option("--target", help="What the claim shall be about.")
@click.option("--measure", "-m", help="The measure to compare by.")
@click.option("--columns", help="What is what, as in algorithm=method,value=acc.")
@click.option(
    "--higher-is-better/--lower-is-better", default=None, help="The direction of the measure."
)
def command(
    file: Path,
    sampling: str | None,
    target: str | None,
    measure: str | None,
    columns: str | None,
    higher_is_better: bool | None,
) -> int:
    """Which question the design of FILE (a study, a store or a table) answers, and how."""
    from podium import _facade as facade
    from podium.shown import screen, wrapped

    advice = facade.advise(
        file,
        sampling=sampling,
        target=target,
        measure=measure,
        columns=columns,
        higher_is_better=higher_is_better,
    )
    for line in str(advice).splitlines():
        say(wrapped(line, screen(), "  "))
    return 0
