"""`podium plan`: how many data sets or items, which power, which difference."""

from __future__ import annotations

import json as json_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from podium.cli.main import say
from podium.cli.reading import reading
from podium.errors import InferenceError

if TYPE_CHECKING:
    from podium.planning.pilot import PilotPlan
    from podium.planning.plan import Plan

READING = ("sampling", "measure", "columns", "higher_is_better")
OF_PILOT = ("by", "most", "procedure", "replications")
DESIGN = ("alpha", "alternative", "comparisons", "formula")


@click.command("plan")
@click.argument("pilot", type=click.Path(path_type=Path), required=False)
@click.option("--difference", "-D", help="The difference to be found; several: 0.02,0.05.")
@click.option("--sd", "-s", help="Of the difference between data sets; several: 0.05,0.1.")
@click.option("--power", "-P", type=float, help="The power that is wanted [0.8].")
@click.option("--datasets", "-J", help="The number of data sets that there is; several: 10,20,50.")
@click.option("--items", type=int, help="The number of items of a test set that there is.")
@click.option("--alpha", default=0.05, show_default=True, type=float, help="The error level.")
@click.option(
    "--alternative", default="two-sided", show_default=True, help="two-sided, greater or less."
)
@click.option("--comparisons", type=int, help="How many pairs share alpha [1; of a pilot all].")
@click.option("--formula", help="noncentral, or boulesteix2013's central [noncentral].")
@reading
@click.option("--dataset", "-d", help="Of a pilot: only this data set.")
@click.option("--by", default="worst", show_default=True, help="Of a pilot: worst or median pair.")
@click.option("--most", type=int, help="Of a pilot: the largest number of data sets to be had.")
@click.option("--procedure", "-p", help="Of a pilot: simulate the power of this test [paired-t].")
@click.option("--replications", type=int, help="Simulated studies for each number [500].")
@click.option(
    "--json", type=click.Path(path_type=Path), help="Write all as JSON; - for the screen."
)
def command(pilot: Path | None, json: Path | None, **options: Any) -> int:
    """How many data sets are needed, which power they have, or which difference they show.

    Give the difference and its sd between data sets, or a PILOT (a store or a table) that shows it.
    """
    lists = {k: _numbers(options.pop(k), f"--{k}") for k in ("difference", "sd", "datasets")}
    if any(len(values) > 1 for values in lists.values()):
        _say_table(lists, options)
        return 0
    single = {k: values[0] if values else None for k, values in lists.items()}
    if single["datasets"] is not None:
        single["datasets"] = _whole(single["datasets"])
    found = _found(pilot, single, options)
    if str(json) != "-":
        _say(found)
    if json:
        text = json_module.dumps(found.to_dict(), indent=1)
        say(text) if str(json) == "-" else json.write_text(text + "\n", encoding="utf-8")
    return 0


def _found(pilot: Path | None, single: dict[str, Any], options: dict[str, Any]) -> Any:
    from podium import _facade as facade

    said = {k: options[k] for k in ("power", "items", *DESIGN) if options[k] is not None}
    if pilot is None:
        _refuse(options, (*READING, "dataset", "most", "procedure", "replications"))
        return facade.plan(**single, **said)
    if "formula" in said:
        raise InferenceError("--formula is for a plan without a pilot: leave it out.")
    results = facade.read(pilot, **{k: options[k] for k in READING})
    said |= {k: options[k] for k in (*OF_PILOT, "measure", "dataset") if options[k] is not None}
    if said.get("procedure"):
        said["progress"] = lambda text: click.echo(f"  {text}", err=True)
    return facade.plan(results, **single, **said)


def _refuse(options: dict[str, Any], names: tuple[str, ...]) -> None:
    for name in names:
        if options[name] is not None:
            shown = name.replace("_", "-")
            raise InferenceError(f"--{shown} is for a pilot: name its file, or leave it out.")


def _numbers(text: str | None, option: str) -> list[float]:
    try:
        return [float(part) for part in text.split(",")] if text else []
    except ValueError:
        raise InferenceError(
            f"{option} is a number, or several with commas between, not '{text}'."
        ) from None


def _whole(value: float) -> int:
    if value != int(value):
        raise InferenceError(f"--datasets is a whole number, not {value:g}.")
    return int(value)


def _say(found: Plan | PilotPlan) -> None:
    from podium.planning.pilot import PilotPlan
    from podium.shown import screen, wrapped

    if isinstance(found, PilotPlan):
        _say_pilot(found)
    else:
        say(wrapped(found.sentence, screen(), "  "))
        if found.solved == "blocks":
            _say_curve(found)
    for note in found.notes:
        say(wrapped(f"Note ({note.code}): {note.text}", screen(), "  "))


def _say_curve(found: Plan) -> None:
    """The power with fewer and with more."""
    from podium.planning.plan import NOUNS
    from podium.shown import columns

    shares = (0.25, 0.5, 0.75, 1, 1.5, 2)
    blocks = sorted({max(2, round(found.blocks * share)) for share in shares})
    curve = found.curve(blocks)
    table = {NOUNS[found.block]: list(curve["blocks"]), "power": _fixed(curve["power"])}
    shown = {name: [str(value) for value in values] for name, values in table.items()}
    say("\n" + columns(shown, left=[], indent="  ") + "\n")


def _fixed(values: Any) -> list[str]:
    return [f"{value:.3f}" for value in values]


def _say_pilot(found: PilotPlan) -> None:
    from podium.shown import columns, number, printable, screen, wrapped

    pair = f"For the pair with the {found.by} sd: " if len(found.pairs) > 1 else ""
    say(wrapped(pair + found.plan.sentence, screen(), "  "))
    kept = ["difference", "sd", "sd_lower", "sd_upper", "between_sd", "resampling_sd"]
    kept += [name for name in ("detectable", "power", "needed") if name in found.pairs]
    table = {name: [printable(n) for n in found.pairs[name]] for name in ("first", "second")}
    known = [name for name in kept if found.pairs[name].notna().any()]
    table |= {name.replace("_", " "): [number(v) for v in found.pairs[name]] for name in known}
    say("\n" + columns(table, left=["first", "second"], indent="  ") + "\n")
    if len(found.allocations):
        _say_allocations(found)


def _say_allocations(found: PilotPlan) -> None:
    from podium.shown import columns

    shown = {k: [f"{v:.0f}" for v in found.allocations[k]] for k in found.allocations}
    say("  Samples per data set, data sets needed, and runs of each algorithm:\n")
    say(columns(shown, left=[], indent="  ") + "\n")
    best = found.best
    say(
        f"  Least compute: {best['datasets']:.0f} data sets with {best['samples']:.0f} "
        f"sample{'s' * (best['samples'] != 1)} each.\n"
    )


def _say_table(lists: dict[str, list[float]], options: dict[str, Any]) -> None:
    """Numbers of data sets for several differences and sds, or powers for several numbers."""
    from podium.planning.plan import USUAL, needed_table, power_table
    from podium.shown import columns

    said = {k: options[k] for k in ("alpha", "alternative", "formula") if options[k] is not None}
    differences, sds = lists["difference"], lists["sd"]
    if not differences or not sds:
        raise InferenceError("A table needs --difference and --sd, one or several of each.")
    if lists["datasets"]:
        if len(differences) > 1:
            raise InferenceError("A table of powers is for one --difference.")
        blocks = [_whole(value) for value in lists["datasets"]]
        found = power_table(differences[0], sds, blocks, **said)
        say(f"The power to show a difference of {differences[0]:g}:\n")
        cells = [_fixed(found[sd]) for sd in sds]
    else:
        power = options["power"] or USUAL
        found = needed_table(differences, sds, power, **said)
        say(f"The number of data sets that show a difference with power {power:g}:\n")
        cells = [[f"{v:.0f}" for v in found[sd]] for sd in sds]
    head = {str(found.index.name): [f"{v:g}" for v in found.index]}
    say(columns(head | {f"sd {sd:g}": c for sd, c in zip(sds, cells, strict=True)}, left=[]))
