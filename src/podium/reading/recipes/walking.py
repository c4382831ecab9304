"""Records of a nested value along a path, such as `results[].times[]`.

A row has the fields of its record and of all records above it, called by the nearest: `name` is the
record's own, or that of the next record above which has one. The place in a list is called by the
list (`times#`), the key of a mapping by the mapping. Lists beside the last one that are as long as
it belong to its entries.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

import pandas as pd

from podium.base.errors import ResultsError

LIST, KEYS = "[]", "{}"
DEEPEST = 40  # levels of records in records
_TOKEN = re.compile(r"\[\]|\{\}|[^.\[\]{}]+")
_LEVEL = re.compile(r"(?:\[\]|\{\})+\.?")
Row = dict[str, Any]
Refuse = Callable[[str], ResultsError]


def walked(value: Any, path: str, what: str, whole: Collection[str] = ()) -> list[Row]:
    """The rows at a path, by columns that are paths; keys of `whole` are kept as one text.

    >>> walked({"a": "x", "b": [{"t": [1, 2]}]}, "b[].t[]", "It")[1]
    {'a': 'x', 'b[]': 0, 'b[].t[]': 1, 'b[].t': 2}
    """

    def refuse(place: str) -> ResultsError:
        return ResultsError(
            f"{what}, but it has no list '{place}' where one belongs. Write it again by the tool."
        )

    return list(_rows(value, _TOKEN.findall(path), "", {}, whole, refuse))


def _rows(
    value: Any, tokens: list[str], place: str, row: Row, whole: Collection[str], refuse: Refuse
) -> Iterator[Row]:
    if not tokens:
        yield row | (
            _fields(value, place, whole) if isinstance(value, Mapping) else {_leaf(place): value}
        )
        return
    token, *rest = tokens
    if value is None:
        return
    if token in (LIST, KEYS):
        entries = _entries(value, token)
        if entries is None:
            raise refuse(_plain(place) or "of records")
        for key, entry in entries:
            inside = row | {place + token: key}
            yield from _rows(entry, rest, place + token, inside, whole, refuse)
        return
    if not isinstance(value, Mapping):
        raise refuse(token)
    row = row | _fields(value, place, whole, less=token)
    below, here = value.get(token), _joined(place, token)
    if rest[:1] == [LIST] and isinstance(below, list):
        beside = _beside(value, token, place, len(below))
        for i, entry in enumerate(below):
            inside = row | {here + LIST: i} | {name: cells[i] for name, cells in beside.items()}
            yield from _rows(entry, rest[1:], here + LIST, inside, whole, refuse)
    else:
        yield from _rows(below, rest, here, row, whole, refuse)


def _entries(value: Any, token: str) -> list[tuple[Any, Any]] | None:
    if token == LIST:
        return list(enumerate(value)) if isinstance(value, list) else None
    return [(str(k), v) for k, v in value.items()] if isinstance(value, Mapping) else None


def _beside(record: Mapping[str, Any], name: str, place: str, size: int) -> dict[str, list[Any]]:
    return {
        _joined(place, key): held
        for key, held in record.items()
        if key != name and isinstance(held, list) and len(held) == size and _is_flat(held)
    }


def _is_flat(cells: list[Any]) -> bool:
    return not any(isinstance(cell, (Mapping, list)) for cell in cells)


def _fields(
    record: Mapping[str, Any], place: str, whole: Collection[str], less: str = "", depth: int = 0
) -> Row:
    """The single values of a record, and of records in it."""
    made: Row = {}
    for key, value in record.items():
        name = _joined(place, str(key))
        if key in whole:
            made[name] = json.dumps(value, sort_keys=True) if value else None
        elif key == less or isinstance(value, list):
            continue
        elif isinstance(value, Mapping):
            made |= _fields(value, name, whole, "", depth + 1) if depth < DEEPEST else {}
        else:
            made[name] = value
    return made


def _joined(place: str, key: str) -> str:
    return f"{place}.{key}" if place else key


def _leaf(place: str) -> str:
    """What a single value in a list is called: by the list, or `value` in a list of lists."""
    stem = place[:-2]
    return f"{place}.value" if not stem or stem.endswith((LIST, KEYS)) else stem


# -- names --------------------------------------------------------------------------------------


def with_short_names(rows: list[Row]) -> tuple[pd.DataFrame, dict[str, str]]:
    """The rows as a frame whose columns are called by the nearest record, and their paths."""
    frame = pd.DataFrame(rows)
    names = short_names([str(c) for c in frame.columns])
    return frame.rename(columns=names), {short: path for path, short in names.items()}


def short_names(paths: list[str]) -> dict[str, str]:
    """Names less the path above their record; of two that are alike the nearer one has it.

    >>> short_names(["name", "b[]", "b[].name", "b[].stats.n"])
    {'name': '/name', 'b[]': 'b#', 'b[].name': 'name', 'b[].stats.n': 'stats.n'}
    """
    levels = sorted(paths, key=lambda path: -len(_LEVEL.findall(path)))
    taken: dict[str, str] = {}
    for path in levels:
        name = _short(path)
        while name in taken.values():
            name = f"/{name}"
        taken[path] = name
    return {path: taken[path] for path in paths}


def _short(path: str) -> str:
    ends = re.search(r"(?:\[\]|\{\})+$", path)
    if not ends:
        return _LEVEL.split(path)[-1]
    last = [part for part in re.split(r"[.\[\]{}]+", path) if part]
    depth = len(ends[0]) // 2
    mark = "#" if path.endswith(LIST) else ""
    stem = last[-1] if last else "row" if mark else "key"
    return f"{stem}{mark}{depth if depth > 1 else ''}"


def _plain(path: str) -> str:
    return re.sub(r"[\[\]{}]", "", path)


# -- what a value begins with -------------------------------------------------------------------


def holds(value: Any, path: str) -> bool:
    """Whether there is something at a path; of lists and mappings the first entry is looked at.

    >>> holds({"a": [{"b": 1}]}, "a[].b"), holds({"a": []}, "a"), holds({"a": []}, "a[]")
    (True, True, False)
    """
    for token in _TOKEN.findall(path):
        if token in (LIST, KEYS):
            entries = _entries(value, token)
            if not entries:
                return False
            value = entries[0][1]
        elif isinstance(value, Mapping) and token in value:
            value = value[token]
        else:
            return False
    return True
