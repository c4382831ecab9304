"""`podium report`: results and what may be said of them, as one page."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from podium.cli.main import say
from podium.cli.options import (
    BAYES,
    COMPARING,
    JUDGED,
    PATH,
    excluding,
    files,
    read_results,
    reading,
    said,
    shared,
)
from podium.cli.writing import check_writable

if TYPE_CHECKING:
    from podium.inference.comparisons import Comparisons
    from podium.results.results import Results

# margins and regions are of one measure, a page is about all
NOT_ASKED = ("force", "non_inferiority", "equivalence", *BAYES, *JUDGED)
ASKED = tuple(name for name in COMPARING if name not in NOT_ASKED)


@click.command("report")
@files
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
@shared(*ASKED[1:])
def report(file: Path | list[Path], output: Path, **options: Any) -> int:
    """Write the results of FILE (a store, CSV or Parquet) as one self-contained page."""
    check_writable(output)
    write_report(read_results(file, options), output, None, said(options, ASKED))
    say(f"The page is in '{output}'.")
    return 0


def write_report(
    results: Results, path: Path, comparisons: Comparisons | None, options: Mapping[str, Any]
) -> None:
    """Write the page, and show on a terminal how far it has come."""
    import podium
    from podium.progress import counting

    with counting() as progress:
        podium.report(results, path, comparisons=comparisons, progress=progress, **options)
