"""Voices, and the registry of what is said of each note.

A code that nobody has words for is told by its facts, so that an extension's note never fails.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from podium.words.facts import Note

Words = Callable[[Note], str]


class Voice(Enum):
    """Who is spoken to."""

    TERMINAL = "terminal"
    PAGE = "page"
    PAPER = "paper"


TERMINAL, PAGE, PAPER = Voice


@dataclass(frozen=True)
class NoteWords:
    """What is said of a note; `paper` is what the methods of a paper say of it, if they do."""

    words: Words
    facts: frozenset[str] = frozenset()  # that the note must have
    paper: Words | None = None
    in_methods: bool = False  # the methods of a paper, or its target, say it already


NOTES: dict[str, list[NoteWords]] = {}
ANY = "*"  # the code under which words stand that are chosen by facts alone


def words(
    code: str,
    *facts: str,
    paper: Words | None = None,
    in_paper: bool = False,
    in_methods: bool = False,
) -> Callable[[Words], Words]:
    """A decorator: what it decorates says a note of this code (that has these facts).

    `paper` says it for a paper's methods; with `in_paper` these are the same words.
    """

    def registered(of: Words) -> Words:
        for_paper = paper or (of if in_paper else None)
        NOTES.setdefault(code, []).append(NoteWords(of, frozenset(facts), for_paper, in_methods))
        return of

    return registered


def words_of(note: Note) -> NoteWords | None:
    """The words for a note: those that were made for most of its facts."""
    every = (*NOTES.get(note.code, ()), *NOTES.get(ANY, ()))
    known = [w for w in every if w.facts <= note.facts.keys()]
    return max(known, key=lambda w: len(w.facts), default=None)


def say(note: Note, voice: Voice = TERMINAL) -> str:
    """A note as a sentence.

    >>> say(Note("own-code", rows=3, of="iris"))
    'own code: rows 3, of iris.'
    """
    known = words_of(note)
    if known is None:
        return _general(note)
    return (known.paper if voice is PAPER and known.paper else known.words)(note)


def _general(note: Note) -> str:
    facts = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in note.facts.items())
    return f"{note.code.replace('-', ' ')}{': ' * bool(facts)}{facts}."
