"""`podium list`: the tests, data sets, formats and plots that there are."""

from __future__ import annotations

import click

from podium.cli.main import say
from podium.cli.options import OFFERS, command


@command("tests")
@click.argument("name", required=False, shell_complete=OFFERS["procedure"])
def tests(name: str | None) -> int:
    """List the tests, or show all about NAME."""
    from podium.base.formatting import screen, wrapped
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
    from podium.base.formatting import screen, wrapped
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
    from podium.base.formatting import screen, wrapped
    from podium.reading.formats import FORMATS

    width = max(map(len, FORMATS))
    for name, record in FORMATS.items():
        say(wrapped(f"{name:{width}}  {record.words}", screen(), " " * (width + 2)))
    say("\nA format is recognised by content: give its file, several files or a folder.")
    return 0
