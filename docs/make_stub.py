"""Write src/podium/__init__.pyi, which says to editors and type checkers what is public.

Functions that take declared options stand there with their whole signature.
"""

from __future__ import annotations

import builtins
import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import podium
from podium.base import rooms

HEAD = '"""The public names, for editors and type checkers (docs/make_stub.py writes this)."""\n'
HOMES = {  # of names in annotations that no object knows
    **dict.fromkeys(("Callable", "Iterable", "Mapping", "Sequence"), "collections.abc"),
    "Any": "typing",
    "Contrasts": "podium.inference.procedures.options",
    "Estimator": "podium.inference.bricks.estimates",
    "NullBrick": "podium.inference.bricks.nulls",
    "Procedure": "podium.inference.procedures.procedure",
    "Progress": "podium.base.progress",
    "Sampling": "podium.samplings",
    "Weights": "podium.surveys.by_dataset",
}
MODULES = {"np": "import numpy as np", "pd": "import pandas as pd"}


def stub() -> str:
    """The stub: every name from its home, exported; verbs with options in full."""
    verbs = {name: getattr(podium, name) for name in rooms.public()}
    verbs = {name: verb for name, verb in verbs.items() if hasattr(verb, "options")}
    lines = {f"from podium import {name} as {name}" for name in podium._FOLDERS}
    lines |= {
        f"from {module} import {name} as {name}"
        for name, module in rooms.public().items()
        if name not in verbs
    }
    for verb in verbs.values():
        lines |= {line for word in words(verb) if (line := imported(word, verb))}
    listed = "\n".join(f'    "{name}",' for name in podium.__all__)
    defined = [in_full(name, verb) for name, verb in sorted(verbs.items())]
    parts = [HEAD, *sorted(lines), "", "__version__: str", "", f"__all__ = [\n{listed}\n]", ""]
    return "\n".join([*parts, *defined]) + "\n"


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


if __name__ == "__main__":
    Path(podium.__file__).with_suffix(".pyi").write_text(stub(), encoding="utf-8")
