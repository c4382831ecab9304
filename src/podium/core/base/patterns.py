"""Regular expressions of users and of files, which end in time whatever they are.

A pattern that repeats what repeats may take longer than the universe lasts, and nothing in this
process can stop it. What is surely quick is matched here; all else by a child process with a limit
on its seconds, which needs neither signals nor the main thread.
"""

from __future__ import annotations

import json
import math
import re
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from podium.core.base.errors import PodiumError, ResultsError

try:
    from re import _parser  # type: ignore[attr-defined]
except ImportError:  # they are no promise of Python's: without them no pattern counts as quick
    _parser = None

SECONDS = 2.0  # of the processor that a pattern may take, whatever it is held against
PER_TEXT = 20e-6  # seconds more for each text
WAITING = 6  # times as long as that, of the clock: others may use the processor, too
QUICK = 10_000_000  # steps of a match in this process, at worst
LONGEST = 1_000_000  # letters of a text in which parts are replaced
SEARCH, WHOLE, REPLACE = "search", "fullmatch", "sub"

# what the child runs: it reads a request from its input, and answers with places of groups
_CHILD = """
import json, re, sys
request = json.load(sys.stdin)
try:
    import resource
    seconds = int(request["seconds"]) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
except (ImportError, ValueError, OSError):
    pass
pattern = re.compile(request["pattern"], request["flags"])
def held(text):
    if request["way"] == "sub":
        return pattern.sub(request["replace"], text)
    match = getattr(pattern, request["way"])(text)
    return match and [match.lastindex, [match.span(i) for i in range(pattern.groups + 1)]]
json.dump([held(text) for text in request["texts"]], sys.stdout)
"""


@dataclass(frozen=True)
class Part:
    """What a pattern has matched of a text: its groups, as those of `re.Match`."""

    groups: tuple[str | None, ...]  # that of the whole first
    names: Mapping[str, int]
    lastindex: int | None

    def __getitem__(self, group: int | str) -> Any:
        return self.groups[self.names[group] if isinstance(group, str) else group]

    def groupdict(self) -> dict[str, str | None]:
        """The named groups."""
        return {name: self.groups[number] for name, number in self.names.items()}

    @property
    def last(self) -> Any:
        """The group that closed last; the whole where there are no groups."""
        return self.groups[self.lastindex or 0]


class BoundedPattern:
    """A regular expression that somebody wrote: as `re.compile`, and sure to end.

    >>> BoundedPattern("(?P<model>[a-z]+)-").search("svm-3")["model"]
    'svm'
    >>> BoundedPattern("*").search("x")
    Traceback (most recent call last):
    podium.errors.ResultsError: '*' is no pattern (nothing to repeat at position 0).
    """

    def __init__(
        self, text: str, flags: int = 0, *, error: type[PodiumError] = ResultsError
    ) -> None:
        self.text, self.flags, self.error = text, flags, error
        try:
            self._compiled = re.compile(text, flags)
        except (re.error, RecursionError, OverflowError) as problem:
            raise error(f"'{text:.200}' is no pattern ({problem}).") from None

    @property
    def names(self) -> Mapping[str, int]:
        """Its named groups."""
        return self._compiled.groupindex

    def search(self, text: str) -> Part | None:
        """The first part of a text that it matches."""
        return self.search_all([text])[0]

    def is_whole(self, text: str) -> bool:
        """Whether it matches a whole text."""
        return self.match_all([text])[0] is not None

    def search_all(self, texts: Iterable[str]) -> list[Part | None]:
        """The first part of each text that it matches."""
        return self._parts(SEARCH, list(texts))

    def match_all(self, texts: Iterable[str]) -> list[Part | None]:
        """Each text, where it matches all of it."""
        return self._parts(WHOLE, list(texts))

    def replace_all(self, texts: Iterable[str], by: str) -> list[str]:
        """Each text with `by` in the place of every part that it matches."""
        every = list(texts)
        try:
            self._compiled.sub(by, "")
        except (re.error, IndexError) as problem:
            raise self.error(
                f"'{by:.200}' cannot replace what the pattern '{self.text:.200}' matches "
                f"({problem})."
            ) from None
        if any((len(text) + 1) * len(by) > LONGEST for text in every):
            raise self.error(
                f"'{by:.60}' for each match of the pattern '{self.text:.200}' makes "
                f"texts of more than {LONGEST:,} letters: replace by less."
            )
        return self._held(REPLACE, every, by)

    def _parts(self, way: str, texts: list[str]) -> list[Part | None]:
        every = zip(texts, self._held(way, texts), strict=True)
        return [None if places is None else self._part(text, places) for text, places in every]

    def _part(self, text: str, places: Sequence[Any]) -> Part:
        last, spans = places
        groups = tuple(None if start < 0 else text[start:end] for start, end in spans)
        return Part(groups, self.names, last)

    # -- matching -------------------------------------------------------------------------------

    def _held(self, way: str, texts: list[str], by: str = "") -> list[Any]:
        """What the pattern gives for each text; equal texts are looked at once."""
        once = list(dict.fromkeys(texts))
        limit = SECONDS + PER_TEXT * len(once)
        quick = [text for text in once if self._is_quick(text)]
        made = dict(zip(quick, self._held_here(way, quick, by, limit), strict=True))
        slow = [text for text in once if text not in made]
        if slow:
            made.update(zip(slow, self._held_by_child(way, slow, by, limit), strict=True))
        return [made[text] for text in texts]

    @cached_property
    def _ways(self) -> _Ways:
        return _find_ways(self.text, self.flags)

    def _is_quick(self, text: str) -> bool:
        """Whether a match of a text surely takes few steps, also one that fails."""
        letters = float(len(text) + 1)
        return letters ** min(self._ways.loops + 1, MOST_LOOPS) * self._ways.choices <= QUICK

    def _held_here(self, way: str, texts: Sequence[str], by: str, limit: float) -> list[Any]:
        made: list[Any] = []
        start = time.thread_time()
        for number, text in enumerate(texts):
            if way == REPLACE:
                made.append(self._compiled.sub(by, text))
            else:
                match = getattr(self._compiled, way)(text)
                groups = range(self._compiled.groups + 1)
                made.append(match and (match.lastindex, [match.span(i) for i in groups]))
            if number % 8 == 0 and time.thread_time() - start > limit:
                raise self._refusal(limit)
        return made

    def _held_by_child(self, way: str, texts: Sequence[str], by: str, limit: float) -> list[Any]:
        import subprocess  # which most readings never need

        request = {
            "pattern": self.text,
            "flags": int(self.flags),
            "way": way,
            "texts": texts,
            "replace": by,
            "seconds": limit,
        }
        line = [sys.executable, "-I", "-S", "-c", _CHILD]
        try:
            done = subprocess.run(
                line,
                input=json.dumps(request).encode(),
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                timeout=WAITING * limit,
                check=True,
            )
        except (OSError, subprocess.SubprocessError):
            raise self._refusal(limit) from None
        made: list[Any] = json.loads(done.stdout)
        return made

    def _refusal(self, limit: float) -> PodiumError:
        return self.error(
            f"The pattern '{self.text:.200}' takes more than {limit:.0f} s: write it without "
            "repetitions of what repeats itself, as a+ in place of (a+)+."
        )


# -- which patterns are quick ---------------------------------------------------------------------
# A match that fails tries every way to part a text among loops that stand behind each other, and
# every choice beside them: of L loops, C choices and n letters at most C n^L ways, from each of n
# places. Of what varies within a loop there is no such bound.


@dataclass(frozen=True)
class _Ways:
    """In how many ways a pattern may part n letters: choices * n^loops."""

    loops: int = 0
    choices: float = 1.0

    def then(self, other: _Ways) -> _Ways:
        """Of one pattern behind another."""
        return _Ways(self.loops + other.loops, self.choices * other.choices)

    def beside(self, other: _Ways) -> _Ways:
        """Of either pattern."""
        return _Ways(max(self.loops, other.loops), self.choices + other.choices)


MOST_LOOPS = 100
FEW = 16  # numbers of repetitions that are choices; more are a loop
_NO_BOUND = _Ways(MOST_LOOPS, math.inf)
_REPEATING = {"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"}


_REVIEWED: set[str] = set()


def trust_patterns(texts: Iterable[str]) -> None:
    """Patterns that Podium ships: they take time in proportion to a text, as a test holds."""
    _REVIEWED.update(texts)


def _find_ways(text: str, flags: int) -> _Ways:
    if text in _REVIEWED:
        return _Ways()
    return _NO_BOUND if _parser is None else _bound(_parser.parse(text, flags))


def _bound(parsed: Any) -> _Ways:
    """The ways of a pattern that Python has parsed."""
    ways = _Ways()
    for code, held in parsed:
        ways = ways.then(_bound_of_part(str(code), held))
        if ways.choices > QUICK:
            return _NO_BOUND
    return ways


def _bound_of_part(name: str, held: Any) -> _Ways:
    if name in _REPEATING:
        return _bound_of_loop(*held)
    if name == "BRANCH":
        first, *others = map(_bound, held[1])
        for each in others:
            first = first.beside(each)
        return first
    if name == "SUBPATTERN":
        return _bound(held[-1])
    if name in ("ASSERT", "ASSERT_NOT"):
        return _bound(held[1])
    if name == "ATOMIC_GROUP":
        return _bound(held)
    return _NO_BOUND if name.startswith("GROUPREF") else _Ways()


def _bound_of_loop(least: int, most: int, body: Any) -> _Ways:
    inner = _bound(body)
    if int(most) <= 1:  # there or not
        return inner.beside(_Ways()) if least == 0 else inner
    if inner != _Ways():
        return _NO_BOUND
    if least == most:
        return _Ways()
    few = int(most) - int(least) < FEW
    return _Ways(0, int(most) - int(least) + 1.0) if few else _Ways(1)
