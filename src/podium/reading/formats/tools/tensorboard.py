"""TensorBoard: event files, read without its package."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd

from podium.base.errors import ResultsError
from podium.reading.cells.vocabulary import Options
from podium.reading.formats.gathering import any_file, own_files, shown
from podium.reading.formats.opening import content
from podium.reading.formats.record import FORMATS, Format, LongTable, Sample, Source
from podium.reading.loading.sources import Loaded
from podium.reading.recipes.applying import applied
from podium.reading.recipes.deriving import derived
from podium.reading.recipes.known import adjusted
from podium.reading.recipes.recipe import recipe_of

# -- TensorBoard ----------------------------------------------------------------------------------


def _is_events(part: Source) -> bool:
    return b"brain.Event:" in part.head[:64]


def _fields(raw: bytes) -> Iterator[tuple[int, Any]]:
    """The fields of a protocol buffer: number, and bytes or whole number."""
    place = 0
    value: int | bytes
    while place < len(raw):
        key, place = _varint(raw, place)
        kind = key & 7
        if kind == 0:
            value, place = _varint(raw, place)
        elif kind in (1, 5):
            size = 8 if kind == 1 else 4
            value, place = raw[place : place + size], place + size
        elif kind == 2:
            size, place = _varint(raw, place)
            value, place = raw[place : place + size], place + size
        else:
            raise ValueError("an unknown kind of field")
        yield key >> 3, value


def _varint(raw: bytes, place: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = raw[place]
        value |= (byte & 127) << shift
        place, shift = place + 1, shift + 7
        if byte < 128:
            return value, place


def _events(path: Path) -> pd.DataFrame:
    """The scalars of an event file: measure, step, value; a last record that is cut is left out."""
    raw, place, rows = content(path), 0, []
    try:
        while place + 12 <= len(raw):
            (size,) = struct.unpack_from("<Q", raw, place)
            if place + 16 + size > len(raw):
                break  # a run that still writes
            rows += _scalars(raw[place + 12 : place + 12 + size])
            place += 16 + size
    except (IndexError, ValueError, struct.error):
        raise ResultsError(f"'{path}' is no whole event file of TensorBoard.") from None
    return pd.DataFrame(rows, columns=["measure", "step", "value"])


def _scalars(event: bytes) -> list[tuple[str, int, float]]:
    step, result = 0, []
    for number, value in _fields(event):
        if number == 2:
            step = value if value < 1 << 63 else value - (1 << 64)
        elif number == 5:
            result += [entry for n, entry in _fields(value) if n == 1]
    scalars = []
    for entry in result:
        parts = dict(_fields(entry))
        scalar = _scalar(parts)
        if scalar is not None and isinstance(parts.get(1), bytes):
            scalars.append((parts[1].decode("utf-8", "replace"), step, scalar))
    return scalars


def _scalar(parts: dict[int, Any]) -> float | None:
    """A value as older (simple_value) and newer (tensor) writers keep it."""
    if isinstance(parts.get(2), bytes) and len(parts[2]) == 4:
        return float(struct.unpack("<f", parts[2])[0])
    if not isinstance(parts.get(8), bytes):
        return None
    tensor = dict(_fields(parts[8]))
    if tensor.get(1) != 1:  # of floats
        return None
    raw = tensor.get(4) or tensor.get(5) or b""
    return float(struct.unpack("<f", raw)[0]) if isinstance(raw, bytes) and len(raw) == 4 else None


CURVES = recipe_of(
    """
name = "TensorBoard"
title = "TensorBoard runs"
sampling = "seeds"
[recognise]
text = "brain.Event:"
[derive.run]
runs = "below"
[roles]
algorithm = "run.algorithm"
dataset = "run.dataset?"
seed = "run.seed"
step = "step"
measure = "measure"
value = "value"
[nouns]
sample = "seed"
[measure]
only = "known"
likely_higher = ["*return*", "*reward*", "*success*", "*win*", "*rew*"]
bounds = [-inf, inf]
""",
    "The recipe of curves",
)


def _read_events(source: Source, options: Options) -> LongTable:
    what = shown(source)
    files = own_files(source, _is_events, "TensorBoard", beside=_is_exported)
    tables = [_events(file).assign(below=_below(file, source)) for file in files]
    frame = pd.concat(tables, ignore_index=True)
    if not len(frame):
        raise ResultsError(f"{what}: no event file of TensorBoard has a scalar.")
    loaded = Loaded("", derived(CURVES.derive, frame, what), files=len(files))
    return applied(adjusted(CURVES, options), loaded, source, options)


def _is_exported(part: Source) -> bool:
    return tuple(part.columns) == ("Wall time", "Step", "Value")


def _below(file: Path, source: Source) -> str:
    """The folders of a run below the one that is given, or the folder of the file."""
    for path in source.paths:
        if path.is_dir() and path in file.parents and file.parent != path:
            return file.parent.relative_to(path).as_posix()
    return file.absolute().parent.name


def _event(tag: str, step: int, value: float) -> bytes:
    """A record of an event file, for the sample; its checks are not looked at."""
    name = tag.encode()
    entry = bytes([0x0A, len(name)]) + name + b"\x15" + struct.pack("<f", value)
    summary = bytes([0x0A, len(entry)]) + entry
    event = b"\x09" + bytes(8) + bytes([0x10, step]) + bytes([0x2A, len(summary)]) + summary
    return struct.pack("<Q", len(event)) + bytes(4) + event + bytes(4)


def _events_sample(folder: Path) -> Path:
    version = b"\x09" + bytes(8) + b"\x1a\x0dbrain.Event:2"
    head = struct.pack("<Q", len(version)) + bytes(4) + version + bytes(4)
    for name, ends in {"ppo": (50.0, 60.0, 55.0), "sac": (80.0, 90.0, 85.0)}.items():
        for seed, end in enumerate(ends):
            place = folder / f"Cart_{name}_seed{seed}"
            place.mkdir()
            curve = _event("charts/return", 1, 1.0) + _event("charts/return", 2, end)
            (place / "events.out.tfevents.1.x").write_bytes(head + curve)
    return folder


TENSORBOARD = FORMATS.add(
    Format(
        "tensorboard",
        "event files of TensorBoard, one folder per run; say which --step counts",
        recognises=any_file(_is_events),
        read=_read_events,
        samples=[Sample(_events_sample, order=("sac", "ppo"), options={"step": "last"})],
        title="TensorBoard runs",
        before=("tensorboard-csv",),
    )
)
