"""`podium procedures`: what each named test tests, where it is legal and what it controls."""

from __future__ import annotations

import click

from podium.cli.main import say


@click.command("procedures")
@click.argument("name", required=False)
def command(name: str | None) -> int:
    """List the procedures, or show all about NAME."""
    from podium.formatting import screen, wrapped
    from podium.inference.procedures import PROCEDURES

    if name:
        say_procedure(name)
        return 0
    width = max(map(len, PROCEDURES))
    for known, procedure in PROCEDURES.items():
        mark = " [only by force]" if procedure.marked else ""
        say(wrapped(f"{known:{width}}  {procedure.title}{mark}", screen(), " " * (width + 2)))
    say("\n`podium procedures NAME` shows its hypothesis, null, legal designs and reference.")
    return 0


def say_procedure(name: str) -> None:
    """All facts of one procedure."""
    from podium.formatting import screen, wrapped
    from podium.inference.calibrated import level
    from podium.inference.procedures import PROCEDURES

    p = PROCEDURES[name]
    legal = "; ".join(f"{block} for the target {target}" for block, target in sorted(p.legal))
    rows = {
        "tests": p.hypothesis,
        "holds under": p.null,
        "controls": p.controls,
        "adjustment": p.adjustments,
        "legal": legal or "nowhere",
        "samplings": ", ".join(p.samplings or ()),
        "relevance": "may be asked for" if p.margins else "makes no sense",
        "missing cells": "accepted" if p.gaps else "blocks with gaps are left out",
        "level": "conservative" if p.conservative else "",
        "measured": level(p.name),
        "marked": p.marked,
        "reference": p.reference,
    }
    say(f"{p.name}: {p.title}")
    for key, text in rows.items():
        if text:
            say(wrapped(f"  {key:13}  {text}", screen(), " " * 17))
