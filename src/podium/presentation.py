"""Results that print, show and export themselves: one base for all types of them.

A type says what its lines, tables and notes are; text, HTML, JSON, CSV, Markdown and LaTeX follow.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

import pandas as pd

from podium.errors import ExecutionError
from podium.facts import Note
from podium.formatting import (
    columns,
    latex,
    latex_table,
    markdown,
    markdown_table,
    number,
    p_value,
    printable,
)
from podium.wording.notes import say

Titled = Mapping[str, pd.DataFrame]  # tables below their titles
MOST = 60  # rows of a table that are shown


class Presented:
    """A result: lines that say what it is, tables below their titles, and notes."""

    notes: Sequence[Note] = ()

    def _said(self) -> Sequence[str]:
        """The lines above the tables; the first is the heading."""
        return [type(self).__name__]

    def _tables(self) -> Titled:
        """The tables, for people and for export; the first is what CSV and LaTeX hold."""
        return {}

    def _facts(self) -> Mapping[str, Any]:
        """What JSON holds, before it is made plain."""
        return {**self._tables(), "warnings": list(self.notes)}

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain values; no NaN."""
        return dict(plain(self._facts()))

    def to_json(self, path: str | Path | None = None) -> str:
        """The object as JSON text, also written to `path` where one is given."""
        return written(json.dumps(self.to_dict(), indent=2, ensure_ascii=False) + "\n", path)

    def to_csv(self, path: str | Path | None = None) -> str:
        """The first table as CSV."""
        table = next(iter(self._tables().values()), pd.DataFrame())
        return written(table.to_csv(index=False, lineterminator="\n"), path)

    def to_markdown(self, path: str | Path | None = None) -> str:
        """The lines, tables and notes as Markdown."""
        head, *rest = (markdown(line) for line in self._said())
        parts = [
            f"{markdown(title)}\n\n{_markdown(table)}" for title, table in _titled(self._tables())
        ]
        notes = [markdown(noted(note)) for note in self.notes]
        return written("\n\n".join([head, *rest, *parts, *notes]) + "\n", path)

    def to_latex(self, path: str | Path | None = None) -> str:
        """The first table as LaTeX (it needs booktabs); the caption is the heading."""
        table = _cells(next(iter(self._tables().values()), pd.DataFrame()))
        texts = _texts(next(iter(self._tables().values()), pd.DataFrame()))
        cells = {str(name): list(column) for name, column in table.items()}
        return written(latex_table(cells, texts, caption=latex(self._said()[0])), path)

    def __repr__(self) -> str:
        return text(self._said(), self._tables(), self.notes)

    def _repr_html_(self) -> str:
        return html(self._said(), self._tables(), self.notes)


def text(said: Sequence[str], tables: Titled, notes: Sequence[Note]) -> str:
    """For terminals: what is said first, line by line, then tables and notes."""
    parts = [f"{title}\n{_columns(table.head(MOST))}" for title, table in _titled(tables)]
    return "\n".join([*map(printable, said), *parts, *map(noted, notes)])


def html(said: Sequence[str], tables: Titled, notes: Sequence[Note]) -> str:
    """For notebooks."""
    head, *rest = map(escape, said)
    parts = [
        f"<p>{escape(title)}</p>{_cells(table.head(MOST)).to_html(index=False)}"
        for title, table in _titled(tables)
    ]
    lines = [f"<p>{line}</p>" for line in rest]
    told = [f"<p>{escape(noted(note))}</p>" for note in notes]
    return "".join([f"<p><b>{head}</b></p>", *lines, *parts, *told])


def noted(note: Note) -> str:
    """A note in a line of its own, with its code."""
    return f"Note ({note.code}): {printable(say(note))}"


def plain(value: Any) -> Any:
    """Plain Python values, for JSON; what is not finite becomes null, a table its rows."""
    if isinstance(value, pd.DataFrame):
        return [plain(row) for row in value.to_dict("records")]
    if isinstance(value, Note):
        return {"code": value.code, "text": say(value)}
    if isinstance(value, Presented):
        return value.to_dict()
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return plain(value._asdict())
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if hasattr(value, "item"):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value


def written(text: str, path: str | Path | None) -> str:
    """The text, also written to `path` where one is given."""
    if path is not None:
        try:
            Path(path).write_text(text, encoding="utf-8")
        except OSError as error:
            reason = error.strerror or error
            raise ExecutionError(f"'{path}' cannot be written: {reason}.") from None
    return text


def _titled(tables: Titled) -> list[tuple[str, pd.DataFrame]]:
    """Tables that have rows; the title says how many of them are not shown."""
    return [
        (f"{title} ({len(table) - MOST} more rows):" if len(table) > MOST else f"{title}:", table)
        for title, table in tables.items()
        if len(table)
    ]


def _cells(table: pd.DataFrame) -> pd.DataFrame:
    return pd.DataFrame({str(name): _shown(str(name), values) for name, values in table.items()})


def _shown(name: str, values: pd.Series) -> list[str]:
    """A column as texts; those whose name begins with p are p-values."""
    write = p_value if name.split("_")[0] == "p" else number
    return [printable(v) if isinstance(v, str) else write(v) for v in values]


def _texts(table: pd.DataFrame) -> list[str]:
    """The columns that are no numbers."""
    return [str(name) for name, values in table.items() if any(isinstance(v, str) for v in values)]


def _columns(table: pd.DataFrame) -> str:
    return columns({str(n): list(c) for n, c in _cells(table).items()}, _texts(table))


def _markdown(table: pd.DataFrame) -> str:
    return markdown_table({str(n): list(c) for n, c in _cells(table).items()}, _texts(table))
