"""Several tables with a heading and notes, as text, as HTML and as plain values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

import pandas as pd

from podium.comparisons import Note
from podium.comparisons import plain as plain  # for JSON
from podium.formatting import columns, number, p_value, printable

Titled = Mapping[str, pd.DataFrame]  # tables below their titles
MOST = 60  # rows of a table that are shown


def text(said: Sequence[str], tables: Titled, notes: Sequence[Note]) -> str:
    """For terminals: what is said first, line by line, then tables and notes."""
    parts = [f"{title}\n{_columns(table.head(MOST))}" for title, table in _titled(tables)]
    return "\n".join([*map(printable, said), *parts, *map(_sentence, notes)])


def html(said: Sequence[str], tables: Titled, notes: Sequence[Note]) -> str:
    """For notebooks."""
    head, *rest = map(escape, said)
    parts = [
        f"<p>{escape(title)}</p>{_cells(table.head(MOST)).to_html(index=False)}"
        for title, table in _titled(tables)
    ]
    lines = [f"<p>{line}</p>" for line in rest]
    return "".join([f"<p><b>{head}</b></p>", *lines, *parts, *(_paragraph(n) for n in notes)])


def listed(names: Sequence[str], most: int = 20) -> str:
    """Names in a sentence; the last of very many as a number."""
    more = len(names) - most
    shown = ", ".join(names[:most])
    return f"{shown} and {more} more" if more > 0 else shown


def _titled(tables: Titled) -> list[tuple[str, pd.DataFrame]]:
    """Tables that have rows; the title says how many of them are not shown."""
    return [
        (f"{title} ({len(table) - MOST} more rows):" if len(table) > MOST else f"{title}:", table)
        for title, table in tables.items()
        if len(table)
    ]


def _sentence(note: Note) -> str:
    return f"Note ({note.code}): {printable(note.text)}"


def _paragraph(note: Note) -> str:
    return f"<p>{escape(_sentence(note))}</p>"


def _cells(table: pd.DataFrame) -> pd.DataFrame:
    shown = {str(name): _shown(str(name), values) for name, values in table.items()}
    return pd.DataFrame(shown)


def _shown(name: str, values: pd.Series) -> list[str]:
    """A column as texts; those whose name begins with p are p-values."""
    write = p_value if name.split("_")[0] == "p" else number
    return [printable(v) if isinstance(v, str) else write(v) for v in values]


def _columns(table: pd.DataFrame) -> str:
    texts = [str(name) for name, values in table.items() if _is_text(values)]
    return columns({str(n): list(c) for n, c in _cells(table).items()}, texts)


def _is_text(values: pd.Series) -> bool:
    return any(isinstance(value, str) for value in values)
