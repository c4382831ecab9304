"""The shape of what stands in a file: which keys a table has, and what their values may be.

Study files, boards and recipes are read through this one door. What does not fit is a `Fault`: the
place where it stands, and one sentence that says so.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from podium.core.base.options import is_number, is_whole
from podium.core.base.registry import did_you_mean, unknown

LONGEST = 60  # letters of a value that a sentence shows
Where = tuple[Any, ...]  # keys of tables and places in lists, from the outside in


@dataclass(frozen=True)
class Fault:
    """What does not fit, where it stands, and a sentence that says so."""

    where: Where
    says: str


@dataclass(frozen=True)
class Kind:
    """What a single value may be: its words stand behind 'must be'."""

    words: str
    fits: Callable[[Any], bool]

    def find_fault(self, value: Any, where: Where = ()) -> Fault | None:
        """What is wrong with a value; None where it fits."""
        if self.fits(value):
            return None
        return Fault(where, f"{_called(where)} must be {self.words}, not {shown_value(value)}.")


@dataclass(frozen=True)
class ListOf:
    """A list whose entries are of one kind, `least` of them or more."""

    kind: AnyKind
    words: str = "a list"
    least: int = 0

    def find_fault(self, value: Any, where: Where = ()) -> Fault | None:
        """What is wrong with a list, or with its first entry that does not fit."""
        several = Kind(self.words, lambda v: isinstance(v, list) and len(v) >= self.least)
        if fault := several.find_fault(value, where):
            return fault
        return _first(self.kind.find_fault(v, (*where, i)) for i, v in enumerate(value))


@dataclass(frozen=True)
class TableOf:
    """A table with any keys, whose values are of one kind."""

    kind: AnyKind
    words: str = "a table"

    def find_fault(self, value: Any, where: Where = ()) -> Fault | None:
        """What is wrong with a table, or with its first value that does not fit."""
        if fault := Kind(self.words, _is_table).find_fault(value, where):
            return fault
        return _first(self.kind.find_fault(v, (*where, k)) for k, v in value.items())


@dataclass(frozen=True)
class Shape:
    """A table with these keys and no others."""

    noun: str  # as in "a data set"
    keys: Mapping[str, AnyKind]
    required: Sequence[str] = field(default=())
    key_noun: str = ""  # what a key is, as in "role", where sentences call it so

    def find_fault(self, value: Any, where: Where = ()) -> Fault | None:
        """The first key that is not known, does not fit, or is lacking."""
        if fault := Kind("a table", _is_table).find_fault(value, where):
            return fault
        for key, inner in value.items():
            if key not in self.keys:
                return Fault((*where, key), self._describe_unknown(key))
            if fault := self.keys[key].find_fault(inner, (*where, key)):
                return fault
        lacking = next((key for key in self.required if key not in value), None)
        return None if lacking is None else Fault(where, f"{self.noun} needs '{lacking}'.")

    def _describe_unknown(self, key: str) -> str:
        if self.key_noun:
            return unknown(self.key_noun, key, self.keys)
        close = did_you_mean(key, self.keys)
        return f"{self.noun} has no key '{key}'.{close} Known: {', '.join(self.keys)}."


AnyKind = Kind | ListOf | TableOf | Shape


def _first(faults: Iterator[Fault | None]) -> Fault | None:
    return next((fault for fault in faults if fault is not None), None)


def _called(where: Where) -> str:
    """How a sentence calls a value: by its key; an entry of a list by the list and its number."""
    if where and isinstance(where[-1], int):
        return f"entry {where[-1] + 1} of {_called(where[:-1])}"
    return f"'{where[-1]}'" if where else "it"


def shown_value(value: Any) -> str:
    """A value as a sentence shows it, cut where it is long."""
    text = repr(value)
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


# -- kinds of values ------------------------------------------------------------------------------


def _is_table(value: Any) -> bool:
    return isinstance(value, dict)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(v, str) for v in value)


TEXT = Kind("a text", _is_text)
WHOLE = Kind("a whole number", is_whole)
NUMBER = Kind("a number", lambda v: is_number(v) and math.isfinite(v))
TRUTH = Kind("true or false", lambda v: isinstance(v, bool))
TABLE = Kind("a table", _is_table)
TEXTS = Kind("a list of texts", _are_texts)
NUMBERS = Kind("a list of numbers", lambda v: isinstance(v, list) and all(map(is_number, v)))
TRUTH_OR_NAME = Kind("true, false or a name", lambda v: isinstance(v, (bool, str)))
TEXT_OR_NUMBER = Kind("a text or number", lambda v: isinstance(v, (str, int, float)))


def name_tables(name: str) -> Kind:
    """The kind of one table or more under a heading such as [[datasets]]."""
    return Kind(
        f"[[{name}]]",
        lambda v: isinstance(v, list) and bool(v) and all(map(_is_table, v)),
    )


def whole_from(least: int) -> Kind:
    """The kind of whole numbers that are not below the least."""
    return Kind(f"a whole number from {least}", lambda v: is_whole(v, least))


def one_of(*values: str) -> Kind:
    """The kind of texts that are one of these."""
    return Kind(f"one of {', '.join(values)}", lambda v: isinstance(v, str) and v in values)


# -- TOML -----------------------------------------------------------------------------------------


class NoToml(ValueError):
    """Why a text is not TOML; of a number that TOML does not know, where it stands."""

    def __init__(self, reason: str, where: Where = ()) -> None:
        super().__init__(reason)
        self.where = where


def parse_toml(text: str) -> dict[str, Any]:
    """The tables of a TOML text, with whole numbers of at most 64 bits; else `NoToml`."""
    if _has_endless_key(text):
        raise NoToml(f"it has a key of more than {MOST_PARTS} parts")
    try:
        content = tomllib.loads(text)
    except ValueError as error:  # no TOML, or a number of thousands of digits
        raise NoToml(str(error)) from None
    except RecursionError:
        raise NoToml("it is nested too deeply") from None
    if where := _find_long_number(content, ()):
        raise NoToml(f"'{where[-1]}' holds a whole number of more than 64 bits", where)
    return content


MOST_PARTS = 100  # of a key such as a.b.c, for which the parser takes the square of the time
# texts, remarks, bare parts, single signs; a text that is not closed goes on to its end, so that no
# letter is looked at twice
_PIECES = re.compile(
    r"""[\"]{3}(?:[^\\]|\\.)*?(?:[\"]{3}|\Z)|'{3}.*?(?:'{3}|\Z)"""
    r"""|\"(?:[^\"\\\n]|\\[^\n])*\"?|'[^'\n]*'?"""
    r"""|\#[^\n]*|[^\s\"'\#.=,\[\]{}]+|[^ \t]""",
    re.DOTALL,
)


def _has_endless_key(text: str) -> bool:
    if not any(line.count(".") > MOST_PARTS for line in text.split("\n")):
        return False
    parts, is_joined = 0, False
    for piece in _PIECES.finditer(text):
        if piece[0] == ".":
            is_joined = True
            continue
        parts = parts + 1 if is_joined else 0
        is_joined = False
        if parts > MOST_PARTS:
            return True
    return False


def _find_long_number(value: Any, where: Where) -> Where | None:
    """Where a number stands that Python takes and TOML does not, which has no decimals."""
    if isinstance(value, (dict, list)):
        inside = value.items() if isinstance(value, dict) else enumerate(value)
        places = (_find_long_number(inner, (*where, key)) for key, inner in inside)
        return next((place for place in places if place is not None), None)
    is_long = isinstance(value, int) and not -(2**63) <= value < 2**63
    return where if is_long else None


# -- where the keys of a TOML text stand, so that a complaint can name their line ------------------

MOST_PARSED = 5_000_000  # letters, in which lines are looked for


def find_line(text: str, where: Where) -> int | None:
    """The line, from 1, of a key such as ("algorithms", 2, "estimator"); of its table else."""
    lines = key_lines(text)
    while where:
        if where in lines:
            return lines[where]
        where = where[:-1]
    return None


def key_lines(text: str) -> dict[Where, int]:
    """Where the tables and keys of a TOML text stand; the parser itself does not tell.

    Every header and every key with its value is TOML of its own, so the text is cut by parsing. Of
    a text with very long values the lines behind them are not told.
    """
    lines: dict[Where, int] = {}
    counts: dict[Where, int] = {}
    table: Where = ()
    piece, start, parsed = "", 1, 0
    for number, line in enumerate(text.split("\n"), 1):
        piece += line + "\n"
        parsed += len(piece)
        if parsed > MOST_PARSED:
            break
        try:
            content = tomllib.loads(piece)
        except (ValueError, RecursionError):
            continue  # a value that goes on in the next line
        if piece.lstrip().startswith("["):
            table = _header(content, counts)
            paths = [table[: i + 1] for i in range(len(table))]
        else:
            paths = [(*table, *path) for path in _paths(content)]
        for path in paths:
            lines.setdefault(path, start)
        piece, start = "", number + 1
    return lines


def _header(content: dict[str, Any], counts: dict[Where, int]) -> Where:
    """The place that a header names; tables of a list are counted from 0."""
    where: Where = ()
    while content:
        key, inner = next(iter(content.items()))
        where += (key,)
        if isinstance(inner, list):
            counts[where] = counts.get(where, -1) + 1
            inner = inner[0]
        where += (counts[where],) if where in counts else ()
        content = inner
    return where


def _paths(content: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    for key, value in content.items():
        yield (key,)
        if isinstance(value, dict):
            yield from ((key, *path) for path in _paths(value))
