"""`podium builtins`: list what a study file can name."""

from __future__ import annotations

import click

from podium.cli.main import say


@click.command("builtins")
def command() -> int:
    """List the data sets, samplings and measures that a study file can name."""
    from podium import measures
    from podium.design import sources
    from podium.design.families import FAMILIES
    from podium.design.processes import PROBLEMS
    from podium.samplings import KINDS, PLUS

    say("Data sets:  " + ", ".join(f"builtin:{n}" for n in sources.builtins()))
    say("            " + ", ".join(f"sklearn:{n}" for n in sources.BUNDLED))
    say("            file:PATH, openml:N, openml:task/N, openml:suite/N")
    say("Processes:  " + ", ".join(f"builtin:{n}" for n in PROBLEMS) + "  (with simulation:B)")
    kinds = [kind.example for kind in KINDS.values() if kind.runnable]
    say("Samplings:  " + ", ".join([*kinds, "indices:FILE", "openml"]))
    say("            some also with " + ", ".join(f"+{option}" for option in PLUS))
    say("Algorithms: " + ", ".join(FAMILIES) + ", or a class such as sklearn.svm.SVC")
    say("Measures:   " + ", ".join(measures.KNOWN) + ", sklearn:SCORER")
    say(
        "            a loss takes a functional: "
        + ", ".join(f"absolute:{f}" + ":0.95" * (f == "quantile") for f in measures.FUNCTIONALS)
    )
    return 0
