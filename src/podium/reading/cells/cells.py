"""Cells as people write them: `0.763 ± 0.02`, `76.3%`, `0.763 (0.02)`, **bold**, `-`, `OOM`, `>1h`.

What stands in a cell besides its number is told, not lost in silence: a spread, a percent sign, a
word for a run that gave no score.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

MISSING = ("", "na", "n/a", "nan", "null", "none", "?", "#n/a", "nat")  # a score that is not there
TRUTHS = {"true": 1.0, "false": 0.0}
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
_THOUSANDS = re.compile(r"[+-]?\d{1,3}(,\d{3})+\.\d+")


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


def numbers_in(cells: pd.Series, decimal_comma: bool, texts: Texts | None = None) -> Numbers:
    """The numbers in a column, whose texts may be known."""
    if are_numbers(cells):
        nowhere = np.zeros(len(cells), bool)
        return Numbers(cells.to_numpy(dtype=float, na_value=np.nan), *[nowhere] * 4)
    codes, different = texts or texts_in(cells)
    read = [_read(text.strip(), decimal_comma) for text in different]
    if any(cell.odd for cell in read):
        read = _with_units(different, read, decimal_comma)
    columns = zip(*read, strict=True) if read else [()] * 5
    return Numbers(*(_placed(np.array(c), codes) for c in columns))


_TIMES = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ms": 1e-3, "s": 1.0, "sec": 1.0}
_TIMES |= dict.fromkeys(("secs", "seconds"), 1.0) | dict.fromkeys(("min", "mins"), 60.0)
_TIMES |= dict.fromkeys(("h", "hours"), 3600.0)
_UNITS = {*_TIMES, "b", "kb", "mb", "gb", "kib", "mib", "gib", "hz", "khz", "mhz", "ghz"}
_WITH_UNIT = re.compile(rf"(?P<number>{_NUMBER})\s*(?P<unit>[a-zA-Zµμ]+)")
_GROUPED = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})*")


def _with_units(texts: list[str], read: list[_Cell], decimal_comma: bool) -> list[_Cell]:
    """Cells that all have a unit (12.3 ms), or all are whole with commas (12,345), as numbers.

    Several units of time become seconds; other units must be one, for 1 MB is not 1 GB.
    """
    held = [i for i, cell in enumerate(read) if cell.odd or not np.isnan(cell.value)]
    matches = [_WITH_UNIT.fullmatch(unmarked(texts[i]).strip()) for i in held]
    if all(matches):
        units = [m["unit"].lower() for m in matches if m]
        numbers = [float(_pointed(m["number"], decimal_comma)) for m in matches if m]
        if len({*units}) == 1 and units[0] in _UNITS:
            return _replaced(read, held, numbers)
        if {*units} <= {*_TIMES}:
            times = [n * _TIMES[u] for n, u in zip(numbers, units, strict=True)]
            return _replaced(read, held, times)
    whole = [texts[i].strip() for i in held]
    # 5,955 alone may be a decimal comma; 1,234,567 or 890 beside it tells that it is none
    message = any(t.count(",") > 1 or t.lstrip("+-").isdecimal() for t in whole)
    if message and not decimal_comma and all(map(_GROUPED.fullmatch, whole)):
        return _replaced(read, held, [float(t.replace(",", "")) for t in whole])
    return read


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
        codes, texts = pd.factorize(cells.where(cells.notna(), "").astype(str))
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
        return _Cell(float(text.replace(",", "")))
    if not match or ("," in match["number"] and not decimal_comma):
        return _Cell(failed=True) if _is_failed(text.lower()) else _Cell(odd=True)
    number = float(_pointed(match["number"], decimal_comma))
    percent = bool(match["percent"] or match["also"])
    return _Cell(number, percent=percent, spread=bool(match["spread"]))


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
    return re.sub(r"[{}$]", "", _FONT.sub("", text)).strip()
