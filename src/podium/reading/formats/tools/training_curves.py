"""Curves of training: names of runs, monitors of Stable-Baselines3, TensorBoard."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from podium.core.base.errors import ResultsError
from podium.core.questions.measures import Measure
from podium.reading.cells.vocabulary import Options
from podium.reading.formats.gathering import (
    any_file,
    at_step,
    labels,
    named,
    own_files,
    seeds,
    shown,
    used,
)
from podium.reading.formats.opening import are_arrays, array_names, arrays, content
from podium.reading.formats.record import FORMATS, Format, LongTable, Sample, Source
from podium.reading.loading.sources import Loaded
from podium.reading.recipes.applying import applied
from podium.reading.recipes.deriving import derived
from podium.reading.recipes.known import adjusted
from podium.reading.recipes.recipe import recipe_of

# -- arrays as rliable takes them -----------------------------------------------------------------


def _is_arrays(part: Source) -> bool:
    return are_arrays(part.head) and not ({*array_names(part.paths[0])} & TRUTHS)


TRUTHS = {"y_true", "truth", "y_test", "labels", "target"}  # beside which predictions stand


def _are_arrays(source: Source) -> bool:
    """Whether it is a mapping from algorithms to arrays of runs x tasks."""
    given = source.given
    return isinstance(given, Mapping) and bool(given) and all(map(_is_array, given.values()))


def _is_array(scores: Any) -> bool:
    return isinstance(scores, np.ndarray) and scores.ndim in (2, 3)


def _arrays_of(source: Source, what: str) -> dict[str, np.ndarray]:
    """The array of every algorithm; where files have one each of the same name, by file."""
    if isinstance(source.given, Mapping):
        return {str(name): scores for name, scores in source.given.items()}
    files = {f: arrays(f) for f in own_files(source, _is_arrays, "rliable")}
    if len(files) > 1 and len({tuple(held) for held in files.values()}) == 1:
        named_by = labels(files)
        if all(len(held) == 1 for held in files.values()):
            return {named_by[f]: next(iter(held.values())) for f, held in files.items()}
    results: dict[str, np.ndarray] = {}
    for file, held in files.items():
        if twice := [name for name in held if name in results]:
            raise ResultsError(
                f"{what}: '{twice[0]}' is in two files, of which '{file}' is the second. Leave one "
                "out."
            )
        results |= held
    return results


def _read_arrays(source: Source, options: Options) -> LongTable:
    """Arrays by algorithm: runs x tasks, or runs x tasks x steps."""
    what = shown(source)
    result = _arrays_of(source, what)
    tables = []
    for name, scores in result.items():
        if scores.ndim not in (2, 3) or scores.dtype.kind not in "fiu" or not scores.size:
            raise ResultsError(
                f"{what}: '{name}' is no array of runs x tasks (or runs x tasks x steps), but has "
                f"the shape {scores.shape}. Save one array of scores per algorithm."
            )
        curves = scores.reshape(*scores.shape[:2], -1).astype(float)
        run, task, step = (axis.ravel() for axis in np.indices(curves.shape))
        table = {"sample": run + 1, "dataset": task + 1, "step": step + 1, "value": curves.ravel()}
        tables.append(pd.DataFrame(table).assign(algorithm=name))
    _refuse_other_tasks(what, result)
    curves = pd.concat(tables, ignore_index=True)
    curves["dataset"] = "task " + curves["dataset"].astype(str)
    chosen = at_step(curves, options, True, what)
    return LongTable(
        chosen.frame,
        what,
        name=named(source),
        sampling=seeds(),
        measure=options.measure or "score",
        measures={"score": Measure("score", options.higher_is_better is not False)},
        notes=chosen.notes,
        called={"dataset": "task", "sample": "run"},
        options=used(options),
    )


def _refuse_other_tasks(what: str, results: Mapping[str, np.ndarray]) -> None:
    """Refuse arrays of different widths: which tasks are the same is not known."""
    first = next(iter(results))
    for name, scores in results.items():
        if scores.shape[1] != results[first].shape[1]:
            raise ResultsError(
                f"{what}: '{first}' has {results[first].shape[1]} tasks (columns) and '{name}' has "
                f"{scores.shape[1]}, so which are the same is not known. Give arrays with the same "
                "tasks, NaN where there is no score."
            )


def _arrays_sample(folder: Path) -> Path:
    scores = {"DQN": [[1.0, 2.0], [1.5, 2.5]], "IQN": [[3.0, 4.0], [3.5, 4.5], [3.0, 4.2]]}
    np.savez(folder / "scores.npz", DQN=np.array(scores["DQN"]), IQN=np.array(scores["IQN"]))
    return folder / "scores.npz"


ARRAYS = FORMATS.add(
    Format(
        "rliable",
        "an .npz file or a dict with an array runs x tasks of each algorithm, as rliable has it",
        recognises=lambda source: _are_arrays(source) or any_file(_is_arrays)(source),
        read=_read_arrays,
        samples=[Sample(_arrays_sample, order=("IQN", "DQN"))],
        extensions=["npz"],
        title="arrays of runs by tasks",
    )
)


# -- TensorBoard ----------------------------------------------------------------------------------
# Event files, read without its package.


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
