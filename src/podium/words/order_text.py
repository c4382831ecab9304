"""Layers of names as text: Unicode, ASCII and LaTeX. Rooms that read orders take it back.

Letters, digits and a few signs (`BARE`) make a name that stands for itself; every other name
is put in double quotes, with a backslash before a quote or a backslash, and escapes such as `\\n`
and `\\u00a0` for what does not show.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from podium.base.formatting import latex

# No parentheses and commas: people write them to group algorithms, and we must not guess
BARE = re.compile(r"[\w.+:/*@#%&!?$^|-]+")
ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}


@dataclass(frozen=True)
class Signs:
    """How a notation writes ≈, ∥, ≻ and ≿, and a name."""

    alike: str
    apart: str
    before: str
    mixed: str
    name: Callable[[str], str]


@lru_cache(maxsize=4096)  # orders of many algorithms are written by the thousand
def quoted(name: str, *, ascii_only: bool = False) -> str:
    """The name as it stands in an order's text: itself, or in double quotes.

    >>> print(quoted("k-nn"), quoted("random forest"), quoted('a "b"'))
    k-nn "random forest" "a \\"b\\""
    """
    if BARE.fullmatch(name) and (name.isascii() or not ascii_only):
        return name
    return '"' + "".join(_escaped(c, ascii_only) for c in name) + '"'


def _escaped(character: str, ascii_only: bool) -> str:
    if character in ESCAPES:
        return ESCAPES[character]
    if character.isprintable() and (character.isascii() or not ascii_only):
        return character
    code = ord(character)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def latex_name(name: str) -> str:
    """The name as upright text in a formula; what does not show becomes a blank."""
    return rf"\text{{{latex(name)}}}"


UNICODE = Signs("≈", "∥", "≻", "≿", quoted)
ASCII = Signs("~", "<>", ">", ">~", lambda name: quoted(name, ascii_only=True))
TEX = Signs(r"\approx", r"\parallel", r"\succ", r"\succsim", latex_name)


def written(
    layers_of_parts: Sequence[Sequence[Sequence[str]]], strict: Sequence[bool], signs: Signs
) -> str:
    """Layers, the best first, as one line; `strict` says where `≻` stands between two layers.

    A layer has parts that were not compared with each other; within a part names are ≈.

    >>> written([[["svm", "rpart"], ["nb"]], [["lda"]]], [True], UNICODE)
    'svm ≈ rpart ∥ nb ≻ lda'
    """
    layers = [
        f" {signs.apart} ".join(f" {signs.alike} ".join(map(signs.name, part)) for part in parts)
        for parts in layers_of_parts
    ]
    joints = [f" {signs.before if s else signs.mixed} " for s in strict]
    return layers[0] + "".join(j + layer for j, layer in zip(joints, layers[1:], strict=True))


def signs_of(sizes: Sequence[Sequence[int]], joints: Sequence[str]) -> list[str]:
    """What follows each name, of layers whose parts have these sizes; nothing behind the last.

    >>> signs_of([[2, 1], [1]], ["≻"])
    ['≈', '∥', '≻', '']
    """
    signs: list[str] = []
    for parts, joint in zip(sizes, [*joints, ""], strict=True):
        for size in parts:
            signs += [*[UNICODE.alike] * (size - 1), UNICODE.apart]
        signs[-1] = joint
    return signs
