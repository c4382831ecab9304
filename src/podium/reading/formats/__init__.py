"""One record per file format: how it is recognised and how it is read.

`record` says what a format is; a source goes through `reading`:

    source ──recognises──▶ Format ──read──▶ Results
                                      └───▶ LongTable ──▶ Sheet ──▶ Results

Formats stand in files of their own, each with its record: Podium's stores and tables, and those of
other tools by family (`lm_eval`, `boards`, `timings`, `trackers` ...). What these share is in
`opening` (files, bounded and inert), `gathering` (names, rows, curves) and `tool_tables`.
"""

from podium.reading.formats.reading import read
from podium.reading.formats.record import (
    FORMATS,
    Format,
    LongTable,
    Sample,
    Source,
    beginning,
    text_sample,
)

__all__ = [
    "FORMATS",
    "Format",
    "LongTable",
    "Sample",
    "Source",
    "beginning",
    "read",
    "text_sample",
]
