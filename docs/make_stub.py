"""Write __init__.pyi of Podium and its rooms, which tell editors and type checkers what is public.

Functions that take declared options stand there with their whole signature.
"""

from __future__ import annotations

import builtins
import inspect
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import podium
from podium.core.base import rooms
from podium.core.base.rooms import Capability

HEAD = '"""The public names, for editors and type checkers (docs/make_stub.py writes this)."""\n'
HOMES = {  # of names in annotations that no object knows
    **dict.fromkeys(("Callable", "Iterable", "Mapping", "Sequence"), "collections.abc"),
    "Any": "typing",
    "Contrasts": "podium.core.inference.procedures.procedure",
    "Estimator": "podium.core.inference.bricks.estimates",
    "NullBrick": "podium.core.inference.bricks.nulls",
    "Procedure": "podium.core.inference.procedures.procedure",
    "Progress": "podium.core.base.progress",
    "Sampling": "podium.core.samplings",
    "Weights": "podium.asking.surveys.by_dataset",
}
MODULES = {"np": "import numpy as np", "pd": "import pandas as pd"}


def stub() -> str:
    """The stub: every name from its home, exported; verbs with options in full."""
    verbs = {name: getattr(podium, name) for name in rooms.public()}
    verbs = {name: verb for name, verb in verbs.items() if hasattr(verb, "options")}
    lines = {"from podium import errors as errors"}
    lines |= {"from podium.core import samplings as samplings"}
    lines |= {"from podium.showing import plots as plots"}
    for package in rooms.with_names().values():
        above, _, own = package.rpartition(".")
        lines |= {f"from {above} import {own} as {own}"}
    lines |= {
        f"from {module} import {name} as {name}"
        for name, module in rooms.public().items()
        if name not in verbs
    }
    for verb in verbs.values():
        lines |= {line for word in words(verb) if (line := imported(word, verb))}
    listed = "\n".join(f'    "{name}",' for name in podium.__all__)
    defined = [in_full(name, verb) for name, verb in sorted(verbs.items())]
    known = rooms.with_names().items()
    other = [
        f"{name} = {at.rpartition('.')[2]}" for name, at in known if not at.endswith(f".{name}")
    ]
    parts = [
        HEAD,
        *sorted(lines),
        "",
        *other,
        "",
        "__version__: str",
        "",
        f"__all__ = [\n{listed}\n]",
        "",
    ]
    return "\n".join([*parts, *defined]) + "\n"


def stub_of_room(one: Capability) -> str:
    """What stands in a room, and its record."""
    homes = sorted((one.module(at.partition(":")[0]), at.partition(":")[2]) for at in one.inside)
    lines = ["from podium.core.base.rooms import Capability"]
    lines += [f"from {module} import {name} as {name}" for module, name in homes]
    head = '"""What stands in this room (docs/make_stub.py writes this)."""'
    return "\n".join([head, "", *lines, "", "CAPABILITY: Capability", ""])


def stubs() -> dict[Path, str]:
    """The stubs and what they say."""
    home = Path(podium.__file__).parent
    inner = {
        one.room.removeprefix("podium.").replace(".", "/"): one
        for one in rooms.capabilities()
        if one.inside
    }
    every = {home / room / "__init__.pyi": stub_of_room(one) for room, one in inner.items()}
    return {home / "__init__.pyi": stub(), **every}


def in_full(name: str, verb: Callable[..., Any]) -> str:
    """The definition of a verb, without its body."""
    signature = inspect.signature(verb)
    shown, starred = [], False
    for one in signature.parameters.values():
        if one.kind is one.KEYWORD_ONLY and not starred:
            shown.append("*")
            starred = True
        annotation = "" if one.annotation is one.empty else f": {one.annotation}"
        default = "" if one.default is one.empty else " = ..."
        shown.append(f"{one.name}{annotation}{default}")
    return f"def {name}({', '.join(shown)}) -> {signature.return_annotation}: ..."


def words(verb: Callable[..., Any]) -> set[str]:
    """The names in the annotations of a verb."""
    signature = inspect.signature(verb)
    texts = [str(one.annotation) for one in signature.parameters.values()]
    every = re.findall(
        r"(?<![.\w])[A-Za-z_]\w*", " ".join([*texts, str(signature.return_annotation)])
    )
    return {word for word in every if not hasattr(builtins, word)}


def imported(word: str, verb: Callable[..., Any]) -> str:
    """The line that imports a name; nothing where it is public itself."""
    if word in MODULES:
        return MODULES[word]
    if word in rooms.public():
        return ""
    if word in HOMES:
        return f"from {HOMES[word]} import {word}"
    home = inspect.unwrap(verb).__globals__[word].__module__
    return f"from {home} import {word}"


def write() -> None:
    """Write the stubs as they are kept: imports sorted, long lines broken."""
    made = stubs()
    for path, text in made.items():
        path.write_text(text, encoding="utf-8")
    for task in (("check", "--select", "I", "--fix"), ("format",)):
        subprocess.run([sys.executable, "-m", "ruff", *task, "-q", *made], check=True)


if __name__ == "__main__":
    write()
