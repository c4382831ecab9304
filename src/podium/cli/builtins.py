"""`podium builtins`: list what a study file can name."""

from __future__ import annotations

import click

from podium.cli.main import say


@click.command("builtins")
def command() -> int:
    """List the data sets, samplings and measures that a study file can name."""
    from podium import measures, samplings
    from podium.design import sources
    from podium.design.processes import PROBLEMS

    say("Data sets:  " + ", ".join(f"builtin:{n}" for n in sources.builtins()))
    say("            " + ", ".join(f"sklearn:{n}" for n in sources.BUNDLED) + ", file:PATH")
    say("Processes:  " + ", ".join(f"builtin:{n}" for n in PROBLEMS) + "  (with simulation:B)")
    kinds = [k.example for n, k in samplings.KINDS.items() if n not in ("items", "splitter")]
    say("Samplings:  " + ", ".join([*kinds, "indices:FILE"]) + "; +stratified, +grouped")
    say("Measures:   " + ", ".join(measures.KNOWN) + ", sklearn:SCORER")
    say(
        "            a loss takes a functional: "
        + ", ".join(f"absolute:{f}" + ":0.95" * (f == "quantile") for f in measures.FUNCTIONALS)
    )
    return 0
