"""Commands about rooms below the command line: lists, checks of stores, frames of data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from podium.core.base import rooms
from podium.core.base.formatting import listed, screen, wrapped
from podium.showing.terminal.options import (
    OFFERS,
    PATH,
    READING,
    command,
    declared,
    files,
    given_options,
    reading,
    refuse,
    shared,
)
from podium.showing.terminal.saying import say, say_error
from podium.showing.terminal.writing import (
    SCREEN,
    check_writable,
    say_lines,
    write,
    write_csv,
    write_json,
    write_outputs,
)

if TYPE_CHECKING:
    from podium.reading.store.merge import Checked


# -- stores and frames ----------------------------------------------------------------------------
# `podium store check` and `podium plan frame`: whether a store is whole; data sets drawn by lot.


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
    from podium.reading.store.merge import check_store, save_sound

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
    from podium.reading.store import Store
    from podium.running.design.learners.own_code import changed_files

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
    from podium.running.design.frames import frame as drawn

    check_writable(json, csv)
    result = drawn(
        catalogue.name,
        where=where,
        draw=draw,
        seed=seed,
        development=development,
        folder=catalogue.parent,
    )
    is_on_screen = write_outputs(
        (csv, lambda path: write_csv(result.to_csv(), path)),
        (json, lambda path: write_json(result.to_dict(), path)),
    )
    if not is_on_screen:
        say_lines(repr(result))
    return 0


# -- lists ----------------------------------------------------------------------------------------
# `podium list`: the tests, data sets, formats and plots that there are.


@command("tests")
@click.argument("name", required=False, shell_complete=OFFERS["procedure"])
def tests(name: str | None) -> int:
    """List the tests, or show all about NAME."""
    from podium.core.inference.comparing.known import OF_OTHER_SCORES, POSTERIORS, PROCEDURES

    if name:
        say_procedure(name)
        return 0
    every = {**PROCEDURES, **OF_OTHER_SCORES, **POSTERIORS}
    width = max(map(len, every))
    for known, procedure in every.items():
        mark = " [only by force]" if procedure.reports.marked else ""
        say(wrapped(f"{known:{width}}  {procedure.title}{mark}", screen(), " " * (width + 2)))
    say("\n`podium list tests NAME` shows its hypothesis, null, legal designs and reference.")
    return 0


def say_procedure(name: str) -> None:
    """All facts of one procedure."""
    from podium.core.inference.comparing.known import level, procedure_named

    p = procedure_named(name)
    legal = "; ".join(f"{block} for the target {target}" for block, target in sorted(p.legal))
    tests = {
        "tests": p.hypothesis,
        "holds under": p.null,
        "controls": p.controls,
        "adjustment": p.adjust,
    }
    of_posterior = {"chance that": p.hypothesis, "model": p.null, "prior": p.bayes.prior}
    rows = {
        **(tests if p.bayes.posterior is None else of_posterior),
        "legal": legal or "nowhere",
        "samplings": ", ".join(p.needs.samplings or ()),
        "relevance": "may be asked for"
        if p.needs.margins
        else "not available: the test knows no size of differences",
        "missing cells": "accepted" if p.needs.gaps else "blocks with gaps are left out",
        "level": "conservative" if p.reports.conservative else "",
        "measured": level(p.name),
        "marked": p.reports.marked,
        "reference": p.reference,
    }
    say(f"{p.name}: {p.title}")
    for key, text in rows.items():
        if text:
            say(wrapped(f"  {key:13}  {text}", screen(), " " * 17))


# -- `podium list data` ---------------------------------------------------------------------------


@command("data")
def data() -> int:
    """List the data sets, samplings, algorithms and measures that a study file can name."""
    from podium.core.questions import measures
    from podium.core.samplings import KINDS, PLUS
    from podium.running.design.data import sources
    from podium.running.design.data.processes import PROBLEMS
    from podium.running.design.families import FAMILIES

    say("Data sets:  " + ", ".join(f"builtin:{n}" for n in sources.builtins()))
    say("            " + ", ".join(f"sklearn:{n}" for n in sources.BUNDLED))
    say("            file:PATH, openml:N, openml:task/N, openml:suite/N")
    say("Processes:  " + ", ".join(f"builtin:{n}" for n in PROBLEMS) + "  (with simulation:B)")
    kinds = [kind.example for kind in KINDS.values() if kind.runnable]
    say("Samplings:  " + ", ".join([*kinds, "indices:FILE", "openml"]))
    options = ", ".join(f"+{option}" for option in (*PLUS, "halves:10"))
    say("            some also with " + options)
    say("Algorithms: " + ", ".join(FAMILIES) + ", or a class such as sklearn.svm.SVC")
    say("Measures:   " + ", ".join(measures.KNOWN))
    say("            scorers of scikit-learn: f1, roc_auc, r2 ...")
    say(
        "            a loss takes a functional: "
        + ", ".join(f"absolute:{f}" + ":0.95" * (f == "quantile") for f in measures.FUNCTIONALS)
    )
    return 0


# -- `podium list formats` ------------------------------------------------------------------------


@command("formats")
def formats() -> int:
    """List the formats of scores that are known, also those of installed packages."""
    from podium.reading.formats import FORMATS

    width = max(map(len, FORMATS))
    for name, record in FORMATS.items():
        say(wrapped(f"{name:{width}}  {record.words}", screen(), " " * (width + 2)))
    say("\nA format is recognised by content: give its file, several files or a folder.")
    return 0


# -- reading ------------------------------------------------------------------------------------
# `podium read` and `podium import`: how a file is read, and its scores as one long table.


@command("read")
@files
@declared("output", "Write the reading as a recipe (TOML), for --recipe.")
@reading
def read(file: Path | list[Path], output: Path | None, **options: Any) -> int:
    """Show how FILE (one or several files and folders) is read: roles, first rows, what is open.

    The recipe that -o writes can be edited and given to every command by --recipe.
    """
    from podium.reading.inferring.showing import shown_reading

    if output is not None:
        check_writable(output)
    paths = file if isinstance(file, list) else [file]
    shown = shown_reading(paths, given_options(options, READING))
    for line in shown.lines:
        say(line)
    if output is not None and shown.recipe:
        write(shown.recipe, output)
        say(f"The recipe is in '{output}'.")
    return 0 if shown.recipe or output is None else 2


# -- importing ------------------------------------------------------------------------------------
# `podium import`: other tools' files as one long table that every command reads.


@command("import")
@files
@declared(
    "output",
    "Where the table goes; - for the screen, and nothing else.",
    default="scores.csv",
    show_default=True,
)
@reading
def importing(file: Path | list[Path], output: Path, **options: Any) -> int:
    """Write the scores of FILE (files and folders of any known format) as one long table.

    Its first line, a comment, says the sampling, the measures with their directions and where the
    scores come from; `podium analyze` gives the same for the table as for the files.
    """
    import podium
    from podium.core.words.saying import noted
    from podium.reading.formats.exchange import scores_text

    check_writable(output)
    results = podium.read(file, **given_options(options, READING))
    origin = [str(path) for path in (file if isinstance(file, list) else [file])]
    write_csv(scores_text(results, origin), output)
    if str(output) != SCREEN:
        for note in results.notes:
            say(noted(note))
        say(f"{len(results.scores)} scores are in '{output}'.")
    return 0
