"""What a test registers is gone after it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from podium.core.base.options import OPTIONS
from podium.core.inference.comparing.known import PROCEDURES
from podium.core.questions import measures
from podium.core.samplings import KINDS
from podium.core.words.facts import NOTES
from podium.reading.formats import FORMATS
from podium.running.design.measuring.outputs import LOSSES, SCORES
from podium.running.design.samples import sampler as _drawers  # noqa: F401  so that they are registered before
from podium.running.design.samples.drawing import DRAWINGS
from podium.showing.plots import PLOTS
from podium.showing.reports.document import HEROES, SECTIONS


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
