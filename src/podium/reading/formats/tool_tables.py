"""Tables that a tool has written: recognised by their columns, read below each other."""

from __future__ import annotations

import numpy as np
import pandas as pd

from podium.base.errors import ResultsError
from podium.reading.formats.gathering import Mine


def has_columns(*names: str) -> Mine:
    """Whether a table (in a file or frame) has these columns."""
    return lambda source: {*names} <= {*source.columns}


def in_any(mine: Mine) -> Mine:
    """Whether one of the files, or the frame, is such a table."""
    return lambda source: any(map(mine, source.parts)) if source.paths else bool(mine(source))


def numbers(column: pd.Series, what: str) -> pd.Series:
    """A column of numbers, or an error that names the cell."""
    empty = column.isna() | column.astype(str).str.strip().str.lower().isin(
        ("", "nan", "na", "none")
    )
    result = pd.to_numeric(column.where(~empty), errors="coerce")
    odd = result.isna() & ~empty
    if odd.any():
        row = int(np.argmax(odd.to_numpy())) + 1
        raise ResultsError(
            f"{what}, column '{column.name}', row {row}: {column[odd].iloc[0]!r:.60} is no number. "
            "Correct it, or leave the cell empty."
        )
    return result.where(~np.isinf(result))
