"""`podium gate`: is the new one worse than the old one?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from podium.core.base.formatting import columns, screen, wrapped
from podium.showing.terminal.options import (
    PATH,
    READING,
    command,
    declared,
    given_options,
    reading,
    shared,
    written,
)
from podium.showing.terminal.saying import say
from podium.showing.terminal.writing import check_writable, write, write_json, write_outputs

if TYPE_CHECKING:
    from podium.asking.gates.decisions import Decision
    from podium.asking.gates.gates import Candidates, Gate

JUDGING = ("procedure", "alpha", "gaps")
SPARE = (
    "margin",
    "ratio",
    "n",
    "old",
    "p worse",
)  # what a narrow screen does without; files have all


@command("gate")
@click.argument("old", type=PATH)
@click.argument("new", type=PATH, nargs=-1, metavar="NEW...")
@shared(
    margin="The loss that still counts as not worse: 0.01 in the measure's unit, or 5% of the old; "
    "with the name where there are several measures: accuracy=0.01."
)
@click.option(
    "--improve",
    metavar="MEASURE",
    multiple=True,
    help="What must be better besides, such as cost; any:cost,tokens where one is enough.",
)
@click.option(
    "--ledger",
    type=PATH,
    metavar="F",
    help="For many tries on one test set: count them here, and ask sealed items.",
)
@reading
@click.option("--algorithm", metavar="NAME", help="Whose scores, where a file has several.")
@shared(control="The old version, where one file has all of them.")
@shared(*JUDGING)
@declared("markdown", "Write a summary in Markdown; - for the screen.")
@written(
    "--comment",
    type=PATH,
    metavar="PATH",
    help="Write a comment of at most 80 words for a pull request; - for the screen.",
)
@shared("why", "json")
def gate(
    old: Path,
    new: tuple[Path, ...],
    markdown: Path | None,
    comment: Path | None,
    json: Path | None,
    why: bool,
    **options: Any,
) -> int:
    """Is NEW worse than OLD? Each is a file or folder of any format that is known.

    What both name is paired, item by item; runs, seeds and timings are not. Several benchmarks are
    judged one by one, all at once by Šidák's level. Exit status: 0 not worse by the margin (or,
    without a margin, nothing shown), 3 worse, 4 inconclusive, 2 wrong input. Of several measures: 0
    ship, 3 no, 4 not yet. Of several candidates each is judged at a share of the level.

    \b
    podium gate old.csv new.csv --margin 0.01
    podium gate old.csv new.csv --margin accuracy=0.01 --improve cost
    podium gate old.csv mini.csv small.csv --margin accuracy=0.01 --improve cost
    podium gate models.csv --control old --margin accuracy=0.01 --improve cost
    """
    import podium
    from podium.asking.gates.gates import by_file

    check_writable(markdown, comment, json)
    request = given_options(
        options, ("margin", "improve", "ledger", "algorithm", "control", *READING, *JUDGING)
    )
    if "control" in request:
        result = podium.gate([old, *new], **request)  # all versions, in however many files
    else:
        given = new[0] if len(new) == 1 else by_file(new) or None
        result = podium.gate(old, given, **request)
    is_on_screen = write_outputs(
        (json, lambda path: write_json(result.to_dict(), path)),
        (markdown, lambda path: write(result.to_markdown(), path)),
        (comment, lambda path: write(result.comment(), path)),
    )
    if not is_on_screen:
        _say(result, why=why)
    return result.status


def _say(result: Gate | Decision | Candidates, *, why: bool) -> None:
    """The verdict, the rows, how they were found, and what must be known."""
    from podium.showing.screens.standings import say_caveats

    width = screen()
    first, last = result.lines
    for line in first:
        say(wrapped(line, width, "  "))
    (texts,) = result._texts().values()
    say(f"\n{columns(texts.columns, left=texts.left, spare=SPARE)}\n")
    for line in last:
        say(wrapped(line, width, "  "))
    say_caveats(result.below, why=why)
