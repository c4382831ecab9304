"""Files, folders and nested values as record sets: tables whose columns are paths.

A file that holds a single record describes what stands beside it in its folder: the metadata of a
run become columns of the run's results. Folders whose names differ are columns, too.
"""

from __future__ import annotations

import json
import math
import re
import tempfile
import tomllib
import zipfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import pandas as pd

from podium.core.base.errors import ResultsError, require
from podium.core.base.formatting import read_digits
from podium.reading.cells.binary import decode_bytes
from podium.reading.files.documents import is_document
from podium.reading.files.tabular import sheets_of, tabular
from podium.reading.formats.gathering import labels
from podium.reading.formats.opening import Archive, by_line, content, parsed, sqlite_tables
from podium.reading.formats.record import Source
from podium.reading.loading.record_sets import record_sets, short_names

# -- what a file holds as one value ---------------------------------------------------------------
# JSON (whole or by line), YAML and TOML; nothing is run.


JSON = ("json", "jsonl", "ndjson")
YAML = ("yml", "yaml")
TOML = ("toml",)
MOST_YAML = 20_000_000  # bytes
LINES = 3  # that must be whole values for a file to be read by line


def suffix(path: Path) -> str:
    """The extension of a file, less that of a packed one."""
    return path.name.lower().removesuffix(".gz").rpartition(".")[2]


def holds_value(path: Path, begins: str) -> bool:
    """Whether a file that begins so is read as a nested value, not as a table."""
    kind = suffix(path)
    return begins.lstrip()[:1] in ("{", "[") or kind in (*YAML, *TOML)


def value_of(path: Path) -> Any:
    """The value in a file."""
    kind = suffix(path)
    if kind in YAML:
        return _yaml(path)
    if kind in TOML:
        return _toml(path)
    raw = content(path)
    lines = [line for line in raw.splitlines()[: LINES * 10] if line.strip()][:LINES]
    if len(lines) > 1 and all(map(_is_whole, lines[:2])):
        return list(by_line(path))
    return parsed(raw, f"'{path}'")


def _is_whole(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), (dict, list))
    except (ValueError, RecursionError):
        return False


def _yaml(path: Path) -> Any:
    """The value in a YAML file; tags that would make objects are refused, aliases are bounded."""
    package: Any = require("yaml", extra="yaml")
    raw = content(path)
    if len(raw) > MOST_YAML:
        raise ResultsError(f"'{path}' is larger than YAML is read here; save it as JSON.")
    if raw.count(b"*") > 1000 and raw.count(b"&") > 10:
        raise ResultsError(f"'{path}' repeats itself by aliases; save it as JSON.")
    try:
        values = list(package.load_all(raw, Loader=_plain_loader(package)))
    except (package.YAMLError, RecursionError, ValueError) as error:
        where = " ".join(str(error).split())
        raise ResultsError(f"'{path}' is no whole YAML file ({where:.120}).") from None
    return values[0] if len(values) == 1 else values


def _plain_loader(package: Any) -> Any:
    """A loader for which dates are texts: `2024-07-32` is a name, and no day of a month."""

    class Plain(getattr(package, "CSafeLoader", package.SafeLoader)):  # type: ignore[misc]
        yaml_implicit_resolvers: ClassVar = {
            first: [(tag, pattern) for tag, pattern in rules if not tag.endswith(":timestamp")]
            for first, rules in package.SafeLoader.yaml_implicit_resolvers.items()
        }

    return Plain


def _toml(path: Path) -> Any:
    try:
        return tomllib.loads(content(path).decode("utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ResultsError(f"'{path}' is no whole TOML file ({error}).") from None


# -- files and folders as record sets -------------------------------------------------------------
# Files of one shape are one table with a column `file`.
#
# A file that holds a single record describes what stands beside it in its folder: the metadata
# of a run become columns of the run's results. Folders whose names differ are columns, too.


FILE = "file"
FOLDER = "folder"
SHEET = "sheet"  # of a workbook
MOST_CELLS = 20_000_000


@dataclass(frozen=True)
class Loaded:
    """One record set of a source, as a frame whose columns have short names."""

    path: str  # where the records are: `benchmarks[].runs[]`; empty for rows of tables
    frame: pd.DataFrame
    paths: dict[str, str] = field(default_factory=dict)  # short name -> path
    files: int = 1
    decimal_comma: bool = False
    notes: tuple[Any, ...] = ()


def load(source: Source) -> list[Loaded]:
    """The record sets of a source, most rows first."""
    if not source.paths:
        return _of_value(source.given)
    files = [f for f in source.files if f in source.paths or _is_readable(f)]
    missing = next((p for p in source.paths if not p.exists()), None)
    if missing is not None:
        raise ResultsError(f"There is no file '{missing}'.")
    by_path: dict[str, list[tuple[Path, pd.DataFrame]]] = {}
    commas, notes = set(), ()
    settings: dict[Path, dict[str, Any]] = {}
    several = len(files) > 1
    keyed = several and _are_keyed(files)
    for file in files:
        try:
            sets, comma, notes = _sets_of(file, keyed)
        except ResultsError:
            if not several or file in source.paths:
                raise
            continue  # in a folder: what cannot be read is no results
        commas.add(comma)
        if several and file.parent not in settings:
            settings[file.parent] = _settings(file.parent)
        facts = settings.get(file.parent, {})
        for path, frame in sets.items():
            by_path.setdefault(path, []).append((file, _with(frame, facts)))
    by_path = _described(by_path)
    names = labels(files)
    by_path = {path: _less_own_names(parts) for path, parts in by_path.items()}
    made = [
        _together(path, parts, names, several, commas, notes) for path, parts in by_path.items()
    ]
    return sorted((m for m in made if len(m.frame)), key=lambda m: -len(m.frame))


def _is_readable(file: Path) -> bool:
    known = ("json", "jsonl", "ndjson", "csv", "tsv", "yml", "yaml", "parquet", "xlsx", "toml")
    return file.name.lower().removesuffix(".gz").rpartition(".")[2] in known


def _are_keyed(files: Sequence[Path]) -> bool:
    """Whether each of the first files holds one record below a key of its own."""
    keys = []
    for file in files[:5]:
        shape = Source(file).shape if holds_value(file, Source(file).text) else None
        if not isinstance(shape, dict) or len(shape) != 1:
            return False
        keys += [key for key, held in shape.items() if isinstance(held, dict)]
    return len(keys) > 1 and len({*keys}) == len(keys)


def _sets_of(
    file: Path, keyed: bool = False
) -> tuple[dict[str, pd.DataFrame], bool, tuple[Any, ...]]:
    if Source(file).tables:
        return sqlite_tables(file), False, ()
    if is_archive(file):
        return _unpacked(file), False, ()
    if holds_value(file, Source(file).text):
        sets = record_sets(value_of(file), f"'{file}'", keyed)
        return {path: s.frame for path, s in sets.items()}, False, ()
    if is_document(Source(file).head, Source(file).text) and (names := sheets_of(file)):
        tables = {name: tabular(file, name, least=1) for name in names}
        comma = any(t.decimal_comma for t in tables.values())
        frames = {name: t.frame for name, t in tables.items()}
        return _of_one_shape(frames) or frames, comma, ()
    table = tabular(file, least=1)
    return {"": table.frame}, table.decimal_comma, table.notes


def _of_one_shape(sheets: dict[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    """Sheets whose columns are the same as one table, with a column that names them; else none."""
    columns = {tuple(frame.columns) for frame in sheets.values()}
    if len(columns) > 1 or SHEET in columns.pop():
        return {}
    named = [frame.assign(**{SHEET: name}) for name, frame in sheets.items()]
    return {"": pd.concat(named, ignore_index=True)}


MOST_MEMBERS, MOST_UNPACKED = 2000, 500_000_000  # files of an archive, and their bytes


def is_archive(file: Path) -> bool:
    """Whether it is a zip archive of several files that are no spreadsheet."""
    if Source(file).head[:2] != b"PK" or not zipfile.is_zipfile(file):  # a pipe has no head
        return False
    with zipfile.ZipFile(file) as held:
        names = held.namelist()
    return "[Content_Types].xml" not in names and sum(map(_is_readable, map(Path, names))) > 1


def _unpacked(file: Path) -> dict[str, pd.DataFrame]:
    """The record sets of what an archive holds, as of a folder."""
    with Archive(file) as held, tempfile.TemporaryDirectory() as folder:
        members = [m for m in held.members.values() if _is_readable(Path(m.filename))]
        members = [m for m in members if "__MACOSX" not in m.filename and not m.is_dir()]
        if len(members) > MOST_MEMBERS or sum(m.file_size for m in members) > MOST_UNPACKED:
            raise ResultsError(f"'{file}' is too large to be unpacked here; unpack it yourself.")
        held.unpack([m.filename for m in members], folder)
        return {each.path: each.frame for each in load(Source(folder))}


def _of_value(value: Any) -> list[Loaded]:
    if isinstance(value, pd.DataFrame):
        return [_loaded("", decode_bytes(value.reset_index(drop=True)))]
    sets = record_sets(value, "The value")
    made = [_loaded(path, s.frame) for path, s in sets.items()]
    return sorted((m for m in made if len(m.frame)), key=lambda m: -len(m.frame))


_UNIT = re.compile(r"\[[^\]]+\]\s*$")


def _loaded(path: str, frame: pd.DataFrame, files: int = 1, comma: bool = False) -> Loaded:
    names = short_names([str(c) for c in frame.columns])
    if not path:  # of a table: what stands in brackets is a unit, and no place in a list
        names |= {c: c for c in names if _UNIT.search(c)}
    frame = frame.rename(columns=names)
    return Loaded(path, frame, {short: long for long, short in names.items()}, files, comma)


Parts = list[tuple[Path, pd.DataFrame]]


def _described(by_path: dict[str, Parts]) -> dict[str, Parts]:
    """Single records of files beside others as columns of these; else the sets as they are."""
    by_path = {path: _with_singles(parts) for path, parts in by_path.items()}
    alone = {
        path: parts
        for path, parts in by_path.items()
        if len(parts) > 1 and all(len(frame) == 1 for _, frame in parts)
    }
    rows = {path: parts for path, parts in by_path.items() if path not in alone}
    if alone and not rows:
        return {path: _of_folders(parts) for path, parts in by_path.items()}
    if not alone:
        return by_path
    for path, parts in rows.items():
        files = {file for file, _ in parts}
        facts: dict[Path, dict[str, Any]] = {}
        for name, singles in alone.items():
            for file, frame in singles:
                if file not in files and name == "":
                    facts.setdefault(file.parent, {}).update(frame.iloc[0].to_dict())
        rows[path] = [(file, _with(frame, facts.get(file.parent, {}))) for file, frame in parts]
    return rows | alone


def _with_singles(parts: Parts) -> Parts:
    """Tables with what a single record beside each says: `hparams.yaml` beside `metrics.csv`."""
    singles = [(file, frame) for file, frame in parts if len(frame) == 1]
    tables = [(file, frame) for file, frame in parts if len(frame) > 1]
    beside = {file.parent: frame.iloc[0].to_dict() for file, frame in singles}
    folders = {file.parent for file, _ in tables}
    if len(beside) < len(singles) or {*beside} != folders or len(folders) < len(tables):
        return parts
    own = {str(c) for _, table in tables for c in table.columns}
    if any(str(c) in own for facts in beside.values() for c in facts):
        return parts
    return [(file, _with(frame, beside[file.parent])) for file, frame in tables]


def _settings(folder: Path) -> dict[str, Any]:
    """What a hidden folder beside results says of their run, as Hydra's `.hydra/config.yaml`."""
    for path in sorted(folder.glob(".[!.]*/config.*")):
        if suffix(path) in (*JSON, *YAML, *TOML) and path.is_file():
            with suppress(ResultsError):
                sets = record_sets(value_of(path), f"'{path}'")
                frame = sets[""].frame if "" in sets else pd.DataFrame()
                return dict(frame.iloc[0]) if len(frame) == 1 else {}
    return {}


def _of_folders(parts: Parts) -> Parts:
    """Single records side by side in a folder, `config.json` and `metrics.json`, as one."""
    by_folder: dict[Path, Parts] = {}
    for file, frame in parts:
        by_folder.setdefault(file.parent, []).append((file, frame))
    names = {tuple(sorted(file.name for file, _ in held)) for held in by_folder.values()}
    if len(by_folder) < 2 or len(names) != 1 or len(names.pop()) < 2:
        return parts
    made = []
    for held in by_folder.values():
        columns = [c for _, frame in held for c in frame.columns]
        if len({*columns}) < len(columns):
            return parts
        frames = [frame.reset_index(drop=True) for _, frame in held]
        made.append((held[0][0], pd.concat(frames, axis=1)))
    return made


def _less_own_names(parts: Parts) -> Parts:
    """Headers less the name of the file or folder, where the files are of one shape without it."""
    shapes = {tuple(frame.columns) for _, frame in parts}
    if len(parts) < 2 or len(shapes) < 2:
        return parts
    for of_folder in (False, True):
        made = []
        for file, frame in parts:
            own = file.parent.name if of_folder else file.name.partition(".")[0]
            heads = {c: str(c).replace(own, "").strip(" _-./") or str(c) for c in frame.columns}
            made.append((file, frame.rename(columns=heads)))
        if len({tuple(frame.columns) for _, frame in made}) == 1 and made[0][1].columns.is_unique:
            return made
    return parts


def _with(frame: pd.DataFrame, facts: dict[str, Any]) -> pd.DataFrame:
    new = {k: v for k, v in facts.items() if k not in frame.columns}
    return frame.assign(**new) if new else frame


def _together(
    path: str,
    parts: Parts,
    names: dict[Path, str],
    several: bool,
    commas: set[bool],
    notes: tuple[Any, ...],
) -> Loaded:
    if not several:
        file, frame = parts[0]
        held = frame[FILE].nunique() if FILE in frame.columns and is_archive(file) else 1
        made = _loaded(path, frame, held, commas == {True})
        return Loaded(made.path, made.frame, made.paths, held, made.decimal_comma, notes)
    folders = _said_by_folders(_folders([file for file, _ in parts]))
    folders = _counted_folders(folders)
    alone = all(len(frame) == 1 for _, frame in parts) and not folders
    stems = [names[file] for file, _ in parts]
    signs = ("__", "_", "-") if alone else () if folders else ("__",)
    numbered = _numbered(stems) or _crossed(stems, signs)
    bare = _in_every_folder([file for file, _ in parts]) if folders else {}
    frames = []
    for file, frame in parts:
        more = (
            {FILE: bare.get(file, names[file])}
            | folders.get(file, {})
            | numbered.get(names[file], {})
        )
        frames.append(frame.assign(**{k: v for k, v in more.items() if k not in frame.columns}))
    return _loaded(path, pd.concat(frames, ignore_index=True), len(parts), commas == {True})


_RUN = re.compile(r"(?P<stem>.+?)[-_. ]*(?P<mark>seed|run|rep|trial|fold|split)[-_. ]?(?P<no>\d+)")


def _numbered(names: Sequence[str]) -> dict[str, dict[str, str]]:
    """What names such as `vgg_seed0` say: what was run (`file`), and its seed, run or fold."""
    matches = {name: _RUN.fullmatch(name) for name in names}
    marks = {m["mark"].lower() for m in matches.values() if m}
    if len(marks) != 1 or not all(matches.values()):
        return {}
    stems = {m["stem"] for m in matches.values() if m}
    if len(stems) < 2 or len(stems) == len(names):
        return {}
    mark = marks.pop()
    return {name: {FILE: m["stem"], mark: m["no"]} for name, m in matches.items() if m}


def _crossed(names: Sequence[str], signs: Sequence[str]) -> dict[str, dict[str, str]]:
    """What names such as `gru_weather_3` say in their parts, where these are crossed."""
    for sign in signs:
        parts = [name.split(sign) for name in names]
        size = len(parts[0])
        if not 2 <= size <= 4 or any(len(p) != size for p in parts) or len(names) < 4:
            continue
        varied = [i for i in range(size) if len({p[i] for p in parts}) > 1]
        cells = {tuple(p[i] for i in varied) for p in parts}
        full = math.prod(len({p[i] for p in parts}) for i in varied)
        if len(varied) > 1 and len(cells) == len(names) and len(names) >= 0.8 * full:
            heads = [_part_name([p[i] for p in parts], n) for n, i in enumerate(varied, 1)]
            return {
                name: {h: p[i] for h, i in zip(heads, varied, strict=True)}
                for name, p in zip(names, parts, strict=True)
            }
    return {}


def _part_name(cells: Sequence[str], number: int) -> str:
    """What a part of names is called: by its content a seed, else by its place."""
    return "seed" if all(c.isdecimal() for c in cells) else f"{FOLDER}{number}"


_LAST = re.compile(r"(?P<stem>.+?)[-_](?P<no>\d+)")


def _counted_folders(folders: dict[Path, dict[str, str]]) -> dict[Path, dict[str, str]]:
    """Folders called `a2c-Hopper-0`, `a2c-Hopper-1` ... as what was run, and its seed."""
    names = [held.get(FOLDER, "") for held in folders.values()]
    matches = {name: _LAST.fullmatch(name) for name in names}
    by_stem: dict[str, set[int]] = {}
    for match in matches.values():
        if match is None:
            return folders
        by_stem.setdefault(match["stem"], set()).add(read_digits(match["no"]))
    counts = {tuple(sorted(held)) for held in by_stem.values()}
    first = next(iter(counts), ())
    running = first in (tuple(range(len(first))), tuple(range(1, len(first) + 1)))
    if len(by_stem) < 2 or len(counts) != 1 or len(first) < 3 or not running:
        return folders  # vgg-16 and vgg-19 are two models
    return {
        file: {**held, FOLDER: matches[held[FOLDER]]["stem"], "seed": matches[held[FOLDER]]["no"]}  # type: ignore[index]
        for file, held in folders.items()
    }


def _in_every_folder(files: Sequence[Path]) -> dict[Path, str]:
    """Names of files without their folders, where every folder has files of the same names."""
    by_folder: dict[Path, list[str]] = {}
    for file in files:
        by_folder.setdefault(file.parent, []).append(file.name.partition(".")[0])
    names = [sorted(held) for held in by_folder.values()]
    alike = len(names) > 1 and len({*map(tuple, names)}) == 1 and len({*names[0]}) == len(names[0])
    return {f: f.name.partition(".")[0] for f in files} if alike else {}


def _folders(files: Sequence[Path]) -> dict[Path, dict[str, str]]:
    """The names of folders above the files that differ, where all files are as deep."""
    depth = {len(f.parts) for f in files}
    if len(depth) != 1 or len(files) < 2:
        return {}
    places = [i for i in range(depth.pop() - 1) if len({f.parts[i] for f in files}) > 1]
    if not places:
        return {}
    many = len(places) > 1
    return {
        f: {f"{FOLDER}{n}" if many else FOLDER: f.parts[i] for n, i in enumerate(places, 1)}
        for f in files
    }


_PAIR = re.compile(r"(?P<name>[A-Za-z_][\w.@-]*?)=(?P<value>[^=]*?)(?:,|;|__|_(?=[A-Za-z.]+=)|$)")


def _said_by_folders(folders: dict[Path, dict[str, str]]) -> dict[Path, dict[str, str]]:
    """Folders called by what was set as columns of these names: `model=vit,seed=3`."""
    made: dict[Path, dict[str, str]] = {}
    for file, names in folders.items():
        pairs = {m["name"]: m["value"] for name in names.values() for m in _PAIR.finditer(name)}
        rest = {place: name for place, name in names.items() if "=" not in name}
        if not pairs or len(rest) == len(names):
            return folders
        made[file] = rest | pairs
    return made


def one_frame(source: Any) -> Any:
    """The records of a nested file, of several files or a folder as a frame; others as they are."""
    given = source if isinstance(source, (list, tuple)) else [source]
    if not given or not all(isinstance(one, (str, Path)) for one in given):
        return source
    looked_at = Source(source)
    alone = looked_at.paths[0] if looked_at.files == looked_at.paths[:1] else None
    if alone and not is_archive(alone) and not holds_value(alone, looked_at.text):
        return source
    sets = load(looked_at)
    return sets[0].frame if sets else source
