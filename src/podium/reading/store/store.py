"""Store: append finished runs to a SQLite file, and read them."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import platform
import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import cached_property, partial
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from podium.core.base.errors import PodiumError, StoreError
from podium.core.base.places import name_in_folder, place_within
from podium.core.questions.measures import Measure
from podium.core.questions.options import AnalysisPlan, Version, fixed_of
from podium.core.samplings import Sampling
from podium.reading.store import records as digests
from podium.reading.store.records import FIT_NOTE, Kept, Record, detailed, unpacked
from podium.reading.store.store_file import (
    LostStore,
    StoreFile,
    beyond_repair,
    busy,
    changed,
    is_blank,
    locked_for_good,
    saved_elsewhere,
    translated,
    understood,
)

LARGEST = 2**62
_BARE = "SELECT id FROM runs WHERE " + " AND ".join(
    f"NOT EXISTS (SELECT 1 FROM {table} t WHERE t.run = runs.id)" for table in digests.DETAILED
)

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
        self._session: int  # that has begun here

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
            digests.keep_names(db)

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """Meanwhile no other process may run a study with this store: all would be done twice."""
        writer = self.path.with_name(f"{self.path.name}-writer")
        try:
            handle = locked_for_good(writer)
        except OSError:  # a folder where nothing can be made: who is writing cannot be told
            yield
            return
        if handle is None:
            raise StoreError(busy(self.path, writer))
        with handle:
            handle.truncate()
            handle.write(f"process {os.getpid()} on {platform.node()} since {_now()[:19]}")
            handle.flush()
            try:
                yield
            finally:
                writer.unlink(missing_ok=True)

    def note(self, definition: Mapping[str, Any], environment: Mapping[str, Any]) -> int:
        """Add a session; its study is the store's study from now on."""
        row = (_now(), json.dumps(definition), json.dumps(environment))
        with self.transaction() as db:
            number = db.execute("INSERT INTO sessions VALUES (NULL, ?, ?, ?)", row).lastrowid
            digests.keep_names(db)
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
                    held, wanted = _shown(earlier, what), _shown(definition, what)
                    if held == wanted:  # splitters of others look alike
                        held, wanted = str(earlier[what]), str(definition[what])
                    raise StoreError(
                        f"The store '{self.path}' holds the {word} '{held}', not '{wanted}'. "
                        f"Choose another store, or the same {word}."
                    )

    def append(self, records: Iterable[Record]) -> None:
        """Add finished runs, all or none."""
        self.refuse_lost()
        self._append(records)

    def _append(self, records: Iterable[Record]) -> None:
        with self.transaction() as db:
            first = db.execute("SELECT coalesce(max(id), 0) + 1 FROM runs").fetchone()[0]
            runs: list[tuple[Any, ...]] = []
            scores: list[tuple[int, int, float]] = []
            details: list[tuple[str, tuple[Any, ...]]] = []
            for number, r in enumerate(records, first):
                runs.append(self._run_row(number, r))
                scores += [(number, self._names["measures", m], v) for m, v in r.scores.items()]
                if r.failure or r.warnings or r.kept:
                    details += detailed(number, r)
            db.executemany("INSERT INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", runs)
            db.executemany("INSERT INTO scores VALUES (?, ?, ?)", scores)
            for table, row in details:
                db.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)
            tables = _columns(runs, digests.COLUMNS), _columns(scores, digests.SCORE)
            digests.keep(db, digests.RUNS, digests.sums(*tables))
            for of, parts in digests.PARTS.items():
                digests.keep(db, of, digests.detail_sums(d for d in details if d[0] in parts))

    def save_elsewhere(
        self, records: Sequence[Record], begin: Callable[[Store], object]
    ) -> LostStore:
        """Save what the file held that is no longer there, with further finished runs.

        What is left open of the file is copied, or else a new store begun with these runs alone.
        The error says what is saved where.
        """
        for folder in (self.path.parent, Path.cwd(), Path(tempfile.gettempdir())):
            for save in (self._save_all, partial(_save_runs, begin)):
                path = _free_path(place_within(folder, name_in_folder(self.path)))
                try:
                    path.parent.mkdir(parents=True, exist_ok=True)
                    save(path, records)
                    with Store(path) as saved:
                        saved.check()
                        saved.settle()
                except (PodiumError, OSError):
                    for ending in ("", "-wal", "-shm"):
                        with contextlib.suppress(OSError):
                            Path(f"{path}{ending}").unlink()
                    continue
                all_of_it = save == self._save_all
                return LostStore(
                    saved_elsewhere(self.path, path, len(records), all_of_it=all_of_it)
                )
        return LostStore(saved_elsewhere(self.path, None, len(records), all_of_it=False))

    def _save_all(self, path: Path, records: Sequence[Record]) -> None:
        self._append(records)
        self.copy_to(path)

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
            sum(w.count for w in r.warnings if w.category != FIT_NOTE),
            r.finished,
        )

    def append_scores(
        self, measures: Sequence[Measure], rows: Iterable[tuple[int, str, float]]
    ) -> None:
        """Add scores of further measures to runs that are done: run number, measure, value."""
        rows = list(rows)
        span = (min(r[0] for r in rows), max(r[0] for r in rows)) if rows else (0, -1)
        with self.transaction() as db:
            ids = {m.name: _identified_measure(db, m) for m in measures}
            db.executemany(
                "INSERT OR IGNORE INTO scores VALUES (?, ?, ?)",
                ((run, ids[m], value) for run, m, value in rows),
            )
            self.seal(*span)
            digests.keep_names(db)

    def seal(self, first: int, last: int, fresh: bool = False) -> None:
        """Note the digests of what was added to runs, in the transaction that added it.

        Runs of earlier versions have none, and get none, but where they are `fresh` here.
        """
        noted, result = self.noted(digests.RUNS), self.found(first, last)
        more = digests.missing(noted, result)
        if not fresh:
            known = np.isin(more.first + np.arange(len(more.values)), noted.ids)
            more = digests.Sums(more.first, np.where(known, more.values, 0).astype(np.uint64))
        digests.keep(self._connection, digests.RUNS, more)
        if fresh:
            for of, tables in digests.PARTS.items():
                result = self.details(tables, first, last)
                digests.keep(self._connection, of, digests.missing(self.noted(of), result))

    # -- reading ------------------------------------------------------------------------------

    def definitions(self) -> list[dict[str, Any]]:
        """The studies that were run here, the current one last."""
        # by number: a clock may be set back
        if names := self.changed_names():
            raise StoreError(beyond_repair(self.path, names))
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

    # -- digests ------------------------------------------------------------------------------

    def noted(self, *of: str) -> digests.Sums:
        """The digests of runs, as they were noted when they were appended."""
        if not self.has_digests:
            return digests.kept([])
        sql = f"SELECT first, digest FROM digests WHERE of IN ({', '.join('?' * len(of))})"
        return digests.kept(self.rows(sql, of))

    @property
    def has_digests(self) -> bool:
        """Whether this store was written by a version that notes them."""
        return bool(self.rows("SELECT 1 FROM sqlite_master WHERE name = 'digests'"))

    def runs_table(self, first: int = 0, last: int = LARGEST) -> dict[str, np.ndarray]:
        """All that is known of runs, column by column."""
        sql = f"SELECT {', '.join(digests.COLUMNS)} FROM runs WHERE id BETWEEN ? AND ? ORDER BY id"
        columns = self.columns(sql, list(digests.COLUMNS.values()), (first, last))
        return dict(zip(digests.COLUMNS, columns, strict=True))

    def scores_table(self, first: int = 0, last: int = LARGEST) -> dict[str, np.ndarray]:
        """All scores of runs, column by column."""
        sql = "SELECT run, measure, value FROM scores WHERE run BETWEEN ? AND ? ORDER BY run"
        columns = self.columns(sql, list(digests.SCORE.values()), (first, last))
        return dict(zip(digests.SCORE, columns, strict=True))

    def found(self, first: int = 0, last: int = LARGEST) -> digests.Sums:
        """The digests of runs, of what the store holds now."""
        return digests.sums(self.runs_table(first, last), self.scores_table(first, last))

    def details(
        self, tables: Iterable[str] = digests.DETAILED, first: int = 0, last: int = LARGEST
    ) -> digests.Sums:
        """The digests of failures, warnings and predictions that the store holds now."""
        with translated(self.path), understood(self.path):
            return digests.detail_sums(
                (table, row)
                for table in tables
                for row in self._connection.execute(
                    f"SELECT * FROM {table} WHERE run BETWEEN ? AND ?", (first, last)
                )
            )

    def check(self) -> None:
        """Refuse a file that is damaged anywhere, or does not hold what was written."""
        super().check()
        self.verified()
        self.verify_details()

    def verified(self) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
        """All runs and all scores; a store that does not hold what was written is refused."""
        with self.snapshot(), understood(self.path):
            tables = self.runs_table(), self.scores_table()
            wrong = {*digests.differing(self.noted(digests.RUNS), digests.sums(*tables))}
            message = self.details(digests.PARTS[digests.TOLD])
            wrong |= {*digests.differing(self.noted(digests.TOLD), message)}
            if len(kept := self.noted(digests.DETAILS).ids):  # their content, only by who reads it
                wrong |= {*kept} & {row[0] for row in self.rows(_BARE)}
        if wrong:
            raise StoreError(changed(self.path, len(wrong)))
        return tables

    def changed_details(self, first: int = 0, last: int = LARGEST) -> np.ndarray:
        """The runs whose failure, warnings or predictions are not as they were written."""
        with understood(self.path):
            outcome = self.details(digests.DETAILED, first, last)
            return digests.differing(self._noted_details.within(first, last), outcome)

    def verify_details(self, first: int = 0, last: int = LARGEST) -> None:
        """Refuse runs whose failure, warnings or predictions are not as they were written."""
        if len(wrong := self.changed_details(first, last)):
            raise StoreError(changed(self.path, len(wrong)))

    @cached_property
    def _noted_details(self) -> digests.Sums:
        return self.noted(digests.TOLD, digests.DETAILS)

    def changed_names(self) -> list[str]:
        """The rows that name things and are not as they were written, in words."""
        if not self.has_digests:
            return []
        noted = {
            (of, first): digest
            for of, first, digest in self.rows("SELECT of, first, digest FROM digests")
            if of in digests.NAMING
        }
        now = {
            (table, row[0]): digests.row_digest(row).to_bytes(8, "little")
            for table in digests.NAMING
            for row in self.rows(f"SELECT * FROM {table}")
        }
        return [
            f"row {key[1]} of its {key[0]}" for key in sorted(noted) if now.get(key) != noted[key]
        ]

    def kept(self, run: int) -> list[Kept]:
        """What was predicted in a run, split by split."""
        splits: dict[int, dict[str, np.ndarray]] = {}
        sql = "SELECT split, kind, dtype, shape, data FROM predictions WHERE run = ? ORDER BY split"
        with understood(self.path):
            for split, kind, dtype, shape, data in self.rows(sql, (run,)):
                splits.setdefault(split, {})[kind] = unpacked(dtype, shape, data)
        return [Kept(s, arrays) for s, arrays in splits.items()]


def _save_runs(begin: Callable[[Store], object], path: Path, records: Sequence[Record]) -> None:
    """Finished runs alone, in a store of their own."""
    with Store(path, create=True) as store:
        begin(store)
        store.append(records)


def _free_path(path: Path) -> Path:
    """A path beside another one that leads to nothing yet: study-saved.db, study-saved-2.db."""
    numbers = itertools.count(2)
    free = path.with_stem(f"{path.stem}-saved")
    while free.exists():
        free = path.with_stem(f"{path.stem}-saved-{next(numbers)}")
    return free


def _shown(definition: Mapping[str, Any], what: str) -> str:
    """A part of a study's definition, in words."""
    if what != "sampling_identity" or "sampling" not in definition:
        return str(definition[what])
    fits = definition.get("fits", 1)
    return str(Sampling(**definition["sampling"])) + (f", {fits} fits" if fits != 1 else "")


def _columns(rows: Sequence[tuple[Any, ...]], types: Mapping[str, type]) -> dict[str, np.ndarray]:
    """Rows as columns of the types that they are read as."""
    columns = list(zip(*rows, strict=True)) or [()] * len(types)
    return {n: np.array(c, t) for (n, t), c in zip(types.items(), columns, strict=True)}


def _identified(
    db: sqlite3.Connection, table: str, name: str, fingerprint: str, facts: Mapping[str, Any]
) -> int:
    """The number of a data set or algorithm, added where it is new."""
    db.execute(
        f"INSERT OR IGNORE INTO {table} VALUES (NULL, ?, ?, ?)",
        (name, fingerprint, json.dumps(facts)),
    )
    result = db.execute(
        f"SELECT id FROM {table} WHERE name = ? AND fingerprint = ?", (name, fingerprint)
    ).fetchone()
    return int(result[0])


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


# -- registrations --------------------------------------------------------------------------------
# The plans that a store keeps, version by version.


KEY = "registered"


def kept_versions(path: str | Path) -> tuple[list[Version], int]:
    """The versions of a store's plan, and how many runs have scores."""
    if is_blank(path):
        return [], 0
    with Store(path, readonly=True) as store:
        kept = [d[KEY]["versions"] for d in store.definitions() if d.get(KEY)]
        done = int(store.rows("SELECT count(*) FROM runs WHERE failed = 0")[0][0])
    return [Version.of(v) for v in (kept[-1] if kept else [])], done


def registration(
    path: str | Path, definition: Mapping[str, Any], plan: AnalysisPlan | None, now: str
) -> dict[str, Any] | None:
    """What a store is to keep of its plans from now on; None where it has none.

    Before the first score a changed study or plan is a new version. After it a changed plan is
    one, which does not hold; a changed study is seen from what was run.
    """
    versions, done = kept_versions(path)
    if plan is not None:
        if done and not versions:
            raise StoreError(
                f"The store '{path}' has scores already, which may have been looked at: a plan "
                "comes before the first score. Choose another store, or leave out [analysis]."
            )
        new = Version(plan, fixed_of(definition), now, done)
        last = versions[-1] if versions else None
        same = last is not None and last.plan.to_dict() == plan.to_dict()
        if not same or (not done and last is not None and last.fingerprint != new.fingerprint):
            versions.append(new)
    return {"versions": [v.to_dict() for v in versions]} if versions else None
