"""Functions, classes and methods of shared packages that a run has replaced: found and put back.

To look at all of them takes about two milliseconds, so that it is done after the first runs of an
algorithm, after all runs of one that was caught, and else now and then.
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from operator import itemgetter
from types import ModuleType
from typing import Any

PACKAGES = ("numpy", "scipy", "sklearn", "podium")
STANDARD = ("collections", "copy", "functools", "hashlib", "itertools", "json", "operator", "time")
FIRST_RUNS = 2  # of an algorithm, after which is always looked
SHARE = 0.05  # of the time that looking may take later on
_CHANGEABLE = 1 << 9  # the flag of classes that are no part of a compiled library


@dataclass(frozen=True)
class _Place:
    """A module or class, and the code that it holds by name."""

    owner: Any
    names: tuple[str, ...]
    get: Callable[[Any], tuple[Any, ...]]
    code: tuple[Any, ...]
    size: int

    @property
    def is_as_it_was(self) -> bool:
        now = vars(self.owner)
        try:
            same = self.get(now) == self.code
        except KeyError:  # somebody has removed one
            return False
        # lazily loaded parts add names to modules; to a class they may hide what it inherits
        return same and (isinstance(self.owner, ModuleType) or len(now) == self.size)

    def mend(self) -> Iterator[str]:
        """Put back what was replaced or removed, and remove what hides something else."""
        now = dict(vars(self.owner))
        for name, value in zip(self.names, self.code, strict=True):
            if now.get(name) is not value:
                setattr(self.owner, name, value)
                yield self._called(name)
        if isinstance(self.owner, type):
            for name in set(now) - set(self.names):
                hides = any(name in vars(base) for base in self.owner.__mro__[1:])
                if hides and _is_code(now[name]):
                    delattr(self.owner, name)
                    yield self._called(name)

    def _called(self, name: str) -> str:
        if isinstance(self.owner, ModuleType):
            return f"{self.owner.__name__}.{name}"
        return f"{self.owner.__module__}.{self.owner.__qualname__}.{name}"


class Patches:
    """The code of shared packages as it is before the first run."""

    def __init__(self) -> None:
        self._modules: dict[str, ModuleType] = {}
        self._places: list[_Place] = []
        self._looked: Counter[str] = Counter()
        self._caught: set[str] = set()
        self._again = 0.0
        self._learn()

    def mended(self, algorithm: str) -> list[str]:
        """What was replaced, and is put back, where it is time to look."""
        start = time.perf_counter()
        first = self._looked[algorithm] < FIRST_RUNS
        if not first and algorithm not in self._caught and start < self._again:
            return []
        self._looked[algorithm] += 1
        found = [*self._modules_put_back()]
        found += [what for place in self._places if not place.is_as_it_was for what in place.mend()]
        self._learn()
        if found:
            self._caught.add(algorithm)
        end = time.perf_counter()
        self._again = end + (end - start) / SHARE
        return found

    def _modules_put_back(self) -> Iterator[str]:
        for name, module in self._modules.items():
            if sys.modules.get(name) is not module:
                sys.modules[name] = module
                yield f"the module {name}"

    def _learn(self) -> None:
        """Note what the modules hold that were loaded since."""
        for name, module in [*sys.modules.items()]:
            known = name.partition(".")[0] in PACKAGES or name in STANDARD
            if known and name not in self._modules and isinstance(module, ModuleType):
                self._modules[name] = module
                self._places += filter(None, map(_place, _owners(name, module)))


def _owners(name: str, module: ModuleType) -> Iterator[Any]:
    yield module
    for value in [*vars(module).values()]:
        is_own = isinstance(value, type) and value.__module__ == name
        if is_own and value.__flags__ & _CHANGEABLE:
            yield value


def _place(owner: Any) -> _Place | None:
    now = dict(vars(owner))
    names = tuple(name for name, value in now.items() if _is_code(value))
    if len(names) < 2:  # of which a getter would give no tuple
        names *= 2
    if not names:
        return None
    get = itemgetter(*names)
    return _Place(owner, names, get, get(now), len(now))


def _is_code(value: Any) -> bool:
    with contextlib.suppress(Exception):  # an object that answers oddly
        return callable(value) or hasattr(type(value), "__get__")
    return False
