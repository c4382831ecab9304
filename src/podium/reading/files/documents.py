"""Tables in documents: sheets of .xlsx files, tables of web pages, Markdown and LaTeX.

Every one becomes rows of text cells, as from a CSV file. A spreadsheet is a zip archive of XML,
read here by the standard library: its cells are needed, not all that a spreadsheet package brings.
Reading is bounded and inert: no entities are expanded, no formula is computed.
"""

from __future__ import annotations

import csv
import html
import io
import re
import zipfile
from collections.abc import Callable, Iterator, Sequence
from html.parser import HTMLParser
from typing import Any, NamedTuple
from xml.etree import ElementTree

import pandas as pd

from podium.core.base.errors import ResultsError, require
from podium.core.base.formatting import read_digits
from podium.reading.cells.columns import unmarked

# -- other sheets ---------------------------------------------------------------------------------
# Spreadsheets that are not .xlsx: old .xls, binary .xlsb and OpenDocument .ods, by a package.


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
        yield name, [[_other_sheets_text(cell) for cell in row] for row in rows]


def _other_sheets_text(cell: Any) -> str:
    """A cell as it would be written; such files hold whole numbers as fractions."""
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)


# -- documents ------------------------------------------------------------------------------------


MOST_BYTES = 200_000_000  # of one unpacked part of a spreadsheet
LEAST_BYTES, MOST_TIMES = 20_000_000, 100  # that a part may always have; or times its packed size
BEGINS = 1_000_000  # letters in which the markup of a document shows
MOST_CELLS = 20_000_000  # of a sheet or page, with those that are empty or spanned
JOINT = "~"  # between the rows of a header of several rows


class Found(NamedTuple):
    """A table of a document: its name, and its rows, the header first."""

    name: str
    rows: list[list[str]]


def tables_in(raw: bytes, text: str, what: str) -> list[Found] | None:
    """The tables of a document with two columns and a row; None where it is no document."""
    begins = text[:BEGINS]
    for is_it, tables in _KINDS:
        if is_it(raw, begins):
            return [t for t in map(_tidied, tables(raw, text, what)) if _is_table(t)]
    return None


def is_document(raw: bytes, text: str) -> bool:
    """Whether a file that begins so is a spreadsheet, or a text with a table in its markup."""
    return any(is_it(raw, text) for is_it, _ in _KINDS)


def _is_table(result: Found) -> bool:
    return len(result.rows) > 1 and len(result.rows[0]) > 1


def _tidied(result: Found) -> Found:
    """Less empty rows and columns, titles above the header and remarks below the last row."""
    rows = [[" ".join(cell.split()) for cell in row] for row in result.rows]
    rows = [row for row in rows if any(row)]
    first = next((i for i, row in enumerate(rows) if sum(map(bool, row)) > 1), 0)
    rows = rows[first:]
    while len(rows) > 3 and len(rows[0]) > 2 and rows[-1][0] and not any(rows[-1][1:]):
        rows = rows[:-1]  # a remark below the table
    width = len(rows[0]) if rows else 0
    body = rows[1:]  # pandas writes the name of its columns over an empty one
    empty = {i for i in range(width) if not any(row[i : i + 1] != [""] for row in body)}
    return Found(result.name, [[c for i, c in enumerate(row) if i not in empty] for row in rows])


def _headed(header: Sequence[Sequence[str]], body: list[list[str]]) -> list[list[str]]:
    """The rows below one header: where it has several rows, what stands over a column is joined."""
    width = max(map(len, [*header, *body]), default=0)
    full = [[*row, *[""] * (width - len(row))] for row in header]
    last = full[-1] if full else []
    index = sum(map(bool, last))
    if len(full) > 1 and 0 < index < width and all(last[:index]):
        full = [[""] * index + row[index:] for row in full[:-1]] + [last]  # names of the index
    joined = [JOINT.join(dict.fromkeys(filter(None, column))) for column in zip(*full, strict=True)]
    return [joined, *body]


# -- drawn tables -------------------------------------------------------------------------------
# What a print shows: R, pandas, psql, reStructuredText.

_LINE = re.compile(r"[-=+|:_\s─━═┼│├┤┬┴┌┐└┘]+")  # between rows
_BARS = re.compile(r"[|│]")
_DRAWN = re.compile(r"[+-]?[\d.,]+(e[+-]?\d+)?%?|NA|NaN|nan|-", re.IGNORECASE)


def drawn_rows(text: str) -> list[list[str]] | None:
    """The rows of a table that is drawn by blanks, or by bars; None of any other text.

    R and pandas leave out the name of the rows.

    >>> drawn_rows("     a   b\\nx  0.1 0.2\\ny  0.3 0.4\\n")
    [['', 'a', 'b'], ['x', '0.1', '0.2'], ['y', '0.3', '0.4']]
    >>> drawn_rows("it is said\\nthat this is\\nno table")
    """
    lines = _less_titles([line.strip() for line in text.splitlines()])
    lines = [line for line in lines if line and not _LINE.fullmatch(line)]
    barred = sum(bool(_BARS.search(line)) for line in lines) == len(lines)
    ways = (_by_bars,) if barred else (_by_wide_gaps, str.split, _by_blanks)
    for cells in ways:
        header, *body = map(cells, lines) if len(lines) > 2 else [[]]
        if len(body) > 2 and len(body[0]) == 1 and len(header) == len(body[1]) - 1:
            header, body = [*body[0], *header], body[1:]  # the name of the index, as pandas has it
        width = len(body[0]) if body else 0
        if width < 2 or {*map(len, body)} != {width} or width - len(header) not in (0, 1):
            continue
        numbers = sum(bool(_DRAWN.fullmatch(cell)) for row in body for cell in row[1:])
        named = not any(_DRAWN.fullmatch(cell) for cell in header)
        if named and 2 * numbers > len(body) * (width - 1):
            return [[""] * (width - len(header)) + header, *body]
    return None


_FRACTION = re.compile(r"[+-]?\d*\.\d+%?")
_PAIR = re.compile(r"(?<![^\s,;|\[(])([A-Za-z_][\w.@/-]*)=(\"[^\"]*\"|[^\s,;|\])]+)")


def paired_rows(text: str) -> list[list[str]] | None:
    """The rows of a log whose lines hold names and values; None of any other text.

    >>> paired_rows("12:01 model=rf acc=0.9\\ndone\\n12:02 model=svm acc=0.8\\n")
    [['model', 'acc'], ['rf', '0.9'], ['svm', '0.8']]
    >>> paired_rows("a=1 b=2\\nc=3 d=4\\nno more\\nof it\\n")
    """
    lines = [line for line in text.splitlines() if line.strip()]
    pairs = [dict(_PAIR.findall(line)) for line in lines]
    kept = [row for row in pairs if len(row) > 1]
    names = list(dict.fromkeys(name for row in kept for name in row))
    common = [name for name in names if sum(name in row for row in kept) > len(kept) / 2]
    if len(kept) < 2 or 2 * len(kept) < len(lines) or len(common) < 2:
        return None
    if any(_FRACTION.fullmatch(word) for line in lines for word in line.split()):
        return None  # scores stand beside the pairs, which would be lost
    cells = [[row.get(name, "").strip('"') for name in names] for row in kept]
    return [names, *cells]


def _less_titles(lines: list[str]) -> list[str]:
    """The lines from the first row of a table on: below it stand a rule, or bars as in it."""
    barred = [bool(_BARS.search(line)) for line in lines]
    if any(barred):
        return lines[barred.index(True) :]
    rules = [i for i, line in enumerate(lines) if line and _LINE.fullmatch(line)]
    titles = [i for i in rules if i and len(_by_wide_gaps(lines[i - 1])) == 1 and lines[i - 1]]
    if len(rules) - len(titles) < 2 or titles[:1] != rules[:1]:
        return lines
    return lines[titles[0] + 1 :]  # the rule below a title


def _by_bars(line: str) -> list[str]:
    return [cell.strip() for cell in _BARS.split(line.strip("|│"))]


def _by_wide_gaps(line: str) -> list[str]:
    return re.split(r"\s{2,}", line)


def _by_blanks(line: str) -> list[str]:
    """Cells between blanks, of which some are in quotation marks."""
    try:
        return next(csv.reader([line], delimiter=" ", skipinitialspace=True))
    except csv.Error:
        return []


# -- spreadsheets -----------------------------------------------------------------------------

_OF_SHEETS = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_OF_LINKS = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"


def _is_spreadsheet(raw: bytes, _: str) -> bool:
    return raw.startswith(ZIPPED) and (b"xl/" in raw or b"[Content_Types].xml" in raw)


def _spreadsheet(raw: bytes, _: str, what: str) -> Iterator[Found]:
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            yield from _sheets(archive, what)
    except ResultsError:  # which is a ValueError, and says it all
        raise
    except (zipfile.BadZipFile, KeyError, ElementTree.ParseError, EOFError, ValueError) as error:
        raise ResultsError(f"{what} cannot be read as a spreadsheet: {error}.") from None


def _other(raw: bytes, _: str, what: str) -> Iterator[Found]:
    return (Found(name, rows) for name, rows in other_sheets(raw, what))


def _sheets(archive: zipfile.ZipFile, what: str) -> Iterator[Found]:
    texts = _shared_texts(archive, what)
    links = {
        link.get("Id"): link.get("Target", "")
        for link in _xml(archive, "xl/_rels/workbook.xml.rels", what)
    }
    for sheet in _xml(archive, "xl/workbook.xml", what).iter(f"{_OF_SHEETS}sheet"):
        target = links[sheet.get(f"{_OF_LINKS}id")].removeprefix("/")
        path = target if target.startswith("xl/") else f"xl/{target}"
        if "worksheets" in path:  # not a chart
            name = sheet.get("name", "")
            rows = _sheet_rows(_xml(archive, path, what), texts, f"{what}, sheet '{name}'")
            yield Found(name, rows)


def _xml(archive: zipfile.ZipFile, path: str, what: str) -> ElementTree.Element:
    info = archive.getinfo(path)
    bound = max(LEAST_BYTES, MOST_TIMES * info.compress_size)
    if info.file_size > min(bound, MOST_BYTES):
        raise ResultsError(f"{what} is too large: '{path}' has {info.file_size:,} bytes.")
    text = archive.read(path)
    if b"<!DOCTYPE" in text or b"<!ENTITY" in text:  # what could grow without end
        raise ResultsError(f"{what} declares entities, which no spreadsheet does.")
    return ElementTree.fromstring(text)


def _shared_texts(archive: zipfile.ZipFile, what: str) -> list[str]:
    if "xl/sharedStrings.xml" not in archive.namelist():
        return []
    return [_text(s) for s in _xml(archive, "xl/sharedStrings.xml", what)]


def _text(element: ElementTree.Element) -> str:
    """The text of all runs, less their phonetic guides."""
    plain = element.findall(f"{_OF_SHEETS}t") + element.findall(f"{_OF_SHEETS}r/{_OF_SHEETS}t")
    return "".join(part.text or "" for part in plain)


def _sheet_rows(sheet: ElementTree.Element, texts: list[str], what: str) -> list[list[str]]:
    rows, made = [], 0
    for row in sheet.iter(f"{_OF_SHEETS}row"):
        cells: list[str] = []
        for cell in row.iter(f"{_OF_SHEETS}c"):
            place = _column(cell.get("r", ""))
            place = len(cells) if place is None else place
            cells += [""] * (place - len(cells)) + [_cell(cell, texts, what)]
        rows.append(cells)
        made += len(cells)
        _check_size(made, what)
    width = max(map(len, rows), default=0)
    _check_size(width * len(rows), what)
    return [row + [""] * (width - len(row)) for row in rows]  # empty cells at the end are left out


def _check_size(cells: int, what: str) -> None:
    if cells > MOST_CELLS:
        raise ResultsError(
            f"{what} would have more than {MOST_CELLS:,} cells, with empty and spanned ones: save "
            "the table alone, as CSV or Parquet."
        )


def _column(place: str) -> int | None:
    """The number of a column, from 0, in a place such as AB12."""
    letters = re.match(r"[A-Z]{1,3}", place)
    number = 0
    for letter in letters[0] if letters else "":
        number = 26 * number + ord(letter) - 64
    return number - 1 if letters else None


def _cell(cell: ElementTree.Element, texts: list[str], what: str) -> str:
    kind, value = cell.get("t", "n"), cell.findtext(f"{_OF_SHEETS}v")
    if kind == "inlineStr":
        inline = cell.find(f"{_OF_SHEETS}is")
        return "" if inline is None else _text(inline)
    if value is None:
        if cell.find(f"{_OF_SHEETS}f") is not None:
            raise ResultsError(
                f"{what}, cell {cell.get('r')}: a formula without its value. Open the file in a "
                "spreadsheet program and save it."
            )
        return ""
    if kind == "s":
        return texts[int(value)]
    return {"1": "true", "0": "false"}.get(value, value) if kind == "b" else value


# -- web pages --------------------------------------------------------------------------------


class _Page(HTMLParser):
    """The tables of a page; cells that span rows or columns are repeated."""

    def __init__(self, what: str) -> None:
        super().__init__()
        self._what, self._made = what, 0
        self.tables: list[tuple[list[list[str]], int]] = []  # rows, and how many of them head
        self._rows: list[list[str]] | None = None
        self._cell: list[str] | None = None
        self._span = (1, 1)
        self._open: dict[int, tuple[int, str]] = {}  # columns that cells above still fill
        self._heads = self._headings = self._cells = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            self._rows, self._heads, self._open = [], 0, {}
        elif tag == "tr" and self._rows is not None:
            self._end_row()
            self._rows.append([])
            self._headings = self._cells = 0
        elif tag in ("td", "th") and self._rows:
            self._end_cell()
            spans = dict(attrs)
            self._span = (_count(spans.get("rowspan")), _count(spans.get("colspan")))
            self._cell = []
            self._cells += 1
            self._headings += tag == "th"

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th"):
            self._end_cell()
        elif tag == "tr":
            self._end_row()
        elif tag == "table" and self._rows is not None:
            self._end_row()
            self.tables.append((self._rows, self._heads))
            self._rows = None

    def handle_data(self, data: str) -> None:
        if self._cell is not None:
            self._cell.append(data)

    def _end_cell(self) -> None:
        if self._cell is None or not self._rows:
            return
        self._fill()
        text, (down, right) = "".join(self._cell).strip(), self._span
        for _ in range(right):
            if down > 1:
                self._open[len(self._rows[-1])] = (down - 1, text)
            self._rows[-1].append(text)
        self._cell = None

    def _fill(self) -> None:
        """The cells above that reach down to here."""
        row = self._rows[-1] if self._rows else []
        while len(row) in self._open:
            left, text = self._open.pop(len(row))
            if left > 1:
                self._open[len(row)] = (left - 1, text)
            row.append(text)

    def _end_row(self) -> None:
        self._end_cell()
        if self._rows:
            self._fill()
            self._made += len(self._rows[-1])
            _check_size(self._made, self._what)
            if self._cells and self._headings == self._cells and len(self._rows) == self._heads + 1:
                self._heads += 1
        self._cells = self._headings = 0


def _count(text: str | None) -> int:
    return min(max(read_digits(text), 1), 1000) if text and text.isdecimal() else 1


def _is_page(_: bytes, text: str) -> bool:
    return re.search(r"<table\b", text, re.IGNORECASE) is not None


def _page(_: bytes, text: str, what: str) -> Iterator[Found]:
    page = _Page(what)
    page.feed(text)
    page.close()
    for number, (rows, heads) in enumerate(page.tables, 1):
        heads = min(max(heads, 1), len(rows))
        yield Found(str(number), _headed(rows[:heads], rows[heads:]))


# -- Markdown ---------------------------------------------------------------------------------

_RULE = re.compile(r"^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)+\|?\s*$", re.MULTILINE)


def _is_markdown(_: bytes, text: str) -> bool:
    return _RULE.search(text) is not None


def _markdown(_: bytes, text: str, what: str) -> Iterator[Found]:
    lines, number = text.splitlines(), 0
    for at, line in enumerate(lines):
        if at and _RULE.match(line) and "|" in lines[at - 1]:
            number += 1
            body = []
            for row in lines[at + 1 :]:
                if "|" not in row:
                    break
                body.append(_piped(row))
            yield Found(str(number), [_piped(lines[at - 1]), *body])


def _piped(line: str) -> list[str]:
    line = line.strip().removeprefix("|")
    line = line[:-1] if line.endswith("|") and not line.endswith("\\|") else line
    cells = (cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line))
    return [html.unescape(unmarked(cell)) for cell in cells]


# -- LaTeX ------------------------------------------------------------------------------------

_TABULAR = re.compile(
    r"\\begin\{(?P<name>tabular[x*]?|longtable|array)\}(?P<body>.*?)\\end\{(?P=name)\}", re.DOTALL
)
_BELOW = re.compile(r"\\(midrule|hline|endhead)\b")
_LINES = re.compile(
    r"\\(?:toprule|midrule|bottomrule|hline|endhead|endfirsthead|endfoot|endlastfoot|cline|cmidrule"
    r"|addlinespace|specialrule|noalign)\b(?:\[[^\]]*\]|\([^)]*\)|\{[^{}]*\})*"
)
_COMMENT = re.compile(r"(?<!\\)%.*")


def _is_latex(_: bytes, text: str) -> bool:
    return re.search(r"\\begin\{(tabular|longtable|array)", text) is not None


def _latex(_: bytes, text: str, what: str) -> Iterator[Found]:
    for number, result in enumerate(_TABULAR.finditer(_COMMENT.sub("", text)), 1):
        rows, heads = _latex_rows(_less_arguments(result["body"]))
        header = [[cell.rpartition("\0")[2] for cell in row] for row in rows[:heads]]
        yield Found(str(number), _headed(header, _filled(rows[heads:])))


def _less_arguments(body: str) -> str:
    """What stands behind the arguments of \\begin{tabular}: width, place and columns."""
    body = body.lstrip()
    while body[:1] in ("{", "["):
        depth = 0
        for at, sign in enumerate(body):
            depth += (sign in "{[") - (sign in "}]")
            if not depth:
                body = body[at + 1 :].lstrip()
                break
        else:
            return body
    return body


def _latex_rows(body: str) -> tuple[list[list[str]], int]:
    """All rows, and how many of them stand above the line below the header."""
    rows: list[list[str]] = []
    heads = 0
    for line in re.split(r"\\\\(?:\[[^\]]*\])?|\\tabularnewline", body):
        if not heads and rows and _BELOW.search(line):
            heads = len(rows)
        line = _LINES.sub("", line).strip()
        if line:
            rows.append([c for cell in re.split(r"(?<!\\)&", line) for c in _spanned(cell.strip())])
    return rows, heads or 1


def _spanned(cell: str) -> list[str]:
    """A cell, as often as it has columns; one that has rows keeps its mark for those below."""
    wide = re.match(r"\\multicolumn\{(\d+)\}", cell)
    tall = re.match(r"\\multirow\*?(?:\[[^\]]*\])?\{-?(\d+)\}", cell)
    text = unmarked(cell.replace("~", " "))
    if tall:
        text = f"\0{min(read_digits(tall[1]), 1000)}\0{text}"
    return [text] * (min(read_digits(wide[1]), 1000) if wide else 1)


def _filled(rows: list[list[str]]) -> list[list[str]]:
    """Empty cells below one that has several rows hold what that one holds."""
    above: dict[int, tuple[int, str]] = {}
    for row in rows:
        for place, cell in enumerate(row):
            if cell.startswith("\0"):
                _, count, text = cell.split("\0", 2)
                above[place] = (int(count) - 1, text)
                row[place] = text
            elif not cell and above.get(place, (0, ""))[0] > 0:
                left, text = above[place]
                above[place] = (left - 1, text)
                row[place] = text
    return rows


_KINDS: tuple[
    tuple[Callable[[bytes, str], bool], Callable[[bytes, str, str], Iterator[Found]]], ...
] = (
    (is_other_sheet, _other),
    (_is_spreadsheet, _spreadsheet),
    (_is_page, _page),
    (_is_latex, _latex),
    (_is_markdown, _markdown),
)


# -- tables in ARFF files, as WEKA writes them ----------------------------------------------------
# Attributes, then rows of cells.


_ATTRIBUTE = re.compile(r"^\s*@attribute\s+('(?:[^'\\]|\\.)*'|\"[^\"]*\"|\S+)", re.I | re.M)
_DATA = re.compile(r"^\s*(@data)\b.*$", re.I | re.M)


def is_arff(text: str) -> bool:
    """Whether a text begins as an ARFF file does, remarks aside."""
    lines = (line.strip() for line in text[:20_000].splitlines())
    first = next((line for line in lines if line and line[0] != "%"), "")
    return first[:9].lower() == "@relation"


def attributes(text: str) -> tuple[str, ...]:
    """The names of the columns."""
    return tuple(name.strip("'\"") for name in _ATTRIBUTE.findall(_DATA.split(text, 1)[0]))


def arff_frame(text: str, what: str) -> pd.DataFrame:
    """The cells as text; nothing where the file has a question mark."""
    head, data, body = (*_DATA.split(text, maxsplit=1), "", "")[:3]
    names = attributes(head)
    if not data or not names:
        raise ResultsError(f"{what} is no whole ARFF file: it has no @data. Write it again.")
    lines = [line for line in body.splitlines() if line.strip() and line.lstrip()[0] != "%"]
    rows = list(csv.reader(io.StringIO("\n".join(lines)), quotechar="'", escapechar="\\"))
    for number, row in enumerate(rows, 1):
        if len(row) != len(names):
            raise ResultsError(
                f"{what}, row {number}: {len(row)} values where there are {len(names)} "
                "attributes. It seems to be cut off."
            )
    return pd.DataFrame(rows, columns=names).replace("?", None)
