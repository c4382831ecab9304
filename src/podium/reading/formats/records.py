"""Records in JSON, and several tables at once.

JSON holds a list of records, one record per line, or columns; records may be nested one level. Of
several files each has the scores of one algorithm, or of one data set, unless a column says it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import pandas as pd

from podium.base.errors import ResultsError, UnknownLayout
from podium.reading.cells.columns import Tabular
from podium.reading.cells.vocabulary import (
    ABOUT_ROWS,
    BLOCKS,
    Options,
    candidates,
    is_columns,
    known_measure,
    role_of,
)
from podium.reading.files.tabular import tabular
from podium.reading.formats.gathering import labels, named, refuse_step, shown
from podium.reading.formats.mappings import scores_by_algorithm
from podium.reading.formats.opening import by_line, content, parsed
from podium.reading.formats.record import FORMATS, Format, Sample, Source, text_sample
from podium.reading.formats.tables import EXTENSIONS, read_rows
from podium.reading.results import Results
from podium.words.facts import REMARK, Note

FILE = "file"  # the column that the names of several files are, where the caller speaks of it
_FILE = "\0file"  # a column that no table has
JSON_EXTENSIONS = ("json", "jsonl", "ndjson", "json.gz", "jsonl.gz")


# -- JSON -----------------------------------------------------------------------------------------


def _value(path: Path) -> Any:
    """What a JSON file holds; a list where every line has a value."""
    raw = content(path)
    lines = [line for line in raw.splitlines() if line.strip()]
    if len(lines) > 1 and _is_whole(lines[0]) and _is_whole(lines[1]):
        return list(by_line(path))
    return parsed(raw, f"'{path}'")


def _is_whole(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), (dict, list))
    except (ValueError, RecursionError):
        return False


def frame_or_scores(value: Any, what: str) -> pd.DataFrame | dict[str, Any]:
    """The table that JSON holds, or a mapping from algorithms to their scores."""
    if isinstance(value, Mapping) and len(value) == 1:
        (only,) = value.values()  # {"results": [...]}
        value = only if _is_records(only) else value
    if _is_records(value):
        return pd.DataFrame([_flat(record) for record in value])
    if isinstance(value, Mapping) and value:
        return _of_mapping(value, what)
    raise ResultsError(
        f"{what} holds no scores: give a list of records such as "
        '[{"algorithm": "svm", "fold": 1, "accuracy": 0.9}], or columns.'
    )


def _is_records(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(v, Mapping) for v in value)


def _flat(record: Mapping[str, Any]) -> dict[str, Any]:
    """A record less one level: {"scores": {"acc": 1}} is acc, or scores.acc beside another acc."""
    flat: dict[str, Any] = {}
    for key, value in record.items():
        if not isinstance(value, Mapping):
            flat[str(key)] = value
            continue
        for name, inner in value.items():
            if isinstance(inner, (Mapping, list)):
                continue  # texts of answers and the like are no scores
            short = str(name)
            flat[f"{key}.{name}" if short in record or short in flat else short] = inner
    return {key: value for key, value in flat.items() if not isinstance(value, list)}


def _of_mapping(value: Mapping[str, Any], what: str) -> pd.DataFrame | dict[str, Any]:
    if {"columns", "data"} <= {*value} and isinstance(value["data"], list):  # as pandas splits it
        return _table(lambda: pd.DataFrame(value["data"], columns=value["columns"]), what)
    each = list(value.values())
    if all(isinstance(v, list) for v in each):
        if is_columns(value) or any(role_of(str(key)) for key in value):
            return _table(lambda: pd.DataFrame(dict(value)), what)
        return dict(value)
    if all(isinstance(v, Mapping) for v in each):
        frame = _table(lambda: pd.DataFrame({str(k): dict(v) for k, v in value.items()}), what)
        numbered = all(str(label).isdecimal() for label in frame.index)
        if numbered and any(role_of(str(column)) for column in frame.columns):
            return frame.reset_index(drop=True)  # as pandas writes columns
        return frame
    if all(isinstance(v, (int, float, str)) or v is None for v in each):
        return pd.DataFrame([_flat(value)])
    return pd.DataFrame([_flat(value)])


def _table(make: Any, what: str) -> pd.DataFrame:
    try:
        made: pd.DataFrame = make()
    except (ValueError, TypeError, AssertionError) as error:
        raise ResultsError(f"{what} is no table: {error}.") from None
    return made


def _read_json(source: Source, options: Options) -> Results:
    refuse_step(options)
    what = f"'{source.paths[0]}'" if source.paths else "The list of records"
    result = frame_or_scores(_value(source.paths[0]) if source.paths else source.given, what)
    if isinstance(result, dict):
        return scores_by_algorithm(result, options, what)
    if len(result) == 1 and not source.said:
        _refuse_one(result, what)
    return read_rows(_named_by(tabular(result), source), options)


def _named_by(table: Tabular, source: Source) -> Tabular:
    """The table called after the files that it was made of."""
    return replace(table, what=shown(source), name=named(source)) if source.paths else table


def _refuse_one(table: pd.DataFrame, what: str) -> NoReturn:
    raise UnknownLayout(
        f"{what} holds one record ({', '.join(map(str, table.columns)):.120}), which tells no "
        "difference from chance. Give a record per algorithm and fold, item or data set."
    )


def _is_json(source: Source) -> bool:
    if not source.paths:
        return _is_records(source.given)
    return len(source.paths) == 1 and source.shape is not None


JSON = FORMATS.add(
    Format(
        "json",
        "records in JSON: a list of them, one per line, or columns; or scores by algorithm",
        recognises=_is_json,
        read=_read_json,
        samples=[
            text_sample(
                "scores.json",
                '[{"model": "a", "task": "x", "acc": 0.9}, {"model": "b", "task": "x", "acc": 0.7},'
                '{"model": "a", "task": "y", "acc": 0.8}, {"model": "b", "task": "y", "acc": 0.6}]',
                order=("a", "b"),
            ),
            text_sample(
                "scores.jsonl",
                '{"model": "a", "item": 1, "scores": {"acc": 1}}\n'
                '{"model": "b", "item": 1, "scores": {"acc": 0}}\n'
                '{"model": "a", "item": 2, "scores": {"acc": 1}}\n'
                '{"model": "b", "item": 2, "scores": {"acc": 1}}\n',
                order=("a", "b"),
                sampling="items",
            ),
        ],
        extensions=JSON_EXTENSIONS,
        general=True,
        place=10,
    )
)


# -- several tables at once -----------------------------------------------------------------------


def _is_table(part: Source) -> bool:
    return part.shape is not None or len(part.columns) > 1


def _named_so(path: Path) -> bool:
    """Whether a file in a folder is called like a table: a README is none."""
    known = (*EXTENSIONS[:-1], "parquet", "xlsx", *JSON_EXTENSIONS)
    return path.name.lower().endswith(tuple(f".{e}" for e in known if e != "txt"))


def _tables(source: Source, *, every: bool = True) -> list[Source]:
    """The files that are tables; of very many only some are looked at to recognise them."""
    given, parts = set(source.paths), {part.paths[0]: part for part in source.parts}
    files = source.files if every else tuple(parts)
    names = [file for file in files if file in given or _named_so(file)]
    return [part for file in names if _is_table(part := parts.get(file) or Source(file))]


def _is_several(source: Source) -> bool:
    several = len(source.paths) > 1 or (len(source.paths) == 1 and source.paths[0].is_dir())
    if not several or any(path.is_file() and not _is_table(Source(path)) for path in source.paths):
        return False
    return bool(_tables(source, every=False))


def _frame(path: Path) -> pd.DataFrame:
    if Source(path).shape is None:
        return tabular(path).frame.copy()
    result = frame_or_scores(_value(path), f"'{path}'")
    return (
        result if isinstance(result, pd.DataFrame) else _table(lambda: pd.DataFrame(result), "It")
    )


def one_table(source: Source) -> Tabular:
    """The rows of one file, or of all in a folder, each a data set unless a column says it."""
    files = [part.paths[0] for part in _tables(source)] or list(source.paths)
    if len(files) == 1 and Source(files[0]).shape is None:  # what is no table is refused there
        return tabular(files[0], least=1)  # of one algorithm, which has no name
    if len(files) == 1:
        frame = _frame(files[0])
        return tabular(frame) if len(frame) > 1 else _refuse_one(frame, f"'{files[0]}'")
    names, frames = labels(files), {file: _frame(file) for file in files}
    _check_alike(frames)
    if not all(candidates(map(str, frame.columns), "dataset") for frame in frames.values()):
        frames = {file: frame.assign(dataset=names[file]) for file, frame in frames.items()}
    return tabular(pd.concat(frames.values(), ignore_index=True))


def _read_several(source: Source, options: Options) -> Results:
    refuse_step(options)
    files = [part.paths[0] for part in _tables(source)]
    names = labels(files)
    frames = {file: _frame(file) for file in files}
    _check_alike(frames)
    message = _is_told_of_files(frames, options)
    if message:
        frames = {file: frame.assign(**{FILE: names[file]}) for file, frame in frames.items()}
    role = "" if message else _role_of_files(frames, options)
    tables = [t.assign(**{role: names[f]}) if role else t for f, t in frames.items()]
    table = pd.concat(tables, ignore_index=True)
    table = table[[role, *(c for c in table.columns if c != role)]] if role else table
    _check_blocks(table, options, source)
    if not role and not message:
        _check_once(frames)
    results = read_rows(_named_by(tabular(table), source), options)
    note = Note("several-tables", REMARK, files=len(files), role=role)
    return replace(results, notes=(note, *results.notes))


def _check_alike(frames: Mapping[Path, pd.DataFrame]) -> None:
    """Refuse tables of different columns: what they say together nobody knows."""
    (first, message), *others = ((file, {*map(str, frame)}) for file, frame in frames.items())
    for file, columns in others:
        if columns != message:
            odd = ", ".join(sorted(columns ^ message))
            raise UnknownLayout(
                f"'{first}' and '{file}' have different columns ({odd:.200}), so they are not one "
                "table. Give the files that belong together."
            )


def _role_of_files(frames: Mapping[Path, pd.DataFrame], options: Options) -> str:
    """What a file stands for: an algorithm, a data set, or nothing where columns say both."""
    text, ignored = options.columns, options.columns.get("ignore", ())
    columns = [[str(c) for c in f.columns if str(c) not in ignored] for f in frames.values()]
    if "algorithm" not in text and not all(candidates(names, "algorithm") for names in columns):
        wide = [_has_algorithms(names) for names in columns]
        return "dataset" if all(wide) and not _has(columns, "dataset", text) else "algorithm"
    if _has(columns, "dataset", text):
        return ""
    together = pd.concat(frames.values(), ignore_index=True)
    roles = ("algorithm", "measure", *BLOCKS)
    messages = {name for role in roles for name in text.get(role, ())}
    keys = [c for c in together.columns if str(c) in messages or role_of(str(c)) in roles]
    keys = [c for c in keys if str(c) not in ignored]
    again = bool(keys) and together[keys].astype(str).duplicated().any()
    return "dataset" if len(frames) > 1 and again else ""


def _is_told_of_files(frames: Mapping[Path, pd.DataFrame], options: Options) -> bool:
    """Whether the caller says what the files are, and no column is called so."""
    messages = {part for names in options.columns.values() for n in names for part in n.split("+")}
    return FILE in messages and not any(FILE in frame.columns for frame in frames.values())


def _has(columns: Sequence[Sequence[str]], role: str, texts: Mapping[str, Any]) -> bool:
    return role in texts or all(candidates(names, role) for names in columns)


def _has_algorithms(columns: Sequence[str]) -> bool:
    """Whether columns are algorithms: several that are neither roles nor measures."""
    blocks = [c for c in columns if role_of(c) in BLOCKS and c.lower() != "b"]
    roles = (*ABOUT_ROWS, *BLOCKS, "value")
    free = [c for c in columns if role_of(c) not in roles or (c.lower() == "b" and blocks)]
    return sum(known_measure(c) is None for c in free) > 1


def _check_blocks(table: pd.DataFrame, options: Options, source: Source) -> None:
    """Refuse files of one score each: nothing tells their difference from chance."""
    names = [str(c) for c in table.columns]
    if "algorithm" not in names or any(role_of(c) in ("dataset", *BLOCKS) for c in names):
        return
    if not options.columns and not table["algorithm"].duplicated().any():
        raise ResultsError(
            f"{shown(source)}: every file has one score of its algorithm, which tells no "
            "difference from chance. Give files with a row per fold, seed, item or data set."
        )


def _check_once(frames: Mapping[Path, pd.DataFrame]) -> None:
    """Refuse two files with scores of the same."""
    messages = [frame.assign(**{_FILE: file}) for file, frame in frames.items()]
    table = pd.concat(messages, ignore_index=True)
    roles = ("algorithm", "dataset", "measure", *BLOCKS)
    keys = [c for c in table.columns if role_of(str(c)) in roles]
    again = table.duplicated(keys, keep=False)
    for _, rows in table[again].groupby(keys, dropna=False) if again.any() else ():
        files = rows[_FILE].unique()
        if len(files) > 1:
            raise ResultsError(
                f"'{files[0]}' and '{files[1]}' have scores of the same "
                f"({', '.join(str(rows[k].iloc[0]) for k in keys):.100}). Leave one out."
            )


def _several_sample(folder: Path) -> list[Path]:
    for name, scores in {"svm": (0.9, 0.8, 0.9), "knn": (0.7, 0.7, 0.6)}.items():
        rows = "".join(f"{fold},{score}\n" for fold, score in enumerate(scores))
        (folder / f"{name}.csv").write_text("fold,accuracy\n" + rows)
    return [folder / "svm.csv", folder / "knn.csv"]


SEVERAL = FORMATS.add(
    Format(
        "several-tables",
        "several tables or JSON files at once, each of one algorithm or data set",
        recognises=_is_several,
        read=_read_several,
        samples=[Sample(_several_sample, order=("svm", "knn"), options={"sampling": "cv"})],
        extensions=EXTENSIONS,
        general=True,
        place=10,
    )
)
