"""Tables of any make as one frame: CSV and Parquet files, pandas, polars and pyarrow.

What the columns mean is not known here (`foreign.py`), only how to get at names and numbers, and
where in the table something is wrong. Rows are counted from 1 below the header.
"""

from __future__ import annotations

import csv
import gzip
import io
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import narwhals as nw
import numpy as np
import pandas as pd

from podium.errors import ResultsError
from podium.optional import require
from podium.results.vocabulary import role_of, way_out

MISSING = ("", "na", "n/a", "nan", "null", "none", "?")  # what a missing score looks like
TRUTHS = {"true": 1.0, "false": 0.0}
SEPARATORS = (",", ";", "\t")


class Coded(NamedTuple):
    """A column of names: the number of each row's name, and the names."""

    codes: np.ndarray
    names: list[str]

    def rows(self, chosen: np.ndarray) -> Coded:
        """Some rows, and the names that occur in them, in the order they had."""
        used, codes = np.unique(self.codes[chosen], return_inverse=True)
        return Coded(codes, [self.names[u] for u in used])


@dataclass(frozen=True)
class Tabular:
    """Somebody's table; its columns have different names, all text, `#1` where the first has none.

    `what` is how an error calls it. The cells of a CSV file are still text.
    """

    frame: pd.DataFrame
    what: str
    name: str = ""
    decimal_comma: bool = False
    known: dict[str, tuple[np.ndarray, np.ndarray]] = field(default_factory=dict, repr=False)

    @property
    def columns(self) -> list[str]:
        """The names of all columns."""
        return list(self.frame.columns)

    @property
    def row(self) -> np.ndarray:
        """The number of each row in the source."""
        return self.frame.index.to_numpy() + 1

    def _refuse(self, column: str, position: int, why: str) -> None:
        raise ResultsError(f"{self.what}, column '{column}', row {self.row[position]}: {why}")

    def numbers(self, column: str) -> np.ndarray:
        """A column of scores; empty cells and NA are NaN, true and false 1 and 0."""
        numbers, odd = self._parsed(column)
        if odd.any():
            first = int(np.argmax(odd))
            self._refuse(
                column,
                first,
                f"'{self.frame[column].iloc[first]}' is no number. Correct it, leave the cell "
                f"empty, or leave the column out: {way_out(ignore=column)}.",
            )
        if np.isinf(numbers).any():
            first = int(np.argmax(np.isinf(numbers)))
            self._refuse(
                column,
                first,
                f"the score is infinite ({self.frame[column].iloc[first]}). Correct it, or leave "
                "the cell empty where the score is missing.",
            )
        return numbers

    def is_numeric(self, column: str) -> bool:
        """Whether a column holds nothing but numbers and gaps, and not only gaps."""
        numbers, odd = self._parsed(column)
        return not odd.any() and not np.isnan(numbers).all()

    def is_label(self, column: str) -> bool:
        """Whether a column can hold names or counts: text or whole numbers."""
        numbers, odd = self._parsed(column)
        return bool(odd.any() or (np.isnan(numbers) | (np.floor(numbers) == numbers)).all())

    def is_text(self, column: str) -> bool:
        """Whether a column holds text and not one number."""
        numbers, odd = self._parsed(column)
        return bool(odd.any() and np.isnan(numbers).all())

    def _parsed(self, column: str) -> tuple[np.ndarray, np.ndarray]:
        """The numbers of a column, and where it holds something else; read once."""
        if column not in self.known:
            self.known[column] = self._read(column)
        return self.known[column]

    def _read(self, column: str) -> tuple[np.ndarray, np.ndarray]:
        cells = self.frame[column]
        if pd.api.types.is_numeric_dtype(cells) and not pd.api.types.is_complex_dtype(cells):
            numbers = cells.to_numpy(dtype=float, na_value=np.nan)
            return numbers, np.zeros(len(cells), bool)
        return _read_numbers(cells, self.decimal_comma)

    def names(self, column: str) -> Coded:
        """A column of names, stripped of outer blanks, as they first appear; none may be empty."""
        codes, found = pd.factorize(self.frame[column])
        stripped, names = pd.factorize(np.array([str(f).strip() for f in found], dtype=object))
        codes = np.append(stripped, -1)[codes]  # -1, a gap, stays -1
        empty = (codes < 0) | (names == "")[codes]
        if empty.any():
            self._refuse(column, int(np.argmax(empty)), "the name is empty. Fill it in.")
        return Coded(codes, list(names))

    def labels(self, column: str) -> Coded:
        """A column of labels: numbers in their order, other labels as they first appear."""
        codes, names = self.names(column)
        numbers, odd = _read_numbers(pd.Series(names, dtype=object), False)
        if odd.any() or np.isnan(numbers).any():
            return Coded(codes, names)
        ordered, place = np.unique(numbers, return_inverse=True)
        return Coded(place[codes], [f"{n:.12g}" for n in ordered])


def _read_numbers(cells: pd.Series, decimal_comma: bool) -> tuple[np.ndarray, np.ndarray]:
    """The numbers in cells of text, and where there is something else.

    By Python's float, not pandas' parser: what repr has written is read back exactly.
    """
    text = cells.astype(object).where(cells.notna(), "").astype(str).str.strip()
    if decimal_comma and not text.str.contains(".", regex=False).any():
        text = text.str.replace(",", ".", regex=False)
    try:
        numbers = text.to_numpy(object).astype(float)
        odd = text.str.contains("_", regex=False).to_numpy(bool)  # 1_000 is 1000 in Python only
    except ValueError:
        return _read_mixed(text)
    return numbers, odd


def _read_mixed(text: pd.Series) -> tuple[np.ndarray, np.ndarray]:
    low = text.str.lower()
    numbers = np.array(low.map(TRUTHS), dtype=float)
    odd = ~low.isin([*MISSING, *TRUTHS]).to_numpy(bool)
    fine = odd & pd.to_numeric(text, errors="coerce").notna().to_numpy(bool)
    numbers[fine] = text.to_numpy(object)[fine].astype(float)
    return numbers, odd & ~fine


# -- where tables come from -----------------------------------------------------------------


def tabular(source: Any) -> Tabular:
    """The table in a file or a frame; an error where it has no rows or no two columns."""
    table = _from_file(Path(source)) if isinstance(source, (str, Path)) else _from_frame(source)
    if len(table.columns) < 2:
        raise ResultsError(
            f"{table.what} has one column only ('{table.columns[0]}'); a table of scores has at "
            "least two, separated by comma, semicolon or tab."
            if table.columns
            else f"{table.what} has no columns."
        )
    if not len(table.frame):
        raise ResultsError(f"{table.what} has no rows below its header.")
    return table


def _from_frame(source: Any) -> Tabular:
    frame = source if isinstance(source, pd.DataFrame) else _from_narwhals(source)
    return _named(_without_index(frame, "The table"), "The table", "")


def _from_narwhals(source: Any) -> pd.DataFrame:
    """Column by column: polars needs pyarrow for a conversion of its own."""
    try:
        table = nw.from_native(source)
        table = table.collect() if isinstance(table, nw.LazyFrame) else table
    except TypeError:
        raise ResultsError(
            "Scores are read from a file, a frame (pandas, polars, pyarrow), scikit-learn's "
            f"cv_results_ or a mapping of algorithms to scores, not from {type(source).__name__}."
        ) from None
    except nw.exceptions.DuplicateError:
        raise ResultsError("The table has two columns of one name.") from None
    return pd.DataFrame({c: table[c].to_numpy() for c in table.columns})


def _named(frame: pd.DataFrame, what: str, name: str, decimal_comma: bool = False) -> Tabular:
    """The frame with every column named once, by text."""
    given = ["" if h is None or h != h else str(h).strip() for h in frame.columns]
    heads = [h or f"#{i}" for i, h in enumerate(given, 1)]
    for head in heads:
        if heads.count(head) > 1:
            raise ResultsError(f"{what} has two columns called '{head}'; rename one of them.")
    frame = frame.set_axis(heads, axis=1)
    blank = [h for h, g in zip(heads, given, strict=True) if not g and _is_blank(frame[h])]
    return Tabular(frame.drop(columns=blank), what, name, decimal_comma)


def _is_blank(cells: pd.Series) -> bool:
    """A separator at the end of every line makes a column without name and content."""
    return bool((cells.isna() | (cells.astype(str).str.strip() == "")).all())


def _without_index(frame: pd.DataFrame, what: str) -> pd.DataFrame:
    """The frame with a meaningful index as columns."""
    if frame.columns.nlevels > 1:
        raise ResultsError(
            f"{what} has column names on {frame.columns.nlevels} levels; flatten them to one."
        )
    told = any(n is not None for n in frame.index.names) or not (
        pd.api.types.is_integer_dtype(frame.index)
    )
    if not told:
        return frame.reset_index(drop=True)
    names = ["" if n is None else n for n in frame.index.names]
    try:
        return frame.rename_axis(index=names).reset_index()
    except ValueError:
        raise ResultsError(
            f"{what} has an index and a column of one name; rename one of them."
        ) from None


# -- files ----------------------------------------------------------------------------------


def _from_file(path: Path) -> Tabular:
    what = f"'{path}'"
    if not path.is_file():
        raise ResultsError(f"There is no file {what}.")
    try:
        raw = path.read_bytes()
        raw = gzip.decompress(raw) if raw.startswith(b"\x1f\x8b") else raw
    except (OSError, EOFError, zlib.error) as error:
        raise ResultsError(f"{what} cannot be read: {error}.") from None
    name = path.name.removesuffix(".gz").rpartition(".")[0] or path.name
    if raw.startswith(b"PAR1") or path.suffix.lower() in (".parquet", ".pq"):
        return _named(_without_index(_parquet(raw, what), what), what, name)
    frame, separator = _csv(raw, what)
    return _named(frame, what, name, decimal_comma=separator != ",")


def _parquet(raw: bytes, what: str) -> pd.DataFrame:
    require("pyarrow", extra="parquet", purpose="Reading Parquet files")
    try:
        return pd.read_parquet(io.BytesIO(raw))
    except Exception as error:  # pyarrow raises many kinds
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ResultsError(f"{what} cannot be read as Parquet: {reason}") from None


def _csv(raw: bytes, what: str) -> tuple[pd.DataFrame, str]:
    """The cells of a CSV file as text, so that a data set called 061 or NA keeps its name."""
    text = _decoded(raw, what)
    if not text.strip():
        raise ResultsError(f"{what} is empty.")
    try:
        separator = max(SEPARATORS, key=lambda s: _sense(text[:1_000_000], s))
        header = next(_filled_rows(text, separator))
        frame = _cells(text, separator, len(header)).set_axis(header, axis=1)
        _check_lengths(frame, text, separator, what)
    except (pd.errors.ParserError, csv.Error) as error:
        reason = str(error).strip().removeprefix("Error tokenizing data. C error: ")
        raise ResultsError(f"{what} cannot be read as CSV: {reason.rstrip('.')}.") from None
    return _without_blank_rows(frame), separator


def _cells(text: str, separator: str, width: int) -> pd.DataFrame:
    frame = pd.read_csv(
        io.StringIO(text),
        sep=separator,
        dtype=str,
        header=None,
        names=range(width),
        keep_default_na=False,
        skipinitialspace=True,
        index_col=False,
    )
    return frame.iloc[1:].reset_index(drop=True)


def _decoded(raw: bytes, what: str) -> str:
    for magic, hint in (
        (b"SQLite format 3", "is a store of Podium or another database: podium.read reads stores"),
        (b"PK\x03\x04", "is a spreadsheet or archive: save the table as CSV"),
    ):
        if raw.startswith(magic):
            raise ResultsError(f"{what} {hint}.")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise ResultsError(
            f"{what} is not a text file in UTF-8 (line {line}); save it as CSV in UTF-8."
        ) from None
    if "\0" in text:
        raise ResultsError(f"{what} is a binary file, not CSV.")
    return text


def _rows(text: str, separator: str) -> Iterator[list[str]]:
    return csv.reader(io.StringIO(text, newline=""), delimiter=separator, skipinitialspace=True)


def _filled_rows(text: str, separator: str) -> Iterator[list[str]]:
    return (r for r in _rows(text, separator) if r and r != [""])


def _sense(text: str, separator: str) -> tuple[bool, int, int]:
    """How much sense the header makes under a separator."""
    rows = _filled_rows(text, separator)
    header = next(rows)
    known = sum(role_of(h) is not None for h in header)
    return len(header) == len(next(rows, header)) > 1, known, len(header)


def _check_lengths(frame: pd.DataFrame, text: str, separator: str, what: str) -> None:
    """Refuse rows with fewer cells than the header, which pandas fills up silently."""
    if not (frame.iloc[:, -1] == "").any():
        return  # a short row lacks its last cell
    lengths = np.fromiter(map(len, _rows(text, separator)), dtype=np.int64)
    lengths = lengths[lengths > 0]  # as pandas, which skips empty lines
    short = np.flatnonzero(lengths < len(frame.columns))
    if short.size:
        raise ResultsError(
            f"{what}, row {short[0]}: {lengths[short[0]]} cells where the header has "
            f"{len(frame.columns)}. Is the file cut off? Correct the row."
        )


def _without_blank_rows(frame: pd.DataFrame) -> pd.DataFrame:
    """Spreadsheets write rows of separators below a table; the other rows keep their number."""
    if not (frame.iloc[:, 0] == "").any():
        return frame
    return frame[~(frame == "").all(axis=1)]
