"""Results that print, show and export themselves, with their notes as sentences: one base for all.

A type says what its lines, tables and notes are; text, HTML, JSON, CSV, Markdown and LaTeX follow.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import pandas as pd

from podium.core.base import rooms
from podium.core.base.formatting import (
    columns,
    ended,
    keep_sure_digits,
    latex,
    latex_table,
    markdown,
    markdown_table,
    number,
    p_value,
    printable,
)
from podium.core.base.writing import write_text
from podium.core.words.facts import NOT_PLANNED, Note, say

__all__ = ["say"]  # of all words, which the last line loads

Titled = Mapping[str, pd.DataFrame]  # tables below their titles
MOST = 60  # rows of a table that are shown


@dataclass(frozen=True)
class Texts:
    """A table as people read it: columns of texts; those in `left` are no numbers."""

    columns: Mapping[str, Sequence[str]]
    left: Sequence[str]
    more: int = 0  # rows that are not shown

    def titled(self, title: str) -> str:
        """The title, with how many rows are not shown; a table may have none."""
        if not title:
            return ""
        return f"{title} ({self.more} more rows):" if self.more else f"{title}:"


class Presented:
    """A result: lines that say what it is, tables below their titles, and notes."""

    notes: Sequence[Note] = ()

    def _lines_above(self) -> Sequence[str]:
        """The lines above the tables; the first is the heading."""
        return [type(self).__name__]

    def _tables(self) -> Titled:
        """The tables, below their titles; the first is what CSV and LaTeX hold."""
        return {}

    def _texts(self, most: int = MOST) -> Mapping[str, Texts]:
        """The same as texts, without those that have no rows."""
        return {title: texts_of(t, most) for title, t in self._tables().items() if len(t)}

    def _facts(self) -> Mapping[str, Any]:
        """What JSON holds, before it is made plain."""
        return {**self._tables(), "warnings": list(self.notes)}

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain values; no NaN. What was planned does not have `exploratory`."""
        mark = {"exploratory": True} if self._marks() else {}
        return mark | dict(plain(self._facts()))

    def to_json(self, path: str | Path | None = None) -> str:
        """The object as JSON text, also written to `path` where one is given."""
        return written(write_as_json(self.to_dict()) + "\n", path)

    def to_csv(self, path: str | Path | None = None) -> str:
        """The first table as CSV."""
        table = next(iter(self._tables().values()), pd.DataFrame())
        return written(write_as_csv(table), path)

    def to_markdown(self, path: str | Path | None = None) -> str:
        """The heading, the tables, what else is said and the notes, as Markdown."""
        head, *rest = self.above
        tables = [
            part
            for title, texts in self._texts().items()
            for part in (markdown(texts.titled(title)), markdown_table(texts.columns, texts.left))
        ]
        messages = [*rest, *map(noted, self.below)]
        lines = [markdown(ended(head)), *tables, *map(markdown, messages)]
        return written("\n\n".join(filter(None, lines)) + "\n", path)

    def to_latex(self, path: str | Path | None = None) -> str:
        """The first table as LaTeX (it needs booktabs); the caption is what is said above it."""
        texts = next(iter(self._texts(most=sys.maxsize).values()), Texts({}, ()))
        caption = " ".join(latex(ended(line)) for line in self.above)
        return written(latex_table(texts.columns, texts.left, caption), path)

    def __repr__(self) -> str:
        return as_text(self.above, self._texts(), self.below)

    def _repr_html_(self) -> str:
        drawn = IN_NOTEBOOKS.get(type(self))
        return drawn(self) if drawn else as_html(self.above, self._texts(), self.below)

    def _marks(self) -> list[Note]:
        """That it was not planned, which is said before all else."""
        return [note for note in self.notes if note.code == NOT_PLANNED]

    @property
    def below(self) -> list[Note]:
        """The notes below the tables."""
        return [note for note in self.notes if note.code != NOT_PLANNED]

    @property
    def above(self) -> list[str]:
        """The lines above the tables, with the mark of what was not planned."""
        return [*map(say, self._marks()), *self._lines_above()]


# types that notebooks show by a picture, which is made above the type itself
IN_NOTEBOOKS: dict[type, Callable[[Any], str]] = {}


def as_text(phrases: Sequence[str], tables: Mapping[str, Texts], notes: Sequence[Note]) -> str:
    """For terminals: what is said first, line by line, then tables and notes."""
    parts = [
        part
        for title, texts in tables.items()
        for part in (texts.titled(title), columns(texts.columns, texts.left))
    ]
    return "\n".join([*map(printable, phrases), *filter(None, parts), *map(noted, notes)])


def as_html(phrases: Sequence[str], tables: Mapping[str, Texts], notes: Sequence[Note]) -> str:
    """For notebooks."""
    head, *rest = map(escape, phrases)
    parts = [
        (f"<p>{escape(texts.titled(title))}</p>" if title else "")
        + pd.DataFrame(texts.columns).to_html(index=False)
        for title, texts in tables.items()
    ]
    lines = [f"<p>{line}</p>" for line in rest]
    messages = [f"<p>{escape(noted(note))}</p>" for note in notes]
    return "".join([f"<p><b>{head}</b></p>", *lines, *parts, *messages])


def text(texts: Sequence[str], tables: Titled, notes: Sequence[Note]) -> str:
    """For terminals, of tables of values."""
    return as_text(texts, {k: texts_of(t) for k, t in tables.items() if len(t)}, notes)


def html(texts: Sequence[str], tables: Titled, notes: Sequence[Note]) -> str:
    """For notebooks, of tables of values."""
    return as_html(texts, {k: texts_of(t) for k, t in tables.items() if len(t)}, notes)


def texts_of(table: pd.DataFrame, most: int = MOST) -> Texts:
    """A table of values as texts; columns whose name begins or ends with p may be p-values."""
    shown = {str(name): _shown(str(name), values) for name, values in table.head(most).items()}
    left = [str(n) for n, values in table.items() if any(isinstance(v, str) for v in values)]
    return Texts(shown, left, max(len(table) - most, 0))


def _shown(name: str, values: pd.Series) -> list[str]:
    write = p_value if _are_p_values(name, values) else number
    return [printable(v) if isinstance(v, str) else write(v) for v in values]


def _are_p_values(name: str, values: pd.Series) -> bool:
    """Of a column p, p_adjusted or egger_p; p may also be the number of attributes."""
    parts = name.split("_")
    if "p" not in (parts[0], parts[-1]) or not pd.api.types.is_numeric_dtype(values):
        return False
    return bool(values.dropna().between(0, 1).all())


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


def write_as_json(content: Any, *, ascii_alone: bool = False) -> str:
    """Plain values as JSON; numbers have the digits that they have on every processor."""
    return json.dumps(_keep_sure(content), indent=2, ensure_ascii=ascii_alone)


def write_as_csv(table: pd.DataFrame) -> str:
    """A table of results as CSV; numbers as in JSON."""
    sure = table.copy(deep=False)
    for place in range(table.shape[1]):
        column = table.iloc[:, place]
        if pd.api.types.is_float_dtype(column) or column.dtype == object:
            sure.isetitem(place, column.map(_keep_sure))
    return str(sure.to_csv(index=False, lineterminator="\n"))


def _keep_sure(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _keep_sure(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_keep_sure(each) for each in value]
    return keep_sure_digits(value) if isinstance(value, float) else value


def written(text: str, path: str | Path | None) -> str:
    """The text, also written to `path` where one is given."""
    if path is not None:
        write_text(text, path)
    return text


rooms.load("words")
