"""`podium score`: score kept predictions by a new measure."""

from __future__ import annotations

from pathlib import Path

import click

from podium.cli.main import say


@click.command("score")
@click.argument("store", type=click.Path(path_type=Path))
@click.option("--measure", "-m", multiple=True, required=True, help="A measure (may be repeated).")
def command(store: Path, measure: tuple[str, ...]) -> int:
    """Score the predictions kept in STORE by new measures, without refitting."""
    from podium.cli.summary import say_summary
    from podium.execution.rescore import rescore
    from podium.measures import parse
    from podium.results.formats.stores import read_store

    count = rescore(store, measure)
    names = [m if m.startswith("sklearn:") else parse(m).name for m in measure]
    say(f"{count} runs were scored by {', '.join(names)}.\n")
    say_summary(read_store(store).filter(measure=names))
    return 0
