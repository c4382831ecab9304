"""`podium stability`: how far an order depends on blocks, algorithms, data sets and choices."""

from __future__ import annotations

import json as json_module
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from podium.cli.main import say
from podium.cli.reading import reading

READING = ("sampling", "measure", "columns", "higher_is_better")
COMPARING = ("measure", "dataset", "target", "procedure", "alpha", "relevance", "control")


@click.command("stability")
@click.argument("file", type=click.Path(path_type=Path))
@reading
@click.option("--target", help="What the claim is about [the honest one for the design].")
@click.option("--dataset", "-d", help="Only this data set of several.")
@click.option("--procedure", "-p", help="A name from `podium procedures` [chosen by the design].")
@click.option("--alpha", type=float, help="The error level [0.05].")
@click.option("--relevance", type=float, help="The least difference that matters [0].")
@click.option("--control", help="Compare every algorithm with this one only.")
@click.option("--resamples", default=1000, show_default=True, type=int, help="That are ranked.")
@click.option("--orders", default=200, show_default=True, type=int, help="That are also decided.")
@click.option("--seed", default=0, show_default=True, type=int, help="Of the resamples.")
@click.option("--left-out", is_flag=True, help="Instead leave out one algorithm, data set in turn.")
@click.option("--multiverse", is_flag=True, help="Instead try every legal procedure and target.")
@click.option(
    "--json", type=click.Path(path_type=Path), help="Write all as JSON; - for the screen."
)
def command(file: Path, json: Path | None, **options: Any) -> int:
    """How stable the order of FILE is: blocks drawn anew, one left out, or other choices."""
    from podium import _facade as facade
    from podium.cli.progress import counting
    from podium.errors import InferenceError

    if options["left_out"] and options["multiverse"]:
        raise InferenceError("Ask for --left-out or --multiverse, one at a time.")
    results = facade.read(file, **{k: options[k] for k in READING})
    with counting() as progress:
        found = _found(options)(results, progress)
    if str(json) != "-":
        say(repr(found))
    if json:
        text = json_module.dumps(found.to_dict(), indent=1, ensure_ascii=False)
        say(text) if str(json) == "-" else json.write_text(text + "\n", encoding="utf-8")
    return 0


def _found(options: dict[str, Any]) -> Callable[[Any, Any], Any]:
    """What was asked for, as a function of results and progress."""
    from podium import _facade as facade
    from podium.stability.multiverse import multiverse

    said = {k: options[k] for k in COMPARING if options[k] is not None}
    if options["left_out"]:
        return lambda results, progress: facade.left_out(results, progress=progress, **said)
    if options["multiverse"]:
        said = _of_multiverse(said) | {"seed": options["seed"]}
        dataset = options["dataset"]
        return lambda results, progress: multiverse(
            results.filter(dataset=dataset) if dataset else results, progress=progress, **said
        )
    drawn = {k: options[k] for k in ("resamples", "orders", "seed")}
    return lambda results, progress: facade.stability_of(
        results, progress=progress, **said, **drawn
    )


def _of_multiverse(said: dict[str, Any]) -> dict[str, Any]:
    """The same options as lists: several measures, targets and procedures are the point."""
    several = {"measure": "measures", "target": "targets", "procedure": "procedures"}
    kept = {k: v for k, v in said.items() if k not in (*several, "dataset")}
    return kept | {several[k]: v.split(",") for k, v in said.items() if k in several}
