"""How numbers, names and tables are written for people: in terminals, Markdown and LaTeX."""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from shutil import get_terminal_size

_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "[": "{[}",  # behind a line's end it would begin an option, as a star would
    "*": "{*}",
    "≈": r"$\approx$",
    "≻": r"$\succ$",
    "≺": r"$\prec$",
    "≿": r"$\succsim$",
    "∥": r"$\parallel$",
    "∞": r"$\infty$",
    "−": "$-$",
    **{c: "\\" + c for c in "&%$#_{}"},
}
_MARKDOWN = re.compile(r"[\\`*_\[\]|~]|<(?=[A-Za-z/!?])|&(?=[A-Za-z#])")
_NUMBERS = re.compile(r"([0-9]+)")
_RULE = r"\midrule"
NARROWEST, WIDEST = 24, 100  # a terminal
LONGEST = 28  # letters of a name in a plot; longer ones are shortened
_MOST_DIGITS = 6  # of a number in a column of aligned ones
SETTLED, SURE = 12, 9  # digits: before a number is rounded, and of one that programs read


def drop_noise(value: float) -> float:
    """The number to twelve digits: those beyond depend on the processor that added it up.

    What is a decimal fraction is that again, so that a half is always rounded to the same side.

    >>> drop_noise(0.1 + 0.2), drop_noise(-0.0)
    (0.3, 0.0)
    """
    return float(f"{value:.{SETTLED}g}") + 0.0


def keep_sure_digits(value: float) -> float:
    """The number to nine digits, which are the same on every processor; a zero has no sign.

    >>> keep_sure_digits(2 / 3), keep_sure_digits(0.1 + 0.2)
    (0.666666667, 0.3)
    """
    return float(f"{drop_noise(value):.{SURE}g}")


def number(value: float, digits: int = 3) -> str:
    """A number with some significant digits; a dash where there is none.

    >>> number(-0.012345), number(1234.5), number(float("nan"))
    ('-0.0123', '1234', '–')
    """
    if value is None or math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    value = drop_noise(value)
    if 10**digits <= abs(value) < 1e9:
        return f"{value:.0f}"
    return f"{value:.{digits}g}"


def aligned(values: Sequence[float], unit: float, digits: int) -> list[str]:
    """Numbers with the same number of decimals, by which `unit` has so many significant digits.

    Where that would take too many digits for the largest, each has its own significant ones.

    >>> aligned([0.01234, -0.1, float("nan")], unit=0.01, digits=2)
    ['0.012', '-0.100', '–']
    >>> aligned([0.01234, 12345.6], unit=0.01, digits=3)
    ['0.0123', '12346']
    """
    largest = max([unit, *(abs(v) for v in values if math.isfinite(v))])
    decimals = max(digits - 1 - math.floor(math.log10(unit)), 0)
    if decimals > 9 or decimals + math.floor(math.log10(largest)) + 1 > _MOST_DIGITS:
        return [number(v, max(digits, 3)) for v in values]
    return [_fixed(v, decimals) if math.isfinite(v) else number(v) for v in values]


def text_or_digits(text: str, value: float, unit: float) -> str:
    """The text of a number, or its own digits where these are all rounded away.

    What is next to nothing beside `unit` comes of computing.

    >>> [text_or_digits(text, value, 1.0) for text, value in (("0.0", 0.0234), ("0.1", 0.0834))]
    ['0.023', '0.1']
    >>> text_or_digits("0.0", 1e-17, 1.0)
    '0.0'
    """
    lost = abs(value) > 1e-9 * unit and math.isfinite(value) and float(text) == 0
    return number(value, 2) if lost else text


def _fixed(value: float, decimals: int) -> str:
    """A number with so many decimals; what rounds to nothing has no sign."""
    text = f"{drop_noise(value):.{decimals}f}"
    return text.removeprefix("-") if float(text) == 0 else text


def p_value(value: float) -> str:
    """A p-value with three decimals; '<0.001' below.

    >>> p_value(0.04567), p_value(1e-9)
    ('0.046', '<0.001')
    """
    if value is None or math.isnan(value):
        return "–"
    value = drop_noise(value)
    return "<0.001" if value < 0.001 else f"{value:.3f}"


# -- escaping -------------------------------------------------------------------------------


def printable(text: str) -> str:
    r"""Text that leaves the terminal as it is: line ends and control characters are escaped.

    >>> printable("a\x1b[31m")
    'a\\x1b[31m'
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def latex(text: str) -> str:
    r"""Text with LaTeX's special characters escaped.

    >>> latex("a_b & <c>")
    'a\\_b \\& \\textless{}c\\textgreater{}'
    """
    return "".join(_LATEX.get(c, c if c.isprintable() else " ") for c in text)


def markdown(text: str) -> str:
    r"""Text with Markdown's and HTML's special characters escaped.

    >>> markdown("a|b <i> <0.001")
    'a\\|b \\<i> <0.001'
    """
    return _MARKDOWN.sub(r"\\\g<0>", printable(text))


# -- terminals ------------------------------------------------------------------------------


def screen() -> int:
    """The width that text is wrapped to: the terminal's, 100 where it is wider or is none."""
    return max(min(get_terminal_size((WIDEST, 24)).columns, WIDEST), NARROWEST)


def wrapped(text: str, width: int, hanging: str = "") -> str:
    """Text in lines of a width, all but the first indented; long words stay whole."""
    return textwrap.fill(
        printable(text),
        width,
        subsequent_indent=hanging,
        break_long_words=False,
        break_on_hyphens=False,
    )


def in_lines(text: str) -> str:
    """Prose wrapped to the screen; rows of tables, whose columns lie apart, stay as they are."""
    width = screen()
    lines = text.split("\n")
    return "\n".join(t if "  " in t.strip() else wrapped(t, width, "  ") for t in lines)


def shortened(names: Sequence[str], most: int) -> dict[str, str]:
    """Names as they fit into a column, cut in the middle; whole where cut ones would be the same.

    >>> shortened(["svm", "C=10, gamma=0.001, kernel=rbf"], 15)
    {'svm': 'svm', 'C=10, gamma=0.001, kernel=rbf': 'C=10, g…nel=rbf'}
    """
    short = {name: _cut(printable(name), most) for name in names}
    if len(set(short.values())) < len(short):
        return {name: printable(name) for name in names}
    return short


def _cut(name: str, most: int) -> str:
    if cells(name) <= most:
        return name
    head = tail = ""
    for first, last in zip(name, name[::-1], strict=True):
        if cells(head + first + last + tail) >= most:
            break
        head, tail = head + first, last + tail
    return f"{head}…{tail}"


def one_line(text: str) -> str:
    """Text without line ends; blanks beside each other are one."""
    return " ".join(str(text).split())


def short(name: str, longest: int = LONGEST) -> str:
    """A name in one line that is not too long; names that differ often do so at the end only.

    >>> short("boosting with a rate of 0.05", 15)
    'boostin…of 0.05'
    """
    line = one_line(name)
    if len(line) <= longest:
        return line
    head, tail = longest // 2, (longest - 1) // 2
    return f"{line[:head]}…{line[-tail:]}"


def cells(text: str) -> int:
    """How many columns of a terminal a text takes: two for Chinese characters and emoji."""
    from rich.cells import cell_len

    return cell_len(text)


def padded(text: str, width: int) -> str:
    """A text followed by blanks, so that it takes so many columns of a terminal.

    >>> padded("模型", 6) + "|"
    '模型  |'
    """
    return text + " " * (width - cells(text))


def markdown_table(table: Mapping[str, Sequence[str]], left: Sequence[str]) -> str:
    """A table of texts in Markdown; the columns in `left` begin at the left.

    >>> print(markdown_table({"name": ["a|b"], "p": ["0.01"]}, left=["name"]))
    | name | p |
    | --- | ---: |
    | a\\|b | 0.01 |
    """
    rule = ["---" if name in left else "---:" for name in table]
    rows = zip(*([markdown(t) for t in texts] for texts in table.values()), strict=True)
    return "\n".join(f"| {' | '.join(row)} |" for row in [list(table), rule, *map(list, rows)])


def columns(
    table: Mapping[str, Sequence[str]],
    left: Sequence[str],
    indent: str = "",
    spare: Sequence[str] = (),
    room: int = 0,
) -> str:
    """A table of texts in columns below their names; those in `left` begin at the left.

    Columns in `spare` are left out, the first first, while the table is wider than the screen,
    or than `room`.

    >>> print(columns({"name": ["svm", "模型"], "p": ["0.01", "1"]}, left=["name"]))
    name     p
    svm   0.01
    模型     1
    """
    for name in spare:
        if name in table and _width(table, indent) > (room or screen()):
            table = {kept: texts for kept, texts in table.items() if kept != name}
    parts = []
    for name, texts in table.items():
        column = [name, *texts]
        widest = max(map(cells, column))
        blanks = [" " * (widest - cells(t)) for t in column]
        before = name not in left
        parts.append([b + t if before else t + b for t, b in zip(column, blanks, strict=True)])
    return "\n".join(f"{indent}{'  '.join(row)}".rstrip() for row in zip(*parts, strict=True))


def _width(table: Mapping[str, Sequence[str]], indent: str) -> int:
    widths = [max(map(cells, [name, *texts])) for name, texts in table.items()]
    return len(indent) + sum(widths) + 2 * (len(widths) - 1)


def ended(text: str) -> str:
    """A text with a full stop at its end."""
    return text if text.endswith((".", "?", "!")) else f"{text}."


def latex_table(table: Mapping[str, Sequence[str]], left: Sequence[str], caption: str) -> str:
    """A table of texts in LaTeX's booktabs; `caption` is LaTeX already.

    The hyphen of a negative number becomes a minus sign.
    """
    signed = [
        [latex(t if name in left else t.replace("-", "−", 1)) for t in texts]
        for name, texts in table.items()
    ]
    sides = "".join("l" if name in left else "r" for name in table)
    return booktabs(caption, sides, [latex(name) for name in table], [zip(*signed, strict=True)])


def booktabs(
    caption: str,
    sides: str,
    head: Sequence[str],
    bodies: Iterable[Iterable[Sequence[str]]],
    *,
    centred: bool = False,
) -> str:
    """A table of cells that are LaTeX already, a rule above each body that has rows."""
    ruled = [line for body in bodies if (lines := [*map(_row, body)]) for line in (_RULE, *lines)]
    return "\n".join(
        [
            r"\begin{table} % needs \usepackage{booktabs}",
            *[r"\centering"] * centred,
            rf"\caption{{{caption}}}",
            *[r"\smallskip"] * centred,
            rf"\begin{{tabular}}{{{sides}}}",
            r"\toprule",
            _row(head),
            *(ruled or [_RULE]),
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
            "",
        ]
    )


def _row(cells: Sequence[str]) -> str:
    return " & ".join(cells) + r" \\"


def natural(name: str) -> tuple[tuple[tuple[str, int, str], ...], str]:
    """What sorts names as people count: numbers in them by their size.

    >>> sorted(["svm2", "a10", "a2", "svm", "a02"], key=natural)
    ['a02', 'a2', 'a10', 'svm', 'svm2']
    """
    # a text, then how many digits follow it and which: no number is too long to be compared
    parts = [*_NUMBERS.split(name), ""]
    digits = (part.lstrip("0") for part in parts[1::2])
    return tuple((t, len(d), d) for t, d in zip(parts[::2], digits, strict=True)), name


MOST_DIGITS = 18


def read_digits(digits: str) -> int:
    """The whole number that digits spell; of more than 18 digits 10^18, which nobody counts to.

    Python refuses to convert thousands of digits, and arrays hold no numbers that are much larger.

    >>> read_digits("007"), read_digits("9" * 20_000) == 10**18
    (7, True)
    """
    return int(digits) if len(digits) <= MOST_DIGITS else 10**MOST_DIGITS


def listed(names: Sequence[str], most: int = 20) -> str:
    """Names with commas between; the last of very many as a number.

    >>> listed(["a", "b", "c"], most=2)
    'a, b and 1 more'
    """
    more = len(names) - most
    shown = ", ".join(names[:most])
    return f"{shown} and {more} more" if more > 0 else shown
