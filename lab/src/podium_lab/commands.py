"""`calibrate`: error rates, power and coverage by simulation; `replicate`: tables of papers."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from podium.core.base.progress import counting
from podium.core.base.writing import check_folder, make_folder
from podium.showing.terminal.options import (
    OFFERS,
    PATH,
    READING,
    command,
    given_options,
    offering,
    reading,
    refuse,
    shared,
)
from podium.showing.terminal.saying import INTERRUPTED, say, say_error
from podium.showing.terminal.writing import SCREEN, check_writable, show, write

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import pandas as pd

    from podium.core.inference.procedures.procedure import Procedure
    from podium_lab.calibration.calibrate import Calibration
    from podium_lab.calibration.scenario import Scenario
    from podium_lab.papers.replication import Item, Replication

FILE = click.Path(path_type=Path, dir_okay=False)
FOLDER = click.Path(path_type=Path, exists=True, file_okay=False)


# -- error rates -----------------------------------------------------------------------------------


@command("calibrate")
@click.argument(
    "procedures", nargs=-1, metavar="[PROCEDURE...]", shell_complete=OFFERS["procedure"]
)
@click.option(
    "--scenario",
    "scenarios",
    multiple=True,
    metavar="NAME",
    help="A scenario, or your own generator as module:function [all that suit the first "
    "procedure]; may be repeated.",
)
@click.option(
    "--table",
    type=PATH,
    help="A table of scores (with the options of reading it): draw rows of it with all means "
    "made equal.",
)
@click.option(
    "--relabelled", is_flag=True, help="Of --table: let algorithms change labels within rows."
)
@reading
@click.option(
    "--algorithms", "-k", type=click.IntRange(2, 50), help="How many [2, or as many as groups]."
)
@click.option("--blocks", type=int, help="The number of rows [those of the scenario].")
@click.option("--groups", help="A partial null: equal digits are equal algorithms, as in 00112.")
@click.option(
    "--effects",
    help="True differences of the last algorithm, as in 0,0.5,1: a power curve.",
)
@click.option("--intervals", is_flag=True, help="Also count how often intervals hold the truth.")
@shared("null", "adjust", "alpha")
@click.option("--replications", "-n", default=2000, show_default=True, type=click.IntRange(10))
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0))
@click.option("--jobs", "-j", default=-1, show_default=True, help="Processes; -1 is one per core.")
@click.option(
    "--store", type=click.Path(path_type=Path), help="Keep what is done; the next call goes on."
)
@click.option("--csv", type=click.Path(path_type=Path), help="Write the rates as CSV.")
@shared("json")
def calibrate(
    procedures: tuple[str, ...], csv: Path | None, json: Path | None, **request: Any
) -> int:
    """How often PROCEDURES reject what is true, and find what is there; else list scenarios."""
    from podium.core.inference.comparing.known import PROCEDURES

    if not procedures:
        _say_known()
        return 0
    check_writable(csv, json, request["store"])
    chosen = [PROCEDURES[name] for name in procedures]
    with _modules_beside_the_user():
        result = _measured(chosen, request)
    if csv is not None:
        write(result.to_csv(), csv)
    alone = str(csv) == SCREEN  # as JSON on the screen is
    show(result.to_dict(), json, lambda: None if alone else _say(chosen, result, request))
    return 0


def _say_known() -> None:
    """The scenarios that there are."""
    from podium.core.base.formatting import screen, wrapped
    from podium_lab.calibration.scenarios import SCENARIOS

    width = max(map(len, SCENARIOS))
    for name, known in SCENARIOS.items():
        say(wrapped(f"{name:{width}}  {known.text}", screen(), " " * (width + 2)))
    say("\n`podium calibrate PROCEDURE --scenario NAME` simulates; `podium list tests` lists them.")


def _measured(chosen: list[Procedure], options: dict[str, Any]) -> Calibration:
    from podium_lab.calibration.calibrate import measured, simulations

    own = [*map(_scenario, options["scenarios"]), *_tables(options)]
    scenarios: list[Scenario | str] = own or [*_suited(chosen)]
    made = simulations(
        chosen,
        scenarios,
        blocks="all" if options["blocks"] is None else options["blocks"],
        algorithms=options["algorithms"] or len(options["groups"] or "") or 2,
        groups=_digits(options["groups"]),
        effects=_numbers(options["effects"]),
        **given_options(options, ("alpha", "seed", "intervals", "null", "adjust")),
    )
    with stoppable(options["store"]), counting() as progress:
        many = {name: options[name] for name in ("jobs", "store")}
        return measured(made, options["replications"], progress=progress, **many)


def _tables(options: dict[str, Any]) -> list[Scenario | str]:
    """The scenario of a table, where one is given."""
    import podium
    from podium_lab.calibration.tables import table_scenario

    if options["table"] is None:
        given = options | {"relabelled": options["relabelled"] or None}
        refuse(given, ["relabelled", *READING], "is about a table: say which by --table")
        return []
    results = podium.read(options["table"], **given_options(options, READING))
    return [table_scenario(results, relabelled=options["relabelled"])]


def _scenario(name: str) -> Scenario | str:
    """A scenario by its name, or made of a user's own function."""
    from podium.errors import DesignError
    from podium_lab.calibration.scenario import scenario

    module, _, function = name.partition(":")
    if not function:
        return name
    try:
        draw = getattr(import_module(module), function)
    except Exception as error:  # a module may raise anything
        raise DesignError(f"The generator '{name}' cannot be loaded: {error}.") from None
    return scenario(name, draw)


@contextmanager
def _modules_beside_the_user() -> Iterator[None]:
    """They can be imported, also by the processes that are started meanwhile."""
    folder = os.getcwd()
    sys.path.insert(0, folder)
    try:
        yield
    finally:
        sys.path.remove(folder)


def _suited(chosen: list[Procedure]) -> list[str]:
    from podium.errors import InferenceError
    from podium_lab.calibration.judging import suits
    from podium_lab.calibration.scenarios import SCENARIOS

    names = [n for n, s in SCENARIOS.items() if suits(chosen[0], s)]
    if not names:
        raise InferenceError(
            f"'{chosen[0].name}' is legal nowhere: say where to try it, as in --scenario folds. "
            f"Known: {', '.join(SCENARIOS)}."
        )
    return names


def _digits(text: str | None) -> tuple[int, ...]:
    from podium.errors import InferenceError

    if text and not text.isdecimal():
        raise InferenceError(f"Groups are digits, one for each algorithm, as in 00112, not {text}.")
    return tuple(map(int, text or ""))


def _numbers(text: str | None) -> tuple[float, ...]:
    from podium.errors import InferenceError

    try:
        return tuple(float(part) for part in (text or "").split(",") if part)
    except ValueError:
        raise InferenceError(f"Effects are numbers, as in 0,0.5,1, not '{text}'.") from None


def _say(chosen: list[Procedure], calibration: Calibration, options: dict[str, Any]) -> None:
    from podium.core.base.formatting import screen, wrapped
    from podium_lab.calibration.words import kind_words

    for procedure in chosen:
        say(wrapped(f"{procedure.name}: {procedure.title}", screen(), "  "))
        say(wrapped(f"  holds its level under: {procedure.null}", screen(), "    "))
    table = calibration.table
    number = table["algorithms"].iloc[0]
    say(f"{number} algorithms, level {calibration.alpha:g}, {options['replications']} replications")
    for kind in dict.fromkeys(table["kind"]):
        say(f"  {kind_words(kind)}")
    say(f"\n{_rates(table)}\n")
    _say_scenarios(chosen, dict.fromkeys(table["scenario"]))


def _rates(table: pd.DataFrame) -> str:
    """The rates with their intervals; effects where there are any."""
    from podium.core.base.formatting import columns

    ends = [
        f"{low:.3f} to {high:.3f}" for low, high in zip(table["lower"], table["upper"], strict=True)
    ]
    shown = table[["procedure", "scenario", "target", "blocks", "effects", "kind"]].astype(str)
    shown = shown.assign(rate=[f"{rate:.3f}" for rate in table["rate"]], interval=ends)
    shown = shown.rename(columns={"interval": "95 % interval"})
    if not any(table["effects"]):
        shown = shown.drop(columns="effects")
    return columns({name: list(c) for name, c in shown.items()}, tuple(shown.columns))


def _say_scenarios(chosen: list[Procedure], names: Iterable[str]) -> None:
    """What the scenarios are, and which procedures `analyze` would refuse there."""
    from podium.core.base.formatting import screen, wrapped
    from podium.core.inference.comparing.legality import is_legal
    from podium_lab.calibration.scenarios import SCENARIOS
    from podium_lab.calibration.words import forced

    known = {name: SCENARIOS[name] for name in names if name in SCENARIOS}
    for name, scenario in known.items():
        say(wrapped(f"  {name}: {scenario.text}", screen(), "    "))
    drawn = {name: scenario.example() for name, scenario in known.items()}
    for procedure in chosen:
        refused = [name for name, layout in drawn.items() if not is_legal(procedure, layout)]
        if refused:
            say(wrapped(f"  {forced(procedure.name, refused)}", screen(), "    "))


# -- papers ----------------------------------------------------------------------------------------


def _papers(_: click.Context) -> Iterable[str]:
    from podium_lab.papers.replication import papers

    return papers()


@command("replicate")
@click.argument("paper", required=False, shell_complete=offering(_papers))
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
    from podium_lab.papers.replication import named, papers

    if paper is None:
        _list()
        return 0
    check_writable(csv, options["store"])
    if figures is not None:
        check_folder(figures)
    items = papers()[paper]
    whole = [name for name, one in items.items() if not one.repeats]
    chosen = whole if item is None else [named(item, items)]
    results = []
    for name in chosen:
        with counting() as progress:
            made = _made(items[name], name, options, progress, several=item is None)
        if made is None:
            continue
        results.append(made)
        if csv is None or str(csv) != "-":
            say(made if len(results) == 1 else f"\n{made}")
        if figures is not None:
            _draw(made, figures, suffix)
    if csv is not None and results:
        write(_csv(results), csv)
    return 0 if results else 1


def _made(
    item: Item, name: str, options: dict[str, Any], progress: Any, several: bool
) -> Replication | None:
    """The item; of several, one that lacks its data is said to be left out."""
    from podium.errors import PodiumError
    from podium_lab.papers.replication import Asked

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

    from podium.asking.pictures.command import save
    from podium.showing.drawing.canvas import axes_for

    make_folder(folder)
    for name, draw in made.figures.items():
        path = folder / f"{name}.{suffix}"
        save(draw(axes_for(None)), path)
        pyplot.close("all")  # a paper may have many
        say(f"The picture is in '{path}'.")


def _csv(replications: list[Replication]) -> str:
    """The cells of all items below one header."""
    first, *others = (made.to_csv() for made in replications)
    return first + "".join(text.split("\n", 1)[1] for text in others)


def _list() -> None:
    from podium.core.base.formatting import columns
    from podium_lab.papers.replication import papers

    rows = [(p, name, item.title) for p, items in papers().items() for name, item in items.items()]
    table = dict(zip(("paper", "item", "what it is"), zip(*rows, strict=True), strict=True))
    say(columns(table, list(table)))


# -- modes of scores -------------------------------------------------------------------------------


@command("modes")
@click.argument("source", type=PATH)
@reading
@click.option(
    "--study", type=FILE, help="The study file that drew the samples: failures are traced to rows."
)
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0))
def modes(source: Path, study: Path | None, seed: int, **options: Any) -> int:
    """How many modes scores have, who is in which, and which samples make one alone fail."""
    import podium
    from podium.core.base.formatting import columns
    from podium_lab.papers.eugster2008_modes import NOTES, of_scores

    results = podium.read(source, **given_options(options, READING))
    measure = options["measure"] or next(iter(results.measures))
    drawn = podium.load_study(study) if study is not None else None
    cells = of_scores(results, measure, drawn, seed)
    say(columns({
        "dataset": [cell.table for cell in cells],
        "algorithm": [cell.row for cell in cells],
        "what": [cell.column for cell in cells],
        "value": [f"{cell.ours:.4g}" for cell in cells],
        "": [cell.note for cell in cells],
    }, ("dataset", "algorithm", "what", "")))  # fmt: skip
    for note in NOTES:
        say(f"Note: {note}")
    return 0
