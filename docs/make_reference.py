"""The reference pages: docs/procedures.md from the registry, docs/commands.md from --help, and the
tree in docs/architecture.md from what folders promise.

python docs/make_reference.py
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from copy import copy
from pathlib import Path
from typing import Any

import click

import podium
from podium.cli.main import group
from podium.core.base import rooms
from podium.core.base.formatting import wrapped
from podium.core.base.options import OPTIONS, Option
from podium.core.inference.comparing.known import OF_OTHER_SCORES, POSTERIORS, level
from podium.core.inference.comparing.known import PROCEDURES as TESTS
from podium.core.inference.procedures.procedure import Procedure
from podium.core.questions.targets import BLOCKS, RESAMPLE, TARGETS
from podium.core.samplings import KINDS

HERE = Path(__file__).parent
PROCEDURES = {**TESTS, **OF_OTHER_SCORES}
COMMANDS = {name: one for name, (_, one) in rooms.commands().items() if one.at and not one.moved}
WIDTH = 80
OPTIONS_HEAD = """\
# Options

Options that several functions and commands share, each declared once in
`podium/core/questions/options.py`; made by `python docs/make_reference.py`. The parameter in
Python, the option of a command and, where the last column says so, the key under `[analysis]`
of a [study file](study-file.md) are the same.
"""

PROCEDURES_HEAD = """\
# Procedures

What each named test tests, where it is valid and what it controls, as `podium list tests NAME` says
it; [which test](which-test.md) chooses among them. *Measured* is how often at least one true
hypothesis was rejected by simulation, at the nominal level of 5 %; all rates are in
[calibration](calibration.md). This page is made by `python docs/make_reference.py`.

A *block* is one observation of a test; a *target* is [what the conclusion holds
for](which-test.md#what-a-conclusion-holds-for):

| block | is | targets, the default first |
|---|---|---|
"""
LEGAL_HEAD = """
Of resamples, only those of `competition` are evidence about a test set, and only those of
{about_population} about the population.

| target and blocks | procedures |
|---|---|
"""
COMMANDS_HEAD = """\
# Commands

What `podium COMMAND --help-all` says, made by `python docs/make_reference.py`. The exit status is 0
when done, 1 when a run or a file failed, 2 when the request was wrong or not valid, 130 when
interrupted; `gate` ends with 3 where the new one is worse and with 4 where that is undecided.

"""


# -- procedures ------------------------------------------------------------------------------------


def procedures_page() -> str:
    """The text of docs/procedures.md."""
    blocks = [
        f"| `{name}` | {block.text} | {targets} |"
        for name, block in BLOCKS.items()
        if (targets := _targets(name))
    ]
    forced = [name for name, procedure in PROCEDURES.items() if procedure.reports.marked]
    legal = [f"| {where} | {_linked(names)} |" for where, names in _together().items()]
    legal.append(f"| none: only by `--force`, and marked | {_linked(forced)} |")
    sections = [_procedure(p) for p in (*PROCEDURES.values(), *POSTERIORS.values())]
    about = [n for n, k in KINDS.items() if k.block == RESAMPLE and not k.claims.no_population]
    head = LEGAL_HEAD.format(about_population=", ".join(f"`{name}`" for name in about))
    tables = PROCEDURES_HEAD + "\n".join(blocks) + "\n" + head + "\n".join(legal)
    return "\n".join([tables, "", *sections])


def _targets(block: str) -> str:
    legal = [t for t in TARGETS if any((block, t) in p.legal for p in PROCEDURES.values())]
    legal.sort(key=lambda target: target != BLOCKS[block].target)
    return ", ".join(f"`{target}`" for target in legal)


def _together() -> dict[str, list[str]]:
    """Designs with the same legal procedures, in words, and these."""
    found: dict[tuple[str, ...], list[tuple[str, str]]] = {}
    for design in ((block, target) for target in TARGETS for block in BLOCKS):
        names = tuple(name for name, p in PROCEDURES.items() if design in p.legal)
        found.setdefault(names, []).append(design)
    return {_designs(designs): list(names) for names, designs in found.items() if names}


def _linked(names: list[str]) -> str:
    return ", ".join(f"[{name}](#{name})" for name in names)


def _procedure(p: Procedure) -> str:
    """The section of one procedure."""
    measured = level(p.name)
    tests = {
        "Tests": p.hypothesis,
        "Holds its level under": p.null,
        "Controls": str(p.controls),
        "Adjustment": p.adjust,
    }
    of_posterior = {"Chance that": p.hypothesis, "Model": p.null, "Prior": p.bayes.prior}
    facts = {
        **(tests if p.bayes.posterior is None else of_posterior),
        "Legal for": _designs(p.legal) or "nothing",
        "Only with": ", ".join(f"`{name}`" for name in p.needs.samplings or ()),
        "Only by force": p.reports.marked,
        "Relevance": "may be asked for"
        if p.needs.margins
        else "not available: the test knows no size of differences",
        "Missing cells": "accepted" if p.needs.gaps else "blocks with gaps are left out",
        "Measured": f"{measured} ([all rates]({_rates(p.name)}))" if measured else "",
        "Reference": p.reference,
    }
    lines = [f"- {name}: {text}" for name, text in facts.items() if text]
    title = p.title[0].upper() + p.title[1:]
    return f"## {p.name}\n\n{title}.\n\n" + "\n".join(lines) + "\n"


def _rates(name: str) -> str:
    """Where the rates of a procedure are; the page of rates is made apart, and may lag behind."""
    there = f"\n## {name}\n" in (HERE / "calibration.md").read_text(encoding="utf-8")
    return f"calibration.md#{name}" if there else "calibration.md"


def _designs(designs: Iterable[tuple[str, str]]) -> str:
    """Pairs of block and target in words, the blocks of one target together."""
    pairs = list(designs)
    by_target = {t: [b for b in BLOCKS if (b, t) in pairs] for t in TARGETS}
    return "; ".join(f"`{t}` ({', '.join(found)})" for t, found in by_target.items() if found)


# -- commands --------------------------------------------------------------------------------------


def commands_page() -> str:
    """The text of docs/commands.md."""
    rows = [
        f"| {one.group} | [{name}](#podium-{name.replace(' ', '-')}) | {one.does} |"
        for name, one in COMMANDS.items()
    ]
    table = "| group | command | what it does |\n|---|---|---|\n" + "\n".join(rows) + "\n\n"
    return COMMANDS_HEAD + table + "\n".join(map(_command, COMMANDS))


def _command(name: str) -> str:
    context = click.Context(group, info_name="podium", **group.context_settings)
    found = group.get_command(context, name)
    assert found is not None, f"'{name}' is listed and not there"
    command = copy(found)
    command._help_option = None  # click keeps the one of whoever asked first
    width = {"max_content_width": WIDTH, "terminal_width": WIDTH}
    inner = click.Context(command, info_name=name, parent=context, **width)  # type: ignore[arg-type]
    inner.meta["podium.help_all"] = True
    said = "\n".join(line.rstrip() for line in command.get_help(inner).splitlines())
    return f"## podium {name}\n\n```text\n{said}\n```\n"


# -- options ---------------------------------------------------------------------------------------


def options_page() -> str:
    """The text of docs/options.md."""
    commands = {name: _flags(name) for name in COMMANDS}
    verbs = {name: set(getattr(verb, "options", ())) for name, verb in _verbs().items()}
    rows = [
        "| " + " | ".join(_option(option, verbs, commands)) + " |" for option in OPTIONS.values()
    ]
    head = "| option | default | what it is | in Python | commands | `[analysis]` |"
    return "\n".join([OPTIONS_HEAD, head, "|---|---|---|---|---|---|", *rows]) + "\n"


def _option(option: Option, verbs: dict[str, set[str]], commands: dict[str, set[str]]) -> list[str]:
    takers = [f"`{name}`" for name, taken in verbs.items() if option.name in taken]
    having = [f"`{name}`" for name, flags in commands.items() if {*option.on_line} & flags]
    default = "" if option.default in (None, ()) else f"`{option.default!r}`"
    names = ", ".join(f"`{flag}`" for flag in option.on_line if flag.startswith("-"))
    python = f"`{option.name}`" if takers else ""
    called = " or ".join(filter(None, (python, names)))
    planned = "yes" if option.in_plan else ""
    words = option.help.replace("|", "\\|")
    return [called, default, words, ", ".join(takers), ", ".join(having), planned]


def _flags(name: str) -> set[str]:
    """What a command has; `--a/--b` is one."""
    room, one = rooms.commands()[name]
    options = [p for p in room.load(one.at).params if isinstance(p, click.Option)]
    both = {"/".join([*p.opts, *p.secondary_opts]) for p in options if p.secondary_opts}
    return {flag for p in options for flag in p.opts if flag.startswith("--")} | both


def _verbs() -> dict[str, Any]:
    inside = {
        f"{one.face}.{at.partition(':')[2]}": one.load(at)
        for one in rooms.capabilities()
        for at in one.inside
    }
    return {name: getattr(podium, name) for name in rooms.public()} | inside


# -- the map --------------------------------------------------------------------------------------

SOURCE = Path(podium.__file__).parent
TREE = re.compile(r"```\nsrc/podium/\n.*?```", re.DOTALL)


def architecture_page() -> str:
    """The map with the tree of today; its text is written by hand."""
    tree = "\n".join(["src/podium/", *_tree(SOURCE, 1)])
    page = (HERE / "architecture.md").read_text(encoding="utf-8")
    return TREE.sub(lambda _: f"```\n{tree}\n```", page, count=1)


def _tree(folder: Path, depth: int) -> Iterator[str]:
    """Folders with the first line of their promise; rooms from the floor up."""
    wings = ("core", "reading", "showing", "running", "asking", "cli")
    places = [room.rpartition(".")[2] for room in (*rooms.FLOOR, *rooms.ABOVE)]
    order = (wings, tuple(places), ())[min(depth, 3) - 1]
    inner = [path.parent for path in folder.glob("*/__init__.py")]
    for path in sorted(inner, key=lambda p: (_place(p.name, order), p.name)):
        promise = ast.get_docstring(ast.parse((path / "__init__.py").read_text("utf-8"))) or ""
        first = promise.split("\n")[0]
        yield wrapped(f"{'  ' * depth}{path.name + '/':<{18 - 2 * depth}}{first}", WIDTH, " " * 18)
        yield from _tree(path, depth + 1)


def _place(name: str, order: tuple[str, ...]) -> int:
    return order.index(name) if name in order else len(order)


PAGES = {
    "procedures": procedures_page,
    "commands": commands_page,
    "options": options_page,
    "architecture": architecture_page,
}


def main() -> None:
    """Write the pages."""
    for name, made in PAGES.items():
        (HERE / f"{name}.md").write_text(made(), encoding="utf-8")


if __name__ == "__main__":
    main()
