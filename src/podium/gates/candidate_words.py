"""What is said of several candidates: which of them can ship, and how each was judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from podium.base.formatting import printable
from podium.gates import decisions as of_one
from podium.gates.decisions import NO, Decision
from podium.words.facts import Note
from podium.words.phrases import joined
from podium.words.saying import say

MOST_NAMED = 4  # candidates, in a sentence


class Told(Protocol):
    """What words need of several candidates."""

    @property
    def decisions(self) -> Mapping[str, Decision]:
        """Each by its name."""

    @property
    def ships(self) -> list[str]:
        """Those that can."""

    @property
    def verdict(self) -> str:
        """Of all together."""

    @property
    def alpha(self) -> float:
        """Of all together."""

    @property
    def level(self) -> float:
        """Of each."""

    @property
    def notes(self) -> Sequence[Note]:
        """Of all."""


def headline(c: Told) -> str:
    """Which of them can ship, and why where it is one."""
    ships, count = c.ships, len(c.decisions)
    if len(ships) == 1:
        return of_one.headline(c.decisions[ships[0]].told, ships[0])
    names = [printable(name) for name in ships]
    if names:
        return f"{len(names)} of {count} candidates can ship: {joined(names, MOST_NAMED)}."
    if c.verdict == NO:
        return f"No: each of the {count} candidates is shown to be worse than it may be."
    return f"Not yet: none of the {count} candidates is shown to be good enough."


def each(c: Told) -> list[str]:
    """Every candidate in a sentence, less the one that the headline tells of."""
    told = c.ships if len(c.ships) == 1 else []
    return [of_one.headline(d.told, name) for name, d in c.decisions.items() if name not in told]


def details(c: Told) -> list[str]:
    """How they were judged."""
    count = len(c.decisions)
    return [
        f"Each of the {count} candidates is judged at {100 * c.level:.3g} % ({100 * c.alpha:.3g} % "
        f"over {count}, Bonferroni), and so are its limits: the chance to ship any that must not "
        f"is at most {100 * c.alpha:.3g} %.",
        *of_one.details(next(iter(c.decisions.values())).told),
    ]


def own_notes(c: Told) -> list[Note]:
    """What must be known of one of them and not of all."""
    shared = {*map(say, c.notes)}
    return [
        Note(note.code, note.severity, note=note, candidate=name)
        for name, each in c.decisions.items()
        for note in each.notes
        if say(note) not in shared
    ]


def in_short(c: Told) -> str:
    """The same for a comment."""
    return f"Each judged one-sided at {100 * c.level:.3g} %, {100 * c.alpha:.3g} % in all."
