"""What came out once, and was looked at, is kept beside the tests: a net, not a proof.

Tables that plots draw are CSV files, whatever else comes out of a room is JSON. Kept files are
written where the environment says PODIUM_SNAPSHOTS=write, and only there: by one process, no -n.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from enum import Enum
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from podium import Note
from podium.core.words.saying import say

TESTS = Path(__file__).parents[1]
SINCE = {"choices": "battles", "answers": "comparison"}
WRITE = "PODIUM_SNAPSHOTS"
WAY_OUT = f"If the new one is right, run the test with {WRITE}=write and look at the diff."
RELATIVE = 1e-9
CANCELLED = 1e-3  # of it: sums that cancel leave a zero of any sign and size
TINY = 1e-12  # of what is written: it is such a zero
WIDE = 100  # characters of a line of JSON


def assert_snapshot(name: str, frame: pd.DataFrame) -> None:
    """The frame is the kept one: numbers to 1e-9 relative, all else exactly."""
    path = TESTS / "showing/plots/snapshots" / f"{name}.csv"
    if os.environ.get(WRITE) == "write":
        path.parent.mkdir(parents=True, exist_ok=True)
        frame.to_csv(path, index=False)
    assert path.exists(), f"There is no snapshot '{path.name}'. {WAY_OUT}"
    kept = pd.read_csv(path, keep_default_na=False, dtype=str)
    columns = [str(column) for column in frame.columns]
    assert list(kept.columns) == columns, f"{path.name} has other columns. {WAY_OUT}"
    for place, column in enumerate(columns):
        now, then = frame.iloc[:, place], kept.iloc[:, place]
        if pd.api.types.is_numeric_dtype(now) and not pd.api.types.is_bool_dtype(now):
            now, then = now.astype(float), then.replace("", "nan").astype(float)
        else:
            now = pd.Series(["" if pd.isna(value) else str(value) for value in now], dtype=object)
        _assert_same(
            f"{path.name}: {column}", now.tolist(), then.tolist(), RELATIVE, CANCELLED * RELATIVE
        )


def assert_kept(
    room: str,
    name: str,
    value: object,
    case: str = "",
    relative: float = RELATIVE,
    absolute: float | None = None,
) -> None:
    """The value is what tests/<room>/kept/<name>.json holds (under `case`, if there is one).

    Records, tables, arrays, sets and errors become dictionaries, lists, numbers and texts. How near
    is the same the error of the method says: `relative` to a number that a search ends at or a sum
    of many, and `absolute` for differences that may be next to nothing, in units of what is
    measured; a thousandth of `relative` if it is not said.
    """
    absolute = CANCELLED * relative if absolute is None else absolute
    path = _find_kept_folder(SINCE.get(room, room)) / f"{name}.json"
    now = plain(value)
    kept = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    if os.environ.get(WRITE) == "write":
        rounded = _rounded(now, 2 - math.floor(math.log10(relative)))
        kept = dict(sorted((kept | {case: rounded}).items())) if case else rounded
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_dumped(kept) + "\n", encoding="utf-8")
    assert path.exists(), f"There is no {room}/kept/{path.name}. {WAY_OUT}"
    if case:
        assert case in kept, f"{path.name} has no '{case}'. {WAY_OUT}"
        kept = kept[case]
    _assert_same(f"{path.name}: {case}", now, kept, relative, absolute)


def _find_kept_folder(room: str) -> Path:
    """The folder `kept` of a room's tests, in whichever wing; of a new room, made on writing."""
    return next(TESTS.glob(f"**/{room}/kept"), TESTS / room / "kept")


def plain(value: object) -> Any:
    """The value as JSON has it."""
    match value:
        case None | bool() | int() | float():
            return value.value if isinstance(value, Enum) else value
        case str():
            return str(value.value if isinstance(value, Enum) else value)
        case np.generic() | np.ndarray():
            return plain(value.tolist())
        case Enum():
            return plain(value.value)
        case Note():
            about = {"code": value.code, "severity": value.severity.name, "says": say(value)}
            return about | plain(value.facts)
        case Exception():
            return f"{type(value).__name__}: {value}"
        case pd.DataFrame():
            return {str(c): _column(value.iloc[:, i]) for i, c in enumerate(value.columns)}
        case pd.Series():
            return dict(zip(map(str, value.index), _column(value), strict=True))
        case Mapping():
            return {str(key): plain(each) for key, each in value.items()}
        case AbstractSet():
            return sorted((plain(each) for each in value), key=repr)
        case list() | tuple():
            return [plain(each) for each in value]
        case Path():
            return value.name
        case bytes():
            return value.hex()
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: plain(getattr(value, each.name)) for each in fields(value)}
    if value is pd.NA or value is pd.NaT:
        return None
    raise TypeError(f"What is kept of a {type(value).__name__}?")  # its repr may hold an address


def _column(values: pd.Series) -> list[Any]:
    if pd.api.types.is_numeric_dtype(values):
        return plain(values.tolist())
    gaps = [isinstance(each, float) and math.isnan(each) for each in values]
    return [None if gap else plain(each) for gap, each in zip(gaps, values, strict=True)]


def differences(
    now: Any, kept: Any, relative: float, absolute: float, at: str = ""
) -> Iterator[str]:
    """Where two plain values differ, and how."""
    if isinstance(now, dict) and isinstance(kept, dict) and now.keys() == kept.keys():
        for key in now:
            yield from differences(now[key], kept[key], relative, absolute, f"{at}.{key}")
    elif isinstance(now, list) and isinstance(kept, list) and len(now) == len(kept):
        for place, (one, other) in enumerate(zip(now, kept, strict=True)):
            yield from differences(one, other, relative, absolute, f"{at}[{place}]")
    elif isinstance(now, dict) and isinstance(kept, dict):
        yield f"{at}: {sorted({*now} ^ {*kept})} are on one side only"
    elif not _same(now, kept, relative, absolute):
        yield f"{at}: {now!r}, kept was {kept!r}"


def _assert_same(name: str, now: Any, kept: Any, relative: float, absolute: float) -> None:
    several = list(islice(differences(now, kept, relative, absolute), 10))
    assert not several, "\n".join([f"{name} differs. {WAY_OUT}", *several])


def _same(now: Any, kept: Any, relative: float, absolute: float) -> bool:
    if not _is_number(now) or not _is_number(kept):
        return type(now) is type(kept) and now == kept
    if math.isnan(now) or math.isnan(kept):
        return math.isnan(now) and math.isnan(kept)
    return math.isclose(now, kept, rel_tol=relative, abs_tol=absolute)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _rounded(value: Any, digits: int) -> Any:
    if isinstance(value, dict):
        return {key: _rounded(each, digits) for key, each in value.items()}
    if isinstance(value, list):
        return [_rounded(each, digits) for each in value]
    if isinstance(value, float):
        short = float(f"{value:.{digits}g}")
        return 0.0 if abs(short) < TINY / 2 else short
    return value


def _dumped(value: Any, indent: str = "") -> str:
    """JSON in few lines: what fits into one stands in one; numbers and facts share lines."""
    line = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(line) <= WIDE or not isinstance(value, dict | list) or not value:
        return line
    deeper = indent + " "
    heads = [f"{json.dumps(k, ensure_ascii=False)}: " for k in value if isinstance(value, dict)]
    lines, room = list[str](), 0
    for place, each in enumerate(value.values() if isinstance(value, dict) else value):
        part = "".join(heads[place : place + 1]) + _dumped(each, deeper)
        single = not isinstance(each, dict | list | str) or (bool(heads) and each is not None)
        if single and len(part) < room:
            lines[-1] += f", {part}"
        else:
            lines.append(part)
        room = single * (WIDE - len(indent) - len(lines[-1]) - 3)
    begin, end = "{}" if isinstance(value, dict) else "[]"
    return f"{begin}\n{deeper}" + f",\n{deeper}".join(lines) + f"\n{indent}{end}"
