"""`podium procedures`, `advise`, `builtins`: what there is, and what suits a design."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from podium.cli.completion import OFFERS
from podium.cli.main import say
from podium.cli.options import EXCLUDING, excluding, files, read_results, reading, refuse, shared


@click.command("procedures")
@click.argument("name", required=False, shell_complete=OFFERS["procedure"])
def procedures(name: str | None) -> int:
    """List the procedures, or show all about NAME."""
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
    say("\n`podium procedures NAME` shows its hypothesis, null, legal designs and reference.")
    return 0


def say_procedure(name: str) -> None:
    """All facts of one procedure."""
    from podium.base.formatting import screen, wrapped
    from podium.inference.comparing.calibrated import level
    from podium.inference.comparing.known import named

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


# -- `podium advise` ------------------------------------------------------------------------------


@click.command("advise")
@files
@shared("target")
@reading
@excluding
@shared("trust")
def advise(file: Path | list[Path], trust: tuple[str, ...], **options: Any) -> int:
    """Which question the design of FILE (a study, a store or a table) answers, and how."""
    import podium
    from podium.base.formatting import screen, wrapped

    if isinstance(file, Path) and file.suffix == ".toml":
        refuse(options, EXCLUDING, "is for scores: leave the data set out of the study")
        refuse(options, ["step"], "is for curves of scores")
        said = {k: v for k, v in options.items() if k not in (*EXCLUDING, "step")}
        advice = podium.advise(file, trust=trust, **said)
    else:
        chosen = {k: options[k] for k in ("target", "measure")}
        advice = podium.advise(read_results(file, options), **chosen)
    for line in str(advice).splitlines():
        say(wrapped(line, screen(), "  "))
    return 0


# -- `podium builtins` ----------------------------------------------------------------------------


@click.command("builtins")
def builtins() -> int:
    """List the data sets, samplings and measures that a study file can name."""
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
