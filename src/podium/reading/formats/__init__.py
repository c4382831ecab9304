"""One record per file format: how it is recognised and how it is read.

`record` says what a format is; a source goes through `reading`:

    source ──recognises──▶ Format ──read──▶ Results
                                      └───▶ LongTable ──▶ Sheet ──▶ Results

Formats stand in files of their own, each with its record: Podium's stores and tables, and those of
other tools by family (`lm_eval`, `boards`, `timings`, `trackers` ...). What these share is in
`opening` (files, bounded and inert), `gathering` (names, rows, curves) and `tool_tables`.
"""

# in this order formats are registered, listed and asked
# isort: off
from podium.reading.formats.tools import automl
from podium.reading.formats import battles
from podium.reading.formats.tools import boards
from podium.reading.formats import exchange
from podium.reading.formats.tools import inspect_logs, learners, lm_eval
from podium.reading.formats import mappings
from podium.reading.formats.tools import optimizers
from podium.reading.formats import records, stores
from podium.reading.formats.tools import submissions
from podium.reading.formats import tables
from podium.reading.formats.tools import tensorboard, timings, trackers, training_curves

# isort: on
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
    "automl",
    "battles",
    "beginning",
    "boards",
    "exchange",
    "inspect_logs",
    "learners",
    "lm_eval",
    "mappings",
    "optimizers",
    "read",
    "records",
    "stores",
    "submissions",
    "tables",
    "tensorboard",
    "text_sample",
    "timings",
    "trackers",
    "training_curves",
]
