"""Which doors the tests come in by: what is public, records, formulas; and then the rest.

Public is what a user or the author of an extension imports:

1. the names of `podium`, of its public folders (`errors`, `plots`, `samplings`, `testing`) and of
   rooms (`podium.items.by_stratum`), and the entry point `podium.cli.main`;
2. whatever a page of the documentation imports;
3. records: registries, the types of what they hold and of what is public, the types of the fields
   of these, and single records that have a name, as the procedure `FRIEDMAN`.

Formulas (arrays or numbers in, numbers out) are held against papers and R where they stand. What
is imported besides is inside: such a test breaks when a file moves, so there may only be fewer.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import podium
from podium.core.base import rooms

HERE = Path(__file__).parent
# base.rooms: the one list of rooms, which tests of the structure read
FACES = (
    "errors",
    "plots",
    "samplings",
    "testing",
    "cli.main",
    "core.base.rooms",
    "core.samplings",
    "showing.plots",
    "showing.terminal.saying",
)
BRICKS = tuple(
    f"podium.{module}"
    for module in (
        "core.inference.bricks",
        "core.inference.numbers",
        "running.design.data.problems",
        "running.design.data.survival",
        "running.design.measuring.corrections",
        "asking.planning.power",
        "asking.synthesis.random_effects",
    )
)
NUMBERS = {"float", "int", "bool", "float | None", "int | None", "Sequence[float]"}
INSIDE, IMPORTS = 218, 792  # files and imports: lower these when there are fewer


def imported(path: Path) -> Iterator[tuple[str, str]]:
    """Module and name of all that a file imports of Podium."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and str(node.module).split(".")[0] == "podium":
            yield from ((str(node.module), alias.name) for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from ((a.name, "") for a in node.names if a.name.startswith("podium."))


@cache
def shown() -> set[tuple[str, str]]:
    """What pages of the documentation import."""
    pages = [HERE.parent / "README.md", *sorted((HERE.parent / "docs").glob("*.md"))]
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    lines = re.findall(r"^(?:>>> )? *from (podium[\w.]*) import (.+)$", text, re.MULTILINE)
    made = {module for module, _ in lines if find_spec(module.rpartition(".")[0] or module) is None}
    there = [(module, names) for module, names in lines if module not in made]
    return {(module, name.strip()) for module, names in there for name in names.split(",")}


def held_types(record: type) -> set[type]:
    """The types of Podium in the annotations of a record's fields."""
    home = vars(inspect.getmodule(record) or object())
    words = {word for text in record.__annotations__.values() for word in re.findall(r"\w+", text)}
    held = {home[word] for word in words if isinstance(home.get(word), type)}
    return {each for each in held if each.__module__.startswith("podium.")}


@cache
def records() -> set[type]:
    """The types of public names and of what registries hold, and those of their fields."""
    inside = [one.load(at) for one in rooms.capabilities() for at in one.inside]
    every = [*(getattr(podium, name) for name in podium.__all__), *inside]
    every += [getattr(import_module(module), name) for module, name in shown()]
    waiting = {each for each in every if isinstance(each, type)}
    waiting |= {type(each) for held in registries() for each in held.values()}
    known: set[type] = set()
    while waiting:
        known |= waiting
        waiting = {each for one in waiting if is_dataclass(one) for each in held_types(one)} - known
    return {each for each in known if each.__module__.startswith("podium.")}


def is_registry(value: object) -> bool:
    """Whether things are looked up there by name, with "did you mean"."""
    return isinstance(value, Mapping) and callable(getattr(value, "add", None))


@cache
def registries() -> list[Mapping[str, Any]]:
    """The registries that tests import."""
    pairs = {pair for path in HERE.rglob("*.py") for pair in imported(path) if pair[1].isupper()}
    values = [getattr(import_module(module), name) for module, name in sorted(pairs)]
    return [value for value in values if is_registry(value)]


@cache
def is_public(module: str, name: str) -> bool:
    full = f"{module}.{name}"
    if {module, full} & {"podium", *(f"podium.{face}" for face in FACES)}:
        return True
    if (module, name) in shown() or full in names_of_rooms():
        return True
    if module.count(".") <= 2 and name in getattr(import_module(module), "__all__", ()):
        return True  # what a room shows of itself
    value = getattr(import_module(module), name, None)
    if is_registry(value) or type(value) in records():
        return True
    return isinstance(value, type) and value in records()


@cache
def names_of_rooms() -> set[str]:
    return {
        f"{one.room}.{at.partition(':')[2]}" for one in rooms.capabilities() for at in one.inside
    }


@cache
def is_formula(module: str, name: str) -> bool:
    """A brick of inference, what is given arrays, or makes numbers of numbers."""
    if module.startswith(BRICKS):
        return True
    value = inspect.unwrap(getattr(import_module(module), name, None))
    given = dict(getattr(value, "__annotations__", {})) if callable(value) else {}
    made = str(given.pop("return", None))
    numbers = {made, *map(str, given.values())} <= NUMBERS and bool(given)
    return numbers or any("np.ndarray" in str(each) for each in given.values())


def test_fewer_and_fewer_tests_come_in_by_the_back_door() -> None:
    behind = {
        str(path.relative_to(HERE)): [
            pair for pair in imported(path) if not is_public(*pair) and not is_formula(*pair)
        ]
        for path in sorted(HERE.rglob("test_*.py"))
    }
    inside = {path: pairs for path, pairs in behind.items() if pairs}
    assert len(inside) <= INSIDE, "import what is public, or a record"
    assert sum(map(len, inside.values())) <= IMPORTS, "import what is public, or a record"
