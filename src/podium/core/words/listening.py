"""Notes that are told while something is done, to whoever listens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from podium.core.words.facts import Note

_LISTENERS: ContextVar[tuple[list[Note], ...]] = ContextVar("listeners", default=())


@contextmanager
def listening() -> Iterator[list[Note]]:
    """What is told first inside; outer listeners hear it too.

    >>> with listening() as heard:
    ...     tell_first(["a note"])
    ...     tell_first(["another"])
    >>> heard
    ['a note']
    """
    heard: list[Note] = []
    token = _LISTENERS.set((*_LISTENERS.get(), heard))
    try:
        yield heard
    finally:
        _LISTENERS.reset(token)


def tell_first(notes: Iterable[Note]) -> None:
    """Let those hear these notes who have heard none: what is read again is no other source."""
    known = list(notes)
    for heard in _LISTENERS.get():
        if not heard:
            heard.extend(known)
