"""`podium report`: results and what may be said of them, as one page."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from podium.cli.main import say
from podium.cli.reading import PATH, excluding, read_results, reading, said

if TYPE_CHECKING:
    from podium.comparisons import Comparisons
    from podium.results.results import Results

COMPARING = ["measure", "dataset", "target", "scale", "procedure", "null", "adjust", "alternative"]
COMPARING += ["alpha", "relevance", "control", "missing"]


@click.command("report")
@click.argument("file", type=PATH)
@click.option(
    "--output",
    "-o",
    default="report.html",
    show_default=True,
    type=PATH,
    help="Where the page goes.",
)
@reading
@excluding
@click.option("--target", help="What the claim is about [the honest one for the design].")
@click.option("--dataset", "-d", help="Only this data set of several.")
@click.option("--scale", help="Of data sets: raw, ranks, best, normalised ... [raw].")
@click.option("--procedure", "-p", help="A name from `podium procedures` [chosen by the design].")
@click.option("--null", help="asymptotic, permutation:N, exact ... [the procedure's].")
@click.option("--adjust", help="holm, single-step, closed, bonferroni ... [the procedure's].")
@click.option("--alternative", help="two-sided, less or greater [two-sided].")
@click.option("--alpha", type=float, help="The error level [0.05].")
@click.option("--relevance", type=float, help="The least difference that matters [0].")
@click.option("--control", help="Compare every algorithm with this one only.")
@click.option("--missing", help="complete leaves out blocks that lack a score, or worst.")
def command(file: Path, output: Path, **options: Any) -> int:
    """Write the results of FILE (a store, CSV or Parquet) as one self-contained page."""
    write_report(read_results(file, options), output, None, said(options, COMPARING))
    say(f"The page is in '{output}'.")
    return 0


def write_report(
    results: Results, path: Path, comparisons: Comparisons | None, options: Mapping[str, Any]
) -> None:
    """Write the page, and show on a terminal how far it has come."""
    from podium import api
    from podium.progress import counting

    with counting() as progress:
        api.report(results, path, comparisons=comparisons, progress=progress, **options)
