"""What is appended to a store."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np


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


def packed(array: np.ndarray) -> tuple[str, str, bytes]:
    """An array as dtype, shape and bytes; small whole numbers take small types."""
    if array.dtype.kind in "iub":
        array = array.astype(np.min_scalar_type(int(np.abs(array).max(initial=0)) * -1 - 1))
    array = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))
    shape = ",".join(map(str, array.shape))
    return array.dtype.str, shape, zlib.compress(array.tobytes(), 1)


def unpacked(dtype: str, shape: str, data: bytes) -> np.ndarray:
    """The array that `packed` made bytes of."""
    sizes = tuple(int(s) for s in shape.split(",") if s)
    return np.frombuffer(zlib.decompress(data), dtype=np.dtype(dtype)).reshape(sizes)
