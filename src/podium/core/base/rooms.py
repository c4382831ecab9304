"""The one list of rooms, and the record in which each says what it adds to Podium.

A room is a folder with a `Capability` in its `__init__`. Without its folder and its line here,
Podium works without it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from podium.core.base.errors import MissingPackage

# -- what a room adds to Podium -------------------------------------------------------------------
# One record, in the `__init__` of its folder.
#
# Everything is named and loaded when it is used, so that a record costs nothing to read, and a
# room that is not there is not missed.


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
    questions : "module:name" of what `podium analyze` can be asked, a record `Question` each.
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
    questions: tuple[str, ...] = ()
    offers: Mapping[str, str] = field(default_factory=dict)
    called: str = ""  # its public name, where that is not its folder's

    def module(self, name: str) -> str:
        """The whole name of a module of the room."""
        return name if name.startswith("podium.") else f"{self.room}.{name}"

    @property
    def face(self) -> str:
        """Its public name: `items` of `podium.items.by_stratum`."""
        return self.called or self.room.rpartition(".")[2]

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


# -- the one list of rooms ------------------------------------------------------------------------
# What Podium has follows from their records.
#
# A room is a folder with a `Capability` in its `__init__`. Without its folder and its line here,
# Podium works without it.


# every room may import these; they are loaded by whoever needs them, so their record is here
FLOOR = ("core.base", "core.questions", "core.words", "core.samplings")
# from the floor up: no room imports one that stands after it
ABOVE = (
    "core.results",
    "core.inference",
    "core.orders",
    "core.verdicts",
    "reading.store",
    "reading",
    "showing.terminal",
    "showing.drawing",
    "showing.plots",
    "showing.screens",
    "showing.reports",
    "running.design",
    "running.execution",
    "running.sequential",
    "running",
    "asking.predictions",
    "asking.robustness",
    "asking.planning",
    "asking.surveys",
    "asking.pictures",
    "asking.comparison",
    "asking.judges",
    "asking.synthesis",
    "asking.gates",
    "asking.timings",
    "asking.factors",
    "asking.fronts",
    "asking.items",
    "asking.battles",
    "asking.queues",
    "asking.consensus",
    "asking.registered",
    "asking.boards",
    "cli",
)
OF_FLOOR = Capability(
    "podium.core",
    public=(
        "base.errors:PodiumError",
        "questions.measures:Measure",
        "samplings:Sampling",
        "words.facts:Note",
    ),
    words=("words.notes.*",),
)


_LOADED: set[str] = set()  # kinds of things that rooms register


@cache
def capabilities() -> tuple[Capability, ...]:
    """The records of all rooms, from the floor up."""
    return (OF_FLOOR, *(import_module(f"podium.{room}").CAPABILITY for room in ABOVE))


@cache
def public() -> dict[str, str]:
    """The module that each public name of Podium is in."""
    return {
        name: one.module(module)
        for one in capabilities()
        for module, _, name in (at.partition(":") for at in one.public)
    }


@cache
def with_names() -> dict[str, str]:
    """The rooms that have public names inside, as `podium.items.by_stratum`: their packages."""
    return {one.face: one.room for one in capabilities() if one.inside}


@cache
def commands() -> dict[str, tuple[Capability, Command]]:
    """The commands by name, in the order of `podium --help`."""
    every = [(one, command) for one in capabilities() for command in one.commands]
    every.sort(key=lambda each: (GROUPS.index(each[1].group), each[1].place))
    return {each[1].name: each for each in every}


@cache
def other_names() -> dict[str, tuple[str, ...]]:
    """What is typed instead of a short or former name of a command."""
    every = [command for _, command in commands().values()]
    return {
        first: (*command.name.split(), *more)
        for command in every
        for first, *more in (each.split() for each in (*command.also, *command.formerly))
    }


@cache
def former_names() -> frozenset[str]:
    """Names that commands no longer have."""
    every = [command for _, command in commands().values()]
    return frozenset(each.split()[0] for command in every for each in command.formerly)


def modules(what: str) -> Iterator[str]:
    """The modules of all rooms that hold words, plots, sections, procedures or formats."""
    listed = [one.module(name) for one in capabilities() for name in getattr(one, what)]
    for name in listed:
        if name.endswith(".*"):
            yield from (module for module in _in_folder(name[:-2]) if module not in listed)
        else:
            yield name


def _in_folder(package: str) -> Iterator[str]:
    """The modules that stand in the folder of a package, by name."""
    every = iter_modules(import_module(package).__path__, f"{package}.")
    return (module.name for module in every if not module.ispkg)


def load(what: str) -> None:
    """Let all rooms register what they have of this kind, once."""
    if what in _LOADED:
        return
    _LOADED.add(what)  # before, as some look each other up while they are loaded
    for module in modules(what):
        import_module(module)


def offered(name: str) -> Callable[..., Any] | None:
    """What a room offers to others under this name; None where the room is not there."""
    having = (one for one in capabilities() if name in one.offers)
    return next((one.load(one.offers[name]) for one in having), None)


def required(name: str) -> Callable[..., Any]:
    """What a room offers under this name; refused where the room is not there."""
    offer = offered(name)
    if offer is None:
        raise MissingPackage(f"This Podium comes without the part that offers '{name}'.")
    return offer
