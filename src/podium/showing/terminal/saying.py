"""Where lines of a command go: standard output and standard error."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import click

READINGS = "podium.readings"  # the notes on how files were read, of one command
READING_SAID = "podium.reading_said"  # by the command itself, or not to be: JSON stands alone
LONGEST_WORD, SHOWN = 1000, 60  # letters of a word that is cut in the middle, and what is left
INTERRUPTED = 130  # what shells expect of a program that Ctrl-C ended


def say_error(message: str) -> None:
    """Print one message to standard error, in one line that leaves the terminal as it is."""
    from podium.core.base.formatting import printable, short

    readable = re.sub(rf"\S{{{LONGEST_WORD},}}", lambda word: short(word[0], SHOWN), message)
    say(f"podium: {printable(readable)}", err=True)


SIGNS = {"≈": "~", "≻": ">", "≺": "<", "≿": ">~", "∥": "||", "χ²": "chi2", "−": "-",
         "–": "-", "…": "~", "š": "s", "Š": "S", "á": "a", "─": "-", "●": "o",
         "│": "|", "┼": "+", "▌": "*", "·": "."}  # fmt: skip


def _signs(text: Any, stream: Any) -> Any:
    """The text, with signs of ASCII where the stream is told to have no others."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    try:
        str(text).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        for sign, plain in SIGNS.items():
            text = str(text).replace(sign, plain)
    return text


@contextmanager
def collect_lines() -> Iterator[list[str]]:
    """What is printed inside to standard output as lines without colours, which nobody sees.

    >>> with collect_lines() as lines:
    ...     say("one\\ntwo")
    >>> lines
    ['one', 'two']
    """
    lines: list[str] = []
    token = _COLLECTING.set(lines)
    try:
        yield lines
    finally:
        _COLLECTING.reset(token)


_COLLECTING: ContextVar[list[str] | None] = ContextVar("collecting", default=None)


def say(text: Any = "", *, err: bool = False) -> None:
    """Print to standard output, or error; to nobody where its reader has gone, as in `| head`."""
    if not err and (lines := _COLLECTING.get()) is not None:
        lines.extend(click.unstyle(str(text)).split("\n"))
        return
    if not err and "Read as" in str(text) and (context := click.get_current_context(silent=True)):
        context.meta[READING_SAID] = True
    try:
        click.echo(_signs(text, sys.stderr if err else sys.stdout), err=err)
    except BrokenPipeError:
        stream = sys.stderr if err else sys.stdout
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
