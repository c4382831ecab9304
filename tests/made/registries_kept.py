"""What a test registers is gone after it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from podium.base.options import OPTIONS
from podium.design.measuring.outputs import LOSSES, SCORES
from podium.design.samples import sampler as _drawers  # noqa: F401  so that they are registered before
from podium.design.samples.drawing import DRAWINGS
from podium.inference.comparing.known import PROCEDURES
from podium.plots import PLOTS
from podium.questions import measures
from podium.reading.formats import FORMATS
from podium.reports.document import HEROES, SECTIONS
from podium.samplings import KINDS
from podium.words.facts import NOTES


@contextmanager
def kept() -> Iterator[None]:
    """All registries as they were, whatever happens within."""
    every = (KINDS, DRAWINGS, measures.KNOWN, LOSSES, SCORES, PROCEDURES, PLOTS)
    tables = (*every, FORMATS._known, SECTIONS, HEROES)
    before = [(table, dict(table)) for table in tables]
    options = dict(OPTIONS)
    notes = {code: list(every) for code, every in NOTES.items()}
    try:
        yield
    finally:
        for table, entries in before:
            table._entries.clear()
            table._entries.update(entries)
        OPTIONS.clear()
        OPTIONS.update(options)
        NOTES.clear()
        NOTES.update(notes)
