"""Tables of any make as one frame: files (CSV, Parquet, documents), pandas, polars and pyarrow.

What the columns mean is not known here (`roles.py`).
"""

from __future__ import annotations

import codecs
import contextlib
import csv
import io
import re
import shlex
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from podium.core.base.errors import ResultsError, UnknownLayout, require
from podium.core.base.registry import unknown
from podium.core.base.writing import unzipped
from podium.core.words.facts import REMARK, Note
from podium.reading.cells.binary import decode_bytes
from podium.reading.cells.columns import Tabular
from podium.reading.cells.units import TIMES
from podium.reading.cells.vocabulary import Said, known_measure, role_of, way_out
from podium.reading.files import averaged_tables
from podium.reading.files.averaged_tables import averaged, long_csv
from podium.reading.files.documents import (
    JOINT,
    OLD,
    ZIPPED,
    Found,
    arff_frame,
    attributes,
    drawn_rows,
    is_arff,
    paired_rows,
    tables_in,
)
from podium.reading.files.headers import filled_down, one_header, with_header

LOOKED_AT = 200  # rows in which decimal commas are looked for
LATIN = "Latin-1"  # in which any bytes are letters
SEPARATORS = (",", ";", "\t", "|")
_NAMELESS = re.compile(r"Unnamed: \d+(\.\d+|_level_\d+)*")  # what pandas calls such a column
GZIPPED, PARQUET, ARROW = b"\x1f\x8b", b"PAR1", b"ARROW1"  # how such files begin


# -- where tables come from -----------------------------------------------------------------


def tabular(
    source: Any,
    part: str | None = None,
    least: int = 2,
    said: Said | None = None,
    measure: str | None = None,
) -> Tabular:
    """The table in a file or a frame, or a part of a file; an error where it has no rows.

    Of fewer than the `least` columns it is told how they are separated. What was `said` of columns
    and the `measure` matter for files of which means are read.
    """
    is_file = isinstance(source, (str, Path))
    table = _from_file(Path(source), part, said, measure) if is_file else _from_frame(source)
    if len(table.columns) < least:
        raise UnknownLayout(
            f"{table.what} has not two columns ({', '.join(table.columns):.60}); they are "
            "separated by comma, semicolon, tab or bar."
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
    return _tabular(_with_index(source), "The table")


def _with_index(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with an index that means something as columns, and a header of one row."""
    if isinstance(frame.columns, pd.MultiIndex):
        heads = [[str(level) for level in head if level == level] for head in frame.columns]
        frame = frame.set_axis([JOINT.join(filter(None, head)) for head in heads], axis=1)
    if pd.api.types.is_integer_dtype(frame.index) and frame.index.names == [None]:
        return frame.reset_index(drop=True)
    names = ["" if n is None else n for n in frame.index.names]
    return frame.reset_index(names=names, allow_duplicates=True)


def _tabular(
    frame: pd.DataFrame, what: str, name: str = "", decimal_comma: bool = False
) -> Tabular:
    """The frame with every column named once, by text."""
    heads = [h or f"#{i}" for i, h in enumerate(_stripped(frame.columns), 1)]
    if twice := next((head for head, n in Counter(heads).items() if n > 1), None):
        raise ResultsError(f"{what} has two columns called '{twice}'; rename one of them.")
    frame = decode_bytes(frame.set_axis(heads, axis=1))
    return Tabular(_in_one_unit(frame), what, name, decimal_comma)


def _in_one_unit(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with units of time behind the numbers, where a column `unit` has several.

    They are those of the column before it.
    """
    names = [str(c) for c in frame.columns]
    at = next((i for i, n in enumerate(names) if n.lower() in ("unit", "units")), 0)
    units = frame.iloc[:, at] if at else pd.Series(dtype=object)
    different = {str(u) for u in units.unique()} if at and units.dtype == object else set()
    if len(different) < 2 or not {u.lower() for u in different} <= {*TIMES}:
        return frame
    cells = frame.iloc[:, at - 1].map(str).str.strip()
    whole = cells.where(cells == "", cells + " " + units.map(str))
    return frame.assign(**{names[at - 1]: whole}).drop(columns=names[at])


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
    """The columns that the header of a text names."""
    if is_arff(text):
        return attributes(text)
    text = less_preamble(text)
    return _stripped(_header(text, _separator(text))) if text.strip() else ()


def parquet_columns(path: Path) -> tuple[str, ...]:
    """The columns of a Parquet file; none where it cannot be read."""
    try:
        parquet = require("pyarrow.parquet", extra="parquet", purpose="Reading Parquet files")
        return _stripped(parquet.read_schema(path).names)
    except Exception:  # pyarrow raises many kinds; who reads the file says what is wrong
        return ()


def _stripped(names: Iterable[Any]) -> tuple[str, ...]:
    """Names as text without outer blanks; empty where there is none."""
    texts = ("" if name is None or name != name else _one_line(str(name)) for name in names)
    return tuple("" if _NAMELESS.fullmatch(text) else text for text in texts)


def _one_line(name: str) -> str:
    """A header without outer blanks, in one line: commands and messages name it so."""
    return " ".join(name.split()) if "\n" in name or "\r" in name else name.strip()


# -- files ----------------------------------------------------------------------------------


def _from_file(path: Path, part: str | None, wording: Said | None, measure: str | None) -> Tabular:
    what = f"'{path}'"
    if not path.is_file():
        pipe = ": it is a folder, a pipe or a device" if path.exists() else ""
        raise ResultsError(f"There is no file {what}{pipe}.")
    if path.suffix.lower() == ".toml":
        raise UnknownLayout(
            f"{what} is no table of scores: of a study podium run {path} makes some."
        )
    name = path.name.removesuffix(".gz").rpartition(".")[0] or path.name
    if (large := _large_parquet(path)) is not None:
        means, note = averaged(large, what, wording or {}, measure)
        return replace(_tabular(means, what, name), notes=(note,))
    try:
        raw = path.read_bytes()
        raw = unzipped(raw) if raw.startswith(GZIPPED) else raw
    except (OSError, EOFError, zlib.error) as error:
        raise ResultsError(f"{what} cannot be read: {error}.") from None
    raw = _only_member(raw)
    if raw.startswith(PARQUET):
        return _tabular(_with_index(_parquet(raw, what)), what, name)
    if raw.startswith(ARROW):
        return _tabular(_with_index(_arrow(raw, what)), what, name)
    packed = raw.startswith((ZIPPED, OLD))
    text, encoding = ("", "") if packed else _decoded(raw, what)
    result = tables_in(raw, text, what)
    notes = (Note("encoding", REMARK, encoding=encoding),) if encoding else ()
    if result is not None:
        rows = _chosen(result, part, what, wording).rows
        table = _tabular(_cells(rows, what), what, name, _has_decimal_commas(rows))
    elif not text:
        raise UnknownLayout(f"{what} is an archive without a spreadsheet; unpack it.")
    elif is_arff(text):
        table = _tabular(arff_frame(text, what), what, name)
    elif (drawn := _drawn(text)) is not None:
        table = _tabular(_cells(drawn, what), what, name, _has_decimal_commas(drawn))
    else:
        text = less_preamble(text)
        separator = _separator(text)
        frame = _csv(text, separator, what, raw)
        first = [[str(c) for c in row] for row in frame[:LOOKED_AT].values.tolist()]
        commas = separator != "," or _has_decimal_commas([[], *first])
        table = _tabular(frame, what, name, decimal_comma=commas)
    return replace(table, notes=notes)


def _drawn(text: str) -> list[list[str]] | None:
    """The rows of a table without separators, or between bars and lines."""
    first = _first_line(text)
    separate = len(_header(text, _separator(text))) > 1 and not re.match(r"[+┌][-=+─┬]{3}", first)
    if separate or len(text) > LONG_TEXT:  # cells may hold settings, as `lr=0.1 depth=3`
        return None
    return drawn_rows(text) or paired_rows(text)


def _chosen(results: list[Found], part: str | None, what: str, text: Said | None) -> Found:
    """The table that is meant of those in a document."""
    names = [table.name for table in results]
    if part is not None:
        if part not in names:
            raise ResultsError(unknown(f"table of {what}", part, names))
        return results[names.index(part)]
    if not results:
        raise ResultsError(f"{what} has no table of two columns and a row below its header.")
    if len(results) > 1:
        way = way_out(text, sheet=names[0])
        if known_measure(names[0]):  # which is then the measure of its scores
            option, _, rest = way.partition(" (")
            way = f"{option} --measure {shlex.quote(names[0])} ({rest}"
        raise ResultsError(
            f"{what} has {len(results)} tables: {', '.join(names)}. Say which: {way}."
        )
    return results[0]


def sheets_of(path: Path) -> list[str]:
    """The names of the tables of a document, where it has several; else none."""
    if not path.is_file():
        return []
    raw = path.read_bytes()
    raw = unzipped(raw) if raw.startswith(GZIPPED) else raw
    packed = raw.startswith((ZIPPED, OLD))
    try:
        text = "" if packed else _decoded(raw, f"'{path}'")[0]
        tables = tables_in(raw, text, f"'{path}'")
    except ResultsError:
        return []
    return [t.name for t in tables] if tables and len(tables) > 1 else []


def _has_decimal_commas(rows: list[list[str]]) -> bool:
    """Whether numbers have commas and none has a point; three digits behind it may be thousands."""
    is_number = re.compile(r"[+-]?\d*[.,]\d+\D*.*").fullmatch
    numbers = [c for row in rows[1:] for c in row if is_number(c)]
    grouped = [c for c in numbers if re.match(r"[+-]?\d{1,3}(\.\d{3})+,\d", c)]
    if grouped:  # 1.234,5: then 1.234 is a whole number
        numbers = [c for c in numbers if not re.match(r"[+-]?\d{1,3}(\.\d{3})+(,\d+)?\b", c)]
        return all(re.match(r"[+-]?\d*,", c) for c in numbers)
    commas = [c for c in numbers if re.match(r"[+-]?\d*,", c)]
    return len(commas) == len(numbers) > 0 and any(
        not re.match(r"[+-]?\d*,\d{3}\b", c) or c.lstrip("+-").startswith("0,") for c in commas
    )


MOST_UNPACKED = 2_000_000_000  # bytes of a table in an archive


def _only_member(raw: bytes) -> bytes:
    """The table of an archive that holds one; else what was given, as spreadsheets are."""
    if not raw.startswith(ZIPPED):
        return raw
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as held:
            files = [f for f in held.infolist() if not f.is_dir() and "__MACOSX" not in f.filename]
            tables = [f for f in files if f.filename.lower().endswith((".csv", ".tsv", ".parquet"))]
            if len(files) != 1 or len(tables) != 1 or tables[0].file_size > MOST_UNPACKED:
                return raw
            return held.read(tables[0])
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError):
        return raw


def _large_parquet(path: Path) -> Any:
    """A Parquet file that has more rows than fit into memory; None of any other."""
    with contextlib.suppress(Exception):  # who reads the file says what is wrong
        with path.open("rb") as file:
            if file.read(len(PARQUET)) != PARQUET:
                return None
        parquet = require("pyarrow.parquet", extra="parquet", purpose="Reading Parquet files")
        if parquet.read_metadata(path).num_rows > averaged_tables.MOST_ROWS:
            schema = parquet.read_schema(path)
            texts = [f.name for f in schema if str(f.type) in ("string", "large_string")]
            return parquet.ParquetFile(path, read_dictionary=texts)
    return None


def _parquet(raw: bytes, what: str) -> pd.DataFrame:
    for package in ("pyarrow", "pyarrow.parquet"):
        parquet = require(package, extra="parquet", purpose="Reading Parquet files")
    try:
        schema = parquet.read_schema(io.BytesIO(raw))
        texts = [f.name for f in schema if str(f.type) in ("string", "large_string")]
        return pd.read_parquet(io.BytesIO(raw), read_dictionary=texts)  # each text once
    except Exception as error:  # pyarrow raises many kinds
        raise ResultsError(f"{what} cannot be read as Parquet: {error!r:.200}.") from None


def _arrow(raw: bytes, what: str) -> pd.DataFrame:
    """The table of an Arrow or Feather file."""
    feather = require("pyarrow.feather", extra="parquet", purpose="Reading Arrow files")
    try:
        return feather.read_feather(io.BytesIO(raw))
    except Exception as error:  # pyarrow raises many kinds
        raise ResultsError(f"{what} cannot be read as Arrow: {error!r:.200}.") from None


def _decoded(raw: bytes, what: str) -> tuple[str, str]:
    """The text of a file, and its encoding where that is not UTF-8."""
    text, encoding = _text_of(raw)
    odd = {"\0"} if encoding != LATIN else {chr(i) for i in range(32)} - {*"\t\n\r\f\v"}
    if any(sign in text for sign in odd):
        raise ResultsError(
            f"{what} is not a text file; save the table as CSV, or as .xlsx from a spreadsheet."
        )
    if not text.strip():
        raise ResultsError(f"{what} is empty.")
    return text, encoding


def _text_of(raw: bytes) -> tuple[str, str]:
    try:
        if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            return raw.decode("utf-16"), "UTF-16"
        if raw[1:2] == b"\0" or raw[:1] == b"\0":  # the first letter of a header is ASCII
            order = "utf-16-le" if raw[1:2] == b"\0" else "utf-16-be"
            return raw.decode(order), "UTF-16"
        return raw.decode("utf-8-sig"), ""
    except UnicodeDecodeError:
        pass
    try:
        return raw.decode("cp1252"), LATIN  # with the signs that Windows has besides
    except UnicodeDecodeError:
        return raw.decode("latin-1"), LATIN


def less_preamble(text: str) -> str:
    r"""A CSV text without the lines that stand before its header: remarks, of other lengths.

    >>> less_preamble("made by x\nin May\n\na,b\n1,2\n3,4\n")
    'a,b\n1,2\n3,4\n'
    """
    while text.startswith("#{"):  # a remark in JSON
        text = text.partition("\n")[2]
    text = _less_remarks_below(_less_titles(text))
    begins = text[:PREAMBLE]
    lines = begins.split("\n")[: MOST_BEFORE + LEAST_BELOW]
    if len(text) > PREAMBLE:
        lines = lines[:-1]
    if any(line.count('"') % 2 for line in lines):  # a cell of several lines
        return text
    if any(_is_even([_cells_of(line, s) for line in lines]) for s in SEPARATORS):
        return text
    for separator in SEPARATORS:
        counts = [_cells_of(line, separator) for line in lines]
        filled = [c for c in counts if c]
        if len(filled) < LEAST_BELOW + 1:
            continue
        width = Counter(filled).most_common(1)[0][0]
        if width < 2 or filled[0] == width:
            continue
        start = counts.index(width)
        below = [c for c in counts[start:] if c]
        if len(below) >= LEAST_BELOW and all(c == width for c in below) and start <= MOST_BEFORE:
            before = [c for c in counts[:start] if c]
            if all(c < width - 1 for c in before) or len(before) > 1:
                return text.split("\n", start)[start]
    return text


_REMARK = re.compile(r"\s*(#|[*†‡]|notes?\b|sources?\b|legend\b)(?!.*[,;\t|]\s*[-+]?\d).*", re.I)


_TITLE = re.compile(r"""("[^"\n]*"|[^"\n,;\t|]*)([,;\t|])\2+[ \t]*\r?\n""")


def _less_titles(text: str) -> str:
    r"""A text without lines above its header that have a first cell alone, or none.

    >>> _less_titles("Table 3,,\n,,\nname,a,b\nx,1,2\n")
    'name,a,b\nx,1,2\n'
    """
    at = 0
    while match := _TITLE.match(text, at):
        at = match.end()
    below = text[at : at + 2].strip()
    return text[at:] if at and below and text.find("\n", at) > 0 else text


def _less_remarks_below(text: str) -> str:
    r"""A text without the remarks behind its last row.

    >>> _less_remarks_below("a,b\n1,2\n\nNote: of five runs.\n# end\n")
    'a,b\n1,2\n'
    """
    last = whole = _end(text, len(text))
    hashed = text.startswith("# ")  # who writes remarks so above does so below
    while (at := text.rfind("\n", 0, last)) > 0 and (
        _REMARK.fullmatch(text, at + 1, last) or (hashed and text.startswith("#", at + 1))
    ):
        last = _end(text, at)
    return text if last == whole else text[:last] + "\n"


def _end(text: str, end: int) -> int:
    """Where a text ends that is cut there, less blanks and empty lines."""
    while end and text[end - 1].isspace():
        end -= 1
    return end


PREAMBLE = 32_768  # letters in which lines before the header are looked for
MOST_BEFORE = 60  # such lines
LEAST_BELOW = 3  # rows below them, all as long as the header


def _is_even(counts: list[int]) -> bool:
    """Whether the first line has as many cells as nearly all others."""
    filled = [c for c in counts if c]
    return bool(filled) and filled[0] > 1 and filled.count(filled[0]) >= 0.8 * len(filled)


def _cells_of(line: str, separator: str) -> int:
    """How many cells a line has; 0 of an empty one."""
    if not line.strip():
        return 0
    try:
        return len(next(csv.reader([line], delimiter=separator)))
    except (csv.Error, StopIteration):
        return 1


def _separator(text: str) -> str:
    return max(SEPARATORS, key=lambda separator: _sense(_header(text, separator)))


def _sense(header: list[str]) -> tuple[int, int]:
    """How much sense a header makes: words that are known, columns."""
    return sum(role_of(h) is not None for h in header), len(header)


def _header(text: str, separator: str) -> list[str]:
    try:
        return next(csv.reader([_first_line(text)], delimiter=separator))
    except csv.Error:  # a cell of more than 131,072 characters
        return []


def _first_line(text: str) -> str:
    """The first line that is not empty; a file may have millions of others."""
    start = re.search(r"\S", text)
    at = start.start() if start else 0
    end = text.find("\n", at)
    return text[at : len(text) if end < 0 else end].splitlines()[0]


def _csv(text: str, separator: str, what: str, raw: bytes) -> pd.DataFrame:
    """The cells of a CSV file as text, so that a data set called 061 or NA keeps its name."""
    if (frame := _plain_csv(text, separator, raw)) is not None:
        return frame
    lines = io.StringIO(text, newline="")
    try:
        rows = csv.reader(lines, delimiter=separator, skipinitialspace=True, strict=True)
        header, *body = (row for row in rows if row)
    except csv.Error as error:
        raise ResultsError(
            f"{what} cannot be read as CSV: {error}. A quotation mark may not be closed."
        ) from None
    return _cells(with_header([header, *body]), what)


HEADS = 1000  # rows that tell what kinds of cells there are
LEAST_HEADS = 6  # rows that tell how many of them head the others
LONG_TEXT = 2_000_000  # characters, from which a table is read by pandas, each text once
HEAD_TEXT = 1_000_000  # characters, in which the first rows stand


def _plain_csv(text: str, separator: str, raw: bytes) -> pd.DataFrame | None:
    """The cells of a long table whose rows are all alike; None of others.

    Who reads others one by one says what is wrong with them.
    """
    if len(text) < LONG_TEXT or not _is_quoted_well(text, separator):
        return None
    lines = text[:HEAD_TEXT].splitlines()[:HEADS]
    head = [row for row in csv.reader(lines, delimiter=separator, skipinitialspace=True) if row]
    first, wide = head[:LEAST_HEADS], len(head[0]) if head else 0
    if len(first) < LEAST_HEADS or wide < 2 or one_header(first) != first:
        return None
    raw = raw if len(raw) == len(text) else text.encode()  # of as many letters it is the same
    frame = long_csv(text, raw, separator, [row for row in head if len(row) == wide])
    if frame is None:
        return None
    longer = not isinstance(frame.index, pd.RangeIndex)  # the first cell was taken for a name
    if longer or ('"' not in text and text.count(separator) != (len(frame) + 1) * (wide - 1)):
        return None
    frame = frame.set_axis(range(wide), axis=1)
    empty = _are_empty(frame[0])
    for column in range(1, wide) if empty.any() else ():
        empty = empty & _are_empty(frame[column])
    return (frame[~empty] if empty.any() else frame).set_axis(head[0], axis=1)


def _are_empty(cells: pd.Series) -> np.ndarray:
    return (cells.isna() if cells.dtype.kind == "f" else cells == "").to_numpy(bool)


def _is_quoted_well(text: str, separator: str) -> bool:
    """Whether every quotation mark stands at the begin or the end of a cell."""
    if '"' not in text:
        return True
    begins = text.startswith('"') + text.count(f'{separator}"') + text.count('\n"')
    ends = text.endswith('"') + sum(text.count(f'"{end}') for end in (separator, "\n", "\r\n"))
    return begins == ends and begins + ends == text.count('"')


def _cells(rows: list[list[str]], what: str) -> pd.DataFrame:
    """Rows of text as a frame, less those that are empty; the first one heads them."""
    header, *body = one_header(rows)
    for number, row in enumerate(body, 1):
        if len(row) != len(header):
            raise ResultsError(
                f"{what}, row {number}: {len(row)} cells where the header has {len(header)}. "
                "Correct the row."
            )
    filled = np.array([any(row) for row in body], bool)  # spreadsheets write rows of separators
    held = iter(filled_down([row for row in body if any(row)]))
    body = [next(held) if any(row) else row for row in body]
    frame = pd.DataFrame(body, columns=range(len(header)), dtype=object)
    return frame[filled].set_axis(header, axis=1)
