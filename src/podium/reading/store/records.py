"""What is appended to a store, and the digests that tell whether it is what was written."""

from __future__ import annotations

import hashlib
import math
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

FIT_NOTE = "fits"  # the category under which a run notes what its single fits said and spent
LEAST_EXPANSION, MOST_EXPANSION = 2**28, 100  # bytes that any array may have; or times its blob


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


# -- rows ----------------------------------------------------------------------------------------


def detailed(run: int, r: Record) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Rows of failures, warnings and predictions, each with its table."""
    if r.failure:
        f = r.failure
        yield "failures", (run, _clean(f.exception), _clean(f.message), _clean(f.traceback))
    for w in r.warnings:
        yield "warnings", (run, _clean(w.category), _clean(w.message), int(w.count))
    for k in r.kept:
        for kind, array in k.arrays.items():
            yield "predictions", (run, int(k.split), kind, *packed(array))


def _clean(text: str) -> str:
    """Text that SQLite can hold: an exception's message may have halves of characters."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", "\\0")


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
    size = math.prod(sizes) * np.dtype(dtype).itemsize
    if min(sizes, default=0) < 0 or size > max(LEAST_EXPANSION, MOST_EXPANSION * len(data)):
        raise ValueError(f"{len(data)} bytes of predictions would become {size}")
    stream = zlib.decompressobj()
    content = stream.decompress(data, size + 1)
    if len(content) != size or not stream.eof:
        raise ValueError(f"predictions do not have the {size} bytes that they should")
    array = np.frombuffer(content, dtype=np.dtype(dtype)).reshape(sizes)
    return array.astype(np.int64) if array.dtype.kind == "i" else array


# -- digests of what was appended -----------------------------------------------------------------
# What is read is what was written.
#
# Every run has a number that depends on each bit of its row and of its scores, another of its
# failure and warnings, and one of its predictions; rows that name things have one each. They are
# kept with the append, eight bytes per run, and compared when the store is read. They find
# damage, by disks or by hand; who forges a store on purpose can forge them, too.
#
# The numbers of several rows are added, so that scores that come later only add to them.


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


def keep(db: sqlite3.Connection, table: str, result: Sums) -> None:
    """Note the numbers of what was just written."""
    if result.values.any():
        row = (table, result.first, result.values.astype("<u8").tobytes())
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
