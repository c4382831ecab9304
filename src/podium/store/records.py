"""What is appended to a store: finished runs, and arrays as bytes."""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterator, Mapping
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
