"""Nested values as record sets: tables whose columns are paths.

    {"benchmarks": [{"name": "a", "runs": [{"time": 1}, {"time": 2}]}]}

becomes one table with the columns `benchmarks[].name`, `benchmarks[]`, `benchmarks[].runs[]` (the
places in the lists) and `benchmarks[].runs[].time`. Lists are unrolled, mappings of values that are
alike are rows named by their keys (`{}`), lists of equal length beside each other are zipped. What
stands above a list is repeated beside each of its entries.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from podium.core.base.errors import ResultsError
from podium.core.base.formatting import read_digits
from podium.reading.cells.directions import is_higher_better
from podium.reading.cells.vocabulary import known_measure, role_of

MOST_ROWS = 5_000_000  # of one record set
MOST_SETS = 200
DEEPEST = 40  # levels
LIST, KEYS = "[]", "{}"  # how the place in a list, and the key of a mapping, are called
WORDS = 3  # entries from which a list of texts is a list of records


@dataclass
class RecordSet:
    """A table of a nested value: rows of one list, with what stands above it."""

    path: str  # of the list or mapping whose entries the rows are
    rows: list[dict[str, Any]] = field(default_factory=list)

    @property
    def frame(self) -> pd.DataFrame:
        """The rows, less columns that hold nothing, places in lists of one entry left out."""
        frame = pd.DataFrame(self.rows)
        empty = [c for c in frame.columns if frame[c].isna().all()]
        single = [c for c in frame.columns if str(c).endswith(LIST) and _is_one(frame[c])]
        single += [LIST] if self.path == LIST and LIST in frame.columns else []  # numbers rows
        return frame.drop(columns=list(dict.fromkeys([*empty, *single])))


def _is_one(column: pd.Series) -> bool:
    """Whether a column of places in a list has one value; numbers of a list are no places."""
    try:
        return column.nunique(dropna=False) == 1
    except TypeError:
        return False


def record_sets(value: Any, what: str = "It", keyed: bool = False) -> dict[str, RecordSet]:
    """All record sets of a value by their paths, the shallowest first; `keyed`: keys are rows."""
    sets: dict[str, RecordSet] = {}
    if keyed and isinstance(value, Mapping):
        _unroll_entries(KEYS, [(str(k), v) for k, v in value.items()], {}, sets, 0, what)
        return sets
    columns = columns_of(value) or _headed(value)
    _unroll(value if columns is None else columns, "", {}, sets, 0, what)
    return sets


def columns_of(value: Any) -> list[dict[str, Any]] | None:
    """The records of columns that are mappings from row to cell, as pandas writes them."""
    if not isinstance(value, Mapping) or len(value) < 2:
        return None
    columns = list(value.values())
    if not all(isinstance(c, Mapping) and c for c in columns):
        return None
    rows = [str(k) for k in columns[0]]
    numbered = sorted(rows, key=len) == [str(i) for i in range(len(rows))]
    if not numbered or any([str(k) for k in c] != rows for c in columns):
        return None
    return [{str(name): c[k] for name, c in value.items()} for k in columns[0]]


def _led_by_names(value: list[Any]) -> dict[str, list[Any]]:
    """Rows of numbers by the name that each begins with; empty where they are something else."""
    lists = len(value) > 1 and all(isinstance(row, list) and len(row) > 2 for row in value)
    if not lists or not _are_names([row[0] for row in value]):
        return {}
    numbers = all(isinstance(c, (int, float)) or c is None for row in value for c in row[1:])
    return {row[0]: row[1:] for row in value} if numbers else {}


def _headed(value: Any) -> list[dict[str, Any]] | None:
    """The records of a list of rows, of which the first names the columns."""
    if not isinstance(value, list) or len(value) < 3:
        return None
    if not all(isinstance(row, list) and len(row) == len(value[0]) > 1 for row in value):
        return None
    head, *rows = value
    texts = [sum(isinstance(cell, str) for cell in row) for row in rows]
    if not _are_names(head) or min(texts) == len(head):
        return None
    return [dict(zip(head, row, strict=True)) for row in rows]


_PARTS = re.compile(r"\.(?=[^\d\s)%])")  # no decimal point, and no end of a sentence


def short_names(columns: Sequence[str]) -> dict[str, str]:
    """Short names for paths: the last part, with more of the path where two would be alike.

    Places in lists end in `#`, keys of mappings are called by the mapping, or `key`.

    >>> short_names(["a[].name", "a[].b.name", "a[].time", "a[]", "{}"])
    {'a[].name': 'a.name', 'a[].b.name': 'b.name', 'a[].time': 'time', 'a[]': 'a#', '{}': 'key'}
    """
    parts = {c: [p for p in _PARTS.split(_plain(c)) if p] for c in columns}
    ends = {c: _end(c) for c in columns}
    size = dict.fromkeys(columns, 1)
    names: dict[str, str] = {}
    for _ in range(DEEPEST):
        names = {c: _name(".".join(parts[c][-size[c] :]), ends[c]) for c in columns}
        counts = Counter(names.values())
        longer = [c for c in columns if counts[names[c]] > 1 and size[c] < len(parts[c])]
        if not longer:
            break
        for column in longer:
            size[column] += 1
    taken: dict[str, str] = {}
    used: set[str] = set()
    for column, name in names.items():
        taken[column] = column if name in used else name
        used.add(taken[column])
    return taken


def _end(path: str) -> str:
    """The brackets that a path ends in; none where it is a value."""
    at = len(path)
    while path[:at].endswith((LIST, KEYS)):
        at -= 2
    return path[at:] or (LIST if _KIND_END.search(path) else "")


def _name(stem: str, end: str) -> str:
    if not end:
        return stem
    level = len(end) // 2
    mark = "#" if end.endswith(LIST) else ""
    if not stem and mark and level > 1:  # places in the lists of a mapping
        return f"place{mark}{level - 1 if level > 2 else ''}"
    return f"{stem or ('row' if mark else 'key')}{mark}{level if level > 1 else ''}"


_KIND_END = re.compile(r"\[[^\]]+\]$")  # of the places of records of one kind


def _plain(path: str) -> str:
    path = re.sub(r"\[[^\]]+\]", "", path)
    return path.replace(LIST, "").replace(KEYS, "").replace("..", ".").strip(".")


# -- unrolling --------------------------------------------------------------------------------


def _unroll(
    value: Any, path: str, above: dict[str, Any], sets: dict[str, RecordSet], depth: int, what: str
) -> None:
    """Add what a value holds to the record sets; `above` is what stands over it."""
    if depth > DEEPEST:
        raise ResultsError(f"{what} is nested too deeply to be read.")
    if isinstance(value, Mapping):
        if _is_alike(value):
            _unroll_entries(
                path + KEYS, [(str(k), v) for k, v in value.items()], above, sets, depth, what
            )
        else:
            _unroll_record(value, path, above, sets, depth, what)
    elif isinstance(value, list) and (led := _led_by_names(value)):
        _unroll_entries(path + KEYS, [*led.items()], above, sets, depth, what)
    elif isinstance(value, list):
        kinds = _kinds(value)
        if kinds is None:
            _unroll_entries(path + LIST, list(enumerate(value)), above, sets, depth, what)
            return
        single = {k: v for held in kinds.values() if len(held) == 1 for k, v in held[0].items()}
        beside = {k: v for k, v in single.items() if not _is_nested(v)}
        for kind, held in kinds.items():
            if len(held) > 1:
                text = {**above, **{k: v for k, v in beside.items() if k not in held[0]}}
                entries = list(enumerate(held))
                _unroll_entries(f"{path}[{kind}]", entries, text, sets, depth, what)


_KIND = ("type", "event", "kind", "record_type", "record", "op", "level")
MOST_KINDS = 12


def _kinds(records: Sequence[Any]) -> dict[str, list[Mapping[str, Any]]] | None:
    """Records by kind, where one field tells which others they have; None where all are alike.

    A kind of which there is one record, such as a header, stands beside all others.
    """
    if len(records) < 4 or not all(isinstance(r, Mapping) for r in records):
        return None
    for field_name in _KIND:
        told = [r.get(field_name) for r in records]
        if not all(isinstance(kind, str) for kind in told[1:-1]):  # a header or an end has none
            continue
        kinds: dict[str, list[Mapping[str, Any]]] = {}
        for kind, r in zip(told, records, strict=True):
            kinds.setdefault(str(kind or "other"), []).append(r)
        fields = [{k for r in held for k in r} for held in kinds.values()]
        own = any(a - b for a in fields for b in fields)
        if 1 < len(kinds) <= MOST_KINDS and own and max(map(len, kinds.values())) > 1:
            return kinds
    return None


def _unroll_entries(
    path: str,
    entries: list[tuple[Any, Any]],
    above: dict[str, Any],
    sets: dict[str, RecordSet],
    depth: int,
    what: str,
) -> None:
    for place, entry in entries:
        here = {**above, path: place}
        if isinstance(entry, Mapping) and not _is_alike(entry):
            _unroll_record(entry, path, here, sets, depth + 1, what)
        elif isinstance(entry, (Mapping, list)):
            _unroll(entry, path, here, sets, depth + 1, what)
        else:
            _add(sets, path, {**here, f"{path}.value": entry}, what)


def _unroll_record(
    record: Mapping[str, Any],
    path: str,
    above: dict[str, Any],
    sets: dict[str, RecordSet],
    depth: int,
    what: str,
) -> None:
    """A record is a row; lists in it are record sets of their own, beside what the row says."""
    if _are_entries(record, path):
        _unroll_entries(path + KEYS, list(record.items()), above, sets, depth, what)
        return
    record = _with_named_matrix(_with_headed_rows(record))
    row = dict(above)
    inner: list[tuple[str, Any]] = []
    for name, leaf in _leaves(record, path, depth, what):
        if isinstance(leaf, (Mapping, list)):
            inner.append((name, leaf))
        else:
            row[name] = leaf
    zipped, inner = _zipped(inner)
    _add(sets, path, row, what)
    for names, columns in zipped:
        common = _common(names)
        for place, cells in enumerate(zip(*columns, strict=True)):
            _add(
                sets,
                common + LIST,
                {**row, common + LIST: place, **dict(zip(names, cells, strict=True))},
                what,
            )
    for name, leaf in inner:
        _unroll(leaf, name, row, sets, depth + 1, what)


def _are_entries(record: Mapping[str, Any], path: str) -> bool:
    """Whether numbers of a record are rows, not fields: below two mappings, or `s0`, `s1` ..."""
    numbers = [isinstance(v, (int, float)) and not isinstance(v, bool) for v in record.values()]
    keys = [str(k) for k in record]
    if len(keys) < 2 or not all(numbers) or any(map(_is_field, keys)):
        return False
    matches = [re.fullmatch(r"(.*?\D)(\d+)", key) for key in keys]
    stems = {m[1] for m in matches if m}
    counted = sorted(read_digits(m[2]) for m in matches if m)
    running = all(matches) and len(stems) == 1 and counted[0] in (0, 1)
    running = running and counted == list(range(counted[0], counted[0] + len(keys)))
    return path.endswith(KEYS + KEYS) or (running and len(keys) > 2 and path.endswith(KEYS))


_HEADERS = ("header", "headers", "columns", "fields", "cols")
_BODIES = ("rows", "data", "values", "body", "records")


def _with_headed_rows(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """The record with a header and rows of cells beside it as a list of records."""
    head = next((k for k in _HEADERS if isinstance(record.get(k), list)), None)
    body = next((k for k in _BODIES if isinstance(record.get(k), list)), None)
    if head is None or body is None or not record[body]:
        return record
    names = [str(_cell(c)) for c in record[head]]
    rows = record[body]
    if not all(isinstance(r, list) and len(r) == len(names) for r in rows) or len({*names}) < len(
        names
    ):
        return record
    made = [dict(zip(names, map(_cell, r), strict=True)) for r in rows]
    labels = record.get("index")
    rest = {k: v for k, v in record.items() if k != head}
    if isinstance(labels, list) and len(labels) == len(rows) and _are_names(labels):
        made = [{"rows": label, **r} for label, r in zip(labels, made, strict=True)]
        rest.pop("index")
    return {**rest, body: made}


def _with_named_matrix(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """The record with a matrix as records, where lists beside it name its rows and columns."""
    names = {k: v for k, v in record.items() if isinstance(v, list) and _are_names(v)}
    for key, rows in record.items():
        if not isinstance(rows, list) or not rows or not all(isinstance(r, list) for r in rows):
            continue
        size = len(rows[0])
        if size == len(rows) or any(len(r) != size or any(map(_is_nested, r)) for r in rows):
            continue
        first = [k for k, v in names.items() if len(v) == len(rows)]
        second = [k for k, v in names.items() if len(v) == size]
        if len(first) != 1 or len(second) != 1:
            continue
        made = [
            {first[0]: row, second[0]: column, "value": cell}
            for row, cells in zip(record[first[0]], rows, strict=True)
            for column, cell in zip(record[second[0]], cells, strict=True)
        ]
        rest = {k: v for k, v in record.items() if k not in (first[0], second[0])}
        return {**rest, key: made}
    return record


def _are_names(values: Sequence[Any]) -> bool:
    """Whether a list holds names, each once."""
    return all(isinstance(v, str) for v in values) and len({*values}) == len(values) > 1


def _cell(cell: Any) -> Any:
    """What a cell of a table holds; some are records with their value and its description."""
    return cell.get("value") if isinstance(cell, Mapping) and "value" in cell else cell


def _leaves(
    record: Mapping[str, Any], path: str, depth: int, what: str
) -> Iterator[tuple[str, Any]]:
    """The values of a record by path, of records in it as well; lists of few texts are one text."""
    if depth > DEEPEST:
        raise ResultsError(f"{what} is nested too deeply to be read.")
    lengths = {len(v) for v in record.values() if isinstance(v, list) and _holds_numbers(v)}
    for key, value in record.items():
        name = f"{path}.{key}" if path else str(key)
        if isinstance(value, list) and len(value) > 1 and len(value) in lengths:
            yield name, value  # a column, beside one of numbers
        elif isinstance(value, Mapping) and value and not _is_alike(value):
            yield from _leaves(value, name, depth + 1, what)
        elif isinstance(value, list) and all(isinstance(v, str) for v in value):
            yield name, " ".join(value) or None
        elif isinstance(value, (Mapping, list)) and not value:
            yield name, None
        else:
            yield name, value


def _holds_numbers(values: Sequence[Any]) -> bool:
    return any(isinstance(v, (int, float)) and not isinstance(v, bool) for v in values)


def _zipped(
    inner: list[tuple[str, Any]],
) -> tuple[list[tuple[list[str], list[list[Any]]]], list[tuple[str, Any]]]:
    """Lists of single values beside each other, by length; and what is left."""
    flat = [(n, v) for n, v in inner if isinstance(v, list) and not any(map(_is_nested, v))]
    by_place: dict[tuple[str, int], list[tuple[str, list[Any]]]] = {}
    for name, values in flat:
        by_place.setdefault((name.rpartition(".")[0], len(values)), []).append((name, values))
    groups = [([n for n, _ in g], [v for _, v in g]) for g in by_place.values()]
    rest = [(n, v) for n, v in inner if not any(n in names for names, _ in groups)]
    return groups, rest


def _common(names: Sequence[str]) -> str:
    """The path that a group of lists is called by: its own of one list, else the one above."""
    return names[0] if len(names) == 1 else names[0].rpartition(".")[0] or "lists"


def _is_nested(value: Any) -> bool:
    return isinstance(value, (Mapping, list))


def _is_alike(value: Mapping[str, Any]) -> bool:
    """Whether the entries of a mapping are rows, not fields: all nested, alike, named freely."""
    entries = list(value.values())
    if len(entries) < 2 or not all(map(_is_nested, entries)):
        return False
    keys = [str(k) for k in value]
    if all(isinstance(e, Mapping) for e in entries):
        names = [{*map(str, e)} for e in entries]
        union, shared = set.union(*names), set.intersection(*names)
        if not union:
            return False
        alike = 2 * len(shared) >= len(union) or all(len(n) == 1 for n in names)
        return alike and not _are_fields(keys, entries)
    if all(isinstance(e, list) for e in entries):
        kinds = {_kind(e) for e in entries if e}
        return len(kinds) <= 1 and not _are_fields(keys, entries)
    return False


def _kind(entries: list[Any]) -> str:
    first = next((e for e in entries if e is not None), None)
    if isinstance(first, Mapping):
        return "records"
    return "lists" if isinstance(first, list) else "values"


def _are_fields(keys: Sequence[str], entries: Sequence[Any]) -> bool:
    """Whether keys are names of fields: measures, roles, or what lists beside each other hold."""
    known = sum(_is_field(k) for k in keys)
    lists = all(isinstance(e, list) and not any(map(_is_nested, e)) for e in entries)
    return known > 0 if lists else 2 * known > len(keys)


def _is_field(key: str) -> bool:
    """Whether a key is called like a measure or a role, in the singular or plural."""
    names = (key, key.removesuffix("s"))
    return any(known_measure(n) or role_of(n) for n in names) or is_higher_better(key) is not None


def _add(sets: dict[str, RecordSet], path: str, row: dict[str, Any], what: str) -> None:
    if path not in sets:
        if len(sets) >= MOST_SETS:
            return
        sets[path] = RecordSet(path)
    rows = sets[path].rows
    if len(rows) >= MOST_ROWS:
        raise ResultsError(f"{what} has more than {MOST_ROWS:,} records; give a part of it.")
    rows.append(row)


def is_missing(value: Any) -> bool:
    """Whether a cell holds nothing."""
    return value is None or (isinstance(value, float) and math.isnan(value))
