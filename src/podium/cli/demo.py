"""`podium demo`: run a small embedded study end to end and write a report."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import click

from podium.cli.main import say


@click.command("demo")
@click.option(
    "--folder",
    default="demo",
    show_default=True,
    type=click.Path(path_type=Path),
    help="Where everything goes.",
)
@click.option("--jobs", "-j", default=-1, show_default=True, help="Processes; -1 is one per core.")
@click.option("--quiet", "-q", is_flag=True, help="No progress, no summary.")
def command(folder: Path, jobs: int, quiet: bool) -> int:
    """Run a small embedded study end to end and write a report."""
    import podium
    from podium.cli.run import run_study
    from podium.design.studyfile import load_study
    from podium.results.formats.stores import read_store

    folder.mkdir(parents=True, exist_ok=True)
    study = folder / "demo.toml"
    if not study.exists():
        text = files("podium.cli").joinpath("studies/demo.toml").read_text(encoding="utf-8")
        study.write_text(text, encoding="utf-8")
    store = folder / "demo.db"
    status = run_study(
        load_study(study), store, jobs, quiet, again=f"podium demo --folder {folder}"
    )
    if status in (0, 1):
        report = folder / "report.html"
        podium.report(read_store(store), report)
        if not quiet:
            say(f"The study is in '{study}', the report in '{report}'.")
    return status
