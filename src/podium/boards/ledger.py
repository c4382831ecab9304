"""A ledger: a file to which lines are added, each chained to the one before it by its hash.

Nothing in it is ever rewritten. A line that was changed, removed or put elsewhere breaks the chain,
and whoever noted the last hash also sees that lines at the end were taken away.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from podium.base.errors import StoreError
from podium.base.writing import append_lines
from podium.store.locks import locked

WAITING = 60.0  # seconds for somebody else who adds
PAUSE = 0.05
OWN = ("number", "time", "previous", "hash")  # what the ledger itself adds to an entry
Entry = Mapping[str, Any]


@dataclass(frozen=True)
class Broken:
    """The first line that is not as it was written, and why."""

    line: int
    reason: str


@dataclass(frozen=True)
class Ledger:
    """The lines of a ledger, as far as they are chained."""

    path: Path
    entries: tuple[Entry, ...]
    broken: Broken | None = None

    @property
    def head(self) -> str:
        """The hash of the last line; note it, and no line can be taken away unseen."""
        return str(self.entries[-1]["hash"]) if self.entries else ""

    def of(self, *events: str) -> list[Entry]:
        """The entries of these events."""
        return [entry for entry in self.entries if entry["event"] in events]


def digest(content: bytes | str) -> str:
    """SHA-256 in letters."""
    return hashlib.sha256(content.encode() if isinstance(content, str) else content).hexdigest()


def read_ledger(path: str | Path) -> Ledger:
    """The ledger, up to the first line that is not as it was written."""
    entries: list[Entry] = []
    previous = ""
    for number, line in enumerate(_lines(Path(path)), 1):
        reason = _reason(line, number, previous)
        if isinstance(reason, str):
            return Ledger(Path(path), tuple(entries), Broken(number, reason))
        entries.append(reason)
        previous = str(reason["hash"])
    return Ledger(Path(path), tuple(entries))


def checked(ledger: Ledger) -> Ledger:
    """The ledger, where its chain is whole."""
    if ledger.broken is not None:
        raise StoreError(
            f"'{ledger.path}', line {ledger.broken.line}: {ledger.broken.reason}. Take the file "
            "from a copy; nothing is added to a ledger that was changed."
        )
    return ledger


def _lines(path: Path) -> list[str]:
    """The finished lines; what a kill has left of another one was never answered."""
    try:
        text = path.read_bytes().decode("utf-8", "replace")
    except FileNotFoundError:
        return []
    return text.split("\n")[:-1]


def _reason(line: str, number: int, previous: str) -> Entry | str:
    """The entry of a line, or what is wrong with it."""
    try:
        entry = json.loads(line)
    except ValueError:
        entry = None
    if not isinstance(entry, dict) or not {*OWN, "event"} <= {*entry}:
        return "it is no entry of a ledger"
    if _hash(entry) != entry["hash"]:
        return "it was changed after it was written"
    if entry["previous"] != previous or entry["number"] != number:
        return "a line before it was removed, added or moved"
    return entry


def _hash(entry: Mapping[str, Any]) -> str:
    content = {name: value for name, value in entry.items() if name != "hash"}
    return digest(json.dumps(content, sort_keys=True, ensure_ascii=True))


@contextlib.contextmanager
def writing(path: str | Path, waiting: float = WAITING) -> Iterator[Writer]:
    """The one who may add to a ledger meanwhile; others wait, and are told when they waited long.

    The system lets go of the lock when its holder ends, however it ends.
    """
    until = time.monotonic() + waiting
    while (handle := locked(Path(path))) is None:
        if time.monotonic() > until:
            raise StoreError(
                f"Another process has been adding to '{path}' for {waiting:g} s. Wait until it "
                "has ended, and try again."
            )
        time.sleep(PAUSE)
    with handle:
        yield Writer(checked(read_ledger(path)))


@dataclass
class Writer:
    """Adds entries to a ledger that is locked."""

    ledger: Ledger

    def add(self, entries: Sequence[Mapping[str, Any]]) -> Ledger:
        """Add entries, all or none, and bring them to the disk."""
        made: list[Entry] = []
        previous, now = self.ledger.head, datetime.now(UTC).isoformat(timespec="seconds")
        for number, entry in enumerate(entries, len(self.ledger.entries) + 1):
            own = {"number": number, "time": now, **entry, "previous": previous}
            made.append(own | {"hash": _hash(own)})
            previous = made[-1]["hash"]
        append_lines([json.dumps(entry, ensure_ascii=True) for entry in made], self.ledger.path)
        self.ledger = Ledger(self.ledger.path, (*self.ledger.entries, *made))
        return self.ledger
