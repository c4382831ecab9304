"""`podium export`: runs of OpenML tasks in OpenML's own format."""

from __future__ import annotations

from pathlib import Path

import click

from podium.cli.main import say
from podium.errors import ResultsError


@click.command("export")
@click.argument("store", type=click.Path(path_type=Path))
@click.option("--output", "-o", type=click.Path(path_type=Path), required=True, help="A folder.")
@click.option("--flow", multiple=True, help="The number of an algorithm's flow, as in svm=8317.")
def command(store: Path, output: Path, flow: tuple[str, ...]) -> int:
    """Write the runs of STORE, made on OpenML tasks with kept predictions, for OpenML."""
    from podium.results.openml_export import export_openml

    for folder in export_openml(store, output, flows=dict(map(_flow, flow)) or None):
        say(folder)
    return 0


def _flow(text: str) -> tuple[str, int]:
    name, sign, number = text.rpartition("=")
    if not sign or not number.isdecimal():
        raise ResultsError(f"--flow is an algorithm and a number, as in svm=8317, not '{text}'.")
    return name, int(number)
