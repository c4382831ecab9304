"""The SQLite file of a store: opened, checked, read, written in transactions.

What SQLite complains about, and what no store would say, are sentences with a way out.
"""

from __future__ import annotations

import contextlib
import functools
import os
import sqlite3
import weakref
import zlib
from collections.abc import Iterator, Sequence
from importlib.resources import files
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

import numpy as np

from podium.core.base.errors import PodiumError, StoreError
from podium.core.base.formatting import listed
from podium.core.words.phrases import counted

APPLICATION_ID = 0x504F4449  # "PODI": how a Podium store is told from other SQLite files
SCHEMA_VERSION = 1
HEAD = b"SQLite format 3\0"
CHUNK = 100_000
_SENSELESS = (LookupError, TypeError, ValueError, OverflowError, RecursionError, zlib.error)


class LostStore(StoreError):
    """The file of a store that is being written was deleted, moved, replaced or shortened."""

    exit_status = 1


class StoreFile:
    """One SQLite file that is a store, whatever it holds. One process writes, many may read."""

    def __init__(self, path: str | Path, *, create: bool = False, readonly: bool = False) -> None:
        self.path = Path(path)
        with translated(self.path):
            self._connection = self._opened(create, readonly)
        self.identity = _identity(self.path)
        self._size = 0  # bytes of the file when it was looked at last
        _open_here.add(self)

    def _opened(self, create: bool, readonly: bool) -> sqlite3.Connection:
        if self.path.exists() and not self.path.is_file():  # to open a pipe may wait for ever
            kind = "a folder" if self.path.is_dir() else "a pipe or device"
            raise StoreError(f"'{self.path}' is {kind}, not a store.")
        head = self._head()
        if not head and not create:
            raise StoreError(f"There is no store '{self.path}'.")
        if not self.path.absolute().parent.is_dir():
            raise StoreError(f"The folder of the store '{self.path}' does not exist.")
        # SQLite takes a file that is shorter than its own head for an empty one, and overwrites it
        if head and head != HEAD:
            raise StoreError(f"'{self.path}' is not a Podium store.")
        if not readonly:
            return self._connected("rwc" if create else "rw")
        # a reader that may write tidies up the write-ahead log when it closes; one that may not
        # can do without the log where nobody else holds it open
        for mode in ("rw", "ro"):
            with contextlib.suppress(sqlite3.OperationalError):
                return self._connected(mode, reads=True)
        return self._connected("ro&immutable=1", reads=True)

    def _head(self) -> bytes:
        """The first bytes of the file; none where there is no file."""
        try:
            return first_bytes(self.path, len(HEAD))
        except FileNotFoundError:
            return b""
        except OSError as error:
            raise StoreError(
                f"The store '{self.path}' cannot be read ({error.strerror}): check its permissions."
            ) from None

    def _connected(self, mode: str, *, reads: bool = False) -> sqlite3.Connection:
        uri = f"{self.path.absolute().as_uri()}?mode={mode}"
        # a store from elsewhere is data: its schema shall call nothing
        # isolation_level None: transactions are begun and ended by hand, in `transaction`
        connection = sqlite3.connect(uri, uri=True, timeout=60, isolation_level=None)
        try:
            connection.execute("PRAGMA trusted_schema = OFF")
            self._prepare(connection, reads)
        except BaseException:
            connection.close()
            raise
        return connection

    def _prepare(self, connection: sqlite3.Connection, reads: bool) -> None:
        if reads:
            connection.execute("PRAGMA query_only = ON")
        elif _is_empty(connection):  # new, or what a kill left behind
            connection.execute("PRAGMA journal_mode = WAL")
            self._create(connection)
        self._check(connection)
        if not reads:
            connection.execute("PRAGMA journal_mode = WAL")
            # WAL with NORMAL survives the death of the process; a power cut may cost the last
            # transactions, never the file
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute(_script().rpartition("\n")[2])  # of an earlier version: digests

    def _create(self, connection: sqlite3.Connection) -> None:
        # one transaction: a process killed here leaves an empty file, which is as good as none;
        # a table that is there was made by another process that began at the same moment
        connection.executescript(
            f"BEGIN IMMEDIATE;\nPRAGMA application_id = {APPLICATION_ID};\n"
            f"PRAGMA user_version = {SCHEMA_VERSION};\n{_script()}\nCOMMIT;"
        )

    def _check(self, connection: sqlite3.Connection) -> None:
        if _is_empty(connection):
            raise StoreError(f"There is no store '{self.path}'.")
        mark, version = (
            connection.execute(f"PRAGMA {p}").fetchone()[0]
            for p in ("application_id", "user_version")
        )
        if mark != APPLICATION_ID:
            raise StoreError(f"'{self.path}' is a SQLite file, but not a Podium store.")
        if version != SCHEMA_VERSION:
            raise StoreError(
                f"The store '{self.path}' has schema version {version}; this Podium reads version "
                f"{SCHEMA_VERSION}. Use the Podium that wrote it."
            )
        _check_plain(connection, self.path)

    def checkpoint(self) -> None:
        """Move what was appended from the write-ahead log into the file, as far as nobody reads."""
        with translated(self.path):
            self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        self.refuse_lost()

    def settle(self) -> None:
        """Bring all that was appended into the file itself, which then stands alone."""
        with translated(self.path):
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            self._connection.execute("PRAGMA journal_mode = DELETE").fetchall()

    def refuse_lost(self) -> None:
        """Refuse to go on where the path no longer leads to the file that is open here.

        SQLite would go on writing a file that nobody finds.
        """
        try:
            status = self.path.stat()
        except (FileNotFoundError, NotADirectoryError):
            raise LostStore(lost(self.path)) from None
        except OSError:  # a network that fails for a moment
            return
        is_same = (status.st_dev, status.st_ino) == self.identity or self._is_read_there()
        if not is_same or status.st_size < self._size:  # a store only grows
            raise LostStore(lost(self.path))
        self._size = status.st_size

    def _is_read_there(self) -> bool:
        """Whether the path leads to what is held here, under another number of its file system."""
        with contextlib.suppress(StoreError), StoreFile(self.path, readonly=True) as there:
            last = "SELECT max(id) FROM runs UNION ALL SELECT max(id) FROM sessions"
            return there.rows(last) == self.rows(last)
        return False

    def copy_to(self, path: Path) -> None:
        """Copy all that is open here to a new file, also where its own is no longer to be found."""
        with translated(path), contextlib.closing(sqlite3.connect(path)) as copy:
            self._connection.backup(copy)

    @contextlib.contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """All that is written inside is written, or nothing."""
        with translated(self.path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[None]:
        """All that is read inside is of one moment, whatever is appended meanwhile."""
        if self._connection.in_transaction:
            yield
            return
        with translated(self.path):
            self._connection.execute("BEGIN")
        try:
            yield
        finally:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")

    @contextlib.contextmanager
    def attached(self, other: Path) -> Iterator[None]:
        """Meanwhile the tables of another store can be read here, as `other.runs` and so on."""
        with translated(self.path):
            self._connection.execute("ATTACH ? AS other", (str(other.absolute()),))
        try:
            yield
        finally:
            self._connection.execute("DETACH other")

    def close(self) -> None:
        """Close the file."""
        _open_here.discard(self)
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        tb: TracebackType | None,
    ) -> None:
        self.close()

    def check(self) -> None:
        """Refuse a file that is damaged anywhere; all of it is read."""
        ((result,),) = self.rows("PRAGMA quick_check(1)")
        if result != "ok":
            raise StoreError(damaged(self.path, result.splitlines()[-1]))
        for table in ("sessions", "datasets", "algorithms", "measures"):
            self.rows(f"SELECT * FROM {table}")  # SQLite's check does not decode texts

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """The rows of a query."""
        with translated(self.path):
            return self._connection.execute(sql, parameters).fetchall()

    def columns(
        self, sql: str, dtypes: Sequence[Any], parameters: Sequence[Any] = ()
    ) -> list[np.ndarray]:
        """The columns of a query as arrays (NULL: nan), fetched in chunks to spare memory."""
        pieces: list[list[np.ndarray]] = [[np.empty(0, t)] for t in dtypes]
        with translated(self.path), understood(self.path):
            cursor = self._connection.execute(sql, parameters)
            while rows := cursor.fetchmany(CHUNK):
                for piece, values, dtype in zip(
                    pieces, zip(*rows, strict=True), dtypes, strict=True
                ):
                    piece.append(np.array(values, dtype=dtype))
        return [np.concatenate(p) for p in pieces]


@functools.cache
def _script() -> str:
    return files("podium.reading.store").joinpath("schema.sql").read_text(encoding="utf-8").rstrip()


def _check_plain(connection: sqlite3.Connection, path: Path) -> None:
    """A store has tables and indexes, of stored columns; a view, say, may have rows without end."""
    odd = connection.execute(
        "SELECT type, name FROM sqlite_master WHERE type NOT IN ('table', 'index') "
        "OR sql LIKE 'CREATE VIRTUAL%' UNION ALL SELECT 'computed column', x.name "
        "FROM sqlite_master m, pragma_table_xinfo(m.name) x WHERE m.type = 'table' AND x.hidden"
    ).fetchone()
    if odd:
        raise StoreError(f"'{path}' has a {odd[0]} '{odd[1]}', which no store of Podium has.")


def _is_empty(connection: sqlite3.Connection) -> bool:
    return not connection.execute("SELECT 1 FROM sqlite_master").fetchone()


_open_here: weakref.WeakSet[StoreFile] = weakref.WeakSet()


def _identity(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_dev, status.st_ino


def first_bytes(path: Path, count: int) -> bytes:
    """The first bytes of a file; of a store that this process has open it is known what they are.

    To close a file lets go of all locks that the process has on it, SQLite's too: then the next
    reader takes itself for the last one, and removes the log that is being written.
    """
    if _identity(path) in [file.identity for file in list(_open_here)]:
        return HEAD[:count]
    with path.open("rb") as file:
        return file.read(count)


def is_blank(path: str | Path) -> bool:
    """Whether there is no store yet: no file, an empty one, or what a kill left while it was made.

    What cannot be read is not blank: opening it says why.
    """
    path = Path(path)
    if not path.exists() or (path.is_file() and not path.stat().st_size):
        return True
    if not path.is_file():
        return False
    with contextlib.suppress(sqlite3.Error):
        uri = f"{path.absolute().as_uri()}?mode=ro"
        with contextlib.closing(sqlite3.connect(uri, uri=True)) as connection:
            return _is_empty(connection)
    return False


# -- what goes wrong, in words --------------------------------------------------------------------


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
    reason = " ".join(reason.split())  # which may quote what the store holds
    return (
        f"The store '{path}' is damaged: {reason:.100}. Go on with a copy, or with what SQLite's "
        "command .recover saves of it."
    )


def changed(path: Path, runs: int) -> str:
    """That so many runs of a store are not what was written, and what can be done."""
    are = "is not as it was" if runs == 1 else "are not as they were"
    return (
        f"The store '{path}' is damaged: {runs} of its runs {are} written. "
        f"'podium store check {path} -o NEW.db' saves what is sound, and says what to run again."
    )


def beyond_repair(path: Path, rows: Sequence[str]) -> str:
    """That what a store says of its study is wrong, so that no run of it can be trusted."""
    are = "is not as it was" if len(rows) == 1 else "are not as they were"
    return (
        f"The store '{path}' is damaged: {listed(rows, 3)} {are} written. Run its study anew, "
        "with another store."
    )


def lost(path: Path) -> str:
    """That the file of a store is no longer where it was while it is being written."""
    return f"The store '{path}' was deleted, moved, replaced or shortened while its study ran."


def saved_elsewhere(path: Path, saved: Path | None, runs: int, *, all_of_it: bool) -> str:
    """The same, with what could be saved, and how to go on."""
    if saved is None:
        return f"{lost(path)} Nothing of it could be saved."
    what = "All that it held" if all_of_it else counted(runs, "run") + " that had just ended"
    verb = "is" if all_of_it or runs == 1 else "are"
    return (
        f"{lost(path)} {what} {verb} in '{saved}'. Leave out the algorithm that does so, and go "
        f"on with --store {saved}"
    )


def busy(path: Path, writer: Path) -> str:
    """Who is writing, as the file beside the store says, and what else can be done."""
    who = ""
    with contextlib.suppress(OSError):  # it may just have ended
        who = writer.read_text(encoding="utf-8")
    return (
        f"The store '{path}' is being written by {who or 'another process'} (UTC). Wait for it, "
        "stop it, or give this call a part of the study and a store of its own by --shard, and "
        "merge them."
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


# -- locks ----------------------------------------------------------------------------------------
# Locks on files, which the system lets go of when their holder ends, however it ends.


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
