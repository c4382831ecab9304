"""Store: append finished runs to a SQLite file, and read them."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from podium.errors import StoreError
from podium.measures import Measure
from podium.samplings import Sampling
from podium.store.store_file import StoreFile, understood

# -- what is appended ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Failure:
    """Why a run has no scores."""

    exception: str
    message: str
    traceback: str


@dataclass(frozen=True)
class Warned:
    """A warning that an algorithm gave, and how often; or a note on the sample itself."""

    category: str
    message: str
    count: int


@dataclass(frozen=True)
class Kept:
    """The arrays kept of one split: `row`, `y` and the outputs by kind."""

    split: int
    arrays: Mapping[str, np.ndarray]


@dataclass(frozen=True, slots=True)
class Record:
    """A finished run, done or failed."""

    key: bytes
    dataset: str
    algorithm: str
    sample: int
    scores: Mapping[str, float] = field(default_factory=dict)
    fit_time: float | None = None
    predict_time: float | None = None
    finished: float = 0.0
    failure: Failure | None = None
    warnings: tuple[Warned, ...] = ()
    kept: tuple[Kept, ...] = ()
    seconds: float = 0.0  # from drawing to scoring: for who plans what comes next, not stored


# -- the store -----------------------------------------------------------------------------------


class Store(StoreFile):
    """One SQLite file, append-only and crash-safe.

    *Law.* Rows are only added. A run is done iff it has a record without failure; several records
    of one run agree, but for times, as scores follow from the run's key. Every `append` is one
    transaction: a process that dies leaves either all or nothing of it. One process writes; any
    number may read meanwhile.
    """

    def __init__(self, path: str | Path, *, create: bool = False, readonly: bool = False) -> None:
        super().__init__(path, create=create, readonly=readonly)
        self._names: dict[tuple[str, str], int] = {}
        self._session = 0

    def __repr__(self) -> str:
        return f"<Store {self.path}>"

    def _repr_html_(self) -> str:
        return f"<p><b>{escape(repr(self)[1:-1])}</b></p>"

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
        with self.transaction() as db:
            for kind, things in (("datasets", datasets), ("algorithms", algorithms)):
                for name, (fingerprint, facts) in things.items():
                    self._names[kind, name] = _identified(db, kind, name, fingerprint, facts)
            for m in measures:
                self._names["measures", m.name] = _identified_measure(db, m)

    def note(self, definition: Mapping[str, Any], environment: Mapping[str, Any]) -> int:
        """Add a session; its study is the store's study from now on."""
        row = (_now(), json.dumps(definition), json.dumps(environment))
        with self.transaction() as db:
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
        with self.transaction() as db:
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
        with self.transaction() as db:
            ids = {m.name: _identified_measure(db, m) for m in measures}
            db.executemany(
                "INSERT OR IGNORE INTO scores VALUES (?, ?, ?)",
                ((run, ids[m], value) for run, m, value in rows),
            )

    # -- reading ------------------------------------------------------------------------------

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


# -- arrays as bytes ------------------------------------------------------------------------------


def packed(array: np.ndarray) -> tuple[str, str, bytes]:
    """An array as dtype, shape and bytes; small whole numbers take small types."""
    if array.dtype.kind in "iub":
        array = array.astype(_smallest_type(array))
    array = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))
    shape = ",".join(map(str, array.shape))
    return array.dtype.str, shape, zlib.compress(array.tobytes(), 1)


def _smallest_type(array: np.ndarray) -> np.dtype:
    low, high = int(array.min(initial=0)), int(array.max(initial=0))
    for small in (np.dtype("i1"), np.dtype("i2"), np.dtype("i4")):
        if np.iinfo(small).min <= low <= high <= np.iinfo(small).max:
            return small
    return array.dtype


def unpacked(dtype: str, shape: str, data: bytes) -> np.ndarray:
    """The array that `packed` made bytes of; whole numbers have room to be computed with again."""
    sizes = tuple(int(s) for s in shape.split(",") if s)
    array = np.frombuffer(zlib.decompress(data), dtype=np.dtype(dtype)).reshape(sizes)
    return array.astype(np.int64) if array.dtype.kind == "i" else array
