"""Timings of programs: pytest-benchmark, hyperfine, asv, Google Benchmark.

Where several files are given, these are the algorithms (before and after a change, two machines)
and the benchmarks in them are the data sets; asv says by itself which commit a file is of. In one
file the benchmarks are compared with each other. Rounds are repeated timings, which nothing pairs.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd

from podium.base.errors import ResultsError
from podium.questions.measures import Measure
from podium.reading.cells.vocabulary import Options
from podium.reading.formats.gathering import (
    any_file,
    by_file,
    frame_of,
    labels,
    measure,
    named,
    own_files,
    refuse_step,
    shown,
    timings,
    used,
)
from podium.reading.formats.opening import whole
from podium.reading.formats.record import FORMATS, Format, LongTable, Sample, Source

Row = dict[str, Any]
SECONDS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}
TIME, MEMORY = "time", "memory"
ONLY = Measure(TIME, False, bounds=(0, float("inf")), unit="s", spec=TIME)


def _read(
    source: Source,
    options: Options,
    *,
    tool: str,
    mine: Callable[[Source], bool],
    rows: Callable[[Path], Iterator[Row]],
    empty: str,
) -> LongTable:
    """The timings in one or several files; `rows` gives file, benchmark, value and more."""
    refuse_step(options)
    what = shown(source)
    files = own_files(source, mine, tool, beside=_is_list_of_benchmarks)
    results = [row for file in files for row in rows(file)]
    if not results:
        raise ResultsError(f"{what} has no single timings of {tool}. {empty}")
    frame = frame_of(results)
    if "value" not in frame.columns:
        raise ResultsError(f"{what}: every benchmark of {tool} failed.")
    frame = _with_roles(frame, files, options)
    cells = frame.groupby([c for c in frame.columns if c != "value"], sort=False)
    several = cells.size().max() > 1
    if not several and "dataset" not in frame.columns:
        raise ResultsError(
            f"{what} has one timing of each benchmark, which no test can compare. {empty}"
        )
    frame = frame.assign(sample=cells.cumcount() + 1) if several else frame
    return LongTable(
        frame,
        what,
        name=named(source),
        sampling=timings() if several else None,
        measures={name: _measure(name) for name in frame["measure"].unique()},
        called={"dataset": "benchmark", "sample": "run"},
        options=used(options, "algorithm"),
    )


def _measure(name: str) -> Measure:
    return ONLY if name == TIME else measure(name, False, bounds=(0, float("inf"))) or ONLY


def _with_roles(frame: pd.DataFrame, files: list[Path], options: Options) -> pd.DataFrame:
    """What is compared: commits, files that share benchmarks, or the benchmarks of one group."""
    names = labels(files)
    frame = frame.assign(measure=frame.get("measure", TIME))
    shared = frame.groupby("benchmark")["file"].nunique().max() > 1
    if by_file(options) or (shared and "commit" not in frame.columns):
        roles = {"algorithm": frame["file"].map(names), "dataset": frame["benchmark"]}
    elif "commit" in frame.columns:
        roles = {"algorithm": frame["commit"], "dataset": frame["benchmark"]}
    else:
        roles = {"algorithm": frame["benchmark"]}
        roles |= {"dataset": frame["group"].fillna("no group")} if "group" in frame.columns else {}
    return frame[["measure", "value"]].assign(**roles)


def _is_list_of_benchmarks(part: Source) -> bool:
    """asv's benchmarks.json and machine.json, which lie beside its results."""
    return part.paths[0].name in ("benchmarks.json", "machine.json", "asv.conf.json")


def _entries(path: Path, key: str) -> Iterator[Row]:
    result = whole(path).get(key)
    if not isinstance(result, list) or not all(isinstance(entry, dict) for entry in result):
        raise ResultsError(f"'{path}' has no list '{key}'. It seems to be changed by hand.")
    yield from result


def _first(part: Source, key: str) -> Any:
    """The first entry of a list of the file, as far as its beginning shows."""
    result = part.shape.get(key) if isinstance(part.shape, dict) else None
    return result[0] if isinstance(result, list) and result and isinstance(result[0], dict) else {}


# -- asv ------------------------------------------------------------------------------------------

_TIMES = ("time", "timeraw")
_MEMORY = ("mem", "peakmem")


def _is_asv(part: Source) -> bool:
    result = part.shape
    return isinstance(result, dict) and {"commit_hash", "results"} <= {*result}


def _describes(part: Source) -> bool:
    """Whether it is asv's benchmarks.json, which has the code of the benchmarks and no times."""
    first = next(iter(part.shape.values()), None) if isinstance(part.shape, dict) else None
    return isinstance(first, dict) and {"code", "name", "type"} <= {*first}


def _kind(name: str) -> str | None:
    """What asv measures by a benchmark of this name: time_..., mem_..., track_..."""
    prefix = name.rpartition(".")[2].partition("_")[0].lower()
    return TIME if prefix in _TIMES else MEMORY if prefix in _MEMORY else None


def _asv_rows(path: Path) -> Iterator[Row]:
    result = whole(path)
    columns = result.get("result_columns") or ["result", "params"]
    message = result.get("params") or {}
    commit = str(result["commit_hash"])[:8]
    env = result.get("env_name") or " ".join(
        f"{k}{v or ''}" for k, v in sorted((result.get("requirements") or {}).items())
    )
    about = {"file": path, "commit": commit, "environment": env, "machine": message.get("machine")}
    for name, entry in (result.get("results") or {}).items():
        kind = _kind(name)
        for case, value in _asv_values(entry, columns) if kind else ():
            yield about | {"benchmark": f"{name}{case}", "measure": kind, "value": value}


def _asv_values(entry: Any, columns: list[str]) -> Iterator[tuple[str, float | None]]:
    """The values of a benchmark by its parameters: its samples where they were kept."""
    if isinstance(entry, list):
        entry = dict(zip(columns, entry, strict=False))
    if not isinstance(entry, dict):
        yield "", entry
        return
    results = entry.get("result")
    results = results if isinstance(results, list) else [results]
    cases = _cases(entry.get("params") or [])
    samples = entry.get("samples") or [None] * len(results)
    for i, result in enumerate(results):
        case = cases[i] if i < len(cases) else ""
        for value in (samples[i] if i < len(samples) else None) or [result]:
            yield case, value


def _cases(params: list[list[str]]) -> list[str]:
    cases = [""]
    for values in params:
        cases = [f"{case}, {value}" if case else f"({value}" for case in cases for value in values]
    return [f"{case})" if case else "" for case in cases]


def _read_asv(source: Source, options: Options) -> LongTable:
    """Commits; with their environments where there are several of one commit."""
    return _read(
        source,
        options,
        tool="asv",
        mine=_is_asv,
        rows=_asv_rows_of(source),
        empty="Run asv run --record-samples, and give the folder of its results.",
    )


def _asv_rows_of(source: Source) -> Callable[[Path], Iterator[Row]]:
    """Rows whose commit is told apart by environment where several files are of one commit."""
    files = [part.shape.get("commit_hash") for part in source.parts if _is_asv(part)]
    several = len({*files}) < len(files)

    def rows(path: Path) -> Iterator[Row]:
        for row in _asv_rows(path):
            machine = f" on {row['machine']}" if row["machine"] else ""
            place = f" ({row['environment']}{machine})" if several else ""
            yield row | {"commit": row["commit"] + place}

    return rows


def _asv_sample(folder: Path) -> Path:
    for commit, times in {"a" * 40: (0.2, 0.4), "b" * 40: (0.1, 0.3)}.items():
        results = {"time_one": [[times[0]], []], "bench.time_two": [[times[1]], []]}
        messages = {"commit_hash": commit, "result_columns": ["result", "params"], "version": 2}
        text = json.dumps(messages | {"results": results, "params": {"machine": "m"}})
        (folder / f"{commit[:8]}-env.json").write_text(text)
    (folder / "benchmarks.json").write_text(json.dumps({"time_one": {"type": "time"}}))
    return folder


ASV = FORMATS.add(
    Format(
        "asv",
        "results of airspeed velocity, one file per commit and environment",
        recognises=any_file(lambda part: _is_asv(part) or _describes(part)),
        read=_read_asv,
        samples=[Sample(_asv_sample, order=("bbbbbbbb", "aaaaaaaa"))],
        extensions=["json"],
        title="asv timings",
    )
)
