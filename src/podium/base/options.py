"""An option: one record, from which the Python signature, `--name`, keys of files and docs follow.

`OPTIONS` holds all that are shared. A verb takes some of them by `@takes(...)`, a command by
`podium.cli.options.shared(...)`; a set such as "testing" stands for all options that are part of
it, so that a new one is there wherever its set is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

INPUT, QUESTION, TEST, OUTPUT = SECTIONS = ("Input", "Question", "Test", "Output")


@dataclass(frozen=True)
class Option:
    """What may be asked.

    Attributes
    ----------
    name : of the parameter in Python, and of the key in files.
    help : one line, with the default in brackets.
    kind : the annotation in Python.
    default : in Python; None where the design decides.
    check : raises an error that says what is wrong with a value.
    sets : what it is part of: reading, choosing, testing ...
    section : of the help of a command.
    rare : shown by `--help-all` alone.
    flags : on the command line [--name]; none where only Python has it.
    line : what `click.option` takes besides.
    in_plan : whether a study file may fix it, under `[analysis]`.
    """

    name: str
    help: str
    kind: str = "str | None"
    default: Any = None
    check: Callable[[Any], None] | None = None
    sets: tuple[str, ...] = ()
    section: str = ""
    rare: bool = False
    flags: tuple[str, ...] | None = None
    line: Mapping[str, Any] = field(default_factory=dict)
    in_plan: bool = False

    @property
    def on_line(self) -> tuple[str, ...]:
        """How the command line writes it."""
        return (f"--{self.name.replace('_', '-')}",) if self.flags is None else self.flags


OPTIONS: dict[str, Option] = {}


def declare(*options: Option) -> None:
    """Add options; a name is declared once."""
    for option in options:
        if option.name in OPTIONS:
            raise ValueError(f"The option '{option.name}' is declared twice.")
        OPTIONS[option.name] = option


def part_of(*sets: str) -> tuple[str, ...]:
    """The names of the options of these sets, as they were declared."""
    return tuple(name for name, option in OPTIONS.items() if {*sets} & {*option.sets})


def chosen(names: Iterable[str]) -> tuple[Option, ...]:
    """The options of these names, or of these sets."""
    every = [one for name in names for one in ([name] if name in OPTIONS else part_of(name))]
    return tuple(OPTIONS[name] for name in dict.fromkeys(every))
