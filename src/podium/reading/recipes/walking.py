"""Records of nested values along a path, and what files beside a tool's files say of them.

A row has the fields of its record and of all records above it, called by the nearest: `name` is the
record's own, or that of the next record above which has one. The place in a list is called by the
list (`times#`), the key of a mapping by the mapping. Lists beside the last one that are as long as
it belong to its entries.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import takewhile
from pathlib import Path
from typing import Any

import pandas as pd

from podium.core.base.errors import ResultsError
from podium.core.base.patterns import BoundedPattern
from podium.reading.loading.sources import value_of
from podium.reading.recipes.recipe import Recipe

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


# -- what files beside a tool's files say of them -------------------------------------------------
# Fields of single records, and rows by key.


PATH = "path"  # the column with the whole path of a row's file


class Beside:
    """The files that lie beside those of a tool, each read once."""

    def __init__(self, recipe: Recipe) -> None:
        self.rules = recipe.tool.beside
        self.whole = recipe.tool.whole
        self.waiting = {name: rule for name, rule in self.rules.items() if "on" in rule}
        self.kept: dict[Path, Any] = {}
        self.folders: dict[Path, list[Path]] = {}

    def is_one(self, file: Path) -> bool:
        """Whether a file is one that lies beside."""
        return any(BoundedPattern(rule["file"]).is_whole(file.name) for rule in self.rules.values())

    def facts(self, file: Path) -> dict[str, Any]:
        """The fields of single records beside a file, as `NAME.field`."""
        facts: dict[str, Any] = {}
        for name, rule in self.rules.items():
            if "on" not in rule and (files := self._files(rule, file)):
                row = walked(self._value(files[-1]), "", f"'{files[-1]}'", self.whole)[0]
                facts |= {f"{name}.{k}": v for k, v in row.items() if _is_field(k, rule)}
        return facts

    def joined(self, frame: pd.DataFrame) -> pd.DataFrame:
        """The frame with rows beside that have the same keys, where it has these keys by now."""
        for name in [n for n, rule in self.waiting.items() if {*rule["on"]} <= {*frame.columns}]:
            rule = self.waiting.pop(name)
            if PATH in frame.columns:
                parts = [
                    self._with_rows(name, rule, Path(str(path)), rows)
                    for path, rows in frame.groupby(PATH, sort=False)
                ]
                frame = pd.concat(parts).sort_index()
        return frame

    def _with_rows(
        self, name: str, rule: Mapping[str, Any], path: Path, rows: pd.DataFrame
    ) -> pd.DataFrame:
        found = [
            row
            for file in self._files(rule, path)[::-1]
            for row in walked(self._branch(file, rule), rule["records"], f"'{file}'", self.whole)
        ]
        table = with_short_names(found)[0].add_prefix(f"{name}.")
        theirs = [f"{name}.{key}" for key in rule.get("as", rule["on"])]
        if not {*theirs} <= {*table.columns}:
            return rows
        table = table.drop_duplicates(theirs)
        made = rows.merge(table, how="left", left_on=list(rule["on"]), right_on=theirs)
        return made.set_index(rows.index)

    def _files(self, rule: Mapping[str, Any], file: Path) -> list[Path]:
        """The files of a name in the same folder, the one last that is called most alike."""
        folder = file.parent
        if folder not in self.folders:
            self.folders[folder] = _listed(folder)
        pattern = BoundedPattern(rule["file"])
        files = [p for p in self.folders[folder] if pattern.is_whole(p.name) and p != file]
        return sorted(files, key=lambda p: (_shared_end(p, file), p.name))

    def _branch(self, file: Path, rule: Mapping[str, Any]) -> dict[str, Any]:
        """What a file holds below the name that a path begins with."""
        name = re.split(r"[.\[{]", rule["records"])[0]
        return {name: self._value(file).get(name)}

    def _value(self, path: Path) -> Any:
        if path not in self.kept:
            self.kept[path] = value_of(path)
        return self.kept[path] if isinstance(self.kept[path], dict) else {}


def _is_field(name: str, rule: Mapping[str, Any]) -> bool:
    fields = rule.get("fields")
    return fields is None or any(name == f or name.startswith(f"{f}.") for f in fields)


def _listed(folder: Path) -> list[Path]:
    try:
        return sorted(p for p in folder.iterdir() if p.is_file() and p.name[0] != ".")
    except OSError:
        return []


def _shared_end(one: Path, two: Path) -> int:
    """How many letters at the end two names share, their extensions aside."""
    ends = [path.name.partition(".json")[0][::-1] for path in (one, two)]
    pairs = zip(*ends, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
