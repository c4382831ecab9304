"""Timings of programs: pytest-benchmark, hyperfine, asv, Google Benchmark.

Where several files are given, these are the algorithms (before and after a change, two machines)
and the benchmarks in them are the data sets; asv says by itself which commit a file is of. In one
file the benchmarks are compared with each other. Rounds are repeated timings, which nothing pairs.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
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
            f"{what} has one timing of each benchmark, which tells no difference from chance. "
            f"{empty}"
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


# -- pytest-benchmark -----------------------------------------------------------------------------


def _is_pytest(part: Source) -> bool:
    result = part.shape
    message = isinstance(result, dict) and {"machine_info", "benchmarks"} <= {*result}
    return message or "stats" in _first(part, "benchmarks")


def _pytest_rows(path: Path) -> Iterator[Row]:
    entries = list(_entries(path, "benchmarks"))
    short = [entry.get("name") for entry in entries]
    once = len({*short}) == len(short)
    for entry in entries:
        name = entry.get("name") if once else entry.get("fullname") or entry.get("name")
        for value in (entry.get("stats") or {}).get("data") or ():
            yield {"file": path, "benchmark": name, "group": entry.get("group"), "value": value}


def _pytest_sample(folder: Path) -> list[Path]:
    times = {"old": (3.0, 3.2, 3.1), "new": (2.0, 2.1, 2.3)}
    for name, data in times.items():
        stats = [{"name": "test_a", "group": None, "stats": {"rounds": 3, "data": list(data)}}]
        text = json.dumps({"machine_info": {"node": "x"}, "benchmarks": stats, "version": "5.1"})
        (folder / f"{name}.json").write_text(text)
    return [folder / f"{name}.json" for name in times]


PYTEST = FORMATS.add(
    Format(
        "pytest-benchmark",
        "timings of pytest-benchmark (--benchmark-json with --benchmark-save-data), file by file",
        recognises=any_file(_is_pytest),
        read=partial(
            _read,
            tool="pytest-benchmark",
            mine=_is_pytest,
            rows=_pytest_rows,
            empty="Run pytest with --benchmark-save-data, which keeps the rounds.",
        ),
        samples=[Sample(_pytest_sample, order=("new", "old"))],
        extensions=["json"],
        title="pytest-benchmark timings",
        of_benchmarks=True,
    )
)


# -- hyperfine ------------------------------------------------------------------------------------

_TABLE = {"command", "mean", "stddev", "median", "user", "system", "min", "max"}


def _is_hyperfine(part: Source) -> bool:
    return {"command", "mean"} <= {*_first(part, "results")} or {*part.columns} >= _TABLE


def _hyperfine_rows(path: Path) -> Iterator[Row]:
    if Source(path).shape is None:  # the table has means alone
        return
    for entry in _entries(path, "results"):
        times = entry.get("times") or ()
        codes = entry.get("exit_codes") or [0] * len(times)
        for value, code in zip(times, codes, strict=False):  # with -i a failed run has a time, too
            value = "failed" if code else value
            yield {"file": path, "benchmark": entry.get("command"), "value": value}


def _hyperfine_sample(folder: Path) -> Path:
    times = {"sort a": [0.31, 0.30, 0.33], "sort b": [0.21, 0.22, 0.20]}
    results = [{"command": c, "mean": sum(t) / 3, "times": t} for c, t in times.items()]
    (folder / "bench.json").write_text(json.dumps({"results": results}))
    return folder / "bench.json"


HYPERFINE = FORMATS.add(
    Format(
        "hyperfine",
        "timings of hyperfine (--export-json), whose commands are compared",
        recognises=any_file(_is_hyperfine),
        read=partial(
            _read,
            tool="hyperfine",
            mine=_is_hyperfine,
            rows=_hyperfine_rows,
            empty="Its table (--export-csv) has means alone: export the times by --export-json "
            "FILE.json and give that file.",
        ),
        samples=[Sample(_hyperfine_sample, order=("sort b", "sort a"))],
        extensions=["json"],
        title="hyperfine timings",
        of_benchmarks=True,
    )
)


# -- Google Benchmark -----------------------------------------------------------------------------


def _is_google(part: Source) -> bool:
    entry = _first(part, "benchmarks")
    marks = {"real_time", "cpu_time", "run_type", "repetition_index"}
    return "name" in entry and "stats" not in entry and bool(marks & {*entry})


def _google_rows(path: Path) -> Iterator[Row]:
    for entry in _entries(path, "benchmarks"):
        if entry.get("run_type", "iteration") == "aggregate" or "real_time" not in entry:
            continue
        unit = SECONDS.get(entry.get("time_unit", "ns"), 1e-9)
        failed = entry.get("error_occurred") or entry.get("skipped")
        name = entry.get("run_name") or entry.get("name")
        value = None if failed else float(entry["real_time"]) * unit
        yield {"file": path, "benchmark": name, "value": value}


def _google_sample(folder: Path) -> list[Path]:
    for name, times in {"before": (20, 21, 22), "after": (10, 12, 11)}.items():
        results = [
            {"name": f"BM_x/{i}", "run_name": "BM_x", "run_type": "iteration", "iterations": 9}
            | {"repetition_index": i, "real_time": t, "cpu_time": t, "time_unit": "ms"}
            for i, t in enumerate(times)
        ]
        results += [results[0] | {"run_type": "aggregate", "name": "BM_x_mean"}]
        text = json.dumps({"context": {"num_cpus": 2}, "benchmarks": results})
        (folder / f"{name}.json").write_text(text)
    return [folder / "before.json", folder / "after.json"]


GOOGLE = FORMATS.add(
    Format(
        "google-benchmark",
        "timings of Google Benchmark (--benchmark_format=json), with --benchmark_repetitions",
        recognises=any_file(_is_google),
        read=partial(
            _read,
            tool="Google Benchmark",
            mine=_is_google,
            rows=_google_rows,
            empty="Run it with --benchmark_repetitions=20, and without aggregates alone.",
        ),
        samples=[Sample(_google_sample, order=("after", "before"))],
        extensions=["json"],
        title="Google Benchmark timings",
        of_benchmarks=True,
    )
)


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
