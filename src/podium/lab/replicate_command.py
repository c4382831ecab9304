"""`podium replicate`: a paper's tables, theirs beside ours."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from podium.base.progress import counting
from podium.base.writing import check_folder, make_folder
from podium.cli.completion import PAPERS
from podium.cli.main import INTERRUPTED, say, say_error
from podium.cli.writing import check_writable, write

if TYPE_CHECKING:
    from collections.abc import Iterator

    from podium.lab.papers.replication import Item, Replication

FILE = click.Path(path_type=Path, dir_okay=False)
FOLDER = click.Path(path_type=Path, exists=True, file_okay=False)


@click.command("replicate")
@click.argument("paper", required=False, shell_complete=PAPERS)
@click.argument("item", required=False)
@click.option("--quick", is_flag=True, help="Fewer replications: minutes at most.")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0))
@click.option("--jobs", "-j", default=1, show_default=True, type=int, help="-1: all cores.")
@click.option("--store", type=FILE, help="Keep finished batches there; the next call goes on.")
@click.option("--data", type=FOLDER, help="A folder with data files that cannot be shipped.")
@click.option("--csv", type=FILE, help="Write the cells; - is the screen.")
@click.option(
    "--figures", type=click.Path(path_type=Path, file_okay=False), help="Draw figures there."
)
@click.option("--format", "suffix", default="pdf", show_default=True, help="pdf, svg or png.")
def replicate(
    paper: str | None,
    item: str | None,
    csv: Path | None,
    figures: Path | None,
    suffix: str,
    **options: Any,
) -> int:
    """Recompute an ITEM of a PAPER, or all of its items; without a paper, list what there is."""
    from podium.lab.papers.replication import named, papers

    if paper is None:
        _list()
        return 0
    check_writable(csv, options["store"])
    if figures is not None:
        check_folder(figures)
    items = papers()[paper]
    whole = [name for name, one in items.items() if not one.repeats]
    chosen = whole if item is None else [named(item, items)]
    found = []
    for name in chosen:
        with counting() as progress:
            made = _made(items[name], name, options, progress, several=item is None)
        if made is None:
            continue
        found.append(made)
        if csv is None or str(csv) != "-":
            say(made if len(found) == 1 else f"\n{made}")
        if figures is not None:
            _draw(made, figures, suffix)
    if csv is not None and found:
        write(_csv(found), csv)
    return 0 if found else 1


def _made(
    item: Item, name: str, options: dict[str, Any], progress: Any, several: bool
) -> Replication | None:
    """The item; of several, one that lacks its data is said to be left out."""
    from podium.base.errors import PodiumError
    from podium.lab.papers.replication import Asked

    store = options["store"]
    if several and store is not None:  # every item has a study of its own
        store = store.with_name(f"{store.stem}-{name}{store.suffix}")
    try:
        with stoppable(store):
            return item.replicated(Asked(**{**options, "store": store}, progress=progress))
    except PodiumError as error:
        if not several:
            raise
        click.echo(f"podium: {name} is left out: {error}", err=True)
        return None


@contextmanager
def stoppable(store: Path | None) -> Iterator[None]:
    """Who stops what is kept in a file is told that it can go on."""
    try:
        yield
    except KeyboardInterrupt:
        if store is None or not store.exists():
            raise
        say_error(f"Stopped; what is done is kept in '{store}': the same command goes on.")
        raise click.exceptions.Exit(INTERRUPTED) from None


def _draw(made: Replication, folder: Path, suffix: str) -> None:
    from matplotlib import pyplot

    from podium.drawing.canvas import axes_for
    from podium.reports.plot_command import save

    make_folder(folder)
    for name, draw in made.figures.items():
        path = folder / f"{name}.{suffix}"
        save(draw(axes_for(None)), path)
        pyplot.close("all")  # a paper may have many
        say(f"The picture is in '{path}'.")


def _csv(found: list[Replication]) -> str:
    """The cells of all items below one header."""
    first, *others = (made.to_csv() for made in found)
    return first + "".join(text.split("\n", 1)[1] for text in others)


def _list() -> None:
    from podium.base.formatting import columns
    from podium.lab.papers.replication import papers

    rows = [(p, name, item.title) for p, items in papers().items() for name, item in items.items()]
    table = dict(zip(("paper", "item", "what it is"), zip(*rows, strict=True), strict=True))
    say(columns(table, list(table)))
