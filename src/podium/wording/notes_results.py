"""What is said of the notes that results carry."""

from __future__ import annotations

from podium.facts import Note
from podium.formatting import listed
from podium.wording.voices import words


@words("excluded")
def _excluded(note: Note) -> str:
    names = listed(note.datasets, len(note.datasets))
    return (
        f"Left out after the fact ({note.reason}): {names}. Claims hold for data sets that would "
        "have been kept; a choice that looked at scores biases them."
    )
