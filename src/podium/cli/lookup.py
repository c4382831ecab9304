"""`podium list`: the tests, data sets, formats and plots that there are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from podium.base.formatting import screen, wrapped
from podium.cli.main import say
from podium.cli.options import OFFERS, READING, command, declared, files, reading, said
from podium.cli.writing import SCREEN, check_writable, write, write_csv


@command("tests")
@click.argument("name", required=False, shell_complete=OFFERS["procedure"])
def tests(name: str | None) -> int:
    """List the tests, or show all about NAME."""
    from podium.inference.comparing.known import OF_OTHER_SCORES, POSTERIORS, PROCEDURES

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
    from podium.inference.comparing.known import level, named

    p = named(name)
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
    from podium.design.data import sources
    from podium.design.data.processes import PROBLEMS
    from podium.design.families import FAMILIES
    from podium.questions import measures
    from podium.samplings import KINDS, PLUS

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
    shown = shown_reading(paths, said(options, READING))
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
    from podium.reading.formats.exchange import scores_text
    from podium.words.presentation import noted

    check_writable(output)
    results = podium.read(file, **said(options, READING))
    origin = [str(path) for path in (file if isinstance(file, list) else [file])]
    write_csv(scores_text(results, origin), output)
    if str(output) != SCREEN:
        for note in results.notes:
            say(noted(note))
        say(f"{len(results.scores)} scores are in '{output}'.")
    return 0
