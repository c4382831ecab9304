"""Spreadsheets that are not .xlsx: old .xls, binary .xlsb and OpenDocument .ods, by a package."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

from podium.base.errors import ResultsError
from podium.base.optional import require

OLD = b"\xd0\xcf\x11\xe0"  # how .xls begins, as all old documents of Office do
ZIPPED = b"PK\x03\x04"
INSIDE = (b"opendocument.spreadsheet", b"xl/workbook.bin")


def is_other_sheet(raw: bytes, _: str) -> bool:
    """Whether a file that begins so is such a spreadsheet."""
    return raw.startswith(OLD) or (raw.startswith(ZIPPED) and any(part in raw for part in INSIDE))


def other_sheets(raw: bytes, what: str) -> Iterator[tuple[str, list[list[str]]]]:
    """The names of its sheets and their rows, cells as texts."""
    package: Any = require(
        "python_calamine", extra="excel", purpose="Reading .xls, .xlsb and .ods files"
    )
    try:
        book = package.CalamineWorkbook.from_filelike(io.BytesIO(raw))
        results = [(name, book.get_sheet_by_name(name).to_python()) for name in book.sheet_names]
    except Exception as error:  # the package raises many kinds
        raise ResultsError(f"{what} cannot be read as a spreadsheet: {error!s:.120}.") from None
    for name, rows in results:
        yield name, [[_text(cell) for cell in row] for row in rows]


def _text(cell: Any) -> str:
    """A cell as it would be written; such files hold whole numbers as fractions."""
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)
