"""Notes as sentences: for each code what is said of its facts, by voice.

A code that nobody has words for is told by its facts, so that an extension's note never fails.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from podium.facts import Note

Words = Callable[[Note], str]


class Voice(Enum):
    """Who is spoken to."""

    TERMINAL = "terminal"
    PAGE = "page"
    PAPER = "paper"


TERMINAL, PAGE, PAPER = Voice


@dataclass(frozen=True)
class NoteWords:
    """What is said of a note; `paper` is empty where a paper says it as the others do."""

    words: Words
    paper: Words | None = None
    in_methods: bool = False  # the methods of a paper, or its target, say it already


NOTES: dict[str, NoteWords] = {}


def words(
    code: str, *, paper: Words | None = None, in_methods: bool = False
) -> Callable[[Words], Words]:
    """A decorator: what it decorates says a note of this code.

    Where one code covers several sentences, its notes have the fact `kind`, and their words stand
    under that.
    """

    def registered(of: Words) -> Words:
        if code in NOTES:
            raise ValueError(f"The note '{code}' has words already.")
        NOTES[code] = NoteWords(of, paper, in_methods)
        return of

    return registered


def say(note: Note, voice: Voice = TERMINAL) -> str:
    """A note as a sentence.

    >>> say(Note("own-code", rows=3, of="iris"))
    'own code: rows 3, of iris.'
    """
    if "text" in note.facts:
        return str(note.facts["text"])
    known = NOTES.get(note.facts.get("kind", note.code))
    if known is None:
        return _general(note)
    return (known.paper if voice is PAPER and known.paper else known.words)(note)


def _general(note: Note) -> str:
    facts = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in note.facts.items())
    return f"{note.code.replace('-', ' ')}{': ' * bool(facts)}{facts}."
