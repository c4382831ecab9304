"""Curves of training: what names of runs say, monitors of Stable-Baselines3, arrays.

A run is a file. Its name (or its folder's) says the algorithm, the seed and perhaps the data set:
`CartPole_ppo_seed0`, `CartPole-v1__ppo__1__1700000000`. Which step of a curve counts must be said.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from podium.base.errors import ResultsError
from podium.questions.measures import Measure
from podium.reading.cells.vocabulary import Options
from podium.reading.formats.gathering import (
    any_file,
    asked,
    at_step,
    labels,
    last_word,
    measure,
    named,
    own_files,
    seeds,
    shown,
    used,
)
from podium.reading.formats.names_of_runs import runs_of
from podium.reading.formats.opening import arrays, content
from podium.reading.formats.record import FORMATS, Format, LongTable, Sample, Source
from podium.words.facts import REMARK, Note

RETURNS = (
    "return",
    "reward",
    "success",
    "win",
    "rew",
)  # higher is better, as in rollout/ep_rew_mean


def curves_table(
    source: Source,
    options: Options,
    rows: list[tuple[str, str, pd.DataFrame]],
    higher: Callable[[str], bool | None],
    unit: str = "step",
) -> LongTable:
    """The long table of curves: of each the name of its run, its data set ("": in the name)."""
    what = shown(source)
    names = list(dict.fromkeys(name for name, _, _ in rows))
    about = dict(zip(names, runs_of(names, what), strict=True))
    tables = [
        table.assign(
            algorithm=about[name].algorithm,
            dataset=dataset or about[name].dataset or named(source),
            sample=about[name].seed,
        )
        for name, dataset, table in rows
    ]
    curves = pd.concat(tables, ignore_index=True)
    every = [str(tag) for tag in curves["measure"].unique()]
    wanted = asked(options, every)
    tags = (
        [wanted] if wanted in every else [tag for tag in every if higher(tag) is not None] or every
    )
    curves = curves[curves["measure"].isin(tags)]
    text = options.higher_is_better
    direction = higher(tags[0]) if text is None else text
    chosen = at_step(curves, options, direction, what, unit)
    known = {tag: Measure(tag, bool(higher(tag))) for tag in tags if higher(tag) is not None}
    left = tuple(tag for tag in every if tag not in tags) if wanted is None else ()
    notes = [Note("unread-measures", REMARK, names=left)] if left else []
    return LongTable(
        chosen.frame,
        what,
        name=named(source),
        sampling=seeds(),
        measures=known,
        notes=[*chosen.notes, *notes],
        called={"sample": "seed"},
        options=used(options, measure=wanted),
    )


def direction(tag: str) -> bool | None:
    """Which values of a tag such as charts/episodic_return are better."""
    known = measure(last_word(tag)) or measure(re.split(r"[/_]", tag)[-1])
    if known is not None:
        return known.higher_is_better
    return True if any(word in tag.lower() for word in RETURNS) else None


# -- Stable-Baselines3 ----------------------------------------------------------------------------


def _is_monitor(part: Source) -> bool:
    first, _, rest = part.head.partition(b"\n")
    return first[:2] == b"#{" and b"t_start" in first and rest[:4] == b"r,l,"


def _monitor(path: Path) -> tuple[str, pd.DataFrame]:
    """The environment, and the return of each episode by the steps until its end."""
    first, _, rest = content(path).decode("utf-8", "replace").partition("\n")
    try:
        message = json.loads(first[1:])
    except ValueError:
        raise ResultsError(f"'{path}' has no whole first line. It seems to be cut off.") from None
    lines = [line.split(",") for line in rest.splitlines()[1:] if line.strip()]
    try:
        rows = np.array([[float(line[0]), float(line[1])] for line in lines]).reshape(-1, 2)
    except (ValueError, IndexError):
        raise ResultsError(
            f"'{path}' has a line that is no episode (r,l,t). It seems to be cut off."
        ) from None
    if not len(rows):
        raise ResultsError(f"'{path}' has no episode.")
    table = pd.DataFrame({"step": np.cumsum(rows[:, 1]), "value": rows[:, 0]})
    return str(message.get("env_id") or ""), table.assign(measure="return")


def _read_monitors(source: Source, options: Options) -> LongTable:
    rows = []
    for file in own_files(source, _is_monitor, "Stable-Baselines3"):
        environment, table = _monitor(file)
        name = file.name.removesuffix(".csv").removesuffix(".monitor")
        name = file.absolute().parent.name if name in ("monitor", "0") else name
        rows.append((name, environment, table))
    return curves_table(source, options, rows, lambda tag: True)


def _monitor_sample(folder: Path) -> Path:
    for name, ends in {"ppo": (5, 6), "sac": (8, 9)}.items():
        for seed, end in enumerate(ends):
            text = '#{"t_start": 1.0, "env_id": "Cart"}\nr,l,t\n1.0,10,0.1\n' + f"{end},10,0.2\n"
            (folder / f"{name}_{seed}.monitor.csv").write_text(text)
    return folder


MONITOR = FORMATS.add(
    Format(
        "sb3-monitor",
        "monitor.csv of Stable-Baselines3, one file per run; say which --step counts",
        recognises=any_file(_is_monitor),
        read=_read_monitors,
        samples=[Sample(_monitor_sample, order=("sac", "ppo"), options={"step": "last"})],
        extensions=["monitor.csv"],
        title="monitors of Stable-Baselines3",
    )
)


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
