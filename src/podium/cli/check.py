"""`podium store check` and `podium plan frame`: whether a store is whole; data sets drawn by
lot."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from podium.base import rooms
from podium.base.formatting import listed
from podium.cli.main import say, say_error
from podium.cli.options import PATH, command, declared, refuse, shared
from podium.cli.writing import check_writable, say_lines, show, write_csv

if TYPE_CHECKING:
    from podium.store.merge import Checked


_DEFINED = "SELECT definition FROM algorithms WHERE name = ? AND fingerprint = ?"
MOST_SHOWN = 10  # pairs of data set and algorithm whose samples are listed


@command("check")
@click.argument("store", type=click.Path(path_type=Path))
@declared("output", "A new store for what is sound.")
def check(store: Path, output: Path | None) -> int:
    """Whether STORE holds what was written, run by run, and what to run again.

    All of it is read and compared with the digests that were written with every append. With
    --output all that is sound goes into a new store, and running the study with that runs the rest.
    Code of algorithms that is in this folder, or the store's, and has changed since is named.
    Of a board the chain of its ledger and every file are compared. Exit status: 0 sound, 1 not.
    """

    is_board, say_board = (rooms.offered(name) for name in ("is a board", "check a board"))
    if is_board is not None and say_board is not None and is_board(store):
        refuse({"output": output}, ["output"], "is for results files: a board is not mended")
        return int(say_board(store))
    from podium.store.merge import check_store, save_sound

    checked = check_store(store)
    _say_checked(checked)
    _say_changed_code(store)
    if output:
        saved = save_sound(checked, output)
        go_on = f"podium run STUDY --store {output}"
        say(f"{saved} runs were written to '{output}'. Go on with: {go_on}")
    return 0 if checked.is_sound else 1


def _say_changed_code(path: Path) -> None:
    """Name what has changed of the code that runs were made by."""
    from podium.design.learners.own_code import changed_files
    from podium.store import Store

    with Store(path, readonly=True) as store:
        session = store.definitions()[-1]
        for name, fingerprint in session["algorithms"].items():
            rows = store.rows(_DEFINED, (name, fingerprint))
            definition = json.loads(rows[0][0]) if rows else {}
            definition.setdefault("code", session.get("code", {}).get(name, {}))
            if files := changed_files(definition, (Path.cwd(), path.parent)):
                say_error(
                    f"{listed(files, 5)} changed since the runs of '{name}' were made: podium run "
                    "runs them again."
                )


def _say_checked(checked: Checked) -> None:
    if checked.unsealed:
        say(
            f"{checked.unsealed} of {checked.runs} runs have no digest, as an earlier version "
            "wrote them: whether they are damaged cannot be told."
        )
    if checked.is_sound:
        say(f"'{checked.path}': {checked.runs} runs, all that can be checked is as written.")
        return
    if checked.unsound:
        are, them = ("is", "it") if len(checked.unsound) == 1 else ("are", "them")
        say_error(f"{len(checked.unsound)} of {checked.runs} runs {are} damaged; run {them} anew:")
    pairs: dict[tuple[str, str], list[int]] = {}
    for dataset, algorithm, sample in checked.named:
        pairs.setdefault((dataset, algorithm), []).append(sample)
    for (dataset, algorithm), samples in list(pairs.items())[:MOST_SHOWN]:
        say_error(f"  {algorithm} on {dataset}: sample {', '.join(map(str, sorted(samples)))}")
    if len(pairs) > MOST_SHOWN:
        say_error(f"  and {len(pairs) - MOST_SHOWN} more pairs of data set and algorithm")
    if nameless := len(checked.unsound) - len(checked.named):
        say_error(f"  and {nameless} of which the store no longer knows data set or algorithm")
    for contradiction in checked.contradictions[:MOST_SHOWN]:
        say_error(f"  two records of one run differ: {contradiction}")


# -- frame ----------------------------------------------------------------------------------------
# `podium plan frame`: data sets drawn by lot from those of a catalogue that are eligible.


@command("frame")
@click.argument("catalogue", type=PATH)
@declared("where", "A criterion, as 'n >= 500'; may be repeated.", metavar="CRITERION")
@click.option("--draw", "-n", type=int, help="How many are drawn [all that are eligible].")
@declared("seed", "Of the draw [1].", default=1)
@click.option("--development", type=int, default=0, help="How many are for tuning [0].")
@declared("csv", "Write the drawn data sets as CSV; - for the screen.")
@shared("json")
def frame(
    catalogue: Path,
    where: tuple[str, ...],
    draw: int | None,
    seed: int,
    development: int,
    csv: Path | None,
    json: Path | None,
) -> int:
    """Draw data sets by lot from CATALOGUE, a CSV file or what OpenML lists as JSON.

    CATALOGUE has a row for every data set: name, source (as in a study file) and characteristics.
    Of those that meet all criteria so many are drawn; the same seed draws the same. A study file
    does it by itself with a table [frame].
    """
    from podium.design.frames import frame as drawn

    check_writable(json, csv)
    result = drawn(
        catalogue.name,
        where=where,
        draw=draw,
        seed=seed,
        development=development,
        folder=catalogue.parent,
    )
    if csv is not None:
        write_csv(result.to_csv(), csv)
    if csv is None or str(csv) != "-":
        show(result.to_dict(), json, lambda: say_lines(repr(result)))
    return 0
