"""Whom plots show in colour where there are many algorithms, and in which order they list them.

Up to eight algorithms have a hue each. Of more, colour says "in the lead" and grey says the rest;
a page has one lead and one order, and a plot alone takes those of what it shows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

MOST_HUES = 8  # algorithms with a hue each
MOST_LEADING = 4  # of up to 25, in hues of their own
MOST_LISTED = 25  # algorithms that pictures with a row or a line each can hold


@dataclass(frozen=True)
class Emphasis:
    """The algorithms in colour, and the order of rows; both empty where nobody said."""

    lead: tuple[str, ...] = ()
    order: tuple[str, ...] = ()


NOTHING = Emphasis()
_NOW: ContextVar[Emphasis] = ContextVar("emphasis", default=NOTHING)
SEEN: dict[type, Callable[[Any], Emphasis]] = {}  # what a plot shows -> who leads there


def emphasis() -> Emphasis:
    """What holds now."""
    return _NOW.get()


@contextmanager
def emphasised(seen: Emphasis) -> Iterator[None]:
    """All that is drawn meanwhile has this lead and order."""
    before = _NOW.set(seen)
    try:
        yield
    finally:
        _NOW.reset(before)


@contextmanager
def emphasised_by(what: Any) -> Iterator[None]:
    """The lead of what a plot shows, where it has many algorithms and nobody said another."""
    many = len(getattr(what, "algorithms", ())) > MOST_HUES
    make = SEEN.get(type(what))
    if not many or make is None or emphasis().lead:
        yield
        return
    with emphasised(make(what)):
        yield


def in_order(names: Sequence[str]) -> list[str]:
    """Names in the order that was said; as they are where none was, or others are among them."""
    place = {name: i for i, name in enumerate(emphasis().order)}
    if not place or any(name not in place for name in names):
        return list(names)
    return sorted(names, key=place.__getitem__)
