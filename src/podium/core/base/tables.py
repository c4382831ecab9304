"""Every table's columns, types and key, written once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from podium.core.base.errors import ResultsError


@dataclass(frozen=True)
class Table:
    """The shape of a table: its columns with their types, and the columns that identify a row."""

    name: str
    columns: Mapping[str, str]  # name -> text | whole | number
    key: tuple[str, ...]

    def shaped(self, frame: pd.DataFrame) -> pd.DataFrame:
        """The frame with just the table's columns, in their order."""
        return frame[list(self.columns)]

    def empty(self) -> pd.DataFrame:
        """The table without rows."""
        types = {"text": object, "whole": np.int64, "number": float}
        return pd.DataFrame({c: np.empty(0, types[t]) for c, t in self.columns.items()})

    def checked(self, frame: pd.DataFrame, what: str) -> pd.DataFrame:
        """The frame with its columns in place and of the right types, or one clear sentence."""
        gone = [c for c in self.columns if c not in frame.columns]
        if gone:
            raise ResultsError(
                f"{what} lacks the column{'s' * (len(gone) > 1)} {', '.join(gone)}; "
                f"it needs {', '.join(self.columns)}."
            )
        frame = self.shaped(frame).copy()
        for column, kind in self.columns.items():
            frame[column] = _typed(frame[column], kind, f"{what}, column '{column}'")
        return frame


def _typed(column: pd.Series, kind: str, what: str) -> pd.Series:
    if kind == "text":
        if column.isna().any():
            raise ResultsError(f"{what} has an empty cell, where a name is needed.")
        return column.astype(str)
    numbers = pd.to_numeric(column, errors="coerce")
    if kind == "whole":
        fits = (numbers % 1 == 0) & (numbers.abs() < 2.0**63)
    else:
        fits = numbers.notna() | column.isna()
    if not fits.all():
        noun = "whole number" if kind == "whole" else "number"
        raise ResultsError(f"{what} holds {column[~fits].tolist()[0]!r}, which is no {noun}.")
    return numbers.astype(np.int64 if kind == "whole" else float)


SCORES = Table(
    "scores",
    {
        "dataset": "text",
        "algorithm": "text",
        "sample": "whole",
        "measure": "text",
        "value": "number",
    },
    ("dataset", "algorithm", "sample", "measure"),
)
RUNS = Table(
    "runs",
    {
        "dataset": "text",
        "algorithm": "text",
        "sample": "whole",
        "status": "text",
        "fit_time": "number",
        "predict_time": "number",
        "warnings": "whole",
        "finished": "text",
        "session": "whole",
    },
    ("dataset", "algorithm", "sample"),
)
HALVINGS = Table(
    "halvings",
    {
        "dataset": "text",
        "algorithm": "text",
        "halving": "whole",
        "side": "whole",
        "fold": "whole",
        "measure": "text",
        "value": "number",
    },
    ("dataset", "algorithm", "halving", "side", "fold", "measure"),
)
ANSWERS = Table(
    "answers",
    {
        "dataset": "text",
        "algorithm": "text",
        "sample": "whole",
        "measure": "text",
        "count": "whole",
        "variance": "number",
    },
    ("dataset", "algorithm", "sample", "measure"),
)
FAILURES = Table(
    "failures",
    {
        "dataset": "text",
        "algorithm": "text",
        "sample": "whole",
        "exception": "text",
        "message": "text",
        "traceback": "text",
    },
    ("dataset", "algorithm", "sample"),
)
WARNINGS = Table(
    "warnings",
    {
        "dataset": "text",
        "algorithm": "text",
        "sample": "whole",
        "category": "text",
        "message": "text",
        "count": "whole",
    },
    ("dataset", "algorithm", "sample", "category", "message"),
)
FITS = Table(  # what runs note of their fits
    "fits",
    {"dataset": "text", "algorithm": "text", "sample": "whole", "note": "text"},
    ("dataset", "algorithm", "sample"),
)
INDICES = Table(
    "indices",
    {
        "sampling": "text",
        "dataset": "text",
        "rows": "whole",
        "sample": "whole",
        "split": "whole",
        "part": "text",
        "row": "whole",
    },
    ("dataset", "sample", "split", "part", "row"),
)
SUMMARY = Table(
    "summary",
    {
        "dataset": "text",
        "algorithm": "text",
        "measure": "text",
        "samples": "whole",
        "mean": "number",
        "sd": "number",
        "median": "number",
        "maximum": "number",
        "failures": "whole",
        "missing": "whole",
    },
    ("dataset", "algorithm", "measure"),
)
