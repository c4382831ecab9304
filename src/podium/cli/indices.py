"""`podium indices`: write the row numbers of all samples of a study."""

from __future__ import annotations

from pathlib import Path

import click

from podium.cli.main import say
from podium.cli.options import shared


@click.command("indices")
@click.argument("study", type=click.Path(path_type=Path))
@click.option(
    "--output",
    "-o",
    required=True,
    type=click.Path(path_type=Path),
    help="A CSV (also .gz) or Parquet file.",
)
@shared("trust")
def command(study: Path, output: Path, trust: tuple[str, ...]) -> int:
    """Write the row numbers of all samples of STUDY, to publish them as the benchmark.

    A study with sampling = "indices:FILE" runs on exactly these samples.
    """
    from podium.api.running import write_indices

    write_indices(study, output, trust=trust)
    say(f"The samples are in '{output}'. Use them with: sampling = \"indices:{output.name}\"")
    return 0
