"""`podium label`: the items that people shall label, drawn before anybody looks."""

from __future__ import annotations

from pathlib import Path

import click

from podium.core.base.errors import ResultsError
from podium.showing.terminal.options import PATH, command, declared, shared
from podium.showing.terminal.saying import say
from podium.showing.terminal.writing import check_writable, write_csv


@command("label")
@click.argument("file", type=PATH)
@click.option("--n", "labels", type=int, required=True, help="How many items to draw.")
@declared("seed", "Of the draw.", default=1, show_default=True)
@declared("item")
@shared(human="The column for people's scores [human].")
@declared("output", "Where the table goes [into FILE itself].", in_place=True)
def label(
    file: Path, labels: int, seed: int, item: str | None, human: str | None, output: Path | None
) -> int:
    """Draw items of FILE (a CSV file) for people to label, and sign them into it."""
    from podium.asking.judges.tables import item_column, refuse_drawn, signed
    from podium.reading.files.tabular import tabular

    if output is None and file.suffix.lower() != ".csv":
        raise ResultsError(f"'{file}' is no CSV file to write into: say -o FILE.csv.")
    table = tabular(file, least=1)
    place, human = output or file, human or "human"
    check_writable(place)
    if output is not None and output.is_file() and output.stat().st_size:
        refuse_drawn(tabular(output, least=0).frame)  # labels that people may have filled in
    column = item_column(list(table.columns), item, f"'{file}'")
    made = signed(table.frame.astype(object).fillna(""), column, human, labels, seed)
    write_csv(made.to_csv(index=False, lineterminator="\n"), place)
    say(
        f"{labels} items were drawn by seed {seed}; the column 'drawn' of '{place}' marks them.\n"
        f"Have people fill the column '{human}' for these items, then:\n"
        f"  podium analyze {place} --sampling items --judge SCORE --human {human}"
    )
    return 0
