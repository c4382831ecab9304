"""Words for numbers, names and tests in sentences; no statistics."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from podium.base.formatting import p_value, printable

MOST = 6  # names in a sentence
SMALL = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def counted(count: int, noun: str, plural: str = "") -> str:
    """A number with its noun.

    >>> counted(1, "pair"), counted(2, "data set"), counted(0, "run")
    ('1 pair', '2 data sets', 'no runs')
    """
    many = plural or f"{noun}s"
    return f"{count or 'no'} {noun if count == 1 else many}"


def times(count: int) -> str:
    """How often.

    >>> times(1), times(2), times(5)
    ('once', 'twice', '5 times')
    """
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def spelled(count: int, noun: str, plural: str = "") -> str:
    """The same for a paper, where numbers up to ten are words.

    >>> spelled(1, "data set"), spelled(2, "run"), spelled(12, "repetition of cv", "repetitions")
    ('one data set', 'two runs', '12 repetitions')
    """
    figures, _, rest = counted(count, noun, plural).partition(" ")
    return f"{SMALL[count - 1] if 0 < count <= len(SMALL) else figures} {rest}"


def joined(names: Sequence[str], most: int = MOST, word: str = "and") -> str:
    """Names in a sentence; the rest of very many as a number.

    >>> joined(["a"]), joined(["a", "b"]), joined(["a", "b", "c"]), joined("abcd", most=2)
    ('a', 'a and b', 'a, b and c', 'a, b and 2 others')
    """
    listed = [printable(name) for name in names]
    if len(listed) > most + 1:  # never "1 others"
        listed = [*listed[:most], f"{len(listed) - most} others"]
    if len(listed) < 2:
        return "".join(listed)
    return f"{', '.join(listed[:-1])} {word} {listed[-1]}"


def capital(text: str) -> str:
    """A text that begins a sentence; the rest stays as it is."""
    return text[:1].upper() + text[1:]


def sentence(text: str) -> str:
    """The text with a capital at its beginning and a full stop at its end."""
    return capital(text) + "." * (not text.endswith((".", "?", "!")))


def level(alpha: float) -> str:
    """The level of an interval, such as 95 %."""
    return f"{100 * (1 - alpha):g} %"


def is_are(count: int) -> str:
    """The verb for so many."""
    return "is" if count == 1 else "are"


def was_were(count: int) -> str:
    """The verb of the past for so many."""
    return "was" if count == 1 else "were"


def p_text(value: float) -> str:
    """A p-value in a sentence.

    >>> p_text(0.04567), p_text(1e-9)
    ('p = 0.046', 'p < 0.001')
    """
    text = p_value(value)
    return f"p < {text[1:]}" if text.startswith("<") else f"p = {text}"


def paired(pairs: Iterable[tuple[str, str]], most: int = 3) -> str:
    """The first of some pairs, by their names."""
    return ", ".join(f"{a} and {b}" if b else a for a, b in list(pairs)[:most])
