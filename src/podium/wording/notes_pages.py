"""Words of the notes on what a page could not show."""

from __future__ import annotations

from podium.facts import Note
from podium.wording.voices import words


@words("could-not-be-made")
def _refused(note: Note) -> str:
    return str(note.reason)


@words("no-blocks-to-redraw")
def _no_blocks(note: Note) -> str:
    return "There is no order of several algorithms whose blocks could be drawn anew."


@words("forced-not-redrawn")
def _forced(note: Note) -> str:
    return "The comparison is not legal for this design: drawing blocks anew does not mend that."


@words("one-data-set")
def _one(note: Note) -> str:
    return "There is one data set."


@words("nothing-compared")
def _nothing(note: Note) -> str:
    return "No measure could be compared."


@words("not-of-single-samples")
def _no_samples(note: Note) -> str:
    return f"'{note.measure}' is no measure of single samples."
