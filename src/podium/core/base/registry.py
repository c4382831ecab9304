"""Names to things, with "did you mean"."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Generic, ParamSpec, TypeVar

from podium.core.base import rooms
from podium.core.base.errors import UnknownName

T = TypeVar("T")
Added = TypeVar("Added")
Facts = ParamSpec("Facts")


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """' Did you mean 'x'?' for the closest known name, or an empty string."""
    by_lower_case = {k.lower(): k for k in known}
    close = difflib.get_close_matches(str(name).lower(), by_lower_case, n=1, cutoff=0.6)
    return f" Did you mean '{by_lower_case[close[0]]}'?" if close else ""


def unknown(kind: str, name: str, known: Iterable[str]) -> str:
    """The sentence for a name that is not among the known ones."""
    known = list(known)
    kind = kind.replace(" The ", " the ")  # what begins a sentence elsewhere
    article = "an" if kind[0] in "aeiou" else "a"
    return (
        f"'{name}' is not {article} {kind}.{did_you_mean(name, known)} "
        f"Known: {', '.join(known) or 'none'}."
    )


def adding(make: Callable[Facts, T], add: Callable[[T], Added]) -> Callable[Facts, Added]:
    """What adds a thing by the facts that it is made of."""

    def added(*facts: Facts.args, **more: Facts.kwargs) -> Added:
        return add(make(*facts, **more))

    return added


class Registry(Mapping[str, T], Generic[T]):
    """An ordered mapping from names to things of one kind; entries are added beside the thing.

    With `of_rooms` those of all rooms (see `Capability`) are there when the first is looked up; if
    `late`, when one is looked up that is not there.

    >>> colours: Registry[int] = Registry("colour")
    >>> colours.add("red", 1)
    1
    >>> colours["rde"]
    Traceback (most recent call last):
    podium.errors.UnknownName: 'rde' is not a colour. Did you mean 'red'? Known: red.
    """

    def __init__(self, kind: str, of_rooms: str = "", *, late: bool = False) -> None:
        self.kind = kind
        self._of_rooms = of_rooms
        self._late = late
        self._entries: dict[str, T] = {}

    def _all(self, name: object = None) -> dict[str, T]:
        """What there is, where this name is looked for."""
        wanted = isinstance(name, str) and name not in self._entries
        if self._of_rooms and (wanted or not self._late):
            rooms.load(self._of_rooms)
        return self._entries

    def add(self, name: str, thing: T) -> T:
        """Register `thing` and return it."""
        if name in self._entries:
            raise ValueError(f"The {self.kind} '{name}' is registered twice.")
        self._entries[name] = thing
        return thing

    def named(self, name: str) -> Callable[[T], T]:
        """A decorator that registers what it decorates."""
        return lambda thing: self.add(name, thing)

    def __getitem__(self, name: str) -> T:
        try:
            return self._all(name)[name]
        except (KeyError, TypeError):
            raise UnknownName(unknown(self.kind, name, self._all())) from None

    def __contains__(self, name: object) -> bool:
        # Mapping's own version relies on a plain KeyError; a list, say, cannot be looked up
        return isinstance(name, str) and name in self._all(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())
