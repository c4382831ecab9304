"""`podium merge`: join stores of one study that were made apart."""

from __future__ import annotations

from pathlib import Path

import click

from podium.cli.main import say


@click.command("merge")
@click.argument("stores", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--output", "-o", type=click.Path(path_type=Path), help="A new store for the whole.")
def command(stores: tuple[Path, ...], output: Path | None) -> int:
    """Append to the first of STORES what the others have and it lacks.

    With --output all of them go into another store and stay as they are. Stores of different
    studies are refused.
    """
    from podium.cli.status import counts
    from podium.results.formats.stores import read_store
    from podium.store.merge import merge

    into, sources = (output, stores) if output else (stores[0], stores[1:])
    if not sources:
        raise click.UsageError("merge needs at least two stores, or one and --output.")
    copied = merge(into, sources)
    say(f"{copied} records were added to '{into}': {counts(read_store(into).runs)}.")
    return 0
