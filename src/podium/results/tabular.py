"""Tables of any make as one frame: CSV and Parquet files, pandas, polars and pyarrow.

What the columns mean is not known here (`sheets.py`), only how to get at names and numbers, and
where in the table something is wrong. Rows are counted from 1 below the header.
"""

from __future__ import annotations

import csv
import io
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from podium.errors import ResultsError
from podium.optional import require
from podium.results.vocabulary import role_of, way_out
from podium.unpacking import unzipped

MISSING = ("", "na", "n/a", "nan", "null", "none", "?")  # what a missing score looks like
TRUTHS = {"true": 1.0, "false": 0.0}
SEPARATORS = (",", ";", "\t")
GZIPPED, PARQUET = b"\x1f\x8b", b"PAR1"  # how such files begin


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

    def _check(self, column: str, wrong: np.ndarray, why: str, way: str) -> None:
        if wrong.any():
            first = int(np.argmax(wrong))
            cell = f"'{self.frame[column].iloc[first]}' {why}"
            raise ResultsError(
                f"{self.what}, column '{column}', row {self.row[first]}: {cell}. {way}."
            )

    def numbers(self, column: str) -> np.ndarray:
        """A column of scores; empty cells and NA are NaN, true and false 1 and 0."""
        numbers, odd = self._parsed(column)
        odd = odd | np.isinf(numbers)
        way = f"Correct it, leave the cell empty, or leave the column out: {way_out(ignore=column)}"
        self._check(column, odd, "is no finite number", way)
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
            self.known[column] = _numbers(self.frame[column], self.decimal_comma)
        return self.known[column]

    def names(self, column: str) -> Coded:
        """A column of names, stripped of outer blanks, as they first appear; none may be empty."""
        cells = self.frame[column].astype(object)
        codes, names = pd.factorize(cells.where(cells.notna(), "").astype(str).str.strip())
        self._check(column, (names == "")[codes], "is no name", "Fill it in")
        return Coded(codes, list(names))

    def labels(self, column: str) -> Coded:
        """A column of labels: numbers in their order, other labels as they first appear."""
        codes, names = self.names(column)
        numbers, odd = _numbers(pd.Series(names, dtype=object), False)
        if odd.any() or np.isnan(numbers).any():
            return Coded(codes, names)
        ordered, place = np.unique(numbers, return_inverse=True)
        return Coded(place[codes], [f"{n:.12g}" for n in ordered])


def _numbers(cells: pd.Series, decimal_comma: bool) -> tuple[np.ndarray, np.ndarray]:
    """The numbers in a column, and where there is something else."""
    if pd.api.types.is_numeric_dtype(cells) and not pd.api.types.is_complex_dtype(cells):
        return cells.to_numpy(dtype=float, na_value=np.nan), np.zeros(len(cells), bool)
    present = cells.astype(object).where(cells.notna(), "")
    found = [_number(str(cell).strip(), decimal_comma) for cell in present]
    return np.array(found, dtype=float), np.array([f is None for f in found])


def _number(text: str, decimal_comma: bool) -> float | None:
    """The number in a cell, None where there is something else.

    By Python's float, not pandas' parser: what repr has written is read back exactly.
    """
    if decimal_comma and "." not in text:
        text = text.replace(",", ".")
    try:
        return None if "_" in text else float(text)  # 1_000 is 1000 in Python only
    except ValueError:
        low = text.lower()
        return np.nan if low in MISSING else TRUTHS.get(low)


# -- where tables come from -----------------------------------------------------------------


def tabular(source: Any) -> Tabular:
    """The table in a file or a frame; an error where it has no rows or no two columns."""
    table = _from_file(Path(source)) if isinstance(source, (str, Path)) else _from_frame(source)
    if len(table.columns) < 2:
        raise ResultsError(
            f"{table.what} has not two columns ({', '.join(table.columns):.60}); they are "
            "separated by comma, semicolon or tab."
        )
    if not len(table.frame):
        raise ResultsError(f"{table.what} has no rows below its header.")
    return table


def _from_frame(source: Any) -> Tabular:
    if not isinstance(source, pd.DataFrame):
        import narwhals as nw  # only for frames of others: reading a file need not wait for it

        try:
            table = nw.from_native(source)
        except TypeError:
            raise ResultsError(
                "Scores are read from a file, a frame (pandas, polars, pyarrow), scikit-learn's "
                f"cv_results_ or a mapping of algorithms to scores, not from {source!r:.80}."
            ) from None
        table = table.collect() if isinstance(table, nw.LazyFrame) else table
        # column by column: polars needs pyarrow for a conversion of its own
        source = pd.DataFrame({c: table[c].to_numpy() for c in table.columns})
    return _named(_with_index(source), "The table")


def _with_index(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with an index that means something as columns."""
    if pd.api.types.is_integer_dtype(frame.index) and frame.index.names == [None]:
        return frame.reset_index(drop=True)
    names = ["" if n is None else n for n in frame.index.names]
    return frame.reset_index(names=names, allow_duplicates=True)


def _named(frame: pd.DataFrame, what: str, name: str = "", decimal_comma: bool = False) -> Tabular:
    """The frame with every column named once, by text."""
    given = ["" if h is None or h != h else str(h).strip() for h in frame.columns]
    heads = [h or f"#{i}" for i, h in enumerate(given, 1)]
    for head in heads:
        if heads.count(head) > 1:
            raise ResultsError(f"{what} has two columns called '{head}'; rename one of them.")
    return Tabular(frame.set_axis(heads, axis=1), what, name, decimal_comma)


# -- columns, without reading the table -------------------------------------------------------


def frame_columns(source: Any) -> tuple[str, ...]:
    """The columns of a frame, none where it is none; an index that means something is one."""
    if isinstance(source, pd.DataFrame):
        return _stripped(_with_index(source.head(0)).columns)
    import narwhals as nw

    try:
        return _stripped(nw.from_native(source).collect_schema().names())
    except TypeError:
        return ()


def text_columns(text: str) -> tuple[str, ...]:
    """The columns that the first line of a text names."""
    return _stripped(_header(text, _separator(text))) if text.strip() else ()


def parquet_columns(path: Path) -> tuple[str, ...]:
    """The columns of a Parquet file; none where it cannot be read."""
    try:
        parquet = require("pyarrow.parquet", extra="parquet", purpose="Reading Parquet files")
        return _stripped(parquet.read_schema(path).names)
    except Exception:  # pyarrow raises many kinds; who reads the file says what is wrong
        return ()


def _stripped(names: Iterable[Any]) -> tuple[str, ...]:
    return tuple(str(name).strip() for name in names)


# -- files ----------------------------------------------------------------------------------


def _from_file(path: Path) -> Tabular:
    what = f"'{path}'"
    if not path.is_file():
        pipe = ": it is a folder, a pipe or a device" if path.exists() else ""
        raise ResultsError(f"There is no file {what}{pipe}.")
    try:
        raw = path.read_bytes()
        raw = unzipped(raw) if raw.startswith(GZIPPED) else raw
    except (OSError, EOFError, zlib.error) as error:
        raise ResultsError(f"{what} cannot be read: {error}.") from None
    name = path.name.removesuffix(".gz").rpartition(".")[0] or path.name
    if raw.startswith(PARQUET):
        return _named(_with_index(_parquet(raw, what)), what, name)
    text = _decoded(raw, what)
    separator = _separator(text)
    return _named(_csv(text, separator, what), what, name, decimal_comma=separator != ",")


def _parquet(raw: bytes, what: str) -> pd.DataFrame:
    require("pyarrow", extra="parquet", purpose="Reading Parquet files")
    try:
        return pd.read_parquet(io.BytesIO(raw))
    except Exception as error:  # pyarrow raises many kinds
        raise ResultsError(f"{what} cannot be read as Parquet: {error!r:.200}.") from None


def _decoded(raw: bytes, what: str) -> str:
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise ResultsError(f"{what} is not a text file in UTF-8; save the table as CSV in UTF-8.")
    if not text.strip():
        raise ResultsError(f"{what} is empty.")
    return text


def _separator(text: str) -> str:
    return max(SEPARATORS, key=lambda separator: _sense(_header(text, separator)))


def _sense(header: list[str]) -> tuple[int, int]:
    """How much sense a header makes: words that are known, columns."""
    return sum(role_of(h) is not None for h in header), len(header)


def _header(text: str, separator: str) -> list[str]:
    try:
        return next(csv.reader([text.lstrip().splitlines()[0]], delimiter=separator))
    except csv.Error:  # a cell of more than 131,072 characters
        return []


def _csv(text: str, separator: str, what: str) -> pd.DataFrame:
    """The cells of a CSV file as text, so that a data set called 061 or NA keeps its name."""
    lines = io.StringIO(text, newline="")
    try:
        rows = csv.reader(lines, delimiter=separator, skipinitialspace=True, strict=True)
        header, *body = (row for row in rows if row)
    except csv.Error as error:
        raise ResultsError(
            f"{what} cannot be read as CSV: {error}. Is a quotation mark not closed?"
        ) from None
    for number, row in enumerate(body, 1):
        if len(row) != len(header):
            raise ResultsError(
                f"{what}, row {number}: {len(row)} cells where the header has {len(header)}. "
                "Correct the row."
            )
    frame = pd.DataFrame(body, columns=range(len(header)), dtype=object)
    filled = np.array([any(row) for row in body], bool)  # spreadsheets write rows of separators
    return frame[filled].set_axis(header, axis=1)
