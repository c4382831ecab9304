"""`podium plan`: how many data sets or items, which power, which difference."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from podium.core.base.errors import InferenceError
from podium.core.base.formatting import columns, number, printable, screen, wrapped
from podium.core.base.rooms import required
from podium.showing.terminal.options import (
    EXCLUDING,
    PATH,
    READING,
    alone,
    command,
    declared,
    excluding,
    given_options,
    read_results,
    reading,
    refuse,
    shared,
)
from podium.showing.terminal.saying import say
from podium.showing.terminal.writing import check_writable, say_lines, show

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pandas as pd

    from podium.asking.planning.pilot import PilotPlan
    from podium.asking.planning.plan import Plan

OF_PILOT = ("variants", "dataset", "by", "most", "item_cost", "procedure", "replications")
OF_LOOKS = ("samples", "looks", "spending")
OF_LABELS = ("judge", "human", "judge_correlation", "labels")
DESIGN = ("alpha", "alternative", "comparisons", "formula")
MOST_SHOWN = 300  # pairs on the screen
USUAL = {"alpha": 0.05, "alternative": "two-sided"}  # what a table is for, where nothing is said


@command("plan")
@click.argument("pilot", type=PATH, nargs=-1, callback=lambda *of: alone(*of) or None)
@click.option("--difference", "-D", help="The difference to be found; several: 0.02,0.05.")
@click.option("--sd", "-s", help="Of the difference between data sets; several: 0.05,0.1.")
@click.option("--power", "-P", type=float, help="The power that is wanted [0.8].")
@click.option("--datasets", "-J", help="The number of data sets that there is; several: 10,20,50.")
@click.option("--items", type=int, help="The number of items of a test set that there is.")
@shared("alpha", alternative="two-sided, greater or less [two-sided].")
@click.option("--comparisons", type=int, help="How many pairs share alpha [1; of a pilot all].")
@click.option("--formula", help="noncentral, or boulesteix2013's central [noncentral].")
@click.option("--sequential", is_flag=True, help="Of a study that stops when it is decided.")
@click.option("--samples", type=int, help="Of a sequential plan: the budget in samples.")
@declared("looks", "Of a sequential plan: how often is looked [20].")
@declared("spending", "Of a sequential plan: obf or power2 [obf].")
@click.option("--judge-correlation", type=float, help="Plan labels: of a judge and people.")
@click.option("--labels", type=int, help="Plan labels: so many there are; their power.")
@shared("judge", "human")
@reading
@excluding
@shared(dataset="Of a pilot: only this data set.")
@click.option("--variants", type=int, help="Of a pilot: how far the best of so many is overrated.")
@click.option("--by", help="Of a pilot: worst or median pair [worst].")
@click.option("--most", type=int, help="Of a pilot: the largest number of data sets to be had.")
@click.option("--item-cost", type=float, help="Of several answers: what an item costs, in answers.")
@shared(procedure="Of a pilot: simulate the power of this test [paired-t].")
@click.option("--replications", type=int, help="Simulated studies for each number [500].")
@declared("factors", "How many factors, or their names: which combinations to run.")
@click.option("--runs", type=int, help="With --factors: how many combinations, a power of 2.")
@shared("why", "json")
def plan(pilot: Path | list[Path] | None, json: Path | None, why: bool, **options: Any) -> int:
    """How many data sets are needed, which power they have, or which difference they show.

    Give the difference and its sd between data sets, or a PILOT (a store, tables) that shows it.
    """
    check_writable(json)
    factors, runs = options.pop("factors"), options.pop("runs")
    if factors is not None:
        return _plan_factors(pilot, factors, runs, json, options)
    if runs is not None:
        raise InferenceError("--runs is for --factors: say how many, as in --factors 5.")
    if pilot is None:
        pilots = (*READING, *EXCLUDING, *OF_PILOT)
        refuse(options, pilots, "is for a pilot: name its file")
    lists = {k: _numbers(options.pop(k), f"--{k}") for k in ("difference", "sd", "datasets")}
    lists["datasets"] = [_whole(value) for value in lists["datasets"]]
    if any(len(values) > 1 for values in lists.values()):
        _table(pilot, json, lists, options)
        return 0
    single = {k: values[0] if values else None for k, values in lists.items()}
    find = _sequential if options.pop("sequential") else _result
    find = _labels if any(options[name] is not None for name in OF_LABELS) else find
    find = _variants if options["variants"] is not None else find
    result = find(pilot, single, options)
    show(result.to_dict(), json, lambda: _say(result, why=why))
    return 0


def _plan_factors(
    pilot: Path | list[Path] | None,
    factors: str,
    runs: int | None,
    json: Path | None,
    options: dict[str, Any],
) -> int:
    """Which combinations of factors to run."""

    refuse(options, [name for name in options if options[name]], "is not for --factors")
    if pilot is not None:
        raise InferenceError("--factors plans combinations, and needs no pilot: leave it out.")
    made = required("fraction")(factors, runs)
    show(made.to_dict(), json, lambda: say_lines(repr(made)))
    return 0


def _result(
    pilot: Path | list[Path] | None, single: dict[str, Any], options: dict[str, Any]
) -> Any:
    from podium.asking.planning.verbs import plan

    refuse(options, OF_LOOKS, "is for a sequential plan: add --sequential")

    chosen = given_options(options, ("power", "items", *DESIGN))
    if pilot is None:
        return plan(**single, **chosen)
    refuse(options, ["formula"], "is for a plan without a pilot: drop its file")
    results = read_results(pilot, options)
    if single.pop("sd") is not None:
        raise InferenceError("A pilot shows its own sd: leave sd out.")
    chosen |= given_options(options, ("measure", *OF_PILOT[1:]))
    if "procedure" in chosen:
        chosen["progress"] = lambda text: say(f"  {text}", err=True)
    return plan(pilot=results, **single, **chosen)


def _labels(pilot: Any, single: dict[str, Any], options: dict[str, Any]) -> Any:
    from podium.asking.planning.verbs import plan_labels

    unused = (*OF_LOOKS, *OF_PILOT, *EXCLUDING, "alternative", "formula", "measure")
    refuse(options, unused, "is not for a plan of labels")
    refuse({"datasets": single["datasets"]}, ["datasets"], "is not for labels: use --items")
    if single["difference"] is None:
        raise InferenceError("A plan of labels needs --difference, which they shall show.")
    said_so = given_options(
        options, ("judge", "human", "labels", "items", "power", "alpha", "comparisons")
    )
    if options["judge_correlation"] is not None:
        said_so["correlation"] = options["judge_correlation"]
    if pilot is not None and options["judge"] and options["human"]:
        reading = given_options(options, [name for name in READING if name != "measure"])
        pilot = required("judged_results")(pilot, options["judge"], options["human"], **reading)
    return plan_labels(pilot, difference=single["difference"], sd=single["sd"], **said_so)


def _variants(
    pilot: Path | list[Path] | None, single: dict[str, Any], options: dict[str, Any]
) -> Any:
    from podium.asking.planning.verbs import plan_variants

    unused = (*OF_LOOKS, "by", "most", "item_cost", "procedure", "power", "items", *DESIGN)
    refuse(options, unused, "is not for --variants")
    refuse({"sd": single["sd"]}, ["sd"], "is shown by the pilot")
    assert pilot is not None  # or the option was refused
    results = read_results(pilot, options)
    chosen = given_options(options, ("measure", "dataset", "replications"))
    given = {k: single[k] for k in ("difference", "datasets") if single[k] is not None}
    return plan_variants(results, options["variants"], **given, **chosen)


def _sequential(
    pilot: Path | list[Path] | None, single: dict[str, Any], options: dict[str, Any]
) -> Any:
    from podium.asking.planning.verbs import plan_sequential

    if pilot is not None:
        raise InferenceError("A sequential plan takes --difference and --sd: drop the pilot.")
    refuse(options, ["alternative", "formula"], "is not for --sequential")
    if single["difference"] is None or single["sd"] is None:
        raise InferenceError("A sequential plan needs --difference and --sd.")
    chosen = given_options(options, ("power", "items", "alpha", "comparisons", *OF_LOOKS))
    return plan_sequential(**{k: v for k, v in single.items() if v is not None}, **chosen)


def _numbers(text: str | None, option: str) -> list[Any]:
    try:
        return [float(part) for part in text.split(",")] if text else []
    except ValueError:
        raise InferenceError(
            f"{option} is a number, or several with commas between, not '{text}'."
        ) from None


def _whole(value: float) -> int:
    if not math.isfinite(value) or value != int(value):
        raise InferenceError(f"--datasets is a whole number, not {value:g}.")
    return int(value)


def _say(result: Plan | PilotPlan, *, why: bool) -> None:
    from podium.asking.planning.pilot import PilotPlan
    from podium.showing.screens.standings import say_caveats

    if isinstance(result, PilotPlan):
        _say_pilot(result)
    else:
        say(_wrapped(result.above))
        if hasattr(result, "variants"):
            _say_variants(result)
        if getattr(result, "solved", "") == "blocks":
            _say_curve(result)
    say_caveats(result.below, why=why)


def _wrapped(lines: Iterable[str]) -> str:

    return "\n".join(wrapped(line, screen(), "  ") for line in lines)


def _say_curve(result: Plan) -> None:
    """The power with fewer and with more."""
    from podium.asking.planning.words import planned_noun

    shares = (0.25, 0.5, 0.75, 1, 1.5, 2)
    blocks = sorted({max(2, round(result.blocks * share)) for share in shares})
    curve = result.curve(blocks)
    table = {planned_noun(result.block): list(curve["blocks"]), "power": _fixed(curve["power"])}
    shown = {name: [str(value) for value in values] for name, values in table.items()}
    say("\n" + columns(shown, left=[], indent="  ") + "\n")


def _say_variants(result: Any) -> None:
    """A row for every number of data sets."""
    from podium.asking.planning.words import planned_noun

    shown = {
        planned_noun(result.block) or "blocks": [f"{v:.0f}" for v in result.table["blocks"]],
        "overrated by": [number(v, 3) for v in result.table["overrated"]],
        "95 % at most": [number(v, 3) for v in result.table["at_most"]],
        "called better": [f"{v:.0%}" for v in result.table["false_claims"]],
    }
    say("\n" + columns(shown, left=[], indent="  ") + "\n")


def _fixed(values: Any) -> list[str]:
    return [f"{value:.3f}" for value in values]


def _say_pilot(pilot_plan: PilotPlan) -> None:

    say(_wrapped(pilot_plan.above))
    kept = ["difference", "sd", "sd_lower", "sd_upper", "between_sd", "resampling_sd"]
    kept += [name for name in ("detectable", "power", "needed") if name in pilot_plan.pairs]
    pairs = pilot_plan.pairs.head(MOST_SHOWN)
    table = {name: [printable(n) for n in pairs[name]] for name in ("first", "second")}
    known = [name for name in kept if pilot_plan.pairs[name].notna().any()]
    table |= {name.replace("_", " "): [number(v) for v in pairs[name]] for name in known}
    spare = ["resampling sd", "between sd", "sd lower", "power"]
    say("\n" + columns(table, left=["first", "second"], indent="  ", spare=spare) + "\n")
    if (more := len(pilot_plan.pairs) - len(pairs)) > 0:
        say(f"  {more:,} more pairs: --json FILE writes all of them.\n")
    if len(pilot_plan.allocations):
        _say_allocations(pilot_plan)


def _say_allocations(pilot_plan: PilotPlan) -> None:
    from podium.asking.planning.words import allocated, allocation_words

    words = allocation_words(pilot_plan.plan.block)
    shown = {
        words.heads[k]: [number(v, 3) if k == "detectable" else f"{v:.0f}" for v in column]
        for k, column in pilot_plan.allocations.items()
    }
    say(wrapped(f"  {words.title}", screen(), "  ") + "\n")
    say(columns(shown, left=[], indent="  ") + "\n")
    if pilot_plan.best:
        say(f"  {allocated(pilot_plan.plan.block, pilot_plan.best)}\n")


def _table(
    pilot: Path | list[Path] | None,
    json: Path | None,
    lists: dict[str, list[Any]],
    options: dict[str, Any],
) -> None:
    """Numbers of data sets for several differences and sds, or powers for several numbers."""
    if pilot is not None:
        raise InferenceError("A pilot is planned for one difference and one number: name one.")
    refuse(options, ["items"], "is one number, and a table is of data sets: use --datasets")
    if not lists["difference"] or not lists["sd"]:
        raise InferenceError("A table needs --difference and --sd, one or several of each.")
    title, result = _powers(lists, options) if lists["datasets"] else _needed(lists, options)
    content = {"title": title, **USUAL, **given_options(options, DESIGN), "rows": _rows(result)}
    show(content, json, lambda: _say_table(title, result))


def _powers(lists: dict[str, list[Any]], options: dict[str, Any]) -> tuple[str, pd.DataFrame]:
    from podium.asking.planning.plan import power_table

    refuse(options, ["power"], "is what a table of --datasets shows: drop these")
    if len(lists["difference"]) > 1:
        raise InferenceError("A table of powers is for one --difference.")
    difference = lists["difference"][0]
    table = power_table(
        difference, lists["sd"], lists["datasets"], **given_options(options, DESIGN)
    )
    return f"The power to show a difference of {difference:g}", table


def _needed(lists: dict[str, list[Any]], options: dict[str, Any]) -> tuple[str, pd.DataFrame]:
    from podium.asking.planning.plan import USUAL, needed_table

    power = USUAL if options["power"] is None else options["power"]
    table = needed_table(lists["difference"], lists["sd"], power, **given_options(options, DESIGN))
    return f"The number of data sets that show a difference with power {power:g}", table


def _rows(table: pd.DataFrame) -> Any:
    """A row per cell: the number of data sets or difference, the sd, and what was found."""
    from podium.core.words.saying import plain

    name = "power" if table.index.name == "datasets" else "datasets"
    return plain(table.stack().rename(name).reset_index())


def _say_table(title: str, table: pd.DataFrame) -> None:

    digits = 3 if table.index.name == "datasets" else 0
    head = {str(table.index.name): [f"{v:g}" for v in table.index]}
    cells = {f"sd {sd:g}": [f"{v:.{digits}f}" for v in table[sd]] for sd in table}
    say(f"{title}:\n")
    say(columns(head | cells, left=[]))
