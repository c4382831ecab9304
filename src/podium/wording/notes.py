"""Notes as sentences: for each code what is said of its facts, by voice.

A code that nobody has words for is told by its facts, so that an extension's note never fails.
"""

from __future__ import annotations

from podium.facts import Note
from podium.wording import (  # noqa: F401  their words register themselves
    notes_orders,
    notes_pages,
    notes_planning,
    notes_results,
    notes_stability,
    notes_surveys,
    notes_tests,
)
from podium.wording.voices import PAPER, TERMINAL, Voice, words_of


def say(note: Note, voice: Voice = TERMINAL) -> str:
    """A note as a sentence.

    >>> say(Note("own-code", rows=3, of="iris"))
    'own code: rows 3, of iris.'
    """
    if "text" in note.facts:
        return str(note.facts["text"])
    known = words_of(note)
    if known is None:
        return _general(note)
    return (known.paper if voice is PAPER and known.paper else known.words)(note)


def _general(note: Note) -> str:
    facts = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in note.facts.items())
    return f"{note.code.replace('-', ' ')}{': ' * bool(facts)}{facts}."
