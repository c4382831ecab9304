"""Locks on files, which the system lets go of when their holder ends, however it ends."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import IO

BUSY = (BlockingIOError, PermissionError)


def locked(file: Path) -> IO[str] | None:
    """The file, open and locked as long as it stays open; None where somebody else has it locked.

    Where the disk or the system knows no locks, it is open all the same.
    """
    handle = _opened(file)
    try:
        import fcntl  # not on Windows

        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BUSY:
        handle.close()
        return None
    except (OSError, ImportError):
        pass
    return handle


def _opened(file: Path) -> IO[str]:
    return os.fdopen(os.open(file, os.O_RDWR | os.O_CREAT, 0o666), "r+", encoding="utf-8")


def locked_for_good(file: Path) -> IO[str] | None:
    """As `locked`, but surely the file that others find under its name, not one just removed."""
    while (handle := locked(file)) is not None:
        with contextlib.suppress(OSError):
            if os.path.samestat(os.fstat(handle.fileno()), file.stat()):
                return handle
        handle.close()
    return None
