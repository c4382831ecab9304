"""`podium survey items`: difficulty and discrimination of items; near-identical models."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from podium.cli.helping import command
from podium.cli.main import say
from podium.cli.options import excluding, files, read_results, reading, said, shared
from podium.cli.writing import check_writable, show

MOST = 10  # items of a list


@command("items")
@files
@reading
@excluding
@shared("dataset")
@click.option(
    "--response-model/--no-response-model",
    default=None,
    help="The two-parameter logistic model, from 50 models on [where it can be].",
)
@shared("json")
def items(file: Path | list[Path], json: Path | None, **options: Any) -> int:
    """Describe the items of FILE: difficulty, discrimination, solved by nobody or by all."""
    from podium.items.verbs import describe_items

    check_writable(json)
    results = read_results(file, options)
    found = describe_items(results, **said(options, ("measure", "dataset", "response_model")))
    show(found.to_dict(), json, lambda: _say(found))
    return 0


def _say(found: Any) -> None:
    from podium.base.formatting import screen, wrapped
    from podium.words.notes.of_boards import items_heading
    from podium.words.presentation import noted

    say(wrapped(items_heading(found), screen(), "  "))
    known = found.items.dropna(subset="item_rest")
    _listed("The hardest items", known.sort_values(_level(known), kind="stable"))
    _listed("Items that go least with the others", known.sort_values("item_rest", kind="stable"))
    _listed("Models that are nearly the same", found.twins)
    for note in found.notes:
        say(wrapped(noted(note), screen(), "  "))


def _level(items: Any) -> str:
    return "mean" if "mean" in items else "solved"


def _listed(title: str, table: Any) -> None:
    from podium.base.formatting import columns, number, printable

    if not len(table):
        return
    texts = [name for name in ("item", "first", "second") if name in table]
    table = table.head(MOST).dropna(axis=1, how="all")
    shown = {
        name.replace("_", " "): [
            printable(v) if name in texts else number(v, 3) for v in table[name]
        ]
        for name in table
    }
    say(f"\n  {title}:\n")
    say(columns(shown, left=texts, indent="  ") + "\n")
