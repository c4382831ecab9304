"""`podium replicate`: a paper's tables, theirs beside ours."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from podium.cli.main import say
from podium.cli.progress import counting
from podium.cli.writing import write

if TYPE_CHECKING:
    from podium.papers.replication import Replication

FILE = click.Path(path_type=Path, dir_okay=False)
FOLDER = click.Path(path_type=Path, exists=True, file_okay=False)


@click.command("replicate")
@click.argument("paper", required=False)
@click.argument("item", required=False)
@click.option("--quick", is_flag=True, help="Fewer replications: minutes at most.")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0))
@click.option("--jobs", "-j", default=1, show_default=True, type=int, help="-1: all cores.")
@click.option("--store", type=FILE, help="Keep finished batches there; the next call goes on.")
@click.option("--data", type=FOLDER, help="A folder with data files that cannot be shipped.")
@click.option("--csv", type=FILE, help="Write the cells; - is the screen.")
def command(
    paper: str | None,
    item: str | None,
    quick: bool,
    seed: int,
    jobs: int,
    store: Path | None,
    data: Path | None,
    csv: Path | None,
) -> int:
    """Recompute an ITEM of a PAPER, or all of its items; without a paper, list what there is."""
    from podium.papers.replication import papers

    if paper is None:
        _list()
        return 0
    known = papers()[paper]
    chosen = list(known) if item is None else [item]
    makers = [known[name].make for name in chosen]
    found = []
    for make in makers:
        with counting() as progress:
            made = make(
                quick=quick, seed=seed, jobs=jobs, store=store, data=data, progress=progress
            )
        found.append(made)
        if csv is None or str(csv) != "-":
            say(made if len(found) == 1 else f"\n{made}")
    if csv is not None:
        write(_csv(found), csv)
    return 0


def _csv(found: list[Replication]) -> str:
    """The cells of all items below one header."""
    first, *others = (made.to_csv() for made in found)
    return first + "".join(text.split("\n", 1)[1] for text in others)


def _list() -> None:
    from podium.papers.replication import papers
    from podium.shown import columns

    rows = [(p, name, item.title) for p, items in papers().items() for name, item in items.items()]
    table = dict(zip(("paper", "item", "what it is"), zip(*rows, strict=True), strict=True))
    say(columns(table, list(table)))
