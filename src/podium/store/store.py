"""Store: append finished runs to a SQLite file, and read them."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from html import escape
from importlib.resources import files
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np

from podium.errors import StoreError
from podium.measures import Measure
from podium.samplings import Sampling
from podium.store.complaints import damaged, translated, understood
from podium.store.records import Kept, Record, packed, unpacked

APPLICATION_ID = 0x504F4449  # "PODI": how a Podium store is told from other SQLite files
SCHEMA_VERSION = 1
HEAD = b"SQLite format 3\0"
CHUNK = 100_000


class Store:
    """One SQLite file, append-only and crash-safe.

    *Law.* Rows are only added. A run is done iff it has a record without failure; several records
    of one run agree, but for times, as scores follow from the run's key. Every `append` is one
    transaction: a process that dies leaves either all or nothing of it. One process writes; any
    number may read meanwhile.
    """

    def __init__(self, path: str | Path, *, create: bool = False, readonly: bool = False) -> None:
        self.path = Path(path)
        with translated(self.path):
            self._connection = self._opened(create, readonly)
        self._names: dict[tuple[str, str], int] = {}
        self._session = 0

    def __repr__(self) -> str:
        return f"<Store {self.path}>"

    def _repr_html_(self) -> str:
        return f"<p><b>{escape(repr(self)[1:-1])}</b></p>"

    # -- opening and closing ------------------------------------------------------------------

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
            with self.path.open("rb") as file:
                return file.read(len(HEAD))
        except FileNotFoundError:
            return b""
        except OSError as error:
            raise StoreError(
                f"The store '{self.path}' cannot be read ({error.strerror}): check its permissions."
            ) from None

    def _connected(self, mode: str, *, reads: bool = False) -> sqlite3.Connection:
        uri = f"{self.path.absolute().as_uri()}?mode={mode}"
        # isolation_level None: transactions are begun and ended by hand, in `_transaction`
        connection = sqlite3.connect(uri, uri=True, timeout=60, isolation_level=None)
        try:
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

    def _create(self, connection: sqlite3.Connection) -> None:
        schema = files("podium.store").joinpath("schema.sql").read_text(encoding="utf-8")
        # one transaction: a process killed here leaves an empty file, which is as good as none;
        # a table that is there was made by another process that began at the same moment
        connection.executescript(
            f"BEGIN IMMEDIATE;\nPRAGMA application_id = {APPLICATION_ID};\n"
            f"PRAGMA user_version = {SCHEMA_VERSION};\n{schema}\nCOMMIT;"
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

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with translated(self.path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def close(self) -> None:
        """Close the file."""
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

    # -- appending ----------------------------------------------------------------------------

    def begin(
        self,
        definition: Mapping[str, Any],
        *,
        datasets: Mapping[str, tuple[str, Mapping[str, Any]]],
        algorithms: Mapping[str, tuple[str, Mapping[str, Any]]],
        measures: Iterable[Measure],
        environment: Mapping[str, Any],
    ) -> None:
        """Note that a study is about to be run here; refuse a study that is not the store's own."""
        self._refuse_another(definition)
        measures = list(measures)
        specs = {m.name: m.spec for m in measures}
        self._session = self.note({**definition, "specs": specs}, environment)
        with self._transaction() as db:
            for kind, things in (("datasets", datasets), ("algorithms", algorithms)):
                for name, (fingerprint, facts) in things.items():
                    self._names[kind, name] = _identified(db, kind, name, fingerprint, facts)
            for m in measures:
                self._names["measures", m.name] = _identified_measure(db, m)

    def note(self, definition: Mapping[str, Any], environment: Mapping[str, Any]) -> int:
        """Add a session; its study is the store's study from now on."""
        row = (_now(), json.dumps(definition), json.dumps(environment))
        with self._transaction() as db:
            number = db.execute("INSERT INTO sessions VALUES (NULL, ?, ?, ?)", row).lastrowid
        assert number is not None
        return number

    def _refuse_another(self, definition: Mapping[str, Any]) -> None:
        for earlier in self.definitions()[-1:]:
            for what, word in (
                ("name", "study"),
                ("sampling_identity", "sampling"),
                ("seed", "seed"),
            ):
                if earlier[what] != definition[what]:
                    raise StoreError(
                        f"The store '{self.path}' holds the {word} '{_shown(earlier, what)}', not "
                        f"'{_shown(definition, what)}'. Choose another store, or the same {word}."
                    )

    def append(self, records: Iterable[Record]) -> None:
        """Add finished runs, all or none."""
        with self._transaction() as db:
            first = db.execute("SELECT coalesce(max(id), 0) + 1 FROM runs").fetchone()[0]
            runs, scores = [], []
            for number, r in enumerate(records, first):
                runs.append(self._run_row(number, r))
                scores += [(number, self._names["measures", m], v) for m, v in r.scores.items()]
                if r.failure or r.warnings or r.kept:
                    _append_details(db, number, r)
            db.executemany("INSERT INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", runs)
            db.executemany("INSERT INTO scores VALUES (?, ?, ?)", scores)

    def _run_row(self, number: int, r: Record) -> tuple[Any, ...]:
        return (
            number,
            r.key,
            self._session,
            self._names["datasets", r.dataset],
            self._names["algorithms", r.algorithm],
            r.sample,
            int(r.failure is not None),
            r.fit_time,
            r.predict_time,
            sum(w.count for w in r.warnings),
            r.finished,
        )

    def append_scores(
        self, measures: Sequence[Measure], rows: Iterable[tuple[int, str, float]]
    ) -> None:
        """Add scores of further measures to runs that are done: run number, measure, value."""
        with self._transaction() as db:
            ids = {m.name: _identified_measure(db, m) for m in measures}
            db.executemany(
                "INSERT OR IGNORE INTO scores VALUES (?, ?, ?)",
                ((run, ids[m], value) for run, m, value in rows),
            )

    # -- reading ------------------------------------------------------------------------------

    def check(self) -> None:
        """Refuse a file that is damaged anywhere; all of it is read."""
        ((found,),) = self.rows("PRAGMA quick_check(1)")
        if found != "ok":
            raise StoreError(damaged(self.path, found.splitlines()[-1]))
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

    def definitions(self) -> list[dict[str, Any]]:
        """The studies that were run here, the current one last."""
        # by number: a clock may be set back
        sql = "SELECT definition FROM sessions ORDER BY id"
        with understood(self.path):
            return [json.loads(row[0]) for row in self.rows(sql)]

    def environments(self) -> list[dict[str, Any]]:
        """Where and when the studies were run, by the numbers of their sessions."""
        sql = "SELECT id, started, environment FROM sessions ORDER BY id"
        return [
            {"session": number, "started": started, **json.loads(environment)}
            for number, started, environment in self.rows(sql)
        ]

    def measures(self) -> dict[int, Measure]:
        """The measures that scores are kept of, by their number here."""
        return {
            i: Measure(name, bool(higher), (_or(low, -np.inf), _or(high, np.inf)), unit, spec)
            for i, name, spec, higher, low, high, unit in self.rows("SELECT * FROM measures")
        }

    def done(self, measures: Sequence[Measure], *, predictions: bool = False) -> set[bytes]:
        """The keys of runs with a record without failure that has all that is asked for."""
        known = {(m.name, m.spec): i for i, m in self.measures().items()}
        wanted = [known.get((m.name, m.spec)) for m in measures]
        if None in wanted:
            return set()
        kept = (
            "AND EXISTS (SELECT 1 FROM predictions p WHERE p.run = runs.id)" if predictions else ""
        )
        if not wanted:
            return {row[0] for row in self.rows(f"SELECT key FROM runs WHERE failed = 0 {kept}")}
        places = ", ".join("?" * len(wanted))
        sql = (
            "SELECT key FROM scores JOIN runs ON runs.id = scores.run "
            f"WHERE failed = 0 AND measure IN ({places}) {kept} "
            "GROUP BY key HAVING count(DISTINCT measure) = ?"
        )
        return {row[0] for row in self.rows(sql, [*wanted, len(wanted)])}

    def kept(self, run: int) -> list[Kept]:
        """What was predicted in a run, split by split."""
        splits: dict[int, dict[str, np.ndarray]] = {}
        sql = "SELECT split, kind, dtype, shape, data FROM predictions WHERE run = ? ORDER BY split"
        with understood(self.path):
            for split, kind, dtype, shape, data in self.rows(sql, (run,)):
                splits.setdefault(split, {})[kind] = unpacked(dtype, shape, data)
        return [Kept(s, arrays) for s, arrays in splits.items()]


def _shown(definition: Mapping[str, Any], what: str) -> str:
    """A part of a study's definition, in words."""
    if what != "sampling_identity" or "sampling" not in definition:
        return str(definition[what])
    fits = definition.get("fits", 1)
    return str(Sampling(**definition["sampling"])) + (f", {fits} fits" if fits != 1 else "")


def _is_empty(connection: sqlite3.Connection) -> bool:
    return not connection.execute("SELECT 1 FROM sqlite_master").fetchone()


def _append_details(db: sqlite3.Connection, run: int, r: Record) -> None:
    if r.failure:
        f = r.failure
        db.execute(
            "INSERT INTO failures VALUES (?, ?, ?, ?)",
            (run, _clean(f.exception), _clean(f.message), _clean(f.traceback)),
        )
    db.executemany(
        "INSERT INTO warnings VALUES (?, ?, ?, ?)",
        [(run, _clean(w.category), _clean(w.message), w.count) for w in r.warnings],
    )
    db.executemany(
        "INSERT INTO predictions VALUES (?, ?, ?, ?, ?, ?)",
        [(run, k.split, kind, *packed(a)) for k in r.kept for kind, a in k.arrays.items()],
    )


def _clean(text: str) -> str:
    """Text that SQLite can hold: an exception's message may have halves of characters."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", "\\0")


def _identified(
    db: sqlite3.Connection, table: str, name: str, fingerprint: str, facts: Mapping[str, Any]
) -> int:
    """The number of a data set or algorithm, added where it is new."""
    db.execute(
        f"INSERT OR IGNORE INTO {table} VALUES (NULL, ?, ?, ?)",
        (name, fingerprint, json.dumps(facts)),
    )
    found = db.execute(
        f"SELECT id FROM {table} WHERE name = ? AND fingerprint = ?", (name, fingerprint)
    ).fetchone()
    return int(found[0])


def _identified_measure(db: sqlite3.Connection, m: Measure) -> int:
    low, high = (b if np.isfinite(b) else None for b in m.bounds)
    db.execute(
        "INSERT OR IGNORE INTO measures VALUES (NULL, ?, ?, ?, ?, ?, ?)",
        (m.name, m.spec, int(m.higher_is_better), low, high, m.unit),
    )
    sql = "SELECT id FROM measures WHERE name = ? AND spec = ?"
    return int(db.execute(sql, (m.name, m.spec)).fetchone()[0])


def _or(value: float | None, default: float) -> float:
    return default if value is None else value


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds")
