"""Facts that travel: what a reader must know besides the numbers, without a word of English.

`wording/` makes sentences of them, last of all; no layer takes a sentence apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from types import MappingProxyType
from typing import Any


class Severity(IntEnum):
    """How much a note matters to who reads nothing else."""

    DETAIL = 0  # how it was done: told where the tests are
    CAUTION = 1  # what limits a conclusion: told before all else
    INVALID = 2  # nothing may be concluded


DETAIL, CAUTION, INVALID = Severity


class Note:
    """What a reader must know: a stable code, how much it matters, and facts by name.

    >>> Note("few-data-sets", datasets=6).datasets
    6
    """

    __slots__ = ("code", "facts", "severity")

    code: str
    severity: Severity
    facts: Mapping[str, Any]

    def __init__(self, code: str, severity: Severity = CAUTION, /, **facts: Any) -> None:
        object.__setattr__(self, "code", code)
        object.__setattr__(self, "severity", severity)
        object.__setattr__(self, "facts", MappingProxyType(facts))

    def __getattr__(self, name: str) -> Any:
        try:
            return self.facts[name]
        except KeyError:
            raise AttributeError(f"The note '{self.code}' has no fact '{name}'.") from None

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("A note does not change.")

    def __reduce__(self) -> tuple[Any, ...]:
        return _made, (self.code, self.severity, dict(self.facts))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Note) and self.__reduce__() == other.__reduce__()

    def __hash__(self) -> int:
        return hash((self.code, self.severity, *self.facts.items()))

    def __repr__(self) -> str:
        facts = "".join(f", {name}={value!r}" for name, value in self.facts.items())
        return f"Note({self.code!r}, {self.severity.name}{facts})"


def _made(code: str, severity: Severity, facts: Mapping[str, Any]) -> Note:
    return Note(code, severity, **facts)
