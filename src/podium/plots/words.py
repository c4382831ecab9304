"""Words of remarks: counts with what they count, and lists of names."""

from __future__ import annotations

from collections.abc import Sequence

LONGEST = 28  # letters of a name in a plot; longer ones are shortened


def short(name: str, longest: int = LONGEST) -> str:
    """A name in one line that is not too long; names that differ often do so at the end only.

    >>> short("boosting with a rate of 0.05", 15)
    'boostin…of 0.05'
    """
    line = " ".join(str(name).split())
    if len(line) <= longest:
        return line
    head, tail = longest // 2, (longest - 1) // 2
    return f"{line[:head]}…{line[-tail:]}"


def listed(names: Sequence[str], most: int = 5, longest: int = LONGEST) -> str:
    """Names in a row; the number of those beyond the first few.

    >>> listed(["a", "b", "c"], most=2)
    'a, b and 1 more'
    """
    rest = len(names) - most
    shown = ", ".join(short(name, longest) for name in names[:most])
    return f"{shown} and {rest} more" if rest > 0 else shown


def plural(count: int, thing: str, one: str = "", more: str = "") -> str:
    """A number with what it counts and, where given, the verb that goes with one or with more.

    >>> plural(1, "data set"), plural(3, "score", "is missing", "are missing")
    ('1 data set', '3 scores are missing')
    """
    return f"{count} {thing}{'' if count == 1 else 's'} {one if count == 1 else more}".rstrip()


def without_scores(names: Sequence[str]) -> list[str]:
    """A remark on algorithms that are not shown, where there are any."""
    return [f"No scores: {listed(names, most=10)}."] if names else []
