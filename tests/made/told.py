"""Notes as people read them, for assertions."""

from collections.abc import Iterable

from podium import Note
from podium.core.words.saying import say


def told(notes: Iterable[Note]) -> list[tuple[str, str]]:
    """Code and sentence of every note."""
    return [(note.code, say(note)) for note in notes]


def sentences(notes: Iterable[Note]) -> list[str]:
    """The sentences alone, as a plot writes them below itself."""
    return [say(note) for note in notes]
