"""`podium plan frame`: data sets drawn by lot from those of a catalogue that are eligible."""

from __future__ import annotations

from pathlib import Path

import click

from podium.cli.helping import command
from podium.cli.options import PATH, declared, shared
from podium.cli.writing import check_writable, say_lines, show, write_csv


@command("frame")
@click.argument("catalogue", type=PATH)
@declared("where", "A criterion, as 'n >= 500'; may be said again.", metavar="CRITERION")
@click.option("--draw", "-n", type=int, help="How many are drawn [all that are eligible].")
@declared("seed", "Of the draw [1].", default=1)
@click.option("--development", type=int, default=0, help="How many of them are for choices [0].")
@declared("csv", "Write the drawn data sets as CSV; - for the screen.")
@shared("json")
def frame(
    catalogue: Path,
    where: tuple[str, ...],
    draw: int | None,
    seed: int,
    development: int,
    csv: Path | None,
    json: Path | None,
) -> int:
    """Draw data sets by lot from CATALOGUE, a CSV file or what OpenML lists as JSON.

    CATALOGUE has a row for every data set: name, source (as in a study file) and characteristics.
    Of those that meet all criteria so many are drawn; the same seed draws the same. A study file
    does it by itself with a table [frame].
    """
    from podium.design.frames import frame as drawn

    check_writable(json, csv)
    result = drawn(
        catalogue.name,
        where=where,
        draw=draw,
        seed=seed,
        development=development,
        folder=catalogue.parent,
    )
    if csv is not None:
        write_csv(result.to_csv(), csv)
    if csv is None or str(csv) != "-":
        show(result.to_dict(), json, lambda: say_lines(repr(result)))
    return 0
