"""One record per file format: how it is recognised and how it is read.

`record` says what a format is; a source goes through `reading`:

    source ──recognises──▶ Format ──read───▶ Results
                             │        └────▶ LongTable ──▶ Sheet ──▶ Results
                             └─loads───▶ record set ──roles inferred──▶ LongTable

Known tools are recipes (`recipes/shipped`); formats in code stand here: Podium's own, tables, and
in `tools/` what is binary or no path leads to. What these share is in `opening` (files, bounded
and inert) and `gathering` (names, rows, curves).
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
