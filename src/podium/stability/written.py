"""Several tables with a heading and notes, as text, as HTML and as plain values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import pandas as pd

from podium.comparisons import Note
from podium.shown import columns, number

Titled = Mapping[str, pd.DataFrame]  # tables below their titles


def text(heading: str, tables: Titled, notes: Sequence[Note]) -> str:
    """For terminals."""
    parts = [f"{title}\n{_columns(table)}" for title, table in tables.items()]
    return "\n".join([heading, *parts, *map(sentence, notes)])


def html(heading: str, tables: Titled, notes: Sequence[Note]) -> str:
    """For notebooks."""
    parts = [
        f"<p>{escape(title)}</p>{cells(table).to_html(index=False)}"
        for title, table in tables.items()
    ]
    said = [f"<p>{escape(sentence(note))}</p>" for note in notes]
    return "".join([f"<p><b>{escape(heading)}</b></p>", *parts, *said])


def sentence(note: Note) -> str:
    """A note as people read it."""
    return f"Note ({note.code}): {note.text}"


def cells(table: pd.DataFrame) -> pd.DataFrame:
    """A table as texts."""
    return table.map(lambda value: value if isinstance(value, str) else number(value))


def records(table: pd.DataFrame) -> list[dict[str, Any]]:
    """The rows as plain values; what is missing becomes null."""
    rows = table.astype(object).where(table.notna(), None)
    return [{str(name): value for name, value in row.items()} for row in rows.to_dict("records")]


def _columns(table: pd.DataFrame) -> str:
    left = [str(name) for name, values in table.items() if _is_text(values)]
    return columns({str(name): list(column) for name, column in cells(table).items()}, left)


def _is_text(values: pd.Series) -> bool:
    return any(isinstance(value, str) for value in values)
