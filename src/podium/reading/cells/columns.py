"""Cells as people write them, a table by its columns, and how its rows fall into groups.

What the columns mean is not known here. Rows are counted from 1 below the header.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from podium.core.base.errors import ResultsError
from podium.core.base.registry import unknown
from podium.core.words.facts import DETAIL, REMARK, Note
from podium.reading.cells.units import TIMES, UNITS, durations, shortened
from podium.reading.cells.vocabulary import Said, way_out

# -- cells as people write them -------------------------------------------------------------------
# `0.763 ± 0.02`, `76.3%`, `0.763 (0.02)`, **bold**, `-`, `OOM`, `>1h`.
#
# What stands in a cell besides its number is told, not lost in silence: a spread, a percent
# sign, a word for a run that gave no score.


MISSING = ("", "na", "n/a", "nan", "null", "none", "?", "#n/a", "nat")  # a score that is not there
TRUTHS = {"true": 1.0, "false": 0.0}
TRUTHS |= dict.fromkeys(("✅", "✔", "✔️", "✓", "☑"), 1.0)
TRUTHS |= dict.fromkeys(("❌", "✗", "✘", "✖"), 0.0)
SHORT = 1000  # cells of a column
LONG = 10_000  # letters: no number is as long, with all that people write beside it
NOT_RUN = {
    *("-", "--", "---", "–", "—", "−", "·", "/", "n.a.", "n.a", "n/r", "not run", "did not run"),
}
FAILED = {
    *NOT_RUN,
    *("dnf", "did not finish"),
    *("oom", "out of memory", "memout", "mem out", "mle", "timeout", "time out", "timed out"),
    *("tle", "t/o", "fail", "failed", "failure", "error", "crash", "crashed", "killed"),
    *("does not finish", "out of time", "to", "mo", "segfault", "aborted", "unsolved"),
}
WORD = "failed"  # stands for the score of a failed run in tables of our own
_NUMBER = r"[+-]?(?:\d+(?:[.,]\d+)?|[.,]\d+)(?:[eE][+-]?\d+)?"
_SPREAD = (
    rf"[_^]?\s*(?:±|\+/-|\+-|\+\\-)\s*{_NUMBER}"  # a standard deviation or half an interval
    rf"|[_^]?\(\s*(?:±\s*)?{_NUMBER}\s*%?\s*\)"  # the same, or a rank
    rf"|[\[(]\s*{_NUMBER}\s*%?\s*[,;–-]\s*{_NUMBER}\s*%?\s*[\])]"  # an interval
)
_CELL = re.compile(
    rf"(?P<number>{_NUMBER})\s*(?P<percent>%)?\s*(?P<spread>{_SPREAD})?\s*(?P<also>%)?"
    r"\s*\^?[*†‡§¶↑↓▲▼•]*"
)
# >1h, >3600: what stopped a run, not how long it took; <0.5 and >0.9 are scores that nobody knows
_LIMIT = re.compile(rf"[>≥]=?\s*(?:{_NUMBER}\s*[a-zA-Z]+|\d{{3,}}(?:[.,]\d+)?)")
_BETWEEN = " \u00a0\u2009\u202f'’"  # what groups digits, and is never a decimal sign
_THOUSANDS = re.compile(
    rf"[+-]?\d{{1,3}}(?:(,\d{{3}})+\.\d+|([{_BETWEEN}]\d{{3}})+([.,]\d+)?|(\.\d{{3}})+,\d+)"
)
_POINTS = re.compile(r"[+-]?\d{1,3}(\.\d{3})+")  # groups, where others have a decimal comma


MANY = 5000  # different texts of a column, from which they are read at once
Texts = tuple[np.ndarray, list[str]]  # the number of each cell's text, and the texts


class Numbers(NamedTuple):
    """The numbers of a column, NaN where there is none, and what else stands in its cells."""

    values: np.ndarray
    odd: np.ndarray  # something that is neither a number nor a word for a missing one
    percent: np.ndarray
    spread: np.ndarray
    failed: np.ndarray  # a word for a score that could not be had


class _Cell(NamedTuple):
    value: float = np.nan
    odd: bool = False
    percent: bool = False
    spread: bool = False
    failed: bool = False


def are_numbers(cells: pd.Series) -> bool:
    """Whether a column needs no reading: its type is that of real numbers."""
    return pd.api.types.is_numeric_dtype(cells) and not pd.api.types.is_complex_dtype(cells)


def numbers_in(cells: pd.Series, decimal_comma: bool) -> Numbers:
    """The numbers in a column."""
    if are_numbers(cells):
        nowhere = np.zeros(len(cells), bool)
        return Numbers(cells.to_numpy(dtype=float, na_value=np.nan), *[nowhere] * 4)
    codes, different = texts_in(cells)
    each = numbers_of(different, decimal_comma)
    return Numbers(*(_placed(kinds, codes) for kinds in each))


def numbers_of(different: list[str], decimal_comma: bool) -> Numbers:
    """The numbers that the different texts of a column are."""
    if (plain := _all_plain(different, decimal_comma)) is not None:
        return Numbers(plain, *[np.zeros(len(plain), bool)] * 4)
    read = [_read(text.strip(), decimal_comma) for text in different]
    if decimal_comma and any("." in t and "," in t for t in different):  # 1.234,5 beside 1.234
        whole = [i for i, t in enumerate(different) if _POINTS.fullmatch(t.strip())]
        read = _replaced(read, whole, [float(different[i].replace(".", "")) for i in whole])
    if any(cell.odd for cell in read):
        read = _with_units(different, read, decimal_comma)
    values, *marks = zip(*read, strict=True) if read else [()] * 5
    return Numbers(np.array(values, float), *(np.array(mark, bool) for mark in marks))


_WITH_UNIT = re.compile(
    rf"(?P<number>[+-]?[\d.,{_BETWEEN}]*\d(?:[eE][+-]?\d+)?)\s*(?P<unit>[a-zA-Zµμ×]+)"
)
_GROUPED = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})*")


def _with_units(texts: list[str], read: list[_Cell], decimal_comma: bool) -> list[_Cell]:
    """Cells that all have a unit (12.3 ms), or all are whole with commas (12,345), as numbers.

    Several units of time become seconds; other units must be one, for 1 MB is not 1 GB.
    """
    held = [i for i, cell in enumerate(read) if cell.odd or not np.isnan(cell.value)]
    whole = [unmarked(texts[i]).strip() for i in held]
    if (seconds := durations(whole)) is not None:
        return _replaced(read, held, seconds)
    short, factors = shortened(whole)
    if short and (bare := _bare_numbers(short, decimal_comma)) is not None:
        return _replaced(read, held, [n * f for n, f in zip(bare, factors, strict=True)])
    found = [m for text in whole if (m := _WITH_UNIT.fullmatch(text))]
    units = [m["unit"].lower() for m in found] if len(found) == len(whole) else []
    numbers = _bare_numbers([m["number"] for m in found] if units else whole, decimal_comma)
    if numbers is None:
        return read
    if not units or (len({*units}) == 1 and units[0] in UNITS):
        return _replaced(read, held, numbers)
    if {*units} <= {*TIMES}:
        times = [n * TIMES[u] for n, u in zip(numbers, units, strict=True)]
        return _replaced(read, held, times)
    return read


def _all_plain(texts: list[str], decimal_comma: bool) -> np.ndarray | None:
    """Many texts as the numbers that they are, read as Python does; None where one is no number."""
    if len(texts) < MANY or decimal_comma or any("_" in text for text in texts[:MANY]):
        return None
    try:
        values = np.array(texts, object).astype(float)
    except ValueError:
        return None
    written = np.isfinite(values).all() and "_" not in "".join(texts)  # 1_000 is 1000 in Python
    return values if written else None


def _bare_numbers(texts: list[str], decimal_comma: bool) -> list[float] | None:
    """Texts as numbers, where all are; also whole ones with commas between groups of digits."""
    cells = [_read(text.strip(), decimal_comma) for text in texts]
    if not any(cell.odd or np.isnan(cell.value) for cell in cells):
        return [cell.value for cell in cells]
    # 5,955 alone may be a decimal comma; 1,234,567 or 890 beside it tells that it is none
    told = any(t.count(",") > 1 or t.lstrip("+-").isdecimal() for t in texts)
    if told and not decimal_comma and all(map(_GROUPED.fullmatch, texts)):
        return [float(t.replace(",", "")) for t in texts]
    return None


def _replaced(read: list[_Cell], at: list[int], numbers: list[float]) -> list[_Cell]:
    made = list(read)
    for i, number in zip(at, numbers, strict=True):
        made[i] = _Cell(number)
    return made


def _placed(kinds: np.ndarray, codes: np.ndarray) -> np.ndarray:
    return kinds[codes] if kinds.dtype != bool or kinds.any() else np.zeros(len(codes), bool)


def texts_in(cells: pd.Series) -> Texts:
    """The number of each cell's text, and the different texts as they first appear.

    Equal cells are made text once; not objects, of which 1 and True are equal.
    """
    few: list[Any] = cells.tolist() if len(cells) <= SHORT else [None]
    if all(type(cell) is str for cell in few):  # pandas would take longer, and tables may be wide
        places: dict[str, int] = {}
        return np.array([places.setdefault(t, len(places)) for t in few], np.intp), list(places)
    if cells.dtype == object:
        if pd.api.types.infer_dtype(cells, skipna=False) != "string":
            cells = cells.where(cells.notna(), "").astype(str)
        codes, texts = pd.factorize(cells.to_numpy(object))
        return codes, list(texts)
    codes, kinds = pd.factorize(cells, use_na_sentinel=False)
    objects = pd.Series(kinds).astype(object)
    return codes, list(objects.where(objects.notna(), "").astype(str))


def _read(text: str, decimal_comma: bool) -> _Cell:
    """By Python's float, not pandas' parser: what repr has written is read back exactly."""
    try:
        if "_" not in text:  # 1_000 is 1000 in Python only
            return _Cell(float(_pointed(text, decimal_comma)))
    except ValueError:
        pass
    if len(text) > LONG:
        return _Cell(odd=True)
    low = text.lower()
    if low in MISSING:
        return _Cell()
    if low in TRUTHS:
        return _Cell(TRUTHS[low])
    return _Cell(failed=True) if _is_failed(low) else _written(unmarked(text), decimal_comma)


def _is_failed(text: str) -> bool:
    return text in FAILED or _LIMIT.fullmatch(text) is not None


def _written(text: str, decimal_comma: bool) -> _Cell:
    match = _CELL.fullmatch(text.replace("−", "-"))
    if _THOUSANDS.fullmatch(text):
        return _Cell(_ungrouped(text))
    if not match or ("," in match["number"] and not decimal_comma):
        return _Cell(failed=True) if _is_failed(text.lower()) else _Cell(odd=True)
    number = float(_pointed(match["number"], decimal_comma))
    percent = bool(match["percent"] or match["also"])
    return _Cell(number, percent=percent, spread=bool(match["spread"]))


def _ungrouped(text: str) -> float:
    """The number of a text whose digits are grouped: `1,234.5`, `1.234,5`, `1 234,5`."""
    sign = next((s for s in reversed(text) if s in ",."), "")
    whole, _, rest = text.rpartition(sign) if sign else (text, "", "")
    return float(re.sub(r"[^\d+-]", "", whole) + (f".{rest}" if rest else ""))


def _pointed(text: str, decimal_comma: bool) -> str:
    return text.replace(",", ".") if decimal_comma and "." not in text else text


# -- marks of text processors ------------------------------------------------------------------

_LATEX_SIGNS = {
    r"\pm": "±", r"\%": "%", r"\_": "_", r"\&": "&", r"\#": "#", r"\$": "$", r"\,": " ",
    r"\;": " ", r"\dagger": "†", r"\ddagger": "‡", r"\times": "x", r"\textpm": "±",
    r"\uparrow": "↑", r"\downarrow": "↓", r"\ast": "*",
}  # fmt: skip
_DROPPED = re.compile(
    r"\\(?:cellcolor|rowcolor|color|cite[pt]?|footnote|label|ref|rule|vspace|hspace|tnote)\*?"
    r"(?:\[[^\]]*\])?\{[^{}]*\}"
)
_OF_THREE = re.compile(r"\\multi(?:row|column)\*?(?:\[[^\]]*\])?\{[^{}]*\}\{[^{}]*\}\{([^{}]*)\}")
_OF_TWO = re.compile(r"\\(?:textcolor|colorbox)\{[^{}]*\}\{([^{}]*)\}")
_OF_ONE = re.compile(r"\\[a-zA-Z]+\*?\{([^{}]*)\}")
_BELOW = re.compile(r"([_^])\{([^{}]*)\}")  # a subscript, within which stand no marks any more
_FONT = re.compile(r"\\(?:bf|it|em|bfseries|itshape|small|footnotesize|scriptsize|tiny|best)\b ?")
_MARKDOWN = (
    (re.compile(r"\[([^\]]+)\]\([^)]*\)"), r"\1"),
    (re.compile(r"</?(?:b|i|u|strong|em|sup|sub|br|span|mark|del)\b[^>]*>"), ""),
    (re.compile(r"(\*\*|__|~~|`)(.+?)\1"), r"\2"),
    (re.compile(r"^([*_])([^*_]+)\1$"), r"\2"),
)


def unmarked(text: str) -> str:
    """A cell without the marks of Markdown and LaTeX: `**0.7**` and `$\\mathbf{0.7}$` are 0.7."""
    text = _without_latex(text) if "\\" in text or "$" in text else text
    for mark, kept in _MARKDOWN:
        text = mark.sub(kept, text)
    return text.strip()


def _without_latex(text: str) -> str:
    text = _DROPPED.sub("", text).replace(r"\\", " ")
    for sign, meant in _LATEX_SIGNS.items():
        text = re.sub(
            re.escape(sign) + (r"(?![a-zA-Z])" if sign[1:].isalpha() else ""), meant, text
        )
    before = ""
    while before != text:  # what is marked may hold marks
        before = text
        for pattern in (_OF_THREE, _OF_TWO, _OF_ONE):
            text = pattern.sub(r"\1", text)
        text = _BELOW.sub(r"\1\2", text)
    return re.sub(r"[{}$]", "", _FONT.sub("", text)).strip()


# -- A table by its columns -----------------------------------------------------------------------
# Names, labels and numbers, and where in it something is wrong.
#
# What the columns mean is not known here. Rows are counted from 1 below the header.


IN_WORDS = ("yes", "no", "right", "wrong", "correct", "incorrect", "pass", "fail")  # answers


class Coded(NamedTuple):
    """A column of names: the number of each row's name, and the names."""

    codes: np.ndarray
    names: list[str]

    def rows(self, chosen: np.ndarray) -> Coded:
        """Some rows, and the names that occur in them, in the order they had."""
        used, codes = distinct(self.codes[chosen], len(self.names))
        return Coded(codes, [self.names[u] for u in used])


def number_of(keys: np.ndarray, size: int) -> int:
    """How many different numbers below a size there are."""
    if size > 4 * len(keys) + 1000:
        return len(np.unique(keys))
    return int(np.count_nonzero(np.bincount(keys, minlength=size)))


def distinct(keys: np.ndarray, size: int) -> tuple[np.ndarray, np.ndarray]:
    """The different ones of numbers below a size, in order, and the place of each among them.

    Where there are about as many numbers as there could be they are counted, not sorted.
    """
    if size > 4 * len(keys) + 1000:
        return np.unique(keys, return_inverse=True)
    there = np.bincount(keys, minlength=size) > 0
    return np.flatnonzero(there), keys if there.all() else (np.cumsum(there) - 1)[keys]


@dataclass(frozen=True)
class Tabular:
    """Somebody's table; its columns have different names, all text, `#1` where the first has none.

    `what` is how an error calls it. The cells of a CSV file are still text.
    """

    frame: pd.DataFrame
    what: str
    name: str = ""
    decimal_comma: bool = False
    notes: tuple[Note, ...] = ()  # on how it was read
    said: Said = field(default_factory=dict)  # by the caller, of its columns
    known: dict[tuple[str, str], Any] = field(default_factory=dict, repr=False)  # of its columns

    @property
    def columns(self) -> list[str]:
        """The names of all columns."""
        return list(self.frame.columns)

    @property
    def row(self) -> np.ndarray:
        """The number of each row in the source."""
        return self.frame.index.to_numpy() + 1

    def way_out(self, **roles: str | Iterable[str]) -> str:
        """How to say what columns are, besides what was said already."""
        return way_out(self.said, **roles)

    def _check(self, column: str, wrong: np.ndarray, why: str, way: str) -> None:
        if wrong.any():
            first = int(np.argmax(wrong))
            cell = f"'{self.frame[column].iloc[first]}' {why}"
            raise ResultsError(
                f"{self.what}, column '{column}', row {self.row[first]}: {cell}. {way}."
            )

    def numbers(self, column: str) -> np.ndarray:
        """A column of scores; cells without one are NaN, true and false 1 and 0."""
        result = self.parsed(column)
        less = self.way_out(ignore=column)
        wrong = result.odd | np.isinf(result.values)
        way = f"Correct it, leave the cell empty, or leave the column out: {less}"
        if wrong.any() and str(self.frame[column].iloc[int(np.argmax(wrong))]).lower() in IN_WORDS:
            way = "Write 1 for right and 0 for wrong (or true and false)"
        self._check(column, wrong, "is no finite number", way)
        return result.values

    def is_numeric(self, column: str) -> bool:
        """Whether a column holds nothing but numbers and gaps, and not only gaps."""
        outcome = self._of_kinds(column)
        return not outcome.odd.any() and not np.isnan(outcome.values).all()

    def is_label(self, column: str) -> bool:
        """Whether a column can hold names or counts: text or whole numbers."""
        values, odd = self._of_kinds(column)[:2]
        return bool(odd.any() or (np.isnan(values) | (np.floor(values) == values)).all())

    def is_text(self, column: str) -> bool:
        """Whether a column holds text and not one number."""
        values, odd = self._of_kinds(column)[:2]
        return bool(odd.any() and np.isnan(values).all())

    def is_whole(self, column: str) -> bool:
        """Whether a column holds nothing but whole numbers, and not only 0 and 1."""
        values = self._of_kinds(column).values
        here = values[~np.isnan(values)]
        return self.is_numeric(column) and self.is_label(column) and bool((here > 1).any())

    def parsed(self, column: str) -> Numbers:
        """The numbers of a column, and where it holds something else; read once."""
        key = ("numbers", column)
        if key not in self.known:
            each = self._of_kinds(column)
            if not are_numbers(self.frame[column]):
                codes = self._texts(column)[0]
                each = Numbers(*(_placed(kinds, codes) for kinds in each))
            self.known[key] = each
        answer: Numbers = self.known[key]
        return answer

    def _of_kinds(self, column: str) -> Numbers:
        """The numbers of a column's different texts, or of its cells where these are numbers."""
        key = ("numbers of kinds", column)
        if key not in self.known:
            cells = self.frame[column]
            if are_numbers(cells):
                self.known[key] = numbers_in(cells, self.decimal_comma)
            else:
                self.known[key] = numbers_of(self._texts(column)[1], self.decimal_comma)
        answer: Numbers = self.known[key]
        return answer

    def codes(self, column: str) -> np.ndarray:
        """The number of each row's cell among the different cells of a column; found once."""
        if self.frame[column].dtype != object:
            return self._texts(column)[0]
        key = ("codes", column)
        if key not in self.known:
            try:
                self.known[key] = pd.factorize(self.frame[column], use_na_sentinel=False)[0]
            except TypeError:  # cells of JSON may hold lists and mappings
                self.known[key] = self._texts(column)[0]
        found: np.ndarray = self.known[key]
        return found

    def joined(self, parts: str) -> Tabular:
        """With a column `a+b` that joins the cells of a and b; as it is where it has one."""
        columns = [part.strip() for part in parts.split("+")]
        if parts in self.columns or len(columns) < 2:
            return self
        for column in columns:
            self.check_column(column)
        texts = [self.frame[c].astype(object).where(self.frame[c].notna(), "") for c in columns]
        cells = [" / ".join(str(c).strip() for c in row) for row in zip(*texts, strict=True)]
        return replace(self, frame=self.frame.assign(**{parts: cells}))

    def check_column(self, column: str) -> None:
        """Refuse a column that is not there."""
        if column not in self.columns:
            raise ResultsError(unknown(f"column of {self.what}", column, self.columns))

    def less_rows(self, gone: np.ndarray) -> Tabular:
        """Without some rows."""
        return replace(self, frame=self.frame[~gone], known={}) if gone.any() else self

    def texts(self, column: str) -> pd.Series:
        """The cells of a column as text without outer blanks."""
        codes, texts = self.kinds(column)
        return pd.Series(np.array(texts, object)[codes], self.frame.index)

    def kinds(self, column: str) -> Coded:
        """The different texts of a column without outer blanks, as they first appear."""
        key = ("kinds", column)
        if key not in self.known:
            codes, texts = self._texts(column)
            place, different = pd.factorize(np.array([t.strip() for t in texts], object))
            again = len(different) < len(texts)
            self.known[key] = Coded(place[codes] if again else codes, list(different))
        found: Coded = self.known[key]
        return found

    def _texts(self, column: str) -> Texts:
        """The different texts of a column as they are, and each cell's number; found once."""
        key = ("texts", column)
        if key not in self.known:
            self.known[key] = texts_in(self.frame[column])
        found: Texts = self.known[key]
        return found

    def names(self, column: str) -> Coded:
        """A column of names, stripped of outer blanks, as they first appear; none may be empty."""
        codes, names = self.kinds(column)
        if "" in names:
            self._check(column, codes == names.index(""), "is no name", "Fill it in")
        return Coded(codes, names)

    def labels(self, column: str) -> Coded:
        """A column of labels: numbers in their order, other labels as they first appear."""
        codes, names = self.names(column)
        try:
            numbers = np.array([float(name) for name in names if "_" not in name], float)
        except ValueError:
            numbers = np.array([np.nan])
        if len(numbers) < len(names) or np.isnan(numbers).any():
            return Coded(codes, names)
        ordered, place = np.unique(numbers, return_inverse=True)
        return Coded(place[codes], [f"{n:.12g}" for n in ordered])

    def notes_on(self, scores: Iterable[str]) -> tuple[Note, ...]:
        """What cells of scores hold besides numbers, and how the table was read."""
        results = {c: self.parsed(c) for c in scores}
        spread = sum(int(n.spread.sum()) for n in results.values())
        words = [
            str(cell).strip()
            for c, n in results.items()
            if n.failed.any()
            for cell in self.frame[c][n.failed].tolist()
        ]
        notes = list(self.notes)
        if spread:
            notes.append(Note("spread-left-out", DETAIL, cells=spread))
        if {*words} - {WORD}:
            counts = tuple(Counter(words).items())
            notes.append(Note("cells-without-score", REMARK, cells=len(words), by=counts))
        return tuple(notes)

    def failed(self, column: str) -> dict[int, str]:
        """The words for runs that gave no score in a column, by the number of their row."""
        here = self.parsed(column).failed
        if not here.any():
            return {}  # of a column of numbers no text is made
        words = zip(self.row[here].tolist(), self.texts(column)[here], strict=True)
        return {row: word for row, word in words if word.lower() not in NOT_RUN}

    def in_percent(self, scores: Iterable[str]) -> bool:
        """Whether all scores carry a percent sign; an error where only some do."""
        signs = {c: self.parsed(c) for c in scores}
        if not any(n.percent.any() for n in signs.values()):
            return False
        for column, n in signs.items():
            bare = ~n.percent & ~np.isnan(n.values) & (n.values != 0)
            way = "Write all scores in percent, or none"
            self._check(column, bare, "has no percent sign where other scores have one", way)
        return True


# -- column groups --------------------------------------------------------------------------------
# How the rows of a table fall into groups by its columns.


def groups(table: Tabular, columns: Iterable[str]) -> np.ndarray:
    """The number of each row's group: rows of a group agree in these columns."""
    cells: np.ndarray | None = None
    for column in columns:
        codes = table.codes(column)
        size = count(codes)
        cells = codes if cells is None else distinct(cells * size + codes, count(cells) * size)[1]
    return np.zeros(len(table.frame), np.int64) if cells is None else cells


def kinds(table: Tabular, columns: Sequence[str]) -> int:
    """How many groups of rows there are that agree in these columns."""
    *before, last = columns
    result, codes = groups(table, before), table.codes(last)
    size = count(codes)
    return number_of(result * size + codes, count(result) * size)


def count(values: np.ndarray) -> int:
    """How many groups there are."""
    return int(values.max(initial=-1)) + 1


def is_apart(table: Tabular, columns: Iterable[str]) -> bool:
    """Whether no two rows agree in these columns."""
    columns, rows = list(columns), len(table.frame)
    if math.prod(count(table.codes(c)) for c in columns) < rows:
        return False
    return kinds(table, columns) == rows


def is_constant(table: Tabular, column: str) -> bool:
    """Whether all rows have one cell there."""
    return count(table.codes(column)) < 2


def alike(table: Tabular, first: str, second: str) -> bool:
    """Whether two columns tell the same rows apart."""
    each = {count(table.codes(c)) for c in (first, second)}
    return len(each) == 1 and count(groups(table, (first, second))) in each


def one_each(table: Tabular, texts: Sequence[str]) -> list[str]:
    """Of columns that tell the same rows apart the one with names, or the first."""
    kept: list[str] = []
    for column in sorted(texts, key=lambda c: not table.is_text(c)):
        if not any(alike(table, column, other) for other in kept):
            kept.append(column)
    return [c for c in texts if c in kept]


def free(columns: Iterable[str], text: Said) -> list[str]:
    """The columns of which the caller says nothing."""
    claimed = {part for names in text.values() for n in names for part in (n, *n.split("+"))}
    return [c for c in columns if c not in claimed]
