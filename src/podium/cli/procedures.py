"""`podium procedures`: what each named test tests, where it is legal and what it controls."""

from __future__ import annotations

import textwrap

import click

from podium.cli.main import say


@click.command("procedures")
@click.argument("name", required=False)
def command(name: str | None) -> int:
    """List the procedures, or show all about NAME."""
    from podium.inference.procedures import PROCEDURES

    if name:
        say_procedure(name)
        return 0
    width = max(map(len, PROCEDURES))
    for known, procedure in PROCEDURES.items():
        say(f"{known:{width}}  {procedure.title}{'  [only by force]' if procedure.marked else ''}")
    say("\n`podium procedures NAME` shows its hypothesis, null, legal designs and reference.")
    return 0


def say_procedure(name: str) -> None:
    """All facts of one procedure."""
    from podium.inference.procedures import PROCEDURES

    p = PROCEDURES[name]
    legal = "; ".join(f"{block} → {target}" for block, target in sorted(p.legal)) or "nowhere"
    rows = {
        "tests": p.hypothesis,
        "holds under": p.null,
        "controls": p.controls,
        "adjustment": p.adjust,
        "legal (block → target)": legal,
        "intervals, relevance": "yes" if p.margins else "no",
        "missing cells": "accepted" if p.gaps else "blocks with gaps are left out",
        "reference": p.reference,
    }
    if p.marked:
        rows["marked"] = p.marked
    if p.conservative:
        rows["level"] = "conservative"
    say(f"{p.name}: {p.title}")
    for key, text in rows.items():
        say(textwrap.fill(f"{key}: {text}", 100, initial_indent="  ", subsequent_indent="      "))
