"""The letters that intervals and axes are drawn with in a terminal."""

from __future__ import annotations

import sys
from typing import NamedTuple


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
