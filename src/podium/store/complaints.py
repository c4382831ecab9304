"""What SQLite complains about, and what no store would say, as sentences with a way out."""

from __future__ import annotations

import contextlib
import sqlite3
import zlib
from collections.abc import Iterator
from pathlib import Path

from podium.errors import PodiumError, StoreError

_SENSELESS = (LookupError, TypeError, ValueError, OverflowError, zlib.error)


@contextlib.contextmanager
def translated(path: Path) -> Iterator[None]:
    """SQLite's errors become Podium's."""
    try:
        yield
    # sqlite3 cannot decode its own message where the name of a table is damaged
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        raise StoreError(_sentence(path, str(error))) from error


@contextlib.contextmanager
def understood(path: Path) -> Iterator[None]:
    """Values that Podium cannot have written, as SQLite does not notice, are damage."""
    try:
        yield
    except PodiumError:
        raise
    except _SENSELESS as error:
        raise StoreError(damaged(path, f"{type(error).__name__}: {error}")) from error


def damaged(path: Path, reason: str) -> str:
    """That a store is broken, and what can be done."""
    return (
        f"The store '{path}' is damaged: {reason:.100}. Go on with a copy, or with what SQLite's "
        "command .recover saves of it."
    )


def _sentence(path: Path, reason: str) -> str:
    """SQLite's complaint as a sentence with a way out."""
    if "not a database" in reason:
        return f"'{path}' is not a Podium store."
    if "disk I/O" in reason:
        return (
            f"The store '{path}' cannot be written: the disk may be full or broken, or a limit on "
            "files was met. What was done is kept."
        )
    if "full" in reason:
        return f"The disk is full: the store '{path}' keeps what was done and takes no more."
    if "readonly" in reason or "unable to open" in reason:
        return f"The store '{path}' cannot be opened for writing: check its permissions."
    if "locked" in reason:
        return f"The store '{path}' is locked by another process. Try again when it has ended."
    if any(word in reason for word in ("malformed", "corrupt", "decode")):
        return damaged(path, reason)
    return f"The store '{path}' cannot be used: {reason}."
