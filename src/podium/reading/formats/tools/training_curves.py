"""Arrays of runs by tasks, as rliable takes them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from podium.base.errors import ResultsError
from podium.questions.measures import Measure
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
from podium.reading.formats.opening import arrays
from podium.reading.formats.record import FORMATS, Format, LongTable, Sample, Source

# -- arrays as rliable takes them -----------------------------------------------------------------


def _is_arrays(part: Source) -> bool:
    return part.head[:4] == b"PK\x03\x04" and b".npy" in part.head[:200]


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
