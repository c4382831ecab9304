"""What a room adds to Podium: one record, in the `__init__` of its folder.

Everything is named and loaded when it is used, so that a record costs nothing to read, and a room
that is not there is not missed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

GROUPS = RUN, READ, ANALYSE, PLAN = ("Run", "Read", "Analyse", "Plan")  # of `podium --help`


@dataclass(frozen=True)
class Command:
    """A command of `podium`.

    Attributes
    ----------
    at : "module:name" of its code; none where the command only holds others.
    does : its line in `podium --help`.
    group, place : where it stands there: groups as in `GROUPS`, commands by this number.
    called : what is typed, where that is not the name of the function; "store merge" is shown by
        `podium store --help`.
    also : short forms.
    formerly : names that it had, each with options that belong to the old name, as in
        "race --until best"; they go on working, and say what to type instead.
    moved : of a command that is no longer one of `podium`: what to type instead.
    """

    at: str
    does: str
    group: str
    place: float
    called: str = ""
    also: tuple[str, ...] = ()
    formerly: tuple[str, ...] = ()
    moved: str = ""

    @property
    def name(self) -> str:
        """What is typed behind `podium`."""
        return self.called or self.at.partition(":")[2]

    @property
    def listed(self) -> bool:
        """Whether `podium --help` lists it."""
        return not self.moved and " " not in self.name


@dataclass(frozen=True)
class Capability:
    """What a room adds; modules are named from its folder.

    Of modules that register things "notes.*" stands for all others of the folder `notes`, so that
    a file put there is known.

    Attributes
    ----------
    room : the package, `__name__` of the folder.
    needs : rooms that it imports, besides the floor.
    public : "module:name" of what is `podium.<name>`.
    inside : "module:name" of what is `podium.<room>.<name>`.
    commands : what is typed behind `podium`.
    words : modules whose words of notes register themselves.
    plots : modules whose plots register themselves.
    sections : modules whose sections of a page register themselves, each with its place.
    procedures : modules with named tests, `PROCEDURES`.
    formats : modules whose file formats register themselves, each with its place.
    samplings, measures : modules that register further ones, loaded for a name that is not known.
    offers : what other rooms ask for, and do without where this room is not there: a name that
        says what for, and "module:name".
    """

    room: str
    needs: tuple[str, ...] = ()
    public: tuple[str, ...] = ()
    inside: tuple[str, ...] = ()
    commands: tuple[Command, ...] = ()
    words: tuple[str, ...] = ()
    plots: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()
    procedures: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()
    samplings: tuple[str, ...] = ()
    measures: tuple[str, ...] = ()
    offers: Mapping[str, str] = field(default_factory=dict)

    def module(self, name: str) -> str:
        """The whole name of a module of the room."""
        return f"{self.room}.{name}"

    def attribute(self, name: str) -> object:
        """What is inside the room under this name, for the `__getattr__` of its folder."""
        for at in self.inside:
            if at.endswith(f":{name}"):
                return self.load(at)
        raise AttributeError(f"module '{self.room}' has no attribute '{name}'")

    def load(self, at: str) -> Any:
        """What "module:name" is."""
        module, _, name = at.partition(":")
        return getattr(import_module(self.module(module)), name)
