"""`podium plan queue`: the order in which items are evaluated, and the plan by which to stop."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from podium.core.base.errors import DesignError
from podium.showing.terminal.options import (
    PATH,
    bounds_of,
    command,
    declared,
    given_options,
    shared,
)
from podium.showing.terminal.saying import say
from podium.showing.terminal.writing import check_writable, write_csv

OF_PLAN = ("seed", "item", "cluster", "alpha", "relevance", "spending", "looks", "open")


@command("queue")
@click.argument("file", type=PATH)
@click.option(
    "--algorithms",
    required=True,
    metavar="A,B",
    help="All that will be compared: their pairs share alpha.",
)
@declared("seed", "Of the draw [1].")
@declared("item")
@click.option("--cluster", help="A column of clusters, which stay whole.")
@shared(
    relevance="Two that differ by less are alike [0].",
    alpha="The error over all looks and pairs [0.05].",
)
@declared("spending", "How alpha is spent, obf or power2 [obf].")
@declared("looks", "How often is looked [20].")
@declared("open", "Without a budget: look at any time.")
@declared("score_bounds", "Of --open: between which scores lie [of 0/1 and known measures known].")
@declared("output", "Where the queue goes.", required=True)
def queue(file: Path, algorithms: str, bounds: str | None, output: Path, **options: Any) -> int:
    """Draw the order in which the items of FILE are evaluated, and sign it with a plan to stop.

    Evaluate from the top of the queue; `podium analyze ANSWERS.csv --queue QUEUE.csv` says at any
    time whether it is decided. The number of items is the budget.
    """
    import podium

    check_writable(output)
    if output.exists():
        raise DesignError(
            f"'{output}' exists: a queue is drawn once, before anything is evaluated. Choose "
            "another name for a new study."
        )
    names = [name.strip() for name in algorithms.split(",") if name.strip()]
    made = podium.queue(file, names, bounds=bounds_of(bounds), **given_options(options, OF_PLAN))
    write_csv(made.to_csv(index=False, lineterminator="\n"), output)
    say(
        f"{len(made)} items are in '{output}' in the order in which to evaluate them. Whether it "
        f"is decided: podium analyze ANSWERS.csv --queue {output}"
    )
    return 0
