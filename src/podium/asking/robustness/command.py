"""`podium stability`: how far an order depends on blocks, algorithms, data sets and choices."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from podium.core.base.errors import InferenceError
from podium.core.base.progress import counting
from podium.showing.terminal.options import (
    command,
    declared,
    excluding,
    files,
    given_options,
    read_results,
    reading,
    refuse,
    shared,
)
from podium.showing.terminal.writing import check_writable, show

if TYPE_CHECKING:
    from podium.core.results.results import Results

COMPARING = ("measure", "dataset", "target", "procedure", "alpha", "relevance", "control")
INSTEAD = ("left_out", "joint", "fits", "multiverse")
DRAWING = ("resamples", "orders", "seed")


@command("stability")
@files
@reading
@excluding
@shared("target", "dataset", "procedure", "alpha", "relevance", "control")
@click.option("--resamples", type=int, help="That are ranked [1000].")
@click.option("--orders", type=int, help="That are also decided [200].")
@declared("seed", "Of the resamples, or of the multiverse's nulls [0].")
@click.option("--left-out", is_flag=True, help="Instead leave out one algorithm, data set in turn.")
@click.option("--joint", help="Of several --measure: consensus, pareto or hierarchical.")
@click.option("--fits", is_flag=True, help="Instead the share of the algorithms' own randomness.")
@click.option("--multiverse", is_flag=True, help="Instead try every valid test and target.")
@shared("why", "json")
def stability(file: Path | list[Path], json: Path | None, why: bool, **options: Any) -> int:
    """How stable the ranking of FILE is: bootstrap samples, one left out, or other tests."""
    from podium.showing.screens.standings import say_presented

    check_writable(json)
    if sum(bool(options[name]) for name in INSTEAD) > 1:
        raise InferenceError("Ask for --left-out, --joint, --fits or --multiverse, one at a time.")
    request = _function(options)
    # several measures are chosen from what is read
    several = (options["multiverse"] or options["joint"]) and "," in (options["measure"] or "")
    results = read_results(file, options | ({"measure": None} if several else {}))
    with counting() as progress:
        result = request(results, progress)
    show(result.to_dict(), json, lambda: say_presented(result, why=why))
    return 0


def _function(options: dict[str, Any]) -> Callable[[Results, Any], Any]:
    """What was asked for, as a function of results and progress."""
    from podium.asking.robustness.verbs import left_out, randomness, stability
    from podium.core.results.planned_and_done import explored

    chosen = given_options(options, COMPARING)
    if options["joint"]:
        refuse(options, ["orders"], "is not for --joint: use --resamples")
        return lambda results, progress: _joint(results, options, progress)
    if options["fits"]:
        refuse(options, (*COMPARING[1:], *DRAWING), "is no part of --fits")
        return lambda results, _: explored(randomness(results, **chosen), results)
    if options["left_out"]:
        refuse(options, DRAWING, "is for blocks that are drawn anew: drop --left-out")
        return lambda results, progress: left_out(results, progress=progress, **chosen)
    if options["multiverse"]:
        refuse(options, DRAWING[:2], "is for blocks that are drawn anew: drop --multiverse")
        return lambda results, progress: _multiverse(results, options, progress)
    drawn = given_options(options, DRAWING)
    return lambda results, progress: stability(results, progress=progress, **chosen, **drawn)


def _joint(results: Results, options: dict[str, Any], progress: Any) -> Any:
    from podium.asking.robustness.verbs import joint_stability

    measures = [name.strip() for name in (options["measure"] or "").split(",") if name.strip()]
    chosen = given_options(options, (*COMPARING[1:], "resamples", "seed", "joint"))
    return joint_stability(results, measures, progress=progress, **chosen)


def _multiverse(results: Results, options: dict[str, Any], progress: Any) -> Any:
    from podium.asking.robustness.multiverse import multiverse

    chosen = _of_multiverse(given_options(options, COMPARING)) | given_options(options, ["seed"])
    kept = results.filter(dataset=options["dataset"]) if options["dataset"] else results
    return multiverse(kept, progress=progress, **chosen)


def _of_multiverse(texts: dict[str, Any]) -> dict[str, Any]:
    """The same options as lists: several measures, targets and procedures are the point."""
    several = {"measure": "measures", "target": "targets", "procedure": "procedures"}
    kept = {k: v for k, v in texts.items() if k not in (*several, "dataset")}
    return kept | {several[k]: v.split(",") for k, v in texts.items() if k in several}
