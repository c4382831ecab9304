"""Where a command's findings go, and the letters that a terminal draws with."""

from __future__ import annotations

import contextlib
import csv
import io
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import click

from podium.core.base import writing
from podium.core.base.formatting import in_lines
from podium.showing.terminal.saying import READING_SAID, READINGS, say, say_error

SCREEN = "-"  # the file that is the screen


def check_writable(*paths: Path | None) -> None:
    """Refuse, before long work begins, a file whose folder is not there or takes no file."""
    for path in paths:
        if path is not None and str(path) != SCREEN:
            writing.check_writable(path)


def write(text: str, path: Path) -> None:
    """A text to a file, or to the screen where it is called `-`."""
    if str(path) == SCREEN:
        say(text.rstrip("\n"))
        if context := click.get_current_context(silent=True):
            context.meta[READING_SAID] = True  # it stands alone
    else:
        writing.write_text(text, path)


def write_csv(text: str, path: Path) -> None:
    """A table to a file or the screen, and a word about cells that spreadsheets compute."""
    write(text, path)
    cells = (cell for row in csv.reader(io.StringIO(text, newline="")) for cell in row)
    with contextlib.suppress(csv.Error):  # a cell that is longer than any spreadsheet takes
        say_formulas(cell for cell in cells if not _is_number(cell))


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def say_lines(text: str) -> None:
    """A text on the screen, its prose wrapped to it."""

    say(in_lines(text))


def write_json(content: Mapping[str, Any], path: Path) -> None:
    """Plain values as JSON; for the screen in ASCII, which every terminal shows."""
    context = click.get_current_context(silent=True)
    readings = context.meta.get(READINGS) if context else None
    if readings and not content.get("reading"):
        from podium.core.results.results import reading_facts
        from podium.core.words.saying import say as in_words

        facts = reading_facts(readings) or {"text": in_words(readings[0])}
        content = {**content, "reading": facts}
    from podium.core.words.saying import write_as_json

    write(write_as_json(content, ascii_alone=str(path) == SCREEN) + "\n", path)


Output = tuple[Path | None, Callable[[Path], None]]  # where it goes, if asked for; what writes it


def write_outputs(*outputs: Output) -> bool:
    """Write what was asked for, files together and then what is for the screen; whether any is.

    Files come first: whoever reads the screen may leave early. If one cannot be written, none is.
    """
    wanted = [(path, write_to) for path, write_to in outputs if path is not None]
    shown = [(path, write_to) for path, write_to in wanted if str(path) == SCREEN]
    with writing.write_together():
        for path, write_to in wanted:
            if str(path) != SCREEN:
                write_to(path)
    for path, write_to in shown:
        write_to(path)
    return bool(shown)


def show(content: Mapping[str, Any], json: Path | None, shown: Callable[[], None]) -> None:
    """What was found on the screen and, where it is asked for, as JSON.

    JSON on the screen stands alone. Files come first: whoever reads the screen may leave early.
    """
    if json is not None:
        write_json(content, json)
    if json is None or str(json) != SCREEN:
        shown()


FORMULAS = ("=", "+", "-", "@", "\t", "\r")  # how a cell begins that spreadsheets compute


def say_formulas(names: Iterable[Any]) -> None:
    """Tell of names that a spreadsheet would compute; files are to be read back."""
    odd = next((n for n in map(str, names) if n.startswith(FORMULAS)), None)
    if odd is not None:
        say_error(
            f"Names such as '{odd.strip()}' are written as they are: a spreadsheet takes them for "
            "formulas, so import these columns as text."
        )


# -- glyphs ---------------------------------------------------------------------------------------
# The letters that intervals and axes are drawn with in a terminal.


class Glyphs(NamedTuple):
    """What intervals are drawn with."""

    bar: str
    dot: str
    zero: str
    cross: str
    lead: str
    cut: str
    group: str
    left: str
    right: str


FINE = Glyphs("─", "●", "│", "┼", "▌", "·", "━", "├", "┤")
PLAIN = Glyphs("-", "o", "|", "+", "*", ".", "=", "|", "|")  # where the terminal has no others


def glyphs() -> Glyphs:
    """Those that standard output can show."""
    try:
        "".join(FINE).encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return PLAIN
    return FINE
