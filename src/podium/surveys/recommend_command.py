"""`podium survey recommend`: which algorithm where, and what that is worth on other data sets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from podium.cli.helping import command
from podium.cli.options import (
    PATH,
    excluding,
    files,
    read_columns,
    read_results,
    reading,
    said,
    shared,
)
from podium.cli.writing import check_writable, say_lines, show
from podium.surveys.command import TABLE


@command("recommend")
@files
@reading
@excluding
@click.option("--by", help="Characteristics, with commas between [all].")
@TABLE
@click.option("--new", type=PATH, help="A table of new data sets: whom to take there.")
@shared("alpha", "json", scale="raw, ranks, best ... [raw].")
def recommend(file: Path | list[Path], json: Path | None, **options: Any) -> int:
    """Which algorithm to take where, from the characteristics of many data sets of FILE.

    Data sets are cut into groups by characteristics, each with its best algorithm. Whether that
    beats always taking the overall best is judged on data sets left out one by one; if not, it says
    so, and recommends the overall best.
    """
    from podium.surveys.recommending_words import taken_line
    from podium.surveys.verbs import recommend as recommended

    check_writable(json)
    results = read_results(file, options)
    table = options["table"] and read_columns(options["table"], "dataset")
    new = options["new"] and read_columns(options["new"], "dataset")
    columns = options["by"] and [name.strip() for name in options["by"].split(",")]
    result = recommended(
        results, table, columns=columns, **said(options, ("measure", "scale", "alpha"))
    )
    rows = [] if new is None else new.to_dict("records")
    taken = {str(row["dataset"]): result.recommend(_numbers(row)) for row in rows}
    lines = [taken_line(name, one, result.helps) for name, one in taken.items()]
    content = result.to_dict() | ({"new": taken} if taken else {})
    show(content, json, lambda: say_lines("\n".join([*lines, repr(result)])))
    return 0


def _numbers(row: dict[str, Any]) -> dict[str, float]:
    """What of a row is a number; nothing is known of the rest."""
    numbers = {}
    for name, value in row.items():
        try:
            numbers[str(name)] = float(value)
        except (TypeError, ValueError):
            continue
    return numbers
