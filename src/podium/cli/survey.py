"""`podium survey`: the order on every data set, subgroups of data sets, their characteristics."""

from __future__ import annotations

import json as json_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from podium.cli.main import say
from podium.cli.reading import reading
from podium.errors import ResultsError

if TYPE_CHECKING:
    import pandas as pd

READING = ("sampling", "measure", "columns", "higher_is_better")
PATH = click.Path(path_type=Path)


@click.command("survey")
@click.argument("file", type=PATH)
@reading
@click.option("--procedure", "-p", help="The test on every data set [chosen by the design].")
@click.option("--target", help="What the claims are about [the honest one for the design].")
@click.option("--alpha", type=float, help="The error level [0.05].")
@click.option("--relevance", type=float, help="The least difference that matters [0].")
@click.option("--family", default="weak", show_default=True, help="Of the consensus.")
@click.option("--groups", type=PATH, help="A table dataset, group: compare within subgroups.")
@click.option("--declared", help="In words, where and when the subgroups were declared before.")
@click.option("--by", help="Characteristics that explain differences, with commas between.")
@click.option("--table", type=PATH, help="A table with the column dataset and characteristics.")
@click.option("--scale", help="Of subgroups and characteristics: raw, ranks, best ...")
@click.option("--json", type=PATH, help="Write all as JSON; - for the screen.")
def command(file: Path, json: Path | None, **options: Any) -> int:
    """What FILE (a store or a table of many data sets) says data set by data set.

    The order on every data set, their consensus and agreement; with --groups the differences within
    subgroups of data sets; with --by how characteristics of data sets explain them.
    """
    from podium import _facade as facade
    from podium.cli.progress import counting

    results = facade.read(file, **{k: options[k] for k in READING})
    with counting() as progress:
        found = _found(results, options, progress)
    if str(json) != "-":
        say(repr(found))
    if json:
        text = json_module.dumps(found.to_dict(), indent=1, ensure_ascii=False)
        say(text) if str(json) == "-" else json.write_text(text + "\n", encoding="utf-8")
    return 0


def _found(results: Any, options: dict[str, Any], progress: Any) -> Any:
    from podium import _facade as facade
    from podium.surveys.by_dataset import by_dataset

    said = {k: options[k] for k in ("measure", "alpha") if options[k] is not None}
    if options["groups"] and options["by"]:
        raise ResultsError("Ask for --groups or --by, one at a time.")
    if options["groups"]:
        declared = options["declared"] or False
        said |= {"scale": options["scale"], "declared_before": declared}
        return facade.subgroups(results, _table(options["groups"], "group"), **said)
    if options["by"]:
        columns = [name.strip() for name in options["by"].split(",")]
        by = _table(options["table"]).set_index("dataset") if options["table"] else None
        return facade.explained(results, by, columns=columns, scale=options["scale"], **said)
    more = ("target", "relevance")
    said |= {k: options[k] for k in more if options[k] is not None}
    chosen = {"family": options["family"], "progress": progress}
    return by_dataset(results, options["procedure"], **chosen, **said)


def _table(path: Path, *columns: str) -> pd.DataFrame:
    import pandas as pd

    try:
        table = pd.read_csv(path, dtype={"dataset": str})
    except (ValueError, pd.errors.ParserError) as error:
        raise ResultsError(f"The table '{path}' cannot be read: {error}.") from None
    for column in ("dataset", *columns):
        if column not in table:
            raise ResultsError(f"The table '{path}' has no column '{column}'.")
    return table
