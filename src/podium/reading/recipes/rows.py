"""Rows of files whose layout no path says: `rows = "asv"` of a recipe; all else stands in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from podium.reading.formats.opening import whole

Row = dict[str, Any]
_KINDS = {"time": "time", "timeraw": "time", "mem": "memory", "peakmem": "memory"}


def _asv_rows(path: Path) -> Iterator[Row]:
    """The results of asv: lists, whose fields are named once, by parameters and samples."""
    result = whole(path)
    columns = result.get("result_columns") or ["result", "params"]
    env = result.get("env_name") or " ".join(
        f"{k}{v or ''}" for k, v in sorted((result.get("requirements") or {}).items())
    )
    machine = (result.get("params") or {}).get("machine")
    place = f"({env} on {machine})" if machine else f"({env})"
    about = {"commit": str(result["commit_hash"])[:8], "place": place}
    for name, entry in (result.get("results") or {}).items():
        kind = _KINDS.get(name.rpartition(".")[2].partition("_")[0].lower())
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


ROWS: Mapping[str, Callable[[Path], Iterator[Row]]] = {"asv": _asv_rows}
