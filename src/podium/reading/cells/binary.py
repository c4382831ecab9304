"""Cells of bytes, as columns of Parquet and SQLite files hold them."""

from __future__ import annotations

from typing import Any

import pandas as pd


def decode_bytes(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with bytes as text, which columns of binary files may hold.

    What is no UTF-8 is written as escapes, so that different bytes stay different.
    """
    of_bytes = [str(name) for name, column in frame.items() if _has_bytes(column)]
    return frame.assign(**{name: frame[name].map(_decode) for name in of_bytes})


def _has_bytes(column: pd.Series) -> bool:
    values = column.cat.categories if isinstance(column.dtype, pd.CategoricalDtype) else column
    return values.dtype == object and any(isinstance(value, bytes) for value in values)


def _decode(cell: Any) -> Any:
    return cell.decode("utf-8", "backslashreplace") if isinstance(cell, bytes) else cell
