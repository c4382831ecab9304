"""Digests of what was appended: what is read is what was written.

Every run has a number that depends on each bit of its row and of its scores, another of its
failure and warnings, and one of its predictions; rows that name things have one each. They are
kept with the append, eight bytes per run, and compared when the store is read. They find damage,
by disks or by hand; who forges a store on purpose can forge them, too.

The numbers of several rows are added, so that scores that come later only add to them.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

RUNS, TOLD, DETAILS = "runs", "told", "details"
NAMING = ("sessions", "datasets", "algorithms", "measures")
# earlier stores have one number, under the name of the second, of all three tables
PARTS = {TOLD: ("failures", "warnings"), DETAILS: ("predictions",)}
DETAILED = (*PARTS[TOLD], *PARTS[DETAILS])
KINDS = (RUNS, *PARTS, *NAMING)
COLUMNS: dict[str, type] = {  # of a run, in the order of the schema
    "id": np.int64,
    "key": object,
    "session": np.int64,
    "dataset": np.int64,
    "algorithm": np.int64,
    "sample": np.int64,
    "failed": np.int64,
    "fit_time": float,
    "predict_time": float,
    "warnings": np.int64,
    "finished": float,
}
SCORE: dict[str, type] = {"run": np.int64, "measure": np.int64, "value": float}
Table = Mapping[str, np.ndarray]


@dataclass(frozen=True)
class Sums:
    """A number for each run from `first` on; 0 for runs that there are not."""

    first: int
    values: np.ndarray

    @property
    def ids(self) -> np.ndarray:
        """The runs that have one."""
        return self.first + np.flatnonzero(self.values)

    def within(self, first: int, last: int) -> Sums:
        """The numbers of the runs from `first` to `last`."""
        start = max(first, self.first)
        return Sums(start, self.values[start - self.first : max(last + 1 - self.first, 0)])


def sums(runs: Table, scores: Table) -> Sums:
    """The numbers of runs with their scores."""
    every = np.concatenate([runs["id"], scores["run"]])
    keys = [runs[c] for c in COLUMNS if c != "key"]
    values = [_mixed(*_halves(runs["key"]), *keys), _mixed(*(scores[c] for c in SCORE))]
    return _added(every, np.concatenate(values))


def detail_sums(rows: Iterable[tuple[str, tuple[Any, ...]]]) -> Sums:
    """The numbers of runs with details: pairs of a table and a row of it, the run first."""
    known = [(row[0], row_digest((table, *row))) for table, row in rows]
    ids, values = zip(*known, strict=True) if known else ((), ())
    return _added(np.array(ids, np.int64), np.array(values, np.uint64))


def row_digest(row: Sequence[Any]) -> int:
    """The number of a row of texts, numbers and bytes."""
    return int.from_bytes(hashlib.blake2b(repr(tuple(row)).encode(), digest_size=8).digest())


def _added(ids: np.ndarray, values: np.ndarray) -> Sums:
    if not len(ids):
        return Sums(0, np.empty(0, np.uint64))
    first, last = int(ids.min()), int(ids.max())
    if last - first > 4 * len(ids) + 1_000_000:
        raise ValueError(f"there is a run number {last}")  # damaged: nobody counts like this
    total = np.zeros(last - first + 1, np.uint64)
    np.add.at(total, ids - first, values)
    return Sums(first, total)


def _halves(keys: np.ndarray) -> list[np.ndarray]:
    """Keys of 16 bytes as two numbers, and their lengths."""
    joined = b"".join(bytes(k)[:16].ljust(16, b"\0") for k in keys)
    halves = np.frombuffer(joined, "<u8").reshape(-1, 2)
    return [halves[:, 0], halves[:, 1], np.array([len(k) for k in keys], np.int64)]


def _mixed(*columns: np.ndarray) -> np.ndarray:
    """One number for each row: the finalizer of splitmix64 (Steele, Lea & Flood 2014), chained."""
    mixed = np.full(len(columns[0]), 0x9E3779B97F4A7C15, np.uint64)
    for column in columns:
        mixed ^= _bits(column)
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
        mixed ^= mixed >> np.uint64(31)
    return mixed


def _bits(column: np.ndarray) -> np.ndarray:
    if column.dtype.kind != "f":
        return column.astype(np.uint64)
    # SQLite keeps no sign of zero and only one nan, NULL
    return np.where(np.isnan(column), np.nan, column + 0.0).view(np.uint64)


# -- kept in a store ------------------------------------------------------------------------------


def keep(db: sqlite3.Connection, of: str, result: Sums) -> None:
    """Note the numbers of what was just written."""
    if result.values.any():
        row = (of, result.first, result.values.astype("<u8").tobytes())
        db.execute("INSERT INTO digests VALUES (?, ?, ?)", row)


def keep_names(db: sqlite3.Connection) -> None:
    """Note the numbers of rows that name things, where they have none."""
    for table in NAMING:
        sql = f"SELECT * FROM {table} WHERE id NOT IN (SELECT first FROM digests WHERE of = ?)"
        for row in db.execute(sql, (table,)).fetchall():
            digest = row_digest(row).to_bytes(8, "little")
            db.execute("INSERT INTO digests VALUES (?, ?, ?)", (table, row[0], digest))


def kept(rows: Iterable[tuple[int, bytes]]) -> Sums:
    """The numbers that were noted: first run and bytes of each append."""
    parts = [(first, np.frombuffer(blob[: len(blob) // 8 * 8], "<u8")) for first, blob in rows]
    ids = [first + np.arange(len(values)) for first, values in parts]
    if not parts:
        return Sums(0, np.empty(0, np.uint64))
    return _added(np.concatenate(ids), np.concatenate([values for _, values in parts]))


def differing(noted: Sums, result: Sums) -> np.ndarray:
    """The runs whose numbers are not those noted; where nothing was noted, nothing differs."""
    ids = noted.ids
    return ids[noted.values[ids - noted.first] != _at(result, ids)]


def missing(noted: Sums, result: Sums) -> Sums:
    """What is to be added to the numbers noted, so that they are those found."""
    ids = result.ids
    return _added(ids, result.values[ids - result.first] - _at(noted, ids))


def _at(where: Sums, ids: np.ndarray) -> np.ndarray:
    place = ids - where.first
    inside = (place >= 0) & (place < len(where.values))
    values = np.zeros(len(ids), np.uint64)
    values[inside] = where.values[place[inside]]
    return values
