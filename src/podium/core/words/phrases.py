"""Words for numbers, names, tests and layers of names; no statistics."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from podium.core.base.formatting import latex, p_value, printable

MOST = 6  # names in a sentence
SMALL = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

ELO = 400 / math.log(10)  # points of a unit of log-strength


def counted(count: int, noun: str, plural: str = "") -> str:
    """A number with its noun.

    >>> counted(1, "pair"), counted(2, "data set"), counted(0, "run")
    ('1 pair', '2 data sets', 'no runs')
    """
    many = plural or f"{noun}s"
    return f"{count:,}" * bool(count) + "no" * (not count) + f" {noun if count == 1 else many}"


def times(count: int) -> str:
    """How often.

    >>> times(1), times(2), times(5)
    ('once', 'twice', '5 times')
    """
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


MOST_TIMES = 8  # what there is: a larger number is too rough a guess to plan by


def is_plan(needed: float | None, there: int) -> bool:
    """Whether so many are a number that one can plan by, given how many there are.

    >>> is_plan(85, 20), is_plan(8_400_000, 250), is_plan(None, 20)
    (True, False, False)
    """
    return needed is not None and needed <= MOST_TIMES * there


def spelled(count: int, noun: str, plural: str = "") -> str:
    """The same for a paper, where numbers up to ten are words.

    >>> spelled(1, "data set"), spelled(2, "run"), spelled(12, "repetition of cv", "repetitions")
    ('one data set', 'two runs', '12 repetitions')
    """
    figures, _, rest = counted(count, noun, plural).partition(" ")
    return f"{SMALL[count - 1] if 0 < count <= len(SMALL) else figures} {rest}"


def joined(names: Sequence[str], most: int = MOST, word: str = "and") -> str:
    """Names in a sentence; the rest of very many as a number.

    >>> joined(["a"]), joined(["a", "b"]), joined(["a", "b", "c"]), joined("abcd", most=2)
    ('a', 'a and b', 'a, b and c', 'a, b and 2 others')
    """
    listed = some(names, most)
    if len(listed) < 2:
        return "".join(listed)
    return f"{', '.join(listed[:-1])} {word} {listed[-1]}"


def some(names: Sequence[str], most: int) -> list[str]:
    """Names for reading; the rest of very many as a number."""
    listed = [printable(name) for name in names]
    rest = len(listed) - most
    return [*listed[:most], f"{rest} others"] if rest > 1 else listed  # never "1 others"


Marked = tuple[tuple[str, bool], ...]  # texts, and whether each is a name of the lead


def marked(texts: Sequence[str], word: str) -> Marked:
    """Texts in a sentence, each of them marked."""
    parts: list[tuple[str, bool]] = []
    for i, text in enumerate(texts):
        if i:
            parts.append((f" {word} " if i == len(texts) - 1 else ", ", False))
        parts.append((text, True))
    return tuple(parts)


def plain(text: Marked) -> str:
    """Without the marks."""
    return "".join(part for part, _ in text)


def capital(text: str) -> str:
    """A text that begins a sentence; the rest stays as it is."""
    return text[:1].upper() + text[1:]


def sentence(text: str) -> str:
    """The text with a capital at its beginning and a full stop at its end."""
    return capital(text) + "." * (not text.endswith((".", "?", "!")))


def level(alpha: float) -> str:
    """The level of an interval, such as 95 %."""
    return f"{100 * (1 - alpha):g} %"


def is_are(count: int) -> str:
    """The verb for so many."""
    return "is" if count == 1 else "are"


def was_were(count: int) -> str:
    """The verb of the past for so many."""
    return "was" if count == 1 else "were"


def p_text(value: float) -> str:
    """A p-value in a sentence.

    >>> p_text(0.04567), p_text(1e-9)
    ('p = 0.046', 'p < 0.001')
    """
    text = p_value(value)
    return f"p < {text[1:]}" if text.startswith("<") else f"p = {text}"


def paired(pairs: Iterable[tuple[str, str]], most: int = 3) -> str:
    """The first of some pairs, by their names."""
    return ", ".join(f"{a} and {b}" if b else a for a, b in list(pairs)[:most])


# -- layers of names as text ----------------------------------------------------------------------
# Unicode, ASCII and LaTeX. Rooms that read orders take it back.
#
# Letters, digits and a few signs (`BARE`) make a name that stands for itself; every other name
# is put in double quotes, with a backslash before a quote or a backslash, and escapes such as
# `\n` and `\u00a0` for what does not show.


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
